//! `fathom what-if --as`: round trips of planted programs, counted by hand.

use crate::capability::{Capability, has};
use crate::running::Running;
use crate::sandbox::{Sandbox, says, workspace};
use rustix::process::Signal;
use serde_json::Value;
use std::fs;
use std::time::{Duration, Instant};

/// Names in the directory `data`, a prime number of them.
const NAMES: u64 = 23;

/// A folder with a directory `data` of so many files, and a program that does something with them.
fn planted(program: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("data")).unwrap();
    (0..NAMES).for_each(|number| drop(sandbox.write(&format!("data/{number}"), "twelve bytes")));
    sandbox.write("program.py", &format!("import os\n{program}"));
    sandbox
}

/// Words to run the program so that nothing but its own calls is about `data`.
const RUN: &str = "-- /usr/bin/python3 -I program.py";

fn answer(sandbox: &Sandbox, words: &str) -> Value {
    let command = format!("what-if {words} --format json -o answer.json {RUN}");
    sandbox.fathom(&command).assert().code(0);
    serde_json::from_str(&fs::read_to_string(sandbox.file("answer.json")).unwrap()).unwrap()
}

fn trips(answer: &Value, class: &str) -> u64 {
    let classes = answer["estimate"]["by_class"].as_array().unwrap();
    let of_class = classes.iter().find(|one| one["class"] == class);
    of_class.map_or(0, |one| one["round_trips"].as_u64().unwrap())
}

#[test]
fn each_cold_name_is_one_look_up() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = planted(&format!("for number in range({NAMES}): os.stat(f'data/{{number}}')\n"));
    let answer = answer(&sandbox, "--as nfs:1ms --over data");
    assert_eq!(trips(&answer, "lookup"), NAMES, "{answer}");
    assert_eq!(trips(&answer, "attributes"), 1, "whether `data` may be gone through");
    assert_eq!(answer["estimate"]["path_calls"], NAMES);
    assert_eq!(answer["estimate"]["longest_chain"], NAMES + 1);
    assert_eq!(answer["estimate"]["added_ns_min"], (NAMES + 1) * 1_000_000);
}

#[test]
fn what_is_remembered_is_not_asked_again() {
    if !has(Capability::SystemPython) {
        return;
    }
    let program = "\
for _ in range(11): os.stat('data/1')
for _ in range(13):
    try: os.stat('data/none')
    except FileNotFoundError: pass
";
    let sandbox = planted(program);
    let nfs = answer(&sandbox, "--as nfs:1us --over data");
    assert_eq!((trips(&nfs, "lookup"), trips(&nfs, "attributes")), (2, 1), "{nfs}");
    let virtiofs = answer(&sandbox, "--as virtiofs:1us --over data");
    assert_eq!(trips(&virtiofs, "lookup"), 1 + 13, "absent names are not remembered: {virtiofs}");
    let plain = answer(&sandbox, "--as rtt=1us --over data");
    assert_eq!(plain["estimate"]["round_trips"], 11 + 13, "{plain}");
}

#[test]
fn every_open_and_close_is_a_round_trip() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = planted("for _ in range(7): os.close(os.open('data/1', os.O_RDONLY))\n");
    let answer = answer(&sandbox, "--as nfs:1ms --over data");
    assert_eq!((trips(&answer, "open"), trips(&answer, "close")), (7, 7), "{answer}");
    assert_eq!(answer["estimate"]["round_trips"], 7 + 7 + 1, "{answer}");
}

#[test]
fn children_side_by_side_overlap_and_children_in_turn_do_not() {
    if !has(Capability::SystemPython) {
        return;
    }
    let looks = "for number in range(5): os.stat(f'data/{number}')";
    let in_turn = planted(&format!(
        "for turn in range(3):\n  if os.fork() == 0:\n    {looks}\n    os._exit(0)\n  os.wait()\n  os.stat('data/20')\nos.stat('data')\n"
    ));
    let in_turn = answer(&in_turn, "--as rtt=1ms --over data");
    assert_eq!(in_turn["estimate"]["longest_chain"], 3 * 5 + 3 + 1, "{in_turn}");
    // None begins before all are there, and none is over before all were let go.
    let beside = planted(&format!(
        "ours, theirs = os.pipe()\nfor turn in range(3):\n  if os.fork() == 0:\n    os.close(theirs)\n    os.read(ours, 1)\n    {looks}\n    os._exit(0)\nos.close(theirs)\nfor _ in range(3): os.wait()\nos.stat('data')\n"
    ));
    let beside = answer(&beside, "--as rtt=1ms --over data");
    assert_eq!(beside["estimate"]["longest_chain"], 5 + 1, "{beside}");
    assert_eq!(beside["estimate"]["round_trips"], 3 * 5 + 1, "{beside}");
}

#[test]
fn a_kept_trace_gives_the_same_answer() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = planted("for name in os.listdir('data'): os.stat('data/' + name)\n");
    let live = answer(&sandbox, "--as nfs:1ms --over data");
    sandbox.fathom(&format!("trace -o kept.events {RUN}")).assert().code(0);
    let words = "what-if --as nfs:1ms --over data --from kept.events --format json -o kept.json";
    sandbox.fathom(words).assert().code(0);
    let kept: Value = serde_json::from_str(&fs::read_to_string(sandbox.file("kept.json")).unwrap()).unwrap();
    assert_eq!(kept["estimate"], live["estimate"]);
    assert!(trips(&kept, "list") > 0 && kept["capture"].as_str().unwrap().contains("kept trace"), "{kept}");
}

#[test]
fn every_form_has_the_same_figures() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = planted("for name in os.listdir('data'): open('data/' + name).read()\n");
    let json = answer(&sandbox, "--as nfs:1ms --over data");
    let schema = fs::read_to_string(workspace().join("docs/what-if.schema.json")).unwrap();
    let schema = serde_json::from_str(&schema).unwrap();
    let errors: Vec<_> = jsonschema::validator_for(&schema)
        .unwrap()
        .iter_errors(&json)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    let total = json["estimate"]["round_trips"].as_u64().unwrap();
    sandbox.fathom(&format!("what-if --as nfs:1ms --over data --format csv -o a.csv {RUN}")).assert().code(0);
    let csv = fs::read_to_string(sandbox.file("a.csv")).unwrap();
    let of_classes = csv.lines().filter(|line| line.starts_with("class,"));
    let sum: u64 = of_classes.map(|line| line.split(',').nth(2).unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(sum, total, "{csv}");
    for form in ["text", "markdown"] {
        let words = format!("what-if --as nfs:1ms --over data --format {form} {RUN}");
        let shown =
            sandbox.fathom(&words).assert().code(0).stdout(says(&format!("{total} round trips on nfs")));
        let lines = String::from_utf8_lossy(&shown.get_output().stdout).lines().count();
        assert!(form == "markdown" || lines <= 25, "{lines} lines");
    }
    sandbox
        .fathom(&format!("what-if --as nfs:1ms --over data --format html -o a.html {RUN}"))
        .assert()
        .code(0);
    let page = fs::read_to_string(sandbox.file("a.html")).unwrap();
    assert!(page.contains(&format!("{total} round trips on nfs")) && page.contains("what-if.json"));
}

#[test]
fn no_call_there_is_said() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("empty")).unwrap();
    let ran = sandbox.fathom("what-if --as nfs:1ms --over empty -- true").assert().code(4);
    ran.stderr(says("no call on a file below the directories was seen"));
}

#[test]
fn what_is_mistyped_is_explained() {
    let sandbox = Sandbox::new();
    let refused = |words: &str, says_so: &str| {
        sandbox.fathom(words).assert().code(2).stderr(says(says_so));
    };
    refused("what-if --as nfs -- true", "the time of a round trip is missing");
    refused("what-if --as afs:1ms -- true", "known are nfs:1ms, efs:1ms, lustre:1ms");
    refused("what-if --as nfs:1ms --stacks -- true", "no place for stacks");
    refused("what-if --as nfs:1ms", "nothing to watch");
}

/// What was measured beside the answer; whatever the machine was too busy for.
fn measured(sandbox: &Sandbox, words: &str) -> Value {
    let command = format!("what-if {words} --measure --format json -o answer.json {RUN}");
    // 3: no answer, since answers could not be held in time.
    let done = sandbox.fathom(&command).output().unwrap();
    assert!(matches!(done.status.code(), Some(0 | 3)), "{}", String::from_utf8_lossy(&done.stderr));
    let answer: Value =
        serde_json::from_str(&fs::read_to_string(sandbox.file("answer.json")).unwrap()).unwrap();
    let experiment = answer["experiment"]["value"].clone();
    assert!(experiment.is_object(), "{answer}");
    experiment
}

/// That what the mount was asked for is what the model says of it, and that no answer went early.
fn check(experiment: &Value, round_trip_ns: u64) {
    assert_eq!(experiment["by_class"], experiment["predicted"], "{experiment}");
    let requests: Vec<u64> = serde_json::from_value(experiment["requests"].clone()).unwrap();
    assert!(requests.windows(2).all(|pair| pair[0] == pair[1]), "{experiment}");
    assert_eq!(experiment["requests_without_delay"], experiment["requests"], "{experiment}");
    let injected = requests.iter().sum::<u64>() * round_trip_ns;
    assert_eq!(experiment["injected_ns"], injected);
    assert!(experiment["clock_ns"].as_u64().unwrap() >= injected, "{experiment}");
    // Each of them was waited for: this holds on the busiest machine.
    let walls: Vec<u64> = serde_json::from_value(experiment["with_delay_ns"].clone()).unwrap();
    assert!(walls.iter().all(|wall| *wall >= requests[0] * round_trip_ns), "{experiment}");
    let deviation = experiment["clock_ns"].as_f64().unwrap() / injected as f64 - 1.0;
    let is_refused = experiment["added"]["unavailable"].is_string();
    assert_eq!(is_refused, deviation > 0.02, "{experiment}");
}

fn of_class(experiment: &Value, class: &str) -> u64 {
    trips(&serde_json::json!({ "estimate": { "by_class": experiment["by_class"] } }), class)
}

fn can_mount() -> bool {
    has(Capability::SystemPython) && has(Capability::Fuse)
}

#[test]
fn a_mount_is_asked_for_each_cold_name_as_the_model_says() {
    if !can_mount() {
        return;
    }
    let sandbox = planted(&format!("for number in range({NAMES}): os.stat(f'data/{{number}}')\n"));
    let experiment = measured(&sandbox, "--as nfs:1ms --over data");
    check(&experiment, 1_000_000);
    assert_eq!((of_class(&experiment, "lookup"), of_class(&experiment, "attributes")), (NAMES, 1));
    assert_eq!(experiment["pairs"], 6);
    sandbox.assert_nothing_left();
}

#[test]
fn the_kernel_remembers_on_the_mount_what_the_model_says() {
    if !can_mount() {
        return;
    }
    let program = "\
for _ in range(11): os.stat('data/1')
for _ in range(13):
    try: os.stat('data/none')
    except FileNotFoundError: pass
for _ in range(7):
    file = os.open('data/2', os.O_RDONLY)
    os.read(file, 100)
    os.close(file)
";
    let sandbox = planted(program);
    let nfs = measured(&sandbox, "--as nfs:100us --over data");
    check(&nfs, 100_000);
    assert_eq!(
        (of_class(&nfs, "lookup"), of_class(&nfs, "open"), of_class(&nfs, "close")),
        (3, 7, 7),
        "{nfs}"
    );
    assert_eq!(of_class(&nfs, "read"), 1, "{nfs}");
    let virtiofs = measured(&sandbox, "--as virtiofs:100us --over data");
    // Its names are remembered for a second, which a busy machine may take.
    assert!(of_class(&virtiofs, "lookup") >= 2 + 13, "{virtiofs}");
}

#[test]
fn what_is_made_written_and_removed_on_the_mount_is_so_below_it() {
    if !can_mount() {
        return;
    }
    let program = "\
file = os.open('data/new', os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o640)
for number in range(5): os.write(file, b'x' * 4096)
os.fsync(file)
os.close(file)
os.mkdir('data/folder', 0o700)
os.rename('data/new', 'data/folder/newer')
os.symlink('folder/newer', 'data/link')
os.link('data/folder/newer', 'data/hard')
facts = os.stat('data/link')
assert (facts.st_size, facts.st_nlink, facts.st_mode & 0o777) == (20480, 2, 0o640), facts
assert os.readlink('data/link') == 'folder/newer'
os.truncate('data/hard', 10)
assert len(open('data/hard').read()) == 10
assert sorted(os.listdir('data'))[-3:] == ['folder', 'hard', 'link'], os.listdir('data')
for name in ['link', 'hard', 'folder/newer']: os.unlink('data/' + name)
os.rmdir('data/folder')
";
    let sandbox = planted(program);
    let experiment = measured(&sandbox, "--as virtiofs:100us --over data");
    assert!(!experiment["added"].to_string().contains("end alike"), "{experiment}");
    assert_eq!((of_class(&experiment, "write"), of_class(&experiment, "commit")), (5, 1), "{experiment}");
    assert_eq!(fs::read_dir(sandbox.file("data")).unwrap().count() as u64, NAMES);
}

#[test]
fn runs_that_differ_are_no_answer() {
    if !can_mount() {
        return;
    }
    let refused = |program: &str, says_so: &str| {
        let sandbox = planted(&format!("os.stat('data/1')\n{program}"));
        let words = format!("what-if --as nfs:100us --over data --measure {RUN}");
        sandbox.fathom(&words).assert().code(3).stdout(says("refused")).stdout(says(says_so));
    };
    refused("print(os.getpid())\n", "its standard output was not the same in all runs");
    let notices = "os._exit(' fuse fathom ' in open('/proc/self/mountinfo').read())\n";
    refused(notices, "the command did not end alike");
}

#[test]
fn where_nothing_can_be_mounted_the_arithmetic_is_left() {
    if !has(Capability::SystemPython) || !has(Capability::Namespaces) {
        return;
    }
    let sandbox = planted("os.stat('data/1')\n");
    let fathom = crate::sandbox::program();
    let script = format!(
        "mount --bind /dev/null /dev/fuse && exec {fathom} what-if --as nfs:1ms --over data --measure {RUN}"
    );
    let ran = sandbox.command("unshare").args(["-rm", "sh", "-c", &script]).assert().code(3);
    ran.stdout(says("measured  nothing:")).stdout(says("2 round trips on nfs"));
}

/// A program that ends at once where it is watched, and only by being killed where it is measured, also in
/// a child that left its session.
const STAYS: &str = "\
import time
os.stat('data/1')
if ' fuse fathom ' in open('/proc/self/mountinfo').read():
    if os.fork() == 0: os.setsid()
    open('begun', 'w').close()
    time.sleep(3600)
";

#[test]
fn nothing_is_left_when_fathom_is_killed() {
    if !can_mount() {
        return;
    }
    let sandbox = planted(STAYS);
    let words = format!("what-if --as nfs:1ms --over data --measure {RUN}");
    let mut running = Running::start(&sandbox, &words);
    running.wait_for("the run over the mount", |_| sandbox.file("begun").exists().then_some(()));
    assert!(!mounts_of_this_test().contains(" fuse fathom "), "it is mounted where others see it");
    assert!(sandbox.processes().len() >= 4, "{:?}", sandbox.processes());
    running.signal(Signal::KILL);
    assert_eq!(running.end().signal, Some(9));
    let begun = Instant::now();
    while !sandbox.processes().is_empty() {
        assert!(begun.elapsed() < Duration::from_mins(2), "{:?} are left", sandbox.processes());
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(fs::read_dir(sandbox.file("data")).unwrap().count() as u64, NAMES);
}

#[test]
fn ctrl_c_ends_what_is_measured() {
    if !can_mount() {
        return;
    }
    let sandbox = planted(STAYS);
    let words = format!("what-if --as nfs:1ms --over data --measure {RUN}");
    let mut running = Running::start(&sandbox, &words);
    running.wait_for("the run over the mount", |_| sandbox.file("begun").exists().then_some(()));
    running.signal(Signal::INT);
    assert_eq!(running.end().code, Some(130));
    sandbox.assert_nothing_left();
}

#[test]
fn a_run_that_takes_too_long_is_ended() {
    if !can_mount() {
        return;
    }
    let sandbox = planted(STAYS);
    let words = format!("what-if --as nfs:1ms --over data --measure --limit 1 {RUN}");
    sandbox.fathom(&words).assert().code(2).stderr(says("longer than --limit"));
    sandbox.assert_nothing_left();
}

fn mounts_of_this_test() -> String {
    fs::read_to_string("/proc/self/mountinfo").unwrap()
}
