//! R57: whether a name is free was asked before it was made: another may come between.

use crate::call_key::ENOENT;
use crate::cases::Cases;
use crate::claims::{Claim, Claims};
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::{Moment, When};
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, PlaceId};
use fathom_events::{ControlCommand, FileAction, Target};
use std::collections::BTreeSet;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(57),
    name: "asked-then-made",
    needs: "paths and errnos of stat, access, mkdir, open, symlink and unlink",
    guards: &[EXCLUSIVE, LONG_AGO, CHANGED, EMPTIES, LOCKED, ASKS_WHAT, FEW],
    begin: |guards| {
        Box::new(AskedThenMade {
            guards,
            asked: Recent::default(),
            locks: Recent::default(),
            looked: Recent::default(),
            made: Cases::default(),
            removed: Cases::default(),
        })
    },
};

const EXCLUSIVE: Guard =
    Guard { name: "exclusive", spares: "O_EXCL: the kernel itself sees to it that the name is free" };
const LONG_AGO: Guard = Guard { name: "long-ago", spares: "the question and the deed lie far apart" };
const CHANGED: Guard = Guard {
    name: "changed-between",
    spares: "the traced programs changed something there between: the question was about something else",
};
const EMPTIES: Guard = Guard {
    name: "empties",
    spares: "it opens whatever is there and empties it (O_TRUNC): nothing depends on the answer",
};

const LOCKED: Guard = Guard {
    name: "locked",
    spares: "the process holds a lock: those who keep to it do not come between, and the question may be for what others left",
};

const ASKS_WHAT: Guard = Guard {
    name: "asks-what",
    spares: "lstat, or the name came from a listing of the directory: it asks what the file is, not whether it is there",
};
const FEW: Guard = Guard { name: "few", spares: "one or two calls of stat may ask what the file is" };

/// From this many on, stat before unlink asks whether the file is there.
const HABIT: usize = 3;

const MADE: Words = Words::cost(
    "existence checked before create: the answer may be wrong by then",
    "make it at once (mkdir, O_CREAT|O_EXCL, symlink) and look at the error: EEXIST says that it is there",
    "the look may decide something else too, or a parent that is missing would have to be told apart",
);

const REMOVED: Words = Words::cost(
    "existence checked before remove: the answer may be wrong by then",
    "remove it at once and take ENOENT for done",
    "the look may have asked what it is, not whether it is there",
);

#[derive(Debug)]
struct AskedThenMade {
    guards: Guards,
    asked: Recent<(u32, PlaceId), Asked>,
    /// Of each process, files that it has locked.
    locks: Recent<u32, BTreeSet<FileNumber>>,
    /// Of each process, calls of stat before a removal that are not counted yet; then none.
    looked: Recent<u32, Looked>,
    made: Cases,
    removed: Cases,
}

#[derive(Debug)]
struct Asked {
    when: When,
    is_there: bool,
    is_stat: bool,
    call: Claim,
}

#[derive(Debug, Default)]
struct Looked {
    count: usize,
    calls: Claims,
}

impl Rule for AskedThenMade {
    fn interest(&self) -> Interest {
        Interest::by_path().and(&[Kind::Lock, Kind::Control]).and_ends()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        self.follow_locks(moment);
        let Some(place) = moment.judged_place() else { return };
        let key = (moment.thread(), place);
        match moment.action() {
            FileAction::Stat { .. } | FileAction::Access { .. } => {
                let is_missing = moment.errno() == Some(ENOENT);
                if !moment.is_first_naming {
                    self.asked.remove(&key);
                }
                if is_missing || moment.is_ok() && self.asks_whether_there(moment, place) {
                    let (when, is_there) = (moment.when, !is_missing);
                    let is_stat = matches!(moment.action(), FileAction::Stat { .. });
                    let asked = Asked { when, is_there, is_stat, call: moment.claim() };
                    self.asked.insert(key, asked);
                }
            }
            FileAction::Open { flags, .. } if open_flags::has(*flags, open_flags::CREATE) => {
                let is_exclusive = open_flags::has(*flags, open_flags::EXCLUSIVE);
                let empties = open_flags::has(*flags, open_flags::TRUNCATE);
                let asked = self.asked.remove(&key);
                if !self.guards.spare(EXCLUSIVE, is_exclusive) && !self.guards.spare(EMPTIES, empties) {
                    self.done(moment, asked, false);
                }
            }
            FileAction::MakeDirectory { .. } | FileAction::SymbolicLink { .. } => {
                let asked = self.asked.remove(&key);
                self.done(moment, asked, false);
            }
            FileAction::Remove { .. } => {
                let asked = self.asked.remove(&key);
                self.done(moment, asked, true);
            }
            _ => drop(self.asked.remove(&key)),
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&MADE, &self.made), (&REMOVED, &self.removed)]
    }
}

impl AskedThenMade {
    /// A lock lasts until its file is closed: what takes it and what gives it back look alike.
    fn follow_locks(&mut self, moment: &Moment<'_>) {
        let process = moment.process();
        match moment.action() {
            FileAction::Lock { .. } | FileAction::Control { command: ControlCommand::Lock, .. }
                if moment.is_ok() =>
            {
                self.locks.entry(process).extend(moment.file.map(|file| file.number));
            }
            FileAction::Close { .. } | FileAction::Exit { .. } if !moment.ended.is_empty() => {
                if let Some(locks) = self.locks.get_mut(&process) {
                    locks.retain(|file| !moment.ended.contains(file));
                }
            }
            _ => {}
        }
    }

    fn done(&mut self, moment: &Moment<'_>, asked: Option<Asked>, removes: bool) {
        let Some(asked) = asked.filter(|asked| asked.is_there == removes && moment.is_ok()) else { return };
        let Some(place) = moment.place else { return };
        let is_changed = !moment.world.places.is_unchanged_since(place, asked.when.number);
        if self.guards.spare(LONG_AGO, !asked.when.is_near(moment.when))
            || self.guards.spare(CHANGED, is_changed)
            || self
                .guards
                .spare(LOCKED, self.locks.get(&moment.process()).is_some_and(|locks| !locks.is_empty()))
        {
            return;
        }
        if !removes {
            self.made.claim(moment, &[asked.call]);
        } else if asked.is_stat {
            self.removed_after_stat(moment, asked.call);
        } else {
            self.removed.claim(moment, &[asked.call]);
        }
    }

    fn removed_after_stat(&mut self, moment: &Moment<'_>, call: Claim) {
        let looked = self.looked.entry(moment.process());
        looked.count += 1;
        looked.calls.push(call);
        if !self.guards.spare(FEW, looked.count < HABIT) {
            let calls = std::mem::take(&mut looked.calls);
            self.removed.claim_at(moment, moment.place, calls.calls(), &calls);
        }
    }

    /// True of a question that was answered by yes: `access(F_OK)` asks nothing else, and a stat
    /// that follows links tells little of the name that unlink removes.
    fn asks_whether_there(&self, moment: &Moment<'_>, place: PlaceId) -> bool {
        let places = &moment.world.places;
        match moment.action() {
            FileAction::Access { mode, .. } => *mode == 0,
            FileAction::Stat { target, .. } => {
                let follows = matches!(target, Target::Path { follow: true, .. });
                let is_listed = places.parent(place).is_some_and(|parent| places.get(parent).is_listed);
                !self.guards.spare(ASKS_WHAT, !follows || is_listed)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, READ, Script, TRUNCATE};
    use fathom_events::{CallOutcome, FileKind};
    fn make(script: &mut Script, path: &str) {
        let target = script.target(path);
        script.works("mkdir", FileAction::MakeDirectory { target, mode: 0o755 });
    }
    fn is_there(script: &mut Script, path: &str) {
        let target = script.target(path);
        script.works("access", FileAction::Access { target, mode: 0 });
    }
    crate::trio::Trio {
        rule: 57,
        waste: |script| {
            for directory in 0..6 {
                let path = format!("/data/{directory}");
                script.stat_fails(&path);
                make(script, &path);
            }
            script.stat_fails("/data/new");
            let file = script.open("/data/new", CREATE);
            script.close(file);
            is_there(script, "/data/old");
            script.remove("/data/old");
            for number in 0..5 {
                script.stat(&format!("/srv/{number}"), 100);
                script.remove(&format!("/srv/{number}"));
            }
        },
        count: 13,
        fixed: |script| {
            (0..6).for_each(|directory| make(script, &format!("/data/{directory}")));
            script.remove("/data/old");
        },
        look_alikes: &[
            ("exclusive", |script| {
                script.stat_fails("/data/new");
                script.open("/data/new", CREATE | open_flags::EXCLUSIVE);
            }),
            ("long-ago", |script| {
                script.stat_fails("/data/sub");
                (0..70).for_each(|_| script.is_terminal(1));
                make(script, "/data/sub");
            }),
            ("changed-between", |script| {
                script.stat_fails("/data/sub/deep");
                make(script, "/data/sub");
                make(script, "/data/sub/other");
                make(script, "/data/sub/deep");
            }),
            ("locked", |script| {
                let base = script.open("/data/base", crate::script::BOTH);
                script.control(base, ControlCommand::Lock);
                script.stat_fails("/data/base-journal");
                script.open("/data/base-journal", CREATE);
            }),
            ("empties", |script| {
                script.stat_fails("/data/out");
                script.open("/data/out", TRUNCATE);
            }),
            ("few", |script| {
                script.stat("/data/old", 100);
                script.remove("/data/old");
            }),
            ("asks-what", |script| {
                for number in 0..5 {
                    let path = format!("/data/{number}");
                    let facts = Some(Box::new(script.facts(&path, FileKind::Regular, 100)));
                    let Target::Path { directory, path: name, .. } = script.target(&path) else { continue };
                    let target = Target::Path { directory, path: name, follow: false };
                    script.works("newfstatat", FileAction::Stat { target, facts, mask: 0 });
                    script.remove(&path);
                }
            }),
            ("asks-what", |script| {
                let directory = script.open("/data", READ | open_flags::DIRECTORY);
                let action = FileAction::List { descriptor: directory, entries: None, undecided: None };
                script.call("getdents64", action, CallOutcome::Value(320));
                for number in 0..5 {
                    script.stat(&format!("/data/{number}"), 100);
                    script.remove(&format!("/data/{number}"));
                }
            }),
            // It is read in between.
            ("", |script| {
                for number in 0..5 {
                    let path = format!("/data/{number}");
                    script.stat(&path, 100);
                    let file = script.open(&path, READ);
                    script.close(file);
                    script.remove(&path);
                }
            }),
        ],
    }
};
