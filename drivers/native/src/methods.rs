//! The methods: their names, what each does, and how a run gets hold of them.

use super::arguments::Plan;
use super::failure::{Failure, Refusal};
use super::offsets::Step;
use super::sink::Sink;
use super::{null, open_close, open_read_close, posix, read_block, read_whole};
use std::ffi::CStr;

/// What one operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Null,
    OpenClose,
    OpenReadClose,
    ReadWhole,
    ReadBlock,
}

impl Operation {
    pub(crate) const ALL: [Self; 5] =
        [Self::Null, Self::OpenClose, Self::OpenReadClose, Self::ReadWhole, Self::ReadBlock];

    /// The protocol's word.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::OpenClose => "open-close",
            Self::OpenReadClose => "open-read-close",
            Self::ReadWhole => "read-whole",
            Self::ReadBlock => "read-block",
        }
    }

    /// The operation of a word.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.word() == word)
    }

    /// True when bytes of the file are delivered.
    pub(crate) fn delivers_data(self) -> bool {
        !matches!(self, Self::Null | Self::OpenClose)
    }
}

/// One method as `describe` shows it.
#[derive(Debug)]
pub(crate) struct Described {
    pub(crate) name: &'static str,
    pub(crate) operations: &'static [Operation],
    pub(crate) does: &'static str,
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

    /// One operation.
    fn perform(&mut self, step: Step, sink: &mut Sink) -> Result<(), Failure>;
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

const OPEN: &[Operation] = &[Operation::OpenClose];
const ONE: &[Operation] = &[Operation::OpenReadClose];
const WHOLE: &[Operation] = &[Operation::ReadWhole];
const BLOCK: &[Operation] = &[Operation::ReadBlock];
const ONE_WHOLE: &[Operation] = &[Operation::OpenReadClose, Operation::ReadWhole];
const DATA: &[Operation] = &[Operation::OpenReadClose, Operation::ReadWhole, Operation::ReadBlock];

/// Every method, in the order of driver.toml.
#[rustfmt::skip]
pub(crate) const METHODS: [Described; 28] = [
    row("null", &Operation::ALL, "everything but the I/O"),
    row("open", OPEN, "open(path, O_RDONLY), close"),
    row("openat", OPEN, "openat(AT_FDCWD, path, O_RDONLY), close"),
    row("openat+dirfd", OPEN, "openat(dirfd, name, O_RDONLY), close; the parent directory is open already"),
    row("openat2", OPEN, "syscall(SYS_openat2, AT_FDCWD, path, {O_RDONLY}), close"),
    row("open+O_PATH", OPEN, "open(path, O_PATH), close"),
    row("open+O_DIRECT", OPEN, "open(path, O_RDONLY|O_DIRECT), close"),
    row("open+O_CLOEXEC", OPEN, "open(path, O_RDONLY|O_CLOEXEC), close"),
    row("open+O_NOATIME", OPEN, "open(path, O_RDONLY|O_NOATIME), close"),
    row("fopen", OPEN, "fopen(path, r), fclose"),
    row("File::open", OPEN, "std::fs::File::open, drop"),
    row("syscall-open", OPEN, "syscall(SYS_open) and syscall(SYS_close); SYS_openat where there is no SYS_open"),
    row("syscall-openat", OPEN, "openat and close by the machine's system call instruction"),
    row("read", DATA, "open, read into a buffer (read-whole: until it returns 0), close; read-block: lseek, read"),
    row("pread", DATA, "open, pread into a buffer (read-whole: until it returns 0), close; read-block: pread"),
    row("preadv2", DATA, "open, preadv2 into a buffer (read-whole: until it returns 0), close; read-block: preadv2"),
    row("readv", DATA, "open, readv into a buffer (read-whole: until it returns 0), close; read-block: lseek, readv"),
    row("fread", DATA, "fopen, fread into a buffer (read-whole: until it returns 0), fclose; read-block: fseeko, fread"),
    row("mmap", DATA, "open, mmap, touch a byte per page, munmap, close (read-whole: fstat first); read-block: touch"),
    row("mmap+MAP_POPULATE", ONE_WHOLE, "open, mmap with MAP_POPULATE, touch a byte per page, munmap, close (read-whole: fstat first)"),
    row("mmap+MADV_RANDOM", BLOCK, "touch a byte per page of a mapping with MADV_RANDOM; nothing is copied"),
    row("pread+FADV_RANDOM", BLOCK, "pread from a descriptor with POSIX_FADV_RANDOM"),
    row("O_DIRECT+pread", DATA, "open with O_DIRECT, pread into an aligned buffer (read-whole: until it is short), close; read-block: pread"),
    row("File+read", ONE, "std: File::open, Read::read into a buffer, drop"),
    row("File+read_exact_at", BLOCK, "std: FileExt::read_exact_at"),
    row("std::fs::read", WHOLE, "std::fs::read"),
    row("File+read_to_end", WHOLE, "std: File::open, Read::read_to_end into a Vec, drop"),
    row("BufReader+read_to_end", WHOLE, "std: BufReader::new(File::open), read_to_end into a Vec, drop"),
];

/// The method of a name.
pub(crate) fn find(name: &str) -> Option<&'static Described> {
    METHODS.iter().find(|method| method.name == name)
}

/// Why a method cannot run on this kernel at all.
pub(crate) fn unavailable(name: &str) -> Option<String> {
    const EINVAL: i32 = 22;
    let errno = if name == "openat2" { posix::openat2_errno() } else { EINVAL };
    (errno != EINVAL).then(|| format!("the kernel answers {}", super::errno::errno_name(errno)))
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
        ("null", _) | (_, Operation::Null) => null::method(plan),
        (_, Operation::OpenClose) => open_close::method(name, plan)?,
        (_, Operation::OpenReadClose) => open_read_close::method(name, plan)?,
        (_, Operation::ReadWhole) => read_whole::method(name, plan)?,
        (_, Operation::ReadBlock) => read_block::method(name, plan)?,
    };
    // What fails here fails again at the first batch, which answers it with the path.
    let _ = method.take_up();
    Ok(method)
}

/// The answer of an operation's file to a name that the table should not have let through.
pub(crate) fn not_here(name: &str) -> Refusal {
    Refusal::Usage(format!("no such method for this operation: {name}"))
}

const fn row(name: &'static str, operations: &'static [Operation], does: &'static str) -> Described {
    Described { name, operations, does }
}
