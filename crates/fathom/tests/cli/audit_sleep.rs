//! `fathom audit` tells a program that sleeps between its questions from one that works, whatever else runs.

#![expect(clippy::unwrap_used, reason = "a test")]

use crate::capability::{Capability, has};
use crate::sandbox::Sandbox;
use serde_json::Value;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

const POLLS: &str = "import os, time
for _ in range(40):
    os.stat('state')
    time.sleep(0.03)
";
/// As long between the questions, and longer on a busy machine.
const WORKS: &str = "import os, time
for _ in range(40):
    os.stat('state')
    until = time.thread_time() + 0.03
    while time.thread_time() < until:
        pass
";

/// The rules whose findings are about the file.
fn rules(sandbox: &Sandbox, capture: &str, program: &str) -> Vec<String> {
    let words = format!("audit --no-config --capture {capture} --format json -o audit.json --");
    sandbox.fathom(&words).args(["/usr/bin/python3", "-S", "-E", program]).output().unwrap();
    let audit: Value = serde_json::from_slice(&fs::read(sandbox.file("audit.json")).unwrap()).unwrap();
    let findings = audit["findings"].as_array().unwrap();
    let about = findings.iter().filter(|finding| finding.to_string().contains("/state"));
    about.map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_works_is_no_poll_however_busy_the_machine_is_and_what_sleeps_is() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("polls.py", POLLS);
    sandbox.write("works.py", WORKS);
    sandbox.write("state", "1");
    let mut captures = vec!["ptrace"];
    captures.extend(has(Capability::Ring).then_some("ring"));
    captures.extend(cfg!(target_arch = "x86_64").then_some("hook"));
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let ends = Ends(&is_over);
        for _ in 0..4 {
            let turns = || {
                while !is_over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            };
            std::thread::Builder::new().spawn_scoped(scope, turns).unwrap();
        }
        for capture in captures {
            let works = rules(&sandbox, capture, "works.py");
            assert!(!works.iter().any(|rule| rule == "R33"), "{capture}: {works:?}");
            // Of what a thread sleeps not all is seen where Fathom itself gets no CPU.
            let sees = || rules(&sandbox, capture, "polls.py").iter().any(|rule| rule == "R33");
            assert!((0..3).any(|_| sees()), "{capture}");
        }
        drop(ends);
    });
}

/// Ends the load, also where the test fails.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
