//! R68: a file opened and closed again for every record appended to it.

use crate::cases::{Cases, Scene};
use crate::claims::{Claim, Claims};
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::{Moment, When};
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, OpenFile, PlaceId, World};
use fathom_events::{FileAction, Whence};
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(68),
    name: "append-reopened",
    needs: "paths and flags of open, writes and close",
    guards: &[ROTATED, RARE, MANY_FILES, FEW],
    begin: |guards| Box::new(AppendReopened { guards, logs: Recent::default(), cases: Cases::default() }),
};

const ROTATED: Guard = Guard {
    name: "rotated",
    spares: "the file was renamed or removed in between: opening it again is how the new one is reached",
};
const RARE: Guard = Guard {
    name: "rare",
    spares: "more than a second passed between two records: an open descriptor would be held for nothing",
};
const MANY_FILES: Guard =
    Guard { name: "many-files", spares: "the process appends to more files in turn than it may keep open" };
const FEW: Guard = Guard { name: "few", spares: "the file was appended to three times or less" };

/// From this many further openings on it is a habit.
const HABIT: u64 = 3;
/// Records further apart than this, in ns, are rare.
const RARE_NS: u64 = 1_000_000_000;
/// Half of the descriptors that a process may have by default.
const OPEN_FILES: u64 = 512;

const WORDS: Words = Words::cost(
    "open(), append and close() of the same file for every record",
    "open the log once (O_APPEND) and keep the descriptor; reopen it on a signal, or when its name leads to another file",
    "a program outside the trace may rotate the file, and opening each time is how the new one is found",
);

#[derive(Debug)]
struct AppendReopened {
    guards: Guards,
    logs: Recent<(u32, PlaceId), Log>,
    cases: Cases,
}

/// A file that a process appends to.
#[derive(Debug, Default)]
struct Log {
    opening: Option<Opening>,
    count: u64,
    calls: Claims,
    scene: Option<Scene>,
}

/// Its last opening.
#[derive(Debug)]
struct Opening {
    number: FileNumber,
    when: When,
    appends: bool,
    has_written: bool,
    /// This open and the close before it, where nothing but a record lies between two openings.
    avoidable: Option<Vec<Claim>>,
    close: Option<Claim>,
}

impl Rule for AppendReopened {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Open]).if_ok().and(&[
            Kind::Seek,
            Kind::Write,
            Kind::Close,
            Kind::Read,
            Kind::Truncate,
            Kind::Map,
        ])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let Some((file, place)) = written_file(moment) else { return };
        match moment.action() {
            FileAction::Open { .. } if moment.is_ok() => self.opened(moment, file, place),
            FileAction::Seek { whence: Whence::End, .. } => {
                if let Some(opening) = self.opening(file, place) {
                    opening.appends = true;
                }
            }
            FileAction::Write { .. } if moment.bytes > 0 => self.written(moment, file, place),
            FileAction::Close { .. } => {
                if let Some(opening) = self.opening(file, place) {
                    opening.close = Some(moment.claim());
                }
            }
            // What reads the file or cuts it has other reasons to open it.
            FileAction::Read { .. } | FileAction::Truncate { .. } | FileAction::Map { .. } => {
                if let Some(opening) = self.opening(file, place) {
                    (opening.appends, opening.avoidable) = (false, None);
                }
            }
            _ => {}
        }
    }

    fn finish(&mut self, world: &World) {
        let mut files: BTreeMap<u32, u64> = BTreeMap::new();
        for ((process, _), log) in self.logs.iter().filter(|(_, log)| log.count > 0) {
            let is_habit = !self.guards.spare(FEW, log.count < HABIT);
            *files.entry(*process).or_default() += u64::from(is_habit);
        }
        for key in self.logs.keys() {
            let Some(log) = self.logs.remove(&key) else { continue };
            let Some(scene) = &log.scene else { continue };
            let is_many = files.get(&key.0).is_some_and(|files| *files > OPEN_FILES);
            if !self.guards.spare(FEW, log.count < HABIT) && !self.guards.spare(MANY_FILES, is_many) {
                self.cases.claim_scene(scene, log.count, &log.calls, world);
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

impl AppendReopened {
    fn opening(&mut self, file: &OpenFile, place: PlaceId) -> Option<&mut Opening> {
        let log = self.logs.get_mut(&(file.opened_by, place))?;
        log.opening.as_mut().filter(|opening| opening.number == file.number)
    }

    fn opened(&mut self, moment: &Moment<'_>, file: &OpenFile, place: PlaceId) {
        let guards = self.guards;
        let log = self.logs.entry((file.opened_by, place));
        let is_again = |before: &Opening| {
            before.appends
                && before.has_written
                && moment.world.file(before.number).is_none()
                && !guards.spare(ROTATED, file.is_new)
                && !guards.spare(RARE, before.when.is_apart(moment.when, RARE_NS))
        };
        let before = log.opening.take().filter(is_again);
        let avoidable = before.map(|before| before.close.into_iter().chain([moment.claim()]).collect());
        log.opening = Some(Opening {
            number: file.number,
            when: moment.when,
            appends: open_flags::has(file.flags, open_flags::APPEND),
            has_written: false,
            avoidable,
            close: None,
        });
    }

    fn written(&mut self, moment: &Moment<'_>, file: &OpenFile, place: PlaceId) {
        let Some(log) = self.logs.get_mut(&(file.opened_by, place)) else { return };
        let Some(opening) = log.opening.as_mut().filter(|opening| opening.number == file.number) else {
            return;
        };
        opening.has_written = true;
        let Some(avoidable) = opening.avoidable.take().filter(|_| opening.appends) else { return };
        log.count += 1;
        for call in avoidable {
            log.calls.push(call);
        }
        if log.count <= HABIT {
            // A runtime writes what its program hands it: that every record has an open is the program's.
            log.scene = Some(Scene::of_program(moment));
        }
    }
}

/// A regular file that was opened to be written as it is, by the process that opened it.
fn written_file<'a>(moment: &Moment<'a>) -> Option<(&'a OpenFile, PlaceId)> {
    let file = moment.plain_file()?;
    let keeps = open_flags::can_write(file.flags) && !open_flags::has(file.flags, open_flags::TRUNCATE);
    file.place.filter(|_| keeps && !file.is_inherited).map(|place| (file, place))
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, Script};
    const APPEND: u32 = CREATE | open_flags::APPEND;
    fn record(script: &mut Script, path: &str) {
        let log = script.open(path, APPEND);
        script.write(log, 80);
        script.close(log);
    }
    crate::trio::Trio {
        rule: 68,
        waste: |script| {
            (0..9).for_each(|_| record(script, "/data/log"));
            for record in 0..5 {
                let table = script.open("/data/table", CREATE);
                script.seek(table, 0, Whence::End, record * 80);
                script.write(table, 80);
                script.close(table);
            }
        },
        count: 12,
        fixed: |script| {
            let log = script.open("/data/log", APPEND);
            (0..9).for_each(|_| script.write(log, 80));
            script.close(log);
        },
        look_alikes: &[
            ("rotated", |script| {
                for old in 0..9 {
                    record(script, "/data/log");
                    script.rename("/data/log", &format!("/data/log.{old}"));
                }
            }),
            ("rare", |script| {
                for _ in 0..9 {
                    record(script, "/data/log");
                    script.wait_ms(2_000);
                }
            }),
            ("many-files", |script| {
                for _ in 0..6 {
                    (0..600).for_each(|part| record(script, &format!("/data/{part}")));
                }
            }),
            ("few", |script| (0..3).for_each(|_| record(script, "/data/log"))),
            // Another part of the file each time, and a file that is open twice.
            ("", |script| {
                for part in 0..9 {
                    let table = script.open("/data/table", crate::script::WRITE);
                    script.seek(table, part * 4096, Whence::Start, part * 4096);
                    script.write(table, 80);
                    script.close(table);
                }
            }),
            ("", |script| {
                for _ in 0..9 {
                    let log = script.open("/data/log", APPEND);
                    script.write(log, 80);
                }
            }),
            // Opened to read the last record too.
            ("", |script| {
                for _ in 0..9 {
                    let log = script.open("/data/log", crate::script::BOTH | open_flags::APPEND);
                    script.read(log, 4096, 80);
                    script.write(log, 80);
                    script.close(log);
                }
            }),
        ],
    }
};

#[cfg(test)]
mod tests {
    use super::Whence;
    use crate::finding::{Owner, RuleId};
    use crate::open_flags;
    use crate::rule::Guards;
    use crate::script::{CREATE, Script};

    /// What `open(path, "a")`, `write()` and `close()` of Python do, for every record.
    fn appends(path: &str) -> Vec<(Owner, u64)> {
        let mut script = Script::new();
        script.load("/usr/bin/python3.11");
        for record in 0..9 {
            let log = script.open(path, CREATE | open_flags::APPEND);
            script.fstat(log, record * 80);
            script.seek(log, 0, Whence::End, i64::try_from(record).unwrap() * 80);
            script.is_terminal(log);
            script.seek(log, 0, Whence::Current, i64::try_from(record).unwrap() * 80);
            script.seek(log, 0, Whence::Current, i64::try_from(record).unwrap() * 80);
            script.write(log, 80);
            script.close(log);
        }
        let found = script.findings_of(RuleId(68), Guards::default());
        found.iter().map(|finding| (finding.owner, finding.count)).collect()
    }

    #[test]
    fn a_loop_that_appends_is_the_programs_whatever_its_runtime_does_on_each_file() {
        assert_eq!(appends("/srv/app/report.log"), [(Owner::Yours, 8)]);
        assert_eq!(appends("/usr/lib/python3.11/x.log"), [(Owner::Runtime, 8)]);
    }
}
