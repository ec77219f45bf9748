//! R01: fstat straight after opening for writing.

use crate::cases::{Cases, Scene};
use crate::claims::Claim;
use crate::finding::RuleId;
use crate::interest::Interest;
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{Deed, FileNumber};
use fathom_events::{FileAction, FileKind, Target};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(1),
    name: "fstat-after-write-open",
    needs: "fstat with the kind it told",
    guards: &[APPENDS, SIZE_USED],
    begin: |guards| Box::new(WriteOpenStat { guards, asked: Recent::default(), cases: Cases::default() }),
};

const APPENDS: Guard = Guard { name: "appends", spares: "it adds to the file: the size is where it begins" };
const SIZE_USED: Guard = Guard {
    name: "size-used",
    spares: "the next call reads or maps as much as the answer said, or goes there",
};

const WORDS: Words = Words::cost(
    "fstat() right after opening a regular file for writing",
    "drop it if only the kind is looked at: opening a directory for writing already fails with EISDIR, and a file made by O_EXCL is empty",
    "the block size, the size or the inode's number may be used: C's stdio asks here for st_blksize by itself (fopen, then the first write), which its callers cannot spare; stacks tell whose it is",
);

#[derive(Debug)]
struct WriteOpenStat {
    guards: Guards,
    asked: Recent<FileNumber, Asked>,
    cases: Cases,
}

/// A stat of which the next call shows whether its size was needed.
#[derive(Debug)]
struct Asked {
    scene: Scene,
    avoidable: Claim,
    size_bytes: Option<u64>,
}

impl Rule for WriteOpenStat {
    fn interest(&self) -> Interest {
        Interest::by_descriptor()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.plain_file() else { return };
        if let Some(asked) = self.asked.remove(&file.number)
            && !self.guards.spare(SIZE_USED, uses_size(moment, asked.size_bytes))
        {
            let calls = [asked.avoidable].into_iter().collect();
            self.cases.claim_scene(&asked.scene, 1, &calls, moment.world);
        }
        let FileAction::Stat { target: Target::Descriptor(_), facts: Some(facts), .. } = moment.action()
        else {
            return;
        };
        if facts.kind == Some(FileKind::Regular)
            && open_flags::can_write(file.flags)
            && file.was_last(Deed::Made)
            && !file.is_inherited
            && !self.guards.spare(APPENDS, open_flags::has(file.flags, open_flags::APPEND))
        {
            let (scene, avoidable) = (Scene::of(moment), moment.claim());
            self.asked.insert(file.number, Asked { scene, avoidable, size_bytes: facts.size_bytes });
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

fn uses_size(moment: &Moment<'_>, size: Option<u64>) -> bool {
    let Some(size) = size.filter(|size| *size > 0) else { return false };
    match moment.action() {
        FileAction::Read { bytes, .. } => (size..=size + 1).contains(bytes),
        FileAction::Map { bytes, .. } => *bytes >= size,
        FileAction::Seek { .. } => moment.value() == Some(size),
        FileAction::Write { offset, .. } => *offset == Some(size),
        FileAction::Truncate { .. } => true,
        _ => false,
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{BOTH, TRUNCATE, WRITE};
    crate::trio::Trio {
        rule: 1,
        waste: |script| {
            for _ in 0..9 {
                let file = script.open("/data/out", TRUNCATE);
                script.fstat(file, 0);
                script.write(file, 4096);
                script.close(file);
            }
        },
        count: 9,
        fixed: |script| {
            let file = script.open("/data/out", TRUNCATE);
            script.write(file, 4096);
            script.close(file);
        },
        look_alikes: &[
            ("appends", |script| {
                let file = script.open("/data/log", WRITE | open_flags::APPEND);
                script.fstat(file, 900);
                script.write(file, 80);
                script.close(file);
            }),
            ("size-used", |script| {
                let file = script.open("/data/table", BOTH);
                script.fstat(file, 900);
                script.read(file, 900, 900);
                script.close(file);
            }),
            ("", |script| {
                let file = script.open("/dev/null", WRITE);
                script.fstat_as(file, FileKind::Character, 0);
                script.write(file, 10);
            }),
        ],
    }
};
