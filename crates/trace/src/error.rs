//! What can go wrong in a count pass.

use std::io;
use std::time::Duration;

/// Why a program's calls could not be counted.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// A run was cut before one operation was counted.
    #[error("cut short {0}")]
    CutShort(String),
    /// The program could not be started.
    #[error("start `{program}`: {error}")]
    Start {
        /// The program.
        program: String,
        /// Why.
        error: io::Error,
    },
    /// The kernel does not let us trace.
    #[error("trace `{program}`: {reason}")]
    Forbidden {
        /// The program.
        program: String,
        /// Why, as far as it can be known.
        reason: String,
    },
    /// A call of the tracer itself failed.
    #[error("tracing failed: {call}: {error}")]
    Io {
        /// The call.
        call: &'static str,
        /// Why.
        error: io::Error,
    },
    /// It ran longer than allowed and was killed.
    #[error("trace `{program}`: killed after {} s without an end", limit.as_secs_f64())]
    TimedOut {
        /// The program.
        program: String,
        /// How long it was allowed to run.
        limit: Duration,
    },
    /// The user stopped the run; the program was killed.
    #[error("interrupted")]
    Interrupted,
    /// A signal killed the program.
    #[error("`{program}` (pid {pid}) was killed by {signal}{}", quoted(stderr))]
    Killed {
        /// The program.
        program: String,
        /// Its process.
        pid: i32,
        /// The signal's name.
        signal: String,
        /// The end of what it said on standard error.
        stderr: String,
    },
    /// The program ended with an exit code other than 0.
    #[error("the driver ended with exit code {code}{}", quoted(stderr))]
    Exited {
        /// The exit code; 77 means: not supported here.
        code: i32,
        /// The end of what it said on standard error.
        stderr: String,
    },
    /// The driver answered a batch with an error.
    #[error("the driver answered `{0}`")]
    Driver(String),
    /// The driver did not do a batch, or not all of it.
    #[error("the driver answered `{answer}` to `batch {operations}`")]
    Answer {
        /// The operations it was asked for.
        operations: u64,
        /// Its answer, or `nothing`.
        answer: String,
    },
    /// The marks do not enclose regions as the protocol has it.
    #[error("the marks of the clock's region do not match: {0}")]
    Marks(String),
}

fn quoted(stderr: &str) -> String {
    let text = stderr.trim();
    if text.is_empty() { String::new() } else { format!(": {text}") }
}
