//! How long it has taken and may take yet, in words and as bars.

use super::{LiveState, Pass};
use crate::wrap::width;
use std::time::Duration;

/// Columns of a bar, where there is room.
const BAR_COLUMNS: usize = 24;
/// Columns of the words before a bar.
const LABEL_COLUMNS: usize = 7;

/// What a run may take yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeLeft {
    /// Its time passes together at most; what else it does is not known.
    Timing(Duration),
    /// All that it does, when each comparison takes what those before it took beside its time pass.
    All(Duration),
}

/// The times of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiveClock {
    /// Since it began.
    pub elapsed: Duration,
    /// That it may take at most; `None` where nothing tells.
    pub left: Option<TimeLeft>,
    /// That the time pass of this comparison has taken, and what it was given.
    pub timing: Option<(Duration, Duration)>,
    /// True when this comparison is all that is left.
    pub last: bool,
}

impl LiveClock {
    /// True when the time pass has used up its time.
    pub(super) fn is_over(&self) -> bool {
        self.timing.is_some_and(|(elapsed, budget)| elapsed >= budget)
    }
}

/// The bar of the comparison; none where it would say what the run's says.
pub(super) fn comparison_line(state: &LiveState<'_>, columns: usize) -> Option<String> {
    let (elapsed, budget) = state.clock.timing.filter(|_| !state.clock.last)?;
    Some(line("here", elapsed.div_duration_f64(budget), &here(elapsed, budget), columns))
}

/// The bar of the whole run.
pub(super) fn run_line(state: &LiveState<'_>, columns: usize) -> Option<String> {
    let LiveClock { elapsed, left, .. } = state.clock;
    let words = run(elapsed, left);
    let share = match left {
        Some(TimeLeft::Timing(left) | TimeLeft::All(left)) => {
            Some(elapsed.div_duration_f64((elapsed + left).max(Duration::from_millis(1))))
        }
        None => state.pass.done(),
    };
    match share {
        Some(share) => Some(line("run", share, &words, columns)),
        // A time that stands still between two events tells nothing.
        None if state.pass == Pass::Starting => None,
        None => Some(format!("{:LABEL_COLUMNS$}{words}", "run")),
    }
}

/// Both in words.
pub(super) fn words(state: &LiveState<'_>) -> String {
    let here = state.clock.timing.map(|(elapsed, budget)| here(elapsed, budget));
    let run = run(state.clock.elapsed, state.clock.left);
    here.map_or_else(|| format!("run {run}"), |here| format!("here {here}; run {run}"))
}

fn here(elapsed: Duration, budget: Duration) -> String {
    match budget.checked_sub(elapsed).filter(|left| !left.is_zero()) {
        Some(left) => format!("{}, at most {} left", short(elapsed, false), short(left, true)),
        None => format!("{}, over its {}", short(elapsed, false), short(budget, false)),
    }
}

fn run(elapsed: Duration, left: Option<TimeLeft>) -> String {
    let elapsed = short(elapsed, false);
    match left {
        Some(TimeLeft::Timing(left)) => format!("{elapsed}, at most {} of timing left", short(left, true)),
        Some(TimeLeft::All(left)) => format!("{elapsed}, at most about {} left", short(left, true)),
        None => elapsed,
    }
}

fn line(label: &str, share: f64, words: &str, columns: usize) -> String {
    let room = columns.saturating_sub(LABEL_COLUMNS + 2 + width(words)).min(BAR_COLUMNS);
    let bar = if room < BAR_COLUMNS / 3 { String::new() } else { format!("{}  ", bar(share, room)) };
    format!("{label:LABEL_COLUMNS$}{bar}{words}")
}

fn bar(share: f64, columns: usize) -> String {
    let full = (0..columns).filter(|&column| (column as f64 + 0.5) / columns as f64 <= share).count();
    format!("{}{}", "█".repeat(full), "░".repeat(columns - full))
}

/// `12 s`, `3 min 5 s`, `1 h 10 min`: whole seconds, rounded down or `up`.
fn short(time: Duration, up: bool) -> String {
    let seconds = time.as_secs() + u64::from(up && time.subsec_nanos() > 0);
    let two = |large: u64, unit: &str, small: u64, smaller: &str| match small {
        0 => format!("{large} {unit}"),
        _ => format!("{large} {unit} {small} {smaller}"),
    };
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => two(seconds / 60, "min", seconds % 60, "s"),
        _ => two(seconds / 3600, "h", seconds % 3600 / 60, "min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short_and_what_is_left_is_never_nothing() {
        let shown = |ms, up| short(Duration::from_millis(ms), up);
        assert_eq!([shown(400, false), shown(400, true), shown(12_900, false)], ["0 s", "1 s", "12 s"]);
        assert_eq!([shown(60_000, true), shown(65_000, true)], ["1 min", "1 min 5 s"]);
        assert_eq!([shown(3_600_000, false), shown(4_210_000, false)], ["1 h", "1 h 10 min"]);
    }

    #[test]
    fn a_bar_is_full_at_the_end_and_not_before() {
        assert_eq!([bar(0.0, 4), bar(0.5, 4), bar(0.8, 4)], ["░░░░", "██░░", "███░"]);
        assert_eq!([bar(1.0, 4), bar(7.0, 4), bar(f64::NAN, 4)], ["████", "████", "░░░░"]);
    }
}
