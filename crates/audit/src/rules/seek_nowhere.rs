//! R06: moving to where the position is, or moving twice without reading or writing between.

use crate::cases::Cases;
use crate::claims::Claim;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{Deed, FileNumber};
use fathom_events::{FileAction, Whence};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(6),
    name: "lseek-nowhere",
    needs: "lseek, read and write with their results",
    guards: &[SHARED, HOLES, SIZE_PROBE],
    begin: |guards| Box::new(SeekNowhere { guards, moved: Recent::default(), cases: Cases::default() }),
};

const SHARED: Guard =
    Guard { name: "shared-position", spares: "another process has the same open file and may have moved it" };
const HOLES: Guard = Guard { name: "data-or-hole", spares: "SEEK_DATA and SEEK_HOLE tell where data lies" };
const SIZE_PROBE: Guard = Guard {
    name: "size-probe",
    spares: "SEEK_END asks for the size, which is another rule's, but where the program's own write has just ended there",
};

const WORDS: Words = Words::cost(
    "redundant lseek(): the offset is already there, or the next lseek() replaces it",
    "set the position only when it differs, and once; or give it with the call: pread, pwrite",
    "another program holds the same open file and moves its position",
);

#[derive(Debug)]
struct SeekNowhere {
    guards: Guards,
    moved: Recent<FileNumber, Move>,
    cases: Cases,
}

#[derive(Debug)]
struct Move {
    whence: Whence,
    avoidable: Claim,
}

impl Rule for SeekNowhere {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Seek])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let FileAction::Seek { offset, whence, .. } = moment.action() else { return };
        let Some(file) = moment.plain_file().filter(|file| !file.is_inherited && moment.is_ok()) else {
            return;
        };
        if *whence == Whence::Current && *offset == 0 {
            return;
        }
        let before =
            self.moved.remove(&file.number).filter(|_| file.was_last_by(Deed::Seek, moment.thread()));
        let whences = [Some(*whence), before.as_ref().map(|before| before.whence)];
        let is_where_it_wrote = file.was_last_by(Deed::Write, moment.thread())
            && file.position.is_some()
            && file.position == moment.value();
        let is_probe = whences.contains(&Some(Whence::End)) && !is_where_it_wrote;
        let is_spared = self.guards.spare(SHARED, file.is_shared)
            || self.guards.spare(HOLES, whences.contains(&Some(Whence::DataOrHole)))
            || self.guards.spare(SIZE_PROBE, is_probe);
        if !is_spared {
            if let Some(before) = before {
                self.cases.claim(moment, &[before.avoidable]);
            } else if file.position == moment.value() && file.position.is_some() && !file.is_appended {
                self.cases.claim(moment, &[moment.claim()]);
            }
        }
        self.moved.insert(file.number, Move { whence: *whence, avoidable: moment.claim() });
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::READ;
    crate::trio::Trio {
        rule: 6,
        waste: |script| {
            for _ in 0..4 {
                let file = script.open("/data/a", READ);
                script.seek(file, 0, Whence::Start, 0);
                script.read(file, 10, 10);
                script.seek(file, 500, Whence::Start, 500);
                script.seek(file, 700, Whence::Start, 700);
                script.read(file, 10, 10);
                script.close(file);
            }
            // Each record is written after a seek to the end, where the one before has ended.
            let file = script.open("/data/new", crate::script::TRUNCATE);
            script.write(file, 10);
            for end in [10, 20, 30] {
                script.seek(file, 0, Whence::End, end);
                script.write(file, 10);
            }
        },
        count: 11,
        fixed: |script| {
            let file = script.open("/data/a", READ);
            script.read(file, 10, 10);
            script.seek(file, 700, Whence::Start, 700);
            script.read(file, 10, 10);
        },
        look_alikes: &[
            ("shared-position", |script| {
                let file = script.open("/data/a", READ);
                script.fork(200);
                script.seek(file, 0, Whence::Start, 0);
            }),
            ("data-or-hole", |script| {
                let file = script.open("/data/sparse", READ);
                script.seek(file, 0, Whence::DataOrHole, 0);
                script.seek(file, 0, Whence::DataOrHole, 4096);
                script.seek(file, 0, Whence::Start, 0);
            }),
            ("size-probe", |script| {
                let file = script.open("/data/a", READ);
                script.seek(file, 0, Whence::End, 900);
                script.seek(file, 0, Whence::Start, 0);
                script.read(file, 900, 900);
            }),
            // A header is written again, and the next record goes to the end.
            ("", |script| {
                let file = script.open("/data/new", crate::script::TRUNCATE);
                script.write(file, 900);
                for end in [900, 950] {
                    script.seek(file, 0, Whence::Start, 0);
                    script.write(file, 10);
                    script.seek(file, 0, Whence::End, end);
                    script.write(file, 50);
                }
            }),
        ],
    }
};
