//! R33: one file asked again and again whether it has changed, or is there.
//!
//! A wait is known by its end, without any clock: the same question with the same answer many times
//! and next to nothing between, and then another answer, which somebody else brought about. That it
//! ends when there is news is what it is for.
//!
//! Where no news comes, a poll is known by its beat: about as long after the last question each time,
//! and long as compared with what the same program's other calls take, so that a machine that is slow
//! or busy makes no beat of a loop that does not sleep.

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
    guards: &[NEWS, IRREGULAR, FAST, BUSY, OWN_HAND],
    begin: |guards| {
        Box::new(Polling {
            guards,
            family: Family::default(),
            sleepers: Recent::default(),
            slept: Recent::default(),
            beats: Recent::default(),
            paces: Recent::default(),
            forks: Recent::default(),
            cases: Cases::default(),
            waited: Cases::default(),
        })
    },
};

const NEWS: Guard =
    Guard { name: "news", spares: "most answers differed from the one before: there was something to hear" };
const IRREGULAR: Guard =
    Guard { name: "irregular", spares: "the questions came when there was need, not at a beat" };
const FAST: Guard = Guard {
    name: "fast",
    spares: "the questions belong to one piece of work: most came within milliseconds, or as fast as the program's other calls",
};
const BUSY: Guard = Guard {
    name: "busy",
    spares: "it works between the questions (a script: runs other commands than sleep): they belong to what it does",
};

const OWN_HAND: Guard =
    Guard { name: "own-hand", spares: "the program itself made the change that ended the questions" };

/// `X_OK`.
const EXECUTE: u32 = 1;
/// From this many questions on it is a beat.
const HABIT: u64 = 5;
/// Questions that come faster than this belong together, in ns.
const BEAT_NS: u64 = 5_000_000;
/// A poll may ask by several calls at once; more than these a beat are work that a busy machine stretched.
const FAST_EACH: u64 = 2;
/// Of fewer gaps before other calls nothing is said.
const FEW_GAPS: u32 = 8;
/// So many times as long as the middle gap before its other calls is no piece of work.
const BEAT_PACES: u64 = 8;
/// From so many questions with one answer on, which then is another, it waited.
const WAIT: u64 = 10;
/// Other calls between two questions of a wait, at most, on average.
const WAIT_CALLS: u64 = 4;
/// Gaps that are looked at.
const GAPS: usize = 64;
/// Other calls between two questions, from which on it works, on average.
const WORK_CALLS: u64 = 16;

const WORDS: Words = Words::cost(
    "file polled at regular intervals",
    "let the kernel tell: inotify, or poll on /proc/self/mountinfo, or a pidfd for a process; a script waits with `wait` or inotifywait",
    "inotify does not see changes that other machines make to a network file system",
);

const WAITED: Words = Words::cost(
    "file asked for again and again, until another program had made or changed it",
    "wait for who brings it (the exit of a child, a pidfd), or let the kernel tell: inotify; a script waits with `wait` or inotifywait",
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
    /// How fast each process makes its other calls.
    paces: Recent<u32, Pace>,
    /// How many processes each has made.
    forks: Recent<u32, u64>,
    cases: Cases,
    waited: Cases,
}

/// Gaps before calls, by the powers of two in ns.
#[derive(Debug)]
struct Pace {
    last: Option<(u32, When)>,
    gaps: [u32; 64],
    count: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Self { last: None, gaps: [0; 64], count: 0 }
    }
}

/// Questions with one answer, one after the other.
#[derive(Debug, Default)]
struct Row {
    count: u64,
    other_calls: u64,
    sleeps: u64,
    /// Processes that were made before it began.
    forks: u64,
    /// The event of its first question.
    began: u64,
    /// Those that waiting otherwise spares: all but one that brought news.
    calls: Claims,
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
    row: Row,
    /// Questions of rows that ended with news from elsewhere.
    waited: u64,
    waited_calls: Claims,
    waited_scene: Option<Box<Scene>>,
    /// When the process itself changed it last.
    own_change: u64,
}

impl Rule for Polling {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[
            Kind::Stat,
            Kind::StatOpen,
            Kind::Access,
            Kind::Open,
            Kind::Execute,
            Kind::Fork,
            Kind::Rename,
            Kind::Link,
            Kind::SymbolicLink,
            Kind::MakeDirectory,
            Kind::Remove,
            Kind::Sync,
        ])
        .but_first_looks()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        self.family.observe(moment);
        self.note_sleep(moment);
        self.note_change(moment);
        let is_question = match moment.action() {
            FileAction::Stat { .. } => true,
            // Who looks for a program to run asks whether it may.
            FileAction::Access { mode, .. } => mode & EXECUTE == 0,
            FileAction::Open { flags, .. } => !crate::open_flags::can_write(*flags),
            _ => false,
        };
        let is_known = moment.is_ok() || moment.errno() == Some(crate::call_key::ENOENT);
        // Of what the kernel makes up inotify says nothing.
        let place = moment.any_place().filter(|_| is_question && is_known && moment.is_judged());
        let Some(place) = place.filter(|_| !moment.is_first_look) else {
            return self.paces.entry(moment.process()).add(moment);
        };
        let key = (moment.process(), place);
        let forks = self.forks.get(&moment.process()).copied().unwrap_or_default();
        let Some(beat) = self.beats.get_mut(&key) else {
            let is_script = is_shell(moment.process(), moment.world);
            let answer = moment.facts().copied();
            let mut beat = Beat::new(moment.when, moment.thread(), answer, moment.is_ok(), is_script);
            beat.row.forks = forks;
            beat.row.calls.push(moment.claim());
            self.beats.insert(key, Box::new(beat));
            return self.paces.entry(moment.process()).add(moment);
        };
        let pace = self.paces.entry(moment.process());
        pace.pass(moment);
        let slept = self.slept.get(&moment.process()).is_some_and(|at| *at > beat.last.number);
        let is_news = beat.row_goes_on(moment, (place, forks), slept, self.guards);
        if moment.when.at_ns != 0 {
            beat.asked_again(moment, (slept, is_news), pace.middle_ns(), self.guards);
        }
        beat.remember(moment);
    }

    fn recalls(&self) -> Interest {
        Interest::in_calls(&[Kind::Stat, Kind::StatOpen, Kind::Access, Kind::Open])
    }

    fn recall(&mut self, look: &FirstLook, call: Claim, world: &World) {
        let is_question = match look.question {
            Question::Stat { .. } => true,
            Question::Access { mode } => mode & EXECUTE == 0,
        };
        let is_known = look.is_ok || look.errno == Some(crate::call_key::ENOENT);
        if is_question && is_known && look.is_judged {
            let is_script = is_shells(look.program, world);
            let mut beat = Beat::new(look.when, look.thread, look.facts(), look.is_ok, is_script);
            beat.row.forks = self.forks.get(&look.process).copied().unwrap_or_default();
            beat.row.calls.push(call);
            self.beats.insert((look.process, look.place), Box::new(beat));
        }
    }

    fn finish(&mut self, world: &World) {
        let mut beats: Vec<_> = self.beats.iter().collect();
        beats.retain(|(_, beat)| beat.scene.is_some() || beat.waited_scene.is_some());
        beats.sort_by_key(|(key, _)| **key);
        for (_, beat) in beats {
            if let Some(scene) = &beat.waited_scene {
                self.waited.claim_scene(scene, beat.waited, &beat.waited_calls, world);
                continue;
            }
            let Some(scene) = &beat.scene else { continue };
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
        vec![(&WORDS, &self.cases), (&WAITED, &self.waited)]
    }
}

impl Polling {
    /// A process makes another, or changes by itself what it may have asked for, or what lies in it.
    fn note_change(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            // It was opened to be synced, as directories are: that is no question.
            FileAction::Sync { descriptor: Some(_), .. } => {
                if let Some(place) = moment.file.and_then(|file| file.place) {
                    self.beats.remove(&(moment.process(), place));
                }
            }
            FileAction::Fork { is_thread: false, .. } => *self.forks.entry(moment.process()) += 1,
            FileAction::Open { flags, .. } if !crate::open_flags::can_write(*flags) => {}
            FileAction::Open { .. }
            | FileAction::Rename { .. }
            | FileAction::Link { .. }
            | FileAction::SymbolicLink { .. }
            | FileAction::MakeDirectory { .. }
            | FileAction::Remove { .. }
                if moment.is_ok() =>
            {
                for place in [moment.place, moment.other_place].into_iter().flatten() {
                    for place in [Some(place), moment.world.places.parent(place)].into_iter().flatten() {
                        if let Some(beat) = self.beats.get_mut(&(moment.process(), place)) {
                            beat.own_change = moment.when.number;
                        }
                    }
                }
            }
            _ => {}
        }
    }

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

impl Pace {
    /// A call that is no question asked again.
    fn add(&mut self, moment: &Moment<'_>) {
        if let Some((thread, last)) = self.last
            && thread == moment.thread()
            && last.at_ns != 0
        {
            let gap_ns = moment.when.at_ns.saturating_sub(last.at_ns);
            // Calls that this rule is not asked at came between.
            let each_ns = gap_ns / last.thread_calls_until(moment.when).max(1);
            self.gaps[each_ns.max(1).ilog2() as usize] += 1;
            self.count += 1;
        }
        self.pass(moment);
    }

    /// A question: the next gap is counted from it.
    fn pass(&mut self, moment: &Moment<'_>) {
        self.last = Some((moment.thread(), moment.when));
    }

    /// What the middle gap takes at least, in ns; 0 where there are too few to tell.
    fn middle_ns(&self) -> u64 {
        if self.count < FEW_GAPS {
            return 0;
        }
        let mut below = 0;
        let middle = self.gaps.iter().position(|gaps| {
            below += gaps;
            below * 2 >= self.count
        });
        middle.map_or(0, |power| 1 << power)
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
            row: Row { count: 1, began: last.number, ..Row::default() },
            waited: 0,
            waited_calls: Claims::default(),
            waited_scene: None,
            own_change: 0,
        }
    }

    /// A question again, by calls alone; true where the answer is another one.
    fn row_goes_on(
        &mut self,
        moment: &Moment<'_>,
        (place, forks): (PlaceId, u64),
        slept: bool,
        guards: Guards,
    ) -> bool {
        let answer = moment.facts();
        let differs = self.answer.as_ref().zip(answer).is_some_and(|(before, now)| before != now);
        let is_news = differs || self.is_there != moment.is_ok();
        if self.thread == moment.thread() {
            self.row.other_calls += self.last.thread_calls_until(moment.when).saturating_sub(1);
        }
        self.row.sleeps += u64::from(slept);
        if !is_news {
            self.row.count += 1;
            self.row.calls.push(moment.claim());
            return false;
        }
        let began = (moment.when.number, forks);
        let row = std::mem::replace(
            &mut self.row,
            Row { count: 1, began: began.0, forks: began.1, ..Row::default() },
        );
        if row.count >= WAIT
            && !guards.spare(BUSY, self.works_in(&row, forks))
            && !guards.spare(OWN_HAND, self.own_change > row.began || is_written_by(moment, place))
        {
            self.waited += row.count + 1;
            self.waited_calls.join(&row.calls);
            self.waited_scene.get_or_insert_with(|| Box::new(Scene::of_program(moment)));
        }
        true
    }

    /// True where something else was done between the questions of a row.
    fn works_in(&self, row: &Row, forks: u64) -> bool {
        // A script that does next to nothing waits by a builtin (`read -t`).
        if self.is_script && row.sleeps * 2 >= row.count {
            return false;
        }
        // A process that was forgotten meanwhile begins to count anew.
        let made = forks.saturating_sub(row.forks);
        row.other_calls > WAIT_CALLS * row.count || made * 4 > row.count
    }

    fn remember(&mut self, moment: &Moment<'_>) {
        (self.last, self.thread, self.is_there) = (moment.when, moment.thread(), moment.is_ok());
        self.answer = moment.facts().copied().or(self.answer);
    }

    fn asked_again(
        &mut self,
        moment: &Moment<'_>,
        (slept, is_news): (bool, bool),
        pace_ns: u64,
        guards: Guards,
    ) {
        let gap_ns = moment.when.at_ns.saturating_sub(self.last.at_ns);
        // That a script sleeps a command tells.
        let pace_ns = if self.is_script { 0 } else { pace_ns };
        let is_fast = gap_ns < BEAT_NS.max(pace_ns.saturating_mul(BEAT_PACES));
        if guards.spare(FAST, is_fast) {
            self.fast += 1;
        } else {
            self.count += 1;
            self.news += u64::from(is_news);
            self.sleeps += u64::from(slept);
            if self.gaps_ns.len() < GAPS {
                self.gaps_ns.push(gap_ns);
            }
            if self.thread == moment.thread() {
                let between = self.last.thread_calls_until(moment.when);
                self.other_calls += between.saturating_sub(1);
            }
            if self.count == HABIT {
                self.scene = Some(Box::new(Scene::of_program(moment)));
            }
        }
        if !is_news {
            self.calls.push(moment.claim());
        }
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

/// True of a file that the process has open for writing.
fn is_written_by(moment: &Moment<'_>, place: PlaceId) -> bool {
    let mut open = moment.world.descriptors(moment.process());
    open.any(|(_, _, file)| file.place == Some(place) && crate::open_flags::can_write(file.flags))
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
        // However fast it asks: another program brings what it waits for.
        script.act_as(500, 500);
        for _ in 0..20 {
            script.stat_fails("/data/move");
        }
        script.stat("/data/move", 10);
        for _ in 0..20 {
            script.stat("/data/settings", 10);
        }
        script.stat("/data/settings", 20);
        // A script that waits without a command.
        script.act_as(600, 600);
        script.execute("/bin/bash");
        for _ in 0..12 {
            script.stat_fails("/data/kettle");
            script.is_terminal(0);
        }
        script.stat("/data/kettle", 20);
    },
    // Of the log two rows of five looks and five openings, and a look with news behind each.
    count: 30 + 9 + 2 * 11 + 8 + 21 + 21 + 13,
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
        // Files are replaced at a beat, and their directory is synced.
        ("", |script| {
            for _ in 0..10 {
                let directory = script.open("/data", crate::script::READ);
                script.sync(directory);
                script.close(directory);
                script.wait_ms(20);
            }
        }),
        ("fast", |script| {
            for _ in 0..30 {
                script.stat("/data/state", 100);
                script.wait_ms(1);
            }
        }),
        // A machine on which every call takes long.
        ("fast", |script| {
            for number in 0..10 {
                let file = script.open(&format!("/data/{number}"), crate::script::READ);
                script.wait_ms(10);
                script.close(file);
                script.wait_ms(10);
            }
            for _ in 0..30 {
                script.stat("/data/state", 100);
                script.wait_ms(20);
            }
        }),
        // What it found missing it makes.
        ("own-hand", |script| {
            (0..20).for_each(|_| script.stat_fails("/data/cache"));
            let file = script.open("/data/cache", crate::script::CREATE);
            script.close(file);
            script.stat("/data/cache", 0);
            (0..20).for_each(|_| script.stat_as("/data", fathom_events::FileKind::Directory, 10));
            script.rename("/data/cache", "/data/old");
            script.stat_as("/data", fathom_events::FileKind::Directory, 20);
        }),
        ("own-hand", |script| {
            let log = script.open("/data/log", crate::script::WRITE);
            (0..20).for_each(|_| script.stat("/data/log", 0));
            script.write(log, 10);
            script.stat("/data/log", 10);
        }),
        // It runs something for each, and one of those ends it; or works itself.
        ("busy", |script| {
            for child in 0..20 {
                script.stat_fails("/data/stop");
                script.fork(300 + child);
            }
            script.stat("/data/stop", 0);
            for _ in 0..20 {
                script.stat_fails("/data/end");
                (0..5).for_each(|_| script.is_terminal(1));
            }
            script.stat("/data/end", 0);
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
