//! `fathom audit --waits`: a wait that the program measures itself is told with its directory.

#![expect(clippy::unwrap_used, reason = "a test")]

use crate::capability::{Capability, has};
use crate::sandbox::Sandbox;
use serde_json::Value;
use std::fs;

/// Holds a lock from when the other process is seen to wait for it, and prints for how long, and for how long that
/// process was in its call, in ns.
const PROGRAM: &str = "import fcntl, os, time
now = time.monotonic_ns
lock = os.open('held/lock', os.O_RDWR | os.O_CREAT)
ready, said = os.pipe()
if os.fork() == 0:
    own = os.open('held/lock', os.O_RDWR)
    fcntl.lockf(own, fcntl.LOCK_EX)
    os.write(said, b'x')
    # The number of fcntl on x86-64 and arm64.
    while open(f'/proc/{os.getppid()}/syscall').read().split()[0] not in ('72', '25'):
        time.sleep(0.001)
    begun = now()
    time.sleep(0.2)
    print(now() - begun, flush=True)
    os._exit(0)
os.read(ready, 1)
begun = now()
fcntl.lockf(lock, fcntl.LOCK_EX)
took = now() - begun
os.wait()
print(took)
";

fn audited(sandbox: &Sandbox, options: &str) -> (Value, Vec<u64>) {
    let words = format!("audit --no-config --waits {options} --format json -o audit.json --");
    let output = sandbox.fathom(&words).args(["/usr/bin/python3", "-S", "-E", "lock.py"]).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let audit = serde_json::from_slice(&fs::read(sandbox.file("audit.json")).unwrap()).unwrap();
    (audit, printed.lines().map(|line| line.parse().unwrap()).collect())
}

/// What the audit says beside its findings.
fn waited(audit: &Value) -> String {
    let facts = audit["about"].as_array().unwrap();
    let fact = facts.iter().find(|fact| fact["kind"] == "waited").unwrap();
    fact["text"].as_str().unwrap().to_owned()
}

fn fact<'a>(audit: &'a Value, kind: &str) -> Vec<&'a str> {
    let facts = audit["about"].as_array().unwrap().iter().filter(|fact| fact["kind"] == kind);
    facts.map(|fact| fact["text"].as_str().unwrap()).collect()
}

#[test]
fn a_lock_that_is_most_of_the_run_is_told_without_being_asked_for() {
    if !has(Capability::SystemPython) || !has(Capability::Ring) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("lock.py", PROGRAM);
    fs::create_dir(sandbox.file("held")).unwrap();
    let audit = |words: &str| {
        let words = format!("audit --no-config --capture {words} --format json -o audit.json --");
        let output =
            sandbox.fathom(&words).args(["/usr/bin/python3", "-S", "-E", "lock.py"]).output().unwrap();
        assert!(output.status.code().is_some_and(|code| code < 2), "{output:?}");
        serde_json::from_slice::<Value>(&fs::read(sandbox.file("audit.json")).unwrap()).unwrap()
    };
    for words in ["ring", "ring --no-lines"] {
        let audit = audit(words);
        let told = fact(&audit, "waited");
        // 200 ms of a run that takes longer than 2 s are not notable.
        let is_slow = audit["window_ns"].as_u64().is_some_and(|ns| ns > 2_000_000_000);
        let is_told = matches!(&told[..], [text] if text.contains("lock in ") && text.contains("/held")
            && text.contains("--waits tells more"));
        assert!(is_told || is_slow, "{told:?}");
        assert_eq!((&audit["waits"], &audit["latencies"]), (&Value::Null, &Value::Null));
    }
    let told = audit("ptrace");
    // Under a tracer the same is no wait that is known.
    assert!(fact(&told, "waited").iter().all(|text| text.starts_with("not known")), "{told:#}");
}

#[test]
fn a_program_that_waits_for_no_file_is_told_of_no_wait() {
    if !has(Capability::Ring) {
        return;
    }
    let sandbox = Sandbox::new();
    // It sleeps, waits for its child, and reads what that says after a while.
    let script = "sleep 0.5; x=$(sleep 0.5; echo word); echo $x";
    sandbox
        .fathom("audit --no-config --capture ring --format json -o audit.json --")
        .args(["sh", "-c", script])
        .output()
        .unwrap();
    let audit = serde_json::from_slice::<Value>(&fs::read(sandbox.file("audit.json")).unwrap()).unwrap();
    assert_eq!(fact(&audit, "waited"), [""; 0], "{audit:#}");
}

#[test]
fn histograms_show_the_calls_that_a_delay_makes_long() {
    if !has(Capability::SystemPython) || !has(Capability::Ring) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("lock.py", PROGRAM);
    fs::create_dir(sandbox.file("held")).unwrap();
    let (audit, printed) = audited(&sandbox, "--capture ring");
    let of = |kind: &str| {
        let latencies = audit["latencies"].as_array().unwrap();
        latencies.iter().find(|one| one["kind"] == kind).unwrap()["buckets"].as_array().unwrap().clone()
    };
    let below = |bucket: &Value| bucket["below_ns"].as_u64().unwrap();
    let (locks, opens) = (of("lock"), of("open"));
    // The one that waited lies in the bucket of what the program measured, or, as the program's own time is longer,
    // in the one before.
    let longest = locks.iter().map(below).max().unwrap();
    let held = printed[0];
    assert!(longest > held && longest / 4 <= printed[1], "{longest} {printed:?}");
    // Most opens took less than a hundredth of it.
    let short: u64 =
        opens.iter().filter(|one| below(one) < held / 100).map(|one| one["calls"].as_u64().unwrap()).sum();
    let all: u64 = opens.iter().map(|one| one["calls"].as_u64().unwrap()).sum();
    assert!(short * 2 > all, "{short} of {all}");
    assert!(fact(&audit, "latency").iter().any(|text| text.starts_with("lock: ") && text.contains('█')));
    let csv = sandbox
        .fathom("audit --no-config --waits --capture ring --format csv -o waits.csv --")
        .args(["/usr/bin/python3", "-S", "-E", "lock.py"])
        .output()
        .unwrap();
    assert!(csv.status.code().is_some_and(|code| code < 2), "{csv:?}");
    let csv = fs::read_to_string(sandbox.file("waits.csv")).unwrap();
    assert!(csv.starts_with("kind,below_ns,calls\n") && csv.contains("\nlock,"), "{csv}");
}

#[test]
fn a_wait_for_a_lock_is_told_with_its_directory_and_as_long_as_it_was() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("lock.py", PROGRAM);
    fs::create_dir(sandbox.file("held")).unwrap();
    if has(Capability::Ring) {
        let (audit, printed) = audited(&sandbox, "--capture ring");
        let [held, took] = printed[..] else { panic!("{printed:?}") };
        let rows = audit["waits"].as_array().unwrap();
        let is_of_lock =
            |row: &&Value| row["directory"].as_str().unwrap().ends_with("/held") && row["kind"] == "lock";
        let row = rows.iter().find(is_of_lock).unwrap();
        let waited_ns = row["waited_ns"].as_u64().unwrap();
        assert!((held..=took).contains(&waited_ns), "{waited_ns} of {held} to {took}");
        assert!(row["mount"].is_string() && row["file_system"].is_string(), "{row:#}");
        assert!(
            waited(&audit).contains("lock in ") && waited(&audit).contains("/held"),
            "{}",
            waited(&audit)
        );
        assert!(audit["tree"].is_null(), "nobody asked for it");
    }
    let (audit, _) = audited(&sandbox, "--capture ptrace");
    assert!(waited(&audit).starts_with("not known"), "{}", waited(&audit));
}
