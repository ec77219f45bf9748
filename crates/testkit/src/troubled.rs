//! The sample record in which everything goes wrong.

use crate::comparison::ComparisonBuilder;
use crate::machine::quiet_noise;
use crate::parts::{call, cold_evidence, count_pass, step};
use crate::records::{experiment, record, variant, warm_builder};
use fathom_model::{
    CacheEvidence, CallCount, Comparison, CountPass, ForeignTracer, MethodId, Noise, Operation, Proof,
    Reading, Record, Severity, StopReason, Unmeasured, VoidCount, Warning,
};

/// Everything that can be wrong at once: an unknown cache state, void samples,
/// a loaded host, foreign tracers, an instrument fault, missing counts.
pub fn troubled() -> Record {
    let mut comparison = troubled_comparison();
    comparison.warnings = vec![
        Warning::new(Severity::Fault, "instrument-fault", "the baseline differs from itself at 99 %")
            .with_hint("run again on a quieter machine; the ratios above are not to be used"),
    ];
    let mut reading = experiment("read-cold", "Reading a file that is not cached", vec![comparison]);
    reading.question = "What does a cold read cost?".into();
    reading.source = Some("a write-up of 2025".into());
    reading.unmeasured = vec![
        Unmeasured {
            method: MethodId::new("native", "O_DIRECT"),
            scope: Some("tmpfs /dev/shm".into()),
            reason: "open with O_DIRECT failed: EINVAL".into(),
        },
        Unmeasured {
            method: MethodId::new("go", "syscall.Mmap"),
            scope: None,
            reason: "the file system refuses to map its files, which the driver reported with exit code 77"
                .into(),
        },
    ];
    let mut record = record(&["fathom", "bench", "read-cold"], vec![reading]);
    trouble_environment(&mut record);
    record
}

fn troubled_comparison() -> Comparison {
    let read = |reads: i64| {
        let calls =
            vec![call("openat", 1), CallCount { differences: vec![400, 401, 407], ..call("read", reads) }];
        Reading::Value(count_pass(calls, vec![step("openat", "AT_FDCWD, FILE, O_RDONLY", "7")], vec![]))
    };
    let measured = vec![
        variant("native:read", (812_000.0, 95_000.0), None, read(2), &[]),
        variant("native:mmap", (1_240_000.0, 310_000.0), Some((1.53, 0.72)), read(2), &[("majflt", 31.97)]),
        variant(
            "go:os.ReadFile",
            (640_000.0, 80_000.0),
            Some((0.79, 0.11)),
            uncounted(),
            &[("allocs", 4.02)],
        ),
    ];
    let builder = ComparisonBuilder {
        cache: unknown_evidence(),
        loops: vec![("native", 8.0)],
        control: Some((1.08, 0.05)),
        stop: StopReason::Failed("driver go exited with code 2 in fork 9".into()),
        ..warm_builder(Operation::ReadWhole, 1 << 20, 9)
    };
    let mut comparison = builder.build("1 MiB · cold", measured, vec![]);
    comparison.cache[0] =
        CacheEvidence { void: comparison.cache[0].void.clone(), ..cold_evidence(256, 27, 27 << 20) };
    if let Reading::Value(control) = &mut comparison.control {
        control.instrument_fault = true;
    }
    for fork in comparison.forks.iter_mut().take(2) {
        fork.warm_up.steady = false;
        fork.cpu = Reading::unavailable("sched_setaffinity failed: EPERM");
    }
    comparison
}

fn uncounted() -> Reading<CountPass> {
    Reading::unavailable("ptrace of the driver failed: EPERM (yama.ptrace_scope is 3)")
}

fn unknown_evidence() -> CacheEvidence {
    let void = |reason: &str, samples| VoidCount { reason: reason.into(), samples };
    CacheEvidence {
        proof: Proof::Unknown("cachestat failed: EPERM (the file is not ours to write)".into()),
        resident_pages_before_max: None,
        resident_pages_before_min: None,
        device_read_bytes: Reading::unavailable("no permission to read /proc/PID/io"),
        void: vec![
            void("pages stayed resident after eviction", 12),
            void("the cache was dropped meanwhile", 1),
        ],
        ..cold_evidence(256, 27, 0)
    }
}

fn trouble_environment(record: &mut Record) {
    record.environment.foreign_tracers = Reading::Value(vec![ForeignTracer {
        source: "uprobe_events".into(),
        detail: "p:uprobes/open64 /usr/lib/libc.so.6:0x00000000000f5a30".into(),
    }]);
    record.environment.cpu_model = Reading::unavailable("/proc/cpuinfo has no model name");
    record.noise = Reading::Value(Noise {
        load_average_end: Reading::Value(7.9),
        steal_share: Reading::Value(0.113),
        cpu_pressure_share: Reading::unavailable("/proc/pressure is not there"),
        io_pressure_share: Reading::unavailable("/proc/pressure is not there"),
        cache_drops: Reading::Value(3),
        ..quiet_noise(31.0)
    });
    record.warnings = vec![
        Warning::new(Severity::Note, "governor-unknown", "the frequency governor is not known"),
        Warning::new(
            Severity::Warning,
            "loaded-host",
            "the host was loaded: 11.3 % of CPU time was stolen, so every interval is wider than it need be",
        )
        .with_hint("run again when the neighbors are quiet, or raise --budget"),
        Warning::new(Severity::Fault, "foreign-tracer", "a uprobe of somebody else taxes every open of libc")
            .with_hint("stop the tracer named above; ratios shift while it is attached"),
    ];
}
