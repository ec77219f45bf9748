//! Calls that are answered from memory: every answer is the right one, whatever a program changes itself;
//! what is not asked is counted, and is really not asked.

#![cfg(target_arch = "x86_64")]
#![expect(clippy::unwrap_used, reason = "functions shared by tests fail as tests do")]
#![expect(clippy::print_stderr, reason = "skips are said")]

use fathom_events::FileEvent;
use fathom_trace::{
    Elision, FileTraceEnd, FileTraceOptions, Question, Questions, Repetition, Treated, Treatment,
    hook_availability, is_answerable, trace_files,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// How often `asks.c` asks.
const TURNS: u64 = 60;

struct Asking {
    folder: tempfile::TempDir,
}

/// What a run came to: its calls in order, by thread, what was treated, what it printed.
struct Run {
    calls: BTreeMap<usize, Vec<String>>,
    questions: BTreeSet<Question>,
    treated: BTreeMap<String, Treated>,
    printed: String,
}

impl Asking {
    /// `None` where there is no compiler or no hook.
    fn compile() -> Option<Self> {
        if let Err(reason) = hook_availability() {
            assert!(reason.contains("FSGSBASE") || reason.contains("in force"), "{reason}");
            eprintln!("skipped: {reason}");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/elision/asks.c");
        let mut compiler = Command::new("cc");
        compiler.args(["-O1", "-w", "-pthread", "-o"]).arg(folder.path().join("asks")).arg(source);
        let Ok(status) = compiler.status() else {
            eprintln!("skipped: no C compiler");
            return None;
        };
        assert!(status.success());
        Some(Self { folder })
    }

    fn command(&self, what: &str) -> (Command, tempfile::TempDir) {
        let files = tempfile::tempdir_in(self.folder.path()).unwrap();
        let write = |name: &str, bytes: &str| fs::write(files.path().join(name), bytes).unwrap();
        write("one", "0123456789");
        write("two", "012");
        fs::create_dir(files.path().join("folder")).unwrap();
        write("folder/one", "0123");
        std::os::unix::fs::symlink("one", files.path().join("link")).unwrap();
        let mut command = Command::new(self.folder.path().join("asks"));
        command.arg(files.path()).arg(what).stdin(Stdio::null()).env_remove("LD_LIBRARY_PATH");
        command.stdout(fs::File::create(files.path().join("printed")).unwrap());
        (command, files)
    }

    fn run(&self, what: &str, repetition: Option<&Repetition>) -> Run {
        let (mut command, files) = self.command(what);
        traced(&mut command, files.path(), repetition)
    }

    /// The same with everything that may be answered meant.
    fn elided(&self, what: &str, elision: Elision) -> (Run, Run) {
        let plain = self.run(what, None);
        let repetition = Repetition::new(plain.questions.clone(), Treatment::Elided(elision)).unwrap();
        let elided = self.run(what, Some(&repetition));
        (plain, elided)
    }
}

fn traced(command: &mut Command, files: &Path, repetition: Option<&Repetition>) -> Run {
    let options = FileTraceOptions { hook: true, repetition, ..FileTraceOptions::default() };
    let (mut asked, mut threads) = (Questions::new(), BTreeMap::new());
    let mut run = Run {
        calls: BTreeMap::new(),
        questions: BTreeSet::new(),
        treated: BTreeMap::new(),
        printed: String::new(),
    };
    let end: FileTraceEnd = trace_files(command, &options, &mut |event: FileEvent, paths| {
        let next = threads.len();
        let thread = *threads.entry(event.thread).or_insert(next);
        let question = asked.ask(&event, paths).filter(|_| is_answerable(&event));
        run.questions.extend(question);
        let said = format!("{} {:?}", event.call, event.outcome.errno());
        run.calls.entry(thread).or_default().push(said);
    })
    .unwrap();
    run.printed = fs::read_to_string(files.join("printed")).unwrap();
    let hook = end.hook.unwrap();
    assert_eq!(end.status.code(), Some(0), "{:?}: {:?} {:?}", end.status, hook.treated, hook.left);
    run.treated = hook.treated;
    run
}

#[test]
fn what_is_known_is_answered_and_counted_and_the_program_sees_the_same() {
    let Some(asking) = Asking::compile() else { return };
    let (plain, answered) = asking.elided("s", Elision::Answered);
    assert_eq!(answered.calls, plain.calls);
    // The first at a place stops, the second is asked, and one more may be while other places are patched.
    let names =
        ["stat", "newfstatat", "statx", "access", "readlink", "openat", "fstat", "lseek", "ioctl", "fcntl"];
    for name in names {
        let Some(treated) = answered.treated.get(name) else {
            assert!(["stat", "fstat", "newfstatat"].contains(&name), "{name}: {:?}", answered.treated);
            continue;
        };
        assert!(treated.known + 8 >= TURNS, "{name}: {treated:?}");
        assert_eq!(treated.times, treated.known, "{name}");
    }
    // A position follows from where a descriptor stood and what was read.
    let seeks = answered.treated["lseek"];
    assert!(seeks.known + 24 >= 6 * TURNS && seeks.known <= 6 * TURNS, "{seeks:?}");
    let (_, made) = asking.elided("s", Elision::Made);
    for (name, treated) in &made.treated {
        assert_eq!((treated.times, treated.calls), (0, answered.treated[name].calls), "{name}");
    }
    let known = |run: &Run| run.treated.values().map(|treated| treated.known).sum::<u64>();
    assert_eq!(known(&made), known(&answered), "all arms know the same");
}

#[test]
fn answers_that_are_compared_are_the_ones_that_were_known() {
    let Some(asking) = Asking::compile() else { return };
    for what in ["s", "f", "c", "w", "m", "d", "sfcwmd"] {
        let (_, compared) = asking.elided(what, Elision::Compared);
        for (name, treated) in &compared.treated {
            assert_eq!((treated.differing, treated.times), (0, treated.known), "{what}: {name}: {treated:?}");
        }
        assert!(compared.treated.values().any(|treated| treated.known > 0), "{what}");
    }
}

#[test]
fn what_the_program_changes_itself_is_asked_again() {
    let Some(asking) = Asking::compile() else { return };
    for what in ["f", "c", "w", "m", "d", "sfcwmd"] {
        let (plain, answered) = asking.elided(what, Elision::Answered);
        assert_eq!(answered.calls, plain.calls, "{what}");
    }
    let (_, flags) = asking.elided("f", Elision::Answered);
    let [controls, watches] = ["fcntl", "epoll_ctl"].map(|name| flags.treated[name]);
    // But for the last turns, in which the descriptor has another number too.
    assert!(controls.known >= TURNS && controls.times == controls.known, "{controls:?}");
    assert!(watches.known >= TURNS / 2, "{watches:?}");
}

#[test]
fn what_is_asked_in_turn_has_room_before_anything_changes() {
    let Some(asking) = Asking::compile() else { return };
    let (_, answered) = asking.elided("n", Elision::Answered);
    let asked = answered.treated["access"];
    // The first time of each.
    assert!(asked.known + 200 + 5 * TURNS >= asked.calls, "{asked:?}");
}

/// Each is asked four times, of which the first is never known.
#[test]
fn answers_of_thousands_of_files_are_remembered() {
    let Some(asking) = Asking::compile() else { return };
    for (what, names) in [("y", 2000), ("z", 8000)] {
        let plain = asking.run(what, None);
        let [answered, compared] = [Elision::Answered, Elision::Compared].map(|elision| {
            let repetition = Repetition::new(plain.questions.clone(), Treatment::Elided(elision)).unwrap();
            let run = asking.run(what, Some(&repetition));
            assert_eq!(run.calls, plain.calls, "{what}");
            ["stat", "newfstatat"].iter().find_map(|name| run.treated.get(*name).copied()).unwrap()
        });
        assert_eq!(answered.times, answered.known, "{what}");
        assert!(answered.calls + 200 >= 4 * names, "{what}: {answered:?}");
        assert!(answered.known * 100 >= (answered.calls - names) * 95, "{what}: {answered:?}");
        assert_eq!((compared.differing, compared.times), (0, compared.known), "{what}: {compared:?}");
    }
}

/// Its file is there, so that the open makes none and changes nothing.
#[test]
fn an_open_that_may_make_a_file_keeps_what_is_known_where_it_makes_none() {
    let Some(asking) = Asking::compile() else { return };
    let (_, answered) = asking.elided("w", Elision::Answered);
    let known = |names: [&str; 2]| -> u64 {
        names.iter().filter_map(|name| answered.treated.get(*name)).map(|treated| treated.known).sum()
    };
    // Of a descriptor and by path, each turn but the first ones.
    assert!(known(["fstat", "newfstatat"]) + 16 >= 2 * TURNS, "{:?}", answered.treated);
}

#[test]
fn a_call_that_a_signal_finds_made_changes_what_it_changes() {
    let Some(asking) = Asking::compile() else { return };
    asking.elided("a", Elision::Answered);
    let (_, compared) = asking.elided("a", Elision::Compared);
    for (name, treated) in &compared.treated {
        assert_eq!(treated.differing, 0, "{name}: {treated:?}");
    }
}

#[test]
fn threads_know_each_their_own_answers_and_all_their_descriptors() {
    let Some(asking) = Asking::compile() else { return };
    let (_, answered) = asking.elided("t", Elision::Answered);
    assert!(answered.treated.values().any(|treated| treated.known > 20 * TURNS), "{:?}", answered.treated);
}

/// The kernel is not asked: what somebody else changes is not seen, and is seen where answers are compared.
#[test]
fn a_call_that_is_answered_is_not_made() {
    let Some(asking) = Asking::compile() else { return };
    let printed = |elision: Option<Elision>, questions: &BTreeSet<Question>| {
        let (mut command, files) = asking.command("o");
        let fifo = files.path().join("fifo");
        let made = Command::new("mkfifo").arg(&fifo).status().unwrap();
        assert!(made.success());
        let repetition =
            elision.map(|elision| Repetition::new(questions.clone(), Treatment::Elided(elision)).unwrap());
        std::thread::scope(|scope| {
            let changing = std::thread::Builder::new().spawn_scoped(scope, || {
                // It is opened there when all was asked.
                drop(fs::File::open(&fifo).unwrap());
                fs::write(files.path().join("one"), "01234567890").unwrap();
                fs::write(files.path().join("go"), "").unwrap();
            });
            changing.unwrap();
            traced(&mut command, files.path(), repetition.as_ref())
        })
    };
    let plain = printed(None, &BTreeSet::new());
    assert_eq!(plain.printed.trim(), "11");
    // Only what stat asks of the file.
    let stats = asking.run("s", None).questions;
    let of_plain: BTreeSet<_> = plain.questions.intersection(&stats).copied().collect();
    let answered = printed(Some(Elision::Answered), &of_plain);
    assert_eq!(answered.printed.trim(), "10", "{:?}", answered.treated);
    let compared = printed(Some(Elision::Compared), &of_plain);
    assert_eq!(compared.printed.trim(), "11");
    let differing: u64 = compared.treated.values().map(|treated| treated.differing).sum();
    assert_eq!(differing, 1, "{:?}", compared.treated);
}
