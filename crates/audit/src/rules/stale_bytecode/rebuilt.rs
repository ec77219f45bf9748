//! Files made anew from sources that are older than they are, by who asked for the times of both.

use crate::cases::{Cases, Scene};
use crate::first_look::FirstLook;
use crate::moment::{Moment, When};
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Words};
use crate::rules::rewritten_in_place::is_log_or_lock;
use crate::world::{FileNumber, PlaceId, World};
use fathom_events::{FileAction, FileFacts, FileKind};
use std::collections::BTreeMap;

pub(super) const OUTDATED: Guard =
    Guard { name: "outdated", spares: "a source that it read is newer than what it made, or as old" };
pub(super) const USED: Guard =
    Guard { name: "used", spares: "it read what was there before: what is in it may say that it is stale" };
pub(super) const DIFFERS: Guard = Guard {
    name: "differs",
    spares: "what was made has not the size that it had before, or another program changed it since",
};
pub(super) const FEW: Guard = Guard { name: "few", spares: "twice or once" };
pub(super) const LOG_OR_LOCK: Guard =
    Guard { name: "log-or-lock", spares: "a log, a lock or a file with a process's number" };

/// From this many times on it is a habit.
const HABIT: u64 = 3;
/// Who compares two times asks for one right after the other.
const BESIDE_CALLS: u64 = 3;
/// Sources of one process that are remembered.
const SOURCES: usize = 64;

pub(super) const REBUILT: Words = Words::cost(
    "perhaps a cache is built anew at each start: the same file was made again and again, though it was newer than the source that it was compared with and read from",
    "use it where it is not older than its source, or keep the source's time, size or digest in it and compare that; making it costs far more than the calls shown",
    "the file may depend on something else that changed, or be no cache at all",
)
.uncertain();

/// What the processes of a run ask for, read and make.
#[derive(Debug, Default)]
pub(super) struct RebuiltCaches {
    looks: Recent<(u32, PlaceId), Look>,
    /// By process: what it read that it had asked for before.
    sources: BTreeMap<u32, Vec<Source>>,
    made: BTreeMap<PlaceId, Made>,
    cases: Cases,
}

/// When a file was changed last, as a process was told.
#[derive(Debug, Clone, Copy)]
struct Look {
    when: When,
    thread: u32,
    modified_ns: i64,
    size_bytes: u64,
}

#[derive(Debug)]
struct Source {
    place: PlaceId,
    file: FileNumber,
    look: Look,
    is_read: bool,
}

/// A file that was made anew.
#[derive(Debug)]
struct Made {
    times: u64,
    /// The last event by which who made it changed it.
    changed_at: u64,
    size_bytes: Option<u64>,
    scene: Scene,
}

impl Look {
    fn new(when: When, thread: u32, facts: Option<&FileFacts>) -> Option<Self> {
        let facts = facts.filter(|facts| facts.kind == Some(FileKind::Regular))?;
        Some(Self { when, thread, modified_ns: facts.modified_ns?, size_bytes: facts.size_bytes? })
    }

    /// True of looks of which one was taken right after the other.
    fn is_beside(&self, other: &Self) -> bool {
        let calls = self.when.thread_calls_until(other.when).min(other.when.thread_calls_until(self.when));
        self.thread == other.thread && calls <= BESIDE_CALLS
    }
}

impl RebuiltCaches {
    pub(super) fn recall(&mut self, look: &FirstLook) {
        if look.is_judged
            && look.is_ok
            && let Some(known) = Look::new(look.when, look.thread, look.facts().as_ref())
        {
            self.looks.insert((look.process, look.place), known);
        }
    }

    pub(super) fn observe(&mut self, moment: &Moment<'_>, guards: Guards) {
        match moment.action() {
            FileAction::Stat { .. } if moment.is_ok() && !moment.is_first_look => self.looked(moment),
            FileAction::Open { flags, .. } if moment.is_ok() => {
                if !open_flags::can_write(*flags) {
                    self.opened(moment);
                } else if open_flags::has(*flags, open_flags::TRUNCATE) {
                    self.made_anew(moment, moment.judged_place(), guards);
                }
            }
            FileAction::Rename { .. } if moment.is_ok() && moment.is_judged() => {
                self.made_anew(moment, moment.other_place, guards);
            }
            FileAction::Read { .. } if moment.bytes > 0 => {
                let sources = self.sources.get_mut(&moment.process());
                let file = moment.file.map(|file| file.number);
                let read = sources.into_iter().flatten().filter(|source| Some(source.file) == file);
                read.for_each(|source| source.is_read = true);
            }
            FileAction::Close { .. } => self.closed(moment),
            FileAction::Exit { whole: true, .. } => drop(self.sources.remove(&moment.process())),
            _ => {}
        }
    }

    /// True while a call other than a look, an open or a rename may change what is known.
    pub(super) fn remembers(&self) -> bool {
        !self.sources.is_empty() || !self.made.is_empty()
    }

    pub(super) fn finish(&mut self, world: &World, guards: Guards) {
        for made in std::mem::take(&mut self.made).into_values() {
            if !guards.spare(FEW, made.times < HABIT) {
                // What it costs is in no call's price.
                self.cases.add_scene(&made.scene, made.times, &[], world);
            }
        }
    }

    pub(super) fn cases(&self) -> (&'static Words, &Cases) {
        (&REBUILT, &self.cases)
    }

    fn looked(&mut self, moment: &Moment<'_>) {
        if let Some(place) = moment.judged_place()
            && let Some(look) = Look::new(moment.when, moment.thread(), moment.facts())
        {
            self.looks.insert((moment.process(), place), look);
        }
    }

    fn opened(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.plain_file() else { return };
        let Some(place) = file.place else { return };
        let Some(look) = self.looks.get(&(moment.process(), place)).copied() else { return };
        let sources = self.sources.entry(moment.process()).or_default();
        if sources.len() < SOURCES {
            sources.push(Source { place, file: file.number, look, is_read: false });
        }
    }

    /// A file takes the place of another, or is emptied to be written.
    fn made_anew(&mut self, moment: &Moment<'_>, place: Option<PlaceId>, guards: Guards) {
        let Some(place) = place else { return };
        let Some(look) = self.looks.remove(&(moment.process(), place)) else { return };
        let sources = self.sources.remove(&moment.process()).unwrap_or_default();
        let mut read = sources.iter().filter(|source| source.is_read && source.look.when != look.when);
        // Other files may have been read by the way; the one that it was compared with is its source.
        let Some(source) = read.find(|source| source.place != place && source.look.is_beside(&look)) else {
            return;
        };
        let is_changed = !moment.world.places.has_content_of(place, look.when.number);
        let is_used = sources.iter().any(|source| source.place == place && source.is_read);
        let is_outdated =
            sources.iter().any(|source| source.place != place && source.look.modified_ns >= look.modified_ns);
        let name = moment.world.places.name(place);
        if is_changed
            || guards.spare(OUTDATED, is_outdated)
            || guards.spare(USED, is_used)
            || guards.spare(LOG_OR_LOCK, is_log_or_lock(name))
        {
            return;
        }
        let number = moment.when.number;
        let places = [place, source.place];
        let new = || Made {
            times: 0,
            changed_at: number,
            size_bytes: None,
            scene: Scene::among(moment, Some(place), &places),
        };
        let made = self.made.entry(place).or_insert_with(new);
        let is_others = made.times > 0 && !moment.world.places.has_content_of(place, made.changed_at);
        let is_longer = made.size_bytes.is_some_and(|size| size != look.size_bytes);
        if guards.spare(DIFFERS, is_others || is_longer) {
            made.times = 0;
        }
        made.times += 1;
        made.changed_at = number;
        // The first one need not have been made by this program.
        made.size_bytes = (made.times > 1).then_some(look.size_bytes);
    }

    /// What was emptied is written by then.
    fn closed(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.file.filter(|file| open_flags::can_write(file.flags)) else { return };
        if let Some(made) = file.place.and_then(|place| self.made.get_mut(&place))
            && file.opened_by == moment.process()
            && file.opened_at == made.changed_at
        {
            made.changed_at = moment.when.number;
        }
    }
}
