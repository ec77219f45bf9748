//! R02: fstat straight after opening a directory as one.

use crate::cases::Cases;
use crate::claims::Claims;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::Deed;
use fathom_events::{FileAction, FileKind, Target};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(2),
    name: "fstat-after-directory-open",
    needs: "fstat with the kind it told",
    guards: &[MAY_BE_FILE, FEW],
    begin: |guards| {
        Box::new(DirectoryStat { guards, count: 0, calls: Claims::default(), cases: Cases::default() })
    },
};

const MAY_BE_FILE: Guard =
    Guard { name: "may-be-file", spares: "it was opened without O_DIRECTORY: the answer tells what it is" };
const FEW: Guard =
    Guard { name: "few", spares: "opendir asks so once for each directory; a handful is not worth a word" };

/// From this many on it is worth a word.
const HABIT: u64 = 64;

const WORDS: Words = Words::cost(
    "redundant fstat() of a directory opened with O_DIRECTORY",
    "O_DIRECTORY fails with ENOTDIR on all else: drop the question (the C library's opendir asks for the block size)",
    "the inode's number or the time of the last change may be used",
);

#[derive(Debug)]
struct DirectoryStat {
    guards: Guards,
    count: u64,
    /// Those that are not told yet.
    calls: Claims,
    cases: Cases,
}

impl Rule for DirectoryStat {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::StatOpen])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let FileAction::Stat { target: Target::Descriptor(_), facts: Some(facts), .. } = moment.action()
        else {
            return;
        };
        let Some(file) = moment.file.filter(|_| moment.is_judged() && moment.is_ok()) else { return };
        if facts.kind != Some(FileKind::Directory)
            || !file.was_last(Deed::Made)
            || self.guards.spare(MAY_BE_FILE, !open_flags::has(file.flags, open_flags::DIRECTORY))
        {
            return;
        }
        self.count += 1;
        self.calls.push(moment.claim());
        if self.guards.spare(FEW, self.count < HABIT) {
            return;
        }
        // Those before the habit was told are added with the one that makes it.
        let calls = std::mem::take(&mut self.calls);
        self.cases.claim_libcs(moment, calls.calls(), &calls);
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    fn walk(script: &mut Script, directories: usize, flags: u32) {
        for number in 0..directories {
            let path = format!("/data/{number}");
            let directory = script.open(&path, READ | flags);
            script.fstat_as(directory, FileKind::Directory, 4096);
            script.close(directory);
        }
    }
    crate::trio::Trio {
        rule: 2,
        waste: |script| walk(script, 100, open_flags::DIRECTORY),
        count: 100,
        fixed: |script| {
            let directory = script.open("/data", READ | open_flags::DIRECTORY);
            script.close(directory);
        },
        look_alikes: &[
            ("may-be-file", |script| walk(script, 100, 0)),
            ("few", |script| walk(script, 10, open_flags::DIRECTORY)),
        ],
    }
};
