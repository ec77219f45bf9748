//! The methods: their names, what each does, and how a run gets hold of them.

use super::arguments::Plan;
use super::batch::Sums;
use super::failure::{Failure, Refusal};
use super::known::Known;
use super::offsets::Step;
use super::ring::Ring;
use super::sink::Sink;
use super::stage::Stage;
use super::{
    copy, create, hash, lines, makers, null, open_close, open_missing, open_read_close, open_write_close,
    posix, read_block, read_whole, reload, search, template, write_block,
};
use std::ffi::CStr;
use std::path::Path;

/// What one operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Null,
    OpenClose,
    OpenMissing,
    OpenWriteClose,
    OpenReadClose,
    ReadWhole,
    ReadBlock,
    Lines,
    Search,
    Hash,
    Template,
    Reload,
    Create,
    WriteBlock,
    Copy,
    Truncate,
}

impl Operation {
    pub(crate) const ALL: [Self; 16] = [
        Self::Null,
        Self::OpenClose,
        Self::OpenMissing,
        Self::OpenWriteClose,
        Self::OpenReadClose,
        Self::ReadWhole,
        Self::ReadBlock,
        Self::Lines,
        Self::Search,
        Self::Hash,
        Self::Template,
        Self::Reload,
        Self::Create,
        Self::WriteBlock,
        Self::Copy,
        Self::Truncate,
    ];

    /// The protocol's word.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::OpenClose => "open-close",
            Self::OpenMissing => "open-missing",
            Self::OpenWriteClose => "open-write-close",
            Self::OpenReadClose => "open-read-close",
            Self::ReadWhole => "read-whole",
            Self::ReadBlock => "read-block",
            Self::Lines => "lines",
            Self::Search => "search",
            Self::Hash => "hash",
            Self::Template => "template",
            Self::Reload => "reload",
            Self::Create => "create",
            Self::WriteBlock => "write-block",
            Self::Copy => "copy",
            Self::Truncate => "truncate",
        }
    }

    /// The operation of a word.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.word() == word)
    }

    /// True when the answer depends on the files' size.
    pub(crate) fn needs_size(self) -> bool {
        !matches!(
            self,
            Self::Null
                | Self::OpenClose
                | Self::OpenMissing
                | Self::OpenWriteClose
                | Self::Template
                | Self::Create
        )
    }

    /// True when the answer depends on files that are there.
    pub(crate) fn needs_paths(self) -> bool {
        !matches!(self, Self::Null | Self::Create | Self::WriteBlock | Self::Truncate)
    }

    /// True when files are made.
    pub(crate) fn writes(self) -> bool {
        matches!(self, Self::Create | Self::WriteBlock | Self::Copy | Self::Truncate)
    }

    /// What the answer calls the number of things found.
    pub(crate) fn count_key(self) -> Option<&'static str> {
        match self {
            Self::Lines => Some("lines"),
            Self::Search => Some("matches"),
            _ => None,
        }
    }
}

/// A method ready to perform: one call through it per operation, `null` too.
pub(crate) trait Method {
    /// Opens and maps what is held between operations, unless it is held already.
    fn take_up(&mut self) -> Result<(), FailureAt> {
        Ok(())
    }

    /// Closes and unmaps what is held between operations.
    fn release(&mut self) {}

    /// Learns which steps come next, before the clock starts.
    fn foresee(&mut self, _steps: &[Step]) -> Result<(), FailureAt> {
        Ok(())
    }

    /// Makes ready what the next operations write, before the clock starts: a
    /// pre-roll, a batch or `verify`. `first` is the number of the first operation.
    fn prepare(&mut self, _steps: &[Step], _first: u64, _stage: &mut Stage) -> Result<(), FailureAt> {
        Ok(())
    }

    /// One operation.
    fn perform(&mut self, step: Step, sink: &mut Sink) -> Result<(), Failure>;

    /// All operations of a batch, where they overlap or have phases, each with
    /// its own time when that is asked for; `None` to have one after the other.
    fn perform_together(
        &mut self,
        _steps: &[Step],
        _latencies_ns: Option<&mut [u64]>,
    ) -> Option<Result<Sums, FailureAt>> {
        None
    }

    /// What belongs to a batch after its last operation, inside the clock.
    fn complete(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    /// What may wait until the clock has stopped.
    fn finish(&mut self, _stage: &mut Stage) {}

    /// One operation whose every byte the sink gets.
    fn verify(&mut self, step: Step, sink: &mut Sink) -> Result<(), Failure> {
        self.perform(step, sink)
    }

    /// Where it failed, if that was at none of the plan's paths.
    fn failed_path(&self) -> Option<&Path> {
        None
    }
}

/// A failure and the path it happened at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FailureAt {
    pub(crate) failure: Failure,
    /// Index of the path.
    pub(crate) path: usize,
}

/// A method of this run and the number of its next operation.
pub(crate) struct Seat<'a> {
    pub(crate) method: Box<dyn Method + 'a>,
    pub(crate) next: u64,
}

/// A method that does the same with every path.
pub(crate) struct PerPath<'a, F> {
    pub(crate) plan: &'a Plan,
    pub(crate) call: F,
}

impl<F: FnMut(&CStr, &mut Sink) -> Result<(), Failure>> Method for PerPath<'_, F> {
    fn perform(&mut self, step: Step, sink: &mut Sink) -> Result<(), Failure> {
        (self.call)(&self.plan.paths[step.path], sink)
    }
}

/// A [`PerPath`] in a box.
pub(crate) fn per_path<'a>(
    plan: &'a Plan,
    call: impl FnMut(&CStr, &mut Sink) -> Result<(), Failure> + 'a,
) -> Box<dyn Method + 'a> {
    Box::new(PerPath { plan, call })
}

/// Why a method cannot run on this kernel at all.
pub(crate) fn unavailable(name: &str) -> Option<String> {
    const EINVAL: i32 = 22;
    let refused = match name {
        "openat2" => Some(posix::openat2_errno()).filter(|&errno| errno != EINVAL),
        _ if name.starts_with("io_uring") => Ring::new(1).err().map(|failure| failure.errno),
        _ => None,
    };
    refused.map(|errno| format!("the kernel answers {}", std::io::Error::from_raw_os_error(errno)))
}

/// The methods of a run, each holding what it holds between operations.
pub(crate) fn seat_methods(plan: &Plan) -> Result<Vec<Seat<'_>>, Refusal> {
    plan.methods.iter().map(|name| Ok(Seat { method: make(name, plan)?, next: 0 })).collect()
}

fn make<'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    if let Some(reason) = unavailable(name) {
        return Err(Refusal::Unsupported(format!("{name} is not supported: {reason}")));
    }
    let mut method = match (name, plan.operation) {
        ("null", Operation::Lines) => known(plan, lines::method("BufReader+read_until", plan)?),
        ("null", Operation::Search) => known(plan, search::method("pread", plan)?),
        ("null", Operation::Hash) => known(plan, hash::method("read", plan)?),
        ("null", Operation::Template) => known(plan, template::method("std::fs::read_to_string", plan)?),
        (_, Operation::Create) => create::method(name, plan)?,
        (_, Operation::WriteBlock) => write_block::method(name, plan)?,
        (_, Operation::Copy) => copy::method(name, plan)?,
        (_, Operation::Truncate) => makers::truncating(name, plan)?,
        ("null", _) | (_, Operation::Null) => null::method(plan)?,
        (_, Operation::OpenClose) => open_close::method(name, plan)?,
        (_, Operation::OpenReadClose) => open_read_close::method(name, plan)?,
        (_, Operation::ReadWhole) => read_whole::method(name, plan)?,
        (_, Operation::ReadBlock) => read_block::method(name, plan)?,
        (_, Operation::OpenMissing) => open_missing::method(name, plan)?,
        (_, Operation::OpenWriteClose) => open_write_close::method(name, plan)?,
        (_, Operation::Lines) => lines::method(name, plan)?,
        (_, Operation::Search) => search::method(name, plan)?,
        (_, Operation::Hash) => hash::method(name, plan)?,
        (_, Operation::Template) => template::method(name, plan)?,
        (_, Operation::Reload) => reload::method(name, plan)?,
    };
    // What fails here fails again at the first batch, which answers it with the path.
    let _ = method.take_up();
    Ok(method)
}

/// `null` that knows what a method of the operation finds before the clock.
fn known<'a>(plan: &Plan, finder: Box<dyn Method + 'a>) -> Box<dyn Method + 'a> {
    Box::new(Known::new(plan.paths.len(), finder))
}

/// The answer of an operation's file to a name that the table should not have let through.
pub(crate) fn not_here(name: &str) -> Refusal {
    Refusal::Usage(format!("no such method for this operation: {name}"))
}
