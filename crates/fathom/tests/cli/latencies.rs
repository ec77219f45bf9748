//! `fathom bench --latencies` and timelines.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says};
use fathom_model::{Latency, LatencyDistribution, LongRun, Record};
use predicates::prelude::PredicateBooleanExt;

fn latencies(record: &Record, comparison: usize) -> Vec<LatencyDistribution> {
    let explanations = &record.experiments[0].comparisons[comparison].explanations;
    let found = |reading: &fathom_model::Reading<LatencyDistribution>| reading.value().cloned().unwrap();
    explanations.iter().map(|explanation| found(explanation.latencies.as_ref().unwrap())).collect()
}

fn assert_in_order(latency: &Latency) {
    let Latency { p50_ns, p90_ns, p99_ns, p999_ns, p9999_ns, most_ns, .. } = *latency;
    let rising = [p50_ns, p90_ns, p99_ns, p999_ns, p9999_ns, most_ns];
    assert!(p50_ns > 0 && rising.is_sorted(), "{latency:?}");
}

fn long_runs(record: &Record) -> Vec<LongRun> {
    let comparisons = &record.experiments[0].comparisons;
    comparisons.iter().flat_map(|comparison| comparison.long_runs.clone()).collect()
}

#[test]
fn every_operation_has_its_own_time_and_the_clock_its_price() {
    let sandbox = Sandbox::new();
    let words = "bench open-close --methods native:open,native:fopen --latencies --time 1 -o record.json";
    sandbox
        .fathom(words)
        .assert()
        .success()
        .stdout(says("service time of a closed loop").and(says("p99.99")));
    let record = sandbox.record("record.json");
    let found = latencies(&record, 0);
    assert_eq!(found.len(), 2);
    for distribution in &found {
        assert_in_order(&distribution.latency);
        assert!((10_000..=2_100_000).contains(&distribution.latency.n), "{}", distribution.latency.n);
        // Reading a clock costs something, and less than two system calls.
        assert!(distribution.clock_ns > 0.0 && distribution.clock_ns < distribution.latency.p50_ns as f64);
        assert!(distribution.mean_ns > distribution.clock_ns);
        // HdrHistogram's V2 cookie of a compressed histogram, in base64.
        assert!(distribution.histogram.starts_with("HISTFA"), "{}", distribution.histogram);
    }
    sandbox.fathom("show record.json").assert().success().stdout(says("latencies in"));
    sandbox.assert_nothing_left();
}

#[test]
fn percentiles_of_few_cold_operations_are_left_out() {
    if !has(Capability::Disk) {
        return;
    }
    let sandbox = Sandbox::new();
    let words =
        "bench read-whole --methods native:read --size 4MiB --cache cold --latencies --time 1 -o record.json";
    sandbox.fathom(words).assert().success().stdout(says("p99.99 takes 10,000"));
    let found = latencies(&sandbox.record("record.json"), 0);
    assert_in_order(&found[0].latency);
    assert!(found[0].latency.n >= 30, "{}", found[0].latency.n);
}

#[test]
fn operations_that_write_are_timed_in_batches_of_their_own() {
    let sandbox = Sandbox::new();
    let words =
        "bench create --methods native:open+O_CREAT --set operations=200 --latencies --time 1 -o record.json";
    sandbox.fathom(words).assert().success();
    let latency = latencies(&sandbox.record("record.json"), 0)[0].latency;
    assert_in_order(&latency);
    assert!(latency.n >= 200 && latency.n.is_multiple_of(200), "whole batches: {}", latency.n);
    sandbox.assert_nothing_left();
}

#[test]
fn a_timeline_tells_how_far_a_run_of_writes_was_and_what_the_machine_did() {
    let sandbox = Sandbox::new();
    let words = "bench write-block --methods native:write --size 8MiB --block 4KiB --access sequential \
                 --set operations=2048 --set timeline=on --set sync=fsync --time 1 -o record.json";
    sandbox.fathom(words).assert().success().stdout(says("8 MiB written in"));
    let runs = long_runs(&sandbox.record("record.json"));
    assert_eq!(runs.len(), 1);
    let (run, points) = (&runs[0], &runs[0].points);
    assert_eq!((run.operations, run.bytes, run.latency.n), (2048, 8 << 20, 2048));
    assert_eq!(points.last().unwrap().operations, 2048);
    assert!(points.windows(2).all(|pair| pair[0].at_ms < pair[1].at_ms));
    assert!(points.windows(2).all(|pair| pair[0].operations <= pair[1].operations));
    let has_psi = std::fs::read_to_string("/proc/pressure/io").is_ok();
    assert_eq!(points.last().unwrap().io_pressure.is_some(), has_psi);
    assert_eq!(run.notes.iter().any(|note| note.starts_with("io pressure: ")), !has_psi, "{:?}", run.notes);
    assert!(points.iter().filter_map(|point| point.io_pressure).all(|share| (0.0..=1.0).contains(&share)));
    sandbox.assert_nothing_left();
}

#[test]
fn a_run_of_reads_goes_on_for_a_while() {
    let sandbox = Sandbox::new();
    let words = "bench read-block --methods native:pread --size 1MiB --block 4KiB --set timeline=on --time 1 \
                 -o record.json";
    sandbox.fathom(words).assert().success().stdout(says("delivered in").and(says("until s")));
    let runs = long_runs(&sandbox.record("record.json"));
    assert_eq!(runs[0].bytes, runs[0].operations * 4096);
    assert_eq!(runs[0].latency.n, runs[0].operations);
    assert!(runs[0].points.len() > 20, "{} points", runs[0].points.len());
}
