//! Prices of opening and closing: many files are opened on one clock, then all
//! closed on another.

use super::ground::{DEPTHS, FILE, Ground, NOTHING};
use super::refusal::failing_with;
use super::trial::Trial;
use fathom_model::{CallCondition, call_form as what};
use fathom_sys::plain_calls;
use rustix::fd::OwnedFd;
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};
use rustix::io::{Errno, pwrite};
use std::ffi::{CStr, CString};
use std::os::unix::ffi::OsStrExt;

/// Files of one batch.
const FILES: u32 = 32;

/// Opens and closes of every kind.
pub(super) fn trials(ground: &Ground) -> Vec<Trial<'_>> {
    let read = OFlags::RDONLY | OFlags::CLOEXEC;
    let opened = |form| CallCondition::new("openat", form).deep(1);
    let mut trials = vec![reading(ground), absolute(ground), by_openat2(ground), truncating(ground)];
    for depth in DEPTHS {
        let condition = CallCondition::new("openat", what::READ_ONLY).deep(depth);
        if depth > 1 {
            trials.push(opening(ground, condition.clone(), read, Ground::path_at(depth, FILE)));
        }
        trials.push(missing(ground, condition.failing("ENOENT"), Ground::path_at(depth, NOTHING)));
    }
    let file = || Ground::path_at(1, FILE);
    trials.extend([
        writing(ground),
        opening(
            ground,
            opened(what::CREATE_EXISTING),
            OFlags::WRONLY | OFlags::CREATE | OFlags::CLOEXEC,
            file(),
        ),
        // The first time, which does not count, makes it.
        opening(
            ground,
            opened(what::CREATE_TRUNCATE_EMPTY),
            OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::CLOEXEC,
            c"empty".to_owned(),
        ),
        opening(ground, opened(what::DIRECT), read | OFlags::DIRECT, file()),
        opening(ground, opened(what::PATH), OFlags::PATH | OFlags::CLOEXEC, file()),
        directories(ground, read | OFlags::DIRECTORY),
        is_directory(ground, opened(what::WRITE_ONLY).failing("EISDIR")),
    ]);
    trials
}

/// Opens one path on the clock, closes it off the clock.
fn opening(ground: &Ground, condition: CallCondition, flags: OFlags, path: CString) -> Trial<'_> {
    Trial::new([condition], move |meter, of| {
        let mut files = Vec::with_capacity(FILES as usize);
        meter.take(&of[0], FILES, |_| open_into(&mut files, ground, &path, flags))
    })
}

fn reading(ground: &Ground) -> Trial<'_> {
    let conditions = [
        CallCondition::new("openat", what::READ_ONLY).deep(1),
        CallCondition::new("close", what::AFTER_READING),
    ];
    Trial::new(conditions, move |meter, of| {
        let mut files = Vec::with_capacity(FILES as usize);
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        meter.take(&of[0], FILES, |_| open_into(&mut files, ground, c"file", flags))?;
        close_all(meter, &of[1], files)
    })
}

fn directories(ground: &Ground, flags: OFlags) -> Trial<'_> {
    let conditions = [
        CallCondition::new("openat", what::DIRECTORY).deep(1),
        CallCondition::new("close", what::OF_CLOSED_DIRECTORY),
    ];
    Trial::new(conditions, move |meter, of| {
        let mut files = Vec::with_capacity(FILES as usize);
        meter.take(&of[0], FILES, |_| open_into(&mut files, ground, c"few", flags))?;
        close_all(meter, &of[1], files)
    })
}

fn writing(ground: &Ground) -> Trial<'_> {
    let conditions = [
        CallCondition::new("openat", what::WRITE_ONLY).deep(1),
        CallCondition::new("close", what::AFTER_WRITING),
    ];
    Trial::new(conditions, move |meter, of| {
        let mut files = Vec::with_capacity(FILES as usize);
        let flags = OFlags::WRONLY | OFlags::CLOEXEC;
        meter.take(&of[0], FILES, |_| open_into(&mut files, ground, c"written", flags))?;
        files.iter().try_for_each(|file| pwrite(file, &[1; 4096], 0).map(drop))?;
        close_all(meter, &of[1], files)
    })
}

/// What a file held is given up when it is opened, and closing it may begin to
/// write what replaced it.
fn truncating(ground: &Ground) -> Trial<'_> {
    const TRUNCATED: u32 = 4;
    let conditions = [
        CallCondition::new("openat", what::CREATE_TRUNCATE).deep(1).sized(4096),
        CallCondition::new("close", what::AFTER_TRUNCATING).sized(4096),
    ];
    let names = Ground::names("truncated", TRUNCATED);
    Trial::new(conditions, move |meter, of| {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::CLOEXEC;
        let mut files = Vec::with_capacity(TRUNCATED as usize);
        if !meter.has(&of[0]) {
            names.iter().try_for_each(|name| {
                let file = openat(&ground.directory, name.as_c_str(), flags, Mode::RUSR | Mode::WUSR)?;
                pwrite(&file, &[1; 4096], 0).map(drop)
            })?;
        }
        meter.take(&of[0], TRUNCATED, |number| {
            open_into(&mut files, ground, &names[number as usize], flags)
        })?;
        files.iter().try_for_each(|file| pwrite(file, &[2; 4096], 0).map(drop))?;
        close_all(meter, &of[1], files)
    })
}

fn absolute(ground: &Ground) -> Trial<'_> {
    let path = ground.path.join(FILE);
    let depth = path.components().count() - 1;
    let condition =
        CallCondition::new("openat", what::READ_ONLY_ABSOLUTE).deep(u32::try_from(depth).unwrap_or(u32::MAX));
    let path = CString::new(path.as_os_str().as_bytes()).unwrap_or_default();
    Trial::new([condition], move |meter, of| {
        let mut files = Vec::with_capacity(FILES as usize);
        meter.take(&of[0], FILES, |_| {
            files.push(openat(CWD, path.as_c_str(), OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?);
            Ok::<(), Errno>(())
        })
    })
}

fn by_openat2(ground: &Ground) -> Trial<'_> {
    Trial::new([CallCondition::new("openat2", what::READ_ONLY).deep(1)], move |meter, of| {
        let mut files = Vec::with_capacity(FILES as usize);
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        meter.take(&of[0], FILES, |_| {
            files.push(openat2(&ground.directory, c"file", flags, Mode::empty(), ResolveFlags::empty())?);
            Ok::<(), Errno>(())
        })
    })
}

fn missing(ground: &Ground, condition: CallCondition, path: CString) -> Trial<'_> {
    Trial::new([condition], move |meter, of| {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        meter.take(&of[0], FILES, |_| {
            failing_with(Errno::NOENT, openat(&ground.directory, path.as_c_str(), flags, Mode::empty()))
        })
    })
}

fn is_directory(ground: &Ground, condition: CallCondition) -> Trial<'_> {
    Trial::new([condition], move |meter, of| {
        let flags = OFlags::WRONLY | OFlags::CLOEXEC;
        meter.take(&of[0], FILES, |_| {
            failing_with(Errno::ISDIR, openat(&ground.directory, c"few", flags, Mode::empty()))
        })
    })
}

fn open_into(files: &mut Vec<OwnedFd>, ground: &Ground, path: &CStr, flags: OFlags) -> Result<(), Errno> {
    files.push(openat(&ground.directory, path, flags, Mode::RUSR | Mode::WUSR)?);
    Ok(())
}

/// Closes every file on the clock.
pub(super) fn close_all(
    meter: &mut super::meter::Meter,
    condition: &CallCondition,
    files: Vec<OwnedFd>,
) -> Result<(), super::refusal::Refusal> {
    let calls = u32::try_from(files.len()).unwrap_or(u32::MAX);
    let mut files = files.into_iter();
    meter.take(condition, calls, |_| files.next().map_or(Ok(()), plain_calls::close))
}
