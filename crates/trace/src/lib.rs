//! System-call events of a program, by ptrace: the count pass.
//!
//! [`run`] starts a program traced and divides its calls by the marks of the
//! driver protocol. [`count_pass()`] derives, from two run lengths, what one
//! operation costs in calls, exactly. [`count_command`] counts the calls of any
//! command by process and thread.
//!
//! **Invariants:** times are never taken here, because a tracer distorts them.
//! The tracer has a thread of its own and waits for nothing but its tracees.
//! Everything below [`run`] and [`availability()`] is pure.

mod availability;
mod call;
mod classify;
mod command;
mod condition;
mod count_pass;
mod decode;
mod error;
mod recipe;
mod recorder;
mod region;
mod session;
mod stops;
mod tally;
mod tracee;
mod tracer;
mod witness;

pub use availability::availability;
pub use call::{Call, CallKey, errno_name as name_of_errno};
pub use command::{CommandOptions, CountedCommand, count_command};
pub use count_pass::{CountPlan, count_pass};
pub use decode::DataPaths;
pub use error::TraceError;
pub use recipe::recipe_agrees;
pub use region::{Counts, Event, Region, TracedRun};
pub use tracer::{Options, run, signal_name};
