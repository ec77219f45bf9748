//! A directory opened for writing, on every file system that can be had: those
//! that are mounted, those of the places, and, when asked for, fresh ones.

pub(super) mod attempts;
pub(super) mod images;
mod mounts;

use super::Interrupted;
use super::ground::Ground;
use super::performer::{Performer, Trouble};
use super::rows::{Found, Rows};
use attempts::Attempt;
use images::Tried;
use mounts::Mount;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The one case there is.
pub(super) const CASE: &str = "open a directory";
/// A file system that does not answer so long is left alone: its server may be gone.
const ANSWER_LIMIT: Duration = Duration::from_secs(10);
const FRESH: &str = "fresh file systems";

/// Tries a directory of ours in one place and, when asked for, file systems
/// made in it.
pub(super) fn run(ground: &Ground<'_>, mount: bool, rows: &mut Rows<'_>) -> Result<(), Interrupted> {
    let setting = format!("{}, a directory of ours", ground.name);
    rows.attempt(CASE, &setting, || {
        let directory = ground.fresh()?;
        try_directory(&mut ground.start(&["open-directory", "."], &directory)?)
    })?;
    if !mount {
        let reason = "making and mounting file systems has to be asked for: --mount (root only)";
        return rows.add(CASE, FRESH, Err(Trouble::Failed(reason.to_owned())));
    }
    rows.trying(CASE, FRESH);
    let tried = ground.fresh().and_then(|directory| {
        let mut performer = ground.start(&["mount-and-open"], &directory)?;
        performer.answer::<Vec<Tried>>()
    });
    match tried {
        Ok(all) => all.into_iter().try_for_each(|tried| {
            let found = tried.result.map(|attempts| told(&attempts)).map_err(Trouble::Failed);
            rows.add(CASE, &format!("{}, mounted for this", tried.file_system), found)
        }),
        Err(trouble) => rows.add(CASE, FRESH, Err(trouble)),
    }
}

/// Tries one mount of each type that is mounted and can be written; the rest
/// is listed with the reason.
pub(super) fn run_on_mounts(stop: &AtomicBool, rows: &mut Rows<'_>) -> Result<(), Interrupted> {
    let all = match mounts::read() {
        Ok(all) => all,
        Err(reason) => return rows.add(CASE, "mounted file systems", Err(Trouble::Failed(reason))),
    };
    let kinds: BTreeSet<&str> = all.iter().map(|mount| mount.kind.as_str()).collect();
    for kind in kinds {
        let of_kind: Vec<&Mount> = all.iter().filter(|mount| mount.kind == kind).collect();
        let reasons: Vec<Option<String>> = of_kind.iter().map(|mount| mount.why_not()).collect();
        if let Some(at) = reasons.iter().position(Option::is_none) {
            let setting = format!("{kind} {}", of_kind[at].point.display());
            rows.attempt(CASE, &setting, || try_mount(of_kind[at], stop))?;
        } else {
            // The last one mounted is the one that can be seen.
            let last = of_kind.last().map_or_else(String::new, |mount| format!(" {}", mount.point.display()));
            let reason = reasons.into_iter().flatten().next_back().unwrap_or_default();
            let setting = format!("{kind}{last}");
            rows.add(CASE, &setting, Err(Trouble::Failed(reason)))?;
        }
    }
    Ok(())
}

/// The mount's own directory: nothing is made in a file system that is not ours.
fn try_mount(mount: &Mount, stop: &AtomicBool) -> Result<Found, Trouble> {
    let point = mount.point.to_str().ok_or_else(|| Trouble::Failed("its path is no UTF-8".to_owned()))?;
    try_directory(&mut Performer::start(None, &["open-directory", point], Path::new("/"), stop)?)
}

fn try_directory(performer: &mut Performer<'_>) -> Result<Found, Trouble> {
    let line = performer.hear_within(ANSWER_LIMIT)?.ok_or(Trouble::Silent(ANSWER_LIMIT))?;
    let attempts: Vec<Attempt> =
        serde_json::from_str(&line).map_err(|error| Trouble::Failed(format!("`{line}`: {error}")))?;
    Ok(told(&attempts))
}

fn told(attempts: &[Attempt]) -> Found {
    let differing: Vec<String> = attempts
        .iter()
        .filter(|attempt| attempt.asks_for_writing && attempt.result != "EISDIR")
        .map(|attempt| format!("{}: {}", attempt.flags, attempt.result))
        .collect();
    let meaning = if differing.is_empty() {
        "As POSIX requires since 1997: EISDIR whenever writing is asked for, so that an fstat after an open for \
         writing can find no directory."
            .to_owned()
    } else {
        format!("Differs from what POSIX requires since 1997 (EISDIR): {}.", differing.join(", "))
    };
    let mut sorted: Vec<&Attempt> = attempts.iter().collect();
    // What has the same result stands together; the order of flags stays.
    sorted.sort_by(|a, b| a.result.cmp(&b.result));
    let count =
        |found: Found, attempt: &Attempt| found.count(format!("{}: {}", attempt.result, attempt.flags), 1);
    sorted.into_iter().fold(Found::meaning(meaning), count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_lab::Silent;

    fn meaning(attempts: &[Attempt]) -> String {
        let mut silent = Silent;
        let mut rows = Rows::new(&mut silent);
        rows.add(CASE, "x", Ok(told(attempts))).unwrap();
        rows.into_outcomes().remove(0).meaning
    }

    #[test]
    fn a_file_system_that_differs_is_named_with_the_flags() {
        let place = tempfile::tempdir().unwrap();
        let mut attempts = attempts::try_all(place.path()).unwrap();
        assert!(meaning(&attempts).starts_with("As POSIX"), "{attempts:?}");
        attempts[0].result = "opened".to_owned();
        assert_eq!(
            meaning(&attempts),
            "Differs from what POSIX requires since 1997 (EISDIR): O_WRONLY: opened."
        );
    }
}
