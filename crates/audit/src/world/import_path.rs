//! The directories in which Python looks for modules, one after the other: those that a thread asks for next
//! to each other, the last of them one of the interpreter's own, are its search path, whether any code is found
//! in them or not. It asks for each of them again at every module that it did not load before. A directory that
//! was asked for otherwise as often (it is when it is first listed, and where a module may lie in it) is the program's.

use super::{PlaceId, World};
use fathom_events::{FileAction, FileEvent, FileKind, Target};

/// The most directories before one that is known that are kept.
const LONGEST: usize = 16;

/// Directories that a thread asked for in its last calls.
#[derive(Debug, Default)]
pub(super) struct Walk {
    last_call: u64,
    directories: Vec<PlaceId>,
}

impl World {
    /// Takes in a look at a directory, which may be the next of a search path.
    pub(super) fn follow_path(&mut self, event: &FileEvent, place: PlaceId) {
        let FileAction::Stat { target: Target::Path { follow: true, .. }, facts: Some(facts), .. } =
            &event.action
        else {
            return;
        };
        if facts.kind != Some(FileKind::Directory) || !self.searches_directories(event.process) {
            return;
        }
        let known = self.places.get(place);
        let is_own = self.signs(event.process).is_some_and(|signs| signs.owns(self.places.path(place)));
        let (is_own, is_searched) = (is_own || known.holds_code, known.is_searched);
        let Some(thread) = self.threads.get_mut(&event.thread) else { return };
        let walk = &mut thread.walk;
        let goes_on = walk.last_call + 1 == thread.calls;
        walk.last_call = thread.calls;
        if !goes_on {
            for directory in walk.directories.drain(..) {
                let place = self.places.get_mut(directory);
                place.asked_apart = place.asked_apart.saturating_add(1);
            }
        }
        if is_own || is_searched {
            for directory in walk.directories.drain(..) {
                let place = self.places.get_mut(directory);
                place.asked_in_path = place.asked_in_path.saturating_add(1);
                place.is_searched = place.asked_in_path > place.asked_apart;
            }
        }
        // It asks for one several times in a row when it first lists it.
        let is_new = walk.directories.last() != Some(&place);
        if !is_own && is_new && walk.directories.len() < LONGEST {
            walk.directories.push(place);
        }
    }

    /// True of a process whose runtime loads code from directories that it asks for again and again.
    pub(crate) fn searches_directories(&self, process: u32) -> bool {
        self.signs(process).is_some_and(|signs| signs.asks_directories && signs.loads_code())
    }
}
