//! Several threads that read one file: who gets the bytes of an offset that
//! another one asked for.

pub(super) mod threads;

use super::Interrupted;
use super::go_program;
use super::ground::{Ground, write};
use super::performer::{Performer, Trouble};
use super::rows::{Found, Rows};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use threads::Way;

/// The one case there is.
pub(super) const CASE: &str = "read blocks of one file by several threads";
/// Blocks of the file, each filled with its own number.
const BLOCKS: usize = 256;
/// Bytes of a block.
const BLOCK: usize = 4096;
/// Readers of a free race.
const READERS: usize = 4;
/// Reads of each reader in a free race, and of one where the steps are ordered.
const FREE: usize = 5000;
const FORCED: usize = 50;
/// A free race may take long where many others want the CPUs.
const LIMIT: Duration = Duration::from_mins(3);

/// Ways of Go, and whether another goroutine can be made to seek in the middle.
const GO_WAYS: [(&str, bool); 4] = [
    ("ReadAt", true),
    ("Seek, then Read", true),
    ("Seek, then Read, a mutex around both", false),
    ("Seek, then Read, a file of its own each", true),
];

/// What the readers got.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Tally {
    tries: u64,
    /// The block that was asked for.
    right: u64,
    /// Another one.
    other: u64,
    /// Less than a block: the offset was the file's end.
    nothing: u64,
}

/// Who is in the way of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Another thread sets the offset between the two steps of each read.
    Forced,
    /// Nobody is told when to read.
    Free,
}

impl Order {
    fn word(self) -> &'static str {
        match self {
            Self::Forced => "forced",
            Self::Free => "free",
        }
    }

    fn in_words(self) -> &'static str {
        match self {
            Self::Forced => "another thread's seek in between",
            Self::Free => "4 threads at full speed",
        }
    }

    fn tries(self) -> usize {
        match self {
            Self::Forced => FORCED,
            Self::Free => FREE,
        }
    }
}

/// Tries every way in one place.
pub(super) fn run(ground: &Ground<'_>, rows: &mut Rows<'_>) -> Result<(), Interrupted> {
    let native = Way::ALL.map(|way| ("native", way.word(), way != Way::Locked));
    let go = GO_WAYS.map(|(way, can_be_forced)| ("Go", way, can_be_forced));
    for (language, way, can_be_forced) in native.into_iter().chain(go) {
        for order in [Order::Forced, Order::Free] {
            // A lock keeps the other's seek out of the middle: there is no such order.
            if order == Order::Forced && !can_be_forced {
                continue;
            }
            let setting = format!("{language}: {way} · {}", order.in_words());
            rows.attempt(CASE, &setting, || share(ground, language, way, order))?;
        }
    }
    Ok(())
}

fn share(ground: &Ground<'_>, language: &str, way: &str, order: Order) -> Result<Found, Trouble> {
    let directory = ground.fresh()?;
    write(&directory.join(threads::FILE), &content())?;
    let numbers = [order.tries(), READERS, BLOCKS].map(|number| number.to_string());
    let words = [way, order.word(), &numbers[0], &numbers[1], &numbers[2]];
    let mut performer: Performer<'_> = if language == "Go" {
        go_program::start(ground, &[&["share"], &words[..]].concat(), &directory)?
    } else {
        ground.start(&[&["share-descriptor"], &words[..]].concat(), &directory)?
    };
    Ok(found(performer.answer_within(LIMIT)?))
}

/// Blocks that are known by any eight bytes of theirs.
fn content() -> Vec<u8> {
    (0..BLOCKS).flat_map(|block| (block as u64).to_le_bytes().repeat(BLOCK / 8)).collect()
}

fn found(tally: Tally) -> Found {
    let wrong = tally.other + tally.nothing;
    let meaning = if wrong == 0 {
        "Each read delivers the block that it asked for.".to_owned()
    } else {
        format!(
            "{wrong} of {} reads deliver something else than they asked for, and no call fails.",
            tally.tries
        )
    };
    Found::meaning(meaning)
        .count("tries", tally.tries)
        .count("the block asked for", tally.right)
        .count("another block", tally.other)
        .count("nothing (the file's end)", tally.nothing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_lab::Silent;

    #[test]
    fn what_is_wrong_without_an_error_is_counted() {
        let mut silent = Silent;
        let mut rows = Rows::new(&mut silent);
        rows.add(CASE, "x", Ok(found(Tally { tries: 9, right: 4, other: 3, nothing: 2 }))).unwrap();
        let outcome = rows.into_outcomes().remove(0);
        assert!(outcome.meaning.starts_with("5 of 9 reads"), "{}", outcome.meaning);
        assert_eq!((outcome.count("another block"), outcome.count("nothing (the file's end)")), (3, 2));
    }
}
