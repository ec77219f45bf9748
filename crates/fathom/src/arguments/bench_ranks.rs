//! The words of `fathom bench --ranks`.

use clap::Args;

/// Several processes on one or more machines, started by an MPI launcher.
#[derive(Debug, Args)]
pub(crate) struct BenchRanks {
    /// Perform every batch on so many processes at once, started by --launcher; methods are then those
    /// of the MPI driver (mpi:*). With --commands: start each command so many times at once
    #[arg(
        long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=65536),
        conflicts_with_all = ["driver", "why", "profile", "latencies", "threads", "mount"]
    )]
    pub(crate) ranks: Option<u32>,

    /// What starts the processes of --ranks: the words before the program, {ranks} in them replaced; when
    /// left out `mpirun -n {ranks}`, and with --commands Fathom itself, on this machine
    #[arg(long, value_name = "WORDS", requires = "ranks")]
    pub(crate) launcher: Option<String>,

    /// How long the launcher may take until every rank is there; a batch system may let it wait
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "ranks",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) launcher_limit: u32,
}
