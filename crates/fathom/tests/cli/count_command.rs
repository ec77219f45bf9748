//! `fathom count`: the same counts as strace and perf, streams left alone, exit
//! codes, signals, and what an ordinary user gets.

use crate::capability::{Capability, has};
use crate::running::Running;
use crate::sandbox::{Sandbox, program, says, workspace};
use fathom_model::{CallOutcome, CommandCount, Cut, FileKind, ProcessEnd};
use predicates::Predicate;
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::fs;

/// Calls by name and by how they ended.
type Counts = BTreeMap<(String, CallOutcome), u64>;

fn read(sandbox: &Sandbox) -> CommandCount {
    serde_json::from_str(&fs::read_to_string(sandbox.file("count.json")).unwrap()).unwrap()
}

/// Counts a command; `code` is what it has to end with.
fn count(sandbox: &Sandbox, command: &[&str], code: i32) -> CommandCount {
    let mut fathom = sandbox.fathom("count --format json -o count.json --");
    fathom.args(command).assert().code(code);
    read(sandbox)
}

fn ours(count: &CommandCount) -> Counts {
    let mut counts = Counts::new();
    for tally in count.processes.iter().flat_map(|p| &p.threads).flat_map(|thread| &thread.calls) {
        *counts.entry((tally.call.clone(), tally.outcome.clone())).or_default() += tally.count;
    }
    counts
}

fn straces(sandbox: &Sandbox, command: &[&str]) -> Counts {
    let log = sandbox.file("strace.log");
    let mut strace = sandbox.command("strace");
    strace.args(["-f", "-qq", "-s", "0", "-e", "signal=none", "-o"]).arg(&log).args(command);
    let _any_code = strace.output().unwrap();
    parse(&String::from_utf8_lossy(&fs::read(log).unwrap()))
}

/// Every call of a log, by how it ended. What begins in one line and ends in
/// another counts at its end; `?` is the result of a call that did not return.
fn parse(log: &str) -> Counts {
    let mut counts = Counts::new();
    for line in log.lines() {
        let text = line.split_once(' ').map_or("", |(_, text)| text).trim_start();
        let resumed = text.strip_prefix("<... ").and_then(|text| text.split_once(" resumed>"));
        if resumed.is_none() && text.ends_with("<unfinished ...>") {
            continue;
        }
        let Some(name) = resumed.map(|(name, _)| name).or_else(|| Some(text.split_once('(')?.0)) else {
            continue;
        };
        // A thread that is killed before its call could be read.
        if name.contains('?') {
            continue;
        }
        let result = text.rsplit_once(" = ").map_or("?", |(_, result)| result);
        let errno = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
        let outcome = match (result.strip_prefix("-1 E"), result.strip_prefix("? E")) {
            // What strace shows as its result is a register of the interrupted code.
            _ if name == "rt_sigreturn" => CallOutcome::Succeeded,
            (Some(rest), _) | (_, Some(rest)) => CallOutcome::Failed(format!("E{}", errno(rest))),
            _ if result.starts_with('?') => CallOutcome::NeverReturned,
            _ => CallOutcome::Succeeded,
        };
        *counts.entry((name.to_owned(), outcome)).or_default() += 1;
    }
    counts
}

#[test]
fn a_log_is_counted_by_call_and_end() {
    let log = "\
7 execve(\"/bin/sh\"..., [...], 0x1 /* 3 vars */) = 0
7 openat(AT_FDCWD, \"\"..., O_RDONLY) = -1 ENOENT (No such file or directory)
7 wait4(-1,  <unfinished ...>
8 exit_group(0)                     = ?
7 <... wait4 resumed>0x7, 0, NULL)  = ? ERESTARTSYS (To be restarted if SA_RESTART is set)
7 rt_sigreturn({mask=[]})           = -1 EINTR (Interrupted system call)
9 ???( <unfinished ...>
9 <... ??? resumed>) = ?
";
    let failed = |errno: &str| CallOutcome::Failed(errno.to_owned());
    let expected = [
        ("execve", CallOutcome::Succeeded),
        ("openat", failed("ENOENT")),
        ("exit_group", CallOutcome::NeverReturned),
        ("wait4", failed("ERESTARTSYS")),
        ("rt_sigreturn", CallOutcome::Succeeded),
    ];
    assert_eq!(parse(log), expected.map(|(name, outcome)| ((name.to_owned(), outcome), 1)).into());
}

#[test]
fn strace_counts_the_same_by_call_and_errno() {
    if !has(Capability::Strace) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("f", "text\n");
    let docs = workspace().join("docs");
    let shell = "for i in 1 2 3; do cat f; done; cat missing";
    let restart = "$SIG{ALRM} = sub {}; alarm 1; sleep 3; exec 'cat', 'missing'";
    let mut commands = vec![
        vec!["ls", "-lR", docs.to_str().unwrap()],
        vec!["sh", "-c", shell],
        vec!["find", docs.to_str().unwrap(), "-size", "+1k"],
    ];
    if has(Capability::Perl) {
        commands.push(vec!["perl", "-e", restart]);
    }
    for command in commands {
        let mut fathom = sandbox.fathom("count --format json -o count.json --");
        let _any_code = fathom.args(&command).output().unwrap();
        let (mut ours, mut straces) = (ours(&read(&sandbox)), straces(&sandbox, &command));
        if command[0] == "perl" {
            // How often its heap grows depends on where it lies, and on the seed of its hashes: both are drawn.
            for counts in [&mut ours, &mut straces] {
                counts.retain(|(call, _), _| call != "brk");
            }
        }
        assert_eq!(ours, straces, "{command:?}");
    }
}

#[test]
fn the_hook_counts_what_ptrace_counts() {
    if fathom_trace::hook_availability().is_err() {
        println!("skipped: calls cannot be hooked here");
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("f", "text\n");
    let docs = workspace().join("docs");
    let shell =
        "for i in 1 2 3 4 5 6 7 8 9; do read line < f; cd .; done; cat f f missing; (exit 3); kill -9 $$";
    let commands = [
        (vec!["ls", "-lR", docs.to_str().unwrap()], 0),
        (vec!["find", docs.to_str().unwrap(), "-size", "+1k"], 0),
        (vec!["sh", "-c", shell], 137),
    ];
    for (command, code) in commands {
        let by = |capture: &str| {
            let words = format!("count --capture {capture} --no-prices --format json -o count.json --");
            sandbox.fathom(&words).args(&command).assert().code(code);
            read(&sandbox)
        };
        let (stopped, hooked) = (by("ptrace"), by("hook"));
        assert_eq!(ours(&hooked), ours(&stopped), "{command:?}");
        let ends = |count: &CommandCount| count.processes.iter().map(|of| of.end.clone()).collect::<Vec<_>>();
        assert_eq!(ends(&hooked), ends(&stopped));
        let noted = hooked.exactness.split("by the hook, ").nth(1).and_then(|rest| rest.split(' ').next());
        let noted: u64 = noted.unwrap().parse().unwrap();
        assert!(noted > 20, "{}", hooked.exactness);
    }
    let refused = sandbox.fathom("count --capture hook --prices none.json -- true").output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(says("--capture hook gives no prices").eval(&refused.stderr));
}

#[test]
fn python_and_its_threads_open_what_strace_sees() {
    if !has(Capability::Strace) || !has(Capability::Python) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("f", "text\n");
    let one = "print(open('f').read())";
    let many = "import threading\nfor _ in range(23):\n t = threading.Thread(target=lambda: open('f').close()); \
                t.start(); t.join()";
    // By its own path: what stands before it in PATH may be a script that chooses one.
    let found =
        sandbox.command("python3").args(["-c", "import sys; print(sys.executable)"]).output().unwrap();
    let python = String::from_utf8(found.stdout).unwrap().trim().to_owned();
    let command = [python.as_str(), "-I", "-c", one];
    // The first run may write what is compiled.
    straces(&sandbox, &command);
    assert_eq!(ours(&count(&sandbox, &command, 0)), straces(&sandbox, &command));
    // How threads wait for each other is theirs to decide; which files they open is not.
    let command = [python.as_str(), "-I", "-c", many];
    let opens = |counts: Counts| -> Counts {
        let files = ["openat", "newfstatat", "read", "lseek", "ioctl", "close", "clone3", "clone", "execve"];
        counts.into_iter().filter(|((name, _), _)| files.contains(&name.as_str())).collect()
    };
    let counted = count(&sandbox, &command, 0);
    assert_eq!(counted.threads(), 24);
    assert_eq!(opens(ours(&counted)), opens(straces(&sandbox, &command)));
}

#[test]
fn processes_have_parents_programs_and_ends() {
    let sandbox = Sandbox::new();
    sandbox.write("f", "text\n");
    let counted = count(&sandbox, &["sh", "-c", "cat f; (exit 3); sh -c 'kill -9 $$'; exit 7"], 7);
    let shown: Vec<_> = counted
        .processes
        .iter()
        .map(|p| (p.parent, p.programs.last().map(|program| program.arguments[0].as_str()), &p.end))
        .collect();
    let killed = ProcessEnd::Killed("SIGKILL".to_owned());
    assert_eq!(
        shown,
        [
            (None, Some("sh"), &ProcessEnd::Exited(7)),
            (Some(0), Some("cat"), &ProcessEnd::Exited(0)),
            (Some(0), None, &ProcessEnd::Exited(3)),
            (Some(0), Some("sh"), &killed),
        ]
    );
    let sum: u64 = counted.processes.iter().map(fathom_model::CountedProcess::calls).sum();
    assert_eq!(sum, counted.sums().values().map(|sum| sum.calls).sum::<u64>());
    assert_eq!(sum, counted.conditions.iter().map(|condition| condition.count).sum::<u64>());
}

#[test]
fn streams_are_left_alone_and_the_code_is_the_commands() {
    let sandbox = Sandbox::new();
    let said = sandbox.fathom("count -- cat").write_stdin("through\n").assert().code(0);
    let output = said.get_output();
    assert_eq!(output.stdout, b"through\n");
    let table = String::from_utf8_lossy(&output.stderr);
    assert!(table.contains("Calls of `cat`") && table.contains("exit_group"), "{table}");
    sandbox.fathom("count --").args(["sh", "-c", "exit 42"]).assert().code(42).stdout("");
    sandbox.fathom("count --").args(["sh", "-c", "kill -TERM $$"]).assert().code(128 + 15);
    sandbox.fathom("count -o t.txt -- ls --nosuch").assert().code(2).stderr(says("nosuch"));
    assert!(fs::read_to_string(sandbox.file("t.txt")).unwrap().contains("Calls of `ls --nosuch`"));
}

#[test]
fn what_goes_wrong_has_words() {
    let sandbox = Sandbox::new();
    sandbox
        .fathom("count -- /no/such/command")
        .assert()
        .code(2)
        .stderr(says("failed to start `/no/such/command`"));
    sandbox.fathom("count").assert().code(2).stderr(says("COMMAND"));
    sandbox.write("x.json", "{}");
    sandbox.fathom("count --prices x.json -- true").assert().code(2).stderr(says("x.json"));
    sandbox.fathom("count --prices missing.json -- true").assert().code(2).stderr(says("missing.json"));
    if has(Capability::Perl) && has(Capability::Seccomp) {
        let mut perl = sandbox.command("perl");
        perl.args(["-e", crate::missing::DENY_PTRACE]).arg(program()).args(["count", "--", "true"]);
        perl.assert().code(2).stderr(says("failed to trace `true`"));
    }
}

#[test]
fn calls_are_told_apart_by_what_they_are_made_on() {
    let sandbox = Sandbox::new();
    sandbox.write("f", &"x".repeat(8192));
    let counted = count(&sandbox, &["sh", "-c", "dd if=f of=/dev/null bs=4096; cat f | dd of=g bs=8192"], 0);
    let on = |call: &str, size: u64| {
        let found = counted.conditions.iter();
        let found = found.filter(|c| c.call == call && c.size_class_bytes == Some(size) && c.bytes > 0);
        found.map(|condition| (condition.on, condition.count)).collect::<BTreeMap<_, _>>()
    };
    let (regular, other) = (Some(FileKind::Regular), Some(FileKind::Other));
    assert_eq!(on("write", 4096), [(other, 2)].into(), "to /dev/null");
    assert_eq!(on("write", 8192).get(&regular), Some(&1), "to g");
    // Who loads libraries reads as much of them now and then.
    assert!(on("read", 4096).get(&regular).is_some_and(|count| *count >= 2), "of f");
    assert_eq!(on("read", 8192).get(&other), Some(&1), "from the pipe");
    let closed = counted.conditions.iter().filter(|condition| condition.call == "close");
    assert!(closed.clone().all(|c| c.on.is_some() || c.outcome != CallOutcome::Succeeded));
    assert!(closed.clone().any(|c| c.on == regular) && closed.clone().any(|c| c.on == other));
}

#[test]
fn a_missing_folder_is_no_place_and_is_not_made() {
    let sandbox = Sandbox::new();
    sandbox.fathom("count -o missing/x -- touch ran").assert().code(2).stderr(says("missing"));
    sandbox.fathom("prices --kept -o missing/x").assert().code(2).stderr(says("missing"));
    assert!(!sandbox.file("missing").exists() && !sandbox.file("ran").exists());
    sandbox.fathom("count -o /dev/null -- true").assert().code(0);
    sandbox.fathom("count -o here -- true").assert().code(0);
    assert!(fs::read_to_string(sandbox.file("here")).unwrap().contains("Calls of `true`"));
}

#[test]
fn the_last_process_in_the_background_is_waited_for() {
    let sandbox = Sandbox::new();
    let counted = count(&sandbox, &["sh", "-c", "(sleep 0.3; cat missing) >/dev/null 2>&1 & exit 5"], 5);
    let cat =
        counted.processes.iter().find(|p| p.programs.iter().any(|program| program.arguments[0] == "cat"));
    assert_eq!(cat.map(|process| &process.end), Some(&ProcessEnd::Exited(1)));
}

#[test]
fn a_signal_to_fathom_reaches_the_command_and_what_was_counted_is_told() {
    if !has(Capability::Strace) {
        // Whoever may not run strace may not trace at all.
        return;
    }
    for (signal, name, code) in [(Signal::INT, "SIGINT", 130), (Signal::TERM, "SIGTERM", 143)] {
        let sandbox = Sandbox::new();
        let mut running = Running::start(&sandbox, "count --format json -o count.json -- sleep 300");
        running.wait_for("a traced sleep", |now| {
            let pid = now.traced_driver()?;
            let command = fs::read_to_string(format!("/proc/{pid}/cmdline")).ok()?;
            command.starts_with("sleep").then_some(())
        });
        running.signal(signal);
        let ended = running.end();
        assert_eq!(ended.code, Some(code), "{}", ended.err);
        let counted = read(&sandbox);
        assert_eq!(counted.cut, Some(Cut::Interrupted(name.to_owned())));
        assert_eq!(counted.processes[0].end, ProcessEnd::Killed(name.to_owned()));
        assert_eq!(sandbox.processes(), Vec::<u32>::new());
    }
}

#[test]
fn at_the_time_limit_everything_is_killed_and_told() {
    let sandbox = Sandbox::new();
    sandbox
        .fathom("count --time-limit 0.5 -o count.json --format json -- ")
        .args(["sh", "-c", "sleep 300 & wait"])
        .assert()
        .code(128 + 9);
    let counted = read(&sandbox);
    assert_eq!(counted.cut, Some(Cut::TimeLimit(0.5)));
    assert_eq!(counted.processes.len(), 2);
    assert_eq!(sandbox.processes(), Vec::<u32>::new());
}

#[test]
fn the_json_is_that_of_the_schema_and_the_examples_of_the_help_run() {
    let sandbox = Sandbox::new();
    let schema = fs::read_to_string(workspace().join("docs/command-count.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let help = sandbox.fathom("count --help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let examples: Vec<_> = help.lines().filter_map(|line| line.strip_prefix("  fathom ")).collect();
    assert!(examples.len() >= 4, "{help}");
    for example in &examples {
        sandbox.fathom(example).assert().code(0);
    }
    let value = serde_json::from_str(&fs::read_to_string(sandbox.file("count.json")).unwrap()).unwrap();
    let errors: Vec<_> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
    assert_eq!(errors, Vec::<String>::new());
}

/// `nohup` and shells that start a job in the background have signals ignored, and a program
/// asks for that: a handler of ours would show it the default action.
#[test]
fn a_signal_that_was_ignored_is_ignored_in_the_command() {
    let sandbox = Sandbox::new();
    let show = "grep SigIgn /proc/self/status";
    let inner = format!("trap '' INT HUP; {show}; {} count -- {show}", program());
    let shell = sandbox.command("sh").args(["-c", &inner]).assert().code(0);
    let text = String::from_utf8(shell.get_output().stdout.clone()).unwrap();
    let masks: Vec<&str> = text.lines().filter(|line| line.starts_with("SigIgn")).collect();
    assert_eq!(masks.len(), 2, "{text}");
    let ignored =
        |mask: &str| u64::from_str_radix(mask.split_whitespace().nth(1).unwrap(), 16).unwrap() & 0b11;
    assert_eq!((ignored(masks[0]), ignored(masks[1])), (0b11, 0b11), "SIGHUP and SIGINT: {masks:?}");
}
