//! `copy`: copy a file to a new one.

use super::arguments::Plan;
use super::failure::{Failure, Refusal};
use super::ffi::{O_DIRECTORY, O_RDONLY, O_WRONLY};
use super::ffi_write::{O_CREAT, O_TRUNC};
use super::methods::{FailureAt, Method, not_here};
use super::offsets::Step;
use super::open_close::as_path;
use super::posix::{self, Fd, Mapping};
use super::posix_write;
use super::sink::Sink;
use super::stage::{Stage, beside_paths};
use super::support;
use super::writing::Sync;
use std::ffi::{CStr, CString};
use std::fs::{self, File};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// What `read+write` reads at once.
const PIECE_BYTES: usize = 64 << 10;

/// The method of that name.
pub(crate) fn method<'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    let fsync = plan.writing.sync == Sync::Fsync;
    Ok(match name {
        "null" => copying(plan, false, move |_, _| Ok(plan.size)),
        "read+write" => {
            let mut buffer = vec![MaybeUninit::new(0xFA); PIECE_BYTES];
            copying(plan, true, move |from, to| read_write(from, to, fsync, &mut buffer))
        }
        "sendfile" => copying(plan, true, move |from, to| {
            by_kernel(from, to, fsync, |from, to, count| to.send_from(from, count))
        }),
        "copy_file_range" => {
            let once = |from: &Fd, to: &Fd, count| to.copy_range_from(from, count);
            refuse_where(plan, name, move |from, to| once(from, to, 1).map(drop))?;
            copying(plan, true, move |from, to| by_kernel(from, to, fsync, once))
        }
        "FICLONE" => {
            refuse_where(plan, name, |from, to| to.clone_from(from))?;
            copying(plan, true, move |from, to| clone(from, to, plan.size, fsync))
        }
        "mmap+write" => copying(plan, true, move |from, to| map_write(from, to, fsync)),
        "std::fs::copy" => copying(plan, true, move |from, to| fs_copy(from, to, fsync)),
        _ => return Err(not_here(name)),
    })
}

fn read_write(from: &CStr, to: &CStr, fsync: bool, buffer: &mut [MaybeUninit<u8>]) -> Result<usize, Failure> {
    let (from, to) = (posix::open(from, O_RDONLY)?, create(to)?);
    let mut copied = 0;
    loop {
        let piece = from.read(buffer)?;
        if piece.is_empty() {
            break;
        }
        to.write(piece)?;
        copied += piece.len();
    }
    if fsync {
        to.sync()?;
    }
    Ok(copied)
}

/// By a call that copies up to so many bytes from where both files stand.
fn by_kernel(
    from: &CStr,
    to: &CStr,
    fsync: bool,
    copy: impl Fn(&Fd, &Fd, usize) -> Result<usize, Failure>,
) -> Result<usize, Failure> {
    let from = posix::open(from, O_RDONLY)?;
    let size = from.size()?;
    let to = create(to)?;
    let mut copied = 0;
    while copied < size {
        match copy(&from, &to, size - copied)? {
            0 => break,
            count => copied += count,
        }
    }
    if fsync {
        to.sync()?;
    }
    Ok(copied)
}

/// All of a file is shared at once: its size is not asked for.
fn clone(from: &CStr, to: &CStr, size: usize, fsync: bool) -> Result<usize, Failure> {
    let (from, to) = (posix::open(from, O_RDONLY)?, create(to)?);
    to.clone_from(&from)?;
    if fsync {
        to.sync()?;
    }
    Ok(size)
}

/// An empty file cannot be mapped and needs not be.
fn map_write(from: &CStr, to: &CStr, fsync: bool) -> Result<usize, Failure> {
    let from = posix::open(from, O_RDONLY)?;
    let size = from.size()?;
    let to = create(to)?;
    if size > 0 {
        to.write(Mapping::new(&from, size, 0)?.bytes())?;
    }
    if fsync {
        to.sync()?;
    }
    Ok(size)
}

/// std keeps neither file open, so a sync opens the copy again.
fn fs_copy(from: &CStr, to: &CStr, fsync: bool) -> Result<usize, Failure> {
    let copied =
        fs::copy(as_path(from), as_path(to)).map_err(|error| Failure::of("std::fs::copy", &error))?;
    if fsync {
        let sync = File::open(as_path(to)).and_then(|file| file.sync_all());
        sync.map_err(|error| Failure::of("File::sync_all", &error))?;
    }
    Ok(usize::try_from(copied).unwrap_or(usize::MAX))
}

fn create(path: &CStr) -> Result<Fd, Failure> {
    posix_write::create(path, O_WRONLY | O_CREAT | O_TRUNC)
}

/// Whether the first file can be copied into the directory by that call at all.
fn refuse_where(
    plan: &Plan,
    name: &str,
    attempt: impl Fn(&Fd, &Fd) -> Result<(), Failure>,
) -> Result<(), Refusal> {
    let from = &plan.paths[0];
    support::probe(plan, |to| attempt(&posix::open(from, O_RDONLY)?, &create(to)?), name)
}

fn copying<'a>(
    plan: &'a Plan,
    makes_files: bool,
    copy: impl FnMut(&CStr, &CStr) -> Result<usize, Failure> + 'a,
) -> Box<dyn Method + 'a> {
    let (copies, next, directory) = (Vec::new(), 0, None);
    Box::new(Copying { plan, makes_files, copy, copies, next, directory, failed: None })
}

struct Copying<'a, C> {
    plan: &'a Plan,
    /// False of `null`.
    makes_files: bool,
    copy: C,
    /// Each copy's path; a name that no file has for `null`.
    copies: Vec<CString>,
    next: usize,
    /// For `syncfs`.
    directory: Option<Fd>,
    failed: Option<PathBuf>,
}

impl<C> Copying<'_, C> {
    fn make_place(&mut self, copies: usize, stage: &mut Stage) -> Result<(), Failure> {
        self.failed.clone_from(&self.plan.writing.directory);
        let directory = stage.make_directory(self.plan)?;
        for index in 0..copies {
            let path = directory.join(format!("c{index}"));
            self.copies.push(c_string(&path));
            stage.leave(path);
        }
        self.directory = Some(posix::open(&c_string(&directory), O_RDONLY | O_DIRECTORY)?);
        self.failed = None;
        Ok(())
    }
}

fn c_string(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).expect("an argument has no null byte")
}

impl<C: FnMut(&CStr, &CStr) -> Result<usize, Failure>> Method for Copying<'_, C> {
    fn prepare(&mut self, steps: &[Step], _: u64, stage: &mut Stage) -> Result<(), FailureAt> {
        (self.next, self.failed, self.directory) = (0, None, None);
        self.copies.clear();
        stage.remove_left().map_err(beside_paths)?;
        if self.makes_files {
            return self.make_place(steps.len(), stage).map_err(beside_paths);
        }
        stage.skip_directory();
        self.copies.resize(steps.len(), CString::default());
        Ok(())
    }

    fn perform(&mut self, step: Step, sink: &mut Sink) -> Result<(), Failure> {
        let (from, to) = (&self.plan.paths[step.path], &self.copies[self.next]);
        self.next += 1;
        match (self.copy)(from, to) {
            Ok(copied) => sink.bytes += copied as u64,
            Err(failure) => {
                // What fails while the source can be opened fails at the copy.
                let at_copy = posix::open(from, O_RDONLY).is_ok();
                self.failed = at_copy.then(|| as_path(to).to_owned());
                return Err(failure);
            }
        }
        Ok(())
    }

    fn complete(&mut self) -> Result<(), Failure> {
        match &self.directory {
            Some(directory) if self.plan.writing.sync == Sync::Syncfs => directory.sync_file_system(),
            _ => Ok(()),
        }
    }

    fn finish(&mut self, _: &mut Stage) {
        self.directory = None;
    }

    fn verify(&mut self, step: Step, sink: &mut Sink) -> Result<(), Failure> {
        self.perform(step, &mut Sink::counting())?;
        // `null` has the source's bytes to show.
        let path = if self.makes_files { &self.copies[0] } else { &self.plan.paths[step.path] };
        let data = fs::read(as_path(path)).map_err(|error| Failure::of("read", &error))?;
        sink.take(&data);
        Ok(())
    }

    fn failed_path(&self) -> Option<&Path> {
        self.failed.as_deref()
    }
}
