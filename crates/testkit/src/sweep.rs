//! The sample record of many comparisons: reading whole files of 24 sizes, with
//! calls and allocations that grow, and a few comparisons that went wrong.

use crate::comparison::Measured;
use crate::go_calls::{os_open_calls, os_open_recipe};
use crate::parts::{call, count_pass, step};
use crate::records::{experiment, record, variant, warm_builder};
use fathom_model::{Comparison, CountPass, Operation, Reading, Record, Severity, Warning};

/// The sizes and what a label calls them.
const SIZES: [(u64, &str); 24] = [
    (12, "12 B"),
    (100, "100 B"),
    (128, "128 B"),
    (200, "200 B"),
    (300, "300 B"),
    (400, "400 B"),
    (500, "500 B"),
    (512, "512 B"),
    (600, "600 B"),
    (700, "700 B"),
    (800, "800 B"),
    (900, "900 B"),
    (999, "999 B"),
    (1 << 10, "1 KiB"),
    (1 << 11, "2 KiB"),
    (1 << 12, "4 KiB"),
    (1 << 13, "8 KiB"),
    (1 << 14, "16 KiB"),
    (1 << 15, "32 KiB"),
    (1 << 16, "64 KiB"),
    (1 << 17, "128 KiB"),
    (1 << 18, "256 KiB"),
    (1 << 19, "512 KiB"),
    (1 << 20, "1 MiB"),
];
/// What a driver without a piece of its own reads at once.
const PIECE: u64 = 65_536;

/// Reading whole files of 12 B to 1 MiB in eight ways.
pub fn sweep() -> Record {
    let comparisons = SIZES.iter().map(|&(bytes, label)| at_size(bytes, label)).collect();
    let mut sweep = experiment("small-sweep", "Reading a whole small file, by size", comparisons);
    sweep.question = "How do time and allocations grow with the size?".into();
    record(&["fathom", "bench", "small-sweep"], vec![sweep])
}

fn at_size(bytes: u64, label: &str) -> Comparison {
    let forks = if bytes == 1 << 20 { 3 } else { 15 };
    let builder = warm_builder(Operation::ReadWhole, bytes, forks);
    let mut comparison = builder.build(&format!("{label} · warm"), methods(bytes), vec![]);
    match bytes {
        200 => unsettle(&mut comparison),
        PIECE => fault(&mut comparison),
        1_048_576 => forget_intervals(&mut comparison),
        _ => {}
    }
    comparison
}

fn methods(bytes: u64) -> Vec<Measured> {
    let kib = bytes as f64 / 1024.0;
    let base = 3_400.0 + 180.0 * kib;
    let timed = |fixed: f64, each: f64| {
        let ns = fixed + each * kib;
        ((ns, ns * 0.004), Some((ns / base, ns / base * 0.003)))
    };
    let go = |name, (time_ns, ratio), reads, allocations: &'static [(&'static str, f64)]| {
        variant(name, time_ns, ratio, Reading::Value(go_pass(reads, bytes)), allocations)
    };
    let native = |name, (time_ns, ratio), extra: &[&str]| {
        let reads = bytes.div_ceil(PIECE) + 1;
        variant(name, time_ns, ratio, Reading::Value(native_pass(reads, extra, bytes)), &[("minflt", 0.001)])
    };
    let growth = i64::from((bytes / 512).max(1).ilog2()) + 2;
    let (small, large): (&[_], &[_]) = (
        &[("allocs", 4.0), ("alloc_bytes", 680.0), ("gc_count", 0.0), ("minflt", 0.013)],
        &[("allocs", 21.003), ("alloc_bytes", 302_120.0), ("gc_count", 0.125), ("minflt", 0.013)],
    );
    vec![
        go("go:os.ReadFile", ((base, base * 0.004), None), 2, &[("allocs", 5.0), ("alloc_bytes", 888.0)]),
        go("go:os.Open+io.ReadAll", timed(3_000.0, 500.0), growth, if bytes < PIECE { small } else { large }),
        go("go:os.Open+bufio+io.ReadAll", timed(3_800.0, 420.0), growth.min(9), large),
        native("native:read", timed(1_220.0, 34.0), &[]),
        native("native:fread", timed(1_880.0, 35.0), &["newfstatat"]),
        native("native:std::fs::read", timed(1_530.0, 49.0), &["statx"]),
        native("native:File+read_to_end", timed(1_640.0, 49.0), &["statx", "lseek"]),
        native("native:BufReader+read_to_end", timed(1_690.0, 49.0), &["statx", "lseek"]),
    ]
}

fn go_pass(reads: i64, bytes: u64) -> CountPass {
    let mut calls = os_open_calls();
    calls.push(call("read", reads));
    let mut recipe = os_open_recipe();
    let close = recipe.pop().expect("the recipe ends in close");
    let piece = (bytes / (reads - 1).unsigned_abs()).to_string();
    recipe.extend((1..reads).map(|_| step("read", "7, BUFFER, 512", &piece)));
    recipe.extend([step("read", "7, BUFFER, 512", "0"), close]);
    count_pass(calls, recipe, vec![])
}

fn native_pass(reads: u64, extra: &[&str], bytes: u64) -> CountPass {
    let mut calls = vec![call("read", reads.cast_signed()), call("close", 1), call("openat", 1)];
    calls.extend(extra.iter().map(|name| call(name, 1)));
    let mut recipe = vec![step("openat", "FILE, O_RDONLY", "7")];
    recipe.extend(extra.iter().map(|name| step(name, "7", "0")));
    let piece = bytes.min(PIECE).to_string();
    recipe.extend((1..reads).map(|_| step("read", "7, BUFFER, 65536", &piece)));
    recipe.extend([step("read", "7, BUFFER, 65536", "0"), step("close", "7", "0")]);
    count_pass(calls, recipe, vec![])
}

fn unsettle(comparison: &mut Comparison) {
    comparison.forks[0].warm_up.steady = false;
    comparison.warnings =
        vec![Warning::new(Severity::Warning, "unsteady", "1 of 15 forks never settled in its warm-up")];
}

fn fault(comparison: &mut Comparison) {
    if let Reading::Value(control) = &mut comparison.control {
        (control.ratio.value, control.ratio.low, control.ratio.high) = (1.021, Some(1.012), Some(1.03));
        control.instrument_fault = true;
    }
}

fn forget_intervals(comparison: &mut Comparison) {
    let summaries = comparison.summaries.iter_mut();
    for summary in summaries {
        let Reading::Value(summary) = summary else { continue };
        let ratios = [&mut summary.ratio, &mut summary.ratio_simultaneous, &mut summary.net_ratio];
        let others = [&mut summary.delta_ns, &mut summary.loop_ns];
        let estimates = ratios.into_iter().chain(others).filter_map(Option::as_mut);
        for estimate in estimates.chain([&mut summary.time_ns]) {
            (estimate.low, estimate.high) = (None, None);
        }
    }
    if let Reading::Value(control) = &mut comparison.control {
        (control.ratio.low, control.ratio.high) = (None, None);
    }
}
