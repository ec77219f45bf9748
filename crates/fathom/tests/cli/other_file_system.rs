//! `fathom what-if --as`: round trips of planted programs, counted by hand.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says, workspace};
use serde_json::Value;
use std::fs;

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
    let children = |wait: &str| {
        format!("for turn in range(3):\n  if os.fork() == 0:\n    {looks}\n    os._exit(0)\n  {wait}\n")
    };
    // Each child looks at the same names, which are cold for the first alone.
    let in_turn = planted(&format!("{}os.stat('data')\n", children("os.wait(); os.stat('data/20')")));
    let answer_in_turn = answer(&in_turn, "--as rtt=1ms --over data");
    assert_eq!(answer_in_turn["estimate"]["longest_chain"], 3 * 5 + 3 + 1, "{answer_in_turn}");
    let beside = planted(&format!("{}for _ in range(3): os.wait()\nos.stat('data')\n", children("pass")));
    let answer_beside = answer(&beside, "--as rtt=1ms --over data");
    assert_eq!(answer_beside["estimate"]["longest_chain"], 5 + 1, "{answer_beside}");
    assert_eq!(answer_beside["estimate"]["round_trips"], 3 * 5 + 1, "{answer_beside}");
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
