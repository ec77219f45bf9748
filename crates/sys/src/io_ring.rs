//! A ring of `io_uring` on which equal operations are submitted at once and waited for.

use crate::SysError;
use io_uring::{IoUring, opcode, squeue::Entry, types};
use rustix::fd::{AsRawFd, BorrowedFd, FromRawFd, IntoRawFd, OwnedFd};
use rustix::fs::OFlags;
use rustix::io::Errno;
use std::ffi::{CStr, CString};
use std::mem::{ManuallyDrop, MaybeUninit};

/// A ring with the memory that its operations are about.
pub struct IoRing {
    ring: IoUring,
    /// What the kernel reads and writes while operations are in flight; never freed while one is.
    memory: ManuallyDrop<Memory>,
    /// Results of the last operations in their order: a negative one is an errno.
    results: Vec<i32>,
    in_flight: usize,
}

struct Memory {
    buffer: Box<[u8]>,
    path: CString,
    facts: Box<MaybeUninit<libc::statx>>,
}

impl IoRing {
    /// A ring for `entries` operations at once, with a buffer of `bytes` and the one path of its
    /// operations by path.
    ///
    /// # Errors
    /// What `io_uring_setup` refuses: `ENOSYS` and `EPERM` where the kernel or a sandbox has none.
    pub fn new(entries: u32, bytes: usize, path: CString) -> Result<Self, SysError> {
        let ring = IoUring::new(entries).map_err(|error| refused("io_uring_setup", &error))?;
        let memory = Memory { buffer: vec![7; bytes].into(), path, facts: Box::new(MaybeUninit::uninit()) };
        Ok(Self { ring, memory: ManuallyDrop::new(memory), results: Vec::new(), in_flight: 0 })
    }

    /// Enters the kernel with nothing to do.
    ///
    /// # Errors
    /// What `io_uring_enter` refuses.
    pub fn enter(&self) -> Result<(), SysError> {
        self.ring.submit().map(drop).map_err(|error| refused(ENTER, &error))
    }

    /// Opens the path below a directory `count` times.
    ///
    /// # Errors
    /// The first errno among the results; what was opened is closed again.
    pub fn open(
        &mut self,
        directory: BorrowedFd<'_>,
        flags: OFlags,
        count: u32,
    ) -> Result<Vec<OwnedFd>, SysError> {
        let (at, path) = (types::Fd(directory.as_raw_fd()), self.path());
        let flags = flags.bits().cast_signed();
        self.complete((0..count).map(|_| opcode::OpenAt::new(at, path).flags(flags).build()))?;
        let opened = self.results.iter().filter(|result| **result >= 0);
        // SAFETY: each is a descriptor that the kernel has just made for this process, told once.
        let opened = opened.map(|fd| unsafe { OwnedFd::from_raw_fd(*fd) }).collect();
        self.first_error().map_or(Ok(opened), Err)
    }

    /// Closes descriptors.
    ///
    /// # Errors
    /// The first errno among the results.
    pub fn close(&mut self, files: Vec<OwnedFd>) -> Result<(), SysError> {
        let close = |file: OwnedFd| opcode::Close::new(types::Fd(file.into_raw_fd())).build();
        self.complete(files.into_iter().map(close))?;
        self.first_error().map_or(Ok(()), Err)
    }

    /// Asks `statx` of the path below a directory `count` times.
    ///
    /// # Errors
    /// The first errno among the results.
    pub fn stat(&mut self, directory: BorrowedFd<'_>, count: u32) -> Result<(), SysError> {
        let (at, path) = (types::Fd(directory.as_raw_fd()), self.path());
        let facts = self.memory.facts.as_mut_ptr().cast();
        let stat = || opcode::Statx::new(at, path, facts).mask(libc::STATX_BASIC_STATS).build();
        self.complete((0..count).map(|_| stat()))?;
        self.first_error().map_or(Ok(()), Err)
    }

    /// Reads `count` blocks one after the other, all into the same buffer.
    ///
    /// # Errors
    /// The first errno among the results, and a block that came short.
    pub fn read(&mut self, file: BorrowedFd<'_>, size: usize, count: u32) -> Result<(), SysError> {
        let (file, size) = (types::Fd(file.as_raw_fd()), self.fitting(size));
        let buffer = self.memory.buffer.as_mut_ptr();
        let read = |number: u32| {
            opcode::Read::new(file, buffer, size).offset(u64::from(number) * u64::from(size)).build()
        };
        self.complete((0..count).map(read))?;
        self.all_moved(size)
    }

    /// Writes the buffer over `count` blocks one after the other.
    ///
    /// # Errors
    /// The first errno among the results, and a block that came short.
    pub fn write(&mut self, file: BorrowedFd<'_>, size: usize, count: u32) -> Result<(), SysError> {
        let (file, size) = (types::Fd(file.as_raw_fd()), self.fitting(size));
        let buffer = self.memory.buffer.as_ptr();
        let write = |number: u32| {
            opcode::Write::new(file, buffer, size).offset(u64::from(number) * u64::from(size)).build()
        };
        self.complete((0..count).map(write))?;
        self.all_moved(size)
    }

    /// Makes a file durable `count` times.
    ///
    /// # Errors
    /// The first errno among the results.
    pub fn sync(&mut self, file: BorrowedFd<'_>, count: u32) -> Result<(), SysError> {
        let file = types::Fd(file.as_raw_fd());
        self.complete((0..count).map(|_| opcode::Fsync::new(file).build()))?;
        self.first_error().map_or(Ok(()), Err)
    }

    /// The path that operations by path are about.
    fn path(&self) -> *const libc::c_char {
        CStr::as_ptr(&self.memory.path)
    }

    /// No more than the buffer has.
    fn fitting(&self, size: usize) -> u32 {
        u32::try_from(size.min(self.memory.buffer.len())).unwrap_or(u32::MAX)
    }

    /// Submits all at once by one call, and waits until each has ended. Their memory has
    /// to be this ring's.
    fn complete(&mut self, entries: impl ExactSizeIterator<Item = Entry>) -> Result<(), SysError> {
        let count = entries.len();
        if count > self.ring.params().sq_entries() as usize {
            return Err(SysError::Refused { call: ENTER, errno: Errno::BUSY });
        }
        self.results.clear();
        self.results.resize(count, 0);
        for (number, entry) in (0..).zip(entries) {
            let entry = entry.user_data(number);
            // SAFETY: what the entry points to is `memory`, which outlives what is in flight (`drop`).
            let pushed = unsafe { self.ring.submission().push(&entry) };
            pushed.map_err(|_full| SysError::Refused { call: ENTER, errno: Errno::BUSY })?;
            self.in_flight += 1;
        }
        while self.in_flight > 0 {
            match self.ring.submit_and_wait(self.in_flight) {
                Ok(_) => {}
                Err(error) if error.raw_os_error() == Some(libc::EINTR) => {}
                Err(error) => return Err(refused(ENTER, &error)),
            }
            for completion in self.ring.completion() {
                self.in_flight -= 1;
                let place = usize::try_from(completion.user_data()).ok();
                if let Some(result) = place.and_then(|place| self.results.get_mut(place)) {
                    *result = completion.result();
                }
            }
        }
        Ok(())
    }

    fn first_error(&self) -> Option<SysError> {
        let failed = self.results.iter().find(|result| **result < 0)?;
        Some(SysError::Refused { call: ENTER, errno: Errno::from_raw_os_error(-failed) })
    }

    fn all_moved(&self, size: u32) -> Result<(), SysError> {
        if let Some(error) = self.first_error() {
            return Err(error);
        }
        match self.results.iter().find(|moved| u32::try_from(**moved) != Ok(size)) {
            None => Ok(()),
            Some(moved) => {
                Err(SysError::Nonsense { call: ENTER, what: format!("{moved} bytes of {size} were moved") })
            }
        }
    }
}

impl std::fmt::Debug for IoRing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IoRing").field("in_flight", &self.in_flight).finish_non_exhaustive()
    }
}

impl Drop for IoRing {
    fn drop(&mut self) {
        // The kernel may still write into it: then it is lost rather than used by somebody else.
        if self.in_flight == 0 {
            // SAFETY: dropped once, here, and nobody looks at it afterwards.
            unsafe { ManuallyDrop::drop(&mut self.memory) };
        }
    }
}

const ENTER: &str = "io_uring_enter";

fn refused(call: &'static str, error: &std::io::Error) -> SysError {
    SysError::Refused { call, errno: Errno::from_io_error(error).unwrap_or(Errno::IO) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fd::AsFd;
    use std::fs::File;

    /// `None` where this machine has no rings.
    fn ring(path: &CStr) -> Option<IoRing> {
        match IoRing::new(8, 4096, path.to_owned()) {
            Ok(ring) => Some(ring),
            Err(error) if matches!(error.errno(), Some(Errno::NOSYS | Errno::PERM)) => None,
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn files_are_opened_asked_read_written_synced_and_closed() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("file"), [1; 3 * 4096]).unwrap();
        let directory = File::open(place.path()).unwrap();
        let Some(mut ring) = ring(c"file") else { return };
        ring.enter().unwrap();
        let files = ring.open(directory.as_fd(), OFlags::RDWR | OFlags::CLOEXEC, 3).unwrap();
        assert_eq!(files.len(), 3);
        ring.stat(directory.as_fd(), 4).unwrap();
        ring.read(files[0].as_fd(), 4096, 3).unwrap();
        assert_eq!(ring.memory.buffer[..], [1; 4096]);
        ring.memory.buffer.fill(9);
        ring.write(files[1].as_fd(), 4096, 2).unwrap();
        ring.sync(files[2].as_fd(), 2).unwrap();
        let content = std::fs::read(place.path().join("file")).unwrap();
        assert_eq!((content[8191], content[8192], content.len()), (9, 1, 3 * 4096));
        ring.close(files).unwrap();
    }

    #[test]
    fn a_missing_name_a_short_read_and_too_many_are_errors() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("short"), [1; 5000]).unwrap();
        let directory = File::open(place.path()).unwrap();
        let Some(mut ring) = ring(c"nothing") else { return };
        let missing = ring.open(directory.as_fd(), OFlags::RDONLY, 2).unwrap_err();
        assert_eq!(missing.errno(), Some(Errno::NOENT));
        assert_eq!(ring.stat(directory.as_fd(), 2).unwrap_err().errno(), Some(Errno::NOENT));
        let short = File::open(place.path().join("short")).unwrap();
        let error = ring.read(short.as_fd(), 4096, 2).unwrap_err();
        assert!(error.to_string().contains("904 bytes of 4096"), "{error}");
        assert_eq!(ring.sync(short.as_fd(), 9).unwrap_err().errno(), Some(Errno::BUSY));
        assert_eq!(ring.in_flight, 0);
    }
}
