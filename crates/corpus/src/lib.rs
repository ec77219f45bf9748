//! The corpus of `tests/corpus`: for each rule of the audit real small programs with the
//! waste, without it, and with what only looks like it; how one is built and run under
//! `fathom audit`, and how often the audit was right. Beside it those of `tests/corpus-blind`
//! to `tests/corpus-twelfth`, whose programs were written without sight of the rules.
//!
//! Tests and chores use it; nothing that is released does.

mod bench;
mod blind;
mod calls;
mod case;
mod kind_reader;
mod kinds;
mod language;
mod real;
mod score;
mod steady;
mod verdict;

pub use bench::{Bench, BenchError, Seen};
pub use blind::{
    Agreement, BlindCase, BlindPart, BlindRun, Counts, Found, Judged, Judgement, OwnCommand, Tool, ToolRun,
    Waste, Watched, blind_cases, blind_tools, judgements, wastes,
};
pub use calls::{CallTable, ProcessCalls};
pub use case::{Case, CaseWords, CorpusError, Part, load};
pub use kinds::{CallKind, Kinds, KindsCompared};
pub use language::Language;
pub use real::{RealCommand, real_commands};
pub use score::{Score, Tally};
pub use steady::{Ending, Subject};
pub use verdict::{CaseError, Verdict, examine, judge};
