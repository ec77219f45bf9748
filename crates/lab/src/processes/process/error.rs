//! What can go wrong with a driver process, in words.

use crate::drivers::driver_build::BuildError;
use crate::drivers::launcher::Launcher;
use crate::processes::protocol::{AnswerError, OperationError};
use std::io;
use std::time::Duration;

/// What went wrong with a driver process.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum ProcessError {
    /// It could not be started.
    #[error("failed to start {program}: {error}")]
    Start {
        /// The program.
        program: String,
        /// The error.
        error: io::Error,
    },
    /// It ended while an answer was due.
    #[error("the {driver} driver (pid {pid}) {how} while {doing}{said}")]
    Ended {
        /// The driver.
        driver: String,
        /// Its process id.
        pid: u32,
        /// How it ended: `exited with 2`, `was killed by SIGKILL`.
        how: String,
        /// What it was asked.
        doing: String,
        /// Its last words, with a colon before them, or nothing.
        said: String,
    },
    /// It closed its standard output while an answer was due, and did not end.
    #[error("the {driver} driver (pid {pid}) closed its standard output while {doing}, and was killed")]
    LivesOn {
        /// The driver.
        driver: String,
        /// Its process id.
        pid: u32,
        /// What it was asked.
        doing: String,
    },
    /// What would be started is not what was built.
    #[error(transparent)]
    Changed(#[from] BuildError),
    /// Exit code 77: it does not support this here.
    #[error("{0}")]
    Unsupported(String),
    /// An operation failed.
    #[error(transparent)]
    Operation(#[from] OperationError),
    /// It said something else than the protocol has.
    #[error("the {driver} driver broke the protocol while {doing}: {error}")]
    Protocol {
        /// The driver.
        driver: String,
        /// What it was asked.
        doing: String,
        /// What was wrong.
        error: AnswerError,
    },
    /// It answered what cannot be.
    #[error("the {driver} driver answered what cannot be while {doing}: {what}")]
    Impossible {
        /// The driver.
        driver: String,
        /// What it was asked.
        doing: String,
        /// What cannot be.
        what: String,
    },
    /// It said more than any driver has to say.
    #[error("the {driver} driver {what} while {doing}, and was killed")]
    TooMuch {
        /// The driver.
        driver: String,
        /// What it was asked.
        doing: String,
        /// Where, and how much.
        what: String,
    },
    /// It did not answer.
    #[error("the {driver} driver did not answer for {} s while {doing}", waited.as_secs())]
    Silent {
        /// How long it was waited for.
        waited: Duration,
        /// The driver.
        driver: String,
        /// What it was asked.
        doing: String,
    },
    /// A launcher did not start the ranks in time.
    #[error("`{launcher}` did not start the {ranks} ranks within {} s (--launcher-limit)", waited.as_secs())]
    NotLaunched {
        /// The launcher.
        launcher: String,
        /// How many were asked for.
        ranks: u32,
        /// How long it was waited for.
        waited: Duration,
    },
    /// The pipe to it failed.
    #[error("failed to talk to the {driver} driver: {error}")]
    Pipe {
        /// The driver.
        driver: String,
        /// The error.
        error: io::Error,
    },
    /// The user interrupted the run.
    #[error("interrupted")]
    Interrupted,
}

impl ProcessError {
    /// Why a process that should be several ranks is not, where it says something else.
    pub(crate) fn wrong_count(launcher: &Launcher, found: usize) -> Self {
        Self::Unsupported(format!(
            "`{}` started a program of {found} rank{}, where {} were asked for (does it start programs of the MPI \
             that mpicc compiles for, and has it the number of ranks, as in `mpirun -n {{ranks}}`?)",
            launcher.told(),
            if found == 1 { "" } else { "s" },
            launcher.ranks,
        ))
    }
}
