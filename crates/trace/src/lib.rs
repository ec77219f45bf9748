//! System-call events of a program, by ptrace: the count pass.
//!
//! [`run`] starts a program traced and divides its calls by the marks of the
//! driver protocol. [`count_pass()`] derives, from two run lengths, what one
//! operation costs in calls, exactly. [`count_command`] counts the calls of any
//! command by process and thread.
//!
//! [`trace_files()`] gives every call of the file path, with its arguments, as an event.
//! [`StraceLog`] reads the same events from what strace wrote.
//!
//! **Invariants:** nothing is timed here for a price: what durations events carry is as long as the watching made it;
//! only the ring, which stops nobody, says what of it was waiting.
//! The tracer has a thread of its own and waits for nothing but its tracees.
//! Everything below [`run`] and [`availability()`] is pure.
#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "a test may panic where no thread can be made")
)]

mod availability;
mod call;
mod classify;
mod command;
mod condition;
mod count_pass;
mod course;
mod decode;
mod error;
mod file_trace;
#[cfg(target_arch = "x86_64")]
mod hook;
#[cfg(not(target_arch = "x86_64"))]
#[path = "no_hook.rs"]
mod hook;
mod hooking;
mod met;
mod placement;
mod recipe;
mod recorder;
mod region;
mod repetition;
mod session;
mod signal_name;
mod stops;
mod strace_log;
mod tally;
mod tracee;
mod tracer;
mod untraced;
mod witness;

pub use availability::availability;
pub use call::{Call, CallKey, errno_name as name_of_errno, why_missing as why_call_is_missing};
pub use command::{CommandOptions, CountedCommand, count_command};
pub use count_pass::{CountPlan, count_pass};
pub use decode::DataPaths;
pub use error::TraceError;
pub use file_trace::{
    AttachmentEnd, FileTraceEnd, FileTraceOptions, GroupAttachment, GroupMember, LiveCount, LiveCounts,
    LiveDirectory, LiveFile, LiveSubject, Observed, RingAttachment, RingCapture, RingOptions, RingRefusal,
    RingWants, Unseen, hook_availability, repetition_cost_ns, ring_availability, trace_files, trace_group,
};
pub use hooking::{HookTally, Treated, Window};
pub use recipe::recipe_agrees;
pub use region::{Counts, Event, Region, TracedRun};
pub use repetition::{
    Elision, MOST_QUESTIONS, Question, Questions, Repetition, Treatment, Windows, is_answerable,
    is_repeatable,
};
pub use signal_name::signal_name;
pub use strace_log::{NoteKind, StackFrame, StraceError, StraceLog, StraceNote, StraceNotes};
pub use tracer::{Options, run};
pub use untraced::run_untraced;
