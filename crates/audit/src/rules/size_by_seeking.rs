//! R07: the size of a file by going to its end and back.

use crate::cases::Cases;
use crate::claims::Claim;
use crate::finding::RuleId;
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::FileNumber;
use fathom_events::{FileAction, FileKind, Whence};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(7),
    name: "size-by-seeking",
    needs: "lseek and read",
    guards: &[BLOCK_DEVICE, ADDS],
    begin: |guards| Box::new(SizeBySeeking { guards, gone: Recent::default(), cases: Cases::default() }),
};

const BLOCK_DEVICE: Guard =
    Guard { name: "block-device", spares: "st_size of a block device is 0: going to its end is the way" };
const ADDS: Guard = Guard { name: "goes-there", spares: "it writes at the end that it went to" };

const WORDS: Words = Words::cost(
    "file size found by lseek(SEEK_END) and back instead of fstat()",
    "fstat tells the size in one call and leaves the position alone",
    "the program may want the position at the end for something else",
);

#[derive(Debug)]
struct SizeBySeeking {
    guards: Guards,
    gone: Recent<FileNumber, Gone>,
    cases: Cases,
}

#[derive(Debug)]
struct Gone {
    seeks: Vec<Claim>,
    is_back: bool,
    has_written: bool,
}

impl Rule for SizeBySeeking {
    fn observe(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.file.filter(|_| !moment.is_loaders) else { return };
        match moment.action() {
            FileAction::Seek { whence: Whence::End, .. } if moment.is_ok() => {
                let gone = Gone { seeks: vec![moment.claim()], is_back: false, has_written: false };
                self.gone.insert(file.number, gone);
            }
            FileAction::Seek { whence: Whence::Start, .. } => {
                if let Some(gone) = self.gone.get_mut(&file.number) {
                    gone.is_back = true;
                    gone.seeks.push(moment.claim());
                }
            }
            FileAction::Read { offset: None, .. } => {
                if let Some(gone) = self.gone.remove(&file.number)
                    && gone.is_back
                    && !self.guards.spare(BLOCK_DEVICE, file.kind == Some(FileKind::Block))
                    && !self.guards.spare(ADDS, gone.has_written)
                {
                    let kept = gone.seeks.len().saturating_sub(2);
                    self.cases.claim(moment, &gone.seeks[kept..]);
                }
            }
            FileAction::Write { .. } => {
                self.gone.get_mut(&file.number).into_iter().for_each(|gone| gone.has_written = true);
            }
            FileAction::Close { .. } => drop(self.gone.remove(&file.number)),
            _ => {}
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{BOTH, READ};
    crate::trio::Trio {
        rule: 7,
        waste: |script| {
            for _ in 0..3 {
                let file = script.open("/data/a", READ);
                script.seek(file, 0, Whence::End, 900);
                script.seek(file, 0, Whence::Start, 0);
                script.read(file, 900, 900);
                script.close(file);
            }
        },
        count: 3,
        fixed: |script| {
            let file = script.open("/data/a", READ);
            script.fstat(file, 900);
            script.read(file, 900, 900);
        },
        look_alikes: &[
            ("block-device", |script| {
                let file = script.open("/data/disk", READ);
                script.fstat_as(file, FileKind::Block, 0);
                script.seek(file, 0, Whence::End, 1 << 30);
                script.seek(file, 0, Whence::Start, 0);
                script.read(file, 512, 512);
            }),
            ("goes-there", |script| {
                let file = script.open("/data/db", BOTH);
                script.seek(file, 0, Whence::End, 900);
                script.write(file, 100);
                script.seek(file, 0, Whence::Start, 0);
                script.read(file, 1000, 1000);
            }),
        ],
    }
};
