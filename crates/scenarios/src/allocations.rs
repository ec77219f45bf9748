//! Allocations of Go's: a buffer for many copies, or one for each, with the collector's
//! log; who serves objects of which size; what io.ReadAll allocates and copies. Beside
//! them, what an open and a close take each.

use super::Interrupted;
use super::ground::{Ground, write};
use super::performer::Trouble;
use super::program::{Answer, Program};
use super::rows::{Found, Rows};
use fathom_stats::median;
use serde::Deserialize;
use std::sync::atomic::AtomicBool;

/// Processes of one row.
const PROCESSES: u64 = 15;
/// Copies that one process makes.
const ITERATIONS: u64 = 1_000_000;
/// Objects that one process keeps.
const OBJECTS: u64 = 10_000;
/// Sizes of the published figures, and the smallest of the published program.
const SIZES: [u64; 4] = [100, 128, 512, 999];
/// Sizes on both sides of the tiny allocator's limit and of the one published for it.
const KEPT_SIZES: [u64; 7] = [8, 15, 16, 100, 128, 129, 999];
/// Sizes of files for io.ReadAll: around those at which its buffers are full, and the published ones.
const FILE_SIZES: [usize; 8] = [128, 511, 512, 513, 769, 1 << 10, 64 << 10, 8 << 20];
/// Opens and closes that one process times.
const TIMED_CALLS: u64 = 20_000;
/// What makes the runtime log every collection on standard error.
const COLLECTOR_LOG: (&str, &str) = ("GODEBUG", "gctrace=1");

/// Forms of the program: the driver's word and the setting.
const FORMS: [(&str, &str); 3] = [
    ("one-buffer", "one buffer before the loop, as published"),
    ("each", "a buffer for each copy"),
    ("escaping", "a buffer for each copy, which escapes"),
];

/// Tries every form and size.
pub(super) fn run(ground: &Ground<'_>, stop: &AtomicBool, rows: &mut Rows<'_>) -> Result<(), Interrupted> {
    let go = Program::of_driver("go", stop);
    let go = go.as_ref().map_err(ToString::to_string);
    for (form, words) in FORMS {
        for size in SIZES {
            rows.attempt("copy a byte into a buffer", &format!("{words} · {size} B"), || {
                copies(go.clone().map_err(Trouble::Failed)?, form, size, PROCESSES)
            })?;
        }
    }
    for size in KEPT_SIZES {
        rows.attempt("keep 10,000 objects", &format!("{size} B"), || {
            kept(go.clone().map_err(Trouble::Failed)?, size)
        })?;
    }
    for size in FILE_SIZES {
        rows.attempt("read a file by io.ReadAll", &format!("{size} B"), || {
            read_all(go.clone().map_err(Trouble::Failed)?, ground, size)
        })?;
    }
    let calls: [(&str, TimeOf); 2] =
        [("syscall.Open", |times| times.open_ns), ("syscall.Close", |times| times.close_ns)];
    for (call, of) in calls {
        rows.attempt("open and close a file, each call timed", call, || {
            call_times(go.clone().map_err(Trouble::Failed)?, ground, of)
        })?;
    }
    Ok(())
}

/// One of the two times.
type TimeOf = fn(&CallTimes) -> f64;

/// What a process says.
#[derive(Debug, Deserialize)]
struct Allocated {
    iterations: u64,
    allocations: u64,
    tiny: u64,
    bytes: u64,
    heap_bytes: u64,
    collections: u64,
    pauses_ns: Vec<u64>,
    pages: u64,
}

fn words(form: &str, size: u64, count: u64) -> [String; 4] {
    ["allocate".to_owned(), form.to_owned(), size.to_string(), count.to_string()]
}

fn copies(go: &Program<'_>, form: &str, size: u64, processes: u64) -> Result<Found, Trouble> {
    let mut all = Vec::new();
    let mut logged = 0;
    for _ in 0..processes {
        let answer = go.ask::<Allocated>(&[], &words(form, size, ITERATIONS), Some(COLLECTOR_LOG))?;
        // The first collection of the log is the one before the figures begin.
        logged += log_lines(&answer.log).saturating_sub(1);
        all.push(answer.said);
    }
    let sum = |of: fn(&Allocated) -> u64| all.iter().map(of).sum::<u64>();
    let pauses_us: Vec<f64> = all.iter().filter_map(median_pause_us).collect();
    let heaps_kb: Vec<f64> = all.iter().map(|said| said.heap_bytes as f64 / 1e3).collect();
    let (copies, allocations) = (sum(|said| said.iterations), sum(|said| said.allocations));
    let collections = sum(|said| said.collections);
    let meaning = format!(
        "{} allocations a copy, {} bytes a copy; {collections} collections in {processes} processes of {}.",
        rounded(allocations, copies),
        rounded(sum(|said| said.bytes), copies),
        go.runtime(),
    );
    Ok(Found::meaning(meaning)
        .count("copies", copies)
        .count("allocations", allocations)
        .count("bytes allocated", sum(|said| said.bytes))
        .count("collections", collections)
        .count("lines of the collector's log", logged)
        .tries("pause of a collection (each process's median)", "µs", &pauses_us)
        .tries("heap in use at the end", "KB", &heaps_kb))
}

fn kept(go: &Program<'_>, size: u64) -> Result<Found, Trouble> {
    let Answer { said, log } = go.ask::<Allocated>(&[], &words("kept", size, OBJECTS), None)?;
    let meaning = format!(
        "{} bytes each; {} of {} lie in a block of the tiny allocator with others; {} objects to a page of 8 KiB.",
        rounded(said.bytes, said.iterations),
        said.tiny,
        said.iterations,
        rounded(said.iterations, said.pages),
    );
    Ok(Found::meaning(meaning)
        .count("objects", said.iterations)
        .count("in a tiny block with others", said.tiny)
        .count("bytes allocated", said.bytes)
        .count("pages of 8 KiB", said.pages)
        .count("collections", said.collections)
        .count("lines of the collector's log", log_lines(&log)))
}

/// What io.ReadAll did for one file.
#[derive(Debug, Deserialize)]
struct ReadAll {
    bytes: u64,
    capacity: u64,
    allocations: u64,
    allocated: u64,
    reads: u64,
    moved: u64,
    empty_read_fails: bool,
}

fn file_of(ground: &Ground<'_>, size: usize) -> Result<String, Trouble> {
    let path = ground.fresh()?.join("file");
    write(&path, &vec![b'x'; size])?;
    Ok(path.to_string_lossy().into_owned())
}

fn read_all(go: &Program<'_>, ground: &Ground<'_>, size: usize) -> Result<Found, Trouble> {
    let words = ["read-all".to_owned(), file_of(ground, size)?];
    let said: ReadAll = go.ask(&[], &words, None)?.said;
    if said.bytes != size as u64 {
        return Err(Trouble::Failed(format!("read {} of {size} bytes", said.bytes)));
    }
    let meaning = "A copied byte lies elsewhere in the result than where it was read to.";
    Ok(Found::meaning(meaning)
        .count("bytes", said.bytes)
        .count("capacity", said.capacity)
        .count("allocations", said.allocations)
        .count("bytes allocated", said.allocated)
        .count("reads", said.reads)
        .count("bytes copied", said.moved)
        .count("error after an empty read", u64::from(said.empty_read_fails)))
}

/// The medians of one process.
#[derive(Debug, Deserialize)]
struct CallTimes {
    open_ns: f64,
    close_ns: f64,
}

fn call_times(go: &Program<'_>, ground: &Ground<'_>, of: fn(&CallTimes) -> f64) -> Result<Found, Trouble> {
    let words = ["call-times".to_owned(), file_of(ground, 128)?, TIMED_CALLS.to_string()];
    let all: Result<Vec<f64>, Trouble> =
        (0..PROCESSES).map(|_| Ok(of(&go.ask(&[], &words, None)?.said))).collect();
    let meaning =
        "Medians of processes, less what reading the clock takes; the file and its name are cached.";
    Ok(Found::meaning(meaning)
        .count("processes", PROCESSES)
        .count("calls", PROCESSES * TIMED_CALLS)
        .tries("one call", "ns", &all?))
}

/// A process's pauses are not independent of each other: their median stands for it.
fn median_pause_us(said: &Allocated) -> Option<f64> {
    let pauses: Vec<f64> = said.pauses_ns.iter().map(|&ns| ns as f64 / 1e3).collect();
    median(&pauses)
}

fn log_lines(log: &str) -> u64 {
    log.lines().filter(|line| line.starts_with("gc ") && line.contains(" @")).count() as u64
}

/// `1.0`, `0.0`: what is not a whole number shows it.
fn rounded(n: u64, of: u64) -> String {
    format!("{:.1}", n as f64 / of.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    #[test]
    fn published_loop_allocates_once_and_each_copy_of_the_others() {
        let Ok(go) = Program::of_driver("go", &GO_ON) else { return };
        for size in SIZES {
            let all = FORMS.map(|(form, _)| {
                let words = words(form, size, 10_000);
                go.ask::<Allocated>(&[], &words, Some(COLLECTOR_LOG)).unwrap()
            });
            let [once, each, escaping] = &all;
            // The runtime itself may allocate a few times meanwhile.
            assert!(once.said.allocations < 10 && once.said.bytes < 10_000, "{once:?}");
            assert_eq!((once.said.collections, log_lines(&once.log)), (0, 1), "{once:?}");
            for said in [each, escaping] {
                assert!((10_000..10_050).contains(&said.said.allocations), "{said:?}");
                // Go's own count and its log are two sources; one may end after the figures were read.
                let logged = log_lines(&said.log) - 1;
                assert!((said.said.collections..=said.said.collections + 1).contains(&logged), "{said:?}");
            }
        }
    }

    #[test]
    fn tiny_allocator_serves_below_16_bytes_only() {
        let Ok(go) = Program::of_driver("go", &GO_ON) else { return };
        for (size, is_tiny) in [(8, true), (16, false), (128, false)] {
            let said: Allocated = go.ask(&[], &words("kept", size, OBJECTS), None).unwrap().said;
            assert_eq!(said.tiny > OBJECTS / 10, is_tiny, "{size} B: {said:?}");
            assert!(said.pages * 10 < OBJECTS, "{size} B: a span holds many: {said:?}");
        }
    }

    #[test]
    fn read_all_begins_with_512_bytes_and_returns_what_it_read() {
        let Ok(go) = Program::of_driver("go", &GO_ON) else { return };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut reads = Vec::new();
        for size in [511_usize, 513] {
            write(&path, &vec![b'x'; size]).unwrap();
            let words = ["read-all".to_owned(), path.to_string_lossy().into_owned()];
            let said: ReadAll = go.ask(&[], &words, None).unwrap().said;
            assert_eq!(said.bytes, size as u64, "{said:?}");
            assert!(said.capacity >= said.bytes && said.moved <= said.bytes, "{said:?}");
            reads.push(said.reads);
        }
        assert_eq!(reads, [2, 3], "one more read where 512 bytes do not hold the file");
    }

    #[test]
    fn a_log_without_collections_has_no_lines() {
        assert_eq!(log_lines("gc 1 @0.001s 4%: 0.01+0.2+0.003 ms clock\nother\n"), 1);
        assert_eq!(log_lines(""), 0);
    }
}
