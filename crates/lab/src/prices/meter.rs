//! The clocks around a batch of calls. Between the two readings of the CPU clock,
//! which are system calls, nothing happens but the batch and two readings of
//! `CLOCK_MONOTONIC`, which are none.

use super::refusal::Refusal;
use fathom_model::CallCondition;
use fathom_stats::median;
use fathom_sys::clock::{monotonic_ns, thread_cpu_ns};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

/// Rounds of the empty loop in one batch of it.
const LOOP_ROUNDS: u32 = 1000;

/// What a batch took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Batch {
    wall_ns: f64,
    cpu_ns: f64,
}

/// The price of one condition as one process found it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Taken {
    pub(super) condition: CallCondition,
    pub(super) wall_ns: f64,
    pub(super) cpu_ns: f64,
}

/// A batch as it lies between two readings of the CPU clock, for tests that look
/// at the process from outside: what was called how often; empty for the meter's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Logged {
    pub(super) call: String,
    pub(super) errno: Option<String>,
    pub(super) calls: u32,
}

/// Batches of every condition, and of nothing at all.
#[derive(Debug, Default)]
pub(super) struct Meter {
    taken: Vec<(CallCondition, Vec<(Batch, u32)>)>,
    /// Batches of no round at all: what the clocks themselves take.
    clocks: Vec<Batch>,
    /// Batches of the empty loop.
    loops: Vec<Batch>,
    log: Option<Vec<Logged>>,
    keeps: bool,
}

impl Meter {
    /// A meter; `logging` keeps the order of all batches.
    pub(super) fn new(logging: bool) -> Self {
        Self { log: logging.then(Vec::new), ..Self::default() }
    }

    /// Whether batches count from now on, or only warm up.
    pub(super) fn set_keeping(&mut self, keeps: bool) {
        self.keeps = keeps;
    }

    /// Times one batch of `calls` calls and keeps it.
    pub(super) fn take<E: Into<Refusal>>(
        &mut self,
        condition: &CallCondition,
        calls: u32,
        call: impl FnMut(u32) -> Result<(), E>,
    ) -> Result<(), Refusal> {
        let batch = self.time(condition, calls, call)?;
        self.keep(condition, batch, calls);
        Ok(())
    }

    /// Times one call that submits `operations` to a ring and waits for them, and keeps it as so many.
    pub(super) fn take_at_once<E: Into<Refusal>>(
        &mut self,
        condition: &CallCondition,
        operations: u32,
        call: impl FnOnce() -> Result<(), E>,
    ) -> Result<(), Refusal> {
        let mut call = Some(call);
        let entered = CallCondition::new("io_uring_enter", condition.form.clone());
        let batch = self.time(&entered, 1, |_| call.take().map_or(Ok(()), |call| call()))?;
        self.keep(condition, batch, operations);
        Ok(())
    }

    /// Times one batch without keeping it.
    pub(super) fn time<E: Into<Refusal>>(
        &mut self,
        condition: &CallCondition,
        calls: u32,
        mut call: impl FnMut(u32) -> Result<(), E>,
    ) -> Result<Batch, Refusal> {
        let (batch, outcome) = clocked(calls, &mut call);
        if let Some(log) = &mut self.log {
            let calls = if condition.is_call() && outcome.is_ok() { calls } else { 0 };
            log.push(Logged {
                call: condition.call.clone(),
                errno: condition.errno().map(str::to_owned),
                calls,
            });
        }
        outcome.map_err(Into::into)?;
        Ok(batch)
    }

    /// Keeps a batch as one of `events` events.
    pub(super) fn keep(&mut self, condition: &CallCondition, batch: Batch, events: u32) {
        if !self.keeps || events == 0 {
            return;
        }
        match self.taken.iter_mut().find(|(known, _)| known == condition) {
            Some((_, batches)) => batches.push((batch, events)),
            None => self.taken.push((condition.clone(), vec![(batch, events)])),
        }
    }

    /// Times nothing, and the empty loop.
    pub(super) fn take_overhead(&mut self) {
        let mut nothing = |number| {
            std::hint::black_box(number);
            Ok::<(), Errno>(())
        };
        let clocks = clocked(0, &mut nothing).0;
        let empty = clocked(LOOP_ROUNDS, &mut nothing).0;
        if let Some(log) = &mut self.log {
            let none = Logged { call: "loop".to_owned(), errno: None, calls: 0 };
            log.extend([none.clone(), none]);
        }
        if self.keeps {
            self.clocks.push(clocks);
            self.loops.push(empty);
        }
    }

    /// Whether a condition has been taken so far.
    pub(super) fn has(&self, condition: &CallCondition) -> bool {
        self.taken.iter().any(|(known, _)| known == condition)
    }

    /// The price of a condition so far: the median of its batches, without what
    /// the clocks and the loop take.
    pub(super) fn price(&self, condition: &CallCondition) -> Option<Taken> {
        let (_, batches) = self.taken.iter().find(|(known, _)| known == condition)?;
        self.priced(condition, batches)
    }

    /// All prices.
    pub(super) fn prices(&self) -> Vec<Taken> {
        self.taken.iter().filter_map(|(condition, batches)| self.priced(condition, batches)).collect()
    }

    /// The batches in order, where they were to be logged.
    pub(super) fn into_log(self) -> Option<Vec<Logged>> {
        self.log
    }

    fn priced(&self, condition: &CallCondition, batches: &[(Batch, u32)]) -> Option<Taken> {
        let of = |part: fn(&Batch) -> f64| {
            let clocks = median(&self.clocks.iter().map(part).collect::<Vec<_>>())?;
            let loops = median(&self.loops.iter().map(part).collect::<Vec<_>>())?;
            let round = (loops - clocks) / f64::from(LOOP_ROUNDS);
            let each = |(batch, calls): &(Batch, u32)| (part(batch) - clocks) / f64::from(*calls) - round;
            median(&batches.iter().map(each).collect::<Vec<_>>())
        };
        let (wall_ns, cpu_ns) = (of(|batch| batch.wall_ns)?, of(|batch| batch.cpu_ns)?);
        Some(Taken { condition: condition.clone(), wall_ns, cpu_ns })
    }
}

/// The batch itself.
fn clocked<E>(calls: u32, call: &mut impl FnMut(u32) -> Result<(), E>) -> (Batch, Result<(), E>) {
    let mut outcome = Ok(());
    let cpu_begun = thread_cpu_ns();
    let wall_begun = monotonic_ns();
    for number in 0..calls {
        outcome = call(number);
        if outcome.is_err() {
            break;
        }
    }
    let wall_ended = monotonic_ns();
    let cpu_ended = thread_cpu_ns();
    let batch = Batch { wall_ns: (wall_ended - wall_begun) as f64, cpu_ns: (cpu_ended - cpu_begun) as f64 };
    (batch, outcome)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::CallForm;

    #[test]
    fn what_warms_up_does_not_count_and_overhead_is_taken_off() {
        let condition = CallCondition::new("x", CallForm::default());
        let mut meter = Meter::new(true);
        let batch = |ns: f64| Batch { wall_ns: ns, cpu_ns: ns / 2.0 };
        meter.keep(&condition, batch(1e9), 1);
        assert!(!meter.has(&condition));
        meter.set_keeping(true);
        meter.clocks.push(batch(100.0));
        meter.loops.push(batch(2100.0));
        for ns in [10_100.0, 20_100.0, 90_100.0] {
            meter.keep(&condition, batch(ns), 100);
        }
        let price = meter.price(&condition).unwrap();
        assert!((price.wall_ns - 198.0).abs() < 1e-9 && (price.cpu_ns - 99.0).abs() < 1e-9, "{price:?}");
    }

    #[test]
    fn a_call_that_fails_ends_its_batch_with_the_reason() {
        let mut meter = Meter::new(true);
        let mut made = 0;
        let refusal = meter.take(&CallCondition::new("x", CallForm::default()), 8, |number| {
            made += 1;
            if number == 2 { Err(Errno::NOSPC) } else { Ok(()) }
        });
        assert!(refusal.unwrap_err().to_string().contains("No space left"));
        assert_eq!(made, 3);
        meter.take_overhead();
        let log = meter.into_log().unwrap();
        assert_eq!(log.iter().map(|batch| batch.calls).collect::<Vec<_>>(), [0, 0, 0]);
    }
}
