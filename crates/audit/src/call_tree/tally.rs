//! Counts calls by what they are on while the run goes on.

use super::about::About;
use super::attribution::{Asker, Attribution, NO_FILE, UNATTRIBUTED, Unit};
use super::timeline::{TimedCall, Timeline};
use super::waits::Waits;
use super::{CallSums, CallTree, CallTreeDirectory, CallTreeProgram, CallTreeRow};
use crate::call_key::{Amount, CallKey, EBADF};
use crate::moment::Moment;
use crate::world::{PlaceId, World};
use fathom_events::{DescriptorKind, FileAction};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// What a program was given, of which no call says what it is.
const OPEN_FROM_START: &str = "descriptors open from the start";

/// What was counted so far.
#[derive(Debug, Default)]
pub(crate) struct TreeTally {
    calls: FxHashMap<(About, CallKey), Counted>,
    programs: BTreeMap<Option<PlaceId>, Program>,
    /// By process, the library that its loader looked for last.
    sought: FxHashMap<u32, PlaceId>,
    /// When the first call returned.
    begun_ns: Option<u64>,
    timeline: Timeline,
    waits: Waits,
}

/// What a program made.
#[derive(Debug, Default)]
struct Program {
    calls: u64,
    failed: u64,
    processes: BTreeSet<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Counted {
    amount: Amount,
    failed: u64,
    bytes_read: u64,
    first_ns: u64,
}

impl TreeTally {
    /// Takes in a call.
    pub(crate) fn observe(&mut self, moment: &Moment<'_>) {
        let at_ns = moment.event.at_ns;
        let begun_ns = *self.begun_ns.get_or_insert(at_ns);
        let about = self.about(moment);
        let has_failed = moment.event.outcome.errno().is_some();
        let program = program_of(moment);
        self.timeline.observe(&TimedCall {
            since_ns: at_ns.saturating_sub(begun_ns),
            about,
            program,
            has_failed,
            took_ns: moment.event.took_ns,
            waited_ns: moment.event.waited_ns,
        });
        self.waits.observe(moment, about);
        let counted = self.calls.entry((about, moment.key)).or_insert(Counted {
            amount: Amount::default(),
            failed: 0,
            bytes_read: 0,
            first_ns: at_ns,
        });
        counted.amount.add(moment.bytes);
        counted.failed += u64::from(has_failed);
        if let FileAction::Read { .. } = moment.action() {
            counted.bytes_read += moment.value().unwrap_or(0);
        }
        counted.first_ns = counted.first_ns.min(at_ns);
        let program = self.programs.entry(program).or_default();
        program.calls += 1;
        program.failed += u64::from(has_failed);
        program.processes.insert(moment.process());
    }

    fn about(&mut self, moment: &Moment<'_>) -> About {
        if let Some(place) = without_file(moment.action()) {
            return About::NoFile(place);
        }
        if let Some(place) = moment.any_place() {
            return self.about_place(moment, place);
        }
        if let Some(file) = moment.file {
            return match file.descriptor_kind {
                Some(kind) => About::NoFile(word_of(kind)),
                None if file.is_inherited => About::NoFile(OPEN_FROM_START),
                None => About::Unknown("descriptors that lead to no known path"),
            };
        }
        let subject = moment.subject;
        match (subject.descriptor, subject.path) {
            (_, Some(_)) => About::Unknown("paths in directories that are not known"),
            (Some(_), None) if moment.event.outcome.errno() == Some(EBADF) => {
                About::NoFile("numbers of no open descriptor")
            }
            // Whatever else the kernel says, it says of an open file.
            (Some(_), None) if moment.event.outcome.errno().is_some() || moment.is_ok() => {
                About::NoFile(OPEN_FROM_START)
            }
            (Some(_), None) => About::Unknown("descriptors of which nothing is known"),
            (None, None) => About::NoFile("processes and descriptor tables"),
        }
    }

    /// The loader also looks whether directories are there in which it did not find a library.
    fn about_place(&mut self, moment: &Moment<'_>, place: PlaceId) -> About {
        if let FileAction::Execute { .. } = moment.action() {
            return About::Place(place, Asker::Exec);
        }
        if !moment.is_loaders {
            return About::Place(place, Asker::Program);
        }
        match moment.action() {
            FileAction::Stat { .. } if moment.place.is_some() => {
                let sought = self.sought.get(&moment.process()).copied();
                About::Place(sought.unwrap_or(place), Asker::Loader)
            }
            FileAction::Open { .. } => {
                self.sought.insert(moment.process(), place);
                About::Place(place, Asker::Loader)
            }
            _ => About::Place(place, Asker::Loader),
        }
    }

    /// What each of the things is that calls were on.
    fn units(&self, attribution: &Attribution, world: &World) -> FxHashMap<About, Unit> {
        let all: FxHashMap<About, Unit> =
            self.calls.keys().map(|(about, _)| (*about, unit(*about, attribution, world))).collect();
        let asked_for: BTreeSet<_> = all.values().map(item).collect();
        let named = |unit: &Unit| {
            let bare = attribution.without_ending(unit);
            bare.filter(|bare| asked_for.contains(&item(bare))).unwrap_or_else(|| unit.clone())
        };
        all.iter().map(|(about, unit)| (*about, named(unit))).collect()
    }

    /// What came of it.
    pub(crate) fn conclude(&self, world: &World) -> CallTree {
        let units = self.units(&Attribution::load(), world);
        let mut rows: BTreeMap<Unit, (CallSums, BTreeMap<CallKey, Amount>)> = BTreeMap::new();
        // Without a clock, every event is at 0.
        let has_clock = self.calls.values().any(|counted| counted.first_ns > 0);
        #[expect(clippy::iter_over_hash_type, reason = "sums do not depend on the order")]
        for ((about, key), counted) in &self.calls {
            let (sums, amounts) = rows.entry(units[about].clone()).or_default();
            sums.add(&CallSums {
                calls: counted.amount.calls,
                failed: counted.failed,
                bytes_read: counted.bytes_read,
                unit_cost_ns: None,
                calls_without_unit_cost: counted.amount.calls,
                first_seen_ns: has_clock
                    .then(|| counted.first_ns.saturating_sub(self.begun_ns.unwrap_or_default())),
            });
            let amount = amounts.entry(*key).or_default();
            amount.calls += counted.amount.calls;
            amount.bytes += counted.amount.bytes;
        }
        let rows = rows.into_iter().map(|(Unit { group, item, part }, (sums, amounts))| {
            let conditions = amounts.into_iter().map(|(key, amount)| key.condition(amount)).collect();
            CallTreeRow { group, item, part, sums, conditions }
        });
        let name = |place: Option<PlaceId>| place.map(|place| world.places.path(place).to_owned());
        let mut timeline = self.timeline.conclude(&units);
        let mut course_of = |program: &Option<PlaceId>| timeline.programs.remove(program).unwrap_or_default();
        let programs = self.programs.iter().map(|(place, program)| CallTreeProgram {
            program: name(*place),
            processes: program.processes.len() as u64,
            calls: program.calls,
            failed: program.failed,
            timeline: course_of(place),
        });
        let mut tree = CallTree::new(rows.collect(), programs.collect());
        (tree.timeline, tree.courses) = (timeline.slices, timeline.courses);
        tree.directories = self.directories(world);
        tree.waits = self.waits.conclude(world);
        tree.latencies = self.waits.latencies();
        tree
    }

    /// The calls by the directory that their path is in, those with the most first.
    fn directories(&self, world: &World) -> Vec<CallTreeDirectory> {
        let mut sums: BTreeMap<&str, (u64, u64, u64)> = BTreeMap::new();
        #[expect(clippy::iter_over_hash_type, reason = "sums do not depend on the order")]
        for ((about, _), counted) in &self.calls {
            let directory = match about {
                About::Place(place, _) => parent(world.places.path(*place)),
                About::NoFile(_) => NO_FILE,
                About::Unknown(_) => UNATTRIBUTED,
            };
            let sum = sums.entry(directory).or_default();
            sum.0 += counted.amount.calls;
            sum.1 += counted.failed;
            sum.2 += counted.bytes_read;
        }
        let directory = |(directory, (calls, failed, bytes_read)): (&str, _)| CallTreeDirectory {
            directory: directory.to_owned(),
            calls,
            failed,
            bytes_read,
        };
        let mut all: Vec<_> = sums.into_iter().map(directory).collect();
        all.sort_by(|one, other| {
            (Reverse(one.calls), &one.directory).cmp(&(Reverse(other.calls), &other.directory))
        });
        all
    }
}

/// The directory that a path is in.
fn parent(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some(("", _)) => "/",
        Some((directory, _)) => directory,
        None => path,
    }
}

fn item(unit: &Unit) -> (&str, &str) {
    (&unit.group, &unit.item)
}

fn unit(about: About, attribution: &Attribution, world: &World) -> Unit {
    let (group, item) = match about {
        About::Place(place, asker) => {
            return attribution.unit(world.places.path(place), world.start_path(), asker);
        }
        About::NoFile(item) => (NO_FILE, item),
        About::Unknown(item) => (UNATTRIBUTED, item),
    };
    Unit { group: group.to_owned(), item: item.to_owned(), part: None }
}

/// The program that makes a call; one that a process becomes begins with that call.
fn program_of(moment: &Moment<'_>) -> Option<PlaceId> {
    match moment.action() {
        FileAction::Execute { .. } if moment.is_ok() => moment.place,
        _ => moment.world.process(moment.process()).and_then(|process| process.program),
    }
}

/// What an action is on that is on no file by what it does.
fn without_file(action: &FileAction) -> Option<&'static str> {
    match action {
        FileAction::Map { descriptor: None, .. }
        | FileAction::Unmap { .. }
        | FileAction::Remap { .. }
        | FileAction::AdviseMemory { .. } => Some("memory"),
        FileAction::MakeDescriptors { kind, .. } => Some(word_of(*kind)),
        _ => None,
    }
}

fn word_of(kind: DescriptorKind) -> &'static str {
    match kind {
        DescriptorKind::Pipe => "pipes",
        DescriptorKind::Socket => "sockets",
        DescriptorKind::Kernel => "epoll, timers and other kernel objects",
        DescriptorKind::MemoryFile => "files in memory",
    }
}
