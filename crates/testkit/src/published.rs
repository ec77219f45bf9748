//! The sample record of experiments that stand beside publications: times that
//! are true here, times that cannot be, other figures, claims; and a result of
//! ours that cannot be either.

use crate::comparison::Measured;
use crate::go_calls::{go_background, os_open_calls, os_open_recipe};
use crate::machine::floors;
use crate::parts::{call, count_pass, step};
use crate::records::{experiment, record, variant, warm_builder};
use fathom_model::{
    BufferUse, Comparison, Conditions, Figure, Operation, Publication, Quantity, Reading, Record,
};

/// Opening and reading small files, as somebody published them.
pub fn published() -> Record {
    let mut small = experiment("small-go", "Reading a small file in Go", vec![small_comparison()]);
    small.question = "Which call reads a file below 1 KiB fastest?".into();
    small.reported = vec![small_publication()];
    let mut open = experiment("open-go", "Opening a file in Go and in C", vec![open_comparison()]);
    open.question = "What does os.Open add to the open system call?".into();
    open.reported = open_publications();
    let mut record = record(&["fathom", "bench", "small-go", "open-go"], vec![small, open]);
    record.floors = Reading::Value(floors());
    record
}

fn small_comparison() -> Comparison {
    let reading = |name, time_ns, ratio, reads, runtime| {
        let mut calls = os_open_calls();
        calls.push(call("read", reads));
        let mut recipe = os_open_recipe();
        let close = recipe.pop().expect("the recipe ends in close");
        recipe.extend([step("read", "7, BUFFER, 512", "128"), step("read", "7, BUFFER, 384", "0"), close]);
        variant(name, time_ns, ratio, Reading::Value(count_pass(calls, recipe, go_background())), runtime)
    };
    let measured = vec![
        reading("go:os.ReadFile", (5120.0, 21.0), None, 2, RUNTIME_5),
        reading("go:os.Open+io.ReadAll", (5391.0, 24.0), Some((1.0529, 0.0031)), 2, RUNTIME_4),
        reading("go:os.Open+bufio+io.ReadAll", (6240.0, 33.0), Some((1.2188, 0.0042)), 2, RUNTIME_6),
    ];
    warm_builder(Operation::ReadWhole, 128, 15).build("128 B · warm", measured, vec![])
}

const RUNTIME_4: &[(&str, f64)] =
    &[("allocs", 4.0), ("alloc_bytes", 728.0), ("gc_count", 0.0002), ("gc_ns", 21.4)];
const RUNTIME_5: &[(&str, f64)] =
    &[("allocs", 5.0), ("alloc_bytes", 888.0), ("gc_count", 0.0003), ("gc_ns", 24.9)];
const RUNTIME_6: &[(&str, f64)] =
    &[("allocs", 6.0), ("alloc_bytes", 5_344.0), ("gc_count", 0.0014), ("gc_ns", 88.1)];

fn small_publication() -> Publication {
    let sized = |size_bytes, figure: Figure| Figure {
        conditions: Conditions { size_bytes: Some(size_bytes), ..figure.conditions.clone() },
        ..figure
    };
    let of =
        |method: &str, quantity, value, unit: &str| sized(128, figure(Some(method), quantity, value, unit));
    let three = |method: &str, time, allocations, allocated| {
        [
            of(method, Quantity::Time, time, "ns"),
            of(method, Quantity::Allocations, allocations, "allocs/op"),
            of(method, Quantity::AllocatedBytes, allocated, "B/op"),
        ]
    };
    let mut figures = Vec::new();
    figures.extend(three("go:os.ReadFile", 321.0, 1.0, 128.0));
    figures.extend(three("go:os.Open+io.ReadAll", 398.0, 2.0, 256.0));
    figures.extend(three("go:os.Open+bufio+io.ReadAll", 6472.0, 3.0, 512.0));
    let label = Some("any of them, 128 B".to_owned());
    figures.push(Figure { label, ..figure(None, Quantity::CollectorPause, 18.0, "µs") });
    // A size that was not measured here.
    figures.push(sized(999, figure(Some("go:os.ReadFile"), Quantity::Allocations, 5.1, "allocs/op")));
    Publication {
        source: "\"os.Open vs os.ReadFile vs io.ReadAll on files below 1 KB\" (in Chinese)".into(),
        hardware: Some("Linux x86-64, SSD; Go 1.22".into()),
        date: None,
        figures,
        claims: vec![">20 % slower".into(), "a stack buffer below 1 KB".into()],
    }
}

fn open_comparison() -> Comparison {
    let two = || {
        let recipe = vec![step("openat", "AT_FDCWD, FILE, O_RDONLY", "7"), step("close", "7", "0")];
        Reading::Value(count_pass(vec![call("openat", 1), call("close", 1)], recipe, vec![]))
    };
    let os_open = || Reading::Value(count_pass(os_open_calls(), os_open_recipe(), go_background()));
    let measured: Vec<Measured> = vec![
        variant("go:syscall.Open", (1214.0, 7.0), None, two(), &[]),
        variant("go:os.Open", (2621.0, 12.0), Some((2.1590, 0.006)), os_open(), &[]),
        // Two calls in less time than two calls take: something is wrong with it.
        variant("native:openat", (250.3, 1.1), Some((0.2062, 0.0006)), two(), &[]),
    ];
    warm_builder(Operation::OpenClose, 1 << 30, 15).build("1 GiB · warm", measured, vec![])
}

fn open_publications() -> Vec<Publication> {
    let mut named = figure(None, Quantity::Time, 130.0, "ns");
    named.label = Some("a cached open".into());
    let mut million = figure(Some("go:syscall.Open"), Quantity::Time, 1.9, "s");
    million.operations = 1_000_000;
    let mut fresh = figure(Some("go:os.Open"), Quantity::Time, 2.61, "µs");
    fresh.conditions.buffer = Some(BufferUse::Reused);
    let first = Publication {
        source: "P. McConnell, \"How to Open a File in Linux: A Deep Dive\"".into(),
        hardware: Some("EC2, Xeon 8375C, 8 threads, Ubuntu 24.04".into()),
        date: Some("2025-03-04".into()),
        figures: vec![figure(Some("go:os.Open"), Quantity::Time, 2520.0, "ns"), named],
        claims: vec!["pread is ~37-38 % faster than os.Open".into()],
    };
    let second = Publication {
        source: "a reader's repetition".into(),
        hardware: None,
        date: None,
        figures: vec![fresh, million, figure(Some("go:os.Open"), Quantity::Calls, 7.0, "calls")],
        claims: vec![],
    };
    vec![first, second]
}

/// A figure of one operation that holds for every parameter.
pub(crate) fn figure(method: Option<&str>, quantity: Quantity, value: f64, unit: &str) -> Figure {
    let method = method.map(|method| method.parse().expect("sample methods are written `driver:name`"));
    Figure { conditions: Conditions::of_method(method), ..Figure::new(quantity, value, unit) }
}
