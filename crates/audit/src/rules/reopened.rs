//! R23: one unchanged file, opened and read alike several times.

use crate::cases::Cases;
use crate::claims::Claims;
use crate::finding::RuleId;
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, PlaceId};
use fathom_events::{FileAction, FileIdentity};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(23),
    name: "reopen-storm",
    needs: "paths of open, and reads",
    guards: &[CHANGED, REPLACED, OTHER_PART, MEASURES],
    begin: |guards| {
        Box::new(Reopened {
            guards,
            open: Recent::default(),
            readings: Recent::default(),
            cases: Cases::default(),
        })
    },
};

const CHANGED: Guard = Guard { name: "changed-between", spares: "a traced program wrote the file between" };
const REPLACED: Guard =
    Guard { name: "replaced", spares: "the path leads to another file by now: a log was rotated" };
const OTHER_PART: Guard = Guard { name: "other-part", spares: "each time another part of the file was read" };

const MEASURES: Guard = Guard { name: "measures", spares: "a benchmark reads the same file again by design" };

/// The third reading is a habit.
const HABIT: u64 = 3;

const WORDS: Words = Words::cost(
    "unchanged file opened and read again and again",
    "keep what was read, or keep the file open and read it with pread",
    "programs outside the trace may change the file, and reading may be meant to notice",
);

#[derive(Debug)]
struct Reopened {
    guards: Guards,
    open: Recent<FileNumber, Reading>,
    readings: Recent<(u32, PlaceId), Readings>,
    cases: Cases,
}

/// One open file and what was read from it.
#[derive(Debug, Default)]
struct Reading {
    /// All that is asked of it from the opening on.
    calls: Claims,
    begin: Option<u64>,
    bytes: u64,
}

#[derive(Debug)]
struct Readings {
    number: u64,
    identity: Option<FileIdentity>,
    part: (Option<u64>, u64),
    calls: Claims,
    count: u64,
}

impl Rule for Reopened {
    fn observe(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.plain_file().filter(|file| !open_flags::can_write(file.flags)) else {
            return;
        };
        match moment.action() {
            FileAction::Open { .. } if moment.is_ok() => {
                let calls = [moment.claim()].into_iter().collect();
                self.open.insert(file.number, Reading { calls, ..Reading::default() });
            }
            FileAction::Read { offset, .. } if moment.is_ok() => {
                let Some(reading) = self.open.get_mut(&file.number) else { return };
                reading.begin = reading.begin.or(*offset).or(file.position);
                reading.bytes += moment.bytes;
                reading.calls.push(moment.claim());
            }
            FileAction::Close { .. } => {
                if let Some(mut reading) = self.open.remove(&file.number).filter(|reading| reading.bytes > 0)
                {
                    reading.calls.push(moment.claim());
                    self.closed(moment, &reading);
                }
            }
            // What is asked of the open file is asked again with it.
            _ => {
                self.open.get_mut(&file.number).into_iter().for_each(|open| open.calls.push(moment.claim()));
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

impl Reopened {
    fn closed(&mut self, moment: &Moment<'_>, reading: &Reading) {
        let Some(file) = moment.file else { return };
        let Some(place) = file.place else { return };
        let key = (moment.process(), place);
        let part = (reading.begin, reading.bytes);
        let new = Readings {
            number: file.opened_at,
            identity: file.identity,
            part,
            calls: Claims::default(),
            count: 1,
        };
        let Some(before) = self.readings.get_mut(&key) else {
            self.readings.insert(key, new);
            return;
        };
        let is_other = before.identity.zip(file.identity).is_some_and(|(before, now)| before != now);
        let is_changed = !moment.world.places.has_content_of(place, before.number);
        if self.guards.spare(CHANGED, is_changed)
            || self.guards.spare(REPLACED, is_other)
            || self.guards.spare(OTHER_PART, before.part != part)
            || self.guards.spare(MEASURES, moment.is_measurers())
        {
            *before = new;
            return;
        }
        before.count += 1;
        before.calls.join(&reading.calls);
        if before.count >= HABIT {
            let times = if before.count == HABIT { HABIT - 1 } else { 1 };
            let calls = std::mem::take(&mut before.calls);
            self.cases.claim_at(moment, Some(place), times, &calls);
        }
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script, WRITE};
    fn read_file(script: &mut Script, path: &str) {
        let file = script.open(path, READ);
        script.read(file, 4096, 100);
        script.close(file);
    }
    crate::trio::Trio {
        rule: 23,
        waste: |script| (0..9).for_each(|_| read_file(script, "/etc/table")),
        count: 8,
        fixed: |script| {
            read_file(script, "/etc/table");
            read_file(script, "/etc/other");
        },
        look_alikes: &[
            ("measures", |script| {
                script.load("/usr/bin/fio");
                (0..9).for_each(|_| read_file(script, "/data/measured"));
            }),
            ("changed-between", |script| {
                for _ in 0..5 {
                    read_file(script, "/data/state");
                    let file = script.open("/data/state", WRITE);
                    script.write(file, 100);
                    script.close(file);
                }
            }),
            ("replaced", |script| {
                for inode in 0..5 {
                    let file = script.open("/data/log", READ);
                    let mut facts = script.facts("/data/log", fathom_events::FileKind::Regular, 100);
                    facts.identity = Some(FileIdentity { device: 1, inode });
                    let target = fathom_events::Target::Descriptor(file);
                    script.works("fstat", FileAction::Stat { target, facts: Some(Box::new(facts)), mask: 0 });
                    script.read(file, 4096, 100);
                    script.close(file);
                }
            }),
            ("other-part", |script| {
                for part in 0..5 {
                    let file = script.open("/data/table", READ);
                    script.read_at(file, 100, 100, part * 100);
                    script.close(file);
                }
            }),
            ("", |script| (0..5).for_each(|_| read_file(script, "/proc/self/mountinfo"))),
        ],
    }
};
