//! R51: open files that grow in number and are never closed.

use crate::cases::{Cases, Scene};
use crate::finding::{RuleId, Severity};
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, OpenFile, PlaceId, World};
use fathom_events::{FileAction, OpenFlags};
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(51),
    name: "descriptor-leak",
    needs: "every open and close of the process",
    guards: &[CLOSES, PLATEAU, FEW, USED, CONTAINER],
    begin: |guards| {
        Box::new(DescriptorsLeak {
            guards,
            sites: Recent::default(),
            uses: Recent::default(),
            cases: Cases::default(),
        })
    },
};

const CLOSES: Guard = Guard { name: "closes", spares: "it closes most of them: those are in use" };
const PLATEAU: Guard =
    Guard { name: "plateau", spares: "it opened them at its beginning and no more since: it keeps them" };
const USED: Guard = Guard {
    name: "used",
    spares: "most of them are used again after the next one was opened: they are kept to be used",
};
const CONTAINER: Guard = Guard {
    name: "container",
    spares: "it seeks in them or maps them: archives and tables are kept open to read from",
};
const FEW: Guard = Guard { name: "few", spares: "a handful of files may stay open to the end" };

/// From this many on it is a leak.
const HABIT: u64 = 16;

const WORDS: Words = Words::danger(
    Severity::Warn,
    "files opened at one place in the program and never closed",
    "close each file when its work is done (RAII, `with`, try-with-resources, defer)",
    "they may be kept on purpose for later, and a program that ends soon may leave closing to the kernel",
);

#[derive(Debug)]
struct DescriptorsLeak {
    guards: Guards,
    sites: Recent<(u32, Site), Opened>,
    uses: Recent<FileNumber, Use>,
    cases: Cases,
}

/// Where a program opens: the stack where it is known, else the directory and the flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Site {
    Stack(u32),
    Directory(Option<PlaceId>, u32),
}

/// What is done with an open file.
#[derive(Debug, Default)]
struct Use {
    /// The event of its last use.
    last: u64,
    is_container: bool,
}

#[derive(Debug, Default)]
struct Opened {
    count: u64,
    first: u64,
    last: u64,
    scene: Option<Scene>,
}

/// What a process still has open of one site.
#[derive(Debug, Default)]
struct StillOpen {
    count: u64,
    used: u64,
    containers: u64,
}

impl Rule for DescriptorsLeak {
    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Open { flags, .. } if moment.is_ok() && !moment.is_loaders => {
                let site = self.sites.entry((moment.process(), site_of(moment, *flags)));
                if site.count == 0 {
                    site.first = moment.when.number;
                }
                site.count += 1;
                site.last = moment.when.number;
                if site.count == HABIT || site.count == 3 {
                    site.scene = Some(Scene::of(moment));
                }
            }
            FileAction::Exit { whole: true, .. } => {
                self.settle(moment.process(), moment.world, moment.when.number);
            }
            FileAction::Read { offset, .. } => self.used(moment, offset.is_some()),
            FileAction::Map { descriptor: Some(_), .. } => self.used(moment, true),
            // The size, and back to the beginning, are asked of what is then read through.
            FileAction::Seek { .. } => self.used(moment, moment.value().is_some_and(|to| to > 0)),
            FileAction::Write { .. }
            | FileAction::List { .. }
            | FileAction::Lock { .. }
            | FileAction::Control { .. }
            | FileAction::DeviceControl { .. }
            | FileAction::Watch { .. }
            | FileAction::Copy { .. } => self.used(moment, false),
            _ => {}
        }
    }

    fn finish(&mut self, world: &World) {
        for process in world.living().collect::<Vec<_>>() {
            self.settle(process, world, u64::MAX);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

impl DescriptorsLeak {
    fn used(&mut self, moment: &Moment<'_>, is_container: bool) {
        if let Some(file) = moment.file.filter(|_| moment.is_ok()) {
            let known = self.uses.entry(file.number);
            known.last = moment.when.number;
            known.is_container |= is_container;
        }
    }

    /// A process ends, or the trace does: what it still has open is counted by site.
    fn settle(&mut self, process: u32, world: &World, now: u64) {
        let mut by_site: BTreeMap<Site, Vec<&OpenFile>> = BTreeMap::new();
        for (_, _, file) in world.descriptors(process).filter(|(_, _, file)| file.opened_by == process) {
            let directory = file.place.and_then(|place| world.places.parent(place));
            let stack = file.opened_stack.map(|stack| Site::Stack(stack.0));
            by_site.entry(stack.unwrap_or(Site::Directory(directory, file.flags.0))).or_default().push(file);
        }
        let open: Vec<_> = by_site.into_iter().map(|(site, files)| (site, self.still_open(files))).collect();
        for (site, StillOpen { count, used, containers }) in open {
            let Some(opened) = self.sites.remove(&(process, site)) else { continue };
            let Some(scene) = &opened.scene else { continue };
            // A cache is filled for a while, and used for longer.
            let is_plateau = now != u64::MAX && now - opened.last > 4 * (opened.last - opened.first);
            if !self.guards.spare(FEW, count < HABIT)
                && !self.guards.spare(CLOSES, count * 10 < opened.count * 9)
                && !self.guards.spare(PLATEAU, is_plateau)
                && !self.guards.spare(USED, used * 2 > count)
                && !self.guards.spare(CONTAINER, containers * 2 > count)
            {
                self.cases.add_scene(scene, count, &[], world);
            }
        }
    }

    /// How many there are, and what is done with them; by when they were opened.
    fn still_open(&self, mut files: Vec<&OpenFile>) -> StillOpen {
        files.sort_by_key(|file| file.opened_at);
        let mut open = StillOpen { count: files.len() as u64, ..StillOpen::default() };
        let next = files.iter().skip(1).map(|file| file.opened_at).chain([u64::MAX]);
        for (file, next) in files.iter().zip(next) {
            let known = self.uses.get(&file.number);
            open.used += u64::from(known.is_some_and(|known| known.last > next));
            open.containers += u64::from(known.is_some_and(|known| known.is_container));
        }
        open
    }
}

fn site_of(moment: &Moment<'_>, flags: OpenFlags) -> Site {
    let directory = moment.place.and_then(|place| moment.world.places.parent(place));
    moment.event.stack.map_or(Site::Directory(directory, flags.0), |stack| Site::Stack(stack.0))
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    fn open_all(script: &mut Script, files: usize) -> Vec<i32> {
        (0..files)
            .map(|number| {
                let file = script.open(&format!("/data/{number}"), READ);
                script.read(file, 10, 10);
                file
            })
            .collect()
    }
    crate::trio::Trio {
        rule: 51,
        waste: |script| {
            open_all(script, 50);
            script.exit();
        },
        count: 50,
        fixed: |script| {
            for number in 0..50 {
                let file = script.open(&format!("/data/{number}"), READ);
                script.read(file, 10, 10);
                script.close(file);
            }
            script.exit();
        },
        look_alikes: &[
            ("closes", |script| {
                let files = open_all(script, 50);
                files[..30].iter().for_each(|file| script.close(*file));
                script.exit();
            }),
            ("plateau", |script| {
                open_all(script, 20);
                (0..200).for_each(|_| script.stat("/data/question", 10));
                script.exit();
            }),
            ("used", |script| {
                let files = open_all(script, 50);
                for file in files {
                    script.read(file, 10, 10);
                }
                script.exit();
            }),
            ("container", |script| {
                for number in 0..40 {
                    let jar = script.open(&format!("/data/{number}.jar"), READ);
                    script.seek(jar, -22, fathom_events::Whence::End, 9_978);
                    script.read(jar, 22, 22);
                }
                script.exit();
            }),
            ("few", |script| {
                open_all(script, 12);
                script.exit();
            }),
        ],
    }
};
