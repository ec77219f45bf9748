//! Whether forks fit into the time given: from what the first operations took, and from the
//! forks so far. Reads no clock.

use std::time::Duration;

/// An operation that takes so long is measured one by one, without a calibration.
const LONG: Duration = Duration::from_millis(250);
/// A run that keeps its time ends within so many budgets, …
const KEPT: f64 = 1.5;
/// … and this for what its driver processes need to start: set-up, however short the budget.
const SET_UP: Duration = Duration::from_secs(2);
/// Another waits so many for enough forks for an interval.
const PATIENCE: f64 = 3.0;
/// Starting the driver processes of a fork, and what they compile.
const START: Duration = Duration::from_millis(300);
/// Times that a fork runs every arm at least: once to bring in code and memory, once measured.
const ROUNDS: f64 = 2.0;

/// What bounds a time pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pace {
    budget: Duration,
    /// The user asked for the budget, so that it has to be kept.
    keeps: bool,
    /// Seconds of one operation of every arm, one after the other.
    round_s: f64,
    slowest_s: f64,
    /// The longest warm-up of a fork.
    warm_up: Duration,
}

impl Pace {
    /// Of arms whose first operations took so long, in ns.
    pub(crate) fn new(budget: Duration, keeps: bool, arms_ns: &[f64], warm_up: Duration) -> Self {
        let round_s = arms_ns.iter().sum::<f64>() / 1e9;
        let slowest_s = arms_ns.iter().copied().fold(0.0, f64::max) / 1e9;
        Self { budget, keeps, round_s, slowest_s, warm_up }
    }

    /// True when an operation is so long that a batch holds one.
    pub(crate) fn is_long(&self) -> bool {
        self.slowest_s >= LONG.as_secs_f64()
    }

    /// After this long no further fork begins, and none goes on.
    pub(crate) fn limit(&self) -> Duration {
        if self.keeps { self.budget.mul_f64(KEPT) + SET_UP } else { self.budget.mul_f64(PATIENCE) }
    }

    /// What one fork takes, which is the least; without long operations the most it can take.
    pub(crate) fn least(&self) -> Duration {
        let warm_up = if self.is_long() { Duration::ZERO } else { self.warm_up };
        START + warm_up + seconds(self.round_s * ROUNDS)
    }

    /// False when the user's time is over before the least is done.
    pub(crate) fn can_be_kept(&self) -> bool {
        !self.keeps || self.least() <= self.limit()
    }

    /// What the time pass will take, by and large.
    pub(crate) fn expected(&self) -> Duration {
        self.budget.max(self.least())
    }

    /// Whether another fork that takes so many seconds ends in time.
    pub(crate) fn has_time_for(&self, elapsed: Duration, fork_s: f64) -> bool {
        !self.keeps || elapsed + seconds(fork_s) <= self.limit()
    }

    /// How many of the wanted blocks fit, one at least.
    pub(crate) fn blocks(&self, wanted: u32, elapsed: Duration, block_s: Option<f64>) -> u32 {
        let Some(block_s) = block_s.filter(|seconds| self.keeps && *seconds > 0.0) else { return wanted };
        let left = self.limit().saturating_sub(elapsed).as_secs_f64();
        (1..wanted)
            .rev()
            .find(|&blocks| f64::from(blocks) * block_s <= left)
            .map_or(1, |blocks| if f64::from(wanted) * block_s <= left { wanted } else { blocks })
    }
}

fn seconds(number: f64) -> Duration {
    Duration::try_from_secs_f64(number.max(0.0)).unwrap_or(Duration::MAX / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEN: Duration = Duration::from_secs(10);

    fn of(keeps: bool, arms_ns: &[f64]) -> Pace {
        Pace::new(TEN, keeps, arms_ns, Duration::from_secs(2))
    }

    /// Forks of the pace against a clock that is counted, not read.
    fn ends_at(pace: &Pace, fork_s: f64, forks: u32) -> f64 {
        let mut clock = 0.0;
        for number in 0..forks {
            if number > 0 && !pace.has_time_for(seconds(clock), fork_s) {
                break;
            }
            clock += fork_s;
        }
        clock
    }

    #[test]
    fn forks_end_within_one_and_a_half_budgets_and_set_up_where_the_time_is_kept() {
        for fork_s in [0.3, 1.0, 4.0, 7.0, 14.0] {
            let end = ends_at(&of(true, &[1e6]), fork_s, 300);
            assert!((fork_s..=17.0).contains(&end), "{fork_s}: {end}");
        }
        assert!(ends_at(&of(false, &[1e6]), 7.0, 5) > 30.0, "nobody asked");
    }

    #[test]
    fn what_cannot_be_kept_is_known_before_the_first_fork() {
        let long = of(true, &[2e9, 1.5e9, 1e9, 2e9, 3e9]);
        assert!(long.is_long() && !long.can_be_kept());
        assert_eq!(long.least(), Duration::from_millis(300 + 2 * 9500));
        assert_eq!(long.expected(), long.least());
        assert!(of(false, &[2e9, 1.5e9, 1e9, 2e9, 3e9]).can_be_kept(), "nobody asked");
        let short = of(true, &[2e9, 1e9]);
        assert!(short.can_be_kept() && short.expected() == TEN);
        let small = of(true, &[5e3; 40]);
        assert!(!small.is_long() && small.can_be_kept());
        assert!(small.least() > Duration::from_secs(2), "its warm-up is in it");
    }

    #[test]
    fn blocks_are_as_many_as_fit_and_one_at_least() {
        let pace = of(true, &[1e6]);
        assert_eq!(pace.blocks(30, Duration::ZERO, Some(0.1)), 30);
        assert_eq!(pace.blocks(30, Duration::from_secs(16), Some(0.1)), 10);
        assert_eq!(pace.blocks(30, TEN * 2, Some(0.1)), 1);
        assert_eq!(pace.blocks(30, TEN * 2, None), 30);
        assert_eq!(of(false, &[1e6]).blocks(30, TEN * 9, Some(1.0)), 30);
    }
}
