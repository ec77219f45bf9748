//! The derivation on scripted regions: exact calls, noise, fractions, refusals.

use super::*;
use crate::call::Call;
use crate::region::Event;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

const PLAN: CountPlan =
    CountPlan { warm_up: 8, operations: 96, repetitions: 3, method: None, brief: false, silent: false };

fn key(name: &str) -> CallKey {
    CallKey { call: Call::named(name).unwrap(), errno: None }
}

fn counts(calls: &[(&str, u64)]) -> Counts {
    calls.iter().map(|(name, count)| (key(name), *count)).collect()
}

fn region(own: &[(&str, u64)], others: &[(&str, u64)]) -> Region {
    Region { own: counts(own), others: counts(others), ..Region::new(1) }
}

/// A run whose region of each batch is given by the batch's number and length.
fn run_of(batch: impl Fn(usize, u64) -> Region) -> TracedRun {
    let batches = PLAN.batches();
    let answers: String =
        batches.iter().fold("ready\n".to_owned(), |text, ops| text + &format!("done ops={ops} ns=1\n"));
    let gap = |index: usize| counts(&[("read", 1), ("write", 1), ("futex", u64::from(index == 2))]);
    TracedRun {
        regions: batches.iter().enumerate().map(|(index, ops)| batch(index, *ops)).collect(),
        between: (0..=batches.len()).map(gap).collect(),
        mark_fault: None,
        unfinished: None,
        cut: None,
        stdout: answers.into_bytes(),
        stderr: Vec::new(),
        status: ExitStatus::from_raw(0),
        threads: 2,
    }
}

fn derive(run: &TracedRun) -> CountPass {
    count_pass(run, &PLAN, &DataPaths::default()).unwrap()
}

fn named<'a>(counts: &'a [CallCount], name: &str) -> Option<&'a CallCount> {
    counts.iter().find(|count| count.call == name)
}

#[test]
fn the_script_is_warm_up_pairs_and_one() {
    let plan = CountPlan { method: Some(2), repetitions: 1, ..PLAN };
    assert_eq!(
        plan.script(),
        "batch 8 method=2\nbatch 96 method=2\nbatch 192 method=2\nbatch 1 method=2\nquit\n"
    );
    assert_eq!(PLAN.batches(), [8, 96, 192, 96, 192, 96, 192, 1]);
}

#[test]
fn start_up_and_constant_calls_cancel_and_exact_ones_remain() {
    let pass = derive(&run_of(|index, ops| {
        let once = u64::from(index == 0) * 5;
        region(&[("openat", 2 * ops), ("close", ops), ("epoll_create1", once), ("getrandom", 7)], &[])
    }));
    let per_operation: Vec<_> = pass.inside.iter().map(|c| (c.call.as_str(), c.per_operation())).collect();
    assert_eq!(per_operation, [("openat", 2.0), ("close", 1.0)]);
    assert!(pass.is_exact() && pass.background.is_empty());
    assert_eq!((pass.run_lengths, pass.repetitions, pass.threads), ([96, 192], 3, 2));
}

#[test]
fn noise_goes_to_the_background_and_does_not_move_an_integer() {
    // One stray mmap of the operation's own thread and two of another, in repetition 2.
    let pass = derive(&run_of(|index, ops| {
        let stray = u64::from(index == 4);
        region(&[("mmap", ops + stray), ("futex", stray)], &[("mmap", 2 * stray), ("nanosleep", 9 * stray)])
    }));
    let mmap = named(&pass.inside, "mmap").unwrap();
    assert!(mmap.differences == [96; 3] && mmap.is_exact());
    assert_eq!(named(&pass.background, "mmap").unwrap().differences, [0, 3, 0]);
    assert_eq!(named(&pass.background, "futex").unwrap().differences, [0, 1, 0]);
    assert_eq!(named(&pass.background, "nanosleep").unwrap().differences, [0, 9, 0]);
    assert_eq!(pass.inside.len(), 1);
}

#[test]
fn a_varying_call_of_the_operation_keeps_its_differences_and_its_integer() {
    let pass = derive(&run_of(|index, ops| region(&[("read", ops + u64::from(index == 4))], &[])));
    let read = named(&pass.inside, "read").unwrap();
    assert_eq!(read.differences, [96, 97, 96]);
    assert!((read.per_operation() - 1.0).abs() < 1e-12 && !read.is_exact());
}

#[test]
fn a_call_once_in_eight_operations_is_a_fraction() {
    let pass = derive(&run_of(|_, ops| region(&[("getdents64", ops / 8)], &[])));
    let count = named(&pass.inside, "getdents64").unwrap();
    assert!(count.is_exact() && (count.per_operation() - 0.125).abs() < 1e-12);
}

#[test]
fn a_thread_pools_calls_are_inside_and_its_noise_is_not() {
    let pass = derive(&run_of(|index, ops| {
        region(&[("futex", u64::from(index == 6))], &[("pread64", ops), ("futex", ops)])
    }));
    assert!((named(&pass.inside, "pread64").unwrap().per_operation() - 1.0).abs() < 1e-12);
    assert_eq!(named(&pass.inside, "futex").unwrap().differences, [96; 3]);
    assert_eq!(named(&pass.background, "futex").unwrap().differences, [0, 0, 1]);
}

#[test]
fn failures_count_apart_by_errno() {
    let failed = CallKey { errno: Some(1), ..key("epoll_ctl") };
    let pass = derive(&run_of(|_, ops| Region { own: Counts::from([(failed, ops)]), ..Region::new(1) }));
    assert_eq!((pass.inside[0].call.as_str(), pass.inside[0].errno.as_deref()), ("epoll_ctl", Some("EPERM")));
}

#[test]
fn outside_is_the_median_gap() {
    let pass = derive(&run_of(|_, _| region(&[], &[])));
    let outside: Vec<_> = pass.outside.iter().map(|c| (c.call.as_str(), c.differences.as_slice())).collect();
    assert_eq!(outside, [("read", [1].as_slice()), ("write", &[1])], "the one futex is no batch's");
}

#[test]
fn the_recipe_leaves_the_runtimes_calls_out() {
    let event = |tid, name: &str, sequence| {
        let (call, arguments) = (Call::named(name).unwrap(), [3, 0, 0, 0, 0, 0]);
        let paths = if name == "openat" { vec!["/d/f".to_owned()] } else { Vec::new() };
        Event { tid, call, arguments, result: 0, failed: false, paths, open_flags: None, sequence }
    };
    let mut run = run_of(|_, ops| region(&[("openat", ops), ("close", ops)], &[]));
    run.regions[7].events = vec![event(1, "openat", 1), event(2, "nanosleep", 2), event(1, "close", 3)];
    let pass = count_pass(&run, &PLAN, &DataPaths::new(["/d/f"])).unwrap();
    let steps: Vec<_> = pass.recipe.iter().map(|step| format!("{}({})", step.call, step.arguments)).collect();
    assert_eq!(steps, ["openat(FILE, O_RDONLY)", "close()"]);
    assert!(crate::recipe_agrees(&pass));
    run.regions[7].events.pop();
    assert!(!crate::recipe_agrees(&derive(&run)), "a close is missing");
}

#[test]
fn bad_runs_are_refused_with_what_was_said() {
    let refused = |change: fn(&mut TracedRun)| {
        let mut run = run_of(|_, ops| region(&[("openat", ops)], &[]));
        change(&mut run);
        count_pass(&run, &PLAN, &DataPaths::default()).unwrap_err()
    };
    let error = refused(|run| {
        run.stdout = b"ready\nerror op=openat errno=ENOENT path=/x y\n".to_vec();
        run.mark_fault = Some("region 1 begins again before its end".into());
    });
    assert!(matches!(error, TraceError::Driver(text) if text == "error op=openat errno=ENOENT path=/x y"));
    let error = refused(|run| run.stdout = b"ready\ndone ops=8 ns=1\ndone ops=95 ns=1\n".to_vec());
    assert!(
        matches!(&error, TraceError::Answer { operations: 96, answer } if answer.contains("ops=95")),
        "{error}"
    );
    let error = refused(|run| {
        run.status = ExitStatus::from_raw(77 << 8);
        run.stderr = b"no io_uring here\n".to_vec();
    });
    assert!(
        matches!(&error, TraceError::Exited { code: 77, stderr } if stderr == "no io_uring here"),
        "{error}"
    );
    let error = refused(|run| run.regions.clear());
    assert!(error.to_string().contains("--marks"), "{error}");
    let error = refused(|run| run.mark_fault = Some("no end".into()));
    assert!(matches!(error, TraceError::Marks(_)));
}

const LONG: CountPlan =
    CountPlan { warm_up: 4, operations: 4, repetitions: 3, method: None, brief: true, silent: false };

/// A run of the brief plan that was cut behind so many regions.
fn cut_run(regions: &[Region], unfinished: Option<Region>, cut: RunCut) -> TracedRun {
    let answers = LONG.batches().into_iter().take(regions.len());
    let lines: Vec<_> = answers.map(|ops| format!("done ops={ops} ns=1\n")).collect();
    let stdout = lines.concat();
    TracedRun {
        regions: regions.to_vec(),
        between: vec![Counts::new(); regions.len() + 1],
        unfinished,
        cut: Some(cut),
        stdout: stdout.into_bytes(),
        ..run_of(|_, _| region(&[], &[]))
    }
}

fn brief(run: &TracedRun) -> Result<CountPass, TraceError> {
    count_pass(run, &LONG, &DataPaths::default())
}

fn long(preads: u64) -> Region {
    region(&[("openat", 1), ("pread64", preads), ("mmap", 2)], &[("futex", 5), ("madvise", 3)])
}

#[test]
fn a_brief_script_begins_with_one_none_and_one() {
    assert_eq!(LONG.batches(), [1, 0, 1, 4, 4, 8, 4, 8, 4, 8, 1]);
}

#[test]
fn of_a_long_operation_the_second_is_counted_and_the_empty_run_is_subtracted() {
    let first = region(&[("openat", 2), ("epoll_create1", 1), ("pread64", 262_144)], &[]);
    let empty = region(&[("mmap", 1)], &[]);
    let pass = brief(&cut_run(&[first, empty, long(262_144)], None, RunCut::Enough)).unwrap();
    assert_eq!((pass.run_lengths, pass.repetitions, &pass.missing), ([0, 1], 1, &None));
    let of = |name| named(&pass.inside, name).map(CallCount::per_operation);
    assert_eq!((of("pread64"), of("openat"), of("mmap")), (Some(262_144.0), Some(1.0), Some(1.0)));
    assert_eq!((of("epoll_create1"), of("futex"), of("madvise")), (None, None, None));
    assert!(named(&pass.background, "futex").is_some() && named(&pass.background, "madvise").is_some());
}

#[test]
fn of_the_longest_the_first_is_counted_and_that_is_said() {
    let pass = brief(&cut_run(&[long(1_650_000)], None, RunCut::Enough)).unwrap();
    assert!((named(&pass.inside, "pread64").unwrap().per_operation() - 1_650_000.0).abs() < 0.5);
    assert!(pass.missing.unwrap().starts_with("of the first operation of its process alone"));
}

#[test]
fn an_interrupt_keeps_the_repetitions_that_were_had() {
    let regions: Vec<_> =
        LONG.batches().into_iter().map(|operations| region(&[("pread64", 9 * operations)], &[])).collect();
    let regions = &regions[..9];
    let pass = brief(&cut_run(regions, Some(long(3)), RunCut::Interrupted)).unwrap();
    assert_eq!((pass.run_lengths, pass.repetitions), ([4, 8], 2));
    assert_eq!(pass.missing.unwrap(), "2 of 3 repetitions, interrupted");
    assert!((pass.inside[0].per_operation() - 9.0).abs() < 1e-9);
    assert!(!pass.recipe.is_empty() || pass.inside.len() == 1);
    for had in [3, 7] {
        let pass = brief(&cut_run(&regions[..had], None, RunCut::Interrupted)).unwrap();
        assert_eq!(
            (pass.run_lengths, pass.missing.unwrap().as_str()),
            ([0, 1], "no repetitions, interrupted")
        );
    }
}

#[test]
fn an_operation_cut_before_its_end_says_how_far_it_came() {
    let error = brief(&cut_run(&[], Some(long(812_345)), RunCut::Interrupted)).unwrap_err().to_string();
    assert_eq!(
        error,
        "cut short in its first operation, after 812356 calls (pread64 812345, futex 5, madvise 3): interrupted"
    );
    let limit = RunCut::TimedOut(std::time::Duration::from_mins(2));
    let error = brief(&cut_run(&[], None, limit)).unwrap_err().to_string();
    assert_eq!(error, "cut short before its first operation: its 120 s were over");
}
