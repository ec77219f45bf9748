//! A clock that stands while threads of the program are held up: what a rule makes of the time between two calls
//! must not depend on which of them were looked at.

/// What is known of the time around a call at whose return its thread was stopped, in ns of the kernel's clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct HeldUp {
    /// How long the thread had waited for a CPU since it was last stopped: it waits for one when it is let go.
    pub(super) waited_ns: u64,
    /// When it was let go.
    pub(super) until_ns: u64,
}

/// Times of calls, in the order of their records.
#[derive(Debug, Default)]
pub(super) struct StandingClock {
    /// All until then that was held up is in the sum.
    until_ns: u64,
    sum_ns: u64,
}

impl StandingClock {
    /// When a call returned by this clock, of one that returned then.
    pub(super) fn at(&self, time_ns: u64) -> u64 {
        time_ns.max(self.until_ns).saturating_sub(self.sum_ns)
    }

    /// Somebody was held up until then. What overlaps counts once, so that the clock never goes back.
    pub(super) fn stand(&mut self, from_ns: u64, until_ns: u64) {
        let from_ns = from_ns.max(self.until_ns);
        if until_ns > from_ns {
            self.sum_ns += until_ns - from_ns;
            self.until_ns = until_ns;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_stands_while_somebody_is_held_up() {
        let mut clock = StandingClock::default();
        assert_eq!(clock.at(100), 100);
        clock.stand(100, 150);
        assert_eq!([clock.at(100), clock.at(130), clock.at(150), clock.at(170)], [100, 100, 100, 120]);
    }

    #[test]
    fn two_that_are_held_up_at_once_count_once_and_the_clock_never_goes_back() {
        let mut clock = StandingClock::default();
        clock.stand(100, 150);
        let before = clock.at(160);
        clock.stand(120, 160);
        clock.stand(50, 140);
        assert_eq!((before, clock.at(160), clock.at(200)), (110, 100, 140));
        assert!(clock.at(150) >= 100, "what was said before is not later");
    }
}
