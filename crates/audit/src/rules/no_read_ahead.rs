//! R41: a cold file read in order by a program that waits for every piece. No source tells
//! yet for how long a read waited for the device, so that this rule finds nothing: a guess
//! would accuse every first reading of a file.

use crate::cases::Cases;
use crate::finding::RuleId;
use crate::moment::Moment;
use crate::rule::{Rule, RuleFacts, Words};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(41),
    name: "missing-read-ahead",
    needs: "how long each read waited for the device, which no source of events tells: it finds nothing",
    guards: &[],
    begin: |_| Box::new(NoReadAhead { cases: Cases::default() }),
};

const WORDS: Words = Words::cost(
    "a file that was not in memory was read in order, and the program waited for every piece",
    "have the kernel read ahead of the position: readahead or POSIX_FADV_WILLNEED, or several reads at once",
    "the kernel's own read-ahead is enough on most disks: measure with and without",
);

#[derive(Debug)]
struct NoReadAhead {
    cases: Cases,
}

impl Rule for NoReadAhead {
    fn observe(&mut self, _moment: &Moment<'_>) {}

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}
