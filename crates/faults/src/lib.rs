//! What Fathom does when the world fails: its commands, run with a system call that fails or
//! under limits of the kernel's, and a verdict on how each ended.
//!
//! Owns the way in, the table of errnos, the commands, the verdict and the choice of faults.
//! For tests and `xtask`; no released program uses it.

mod errnos;
mod facts;
mod ground;
mod leftovers;
mod limits;
mod patience;
mod plan;
mod subjects;
mod supervised;
mod sweep;
mod verdict;

pub use errnos::{GROUPS, Kind};
pub use ground::Program;
pub use limits::{LIMITS, Limit, LimitRun, under_limits};
pub use plan::{Extent, PlannedFault};
pub use subjects::{SUBJECTS, Subject};
pub use supervised::is_available;
pub use sweep::{Options, Swept, SweptFault, sweep};
pub use verdict::{Ending, Verdict};
