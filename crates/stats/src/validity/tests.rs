//! What is flagged, and what is not: each rule by a side that breaks it and one that does not.

use super::*;
use fathom_model::{Operation, Reading};
use fathom_testkit::{call, count_pass, duel_of, step};

type Calls<'a> = &'a [(&'a str, Option<&'a str>, u64)];

fn side(word: &str, calls: Calls<'_>, read: u64) -> SideSeen {
    let key = |(call, errno, _): &(&str, Option<&str>, u64)| ((*call).to_owned(), errno.map(str::to_owned));
    SideSeen {
        words: vec![word.to_owned()],
        calls: Some(calls.iter().map(|call| (key(call), call.2)).collect()),
        called: Some(calls.iter().map(key).collect()),
        deeds: Some(FileDeeds { read: BTreeMap::from([("f".to_owned(), read)]), ..FileDeeds::default() }),
        ..SideSeen::default()
    }
}

fn problems(sides: &[SideSeen], conditions: SharedConditions) -> Vec<(ValidityProblem, Vec<usize>)> {
    judge_validity(sides, conditions).into_iter().map(|flag| (flag.problem, flag.sides)).collect()
}

fn of_two(old: SideSeen, new: SideSeen) -> Vec<(ValidityProblem, Vec<usize>)> {
    problems(&[old, new], SharedConditions::default())
}

const READ: Calls<'static> = &[("openat", None, 1), ("read", None, 2), ("close", None, 1)];
const READ_MORE: Calls<'static> = &[("openat", None, 1), ("read", None, 9), ("close", None, 1)];

#[test]
fn sides_that_differ_in_calls_alone_are_a_comparison() {
    assert_eq!(of_two(side("once", READ, 10), side("often", READ_MORE, 10)), []);
}

#[test]
fn the_same_program_is_said_once_and_its_calls_are_not() {
    let program = Some(("ab".to_owned(), vec!["x".to_owned()]));
    let of = |word: &str| SideSeen { program: program.clone(), ..side(word, READ, 10) };
    assert_eq!(of_two(of("a"), of("b")), [(ValidityProblem::SameProgram, vec![0, 1])]);
    let other = SideSeen { program: Some(("ab".to_owned(), vec!["y".to_owned()])), ..of("b") };
    assert_eq!(of_two(of("a"), other), [(ValidityProblem::SameCalls, vec![0, 1])]);
    assert!(!ValidityProblem::SameCalls.voids() && ValidityProblem::SameProgram.voids());
}

#[test]
fn a_ring_that_was_refused_or_never_entered() {
    let refused: Calls<'_> = &[("io_uring_setup", Some("EPERM"), 1), ("read", None, 3)];
    let idle: Calls<'_> = &[("io_uring_setup", None, 1), ("read", None, 3)];
    let used: Calls<'_> = &[("io_uring_setup", None, 1), ("io_uring_enter", None, 3)];
    let found = |calls| of_two(side("plain", READ, 10), side("other", calls, 10));
    assert_eq!(found(refused), [(ValidityProblem::Refused, vec![1])]);
    assert_eq!(found(idle), [(ValidityProblem::NeverHappened, vec![1])]);
    assert_eq!(found(used), []);
    let named = of_two(side("plain", READ, 10), side("read_uring", READ_MORE, 10));
    assert_eq!(named, [(ValidityProblem::NeverHappened, vec![1])]);
}

#[test]
fn what_both_sides_are_called_sets_none_of_them_apart() {
    let both = of_two(side("read_uring", READ, 10), side("read_uring", READ_MORE, 10));
    assert_eq!(both, []);
}

#[test]
fn direct_io_that_was_refused_that_does_nothing_or_that_nobody_named() {
    let deeds = |deeds: FileDeeds| FileDeeds { read: BTreeMap::from([("f".to_owned(), 10)]), ..deeds };
    let of = |word: &str, with: FileDeeds| SideSeen { deeds: Some(deeds(with)), ..side(word, READ_MORE, 10) };
    let refused = FileDeeds { direct_refused: Some(("EINVAL".to_owned(), None)), ..FileDeeds::default() };
    let done = FileDeeds { direct_opens: 1, ..FileDeeds::default() };
    let plain = side("plain", READ, 10);
    assert_eq!(of_two(plain.clone(), of("x", refused)), [(ValidityProblem::Refused, vec![1])]);
    assert_eq!(of_two(plain.clone(), of("read_direct", done.clone())), []);
    assert_eq!(
        of_two(plain.clone(), of("read_fast", done.clone())),
        [(ValidityProblem::OtherCacheState, vec![1])]
    );
    let in_memory = SharedConditions { in_memory: true, ..SharedConditions::default() };
    let found = problems(&[plain.clone(), of("read_direct", done)], in_memory);
    assert_eq!(found, [(ValidityProblem::WithoutEffect, vec![1])]);
    let named = of_two(plain, of("read_direct", FileDeeds::default()));
    assert_eq!(named, [(ValidityProblem::NeverHappened, vec![1])]);
}

#[test]
fn advice_that_was_never_given_or_does_nothing() {
    let advised = |word: &str, advice: &str| {
        let mut of = side(word, &[("fadvise64", None, 1), ("read", None, 4)], 10);
        if let Some(deeds) = &mut of.deeds {
            deeds.advice.insert(advice.to_owned(), 1);
        }
        of
    };
    let plain = || side("plain", READ, 10);
    let warm = SharedConditions { warm: true, ..SharedConditions::default() };
    let willneed = [plain(), advised("willneed", "WILLNEED")];
    assert_eq!(problems(&willneed, warm), [(ValidityProblem::WithoutEffect, vec![1])]);
    assert_eq!(problems(&willneed, SharedConditions::default()), []);
    assert_eq!(of_two(plain(), advised("x", "NORMAL")), [(ValidityProblem::WithoutEffect, vec![1])]);
    assert_eq!(of_two(plain(), advised("x", "DONTNEED")), [(ValidityProblem::OtherCacheState, vec![1])]);
    assert_eq!(of_two(plain(), advised("fadvise_dontneed", "DONTNEED")), []);
    let never = of_two(plain(), side("posix_madvise", READ_MORE, 10));
    assert_eq!(never, [(ValidityProblem::NeverHappened, vec![1])]);
}

#[test]
fn a_side_that_read_nothing_or_other_data() {
    let found = of_two(side("a", READ, 10), side("b", READ_MORE, 0));
    assert_eq!(found, [(ValidityProblem::ReadNothing, vec![1])]);
    let flags = judge_validity(&[side("a", READ, 10), side("b", READ_MORE, 4)], SharedConditions::default());
    assert_eq!((flags[0].problem, flags[0].bytes.as_slice()), (ValidityProblem::OtherData, &[10, 4][..]));
    assert_eq!(flags[0].path.as_deref(), Some("f"));
    assert_eq!(of_two(side("a", READ, 0), side("b", READ_MORE, 0)), [], "nobody read");
    let mut mapped = side("b", READ_MORE, 0);
    if let Some(deeds) = &mut mapped.deeds {
        deeds.reads_unseen = true;
    }
    assert_eq!(of_two(side("a", READ, 10), mapped), [], "what a mapping reads is not seen");
    let answers = SideSeen { answers_otherwise: true, ..side("b", READ_MORE, 10) };
    assert_eq!(of_two(side("a", READ, 10), answers), [(ValidityProblem::OtherData, vec![1])]);
}

#[test]
fn what_was_not_seen_is_no_reason() {
    assert_eq!(of_two(SideSeen::default(), SideSeen::default()), []);
    let unseen = SideSeen { words: vec!["read_uring".to_owned()], ..SideSeen::default() };
    assert_eq!(of_two(side("plain", READ, 10), unseen), []);
}

/// Two functions of this file that read the data, the second with eight bytes more.
fn with_eight_bytes_more(file: &str) -> Vec<ValidityProblem> {
    let mut comparison = duel_of(&[1.0; 9], "native:read", "go:os.ReadFile");
    let reads =
        [vec![step("read", "4096", "4096")], vec![step("read", "4096", "4096"), step("read", "8", "8")]];
    for ((variant, counts), recipe) in comparison.variants.iter_mut().zip(&mut comparison.counts).zip(reads) {
        variant.operation = Operation::ReadWhole;
        file.clone_into(&mut variant.method.driver);
        *counts = Reading::Value(count_pass(vec![call("read", 1)], recipe, vec![]));
    }
    comparison.answers.clear();
    validity_of_comparison(&comparison, &[], &[]).into_iter().map(|flag| flag.problem).collect()
}

#[test]
fn what_wakes_a_runtimes_threads_is_no_data() {
    assert!(with_eight_bytes_more("ways.go").contains(&ValidityProblem::OtherData));
    for file in ["ways.mjs", "Ways.java", "ways.zig"] {
        assert_eq!(with_eight_bytes_more(file), [ValidityProblem::SameCalls], "{file}");
    }
}
