//! A removal that takes long after a signal says so, and from then on another signal ends it: what
//! is left is named and goes with the next run.

use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// How long a removal goes on without a word.
const WORDLESS: Duration = Duration::from_secs(1);

static LISTENER: OnceLock<Listener> = OnceLock::new();

/// Who hears of removals that take long, and who ends them.
#[derive(Debug)]
pub(super) struct Listener {
    say: fn(&str),
    /// Raised by every signal that ends a run.
    signal: Arc<AtomicBool>,
    /// A signal came: somebody waits for the end of the run.
    is_ending: AtomicBool,
    /// The user has ended one: no other goes on for longer than it would without a word.
    is_over: AtomicBool,
    wordless: Duration,
}

/// From now on removals that take longer than a second are told to `say`, once `signal` was raised; where
/// it is raised after that, they end. The first call of a process counts.
pub fn announce_removals(say: fn(&str), signal: Arc<AtomicBool>) {
    let _the_first_counts = LISTENER.set(Listener::new(say, signal, WORDLESS));
}

impl Listener {
    pub(super) fn new(say: fn(&str), signal: Arc<AtomicBool>, wordless: Duration) -> Self {
        let [is_ending, is_over] = [false; 2].map(AtomicBool::new);
        Self { say, signal, is_ending, is_over, wordless }
    }
}

/// How one removal goes.
#[derive(Debug)]
pub(crate) struct Patience<'a> {
    listener: Option<&'a Listener>,
    path: &'a Path,
    begun: Instant,
    removed: u64,
    is_announced: bool,
    is_over: bool,
}

/// The user did not want to wait for the end of a removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GivenUp {
    /// Files that were removed before.
    removed: u64,
}

impl fmt::Display for GivenUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "interrupted after {} files; the next run in the same directory removes the rest",
            self.removed
        )
    }
}

impl<'a> Patience<'a> {
    /// That of this process, with a removal that begins now.
    pub(crate) fn new(path: &'a Path) -> Self {
        Self::with(LISTENER.get(), path)
    }

    pub(super) fn with(listener: Option<&'a Listener>, path: &'a Path) -> Self {
        Self { listener, path, begun: Instant::now(), removed: 0, is_announced: false, is_over: false }
    }

    /// The user waits no longer.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// One file more is gone. Errors: that is all the user waits for.
    pub(super) fn removed_one(&mut self) -> Result<(), GivenUp> {
        self.removed += 1;
        let Some(listener) = self.listener else { return Ok(()) };
        if self.is_announced {
            if !listener.signal.load(Ordering::Relaxed) {
                return Ok(());
            }
            listener.is_over.store(true, Ordering::Relaxed);
        } else if self.begun.elapsed() < listener.wordless {
            return Ok(());
        }
        if listener.is_over.load(Ordering::Relaxed) {
            self.is_over = true;
            return Err(GivenUp { removed: self.removed });
        }
        listener.is_ending.fetch_or(listener.signal.load(Ordering::Relaxed), Ordering::Relaxed);
        if !listener.is_ending.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.is_announced = true;
        // The signal that ended the run is not one that ends this.
        listener.signal.store(false, Ordering::Relaxed);
        (listener.say)(&format!(
            "removing the files in {}: {} are gone, there are more; Ctrl-C leaves them to the next run",
            self.path.display(),
            self.removed
        ));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::scratch::Scratch;
    use std::fs;
    use std::sync::atomic::AtomicU32;

    fn impatient(say: fn(&str)) -> Listener {
        // The signal that has ended the run.
        Listener::new(say, Arc::new(AtomicBool::new(true)), Duration::ZERO)
    }

    /// A directory with a tree of 100 files and 10 files beside it.
    fn filled(place: &Path) -> Scratch {
        let scratch = Scratch::create(place).unwrap();
        let tree = scratch.make_tree().unwrap();
        (0..100).for_each(|number| fs::write(tree.join(number.to_string()), "").unwrap());
        let series = scratch.claim_series(10).unwrap();
        (0..10).for_each(|number| drop(scratch.create_file(&series.name(number)).unwrap()));
        scratch
    }

    #[test]
    fn a_long_removal_is_announced_once_and_goes_on() {
        static SAID: AtomicU32 = AtomicU32::new(0);
        let listener = impatient(|words| {
            assert!(words.contains(".fathom-") && words.contains("Ctrl-C"), "{words}");
            SAID.fetch_add(1, Ordering::Relaxed);
        });
        let place = tempfile::tempdir().unwrap();
        let scratch = filled(place.path());
        let removal = scratch.held.remove_with(&mut Patience::with(Some(&listener), scratch.path()));
        assert!(removal.is_complete() && removal.files == 110, "{removal}");
        assert_eq!(SAID.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn nothing_is_said_before_a_signal() {
        let listener = impatient(|words| panic!("{words}"));
        listener.signal.store(false, Ordering::Relaxed);
        let place = tempfile::tempdir().unwrap();
        let scratch = filled(place.path());
        let removal = scratch.held.remove_with(&mut Patience::with(Some(&listener), scratch.path()));
        assert!(removal.is_complete(), "{removal}");
    }

    #[test]
    fn a_signal_after_the_announcement_ends_it_and_a_later_run_removes_the_rest() {
        static SIGNAL: OnceLock<Arc<AtomicBool>> = OnceLock::new();
        let listener = impatient(|_| SIGNAL.get().unwrap().store(true, Ordering::Relaxed));
        SIGNAL.set(Arc::clone(&listener.signal)).unwrap();
        let place = tempfile::tempdir().unwrap();
        let scratch = filled(place.path());
        let path = scratch.path().to_owned();
        let removal = scratch.held.remove_with(&mut Patience::with(Some(&listener), &path));
        assert!(!removal.is_complete());
        let words = removal.to_string();
        assert!(words.contains("interrupted after 2 files") && words.contains("next run"), "{words}");
        assert!(path.join(super::super::marker::NAME).exists(), "the next run knows it by that");
        // What another directory holds is left too.
        let mut other = Patience::with(Some(&listener), &path);
        assert_eq!(other.removed_one(), Err(GivenUp { removed: 1 }));
        drop(scratch);
        let marker = fs::read_to_string(path.join(super::super::marker::NAME)).unwrap();
        let this = format!("pid {}\n", std::process::id());
        // No process has a number beyond the largest the kernel allows.
        let dead = path.with_file_name(".fathom-4194399-0123abcd");
        fs::write(path.join(super::super::marker::NAME), marker.replace(&this, "pid 4194399\n")).unwrap();
        fs::rename(&path, &dead).unwrap();
        let found = super::super::leftovers(place.path()).unwrap();
        assert!(found.iter().all(super::super::Removal::is_complete) && found.len() == 1, "{found:?}");
        assert!(!dead.exists());
    }
}
