//! Reads or writes of one open file as they follow each other: how many, how much, and
//! how often one does not begin where the one before ended.

use crate::call_key::{Amount, CallKey};
use crate::cases::Scene;
use crate::moment::Moment;
use std::collections::BTreeMap;

/// What was moved so far.
#[derive(Debug, Default)]
pub(crate) struct Transfers {
    /// Transfers that moved anything.
    pub(crate) count: u64,
    /// What they moved.
    pub(crate) bytes: u64,
    /// How many lie apart from the one before.
    pub(crate) apart: u64,
    /// The calls that were counted.
    pub(crate) calls: BTreeMap<CallKey, Amount>,
    /// Where it was seen to be a habit.
    pub(crate) scene: Option<Scene>,
    next: Option<u64>,
}

impl Transfers {
    /// One more, at the offset that its call names or else at the position. The `habit`th is shown.
    pub(crate) fn add(&mut self, moment: &Moment<'_>, offset: Option<u64>, habit: u64) {
        self.count += 1;
        self.bytes += moment.bytes;
        let begin = offset.or(moment.file.and_then(|file| file.position));
        self.apart += u64::from(self.next.is_some() && begin.is_some() && self.next != begin);
        self.next = begin.map(|begin| begin + moment.bytes);
        if self.count == habit {
            self.scene = Some(Scene::of(moment));
        }
    }

    /// Counts the call too: it may be one to be spared.
    pub(crate) fn count_call(&mut self, moment: &Moment<'_>) {
        self.calls.entry(moment.key).or_default().add(moment.bytes);
    }

    /// The counted calls less those that are needed all the same, from the most frequent.
    pub(crate) fn calls_but(&self, needed: u64) -> Vec<(CallKey, Amount)> {
        let mut calls: Vec<_> = self.calls.iter().map(|(key, amount)| (*key, *amount)).collect();
        if let Some((_, most)) = calls.iter_mut().max_by_key(|(_, amount)| amount.calls) {
            let kept = most.calls.saturating_sub(needed);
            // In 128 bits: bytes times calls goes beyond 64.
            let bytes = u128::from(most.bytes) * u128::from(kept) / u128::from(most.calls.max(1));
            most.bytes = u64::try_from(bytes).unwrap_or(most.bytes);
            most.calls = kept;
        }
        calls
    }
}
