//! Numbers of calls in little memory: what a loop does comes at equal distances.

use crate::world::PlaceId;

/// So many of the last runs may be continued: a loop makes a few kinds of calls in turn.
const OPEN: usize = 4;

/// Calls at equal distances, of one condition and about one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    /// The index of the condition.
    kind: u32,
    pub(super) place: Option<PlaceId>,
    first: u64,
    last: u64,
    /// 0 of a single call.
    distance: u64,
}

/// Numbers of calls in the order in which they were put in.
#[derive(Debug, Clone, Default)]
pub(super) struct Runs(Vec<Run>);

impl Run {
    /// The index of the condition.
    pub(super) fn kind(&self) -> usize {
        self.kind as usize
    }

    /// How many calls it stands for.
    pub(super) fn count(&self) -> u64 {
        (self.last - self.first).checked_div(self.distance).unwrap_or(0) + 1
    }

    /// Their numbers.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> + use<> {
        let Self { first, distance, .. } = *self;
        (0..self.count()).map(move |at| first + at * distance)
    }

    /// The same calls under another index.
    pub(super) fn of_kind(self, kind: usize) -> Self {
        Self { kind: small(kind), ..self }
    }

    /// The same calls about another place.
    pub(super) fn about(self, place: Option<PlaceId>) -> Self {
        Self { place, ..self }
    }

    fn goes_on(&mut self, number: u64) -> bool {
        let next = number.checked_sub(self.last).filter(|distance| *distance > 0);
        let is_next = next.is_some_and(|distance| self.distance == 0 || self.distance == distance);
        if is_next {
            (self.distance, self.last) = (number - self.last, number);
        }
        is_next
    }
}

impl Runs {
    /// One more call.
    pub(super) fn push(&mut self, kind: usize, place: Option<PlaceId>, number: u64) {
        let kind = small(kind);
        let mut open = self.0.iter_mut().rev().take(OPEN);
        let known = open.find(|run| (run.kind, run.place) == (kind, place));
        if !known.is_some_and(|run| run.goes_on(number)) {
            if self.0.is_empty() {
                // Most claims are of one run.
                self.0.reserve_exact(1);
            }
            self.0.push(Run { kind, place, first: number, last: number, distance: 0 });
        }
    }

    /// All calls of another run.
    pub(super) fn push_run(&mut self, run: Run) {
        self.0.push(run);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Run> {
        self.0.iter()
    }
}

fn small(kind: usize) -> u32 {
    u32::try_from(kind).expect("there are few conditions")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn numbers(runs: &Runs) -> Vec<(usize, u64)> {
        let all = runs.iter().flat_map(|run| run.numbers().map(|number| (run.kind(), number)));
        all.collect()
    }

    #[test]
    fn a_loop_of_three_calls_takes_three_runs() {
        let mut runs = Runs::default();
        (0..3_000).for_each(|number| runs.push(number % 3, None, number as u64));
        assert_eq!((runs.iter().count(), runs.iter().map(Run::count).sum::<u64>()), (3, 3_000));
    }

    proptest! {
        #[test]
        fn no_call_is_lost_or_made_up(pushed in prop::collection::vec((0..3_usize, 0..40_u64), 0..60)) {
            let mut runs = Runs::default();
            for (kind, number) in &pushed {
                runs.push(*kind, None, *number);
            }
            let (mut found, mut pushed) = (numbers(&runs), pushed);
            found.sort_unstable();
            pushed.sort_unstable();
            prop_assert_eq!(found, pushed);
        }
    }
}
