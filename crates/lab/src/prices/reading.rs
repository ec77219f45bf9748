//! Prices of reading what the page cache holds: blocks in order, into one buffer.

use super::ground::{DATA_BYTES, Ground};
use super::refusal::Refusal;
use super::trial::Trial;
use fathom_model::CacheState::Warm;
use fathom_model::{CallCondition, call_form as what};
use rustix::fs::{SeekFrom, seek};
use rustix::io::{Errno, IoSliceMut, ReadWriteFlags, pread, preadv2, read, readv};

/// Bytes of a read.
const SIZES: [usize; 6] = [512, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20];
/// Reads on one clock, and bytes, at most.
const CALLS: usize = 64;
const BATCH_BYTES: usize = 2 << 20;

/// All of them.
pub(super) fn trials(ground: &Ground) -> Vec<Trial<'_>> {
    let mut trials: Vec<_> =
        SIZES.into_iter().flat_map(|size| [reads(ground, size), preads(ground, size)]).collect();
    trials.extend([vectored(ground), vectored_at(ground)]);
    trials.extend(at_the_end(ground));
    trials
}

fn calls_of(size: usize) -> u32 {
    u32::try_from((BATCH_BYTES / size).clamp(1, CALLS)).unwrap_or(1)
}

/// A shorter answer would be another price.
pub(super) fn whole(answer: Result<usize, Errno>, size: usize) -> Result<(), Refusal> {
    match answer? {
        moved if moved == size => Ok(()),
        moved => Err(Refusal(format!("{moved} bytes of {size} were moved"))),
    }
}

fn reads(ground: &Ground, size: usize) -> Trial<'_> {
    let mut buffer = vec![0; size];
    let condition = CallCondition::new("read", what::IN_ORDER).sized(size).cached(Warm);
    Trial::new([condition], move |meter, of| {
        seek(&ground.data, SeekFrom::Start(0))?;
        meter.take(&of[0], calls_of(size), |_| whole(read(&ground.data, &mut buffer[..]), size))
    })
}

fn preads(ground: &Ground, size: usize) -> Trial<'_> {
    let mut buffer = vec![0; size];
    let condition = CallCondition::new("pread64", what::IN_ORDER).sized(size).cached(Warm);
    Trial::new([condition], move |meter, of| {
        meter.take(&of[0], calls_of(size), |number| {
            let offset = u64::from(number) * size as u64;
            whole(pread(&ground.data, &mut buffer[..], offset), size)
        })
    })
}

fn vectored(ground: &Ground) -> Trial<'_> {
    const SIZE: usize = 4 << 10;
    let mut buffer = vec![0; SIZE];
    let condition = CallCondition::new("readv", what::IN_ORDER).sized(SIZE).cached(Warm);
    Trial::new([condition], move |meter, of| {
        seek(&ground.data, SeekFrom::Start(0))?;
        meter.take(&of[0], calls_of(SIZE), |_| {
            whole(readv(&ground.data, &mut [IoSliceMut::new(&mut buffer)]), SIZE)
        })
    })
}

fn vectored_at(ground: &Ground) -> Trial<'_> {
    const SIZE: usize = 4 << 10;
    let mut buffer = vec![0; SIZE];
    let condition = CallCondition::new("preadv2", what::IN_ORDER).sized(SIZE).cached(Warm);
    Trial::new([condition], move |meter, of| {
        meter.take(&of[0], calls_of(SIZE), |number| {
            let offset = u64::from(number) * SIZE as u64;
            let mut parts = [IoSliceMut::new(&mut buffer)];
            whole(preadv2(&ground.data, &mut parts, offset, ReadWriteFlags::empty()), SIZE)
        })
    })
}

fn at_the_end(ground: &Ground) -> [Trial<'_>; 2] {
    let calls = u32::try_from(CALLS).unwrap_or(1);
    let mut buffer = [0; 4096];
    [
        Trial::new([CallCondition::new("read", what::AT_END).sized(0)], move |meter, of| {
            seek(&ground.data, SeekFrom::End(0))?;
            meter.take(&of[0], calls, |_| whole(read(&ground.data, &mut buffer[..]), 0))
        }),
        Trial::new([CallCondition::new("pread64", what::AT_END).sized(0)], move |meter, of| {
            meter.take(&of[0], calls, |_| whole(pread(&ground.data, &mut buffer[..], DATA_BYTES as u64), 0))
        }),
    ]
}
