//! Prices of writing into the page cache, and of cutting files.

use super::ground::{DATA_BYTES, Ground};
use super::reading::whole;
use super::trial::Trial;
use fathom_model::CacheState::Warm;
use fathom_model::{CallCondition, call_form as what};
use rustix::fd::OwnedFd;
use rustix::fs::{Mode, OFlags, SeekFrom, copy_file_range, ftruncate, openat, seek};
use rustix::io::{IoSlice, pwrite, write, writev};

/// Bytes of a write.
const SIZES: [usize; 5] = [1, 512, 4 << 10, 64 << 10, 1 << 20];
/// Bytes that the kernel copies at once.
const COPIES: [usize; 3] = [4 << 10, 64 << 10, 1 << 20];
/// Writes on one clock, and bytes, at most.
const CALLS: usize = 32;
const BATCH_BYTES: usize = 1 << 20;
/// Files cut on one clock.
const CUT: u32 = 16;

/// All of them.
pub(super) fn trials(ground: &Ground) -> Vec<Trial<'_>> {
    let of_size = |size| [writes(ground, size), pwrites(ground, size), appends(ground, size)];
    let mut trials: Vec<_> = SIZES.into_iter().flat_map(of_size).collect();
    trials.extend([vectored(ground), in_large_folios(ground), cuts(ground), lengthens(ground)]);
    trials.extend(COPIES.into_iter().map(|size| copies(ground, size)));
    trials.push(copies_nothing(ground));
    trials
}

fn calls_of(size: usize) -> u32 {
    u32::try_from((BATCH_BYTES / size).clamp(1, CALLS)).unwrap_or(1)
}

fn writes(ground: &Ground, size: usize) -> Trial<'_> {
    let buffer = vec![3; size];
    let condition = CallCondition::new("write", what::OVERWRITING).sized(size).cached(Warm);
    Trial::new([condition], move |meter, of| {
        seek(&ground.written, SeekFrom::Start(0))?;
        meter.take(&of[0], calls_of(size), |_| whole(write(&ground.written, &buffer), size))
    })
}

fn pwrites(ground: &Ground, size: usize) -> Trial<'_> {
    let buffer = vec![4; size];
    let condition = CallCondition::new("pwrite64", what::OVERWRITING).sized(size).cached(Warm);
    Trial::new([condition], move |meter, of| {
        meter.take(&of[0], calls_of(size), |number| {
            whole(pwrite(&ground.written, &buffer, u64::from(number) * size as u64), size)
        })
    })
}

/// One piece at a time, as what `writev` adds is small.
fn vectored(ground: &Ground) -> Trial<'_> {
    const SIZE: usize = 4 << 10;
    let condition = CallCondition::new("writev", what::OVERWRITING).sized(SIZE).cached(Warm);
    Trial::new([condition], move |meter, of| {
        seek(&ground.written, SeekFrom::Start(0))?;
        meter.take(&of[0], calls_of(SIZE), |_| {
            whole(writev(&ground.written, &[IoSlice::new(&[5; SIZE])]), SIZE)
        })
    })
}

/// Bytes of one file over those of another, both cached.
fn copies(ground: &Ground, size: usize) -> Trial<'_> {
    let condition = CallCondition::new("copy_file_range", what::OVERWRITING).sized(size).cached(Warm);
    Trial::new([condition], move |meter, of| {
        meter.take(&of[0], calls_of(size), |number| {
            let at = u64::from(number) * size as u64;
            let (mut from, mut to) = (at, at);
            whole(copy_file_range(&ground.data, Some(&mut from), &ground.written, Some(&mut to), size), size)
        })
    })
}

fn copies_nothing(ground: &Ground) -> Trial<'_> {
    let condition = CallCondition::new("copy_file_range", what::AT_END).sized(0);
    Trial::new([condition], move |meter, of| {
        meter.take(&of[0], u32::try_from(CALLS).unwrap_or(1), |_| {
            let (mut from, mut to) = (DATA_BYTES as u64, 0);
            whole(copy_file_range(&ground.data, Some(&mut from), &ground.written, Some(&mut to), 4096), 0)
        })
    })
}

/// The same bytes over a file that was written in large blocks: the cost rises
/// with the folio that holds them.
fn in_large_folios(ground: &Ground) -> Trial<'_> {
    const SIZE: usize = 4 << 10;
    let condition = CallCondition::new("pwrite64", what::OVERWRITING_LARGE).sized(SIZE).cached(Warm);
    Trial::new([condition], move |meter, of| {
        meter.take(&of[0], calls_of(SIZE), |number| {
            whole(pwrite(&ground.data, &[8; SIZE], u64::from(number) * SIZE as u64), SIZE)
        })
    })
}

fn appends(ground: &Ground, size: usize) -> Trial<'_> {
    let buffer = vec![5; size];
    Trial::new([CallCondition::new("write", what::APPENDING).sized(size)], move |meter, of| {
        // What was appended before goes unwritten, so that no device is waited for.
        ftruncate(&ground.appended, 0)?;
        meter.take(&of[0], calls_of(size), |_| whole(write(&ground.appended, &buffer), size))
    })
}

/// Files of a page, cut to nothing.
fn cuts(ground: &Ground) -> Trial<'_> {
    const SIZE: usize = 4 << 10;
    let names = Ground::names("cut", CUT);
    let mut files: Vec<OwnedFd> = Vec::new();
    Trial::new([CallCondition::new("ftruncate", what::TO_NOTHING).sized(SIZE)], move |meter, of| {
        for name in names.iter().skip(files.len()) {
            let flags = OFlags::RDWR | OFlags::CREATE | OFlags::CLOEXEC;
            files.push(openat(&ground.directory, name.as_c_str(), flags, Mode::RUSR | Mode::WUSR)?);
        }
        files.iter().try_for_each(|file| pwrite(file, &[6; SIZE], 0).map(drop))?;
        meter.take(&of[0], CUT, |number| ftruncate(&files[number as usize], 0))
    })
}

fn lengthens(ground: &Ground) -> Trial<'_> {
    Trial::new([CallCondition::new("ftruncate", what::LONGER)], move |meter, of| {
        ftruncate(&ground.appended, 0)?;
        meter.take(&of[0], CUT, |number| ftruncate(&ground.appended, (u64::from(number) + 1) << 12))
    })
}
