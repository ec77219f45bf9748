//! `fathom bench --profile` and `fathom flame-graph`. Where a machine refuses perf
//! events, the reason has to be told; where perf itself is required, there have
//! to be stacks.

use crate::capability::{Capability, has, is_required};
use crate::sandbox::{Sandbox, program, says};
use fathom_model::{Profile, Reading, Record};
use predicates::prelude::PredicateBooleanExt;
use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

/// What the driver's own stack has at its bottom: it is linked with symbols.
const OUTERMOST: &str = "_start;";

#[test]
#[ignore = "long"]
fn stacks_reach_from_the_start_of_the_program_into_the_call() {
    let sandbox = Sandbox::new();
    let bench = "bench open-close --methods native:open,native:openat --profile --time 0.2 -o record.json";
    let assert = sandbox.fathom(bench).assert().code(0);
    let Some(profiles) = profiles(&sandbox.record("record.json")) else {
        assert.stdout(says("no stacks of native:open: perf_event_open cpu-clock"));
        let graphs = sandbox.fathom("flame-graph record.json -o graphs").assert().code(2);
        graphs.stderr(says("holds no stacks: perf_event_open"));
        return;
    };
    assert.stdout(says("where it was found running").and(says("native:openat: ")));
    assert_eq!(profiles.len(), 2);
    for profile in &profiles {
        assert_is_whole(profile);
        let whole = |frames: &str| frames.starts_with(OUTERMOST) && frames.contains("open");
        let samples: u64 =
            profile.stacks.iter().filter(|stack| whole(&stack.frames)).map(|stack| stack.samples).sum();
        assert!(2 * samples > profile.samples, "{samples} of {}: {:?}", profile.samples, profile.stacks);
    }
    graphs_are_written_once(&sandbox);
    sandbox.assert_nothing_left();
}

/// Of the record of the test before.
fn graphs_are_written_once(sandbox: &Sandbox) {
    let made = sandbox.fathom("flame-graph record.json -o graphs").assert().code(0);
    made.stdout(says("graphs/ad-hoc-warm-native-open.svg").and(says("ad-hoc-warm-native-openat.svg")));
    let path = sandbox.file("graphs/ad-hoc-warm-native-open.svg");
    let svg = fs::read_to_string(&path).unwrap();
    assert!(svg.contains("<svg") && svg.contains("native:open") && svg.contains("_start"), "{svg}");

    fs::write(&path, "mine").unwrap();
    let again = sandbox.fathom("flame-graph record.json -o graphs").assert().code(2);
    again.stderr(says("native-open.svg is there already").and(says("hint: --force replaces it")));
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    sandbox.fathom("flame-graph record.json --method native:open --force -o graphs").assert().code(0);
    assert_eq!(fs::read_to_string(&path).unwrap(), svg);

    let folded = sandbox.fathom("flame-graph record.json --method native:open --folded -o text").assert();
    folded.code(0).stdout(says("ad-hoc-warm-native-open.folded"));
    let text = fs::read_to_string(sandbox.file("text/ad-hoc-warm-native-open.folded")).unwrap();
    let samples = text.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap());
    let profiles = profiles(&sandbox.record("record.json")).unwrap();
    assert_eq!(samples.sum::<u64>(), profiles[0].samples);

    let other = sandbox.fathom("flame-graph record.json --method go:os.Open -o graphs").assert().code(2);
    other.stderr(says("no stacks of go:os.Open").and(says("hint: it has those of native:open (ad-hoc)")));
    let other = sandbox.fathom("flame-graph record.json --experiment none -o graphs").assert().code(2);
    other.stderr(says("no stacks of what was asked for"));
}

#[test]
fn a_record_without_stacks_says_how_to_get_them() {
    let sandbox = Sandbox::new();
    sandbox.fathom("bench null --methods native:null --counts-only -o record.json").assert().code(0);
    let assert = sandbox.fathom("flame-graph record.json -o graphs").assert().code(2);
    assert.stderr(says("record.json holds no stacks").and(says("hint: run with --profile")));
    assert!(!sandbox.file("graphs").exists());
}

#[test]
fn an_ordinary_user_gets_the_stacks_of_the_program_or_a_reason() {
    let sandbox = Sandbox::new();
    let words = "bench open-close --methods native:open --profile --time 0.2 --dir place -o place/r.json";
    let place = sandbox.file("place");
    fs::create_dir(&place).unwrap();
    let mut command = if rustix::process::geteuid().is_root() {
        rustix::fs::chown(&place, Some(rustix::fs::Uid::from_raw(65534)), None).unwrap();
        sandbox.command_of_nobody(program())
    } else {
        sandbox.command(program())
    };
    command.args(words.split_whitespace()).env("FATHOM_CACHE_DIR", sandbox.file("place/cache"));
    command.assert().code(0);
    let record = sandbox.record("place/r.json");
    let paranoid = fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").unwrap_or_default();
    match readings(&record).remove(0) {
        Reading::Unavailable(reason) => assert!(reason.contains("perf_event_paranoid"), "{reason}"),
        Reading::Value(profile) => {
            assert_is_whole(&profile);
            let kernel = profile.stacks.iter().any(|stack| stack.frames.contains("_[k]"));
            let told = profile.notes.iter().any(|note| note.starts_with("user frames only: kernel.perf"));
            // From 2 on the kernel shows itself to root alone.
            let hidden = paranoid.trim().parse::<i32>().is_ok_and(|paranoid| paranoid >= 2);
            assert!(kernel != told && told == hidden, "{paranoid}: {:?}", profile.notes);
        }
    }
    sandbox.assert_nothing_left();
}

#[test]
fn go_functions_are_found_below_each_other() {
    if !has(Capability::Go) {
        return;
    }
    let stacks = stacks_of("hash", "go:mmap", "--size 4MiB");
    let md5 = |frames: &str| frames.contains("main.main;") && frames.contains("crypto/md5.(*digest)");
    // The digest is written in assembly and has no frame pointer: only tables lead out of it.
    assert_mostly(&stacks, "md5 below main", |frames| md5(frames) && frames.contains("md5.block"));
}

#[test]
fn java_methods_have_names_and_the_map_of_them_goes() {
    if !has(Capability::Java) {
        return;
    }
    let stacks = stacks_of("open-close", "java:FileInputStream", "");
    assert_mostly(&stacks, "the method", |frames| frames.contains("java.io.FileInputStream"));
    // On a busy machine only the body of the loop is compiled by then, and `Loop.run` still interpreted.
    assert_mostly(&stacks, "the loop", |frames| frames.contains("Loop.") && frames.contains("_[j]"));
}

#[test]
fn javascript_functions_have_names_and_the_map_of_them_goes() {
    if !has(Capability::Node) {
        return;
    }
    let stacks = stacks_of("open-close", "node:fs.openSync", "");
    assert_mostly(&stacks, "the loop", |frames| frames.contains("JS:") && frames.contains("runSync"));
    // The method itself is compiled into the loop, what it calls is not.
    assert_mostly(&stacks, "the file calls", |frames| {
        frames.contains("_[j];") && frames.contains("node::fs::")
    });
}

/// The stacks of one method; none where perf events are refused.
fn stacks_of(operation: &str, method: &str, words: &str) -> Vec<(String, u64)> {
    let sandbox = Sandbox::new();
    let before = maps_without_process();
    let bench = format!("bench {operation} --methods {method} {words} --profile --time 0.2 -o record.json");
    sandbox.fathom(&bench).assert().code(0);
    assert_maps_go(&before);
    let files = fs::read_dir(sandbox.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let files: Vec<_> = files.collect();
    assert_eq!(files, ["record.json"]);
    let profile = profiles(&sandbox.record("record.json")).and_then(|mut profiles| profiles.pop());
    let stacks = profile.map(|profile| profile.stacks).unwrap_or_default();
    sandbox.assert_nothing_left();
    stacks.into_iter().map(|stack| (stack.frames, stack.samples)).collect()
}

/// No map outlives its process. Those of other tests' drivers come and go meanwhile.
fn assert_maps_go(before: &BTreeSet<String>) {
    let begun = Instant::now();
    while let Some(left) = maps_without_process().difference(before).next() {
        assert!(begun.elapsed() < Duration::from_mins(5), "{left} is left");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn maps_without_process() -> BTreeSet<String> {
    let entries = fs::read_dir("/tmp").into_iter().flatten().filter_map(Result::ok);
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let is_left = |name: &String| {
        let pid = name.strip_prefix("perf-").and_then(|rest| rest.strip_suffix(".map"));
        pid.and_then(|pid| pid.parse::<u32>().ok())
            .is_some_and(|pid| !fs::exists(format!("/proc/{pid}")).unwrap_or(true))
    };
    names.filter(is_left).collect()
}

/// Half of the samples fit; nothing to say where there are none.
fn assert_mostly(stacks: &[(String, u64)], what: &str, fits: impl Fn(&str) -> bool) {
    let all: u64 = stacks.iter().map(|(_, samples)| samples).sum();
    let fitting: u64 = stacks.iter().filter(|(frames, _)| fits(frames)).map(|(_, samples)| samples).sum();
    assert!(2 * fitting >= all, "{what}: {fitting} of {all}: {:#?}", &stacks[..stacks.len().min(5)]);
}

fn assert_is_whole(profile: &Profile) {
    let folded: u64 = profile.stacks.iter().map(|stack| stack.samples).sum();
    assert!(profile.samples > 0 && folded == profile.samples, "{profile:?}");
    let counts: Vec<_> = profile.stacks.iter().map(|stack| stack.samples).collect();
    assert!(counts.is_sorted_by(|one, next| one >= next), "{counts:?}");
}

/// Those of every variant; none where the kernel refuses perf events.
fn profiles(record: &Record) -> Option<Vec<Profile>> {
    let mut profiles = Vec::new();
    for reading in readings(record) {
        match reading {
            Reading::Value(profile) => profiles.push(profile),
            Reading::Unavailable(reason) => {
                assert!(!is_required(Capability::Perf), "perf is required here: {reason}");
                assert!(reason.contains("perf_event_paranoid"), "{reason}");
                return None;
            }
        }
    }
    Some(profiles)
}

fn readings(record: &Record) -> Vec<Reading<Profile>> {
    let explanations = &record.experiments[0].comparisons[0].explanations;
    explanations.iter().map(|explanation| explanation.profile.clone().expect("asked for")).collect()
}
