//! R25: many lookups by long paths that begin alike, or lie in a directory that is open.

use crate::cases::{Cases, Scene};
use crate::claims::Claims;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, PlaceId, World};
use fathom_events::{FileAction, FileKind, Target};
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(25),
    name: "deep-path-tax",
    needs: "paths as the program gave them",
    guards: &[FEW, SHORT, RENAMED, LISTED, ABSENT],
    begin: |guards| {
        Box::new(DeepPaths {
            guards,
            prefixes: Recent::default(),
            open: Recent::default(),
            at_hand: Recent::default(),
            deep: Cases::default(),
            beside: Cases::default(),
        })
    },
};

const FEW: Guard =
    Guard { name: "few", spares: "walking the directories takes some 50 ns each: many must come together" };
const SHORT: Guard = Guard { name: "short", spares: "what the paths share has few directories" };
const RENAMED: Guard = Guard {
    name: "renamed",
    spares: "the directory was renamed after it was opened: its descriptor leads elsewhere",
};

const LISTED: Guard = Guard {
    name: "listed",
    spares: "a stat of what the directory's listing named is R21, which knows whether it is needed at all",
};

const ABSENT: Guard = Guard {
    name: "absent",
    spares: "nothing that was looked up below the directory is there: perhaps it is not there itself, to be opened",
};

/// From this many lookups on it is worth a word.
const HABIT: u64 = 1000;
/// From this many directories on that need not be walked, in all lookups of a process in
/// directories that it has open.
const WALKED: u64 = 128;
/// From this many directories on what is shared is deep, and where the directory is open.
const DEEP: usize = 4;
const DEEP_BESIDE: usize = 2;
/// The lookup that is shown.
const SHOWN: u64 = 16;

const WORDS: Words = Words::cost(
    "lookups by full path below the same deep directory",
    "open the directory once and look up relative to it: openat(dirfd, name), fstatat; Python's dir_fd, Rust's cap-std",
    "code that takes paths may stand between; renaming a directory meanwhile gives other answers",
);

const BESIDE: Words = Words::cost(
    "lookups by full path in a directory that is already open",
    "use the descriptor at hand: openat(dirfd, name), fstatat(dirfd, name); Python's dir_fd and os.fwalk, Go's os.Root",
    "the part of the program that looks up may not have the descriptor",
);

#[derive(Debug)]
struct DeepPaths {
    guards: Guards,
    /// By process and the directory of that depth, and whether its runtime looks or the program itself.
    prefixes: Recent<(u32, PlaceId, bool), Prefix>,
    /// Directories that a process has open, with the descriptor.
    open: Recent<(u32, PlaceId), (FileNumber, i32)>,
    /// Lookups in those.
    at_hand: Recent<(u32, PlaceId), Prefix>,
    deep: Cases,
    beside: Cases,
}

#[derive(Debug, Default)]
struct Prefix {
    count: u64,
    /// Something that was looked up is there.
    is_there: bool,
    /// Directories that were walked.
    walked: u64,
    calls: Claims,
    scene: Option<Scene>,
}

impl Rule for DeepPaths {
    fn interest(&self) -> Interest {
        Interest::by_path().and(&[Kind::List])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Open { target, .. } => {
                self.looked_up(moment, target);
                self.opened(moment, moment.event.outcome.descriptor());
            }
            FileAction::List { descriptor, .. } => self.opened(moment, Some(*descriptor)),
            FileAction::Stat { target, .. }
            | FileAction::Access { target, .. }
            | FileAction::ReadLink { target, .. }
            | FileAction::Remove { target, .. }
            | FileAction::ChangeMode { target, .. }
            | FileAction::ChangeAttributes { target } => self.looked_up(moment, target),
            _ => {}
        }
    }

    fn finish(&mut self, world: &World) {
        for key in self.prefixes.keys() {
            let Some(prefix) = self.prefixes.remove(&key) else { continue };
            let is_few = self.guards.spare(FEW, prefix.count < HABIT);
            if !is_few && !self.guards.spare(ABSENT, !prefix.is_there) {
                let saved = u32::try_from(DEEP).unwrap_or(0);
                prefix.add_case(&mut self.deep, saved, world);
            }
        }
        // A tree has many small directories: they are a habit together.
        let mut walked: BTreeMap<u32, u64> = BTreeMap::new();
        for ((process, _), prefix) in self.at_hand.iter() {
            *walked.entry(*process).or_default() += prefix.walked;
        }
        for key in self.at_hand.keys() {
            let Some(prefix) = self.at_hand.remove(&key) else { continue };
            if !self.guards.spare(FEW, walked[&key.0] < WALKED) {
                // The name alone is left.
                prefix.add_case(&mut self.beside, u32::MAX, world);
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.deep), (&BESIDE, &self.beside)]
    }
}

impl DeepPaths {
    /// A directory is open.
    fn opened(&mut self, moment: &Moment<'_>, descriptor: Option<i32>) {
        let Some(file) = moment.file.filter(|_| moment.is_judged() && moment.is_ok()) else { return };
        let is_directory =
            file.kind == Some(FileKind::Directory) || matches!(moment.action(), FileAction::List { .. });
        if let (true, Some(place), Some(descriptor)) = (is_directory, file.place, descriptor) {
            let key = (moment.process(), place);
            let is_known = self.open.get(&key).is_some_and(|known| leads_to(moment, *known));
            // What lists it may be a duplicate that goes before the first.
            if !is_known {
                self.open.insert(key, (file.number, descriptor));
            }
        }
    }

    fn looked_up(&mut self, moment: &Moment<'_>, target: &Target) {
        let Target::Path { path, .. } = target else { return };
        let Some(place) = moment.judged_place() else { return };
        let is_short = |shared: usize| shared == 0 || self.guards.spare(SHORT, shared < DEEP_BESIDE);
        if is_short(moment.key.components().saturating_sub(1)) {
            return;
        }
        let given = moment.paths.path(*path).as_encoded_bytes();
        // Relative to what is open already nothing is walked twice.
        let words = given.split(|byte| *byte == b'/').filter(|word| !word.is_empty() && *word != b".");
        let shared = words.count().saturating_sub(1);
        if is_short(shared) {
            return;
        }
        if let Some(directory) = self.open_directory(moment, place) {
            let is_question = matches!(moment.action(), FileAction::Stat { .. } | FileAction::Access { .. });
            let is_listed = moment.world.places.get(directory).is_listed && is_question;
            if !self.guards.spare(SHORT, shared < DEEP_BESIDE) && !self.guards.spare(LISTED, is_listed) {
                self.at_hand.entry((moment.process(), directory)).add(moment, directory, shared);
            }
        } else if !self.guards.spare(SHORT, shared < DEEP) {
            let mut directory = place;
            // Those of the given path alone: the current directory is not walked.
            for _ in 0..=shared.saturating_sub(DEEP) {
                let Some(parent) = moment.world.places.parent(directory) else { return };
                directory = parent;
            }
            let is_runtimes = moment.is_runtimes(moment.place);
            let prefix = self.prefixes.entry((moment.process(), directory, is_runtimes));
            prefix.add(moment, directory, shared);
            // The directory that they share need not be the runtime's own.
            prefix.scene = prefix.scene.take().map(|scene| scene.asked_by_runtime(is_runtimes));
        }
    }

    /// The directory of a place, where the process has it open under that name.
    fn open_directory(&self, moment: &Moment<'_>, place: PlaceId) -> Option<PlaceId> {
        let world = moment.world;
        let directory = world.places.parent(place)?;
        let known = *self.open.get(&(moment.process(), directory))?;
        let opened_at = world.file(known.0).filter(|_| leads_to(moment, known))?.opened_at;
        let is_renamed = !world.places.has_content_of(directory, opened_at);
        (!self.guards.spare(RENAMED, is_renamed)).then_some(directory)
    }
}

/// True while a descriptor of the process leads to that open file.
fn leads_to(moment: &Moment<'_>, (file, descriptor): (FileNumber, i32)) -> bool {
    let entry = moment.world.descriptor(moment.thread(), moment.process(), descriptor);
    entry.is_some_and(|entry| entry.file == file)
}

impl Prefix {
    fn add(&mut self, moment: &Moment<'_>, directory: PlaceId, walked: usize) {
        self.count += 1;
        self.is_there |= moment.is_ok();
        self.walked += walked as u64;
        if self.count == 1 || self.count == SHOWN {
            self.scene = Some(Scene::among(moment, Some(directory), &[directory]));
        }
        self.calls.push(moment.claim());
    }

    /// Makes a case of it: the same calls by paths with fewer components.
    fn add_case(self, cases: &mut Cases, fewer: u32, world: &World) {
        let Some(scene) = self.scene else { return };
        let sums = self.calls.sums();
        let instead: Vec<_> =
            sums.iter().map(|(key, amount)| (key.with_fewer_components(fewer), *amount)).collect();
        cases.claim_scene(&scene, self.count, &self.calls, world);
        cases.replace(&scene, &instead);
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::READ;
    crate::trio::Trio {
        rule: 25,
        waste: |script| {
            (0..1003).for_each(|file| script.stat(&format!("/srv/www/site/pages/{file}"), 10));
            script.open("/srv/mail", READ | crate::open_flags::DIRECTORY);
            (0..70).for_each(|file| script.stat(&format!("/srv/mail/{file}"), 10));
            // Listed by a duplicate, as Python lists a descriptor.
            let directory = script.open("/srv/lists", READ | crate::open_flags::DIRECTORY);
            script.duplicate(directory, 50);
            let action = FileAction::List { descriptor: 50, entries: Some(72), undecided: Some(0) };
            script.call("getdents64", action, fathom_events::CallOutcome::Value(2240));
            script.close(50);
            (0..70).for_each(|file| {
                let file = script.open(&format!("/srv/lists/{file}"), READ);
                script.close(file);
            });
            // A tree of small directories, emptied.
            script.act_as(200, 200);
            for directory in 0..10 {
                let path = format!("/srv/www/old/{directory}");
                script.open(&path, READ | crate::open_flags::DIRECTORY);
                (0..4).for_each(|file| script.remove(&format!("{path}/{file}")));
            }
        },
        count: 1073 + 70 + 40,
        fixed: |script| {
            let directory = script.open("/srv/www/site/pages", READ | crate::open_flags::DIRECTORY);
            for file in 0..1003 {
                let Target::Path { path, .. } = script.target(&file.to_string()) else { continue };
                let target = Target::Path { directory, path, follow: true };
                script.works("newfstatat", FileAction::Stat { target, facts: None, mask: 0 });
            }
        },
        look_alikes: &[
            ("few", |script| {
                (0..400).for_each(|file| script.stat(&format!("/srv/www/site/pages/{file}"), 10));
            }),
            ("short", |script| (0..1003).for_each(|file| script.stat(&format!("/srv/www/{file}"), 10))),
            ("short", |script| {
                script.open("/srv", READ | crate::open_flags::DIRECTORY);
                (0..100).for_each(|file| script.stat(&format!("/srv/{file}"), 10));
            }),
            ("few", |script| {
                script.open("/srv/mail", READ | crate::open_flags::DIRECTORY);
                (0..20).for_each(|file| script.stat(&format!("/srv/mail/{file}"), 10));
            }),
            ("listed", |script| {
                let directory = script.open("/srv/mail", READ | crate::open_flags::DIRECTORY);
                let action = FileAction::List { descriptor: directory, entries: Some(70), undecided: None };
                script.call("getdents64", action, fathom_events::CallOutcome::Value(2240));
                (0..70).for_each(|file| script.stat(&format!("/srv/mail/{file}"), 10));
            }),
            ("renamed", |script| {
                script.open("/srv/mail", READ | crate::open_flags::DIRECTORY);
                script.rename("/srv/mail", "/srv/old");
                (0..70).for_each(|file| script.stat(&format!("/srv/mail/{file}"), 10));
            }),
            ("absent", |script| {
                (0..1003).for_each(|file| script.stat_fails(&format!("/srv/www/site/pages/{file}")));
            }),
            // The directory is closed.
            ("", |script| {
                let directory = script.open("/srv/mail", READ | crate::open_flags::DIRECTORY);
                script.close(directory);
                (0..70).for_each(|file| script.stat(&format!("/srv/mail/{file}"), 10));
            }),
        ],
    }
};
