//! Prices of what has to come from the device. Each batch is one read or one
//! touch, of a file of which the kernel has just said that no page is in memory.

use super::ground::{COLD_BYTES, Ground};
use super::meter::{Meter, Taken};
use super::reading::whole;
use super::refusal::Refusal;
use super::trial::Trial;
use fathom_collect::{Residency, residency};
use fathom_model::CacheState::{Cold, Warm};
use fathom_model::{CallCondition, CallForm, Reading, call_form as what, splitmix64};
use fathom_sys::region::{Advice as MappedAdvice, Region};
use fathom_sys::{faults, file_system, page_cache};
use rustix::fs::{Advice, fadvise};
use rustix::io::{Errno, pread};

const PAGE: usize = 4 << 10;
/// Pages may be on their way to the lists from which they can be dropped.
const ATTEMPTS: u32 = 5;

/// Cold reads with and without read-ahead, and a cold touch.
pub(super) fn trials(ground: &Ground) -> Vec<Trial<'_>> {
    vec![
        read(ground, PAGE, Advice::Random, what::ONE_BY_ONE),
        read(ground, COLD_BYTES, Advice::Normal, what::READ_AHEAD),
        touch(ground),
    ]
}

/// The conditions of a page brought in, with what has been taken of reading it
/// cold and warm: the difference is its price.
pub(super) fn fills(meter: &Meter) -> Vec<Taken> {
    let fill = |(form, size): (CallForm, usize)| {
        let cold = meter.price(&cold_read(form.clone(), size))?;
        let warm = meter.price(&CallCondition::new("pread64", what::IN_ORDER).sized(size).cached(Warm))?;
        let pages = (size / PAGE) as f64;
        Some(Taken {
            condition: CallCondition::new("page-cache-fill", form).sized(PAGE).cached(Cold),
            wall_ns: (cold.wall_ns - warm.wall_ns) / pages,
            cpu_ns: (cold.cpu_ns - warm.cpu_ns) / pages,
        })
    };
    [(what::ONE_BY_ONE, PAGE), (what::READ_AHEAD, COLD_BYTES)].into_iter().filter_map(fill).collect()
}

fn cold_read(form: CallForm, size: usize) -> CallCondition {
    CallCondition::new("pread64", form).sized(size).cached(Cold)
}

fn read(ground: &Ground, size: usize, advice: Advice, form: CallForm) -> Trial<'_> {
    let mut buffer = vec![0; size];
    let mut drawn = ground.seed;
    Trial::new([cold_read(form, size)], move |meter, of| {
        evict(ground)?;
        fadvise(&ground.cold, 0, None, advice)?;
        drawn = splitmix64(drawn);
        let offset = block_of(drawn, size);
        let batch = meter.time(&of[0], 1, |_| whole(pread(&ground.cold, &mut buffer[..], offset), size))?;
        let brought = resident(ground)?.resident_pages;
        if brought * PAGE as u64 != size as u64 {
            return Err(Refusal(format!("{brought} pages came in for {size} bytes")));
        }
        meter.keep(&of[0], batch, 1);
        Ok(())
    })
}

fn touch(ground: &Ground) -> Trial<'_> {
    let mut drawn = !ground.seed;
    let condition = CallCondition::new("major-fault", what::ONE_BY_ONE).sized(PAGE).cached(Cold);
    Trial::new([condition], move |meter, of| {
        evict(ground)?;
        let mut region = Region::of_file(&ground.cold, COLD_BYTES)?;
        region.advise(MappedAdvice::Random)?;
        drawn = splitmix64(drawn);
        let at = usize::try_from(block_of(drawn, PAGE)).unwrap_or(0);
        let before = faults::of_this_thread().major;
        let batch = meter.time(&of[0], 1, |_| {
            std::hint::black_box(region.read(at));
            Ok::<(), Errno>(())
        })?;
        if faults::of_this_thread().major - before != 1 {
            return Err(Refusal("touching a page that was not in memory was no major fault".to_owned()));
        }
        meter.keep(&of[0], batch, 1);
        Ok(())
    })
}

/// Where a block begins that a drawn number stands for.
fn block_of(drawn: u64, size: usize) -> u64 {
    let size = size as u64;
    drawn % (COLD_BYTES as u64 / size) * size
}

/// Drops the file's pages, and does not believe it before the kernel says so.
fn evict(ground: &Ground) -> Result<(), Refusal> {
    if file_system::of_file(&ground.cold)?.is_in_memory() {
        return Err(Refusal("a file system in memory is never cold".to_owned()));
    }
    for _ in 0..ATTEMPTS {
        page_cache::drop_clean_pages(&ground.cold)?;
        if resident(ground)?.is_empty() {
            return Ok(());
        }
    }
    Err(Refusal("the file's pages stay in memory when they are to be dropped".to_owned()))
}

fn resident(ground: &Ground) -> Result<Residency, Refusal> {
    match residency(&ground.cold) {
        Reading::Value(found) => Ok(found),
        Reading::Unavailable(reason) => Err(Refusal(format!("what is in memory cannot be told: {reason}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawn_block_lies_in_the_file() {
        for drawn in [0, 1, u64::MAX] {
            let at = block_of(drawn, PAGE);
            assert!(at + PAGE as u64 <= COLD_BYTES as u64 && at.is_multiple_of(PAGE as u64));
            assert_eq!(block_of(drawn, COLD_BYTES), 0);
        }
    }
}
