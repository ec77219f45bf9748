//! All scratch directories of this process, for the paths on which nothing is dropped.

use super::Removal;
use super::held::Held;
use std::sync::{Arc, Mutex, PoisonError, Weak};

static HELD: Mutex<Vec<Weak<Held>>> = Mutex::new(Vec::new());
static REPORTS: Mutex<Vec<Removal>> = Mutex::new(Vec::new());

/// Removes every scratch directory of this process, the newest first: for the
/// interrupt and panic paths. Whoever still writes there gets an error.
pub fn remove_all() -> Vec<Removal> {
    let held: Vec<_> = HELD.lock().unwrap_or_else(PoisonError::into_inner).drain(..).collect();
    held.iter().rev().filter_map(Weak::upgrade).map(|held| held.remove()).collect()
}

/// The removals at drop that left something behind since this was last asked.
pub fn take_reports() -> Vec<Removal> {
    std::mem::take(&mut *REPORTS.lock().unwrap_or_else(PoisonError::into_inner))
}

pub(super) fn enter(held: &Arc<Held>) {
    let mut all = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    all.retain(|weak| weak.strong_count() > 0);
    all.push(Arc::downgrade(held));
}

/// Keeps what became of a directory for who asks, where something stays.
pub(crate) fn report(removal: Removal) {
    if !removal.is_complete() {
        let mut reports = REPORTS.lock().unwrap_or_else(PoisonError::into_inner);
        if !reports.contains(&removal) {
            reports.push(removal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::scratch::{Scratch, ScratchError};

    #[test]
    fn a_scratch_removed_from_elsewhere_takes_no_more_files_and_drop_reports_what_stays() {
        // Not by `remove_all`: that would take the directories of the tests running beside this one.
        let place = tempfile::tempdir().unwrap();
        let scratch = Scratch::create(place.path()).unwrap();
        let series = scratch.claim_series(1).unwrap();
        std::fs::write(scratch.path().join("theirs"), "").unwrap();
        let registered =
            HELD.lock().unwrap().iter().filter_map(Weak::upgrade).find(|h| h.path() == scratch.path());
        let removal = registered.expect("entered at creation").remove();
        assert_eq!(removal.foreign, ["theirs"]);
        assert!(matches!(scratch.create_file(&series.name(0)), Err(ScratchError::Removed(_))));
        assert!(matches!(scratch.claim_series(1), Err(ScratchError::Removed(_))));
        drop(scratch);
        assert!(take_reports().contains(&removal));
    }

    #[test]
    fn all_directories_go_at_once_and_other_threads_get_errors() {
        const ALONE: &str = "FATHOM_TEST_ALONE";
        if std::env::var_os(ALONE).is_none() {
            // In a process of its own: this removes the directories of every test running in it.
            let output = std::process::Command::new(std::env::current_exe().unwrap())
                .args(["--exact", std::thread::current().name().unwrap()])
                .env(ALONE, "1")
                .output()
                .unwrap();
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && text.contains("1 passed"), "{text}");
            return;
        }
        let place = tempfile::tempdir().unwrap();
        let both = [Scratch::create(place.path()).unwrap(), Scratch::create(place.path()).unwrap()];
        let series = both[1].claim_series(1).unwrap();
        both[1].create_file(&series.name(0)).unwrap();
        let removals = remove_all();
        assert_eq!(removals.iter().map(|removal| removal.files).collect::<Vec<_>>(), [1, 0]);
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
        assert!(matches!(both[0].claim_series(1), Err(ScratchError::Removed(_))));
        assert_eq!(remove_all(), []);
    }
}
