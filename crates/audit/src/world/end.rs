//! What an event changes: positions, sizes, descriptors that go, places that change.

use super::motion::move_on;
use super::open_file::LastCall;
use super::process::{Phase, TableNumber};
use super::{FileNumber, PlaceId, World, deed_of, place};
use crate::call_key::{EBADF, ENOENT, ENOTDIR};
use crate::open_flags;
use fathom_events::{ControlCommand, FileAction, FileEvent, FileKind, MappedFrom, PathTable, reaches_device};

/// `MAP_SHARED` and `PROT_WRITE`: from then on the file may change at any time.
const SHARED: u32 = 1;
const WRITABLE: u32 = 2;

/// `PROT_EXEC`.
const EXECUTABLE: u32 = 4;

/// `FIOCLEX` and `FIONCLEX`, which do what `fcntl` does with one call less.
const CLOSE_ON_EXEC: u32 = 0x5451;
const KEEP_ON_EXEC: u32 = 0x5450;

/// True of a mapping that code is run from.
pub(crate) fn maps_code(action: &FileAction) -> bool {
    matches!(action, FileAction::Map { descriptor: Some(_), protection, .. } if protection & EXECUTABLE != 0)
}

impl World {
    /// Applies what an event changed. `place` and `other` are what it names, `file` what its
    /// descriptor leads to.
    pub(crate) fn end(
        &mut self,
        event: &FileEvent,
        number: u64,
        (place, other): (Option<PlaceId>, Option<PlaceId>),
        file: Option<FileNumber>,
        paths: &PathTable,
    ) {
        self.learn_presence(event, place);
        if let Some(file) = file.and_then(|file| self.files.get_mut(&file)) {
            move_on(file, event);
            file.last = LastCall { deed: deed_of(&event.action), thread: event.thread, number };
        }
        if event.outcome.value().is_some() {
            self.change_places(event, number, (place, other), file);
        }
        self.change_process(event, place, file, paths);
        self.release_replaced();
    }

    fn learn_presence(&mut self, event: &FileEvent, place: Option<PlaceId>) {
        let Some(place) = place else { return };
        match (&event.action, event.outcome.errno()) {
            (_, Some(ENOENT | ENOTDIR))
                if !matches!(event.action, FileAction::Rename { .. } | FileAction::Link { .. }) =>
            {
                self.places.get_mut(place).exists = Some(false);
            }
            (FileAction::Stat { facts, target, .. }, None) if event.outcome.value().is_some() => {
                let follows = matches!(target, fathom_events::Target::Path { follow: true, .. });
                let at = self.places.get_mut(place);
                at.exists = Some(true);
                if let Some(facts) =
                    facts.as_deref().filter(|facts| follows || facts.kind != Some(FileKind::Link))
                {
                    at.kind = facts.kind;
                    at.device = facts.identity.map(|identity| identity.device);
                    at.size_bytes = facts.size_bytes;
                }
            }
            (FileAction::Remove { .. } | FileAction::Rename { .. }, None) => {}
            (_, None) if event.outcome.value().is_some() => self.places.get_mut(place).exists = Some(true),
            _ => {}
        }
    }

    fn change_places(
        &mut self,
        event: &FileEvent,
        number: u64,
        (place, other): (Option<PlaceId>, Option<PlaceId>),
        file: Option<FileNumber>,
    ) {
        let of_file = file.and_then(|file| self.files.get(&file)).and_then(|file| file.place);
        match &event.action {
            FileAction::Open { flags, .. } => {
                let made = file.and_then(|file| self.files.get(&file)).is_some_and(|file| file.is_new);
                if let Some(place) = place {
                    self.places.get_mut(place).is_made |= made;
                    if made || open_flags::has(*flags, open_flags::TRUNCATE) {
                        self.forget(place);
                        self.places.change(place, number);
                    }
                }
            }
            FileAction::Write { .. }
            | FileAction::Allocate { .. }
            | FileAction::Truncate { .. }
            | FileAction::ChangeMode { .. }
            | FileAction::ChangeAttributes { .. } => {
                if let Some(place) = place.or(of_file) {
                    self.forget(place);
                    self.places.change(place, number);
                }
            }
            FileAction::Copy { to, .. } => {
                let entry = self.descriptor(event.thread, event.process, *to).map(|entry| entry.file);
                if let Some(file) = entry.and_then(|file| self.files.get_mut(&file)) {
                    file.bytes_written += 1;
                    file.position = None;
                    if let Some(place) = file.place {
                        self.forget(place);
                        self.places.change(place, number);
                    }
                }
            }
            FileAction::Map { protection, flags, .. }
                if flags & SHARED != 0 && protection & WRITABLE != 0 =>
            {
                if let Some(place) = of_file {
                    self.forget(place);
                    self.places.change(place, u64::MAX);
                }
            }
            FileAction::List { .. } => {
                if let Some(place) = of_file {
                    self.places.get_mut(place).is_listed = true;
                }
            }
            FileAction::Sync { .. } if reaches_device(event.call) => {
                if let Some(place) = of_file {
                    self.places.get_mut(place).synced_at = number;
                }
            }
            FileAction::MakeDirectory { .. } => {
                self.name(place, number, true);
                if let Some(place) = place {
                    self.places.get_mut(place).is_made_empty = true;
                }
            }
            FileAction::SymbolicLink { .. } => self.name(place, number, true),
            FileAction::Remove { .. } => self.name(place, number, false),
            FileAction::Rename { .. } if place != other => {
                let is_made = place.is_some_and(|place| self.places.get(place).is_made);
                self.name(place, number, false);
                self.name(other, number, true);
                // Who moves a file has not made what is in it.
                if let Some(other) = other {
                    self.places.get_mut(other).is_made = is_made;
                }
            }
            FileAction::Link { .. } => self.name(other, number, true),
            _ => {}
        }
    }

    /// A name came or went.
    fn name(&mut self, place: Option<PlaceId>, number: u64, exists: bool) {
        let Some(place) = place else { return };
        self.places.change_name(place, number);
        let at = self.places.get_mut(place);
        (at.kind, at.size_bytes) = (None, None);
        at.exists = Some(exists);
        at.is_made = exists;
        at.is_made_empty = false;
    }

    /// Of what was told of a place that changed, its size does not hold.
    fn forget(&mut self, place: PlaceId) {
        self.places.get_mut(place).size_bytes = None;
    }

    fn change_process(
        &mut self,
        event: &FileEvent,
        place: Option<PlaceId>,
        file: Option<FileNumber>,
        paths: &PathTable,
    ) {
        let succeeded = event.outcome.value().is_some();
        match &event.action {
            FileAction::Close { descriptor } if event.outcome.errno() != Some(EBADF) => {
                self.close(event, *descriptor);
            }
            FileAction::CloseRange { first, last, mark_only } if succeeded => {
                self.close_range(event, *first, *last, *mark_only);
            }
            FileAction::Control {
                descriptor,
                command: ControlCommand::SetDescriptorFlags { close_on_exec },
            } if succeeded => self.mark(event, *descriptor, *close_on_exec),
            FileAction::DeviceControl { descriptor, request: request @ (CLOSE_ON_EXEC | KEEP_ON_EXEC) }
                if succeeded =>
            {
                self.mark(event, *descriptor, *request == CLOSE_ON_EXEC);
            }
            FileAction::ChangeDirectory { .. } if succeeded => {
                let of_file = file.and_then(|file| self.files.get(&file)).and_then(|file| file.place);
                if let Some(place) = place.or(of_file) {
                    self.processes.entry(event.process).and_modify(|process| process.directory = place);
                }
            }
            FileAction::CurrentDirectory { path: Some(path) } if succeeded => {
                let told = place::resolve("", &paths.path(*path).to_string_lossy());
                let told = self.places.number(&told);
                let places = &self.places;
                let process = self.processes.get_mut(&event.process).filter(|process| process.root.is_none());
                if let Some(process) =
                    process.filter(|process| !places.path(process.directory).starts_with('/'))
                {
                    process.directory = told;
                }
            }
            FileAction::ChangeRoot { .. } if succeeded => {
                if let Some(place) = place {
                    self.processes.entry(event.process).and_modify(|process| process.root = Some(place));
                }
            }
            FileAction::Mask { mode } => {
                self.processes.entry(event.process).and_modify(|process| process.mask = Some(*mode));
            }
            FileAction::Map { .. } | FileAction::Unmap { .. } | FileAction::Remap { .. } if succeeded => {
                self.change_mappings(event);
            }
            FileAction::Execute { .. } if succeeded => self.execute(event, place),
            FileAction::OwnDescriptors if succeeded => self.own_descriptors(event),
            FileAction::Exit { whole, .. } => self.exit(event, *whole),
            _ => {}
        }
    }

    fn change_mappings(&mut self, event: &FileEvent) {
        if let FileAction::Map { descriptor: Some(descriptor), .. } = event.action
            && maps_code(&event.action)
        {
            self.take_for_loaders(event, descriptor);
        }
        let came = event.outcome.value().map_or(0, i64::cast_unsigned);
        let Some(process) = self.processes.get_mut(&event.process) else { return };
        let mappings = &mut process.mappings;
        match event.action {
            FileAction::Map { descriptor, bytes, .. } => {
                let from = if descriptor.is_some() { MappedFrom::File } else { MappedFrom::Memory };
                mappings.map(came, bytes, from);
            }
            FileAction::Unmap { address, bytes } => mappings.unmap(address, bytes),
            // The old range is not among what events tell: where it moved, what it was is not known.
            FileAction::Remap { bytes } => match mappings.of(came, 1) {
                Some(from) => mappings.map(came, bytes, from),
                None => mappings.unmap(came, bytes),
            },
            _ => {}
        }
    }

    fn mark(&mut self, event: &FileEvent, descriptor: i32, close_on_exec: bool) {
        let table = self.table_mut(event.thread, event.process);
        if let Some(entry) = table.and_then(|table| table.descriptors.get_mut(&descriptor)) {
            entry.close_on_exec = close_on_exec;
            entry.is_placed |= !close_on_exec;
        }
    }

    fn close(&mut self, event: &FileEvent, descriptor: i32) {
        let Some(table) = self.table_mut(event.thread, event.process) else { return };
        // A second close leaves the first one where it was.
        table.closed.entry(descriptor).or_insert(table.made);
        if let Some(entry) = table.descriptors.remove(&descriptor) {
            self.release(entry.file);
        }
    }

    fn close_range(&mut self, event: &FileEvent, first: u32, last: u32, mark_only: bool) {
        let Some(table) = self.table_mut(event.thread, event.process) else { return };
        let range = i32::try_from(first).unwrap_or(i32::MAX)..=i32::try_from(last).unwrap_or(i32::MAX);
        if mark_only {
            for (_, entry) in table.descriptors.range_mut(range) {
                entry.close_on_exec = true;
            }
            return;
        }
        let closed: Vec<_> = table.descriptors.range(range).map(|(number, _)| *number).collect();
        for number in closed {
            self.close(event, number);
        }
    }

    fn execute(&mut self, event: &FileEvent, place: Option<PlaceId>) {
        self.own_descriptors(event);
        let Some(process) = self.processes.get_mut(&event.process) else { return };
        process.phase = Phase::Loading;
        process.has_loader = false;
        process.missed = None;
        process.mappings.clear();
        process.program = place;
        process.runtime = None;
        process.has_executed = true;
        process.runs_own_code = false;
        process.script = None;
        process.modules.clear();
        process.has_threads = false;
        let (table, is_early) = (process.table, process.is_early);
        let Some(table) = self.tables.get_mut(&table) else { return };
        let closing: Vec<_> = table
            .descriptors
            .iter()
            .filter(|(_, entry)| entry.close_on_exec)
            .map(|(number, _)| *number)
            .collect();
        let files: Vec<_> = closing.iter().filter_map(|number| table.descriptors.remove(number)).collect();
        // What the program before closed says nothing of the one that begins, but tells what
        // a child did not inherit whose fork has not returned yet.
        if is_early {
            table.closed.extend(closing.into_iter().map(|number| (number, table.made)));
        } else {
            table.closed.clear();
        }
        for entry in files {
            self.release(entry.file);
        }
    }

    /// Gives a process a table that it shares with nobody.
    fn own_descriptors(&mut self, event: &FileEvent) {
        let Some(table) = self.table_of(event.thread, event.process) else { return };
        let is_alone = self.tables.get(&table).is_none_or(|table| table.users <= 1);
        let is_unshared_thread =
            matches!(event.action, FileAction::OwnDescriptors) && event.thread != event.process;
        if is_alone && !is_unshared_thread {
            return;
        }
        let own = self.copy_table(table);
        if is_unshared_thread {
            self.have_own_tables = true;
            let former = self.threads.entry(event.thread).or_default().table.replace(own);
            self.release_former(former);
        } else {
            self.processes.entry(event.process).and_modify(|process| process.table = own);
            self.release_table(table);
        }
    }

    fn exit(&mut self, event: &FileEvent, whole: bool) {
        let former = self.threads.remove(&event.thread).and_then(|thread| thread.table);
        self.release_former(former);
        if whole && let Some(process) = self.processes.remove(&event.process) {
            self.release_table(process.table);
        }
    }

    fn release_former(&mut self, table: Option<TableNumber>) {
        if let Some(table) = table {
            self.release_table(table);
        }
    }
}
