//! Exit codes: one enum, documented in `--help`.

use std::process::ExitCode;

/// How a run of `fathom` ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done, all held.
    Done,
    /// Refuted, regressed, or findings (a driver that does not conform).
    Findings,
    /// Usage, environment or I/O error.
    Error,
    /// The evidence does not decide.
    Inconclusive,
    /// Nothing ran, or nothing matched.
    NothingRan,
    /// Interrupted; the partial record is kept and marked incomplete.
    Interrupted,
    /// The code of the command that was run (`fathom count`).
    OfCommand(u8),
}

/// The code of an error.
pub(crate) const ERROR_CODE: u8 = 2;

/// The table of exit codes for `--help`.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0    done, all held
  1    refuted, regressed or findings
  2    usage, environment or I/O error
  3    inconclusive
  4    nothing ran, or nothing matched
  130  interrupted; the partial record is kept and marked incomplete
`fathom count` ends with the code of the command that it ran.";

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Findings => 1,
            Exit::Error => ERROR_CODE,
            Exit::Inconclusive => 3,
            Exit::NothingRan => 4,
            Exit::Interrupted => 130,
            Exit::OfCommand(code) => code,
        })
    }
}
