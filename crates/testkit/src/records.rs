//! The sample records: a complete run, an interrupted one, and one whose names
//! are too long for any table. The others have files of their own.

use crate::comparison::{ComparisonBuilder, Measured};
use crate::go_calls::{go_background, os_open_calls, os_open_recipe};
use crate::machine::{directory_place, driver_facts, environment, memory_place, quiet_noise};
use crate::parts::{call, count_pass, failed_call, parameters, step, warm_evidence};
use fathom_model::{
    CallCount, Comparison, CountPass, ExperimentRecord, Floors, MethodId, Operation, Reading, RecipeStep,
    Record, SCHEMA_VERSION, Severity, StopReason, Unmeasured, Warning,
};

/// Two comparisons, complete and quiet: opening, and reading a small file.
pub fn complete() -> Record {
    let mut open = experiment("open-go", "Opening a file in Go", vec![open_comparison(15)]);
    open.question = "What does os.Open add to the open system call?".into();
    open.unmeasured = vec![Unmeasured {
        method: MethodId::new("java", "Files.newInputStream"),
        scope: None,
        reason: "no javac on the search path".into(),
    }];
    let mut small = experiment("small-go", "Reading a small file in Go", vec![small_comparison()]);
    small.question = "Which call reads a file below 1 KiB fastest?".into();
    record(&["fathom", "bench", "open-go", "small-go"], vec![open, small])
}

/// Stopped by the user after two forks: no interval yet.
pub fn interrupted() -> Record {
    let mut comparison = open_comparison(3);
    comparison.forks.truncate(2);
    comparison.stop = StopReason::Interrupted;
    for summary in &mut comparison.summaries {
        let Reading::Value(summary) = summary else { continue };
        let estimates = [
            Some(&mut summary.time_ns),
            summary.ratio.as_mut(),
            summary.ratio_simultaneous.as_mut(),
            summary.net_ratio.as_mut(),
            summary.delta_ns.as_mut(),
            summary.loop_ns.as_mut(),
        ];
        for estimate in estimates.into_iter().flatten() {
            (estimate.low, estimate.high, estimate.forks) = (None, None, 2);
        }
    }
    if let Reading::Value(control) = &mut comparison.control {
        (control.ratio.low, control.ratio.high, control.ratio.forks) = (None, None, 2);
    }
    comparison.summaries[4] = Reading::unavailable("no sample was kept before the interrupt");
    comparison.counts[4] = Reading::unavailable("the count pass did not run");
    let mut open = experiment("open-go", "Opening a file in Go", vec![comparison]);
    open.question = "What does os.Open add to the open system call?".into();
    let mut record = record(&["fathom", "bench", "open-go"], vec![open]);
    record.complete = false;
    record
}

/// Names, paths and parameters that no table of 80 columns holds.
pub fn long_names() -> Record {
    let builder = ComparisonBuilder { place: 0, ..warm_builder(Operation::OpenReadClose, 8_096, 15) };
    let names = [
        "native:open-read-close-fadvise-sequential",
        "native:open-read-close-fadvise-random",
        "native:open-read-close-fadvise-sequential",
        "go:os.OpenFile-O_CLOEXEC-O_NOATIME-O_DIRECT-ünïcödé",
    ];
    let measured = names.iter().zip([123_456.7, 98_765.4, 150_000.0, 1_234_567.8]).enumerate();
    let measured = measured
        .map(|(index, (method, ns))| {
            let mut own = parameters(8_096);
            own.block_bytes = if index == 2 { 512 } else { 8_096 };
            let counts = count_pass(long_calls(), long_recipe(), vec![]);
            Measured {
                method,
                time_ns: (ns, ns * 0.0001),
                ratio: (index > 0).then_some((ns / 123_456.7, 0.0001)),
                counts: Reading::Value(counts),
                runtime: &[("allocs", 3.0), ("alloc_bytes", 65_712.25), ("minflt", 17.5)],
                parameters: Some(own),
            }
        })
        .collect();
    let mut comparison = builder.build("8096 B · warm · everything at its longest", measured, vec![]);
    comparison.differing_parameters = vec!["block".into()];
    let mut record =
        record(&["fathom", "bench", "long"], vec![experiment("long", "Names too long", vec![comparison])]);
    record.places = vec![directory_place(&format!("/mnt/{}/file", "a-very-long-directory-name/".repeat(6)))];
    record
}

fn open_comparison(forks: u32) -> Comparison {
    let two = || {
        let recipe = vec![step("openat", "AT_FDCWD, FILE, O_RDONLY", "7"), step("close", "7", "0")];
        Reading::Value(count_pass(vec![call("openat", 1), call("close", 1)], recipe, vec![]))
    };
    let go_two =
        || two().map(|pass: CountPass| CountPass { background: go_background(), threads: 5, ..pass });
    let os_open = Reading::Value(count_pass(os_open_calls(), os_open_recipe(), go_background()));
    let measured = vec![
        variant("go:syscall.Open", (2214.0, 7.0), None, go_two(), ALLOC_1),
        variant("go:os.Open", (3621.0, 12.0), Some((1.6355, 0.006)), os_open.clone(), ALLOC_3),
        variant("go:os.OpenFile-O_DIRECT", (3630.0, 14.0), Some((1.6396, 0.006)), os_open, ALLOC_3),
        variant("go:unix.Open", (2213.0, 8.0), Some((0.9996, 0.0021)), go_two(), ALLOC_1),
        variant("native:openat", (2105.3, 3.1), Some((0.9509, 0.0016)), two(), &[]),
    ];
    warm_builder(Operation::OpenClose, 1 << 30, forks).build("1 GiB · warm", measured, vec![])
}

const ALLOC_1: &[(&str, f64)] = &[("allocs", 1.0), ("alloc_bytes", 64.0), ("gc_count", 0.0)];
const ALLOC_3: &[(&str, f64)] = &[("allocs", 3.0), ("alloc_bytes", 200.0), ("gc_count", 0.000_05)];

fn small_comparison() -> Comparison {
    let reading = |name: &'static str, time_ns, ratio, reads: i64, runtime| {
        let mut calls = os_open_calls();
        calls.extend([call("fstat", 1), call("read", reads)]);
        let mut recipe = os_open_recipe();
        let close = recipe.pop().expect("the recipe ends in close");
        recipe.push(step("fstat", "7, STAT", "0"));
        recipe.push(step("read", "7, BUFFER, 640", "128"));
        recipe.push(step("read", "7, BUFFER, 512", "0"));
        recipe.push(close);
        variant(name, time_ns, ratio, Reading::Value(count_pass(calls, recipe, go_background())), runtime)
    };
    let measured = vec![
        reading("go:os.ReadFile", (5120.0, 21.0), None, 2, &[("allocs", 4.0), ("alloc_bytes", 856.0)]),
        reading(
            "go:io.ReadAll",
            (5391.0, 24.0),
            Some((1.0529, 0.0031)),
            2,
            &[("allocs", 4.0), ("alloc_bytes", 728.0)],
        ),
        reading(
            "go:bufio+ReadAll",
            (6240.0, 33.0),
            Some((1.2188, 0.0042)),
            2,
            &[("allocs", 6.0), ("alloc_bytes", 5_344.0)],
        ),
    ];
    let mut comparison = ComparisonBuilder { place: 1, ..warm_builder(Operation::ReadWhole, 128, 15) }.build(
        "128 B · memfd · warm",
        measured,
        vec![Warning::new(
            Severity::Note,
            "no-cold-state",
            "a memory file system is never cold; only warm was run",
        )],
    );
    comparison.stop = StopReason::TimeBudget;
    comparison
}

pub(crate) fn warm_builder(operation: Operation, size_bytes: u64, forks: u32) -> ComparisonBuilder {
    ComparisonBuilder {
        operation,
        parameters: parameters(size_bytes),
        place: 0,
        cache: warm_evidence(size_bytes.div_ceil(4096), u64::from(forks) * 12),
        forks,
        loops: vec![("go", 2.4), ("native", 1.1)],
        control: Some((1.0004, 0.0021)),
        stop: StopReason::Precise,
    }
}

pub(crate) fn variant(
    method: &'static str,
    time_ns: (f64, f64),
    ratio: Option<(f64, f64)>,
    counts: Reading<CountPass>,
    runtime: &'static [(&'static str, f64)],
) -> Measured {
    Measured { method, time_ns, ratio, counts, runtime, parameters: None }
}

fn long_calls() -> Vec<CallCount> {
    let mut calls: Vec<_> = ["openat", "fadvise64", "pread64", "readahead", "close", "munmap"]
        .iter()
        .map(|name| call(name, 1))
        .collect();
    calls.push(failed_call("a_system_call_with_a_name_longer_than_any_kernel_has", "EOPNOTSUPP", 12));
    calls
}

fn long_recipe() -> Vec<RecipeStep> {
    let mut background = step("madvise", &format!("{}, MADV_SEQUENTIAL", "0x7f00".repeat(20)), "0");
    background.other_thread = true;
    vec![step("openat", "AT_FDCWD, FILE, O_RDONLY", "7"), background, step("close", "7", "0")]
}

pub(crate) fn experiment(name: &str, title: &str, comparisons: Vec<Comparison>) -> ExperimentRecord {
    ExperimentRecord {
        name: name.into(),
        title: title.into(),
        question: "What does each of them cost?".into(),
        source: None,
        comparisons,
        unmeasured: vec![],
        outcomes: vec![],
        ceilings: vec![],
        reported: vec![],
        claims: Vec::new(),
    }
}

pub(crate) fn record(command: &[&str], experiments: Vec<ExperimentRecord>) -> Record {
    Record {
        schema_version: SCHEMA_VERSION,
        fathom_version: "0.1.0".into(),
        created: "2026-11-20T10:14:03Z".into(),
        command: command.iter().map(|&word| word.to_owned()).collect(),
        seed: "11400714819323198485".into(),
        complete: true,
        environment: environment(),
        floors: Floors::not_taken(),
        noise: Reading::Value(quiet_noise(22.0)),
        drivers: vec![
            driver_facts("go", "go1.26.8", &[("GOMAXPROCS", "1")]),
            driver_facts("native", "rustc 1.95.0", &[]),
        ],
        places: vec![directory_place("/var/tmp"), memory_place()],
        prices: Vec::new(),
        experiments,
        own_files: None,
        builds: None,
        warnings: vec![],
    }
}
