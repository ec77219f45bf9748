//! The directories in which Python looks for modules, one after the other: those that a thread asks for next
//! to each other, the last of them one of the interpreter's own, are its search path, whether any code is found
//! in them or not. It asks for each of them again at every module that it did not load before.

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
        let is_known = is_own || known.holds_code || known.is_searched;
        let Some(thread) = self.threads.get_mut(&event.thread) else { return };
        let walk = &mut thread.walk;
        if walk.last_call + 1 != thread.calls {
            walk.directories.clear();
        }
        walk.last_call = thread.calls;
        if is_known {
            for directory in std::mem::take(&mut walk.directories) {
                self.places.get_mut(directory).is_searched = true;
            }
        } else if walk.directories.len() < LONGEST {
            walk.directories.push(place);
        }
    }

    /// True of a process whose runtime loads code from directories that it asks for again and again.
    pub(crate) fn searches_directories(&self, process: u32) -> bool {
        self.signs(process).is_some_and(|signs| signs.asks_directories && signs.loads_code())
    }
}
