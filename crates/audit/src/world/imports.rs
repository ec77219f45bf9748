//! What an interpreter loads as code: in which directories it lies, and by which looks it is
//! found. Python looks at a directory of its search path, then at the module and its bytecode
//! there; Ruby opens with flags that no program gives, and asks for the real path of what it opened
//! so; Node asks of a module what it is, then of the same path without following a link, and opens it next;
//! the JDK reads archives from their end, and has resolved the real path of those of the class path
//! before the first code of the program runs. A program that reads sources as data does none of that.
//! The script that Python was started with is looked at and opened before any code of it runs.

use super::process::AskedModule;
use super::{FileNumber, OpenFile, PlaceId, World};
use crate::open_flags;
use crate::signs::Signs;
use fathom_events::{FileAction, FileEvent, Target, Whence};

/// The most that can stand behind the list of what is in an archive: its end, and a comment.
const END_OF_ARCHIVE_BYTES: u64 = 22 + 65_535;

/// Of how many threads is kept which module they asked for.
const ASKING_THREADS: usize = 16;

/// What a JVM runs that lies in no archive.
const SOURCES: [&str; 2] = [".class", ".java"];

impl World {
    /// Takes in a call on `place` by path or on `file`; true when an interpreter makes it to load
    /// code.
    pub(crate) fn follow_import(
        &mut self,
        event: &FileEvent,
        place: Option<PlaceId>,
        file: Option<FileNumber>,
    ) -> bool {
        let is_import = match place {
            Some(place) => {
                self.follow_path(event, place);
                self.looks_for_code(event, place)
            }
            None => file.is_some_and(|file| self.opens_archive(event, file)),
        };
        let is_import = is_import || place.is_some_and(|place| self.looks_at_script(event, place));
        self.note_own_code(event, place, file.filter(|_| is_import));
        self.note_script(event, file);
        let Some(file) = file.and_then(|file| self.files.get_mut(&file)) else { return is_import };
        file.is_runtimes |= is_import;
        file.is_runtimes
    }

    /// True of a look for what only a runtime looks for beside a source, and of the next for the
    /// source itself.
    fn looks_beside(&mut self, event: &FileEvent, place: PlaceId) -> bool {
        let Some(signs) = self.signs(event.process) else { return false };
        let is_beside = signs.is_beside(self.places.name(place));
        let is_look = matches!(event.action, FileAction::Stat { .. } | FileAction::Open { .. });
        if is_beside && is_look {
            self.search(event, Some(place));
            return true;
        }
        let beside = self.threads.get(&event.thread).and_then(|thread| thread.searched);
        let beside = beside.filter(|_| is_look).map(|beside| self.places.path(beside));
        let is_source = beside
            .and_then(|beside| beside.strip_prefix(self.places.path(place)))
            .is_some_and(|rest| !rest.is_empty() && signs.beside.ends_with(rest));
        is_source && signs.is_beside(beside.unwrap_or_default())
    }

    fn looks_for_code(&mut self, event: &FileEvent, place: PlaceId) -> bool {
        if self.looks_beside(event, place)
            || self.looks_at_class_path(event, place)
            || self.walks_path(event, place)
        {
            return true;
        }
        let Some(signs) = self.signs(event.process).filter(|signs| signs.loads_code()) else { return false };
        let is_code = signs.loads(self.places.name(place));
        if signs.asks_twice {
            let is_searched = self.searches_packages(event, place);
            return is_searched || is_code && self.is_asked_twice_and_opened(event, place);
        }
        let load_flags = signs.load_flags;
        let searched = self.threads.get(&event.thread).and_then(|thread| thread.searched);
        let is_inside = searched.is_some_and(|searched| self.is_module_of(searched, place, is_code));
        let is_loaded = self.places.get(place).is_loaded;
        match &event.action {
            // A walk to the real path of what it loads ends with the question what lies there.
            FileAction::ReadLink { .. } if is_loaded => {
                self.search(event, Some(place));
                return true;
            }
            FileAction::Stat { target: Target::Path { .. }, .. } if is_loaded && searched == Some(place) => {
                return true;
            }
            FileAction::Stat { target: Target::Path { .. }, .. } if !is_inside => {
                self.search(event, Some(place));
            }
            FileAction::Open { flags, .. } if is_code => {
                let is_found = event.outcome.value().is_some() && !open_flags::can_write(*flags);
                if let Some(directory) = self.directory_of_code(place).filter(|_| is_found) {
                    self.places.get_mut(directory).holds_code = true;
                }
                let has_load_flags = load_flags != 0 && open_flags::has(*flags, load_flags);
                self.places.get_mut(place).is_loaded |= is_found && has_load_flags;
                return is_inside || has_load_flags;
            }
            // It lists a directory of its path when that has changed.
            FileAction::Open { .. } if searched == Some(place) => return self.places.get(place).holds_code,
            FileAction::Open { .. } => self.search(event, None),
            _ => {}
        }
        is_inside
    }

    /// True of the opening of a module that was asked what it is, and then, next of what this thread asks of
    /// modules, once more without following a link. The opening may be another thread's.
    fn is_asked_twice_and_opened(&mut self, event: &FileEvent, place: PlaceId) -> bool {
        let Some(process) = self.processes.get_mut(&event.process) else { return false };
        if event.outcome.value().is_none() {
            return false;
        }
        let modules = &mut process.modules;
        let own = modules.iter().position(|module| module.thread == event.thread);
        let asked = own.map(|own| modules[own]).filter(|asked| asked.place == place);
        match &event.action {
            // The loader of ECMAScript modules asks both again for the program's own file.
            FileAction::Stat { .. } if asked.is_some_and(|asked| asked.is_twice) => return true,
            FileAction::Stat { target: Target::Path { follow, .. }, .. } => {
                if let Some(own) = own {
                    modules.remove(own);
                } else if modules.len() == ASKING_THREADS {
                    modules.remove(0);
                }
                if *follow || asked.is_some() {
                    modules.push(AskedModule { thread: event.thread, place, is_twice: !follow });
                }
            }
            FileAction::Open { flags, .. } if !open_flags::can_write(*flags) => {
                let Some(found) = modules.iter().position(|module| module.place == place && module.is_twice)
                else {
                    return false;
                };
                modules.remove(found);
                self.note_module(event, place);
                return true;
            }
            _ => {}
        }
        false
    }

    /// True of what is done by path with the script that an interpreter was started with, before code of
    /// the script runs: the first source that is named and lies in none of its own folders.
    fn looks_at_script(&mut self, event: &FileEvent, place: PlaceId) -> bool {
        let path = self.places.path(place);
        let is_source = |signs: &Signs| signs.looks_at_script && signs.loads(path) && !signs.owns(path);
        if !self.signs(event.process).is_some_and(is_source) {
            return false;
        }
        let is_look = match event.action {
            FileAction::Stat { .. } | FileAction::ReadLink { .. } => true,
            FileAction::Open { flags, .. } => !open_flags::can_write(flags),
            _ => false,
        };
        let Some(process) = self.processes.get_mut(&event.process).filter(|_| is_look) else { return false };
        !process.runs_own_code && *process.script.get_or_insert(place) == place
    }

    /// Notes that the code of a script may run: it was read, and is closed. It is opened twice, first to see
    /// whether it is an archive of modules, which is closed on exec.
    fn note_script(&mut self, event: &FileEvent, file: Option<FileNumber>) {
        let FileAction::Close { .. } = event.action else { return };
        let is_run =
            |file: &&OpenFile| file.bytes_read > 0 && !open_flags::has(file.flags, open_flags::CLOSE_ON_EXEC);
        let file = file.and_then(|file| self.files.get(&file)).filter(is_run);
        let Some(place) = file.and_then(|file| file.place) else { return };
        if let Some(process) = self.processes.get_mut(&event.process) {
            process.runs_own_code |= process.script == Some(place);
        }
    }

    /// True of what is done by path with an archive of the class path. That it is one shows before any
    /// code of the program runs; what opens it later cannot be told from the class loader.
    fn looks_at_class_path(&mut self, event: &FileEvent, place: PlaceId) -> bool {
        let is_archive = |signs: &Signs| signs.reads_archive(self.places.name(place));
        if !self.signs(event.process).is_some_and(is_archive) {
            return false;
        }
        let is_of_start = self.processes.get(&event.process).is_some_and(|process| {
            !process.runs_own_code
                && match event.action {
                    FileAction::ReadLink { .. } => true,
                    // The launcher reads the manifest before it makes the thread that runs the program.
                    FileAction::Open { .. } => !process.has_threads,
                    _ => false,
                }
        });
        let place = self.places.get_mut(place);
        place.is_loaded |= is_of_start;
        place.is_loaded
            && match event.action {
                FileAction::ReadLink { .. } | FileAction::Stat { .. } | FileAction::Access { .. } => true,
                FileAction::Open { flags, .. } => !open_flags::can_write(flags),
                _ => false,
            }
    }

    /// Notes that code of the program itself may run in a process: its first class, source or archive
    /// was opened.
    fn note_own_code(&mut self, event: &FileEvent, place: Option<PlaceId>, archive: Option<FileNumber>) {
        let is_seek = matches!(event.action, FileAction::Seek { .. });
        let is_code = |place: PlaceId| {
            let name = self.places.name(place);
            SOURCES.iter().any(|ending| name.ends_with(ending))
        };
        let is_open = matches!(event.action, FileAction::Open { .. }) && event.outcome.value().is_some();
        if archive.is_some() && is_seek || is_open && place.is_some_and(is_code) {
            self.processes.entry(event.process).and_modify(|process| process.runs_own_code = true);
        }
    }

    /// True of the first move in an archive that a runtime reads from its end: the list of what is
    /// in it stands there.
    fn opens_archive(&self, event: &FileEvent, file: FileNumber) -> bool {
        let FileAction::Seek { offset, whence: Whence::Start, .. } = event.action else { return false };
        let (Some(signs), Some(file)) = (self.signs(event.process), self.files.get(&file)) else {
            return false;
        };
        let is_archive = file.place.is_some_and(|place| signs.reads_archive(self.places.name(place)));
        let from_end =
            u64::try_from(offset).ok().zip(file.size_bytes).map(|(offset, size)| size.saturating_sub(offset));
        is_archive && file.position == Some(0) && from_end.is_some_and(|bytes| bytes <= END_OF_ARCHIVE_BYTES)
    }

    pub(super) fn search(&mut self, event: &FileEvent, place: Option<PlaceId>) {
        self.threads.entry(event.thread).or_default().searched = place;
    }

    /// True of what may be a module of a directory, its bytecode, or a package with what begins it.
    fn is_module_of(&self, directory: PlaceId, place: PlaceId, is_code: bool) -> bool {
        let parent = self.places.parent(place);
        let is_below = parent.and_then(|parent| self.places.parent(parent)) == Some(directory);
        let is_package = !is_code && self.places.get(directory).holds_code;
        if parent == Some(directory) {
            is_code || is_package && !self.places.name(place).contains('.')
        } else {
            is_code && is_below
        }
    }

    /// The directory of a module, which that of its bytecode lies in.
    fn directory_of_code(&self, place: PlaceId) -> Option<PlaceId> {
        let parent = self.places.parent(place)?;
        if self.places.name(parent) == "__pycache__" { self.places.parent(parent) } else { Some(parent) }
    }
}

#[cfg(test)]
mod tests;
