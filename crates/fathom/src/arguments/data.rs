//! The words of `fathom data`.

use clap::{Args, Subcommand, ValueEnum};
use fathom_lab::kept_set::{SetName, SyncWhen};
use std::path::PathBuf;

/// Shown by `fathom data --help`.
pub(crate) const DATA_EXAMPLES: &str = "\
Examples:
  fathom data make --size 4GiB
  fathom data make --size 4GiB --content pattern --sync none --name generate
  fathom data make --size 128 --files 1000 --name small
  fathom data list --check
  fathom bench read-block --methods native:pread --size 4GiB --block 16KiB --data random-4GiB
  fathom data remove random-4GiB

A data set lies in DIR/fathom-data-NAME, with a manifest (docs/data-sets.md).";

/// Arguments of `fathom data`.
#[derive(Debug, Args)]
pub(crate) struct Data {
    #[command(subcommand)]
    pub(crate) command: DataCommand,
}

/// What to do with data sets that stay.
#[derive(Debug, Subcommand)]
pub(crate) enum DataCommand {
    /// Write a data set that stays, and say what writing it took
    Make(DataMake),
    /// List the data sets, and whether they are whole
    List(DataList),
    /// Remove a data set: the files of its manifest and nothing else
    Remove(DataRemove),
}

/// Arguments of `fathom data make`.
#[derive(Debug, Args)]
pub(crate) struct DataMake {
    /// Size of each file: 128, 4KiB, 4GiB
    #[arg(long, value_name = "SIZE")]
    pub(crate) size: String,

    /// How many files
    #[arg(long, value_name = "COUNT", default_value_t = 1)]
    pub(crate) files: u32,

    /// What the files hold: random, pattern, log-lines, log-borders, config-json, config-yaml, config-toml
    #[arg(long, value_name = "KIND", default_value = "random")]
    pub(crate) content: String,

    /// Bytes of one write call, up to 64MiB
    #[arg(long, value_name = "SIZE", default_value = "8KiB")]
    pub(crate) block: String,

    /// Whether fsync of each file belongs to what is timed
    #[arg(long, value_enum, default_value_t = Sync::Fsync)]
    pub(crate) sync: Sync,

    /// The name of the data set; of what it holds when left out
    #[arg(long)]
    pub(crate) name: Option<SetName>,

    /// The directory to make it in
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) dir: PathBuf,

    /// Seed of the content; drawn when not given, and kept in the manifest
    #[arg(long)]
    pub(crate) seed: Option<u64>,
}

/// When data are made durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sync {
    /// After the clock has stopped: the time is that of writing to the page cache
    None,
    /// Each file before it is closed, the clock running
    Fsync,
}

impl From<Sync> for SyncWhen {
    fn from(sync: Sync) -> Self {
        match sync {
            Sync::None => Self::None,
            Sync::Fsync => Self::Fsync,
        }
    }
}

/// Arguments of `fathom data list`.
#[derive(Debug, Args)]
pub(crate) struct DataList {
    /// A directory to look in; may be repeated
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) dir: Vec<PathBuf>,

    /// Read every file, and compare it with its rule
    #[arg(long)]
    pub(crate) check: bool,
}

/// Arguments of `fathom data remove`.
#[derive(Debug, Args)]
pub(crate) struct DataRemove {
    /// The name of the data set
    pub(crate) name: SetName,

    /// The directory in which it lies
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) dir: PathBuf,
}
