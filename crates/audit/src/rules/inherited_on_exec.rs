//! R52: a file that a program opened for itself is open in the program that it executes.

use crate::cases::{Cases, Scene};
use crate::finding::{RuleId, Severity};
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{Descriptor, FileNumber, OpenFile, PlaceId, World};
use fathom_events::{ControlCommand, FileAction};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(52),
    name: "missing-cloexec",
    needs: "fork and execve, flags of open",
    guards: &[STANDARD, LOADERS, DEVICE, USED, CLOSED, LOCKED],
    begin: |guards| {
        Box::new(InheritedOnExec {
            guards,
            inherited: BTreeMap::new(),
            over: BTreeMap::new(),
            locked: Recent::default(),
            parents: Recent::default(),
            users: Recent::default(),
            harmed: Cases::default(),
            unused: Cases::default(),
        })
    },
};

const STANDARD: Guard = Guard {
    name: "standard",
    spares: "0, 1 and 2 are there to be inherited, and so is what is saved of them",
};
const LOADERS: Guard = Guard { name: "loaders", spares: "the dynamic loader's files are not the program's" };
const DEVICE: Guard = Guard {
    name: "device",
    spares: "/dev/null, a terminal, a file below /proc: nothing is kept alive by it, or betrayed",
};
const USED: Guard = Guard {
    name: "used",
    spares: "the other program, or one that it runs, uses it: it was passed on purpose",
};
const LOCKED: Guard = Guard {
    name: "locked",
    spares: "a lock is held as long as its file is open: a command that is run under it has it for that",
};
const CLOSED: Guard = Guard { name: "closed", spares: "the other program closes it by itself" };

const FIX: &str =
    "open it with O_CLOEXEC (fopen \"re\"); in a shell, close the number for the command: `command 3<&-`";
const DOUBT: &str = "it may be passed on purpose, by its number, and be used in another run";

const HARMED: Words = Words::danger(
    Severity::Warn,
    "a file without O_CLOEXEC was inherited by another program and harmed there: it outlived its owner (open for writing, or locked), or a lock or an exec of it failed meanwhile",
    FIX,
    DOUBT,
);

/// A helper that ends before its owner goes on does no harm that a trace could show.
const INHERITED: Words = Words::danger(
    Severity::Info,
    "an open file without O_CLOEXEC was inherited by another program, which does not use it",
    FIX,
    DOUBT,
);

/// `EAGAIN` of a lock that another holds, `ETXTBSY` of a program that is open for writing.
const LOCK_HELD: i32 = 11;
const TEXT_BUSY: i32 = 26;

/// Users of a file that are kept, and how many generations lie between two processes at most.
const USERS: usize = 16;
const GENERATIONS: usize = 16;

#[derive(Debug)]
struct InheritedOnExec {
    guards: Guards,
    /// By the process that executed, and the number.
    inherited: BTreeMap<(u32, i32), Inherited>,
    /// What programs had that are over, by the child of its owner that they descend from.
    over: BTreeMap<u32, Vec<Inherited>>,
    locked: Recent<FileNumber, ()>,
    /// Who made a process.
    parents: Recent<u32, u32>,
    /// Who did something with a file that another program opened.
    users: Recent<FileNumber, Vec<u32>>,
    harmed: Cases,
    unused: Cases,
}

/// What another program has and, so far, does nothing with.
#[derive(Debug)]
struct Inherited {
    file: FileNumber,
    place: Option<PlaceId>,
    /// Who opened it.
    owner: u32,
    /// It is open for writing, or locked.
    is_held: bool,
    is_harmed: bool,
    /// The event by which it was left.
    at: u64,
    scene: Scene,
}

impl Rule for InheritedOnExec {
    fn interest(&self) -> Interest {
        Interest::by_descriptor().and(&[Kind::Fork, Kind::CloseRange, Kind::Exit])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Execute { .. } if moment.is_ok() => self.executed(moment, moment.process()),
            FileAction::Execute { .. } if moment.errno() == Some(TEXT_BUSY) => self.failed(moment),
            FileAction::Lock { .. } | FileAction::Control { command: ControlCommand::Lock, .. }
                if moment.errno() == Some(LOCK_HELD) =>
            {
                self.failed(moment);
            }
            // A child runs, and may execute, before its fork returns in the parent.
            FileAction::Fork { is_thread: false, .. } => {
                let child = moment.value().and_then(|child| u32::try_from(child).ok());
                if let Some(child) = child {
                    self.parents.insert(child, moment.process());
                }
                if let Some(child) = child.filter(|child| moment.world.has_executed(*child)) {
                    self.executed(moment, child);
                }
            }
            FileAction::Lock { .. } | FileAction::Control { command: ControlCommand::Lock, .. }
                if moment.is_ok() =>
            {
                if let Some(file) = moment.file {
                    self.locked.insert(file.number, ());
                    let same = self.inherited.values_mut().filter(|known| known.file == file.number);
                    same.for_each(|known| known.is_held = true);
                }
                self.used(moment);
            }
            FileAction::CloseRange { first, last, .. } if self.guards.spare(CLOSED, moment.is_ok()) => {
                let is_closed =
                    |number: i32| u32::try_from(number).is_ok_and(|at| (*first..=*last).contains(&at));
                self.inherited
                    .retain(|(process, number), _| *process != moment.process() || !is_closed(*number));
            }
            FileAction::Exit { whole: true, .. } => self.settle(Some(moment.process()), moment.world),
            _ => self.used(moment),
        }
    }

    fn finish(&mut self, world: &World) {
        self.settle(None, world);
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&HARMED, &self.harmed), (&INHERITED, &self.unused)]
    }
}

impl InheritedOnExec {
    fn executed(&mut self, moment: &Moment<'_>, executing: u32) {
        for (number, entry, file) in moment.world.descriptors(executing) {
            if self.is_left(moment, executing, (number, entry, file)) {
                // What was put at a number may be meant for whoever comes.
                let is_held = open_flags::can_write(file.flags) && !entry.is_placed
                    || self.locked.get(&file.number).is_some();
                let new = || Inherited {
                    file: file.number,
                    place: file.place,
                    owner: file.opened_by,
                    is_held,
                    is_harmed: false,
                    at: moment.when.number,
                    scene: Scene::at(moment, file.place),
                };
                self.inherited.entry((executing, number)).or_insert_with(new);
            }
        }
    }

    /// True of a descriptor that nobody meant to leave to the program that is executed.
    fn is_left(
        &self,
        moment: &Moment<'_>,
        executing: u32,
        (number, entry, file): (i32, &Descriptor, &OpenFile),
    ) -> bool {
        let is_own = executing != moment.process() && file.opened_by == executing;
        let is_named = file.place.is_some() && !file.is_inherited && !is_own;
        let is_standard = (0..=2).contains(&number) || {
            let mut others = moment.world.descriptors(executing);
            others.any(|(other, entry, _)| (0..=2).contains(&other) && entry.file == file.number)
        };
        let is_device = file.place.is_some_and(|place| moment.world.places.is_excluded(place));
        is_named
            && !entry.close_on_exec
            && !self.guards.spare(STANDARD, is_standard)
            && !self.guards.spare(LOADERS, file.is_loaders)
            && !self.guards.spare(DEVICE, is_device)
    }

    /// A lock or an exec was refused: whoever has inherited the file is in the way.
    fn failed(&mut self, moment: &Moment<'_>) {
        let place = moment.any_place();
        let own = self.inherited.values_mut().filter(|known| place.is_some() && known.place == place);
        own.for_each(|known| known.is_harmed = true);
    }

    /// The other program does something with what it has.
    fn used(&mut self, moment: &Moment<'_>) {
        if self.inherited.is_empty() {
            return;
        }
        let Some(number) = moment.subject.descriptor else { return };
        self.note_user(moment);
        let key = (moment.process(), number);
        let is_it =
            self.inherited.get(&key).is_some_and(|known| Some(known.file) == moment.file.map(|at| at.number));
        let is_closing = matches!(
            moment.action(),
            FileAction::Close { .. }
                | FileAction::Control { command: ControlCommand::SetDescriptorFlags { .. }, .. }
        );
        let guard = if is_closing { CLOSED } else { USED };
        if is_it && self.guards.spare(guard, true) {
            self.inherited.remove(&key);
        }
    }

    /// Who uses what another program opened has it from those that it descends from.
    fn note_user(&mut self, moment: &Moment<'_>) {
        let is_passing = matches!(
            moment.action(),
            FileAction::Close { .. } | FileAction::Control { .. } | FileAction::Duplicate { .. }
        );
        let Some(file) = moment.file.filter(|file| file.opened_by != moment.process() && !is_passing) else {
            return;
        };
        let users = self.users.entry(file.number);
        if users.len() < USERS && !users.contains(&moment.process()) {
            users.push(moment.process());
        }
    }

    /// The process that the owner of a file made, and from which this one descends.
    fn child_of_owner(&self, process: u32, owner: u32) -> u32 {
        let line = std::iter::successors(Some(process), |at| self.parents.get(at).copied());
        line.take(GENERATIONS).take_while(|ancestor| *ancestor != owner).last().unwrap_or(process)
    }

    /// True when one who descends from the process uses the file.
    fn is_used_below(&self, process: u32, file: FileNumber, owner: u32) -> bool {
        let users = self.users.get(&file);
        users.is_some_and(|users| users.iter().any(|user| self.child_of_owner(*user, owner) == process))
    }

    /// Programs are over: what they had goes with the child of its owner, which may have had it
    /// for another program that it ran.
    fn settle(&mut self, process: Option<u32>, world: &World) {
        let is_meant = |key: &(u32, i32)| process.is_none_or(|process| process == key.0);
        let keys: Vec<_> = self.inherited.keys().filter(|key| is_meant(key)).copied().collect();
        for key in keys {
            let Some(mut known) = self.inherited.remove(&key) else { continue };
            known.is_harmed |= known.is_held && world.process(known.owner).is_none();
            let child = self.child_of_owner(key.0, known.owner);
            self.over.entry(child).or_default().push(known);
        }
        let is_over = |child: &u32| process.is_none_or(|process| process == *child);
        let children: Vec<_> = self.over.keys().filter(|child| is_over(child)).copied().collect();
        for child in children {
            let mut of_child = self.over.remove(&child).unwrap_or_default();
            of_child.sort_by_key(|known| known.at);
            // What it hands on to those that it runs was left to it once.
            let mut told = BTreeSet::new();
            for known in of_child {
                let is_used = self.is_used_below(child, known.file, known.owner);
                let is_locked = !known.is_harmed && self.locked.get(&known.file).is_some();
                if !self.guards.spare(USED, is_used)
                    && !self.guards.spare(LOCKED, is_locked)
                    && (told.insert(known.file) || known.is_harmed)
                {
                    let cases = if known.is_harmed { &mut self.harmed } else { &mut self.unused };
                    cases.add_scene(&known.scene, 1, &[], world);
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    fn run(script: &mut Script) {
        script.fork(200);
        script.act_as(200, 200);
        script.execute("/bin/true");
    }
    crate::trio::Trio {
        rule: 52,
        waste: |script| {
            script.open("/data/secret", 0);
            script.open("/data/log", 1);
            script.open("/data/marked", READ);
            run(script);
            // Put at a number, which the program does not look at.
            script.act_as(100, 100);
            let input = script.open("/data/input", READ);
            script.fork(300);
            script.act_as(300, 300);
            script.duplicate(input, 9);
            script.execute("/bin/false");
            // And runs another, which is left the same.
            script.fork(301);
            script.act_as(301, 301);
            script.execute("/bin/true");
            script.exit();
        },
        count: 2 + 3,
        fixed: |script| {
            script.open("/data/secret", READ);
            let marked = script.open("/data/marked", 0);
            script.works("ioctl", FileAction::DeviceControl { descriptor: marked, request: 0x5451 });
            run(script);
        },
        look_alikes: &[
            ("standard", |script| {
                let file = script.open("/data/input", READ);
                script.fork(200);
                script.act_as(200, 200);
                let action = FileAction::Duplicate { descriptor: file, to: None, close_on_exec: false };
                script.call("dup", action, fathom_events::CallOutcome::Value(0));
                script.execute("/bin/true");
            }),
            // What is at 1 is kept at 9, to be put back.
            ("standard", |script| {
                let file = script.open("/data/log", crate::script::WRITE);
                script.duplicate(file, 1);
                script.duplicate(1, 9);
                script.close(file);
                run(script);
            }),
            ("loaders", |script| {
                script.execute("/bin/app");
                let library = script.open("/lib/libz.so.1", 0);
                script.map_as_code(library);
                script.execute("/bin/true");
            }),
            ("device", |script| {
                script.open("/dev/null", 2);
                run(script);
            }),
            ("used", |script| {
                let file = script.open("/data/input", 0);
                run(script);
                script.read(file, 100, 100);
                script.exit();
            }),
            // A shell between hands it on, to one of two.
            ("used", |script| {
                let file = script.open("/data/input", 0);
                run(script);
                script.fork(300);
                script.act_as(300, 300);
                script.execute("/bin/cat");
                script.act_as(200, 200);
                script.fork(301);
                script.act_as(301, 301);
                script.execute("/bin/wc");
                script.exit();
                script.act_as(300, 300);
                script.read(file, 100, 100);
                script.exit();
                script.act_as(200, 200);
                script.exit();
            }),
            ("locked", |script| {
                let file = script.open("/data/lock", 0);
                script.works("flock", FileAction::Lock { descriptor: file });
                run(script);
                script.exit();
            }),
            ("closed", |script| {
                let file = script.open("/data/input", 0);
                run(script);
                script.close(file);
            }),
            ("closed", |script| {
                script.open("/data/input", 0);
                run(script);
                let all = FileAction::CloseRange { first: 3, last: u32::MAX, mark_only: false };
                script.works("close_range", all);
            }),
        ],
    }
};

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::rule::Guards;
    use crate::script::Script;
    use fathom_events::FileAction;

    /// A child executes another program; what happens then is the test's.
    fn severity(flags: u32, then: fn(&mut Script, i32)) -> Severity {
        let mut script = Script::new();
        script.execute("/bin/app");
        let file = script.open("/data/state", flags);
        script.fork(200);
        script.act_as(200, 200);
        script.execute("/bin/helper");
        script.act_as(100, 100);
        then(&mut script, file);
        let mut found = script.findings(Guards::default());
        found.retain(|finding| finding.rule == super::FACTS.id);
        assert_eq!(found.len(), 1, "{found:#?}");
        found[0].severity
    }

    fn exits(script: &mut Script, processes: [u32; 2]) {
        for process in processes {
            script.act_as(process, process);
            script.exit();
        }
    }

    #[test]
    fn what_outlives_its_owner_is_a_danger_and_a_helper_that_ends_first_is_none() {
        assert_eq!(severity(1, |script, _| exits(script, [200, 100])), Severity::Info);
        assert_eq!(severity(1, |script, _| exits(script, [100, 200])), Severity::Warn);
        assert_eq!(severity(0, |script, _| exits(script, [100, 200])), Severity::Info, "only read");
        let locked = severity(0, |script, file| {
            script.works("flock", FileAction::Lock { descriptor: file });
            exits(script, [100, 200]);
        });
        assert_eq!(locked, Severity::Warn);
    }

    #[test]
    fn a_lock_or_an_exec_that_is_refused_is_the_harm() {
        let busy = severity(1, |script, _| {
            let target = script.target("/data/state");
            script.fails("execve", FileAction::Execute { target }, 26);
        });
        let held = severity(0, |script, _| {
            let again = script.open("/data/state", 0x8_0000);
            script.fails("flock", FileAction::Lock { descriptor: again }, 11);
        });
        assert_eq!((busy, held), (Severity::Warn, Severity::Warn));
    }
}
