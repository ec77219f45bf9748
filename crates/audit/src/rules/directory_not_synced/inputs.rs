//! What a process made a file from: of what still lies in other files a file can be made again.

use super::is_listener;
use crate::moment::Moment;
use crate::open_flags;
use crate::world::{Deed, PlaceId, World};
use fathom_events::FileAction;
use rustc_hash::FxHashMap;

/// Inputs of a process that are kept.
const KEPT: usize = 64;
/// So often a process says one after the other that a name is kept, and it answers whoever asked for that.
const ANSWERS: u64 = 2;

/// What each living process has read.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    processes: FxHashMap<u32, Read>,
}

#[derive(Debug, Default)]
struct Read {
    sources: Vec<Source>,
    /// How often somebody was told of a name.
    answers: u64,
}

/// A file that was opened to be read, or a directory that was listed.
#[derive(Debug, Clone, Copy)]
struct Source {
    place: PlaceId,
    /// The event.
    read_at: u64,
    is_listed: bool,
}

/// What a file was made from.
#[derive(Debug)]
pub(super) struct Origin {
    sources: Vec<Source>,
}

impl Inputs {
    /// A file that is opened and was there before, or a directory that is listed.
    pub(super) fn read(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.file.filter(|file| moment.is_judged() && !file.is_runtimes) else { return };
        // What it may write to as well is a store of its own.
        let is_source = !open_flags::can_write(file.flags) && !moment.is_on_runtimes_file();
        let Some(place) = file.place.filter(|_| is_source) else { return };
        let is_listed = matches!(moment.action(), FileAction::List { .. });
        let read = self.processes.entry(moment.process()).or_default();
        if read.sources.len() < KEPT && !read.sources.iter().any(|source| source.place == place) {
            read.sources.push(Source { place, read_at: moment.when.number, is_listed });
        }
    }

    /// Somebody was told that a name is kept.
    pub(super) fn answered(&mut self, process: u32) {
        if let Some(read) = self.processes.get_mut(&process) {
            read.answers += 1;
        }
    }

    pub(super) fn ended(&mut self, process: u32) {
        self.processes.remove(&process);
    }

    /// What the file was made from that now gets a name, and had another before, where all of it lies in other
    /// files. Who read what was there by that name has the only copy of it.
    pub(super) fn origin(
        &self,
        moment: &Moment<'_>,
        before: Option<PlaceId>,
        name: PlaceId,
    ) -> Option<Origin> {
        let read = self.processes.get(&moment.process())?;
        let is_older = read.sources.iter().any(|source| source.place == name);
        let mut open = moment.world.descriptors(moment.process());
        let hears = open.any(|(_, _, file)| is_listener(file) && file.last.deed == Deed::Read);
        let is_of_it = |source: &&Source| Some(source.place) != before && source.tells_of(name, moment.world);
        let sources = read.sources.iter().filter(is_of_it);
        (!is_older && !hears).then(|| Origin { sources: sources.copied().collect() })
    }

    /// True of a process that answers whoever asks for names.
    pub(super) fn answers(&self, process: u32) -> bool {
        self.processes.get(&process).is_some_and(|read| read.answers >= ANSWERS)
    }
}

impl Source {
    /// True of what a file of that name may be made from. That a library's settings and data were read says
    /// nothing; what keeps an index of those lies beside them.
    fn tells_of(&self, name: PlaceId, world: &World) -> bool {
        let lies = |place, directory| world.places.is_below(place, directory);
        let is_beside =
            |directory| !lies(self.place, directory) || directory != "/etc" && lies(name, directory);
        self.is_listed || ["/usr", "/etc", "/lib"].into_iter().all(is_beside)
    }

    /// True where it is still there, and what it was.
    fn is_there(&self, world: &World) -> bool {
        let places = &world.places;
        let is_unchanged = self.is_listed || places.get(self.place).changed_at <= self.read_at;
        !places.is_absent(self.place) && is_unchanged
    }
}

impl Origin {
    /// True where all of it is still there.
    pub(super) fn is_there(&self, world: &World) -> bool {
        !self.sources.is_empty() && self.sources.iter().all(|source| source.is_there(world))
    }
}
