//! The sample record of runs that say why: opening in Go, by calls; random blocks
//! of a cold file, by faults and by the device; a digest, by its own code.

mod parts;

use crate::batches::batches;
use crate::machine::floors;
use crate::parts::{call, count_pass, step};
use crate::prices::prices;
use crate::records::{complete, experiment, record, variant, warm_builder};
use fathom_model::{
    CacheState, Comparison, CounterUnit, EvidencePass, Explanation, FoldedStack, KernelCounter, Latency,
    LatencyDistribution, Operation, Part, PartKind, Prediction, Profile, Reading, Record, RequestSizes,
    Scope, Setting, SettingValue, counter_name,
};
use parts::{broken_down, called, priced, timed};

/// Three experiments with explanations of every kind, and some that could not be had.
pub fn explained() -> Record {
    let mut open = complete().experiments.remove(0);
    open.comparisons[0].explanations = open_explanations();
    let mut blocks = batches().experiments.remove(0);
    explain_blocks(&mut blocks.comparisons[0]);
    blocks.reported.clear();
    let mut hash = experiment("hash-go", "Computing a digest in Go", vec![hash_comparison()]);
    hash.question = "Which part of a digest's time is reading?".into();
    let mut record = record(
        &["fathom", "bench", "open-go", "random-blocks", "hash-go", "--why"],
        vec![open, blocks, hash],
    );
    record.floors = Reading::Value(floors());
    record.prices = vec![prices()];
    record
}

/// A counter of the driver's own.
pub fn counter(name: &str, unit: CounterUnit, differences: &[i64]) -> KernelCounter {
    KernelCounter {
        name: name.into(),
        source: "perf_event".into(),
        scope: Scope::Task,
        unit,
        differences: Reading::Value(differences.to_vec()),
    }
}

/// Runs of 0 and `operations` with these counters.
pub fn evidence_pass(operations: u64, counters: Vec<KernelCounter>) -> EvidencePass {
    EvidencePass {
        run_lengths: [0, operations],
        repetitions: 3,
        counters,
        requests: Vec::new(),
        predictions: Vec::new(),
    }
}

/// Times of three repetitions, in ns, of which so much was spent on a CPU and waiting for one.
fn times(wall: [i64; 3], cpu: [i64; 3], queued: [i64; 3]) -> Vec<KernelCounter> {
    let time = |name, values: [i64; 3]| counter(name, CounterUnit::Ns, &values);
    vec![
        time(counter_name::WALL_TIME, wall),
        time(counter_name::CPU_TIME, cpu),
        time(counter_name::RUN_QUEUE_TIME, queued),
    ]
}

fn events(name: &str, differences: [i64; 3]) -> KernelCounter {
    counter(name, CounterUnit::Events, &differences)
}

fn open_explanations() -> Vec<Explanation> {
    let counters = |each_ns: i64| {
        let wall = [each_ns * 1000, each_ns * 1004, each_ns * 998];
        let mut counters = times(wall, wall.map(|ns| ns - 900), [120, 0, 310]);
        counters.push(events(counter_name::MINOR_FAULTS, [0, 0, 0]));
        counters.push(events(counter_name::MAJOR_FAULTS, [0, 0, 0]));
        counters.push(KernelCounter {
            differences: Reading::unavailable("needs root: the ids of tracepoints are in tracefs"),
            ..events(counter_name::PAGES_ADDED, [0, 0, 0])
        });
        Some(Reading::Value(evidence_pass(1000, counters)))
    };
    let two = [called("openat", 1.0, 1008.0), called("close", 1.0, 391.0)];
    let os_open = [
        called("openat", 1.0, 1008.0),
        called("fcntl", 4.0, 158.5),
        called("close", 1.0, 391.0),
        called("epoll_ctl=EPERM", 1.0, 187.0),
    ];
    let go_loop = || timed(PartKind::Loop, "driver's loop", 2.4, 0.048);
    let of = |each_ns, broken_down| Explanation {
        counters: counters(each_ns),
        breakdown: Some(broken_down),
        ..Explanation::default()
    };
    let direct = os_open.clone().map(|part| match part.name.as_str() {
        "openat" => Part { note: Some("price of openat (O_RDONLY)".into()), ..part },
        _ => part,
    });
    let native_loop = timed(PartKind::Loop, "driver's loop", 1.1, 0.022);
    let mut explanations = vec![
        of(2231, broken_down(2214.0, 7.0, &two, &[go_loop()])),
        of(3655, broken_down(3621.0, 12.0, &os_open, &[go_loop()])),
        of(3660, broken_down(3630.0, 14.0, &direct, &[go_loop()])),
        of(2229, broken_down(2213.0, 8.0, &two, &[go_loop()])),
        of(2117, broken_down(2105.3, 3.1, &two, &[native_loop])),
    ];
    for explanation in &mut explanations {
        // Go's runtime sleeps beside; nothing like it has a price.
        let Some(Reading::Value(breakdown)) = &mut explanation.breakdown else { continue };
        breakdown.unpriced = vec!["nanosleep (runtime's own)".into()];
    }
    if let Some(Reading::Value(native)) = &mut explanations[4].breakdown {
        native.unpriced.clear();
    }
    explanations[1].profile = Some(Reading::Value(open_profile()));
    explanations[1].latencies = Some(Reading::Value(open_latencies()));
    explanations[4].profile =
        Some(Reading::unavailable("perf_event_open: EACCES (perf_event_paranoid is 4)"));
    explanations
}

fn explain_blocks(comparison: &mut Comparison) {
    for variant in &mut comparison.variants {
        variant.cache = CacheState::Cold;
    }
    let operations = comparison.variants[0].parameters.settings.number(Setting::Operations);
    let all = i64::try_from(operations).unwrap_or(i64::MAX);
    let pass = |(wall, cpu): (i64, i64), more: Vec<KernelCounter>| {
        let spread = |ns: i64| [ns, ns + ns / 500, ns - ns / 400].map(|ns| ns * all);
        let mut counters = times(spread(wall), spread(cpu), [0, 0, 0]);
        counters.extend(more);
        evidence_pass(operations, counters)
    };
    let bytes = |name: &str, each: i64| counter(name, CounterUnit::Bytes, &[each * all; 3]);
    let pages = |each_thousandth: i64| {
        counter(counter_name::PAGES_ADDED, CounterUnit::Pages, &[each_thousandth * all / 1000; 3])
    };
    let read = EvidencePass {
        requests: vec![RequestSizes {
            kind: "read".into(),
            sizes: vec![(4096, 212), (16_384, 98_800)],
            lost: 0,
        }],
        predictions: vec![Prediction {
            name: counter_name::BIO_QUEUE.into(),
            expected: 100_000,
            because: "runs of pages that no read before brought in".into(),
        }],
        ..pass(
            (98_300, 7_400),
            vec![
                events(counter_name::MINOR_FAULTS, [37, 37, 40]),
                events(counter_name::MAJOR_FAULTS, [0, 0, 0]),
                events(counter_name::FILE_FAULTS, [0, 0, 0]),
                events(counter_name::BIO_QUEUE, [100_000, 100_000, 100_000]),
                bytes(counter_name::READ_BYTES, 16_384),
                pages(4000),
            ],
        )
    };
    let mapped = pass(
        (104_000, 23_000),
        vec![
            events(counter_name::MINOR_FAULTS, [2_100, 2_100, 2_098]),
            events(counter_name::MAJOR_FAULTS, [97_655, 97_655, 97_655]),
            events(counter_name::FILE_FAULTS, [99_700, 99_700, 99_700]),
            events(counter_name::BIO_QUEUE, [99_102, 99_098, 99_102]),
            bytes(counter_name::READ_BYTES, 131_072),
            pages(32_000),
        ],
    );
    let by_reads = broken_down(
        98_400.0,
        1_200.0,
        &[Part {
            note: Some("price of read (in order, reused buffer)".into()),
            ..called("pread64", 1.0, 171.0)
        }],
        &[
            priced(PartKind::Fault, "minor faults, anonymous", 0.000_37, 640.0),
            priced(PartKind::PageCache, "pages brought in", 4.0, 412.0),
            timed(PartKind::Wait, "waiting", 90_900.0, 204.5),
            timed(PartKind::Loop, "driver's loop", 1.1, 0.022),
        ],
    );
    let by_faults = broken_down(
        104_100.0,
        1_900.0,
        &[],
        &[
            priced(PartKind::Fault, "minor faults, file", 0.020_45, 1_180.0),
            priced(PartKind::Fault, "minor faults, anonymous", 0.000_55, 640.0),
            priced(PartKind::Fault, "major faults", 0.976_55, 5_310.0),
            priced(PartKind::PageCache, "pages brought in", 31.023_45, 412.0),
            timed(PartKind::Wait, "waiting", 81_000.0, 364.5),
            timed(PartKind::Loop, "driver's loop", 1.1, 0.022),
        ],
    );
    let of = |counters, breakdown| Explanation {
        counters: Some(Reading::Value(counters)),
        breakdown: Some(breakdown),
        ..Explanation::default()
    };
    comparison.explanations = vec![of(read, by_reads), of(mapped, by_faults)];
}

/// A digest that is computed, and one that could not be broken down.
fn hash_comparison() -> Comparison {
    const SIZE: u64 = 1 << 20;
    let mut builder = warm_builder(Operation::Hash, SIZE, 9);
    builder.parameters.settings.set(Setting::Algorithm, SettingValue::from("md5"));
    let counts = || {
        let calls = vec![call("openat", 1), call("read", 17), call("close", 1)];
        let mut recipe = vec![step("openat", "FILE, O_RDONLY", "7")];
        recipe.extend((0..16).map(|_| step("read", "65536", "65536")));
        recipe.extend([step("read", "65536", "0"), step("close", "", "0")]);
        Reading::Value(count_pass(calls, recipe, vec![]))
    };
    let measured = vec![
        variant("go:io.Copy", (1_712_400.0, 3_900.0), None, counts(), &[]),
        variant("go:os.ReadFile", (1_798_100.0, 8_200.0), Some((1.0501, 0.005)), counts(), &[]),
    ];
    let mut comparison = builder.build("1 MiB · warm", measured, vec![]);
    let read_ns = (16.0 * 2_240.0 + 171.0) / 17.0;
    let breakdown = broken_down(
        1_712_400.0,
        3_900.0,
        &[called("read", 17.0, read_ns), called("openat", 1.0, 1008.0), called("close", 1.0, 391.0)],
        &[timed(PartKind::Loop, "driver's loop", 2.4, 0.048)],
    );
    let counters = times([1_713_000; 3], [1_712_100; 3], [0; 3]);
    comparison.explanations = vec![
        Explanation {
            counters: Some(Reading::Value(evidence_pass(1, counters))),
            breakdown: Some(breakdown),
            profile: Some(Reading::Value(hash_profile())),
            latencies: None,
        },
        Explanation {
            counters: Some(Reading::unavailable("the driver ended early")),
            breakdown: Some(Reading::unavailable("prices not taken: the directory is read-only")),
            ..Explanation::default()
        },
    ];
    comparison
}

fn profile(samples: u64, stacks: &[(&str, u64)]) -> Profile {
    let stack = |&(frames, samples): &(&str, u64)| FoldedStack { frames: frames.into(), samples };
    Profile {
        frequency_hz: 997,
        samples,
        lost: 0,
        stacks: stacks.iter().map(stack).collect(),
        notes: vec!["stacks end where code has no frame pointers".into()],
    }
}

fn open_profile() -> Profile {
    profile(
        1000,
        &[
            (
                "main.batch;os.Open;syscall.Syscall6;entry_SYSCALL_64_[k];do_sys_openat2_[k];path_openat_[k]",
                380,
            ),
            ("main.batch;os.(*File).Close;syscall.Syscall;entry_SYSCALL_64_[k];__fput_[k]", 270),
            ("main.batch;os.Open;os.newFile;runtime.SetFinalizer", 210),
            ("main.batch;os.Open;runtime.mallocgc", 140),
        ],
    )
}

fn hash_profile() -> Profile {
    profile(
        2000,
        &[
            ("main.batch;io.Copy;crypto/md5.(*digest).Write;crypto/md5.block", 1_910),
            ("main.batch;io.Copy;os.(*File).Read;entry_SYSCALL_64_[k];rep_movs_alternative_[k]", 66),
            ("main.batch;io.Copy", 24),
        ],
    )
}

fn open_latencies() -> LatencyDistribution {
    LatencyDistribution {
        latency: Latency {
            n: 20_000,
            p50_ns: 3_590,
            p90_ns: 3_900,
            p99_ns: 5_120,
            p999_ns: 22_400,
            p9999_ns: 61_000,
            most_ns: 214_000,
        },
        mean_ns: 3_702.5,
        clock_ns: 48.6,
        histogram: String::new(),
    }
}
