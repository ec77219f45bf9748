//! A program's calls on another file system, by arithmetic: which of them would be questions to a server,
//! by a model of what a client remembers, and which questions wait for each other.
//!
//! Nothing here is measured: a round trip takes what the caller says, a server answers at once, and what a
//! client of another kind does is data (`what_if/file_systems.toml`).

mod cache;
mod call_cost;
mod chains;
mod client;
mod estimate;
mod model;
mod record;
#[cfg(test)]
mod tests;

pub use call_cost::{
    CALL_COST_VERSION, CallCost, CallCostKind, CallTime, ComparedAnswers, CostAnswer, CostCalibration,
    CostControl, CostGroup, CostMethod, CostQuestion, CostReach, CostRun, CostToggling, CostWindows,
    GroupTime, ReachedCalls, WrittenFiles,
};
pub use estimate::{ClassTrips, PathTrips, RequestClass, TripEstimate, UnknownTrips};
pub use model::{
    CloseRequest, FileSystemModel, Lifetime, LifetimeWord, OpenRequest, PermissionCheck, WritePolicy,
};
pub use record::{AddedTime, TripExperiment, WHAT_IF_VERSION, WhatIf, WhatIfKind};

use crate::call_key::{CallKey, ENOENT, ENOTDIR};
use crate::open_flags;
use crate::world::{FileNumber, OpenFile, PlaceId, Subject, World};
use chains::Chains;
use client::{Client, Last};
use fathom_events::{ControlCommand, FileAction, FileEvent, FileKind, MountTable, PathTable, RunningProcess};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Paths and directories of an estimate, at most.
const ROWS: usize = 20;
/// `STATX_ATIME`.
const ACCESS_TIME: u32 = 0x20;

/// Counts round trips as events come.
#[derive(Debug)]
pub struct TripCounter {
    world: World,
    client: Client,
    chains: Chains,
    round_trip_ns: u64,
    events: u64,
    calls: u64,
    path_calls: u64,
    calls_elsewhere: u64,
    /// Where the source has a clock.
    has_times: bool,
    /// Files that were mapped.
    mapped: u64,
    copied: u64,
}

impl TripCounter {
    /// One for a file system whose round trip takes so long, in ns, and which holds what is below these
    /// directories: absolute paths. Below the directory in which the program starts, where there is none.
    pub fn new(model: FileSystemModel, round_trip_ns: u64, over: &[String]) -> Self {
        let over = over.iter().map(|over| over.trim_end_matches('/').to_owned()).collect();
        Self {
            world: World::default(),
            client: Client::new(model, over),
            chains: Chains::default(),
            round_trip_ns,
            events: 0,
            calls: 0,
            path_calls: 0,
            calls_elsewhere: 0,
            has_times: false,
            mapped: 0,
            copied: 0,
        }
    }

    /// One that knows the absolute path of the directory in which the program was started.
    #[must_use]
    pub fn starting_in(mut self, directory: &str) -> Self {
        self.world.start_in(directory);
        if self.client.over.is_empty() {
            self.client.over.push(directory.trim_end_matches('/').to_owned());
        }
        self
    }

    /// One that knows what is mounted where: what the kernel makes up is on no server.
    #[must_use]
    pub fn with_mounts(mut self, mounts: MountTable) -> Self {
        self.world.know_mounts(mounts);
        self
    }

    /// One that knows a process which ran before it was watched.
    #[must_use]
    pub fn meeting(mut self, running: &RunningProcess) -> Self {
        self.meet(running);
        self
    }

    /// Takes in a process that came in meanwhile.
    pub fn meet(&mut self, running: &RunningProcess) {
        self.world.meet_running(running);
    }

    /// Takes in the next event.
    pub fn take(&mut self, event: &FileEvent, paths: &PathTable) {
        self.events += 1;
        self.has_times |= event.at_ns > 0;
        let number = self.events;
        self.world.meet(event);
        if self.client.over.is_empty() {
            // No directory is known: paths below the one it starts in begin so.
            self.client.over.push(".".to_owned());
        }
        if self.events == 1 {
            self.client.begin(event.at_ns);
            if let Some(start) = self.world.start_place().filter(|start| self.client.has(&self.world, *start))
            {
                self.client.enter(&self.world, start);
            }
        }
        let subject = Subject::of(&event.action);
        let place = subject.path.and_then(|target| self.world.place_of(event, target, paths));
        let other = subject.other_path.and_then(|target| self.world.place_of(event, target, paths));
        let mut file = self.file_of(event, subject.descriptor);
        if let Some(descriptor) = subject.descriptor.filter(|_| file.is_none()) {
            file = self.world.meet_descriptor(event, number, descriptor);
        }
        let (key, _) = CallKey::of(event, None, None);
        self.world.begin(event, number, place, key);
        if matches!(event.action, FileAction::Open { .. }) {
            file = self.file_of(event, event.outcome.descriptor()).or(file);
        }
        let depth = self.chains.meet(event.thread);
        self.client.begin(event.at_ns.saturating_add(depth.saturating_mul(self.round_trip_ns)));
        self.count(event, place.or_else(|| self.place_of_file(file)));
        self.look(event, place, other, file);
        self.chains.wait(event.thread, self.client.waited());
        self.world.end(event, number, (place, other), file, paths);
        self.chains.follow(event);
    }

    fn file_of(&self, event: &FileEvent, descriptor: Option<i32>) -> Option<FileNumber> {
        self.world.descriptor(event.thread, event.process, descriptor?).map(|entry| entry.file)
    }

    fn place_of_file(&self, file: Option<FileNumber>) -> Option<PlaceId> {
        file.and_then(|file| self.world.file(file)).and_then(|file| file.place)
    }

    fn count(&mut self, event: &FileEvent, place: Option<PlaceId>) {
        let Some(place) = place else { return };
        if !self.client.has(&self.world, place) {
            self.calls_elsewhere += 1;
            return;
        }
        self.calls += 1;
        self.path_calls += u64::from(Subject::of(&event.action).path.is_some());
    }

    fn look(
        &mut self,
        event: &FileEvent,
        place: Option<PlaceId>,
        other: Option<PlaceId>,
        file: Option<FileNumber>,
    ) {
        let succeeded = event.outcome.value().is_some();
        match &event.action {
            FileAction::Exit { whole: true, .. } => self.close_all(event.process, false),
            FileAction::Execute { .. } if succeeded => self.close_all(event.process, true),
            FileAction::Copy { .. } => return self.copy(event, file),
            FileAction::Rename { .. } | FileAction::Link { .. } => return self.name(event, place, other),
            _ => {}
        }
        let named = place.or_else(|| self.place_of_file(file));
        let Some(at) = named.filter(|named| self.client.has(&self.world, *named)) else { return };
        if place.is_some() {
            self.look_at_path(event, at, file);
        }
        // A server says no to these, too.
        let asks_anyway = matches!(
            event.action,
            FileAction::Access { .. }
                | FileAction::GetAttribute { .. }
                | FileAction::Lock { .. }
                | FileAction::Control { .. }
        );
        let is_there = !matches!(event.outcome.errno(), Some(ENOENT | ENOTDIR));
        if succeeded || asks_anyway && is_there {
            self.look_at_file(event, at, file);
        }
    }

    /// Copies inside the kernel.
    fn copy(&mut self, event: &FileEvent, from: Option<FileNumber>) {
        let FileAction::Copy { to, from_offset, to_offset, .. } = &event.action else { return };
        let bytes = event.outcome.value().and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or(0);
        let (client, world) = (&mut self.client, &self.world);
        let to = world.descriptor(event.thread, event.process, *to).map(|entry| entry.file);
        let there = |client: &Client, file: Option<FileNumber>| {
            let open = world.file(file?)?;
            open.place.filter(|place| client.has(world, *place)).map(|place| (open, place))
        };
        if let Some((open, place)) = there(client, from) {
            client.read(world, place, from_offset.or(open.position).unwrap_or(0), bytes, false);
            self.copied += 1;
        }
        if let Some((open, place)) = there(client, to) {
            client.write(place, to_offset.or(open.position).unwrap_or(0), bytes, false);
            self.copied += 1;
        }
    }

    /// Another name, or a further one.
    fn name(&mut self, event: &FileEvent, from: Option<PlaceId>, to: Option<PlaceId>) {
        let (client, world) = (&mut self.client, &self.world);
        let there = |place: Option<PlaceId>| place.filter(|place| client.has(world, *place));
        let (Some(from), Some(to), true) = (there(from), there(to), event.outcome.value().is_some()) else {
            return;
        };
        if matches!(event.action, FileAction::Rename { .. }) {
            client.rename(world, from, to);
        } else {
            client.walk(world, from, Last::Present);
            client.make(world, to, RequestClass::Change);
        }
    }

    /// The way to what a call names, and what opens, makes or removes it.
    fn look_at_path(&mut self, event: &FileEvent, at: PlaceId, file: Option<FileNumber>) {
        let (client, world) = (&mut self.client, &self.world);
        let succeeded = event.outcome.value().is_some();
        if matches!(event.outcome.errno(), Some(ENOENT | ENOTDIR)) {
            client.walk(world, at, Last::Absent);
            return;
        }
        match &event.action {
            FileAction::Open { flags, .. } => {
                let is_directory =
                    open_flags::has(*flags, open_flags::DIRECTORY) || world.places.is_directory(at);
                let is_new = file.and_then(|file| world.file(file)).is_some_and(|open| open.is_new);
                if open_flags::has(*flags, open_flags::PATH_ONLY) || !succeeded {
                    client.walk(world, at, Last::Present);
                } else if is_new {
                    client.create(world, at);
                } else if is_directory {
                    client.open_directory(world, at);
                } else {
                    client.open(world, at, open_flags::has(*flags, open_flags::TRUNCATE));
                }
            }
            FileAction::Execute { .. } if succeeded => {
                client.open(world, at, false);
                client.read(world, at, 0, 1, false);
                self.mapped += 1;
            }
            FileAction::MakeDirectory { .. } | FileAction::SymbolicLink { .. } if succeeded => {
                client.make(world, at, RequestClass::Change);
            }
            FileAction::Remove { .. } if succeeded => client.remove(world, at),
            _ => {
                client.walk(world, at, Last::Present);
            }
        }
    }

    /// What is asked of a file that was found, by its path or by a descriptor.
    fn look_at_file(&mut self, event: &FileEvent, at: PlaceId, file: Option<FileNumber>) {
        let (client, world) = (&mut self.client, &self.world);
        let open = file.and_then(|file| world.file(file));
        let came = event.outcome.value().and_then(|value| u64::try_from(value).ok()).unwrap_or(0);
        let is_direct = open.is_some_and(|open| open_flags::has(open.flags, open_flags::DIRECT));
        match &event.action {
            FileAction::Stat { mask, .. } => client.tell(world, at, *mask == 0 || mask & ACCESS_TIME != 0),
            FileAction::Access { .. } | FileAction::ChangeDirectory { .. } => client.access(world, at),
            FileAction::ReadLink { .. } => client.read_link(at),
            FileAction::StatFileSystem { .. } => client.ask(RequestClass::Other, 1, at),
            FileAction::GetAttribute { .. } => {
                client.ask(RequestClass::Other, u64::from(client.model.extended_attributes), at);
            }
            FileAction::Truncate { .. }
            | FileAction::ChangeMode { .. }
            | FileAction::ChangeAttributes { .. }
            | FileAction::Allocate { .. } => client.change(world, at),
            FileAction::Read { offset, .. } => {
                let offset = offset.or(open.and_then(|open| open.position)).unwrap_or(0);
                client.read(world, at, offset, came, is_direct);
            }
            FileAction::Write { offset, .. } => {
                let end = open.and_then(|open| open.position.or(open.size_bytes));
                client.write(at, offset.or(end).unwrap_or(0), came, is_direct);
            }
            FileAction::List { .. } => client.list(at, came == 0),
            FileAction::Map { offset, bytes, .. } => {
                let size = open.and_then(|open| open.size_bytes).or(world.places.get(at).size_bytes);
                let end = offset.saturating_add(*bytes).min(size.unwrap_or(u64::MAX));
                client.read(world, at, *offset, end.saturating_sub(*offset), false);
                self.mapped += 1;
            }
            FileAction::Sync { .. } => client.sync(at),
            FileAction::Close { .. } => {
                if let Some(open) = open {
                    close(client, world, at, open);
                }
            }
            FileAction::Lock { .. } | FileAction::Control { command: ControlCommand::Lock, .. } => {
                client.ask(RequestClass::Other, u64::from(client.model.locks), at);
            }
            _ => {}
        }
    }

    /// What a process has open is closed: all, or what an exec closes.
    fn close_all(&mut self, process: u32, at_exec: bool) {
        let (client, world) = (&mut self.client, &self.world);
        for (_, descriptor, open) in world.descriptors(process) {
            let Some(place) = open.place.filter(|place| client.has(world, *place)) else { continue };
            if !at_exec || descriptor.close_on_exec {
                close(client, world, place, open);
            }
        }
    }

    /// What was counted.
    pub fn finish(self) -> TripEstimate {
        let places = &self.world.places;
        let by_class = self.client.by_class();
        let by_class = RequestClass::ALL.into_iter().zip(by_class).filter(|(_, count)| **count > 0);
        let by_class: Vec<_> =
            by_class.map(|(class, count)| ClassTrips { class, round_trips: *count }).collect();
        let round_trips = by_class.iter().fold(0, |sum: u64, class| sum.saturating_add(class.round_trips));
        let mut directories: FxHashMap<&str, u64> = FxHashMap::default();
        for (place, count) in self.client.by_path() {
            let within = if places.is_directory(place) { Some(place) } else { places.parent(place) };
            let sum = directories.entry(places.path(within.unwrap_or(place))).or_default();
            *sum = sum.saturating_add(count);
        }
        let longest_chain = self.chains.longest();
        let time = |trips: u64| trips.saturating_mul(self.round_trip_ns);
        TripEstimate {
            calls: self.calls,
            path_calls: self.path_calls,
            calls_elsewhere: self.calls_elsewhere,
            round_trips,
            longest_chain,
            threads: self.chains.waiting(),
            added_ns_min: time(longest_chain),
            added_ns_max: time(round_trips),
            paths: top(self.client.by_path().map(|(place, count)| (places.path(place), count))),
            directories: top(directories.iter().map(|(path, count)| (*path, *count))),
            unknown: self.unknown(&by_class),
            by_class,
        }
    }

    fn unknown(&self, by_class: &[ClassTrips]) -> Vec<UnknownTrips> {
        let has = |class: RequestClass| by_class.iter().any(|one| one.class == class);
        let all: [(bool, &str, &str); 8] = [
            (
                true,
                "how long a server takes to answer",
                "each request counts as one round trip and no more, so the time is a lower bound",
            ),
            (true, "how long calls take here", "durations in a trace are a tracer's and are not used"),
            (
                has(RequestClass::Read),
                "readahead",
                "a client asks for later pieces of a file early, so reads may overlap; and what else of a large file it fetches",
            ),
            (
                self.mapped > 0,
                "mapped files",
                "they count as read whole when they are mapped, programs that are executed by their first piece only",
            ),
            (
                self.copied > 0,
                "copies inside the kernel",
                "they count as reads and writes, a server may copy by itself",
            ),
            (
                self.chains.waiting() > 1,
                "which threads wait for each other",
                "one counts from where its maker was, and its maker waits for its end; work that running threads hand to each other is not seen",
            ),
            (
                !self.has_times,
                "when calls came",
                "this trace has no clock, so nothing that is remembered runs out but by added time",
            ),
            (true, "symbolic links on the way", "a path counts by its words"),
        ];
        let told = all.iter().filter(|(is_so, ..)| *is_so);
        told.map(|(_, what, meaning)| UnknownTrips {
            what: (*what).to_owned(),
            meaning: (*meaning).to_owned(),
        })
        .collect()
    }
}

fn close(client: &mut Client, world: &World, place: PlaceId, open: &OpenFile) {
    let is_directory = open.kind == Some(FileKind::Directory) || world.places.is_directory(place);
    if !is_directory && !open_flags::has(open.flags, open_flags::PATH_ONLY) {
        client.close(place, open.is_last_reference(), open.bytes_written > 0);
    }
}

/// Those with the most, a few.
fn top<'a>(counts: impl Iterator<Item = (&'a str, u64)>) -> Vec<PathTrips> {
    let mut counts: Vec<_> = counts.collect();
    counts.sort_by_key(|(path, count)| (Reverse(*count), *path));
    let rows = counts.into_iter().take(ROWS);
    rows.map(|(path, round_trips)| PathTrips { path: path.to_owned(), round_trips }).collect()
}
