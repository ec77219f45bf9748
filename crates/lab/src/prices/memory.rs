//! Prices of the calls about memory, and of the cheapest calls there are.

use super::ground::Ground;
use super::refusal::Refusal;
use super::trial::Trial;
use fathom_model::{CallCondition, call_form as what};
use fathom_sys::plain_calls;
use fathom_sys::region::{Advice, Region};
use rustix::io::Errno;
use rustix::process::getppid;
use rustix::thread::{futex, gettid};
use std::sync::atomic::AtomicU32;

const CALLS: u32 = 64;
/// Bytes mapped, and how many mappings of that size on one clock.
const MAPPED: [(usize, u32); 3] = [(4 << 10, 32), (64 << 10, 16), (1 << 20, 4)];
const ADVISED_BYTES: usize = 64 << 10;

/// All of them.
pub(super) fn trials(ground: &Ground) -> Vec<Trial<'_>> {
    let mut trials = Vec::new();
    for (size, count) in MAPPED {
        trials.extend([
            file(ground, size, count, false),
            file(ground, size, count, true),
            memory(size, count, false),
            memory(size, count, true),
        ]);
    }
    trials.extend(advice(ground));
    trials.extend(cheapest());
    trials
}

/// A file mapped and unmapped; `touched` in between.
fn file(ground: &Ground, size: usize, count: u32, touched: bool) -> Trial<'_> {
    let form = if touched { what::TOUCHED_FILE } else { what::UNTOUCHED };
    let conditions = [
        CallCondition::new("mmap", what::MAP_FILE).sized(size),
        CallCondition::new("munmap", form).sized(size),
    ];
    Trial::new(conditions, move |meter, of| {
        let mut regions = Vec::with_capacity(count as usize);
        meter.take(&of[0], count, |_| {
            regions.push(Region::of_file(&ground.data, size)?);
            Ok::<(), Refusal>(())
        })?;
        for region in regions.iter().filter(|_| touched) {
            pages(size).for_each(|at| {
                std::hint::black_box(region.read(at));
            });
        }
        unmap(meter, &of[1], regions)
    })
}

/// Memory mapped and unmapped. Untouched it costs what an untouched file does,
/// which is priced already.
fn memory<'a>(size: usize, count: u32, touched: bool) -> Trial<'a> {
    let mut conditions = vec![CallCondition::new("mmap", what::MAP_ANONYMOUS).sized(size)];
    conditions.extend(touched.then(|| CallCondition::new("munmap", what::TOUCHED_MEMORY).sized(size)));
    Trial::new(conditions, move |meter, of| {
        let mut regions = Vec::with_capacity(count as usize);
        meter.take(&of[0], count, |_| {
            regions.push(Region::anonymous(size)?);
            Ok::<(), Refusal>(())
        })?;
        let Some(unmapped) = of.get(1) else { return Ok(()) };
        for region in &mut regions {
            pages(size).for_each(|at| region.write(at, 1));
        }
        unmap(meter, unmapped, regions)
    })
}

fn unmap(
    meter: &mut super::meter::Meter,
    condition: &CallCondition,
    regions: Vec<Region>,
) -> Result<(), Refusal> {
    let count = u32::try_from(regions.len()).unwrap_or(u32::MAX);
    let mut regions = regions.into_iter();
    meter.take(condition, count, |_| {
        drop(regions.next());
        Ok::<(), Errno>(())
    })
}

/// Where each page begins.
pub(super) fn pages(size: usize) -> impl Iterator<Item = usize> {
    (0..size).step_by(rustix::param::page_size())
}

fn advice(ground: &Ground) -> Vec<Trial<'_>> {
    vec![
        Trial::new([CallCondition::new("madvise", what::MADV_SEQUENTIAL)], move |meter, of| {
            let mut region = Region::of_file(&ground.data, ADVISED_BYTES)?;
            meter.take(&of[0], CALLS, |number| {
                region.advise(if number % 2 == 0 { Advice::Sequential } else { Advice::Normal })
            })
        }),
        Trial::new(
            [CallCondition::new("madvise", what::MADV_WILLNEED).sized(ADVISED_BYTES)],
            move |meter, of| {
                let mut region = Region::of_file(&ground.data, ADVISED_BYTES)?;
                meter.take(&of[0], CALLS, |_| region.advise(Advice::WillNeed))
            },
        ),
        Trial::new([CallCondition::new("madvise", what::MADV_DONTNEED).sized(ADVISED_BYTES)], |meter, of| {
            let mut region = Region::anonymous(ADVISED_BYTES)?;
            meter.take(&of[0], CALLS, |_| region.advise(Advice::LinuxDontNeed))
        }),
        Trial::new([CallCondition::new("mprotect", what::PROTECT).sized(ADVISED_BYTES)], |meter, of| {
            let mut region = Region::anonymous(ADVISED_BYTES)?;
            meter.take(&of[0], CALLS, |number| region.set_writable(number % 2 == 1))
        }),
    ]
}

fn cheapest<'a>() -> Vec<Trial<'a>> {
    vec![
        Trial::new([CallCondition::new("brk", what::ASK_BREAK)], |meter, of| {
            meter.take(&of[0], CALLS, |_| {
                std::hint::black_box(plain_calls::program_break());
                Ok::<(), Errno>(())
            })
        }),
        Trial::new([CallCondition::new("futex", what::WAKE_NOBODY)], |meter, of| {
            let word = AtomicU32::new(0);
            meter.take(&of[0], CALLS, |_| futex::wake(&word, futex::Flags::PRIVATE, 1).map(drop))
        }),
        Trial::new([CallCondition::new("rt_sigprocmask", what::ASK_MASK)], |meter, of| {
            meter.take(&of[0], CALLS, |_| plain_calls::blocked_signals().map(drop))
        }),
        Trial::new([CallCondition::new("gettid", what::PLAIN)], |meter, of| {
            meter.take(&of[0], CALLS, |_| {
                std::hint::black_box(gettid());
                Ok::<(), Errno>(())
            })
        }),
        Trial::new([CallCondition::new("getppid", what::PLAIN)], |meter, of| {
            meter.take(&of[0], CALLS, |_| {
                std::hint::black_box(getppid());
                Ok::<(), Errno>(())
            })
        }),
    ]
}
