//! Prices of writing into the page cache, and of cutting files.

use super::condition::Condition;
use super::ground::Ground;
use super::reading::whole;
use super::trial::Trial;
use fathom_model::CacheState::Warm;
use fathom_model::price_what as what;
use rustix::fd::OwnedFd;
use rustix::fs::{Mode, OFlags, SeekFrom, ftruncate, openat, seek};
use rustix::io::{pwrite, write};

/// Bytes of a write.
const SIZES: [usize; 5] = [1, 512, 4 << 10, 64 << 10, 1 << 20];
/// Writes on one clock, and bytes, at most.
const CALLS: usize = 32;
const BATCH_BYTES: usize = 1 << 20;
/// Files cut on one clock.
const CUT: u32 = 16;

/// All of them.
pub(super) fn trials(ground: &Ground) -> Vec<Trial<'_>> {
    let of_size = |size| [writes(ground, size), pwrites(ground, size), appends(ground, size)];
    let mut trials: Vec<_> = SIZES.into_iter().flat_map(of_size).collect();
    trials.extend([in_large_folios(ground), cuts(ground), lengthens(ground)]);
    trials
}

fn calls_of(size: usize) -> u32 {
    u32::try_from((BATCH_BYTES / size).clamp(1, CALLS)).unwrap_or(1)
}

fn writes(ground: &Ground, size: usize) -> Trial<'_> {
    let buffer = vec![3; size];
    let condition = Condition::of("write", what::OVERWRITING).sized(size).cached(Warm);
    Trial::new([condition], move |meter, of| {
        seek(&ground.written, SeekFrom::Start(0))?;
        meter.take(&of[0], calls_of(size), |_| whole(write(&ground.written, &buffer), size))
    })
}

fn pwrites(ground: &Ground, size: usize) -> Trial<'_> {
    let buffer = vec![4; size];
    let condition = Condition::of("pwrite64", what::OVERWRITING).sized(size).cached(Warm);
    Trial::new([condition], move |meter, of| {
        meter.take(&of[0], calls_of(size), |number| {
            whole(pwrite(&ground.written, &buffer, u64::from(number) * size as u64), size)
        })
    })
}

/// The same bytes over a file that was written in large blocks: the cost rises
/// with the folio that holds them.
fn in_large_folios(ground: &Ground) -> Trial<'_> {
    const SIZE: usize = 4 << 10;
    let condition = Condition::of("pwrite64", what::OVERWRITING_LARGE).sized(SIZE).cached(Warm);
    Trial::new([condition], move |meter, of| {
        meter.take(&of[0], calls_of(SIZE), |number| {
            whole(pwrite(&ground.data, &[8; SIZE], u64::from(number) * SIZE as u64), SIZE)
        })
    })
}

fn appends(ground: &Ground, size: usize) -> Trial<'_> {
    let buffer = vec![5; size];
    Trial::new([Condition::of("write", what::APPENDING).sized(size)], move |meter, of| {
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
    Trial::new([Condition::of("ftruncate", what::TO_NOTHING).sized(SIZE)], move |meter, of| {
        for name in names.iter().skip(files.len()) {
            let flags = OFlags::RDWR | OFlags::CREATE | OFlags::CLOEXEC;
            files.push(openat(&ground.directory, name.as_c_str(), flags, Mode::RUSR | Mode::WUSR)?);
        }
        files.iter().try_for_each(|file| pwrite(file, &[6; SIZE], 0).map(drop))?;
        meter.take(&of[0], CUT, |number| ftruncate(&files[number as usize], 0))
    })
}

fn lengthens(ground: &Ground) -> Trial<'_> {
    Trial::new([Condition::of("ftruncate", what::LONGER)], move |meter, of| {
        ftruncate(&ground.appended, 0)?;
        meter.take(&of[0], CUT, |number| ftruncate(&ground.appended, (u64::from(number) + 1) << 12))
    })
}
