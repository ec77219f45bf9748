//! `fathom audit --capture` and `--pid`: ring and ptrace find the same, refusals are words,
//! and a process that runs already is watched and lives on.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::is_empty;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;

const WASTEFUL: &str = "\
import os, subprocess, threading
def work(first):
    for number in range(first, first + 150):
        os.stat(f'data/{number}')
        file = os.open(f'data/{number}', os.O_RDONLY)
        os.fstat(file)
        os.fstat(file)
        os.close(file)
# More files than the interpreter looks at to start: or opening what was looked at is no habit of it.
work(0)
thread = threading.Thread(target=work, args=(150,))
thread.start()
thread.join()
subprocess.run(['/bin/cat', 'data/0', 'missing'])
";

fn with_data() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("data")).unwrap();
    // Beside what the program lists: a file more would be a longer listing.
    fs::create_dir(sandbox.file("kept")).unwrap();
    for number in 0..300 {
        fs::write(sandbox.file(&format!("data/{number}")), "some words").unwrap();
    }
    sandbox.write("wasteful.py", WASTEFUL);
    sandbox
}

/// How often each rule found something, and the table of calls without times.
fn found(json: &[u8]) -> (BTreeMap<String, u64>, Value) {
    let audit: Value = serde_json::from_slice(json).unwrap();
    let mut counts = BTreeMap::new();
    // Which of them are negligible depends on the time the run took.
    let negligible = audit["trifles"].as_array().into_iter().flatten();
    for finding in audit["findings"].as_array().unwrap().iter().chain(negligible) {
        *counts.entry(finding["rule"].as_str().unwrap().to_owned()).or_default() +=
            finding["count"].as_u64().unwrap();
    }
    (counts, audit["calls"].clone())
}

#[test]
fn the_hook_and_ptrace_find_the_same() {
    if cfg!(not(target_arch = "x86_64")) || !has(Capability::SystemPython) {
        return;
    }
    let sandbox = with_data();
    sandbox.write(
        "alone.py",
        &WASTEFUL.replace("thread.start()", "thread.run()").replace("thread.join()", "pass"),
    );
    let audit = |capture: &str| {
        let words = format!(
            "audit --capture {capture} --format json -o kept/{capture} -- /usr/bin/python3 -S -E alone.py"
        );
        let output = sandbox.fathom(&words).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "some words");
        fs::read(sandbox.file("kept").join(capture)).unwrap()
    };
    let hooked = audit("hook");
    let by_calls = |json: &[u8]| {
        let (mut rules, calls) = found(json);
        // A poll is known by its beat, which is the machine's.
        rules.remove("R33");
        (rules, calls)
    };
    assert_eq!(by_calls(&hooked), by_calls(&audit("ptrace")));
    let text = String::from_utf8_lossy(&hooked);
    let calls = text.split("by the hook (experimental): ").nth(1).and_then(|rest| rest.split(' ').next());
    let calls: u64 = calls.unwrap().parse().unwrap();
    assert!(calls > 1000, "{calls}");
    for (limit, code) in [(301, 0), (300, 1)] {
        for capture in ["hook", "ptrace"] {
            let words = format!("audit --capture {capture} --assert");
            let mut asserted = sandbox.fathom(&words);
            asserted.args([
                &format!("open(data/*) <= {limit}"),
                "--",
                "/usr/bin/python3",
                "-S",
                "-E",
                "alone.py",
            ]);
            assert_eq!(asserted.output().unwrap().status.code(), Some(code), "{capture}, {limit}");
        }
    }
}

/// Opens each of its words many times, by two lines.
const PLACED: &str = "\
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
static void look(const char *path) {
    struct stat facts;
    for (int turn = 0; turn < 300; turn++) {
        int file = open(path, O_RDONLY);
        fstat(file, &facts);
        fstat(file, &facts);
        close(file);
    }
}
int main(int count, char **words) {
    while (--count) look(words[count]);
    return 0;
}
";

#[test]
fn the_hook_takes_stacks_where_they_are_asked_for_and_says_where_not() {
    if cfg!(not(target_arch = "x86_64")) || !has(Capability::C) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("placed.c", PLACED);
    assert!(sandbox.shell("gcc -g -O1 -o placed placed.c").status.success());
    let said = |words: &str| {
        let words = format!("audit --no-config --full {words} -- ./placed placed.c");
        String::from_utf8_lossy(&sandbox.fathom(&words).output().unwrap().stdout).into_owned()
    };
    let lines = |said: &str| -> Vec<String> {
        said.split_whitespace().filter(|word| word.contains("placed.c:")).map(str::to_owned).collect()
    };
    let (stopped, hooked) = (said("--stacks --capture ptrace"), said("--stacks --capture hook"));
    assert!(!lines(&stopped).is_empty(), "{stopped}");
    assert_eq!(lines(&hooked), lines(&stopped), "{hooked}");
    assert!(hooked.contains("by the hook (experimental)"), "{hooked}");
    let without = said("--capture hook");
    assert!(
        lines(&without).is_empty() && without.contains("no call has a line: the hook takes"),
        "{without}"
    );
    assert!(!said("--capture hook --no-lines").contains("no call has a line"));
}

#[test]
fn the_ring_and_ptrace_find_the_same() {
    if !has(Capability::Ring) || !has(Capability::SystemPython) {
        return;
    }
    let sandbox = with_data();
    let audit = |capture: &str| {
        let words = format!(
            "audit --capture {capture} --format json -o kept/{capture} -- /usr/bin/python3 -S -E wasteful.py"
        );
        let output = sandbox.fathom(&words).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "some words");
        found(&fs::read(sandbox.file("kept").join(capture)).unwrap())
    };
    // Where the C library puts a thread's memory and what it waits for depends on who is first.
    let of_files = |calls: Value| -> Vec<Value> {
        let is_file = |call: &Value| {
            !["mmap", "munmap", "mprotect", "madvise", "mremap"].contains(&call["call"].as_str().unwrap())
        };
        calls.as_array().unwrap().iter().filter(|call| is_file(call)).cloned().collect()
    };
    let ((ours, our_calls), (theirs, their_calls)) = (audit("ring"), audit("ptrace"));
    assert!(ours["R03"] >= 20 && ours["R13"] >= 20, "{ours:?}");
    assert_eq!(ours, theirs);
    assert_eq!(of_files(our_calls), of_files(their_calls));
    sandbox.assert_nothing_left();
}

#[test]
fn what_captured_is_said_and_why() {
    let sandbox = Sandbox::new();
    let by = |words: &str| sandbox.fathom(&format!("audit --full {words} -- true")).output().unwrap().stdout;
    assert!(String::from_utf8_lossy(&by("--capture ptrace")).contains("capture   by ptrace: as asked"));
    if has(Capability::Ring) {
        assert!(String::from_utf8_lossy(&by("")).contains("capture   by a ring"));
        assert!(String::from_utf8_lossy(&by("--stacks --capture ring")).contains("capture   by a ring"));
    }
}

#[test]
fn without_privilege_it_is_ptrace_and_the_ring_is_refused_in_words() {
    if !rustix::process::getuid().is_root() {
        return;
    }
    let sandbox = Sandbox::new();
    fs::set_permissions(sandbox.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let run = |words: &str| {
        let mut command = sandbox.command_of_nobody(crate::sandbox::program());
        command.args(words.split_whitespace()).assert()
    };
    let said = run("audit --full -- true").code(0);
    let said = String::from_utf8_lossy(&said.get_output().stdout).into_owned();
    assert!(said.contains("capture   by ptrace: a ring cannot be had: it needs CAP_BPF"), "{said}");
    assert!(!said.contains("--capture hook"), "nothing to save: {said}");
    fs::create_dir(sandbox.file("data")).unwrap();
    for number in 0..700 {
        fs::write(sandbox.file(&format!("data/{number}")), "some words").unwrap();
    }
    let of_many = |words: &str| {
        let said = run(&format!("audit --no-config {words} -- grep -r other data")).code(0);
        String::from_utf8_lossy(&said.get_output().stdout).into_owned()
    };
    // The hook is never taken unasked; where it would save time it is named.
    let said = of_many("");
    assert_eq!(said.contains("--capture hook"), cfg!(target_arch = "x86_64"), "{said}");
    assert!(!of_many("--capture ptrace").contains("--capture hook"));
    if cfg!(target_arch = "x86_64") {
        let said = of_many("--full --capture hook");
        assert!(said.contains("by the hook (experimental)") && !said.contains("faster"), "{said}");
    }
    let said = of_many("--full");
    assert!(said.contains("capture   by ptrace: a ring cannot be had: it needs CAP_BPF"), "{said}");
    run("audit --capture ring -- true")
        .code(2)
        .stdout(is_empty())
        .stderr(says("it needs CAP_BPF and CAP_PERFMON").and(says("--capture ptrace")));
    run("audit --pid 1").code(2).stdout(is_empty()).stderr(says("CAP_BPF").and(says("strace -f")));
}

#[test]
fn a_running_process_is_watched_and_lives_on() {
    if !has(Capability::Ring) {
        return;
    }
    let sandbox = Sandbox::new();
    // It reads by a descriptor that was open before anybody watched, and opens what is not there.
    let script = "exec 7< /etc/passwd
while [ ! -e stop ]; do read line <&7; [ -e no-such-file ]; : < /etc/hostname; sleep 0.02; done
echo ended > last";
    sandbox.write("work.sh", script);
    let watch = "sh work.sh & work=$!
sleep 0.2
fathom audit --pid $work --seconds 1 --format json -o a.json
echo $? > code
fathom trace --pid $work --seconds 1 -o a.events
kill -0 $work && touch alive
fathom audit --pid $work -o until-term.txt & audit=$!
sleep 0.5; kill -TERM $audit; wait $audit
touch stop; wait $work";
    sandbox.shell(watch);
    assert!(sandbox.file("alive").exists() && sandbox.file("last").exists());
    let audit: Value = serde_json::from_slice(&fs::read(sandbox.file("a.json")).unwrap()).unwrap();
    let fact = |label: &str| {
        let facts = audit["about"].as_array().unwrap();
        facts.iter().find(|fact| fact["kind"] == label).map(|fact| fact["text"].as_str().unwrap().to_owned())
    };
    assert_eq!(fact("ended").as_deref(), Some("it lives on"));
    assert_eq!(fact("window").as_deref(), Some("watched for 1 s"));
    let calls = audit["calls"].as_array().unwrap();
    let count = |name: &str| -> u64 {
        calls.iter().filter(|call| call["call"] == name).map(|call| call["count"].as_u64().unwrap()).sum()
    };
    assert!(count("openat") > 3 && count("read") > 3, "{calls:#?}");
    let again = sandbox.fathom("audit --from a.events").output().unwrap();
    assert!(String::from_utf8_lossy(&again.stdout).contains("by ring"));
    let text = fs::read_to_string(sandbox.file("until-term.txt")).unwrap();
    assert!(text.contains("window    watched until SIGTERM"), "{text}");
    sandbox.fathom("audit --pid 99999999").assert().code(2).stderr(says("/proc/99999999"));
    sandbox.assert_nothing_left();
}

/// Installs a filter that refuses `fchmodat` with EPERM and lets the rest through, then runs its words.
const REFUSE: &str = r"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fchmodat, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof code / sizeof *code, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) return 99;
    execvp(argv[1], argv + 1);
    return 98;
}
";

#[test]
fn calls_that_an_inherited_filter_refuses_are_seen() {
    if !has(Capability::C) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("refuse.c", REFUSE);
    sandbox.write("file", "");
    let done = sandbox.shell(
        "gcc -o refuse refuse.c && ./refuse fathom audit --capture ptrace --format json -o a.json \
         --assert 'fchmodat EPERM == 1' -- chmod 600 file",
    );
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    let audit: Value = serde_json::from_slice(&fs::read(sandbox.file("a.json")).unwrap()).unwrap();
    assert_eq!(audit["budgets"][0]["measured"]["value"], 1.0);
    assert!(audit["gaps"].as_array().is_none_or(Vec::is_empty), "{audit:#}");
    let said = audit["about"].to_string();
    assert!(said.contains("a seccomp filter is in force here already"), "{said}");
}

/// Sets up the kernel's asynchronous I/O, which libaio wraps.
const ASYNCHRONOUS: &str = "
#include <sys/syscall.h>
#include <unistd.h>
int main(void) { unsigned long context = 0; return syscall(SYS_io_setup, 8, &context) != 0; }
";

#[test]
fn asynchronous_io_leaves_budgets_open_under_both_captures() {
    if !has(Capability::C) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("asynchronous.c", ASYNCHRONOUS);
    assert!(sandbox.shell("gcc -o asynchronous asynchronous.c").status.success());
    let captures = ["ptrace", "ring"];
    for capture in captures.into_iter().filter(|capture| *capture == "ptrace" || has(Capability::Ring)) {
        let mut command = sandbox.fathom(&format!("audit --capture {capture}"));
        let done = command.args(["--assert", "bytes read <= 1 MiB", "--", "./asynchronous"]).assert().code(3);
        done.stdout(says("NOT KNOWN bytes read <= 1 MiB").and(says("set up asynchronous I/O (1 context)")));
    }
}
