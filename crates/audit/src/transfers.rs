//! Reads or writes of one open file as they follow each other: how many, how much, and
//! how often one does not begin where the one before ended.

use crate::cases::Scene;
use crate::claims::Claims;
use crate::moment::Moment;

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
    pub(crate) calls: Claims,
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
        self.calls.push(moment.claim());
    }
}
