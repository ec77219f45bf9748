//! R13: a file is looked up by path and then opened by path.

use crate::cases::{Cases, Scene};
use crate::claims::{Claim, Claims};
use crate::finding::RuleId;
use crate::first_look::{FirstLook, Question};
use crate::interest::{Interest, Kind};
use crate::moment::{Moment, When};
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::{FileAction, FileKind, StackId, Target};
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(13),
    name: "stat-then-open",
    needs: "paths of stat, access and open",
    guards: &[NOT_REGULAR, OF_LINK, CACHE_CHECK, LONG_AGO, CHANGED],
    begin: |guards| {
        Box::new(StatThenOpen {
            guards,
            asked: Recent::default(),
            askers: Recent::default(),
            programs: BTreeMap::new(),
            cases: Cases::default(),
            several: Cases::default(),
            listed: Cases::default(),
        })
    },
};

const NOT_REGULAR: Guard = Guard {
    name: "not-regular",
    spares: "it is no regular file, and opening one of those has effects of its own",
};
const OF_LINK: Guard = Guard {
    name: "of-the-link",
    spares: "it asks for a link itself and opens with O_NOFOLLOW: it must know links, pipes and devices before it opens anything",
};
const CACHE_CHECK: Guard = Guard {
    name: "cache-check",
    spares: "most files that it looks up it does not open: the look is what decides; looks of its runtime are counted apart",
};
const LONG_AGO: Guard =
    Guard { name: "long-ago", spares: "more than 64 calls lie between the look and the opening" };
const CHANGED: Guard =
    Guard { name: "changed-between", spares: "the program itself changed the file or its directory between" };

const WORDS: Words = Words::cost(
    "stat() then open() of the same path",
    "open it, and ask the open file with fstat; or open it and handle ENOENT. The file cannot become another one between then",
    "the look may be meant to keep from opening what is no regular file, or to make NFS ask its server",
);

const SEVERAL: Words = Words::cost(
    "three looks or more at a path, and then open() of it",
    "open it first, ask the open file once (fstat) for kind, size and times, and hand the answer on",
    "the looks may be meant to keep from opening what is no regular file, or to make NFS ask its server",
);

/// Of a name that was just listed: that it exists the listing told, and another rule says so.
const LISTED: Words = Words::cost(
    "access(F_OK) then open() of the same path, which was listed before",
    "open it and handle ENOENT",
    "the look may be meant to make NFS ask its server",
)
.general();

/// So many files that are looked at more than twice have a sentence of their own.
const SEVERAL_FILES: u64 = 4;
/// From so many looks before the last one on they are no way to open a file.
const MANY_LOOKS: usize = 5;
/// Opens that were preceded by a look are a habit from this share of all looks on.
const HABIT_SHARE: f64 = 0.5;

#[derive(Debug)]
struct StatThenOpen {
    guards: Guards,
    /// By thread.
    asked: Recent<(u32, PlaceId), Look>,
    /// By process: which thread looked last, also one that looked before there were others. A goroutine
    /// may open by another thread than it looked by.
    askers: Recent<(u32, PlaceId), u32>,
    /// By process, and whether its runtime looks or the program itself.
    programs: BTreeMap<(u32, bool), Habit>,
    cases: Cases,
    several: Cases,
    listed: Cases,
}

#[derive(Debug)]
struct Look {
    when: When,
    thread: u32,
    /// It asked whether there is something, and nothing else.
    is_of_existence: bool,
    /// It asked for what the path is, not for what it may lead to.
    is_of_link: bool,
    kind: Option<FileKind>,
    is_runtimes: bool,
    call: Claim,
    /// The looks before it, where they told the same: all go when the file is opened first.
    before: Vec<Claim>,
}

/// The directory, who lives with it, and how the file was looked at.
type PairKey = (Option<PlaceId>, u32, Manner);

/// How a file was looked at before it was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Manner {
    /// Once or twice.
    Looked,
    Several,
    /// A name of a listing was asked for its existence alone.
    Listed,
}

/// Pairs of one place in the code: the first, how many, and their calls.
type ByStack = BTreeMap<Option<StackId>, (Scene, u64, Claims)>;

#[derive(Debug, Default)]
struct Habit {
    looks: u64,
    /// By stack: whose the pairs of a directory are does not depend on where they come from.
    pairs: BTreeMap<PairKey, ByStack>,
    count: u64,
}

impl Rule for StatThenOpen {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Stat, Kind::Access, Kind::Open]).if_ok()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let Some(place) = moment.judged_place().filter(|_| moment.is_ok()) else { return };
        let key = (moment.thread(), place);
        match moment.action() {
            FileAction::Stat { .. } | FileAction::Access { .. } => {
                let is_runtimes = moment.is_runtimes(moment.place);
                if moment.is_first_look {
                    self.programs.entry((moment.process(), is_runtimes)).or_default().looks += 1;
                    return;
                }
                let is_programs = |look: &Look| {
                    let is_unchanged = moment.world.places.is_unchanged_since(place, look.when.number);
                    is_runtimes && !look.is_runtimes && is_unchanged && look.is_near(moment)
                };
                // The program asked, and its runtime asks once more on its way to open the file.
                if self.asked.get(&key).is_some_and(is_programs) {
                    return;
                }
                let habit = self.programs.entry((moment.process(), is_runtimes)).or_default();
                let kind = moment.facts().and_then(|facts| facts.kind);
                let before = self.asked.remove(&key);
                habit.looks += u64::from(before.is_none());
                let is_same = |look: &Look| {
                    let is_unchanged = moment.world.places.is_unchanged_since(place, look.when.number);
                    is_unchanged && look.is_runtimes == is_runtimes && look.is_near(moment)
                };
                let before = before.filter(is_same).map_or_else(Vec::new, |mut look| {
                    look.before.push(look.call);
                    look.before
                });
                let is_of_existence = matches!(moment.action(), FileAction::Access { mode: 0, .. });
                let (when, thread, call) = (moment.when, moment.thread(), moment.claim());
                let is_of_link = matches!(
                    moment.action(),
                    FileAction::Stat { target: Target::Path { follow: false, .. }, .. }
                );
                let look =
                    Look { when, thread, is_of_existence, is_of_link, kind, is_runtimes, call, before };
                self.asked.insert(key, look);
                self.askers.insert((moment.process(), place), thread);
            }
            FileAction::Open { flags, .. } => {
                let asked = self.asked.remove(&key).or_else(|| self.of_another_thread(moment, place));
                let Some(look) = asked else { return };
                let kind = look.kind.or(moment.file.and_then(|file| file.kind));
                let is_odd = kind.is_some_and(|kind| kind != FileKind::Regular)
                    || open_flags::has(*flags, open_flags::DIRECTORY)
                    || open_flags::has(*flags, open_flags::PATH_ONLY);
                let is_changed = !moment.world.places.is_unchanged_since(place, look.when.number);
                let is_of_link = look.is_of_link && open_flags::has(*flags, open_flags::NO_FOLLOW);
                if self.guards.spare(NOT_REGULAR, is_odd)
                    || self.guards.spare(OF_LINK, is_of_link)
                    || self.guards.spare(LONG_AGO, !look.is_near(moment))
                    || self.guards.spare(CHANGED, is_changed)
                {
                    return;
                }
                self.pair(moment, &look);
            }
            _ => {}
        }
    }

    fn recalls(&self) -> Interest {
        Interest::in_calls(&[Kind::Stat, Kind::Access, Kind::Open])
    }

    fn recall(&mut self, look: &FirstLook, call: Claim, _world: &World) {
        if look.is_judged && look.is_ok {
            let kind = look.facts().and_then(|facts| facts.kind);
            let FirstLook { when, thread, is_runtimes, .. } = *look;
            let is_of_existence = look.question == Question::Access { mode: 0 };
            let is_of_link = look.question == Question::Stat { follow: false };
            let asked = Look {
                when,
                thread,
                is_of_existence,
                is_of_link,
                kind,
                is_runtimes,
                call,
                before: Vec::new(),
            };
            self.asked.insert((thread, look.place), asked);
            self.askers.insert((look.process, look.place), thread);
        }
    }

    fn finish(&mut self, world: &World) {
        for habit in std::mem::take(&mut self.programs).into_values() {
            let is_check = (habit.count as f64) < HABIT_SHARE * habit.looks as f64;
            if self.guards.spare(CACHE_CHECK, is_check) {
                continue;
            }
            let of_several = habit.pairs.iter().filter(|((.., manner), _)| *manner == Manner::Several);
            let several: u64 =
                of_several.flat_map(|(_, pairs)| pairs.values()).map(|(_, count, _)| count).sum();
            for ((.., manner), by_stack) in habit.pairs {
                let cases = match manner {
                    Manner::Several if several >= SEVERAL_FILES => &mut self.several,
                    Manner::Looked | Manner::Several => &mut self.cases,
                    Manner::Listed => &mut self.listed,
                };
                for (scene, count, calls) in by_stack.into_values() {
                    cases.claim_scene(&scene, count, &calls, world);
                }
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases), (&LISTED, &self.listed), (&SEVERAL, &self.several)]
    }
}

impl Look {
    fn is_near(&self, moment: &Moment<'_>) -> bool {
        self.when.is_near_in_process(moment.when, self.thread == moment.thread())
    }
}

impl StatThenOpen {
    /// The look that another thread of the process took last.
    fn of_another_thread(&mut self, moment: &Moment<'_>, place: PlaceId) -> Option<Look> {
        let thread = self.askers.remove(&(moment.process(), place))?;
        self.asked.remove(&(thread, place))
    }

    /// Keeps a pair by its directory until it is known whether they are a habit.
    fn pair(&mut self, moment: &Moment<'_>, look: &Look) {
        let directory = moment.place.and_then(|place| moment.world.places.parent(place));
        let tolerated = moment.world.tolerated_set(moment.place);
        let is_listed = look.is_of_existence
            && directory.is_some_and(|directory| moment.world.places.get(directory).is_listed);
        // Who looks more often than that has another habit, which other rules name.
        let before = Some(&*look.before).filter(|before| before.len() < MANY_LOOKS).unwrap_or_default();
        let manner = match before.len() {
            _ if is_listed => Manner::Listed,
            0 | 1 => Manner::Looked,
            _ => Manner::Several,
        };
        let habit = self.programs.entry((moment.process(), look.is_runtimes)).or_default();
        habit.count += 1;
        let by_stack = habit.pairs.entry((directory, tolerated, manner)).or_default();
        let stack = moment.event.stack;
        if !by_stack.contains_key(&stack) {
            let first = by_stack.values().map(|(scene, ..)| scene).min_by_key(|scene| scene.number());
            let scene = Scene::of(moment).asked_by_runtime(look.is_runtimes).owned_as(first);
            by_stack.insert(stack, (scene, 0, Claims::default()));
        }
        let Some((scene, count, calls)) = by_stack.get_mut(&stack) else { return };
        scene.also_at(moment.any_place(), moment.world);
        *count += 1;
        before.iter().copied().chain([look.call]).for_each(|call| calls.push(call));
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, READ, Script};
    fn read_file(script: &mut Script, path: &str) {
        let file = script.open(path, READ);
        script.read(file, 100, 100);
        script.close(file);
    }
    crate::trio::Trio {
        rule: 13,
        waste: |script| {
            for file in 0..13 {
                let path = format!("/data/{file}");
                script.stat(&path, 100);
                read_file(script, &path);
            }
            script.access("/data/other");
            read_file(script, "/data/other");
            // However long it takes, and by another thread.
            script.stat("/data/slow", 100);
            script.wait_ms(3000);
            read_file(script, "/data/slow");
            script.start_thread(101);
            script.stat("/data/moved", 100);
            script.act_as(100, 101);
            read_file(script, "/data/moved");
            script.act_as(100, 100);
        },
        count: 16,
        fixed: |script| (0..13).for_each(|file| read_file(script, &format!("/data/{file}"))),
        look_alikes: &[
            ("not-regular", |script| {
                script.stat_as("/data/sub", FileKind::Directory, 4096);
                script.open("/data/sub", READ);
            }),
            // As archivers do.
            ("of-the-link", |script| {
                for file in 0..13 {
                    let path = format!("/data/{file}");
                    script.lstat(&path, 100);
                    let file = script.open(&path, READ | open_flags::NO_FOLLOW);
                    script.fstat(file, 100);
                    script.read(file, 100, 100);
                    script.close(file);
                }
            }),
            ("cache-check", |script| {
                (0..40).for_each(|file| script.stat(&format!("/data/{file}"), 100));
                read_file(script, "/data/39");
            }),
            ("long-ago", |script| {
                script.stat("/data/a", 100);
                (0..70).for_each(|_| script.is_terminal(1));
                read_file(script, "/data/a");
            }),
            ("long-ago", |script| {
                script.start_thread(101);
                script.stat("/data/a", 100);
                script.act_as(100, 101);
                (0..70).for_each(|_| script.is_terminal(1));
                read_file(script, "/data/a");
            }),
            ("changed-between", |script| {
                script.stat("/data/a", 100);
                script.remove("/data/a");
                script.open("/data/a", CREATE);
            }),
            ("", |script| {
                script.stat("/dev/watchdog", 0);
                script.open("/dev/watchdog", READ);
            }),
        ],
    }
};

#[cfg(test)]
mod tests {
    use crate::rule::Guards;
    use crate::script::{READ, Script};
    use fathom_events::{CallOutcome, FileAction};

    #[test]
    fn a_listed_name_that_is_asked_for_its_existence_is_the_listings_case() {
        let mut script = Script::new();
        let descriptor = script.open("/data", READ | crate::open_flags::DIRECTORY);
        let action = FileAction::List { descriptor, entries: Some(42), undecided: Some(0) };
        script.call("getdents64", action, CallOutcome::Value(1280));
        script.close(descriptor);
        for name in ["../settings".to_owned()].into_iter().chain((0..40).map(|name| name.to_string())) {
            let path = format!("/data/{name}");
            let target = script.target(&path);
            script.works("access", FileAction::Access { target, mode: 0 });
            let file = script.open(&path, READ);
            script.close(file);
        }
        let found = script.findings(Guards::default());
        let told: Vec<_> = found.iter().map(|one| (one.rule.0, one.count)).collect();
        assert_eq!(told, [(21, 40), (13, 1)], "{found:#?}");
    }

    #[test]
    fn several_looks_before_one_open_are_one_finding() {
        let mut script = Script::new();
        for number in 0..10 {
            let path = format!("/data/{number}");
            (0..3).for_each(|_| script.stat(&path, 100));
            let file = script.open(&path, READ);
            script.read(file, 100, 100);
            script.close(file);
        }
        let found = script.findings(Guards::default());
        let calls =
            |one: &crate::finding::Finding| one.avoidable.iter().map(|calls| calls.count).sum::<u64>();
        let told: Vec<_> = found.iter().map(|one| (one.rule.0, one.count, calls(one))).collect();
        assert_eq!(told, [(13, 10, 30)], "{found:#?}");
    }

    #[test]
    fn looks_of_import_are_no_habit_of_the_program() {
        let mut script = Script::new();
        script.load("/usr/bin/python3.11");
        (0..200).for_each(|module| script.stat(&format!("/usr/lib/python3.11/{module}.py"), 100));
        for number in 0..30 {
            let path = format!("/data/{number}");
            script.stat(&path, 100);
            let file = script.open(&path, READ);
            script.close(file);
        }
        let found = script.findings(Guards::default());
        let count: u64 = found.iter().filter(|one| one.rule.0 == 13).map(|one| one.count).sum();
        assert_eq!(count, 30, "{found:#?}");
    }
}
