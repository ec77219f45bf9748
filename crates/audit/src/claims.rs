//! Calls that could be spared, each known by the number of its event, so that a call which
//! several rules accuse is given to one of them (`claims/resolution.rs`) and prices of findings
//! can be added.

#[cfg(test)]
mod overlaps;
mod resolution;
mod runs;

pub(crate) use resolution::{Contender, give_each_call_to_one};

use crate::call_key::{Amount, CallKey};
use crate::world::PlaceId;
use fathom_model::CountedCalls;
use runs::{Run, Runs};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// One call that could be spared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claim {
    pub(crate) key: CallKey,
    pub(crate) bytes: u64,
    /// The number of its event.
    pub(crate) number: u64,
    /// What it is about.
    pub(crate) place: Option<PlaceId>,
}

/// Calls that could be spared: how many of each condition, and which.
#[derive(Debug, Clone, Default)]
pub(crate) struct Claims {
    kinds: Vec<(CallKey, Amount)>,
    runs: Runs,
}

impl Claims {
    /// One more call.
    pub(crate) fn push(&mut self, claim: Claim) {
        let kind = self.kind(claim.key);
        self.kinds[kind].1.add(claim.bytes);
        self.runs.push(kind, claim.place, claim.number);
    }

    /// Calls of which it is not known which they are: nobody can contest them.
    pub(crate) fn push_unknown(&mut self, key: CallKey, amount: Amount) {
        let kind = self.kind(key);
        let sum = &mut self.kinds[kind].1;
        sum.calls += amount.calls;
        sum.bytes += amount.bytes;
    }

    /// Those of another too.
    pub(crate) fn join(&mut self, other: &Self) {
        let kinds: Vec<_> = other.kinds.iter().map(|(key, _)| self.kind(*key)).collect();
        for (kind, (_, amount)) in kinds.iter().zip(&other.kinds) {
            let sum = &mut self.kinds[*kind].1;
            sum.calls += amount.calls;
            sum.bytes += amount.bytes;
        }
        for run in other.runs.iter() {
            self.runs.push_run(run.of_kind(kinds[run.kind()]));
        }
    }

    /// The same calls, all of them about one place.
    #[must_use]
    pub(crate) fn about(&self, place: Option<PlaceId>) -> Self {
        let mut runs = Runs::default();
        self.runs.iter().for_each(|run| runs.push_run(run.about(place)));
        Self { kinds: self.kinds.clone(), runs }
    }

    /// How many there are.
    pub(crate) fn calls(&self) -> u64 {
        self.kinds.iter().map(|(_, amount)| amount.calls).sum()
    }

    /// By condition.
    pub(crate) fn sums(&self) -> BTreeMap<CallKey, Amount> {
        let mut sums: BTreeMap<CallKey, Amount> = BTreeMap::new();
        sum_up(&mut sums, self.kinds.iter().copied());
        sums
    }

    /// How many there are of one condition.
    pub(crate) fn amount(&self, key: CallKey) -> Option<Amount> {
        self.kinds.iter().find(|(known, _)| *known == key).map(|(_, amount)| *amount)
    }

    /// So many bytes were moved by those of a condition.
    pub(crate) fn set_bytes(&mut self, key: CallKey, bytes: u64) {
        if let Some((_, amount)) = self.kinds.iter_mut().find(|(known, _)| *known == key) {
            amount.bytes = bytes;
        }
    }

    /// By condition, in words.
    pub(crate) fn conditions(&self) -> Vec<CountedCalls> {
        conditions(&self.sums())
    }

    /// All but so many, from the most frequent condition on: those are needed. Bytes go with
    /// them in proportion.
    #[must_use]
    pub(crate) fn less(&self, needed: u64) -> Self {
        let mut order: Vec<_> = (0..self.kinds.len()).collect();
        order.sort_by_key(|kind| Reverse(self.kinds[*kind].1.calls));
        let mut left = needed;
        let mut needed = vec![0; self.kinds.len()];
        for kind in order {
            needed[kind] = left.min(self.kinds[kind].1.calls);
            left -= needed[kind];
        }
        self.kept(|kind, _| {
            let is_needed = needed[kind] > 0;
            needed[kind] -= u64::from(is_needed);
            !is_needed
        })
    }

    /// True where none of its calls is known by its number.
    fn is_anonymous(&self) -> bool {
        self.runs.iter().next().is_none()
    }

    /// Numbers of the calls that are known.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u64> {
        self.runs.iter().flat_map(Run::numbers)
    }

    /// Those of its calls that are among these, and those that are not known by their numbers.
    pub(crate) fn only(&self, numbers: &BTreeSet<u64>) -> Self {
        self.kept(|_, number| numbers.contains(&number))
    }

    /// Those that are to stay, by the index of their condition and their number.
    fn kept(&self, mut stays: impl FnMut(usize, u64) -> bool) -> Self {
        let mut kinds: Vec<(CallKey, Amount)> = self.kinds.clone();
        let mut runs = Runs::default();
        let mut lost = vec![0_u64; kinds.len()];
        for run in self.runs.iter() {
            for number in run.numbers() {
                if stays(run.kind(), number) {
                    runs.push(run.kind(), run.place, number);
                } else {
                    lost[run.kind()] += 1;
                }
            }
        }
        for ((_, amount), lost) in kinds.iter_mut().zip(lost) {
            *amount = amount.scaled(amount.calls - lost.min(amount.calls), amount.calls);
        }
        Self { kinds, runs }
    }

    /// How many of its calls are about each place.
    pub(crate) fn by_place(&self) -> BTreeMap<PlaceId, u64> {
        let mut counts = BTreeMap::new();
        for run in self.runs.iter() {
            if let Some(place) = run.place {
                *counts.entry(place).or_default() += run.count();
            }
        }
        counts
    }

    fn kind(&mut self, key: CallKey) -> usize {
        self.kinds.iter().rposition(|(known, _)| known.is_very(&key) || *known == key).unwrap_or_else(|| {
            if self.kinds.is_empty() {
                // Most claims are of one condition, and a vector's first room is for four.
                self.kinds.reserve_exact(1);
            }
            self.kinds.push((key, Amount::default()));
            self.kinds.len() - 1
        })
    }
}

impl FromIterator<Claim> for Claims {
    fn from_iter<I: IntoIterator<Item = Claim>>(calls: I) -> Self {
        let mut claims = Self::default();
        calls.into_iter().for_each(|call| claims.push(call));
        claims
    }
}

/// Adds calls up by condition.
pub(crate) fn sum_up(
    sums: &mut BTreeMap<CallKey, Amount>,
    calls: impl IntoIterator<Item = (CallKey, Amount)>,
) {
    for (key, amount) in calls {
        let sum = sums.entry(key).or_default();
        sum.calls += amount.calls;
        sum.bytes += amount.bytes;
    }
}

/// Calls by condition, in words.
pub(crate) fn conditions(calls: &BTreeMap<CallKey, Amount>) -> Vec<CountedCalls> {
    let some = calls.iter().filter(|(_, amount)| amount.calls > 0);
    some.map(|(key, amount)| key.condition(*amount)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::{READ, Script};
    use fathom_events::FileEvent;

    fn key(event: &FileEvent) -> CallKey {
        CallKey::of(event, None, None).0
    }

    /// The conditions of an open, a read and a close.
    pub(super) fn three_keys() -> [CallKey; 3] {
        let mut script = Script::new();
        let file = script.open("/data/a", READ);
        script.read(file, 100, 100);
        script.close(file);
        [key(&script.events[0]), key(&script.events[1]), key(&script.events[2])]
    }

    fn claim(key: CallKey, number: u64, bytes: u64) -> Claim {
        Claim { key, bytes, number, place: None }
    }

    #[test]
    fn calls_are_summed_by_condition() {
        let [open, read, close] = three_keys();
        let calls = (0..9).map(|number| claim([open, read, close][number % 3], number as u64, 7));
        let mut claims: Claims = calls.collect();
        claims.push_unknown(read, Amount { calls: 5, bytes: 50 });
        assert_eq!((claims.calls(), claims.sums()[&read].bytes), (14, 71));
        assert_eq!(claims.numbers().count(), 9);
        let mut both = claims.clone();
        both.join(&claims);
        assert_eq!((both.calls(), both.numbers().count()), (28, 18));
    }

    #[test]
    fn those_that_are_needed_go_with_their_bytes() {
        let [open, read, _] = three_keys();
        let reads = (0..10).map(|number| claim(read, number, 100));
        let mut claims: Claims = reads.collect();
        claims.push(claim(open, 20, 0));
        let spared = claims.less(4);
        assert_eq!(spared.sums()[&read], Amount { calls: 6, bytes: 600 });
        assert_eq!(spared.sums()[&open].calls, 1);
        assert_eq!(spared.numbers().collect::<Vec<_>>(), [4, 5, 6, 7, 8, 9, 20]);
    }
}
