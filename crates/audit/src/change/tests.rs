use super::*;
use crate::classed_calls::{CallTarget, OutcomeClass};
use crate::finding::Owner;
use crate::prices::PriceList;

fn class(call: &str, path: &str) -> CallClass {
    CallClass {
        call: call.to_owned(),
        target: CallTarget::Path,
        outcome: OutcomeClass::Succeeded,
        path: path.to_owned(),
        owner: Owner::Yours,
        program: "tool".to_owned(),
    }
}

fn run(calls: &[(&str, &str, u64)]) -> RunCalls {
    let calls = calls.iter().map(|(call, path, count)| {
        (class(call, path), ClassedCalls { count: *count, ..ClassedCalls::default() })
    });
    calls.collect()
}

/// What changed, as `CALL PATH LOW-HIGH LOW-HIGH`.
fn changed(base: &[RunCalls], head: &[RunCalls]) -> Vec<String> {
    let found = compare_runs(base, head, &PriceList(&[]));
    let range = |range: CountRange| format!("{}-{}", range.low, range.high);
    let row = |change: &CallChange| {
        let class = &change.class;
        format!("{} {} {} {}", class.call, class.path, range(change.base), range(change.head))
    };
    found.changes.iter().map(row).collect()
}

#[test]
fn runs_of_one_side_are_no_change() {
    let runs = [run(&[("openat", "/a", 3)]), run(&[("openat", "/a", 3)])];
    assert_eq!(changed(&runs, &runs), Vec::<String>::new());
    assert!(!is_varying(&runs));
}

#[test]
fn a_change_inside_the_range_of_a_side_is_none() {
    let base = [run(&[("openat", "/a", 3)]), run(&[("openat", "/a", 7)])];
    let head = [run(&[("openat", "/a", 5)]), run(&[("openat", "/a", 9)])];
    assert!(is_varying(&base));
    assert_eq!(changed(&base, &head), Vec::<String>::new());
    let above = [run(&[("openat", "/a", 8)]), run(&[("openat", "/a", 9)])];
    assert_eq!(changed(&base, &above), ["openat /a 3-7 8-9"]);
}

#[test]
fn one_call_more_per_file_is_one_row_with_the_ending() {
    let base = [run(&[("newfstatat", "/d/a.txt", 1), ("newfstatat", "/d/b.txt", 1)])];
    let head = [run(&[("newfstatat", "/d/a.txt", 2), ("newfstatat", "/d/b.txt", 2)])];
    assert_eq!(changed(&base, &head), ["newfstatat /d/*.txt 2-2 4-4"]);
}

#[test]
fn names_that_vary_are_summed_by_their_directory() {
    let named = |names: &[&str]| run(&names.iter().map(|name| ("openat", *name, 1)).collect::<Vec<_>>());
    let base = [named(&["/d/1"]), named(&["/d/2"])];
    let same = [named(&["/d/3"]), named(&["/d/1"])];
    assert_eq!(changed(&base, &same), Vec::<String>::new());
    let more = [named(&["/d/1", "/d/4"]), named(&["/d/2", "/d/5"])];
    assert_eq!(changed(&base, &more), ["openat /d/* 1-1 2-2"]);
}

/// A run with four calls in each of these lines of `look`.
fn in_lines(lines: &[(u32, Option<&str>)]) -> RunCalls {
    let line = |(line, text): &(u32, Option<&str>)| CodeLine {
        function: Some("look".to_owned()),
        file: Some("tool.c".to_owned()),
        line: Some(*line),
        text: text.map(str::to_owned),
    };
    let lines: BTreeMap<_, _> = lines.iter().map(|each| (line(each), 4)).collect();
    let count = lines.values().sum();
    let calls = ClassedCalls { count, lines, ..ClassedCalls::default() };
    RunCalls::from([(class("newfstatat", "/d/a.txt"), calls)])
}

fn named_line(base: &[(u32, Option<&str>)], head: &[(u32, Option<&str>)]) -> Option<u32> {
    let found = compare_runs(&[in_lines(base)], &[in_lines(head)], &PriceList(&[]));
    found.changes[0].line.as_ref().expect("the function is known").line
}

#[test]
fn the_line_that_was_added_is_named_whatever_moved_below_it() {
    let base = [(9, Some("stat(name, &facts);"))];
    let above = [(9, Some("lstat(name, &facts);")), (10, Some("stat(name, &facts);"))];
    assert_eq!(named_line(&base, &above), Some(9));
    let below = [(9, Some("stat(name, &facts);")), (10, Some("lstat(name, &facts);"))];
    assert_eq!(named_line(&base, &below), Some(10));
    assert_eq!(named_line(&below, &base), Some(10), "a line that went is named by its old number");
}

#[test]
fn a_line_among_several_is_not_guessed_where_the_source_was_not_read() {
    assert_eq!(named_line(&[(9, None)], &[(9, None), (10, None)]), None);
    assert_eq!(named_line(&[], &[(9, None)]), Some(9), "the only one needs no text");
}

#[test]
fn a_call_that_moved_to_another_owner_is_two_rows() {
    let base = [run(&[("openat", "/etc/localtime", 1)])];
    let moved = CallClass { owner: Owner::Libc, ..class("openat", "/etc/localtime") };
    let head = [RunCalls::from([(moved, ClassedCalls { count: 1, ..ClassedCalls::default() })])];
    assert_eq!(changed(&base, &head).len(), 2);
}
