//! Files in memory beside a file of a directory: what is allocated when, what is
//! seen of them from outside, and what is left of them.

mod allocation;
mod keeping;
pub(super) mod subject;

use super::Interrupted;
use super::answers::play;
use super::ground::Ground;
use super::lines::{Failure, say_all};
use super::performer::Performer;
use super::rows::Rows;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use subject::Subject;

/// Bytes of each file.
const BYTES: usize = 16 << 20;
const EVERYTHING: &str = "every property of a file in memory";

/// Tries a file of one place.
pub(super) fn run(ground: &Ground<'_>, rows: &mut Rows<'_>) -> Result<(), Interrupted> {
    play(rows, EVERYTHING, || ground.start(&["try-memory-file", &ground.name], &ground.fresh()?))?;
    rows.attempt(keeping::AFTERWARDS, &ground.name, || {
        let directory = ground.fresh()?;
        let holder = ground.start(&["hold-memory-file", &ground.name], &directory)?;
        keeping::after_its_process(holder, &directory)
    })
}

/// Tries a memfd, which lies in no place.
pub(super) fn run_on_memfd(stop: &AtomicBool, rows: &mut Rows<'_>) -> Result<(), Interrupted> {
    let start = |word| Performer::start(None, &[word, subject::MEMFD], Path::new("/"), stop);
    play(rows, EVERYTHING, || start("try-memory-file"))?;
    rows.attempt(keeping::AFTERWARDS, subject::MEMFD, || {
        keeping::after_its_process(start("hold-memory-file")?, Path::new("/"))
    })
}

/// Plays the process that tries all of one kind: `memfd`, or a directory's name.
pub(super) fn try_all(words: &[&str]) -> Result<(), Failure> {
    let [name] = words else { return Err("of which kind?".into()) };
    let subject = Subject::named(name);
    let mut all = allocation::try_all(&subject);
    all.extend(keeping::try_all(&subject));
    say_all(&all)
}

/// Plays the process that holds a file until it is killed.
pub(super) fn hold(words: &[&str]) -> Result<(), Failure> {
    let [name] = words else { return Err("of which kind?".into()) };
    keeping::hold(&Subject::named(name))
}
