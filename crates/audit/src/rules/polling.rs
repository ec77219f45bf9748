//! R33: one file asked again and again whether it has changed, or is there.
//!
//! A wait is known by its end, without any clock: the same question with the same answer many times
//! and next to nothing between, and then another answer, which somebody else brought about. That it
//! ends when there is news is what it is for.
//!
//! Where no news comes, a poll is known by its beat: about as long after the last question each time,
//! long as compared with what the same program's other calls take, and its thread slept meanwhile. That
//! is the kernel's word (`FileEvent::slept_ns`): by the clock alone, which is all that logs and older files of events
//! have, a busy machine makes a beat of a loop that works. For what it slept, or waited for, is not seen: such a finding is uncertain, and fails
//! nothing. Nor is it said of a program that comes to files between the questions which it never opened
//! before, or that makes a process each time: it works on them.

use crate::cases::Cases;
use crate::claims::Claim;
use crate::family::{Family, is_shell, is_shells};
use crate::finding::RuleId;
use crate::first_look::{FirstLook, Question};
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use beat::Beat;
use fathom_events::FileAction;
use pace::Pace;

mod beat;
mod pace;
#[cfg(test)]
mod trio_tests;

#[cfg(test)]
pub(super) use trio_tests::TRIO;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(33),
    name: "polling",
    needs: "paths of stat, access and open, a clock, and how long threads slept where the source tells it",
    guards: &[NEWS, IRREGULAR, FAST, BUSY, OWN_HAND, AWAKE],
    begin: |guards| {
        Box::new(Polling {
            guards,
            family: Family::default(),
            sleepers: Recent::default(),
            slept: Recent::default(),
            beats: Recent::default(),
            paces: Recent::default(),
            forks: Recent::default(),
            opened: Recent::default(),
            fresh: Recent::default(),
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
    spares: "it works between the questions (opens files that it did not open before; a script: runs other commands than sleep): they belong to what it does",
};

const OWN_HAND: Guard = Guard {
    name: "own-hand",
    spares: "the program itself made the change that ended the questions, or changes it between most of them",
};

const AWAKE: Guard = Guard {
    name: "awake",
    spares: "its thread was not seen to sleep between the questions: what works, or waits for a CPU, may come at a beat, too",
};

/// `X_OK`.
const EXECUTE: u32 = 1;
/// A poll may ask by several calls at once; more than these a beat are work that a busy machine stretched.
const FAST_EACH: u64 = 2;

const WORDS: Words = Words::cost(
    "file polled at regular intervals",
    "let the kernel tell: inotify, or poll on /proc/self/mountinfo, or a pidfd for a process; a script waits with `wait` or inotifywait",
    "inotify does not see changes that other machines make to a network file system; what it slept for is not seen, and in logs work on a busy machine looks like it",
)
.perhaps();

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
    /// Paths that were opened, and when each process last opened one that was not, by the number of the event.
    opened: Recent<PlaceId, ()>,
    fresh: Recent<u32, u64>,
    cases: Cases,
    waited: Cases,
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
        let fresh = self.fresh.get(&moment.process()).copied().unwrap_or_default();
        let Some(beat) = self.beats.get_mut(&key) else {
            let is_script = is_shell(moment.process(), moment.world);
            let answer = moment.facts().copied();
            let mut beat = Beat::new(moment.when, moment.thread(), answer, moment.is_ok(), is_script);
            beat.row.forks = forks;
            (beat.forks, beat.slept_ns) = (forks, moment.world.slept_ns(moment.thread()));
            beat.row.calls.push(moment.claim());
            self.beats.insert(key, Box::new(beat));
            return self.paces.entry(moment.process()).add(moment);
        };
        let pace = self.paces.entry(moment.process());
        pace.pass(moment);
        let slept = self.slept.get(&moment.process()).is_some_and(|at| *at > beat.last.number);
        beat.fresh_gaps += u64::from(fresh > beat.last.number);
        beat.own_gaps += u64::from(beat.own_change > beat.last.number);
        beat.fork_gaps += u64::from(forks > beat.forks);
        beat.forks = forks;
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
            (beat.forks, beat.slept_ns) = (beat.row.forks, world.slept_ns(look.thread));
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
                && !self.guards.spare(OWN_HAND, beat.own_gaps * 2 > beat.count)
                && !self.guards.spare(IRREGULAR, !beat.is_regular())
                && !self.guards.spare(BUSY, beat.is_busy())
                && !self.guards.spare(AWAKE, world.sees_sleep && !beat.is_asleep())
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
        if let FileAction::Open { .. } = moment.action()
            && let Some(place) = moment.judged_place()
            && self.opened.get(&place).is_none()
        {
            self.opened.insert(place, ());
            self.fresh.insert(moment.process(), moment.when.number);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auditor::Auditor;
    use crate::finding::Severity;
    use crate::script::Script;

    #[test]
    fn what_a_clock_alone_tells_fails_nothing() {
        let severities = |calls: fn(&mut Script)| {
            let mut script = Script::new();
            calls(&mut script);
            let audit = script.audited(Auditor::new());
            let mut found: Vec<_> = audit.findings.iter().filter(|one| one.rule == FACTS.id).collect();
            found.sort_by_key(|one| one.pattern);
            found.iter().map(|one| (one.pattern, one.severity)).collect::<Vec<_>>()
        };
        let beat = |script: &mut Script| {
            for _ in 0..30_000 {
                script.stat("/data/state", 100);
                script.sleep_ms(100);
            }
        };
        assert_eq!(severities(beat), [(1, Severity::Info)]);
        let waits = |script: &mut Script| {
            (0..30_000).for_each(|_| script.stat_fails("/data/state"));
            script.stat("/data/state", 100);
        };
        assert_eq!(severities(waits), [(2, Severity::Warn)]);
    }
}
