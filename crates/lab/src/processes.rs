//! Driver processes: how one is started, what it is told and answers, the files that its batches
//! find, which answers are right, on which CPU it runs; and the conformance list of any driver.
//!
//! How a driver is built is `drivers`'; when and how often a process is asked is `passes`'.

pub(crate) mod batch_ground;
pub(crate) mod conformance;
pub(crate) mod expected;
pub(crate) mod launch;
pub(crate) mod placement;
pub(crate) mod process;
pub(crate) mod protocol;
