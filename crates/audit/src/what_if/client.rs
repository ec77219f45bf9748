//! The client: calls become questions to a server, as far as what is remembered does not answer them.

use super::RequestClass;
use super::cache::{Entry, Remembered};
use super::model::{CloseRequest, FileSystemModel, OpenRequest, PermissionCheck, WritePolicy};
use crate::world::{PlaceId, World};
use rustc_hash::FxHashMap;

/// What a client remembers, and what it asked.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) model: FileSystemModel,
    /// Directories below which files are on the file system, without a `/` at the end.
    pub(super) over: Vec<String>,
    remembered: FxHashMap<PlaceId, Remembered>,
    by_class: [u64; RequestClass::ALL.len()],
    by_path: FxHashMap<PlaceId, u64>,
    /// Round trips that the call which is looked at waits for, one after the other.
    waited: u64,
    /// The time of that call.
    now_ns: u64,
}

/// What a walk finds at the end of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    /// A file.
    Present,
    /// Nothing.
    Absent,
    /// What it is, the request tells for which the path is walked.
    ByRequest,
}

impl Client {
    pub(super) fn new(model: FileSystemModel, over: Vec<String>) -> Self {
        Self {
            model,
            over,
            remembered: FxHashMap::default(),
            by_class: [0; RequestClass::ALL.len()],
            by_path: FxHashMap::default(),
            waited: 0,
            now_ns: 0,
        }
    }

    /// The program starts in this directory, which the client knows the way to.
    pub(super) fn enter(&mut self, world: &World, directory: PlaceId) {
        self.walk(world, directory, Last::Present);
        self.pass(directory);
        self.by_class = [0; RequestClass::ALL.len()];
        self.by_path.clear();
    }

    /// Before the next call, at its time.
    pub(super) fn begin(&mut self, now_ns: u64) {
        (self.now_ns, self.waited) = (now_ns, 0);
    }

    /// Round trips that the call waits for.
    pub(super) fn waited(&self) -> u64 {
        self.waited
    }

    pub(super) fn by_class(&self) -> &[u64; RequestClass::ALL.len()] {
        &self.by_class
    }

    pub(super) fn by_path(&self) -> impl Iterator<Item = (PlaceId, u64)> {
        self.by_path.iter().map(|(place, count)| (*place, *count))
    }

    /// True of what is on the file system.
    pub(super) fn has(&self, world: &World, place: PlaceId) -> bool {
        !world.places.is_excluded(place) && self.over.iter().any(|over| world.places.is_below(place, over))
    }

    /// Round trips, one after the other.
    pub(super) fn ask(&mut self, class: RequestClass, count: u64, place: PlaceId) {
        self.ask_together(class, count, count, place);
    }

    /// Requests that are under way together: so many round trips follow each other.
    fn ask_together(&mut self, class: RequestClass, count: u64, waited: u64, place: PlaceId) {
        if count > 0 {
            // A foreign trace may tell of any sizes.
            let more = |known: &mut u64, more: u64| *known = known.saturating_add(more);
            more(&mut self.by_class[class as usize], count);
            more(self.by_path.entry(place).or_default(), count);
            more(&mut self.waited, waited);
        }
    }

    fn at(&mut self, place: PlaceId) -> &mut Remembered {
        self.remembered.entry(place).or_default()
    }

    /// An answer that brought attributes.
    fn learn(&mut self, world: &World, place: PlaceId) {
        self.learn_as(place, world.places.is_directory(place));
    }

    fn learn_as(&mut self, place: PlaceId, is_directory: bool) {
        let lifetime = if is_directory { self.model.directory_attributes_s } else { self.model.attributes_s };
        let until_ns = lifetime.end(self.now_ns);
        let permission = self.model.permission;
        let at = self.at(place);
        (at.attributes_until_ns, at.was_read) = (until_ns, false);
        if permission == PermissionCheck::Attributes {
            at.permission_until_ns = until_ns;
        }
    }

    fn learn_entry(&mut self, world: &World, place: PlaceId) {
        let until_ns = self.model.entry_s.end(self.now_ns);
        self.at(place).entry = Entry::Present { until_ns };
        self.learn(world, place);
    }

    /// What is in the directory of a path changed.
    fn change_parent(&mut self, world: &World, place: PlaceId) {
        if let Some(parent) = world.places.parent(place) {
            let at = self.at(parent);
            (at.attributes_until_ns, at.listing_until_ns) = (0, 0);
        }
    }

    /// Goes along a path from where the file system begins. Tells whether its last name was asked for.
    pub(super) fn walk(&mut self, world: &World, place: PlaceId, last: Last) -> bool {
        if self.model.whole_paths {
            if last == Last::Absent {
                self.ask(RequestClass::Lookup, 1, place);
            }
            return last == Last::Absent;
        }
        let mut names = Vec::new();
        let mut at = place;
        while !self.over.iter().any(|over| is_directory_itself(world.places.path(at), over)) {
            names.push(at);
            let Some(parent) = world.places.parent(at) else { break };
            at = parent;
        }
        let mut directory = at;
        for name in names.iter().rev().copied() {
            self.pass(directory);
            let is_last = name == place;
            if is_last && last == Last::ByRequest {
                return false;
            }
            let is_absent = last == Last::Absent && (is_last || world.places.get(name).exists == Some(false));
            let asked = self.find(world, directory, name, is_absent);
            if is_last || is_absent {
                return asked;
            }
            directory = name;
        }
        false
    }

    /// Whether a directory may be gone through.
    pub(super) fn pass(&mut self, directory: PlaceId) {
        self.allow(directory, true);
    }

    fn allow(&mut self, place: PlaceId, is_directory: bool) {
        let now_ns = self.now_ns;
        let is_none = self.model.permission == PermissionCheck::None;
        if is_none || self.at(place).permission_until_ns > now_ns {
            return;
        }
        self.ask(RequestClass::Attributes, 1, place);
        self.learn_as(place, is_directory);
        let at = self.at(place);
        at.permission_until_ns = at.attributes_until_ns;
    }

    fn find(&mut self, world: &World, directory: PlaceId, name: PlaceId, is_absent: bool) -> bool {
        let now_ns = self.now_ns;
        let entry = self.at(name).entry;
        let until_ns = match entry {
            Entry::Present { until_ns } if !is_absent => Some(until_ns),
            Entry::Absent { until_ns } if is_absent => Some(until_ns),
            _ => None,
        };
        if until_ns.is_some_and(|until_ns| until_ns > now_ns) {
            return false;
        }
        if !is_absent && self.model.listing_fills && self.at(directory).filled_until_ns > now_ns {
            self.learn_entry(world, name);
            return false;
        }
        if until_ns.is_some() && self.model.entries_follow_directory {
            self.refresh(world, directory);
        } else {
            self.ask(RequestClass::Lookup, 1, name);
            if !is_absent {
                self.learn(world, name);
            }
        }
        if is_absent {
            let until_ns = self.model.absent_s.end(now_ns);
            self.at(name).entry = Entry::Absent { until_ns };
        } else {
            let until_ns = self.model.entry_s.end(now_ns);
            self.at(name).entry = Entry::Present { until_ns };
        }
        true
    }

    /// The attributes, where they are not remembered.
    fn refresh(&mut self, world: &World, place: PlaceId) {
        let now_ns = self.now_ns;
        if self.at(place).attributes_until_ns <= now_ns {
            self.ask(RequestClass::Attributes, 1, place);
            self.learn(world, place);
        }
    }

    /// What a file is, of one that was found.
    pub(super) fn tell(&mut self, world: &World, place: PlaceId, with_access_time: bool) {
        if self.at(place).was_read && with_access_time {
            self.at(place).attributes_until_ns = 0;
        }
        self.flush(place);
        self.refresh(world, place);
        let is_apart = self.model.size_apart && !world.places.is_directory(place);
        if is_apart && !self.at(place).has_size {
            self.at(place).has_size = true;
            self.ask(RequestClass::Attributes, 1, place);
        }
    }

    /// Whether something may be done with a file that was found.
    pub(super) fn access(&mut self, world: &World, place: PlaceId) {
        if self.model.whole_paths {
            self.ask(RequestClass::Attributes, 1, place);
        } else if self.model.permission == PermissionCheck::None {
            self.refresh(world, place);
        } else {
            self.allow(place, world.places.is_directory(place));
        }
    }

    /// Opens a file that is there.
    pub(super) fn open(&mut self, world: &World, place: PlaceId, truncates: bool) {
        match self.model.open {
            OpenRequest::WithLookup => {
                self.walk(world, place, Last::ByRequest);
                self.ask(RequestClass::Open, 1, place);
                self.learn_entry(world, place);
            }
            OpenRequest::Request => {
                self.walk(world, place, Last::Present);
                self.ask(RequestClass::Open, 1, place);
            }
            OpenRequest::Attributes => {
                if !self.walk(world, place, Last::Present) {
                    self.ask(RequestClass::Attributes, 1, place);
                    self.learn(world, place);
                }
            }
            OpenRequest::None => {
                self.walk(world, place, Last::Present);
            }
        }
        if truncates {
            if self.model.open != OpenRequest::WithLookup {
                self.ask(RequestClass::Change, 1, place);
            }
            self.at(place).units.clear();
            self.at(place).dirty.clear();
            self.at(place).attributes_until_ns = 0;
        }
    }

    /// Opens a directory.
    pub(super) fn open_directory(&mut self, world: &World, place: PlaceId) {
        self.walk(world, place, Last::Present);
        if self.model.open_directory {
            self.ask(RequestClass::Open, 1, place);
        }
    }

    /// Makes a file by opening it.
    pub(super) fn create(&mut self, world: &World, place: PlaceId) {
        self.make(world, place, RequestClass::Open);
        self.at(place).has_size = true;
    }

    /// Makes a name.
    pub(super) fn make(&mut self, world: &World, place: PlaceId, class: RequestClass) {
        let is_one = self.model.open == OpenRequest::WithLookup || self.model.whole_paths;
        self.walk(world, place, if is_one { Last::ByRequest } else { Last::Absent });
        self.ask(class, 1, place);
        self.remembered.remove(&place);
        self.learn_entry(world, place);
        self.change_parent(world, place);
    }

    /// Removes a name.
    pub(super) fn remove(&mut self, world: &World, place: PlaceId) {
        self.walk(world, place, Last::Present);
        self.ask(RequestClass::Change, 1, place);
        self.forget_name(world, place);
    }

    fn forget_name(&mut self, world: &World, place: PlaceId) {
        let until_ns = self.model.absent_s.end(self.now_ns);
        let entry = if self.model.removed_known { Entry::Absent { until_ns } } else { Entry::Unknown };
        self.remembered.insert(place, Remembered { entry, ..Remembered::default() });
        self.change_parent(world, place);
    }

    /// Gives a file another name.
    pub(super) fn rename(&mut self, world: &World, from: PlaceId, to: PlaceId) {
        self.walk(world, from, Last::Present);
        let is_there = world.places.get(to).exists == Some(true);
        self.walk(world, to, if is_there { Last::Present } else { Last::Absent });
        self.ask(RequestClass::Change, 1, to);
        let moved = self.remembered.remove(&from).unwrap_or_default();
        self.forget_name(world, from);
        self.remembered.insert(to, Remembered { attributes_until_ns: 0, ..moved });
        self.change_parent(world, to);
    }

    /// Changes attributes of a file that was found.
    pub(super) fn change(&mut self, world: &World, place: PlaceId) {
        self.flush(place);
        self.ask(RequestClass::Change, 1, place);
        self.learn(world, place);
    }

    /// Reads; of a range of which nothing came, the end is asked for.
    pub(super) fn read(&mut self, world: &World, place: PlaceId, offset: u64, bytes: u64, is_direct: bool) {
        if !self.model.whole_paths {
            self.refresh(world, place);
        }
        let unit = self.model.read_bytes;
        let requests = if is_direct || self.model.whole_paths {
            bytes.div_ceil(unit).max(1)
        } else {
            self.at(place).fetch(offset, bytes, unit)
        };
        self.ask(RequestClass::Read, requests, place);
        if requests > 0 {
            self.at(place).was_read = true;
        }
    }

    /// Writes.
    pub(super) fn write(&mut self, place: PlaceId, offset: u64, bytes: u64, is_direct: bool) {
        if bytes == 0 {
            return;
        }
        let (read_unit, unit) = (self.model.read_bytes, self.model.write_bytes);
        if self.model.write == WritePolicy::Through || is_direct {
            self.ask(RequestClass::Write, bytes.div_ceil(unit), place);
            self.at(place).attributes_until_ns = 0;
        } else {
            self.at(place).soil(offset, bytes, unit);
        }
        if !is_direct {
            self.at(place).fetch(offset, bytes, read_unit);
        }
    }

    /// What was written goes to the server: all at once, then it is committed, where it was more than
    /// one request.
    fn flush(&mut self, place: PlaceId) {
        let units = self.at(place).flush();
        self.ask_together(RequestClass::Write, units, 1, place);
        if units > 1 {
            self.ask(RequestClass::Commit, 1, place);
        }
    }

    /// What was written is to be on the device.
    pub(super) fn sync(&mut self, place: PlaceId) {
        match self.model.write {
            WritePolicy::Back => self.flush(place),
            WritePolicy::Through => self.ask(RequestClass::Commit, 1, place),
        }
    }

    /// Closes a descriptor.
    pub(super) fn close(&mut self, place: PlaceId, is_last: bool, is_written: bool) {
        self.flush(place);
        let asks = match self.model.close {
            CloseRequest::Each => true,
            CloseRequest::Request => is_last,
            CloseRequest::Written => is_written,
            CloseRequest::None => false,
        };
        self.ask(RequestClass::Close, u64::from(asks), place);
    }

    /// Lists a directory, a piece at each call.
    pub(super) fn list(&mut self, place: PlaceId, is_over: bool) {
        let now_ns = self.now_ns;
        let is_known = self.at(place).listing_until_ns > now_ns && !self.at(place).is_listing;
        if is_known {
            return;
        }
        self.ask(RequestClass::List, 1, place);
        let cached_until_ns =
            if self.model.listing_cached { self.model.directory_attributes_s.end(now_ns) } else { 0 };
        let filled_until_ns = if self.model.listing_fills { self.model.entry_s.end(now_ns) } else { 0 };
        let at = self.at(place);
        at.is_listing = !is_over;
        at.was_read = true;
        at.filled_until_ns = filled_until_ns;
        if is_over {
            at.listing_until_ns = cached_until_ns;
        }
    }

    /// Where a link leads.
    pub(super) fn read_link(&mut self, place: PlaceId) {
        let now_ns = self.now_ns;
        if self.at(place).link_until_ns > now_ns {
            return;
        }
        self.ask(RequestClass::Read, 1, place);
        if self.model.links_cached {
            self.at(place).link_until_ns = self.model.attributes_s.end(now_ns);
        }
    }
}

fn is_directory_itself(path: &str, over: &str) -> bool {
    path == over || over.is_empty() && path == "/"
}
