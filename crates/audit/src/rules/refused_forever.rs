//! R11: a call that is refused in the same way again and again.

use crate::call_key::{EACCES, EINVAL, ENOSYS, ENOTTY, EOPNOTSUPP, EPERM, EROFS, TERMINAL_SETTINGS};
use crate::cases::{Cases, Scene};
use crate::claims::{Claim, Claims};
use crate::finding::RuleId;
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::{CallName, FileAction};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(11),
    name: "fail-forever",
    needs: "errnos",
    guards: &[WORKS_ELSEWHERE, ANSWER],
    begin: |guards| {
        Box::new(RefusedForever {
            guards,
            refusals: Recent::default(),
            worked: FxHashSet::default(),
            last_worked: [None; LAST],
            cases: Cases::default(),
        })
    },
};

const WORKS_ELSEWHERE: Guard = Guard {
    name: "works-elsewhere",
    spares: "the same call worked on another file there: the refusal is that file's own",
};
const ANSWER: Guard = Guard {
    name: "answer",
    spares: "the errno is the answer to a question about one file: is it a terminal, is it a link, can it be watched",
};

/// From this many refusals on, wherever they are, it is a habit.
const HABIT: u64 = 16;
/// Names of calls that worked last, by process, which are looked at before all are.
const LAST: usize = 6;

const WORDS: Words = Words::cost(
    "call repeated although it fails the same way every time",
    "remember the refusal, for the file or the file system that it is about, and do not ask again",
    "files of another kind or another file system below the same directory might have accepted it",
);

#[derive(Debug)]
struct RefusedForever {
    guards: Guards,
    refusals: Recent<(u32, CallName, Where), Refusal>,
    /// Calls that worked anywhere, by process.
    worked: FxHashSet<(u32, CallName)>,
    /// The last that were put among them: most calls are of the same few names.
    last_worked: [Option<(u32, CallName)>; LAST],
    cases: Cases,
}

/// The device where it is known, else the directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Where {
    Device(u64),
    Directory(Option<PlaceId>),
    /// Rights are those of a file, or of the directory in which it is to be made.
    Rights(Option<PlaceId>),
}

#[derive(Debug, Default)]
struct Refusal {
    errno: i32,
    has_worked: bool,
    scene: Option<Scene>,
    /// The one that tells that it is refused there.
    first: Option<Claim>,
    /// All others.
    again: Claims,
}

impl Rule for RefusedForever {
    fn observe(&mut self, moment: &Moment<'_>) {
        if moment.is_loaders || matches!(moment.action(), FileAction::Other | FileAction::Exit { .. }) {
            return;
        }
        let errno = moment.errno();
        let is_refusal =
            matches!(errno, Some(EPERM | EINVAL | ENOTTY | ENOSYS | EOPNOTSUPP | EACCES | EROFS));
        if !is_refusal && !moment.is_ok() {
            return;
        }
        let call = moment.event.call;
        if !is_refusal {
            let is_it =
                |(process, last): &(u32, CallName)| *process == moment.process() && std::ptr::eq(*last, call);
            if !self.last_worked.iter().flatten().any(is_it) {
                self.worked.insert((moment.process(), call));
                self.last_worked.rotate_right(1);
                self.last_worked[0] = Some((moment.process(), call));
            }
            if !self.refusals.is_empty() {
                for place in [where_of(moment), Where::Rights(moment.any_place())] {
                    if let Some(refusal) = self.refusals.get_mut(&(moment.process(), call, place)) {
                        refusal.has_worked = true;
                    }
                }
            }
            return;
        }
        if self.guards.spare(ANSWER, is_answer(moment)) {
            return;
        }
        let refusal = self.refusals.entry((moment.process(), call, where_of(moment)));
        let errno = errno.unwrap_or(0);
        if refusal.errno != errno {
            *refusal = Refusal { errno, has_worked: refusal.has_worked, ..Refusal::default() };
        }
        match refusal.first {
            None => refusal.first = Some(moment.claim()),
            Some(_) => refusal.again.push(moment.claim()),
        }
        refusal.scene.get_or_insert_with(|| Scene::of(moment));
    }

    fn finish(&mut self, world: &World) {
        let mut calls: BTreeMap<Asked, Vec<(Where, &Refusal)>> = BTreeMap::new();
        for ((process, call, place), refusal) in self.refusals.iter() {
            let is_habit = refusal.count() > 0 && !self.guards.spare(WORKS_ELSEWHERE, refusal.has_worked);
            if is_habit {
                calls.entry((*process, *call, refusal.errno)).or_default().push((*place, refusal));
            }
        }
        for ((process, call, _), mut refusals) in calls {
            refusals.sort_by_key(|(_, refusal)| refusal.first.map(|first| first.number));
            // Where it works somewhere, each place has to be refused often enough by itself.
            if self.guards.spare(WORKS_ELSEWHERE, self.worked.contains(&(process, call))) {
                refusals.retain(|(_, refusal)| refusal.count() >= HABIT);
            }
            if refusals.iter().map(|(_, refusal)| refusal.count()).sum::<u64>() >= HABIT {
                add(&mut self.cases, &refusals, world);
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

/// The process, what it called, and the errno.
type Asked = (u32, CallName, i32);

/// Adds refusals that are needless but for the first on each device. Which devices directories
/// are on is not known where no device is told: one refusal tells of all of them.
fn add(cases: &mut Cases, refusals: &[(Where, &Refusal)], world: &World) {
    let mut is_first_directory = true;
    for (place, refusal) in refusals {
        let Some(scene) = &refusal.scene else { continue };
        let mut calls = refusal.again.clone();
        if let Where::Directory(_) = place
            && !std::mem::take(&mut is_first_directory)
        {
            refusal.first.into_iter().for_each(|first| calls.push(first));
        }
        if calls.calls() > 0 {
            cases.claim_scene(scene, calls.calls(), &calls, world);
        }
    }
}

impl Refusal {
    fn count(&self) -> u64 {
        u64::from(self.first.is_some()) + self.again.calls()
    }
}

fn where_of(moment: &Moment<'_>) -> Where {
    let place = moment.any_place();
    if matches!(moment.errno(), Some(EACCES | EROFS)) {
        let parent = || place.and_then(|place| moment.world.places.parent(place));
        return Where::Rights(if makes_a_name(moment.action()) { parent() } else { place });
    }
    let told = place.and_then(|place| moment.world.places.get(place).device);
    let of_file = moment.file.and_then(|file| file.identity).map(|identity| identity.device);
    match of_file.or(told) {
        Some(device) => Where::Device(device),
        None => Where::Directory(place.and_then(|place| moment.world.places.parent(place))),
    }
}

/// True of a call that needs the right to write into a directory.
fn makes_a_name(action: &FileAction) -> bool {
    match action {
        FileAction::Open { flags, .. } => open_flags::has(*flags, open_flags::CREATE),
        FileAction::MakeDirectory { .. } | FileAction::SymbolicLink { .. } => true,
        _ => false,
    }
}

fn is_answer(moment: &Moment<'_>) -> bool {
    matches!(
        moment.action(),
        FileAction::DeviceControl { request: TERMINAL_SETTINGS, .. }
            | FileAction::ReadLink { .. }
            | FileAction::Watch { .. }
    )
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, READ, Script, WRITE};
    fn attribute(script: &mut Script, file: usize, errno: Option<i32>) {
        let target = script.target(&format!("/data/{file}"));
        let action = FileAction::GetAttribute { target };
        match errno {
            Some(errno) => script.fails("lgetxattr", action, errno),
            None => script.works("lgetxattr", action),
        }
    }
    crate::trio::Trio {
        rule: 11,
        waste: |script| {
            (0..40).for_each(|file| attribute(script, file, Some(95)));
            // Few in each of many directories.
            for directory in 0..20 {
                let target = script.target(&format!("/srv/{directory}/a"));
                script.fails("flistxattr", FileAction::GetAttribute { target }, 95);
            }
            // Neither may be read, nor made.
            (0..20).for_each(|_| script.open_fails("/srv/secret", READ, EACCES));
            (0..20).for_each(|file| script.open_fails(&format!("/usr/{file}"), WRITE | CREATE, EROFS));
        },
        count: 39 + 19 + 19 + 19,
        fixed: |script| attribute(script, 0, Some(95)),
        look_alikes: &[
            ("works-elsewhere", |script| {
                (0..40).for_each(|file| attribute(script, file, (file % 2 == 1).then_some(1)));
            }),
            ("answer", |script| {
                for file in 0..40 {
                    let target = script.target(&format!("/data/{file}"));
                    script.fails("readlink", FileAction::ReadLink { target, to: None }, 22);
                }
            }),
            // Some files of each directory are somebody else's.
            ("works-elsewhere", |script| {
                for directory in 0..20 {
                    for (file, errno) in [None, Some(1)].into_iter().enumerate() {
                        let target = script.target(&format!("/srv/{directory}/sub{file}/a"));
                        let action = FileAction::GetAttribute { target };
                        match errno {
                            Some(errno) => script.fails("lgetxattr", action, errno),
                            None => script.works("lgetxattr", action),
                        }
                    }
                }
            }),
            // Each of them might have been readable.
            ("", |script| (0..40).for_each(|file| script.open_fails(&format!("/srv/{file}"), READ, EACCES))),
            ("", |script| (0..15).for_each(|file| attribute(script, file, Some(95)))),
        ],
    }
};
