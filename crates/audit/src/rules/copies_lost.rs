//! R70: copies of descriptors (dup) that are neither used nor closed, or never closed.

use crate::cases::{Cases, Scene};
use crate::claims::{Claim, Claims};
use crate::finding::{RuleId, Severity};
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, PlaceId, World};
use fathom_events::{ControlCommand, FileAction, StackId, Target};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(70),
    name: "descriptor-copy-lost",
    needs: "dup, fcntl(F_DUPFD) and every call by descriptor",
    guards: &[KEPT, INHERITED, CLOSES, ONLY_ONE, FEW],
    begin: |guards| {
        Box::new(CopiesLost {
            guards,
            processes: FxHashMap::default(),
            leaked: Cases::default(),
            unused: Cases::default(),
        })
    },
};

const KEPT: Guard = Guard {
    name: "kept",
    spares: "the copy is still used after later copies were made: it is kept on purpose",
};
const INHERITED: Guard = Guard {
    name: "inherited",
    spares: "a child was started while the copy was open: it may be for the child",
};
const CLOSES: Guard = Guard { name: "closes", spares: "the process closes most of its copies" };
const ONLY_ONE: Guard = Guard {
    name: "only-one",
    spares: "the copy is the only descriptor left of a file that the process opened: the open file leaks, which is R51",
};
const FEW: Guard = Guard { name: "few", spares: "three copies or less" };

/// The last descriptor that is there to be replaced.
const LAST_STANDARD: i32 = 2;
/// From this many on it is a habit.
const HABIT: u64 = 4;
/// From this many on they are a leak.
const LEAK: u64 = 16;

const LEAKED: Words = Words::danger(
    Severity::Warn,
    "descriptors made by dup() and never closed",
    "close each copy when its work is done; fdopen(dup(fd)) needs its own fclose()",
    "a copy may be kept on purpose, for a lock or to be sent to another process",
);

const UNUSED: Words = Words::cost(
    "descriptors made by dup(), never used and never closed",
    "drop the dup(), or close the copy",
    "a copy may be kept on purpose, for a lock or to be sent to another process",
);

#[derive(Debug)]
struct CopiesLost {
    guards: Guards,
    processes: FxHashMap<u32, Copies>,
    leaked: Cases,
    unused: Cases,
}

/// The copies of one process.
#[derive(Debug, Default)]
struct Copies {
    /// Those that are open, by number.
    open: BTreeMap<i32, CopyMade>,
    /// The number made last.
    last: i32,
    sites: BTreeMap<SiteKey, Site>,
}

/// Whether a call copies what is a copy itself, and which decisions to live with it hold its path. A copy
/// of a copy puts something back, and is made elsewhere in a program than the first one.
type SiteKey = (bool, u32);

/// Where a program makes copies: judged as one, and told by the stacks of its calls.
#[derive(Debug)]
struct Site {
    made: u64,
    first: Scene,
    scenes: BTreeMap<Option<StackId>, Scene>,
}

#[expect(clippy::struct_excessive_bools, reason = "they are facts that do not depend on each other")]
#[derive(Debug)]
struct CopyMade {
    file: FileNumber,
    call: Claim,
    site: SiteKey,
    stack: Option<StackId>,
    /// That of its file.
    place: Option<PlaceId>,
    is_used: bool,
    /// Used after a later copy was made.
    is_kept: bool,
    is_inherited: bool,
    /// The process itself opened the file.
    is_own: bool,
    /// It took the place of a standard descriptor; true when it was used again after that.
    is_put_back: bool,
    is_used_again: bool,
}

impl CopyMade {
    /// What was put aside came back once, and nothing was done with the copy since.
    fn is_done(&self) -> bool {
        self.is_put_back && !self.is_used_again
    }
}

impl Rule for CopiesLost {
    fn wakes_at(&self) -> Interest {
        Interest::in_calls(&[Kind::Duplicate])
    }

    fn remembers(&self) -> bool {
        !self.processes.is_empty()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        if let Some(copies) = self.processes.get_mut(&moment.process()) {
            copies.follow(moment);
        }
        match moment.action() {
            FileAction::Duplicate { to: None, .. } => self.copied(moment),
            FileAction::Execute { .. } if moment.is_ok() => drop(self.processes.remove(&moment.process())),
            FileAction::Exit { whole: true, .. } => self.settle(moment.process(), moment.world),
            _ => {}
        }
    }

    fn finish(&mut self, world: &World) {
        for process in world.living().collect::<Vec<_>>() {
            self.settle(process, world);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&LEAKED, &self.leaked), (&UNUSED, &self.unused)]
    }
}

impl CopiesLost {
    fn copied(&mut self, moment: &Moment<'_>) {
        let (Some(number), Some(file)) = (moment.event.outcome.descriptor(), moment.file) else { return };
        // At 0, 1 or 2 it takes the place of what was there, as dup2 has it.
        if moment.is_loaders || number <= LAST_STANDARD {
            return;
        }
        let copies = self.processes.entry(moment.process()).or_default();
        copies.last = number;
        let is_of_copy = matches!(moment.action(), FileAction::Duplicate { descriptor, .. } if copies.open.contains_key(descriptor));
        let (site, stack) = ((is_of_copy, moment.world.tolerated_set(file.place)), moment.event.stack);
        let new = || Site { made: 0, first: Scene::of(moment), scenes: BTreeMap::new() };
        let made_at = copies.sites.entry(site).or_insert_with(new);
        made_at.made += 1;
        let Site { first, scenes, .. } = made_at;
        scenes.entry(stack).or_insert_with(|| Scene::of(moment).owned_as(Some(&*first)));
        let copy = CopyMade {
            file: file.number,
            call: moment.claim(),
            site,
            stack,
            place: moment.any_place(),
            is_used: false,
            is_kept: false,
            is_inherited: false,
            is_own: file.opened_by == moment.process() && !file.is_inherited,
            is_put_back: false,
            is_used_again: false,
        };
        copies.open.insert(number, copy);
    }

    /// A process ends, or the trace does: the copies that it still has open are counted by site.
    fn settle(&mut self, process: u32, world: &World) {
        let Some(mut copies) = self.processes.remove(&process) else { return };
        let originals = world.descriptors(process).filter(|(number, _, _)| !copies.open.contains_key(number));
        let reached: BTreeSet<FileNumber> = originals.map(|(_, _, file)| file.number).collect();
        let mut leading: BTreeMap<FileNumber, u64> = BTreeMap::new();
        copies.open.values().for_each(|copy| *leading.entry(copy.file).or_default() += 1);
        let guards = self.guards;
        let is_lost = |copy: &CopyMade| {
            let is_only_one = copy.is_own && !reached.contains(&copy.file) && leading[&copy.file] == 1;
            !guards.spare(ONLY_ONE, is_only_one)
                && (copy.is_done() || !guards.spare(KEPT, copy.is_kept))
                && (copy.is_done() || !guards.spare(INHERITED, copy.is_inherited))
        };
        let mut lost: BTreeMap<SiteKey, Vec<CopyMade>> = BTreeMap::new();
        for copy in std::mem::take(&mut copies.open).into_values().filter(is_lost) {
            lost.entry(copy.site).or_default().push(copy);
        }
        for (site, lost) in lost {
            if let Some(site) = copies.sites.get(&site) {
                self.settle_site(site, lost, world);
            }
        }
    }

    fn settle_site(&mut self, site: &Site, mut lost: Vec<CopyMade>, world: &World) {
        let count = |copies: usize| u64::try_from(copies).unwrap_or(u64::MAX);
        if self.guards.spare(CLOSES, count(lost.len()) * 10 < site.made * 9) {
            // A shell closes its own copies, and the script's are made at the same place of it.
            lost.retain(CopyMade::is_done);
            if count(lost.len()) < LEAK {
                return;
            }
        }
        let is_leak = count(lost.len()) >= LEAK;
        let unused = lost.iter().filter(|copy| !copy.is_used).count();
        if !is_leak && (unused == 0 || self.guards.spare(FEW, count(unused) < HABIT)) {
            return;
        }
        for (stack, scene) in &site.scenes {
            let here = lost.iter().filter(|copy| copy.stack == *stack);
            if is_leak {
                // Others may have been copied there first, which were closed.
                let places: BTreeSet<_> = here.clone().filter_map(|copy| copy.place).collect();
                let lost = count(here.count());
                if lost > 0 {
                    self.leaked.add_scene(&scene.clone().about(places, world), lost, &[], world);
                }
                continue;
            }
            let calls: Claims = here.filter(|copy| !copy.is_used).map(|copy| copy.call).collect();
            if calls.calls() > 0 {
                self.unused.claim_scene(scene, calls.calls(), &calls, world);
            }
        }
    }
}

impl Copies {
    /// Sees what a call does to the copies: it closes them, uses them, or gives them to a child.
    fn follow(&mut self, moment: &Moment<'_>) {
        let action = moment.action();
        match action {
            FileAction::Close { descriptor } => drop(self.open.remove(descriptor)),
            FileAction::CloseRange { first, last, mark_only: false } => {
                let [first, last] = [first, last].map(|number| i32::try_from(*number).unwrap_or(i32::MAX));
                self.open.retain(|number, _| !(first..=last).contains(number));
            }
            FileAction::Fork { is_thread: false, .. } => {
                self.open.values_mut().for_each(|copy| copy.is_inherited = true);
            }
            FileAction::Control {
                command:
                    ControlCommand::GetDescriptorFlags
                    | ControlCommand::SetDescriptorFlags { .. }
                    | ControlCommand::GetStatusFlags,
                ..
            } => {}
            FileAction::Duplicate { descriptor, .. }
                if moment.event.outcome.descriptor().is_some_and(|number| number <= LAST_STANDARD) =>
            {
                self.uses(*descriptor);
                if let Some(copy) = self.open.get_mut(descriptor) {
                    copy.is_put_back = true;
                }
            }
            _ => {
                let subject = moment.subject;
                let directory = |target: Option<&Target>| match target {
                    Some(Target::Path { directory, .. }) => Some(*directory),
                    _ => None,
                };
                let destination = match action {
                    FileAction::Copy { to, .. } => Some(*to),
                    _ => None,
                };
                let paths = [subject.path, subject.other_path].map(directory);
                for number in [subject.descriptor, destination].into_iter().chain(paths).flatten() {
                    self.uses(number);
                }
            }
        }
        if let FileAction::Duplicate { descriptor, to: Some(to), .. } = action
            && descriptor != to
        {
            self.open.remove(to);
        }
    }

    fn uses(&mut self, number: i32) {
        let is_last = number == self.last;
        if let Some(copy) = self.open.get_mut(&number) {
            // What is used again after it was put back is kept for more.
            copy.is_used_again |= copy.is_put_back;
            copy.is_used = true;
            copy.is_kept |= !is_last;
        }
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    use fathom_events::CallOutcome;
    fn copy(script: &mut Script, descriptor: i32, made: i32) {
        let action = FileAction::Duplicate { descriptor, to: None, close_on_exec: true };
        script.call("fcntl", action, CallOutcome::Value(made.into()));
    }
    crate::trio::Trio {
        rule: 70,
        waste: |script| {
            let file = script.open("/data/a", READ);
            (100..106).for_each(|number| copy(script, file, number));
            script.exit();
            script.act_as(200, 200);
            let file = script.open("/data/a", READ);
            for number in 100..120 {
                copy(script, file, number);
                script.read(number, 10, 10);
            }
            script.exit();
            // What is at 1 is put aside and put back by a further copy, and the first one is kept.
            script.act_as(300, 300);
            for number in 100..120 {
                copy(script, 1, number);
                let file = script.open("/data/out", crate::script::TRUNCATE);
                script.duplicate(file, 1);
                script.close(file);
                copy(script, number, 90);
                script.duplicate(90, 1);
                script.close(90);
            }
            script.exit();
            // A shell makes and closes copies of its own beside them, and starts children.
            script.act_as(500, 500);
            for number in 100..120 {
                copy(script, 1, number);
                let file = script.open("/data/out", crate::script::TRUNCATE);
                script.duplicate(file, 1);
                script.close(file);
                script.fork(600 + number.unsigned_abs());
                for _ in 0..2 {
                    copy(script, 1, 130);
                    script.close(130);
                }
                script.duplicate(number, 1);
            }
            script.exit();
            // The same where 1 is the lowest number that is free.
            script.act_as(400, 400);
            for number in 100..120 {
                copy(script, 1, number);
                script.close(1);
                copy(script, number, 1);
            }
            script.exit();
        },
        count: 86,
        fixed: |script| {
            let file = script.open("/data/a", READ);
            for _ in 0..20 {
                copy(script, file, 100);
                script.read(100, 10, 10);
                script.close(100);
            }
            script.exit();
        },
        look_alikes: &[
            ("kept", |script| {
                let file = script.open("/data/a", READ);
                (100..120).for_each(|number| copy(script, file, number));
                (100..120).for_each(|number| script.read(number, 10, 10));
                script.exit();
            }),
            ("inherited", |script| {
                let file = script.open("/data/a", READ);
                for number in 100..106 {
                    copy(script, file, number);
                    script.fork(300 + number.unsigned_abs());
                }
                script.exit();
            }),
            ("closes", |script| {
                let file = script.open("/data/a", READ);
                (100..140).for_each(|number| copy(script, file, number));
                (100..120).for_each(|number| script.close(number));
                script.exit();
            }),
            ("only-one", |script| {
                for number in 100..106 {
                    let file = script.open("/data/a", READ);
                    copy(script, file, number);
                    script.close(file);
                }
                script.exit();
            }),
            ("few", |script| {
                let file = script.open("/data/a", READ);
                (100..103).for_each(|number| copy(script, file, number));
                script.exit();
            }),
            // The same, and the copy is closed.
            ("closes", |script| {
                for _ in 0..20 {
                    copy(script, 1, 100);
                    copy(script, 100, 90);
                    script.duplicate(90, 1);
                    script.close(90);
                    script.close(100);
                }
                script.exit();
            }),
            // Standard output is put aside and comes back.
            ("", |script| {
                for number in 100..106 {
                    copy(script, 1, number);
                    script.duplicate(number, 1);
                }
                script.exit();
            }),
        ],
    }
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auditor::Auditor;
    use crate::script::{READ, Script};
    use fathom_events::CallOutcome;

    #[test]
    fn copies_are_told_with_their_own_file_and_not_with_what_was_copied_there_before() {
        let mut script = Script::new();
        let copy = |script: &mut Script, path: &str, made: i32| {
            let descriptor = script.open(path, READ);
            let action = FileAction::Duplicate { descriptor, to: None, close_on_exec: true };
            script.call("fcntl", action, CallOutcome::Value(made.into()));
        };
        copy(&mut script, "/data/closed", 100);
        script.close(100);
        (101..140).for_each(|made| copy(&mut script, "/data/lost", made));
        script.exit();
        let audit = script.audited(Auditor::new());
        let finding = audit.findings.iter().find(|one| one.rule == FACTS.id).unwrap();
        let paths = finding.place.paths.as_ref().unwrap();
        assert_eq!((paths.first.as_str(), paths.count), ("/data/lost", 1));
    }
}
