//! From what the hook noted to what the witness is told: the records of all threads in the order of
//! their returns, and time stamps as times.

use super::arena::{Copies, Record};
use super::recorded::Recorded;
use super::{Hook, Thread, block, locked, site};
use crate::call::Call;
use crate::witness::{Returned, Witness};
use fathom_stacks::Registers;
use fathom_sys::clock::time_stamp;
use rustix::process::Pid;
use std::cell::Cell;
use std::ops::Range;
use std::time::{Duration, Instant};

/// What was copied out and is told now; kept, since there is more of it every 0.2 ms.
#[derive(Default)]
pub(super) struct Drained {
    bytes: Vec<u8>,
    /// When each call returned, who made it, and where its record is.
    records: Vec<(u64, i32, Range<usize>)>,
}

/// When time began, by both clocks.
pub(super) struct Clock(Instant, u64);

/// Both clocks now, and how long a tick is, in 2^-32 ns.
#[derive(Clone, Copy)]
pub(super) struct Now {
    at: Instant,
    stamp: u64,
    tick: u64,
}

impl Clock {
    pub(super) fn start() -> Self {
        Self(Instant::now(), time_stamp())
    }

    /// The length of a tick is what passed since the beginning by both clocks.
    pub(super) fn now(&self) -> Now {
        let (at, stamp) = (Instant::now(), time_stamp());
        let ticks = u128::from(stamp.saturating_sub(self.1).max(1));
        let tick = (at.duration_since(self.0).as_nanos() << 32) / ticks;
        Now { at, stamp, tick: u64::try_from(tick).unwrap_or(u64::MAX) }
    }
}

impl Now {
    pub(super) fn span(&self, ticks: u64) -> Duration {
        let ns = (u128::from(ticks) * u128::from(self.tick)) >> 32;
        Duration::from_nanos(u64::try_from(ns).unwrap_or(u64::MAX))
    }

    /// The time at an earlier stamp.
    fn time_of(&self, stamp: u64) -> Instant {
        self.at.checked_sub(self.since(stamp)).unwrap_or(self.at)
    }

    /// How long ago a stamp was taken.
    pub(super) fn since(&self, stamp: u64) -> Duration {
        self.span(self.stamp.saturating_sub(stamp))
    }

    pub(super) fn instant(&self) -> Instant {
        self.at
    }
}

impl Hook {
    /// Tells of all calls that were made so far, in the order of their returns. What returns while
    /// blocks are read waits for the next time: the call that it rests on may be in a block that was
    /// read already. False when there was nothing to tell.
    pub(crate) fn drain(&mut self, witness: &mut dyn Witness) -> bool {
        let mut drained = std::mem::take(&mut self.drained);
        drained.bytes.clear();
        drained.records.clear();
        let until = time_stamp();
        for tid in &self.with_block {
            let Some(thread) = self.threads.get_mut(tid) else { continue };
            let Some((block, read)) = &mut thread.block else { continue };
            let Some(arena) = self.spaces.get(&thread.space).and_then(|space| space.arena.as_ref()) else {
                continue;
            };
            let Drained { bytes, records } = &mut drained;
            *read = locked(arena).copy_records((*block, *read), until, bytes, |returned, range| {
                records.push((returned, *tid, range));
            });
        }
        let is_any = !drained.records.is_empty();
        if is_any {
            // Those of one thread lie one behind the other.
            drained.records.sort_unstable_by_key(|(returned, tid, range)| (*returned, *tid, range.start));
            let now = self.clock.now();
            for (returned, tid, range) in &drained.records {
                let record = Record::from(&drained.bytes[range.clone()]);
                self.tally.hooked += 1;
                self.count_treated(*tid, &record, &now);
                self.tell(*tid, &record, (*returned, &now), witness);
                if self.plan.page.stacks && witness.needs_stops(*tid) {
                    self.leave_alone(*tid);
                }
            }
        }
        self.drained = drained;
        is_any
    }

    pub(super) fn count_treated(&mut self, tid: i32, record: &Record<'_>, now: &Now) {
        if let Some(elides) = self.elides_in_windows() {
            self.windows.noted(tid, record, elides);
        }
        if self.plan.treated.is_empty() || record.half(block::TREATED) == 0 {
            return;
        }
        let name = Call { number: record.word(block::RECORD_NUMBER), foreign: false }.name().into_owned();
        let took = now.span(record.word(block::TREATED_TICKS));
        let is = |bit: u32| u64::from(record.half(block::TREATED) & u64::from(bit) != 0);
        let treated = self.tally.treated.entry(name).or_default();
        treated.calls += 1;
        treated.times += record.half(block::TIMES);
        treated.took += took;
        treated.known += is(block::IS_KNOWN);
        treated.differing += is(block::IS_ANOTHER);
    }

    fn tell(&self, tid: i32, record: &Record<'_>, (returned, now): (u64, &Now), witness: &mut dyn Witness) {
        let (arguments, number) = (record.arguments(), record.word(block::RECORD_NUMBER));
        let copied = self.plan.copied.get(&number).copied().unwrap_or_default();
        let positions = [copied.paths[0], copied.paths[1], copied.left.map(|(position, _)| position)];
        let addresses = positions.map(|position| position.map_or(0, |position| arguments[position]));
        let pieces = record.pieces();
        let (registers, stack) = self.stack_of(tid, record).unzip();
        let [first, second, left] = std::array::from_fn(|which| (addresses[which], pieces[which]));
        let memory = Copies([first, second, left, stack.unwrap_or_default()]);
        let recorded =
            Recorded { memory, pid: Pid::from_raw(tid), registers, stack_was_short: Cell::new(false) };
        witness.returned(
            tid,
            &Returned {
                call: Call { number, foreign: false },
                arguments,
                result: record.word(block::RECORD_RESULT).cast_signed(),
                at: now.time_of(returned),
                took: now.span(returned.saturating_sub(record.word(block::BEGAN))),
                tracee: &recorded,
            },
        );
        if recorded.stack_was_short.get()
            && let Some(Thread { space, block: Some((block, _)), .. }) = self.threads.get(&tid)
            && let Some(arena) = self.spaces.get(space).and_then(|space| space.arena.as_ref())
        {
            // Its next call stops, and tells how far up the stack goes.
            let arena = locked(arena);
            arena.set_stack(*block, u64::MAX, arena.load(*block, block::STACK_HIGH));
        }
    }

    /// From where the stack of a record is walked, and its bytes with their address.
    fn stack_of<'r>(&self, tid: i32, record: &'r Record<'_>) -> Option<(Registers, (u64, &'r [u8]))> {
        if !self.plan.page.stacks {
            return None;
        }
        let (frame_pointer, stack_pointer, slow, bytes) = record.stack()?;
        let space = self.spaces.get(&self.threads.get(&tid)?.space)?;
        let trampoline = space.trampolines.get(&slow.wrapping_sub(site::SLOW))?;
        let program_counter = trampoline.site + 2;
        Some((Registers { program_counter, stack_pointer, frame_pointer }, (stack_pointer, bytes)))
    }
}
