//! The server: each request is done with the real files at once, then its answer is held.

use crate::attributes::{attributes, kind};
use crate::delay::DelayLine;
use crate::habits::{ClientHabits, FlushCharge};
use crate::inodes::{Inode, Inodes};
use crate::tally::ServedRequests;
use fuser::{
    AccessFlags, BsdFileFlags, Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags, Generation,
    INodeNo, InitFlags, KernelConfig, LockOwner, OpenFlags, RenameFlags, ReplyAttr, ReplyCreate, ReplyData,
    ReplyDirectory, ReplyDirectoryPlus, ReplyEmpty, ReplyEntry, ReplyOpen, ReplyStatfs, ReplyWrite,
    ReplyXattr, Request, TimeOrNow, WriteFlags,
};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs as file_system;
use rustix::fs::{
    Access, AtFlags, Dir, FallocateFlags, FileType as Kind, Gid, Mode, OFlags, Stat, Timespec, Timestamps,
    UTIME_NOW, UTIME_OMIT, Uid, XattrFlags,
};
use rustix::io::Errno as SystemErrno;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The kernel asks so before each write, on its own account.
const CAPABILITY: &str = "security.capability";
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

impl Filesystem for Server {
    fn init(&mut self, _request: &Request, config: &mut KernelConfig) -> io::Result<()> {
        if self.habits.listing_fills {
            // A kernel without it lists without attributes; the count says so.
            let _missing = config.add_capabilities(InitFlags::FUSE_DO_READDIRPLUS);
        }
        // One request as large as the kernel makes them: its limit of pages is 1 MiB.
        let _limited = config.set_max_write(1 << 20);
        self.delays.run()
    }

    fn lookup(&self, _request: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        self.answer_entry("LOOKUP", self.find(parent, name), reply);
    }

    fn forget(&self, _request: &Request, number: INodeNo, lookups: u64) {
        locked(&self.inodes).forget(number, lookups);
    }

    fn getattr(&self, _request: &Request, number: INodeNo, handle: Option<FileHandle>, reply: ReplyAttr) {
        let stat = match handle.and_then(|handle| self.file(handle).ok()) {
            Some(file) => file_system::fstat(&file.fd),
            None => self.inode(number).and_then(|inode| inode.stat()),
        };
        self.answer_attributes("GETATTR", number, stat, reply);
    }

    fn setattr(
        &self,
        _request: &Request,
        number: INodeNo,
        mode: Option<u32>,
        owner: Option<u32>,
        group: Option<u32>,
        size: Option<u64>,
        accessed: Option<TimeOrNow>,
        modified: Option<TimeOrNow>,
        _changed: Option<SystemTime>,
        handle: Option<FileHandle>,
        _created: Option<SystemTime>,
        _checked: Option<SystemTime>,
        _saved: Option<SystemTime>,
        _flags: Option<BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        let stat = self.set(number, handle, &Wanted { mode, owner, group, size, accessed, modified });
        self.answer_attributes("SETATTR", number, stat, reply);
    }

    fn readlink(&self, _request: &Request, number: INodeNo, reply: ReplyData) {
        let to = self.inode(number).and_then(|inode| file_system::readlinkat(&inode.fd, "", Vec::new()));
        self.answer("READLINK", true, move || match to {
            Ok(to) => reply.data(to.as_bytes()),
            Err(errno) => reply.error(fuse(errno)),
        });
    }

    fn mknod(
        &self,
        _request: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _mask: u32,
        device: u32,
        reply: ReplyEntry,
    ) {
        let kind = Kind::from_raw_mode(mode);
        let permissions = Mode::from_raw_mode(mode & 0o7777);
        let make =
            |directory: &Inode| file_system::mknodat(&directory.fd, name, kind, permissions, device.into());
        self.answer_entry("MKNOD", self.made(parent, name, make, Some(mode)), reply);
    }

    fn mkdir(
        &self,
        _request: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _mask: u32,
        reply: ReplyEntry,
    ) {
        let make =
            |directory: &Inode| file_system::mkdirat(&directory.fd, name, Mode::from_raw_mode(mode & 0o7777));
        // A directory that inherits its group does so by a bit of its own.
        self.answer_entry("MKDIR", self.made(parent, name, make, None), reply);
    }

    fn unlink(&self, _request: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        let done =
            self.inode(parent).and_then(|inode| file_system::unlinkat(&inode.fd, name, AtFlags::empty()));
        self.answer_empty("UNLINK", true, done, reply);
    }

    fn rmdir(&self, _request: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        let done =
            self.inode(parent).and_then(|inode| file_system::unlinkat(&inode.fd, name, AtFlags::REMOVEDIR));
        self.answer_empty("RMDIR", true, done, reply);
    }

    fn symlink(&self, _request: &Request, parent: INodeNo, name: &OsStr, to: &Path, reply: ReplyEntry) {
        let make = |directory: &Inode| file_system::symlinkat(to, &directory.fd, name);
        self.answer_entry("SYMLINK", self.made(parent, name, make, None), reply);
    }

    fn rename(
        &self,
        _request: &Request,
        parent: INodeNo,
        name: &OsStr,
        new_parent: INodeNo,
        new_name: &OsStr,
        flags: RenameFlags,
        reply: ReplyEmpty,
    ) {
        let flags = file_system::RenameFlags::from_bits_retain(flags.bits());
        let done = self.inode(parent).and_then(|from| {
            let to = self.inode(new_parent)?;
            file_system::renameat_with(&from.fd, name, &to.fd, new_name, flags)
        });
        self.answer_empty("RENAME", true, done, reply);
    }

    fn link(
        &self,
        _request: &Request,
        number: INodeNo,
        new_parent: INodeNo,
        new_name: &OsStr,
        reply: ReplyEntry,
    ) {
        let linked = self.inode(number).and_then(|inode| {
            let make = |directory: &Inode| {
                let follow = AtFlags::SYMLINK_FOLLOW;
                file_system::linkat(file_system::CWD, inode.path(), &directory.fd, new_name, follow)
            };
            self.made(new_parent, new_name, make, None)
        });
        self.answer_entry("LINK", linked, reply);
    }

    fn open(&self, _request: &Request, number: INodeNo, flags: OpenFlags, reply: ReplyOpen) {
        let opened = self.open_file(number, flags);
        self.answer("OPEN", self.habits.open, move || match opened {
            Ok((handle, is_same)) => {
                let keep = if is_same { FopenFlags::FOPEN_KEEP_CACHE } else { FopenFlags::empty() };
                reply.opened(FileHandle(handle), keep);
            }
            Err(errno) => reply.error(fuse(errno)),
        });
    }

    fn create(
        &self,
        _request: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _mask: u32,
        flags: i32,
        reply: ReplyCreate,
    ) {
        let permissions = Mode::from_raw_mode(mode & 0o7777);
        let is_exclusive = OFlags::from_bits_retain(flags.unsigned_abs()) & OFlags::EXCL;
        let made = self.inode(parent).and_then(|directory| {
            let flags = passed(flags) | OFlags::CREATE | OFlags::NOFOLLOW | is_exclusive;
            let fd = self.noting(file_system::openat(&directory.fd, name, flags, permissions))?;
            if file_system::fstat(&fd)?.st_mode & 0o7777 != permissions.as_raw_mode() {
                file_system::fchmod(&fd, permissions)?;
            }
            let attributes = self.find(parent, name)?;
            locked(&self.inodes).note_content(attributes.ino, &file_system::fstat(&fd)?);
            Ok((attributes, self.keep_file(fd)))
        });
        let lifetime = self.habits.entry.min(self.habits.attributes);
        self.answer("CREATE", true, move || match made {
            Ok((attributes, handle)) => {
                reply.created(&lifetime, &attributes, GENERATION, FileHandle(handle), FopenFlags::empty());
            }
            Err(errno) => reply.error(fuse(errno)),
        });
    }

    fn read(
        &self,
        _request: &Request,
        _number: INodeNo,
        handle: FileHandle,
        offset: u64,
        size: u32,
        _flags: OpenFlags,
        _owner: Option<LockOwner>,
        reply: ReplyData,
    ) {
        let read = self.file(handle).and_then(|file| {
            let mut data = vec![0; size as usize];
            let mut at = 0;
            // A short answer means the end of the file to the kernel.
            while at < data.len() {
                match rustix::io::pread(&file.fd, &mut data[at..], offset + at as u64) {
                    Ok(0) => break,
                    Ok(bytes) => at += bytes,
                    Err(SystemErrno::INTR) => {}
                    Err(errno) => return Err(errno),
                }
            }
            data.truncate(at);
            Ok(data)
        });
        self.answer("READ", true, move || match read {
            Ok(data) => reply.data(&data),
            Err(errno) => reply.error(fuse(errno)),
        });
    }

    fn write(
        &self,
        _request: &Request,
        _number: INodeNo,
        handle: FileHandle,
        offset: u64,
        data: &[u8],
        _write_flags: WriteFlags,
        _flags: OpenFlags,
        _owner: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        let written = self.file(handle).and_then(|file| {
            file.is_written.store(true, Ordering::Relaxed);
            rustix::io::pwrite(&file.fd, data, offset)
        });
        self.answer("WRITE", true, move || match written {
            Ok(bytes) => reply.written(u32::try_from(bytes).unwrap_or(u32::MAX)),
            Err(errno) => reply.error(fuse(errno)),
        });
    }

    fn flush(
        &self,
        _request: &Request,
        number: INodeNo,
        handle: FileHandle,
        _owner: LockOwner,
        reply: ReplyEmpty,
    ) {
        let file = self.file(handle);
        let is_written = file.as_ref().is_ok_and(|file| file.is_written.load(Ordering::Relaxed));
        if is_written
            && let Ok(stat) =
                file.as_ref().map_err(|errno| *errno).and_then(|file| file_system::fstat(&file.fd))
        {
            locked(&self.inodes).note_content(number, &stat);
        }
        let is_held = match self.habits.flush {
            FlushCharge::Each => true,
            FlushCharge::Written => is_written,
            FlushCharge::None => false,
        };
        self.answer_empty("FLUSH", is_held, file.map(drop), reply);
    }

    fn release(
        &self,
        _request: &Request,
        _number: INodeNo,
        handle: FileHandle,
        _flags: OpenFlags,
        _owner: Option<LockOwner>,
        _flush: bool,
        reply: ReplyEmpty,
    ) {
        locked(&self.files).remove(&handle.0);
        self.answer_empty("RELEASE", false, Ok(()), reply);
    }

    fn fsync(
        &self,
        _request: &Request,
        _number: INodeNo,
        handle: FileHandle,
        data_only: bool,
        reply: ReplyEmpty,
    ) {
        let done = self.file(handle).and_then(|file| {
            if data_only { file_system::fdatasync(&file.fd) } else { file_system::fsync(&file.fd) }
        });
        self.answer_empty("FSYNC", true, done, reply);
    }

    fn opendir(&self, _request: &Request, number: INodeNo, _flags: OpenFlags, reply: ReplyOpen) {
        let opened = self.inode(number).and_then(|inode| {
            // Whether it may be read is known when it is opened, not when it is listed.
            file_system::access(inode.path(), Access::READ_OK)?;
            let handle = self.new_handle();
            let directory = OpenDirectory { inode, entries: Mutex::default() };
            locked(&self.directories).insert(handle, Arc::new(directory));
            Ok(handle)
        });
        self.answer("OPENDIR", self.habits.open_directory, move || match opened {
            Ok(handle) => reply.opened(FileHandle(handle), FopenFlags::empty()),
            Err(errno) => reply.error(fuse(errno)),
        });
    }

    fn readdir(
        &self,
        _request: &Request,
        _number: INodeNo,
        handle: FileHandle,
        offset: u64,
        mut reply: ReplyDirectory,
    ) {
        match self.listed(handle, offset) {
            Ok((_, entries)) => {
                for (at, entry) in (1..).zip(&entries).skip(usize::try_from(offset).unwrap_or(usize::MAX)) {
                    if reply.add(INodeNo(entry.number), at, kind(entry.kind), &entry.name) {
                        break;
                    }
                }
                self.answer("READDIR", true, move || reply.ok());
            }
            Err(errno) => self.answer("READDIR", true, move || reply.error(fuse(errno))),
        }
    }

    fn readdirplus(
        &self,
        _request: &Request,
        number: INodeNo,
        handle: FileHandle,
        offset: u64,
        mut reply: ReplyDirectoryPlus,
    ) {
        let listed = self.listed(handle, offset);
        let Ok((_, entries)) = listed else {
            let errno = listed.err().unwrap_or(SystemErrno::IO);
            return self.answer("READDIRPLUS", true, move || reply.error(fuse(errno)));
        };
        for (at, entry) in (1..).zip(&entries).skip(usize::try_from(offset).unwrap_or(usize::MAX)) {
            let is_dots = entry.name == "." || entry.name == "..";
            let found = if is_dots { None } else { self.find(number, &entry.name).ok() };
            // The kernel takes no attributes from an entry without a number.
            let of_entry = found.unwrap_or_else(|| FileAttr { kind: kind(entry.kind), ..absent() });
            let lifetime = if found.is_some() {
                self.attributes_lifetime(&of_entry).min(self.habits.entry)
            } else {
                Duration::ZERO
            };
            if reply.add(of_entry.ino, at, &entry.name, &lifetime, &of_entry, GENERATION) {
                if let Some(found) = found {
                    // It did not get into the answer: the kernel was not told of it.
                    locked(&self.inodes).forget(found.ino, 1);
                }
                break;
            }
        }
        self.answer("READDIRPLUS", true, move || reply.ok());
    }

    fn releasedir(
        &self,
        _request: &Request,
        _number: INodeNo,
        handle: FileHandle,
        _flags: OpenFlags,
        reply: ReplyEmpty,
    ) {
        locked(&self.directories).remove(&handle.0);
        self.answer_empty("RELEASEDIR", false, Ok(()), reply);
    }

    fn fsyncdir(
        &self,
        _request: &Request,
        number: INodeNo,
        _handle: FileHandle,
        _data_only: bool,
        reply: ReplyEmpty,
    ) {
        let done = self.inode(number).and_then(|inode| {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            file_system::fsync(self.noting(file_system::open(inode.path(), flags, Mode::empty()))?)
        });
        self.answer_empty("FSYNCDIR", true, done, reply);
    }

    fn statfs(&self, _request: &Request, number: INodeNo, reply: ReplyStatfs) {
        let told = self.inode(number).and_then(|inode| file_system::fstatvfs(inode.fd.as_fd()));
        self.answer("STATFS", true, move || match told {
            Ok(told) => {
                let small = |size: u64| u32::try_from(size).unwrap_or(u32::MAX);
                reply.statfs(
                    told.f_blocks,
                    told.f_bfree,
                    told.f_bavail,
                    told.f_files,
                    told.f_ffree,
                    small(told.f_bsize),
                    small(told.f_namemax),
                    small(told.f_frsize),
                );
            }
            Err(errno) => reply.error(fuse(errno)),
        });
    }

    fn setxattr(
        &self,
        _request: &Request,
        number: INodeNo,
        name: &OsStr,
        value: &[u8],
        flags: i32,
        _position: u32,
        reply: ReplyEmpty,
    ) {
        let flags = XattrFlags::from_bits_retain(flags.unsigned_abs());
        let done =
            self.inode(number).and_then(|inode| file_system::setxattr(inode.path(), name, value, flags));
        self.answer_empty("SETXATTR", self.habits.extended_attributes, done, reply);
    }

    fn getxattr(&self, _request: &Request, number: INodeNo, name: &OsStr, size: u32, reply: ReplyXattr) {
        let is_held = self.habits.extended_attributes && name != CAPABILITY;
        let got = self.inode(number).and_then(|inode| {
            let mut value = vec![0_u8; size as usize];
            let bytes = file_system::getxattr(inode.path(), name, &mut value[..])?;
            value.truncate(bytes);
            Ok((bytes, value))
        });
        self.answer("GETXATTR", is_held, move || answer_xattr(got, size, reply));
    }

    fn listxattr(&self, _request: &Request, number: INodeNo, size: u32, reply: ReplyXattr) {
        let got = self.inode(number).and_then(|inode| {
            let mut names = vec![0_u8; size as usize];
            let bytes = file_system::listxattr(inode.path(), &mut names[..])?;
            names.truncate(bytes);
            Ok((bytes, names))
        });
        self.answer("LISTXATTR", self.habits.extended_attributes, move || answer_xattr(got, size, reply));
    }

    fn removexattr(&self, _request: &Request, number: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        let done = self.inode(number).and_then(|inode| file_system::removexattr(inode.path(), name));
        self.answer_empty("REMOVEXATTR", self.habits.extended_attributes, done, reply);
    }

    fn access(&self, _request: &Request, number: INodeNo, mask: AccessFlags, reply: ReplyEmpty) {
        let wanted = Access::from_bits_truncate(mask.bits().unsigned_abs());
        let done = self.inode(number).and_then(|inode| file_system::access(inode.path(), wanted));
        // Asked only where the client that is imitated asks nothing.
        self.answer_empty("ACCESS", false, done, reply);
    }

    fn fallocate(
        &self,
        _request: &Request,
        _number: INodeNo,
        handle: FileHandle,
        offset: u64,
        length: u64,
        mode: i32,
        reply: ReplyEmpty,
    ) {
        let flags = FallocateFlags::from_bits_retain(mode.unsigned_abs());
        let done = self.file(handle).and_then(|file| file_system::fallocate(&file.fd, flags, offset, length));
        self.answer_empty("FALLOCATE", true, done, reply);
    }
}

fn answer_xattr(got: Result<(usize, Vec<u8>), SystemErrno>, size: u32, reply: ReplyXattr) {
    match got {
        Ok((bytes, _)) if size == 0 => reply.size(u32::try_from(bytes).unwrap_or(u32::MAX)),
        Ok((_, value)) => reply.data(&value),
        Err(errno) => reply.error(fuse(errno)),
    }
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

/// Of a name that is not there: a number of 0 says so.
fn absent() -> FileAttr {
    FileAttr {
        ino: INodeNo(0),
        size: 0,
        blocks: 0,
        atime: UNIX_EPOCH,
        mtime: UNIX_EPOCH,
        ctime: UNIX_EPOCH,
        crtime: UNIX_EPOCH,
        kind: FileType::RegularFile,
        perm: 0,
        nlink: 0,
        uid: 0,
        gid: 0,
        rdev: 0,
        blksize: 0,
        flags: 0,
    }
}

fn timespec(time: Option<TimeOrNow>) -> Timespec {
    match time {
        None => Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
        Some(TimeOrNow::Now) => Timespec { tv_sec: 0, tv_nsec: UTIME_NOW },
        Some(TimeOrNow::SpecificTime(time)) => match time.duration_since(UNIX_EPOCH) {
            Ok(after) => Timespec {
                tv_sec: i64::try_from(after.as_secs()).unwrap_or(i64::MAX),
                tv_nsec: after.subsec_nanos().into(),
            },
            Err(before) => {
                let before = before.duration();
                let (seconds, part) =
                    (i64::try_from(before.as_secs()).unwrap_or(i64::MAX), before.subsec_nanos());
                if part == 0 {
                    Timespec { tv_sec: -seconds, tv_nsec: 0 }
                } else {
                    Timespec { tv_sec: -seconds - 1, tv_nsec: (1_000_000_000 - part).into() }
                }
            }
        },
    }
}
