//! Operations of many calls: counted once, as strace counts them, and kept when the user
//! wants no more; counters without times.

use crate::capability::{Capability, has};
use crate::pages::output_of;
use crate::running::Running;
use crate::sandbox::{Sandbox, says};
use fathom_model::{CallCount, CountPass, Reading, Record, StopReason};
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::fs;

/// 131,072 preads of 512 B, and one more that finds the end.
const SIZE: u64 = 64 << 20;

fn pass(record: &Record, method: &str) -> CountPass {
    let comparison = &record.experiments[0].comparisons[0];
    let index = comparison.variants.iter().position(|variant| variant.method.to_string() == method).unwrap();
    comparison.counts[index].value().unwrap_or_else(|| panic!("{:?}", comparison.counts[index])).clone()
}

/// What `strace -c` counts of a driver that does so many operations, by call.
fn strace(sandbox: &Sandbox, record: &Record, operations: u32) -> BTreeMap<String, i64> {
    let driver = record.drivers.iter().find(|driver| driver.driver == "native").unwrap();
    let (data, log) = (sandbox.file("data"), sandbox.file("strace.txt"));
    fs::write(&data, vec![7; usize::try_from(SIZE).unwrap()]).unwrap();
    let mut command = sandbox.command("strace");
    command.args(["-f", "-c", "-U", "name,calls", "-o"]).arg(&log).args(driver.program.split(' '));
    command.args(["run", "--operation", "read-whole", "--method", "pread", "--block", "512"]);
    command.args(["--size", &SIZE.to_string(), "--path"]).arg(&data);
    let input = format!("batch {operations}\nquit\n");
    command.envs(&driver.environment).write_stdin(input).assert().code(0);
    let text = fs::read_to_string(log).unwrap();
    let rows = text.lines().filter_map(|line| {
        let (name, calls) = line.split_once(char::is_whitespace)?;
        Some((name.to_owned(), calls.trim().parse().ok()?))
    });
    rows.collect()
}

#[test]
#[ignore = "long"]
fn an_operation_of_many_calls_is_counted_once_and_as_strace_counts_it() {
    if !has(Capability::Strace) {
        return;
    }
    let sandbox = Sandbox::new();
    let words = "bench read-whole --methods native:pread --size 64MiB --block 512 --counts-only -o r.json";
    let text = output_of(&sandbox, words);
    let record = sandbox.record("r.json");
    let counted = pass(&record, "native:pread");
    assert_eq!((counted.run_lengths, counted.repetitions), ([0, 1], 1));
    assert!(text.contains("one operation of each, once"), "{text}");
    let [none, one] = [0, 1].map(|operations| strace(&sandbox, &record, operations));
    let differences = one.iter().map(|(name, calls)| (name.clone(), calls - none.get(name).unwrap_or(&0)));
    // What answers the batch is outside the clock.
    let theirs: BTreeMap<_, _> =
        differences.filter(|(name, calls)| *calls > 0 && name != "total" && name != "write").collect();
    let ours: BTreeMap<String, i64> =
        counted.inside.iter().map(|call: &CallCount| (call.call.clone(), call.differences[0])).collect();
    assert_eq!(ours["pread64"], 131_073);
    assert_eq!(ours, theirs);
    assert!(counted.recipe.iter().any(|step| step.call == "openat"), "{:?}", counted.recipe.first());
}

#[test]
#[ignore = "long"]
fn what_was_counted_is_kept_when_the_user_wants_no_more() {
    if !has(Capability::Strace) {
        return;
    }
    let sandbox = Sandbox::new();
    let words = "bench read-whole --methods native:mmap+copy,native:pread --size 64MiB --block 16 \
                 --counts-only -o r.json";
    let mut running = Running::start(&sandbox, words);
    // Four million calls: the second is traced for much longer than this takes.
    running.wait_for("the second to be traced", |running| {
        let pid = running.traced_driver()?;
        let line = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        line.split(|&byte| byte == 0).any(|word| word == b"pread").then_some(())
    });
    running.signal(Signal::INT);
    let ended = running.end();
    assert_eq!(ended.code, Some(130), "{}{}", ended.out, ended.err);
    let record = sandbox.record("r.json");
    let comparison = &record.experiments[0].comparisons[0];
    assert_eq!(comparison.stop, StopReason::Interrupted);
    assert!(pass(&record, "native:mmap+copy").inside.iter().any(|call| call.call == "mmap"));
    let Reading::Unavailable(reason) = &comparison.counts[1] else { panic!("{:?}", comparison.counts[1]) };
    assert!(reason.contains("cut short") && reason.contains("interrupted"), "{reason}");
    sandbox
        .fathom("show r.json")
        .assert()
        .code(0)
        .stdout(says("calls of native:pread not counted: cut short"));
    sandbox.assert_nothing_left();
}

#[test]
fn counters_are_read_without_times_where_they_are_asked_for() {
    let sandbox = Sandbox::new();
    let words =
        "bench read-whole --methods native:mmap+copy,native:pread --size 64KiB --counts-only --why -o r.json";
    let text = output_of(&sandbox, words);
    let record = sandbox.record("r.json");
    let comparison = &record.experiments[0].comparisons[0];
    assert_eq!((comparison.forks.len(), &comparison.stop), (0, &StopReason::CountsOnly));
    assert_eq!(comparison.explanations.len(), 2);
    for explanation in &comparison.explanations {
        let counters = explanation.counters.as_ref().unwrap().value().unwrap();
        assert!(!counters.counters.is_empty() && explanation.breakdown.is_none());
    }
    assert!(text.contains("minor-faults") || text.contains("faults"), "{text}");
}
