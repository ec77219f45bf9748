//! `read-whole` in parts, which do not disturb each other: one for each thread.

use super::arguments::Plan;
use super::crew::Crew;
use super::failure::{Failure, Refusal};
use super::methods::Method;
use super::offsets::Step;
use super::sink::Sink;
use super::spread::{lock, start_crew};
use std::ffi::CStr;
use std::ops::Range;
use std::sync::Mutex;

/// A method that opens the file and has each thread read its part.
pub(crate) struct Parts<'a, O, R> {
    plan: &'a Plan,
    /// Opens a file and tells its size.
    open: O,
    shares: Vec<Mutex<Share<R>>>,
    /// `None` where this thread reads all of it.
    crew: Option<Crew>,
}

/// One thread's part: how it reads, and what it found.
struct Share<R> {
    read: R,
    outcome: Result<Sink, Failure>,
}

impl<'a, O, R> Parts<'a, O, R> {
    /// With one reader for each thread of the plan; more than one have threads that wait.
    pub(crate) fn new(
        plan: &'a Plan,
        open: O,
        make_reader: impl Fn() -> Result<R, Failure>,
    ) -> Result<Self, Refusal> {
        let share = || {
            let read = make_reader().map_err(|failure| Refusal::Unsupported(failure.to_string()))?;
            Ok(Mutex::new(Share { read, outcome: Ok(Sink::counting()) }))
        };
        let shares = (0..plan.threads).map(|_| share()).collect::<Result<_, Refusal>>()?;
        Ok(Self { plan, open, shares, crew: start_crew(plan)? })
    }
}

impl<H, O, R> Method for Parts<'_, O, R>
where
    H: Sync,
    O: Fn(&CStr) -> Result<(H, usize), Failure>,
    R: FnMut(&H, Range<usize>, &mut Sink) -> Result<(), Failure> + Send,
{
    fn perform(&mut self, step: Step, sink: &mut Sink) -> Result<(), Failure> {
        let (file, size) = (self.open)(&self.plan.paths[step.path])?;
        let (block, threads) = (self.plan.block, self.shares.len());
        let crew = match &self.crew {
            Some(crew) if !sink.verifies() => crew,
            // The CRC wants the bytes in their order.
            _ => {
                return self.shares.iter().enumerate().try_for_each(|(number, share)| {
                    (lock(share).read)(&file, part_of(size, block, number, threads), sink)
                });
            }
        };
        crew.share(&|number| {
            let mut share = lock(&self.shares[number]);
            let range = part_of(size, block, number, threads);
            let mut sink = Sink::starting_at(range.start);
            share.outcome = (share.read)(&file, range, &mut sink).map(|()| sink);
        });
        for (number, share) in self.shares.iter().enumerate() {
            let found = lock(share).outcome?;
            sink.bytes += found.bytes - part_of(size, block, number, threads).start as u64;
            sink.digest += found.digest;
        }
        Ok(())
    }
}

/// The part of a thread: whole blocks, and up to the end for the last.
pub(crate) fn part_of(size: usize, block: usize, number: usize, threads: usize) -> Range<usize> {
    let blocks = size.div_ceil(block);
    let start = |number| (blocks / threads * number + blocks % threads * number / threads) * block;
    start(number).min(size)..start(number + 1).min(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_each_other_begin_at_blocks_and_make_the_whole() {
        for (size, block) in [(0, 1), (1, 4096), (4096, 4096), (100_000, 4096), (99_999, 1000)] {
            for threads in [1, 2, 3, 7, 64] {
                let parts: Vec<Range<usize>> =
                    (0..threads).map(|number| part_of(size, block, number, threads)).collect();
                assert_eq!((parts[0].start, parts[threads - 1].end), (0, size));
                assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start), "{parts:?}");
                assert!(parts.iter().all(|p| p.start == size || p.start.is_multiple_of(block)), "{parts:?}");
            }
        }
    }
}
