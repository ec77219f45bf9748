//! R25: many lookups by long paths that begin alike.

use crate::cases::{Cases, Scene};
use crate::claims::Claims;
use crate::finding::RuleId;
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::{FileAction, Target};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(25),
    name: "deep-path-tax",
    needs: "paths as the program gave them",
    guards: &[FEW, SHORT],
    begin: |guards| Box::new(DeepPaths { guards, prefixes: Recent::default(), cases: Cases::default() }),
};

const FEW: Guard =
    Guard { name: "few", spares: "walking the directories takes some 50 ns each: many must come together" };
const SHORT: Guard = Guard { name: "short", spares: "what the paths share has few directories" };

/// From this many lookups on it is worth a word.
const HABIT: u64 = 1000;
/// From this many directories on what is shared is deep.
const DEEP: usize = 4;
/// The lookup that is shown.
const SHOWN: u64 = 16;

const WORDS: Words = Words::cost(
    "a thousand lookups or more by full path below the same deep directory",
    "open the directory once and look up relative to it: openat(dirfd, name), fstatat; Python's dir_fd, Rust's cap-std",
    "code that takes paths may stand between; renaming a directory meanwhile gives other answers",
);

#[derive(Debug)]
struct DeepPaths {
    guards: Guards,
    /// By process and the directory of that depth.
    prefixes: Recent<(u32, PlaceId), Prefix>,
    cases: Cases,
}

#[derive(Debug, Default)]
struct Prefix {
    count: u64,
    calls: Claims,
    scene: Option<Scene>,
}

impl Rule for DeepPaths {
    fn observe(&mut self, moment: &Moment<'_>) {
        let (FileAction::Open { target, .. }
        | FileAction::Stat { target, .. }
        | FileAction::Access { target, .. }
        | FileAction::ReadLink { target, .. }) = moment.action()
        else {
            return;
        };
        let Target::Path { path, .. } = target else { return };
        let Some(place) = moment.judged_place() else { return };
        let given = moment.paths.path(*path).as_encoded_bytes();
        // Relative to what is open already nothing is walked twice.
        let words = given.split(|byte| *byte == b'/').filter(|word| !word.is_empty() && *word != b".");
        let shared = words.count().saturating_sub(1);
        if shared == 0 || self.guards.spare(SHORT, shared < DEEP) {
            return;
        }
        let mut directory = place;
        // Those of the given path alone: the current directory is not walked.
        for _ in 0..=shared.saturating_sub(DEEP) {
            let Some(parent) = moment.world.places.parent(directory) else { return };
            directory = parent;
        }
        let prefix = self.prefixes.entry((moment.process(), directory));
        prefix.count += 1;
        if prefix.count == SHOWN {
            prefix.scene = Some(Scene::at(moment, Some(directory)));
        }
        prefix.calls.push(moment.claim());
    }

    fn finish(&mut self, world: &World) {
        for key in self.prefixes.keys() {
            let Some(prefix) = self.prefixes.remove(&key) else { continue };
            let Some(scene) = prefix.scene.filter(|_| !self.guards.spare(FEW, prefix.count < HABIT)) else {
                continue;
            };
            let saved = u32::try_from(DEEP).unwrap_or(0);
            let sums = prefix.calls.sums();
            let instead: Vec<_> =
                sums.iter().map(|(key, amount)| (key.with_fewer_components(saved), *amount)).collect();
            self.cases.claim_scene(&scene, prefix.count, &prefix.calls, world);
            self.cases.replace(&scene, &instead);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::READ;
    crate::trio::Trio {
        rule: 25,
        waste: |script| (0..1003).for_each(|file| script.stat(&format!("/srv/www/site/pages/{file}"), 10)),
        count: 1003,
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
        ],
    }
};
