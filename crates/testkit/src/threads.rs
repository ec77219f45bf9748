//! The sample record of a sweep over a setting, in two parts: reading a large
//! file on more and more threads, and opening files at the end of longer and
//! longer paths.

use crate::machine::floors;
use crate::parts::{call, count_pass, step};
use crate::published::figure;
use crate::records::{experiment, record, variant, warm_builder};
use fathom_model::{
    Answered, Comparison, CountPass, Operation, Publication, Quantity, Reading, Record, Setting, SettingValue,
};

const SIZE_BYTES: u64 = 256 << 20;

/// Two curves.
pub fn threads() -> Record {
    // Not in the order of the setting: the text puts them in order.
    let mut comparisons: Vec<_> = [8, 1, 2, 4].map(on_threads).to_vec();
    comparisons.extend([1, 4, 16, 32].map(at_depth));
    let mut scan = experiment("scan-and-layers", "Reading in parallel, and deep paths", comparisons);
    scan.question = "How do times move with threads, and with the depth of a path?".into();
    let mut four = figure(Some("native:pread"), Quantity::Time, 31.0, "ms");
    four.conditions.settings.insert(Setting::Threads, SettingValue::Number(4));
    let mut deep = figure(Some("go:os.Open"), Quantity::Time, 0.1, "µs");
    deep.conditions.settings.insert(Setting::PathDepth, SettingValue::Number(16));
    scan.reported = vec![Publication {
        source: "a write-up of 2025".into(),
        hardware: None,
        date: Some("2025-06-01".into()),
        figures: vec![four, deep],
        claims: vec![],
    }];
    let mut record = record(&["fathom", "bench", "scan-and-layers"], vec![scan]);
    record.floors = Reading::Value(floors());
    record
}

fn on_threads(threads: u64) -> Comparison {
    let mut builder = warm_builder(Operation::ReadWhole, SIZE_BYTES, 9);
    builder.parameters.settings.set(Setting::Threads, SettingValue::Number(threads));
    let shared = |ns: f64| {
        let ns = ns / threads.min(2) as f64;
        (ns, ns * 0.006)
    };
    let measured = vec![
        variant("native:pread", shared(64.2e6), None, reading(4096), &[("minflt", 0.4)]),
        variant("native:mmap", shared(81.7e6), Some((1.273, 0.012)), reading(0), &[("minflt", 4096.0)]),
    ];
    let noun = if threads == 1 { "thread" } else { "threads" };
    let label = format!("in parallel: 256 MiB · {threads} {noun} · warm");
    let mut comparison = builder.build(&label, measured, vec![]);
    let answered = |found| Answered {
        what: "digest".into(),
        found,
        expected: 7,
        flaw: (found != 7).then(|| "parts that are not a multiple of a page are read twice".to_owned()),
        predicted: None,
        further: Vec::new(),
        disagrees: None,
    };
    comparison.answers = vec![answered(7), answered(if threads > 2 { 9 } else { 7 })];
    comparison
}

fn at_depth(depth: u64) -> Comparison {
    let mut builder = warm_builder(Operation::OpenClose, 4096, 9);
    builder.parameters.settings.set(Setting::PathDepth, SettingValue::Number(depth));
    let ns = |base: f64| (base + 41.0 * depth as f64, 6.0);
    let measured = vec![
        variant("native:open", ns(720.0), None, opening(), &[]),
        variant("go:os.Open", ns(2_310.0), Some((3.1, 0.02)), opening(), &[]),
    ];
    builder.build(&format!("deep paths: path of {depth} · warm"), measured, vec![])
}

fn reading(reads: i64) -> Reading<CountPass> {
    let mut calls = vec![call("openat", 1), call("close", 1)];
    if reads > 0 {
        calls.push(call("pread64", reads));
    }
    let recipe = vec![step("openat", "FILE, O_RDONLY", "7"), step("close", "7", "0")];
    Reading::Value(count_pass(calls, recipe, vec![]))
}

fn opening() -> Reading<CountPass> {
    let recipe = vec![step("openat", "FILE, O_RDONLY", "7"), step("close", "7", "0")];
    Reading::Value(count_pass(vec![call("openat", 1), call("close", 1)], recipe, vec![]))
}
