//! R31: a read at the end of a file whose size was known and had been read.

use crate::cases::Cases;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, OpenFile};
use fathom_events::{FileAction, Whence};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(31),
    name: "eof-probe",
    needs: "the size that fstat, stat or lseek told, and reads with their results",
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

/// What is reserved beside the content, for an end mark or the like, at most.
const SPARE_BYTES: u64 = 64;
const ROUND_BYTES: u64 = 512;

#[derive(Debug)]
struct EndProbe {
    guards: Guards,
    reads: Recent<FileNumber, Sized>,
    cases: Cases,
}

/// Reads since the size was known.
#[derive(Debug)]
struct Sized {
    known_at: u64,
    /// True when a read asked for the size, or one byte more.
    has_used_size: bool,
    is_probed: bool,
}

impl Rule for EndProbe {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::StatOpen, Kind::Seek, Kind::Read, Kind::Close])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.file.filter(|file| !moment.is_loaders && !file.is_loaders) else { return };
        match moment.action() {
            FileAction::Stat { .. } | FileAction::Seek { whence: Whence::End, .. } if moment.is_ok() => {
                let sized = Sized { known_at: moment.when.number, has_used_size: false, is_probed: false };
                self.reads.insert(file.number, sized);
            }
            FileAction::Read { bytes, offset, .. } if moment.is_ok() => {
                self.read(moment, file, *bytes, offset.or(file.position));
            }
            FileAction::Close { .. } => drop(self.reads.remove(&file.number)),
            _ => {}
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

impl EndProbe {
    fn read(&mut self, moment: &Moment<'_>, file: &OpenFile, asked: u64, begin: Option<u64>) {
        let places = &moment.world.places;
        // A path that was looked at before it was opened told the size, too.
        let of_path = || file.place.and_then(|place| places.get(place).size_bytes);
        let (Some(size_bytes), Some(begin)) = (file.size_bytes.or_else(of_path), begin) else { return };
        if self.reads.get(&file.number).is_none() {
            let known_at = file.opened_at;
            self.reads.insert(file.number, Sized { known_at, has_used_size: false, is_probed: false });
        }
        let Some(sized) = self.reads.get_mut(&file.number) else { return };
        let left = size_bytes.saturating_sub(begin);
        if moment.bytes > 0 {
            sized.has_used_size |= is_made_for(asked, left);
            return;
        }
        let is_at_end = begin == size_bytes && !sized.is_probed;
        let is_grown =
            file.is_shared || file.place.is_some_and(|place| !places.has_content_of(place, sized.known_at));
        let is_odd = !moment.is_judged() || !file.is_plain(false) || size_bytes == 0;
        if is_at_end
            && !self.guards.spare(STREAMS, !sized.has_used_size)
            && !self.guards.spare(GROWS, is_grown)
            && !self.guards.spare(MADE_UP, is_odd)
        {
            sized.is_probed = true;
            let signs = moment.world.signs(moment.process());
            let is_runtimes = asked == 1 && signs.is_some_and(|signs| signs.probes_by_a_byte);
            self.cases.claim_by(moment, is_runtimes, &[moment.claim()]);
        }
    }
}

/// True of a buffer that was made for a known size: that, or a few bytes more. A buffer of a round
/// size is one for whatever comes.
fn is_made_for(asked: u64, left: u64) -> bool {
    let spare = asked.checked_sub(left);
    spare.is_some_and(|spare| spare <= 1 || spare <= SPARE_BYTES && !asked.is_multiple_of(ROUND_BYTES))
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
            // The size by a look at the path, by seeking to the end; reads that ask for nothing.
            script.stat("/data/b", 900);
            let file = script.open("/data/b", READ);
            script.read_at(file, 900, 900, 0);
            script.read_at(file, 900, 0, 900);
            let file = script.open("/data/c", READ);
            script.seek(file, 0, Whence::End, 900);
            script.seek(file, 0, Whence::Start, 0);
            script.read(file, 900, 900);
            script.read(file, 0, 0);
            // Room for an end mark beside the content.
            let file = script.open("/data/d", READ);
            script.fstat(file, 900);
            script.read(file, 916, 900);
            script.read(file, 16, 0);
        },
        count: 6 + 2 + 1,
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
            ("streams", |script| {
                let file = script.open("/data/page", READ);
                script.fstat(file, 1000);
                script.read(file, 1024, 1000);
                script.read(file, 1024, 0);
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
