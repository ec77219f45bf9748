//! R11: a call that is refused in the same way again and again.

use crate::call_key::{Amount, CallKey, EINVAL, ENOSYS, ENOTTY, EOPNOTSUPP, EPERM, TERMINAL_SETTINGS};
use crate::cases::{Cases, Scene};
use crate::finding::RuleId;
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::{CallName, FileAction};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(11),
    name: "fail-forever",
    needs: "errnos",
    guards: &[WORKS_ELSEWHERE, ANSWER],
    begin: |guards| Box::new(RefusedForever { guards, refusals: Recent::default(), cases: Cases::default() }),
};

const WORKS_ELSEWHERE: Guard = Guard {
    name: "works-elsewhere",
    spares: "the same call worked on another file there: the refusal is that file's own",
};
const ANSWER: Guard = Guard {
    name: "answer",
    spares: "the errno is the answer to a question about one file: is it a terminal, is it a link, can it be watched",
};

/// From this many refusals on it is a habit.
const HABIT: u64 = 16;

const WORDS: Words = Words::cost(
    "call repeated although it fails the same way every time",
    "remember the refusal for the file system, and do not ask again",
    "files of another kind or another file system below the same directory might have accepted it",
);

#[derive(Debug)]
struct RefusedForever {
    guards: Guards,
    refusals: Recent<(u32, CallName, Where), Refusal>,
    cases: Cases,
}

/// The device where it is known, else the directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Where {
    Device(u64),
    Directory(Option<PlaceId>),
}

#[derive(Debug, Default)]
struct Refusal {
    errno: i32,
    count: u64,
    has_worked: bool,
    scene: Option<Scene>,
    last: Option<CallKey>,
}

impl Rule for RefusedForever {
    fn observe(&mut self, moment: &Moment<'_>) {
        if moment.is_loaders || matches!(moment.action(), FileAction::Other | FileAction::Exit { .. }) {
            return;
        }
        let errno = moment.errno();
        let is_refusal = matches!(errno, Some(EPERM | EINVAL | ENOTTY | ENOSYS | EOPNOTSUPP));
        if !is_refusal && !moment.is_ok() {
            return;
        }
        let key = (moment.process(), moment.event.call, where_of(moment));
        if !is_refusal {
            if let Some(refusal) = self.refusals.get_mut(&key) {
                refusal.has_worked = true;
            }
            return;
        }
        if self.guards.spare(ANSWER, is_answer(moment)) {
            return;
        }
        let refusal = self.refusals.entry(key);
        let errno = errno.unwrap_or(0);
        if refusal.errno != errno {
            *refusal = Refusal { errno, has_worked: refusal.has_worked, ..Refusal::default() };
        }
        refusal.count += 1;
        refusal.last = Some(moment.key);
        if refusal.count == HABIT {
            refusal.scene = Some(Scene::of(moment));
        }
    }

    fn finish(&mut self, world: &World) {
        let mut found: Vec<_> = self.refusals.iter().filter(|(_, refusal)| refusal.count >= HABIT).collect();
        found.sort_by_key(|((process, call, _), refusal)| (*process, *call, refusal.count));
        for (_, refusal) in found {
            if let (Some(scene), Some(key)) = (&refusal.scene, refusal.last)
                && !self.guards.spare(WORKS_ELSEWHERE, refusal.has_worked)
            {
                let calls = refusal.count - 1;
                self.cases.add_scene(scene, calls, &[(key, Amount { calls, bytes: 0 })], world);
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

fn where_of(moment: &Moment<'_>) -> Where {
    let place = moment.any_place();
    let told = place.and_then(|place| moment.world.places.get(place).device);
    let of_file = moment.file.and_then(|file| file.identity).map(|identity| identity.device);
    match of_file.or(told) {
        Some(device) => Where::Device(device),
        None => Where::Directory(place.and_then(|place| moment.world.places.parent(place))),
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
    use crate::script::Script;
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
        waste: |script| (0..40).for_each(|file| attribute(script, file, Some(95))),
        count: 39,
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
            ("", |script| (0..15).for_each(|file| attribute(script, file, Some(95)))),
        ],
    }
};
