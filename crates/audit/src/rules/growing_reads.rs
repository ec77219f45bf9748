//! R32: reads that double in size until the file ends, as if nobody could know how long it is.

use crate::call_key::{Amount, CallKey};
use crate::cases::Cases;
use crate::finding::RuleId;
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::FileNumber;
use fathom_events::FileAction;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(32),
    name: "no-size-hint",
    needs: "sizes and results of reads",
    guards: &[UNKNOWN_SIZE, FILLED],
    begin: |guards| Box::new(GrowingReads { guards, files: Recent::default(), cases: Cases::default() }),
};

const UNKNOWN_SIZE: Guard =
    Guard { name: "unknown-size", spares: "pipes, sockets and what the kernel makes up have no size" };
const FILLED: Guard = Guard {
    name: "not-filled",
    spares: "the reads brought less than was asked for: they did not outgrow their memory",
};

/// This many doublings show it.
const HABIT: usize = 3;

const WORDS: Words = Words::cost(
    "a file was read in pieces that double in size, into memory that grows and is copied",
    "ask fstat for the size first, reserve as much, and read once",
    "the program may read from what has no size as well, by the same code",
);

#[derive(Debug)]
struct GrowingReads {
    guards: Guards,
    files: Recent<FileNumber, Growth>,
    cases: Cases,
}

#[derive(Debug, Default)]
struct Growth {
    asked: u64,
    doublings: usize,
    was_filled: bool,
    is_told: bool,
    calls: Vec<(CallKey, Amount)>,
}

impl Rule for GrowingReads {
    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Read { bytes, offset: None, .. } if moment.bytes > 0 => {
                let Some(file) = moment.file.filter(|file| !moment.is_loaders && !file.is_loaders) else {
                    return;
                };
                if self.guards.spare(UNKNOWN_SIZE, moment.plain_file().is_none()) {
                    return;
                }
                let growth = self.files.entry(file.number);
                let doubles = growth.asked > 0 && *bytes >= 2 * growth.asked;
                if doubles && !self.guards.spare(FILLED, !growth.was_filled) {
                    growth.doublings += 1;
                } else if growth.asked > 0 {
                    growth.doublings = 0;
                    growth.calls.clear();
                }
                growth.asked = *bytes;
                growth.was_filled = moment.bytes >= *bytes;
                growth.calls.push(moment.avoidable());
                if growth.doublings >= HABIT && !growth.is_told {
                    growth.is_told = true;
                    // The last read is the one that stays.
                    let spared = growth.calls.len() - 1;
                    self.cases.add(moment, &growth.calls[..spared]);
                }
                if growth.is_told || growth.calls.len() > 64 {
                    growth.calls.clear();
                }
            }
            FileAction::Close { .. } => {
                if let Some(file) = moment.file {
                    self.files.remove(&file.number);
                }
            }
            _ => {}
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    fn grow(script: &mut Script, path: &str, is_filled: bool) {
        let file = script.open(path, READ);
        for bytes in [32_u64, 64, 128, 256, 512] {
            script.read(file, bytes, if is_filled { i64::try_from(bytes).unwrap() } else { 10 });
        }
        script.close(file);
    }
    crate::trio::Trio {
        rule: 32,
        waste: |script| (0..6).for_each(|_| grow(script, "/data/a", true)),
        count: 6,
        fixed: |script| {
            let file = script.open("/data/a", READ);
            script.fstat(file, 992);
            script.read(file, 992, 992);
            script.close(file);
        },
        look_alikes: &[
            ("unknown-size", |script| grow(script, "/proc/self/maps", true)),
            ("not-filled", |script| grow(script, "/data/a", false)),
        ],
    }
};
