//! R33: one file asked at a regular beat whether it has changed.

use crate::cases::Cases;
use crate::cases::Scene;
use crate::claims::Claims;
use crate::finding::RuleId;
use crate::moment::Moment;
use crate::moment::When;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::{FileAction, FileFacts};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(33),
    name: "polling",
    needs: "paths of stat, and a clock",
    guards: &[NEWS, IRREGULAR, FAST],
    begin: |guards| Box::new(Polling { guards, beats: Recent::default(), cases: Cases::default() }),
};

const NEWS: Guard = Guard { name: "news", spares: "the answers differed: there was something to hear" };
const IRREGULAR: Guard =
    Guard { name: "irregular", spares: "the questions came when there was need, not at a beat" };
const FAST: Guard = Guard {
    name: "fast",
    spares: "the questions belong to one piece of work: they came within milliseconds",
};

/// From this many on it is a beat.
const HABIT: u64 = 10;
/// A beat is not faster than this, in ns.
const BEAT_NS: u64 = 20_000_000;

const WORDS: Words = Words::cost(
    "unchanged file polled at regular intervals",
    "let the kernel tell: inotify, or poll on /proc/self/mountinfo, or a pidfd for a process",
    "inotify does not see changes that other machines make to a network file system",
);

#[derive(Debug)]
struct Polling {
    guards: Guards,
    beats: Recent<(u32, PlaceId), Beat>,
    cases: Cases,
}

#[derive(Debug)]
struct Beat {
    last: When,
    facts: Option<FileFacts>,
    count: u64,
    shortest_ns: u64,
    longest_ns: u64,
    has_news: bool,
    scene: Option<Scene>,
    calls: Claims,
}

impl Rule for Polling {
    fn observe(&mut self, moment: &Moment<'_>) {
        let FileAction::Stat { .. } = moment.action() else { return };
        let Some(place) =
            moment.place.filter(|_| !moment.is_loaders && moment.is_ok() && moment.when.at_ns > 0)
        else {
            return;
        };
        let (key, facts) = ((moment.process(), place), moment.facts().copied());
        let Some(beat) = self.beats.get_mut(&key) else {
            let beat = Beat {
                last: moment.when,
                facts,
                count: 1,
                shortest_ns: u64::MAX,
                longest_ns: 0,
                has_news: false,
                scene: None,
                calls: Claims::default(),
            };
            self.beats.insert(key, beat);
            return;
        };
        let gap_ns = moment.when.at_ns.saturating_sub(beat.last.at_ns);
        beat.shortest_ns = beat.shortest_ns.min(gap_ns);
        beat.longest_ns = beat.longest_ns.max(gap_ns);
        beat.has_news |= beat.facts != facts;
        (beat.last, beat.facts) = (moment.when, facts);
        beat.count += 1;
        beat.calls.push(moment.claim());
        if beat.count == HABIT {
            beat.scene = Some(Scene::of(moment));
        }
    }

    fn finish(&mut self, world: &World) {
        let mut beats: Vec<_> = self.beats.iter().collect();
        beats.sort_by_key(|(key, _)| **key);
        for (_, beat) in beats {
            let Some(scene) = &beat.scene else { continue };
            if !self.guards.spare(NEWS, beat.has_news)
                && !self.guards.spare(IRREGULAR, beat.longest_ns > beat.shortest_ns.saturating_mul(3) / 2)
                && !self.guards.spare(FAST, beat.shortest_ns < BEAT_NS)
            {
                self.cases.claim_scene(scene, beat.count, &beat.calls, world);
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
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
    },
    count: 30,
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
        ("fast", |script| {
            for _ in 0..30 {
                script.stat("/data/state", 100);
                script.wait_ms(1);
            }
        }),
    ],
};
