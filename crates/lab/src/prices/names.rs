//! Prices of making, moving and removing names. What one call makes, the next
//! moves, and a third removes.
//!
//! Few of them: ext4 without a journal does not give a freed inode again for some
//! minutes, and searches past all of those, so that many would make each dearer.
//! Making files is priced in processes of its own, before anything is removed.

use super::ground::Ground;
use super::refusal::{Refusal, failing_with};
use super::trial::Trial;
use fathom_model::{CallCondition, call_form as what};
use fathom_sys::path_calls;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, Mode, OFlags, mkdirat, openat, renameat, symlinkat, unlinkat};
use rustix::io::{Errno, pwrite};
use std::ffi::{CStr, CString};

/// Names of one batch.
const NAMES: u32 = 8;
/// Directories of one batch: where freed blocks are discarded at once, removing
/// one takes milliseconds.
const FOLDERS: u32 = 4;

/// New files of one batch; they stay.
const NEW_FILES: u32 = 64;
/// Batches of one process.
pub(super) const BATCHES_MAX: u32 = 8;

/// Which form of a call is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `unlinkat`, with a descriptor of the directory.
    At,
    /// `unlink`, where the architecture has it.
    Plain,
}

/// Both forms of each call.
pub(super) fn trials(ground: &Ground) -> Vec<Trial<'_>> {
    let mut trials = Vec::new();
    for form in [Form::At, Form::Plain] {
        trials.extend([
            files(ground, form),
            replaced(ground, form),
            filled(ground, form),
            directories(ground, form),
            links(ground, form),
        ]);
    }
    trials.into_iter().map(|trial| trial.at_most(BATCHES_MAX)).collect()
}

/// The call of [`creations`].
pub(super) const MAKING_CALL: &str = "openat";

/// New files, which stay until all processes have ended.
pub(super) fn creations(ground: &Ground) -> Vec<Trial<'_>> {
    let condition = CallCondition::new(MAKING_CALL, what::CREATE_NEW).deep(1);
    let mut batch = 0;
    vec![
        Trial::new([condition], move |meter, of| {
            batch += 1;
            let names = Ground::names(&format!("new-{batch}"), NEW_FILES);
            let mut files = Vec::with_capacity(NEW_FILES as usize);
            meter.take(&of[0], NEW_FILES, |number| {
                files.push(create(ground, &names[number as usize])?);
                Ok::<(), Errno>(())
            })
        })
        .at_most(BATCHES_MAX),
    ]
}

/// Empty files: given another name, removed.
fn files(ground: &Ground, form: Form) -> Trial<'_> {
    let conditions = [
        CallCondition::new(form.call("renameat", "rename"), what::TO_NEW_NAME).deep(1),
        CallCondition::new(form.call("unlinkat", "unlink"), what::OF_FILE).deep(1).sized(0),
    ];
    let (made, moved) = (Ground::names("made", NAMES), Ground::names("moved", NAMES));
    Trial::new(conditions, move |meter, of| {
        make_all(ground, made.iter(), &[])?;
        meter.take(&of[0], NAMES, |number| {
            form.rename(ground, &made[number as usize], &moved[number as usize])
        })?;
        meter.take(&of[1], NAMES, |number| form.unlink(ground, &moved[number as usize]))
    })
}

/// A name given to another file.
fn replaced(ground: &Ground, form: Form) -> Trial<'_> {
    let condition = CallCondition::new(form.call("renameat", "rename"), what::OVER_FILE).deep(1);
    let (fresh, stale) = (Ground::names("fresh", NAMES), Ground::names("stale", NAMES));
    Trial::new([condition], move |meter, of| {
        make_all(ground, fresh.iter().chain(&stale), &[])?;
        meter.take(&of[0], NAMES, |number| {
            form.rename(ground, &fresh[number as usize], &stale[number as usize])
        })?;
        remove_all(ground, &stale)
    })
}

/// Files of a page, in memory and not yet on the device.
fn filled(ground: &Ground, form: Form) -> Trial<'_> {
    let condition = CallCondition::new(form.call("unlinkat", "unlink"), what::OF_FILE).deep(1).sized(4096);
    let names = Ground::names("filled", NAMES);
    Trial::new([condition], move |meter, of| {
        make_all(ground, names.iter(), &[7; 4096])?;
        meter.take(&of[0], NAMES, |number| form.unlink(ground, &names[number as usize]))
    })
}

fn directories(ground: &Ground, form: Form) -> Trial<'_> {
    let removed = match form {
        Form::At => CallCondition::new("unlinkat", what::OF_DIRECTORY),
        Form::Plain => CallCondition::new("rmdir", what::PLAIN),
    };
    let made = CallCondition::new(form.call("mkdirat", "mkdir"), what::PLAIN).deep(1);
    let conditions = [made.clone(), made.failing("EEXIST"), removed.deep(1)];
    let names = Ground::names("folder", FOLDERS);
    Trial::new(conditions, move |meter, of| {
        meter.take(&of[0], FOLDERS, |number| form.mkdir(ground, &names[number as usize]))?;
        meter.take(&of[1], FOLDERS, |number| {
            failing_with(Errno::EXIST, form.mkdir_errno(ground, &names[number as usize]))
        })?;
        meter.take(&of[2], FOLDERS, |number| form.rmdir(ground, &names[number as usize]))
    })
}

fn links(ground: &Ground, form: Form) -> Trial<'_> {
    let condition = CallCondition::new(form.call("symlinkat", "symlink"), what::PLAIN).deep(1);
    let names = Ground::names("symlink", NAMES);
    Trial::new([condition], move |meter, of| {
        meter.take(&of[0], NAMES, |number| form.symlink(ground, &names[number as usize]))?;
        remove_all(ground, &names)
    })
}

fn create(ground: &Ground, name: &CStr) -> Result<OwnedFd, Errno> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::CLOEXEC;
    openat(&ground.directory, name, flags, Mode::RUSR | Mode::WUSR)
}

fn make_all<'n>(
    ground: &Ground,
    mut names: impl Iterator<Item = &'n CString>,
    content: &[u8],
) -> Result<(), Refusal> {
    Ok(names.try_for_each(|name| pwrite(create(ground, name)?.as_fd(), content, 0).map(drop))?)
}

fn remove_all(ground: &Ground, names: &[CString]) -> Result<(), Refusal> {
    Ok(names.iter().try_for_each(|name| unlinkat(&ground.directory, name.as_c_str(), AtFlags::empty()))?)
}

impl Form {
    fn call(self, at: &'static str, plain: &'static str) -> &'static str {
        if self == Self::At { at } else { plain }
    }

    fn rename(self, ground: &Ground, from: &CStr, to: &CStr) -> Result<(), Refusal> {
        match self {
            Self::At => renameat(&ground.directory, from, &ground.directory, to)?,
            Self::Plain => path_calls::rename(from, to)?,
        }
        Ok(())
    }

    fn unlink(self, ground: &Ground, name: &CStr) -> Result<(), Refusal> {
        match self {
            Self::At => unlinkat(&ground.directory, name, AtFlags::empty())?,
            Self::Plain => path_calls::unlink(name)?,
        }
        Ok(())
    }

    fn mkdir(self, ground: &Ground, name: &CStr) -> Result<(), Refusal> {
        match self {
            Self::At => mkdirat(&ground.directory, name, Mode::RWXU)?,
            Self::Plain => path_calls::mkdir(name)?,
        }
        Ok(())
    }

    /// The same with its bare errno.
    fn mkdir_errno(self, ground: &Ground, name: &CStr) -> Result<(), Errno> {
        match self {
            Self::At => mkdirat(&ground.directory, name, Mode::RWXU),
            Self::Plain => path_calls::mkdir(name).map_err(|error| error.errno().unwrap_or(Errno::IO)),
        }
    }

    fn rmdir(self, ground: &Ground, name: &CStr) -> Result<(), Refusal> {
        match self {
            Self::At => unlinkat(&ground.directory, name, AtFlags::REMOVEDIR)?,
            Self::Plain => path_calls::rmdir(name)?,
        }
        Ok(())
    }

    fn symlink(self, ground: &Ground, name: &CStr) -> Result<(), Refusal> {
        match self {
            Self::At => symlinkat(c"file", &ground.directory, name)?,
            Self::Plain => path_calls::symlink(c"file", name)?,
        }
        Ok(())
    }
}
