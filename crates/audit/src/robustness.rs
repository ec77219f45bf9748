//! Whatever calls come in whatever order, judging them ends, and its result can be kept.

use crate::auditor::Auditor;
use crate::finding::Finding;
use crate::prices::{CallPrice, PriceList, Prices};
use crate::rule::Guards;
use crate::script::{READ, Script};
use fathom_events::{
    Advice, CallOutcome, ControlCommand, FileAction, FileEvent, FileFacts, FileIdentity, FileKind, OpenFlags,
    PathTable, StackId, Target, Whence,
};
use fathom_model::{CountedCalls, Estimate, Reading, call_form};
use fathom_testkit::price;
use proptest::prelude::*;
use std::ffi::OsStr;

fn action() -> impl Strategy<Value = (u8, i32, u64, u8, u8)> {
    (0..32_u8, -1..8_i32, 0..10_000_u64, 0..12_u8, 0..12_u8)
}

fn outcome() -> impl Strategy<Value = CallOutcome> {
    prop_oneof![
        4 => (0..9_i64).prop_map(CallOutcome::Value),
        1 => (0..10_000_i64).prop_map(CallOutcome::Value),
        2 => prop::sample::select(vec![1, 2, 9, 17, 22, 25, 95]).prop_map(CallOutcome::Failed),
        1 => prop::sample::select(vec![CallOutcome::Unfinished, CallOutcome::Unknown]),
    ]
}

/// One of all calls there are, from numbers.
fn built(
    (which, descriptor, bytes, one, other): (u8, i32, u64, u8, u8),
    paths: &mut PathTable,
) -> FileAction {
    const PATHS: [&str; 12] = [
        "",
        "/",
        "a",
        "/d/a",
        "/d",
        "../..",
        "/proc/self/maps",
        "/tmp/x",
        "/lib/libc.so.6",
        "/d/b",
        "d/../a",
        "/etc/hosts",
    ];
    let mut target = |number: u8| Target::Path {
        directory: if number.is_multiple_of(3) { descriptor } else { Target::CURRENT_DIRECTORY },
        path: paths.number(OsStr::new(PATHS[usize::from(number)])),
        follow: !number.is_multiple_of(2),
    };
    let (from, to) = (target(one), target(other));
    let open = Target::Descriptor(descriptor);
    let facts = || {
        let identity = Some(FileIdentity { device: 1, inode: bytes });
        let kind = Some(if other.is_multiple_of(2) { FileKind::Regular } else { FileKind::Directory });
        Some(Box::new(FileFacts { identity, kind, size_bytes: Some(bytes), ..FileFacts::default() }))
    };
    let (offset, pieces) = ((one > 6).then_some(bytes), 1);
    match which {
        0..=3 => FileAction::Open {
            target: from,
            flags: OpenFlags(u32::try_from(bytes * 64).unwrap() | u32::from(other % 4)),
            mode: 0o644,
        },
        4 => FileAction::Close { descriptor },
        5 => FileAction::CloseRange { first: u32::from(one), last: u32::MAX, mark_only: other > 5 },
        6 | 7 => FileAction::Read { descriptor, bytes, offset, pieces },
        8 | 9 => FileAction::Write { descriptor, bytes, offset, pieces },
        10 => FileAction::Seek {
            descriptor,
            offset: -1,
            whence: [Whence::Start, Whence::Current, Whence::End, Whence::DataOrHole][usize::from(one % 4)],
        },
        11 => FileAction::Stat { target: from, facts: facts(), mask: 0 },
        12 => FileAction::Stat { target: open, facts: facts(), mask: 0 },
        13 => FileAction::Access { target: from, mode: 4 },
        14 => FileAction::ReadLink { target: from, to: None },
        15 => FileAction::List { descriptor, entries: None, undecided: None },
        16 => FileAction::MakeDirectory { target: from, mode: 0o755 },
        17 => FileAction::Remove { target: from, directory: false },
        18 => FileAction::Rename { from, to, flags: 0 },
        19 => FileAction::Truncate { target: open, bytes },
        20 => FileAction::Duplicate {
            descriptor,
            to: (one > 5).then_some(i32::from(other)),
            close_on_exec: false,
        },
        21 => FileAction::Control {
            descriptor,
            command: ControlCommand::SetDescriptorFlags { close_on_exec: one > 5 },
        },
        22 => FileAction::Map {
            descriptor: Some(descriptor),
            offset: 0,
            bytes,
            protection: u32::from(one),
            flags: u32::from(other),
        },
        23 => FileAction::Unmap { address: bytes, bytes },
        24 => FileAction::Sync { descriptor: Some(descriptor), data_only: false },
        25 => FileAction::Copy {
            from: descriptor,
            to: i32::from(one),
            bytes,
            from_offset: None,
            to_offset: offset,
        },
        26 => FileAction::ChangeDirectory { target: from },
        27 => FileAction::Fork { shares_descriptors: one > 8, shares_directory: false, is_thread: one < 2 },
        28 => FileAction::Execute { target: from },
        29 => FileAction::OwnDescriptors,
        30 => FileAction::Exit { code: Some(i32::from(one)), whole: other > 4 },
        _ => FileAction::Advise { descriptor, offset: 0, bytes, advice: Advice::Other(9) },
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_sequence_of_calls_is_too_odd(calls in prop::collection::vec((action(), outcome(), 1..4_u32, 0..3_u32), 1..200)) {
        let mut paths = PathTable::new();
        let (mut auditor, mut all) = (Auditor::new().counting_tree(), Auditor::new().asking_all_at_all());
        let count = calls.len() as u64;
        for (at, (numbers, outcome, process, thread)) in calls.into_iter().enumerate() {
            let action = built(numbers, &mut paths);
            let stack = (thread == 2).then_some(StackId(process));
            let (at_ns, thread) = (at as u64 * 1_000, process * 10 + thread);
            let event = FileEvent { at_ns, process, thread, call: "call", action, outcome, took_ns: None, waited_ns: None, slept_ns: None, stack };
            all.observe(&event, &paths);
            auditor.take(event, &paths);
        }
        let mut audit = auditor.finish();
        let tree = audit.tree.take().unwrap();
        prop_assert_eq!(tree.sums.calls, count);
        prop_assert_eq!(&tree.sums, &crate::CallSums::of(tree.rows.iter().map(|row| &row.sums)));
        prop_assert_eq!(&tree.sums, &crate::CallSums::of(tree.groups().iter().map(|group| &group.sums)));
        prop_assert_eq!(&audit, &all.finish(), "a rule has to be asked at more calls than it says");
        prop_assert_eq!(audit.events, count);
        prop_assert_eq!(audit.calls.iter().map(|call| call.count).sum::<u64>(), count);
        prop_assert!(audit.findings.iter().all(|finding| finding.count > 0 && !finding.example.is_empty()), "{:?}", audit.findings);
        let text = serde_json::to_string(&audit).unwrap();
        prop_assert_eq!(serde_json::from_str::<crate::Audit>(&text).unwrap(), audit);
    }
}

/// Every fstat costs 400 ns, every other call but lseek 1000.
struct Fixed;

impl Prices for Fixed {
    fn price(&self, call: &CountedCalls) -> Option<CallPrice> {
        let value = match call.call.as_str() {
            "lseek" => return None,
            "fstat" => 400.0,
            _ => 1_000.0,
        };
        let wall_ns = Estimate {
            value,
            low: Some(value - 50.0),
            high: Some(value + 50.0),
            confidence: 0.95,
            forks: 20,
        };
        Some(CallPrice { wall_ns, is_of_plain_call: false, note: None })
    }
}

fn wasteful() -> crate::Audit {
    let mut script = Script::new();
    for _ in 0..10 {
        let file = script.open("/data/a", READ);
        script.fstat(file, 100);
        script.fstat(file, 100);
        script.seek(file, 0, Whence::Current, 0);
        script.close(file);
    }
    let mut auditor = Auditor::with_guards(Guards::default());
    for event in &script.events {
        auditor.observe(event, &script.paths);
    }
    auditor.finish()
}

fn of_rule(audit: &crate::Audit, rule: u16) -> &Finding {
    audit.findings.iter().find(|finding| finding.rule.0 == rule).unwrap()
}

#[test]
fn a_price_is_count_times_price_and_a_share_of_all_calls() {
    let mut audit = wasteful();
    audit.price(&Fixed);
    let price = of_rule(&audit, 3).price.value().unwrap();
    assert_eq!((price.total_ns, price.low_ns, price.high_ns), (4_000.0, Some(3_500.0), Some(4_500.0)));
    // 10 opens and 10 closes at 1000 ns, 20 fstats at 400.
    assert_eq!(price.share, Some(4_000.0 / 28_000.0));
}

#[test]
fn what_has_no_price_says_why_and_weighs_nothing() {
    let mut audit = wasteful();
    audit.price(&Fixed);
    let seeks = of_rule(&audit, 5);
    assert_eq!(seeks.price, Reading::unavailable("the price list has no such lseek"));
    assert_eq!(audit.findings.last().map(|finding| finding.rule.0), Some(5), "the dearest come first");
}

#[test]
fn a_list_of_prices_is_read_by_the_calls_condition() {
    let list = [price("fstat", call_form::BY_DESCRIPTOR, 400.0), price("lseek", call_form::SEEK_SET, 150.0)];
    let mut audit = wasteful();
    audit.price(&PriceList(&list));
    assert_eq!(of_rule(&audit, 3).price.value().map(|price| price.total_ns), Some(4_000.0));
    // The list knows lseek by SEEK_SET only; it is the same call by another word.
    let seeks = of_rule(&audit, 5).price.value().map(|price| (price.calls, price.total_ns));
    assert_eq!(seeks, Some((10, 1_500.0)));
}

/// A call costs 100 ns for each component of its path.
struct ByComponents;

impl Prices for ByComponents {
    fn price(&self, call: &CountedCalls) -> Option<CallPrice> {
        let value = 100.0 * f64::from(call.path_components?);
        let wall_ns = Estimate { value, low: Some(value), high: Some(value), confidence: 0.95, forks: 20 };
        Some(CallPrice { wall_ns, is_of_plain_call: false, note: None })
    }
}

#[test]
fn where_another_call_is_needed_the_price_is_the_difference() {
    let mut script = Script::new();
    (0..1_000).for_each(|file| script.stat(&format!("/srv/www/site/pages/{file}"), 10));
    let mut auditor = Auditor::new();
    script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
    let mut audit = auditor.finish();
    audit.price(&ByComponents);
    let finding = of_rule(&audit, 25);
    assert_eq!(
        finding.instead.first().map(|call| (call.path_components, call.count)),
        Some((Some(1), 1_000))
    );
    // Five components each, of which four are spared.
    let price = finding.price.value().unwrap();
    assert_eq!((price.total_ns, price.low_ns, price.high_ns), (400_000.0, Some(400_000.0), Some(400_000.0)));
}
