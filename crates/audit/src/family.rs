//! Who started whom: what one script has done by several programs is done by one hand.

use crate::moment::Moment;
use crate::recent::Recent;
use crate::world::{PlaceId, World};
use fathom_events::FileAction;

/// Programs whose errors a script has to look at: they go on after a command that failed.
const SHELLS: [&str; 9] = ["sh", "bash", "dash", "ash", "busybox", "zsh", "ksh", "mksh", "yash"];

/// Processes with those that made them.
#[derive(Debug, Default)]
pub(crate) struct Family {
    parents: Recent<u32, u32>,
}

impl Family {
    /// Takes in a call.
    pub(crate) fn observe(&mut self, moment: &Moment<'_>) {
        if let FileAction::Fork { is_thread: false, .. } = moment.action()
            && let Some(child) = moment.value().and_then(|child| u32::try_from(child).ok())
        {
            self.parents.insert(child, moment.process());
        }
    }

    /// The process that made this one.
    pub(crate) fn parent(&self, process: u32) -> Option<u32> {
        self.parents.get(&process).copied()
    }

    /// The shell that made this process.
    pub(crate) fn shell_above(&self, process: u32, world: &World) -> Option<u32> {
        self.parent(process).filter(|parent| is_shell(*parent, world))
    }

    /// True of one process, of a parent and its child, and of two children of one parent.
    pub(crate) fn is_one(&self, first: u32, second: u32) -> bool {
        let (above_first, above_second) = (self.parent(first), self.parent(second));
        first == second
            || above_first == Some(second)
            || above_second == Some(first)
            || above_first.is_some() && above_first == above_second
    }
}

/// True of a process that runs a script of the shell's, as far as its program's name tells.
pub(crate) fn is_shell(process: u32, world: &World) -> bool {
    is_shells(world.process(process).and_then(|process| process.program), world)
}

/// True of what a process executes that runs a script of the shell's.
pub(crate) fn is_shells(program: Option<PlaceId>, world: &World) -> bool {
    program.is_some_and(|program| SHELLS.contains(&world.places.name(program)))
}
