//! R33: one file asked again and again whether it has changed, or is there.
//!
//! A poll is known by its beat: the same question with the same answer, about as long after the last
//! one each time, and a program that does next to nothing between. That it ends when there is news
//! is what it is for.

use crate::cases::{Cases, Scene};
use crate::claims::{Claim, Claims};
use crate::family::{Family, is_shell, is_shells};
use crate::finding::RuleId;
use crate::first_look::{FirstLook, Question};
use crate::interest::{Interest, Kind};
use crate::moment::{Moment, When};
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::{FileAction, FileFacts};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(33),
    name: "polling",
    needs: "paths of stat, access and open, and a clock",
    guards: &[NEWS, IRREGULAR, FAST, BUSY],
    begin: |guards| {
        Box::new(Polling {
            guards,
            family: Family::default(),
            sleepers: Recent::default(),
            slept: Recent::default(),
            beats: Recent::default(),
            cases: Cases::default(),
        })
    },
};

const NEWS: Guard =
    Guard { name: "news", spares: "most answers differed from the one before: there was something to hear" };
const IRREGULAR: Guard =
    Guard { name: "irregular", spares: "the questions came when there was need, not at a beat" };
const FAST: Guard = Guard {
    name: "fast",
    spares: "the questions belong to one piece of work: most came within milliseconds",
};
const BUSY: Guard = Guard {
    name: "busy",
    spares: "it works between the questions (a script: runs other commands than sleep): they belong to what it does",
};

/// `X_OK`.
const EXECUTE: u32 = 1;
/// From this many questions on it is a beat.
const HABIT: u64 = 5;
/// Questions that come faster than this belong together, in ns.
const BEAT_NS: u64 = 5_000_000;
/// A poll may ask by several calls at once; more than these a beat are work that a busy machine stretched.
const FAST_EACH: u64 = 2;
/// Gaps that are looked at.
const GAPS: usize = 64;
/// Other calls between two questions, from which on it works, on average.
const WORK_CALLS: u64 = 16;

const WORDS: Words = Words::cost(
    "file polled at regular intervals",
    "let the kernel tell: inotify, or poll on /proc/self/mountinfo, or a pidfd for a process; a script waits with `wait` or inotifywait",
    "inotify does not see changes that other machines make to a network file system",
);

#[derive(Debug)]
struct Polling {
    guards: Guards,
    family: Family,
    sleepers: Recent<u32, ()>,
    /// When a shell last had a command sleep.
    slept: Recent<u32, u64>,
    /// Most files are asked once, and a beat is long.
    beats: Recent<(u32, PlaceId), Box<Beat>>,
    cases: Cases,
}

#[derive(Debug)]
struct Beat {
    last: When,
    thread: u32,
    answer: Option<FileFacts>,
    is_there: bool,
    /// Questions that came after a while.
    count: u64,
    /// Questions that came at once.
    fast: u64,
    news: u64,
    gaps_ns: Vec<u64>,
    other_calls: u64,
    /// How often a script slept before it asked.
    sleeps: u64,
    is_script: bool,
    scene: Option<Box<Scene>>,
    calls: Claims,
}

impl Rule for Polling {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Stat, Kind::StatOpen, Kind::Access, Kind::Open, Kind::Execute, Kind::Fork])
            .but_first_looks()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        self.family.observe(moment);
        self.note_sleep(moment);
        let is_question = match moment.action() {
            FileAction::Stat { .. } => true,
            // Who looks for a program to run asks whether it may.
            FileAction::Access { mode, .. } => mode & EXECUTE == 0,
            FileAction::Open { flags, .. } => !crate::open_flags::can_write(*flags),
            _ => false,
        };
        let is_known = moment.is_ok() || moment.errno() == Some(crate::call_key::ENOENT);
        // Of what the kernel makes up inotify says nothing.
        if !is_question || !is_known || !moment.is_judged() || moment.when.at_ns == 0 {
            return;
        }
        if moment.is_first_look {
            return;
        }
        let Some(place) = moment.any_place() else { return };
        let key = (moment.process(), place);
        match self.beats.get_mut(&key) {
            None => {
                let is_script = is_shell(moment.process(), moment.world);
                let answer = moment.facts().copied();
                let beat = Beat::new(moment.when, moment.thread(), answer, moment.is_ok(), is_script);
                self.beats.insert(key, Box::new(beat));
            }
            Some(beat) => {
                let slept = self.slept.get(&moment.process()).is_some_and(|at| *at > beat.last.number);
                beat.asked_again(moment, slept, self.guards);
            }
        }
    }

    fn recalls(&self) -> Interest {
        Interest::in_calls(&[Kind::Stat, Kind::StatOpen, Kind::Access, Kind::Open])
    }

    fn recall(&mut self, look: &FirstLook, _call: Claim, world: &World) {
        let is_question = match look.question {
            Question::Stat { .. } => true,
            Question::Access { mode } => mode & EXECUTE == 0,
        };
        let is_known = look.is_ok || look.errno == Some(crate::call_key::ENOENT);
        if is_question && is_known && look.is_judged && look.when.at_ns != 0 {
            let is_script = is_shells(look.program, world);
            let beat = Beat::new(look.when, look.thread, look.facts(), look.is_ok, is_script);
            self.beats.insert((look.process, look.place), Box::new(beat));
        }
    }

    fn finish(&mut self, world: &World) {
        let told = self.beats.iter().filter_map(|(key, beat)| Some((key, beat, beat.scene.as_deref()?)));
        let mut beats: Vec<_> = told.collect();
        beats.sort_by_key(|(key, ..)| **key);
        for (_, beat, scene) in beats {
            if !self.guards.spare(NEWS, beat.news * 2 > beat.count)
                && !self.guards.spare(FAST, beat.fast > FAST_EACH * beat.count)
                && !self.guards.spare(IRREGULAR, !beat.is_regular())
                && !self.guards.spare(BUSY, beat.is_busy())
            {
                self.cases.claim_scene(scene, beat.count, &beat.calls, world);
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

impl Polling {
    /// A command of a script's sleeps. Its call may come before the fork that made it returns.
    fn note_sleep(&mut self, moment: &Moment<'_>) {
        let shell = match moment.action() {
            FileAction::Execute { .. } if moment.is_ok() => {
                let name = moment.place.map(|place| moment.world.places.name(place));
                if name != Some("sleep") {
                    return;
                }
                self.sleepers.insert(moment.process(), ());
                self.family.parent(moment.process())
            }
            FileAction::Fork { .. } => {
                let child = moment.value().and_then(|child| u32::try_from(child).ok());
                child.filter(|child| self.sleepers.get(child).is_some()).map(|_| moment.process())
            }
            _ => None,
        };
        if let Some(shell) = shell {
            self.slept.insert(shell, moment.when.number);
        }
    }
}

impl Beat {
    fn new(last: When, thread: u32, answer: Option<FileFacts>, is_there: bool, is_script: bool) -> Self {
        Self {
            last,
            thread,
            answer,
            is_there,
            count: 1,
            fast: 0,
            news: 0,
            gaps_ns: Vec::new(),
            other_calls: 0,
            sleeps: 0,
            is_script,
            scene: None,
            calls: Claims::default(),
        }
    }

    fn asked_again(&mut self, moment: &Moment<'_>, slept: bool, guards: Guards) {
        let gap_ns = moment.when.at_ns.saturating_sub(self.last.at_ns);
        let (answer, is_there) = (moment.facts().copied(), moment.is_ok());
        let differs = self.answer.is_some() && answer.is_some() && self.answer != answer;
        let is_news = differs || self.is_there != is_there;
        if guards.spare(FAST, gap_ns < BEAT_NS) {
            self.fast += 1;
        } else {
            self.count += 1;
            self.news += u64::from(is_news);
            self.sleeps += u64::from(slept);
            if self.gaps_ns.len() < GAPS {
                self.gaps_ns.push(gap_ns);
            }
            if self.thread == moment.thread() {
                let between = moment.when.thread_call.saturating_sub(self.last.thread_call);
                self.other_calls += between.saturating_sub(1);
            }
            if self.count == HABIT {
                self.scene = Some(Box::new(Scene::of_program(moment)));
            }
        }
        if !is_news {
            self.calls.push(moment.claim());
        }
        (self.last, self.thread, self.is_there) = (moment.when, moment.thread(), is_there);
        self.answer = answer.or(self.answer);
    }

    /// True where it does something else between the questions.
    fn is_busy(&self) -> bool {
        let works = self.other_calls > WORK_CALLS * self.count;
        if self.is_script { self.sleeps * 2 < self.count } else { works }
    }

    /// True where most gaps are about as long as the middle one: sleeps are longer on a busy machine.
    fn is_regular(&self) -> bool {
        let mut gaps = self.gaps_ns.clone();
        gaps.sort_unstable();
        let Some(middle) = gaps.get(gaps.len() / 2).copied() else { return false };
        let alike = gaps.iter().filter(|gap| **gap >= middle / 2 && **gap <= middle * 2).count();
        alike * 5 >= gaps.len() * 4
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = crate::trio::Trio {
    rule: 33,
    waste: |script| {
        for _ in 0..30 {
            script.stat("/data/state", 100);
            script.wait_ms(100);
        }
        // Until it is there.
        for _ in 0..8 {
            script.stat_fails("/data/ready");
            script.wait_ms(20);
        }
        script.access("/data/ready");
        // It writes twice to what it watches, and reads it.
        for beat in 0..12 {
            script.stat("/data/log", 100 + beat / 5);
            let file = script.open("/data/log", crate::script::READ);
            script.close(file);
            script.wait_ms(10 + beat % 3);
        }
        // A script that sleeps.
        script.act_as(300, 300);
        script.execute("/bin/sh");
        for beat in 0..8 {
            script.stat_fails("/data/done");
            script.act_as(400 + beat, 400 + beat);
            script.execute("/bin/sleep");
            script.act_as(300, 300);
            script.fork(400 + beat);
            script.act_as(400 + beat, 400 + beat);
            script.exit();
            script.act_as(300, 300);
            script.wait_ms(50);
        }
    },
    count: 30 + 9 + 12 + 8,
    fixed: |script| script.stat("/data/state", 100),
    look_alikes: &[
        ("news", |script| {
            for size in 0..30 {
                script.stat("/data/state", size);
                script.wait_ms(100);
            }
        }),
        ("irregular", |script| {
            for beat in 0..30 {
                script.stat("/data/state", 100);
                script.wait_ms(100 + beat % 7 * 300);
            }
        }),
        ("busy", |script| {
            for _ in 0..30 {
                script.stat("/data/state", 100);
                (0..20).for_each(|file| script.stat(&format!("/data/{file}"), 10));
                script.wait_ms(100);
                (0..20).for_each(|file| script.stat(&format!("/data/{file}.o"), 10));
            }
        }),
        ("", |script| {
            for _ in 0..8 {
                let target = script.target("/usr/bin/git");
                script.works("access", FileAction::Access { target, mode: 1 });
                let limit = script.open("/sys/fs/cgroup/memory.max", crate::script::READ);
                script.close(limit);
                script.wait_ms(50);
            }
        }),
        ("busy", |script| {
            script.execute("/bin/sh");
            for _ in 0..8 {
                script.stat("/data/settings", 100);
                script.wait_ms(50);
            }
        }),
        ("", |script| {
            for _ in 0..4 {
                script.stat("/data/state", 100);
                script.wait_ms(100);
            }
        }),
        ("fast", |script| {
            for _ in 0..30 {
                script.stat("/data/state", 100);
                script.wait_ms(1);
            }
        }),
        // Every fourth time another program had the CPU.
        ("fast", |script| {
            for turn in 0..30 {
                script.stat("/data/state", 100);
                script.wait_ms(if turn % 4 == 0 { 10 } else { 1 });
            }
        }),
    ],
};
