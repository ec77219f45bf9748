//! How many operations a batch has: about 100 µs of the slowest arm that is near
//! the baseline, the same number for all arms (METHOD.md, step 2), except that
//! arms for which so many would take too long have a fraction of it. Pure.

/// A batch aims at this.
const AIM_NS: f64 = 100_000.0;
/// No batch is longer than this, unless one operation is.
const CAP_NS: f64 = 300_000.0;
/// Fewer operations only when the cap forces it.
const LEAST_OPERATIONS: f64 = 8.0;
/// In a runtime that compiles as it goes.
const LEAST_OPERATIONS_JIT: f64 = 32.0;
/// A batch is at least this many times the clock's resolution.
const RESOLUTIONS: f64 = 1000.0;
/// A batch is at least this many times the cost of an empty one.
const EMPTY_BATCHES: f64 = 200.0;

/// Arms up to so many times as slow as the baseline share its batch length.
const NEAR: f64 = 4.0;

/// The batch lengths of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BatchPlan {
    /// Operations of a batch.
    pub(crate) operations: u32,
    /// For each arm, what that number is divided by.
    pub(crate) divisors: Vec<u32>,
}

/// Plans batches from the cost of one operation of each arm, in ns. The costs
/// of loops (`None`) decide nothing.
pub(crate) fn plan_batches(arms_ns: &[Option<f64>], baseline_ns: f64, costs: BatchCosts) -> BatchPlan {
    let near = arms_ns.iter().flatten().copied().filter(|&ns| ns <= NEAR * baseline_ns);
    let slowest_ns = near.fold(baseline_ns, f64::max);
    let operations = operations_per_batch(BatchCosts { slowest_ns, ..costs });
    let divisors = arms_ns.iter().map(|ns| ns.map_or(1, |ns| divisor(operations, ns))).collect();
    BatchPlan { operations, divisors }
}

/// The smallest power of two that brings a batch under the cap.
fn divisor(operations: u32, ns: f64) -> u32 {
    let mut divisor = 1;
    while divisor < operations && f64::from(operations / divisor) * ns > CAP_NS {
        divisor *= 2;
    }
    divisor
}

/// What decides the batch length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BatchCosts {
    /// Cost of one operation of the slowest arm, in ns.
    pub(crate) slowest_ns: f64,
    /// Cost of a batch of no operations: two readings of the clock, in ns.
    pub(crate) empty_ns: f64,
    /// The clock's resolution, in ns.
    pub(crate) resolution_ns: f64,
    /// Whether some arm's runtime compiles as it goes.
    pub(crate) jit: bool,
}

/// Operations per batch.
fn operations_per_batch(costs: BatchCosts) -> u32 {
    if costs.slowest_ns >= CAP_NS {
        return 1;
    }
    let shortest_ns = (RESOLUTIONS * costs.resolution_ns).max(EMPTY_BATCHES * costs.empty_ns);
    let least = if costs.jit { LEAST_OPERATIONS_JIT } else { LEAST_OPERATIONS };
    let wanted = (AIM_NS.max(shortest_ns) / costs.slowest_ns).max(least);
    let most = (CAP_NS / costs.slowest_ns).floor().max(1.0);
    to_count(wanted.min(most).round())
}

/// Many more than anybody waits for.
const MOST: f64 = 1e7;

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn to_count(operations: f64) -> u32 {
    operations.clamp(1.0, MOST) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operations(slowest_ns: f64) -> u32 {
        let costs = BatchCosts { slowest_ns, empty_ns: 50.0, resolution_ns: 1.0, jit: false };
        operations_per_batch(costs)
    }

    #[test]
    fn a_batch_is_about_100_us_of_the_slowest_arm() {
        assert_eq!(operations(2000.0), 50);
        assert_eq!(operations(100.0), 1000);
    }

    #[test]
    fn eight_operations_unless_the_cap_forbids() {
        assert_eq!(operations(20_000.0), 8);
        assert_eq!(operations(60_000.0), 5);
        assert_eq!(operations(300_000.0), 1);
        assert_eq!(operations(5e9), 1);
    }

    #[test]
    fn a_coarse_clock_asks_for_longer_batches_up_to_the_cap() {
        let coarse = BatchCosts { slowest_ns: 1000.0, empty_ns: 50.0, resolution_ns: 200.0, jit: false };
        assert_eq!(operations_per_batch(coarse), 200);
        let coarser = BatchCosts { resolution_ns: 1e6, ..coarse };
        assert_eq!(operations_per_batch(coarser), 300);
    }

    #[test]
    fn slow_arms_do_not_shorten_the_batches_of_the_others() {
        let costs = BatchCosts { slowest_ns: 0.0, empty_ns: 50.0, resolution_ns: 1.0, jit: false };
        let arms = [Some(1000.0), Some(3000.0), Some(20_000.0), Some(500_000.0), None];
        let plan = plan_batches(&arms, 1000.0, costs);
        assert_eq!(plan.operations, 33);
        assert_eq!(plan.divisors, [1, 1, 4, 64, 1]);
        let near = plan_batches(&arms[..2], 1000.0, costs);
        assert_eq!(near.divisors, [1, 1]);
    }

    #[test]
    fn a_free_operation_does_not_overflow() {
        assert_eq!(operations(0.0), 10_000_000);
    }
}
