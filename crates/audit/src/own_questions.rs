//! Which open files a program asked by itself what they are: its runtime does so on each that it
//! opens, and the C library before it first reads or writes, for the size of its buffer.

use crate::moment::Moment;
use crate::recent::Recent;
use crate::world::FileNumber;
use fathom_events::{FileAction, Target};

/// What the C library reads at once: `st_blksize` of most file systems.
const BUFFER_BYTES: u64 = 4096;

/// Open files that were asked.
#[derive(Debug, Default)]
pub(crate) struct OwnQuestions {
    asked: Recent<FileNumber, AskedBy>,
}

/// Who asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AskedBy {
    /// The program.
    Program,
    /// The program, or a library of its own accord.
    Somebody,
}

impl OwnQuestions {
    /// Takes in a call.
    pub(crate) fn observe(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.file.map(|file| file.number) else { return };
        match moment.action() {
            FileAction::Stat { target: Target::Descriptor(_), .. } => {
                let asked = self.asked.get(&file).copied();
                let is_perhaps = moment.is_on_trail || asked.is_none() && is_interpreted(moment);
                let now = if is_perhaps { asked.unwrap_or(AskedBy::Somebody) } else { AskedBy::Program };
                self.asked.insert(file, now);
            }
            FileAction::Read { bytes: BUFFER_BYTES, offset: None, .. } | FileAction::Write { .. }
                if moment.file.is_some_and(|file| file.position == Some(0)) =>
            {
                if let Some(asked) = self.asked.get_mut(&file) {
                    *asked = AskedBy::Somebody;
                }
            }
            _ => {}
        }
    }

    /// Who asked what the file is, as far as was seen by now.
    pub(crate) fn asked(&self, file: FileNumber) -> Option<AskedBy> {
        self.asked.get(&file).copied()
    }
}

/// True of programs whose language asks what it opens.
fn is_interpreted(moment: &Moment<'_>) -> bool {
    let world = moment.world;
    let program = world.process(moment.process()).and_then(|process| process.program);
    let is_perl = program.is_some_and(|program| world.places.name(program).starts_with("perl"));
    is_perl || world.has_runtime(moment.process())
}
