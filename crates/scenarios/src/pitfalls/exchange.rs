//! The part that swaps two names as fast as it can, each always there
//! (`renameat2` with `RENAME_EXCHANGE`), or once each time it is asked.

use crate::lines::{Failure, hear, is_called, say, say_all};
use crate::performer::{Performer, Trouble};
use rustix::fs::{CWD, RenameFlags, renameat_with};

/// Swaps between two looks for a word of the lab.
const SWAPS_PER_LOOK: u32 = 32;

/// Plays it: `FIRST SECOND`.
pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    let [first, second] = words else { return Err("which two names?".into()) };
    let mut swaps: u64 = 0;
    let mut swap = || {
        renameat_with(CWD, *first, CWD, *second, RenameFlags::EXCHANGE)
            .map_err(|errno| format!("the file system cannot exchange two names: {errno}"))
            .map(|()| swaps += 1)
    };
    // Twice: everything is where it was, and it is known to work.
    swap()?;
    swap()?;
    say("ready")?;
    while let Some(word) = hear()? {
        match word.as_str() {
            "run" => {
                say("running")?;
                while !is_called()? {
                    (0..SWAPS_PER_LOOK).try_for_each(|_| swap())?;
                }
            }
            "swap" => {
                swap()?;
                say("swapped")?;
            }
            _ => break,
        }
    }
    say_all(&(swaps - 2))
}

/// Lets it run while `meanwhile` does; the swaps it made.
pub(super) fn during<T>(
    exchanger: &mut Performer<'_>,
    meanwhile: impl FnOnce() -> Result<T, Trouble>,
) -> Result<(T, u64), Trouble> {
    exchanger.tell("run")?;
    exchanger.expect("running")?;
    let result = meanwhile()?;
    exchanger.tell("stop")?;
    Ok((result, exchanger.answer()?))
}
