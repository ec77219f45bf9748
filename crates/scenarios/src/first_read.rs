//! The first read of a fresh process, after several preparations: of a virtual
//! machine that compiles as it goes, and of a compiled program.

use super::Interrupted;
use super::ground::{Ground, write};
use super::performer::Trouble;
use super::program::Program;
use super::rows::{Found, Rows};
use fathom_stats::median;
use fathom_sys::clock::monotonic_ns;
use serde::Deserialize;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Processes where a p99 is to have an interval: 0.99^368 is 2.5 %.
const MANY: u64 = 400;
/// Processes of the other rows.
const FEW: u64 = 100;
/// Processes that are watched for longer.
const WATCHED: u64 = 7;
/// How long those go on reading.
const WATCH_MS: u32 = 3500;
/// Reads of a preparation that reads: more than make the compiler start.
const READS: u64 = 5000;
/// Windows from which a steady time is taken.
const WINDOWS: usize = 5;
/// The file's bytes.
const SIZE: usize = 128;
/// The flags of the publication.
const FLAGS: [&str; 2] = ["-XX:+UseG1GC", "-XX:MaxGCPauseMillis=50"];
/// Makes the virtual machine ignore the program's wish for a collection.
const NO_COLLECTION: &str = "-XX:+DisableExplicitGC";

/// Preparations of the virtual machine: the driver's word, the setting, processes, one more flag.
const PREPARATIONS: [(&str, &str, u64, Option<&str>); 7] = [
    ("none", "no warm-up", MANY, None),
    ("reflection", "called once by reflection", MANY, None),
    ("executed-collected", "executed before, then a collection and rest", MANY, None),
    ("executed", "executed before", FEW, None),
    ("executed-rested", "executed before, then rest", FEW, None),
    ("collected", "a collection and rest", FEW, None),
    ("collected", "a collection and rest, with -XX:+DisableExplicitGC", 20, Some(NO_COLLECTION)),
];

/// Preparations of Go's.
const GO_PREPARATIONS: [(&str, &str, u64); 3] = [
    ("none", "no warm-up", MANY),
    ("executed", "executed before", FEW),
    ("executed-collected", "executed before, then a collection and rest", FEW),
];

/// Tries every preparation on a file in one place.
pub(super) fn run(ground: &Ground<'_>, stop: &AtomicBool, rows: &mut Rows<'_>) -> Result<(), Interrupted> {
    let file = ground.fresh().and_then(|directory| {
        let path = directory.join("small");
        write(&path, &[b'x'; SIZE]).map(|()| path)
    });
    let file = file.map_err(|trouble| trouble.to_string());
    let file = || file.as_deref().map_err(|reason| Trouble::Failed(reason.clone()));
    let drivers =
        ["java", "go"].map(|name| Program::of_driver(name, stop).map_err(|error| error.to_string()));
    let [java, go] = &drivers;
    let java = || java.as_ref().map_err(|reason| Trouble::Failed(reason.clone()));
    for (word, setting, processes, flag) in PREPARATIONS {
        rows.attempt("read a file first in a fresh JVM", setting, || {
            first_reads(java()?, file()?, (word, flag), processes)
        })?;
    }
    for (word, setting, ..) in PREPARATIONS.iter().take(3) {
        rows.attempt("read on until a JVM is steady", setting, || steady(java()?, file()?, word))?;
    }
    for (word, setting, processes) in GO_PREPARATIONS {
        rows.attempt("read a file first in a fresh Go process", setting, || {
            let go = go.as_ref().map_err(|reason| Trouble::Failed(reason.clone()))?;
            go_first_reads(go, file()?, word, processes)
        })?;
    }
    Ok(())
}

/// What a process says.
#[derive(Debug, Deserialize)]
struct First {
    #[serde(rename = "first_ns")]
    ns: u64,
    bytes: usize,
    collections: u64,
    /// For each window of later reads: its end since the start of the process, and ns for each read.
    #[serde(default)]
    windows: Vec<(u64, u64)>,
}

/// One process of the virtual machine.
fn ask_java(
    java: &Program<'_>,
    file: &Path,
    (word, flag): (&str, Option<&str>),
    watch_ms: u32,
) -> Result<First, Trouble> {
    let flags: Vec<String> = FLAGS.into_iter().chain(flag).map(str::to_owned).collect();
    let path = file.to_string_lossy().into_owned();
    let spawned = monotonic_ns().to_string();
    let words =
        ["first-read".to_owned(), word.to_owned(), path, READS.to_string(), spawned, watch_ms.to_string()];
    right(java.ask(&flags, &words, None)?.said)
}

fn right(said: First) -> Result<First, Trouble> {
    if said.bytes == SIZE {
        return Ok(said);
    }
    Err(Trouble::Failed(format!("read {} of {SIZE} bytes", said.bytes)))
}

fn first_reads(
    java: &Program<'_>,
    file: &Path,
    preparation: (&str, Option<&str>),
    processes: u64,
) -> Result<Found, Trouble> {
    let all: Result<Vec<First>, Trouble> =
        (0..processes).map(|_| ask_java(java, file, preparation, 0)).collect();
    Ok(found(java, &all?))
}

fn go_first_reads(go: &Program<'_>, file: &Path, word: &str, processes: u64) -> Result<Found, Trouble> {
    let path = file.to_string_lossy().into_owned();
    let words = ["first-read".to_owned(), word.to_owned(), path, READS.to_string()];
    let all: Result<Vec<First>, Trouble> =
        (0..processes).map(|_| right(go.ask(&[], &words, None)?.said)).collect();
    Ok(found(go, &all?))
}

fn found(program: &Program<'_>, all: &[First]) -> Found {
    let times_us: Vec<f64> = all.iter().map(|said| said.ns as f64 / 1e3).collect();
    let collected = all.iter().filter(|said| said.collections > 0).count() as u64;
    Found::meaning(format!("{}, a process for each read.", program.runtime()))
        .count("processes", all.len() as u64)
        .count("with a collection", collected)
        .tries("the first read", "µs", &times_us)
}

/// Processes that read on: when their reads became as fast as they are in the end.
fn steady(java: &Program<'_>, file: &Path, word: &str) -> Result<Found, Trouble> {
    let all: Result<Vec<First>, Trouble> =
        (0..WATCHED).map(|_| ask_java(java, file, (word, None), WATCH_MS)).collect();
    let all = all?;
    let steady_ms: Vec<f64> = all.iter().filter_map(|said| steady_from_ms(&said.windows)).collect();
    let last_us: Vec<f64> = all.iter().filter_map(|said| last_ns(&said.windows)).map(|ns| ns / 1e3).collect();
    Ok(Found::meaning(
        "Steady: the first five windows of 20 ms whose median is within a quarter of the last second's.",
    )
    .count("processes", all.len() as u64)
    .count("that became steady", steady_ms.len() as u64)
    .tries("from the start of the process until steady", "ms", &steady_ms)
    .tries("a read in the last second", "µs", &last_us))
}

/// ns for each read in the last second.
fn last_ns(windows: &[(u64, u64)]) -> Option<f64> {
    let end = windows.last()?.0;
    let late: Vec<f64> =
        windows.iter().filter(|(at, _)| at + 1_000_000_000 > end).map(|&(_, ns)| ns as f64).collect();
    median(&late)
}

/// When the first windows end whose median is near that of the last second.
fn steady_from_ms(windows: &[(u64, u64)]) -> Option<f64> {
    let limit = last_ns(windows)? * 1.25;
    let some = windows.windows(WINDOWS).find(|some| {
        let times: Vec<f64> = some.iter().map(|&(_, ns)| ns as f64).collect();
        median(&times).is_some_and(|ns| ns <= limit)
    })?;
    Some(some[0].0 as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    #[test]
    fn steady_time_is_that_of_the_first_fast_windows() {
        let window = |number: u64| (number * 20_000_000, if number <= 10 { 9000 } else { 1000 });
        let windows: Vec<_> = (1..=100).map(window).collect();
        // Three of five windows are fast from the ninth on.
        assert_eq!(steady_from_ms(&windows), Some(180.0));
        assert_eq!(last_ns(&windows), Some(1000.0));
        assert_eq!(steady_from_ms(&[]), None);
    }

    #[test]
    fn every_preparation_reads_the_file_and_collects_when_it_says_so() {
        let Ok(java) = Program::of_driver("java", &GO_ON) else { return };
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("small");
        write(&file, &[b'x'; SIZE]).unwrap();
        for (word, setting, _, flag) in PREPARATIONS {
            let said = ask_java(&java, &file, (word, flag), 0).unwrap();
            let collects = word.ends_with("collected") && flag.is_none();
            assert!(said.ns > 0 && said.windows.is_empty(), "{setting}: {said:?}");
            assert!(!collects || said.collections > 0, "{setting}: {said:?}");
        }
        let refused = ask_java(&java, &file, ("collected", Some(NO_COLLECTION)), 0).unwrap();
        assert_eq!(refused.collections, 0, "nothing else makes it collect so early");
        let watched = ask_java(&java, &file, ("none", None), 200).unwrap();
        assert!(watched.windows.len() > 1, "{watched:?}");
        assert!(watched.windows.is_sorted(), "{watched:?}");
    }

    #[test]
    fn a_go_process_reads_first_in_every_preparation() {
        let Ok(go) = Program::of_driver("go", &GO_ON) else { return };
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("small");
        write(&file, &[b'x'; SIZE]).unwrap();
        for (word, ..) in GO_PREPARATIONS {
            let found = go_first_reads(&go, &file, word, 2).unwrap();
            assert!(format!("{found:?}").contains("the first read"), "{found:?}");
        }
    }
}
