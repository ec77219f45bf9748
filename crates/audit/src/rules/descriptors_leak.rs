//! R51: descriptors that pile up: opened at one place in the program, done with, and not closed
//! while it opens more there.
//!
//! The evidence is growth. A file that is used again after the next one was opened is kept on
//! purpose; so is one that is locked, mapped, or read here and there. What a language closes for a
//! program at its very end was open until then.

use crate::cases::{Cases, Scene};
use crate::finding::{RuleId, Severity};
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, OpenFile, PlaceId, World};
use fathom_events::{DescriptorKind, FileAction, FileKind, OpenFlags, StackId, Target};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(51),
    name: "descriptor-leak",
    needs: "every open and close of the process",
    guards: &[BOUNDED, PLATEAU, FEW, USED, CONTAINER],
    begin: |guards| {
        Box::new(DescriptorsLeak {
            guards,
            sites: Recent::default(),
            uses: Recent::default(),
            closing: BTreeMap::new(),
            late_sites: BTreeSet::new(),
            many: Cases::default(),
            some: Cases::default(),
            late: Cases::default(),
        })
    },
};

const BOUNDED: Guard = Guard {
    name: "bounded",
    spares: "only those opened last are open: a cache of some size, or a collector that had not run yet",
};
const PLATEAU: Guard =
    Guard { name: "plateau", spares: "it opened them at its beginning and no more since: it keeps them" };
const USED: Guard = Guard {
    name: "used",
    spares: "most of them are used again after the next one was opened: they are kept to be used",
};
const CONTAINER: Guard = Guard {
    name: "container",
    spares: "it reads here and there in them, maps, locks or watches them: such files are kept open for that",
};
const FEW: Guard = Guard { name: "few", spares: "a handful of files may stay open to the end" };

/// From this many on it is a leak.
const MANY: u64 = 16;
/// From this many on it may be one.
const SOME: u64 = 5;
/// So many closes in a row close what has piled up.
const BURST: usize = 8;
/// From so many open at once on it may become some.
const PILE: u64 = 3;
/// What is passed over within a file's head, in bytes.
const HEAD_BYTES: u64 = 4096;
/// Opens of one site whose calls are kept to be shown.
const SHOWN: usize = 12;

const FIX: &str = "close each file when its work is done (RAII, `with`, try-with-resources, defer)";
const DOUBT: &str =
    "they may be kept on purpose for later, and a program that ends soon may leave closing to the kernel";

const FILES: Words = Words::danger(
    Severity::Warn,
    "files opened at one place in the program and not closed when done with: descriptors pile up",
    FIX,
    DOUBT,
);

const SOME_FILES: Words = Words::danger(
    Severity::Info,
    "some files opened at one place in the program were not closed when done with",
    FIX,
    DOUBT,
);

const LATE: Words = Words::danger(
    Severity::Info,
    "files closed many at once, long after they were done with: descriptors pile up until then",
    FIX,
    "they may be a batch that is closed together on purpose",
);

#[derive(Debug)]
struct DescriptorsLeak {
    guards: Guards,
    sites: Recent<(u32, Site), Opened>,
    uses: Recent<FileNumber, Use>,
    /// Files of a process that were closed since it did anything else: where that is its end, they
    /// were open until then.
    closing: BTreeMap<u32, Vec<Left>>,
    /// Sites whose files were closed late.
    late_sites: BTreeSet<(u32, Site)>,
    many: Cases,
    some: Cases,
    late: Cases,
}

/// Where a program opens: by what and how, since the verdict does not depend on stacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Site {
    Directory(Option<PlaceId>, u32),
    /// Anywhere, with those flags.
    Anywhere(u32),
    /// What the kernel makes without a path: epoll, inotify, timers, events.
    Kernel,
}

/// What is done with an open file.
#[derive(Debug, Default)]
struct Use {
    /// The event of its last use.
    last: u64,
    /// Where the last read began, and where it is read on from.
    began: u64,
    next: u64,
    /// How often something was passed over.
    skips: u32,
    is_container: bool,
}

#[derive(Debug, Default)]
struct Opened {
    count: u64,
    /// How many of them are open now.
    open: u64,
    first: u64,
    last: u64,
    /// How many were closed together long after they were done with, by the stack of their opening.
    late: BTreeMap<Option<StackId>, u64>,
    scenes: Vec<(FileNumber, Scene)>,
}

/// An open file that was left open.
#[derive(Debug, Clone, Copy)]
struct Left {
    number: FileNumber,
    opened_at: u64,
    sites: [Option<Site>; 2],
    stack: Option<StackId>,
}

/// What a process has open of one site when it ends.
#[derive(Debug, Default)]
struct StillOpen {
    count: u64,
    used: u64,
    containers: u64,
    early: u64,
}

impl Rule for DescriptorsLeak {
    fn observe(&mut self, moment: &Moment<'_>) {
        self.note_directory_use(moment);
        match moment.action() {
            FileAction::Open { .. } if moment.is_ok() && !moment.is_loaders => self.opened(moment),
            FileAction::MakeDescriptors { kind: DescriptorKind::Kernel, .. } if moment.is_ok() => {
                self.opened(moment);
            }
            FileAction::Exit { whole: true, .. } => {
                self.settle(moment.process(), moment.world, moment.when.number);
            }
            FileAction::Close { .. } if moment.is_ok() => return self.closed(moment),
            FileAction::Read { bytes: _, offset, .. } if moment.is_ok() => self.was_read(moment, *offset),
            FileAction::Map { descriptor: Some(_), .. }
            | FileAction::Lock { .. }
            | FileAction::Watch { add: true, .. } => self.used(moment, true),
            FileAction::Control { command: fathom_events::ControlCommand::Lock, .. } => {
                self.used(moment, true);
            }
            FileAction::Write { .. }
            | FileAction::List { .. }
            | FileAction::Control { .. }
            | FileAction::DeviceControl { .. }
            | FileAction::Copy { .. }
            | FileAction::Stat { target: Target::Descriptor(_), .. } => self.used(moment, false),
            _ => {}
        }
        if !self.closing.is_empty()
            && is_work(moment)
            && let Some(closing) = self.closing.remove(&moment.process())
            && closing.len() >= BURST
        {
            self.closed_late(moment.process(), closing);
        }
    }

    fn finish(&mut self, world: &World) {
        for process in world.living().collect::<Vec<_>>() {
            self.settle(process, world, u64::MAX);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&FILES, &self.many), (&SOME_FILES, &self.some), (&LATE, &self.late)]
    }
}

impl DescriptorsLeak {
    fn opened(&mut self, moment: &Moment<'_>) {
        let file = match moment.action() {
            FileAction::MakeDescriptors { made, .. } => {
                let made = made.iter().flatten().next();
                let of = |made: &i32| moment.world.descriptor(moment.thread(), moment.process(), *made);
                made.and_then(of).and_then(|entry| moment.world.file(entry.file))
            }
            _ => moment.file,
        };
        let Some(file) = file else { return };
        for site in sites_of(file, moment.world).into_iter().flatten() {
            let known = self.sites.entry((moment.process(), site));
            if known.count == 0 {
                known.first = moment.when.number;
            }
            known.count += 1;
            known.open += 1;
            known.last = moment.when.number;
            // Where each is closed before the next nothing piles up, and nothing is to be shown.
            let stack = moment.event.stack;
            let is_new_place =
                stack.is_some() && known.scenes.iter().all(|(_, scene)| scene.stack() != stack);
            if is_new_place || known.open >= PILE && known.scenes.len() < SHOWN {
                known.scenes.push((file.number, Scene::of_program(moment)));
            }
        }
    }

    /// A close: where the program does something after it, the file was closed in time.
    fn closed(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.file.filter(|file| file.is_last_reference()) else { return };
        for site in sites_of(file, moment.world).into_iter().flatten() {
            if let Some(opened) = self.sites.get_mut(&(file.opened_by, site)) {
                opened.open = opened.open.saturating_sub(1);
            }
        }
        if file.opened_by == moment.process() && !file.is_inherited && !file.is_loaders {
            self.closing.entry(moment.process()).or_default().push(Left::new(file, moment.world));
        }
    }

    /// Many files are closed at once: where they were done with long before, a collector did it, or
    /// what held them went.
    fn closed_late(&mut self, process: u32, mut closing: Vec<Left>) {
        closing.sort_by_key(|left| left.opened_at);
        let idle = closing.windows(2).filter(|pair| {
            let known = self.uses.get(&pair[0].number);
            let is_used = known.is_some_and(|known| known.last > pair[1].opened_at || known.is_container);
            pair[0].sites == pair[1].sites && !is_used
        });
        let idle = idle.filter_map(|pair| Some((pair[0].sites[0]?, pair[0].stack)));
        for (site, stack) in idle.collect::<Vec<_>>() {
            if let Some(opened) = self.sites.get_mut(&(process, site)) {
                *opened.late.entry(stack).or_default() += 1;
                self.late_sites.insert((process, site));
            }
        }
    }

    fn used(&mut self, moment: &Moment<'_>, is_container: bool) {
        if let Some(file) = moment.file.filter(|_| moment.is_ok()) {
            let known = self.uses.entry(file.number);
            known.last = moment.when.number;
            known.is_container |= is_container;
        }
    }

    /// Reads from the beginning to the end are those of a file that is done with then.
    fn was_read(&mut self, moment: &Moment<'_>, offset: Option<u64>) {
        let Some(file) = moment.file else { return };
        let at = offset.or(file.position);
        let known = self.uses.entry(file.number);
        known.last = moment.when.number;
        if let Some(at) = at {
            // Who reads lines by a buffer steps back to where the next line begins, as a shell does.
            let is_on = at == known.next || at > known.began && at < known.next;
            // The rest of a head may be passed over, once.
            let is_body =
                0 < known.next && (1..HEAD_BYTES).contains(&(at - at.min(known.next))) && known.skips == 0;
            known.skips += u32::from(is_body);
            known.is_container |= !is_on && !is_body;
            (known.began, known.next) = (at, at.saturating_add(moment.bytes));
        }
    }

    /// A path relative to an open directory uses that.
    fn note_directory_use(&mut self, moment: &Moment<'_>) {
        for target in [moment.subject.path, moment.subject.other_path].into_iter().flatten() {
            if let Target::Path { directory, .. } = target
                && *directory >= 0
                && let Some(entry) = moment.world.descriptor(moment.thread(), moment.process(), *directory)
            {
                self.uses.entry(entry.file).last = moment.when.number;
            }
        }
    }

    /// A process ends, or the trace does: what it has open until then is counted by site.
    fn settle(&mut self, process: u32, world: &World, now: u64) {
        let closing = self.closing.remove(&process).unwrap_or_default();
        // One alone is closed when it is done with.
        let is_alone = |left: &Left| closing.iter().filter(|other| other.sites == left.sites).count() < 2;
        let mut left: Vec<_> = closing.iter().filter(|left| !is_alone(left)).copied().collect();
        let open = world.descriptors(process).map(|(_, _, file)| file);
        left.extend(open.filter(|file| file.opened_by == process).map(|file| Left::new(file, world)));
        left.sort_by_key(|left| left.opened_at);
        left.dedup_by_key(|left| left.number);
        let mut by_site: BTreeMap<Site, Vec<Left>> = BTreeMap::new();
        for one in &left {
            one.sites.iter().flatten().for_each(|site| by_site.entry(*site).or_default().push(*one));
        }
        self.settle_late(process, world);
        let mut found: Vec<FileNumber> = Vec::new();
        for (site, files) in by_site {
            let Some(opened) = self.sites.remove(&(process, site)) else { continue };
            let is_anywhere = matches!(site, Site::Anywhere(_) | Site::Kernel);
            let files: Vec<_> = files.into_iter().filter(|file| !found.contains(&file.number)).collect();
            let least = if is_anywhere { MANY } else { SOME };
            if self.is_leak(&files, &opened, least, now) {
                let cases = if files.len() as u64 >= MANY { &mut self.many } else { &mut self.some };
                let mut by_stack: BTreeMap<Option<StackId>, Vec<Left>> = BTreeMap::new();
                for file in &files {
                    by_stack.entry(file.stack).or_default().push(*file);
                }
                for (stack, files) in by_stack {
                    if let Some(scene) = shown(&opened, &files, stack) {
                        cases.add_scene(scene, files.len() as u64, &[], world);
                    }
                }
                found.extend(files.iter().map(|file| file.number));
            }
        }
    }

    /// Files that were closed late count as some, where they were many.
    fn settle_late(&mut self, process: u32, world: &World) {
        let of_process = self.late_sites.iter().filter(|(owner, _)| *owner == process);
        let sites: Vec<_> = of_process.copied().collect();
        for site in sites {
            self.late_sites.remove(&site);
            let Some(opened) = self.sites.get(&site) else { continue };
            if self.guards.spare(FEW, opened.late.values().sum::<u64>() < MANY) {
                continue;
            }
            for (stack, late) in &opened.late {
                if let Some(scene) = shown(opened, &[], *stack) {
                    self.late.add_scene(scene, *late, &[], world);
                }
            }
        }
    }

    fn is_leak(&self, files: &[Left], opened: &Opened, least: u64, now: u64) -> bool {
        let StillOpen { count, used, containers, early } = self.still_open(files, opened);
        // A cache is filled for a while, and used for longer.
        let is_plateau = now != u64::MAX && now - opened.last > 4 * (opened.last - opened.first);
        !self.guards.spare(FEW, count < least)
            && !self.guards.spare(BOUNDED, early * 4 < count)
            && !self.guards.spare(PLATEAU, is_plateau)
            && !self.guards.spare(USED, used * 2 > count)
            && !self.guards.spare(CONTAINER, containers * 2 > count)
    }

    /// How many there are, and what is done with them; by when they were opened.
    fn still_open(&self, files: &[Left], opened: &Opened) -> StillOpen {
        let mut open = StillOpen { count: files.len() as u64, ..StillOpen::default() };
        let middle = opened.first.midpoint(opened.last);
        let next = files.iter().skip(1).map(|file| file.opened_at).chain([u64::MAX]);
        for (file, next) in files.iter().zip(next) {
            let known = self.uses.get(&file.number);
            open.used += u64::from(known.is_some_and(|known| known.last > next));
            open.containers += u64::from(known.is_some_and(|known| known.is_container));
            open.early += u64::from(file.opened_at <= middle);
        }
        open
    }
}

impl Left {
    fn new(file: &OpenFile, world: &World) -> Self {
        let sites = sites_of(file, world);
        Self { number: file.number, opened_at: file.opened_at, sites, stack: file.opened_stack }
    }
}

/// Where a file was opened, most exactly first.
fn sites_of(file: &OpenFile, world: &World) -> [Option<Site>; 2] {
    if file.descriptor_kind == Some(DescriptorKind::Kernel) {
        return [Some(Site::Kernel), None];
    }
    let Some(place) = file.place else { return [None; 2] };
    if file.kind == Some(FileKind::Character) {
        return [None; 2];
    }
    let OpenFlags(flags) = file.flags;
    [Some(Site::Directory(world.places.parent(place), flags)), Some(Site::Anywhere(flags))]
}

/// The calls from a place in the code that show it best: those on a file that was left open.
fn shown<'a>(opened: &'a Opened, files: &[Left], stack: Option<StackId>) -> Option<&'a Scene> {
    let is_left = |number: FileNumber| files.iter().any(|file| file.number == number);
    let here = || opened.scenes.iter().filter(|(_, scene)| scene.stack() == stack);
    let left = here().find(|(number, _)| is_left(*number));
    left.or(here().next()).or(opened.scenes.first()).map(|(_, scene)| scene)
}

/// True of what a program does; what its language does for it at the end is none of that, nor is
/// what it has printed until then.
fn is_work(moment: &Moment<'_>) -> bool {
    match moment.action() {
        FileAction::Write { descriptor, .. } => *descriptor > 2,
        FileAction::Open { .. } | FileAction::Stat { .. } | FileAction::List { .. } => !moment.is_loaders,
        FileAction::Read { .. } => moment.bytes > 0,
        FileAction::Rename { .. }
        | FileAction::Remove { .. }
        | FileAction::Fork { .. }
        | FileAction::Execute { .. }
        | FileAction::MakeDescriptors { .. } => true,
        _ => false,
    }
}

#[cfg(test)]
mod trio_tests;
#[cfg(test)]
pub(super) use trio_tests::TRIO;
