//! The sample record of batches of a fixed length: random blocks of a large
//! file, cold, and operations that write.

use crate::comparison::{ComparisonBuilder, Measured};
use crate::machine::floors;
use crate::parts::{call, cold_evidence, count_pass, step};
use crate::published::figure;
use crate::records::{experiment, record, variant, warm_builder};
use fathom_model::{
    Alignment, CacheEvidence, CallCount, Comparison, Figure, Operation, Proof, Publication, Quantity,
    Reading, Record, Setting, SettingValue,
};

const READS: u64 = 100_000;
const FILES: u64 = 1000;
const SIZE_BYTES: u64 = 4 << 30;

/// Reading blocks, creating files, writing blocks: so many in one go.
pub fn batches() -> Record {
    let mut blocks = experiment("random-blocks", "Random blocks of a large file", vec![block_comparison()]);
    blocks.question = "What do 100,000 reads at random offsets cost, by read and by mapping?".into();
    blocks.reported = vec![block_publication()];
    let mut create = experiment("create-storm", "Creating many files", vec![create_comparison()]);
    create.question = "What does it cost to create 1000 files?".into();
    create.reported = vec![create_publication()];
    let write = experiment("generate", "Writing a large file", vec![write_comparison()]);
    let mut record = record(
        &["fathom", "bench", "random-blocks", "create-storm", "generate"],
        vec![blocks, create, write],
    );
    record.floors = Reading::Value(floors());
    record
}

fn pass_of(calls: Vec<CallCount>) -> Reading<fathom_model::CountPass> {
    let recipe = calls.iter().map(|call| step(&call.call, "7", "0")).collect();
    Reading::Value(count_pass(calls, recipe, vec![]))
}

fn fixed(operation: Operation, size_bytes: u64, operations: u64) -> ComparisonBuilder {
    let mut builder = warm_builder(operation, size_bytes, 5);
    builder.parameters.settings.set(Setting::Operations, SettingValue::Number(operations));
    builder
}

fn block_comparison() -> Comparison {
    let mut builder = fixed(Operation::ReadBlock, SIZE_BYTES, READS);
    builder.parameters.block_bytes = 16 << 10;
    let measured: Vec<Measured> = vec![
        variant("native:pread", (98_400.0, 1_200.0), None, pass_of(vec![call("pread64", 1)]), PREAD),
        variant("native:mmap", (104_100.0, 1_900.0), Some((1.058, 0.011)), pass_of(vec![]), MMAP),
    ];
    let mut comparison = builder.build("4 GiB · 16 KiB blocks · cold", measured, vec![]);
    let operations = 15 * READS;
    for (evidence, each) in comparison.cache.iter_mut().zip([16_500, 131_072]) {
        let cold = cold_evidence(SIZE_BYTES / 4096, 15, operations * each);
        *evidence = CacheEvidence { device_read_operations: operations, ..cold };
    }
    comparison
}

const PREAD: &[(&str, f64)] = &[
    ("cpu_ns", 4_210.0),
    ("majflt", 0.0),
    ("minflt", 0.000_37),
    ("nivcsw", 0.012),
    ("task_read_bytes", 16_500.0),
    ("task_write_bytes", 0.0),
    ("device_reads", 1.002),
    ("device_read_bytes", 16_512.5),
    ("device_writes", 0.000_12),
    ("device_written_bytes", 4.1),
    ("device_merges", 0.0),
];
const MMAP: &[(&str, f64)] = &[
    ("cpu_ns", 6_875.0),
    ("majflt", 0.976_55),
    ("minflt", 0.021),
    ("nivcsw", 0.009),
    ("task_read_bytes", 131_072.0),
    ("task_write_bytes", 0.0),
    ("device_reads", 1.21),
    ("device_read_bytes", 131_100.0),
    ("device_writes", 0.0),
    ("device_written_bytes", 0.0),
    ("device_merges", 0.04),
];

fn block_publication() -> Publication {
    let of = |method: &str, quantity, value, unit: &str| Figure {
        operations: READS,
        ..figure(Some(method), quantity, value, unit)
    };
    let unaligned = |method: &str, value| {
        let mut figure = of(method, Quantity::ContextSwitches, value, "switches");
        figure.conditions.alignment = Some(Alignment::Unaligned);
        figure
    };
    Publication {
        source: "\"read vs mmap\" notes".into(),
        hardware: Some("Raspberry Pi 5, 8 GB".into()),
        date: None,
        figures: vec![
            of("native:pread", Quantity::Time, 34.8, "s"),
            of("native:pread", Quantity::Time, 39.1, "s"),
            of("native:mmap", Quantity::Time, 39.3, "s"),
            of("native:mmap", Quantity::Time, 49.5, "s"),
            of("native:pread", Quantity::PageFaults, 37.0, "faults"),
            of("native:mmap", Quantity::PageFaults, 83_056.0, "faults"),
            of("native:mmap", Quantity::MajorFaults, 83_020.0, "faults"),
            of("native:pread", Quantity::SystemTime, 1.3, "s"),
            unaligned("native:mmap", 140_288.0),
        ],
        claims: vec![],
    }
}

fn create_comparison() -> Comparison {
    let mut builder = fixed(Operation::Create, 0, FILES);
    builder.parameters.settings.set(Setting::Write, SettingValue::Number(10));
    builder.cache = stateless();
    let own = |close: &str| {
        let mut parameters = builder.parameters.clone();
        parameters.settings.set(Setting::Close, close.into());
        Some(parameters)
    };
    let calls = || pass_of(vec![call("openat", 1), call("write", 1), call("close", 1)]);
    let measured = vec![
        Measured {
            parameters: own("each"),
            ..variant("native:open", (17_500.0, 300.0), None, calls(), CREATE)
        },
        Measured {
            parameters: own("all"),
            ..variant("native:open", (18_900.0, 400.0), Some((1.080, 0.013)), calls(), CREATE)
        },
    ];
    let mut comparison = builder.build("native:open", measured, vec![]);
    comparison.differing_parameters = vec!["close".into()];
    comparison
}

const CREATE: &[(&str, f64)] = &[
    ("cpu_ns", 16_900.0),
    ("minflt", 0.002),
    ("task_read_bytes", 0.0),
    ("task_write_bytes", 4096.0),
    ("task_cancelled_write_bytes", 12.3),
    ("device_writes", 0.157),
    ("device_written_bytes", 8192.0),
    ("device_merges", 0.843),
    ("device_discards", 0.001),
    ("device_flushes", 0.002),
];

fn create_publication() -> Publication {
    let event = |label: &str, value| Figure {
        label: Some(label.to_owned()),
        operations: FILES,
        ..figure(None, Quantity::Events, value, "events")
    };
    let total = Figure {
        label: Some("open, write 10 bytes".to_owned()),
        operations: FILES,
        ..figure(None, Quantity::Time, 17.5, "ms")
    };
    Publication {
        source: "\"Investigating open() and close() performance\"".into(),
        hardware: Some("a laptop".into()),
        date: None,
        figures: vec![
            total,
            event("block_rq_issue", 157.0),
            event("block_bio_backmerge", 843.0),
            event("block_touch_buffer", 10_868.0),
        ],
        claims: vec!["neither open nor close goes to the disk".into()],
    }
}

fn write_comparison() -> Comparison {
    let mut builder = fixed(Operation::WriteBlock, SIZE_BYTES, 524_288);
    builder.parameters.block_bytes = 8 << 10;
    builder.parameters.access = fathom_model::Access::Sequential;
    builder.cache = stateless();
    let calls = || pass_of(vec![call("pwrite64", 1)]);
    let written: &[(&str, f64)] =
        &[("cpu_ns", 2_900.0), ("task_write_bytes", 8192.0), ("device_writes", 0.01)];
    let measured: Vec<Measured> = vec![
        variant("native:pwrite", (4_812.0, 90.0), None, calls(), written),
        variant("go:os.File.WriteAt", (5_204.0, 110.0), Some((1.081, 0.02)), calls(), written),
    ];
    builder.build("4 GiB · 8 KiB blocks", measured, vec![])
}

fn stateless() -> CacheEvidence {
    CacheEvidence {
        proof: Proof::NotApplicable("what is written was not there before: it has no state".into()),
        file_pages: 0,
        device_read_bytes: Reading::Value(61_440),
        ..crate::parts::warm_evidence(0, 15)
    }
}
