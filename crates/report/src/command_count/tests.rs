//! The text of a small command, with and without prices.

use super::*;
use fathom_model::{
    CallOutcome, CallTally, CommandPrices, CountedProcess, CountedThread, CounterUnit, Estimate,
    ExecutedProgram, KernelCounter, PricedCalls, Scope, Severity, Warning,
};

fn tally(call: &str, outcome: CallOutcome, count: u64) -> CallTally {
    CallTally { call: call.to_owned(), outcome, count }
}

fn failed(errno: &str) -> CallOutcome {
    CallOutcome::Failed(errno.to_owned())
}

fn process(pid: i32, parent: Option<usize>, program: Option<&str>, calls: Vec<CallTally>) -> CountedProcess {
    let program = program.map(|words| ExecutedProgram {
        path: Reading::Value("/bin/x".into()),
        arguments: words.split(' ').map(str::to_owned).collect(),
        privilege_lost: None,
    });
    CountedProcess {
        pid,
        parent,
        programs: program.into_iter().collect(),
        end: if parent.is_some() { ProcessEnd::Killed("SIGKILL".to_owned()) } else { ProcessEnd::Exited(1) },
        threads: vec![CountedThread { tid: pid, name: "sh".to_owned(), calls }],
    }
}

fn count(prices: Reading<CommandPrices>) -> CommandCount {
    let record = fathom_testkit::all().remove(0).1;
    let calls = vec![
        tally("execve", CallOutcome::Succeeded, 1),
        tally("exit_group", CallOutcome::NeverReturned, 1),
        tally("openat", CallOutcome::Succeeded, 3),
        tally("openat", failed("ENOENT"), 2),
    ];
    CommandCount {
        schema_version: fathom_model::COMMAND_COUNT_VERSION,
        fathom_version: "0.0.0".to_owned(),
        created: "2026-11-20T00:00:00Z".to_owned(),
        environment: record.environment,
        command: vec!["sh".to_owned(), "-c".to_owned(), "x\u{1b}[31m".to_owned()],
        directory: Reading::Value("/".into()),
        cpu: None,
        traced_seconds: 0.25,
        cut: None,
        exactness: "Exact.".to_owned(),
        processes: vec![
            process(7, None, Some("sh -c x"), calls),
            process(8, Some(0), None, vec![tally("openat", failed("EACCES"), 1)]),
        ],
        conditions: Vec::new(),
        prices,
        counters: Vec::new(),
        warnings: vec![Warning::new(Severity::Warning, "io-uring", "io_uring was used")],
    }
}

fn prices() -> CommandPrices {
    let estimate = |value| Estimate { value, low: None, high: None, confidence: 0.95, forks: 8 };
    let place = fathom_testkit::all().remove(0).1.places.remove(0);
    let calls = [(CallOutcome::Succeeded, 3, 2000.0), (failed("ENOENT"), 2, 500.0)];
    let priced = calls.map(|(outcome, count, ns)| PricedCalls {
        call: "openat".to_owned(),
        outcome,
        count,
        price: "O_RDONLY".to_owned(),
        at: Some("depth 2".to_owned()),
        note: None,
        wall_ns: estimate(ns),
        cpu_ns: estimate(ns / 2.0),
    });
    CommandPrices { file: "p.json".into(), created: "2026".to_owned(), place, calls: priced.into() }
}

fn rows(text: &str, word: &str) -> Vec<Vec<String>> {
    let found = text.lines().filter(|line| line.split_whitespace().any(|found| found == word));
    found.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

#[test]
fn without_prices_the_table_counts_and_no_time_looks_like_a_cost() {
    let text = render_command_count(
        &count(Reading::unavailable("not asked for")),
        CountBy::Command,
        &TextOptions::default(),
    );
    assert_eq!(rows(&text, "openat")[0], ["6", "3", "openat", "ENOENT", "2,", "EACCES", "1"]);
    assert_eq!(rows(&text, "all")[0], ["8", "3", "all"]);
    assert!(text.contains("Never returned, which `strace -c` leaves out: exit_group 1."), "{text}");
    assert!(text.contains("0.25 s under the tracer: not the command's own time"), "{text}");
    assert!(text.contains("none: not asked for") && !text.contains("ns each"), "{text}");
    assert_eq!(rows(&text, "7")[0], ["7", "-", "7", "exit", "1", "sh", "-c", "x"]);
    assert_eq!(rows(&text, "8").last().unwrap()[..4], ["8", "7", "1", "SIGKILL"]);
    assert!(text.contains("(fork of) sh -c x") && text.contains("io_uring was used"), "{text}");
    assert!(!text.contains('\u{1b}') && text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn with_prices_a_call_without_one_has_none() {
    let text =
        render_command_count(&count(Reading::Value(prices())), CountBy::Command, &TextOptions::default());
    // 3 of 2000 ns and 2 of 500: 1400 each; the EACCES has no price.
    assert_eq!(rows(&text, "openat")[0][..6], ["6", "3", "1400", "700", "7000", "ns"]);
    assert_eq!(rows(&text, "execve")[0], ["1", "-", "-", "-", "-", "execve"]);
    let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("Without a price, hence not in \"in all\": execve 1, exit_group 1, openat 1."),
        "{text}"
    );
    assert!(said.contains("openat O_RDONLY: 5 calls"), "{text}");
}

#[test]
fn processes_and_threads_have_their_own_calls_where_asked_for() {
    let count = count(Reading::unavailable("-"));
    let text = |by| render_command_count(&count, by, &TextOptions::default());
    assert!(!text(CountBy::Command).contains("openat 5 (ENOENT 2)"));
    assert!(text(CountBy::Process).contains("openat 5 (ENOENT 2), execve 1, exit_group 1"));
    assert!(text(CountBy::Thread).contains("thread 8 sh: 1 call\n      openat 1 (EACCES 1)"));
}

#[test]
fn what_the_kernel_counted_stands_below_and_what_it_could_not_is_said() {
    let counter = |name: &str, scope, unit, differences| KernelCounter {
        name: name.to_owned(),
        source: "perf_event".to_owned(),
        scope,
        unit,
        differences,
    };
    let mut counted = count(Reading::unavailable("none"));
    assert!(!render_command_count(&counted, CountBy::Command, &TextOptions::default()).contains("kernel"));
    counted.counters = vec![
        counter("device-read-bytes", Scope::Device, CounterUnit::Bytes, Reading::Value(vec![8192])),
        counter("minor-faults", Scope::Task, CounterUnit::Events, Reading::Value(vec![1234])),
        counter("major-faults", Scope::Task, CounterUnit::Events, Reading::Value(vec![0])),
        counter("block_unplug", Scope::Task, CounterUnit::Events, Reading::Value(vec![7])),
        counter("block_bio_queue", Scope::Task, CounterUnit::Events, Reading::unavailable("needs root")),
    ];
    let text = render_command_count(&counted, CountBy::Command, &TextOptions::default());
    let (faults, bytes) =
        (text.find("1,234  minor-faults").unwrap(), text.find("device: read-bytes").unwrap());
    assert!(faults < bytes, "{text}");
    assert!(text.contains("\n  0: major-faults\n"), "{text}");
    assert!(text.contains("not counted: block_bio_queue: needs root"), "{text}");
    assert!(!text.contains("block_unplug") && !text.contains("user mode"), "{text}");
    let refused =
        |name| counter(name, Scope::Task, CounterUnit::Events, Reading::unavailable("needs root: tracefs"));
    let zero = |name, scope| counter(name, scope, CounterUnit::Events, Reading::Value(vec![0]));
    counted.counters = ["block_rq_issue", "block_rq_issue:read", "block_split"]
        .map(|name| [zero(name, Scope::Task), zero(name, Scope::Device)])
        .concat();
    let text = render_command_count(&counted, CountBy::Command, &TextOptions::default());
    assert!(
        text.contains("\n  0: device: block_rq_issue\n"),
        "the others follow, a rare step is no news: {text}"
    );
    counted.counters = ["a", "b", "c", "d", "e", "block_plug"].map(refused).to_vec();
    let faults = counter("minor-faults", Scope::Task, CounterUnit::Events, Reading::Value(vec![5]));
    counted.counters.push(KernelCounter { source: "perf_event, in user mode only".to_owned(), ..faults });
    let text = render_command_count(&counted, CountBy::Command, &TextOptions::default());
    assert!(text.contains("5  minor-faults (user mode only)"), "{text}");
    assert!(text.contains("not counted: a, b, c and 2 more: needs root: tracefs"), "{text}");
}

#[test]
fn a_program_whose_path_has_a_blank_is_named_once() {
    let mut counted = count(Reading::unavailable("not asked for"));
    counted.processes[0].threads[0].name = "read all".to_owned();
    counted.processes[0].programs[0].arguments = vec!["/opt/my tools/read all".to_owned(), "x".to_owned()];
    let text = render_command_count(&counted, CountBy::Process, &TextOptions::default());
    assert!(text.contains(" /opt/my tools/read all x") && !text.contains("read all: "), "{text}");
}
