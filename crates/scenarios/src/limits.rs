//! Limits that an open or a write meets: lengths of names and paths, sizes of
//! files, and inodes that run out while there is space.

mod lengths;
mod room;
mod sizes;

use super::Interrupted;
use super::answers::{Answer, Met, play};
use super::ground::Ground;
use super::lines::{Failure, say_all};
use super::performer::Trouble;
use super::rows::Rows;

/// What makes and mounts file systems.
const ROOM: &str = "make files until none can be made";

/// Tries all in one place, and on file systems made in it when asked for.
pub(super) fn run(ground: &Ground<'_>, mount: bool, rows: &mut Rows<'_>) -> Result<(), Interrupted> {
    let file_system = ground.name.clone();
    play(rows, "every length and size", || ground.start(&["meet-limits", &file_system], &ground.fresh()?))?;
    if mount {
        return play(rows, ROOM, || ground.start(&["fill-file-systems"], &ground.fresh()?));
    }
    let reason = "making and mounting file systems has to be asked for: --mount (root only)";
    rows.add(ROOM, "fresh file systems", Err(Trouble::Failed(reason.to_owned())))
}

/// Plays the process that meets the limits of its directory: `FILE-SYSTEM`.
pub(super) fn meet(words: &[&str]) -> Result<(), Failure> {
    let [file_system] = words else { return Err("on which file system?".into()) };
    let mut all = lengths::of_names();
    all.extend(lengths::of_paths());
    all.push(lengths::of_a_deep_directory());
    all.push(sizes::of_a_file(file_system));
    say_all(&all)
}

/// Plays the process that fills file systems of its own.
pub(super) fn fill() -> Result<(), Failure> {
    say_all(&room::fill_all()?)
}
