//! What an event makes: processes, threads, open files, further descriptors.

mod running;

use super::open_file::{Deed, FileNumber, LastCall, OpenFile};
use super::process::{Descriptor, Phase, Process, Table, TableNumber};
use super::{PlaceId, World};
use crate::call_key::CallKey;
use crate::open_flags;
use crate::signs::Trail;
use fathom_events::{DescriptorKind, FileAction, FileEvent, FileKind, Mappings, OpenFlags};

impl World {
    /// Lets in who calls. Tells how many calls the thread and the process made, this one included.
    pub(crate) fn meet(&mut self, event: &FileEvent) -> (u64, u64) {
        let thread = self.threads.entry(event.thread).or_default();
        thread.calls += 1;
        thread.slept_ns += event.slept_ns.unwrap_or(0);
        self.sees_sleep |= event.slept_ns.is_some();
        let thread_calls = thread.calls;
        if !self.processes.contains_key(&event.process) {
            self.meet_process(event.process);
        }
        let process = self.processes.get_mut(&event.process).expect("it was met");
        process.calls += 1;
        (thread_calls, process.calls)
    }

    /// Lets in what the event makes. `place` is what it names.
    pub(crate) fn begin(&mut self, event: &FileEvent, number: u64, place: Option<PlaceId>, key: CallKey) {
        let is_loading =
            self.processes.get(&event.process).is_some_and(|process| process.phase == Phase::Loading);
        if is_loading {
            self.note_loader(event, place);
            if self.leaves_loading(event, place) {
                self.leave_loading(event);
            }
        }
        match &event.action {
            FileAction::Open { flags, .. } => {
                if let Some(descriptor) = event.outcome.descriptor() {
                    let file = self.opened(event, number, place, *flags, key);
                    let close_on_exec = open_flags::has(*flags, open_flags::CLOSE_ON_EXEC);
                    self.put(event, descriptor, file, close_on_exec, false);
                }
            }
            FileAction::MakeDescriptors { kind, made, close_on_exec } => {
                for descriptor in made.iter().flatten() {
                    let mut file = self.unnamed(event, number);
                    file.descriptor_kind = Some(*kind);
                    file.is_accepted = matches!(event.call, "accept" | "accept4");
                    file.kind = match kind {
                        DescriptorKind::Pipe => Some(FileKind::Pipe),
                        DescriptorKind::Socket => Some(FileKind::Socket),
                        DescriptorKind::Kernel => Some(FileKind::Character),
                        DescriptorKind::MemoryFile => None,
                    };
                    let file = self.keep(file);
                    self.put(event, *descriptor, file, *close_on_exec, false);
                }
            }
            FileAction::Duplicate { descriptor, to, close_on_exec } => {
                if let Some(made) = event.outcome.descriptor().filter(|made| made != descriptor) {
                    let known =
                        self.descriptor(event.thread, event.process, *descriptor).map(|entry| entry.file);
                    if let Some(file) = known {
                        self.files.entry(file).and_modify(|file| file.references += 1);
                        self.put(event, made, file, *close_on_exec, to.is_some());
                    }
                }
            }
            FileAction::Fork { is_thread: true, .. } => {
                self.processes.entry(event.process).and_modify(|process| process.has_threads = true);
            }
            FileAction::Fork { shares_descriptors, is_thread: false, .. } => {
                if let Some(child) = event.outcome.value().and_then(|child| u32::try_from(child).ok()) {
                    self.forked(event, child, *shares_descriptors);
                }
            }
            _ => {}
        }
    }

    /// Makes known a file that was open before the trace began, by a descriptor that leads to none
    /// yet.
    pub(crate) fn meet_descriptor(
        &mut self,
        event: &FileEvent,
        number: u64,
        descriptor: i32,
    ) -> Option<FileNumber> {
        if event.outcome.value().is_none() || matches!(event.action, FileAction::Close { .. }) {
            return None;
        }
        let mut file = self.unnamed(event, number);
        file.is_inherited = true;
        file.position = None;
        file.last.deed = Deed::Other;
        let file = self.keep(file);
        self.put(event, descriptor, file, false, true);
        Some(file)
    }

    fn meet_process(&mut self, process: u32) {
        let table = TableNumber(self.new_number());
        self.tables.insert(table, Table { users: 1, ..Table::default() });
        self.processes_seen += 1;
        let is_early = self.processes_seen > 1;
        let directory = self.start();
        let begun = Process {
            calls: 0,
            table,
            directory,
            root: None,
            mask: None,
            mappings: Mappings::default(),
            program: None,
            phase: Phase::Running,
            has_loader: false,
            missed: None,
            runtime: None,
            is_measurer: false,
            is_early,
            has_threads: false,
            has_executed: false,
            runs_own_code: false,
            script: None,
            modules: Vec::new(),
        };
        self.processes.insert(process, begun);
    }

    /// The directory in which the first process started.
    fn start(&mut self) -> PlaceId {
        match self.start_directory {
            Some(start) => start,
            None => *self.start_directory.insert(self.places.number(".")),
        }
    }

    fn opened(
        &mut self,
        event: &FileEvent,
        number: u64,
        place: Option<PlaceId>,
        flags: OpenFlags,
        key: CallKey,
    ) -> FileNumber {
        let mut file = self.unnamed(event, number);
        let creates = open_flags::has(flags, open_flags::CREATE);
        let was_absent = place.is_some_and(|place| self.places.is_absent(place));
        let is_temporary = open_flags::has(flags, open_flags::TEMPORARY);
        file.flags = flags;
        file.is_new =
            is_temporary || creates && (was_absent || open_flags::has(flags, open_flags::EXCLUSIVE));
        file.place = place.filter(|_| !is_temporary);
        file.kind = if is_temporary {
            Some(FileKind::Regular)
        } else if open_flags::has(flags, open_flags::DIRECTORY) {
            Some(FileKind::Directory)
        } else {
            place.and_then(|place| self.places.kind(place)).filter(|kind| *kind != FileKind::Link)
        };
        let is_empty = file.is_new || open_flags::has(flags, open_flags::TRUNCATE);
        file.size_bytes = is_empty.then_some(0);
        file.is_loaders = self.is_loading(event, place);
        file.opened_key = Some(key);
        let is_excluded = place.is_some_and(|place| self.places.is_excluded(place));
        self.files_opened += u64::from(!file.is_loaders && !is_excluded);
        if let Some(opens) = &mut self.opens
            && let Some(place) = file.place
        {
            *opens.entry(place).or_default() += 1;
        }
        self.keep(file)
    }

    fn unnamed(&mut self, event: &FileEvent, number: u64) -> OpenFile {
        OpenFile {
            number: FileNumber(self.new_number()),
            place: None,
            flags: OpenFlags::default(),
            kind: None,
            descriptor_kind: None,
            identity: None,
            position: Some(0),
            is_appended: false,
            size_bytes: None,
            is_shared: false,
            is_inherited: false,
            is_accepted: false,
            is_new: false,
            is_loaders: false,
            is_runtimes: false,
            opened_at: number,
            opened_by: event.process,
            opened_stack: event.stack,
            opened_key: None,
            last: LastCall { deed: Deed::Made, thread: event.thread, number },
            bytes_read: 0,
            bytes_written: 0,
            is_stream: false,
            was_short: false,
            trail: Trail::default(),
            references: 1,
        }
    }

    fn keep(&mut self, file: OpenFile) -> FileNumber {
        let number = file.number;
        self.files.insert(number, file);
        number
    }

    fn put(
        &mut self,
        event: &FileEvent,
        number: i32,
        file: FileNumber,
        close_on_exec: bool,
        is_placed: bool,
    ) {
        let Some(table) = self.table_mut(event.thread, event.process) else { return };
        table.closed.remove(&number);
        // One that was asked for by its number takes no other.
        table.made += u64::from(!is_placed);
        let replaced = table.descriptors.insert(number, Descriptor { file, close_on_exec, is_placed });
        self.release_replaced();
        self.replaced = replaced.map(|replaced| replaced.file);
    }

    /// A fork returned in the parent. Where the child has called already, it is given what
    /// it has not touched since.
    fn forked(&mut self, event: &FileEvent, child: u32, shares_descriptors: bool) {
        let Some(parent) = self.processes.get(&event.process).cloned() else { return };
        let Some(table) = self.table_of(event.thread, event.process) else { return };
        let early = self.processes.get(&child).filter(|child| child.is_early).cloned();
        if self.processes.contains_key(&child) && early.is_none() {
            return;
        }
        let given = if shares_descriptors && early.is_none() {
            self.tables.entry(table).and_modify(|table| table.users += 1);
            table
        } else {
            self.copy_table(table)
        };
        let Some(early) = early else {
            self.processes_seen += 1;
            let begun = Process {
                calls: 0,
                table: given,
                is_early: false,
                has_threads: false,
                has_executed: false,
                runs_own_code: false,
                script: None,
                modules: Vec::new(),
                ..parent
            };
            self.processes.insert(child, begun);
            return;
        };
        self.merge(given, &early);
        let start = self.start();
        let process = self.processes.get_mut(&child).expect("it was there");
        process.is_early = false;
        if process.directory == start {
            process.directory = parent.directory;
        }
        process.root = parent.root;
        process.mask = process.mask.or(parent.mask);
        if !early.has_executed {
            (process.program, process.runtime) = (parent.program, parent.runtime);
            process.is_measurer = parent.is_measurer;
        }
    }

    /// Puts into an early child's table what it inherited and has not replaced since.
    fn merge(&mut self, given: TableNumber, early: &Process) {
        let Some(given) = self.tables.remove(&given) else { return };
        for (number, descriptor) in given.descriptors {
            let table = self.tables.get_mut(&early.table).expect("a process has a table");
            let is_own = table.descriptors.get(&number).map(|own| own.file);
            let is_met = is_own.is_some_and(|own| self.files.get(&own).is_some_and(|file| file.is_inherited));
            let is_gone =
                table.closed.contains_key(&number) || early.has_executed && descriptor.close_on_exec;
            if is_gone || is_own.is_some() && !is_met {
                self.release(descriptor.file);
            } else {
                let met = table.descriptors.get(&number).copied();
                let close_on_exec = met.map_or(descriptor.close_on_exec, |met| met.close_on_exec);
                table.descriptors.insert(number, Descriptor { close_on_exec, ..descriptor });
                if let Some(met) = met {
                    self.release(met.file);
                }
            }
        }
    }
}
