//! The least time that a batch can take: its operations make the calls that the count pass saw, and
//! each call enters the kernel and leaves it.
//!
//! A driver that is accused has lied or has a broken clock, so the bound is one that no honest one
//! comes near. It is no measured one: a call that Fathom times may cost it many times what it costs
//! a driver (a tracer of Fathom alone, a slower CPU, a lower frequency).

use fathom_model::{CallCount, CountPass};
use std::time::Instant;

/// No processor enters the kernel and returns in less: the two instructions alone take some sixty
/// cycles, and the cheapest call that was ever measured on one takes five times this.
const CALL_NS: f64 = 5.0;
/// What a call and a reading of the clock take at least together, where a clock has steps as long
/// as calls.
const CALL_AND_CLOCK_NS: f64 = 40.0;
/// A driver's clock may be as much coarser than ours.
const SLACK_NS: f64 = 1000.0;

/// The calls of one method's operation, as far as they follow each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LeastTime {
    calls_per_operation: f64,
    /// The steps of the clock, in ns.
    clock_step_ns: f64,
}

impl LeastTime {
    /// By what the count pass saw; `None` where its operations make no calls, or were not all seen.
    pub(crate) fn from_counts(pass: &CountPass, clock_step_ns: f64) -> Option<Self> {
        // Threads make theirs at the same time.
        let threads = f64::from(pass.threads.max(1));
        let calls_per_operation = pass.inside.iter().map(fewest_per_operation).sum::<f64>() / threads;
        let is_known = pass.missing.is_none() && calls_per_operation > 0.0;
        is_known.then_some(Self { calls_per_operation, clock_step_ns })
    }

    /// Checks what a driver says that a batch took; the error says what cannot be.
    pub(crate) fn check(&self, ns: u64, operations: u32) -> Result<(), String> {
        let calls = self.calls_per_operation * f64::from(operations);
        let (least_ns, said_ns) = (calls * CALL_NS, ns as f64);
        if ns == 0 && calls >= 1.0 && calls * CALL_AND_CLOCK_NS > self.clock_step_ns {
            return Err(format!("a batch of {} took 0 ns", self.work(operations)));
        }
        if said_ns + SLACK_NS.max(2.0 * self.clock_step_ns) < least_ns {
            let words = "and no processor enters the kernel and leaves it in less than";
            return Err(format!("a batch of {} took {ns} ns, {words} {CALL_NS} ns", self.work(operations)));
        }
        Ok(())
    }

    fn work(&self, operations: u32) -> String {
        let calls = self.calls_per_operation;
        format!("{operations} operations, each with {calls} system calls one after the other,")
    }
}

/// The shortest step that the clock was seen to make.
pub(crate) fn clock_step_ns() -> f64 {
    const READINGS: u32 = 1000;
    let step = |_| {
        let before = Instant::now();
        std::iter::repeat_with(|| before.elapsed()).take(READINGS as usize).find(|passed| !passed.is_zero())
    };
    let least = (0..READINGS).filter_map(step).min().unwrap_or_default();
    least.as_nanos() as f64
}

fn fewest_per_operation(count: &CallCount) -> f64 {
    let fewest = count.differences.iter().copied().min().unwrap_or(0).max(0);
    fewest as f64 / count.operations.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINE_NS: f64 = 20.0;

    fn pass(threads: u32, differences: &[&[i64]]) -> CountPass {
        let inside = differences.iter().map(|differences| CallCount {
            call: "read".into(),
            errno: None,
            differences: differences.to_vec(),
            operations: 10,
        });
        CountPass {
            run_lengths: [10, 20],
            repetitions: 2,
            inside: inside.collect(),
            background: Vec::new(),
            outside: Vec::new(),
            recipe: Vec::new(),
            threads,
            missing: None,
        }
    }

    fn least(threads: u32, differences: &[&[i64]]) -> Option<LeastTime> {
        LeastTime::from_counts(&pass(threads, differences), FINE_NS)
    }

    #[test]
    fn a_batch_takes_five_ns_for_each_call_at_least() {
        let least = least(1, &[&[10, 10], &[20, 20]]).unwrap();
        assert_eq!(least.check(14_001, 1000), Ok(()), "a µs of slack");
        let error = least.check(13_000, 1000).unwrap_err();
        assert!(error.starts_with("a batch of 1000 operations, each with 3 system calls"), "{error}");
        assert_eq!(least.check(1, 1), Ok(()));
    }

    #[test]
    fn no_time_at_all_is_enough_for_no_call() {
        let least = least(1, &[&[10]]).unwrap();
        assert!(least.check(0, 1).unwrap_err().contains("took 0 ns"));
        let coarse = LeastTime { clock_step_ns: 50.0, ..least };
        assert_eq!(coarse.check(0, 1), Ok(()), "the clock may not have moved");
        assert!(coarse.check(0, 2).is_err());
    }

    #[test]
    fn the_fewest_calls_count_and_those_of_threads_are_shared() {
        for (threads, differences) in [(1, [30, 10]), (4, [40, 40])] {
            let calls = least(threads, &[&differences]).unwrap().calls_per_operation;
            assert!((calls - 1.0).abs() < 1e-9, "{calls}");
        }
        assert_eq!(least(1, &[&[0, 5], &[-3]]), None);
        let cut = CountPass { missing: Some("interrupted".into()), ..pass(1, &[&[10]]) };
        assert_eq!(LeastTime::from_counts(&cut, FINE_NS), None);
    }

    #[test]
    fn the_clock_has_a_step() {
        let step = clock_step_ns();
        assert!(step > 0.0, "{step}");
    }
}
