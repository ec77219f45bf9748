//! R15: the same lookup of a path, or of what a link leads to, with the same answer.

use crate::cases::{Cases, Scene};
use crate::claims::{Claim, Claims};
use crate::finding::RuleId;
use crate::first_look::{FirstLook, Question};
use crate::interest::{Interest, Kind};
use crate::moment::{Moment, When};
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::{ControlCommand, FileAction, FileFacts, FileKind, PathId, Target};
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(15),
    name: "same-stat-again",
    needs: "paths of stat, access and readlink",
    guards: &[CHANGED, DIFFERS, POLLS, LOCKED, ZONE, WALK, FEW],
    begin: |guards| {
        Box::new(SameStatAgain {
            guards,
            answers: Recent::default(),
            on_the_way: BTreeMap::new(),
            locked: Recent::default(),
            links: Recent::default(),
            cases: Cases::default(),
            led: Cases::default(),
        })
    },
};

const CHANGED: Guard = Guard {
    name: "changed-between",
    spares: "a traced program changed the file or something beside it between",
};
const DIFFERS: Guard = Guard { name: "answer-differs", spares: "the second answer was news" };
const POLLS: Guard = Guard { name: "long-gap", spares: "more than a second passed: it watches the file" };

const LOCKED: Guard =
    Guard { name: "locked", spares: "the process took a lock between: it looks what others did until then" };
const ZONE: Guard =
    Guard { name: "zone", spares: "the C library asks for the time zone's file: R26 tells of it" };

const WALK: Guard =
    Guard { name: "walk", spares: "a directory on the way to a real path: R20 tells of those" };

const FEW: Guard = Guard { name: "few", spares: "a link is read three times or less" };

/// From so many further readings of a link on they are a habit.
const HABIT: u64 = 3;
/// `X_OK` and `R_OK`.
const EXECUTE: u32 = 1;
const READ: u32 = 4;

/// A second, in ns.
const GAP_NS: u64 = 1_000_000_000;

const WORDS: Words = Words::cost(
    "repeated stat() of the same path, result unchanged",
    "pass the first answer along, or keep it for as long as the work on the file lasts",
    "programs outside the trace may change the file, and the look may be meant to notice",
);

const LED: Words = Words::cost(
    "repeated readlink() of the same link, result unchanged",
    "keep where it leads for as long as the work on what it leads to lasts",
    "programs outside the trace may make it lead elsewhere, and the look may be meant to notice",
);

#[derive(Debug)]
struct SameStatAgain {
    guards: Guards,
    /// Facts are long and most are never looked at again.
    answers: Recent<(u32, PlaceId, Question), Box<Answer>>,
    /// By thread, a case of a look that may be a step of a walk, or a shell's at a command: the next
    /// call shows it.
    on_the_way: BTreeMap<u32, Step>,
    /// When each process took a lock last.
    locked: Recent<u32, u64>,
    links: Recent<(u32, PlaceId), Link>,
    cases: Cases,
    led: Cases,
}

/// A link that was read.
#[derive(Debug, Default)]
struct Link {
    when: When,
    to: Option<PathId>,
    count: u64,
    calls: Claims,
}

#[derive(Debug)]
struct Step {
    place: PlaceId,
    /// With which mode a shell asks next whether it may use a command that it looks at.
    next_mode: Option<u32>,
    /// It is no link, hence no step of a walk.
    is_followed: bool,
    scene: Scene,
    avoidable: Claim,
}

/// When it was asked last, and what was told.
type Answer = (When, Option<FileFacts>);

impl Rule for SameStatAgain {
    fn wakes_at(&self) -> Interest {
        Interest::in_calls(&[Kind::Stat, Kind::Access])
            .but_first_looks()
            .and(&[Kind::ReadLink])
            .if_ok()
            .and(&[Kind::Lock, Kind::Control])
    }

    fn remembers(&self) -> bool {
        !self.on_the_way.is_empty()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        if let Some(step) = self.on_the_way.remove(&moment.thread())
            && !self.guards.spare(WALK, !step.is_followed && goes_on(moment, step.place))
        {
            let is_shells = step.next_mode.is_some_and(|mode| {
                matches!(moment.action(), FileAction::Access { mode: asked, .. } if *asked == mode)
                    && moment.place == Some(step.place)
            });
            let is_searched = moment.world.places.get(step.place).is_searched;
            let scene = step.scene.asked_by_runtime(is_shells || is_searched);
            self.cases.claim_scene(&scene, 1, &[step.avoidable].into_iter().collect(), moment.world);
        }
        let question = match moment.action() {
            FileAction::Stat { target: Target::Path { follow, .. }, .. } => {
                Question::Stat { follow: *follow }
            }
            FileAction::Access { mode, .. } => Question::Access { mode: *mode },
            FileAction::Lock { .. } | FileAction::Control { command: ControlCommand::Lock, .. } => {
                self.locked.insert(moment.process(), moment.when.number);
                return;
            }
            FileAction::ReadLink { to: Some(to), .. } => return self.led(moment, *to),
            _ => return,
        };
        let Some(place) = moment.judged_place().filter(|_| moment.is_ok()) else { return };
        if moment.is_first_look {
            return;
        }
        let key = (moment.process(), place, question);
        let facts = moment.facts().copied();
        let known = self.answers.get(&key).map(|known| &**known);
        if let Some((when, before)) = known
            && self.is_for_nothing(moment, place, *when, *before == facts)
            && !self.guards.spare(ZONE, moment.world.places.path(place) == "/etc/localtime")
        {
            let is_file = facts.and_then(|facts| facts.kind) == Some(FileKind::Regular);
            let next_mode = self.next_mode(moment, place, question);
            let is_followed = question != (Question::Stat { follow: false });
            let is_directory = facts.and_then(|facts| facts.kind) == Some(FileKind::Directory);
            let may_be_searched = is_directory && moment.world.searches_directories(moment.process());
            if next_mode.is_some() || may_be_searched || !is_followed && !is_file {
                let (scene, avoidable) = (Scene::of(moment), moment.claim());
                let step = Step { place, next_mode, is_followed, scene, avoidable };
                self.on_the_way.insert(moment.thread(), step);
            } else {
                self.cases.claim(moment, &[moment.claim()]);
            }
        }
        self.answers.insert(key, Box::new((moment.when, facts)));
    }

    fn recalls(&self) -> Interest {
        Interest::in_calls(&[Kind::Stat, Kind::Access])
    }

    fn recall(&mut self, look: &FirstLook, _call: Claim, _world: &World) {
        if look.is_judged && look.is_ok {
            let key = (look.process, look.place, look.question);
            self.answers.insert(key, Box::new((look.when, look.facts())));
        }
    }

    fn finish(&mut self, world: &World) {
        for step in std::mem::take(&mut self.on_the_way).into_values() {
            self.cases.claim_scene(&step.scene, 1, &[step.avoidable].into_iter().collect(), world);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases), (&LED, &self.led)]
    }
}

impl SameStatAgain {
    /// True of a question whose answer was known: it was asked at that moment.
    fn is_for_nothing(&self, moment: &Moment<'_>, place: PlaceId, when: When, is_same: bool) -> bool {
        let locked = self.locked.get(&moment.process());
        !self.guards.spare(CHANGED, !moment.world.places.is_unchanged_since(place, when.number))
            && !self.guards.spare(DIFFERS, !is_same)
            && !self.guards.spare(LOCKED, locked.is_some_and(|at| *at > when.number))
            && !self.guards.spare(POLLS, when.is_apart(moment.when, GAP_NS))
    }

    /// A link was read.
    fn led(&mut self, moment: &Moment<'_>, to: PathId) {
        let Some(place) = moment.judged_place().filter(|_| moment.is_ok()) else { return };
        let key = (moment.process(), place);
        let mut link = self.links.remove(&key).unwrap_or_default();
        let is_again =
            link.to.is_some_and(|before| self.is_for_nothing(moment, place, link.when, before == to));
        if is_again {
            link.count += 1;
            link.calls.push(moment.claim());
            if !self.guards.spare(FEW, link.count < HABIT) {
                let calls = std::mem::take(&mut link.calls);
                self.led.claim_at(moment, Some(place), calls.calls(), &calls);
            }
        } else {
            link = Link::default();
        }
        self.links.insert(key, Link { when: moment.when, to: Some(to), ..link });
    }

    /// A shell asks twice what lies at a command's path, then whether it may be executed, what it is
    /// once more, and whether it may be read. Of a look that may be one of these the mode of the
    /// question that then comes next.
    fn next_mode(&self, moment: &Moment<'_>, place: PlaceId, question: Question) -> Option<u32> {
        let process = moment.process();
        let is_shells = moment.world.signs(process).is_some_and(|signs| signs.asks_commands);
        let follows = |before: Question| {
            let when = self.answers.get(&(process, place, before)).map(|answer| answer.0);
            when.is_some_and(|when| when.thread_call.wrapping_add(1) == moment.when.thread_call)
        };
        if !is_shells || question != (Question::Stat { follow: true }) {
            None
        } else if follows(question) {
            Some(EXECUTE)
        } else {
            follows(Question::Access { mode: EXECUTE }).then_some(READ)
        }
    }
}

/// True of a question about a link, or what could be one, directly in that directory.
fn goes_on(moment: &Moment<'_>, directory: PlaceId) -> bool {
    let is_step = matches!(
        moment.action(),
        FileAction::ReadLink { .. } | FileAction::Stat { target: Target::Path { follow: false, .. }, .. }
    );
    is_step && moment.place.and_then(|place| moment.world.places.parent(place)) == Some(directory)
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, Script};
    fn read_link(script: &mut Script, path: &str, to: &str) {
        let to = Some(script.paths.number(std::ffi::OsStr::new(to)));
        let target = script.target(path);
        script.works("readlink", FileAction::ReadLink { target, to });
    }
    crate::trio::Trio {
        rule: 15,
        waste: |script| {
            for _ in 0..8 {
                script.stat("/data/config", 100);
            }
            script.access("/data/config");
            script.access("/data/config");
            (0..5).for_each(|_| read_link(script, "/data/current", "releases/7"));
        },
        count: 8 + 4,
        fixed: |script| {
            script.stat("/data/config", 100);
            script.access("/data/config");
        },
        look_alikes: &[
            ("changed-between", |script| {
                script.stat("/data/config", 100);
                script.open("/data/new", CREATE | crate::open_flags::EXCLUSIVE);
                script.stat("/data/config", 100);
            }),
            ("answer-differs", |script| {
                script.stat("/data/config", 100);
                script.stat("/data/config", 101);
            }),
            ("answer-differs", |script| {
                (0..4).for_each(|release| read_link(script, "/data/current", &format!("{release}")));
            }),
            ("long-gap", |script| {
                script.stat("/data/config", 100);
                script.wait_ms(1_500);
                script.stat("/data/config", 100);
            }),
            ("walk", |script| {
                for file in 0..3 {
                    for path in ["/srv".to_owned(), "/srv/app".to_owned(), format!("/srv/app/{file}")] {
                        let Target::Path { directory, path, .. } = script.target(&path) else { return };
                        let target = Target::Path { directory, path, follow: false };
                        script.works("lstat", FileAction::Stat { target, facts: None, mask: 0 });
                    }
                }
            }),
            ("locked", |script| {
                let file = script.open("/data/base", crate::script::BOTH);
                for _ in 0..5 {
                    script.control(file, ControlCommand::Lock);
                    script.stat("/data/base", 100);
                }
            }),
            ("few", |script| (0..3).for_each(|_| read_link(script, "/usr/bin/cc", "gcc"))),
            ("zone", |script| (0..5).for_each(|_| script.stat("/etc/localtime", 100))),
            ("", |script| {
                script.stat("/data/config", 100);
                script.fork(200);
                script.act_as(200, 200);
                script.stat("/data/config", 100);
            }),
        ],
    }
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Owner;
    use crate::script::Script;

    /// Whose the repeated looks of a program are, at commands that it executes or at files.
    fn owners(program: &str, look: impl Fn(&mut Script, &str)) -> Vec<(Owner, u64)> {
        let mut script = Script::new();
        script.load(program);
        for number in 0..4 {
            look(&mut script, &format!("/opt/bin/{number}"));
        }
        let found = script.findings_of(RuleId(15), Guards::default());
        found.iter().map(|finding| (finding.owner, finding.count)).collect()
    }

    fn may(script: &mut Script, path: &str, mode: u32) {
        let target = script.target(path);
        script.works("access", FileAction::Access { target, mode });
    }

    #[test]
    fn a_shell_looks_at_each_command_three_times() {
        let command = |script: &mut Script, path: &str| {
            script.stat(path, 100);
            script.stat(path, 100);
            may(script, path, EXECUTE);
            script.stat(path, 100);
            may(script, path, READ);
        };
        assert_eq!(owners("/usr/bin/bash", command), [(Owner::Runtime, 8)]);
        assert_eq!(owners("/usr/bin/make", command), [(Owner::Yours, 8)]);
    }

    #[test]
    fn what_a_script_asks_again_is_its_own() {
        // `[ -e file ] && [ -d file ]`, and something else.
        let tests = |script: &mut Script, path: &str| {
            script.stat(path, 100);
            script.stat(path, 100);
            may(script, path, READ);
            script.stat(path, 100);
        };
        assert_eq!(owners("/usr/bin/bash", tests), [(Owner::Yours, 8)]);
    }
}
