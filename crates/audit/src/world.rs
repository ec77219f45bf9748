//! The state that events tell of: processes, descriptors, open files, places.
//!
//! An event is taken in twice. `begin` lets in what it makes, so that rules see a new
//! file; `end` applies what it changes, so that rules see everything else as it was.

mod begin;
mod end;
mod motion;
mod open_file;
mod owner;
mod place;
mod process;
mod subject;

pub(crate) use open_file::{Deed, FileNumber, OpenFile};
pub(crate) use owner::is_of_libc;
pub(crate) use place::{PlaceId, Places};
pub(crate) use process::{Descriptor, Process};
pub(crate) use subject::{Subject, deed_of};

use crate::recent::Recent;
use fathom_events::{FileEvent, PathId, PathTable, Target};
use process::{Table, TableNumber, Thread};
use std::collections::{BTreeMap, HashMap};

/// Everything that is known at one event.
#[derive(Debug, Default)]
pub(crate) struct World {
    pub(crate) places: Places,
    files: HashMap<FileNumber, OpenFile>,
    tables: HashMap<TableNumber, Table>,
    processes: BTreeMap<u32, Process>,
    threads: HashMap<u32, Thread>,
    resolved: Recent<(PlaceId, PathId), PlaceId>,
    resolved_absolute: Vec<Option<PlaceId>>,
    start_directory: Option<PlaceId>,
    last_number: u64,
    /// Processes that were ever seen.
    pub(crate) processes_seen: u64,
    /// Files opened by a program itself.
    pub(crate) files_opened: u64,
}

impl World {
    /// A world whose first process starts in a directory.
    pub(crate) fn starting_in(directory: &str) -> Self {
        let mut world = Self::default();
        world.start_directory = Some(world.places.number(&place::resolve("", directory)));
        world
    }

    /// The process of a number.
    pub(crate) fn process(&self, process: u32) -> Option<&Process> {
        self.processes.get(&process)
    }

    /// Says which runtime a process runs.
    pub(crate) fn set_runtime(&mut self, process: u32, runtime: usize) {
        self.processes.entry(process).and_modify(|process| process.runtime = Some(runtime));
    }

    /// An open file.
    pub(crate) fn file(&self, number: FileNumber) -> Option<&OpenFile> {
        self.files.get(&number)
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
        table.is_some_and(|table| table.closed.contains(&number))
    }

    /// Calls that a thread made, this one included.
    pub(crate) fn thread_calls(&self, thread: u32) -> u64 {
        self.threads.get(&thread).map_or(0, |thread| thread.calls)
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
        let text = paths.path(*path).to_string_lossy();
        if text.is_empty() {
            return None;
        }
        let process = self.processes.get(&event.process)?;
        let is_absolute = text.starts_with('/');
        let base = match (is_absolute, *directory) {
            (true, _) => match process.root {
                None => return Some(self.absolute(*path, &text)),
                Some(root) => root,
            },
            (false, Target::CURRENT_DIRECTORY) => process.directory,
            (false, directory) => {
                let file = self.descriptor(event.thread, event.process, directory)?.file;
                self.files.get(&file)?.place?
            }
        };
        if let Some(known) = self.resolved.get(&(base, *path)) {
            return Some(*known);
        }
        let whole = place::resolve(self.places.path(base), text.trim_start_matches('/'));
        let place = self.places.number(&whole);
        self.resolved.insert((base, *path), place);
        Some(place)
    }

    fn absolute(&mut self, path: PathId, text: &str) -> PlaceId {
        let at = path.number() as usize;
        if let Some(Some(known)) = self.resolved_absolute.get(at) {
            return *known;
        }
        let place = self.places.number(&place::resolve("/", text));
        if self.resolved_absolute.len() <= at {
            self.resolved_absolute.resize(at + 1, None);
        }
        self.resolved_absolute[at] = Some(place);
        place
    }

    fn table_of(&self, thread: u32, process: u32) -> Option<TableNumber> {
        let own = self.threads.get(&thread).and_then(|thread| thread.table);
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
