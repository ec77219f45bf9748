//! Why commands could not be compared.

use fathom_model::ProcessEnd;
use std::io;

/// Nothing was measured that could be kept, or no more can be.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// A command could not be started.
    #[error("failed to start `{command}`: {error}")]
    Start {
        /// As it was given.
        command: String,
        /// Why.
        error: io::Error,
    },
    /// A command ended otherwise than with exit code 0.
    #[error("`{command}`{place} {}", ended(end))]
    Failed {
        /// As it was given.
        command: String,
        /// On which rank, with a blank before it; empty where there is one process.
        place: String,
        /// How it ended.
        end: ProcessEnd,
    },
    /// What was to be run before each run failed.
    #[error("the preparation `{command}` {}", ended(end))]
    Prepare {
        /// As it was given.
        command: String,
        /// How it ended.
        end: ProcessEnd,
    },
    /// Fathom's own part failed.
    #[error("{what}: {error}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// Why it failed.
        error: io::Error,
    },
    /// Ranks could not be had, or failed.
    #[error("{0}")]
    Ranks(String),
    /// The user wants no more.
    #[error("interrupted")]
    Interrupted,
}

fn ended(end: &ProcessEnd) -> String {
    match end {
        ProcessEnd::Exited(code) => format!("ended with exit code {code}"),
        ProcessEnd::Killed(signal) => format!("was killed by {signal}"),
        ProcessEnd::Unknown => "ended, nobody knows how".to_owned(),
    }
}
