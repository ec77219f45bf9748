//! R59: a file was removed, and the one that takes its place renamed afterwards: between, there
//! is none.

use crate::call_key::ENOENT;
use crate::cases::Cases;
use crate::finding::{RuleId, Severity};
use crate::moment::{Moment, When};
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::PlaceId;
use fathom_events::FileAction;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(59),
    name: "removed-before-rename",
    needs: "paths of unlink and rename",
    guards: &[TRIED, MADE_HERE, OLD_COPY, OTHERS, LONG_AGO, SCRATCH],
    begin: |guards| {
        Box::new(RemovedBeforeRename {
            guards,
            refused: Recent::default(),
            removed: Recent::default(),
            cases: Cases::default(),
        })
    },
};

const TRIED: Guard =
    Guard { name: "tried", spares: "a rename over it was refused before: the file system cannot replace it" };
const MADE_HERE: Guard =
    Guard { name: "made-here", spares: "the traced programs made what was removed: nobody waits for it" };
const OLD_COPY: Guard = Guard {
    name: "old-copy",
    spares: "a backup or a rotated log (x.bak, x~, x.3): nobody depends on its being there",
};
const OTHERS: Guard = Guard { name: "others", spares: "one process removed it, another renamed" };
const LONG_AGO: Guard = Guard { name: "long-ago", spares: "it had been gone for long: nobody expects it" };
const SCRATCH: Guard =
    Guard { name: "scratch", spares: "temporary and built files are made again after a crash" };

/// So long a file may be gone until nobody expects it, in ns.
const LONG_NS: u64 = 5_000_000_000;

const WORDS: Words = Words::danger(
    Severity::Warn,
    "a file was removed before the new one was renamed into its place: a crash or a reader between finds no file",
    "rename over it at once: rename replaces the old file in one step",
    "nobody may read the file, or another file system may refuse to replace an open file",
);

#[derive(Debug)]
struct RemovedBeforeRename {
    guards: Guards,
    /// Places over which a rename was refused.
    refused: Recent<PlaceId, ()>,
    removed: Recent<PlaceId, Removed>,
    cases: Cases,
}

#[derive(Debug)]
struct Removed {
    process: u32,
    when: When,
}

impl Rule for RemovedBeforeRename {
    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Remove { directory: false, .. } if moment.is_ok() => self.removed(moment),
            FileAction::Rename { .. } => self.renamed(moment),
            // Something else takes the name.
            FileAction::Open { .. } | FileAction::SymbolicLink { .. } | FileAction::MakeDirectory { .. }
                if moment.is_ok() =>
            {
                self.taken(moment.place);
            }
            FileAction::Link { .. } if moment.is_ok() => {
                self.taken(moment.other_place);
            }
            _ => {}
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
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
        if !self.guards.spare(MADE_HERE, places.get(place).is_made)
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
        let was_refused = self.refused.remove(&to).is_some();
        let Some(removed) = self.removed.remove(&to) else { return };
        // A file that only changed its name is put back.
        if from != to
            && !self.guards.spare(TRIED, was_refused)
            && !self.guards.spare(OTHERS, removed.process != moment.process())
            && !self.guards.spare(LONG_AGO, removed.when.is_apart(moment.when, LONG_NS))
        {
            self.cases.add_at(moment, Some(to), 1, &[]);
        }
    }
}

fn is_old_copy(name: &str) -> bool {
    const WORDS: [&str; 6] = ["bak", "old", "orig", "backup", "prev", "previous"];
    let mut parts = name.split(['.', '-', '_']).skip(1);
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    name.ends_with('~') || parts.any(|part| WORDS.contains(&part) || is_number(part))
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, Script};
    fn make(script: &mut Script, path: &str) {
        let file = script.open(path, CREATE | crate::open_flags::EXCLUSIVE);
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
        },
        count: 2,
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
            ("old-copy", |script| {
                script.remove("/data/app.log.3");
                script.rename("/data/app.log.2", "/data/app.log.3");
                script.remove("/data/notes~");
                script.rename("/data/notes", "/data/notes~");
            }),
            ("others", |script| {
                script.remove("/data/state");
                script.fork(200);
                script.act_as(200, 200);
                script.rename("/data/state.new", "/data/state");
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
