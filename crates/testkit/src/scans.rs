//! The sample record of operations that answer something: lines, matches,
//! digests, some of them wrong.

use crate::comparison::Measured;
use crate::machine::floors;
use crate::parts::{call, count_pass, step};
use crate::published::figure;
use crate::records::{experiment, record, variant, warm_builder};
use fathom_model::{
    Answered, Comparison, CountPass, Operation, Publication, Quantity, Reading, Record, Setting, SettingValue,
};

const SIZE_BYTES: u64 = 64 << 20;
const CUT: &str = "lines cut at the borders of 4 KiB pieces, each piece scanned by itself";

/// Lines by several methods, a search on several threads, digests.
pub fn scans() -> Record {
    let mut lines = experiment("lines-go", "Every line of a file in Go", vec![lines_comparison()]);
    lines.reported = vec![publication()];
    let search = experiment("search-go", "Counting a word", vec![search_comparison()]);
    let hash = experiment("hash-go", "The MD5 of a file", vec![hash_comparison()]);
    let mut record =
        record(&["fathom", "bench", "lines-go", "search-go", "hash-go"], vec![lines, search, hash]);
    record.floors = Reading::Value(floors());
    record
}

fn scanned(reads: i64) -> Reading<CountPass> {
    let recipe = vec![step("openat", "FILE, O_RDONLY", "7"), step("close", "7", "0")];
    Reading::Value(count_pass(vec![call("read", reads), call("openat", 1), call("close", 1)], recipe, vec![]))
}

fn answered(what: &str, found: u64, expected: u64, flaw: Option<&str>) -> Answered {
    Answered {
        what: what.into(),
        found,
        expected,
        flaw: flaw.map(str::to_owned),
        predicted: None,
        further: Vec::new(),
        disagrees: None,
    }
}

fn lines_comparison() -> Comparison {
    let measured: Vec<Measured> = vec![
        variant("go:bufio.Scanner", (59.0e6, 0.4e6), None, scanned(1025), &[("allocs", 4.0)]),
        variant("go:pread-4k-scanner", (46.8e6, 0.5e6), Some((0.793, 0.008)), scanned(16_385), &[]),
        variant("native:getline", (31.2e6, 0.2e6), Some((0.529, 0.004)), scanned(16_385), &[]),
    ];
    let builder = warm_builder(Operation::Lines, SIZE_BYTES, 15);
    let mut comparison = builder.build("64 MiB · warm", measured, vec![]);
    comparison.answers = vec![
        answered("lines", 1_230_000, 1_230_000, None),
        answered("lines", 1_234_567, 1_230_000, Some(CUT)),
        answered("lines", 1_230_000, 1_230_000, None),
    ];
    comparison
}

fn publication() -> Publication {
    Publication {
        source: "P. McConnell, \"How to Open a File in Linux: A Deep Dive\"".into(),
        hardware: Some("EC2, Xeon 8375C, 8 threads, Ubuntu 24.04".into()),
        date: Some("2025-03-04".into()),
        figures: vec![
            figure(Some("go:pread-4k-scanner"), Quantity::Time, 868.0, "ms"),
            figure(Some("go:bufio.Scanner"), Quantity::Time, 590.0, "ms"),
            figure(Some("go:pread-4k-scanner"), Quantity::Answer, 1_234_001.0, "lines"),
        ],
        claims: vec!["os.OpenFile ~31 % faster".into()],
    }
}

/// One method on several threads: the setting is what is compared.
fn search_comparison() -> Comparison {
    let builder = warm_builder(Operation::Search, SIZE_BYTES, 15);
    let on = |threads: u64, ns: f64, ratio| {
        let mut parameters = builder.parameters.clone();
        parameters.settings.set(Setting::Threads, SettingValue::Number(threads));
        let ratio = Some(ratio).filter(|_| threads > 1).map(|ratio| (ratio, 0.004));
        Measured {
            parameters: Some(parameters),
            ..variant("go:quarters", (ns, ns * 0.01), ratio, scanned(16_385), &[])
        }
    };
    let measured = vec![on(1, 82.4e6, 1.0), on(2, 43.0e6, 0.522), on(4, 42.1e6, 0.511)];
    let mut comparison = builder.build("go:quarters · 64 MiB · warm", measured, vec![]);
    comparison.differing_parameters = vec!["threads".into()];
    let flaw = Some("a word that lies across the border of two parts is not seen");
    comparison.answers = vec![
        answered("matches", 998_321, 998_321, flaw),
        answered("matches", 998_320, 998_321, flaw),
        answered("matches", 998_318, 998_321, flaw),
    ];
    comparison
}

fn hash_comparison() -> Comparison {
    let measured: Vec<Measured> = vec![
        variant("go:io.Copy", (97.1e6, 0.3e6), None, scanned(2049), &[]),
        variant("go:pread-unchecked", (93.6e6, 0.4e6), Some((0.964, 0.005)), scanned(16_385), &[]),
    ];
    let mut comparison =
        warm_builder(Operation::Hash, SIZE_BYTES, 15).build("64 MiB · warm", measured, vec![]);
    comparison.answers = vec![
        answered("digest", 0x9f2c_0001, 0x9f2c_0001, None),
        answered("digest", 0x0bad, 0x9f2c_0001, Some("the last piece is hashed in its full length")),
    ];
    comparison
}
