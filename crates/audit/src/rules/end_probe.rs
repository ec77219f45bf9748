//! R31: a read at the end of a file whose size was known and had been read.

use crate::cases::Cases;
use crate::finding::RuleId;
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::FileNumber;
use fathom_events::FileAction;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(31),
    name: "eof-probe",
    needs: "the size that fstat told, and reads with their results",
    guards: &[STREAMS, GROWS, MADE_UP],
    begin: |guards| Box::new(EndProbe { guards, reads: Recent::default(), cases: Cases::default() }),
};

const STREAMS: Guard = Guard {
    name: "streams",
    spares: "it reads by buffers of its own size until nothing comes, whatever the size was",
};
const GROWS: Guard =
    Guard { name: "grows", spares: "the file is written, here or by another open file, while it is read" };
const MADE_UP: Guard = Guard {
    name: "made-up",
    spares: "the size of what the kernel makes up is 0 or a page, whatever is in it",
};

const WORDS: Words = Words::cost(
    "read() at the end of a file whose size is known",
    "stop at the size; or ask once for one byte more than it: a short read of a regular file is its end",
    "the file may grow while it is read, and the program may want what was added",
);

#[derive(Debug)]
struct EndProbe {
    guards: Guards,
    reads: Recent<FileNumber, Sized>,
    cases: Cases,
}

/// Reads since the size was told.
#[derive(Debug)]
struct Sized {
    size_bytes: u64,
    told_at: u64,
    /// True when a read asked for the size, or one byte more.
    has_used_size: bool,
    is_probed: bool,
}

impl Rule for EndProbe {
    fn observe(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.file.filter(|file| !moment.is_loaders && !file.is_loaders) else { return };
        match moment.action() {
            FileAction::Stat { facts: Some(facts), .. } if moment.is_ok() => {
                let Some(size_bytes) = facts.size_bytes else { return };
                let sized =
                    Sized { size_bytes, told_at: moment.when.number, has_used_size: false, is_probed: false };
                self.reads.insert(file.number, sized);
            }
            FileAction::Read { bytes, offset: None, .. } if moment.is_ok() => {
                let Some(sized) = self.reads.get_mut(&file.number) else { return };
                let left = sized.size_bytes.saturating_sub(file.position.unwrap_or(0));
                if moment.bytes > 0 {
                    sized.has_used_size |= *bytes == left || *bytes == left + 1;
                    return;
                }
                let is_at_end = file.position == Some(sized.size_bytes) && !sized.is_probed;
                let is_grown = file.is_shared
                    || file
                        .place
                        .is_some_and(|place| !moment.world.places.has_content_of(place, sized.told_at));
                let is_odd = !moment.is_judged() || !file.is_plain(false) || sized.size_bytes == 0;
                if is_at_end
                    && *bytes > 0
                    && !self.guards.spare(STREAMS, !sized.has_used_size)
                    && !self.guards.spare(GROWS, is_grown)
                    && !self.guards.spare(MADE_UP, is_odd)
                {
                    sized.is_probed = true;
                    self.cases.claim(moment, &[moment.claim()]);
                }
            }
            FileAction::Close { .. } => drop(self.reads.remove(&file.number)),
            _ => {}
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, WRITE};
    crate::trio::Trio {
        rule: 31,
        waste: |script| {
            for _ in 0..6 {
                let file = script.open("/data/a", READ);
                script.fstat(file, 900);
                script.read(file, 901, 900);
                script.read(file, 1, 0);
                script.close(file);
            }
        },
        count: 6,
        fixed: |script| {
            let file = script.open("/data/a", READ);
            script.fstat(file, 900);
            script.read(file, 901, 900);
            script.close(file);
        },
        look_alikes: &[
            ("streams", |script| {
                let file = script.open("/data/a", READ);
                script.fstat(file, 900);
                script.read(file, 131_072, 900);
                script.read(file, 131_072, 0);
                script.close(file);
            }),
            ("grows", |script| {
                let file = script.open("/data/a", READ);
                script.fstat(file, 900);
                script.read(file, 900, 900);
                let writer = script.open("/data/a", WRITE);
                script.write(writer, 10);
                script.read(file, 4096, 0);
            }),
            ("made-up", |script| {
                let file = script.open("/sys/kernel/one", READ);
                script.fstat(file, 4096);
                script.read(file, 4096, 4096);
                script.read(file, 4096, 0);
            }),
        ],
    }
};
