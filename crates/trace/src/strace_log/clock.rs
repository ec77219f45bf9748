//! From the times that lines tell to time since the trace began.

use super::line::Stamp;

const DAY_NS: u64 = 86_400_000_000_000;

/// Follows the times of a log.
#[derive(Debug, Default)]
pub(super) struct Clock {
    began_ns: Option<u64>,
    days: u64,
    last_ns: u64,
}

impl Clock {
    /// The time of a line, in ns since the first; 0 in a log without times.
    pub(super) fn at_ns(&mut self, stamp: Stamp) -> u64 {
        let now_ns = match stamp {
            Stamp::None => return 0,
            Stamp::SinceLast(ns) => self.last_ns.saturating_add(ns),
            Stamp::Epoch(ns) => ns,
            Stamp::TimeOfDay(ns) => {
                let today_ns = |days: u64| days.saturating_mul(DAY_NS).saturating_add(ns);
                // Far back is after midnight; a little back is the clock being set.
                if today_ns(self.days).saturating_add(DAY_NS / 2) < self.last_ns {
                    self.days += 1;
                }
                today_ns(self.days)
            }
        };
        self.last_ns = now_ns;
        now_ns.saturating_sub(*self.began_ns.get_or_insert(now_ns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_begin_with_the_first_line() {
        let mut clock = Clock::default();
        let hours = |hours: u64| Stamp::TimeOfDay(hours * DAY_NS / 24);
        assert_eq!(
            [clock.at_ns(hours(23)), clock.at_ns(hours(1)), clock.at_ns(hours(2))],
            [0, DAY_NS / 12, DAY_NS / 8]
        );
        let mut clock = Clock::default();
        assert_eq!([5, 7, 1].map(|ns| clock.at_ns(Stamp::SinceLast(ns))), [0, 7, 8]);
        let mut clock = Clock::default();
        assert_eq!([500, 700].map(|ns| clock.at_ns(Stamp::Epoch(ns))), [0, 200]);
        assert_eq!(clock.at_ns(Stamp::None), 0);
    }
}
