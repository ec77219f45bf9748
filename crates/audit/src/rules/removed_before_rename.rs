//! R59: a file was removed, and the one that takes its place renamed afterwards: between, there
//! is none.

use crate::call_key::ENOENT;
use crate::cases::Cases;
use crate::family::Family;
use crate::finding::{RuleId, Severity};
use crate::interest::{Interest, Kind};
use crate::moment::{Moment, When};
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::PlaceId;
use fathom_events::FileAction;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(59),
    name: "removed-before-rename",
    needs: "paths of unlink and rename",
    guards: &[TRIED, MADE_HERE, BUILT, OLD_COPY, OTHERS, LONG_AGO, SCRATCH],
    begin: |guards| {
        Box::new(RemovedBeforeRename {
            guards,
            family: Family::default(),
            written: Recent::default(),
            published: Recent::default(),
            refused: Recent::default(),
            removed: Recent::default(),
            made: Recent::default(),
            cases: Cases::default(),
            remade: Cases::default(),
        })
    },
};

const TRIED: Guard =
    Guard { name: "tried", spares: "a rename over it was refused before: the file system cannot replace it" };
const MADE_HERE: Guard = Guard {
    name: "made-here",
    spares: "the traced programs wrote what was removed in its place, and nobody waits for it: what came by a rename was published",
};
const BUILT: Guard = Guard {
    name: "built",
    spares: "the process itself wrote a program there: a linker takes away the old one, which may be running, and is run again after a crash",
};
const OLD_COPY: Guard = Guard {
    name: "old-copy",
    spares: "a backup, a rotated log or what a step back needs (x.bak, x~, x.3, undo): nobody depends on its being there",
};
const OTHERS: Guard = Guard {
    name: "others",
    spares: "one process removed it and another renamed, and no script (or other parent) started both, or the new one was not there yet: what the first removes it removes for good",
};
const LONG_AGO: Guard = Guard { name: "long-ago", spares: "it had been gone for long: nobody expects it" };
const SCRATCH: Guard =
    Guard { name: "scratch", spares: "temporary and built files are made again after a crash" };

/// So long a file may be gone until nobody expects it, in ns.
const LONG_NS: u64 = 5_000_000_000;

/// `S_IXUSR`.
const EXECUTABLE: u32 = 0o100;

const WORDS: Words = Words::danger(
    Severity::Warn,
    "a file was removed before the new one was renamed into its place: a crash or a reader between finds no file",
    "rename over it at once: rename replaces the old file in one step (mv -f; Java's Files.move with ATOMIC_MOVE)",
    "nobody may read the file, or another file system may refuse to replace an open file",
);

/// The next one was begun when it was gone: to remove it may have been an end of its own, as where the
/// removal of a journal is the commit.
const REMADE: Words = Words::danger(
    Severity::Info,
    "a file was removed, and a new one made and renamed into its place: a crash or a reader between finds no file",
    "make the new one first and rename it over the old: rename replaces it in one step",
    "its absence may mean something, as that of a journal, and nobody may read the file",
);

#[derive(Debug)]
struct RemovedBeforeRename {
    guards: Guards,
    family: Family,
    /// Places whose files were written anew where they are.
    written: Recent<PlaceId, ()>,
    /// Places that a file was renamed to.
    published: Recent<PlaceId, ()>,
    /// Places over which a rename was refused.
    refused: Recent<PlaceId, ()>,
    removed: Recent<PlaceId, Removed>,
    /// New files.
    made: Recent<PlaceId, NewFile>,
    cases: Cases,
    remade: Cases,
}

/// A new file.
#[derive(Debug)]
struct NewFile {
    process: u32,
    /// The event.
    made_at: u64,
    /// It may be executed from the first moment on.
    is_program: bool,
}

#[derive(Debug)]
struct Removed {
    process: u32,
    when: When,
}

impl Rule for RemovedBeforeRename {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[
            Kind::Fork,
            Kind::Remove,
            Kind::Open,
            Kind::SymbolicLink,
            Kind::MakeDirectory,
            Kind::Link,
        ])
        .if_ok()
        .and(&[Kind::Rename])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        self.family.observe(moment);
        match moment.action() {
            FileAction::Remove { directory: false, .. } if moment.is_ok() => self.removed(moment),
            FileAction::Rename { .. } => self.renamed(moment),
            FileAction::Open { flags, mode, .. } if moment.is_ok() => {
                self.taken(moment.place);
                let is_new = open_flags::has(*flags, open_flags::CREATE);
                if let Some(place) = moment.place.filter(|_| is_new) {
                    let (process, made_at) = (moment.process(), moment.when.number);
                    self.made.insert(place, NewFile { process, made_at, is_program: mode & EXECUTABLE != 0 });
                }
                if let (Some(place), true) = (moment.place, open_flags::has(*flags, open_flags::TRUNCATE)) {
                    self.written.insert(place, ());
                }
            }
            // Something else takes the name.
            FileAction::SymbolicLink { .. } | FileAction::MakeDirectory { .. } if moment.is_ok() => {
                self.taken(moment.place);
            }
            FileAction::Link { .. } if moment.is_ok() => {
                self.taken(moment.other_place);
            }
            _ => {}
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases), (&REMADE, &self.remade)]
    }
}

impl RemovedBeforeRename {
    fn taken(&mut self, place: Option<PlaceId>) {
        if let Some(place) = place {
            self.removed.remove(&place);
        }
    }

    fn removed(&mut self, moment: &Moment<'_>) {
        let Some(place) = moment.judged_place() else { return };
        let places = &moment.world.places;
        let was_published = self.published.remove(&place).is_some();
        let is_written = self.written.remove(&place).is_some() || places.get(place).is_made;
        if !self.guards.spare(MADE_HERE, is_written && !was_published)
            && !self.guards.spare(OLD_COPY, is_old_copy(places.name(place)))
            && !self.guards.spare(SCRATCH, moment.world.is_scratch(place))
        {
            self.removed.insert(place, Removed { process: moment.process(), when: moment.when });
        }
    }

    fn renamed(&mut self, moment: &Moment<'_>) {
        let (Some(from), Some(to)) = (moment.judged_place(), moment.other_place) else { return };
        match moment.errno() {
            None if moment.is_ok() => {}
            // A missing source says nothing of the target.
            Some(ENOENT) | None => return,
            Some(_) => return self.refused.insert(to, ()),
        }
        self.published.remove(&from);
        self.written.remove(&from);
        self.published.insert(to, ());
        let was_refused = self.refused.remove(&to).is_some();
        let made = self.made.remove(&from);
        let Some(removed) = self.removed.remove(&to) else { return };
        let is_own = removed.process == moment.process();
        let is_built =
            is_own && made.as_ref().is_some_and(|made| made.is_program && made.process == removed.process);
        let is_later = made.is_some_and(|made| made.made_at > removed.when.number);
        let is_of_others = !is_own && is_later || !self.family.is_one(removed.process, moment.process());
        // A file that only changed its name is put back.
        if from != to
            && !self.guards.spare(TRIED, was_refused)
            && !self.guards.spare(BUILT, is_built)
            && !self.guards.spare(OTHERS, is_of_others)
            && !self.guards.spare(LONG_AGO, removed.when.is_apart(moment.when, LONG_NS))
        {
            let cases = if is_later { &mut self.remade } else { &mut self.cases };
            cases.add_at(moment, Some(to), 1, &[]);
        }
    }
}

fn is_old_copy(name: &str) -> bool {
    const WORDS: [&str; 6] = ["bak", "old", "orig", "backup", "prev", "previous"];
    let mut parts = name.split(['.', '-', '_']).skip(1);
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    name.ends_with('~')
        || name.split(['.', '-', '_']).next() == Some("undo")
        || parts.any(|part| WORDS.contains(&part) || is_number(part))
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, Script};
    use fathom_events::{CallOutcome, OpenFlags};
    fn make(script: &mut Script, path: &str) {
        let file = script.open(path, CREATE | open_flags::EXCLUSIVE);
        script.write(file, 100);
        script.close(file);
    }
    fn replace(script: &mut Script, path: &str) {
        let new = format!("{path}.new");
        make(script, &new);
        script.remove(path);
        script.rename(&new, path);
    }
    crate::trio::Trio {
        rule: 59,
        waste: |script| {
            replace(script, "/data/state");
            script.stat("/data/table", 100);
            replace(script, "/data/table");
            // It was not there at first, and is published again and again.
            make(script, "/data/index.new");
            script.rename("/data/index.new", "/data/index");
            replace(script, "/data/index");
            // A script: rm, then mv.
            script.fork(300);
            script.fork(301);
            script.act_as(300, 300);
            script.remove("/data/list");
            script.act_as(301, 301);
            script.rename("/data/list.new", "/data/list");
        },
        count: 4,
        fixed: |script| {
            make(script, "/data/state.new");
            script.rename("/data/state.new", "/data/state");
        },
        look_alikes: &[
            ("tried", |script| {
                make(script, "/data/state.new");
                let (from, to) = (script.target("/data/state.new"), script.target("/data/state"));
                script.fails("rename", FileAction::Rename { from, to, flags: 0 }, 17);
                script.remove("/data/state");
                script.rename("/data/state.new", "/data/state");
            }),
            ("made-here", |script| {
                make(script, "/data/half");
                replace(script, "/data/half");
            }),
            ("made-here", |script| {
                let file = script.open("/data/half", crate::script::TRUNCATE);
                script.close(file);
                replace(script, "/data/half");
            }),
            // A linker.
            ("built", |script| {
                let (target, flags) = (script.target("/data/app.tmp"), OpenFlags(CREATE));
                let action = FileAction::Open { target, flags, mode: 0o777 };
                script.call("openat", action, CallOutcome::Value(40));
                script.remove("/data/app");
                script.rename("/data/app.tmp", "/data/app");
            }),
            ("old-copy", |script| {
                script.remove("/data/app.log.3");
                script.rename("/data/app.log.2", "/data/app.log.3");
                script.remove("/data/notes~");
                script.rename("/data/notes", "/data/notes~");
                script.remove("/data/undo.backup-files");
                script.rename("/data/journal.backup-files", "/data/undo.backup-files");
                script.remove("/data/undo");
                script.rename("/data/journal", "/data/undo");
            }),
            ("others", |script| {
                script.remove("/data/state");
                script.act_as(200, 200);
                script.rename("/data/state.new", "/data/state");
            }),
            // One command takes it away, and the next brings one.
            ("others", |script| {
                script.fork(300);
                script.fork(301);
                script.act_as(300, 300);
                script.remove("/data/list");
                script.act_as(301, 301);
                make(script, "/data/list.new");
                script.rename("/data/list.new", "/data/list");
            }),
            ("long-ago", |script| {
                script.remove("/data/state");
                script.wait_ms(60_000);
                script.rename("/data/state.new", "/data/state");
            }),
            ("scratch", |script| replace(script, "/data/target/list")),
            ("", |script| {
                script.remove("/data/state");
                make(script, "/data/state");
                make(script, "/data/other");
                script.rename("/data/other", "/data/state");
            }),
        ],
    }
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::{CREATE, Script};

    #[test]
    fn what_was_begun_when_the_old_one_was_gone_is_a_note() {
        let severities = |is_ready: bool| {
            let mut script = Script::new();
            let make = |script: &mut Script| {
                let file = script.open("/data/state.new", CREATE | open_flags::EXCLUSIVE);
                script.write(file, 100);
                script.close(file);
            };
            if is_ready {
                make(&mut script);
            }
            script.remove("/data/state");
            if !is_ready {
                make(&mut script);
            }
            script.rename("/data/state.new", "/data/state");
            let found = script.findings_of(FACTS.id, Guards::default());
            found.iter().map(|finding| finding.severity).collect::<Vec<_>>()
        };
        assert_eq!(severities(true), [Severity::Warn]);
        assert_eq!(severities(false), [Severity::Info]);
    }
}
