//! What FUSE asks for, each with what is done and how it is answered.

use super::{GENERATION, OpenDirectory, Server, Wanted, fuse, locked, passed};
use crate::attributes::{absent, kind};
use crate::habits::FlushCharge;
use crate::inodes::Inode;
use fuser::{
    AccessFlags, BsdFileFlags, FileAttr, FileHandle, Filesystem, FopenFlags, INodeNo, InitFlags,
    KernelConfig, LockOwner, OpenFlags, RenameFlags, ReplyAttr, ReplyCreate, ReplyData, ReplyDirectory,
    ReplyDirectoryPlus, ReplyEmpty, ReplyEntry, ReplyOpen, ReplyStatfs, ReplyWrite, ReplyXattr, Request,
    TimeOrNow, WriteFlags,
};
use rustix::fd::AsFd;
use rustix::fs as file_system;
use rustix::fs::{Access, AtFlags, FallocateFlags, FileType as Kind, Mode, OFlags, XattrFlags};
use rustix::io::Errno as SystemErrno;
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

/// The kernel asks so before each write, on its own account.
const CAPABILITY: &str = "security.capability";

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
