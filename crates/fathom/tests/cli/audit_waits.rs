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
