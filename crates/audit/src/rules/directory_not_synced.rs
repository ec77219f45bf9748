//! R58: a file was synced and its directory never was: after a crash its new name may be gone.

use crate::cases::{Cases, Scene};
use crate::finding::{RuleId, Severity};
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{Deed, OpenFile, PlaceId, World, reaches_device};
use fathom_events::{Advice, FileAction, FileKind, Mount, Target};
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(58),
    name: "directory-not-synced",
    needs: "open, rename, writes and fsync; the exit code, or writes to pipes, sockets and the standard output (an answer by send() is not seen)",
    guards: &[DIRECTORY_SYNCED, NOT_SYNCED, DROPPED, GONE, OLDER, SCRATCH, FAILED],
    begin: |guards| {
        Box::new(DirectoryNotSynced {
            guards,
            files: Recent::default(),
            moved: Recent::default(),
            names: BTreeMap::new(),
            acknowledged: Cases::default(),
            renamed: Cases::default(),
            made: Cases::default(),
            carried: Cases::default(),
        })
    },
};

const DIRECTORY_SYNCED: Guard = Guard {
    name: "directory-synced",
    spares: "the directory was synced after the name was made, or everything was",
};
const NOT_SYNCED: Guard =
    Guard { name: "not-synced", spares: "the file was not synced either: it is not promised to last" };
const DROPPED: Guard = Guard {
    name: "dropped",
    spares: "it was synced to be dropped from memory (POSIX_FADV_DONTNEED), and not to last",
};
const GONE: Guard = Guard { name: "gone", spares: "the name was removed again, or the file moved on" };
const OLDER: Guard = Guard { name: "older", spares: "the file was there before: no name was made" };
const SCRATCH: Guard = Guard {
    name: "scratch",
    spares: "temporary and built files, and files in memory, are made again after a crash",
};
const FAILED: Guard =
    Guard { name: "failed", spares: "the program failed, or was ended, before it said that it was done" };

/// Names that are followed at a time.
const FOLLOWED: usize = 4096;
/// `O_DSYNC`: each write reaches the device.
const SYNCED_WRITES: u32 = 0x1000;
/// Renames that are followed from one name to the last.
const HOPS: usize = 4;

const FIX: &str =
    "after the rename or the creation, open the directory, fsync it, and only then report success";
const DOUBT: &str = "the directory may have been synced by a program outside the trace";

/// Whoever asked over a connection goes by the answer: what is gone after it is lost to somebody else.
const ACKNOWLEDGED: Words = Words::danger(
    Severity::Warn,
    "a client was answered before the directory of a synced file's new name was synced: after a crash the file may be gone",
    FIX,
    DOUBT,
);

/// A crash takes back what was done last, and the old file is there: that is what most programs want.
const RENAMED: Words = Words::danger(
    Severity::Info,
    "a file was synced and then renamed or linked, and its directory was never synced: after a crash the new name may be gone",
    FIX,
    DOUBT,
);

const MADE: Words = Words::danger(
    Severity::Info,
    "a new file was synced, its directory was not, and success was reported: after a crash the file may be gone",
    FIX,
    DOUBT,
);

/// POSIX promises nothing, and yet the common file systems do it: to sync a file that was changed they
/// write their log up to there, with every name made before.
const CARRIED: Words = Words::danger(
    Severity::Info,
    "a file got its name and its directory was not synced: on ext4, xfs and btrfs the next sync of a file keeps the name, others may lose it",
    FIX,
    DOUBT,
);

#[derive(Debug)]
struct DirectoryNotSynced {
    guards: Guards,
    files: Recent<PlaceId, Content>,
    /// Where a file went that is still written by its former name.
    moved: Recent<PlaceId, PlaceId>,
    /// Names that were made, and whose directory was not synced since.
    names: BTreeMap<PlaceId, Name>,
    acknowledged: Cases,
    renamed: Cases,
    made: Cases,
    carried: Cases,
}

/// What traced programs wrote to a file, and what of it is on the device; numbers of events.
#[derive(Debug, Clone, Copy, Default)]
struct Content {
    written: u64,
    synced: u64,
    /// It was made or emptied within the trace: what is written to it takes room and changes the log.
    is_grown: bool,
}

/// A name that was made.
#[expect(clippy::struct_excessive_bools, reason = "they are facts that do not depend on each other")]
#[derive(Debug)]
struct Name {
    process: u32,
    /// The number of the event that made it.
    made_at: u64,
    is_renamed: bool,
    count: u64,
    is_synced: bool,
    /// Somebody was told, or the program ended well, or built on it.
    is_promised: bool,
    /// A client was told over its connection, before any sync kept the name.
    is_acknowledged: bool,
    /// A later sync kept the name.
    is_kept: bool,
    /// It did so before anybody was told.
    is_carried: bool,
    scene: Option<Scene>,
}

impl Rule for DirectoryNotSynced {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[
            Kind::Open,
            Kind::Write,
            Kind::Truncate,
            Kind::Copy,
            Kind::Sync,
            Kind::Advise,
            Kind::Rename,
            Kind::Link,
            Kind::Remove,
        ])
        .if_ok()
        .and(&[Kind::Exit])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        if !moment.is_ok() && !matches!(moment.action(), FileAction::Exit { .. }) {
            return;
        }
        match moment.action() {
            FileAction::Open { flags, .. } => self.opened(moment, flags.0),
            // What goes to the standard error is no report of success.
            FileAction::Write { descriptor: 2, .. } => {}
            FileAction::Write { .. } => self.written(moment),
            FileAction::Truncate { target: Target::Descriptor(_), .. } => {
                self.changed(moment, moment.file.and_then(|file| file.place));
            }
            FileAction::Copy { to, .. } => {
                let entry = moment.world.descriptor(moment.thread(), moment.process(), *to);
                let file = entry.and_then(|entry| moment.world.file(entry.file));
                self.changed(moment, file.and_then(|file| file.place));
            }
            FileAction::Sync { descriptor, .. } if reaches_device(moment.event.call) => {
                if descriptor.is_none() || moment.event.call == "syncfs" {
                    if self.guards.spare(DIRECTORY_SYNCED, true) {
                        self.names.clear();
                    }
                } else {
                    self.synced(moment);
                }
            }
            FileAction::Advise { advice: Advice::DontNeed, .. } if self.guards.spare(DROPPED, true) => {
                let place = moment.file.and_then(|file| file.place).map(|place| self.current(place));
                if let Some(name) = place.and_then(|place| self.names.get_mut(&place)) {
                    name.is_synced = false;
                }
            }
            FileAction::Rename { .. } | FileAction::Link { .. } => self.renamed(moment),
            FileAction::Remove { .. } => {
                if let Some(place) = moment.place {
                    self.forget(place);
                }
            }
            FileAction::Exit { code, whole: true } => self.ended(moment.process(), *code == Some(0)),
            _ => {}
        }
    }

    fn finish(&mut self, world: &World) {
        for (place, name) in std::mem::take(&mut self.names) {
            let Some(scene) = &name.scene else { continue };
            let is_in_memory = world.places.mount(place).is_some_and(Mount::is_in_memory);
            if self.guards.spare(NOT_SYNCED, !name.is_synced)
                || self.guards.spare(FAILED, !name.is_promised)
                || self.guards.spare(SCRATCH, world.is_scratch(place) || is_in_memory)
            {
                continue;
            }
            // Of a new file that was synced the sync came after the name.
            let is_carried = name.is_carried || !name.is_renamed && world.keeps_names_of_synced(place);
            let cases = if is_carried {
                &mut self.carried
            } else if name.is_acknowledged {
                &mut self.acknowledged
            } else if name.is_renamed {
                &mut self.renamed
            } else {
                &mut self.made
            };
            cases.add_scene(scene, name.count, &[], world);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![
            (&RENAMED, &self.renamed),
            (&MADE, &self.made),
            (&CARRIED, &self.carried),
            (&ACKNOWLEDGED, &self.acknowledged),
        ]
    }
}

impl DirectoryNotSynced {
    fn opened(&mut self, moment: &Moment<'_>, flags: u32) {
        let Some(file) = moment.plain_file() else { return };
        let Some(place) = file.place else { return };
        if !file.is_new && flags & (open_flags::TRUNCATE | open_flags::CREATE) == 0 {
            return;
        }
        if file.is_new || flags & open_flags::TRUNCATE != 0 {
            self.files.insert(place, Content { is_grown: true, ..Content::default() });
        }
        if flags & open_flags::CREATE == 0 {
            return;
        }
        self.moved.remove(&place);
        if self.guards.spare(OLDER, !file.is_new) {
            return;
        }
        // Most files are never synced: what shows the case is kept where one is.
        let scene = (!self.guards.spare(NOT_SYNCED, true)).then(|| Scene::of(moment));
        self.name(place, moment, false, scene);
    }

    fn name(&mut self, place: PlaceId, moment: &Moment<'_>, is_renamed: bool, scene: Option<Scene>) {
        let (process, made_at) = (moment.process(), moment.when.number);
        if self.names.len() >= FOLLOWED && !self.names.contains_key(&place) {
            return;
        }
        // What a sync kept by then is no danger any more.
        let lost = self.names.get(&place).filter(|name| name.is_renamed && !name.is_carried);
        let count = if is_renamed { lost.map_or(0, |name| name.count) + 1 } else { 1 };
        let is_promised = is_renamed && lost.is_some_and(|name| name.is_promised);
        let name = Name {
            process,
            made_at,
            is_renamed,
            count,
            is_synced: false,
            is_promised,
            is_acknowledged: is_renamed && lost.is_some_and(|name| name.is_acknowledged),
            is_kept: false,
            is_carried: false,
            scene,
        };
        self.names.insert(place, name);
    }

    /// The name by which a file is known now.
    fn current(&self, place: PlaceId) -> PlaceId {
        (0..HOPS).fold(place, |place, _| self.moved.get(&place).copied().unwrap_or(place))
    }

    fn written(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.file else { return };
        if is_listener(file) {
            if moment.bytes > 0 {
                self.answered(moment.process(), file);
                self.promised(moment.process());
            }
        } else if moment.plain_file().is_some() {
            self.changed(moment, file.place);
            if file.flags.0 & SYNCED_WRITES != 0 {
                self.reached(moment, file, true);
            }
        }
    }

    fn changed(&mut self, moment: &Moment<'_>, place: Option<PlaceId>) {
        if let Some(place) = place {
            let place = self.current(place);
            self.files.entry(place).written = moment.when.number;
        }
    }

    fn synced(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.file else { return };
        let is_directory = |place: &PlaceId| {
            file.kind == Some(FileKind::Directory) || moment.world.places.is_directory(*place)
        };
        if let Some(directory) = file.place.filter(is_directory) {
            if self.guards.spare(DIRECTORY_SYNCED, true) {
                self.names.retain(|place, _| !lies_in(*place, directory, moment.world));
            }
        } else {
            self.reached(moment, file, moment.event.call == "fdatasync");
        }
    }

    /// A file's content is on the device, and of its attributes no more than is needed to read it
    /// where `is_data_only`.
    fn reached(&mut self, moment: &Moment<'_>, file: &OpenFile, is_data_only: bool) {
        let Some(place) = file.place.map(|place| self.current(place)) else { return };
        let content = self.files.entry(place);
        let is_built_on = content.written > content.synced;
        let content = *content;
        self.files.entry(place).synced = moment.when.number;
        // Before it is asked who builds on what: the same sync keeps the name.
        self.carry(place, content, is_data_only, moment.world);
        let Some(name) = self.names.get_mut(&place) else { return };
        if name.is_renamed && !name.is_carried {
            name.is_promised |= is_built_on;
        }
        name.is_synced = true;
        if name.scene.is_none() {
            name.scene = Some(Scene::at(moment, Some(place)));
        }
    }

    /// A sync of this file writes the log of its file system, with the names made before the change that
    /// it writes. In place of old data `fdatasync` changes nothing in the log.
    fn carry(&mut self, synced: PlaceId, content: Content, is_data_only: bool, world: &World) {
        if !world.keeps_names_of_synced(synced) || is_data_only && !content.is_grown {
            return;
        }
        for (place, name) in &mut self.names {
            // The rename itself changed the file that has the name.
            let is_its = *place == synced && !is_data_only;
            let keeps = name.is_renamed
                && (is_its || content.written > name.made_at)
                && world.places.are_on_one_mount(*place, synced);
            name.is_kept |= keeps;
            name.is_carried |= keeps && !name.is_promised;
        }
    }

    /// A link gives the file a further name, which lasts no longer than its directory does.
    fn renamed(&mut self, moment: &Moment<'_>) {
        let (Some(from), Some(to)) = (moment.judged_place(), moment.other_place) else { return };
        let from = self.current(from);
        if from == to {
            return;
        }
        self.forget(from);
        let Some(content) = self.files.remove(&from) else {
            self.forget(to);
            return;
        };
        self.files.insert(to, content);
        self.moved.remove(&to);
        self.moved.insert(from, to);
        self.name(to, moment, true, Some(Scene::at(moment, Some(to))));
        if let Some(name) = self.names.get_mut(&to) {
            name.is_synced = content.synced > content.written;
        }
    }

    fn forget(&mut self, place: PlaceId) {
        if self.guards.spare(GONE, true) {
            self.names.remove(&place);
        }
    }

    /// Who asked before a name was made, and hears of it now, takes it for kept.
    fn answered(&mut self, process: u32, client: &OpenFile) {
        let has_asked = is_client(client) && matches!(client.last.deed, Deed::Made | Deed::Read);
        let is_of_it = |name: &&mut Name| name.process == process && name.made_at > client.last.number;
        for name in self.names.values_mut().filter(|name| has_asked && is_of_it(name)) {
            name.is_acknowledged |= name.is_synced && !name.is_kept;
        }
    }

    fn promised(&mut self, process: u32) {
        for name in self.names.values_mut().filter(|name| name.process == process) {
            name.is_promised |= !self.guards.spare(NOT_SYNCED, !name.is_synced);
        }
    }

    fn ended(&mut self, process: u32, is_well: bool) {
        if is_well {
            self.promised(process);
        }
        // A number is given again.
        self.names.retain(|_, name| {
            name.process != process || name.is_promised || !self.guards.spare(FAILED, true)
        });
        for name in self.names.values_mut().filter(|name| name.process == process) {
            name.process = 0;
        }
    }
}

fn lies_in(place: PlaceId, directory: PlaceId, world: &World) -> bool {
    let Some(parent) = world.places.parent(place) else { return false };
    // The same directory by another way has the same name, mostly.
    parent == directory || world.places.name(parent) == world.places.name(directory)
}

/// True of who hears that something is done: a pipe, a socket, the standard output.
fn is_listener(file: &OpenFile) -> bool {
    let is_peer = matches!(file.kind, Some(FileKind::Pipe | FileKind::Socket));
    is_peer || file.is_stream || file.is_inherited && file.place.is_none()
}

/// True of a connection to somebody who asks: accepted, or handed over by whoever accepted it.
fn is_client(file: &OpenFile) -> bool {
    file.is_accepted || file.is_inherited && file.kind == Some(FileKind::Socket)
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod trio_tests;
#[cfg(test)]
pub(super) use trio_tests::TRIO;
