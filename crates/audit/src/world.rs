//! The state that events tell of: processes, descriptors, open files, places.
//!
//! An event is taken in twice. `begin` lets in what it makes, so that rules see a new
//! file; `end` applies what it changes, so that rules see everything else as it was.

mod begin;
mod end;
mod import_path;
mod imports;
mod module_search;
mod motion;
mod open_file;
mod owner;
mod place;
mod process;
mod start;
mod subject;
mod tolerance;

pub(crate) use end::maps_code;
pub(crate) use fathom_events::reaches_device;
pub(crate) use open_file::{Deed, FileNumber, OpenFile};
pub(crate) use owner::is_of_libc;
pub(crate) use place::{PlaceId, Places};
pub(crate) use process::{Descriptor, Process};
pub use start::{PathFacts, ReadPath};
pub(crate) use subject::{Subject, deed_of};
pub use tolerance::Tolerance;
pub(crate) use tolerance::Tolerances;

use crate::signs::Signs;
use fathom_events::{FileAction, FileEvent, MountTable, PathId, PathTable, Target};
use process::{Table, TableNumber, Thread};
use rustc_hash::FxHashMap;
use start::Started;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsStr;

/// Everything that is known at one event.
#[derive(Debug, Default)]
pub(crate) struct World {
    pub(crate) places: Places,
    files: FxHashMap<FileNumber, OpenFile>,
    tables: FxHashMap<TableNumber, Table>,
    processes: BTreeMap<u32, Process>,
    threads: FxHashMap<u32, Thread>,
    /// By the number of a relative path, what it led to last, and from which directory.
    resolved: Vec<Option<(PlaceId, PlaceId)>>,
    resolved_absolute: Vec<Option<PlaceId>>,
    /// Room in which paths are made normal.
    normal: String,
    start_directory: Option<PlaceId>,
    started: Started,
    signs: Vec<Signs>,
    /// True once any process was known to run a runtime.
    has_runtimes: bool,
    /// True once the source told how long a thread slept between two calls.
    pub(crate) sees_sleep: bool,
    last_number: u64,
    /// The open file whose number this event gave to another: it is there until the event is over.
    replaced: Option<FileNumber>,
    /// True once any thread had a table of its own.
    have_own_tables: bool,
    /// What somebody decided to live with.
    pub(crate) tolerances: Tolerances,
    /// Only what lies below one of these is told of; everything where there is none.
    told_below: Vec<String>,
    /// Processes that were ever seen.
    pub(crate) processes_seen: u64,
    /// Files opened by a program itself.
    pub(crate) files_opened: u64,
    /// How often each was opened, where somebody wants to know.
    pub(crate) opens: Option<BTreeMap<PlaceId, u64>>,
}

impl World {
    /// Has the first process start in a directory.
    pub(crate) fn start_in(&mut self, directory: &str) {
        self.start_directory = Some(self.places.number(&place::resolve("", directory)));
    }

    /// True of a place on a file system of another type than that on which the first process started, which
    /// prices are taken for; false where either is not known, and of what the kernel makes up.
    pub(crate) fn is_on_other_file_system(&self, place: PlaceId) -> bool {
        let start = self.start_directory.and_then(|start| self.places.mount(start));
        let other = self.places.mount(place);
        start
            .zip(other)
            .is_some_and(|(start, other)| start.file_system != other.file_system && !other.is_made_up())
    }

    /// A path as it is seen from the directory in which the first process started; all of it
    /// where it lies elsewhere.
    pub(crate) fn path_from_start(&self, place: PlaceId) -> &str {
        let path = self.places.path(place);
        let start = self.start_directory.map(|start| self.places.path(start));
        let below = start.and_then(|start| path.strip_prefix(start));
        below.filter(|below| below.starts_with('/')).unwrap_or(path)
    }

    /// The directory in which the first process started, where it is known.
    pub(crate) fn start_path(&self) -> Option<&str> {
        self.start_directory.map(|place| self.places.path(place))
    }

    /// The same as a place.
    pub(crate) fn start_place(&self) -> Option<PlaceId> {
        self.start_directory
    }

    /// Takes in what is mounted where.
    pub(crate) fn know_mounts(&mut self, mounts: MountTable) {
        self.places.know_mounts(mounts);
    }

    /// Has only what lies below a directory told of; may be said of several.
    pub(crate) fn tell_below(&mut self, directory: &str) {
        let normal = place::resolve("", directory);
        self.told_below.push(normal.trim_end_matches('/').to_owned());
    }

    /// The set of decisions to live with something that hold a place.
    pub(crate) fn tolerated_set(&self, place: Option<PlaceId>) -> u32 {
        self.tolerances.set_of(place, |place| self.places.path(place).to_owned(), self.start_path())
    }

    /// True of what findings are to tell of.
    pub(crate) fn tells_of(&self, place: Option<PlaceId>) -> bool {
        let is_below = |place| self.told_below.iter().any(|directory| self.places.is_below(place, directory));
        self.told_below.is_empty() || place.is_some_and(is_below)
    }

    /// The process of a number.
    pub(crate) fn process(&self, process: u32) -> Option<&Process> {
        self.processes.get(&process)
    }

    /// True of a process whose runtime is known.
    pub(crate) fn has_runtime(&self, process: u32) -> bool {
        self.processes.get(&process).is_some_and(|process| process.runtime.is_some())
    }

    /// Says which runtime a process runs.
    pub(crate) fn set_runtime(&mut self, process: u32, runtime: usize) {
        self.has_runtimes = true;
        self.processes.entry(process).and_modify(|process| process.runtime = Some(runtime));
    }

    /// An open file.
    pub(crate) fn file(&self, number: FileNumber) -> Option<&OpenFile> {
        self.files.get(&number)
    }

    /// Signs by which the runtime of a process is known, where it has one.
    pub(crate) fn signs(&self, process: u32) -> Option<&Signs> {
        // Most calls are of programs without one, and each asks several times.
        let process = self.has_runtimes.then(|| self.processes.get(&process)).flatten()?;
        self.signs.get(process.runtime?)
    }

    /// True of a path that is the runtime's own, of which a process is one, or that it loaded.
    pub(crate) fn owns_as_runtime(&self, process: u32, place: PlaceId) -> bool {
        let is_its = |signs: &Signs| self.places.get(place).is_loaded || signs.owns(self.places.path(place));
        self.signs(process).is_some_and(is_its)
    }

    /// Takes in signs of runtimes, by their index.
    pub(crate) fn know_signs(&mut self, signs: Vec<Signs>) {
        self.signs = signs;
    }

    /// Follows a file's trail; true when this call is one that the runtime makes there. What is
    /// written and when, the program decides: a write is a step of a trail, and never the runtime's.
    pub(crate) fn follow_trail(&mut self, event: &FileEvent, file: Option<FileNumber>) -> bool {
        let Some(file) = file.filter(|_| self.has_runtimes) else { return false };
        let runtime = self.processes.get(&event.process).and_then(|process| process.runtime);
        let signs = runtime.and_then(|runtime| self.signs.get(runtime));
        let (Some(signs), Some(file)) = (signs, self.files.get_mut(&file)) else { return false };
        let next = signs.next(file.trail, event);
        file.trail = next.unwrap_or(file.trail);
        next.is_some() && !matches!(event.action, FileAction::Write { .. })
    }

    /// Says that a process runs a program that measures files.
    pub(crate) fn set_measurer(&mut self, process: u32, is_measurer: bool) {
        self.processes.entry(process).and_modify(|process| process.is_measurer = is_measurer);
    }

    /// The open file that ends because this event gave its last number to another: a shell puts
    /// back what a redirection replaced.
    pub(crate) fn ends_replaced(&self) -> Option<FileNumber> {
        let file = self.files.get(&self.replaced?)?;
        file.is_last_reference().then_some(file.number)
    }

    /// Every open file that a process can reach, with the descriptor.
    pub(crate) fn descriptors(&self, process: u32) -> impl Iterator<Item = (i32, &Descriptor, &OpenFile)> {
        let table = self.processes.get(&process).and_then(|process| self.tables.get(&process.table));
        let descriptors = table.into_iter().flat_map(|table| &table.descriptors);
        descriptors.filter_map(|(number, entry)| Some((*number, entry, self.files.get(&entry.file)?)))
    }

    /// True of a child that executed a program before the fork that made it returned.
    pub(crate) fn has_executed(&self, process: u32) -> bool {
        self.processes.get(&process).is_some_and(|process| process.has_executed)
    }

    /// Processes that have not ended.
    pub(crate) fn living(&self) -> impl Iterator<Item = u32> {
        self.processes.keys().copied()
    }

    /// What a descriptor leads to.
    pub(crate) fn descriptor(&self, thread: u32, process: u32, number: i32) -> Option<&Descriptor> {
        self.tables.get(&self.table_of(thread, process)?)?.descriptors.get(&number)
    }

    /// True when this process closed a descriptor of that number and opened none since.
    pub(crate) fn has_closed(&self, thread: u32, process: u32, number: i32) -> bool {
        let table = self.table_of(thread, process).and_then(|table| self.tables.get(&table));
        table.is_some_and(|table| table.closed.contains_key(&number))
    }

    /// True when a second close of this number could have closed another file: the process has
    /// threads or shares its descriptors, or opened something since the first.
    pub(crate) fn second_close_may_harm(&self, thread: u32, process: u32, number: i32) -> bool {
        let has_threads = self.processes.get(&process).is_some_and(|process| process.has_threads);
        let table = self.table_of(thread, process).and_then(|table| self.tables.get(&table));
        let is_between = |table: &Table| table.closed.get(&number).is_some_and(|made| table.made > *made);
        has_threads || table.is_some_and(|table| table.users > 1 || is_between(table))
    }

    /// The place that a target names by path; none where it names a descriptor, or lies in a
    /// directory that is not known.
    pub(crate) fn place_of(
        &mut self,
        event: &FileEvent,
        target: &Target,
        paths: &PathTable,
    ) -> Option<PlaceId> {
        let Target::Path { directory, path, .. } = target else { return None };
        let bytes = paths.path(*path).as_encoded_bytes();
        let is_absolute = *bytes.first()? == b'/';
        let process = self.processes.get(&event.process)?;
        let base = match (is_absolute, *directory) {
            (true, _) => match process.root {
                None => return Some(self.absolute(*path, paths)),
                Some(root) => root,
            },
            (false, Target::CURRENT_DIRECTORY) => process.directory,
            (false, directory) => {
                let file = self.descriptor(event.thread, event.process, directory)?.file;
                self.files.get(&file)?.place?
            }
        };
        let at = path.number() as usize;
        if let Some(Some((from, known))) = self.resolved.get(at)
            && *from == base
        {
            return Some(*known);
        }
        let text = text_of(paths.path(*path));
        place::resolve_into(&mut self.normal, self.places.path(base), text.trim_start_matches('/'));
        let place = self.places.number(&self.normal);
        if self.resolved.len() <= at {
            if self.resolved.capacity() == 0 {
                // Room that is not touched takes no memory, and room that grows is copied.
                self.resolved.reserve(place::FIRST_PLACES);
            }
            self.resolved.resize(at + 1, None);
        }
        self.resolved[at] = Some((base, place));
        Some(place)
    }

    fn absolute(&mut self, path: PathId, paths: &PathTable) -> PlaceId {
        let at = path.number() as usize;
        if let Some(Some(known)) = self.resolved_absolute.get(at) {
            return *known;
        }
        let text = text_of(paths.path(path));
        place::resolve_into(&mut self.normal, "/", &text);
        let place = self.places.number(&self.normal);
        if self.resolved_absolute.len() <= at {
            self.resolved_absolute.resize(at + 1, None);
        }
        self.resolved_absolute[at] = Some(place);
        place
    }

    /// How long a thread was seen to sleep between its calls so far, in ns.
    pub(crate) fn slept_ns(&self, thread: u32) -> u64 {
        self.threads.get(&thread).map_or(0, |thread| thread.slept_ns)
    }

    fn table_of(&self, thread: u32, process: u32) -> Option<TableNumber> {
        let own = || self.threads.get(&thread).and_then(|thread| thread.table);
        let own = if self.have_own_tables { own() } else { None };
        own.or_else(|| self.processes.get(&process).map(|process| process.table))
    }

    fn table_mut(&mut self, thread: u32, process: u32) -> Option<&mut Table> {
        let table = self.table_of(thread, process)?;
        self.tables.get_mut(&table)
    }

    fn new_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    /// Takes one reference off a file; the last one ends it.
    fn release(&mut self, file: FileNumber) {
        let Some(open) = self.files.get_mut(&file) else { return };
        open.references = open.references.saturating_sub(1);
        if open.references == 0 {
            self.files.remove(&file);
        }
    }

    /// What lost its number to another file in this event.
    fn release_replaced(&mut self) {
        if let Some(file) = self.replaced.take() {
            self.release(file);
        }
    }

    fn release_table(&mut self, number: TableNumber) {
        let Some(table) = self.tables.get_mut(&number) else { return };
        table.users = table.users.saturating_sub(1);
        if table.users > 0 {
            return;
        }
        let table = self.tables.remove(&number).expect("it was there");
        for descriptor in table.descriptors.values() {
            self.release(descriptor.file);
        }
    }

    fn copy_table(&mut self, number: TableNumber) -> TableNumber {
        let mut copy = self.tables.get(&number).cloned().unwrap_or_default();
        copy.users = 1;
        for descriptor in copy.descriptors.values() {
            if let Some(file) = self.files.get_mut(&descriptor.file) {
                file.references += 1;
                file.is_shared = true;
            }
        }
        let copied = TableNumber(self.new_number());
        self.tables.insert(copied, copy);
        copied
    }
}

/// A path as text. Most are, which is sooner found out of the whole than piece by piece.
fn text_of(path: &OsStr) -> Cow<'_, str> {
    path.to_str().map_or_else(|| path.to_string_lossy(), Cow::Borrowed)
}
