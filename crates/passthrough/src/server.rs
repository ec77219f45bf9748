//! The server: each request is done with the real files at once, then its answer is held. What FUSE asks
//! for, request by request, is in `requests`.

mod requests;

use crate::attributes::{absent, attributes, timespec};
use crate::delay::DelayLine;
use crate::habits::ClientHabits;
use crate::inodes::{Inode, Inodes};
use crate::tally::ServedRequests;
use fuser::{
    Errno, FileAttr, FileHandle, FileType, Generation, INodeNo, OpenFlags, ReplyAttr, ReplyEmpty, ReplyEntry,
    TimeOrNow,
};
use rustix::fd::OwnedFd;
use rustix::fs as file_system;
use rustix::fs::{AtFlags, Dir, FileType as Kind, Gid, Mode, OFlags, Stat, Timestamps, Uid};
use rustix::io::Errno as SystemErrno;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The same number is never two files here: a file that is held keeps its own.
const GENERATION: Generation = Generation(0);
/// Flags of an open that are the kernel's business.
const NOT_PASSED: OFlags =
    OFlags::CREATE.union(OFlags::EXCL).union(OFlags::APPEND).union(OFlags::DIRECT).union(OFlags::NOFOLLOW);

#[derive(Debug)]
pub(crate) struct Server {
    inodes: Mutex<Inodes>,
    files: Mutex<HashMap<u64, Arc<OpenFile>>>,
    directories: Mutex<HashMap<u64, Arc<OpenDirectory>>>,
    next_handle: AtomicU64,
    habits: ClientHabits,
    delays: Arc<DelayLine>,
    tally: Arc<Mutex<ServedRequests>>,
}

#[derive(Debug)]
struct OpenFile {
    fd: OwnedFd,
    is_written: AtomicBool,
}

/// A directory as it was when its listing began.
#[derive(Debug)]
struct OpenDirectory {
    inode: Arc<Inode>,
    entries: Mutex<Vec<Entry>>,
}

#[derive(Debug, Clone)]
struct Entry {
    name: std::ffi::OsString,
    number: u64,
    kind: Kind,
}

impl Server {
    pub(crate) fn new(
        root: OwnedFd,
        habits: ClientHabits,
        delays: Arc<DelayLine>,
        tally: Arc<Mutex<ServedRequests>>,
    ) -> Self {
        Self {
            inodes: Mutex::new(Inodes::new(root)),
            files: Mutex::default(),
            directories: Mutex::default(),
            next_handle: AtomicU64::new(1),
            habits,
            delays,
            tally,
        }
    }

    /// Counts a request and sends its answer: at its time, or at once.
    fn answer(&self, kind: &'static str, is_held: bool, send: impl FnOnce() + Send + 'static) {
        let mut tally = locked(&self.tally);
        let requests = tally.by_kind.entry(Cow::Borrowed(kind)).or_default();
        *(if is_held { &mut requests.held } else { &mut requests.at_once }) += 1;
        drop(tally);
        if is_held {
            self.delays.hold(Box::new(send));
        } else {
            send();
        }
    }

    fn inode(&self, number: INodeNo) -> Result<Arc<Inode>, SystemErrno> {
        locked(&self.inodes).get(number)
    }

    fn file(&self, handle: FileHandle) -> Result<Arc<OpenFile>, SystemErrno> {
        locked(&self.files).get(&handle.0).map(Arc::clone).ok_or(SystemErrno::BADF)
    }

    fn new_handle(&self) -> u64 {
        self.next_handle.fetch_add(1, Ordering::Relaxed)
    }

    fn attributes_lifetime(&self, attributes: &FileAttr) -> Duration {
        if attributes.kind == FileType::Directory {
            self.habits.directory_attributes
        } else {
            self.habits.attributes
        }
    }

    fn find(&self, parent: INodeNo, name: &OsStr) -> Result<FileAttr, SystemErrno> {
        let parent = self.inode(parent)?;
        let by_path = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let fd = self.noting(file_system::openat(&parent.fd, name, by_path, Mode::empty()))?;
        let stat = file_system::statat(&fd, "", AtFlags::EMPTY_PATH)?;
        let number = locked(&self.inodes).tell(fd, &stat);
        Ok(attributes(number, &stat))
    }

    /// Notes where the server could not go on by itself.
    fn noting<T>(&self, result: Result<T, SystemErrno>) -> Result<T, SystemErrno> {
        if let Err(SystemErrno::MFILE | SystemErrno::NFILE | SystemErrno::NOMEM) = result {
            locked(&self.tally).exhausted += 1;
        }
        result
    }

    fn answer_entry(&self, kind: &'static str, found: Result<FileAttr, SystemErrno>, reply: ReplyEntry) {
        let habits = self.habits;
        match found {
            Ok(attributes) => {
                let lifetime = self.attributes_lifetime(&attributes);
                self.answer(kind, true, move || {
                    reply.entry_with_ttls(&lifetime, &habits.entry, &attributes, GENERATION);
                });
            }
            Err(SystemErrno::NOENT) if kind == "LOOKUP" && !habits.absent.is_zero() => {
                self.answer(kind, true, move || {
                    reply.entry_with_ttls(&habits.absent, &habits.absent, &absent(), GENERATION);
                });
            }
            Err(errno) => self.answer(kind, true, move || reply.error(fuse(errno))),
        }
    }

    fn answer_empty(
        &self,
        kind: &'static str,
        is_held: bool,
        done: Result<(), SystemErrno>,
        reply: ReplyEmpty,
    ) {
        self.answer(kind, is_held, move || match done {
            Ok(()) => reply.ok(),
            Err(errno) => reply.error(fuse(errno)),
        });
    }

    fn answer_attributes(
        &self,
        kind: &'static str,
        number: INodeNo,
        stat: Result<Stat, SystemErrno>,
        reply: ReplyAttr,
    ) {
        match stat {
            Ok(stat) => {
                let attributes = attributes(number, &stat);
                let lifetime = self.attributes_lifetime(&attributes);
                self.answer(kind, true, move || reply.attr(&lifetime, &attributes));
            }
            Err(errno) => self.answer(kind, true, move || reply.error(fuse(errno))),
        }
    }

    fn made(
        &self,
        parent: INodeNo,
        name: &OsStr,
        make: impl FnOnce(&Inode) -> Result<(), SystemErrno>,
        mode: Option<u32>,
    ) -> Result<FileAttr, SystemErrno> {
        let directory = self.inode(parent)?;
        make(&directory)?;
        let made = self.find(parent, name)?;
        match mode.map(|mode| mode & 0o7777) {
            // The kernel took the caller's mask off already; ours is none of its business.
            Some(mode) if u32::from(made.perm) != mode => {
                let inode = self.inode(made.ino)?;
                file_system::chmod(inode.path(), Mode::from_raw_mode(mode))?;
                Ok(attributes(made.ino, &inode.stat()?))
            }
            _ => Ok(made),
        }
    }

    fn set(&self, number: INodeNo, handle: Option<FileHandle>, wanted: &Wanted) -> Result<Stat, SystemErrno> {
        let inode = self.inode(number)?;
        if wanted.owner.is_some() || wanted.group.is_some() {
            let (owner, group) = (wanted.owner.map(Uid::from_raw), wanted.group.map(Gid::from_raw));
            file_system::chownat(&inode.fd, "", owner, group, AtFlags::EMPTY_PATH)?;
        }
        if let Some(mode) = wanted.mode {
            file_system::chmod(inode.path(), Mode::from_raw_mode(mode & 0o7777))?;
        }
        if let Some(size) = wanted.size {
            if let Some(handle) = handle {
                file_system::ftruncate(&self.file(handle)?.fd, size)?;
            } else {
                let fd = file_system::open(inode.path(), OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty());
                file_system::ftruncate(self.noting(fd)?, size)?;
            }
        }
        if wanted.accessed.is_some() || wanted.modified.is_some() {
            let times = Timestamps {
                last_access: timespec(wanted.accessed),
                last_modification: timespec(wanted.modified),
            };
            file_system::utimensat(file_system::CWD, inode.path(), &times, AtFlags::empty())?;
        }
        inode.stat()
    }

    fn open_file(&self, number: INodeNo, flags: OpenFlags) -> Result<(u64, bool), SystemErrno> {
        let inode = self.inode(number)?;
        let flags = passed(flags.0);
        let fd = self.noting(file_system::open(inode.path(), flags, Mode::empty()))?;
        let stat = file_system::fstat(&fd)?;
        let is_same = locked(&self.inodes).note_content(number, &stat);
        Ok((self.keep_file(fd), is_same))
    }

    fn keep_file(&self, fd: OwnedFd) -> u64 {
        let handle = self.new_handle();
        locked(&self.files).insert(handle, Arc::new(OpenFile { fd, is_written: AtomicBool::new(false) }));
        handle
    }

    fn entries(inode: &Inode) -> Result<Vec<Entry>, SystemErrno> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = file_system::open(inode.path(), flags, Mode::empty())?;
        let mut entries = Vec::new();
        for entry in Dir::read_from(fd)? {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes()).to_owned();
            entries.push(Entry { name, number: entry.ino(), kind: entry.file_type() });
        }
        Ok(entries)
    }

    /// The entries of a listing that begins or goes on.
    fn listed(
        &self,
        handle: FileHandle,
        offset: u64,
    ) -> Result<(Arc<OpenDirectory>, Vec<Entry>), SystemErrno> {
        let directory = locked(&self.directories).get(&handle.0).map(Arc::clone).ok_or(SystemErrno::BADF)?;
        if offset == 0 {
            *locked(&directory.entries) = self.noting(Self::entries(&directory.inode))?;
        }
        let entries = locked(&directory.entries).clone();
        Ok((directory, entries))
    }
}

/// Attributes that are to be set.
struct Wanted {
    mode: Option<u32>,
    owner: Option<u32>,
    group: Option<u32>,
    size: Option<u64>,
    accessed: Option<TimeOrNow>,
    modified: Option<TimeOrNow>,
}

fn locked<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

fn fuse(errno: SystemErrno) -> Errno {
    Errno::from_i32(errno.raw_os_error())
}

/// Flags of an open as they are passed on.
fn passed(flags: i32) -> OFlags {
    (OFlags::from_bits_retain(flags.unsigned_abs()) & !NOT_PASSED) | OFlags::CLOEXEC
}
