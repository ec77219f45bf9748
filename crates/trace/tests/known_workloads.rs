//! Programs whose calls are known in number: the tracer must count exactly.
#![expect(clippy::disallowed_methods, reason = "a test may panic where no thread can be made")]
#![expect(clippy::unwrap_used, reason = "functions shared by tests fail as tests do")]

use fathom_trace::{CountPlan, DataPaths, Options, TraceError, count_pass, recipe_agrees, run};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{fs, thread};

const PLAN: CountPlan =
    CountPlan { warm_up: 4, operations: 12, repetitions: 3, brief: false, method: None, silent: false };

/// A driver in Perl: per operation 23 opens and closes by way of the C library
/// alone, and one open that fails.
const PERL_DRIVER: &str = r#"
use POSIX; $| = 1; print "ready\n";
while (<STDIN>) {
    last unless /^batch (\d+)/;
    my $n = $1;
    POSIX::open("/fathom-mark/begin", O_RDONLY);
    for (1 .. $n) {
        for (1 .. 23) { POSIX::close(POSIX::open($ARGV[0], O_RDONLY)) }
        POSIX::open("$ARGV[0].missing", O_RDONLY);
    }
    POSIX::open("/fathom-mark/end", O_RDONLY);
    print "done ops=$n ns=1 bytes=0 digest=0\n";
}
"#;

fn example() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    tests.parent().and_then(Path::parent).unwrap().join("examples/marked_driver")
}

fn marked_driver(mode: &str, path: &Path) -> Command {
    let mut command = Command::new(example());
    command.arg(mode).arg(path);
    command
}

fn data_file(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("fathom-trace-{}-{name}", std::process::id()));
    fs::write(&path, "data").unwrap();
    path
}

fn count(command: &mut Command, path: &Path) -> Result<fathom_model::CountPass, TraceError> {
    let script = PLAN.script();
    let traced =
        run(command, &Options { stdin: script.as_bytes(), cpu: Some(first_cpu()), ..Options::default() });
    fs::remove_file(path).unwrap();
    count_pass(&traced?, &PLAN, &DataPaths::new([path]))
}

fn first_cpu() -> u32 {
    let set = rustix::thread::sched_getaffinity(None).unwrap();
    (0..1024).find(|cpu| set.is_set(*cpu as usize)).unwrap()
}

/// `(call, errno, calls per operation)`, sorted.
fn exact_counts(pass: &fathom_model::CountPass) -> Vec<(&str, Option<&str>, f64)> {
    assert!(pass.is_exact(), "{:?}", pass.inside);
    let mut counts: Vec<_> =
        pass.inside.iter().map(|c| (c.call.as_str(), c.errno.as_deref(), c.per_operation())).collect();
    counts.sort_by(|a, b| a.partial_cmp(b).unwrap());
    counts
}

#[test]
fn perl_opens_23_times_and_fails_once() {
    if Command::new("perl").arg("-e1").status().is_err() {
        eprintln!("skipped: no perl");
        return;
    }
    let path = data_file("perl");
    let pass = count(Command::new("perl").args(["-e", PERL_DRIVER]).arg(&path), &path).unwrap();
    assert_eq!(
        exact_counts(&pass),
        [("close", None, 23.0), ("openat", None, 23.0), ("openat", Some("ENOENT"), 1.0)]
    );
    assert!(recipe_agrees(&pass), "{:?}", pass.recipe);
    assert_eq!(pass.recipe.len(), 47);
    assert!(pass.recipe[0].arguments.starts_with("FILE, O_RDONLY"), "{:?}", pass.recipe[0]);
    let last = &pass.recipe[46];
    assert!(last.failed && last.result == "ENOENT" && last.arguments.contains(".missing"), "{last:?}");
    let answers = pass.outside.iter().find(|count| count.call == "write").expect("each answer is written");
    assert_eq!(answers.differences, [1]);
    assert_eq!((pass.threads, pass.background.len()), (1, 0));
}

#[test]
fn opens_of_another_thread_are_counted_and_said_to_be_anothers() {
    let path = data_file("threads");
    let pass = count(&mut marked_driver("threads", &path), &path).unwrap();
    let of = |name: &str| pass.inside.iter().find(|c| c.call == name).unwrap();
    assert_eq!(
        (of("openat").differences.as_slice(), of("close").differences.as_slice()),
        (&[276_i64; 3][..], &[276_i64; 3][..])
    );
    assert_eq!(pass.threads, 2);
    let opens: Vec<_> = pass.recipe.iter().filter(|step| step.call == "openat").collect();
    assert!(opens.len() == 23 && opens.iter().all(|step| step.other_thread), "{opens:?}");
}

#[test]
fn calls_of_children_are_counted() {
    let path = data_file("fork");
    let pass = count(&mut marked_driver("fork", &path), &path).unwrap();
    let execs: Vec<_> = pass.inside.iter().filter(|c| c.call == "execve" && c.errno.is_none()).collect();
    assert!(execs.len() == 1 && execs[0].differences == [12; 3], "{execs:?}");
    let reads = pass.recipe.iter().filter(|step| step.call == "openat" && step.arguments.starts_with("FILE"));
    assert_eq!(reads.count(), 1, "the shell opens the file once");
}

#[test]
fn a_killed_driver_is_named_with_its_signal() {
    let path = data_file("die");
    let error = count(&mut marked_driver("die", &path), &path).unwrap_err();
    assert!(matches!(&error, TraceError::Killed { signal, .. } if signal == "SIGSEGV"), "{error}");
}

#[test]
fn an_error_answer_is_handed_on() {
    let path = data_file("error");
    let error = count(&mut marked_driver("error", &path), &path).unwrap_err();
    assert!(
        matches!(&error, TraceError::Driver(text) if text.starts_with("error op=open errno=EIO")),
        "{error}"
    );
}

#[test]
fn a_missing_program_is_named() {
    let error = run(&mut Command::new("/no/such/driver"), &Options::default()).unwrap_err();
    assert!(error.to_string().contains("/no/such/driver"), "{error}");
    assert!(matches!(error, TraceError::Start { error, .. } if error.kind() == std::io::ErrorKind::NotFound));
}

#[test]
fn a_hanging_driver_is_killed_at_its_limit_and_at_a_wish() {
    let path = data_file("hang");
    let time_limit = Duration::from_millis(300);
    let options = Options { stdin: b"batch 1\n", time_limit, ..Options::default() };
    let error = run(&mut marked_driver("hang", &path), &options).unwrap_err();
    assert!(matches!(error, TraceError::TimedOut { limit, .. } if limit == time_limit), "{error}");

    let stop = AtomicBool::new(false);
    let options = Options { stdin: b"batch 1\n", stop: Some(&stop), ..Options::default() };
    let error = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(200));
            stop.store(true, Ordering::Relaxed);
        });
        run(&mut marked_driver("hang", &path), &options).unwrap_err()
    });
    assert!(matches!(error, TraceError::Interrupted), "{error}");
    fs::remove_file(path).unwrap();
}

#[test]
fn what_a_program_leaves_behind_dies_with_it() {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "sleep 300 & echo $!"]);
    let traced = run(&mut command, &Options::default()).unwrap();
    let pid = String::from_utf8(traced.stdout).unwrap();
    let command_line = fs::read(format!("/proc/{}/cmdline", pid.trim())).unwrap_or_default();
    assert!(!command_line.starts_with(b"sleep"), "it is gone, or a zombie without a command line");
}

#[test]
fn long_input_and_output_do_not_fill_a_pipe() {
    let input = "0123456789abcdef".repeat(20_000);
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "cat; cat <&0 >&2; exit 3"]);
    let traced = run(&mut command, &Options { stdin: input.as_bytes(), ..Options::default() }).unwrap();
    assert_eq!(traced.stdout.len(), 320_000);
    assert_eq!(traced.stdout, input.as_bytes());
    assert_eq!(traced.status.code(), Some(3));
}

#[test]
fn signals_reach_the_program_also_real_time_ones() {
    let script = "trap 'echo one' USR1; trap 'echo two' 40; kill -USR1 $$; kill -40 $$; echo end";
    let mut command = Command::new("/bin/bash");
    if !Path::new("/bin/bash").exists() {
        eprintln!("skipped: no bash");
        return;
    }
    let traced = run(command.args(["-c", script]), &Options::default()).unwrap();
    assert_eq!(String::from_utf8_lossy(&traced.stdout), "one\ntwo\nend\n");
}

#[test]
fn a_stopped_program_stays_stopped_until_continued() {
    let path = data_file("pause");
    let after = PathBuf::from(format!("{}.after", path.display()));
    fs::write(&path, "").unwrap();
    thread::scope(|scope| {
        let traced = scope.spawn(|| run(&mut marked_driver("pause", &path), &Options::default()));
        let pid = loop {
            match fs::read_to_string(&path).unwrap().parse() {
                Ok(pid) => break rustix::process::Pid::from_raw(pid).unwrap(),
                Err(_) => thread::sleep(Duration::from_millis(5)),
            }
        };
        thread::sleep(Duration::from_millis(300));
        assert!(!after.exists(), "it must not have gone on by itself");
        rustix::process::kill_process(pid, rustix::process::Signal::CONT).unwrap();
        assert!(traced.join().unwrap().unwrap().status.success());
    });
    assert!(after.exists());
    fs::remove_file(path).unwrap();
    fs::remove_file(after).unwrap();
}

#[test]
fn other_children_keep_their_ends() {
    let mut foreign = Command::new("/bin/sh").args(["-c", "exit 9"]).spawn().unwrap();
    run(Command::new("/bin/sh").args(["-c", ":"]), &Options::default()).unwrap();
    assert_eq!(foreign.wait().unwrap().code(), Some(9));
}
