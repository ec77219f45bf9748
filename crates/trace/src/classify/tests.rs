//! Differences and the class they must fall into, rule by rule.

use super::*;
use crate::call::Call;

fn check(name: &str, own: [i64; 3], others: [i64; 3], expected: Class) {
    check_with(name, own, others, [0; 3], expected);
}

fn check_with(name: &str, own: [i64; 3], others: [i64; 3], shorter: [i64; 3], expected: Class) {
    let key = CallKey { call: Call::named(name).unwrap(), errno: None };
    let differences = Differences { own: own.to_vec(), others: others.to_vec(), shorter: shorter.to_vec() };
    assert_eq!(classify(key, &differences, 96), expected, "{name} {own:?} {others:?}");
}

#[test]
fn exact_calls_are_inside_whoever_makes_them() {
    check("openat", [96; 3], [0; 3], Class::Inside);
    check("futex", [12; 3], [0; 3], Class::Inside);
    check("pread64", [0; 3], [96; 3], Class::Inside);
    check("openat", [90, 40, 0], [6, 56, 96], Class::Inside);
}

#[test]
fn what_cancels_is_nowhere() {
    check("read", [0; 3], [0; 3], Class::Absent);
}

#[test]
fn varying_rare_calls_of_the_runtime_are_background() {
    check("futex", [3, 0, -2], [5, 1, 0], Class::Background);
    check("madvise", [0; 3], [0, 0, 700], Class::Background);
    check("openat", [0; 3], [1, 0, 0], Class::Background);
    check("rt_sigreturn", [1, 0, 0], [0; 3], Class::Background);
}

#[test]
fn small_differences_that_are_equal_by_chance_are_background() {
    check_with("getpid", [1; 3], [0; 3], [2, 0, 1], Class::Background);
    check_with("mmap", [12; 3], [0; 3], [12; 3], Class::Inside);
    check_with("openat", [12; 3], [0; 3], [12, 13, 12], Class::Inside);
    check("epoll_pwait", [2; 3], [16, 16, 12], Class::Background);
    check("epoll_pwait", [1; 3], [0; 3], Class::Background);
    check("futex", [11; 3], [0; 3], Class::Background);
    check("lseek", [1; 3], [0; 3], Class::Inside);
    check("close", [0; 3], [2; 3], Class::Background);
    check("close", [0; 3], [12; 3], Class::Inside);
    check_with("close", [0; 3], [12; 3], [12, 10, 12], Class::Background);
}

#[test]
fn sleeps_and_identities_of_another_thread_are_its_own() {
    check("gettid", [0; 3], [141, 112, 101], Class::Background);
    check("gettid", [141, 112, 101], [0; 3], Class::Inside);
    check("gettid", [0; 3], [96; 3], Class::Inside);
    check("nanosleep", [0; 3], [137, 125, 92], Class::Background);
    check("nanosleep", [137, 125, 92], [0; 3], Class::Inside);
}

#[test]
fn a_varying_call_of_the_operation_itself_stays_inside() {
    check("lseek", [11, 12, 13], [0; 3], Class::Inside);
    check("futex", [220, 240, 235], [0; 3], Class::Inside);
    check("read", [96, 97, 96], [0; 3], Class::Inside);
}

#[test]
fn what_some_repetition_does_not_show_is_background() {
    check("write", [1, 0, 0], [0; 3], Class::Background);
    check("write", [1, 0, 1], [0; 3], Class::Background);
    check("write", [3, -8, 1], [0; 3], Class::Background);
    check("lseek", [1, 2, 1], [0; 3], Class::Inside);
    check("read", [96, 0, 96], [0; 3], Class::Inside);
}

#[test]
fn runtime_calls_out_of_proportion_are_background_however_many() {
    check("futex", [-203, 244, 243], [0; 3], Class::Background);
    check("futex", [60, 50, 160], [57, 43, 51], Class::Background);
    check("futex", [731, 700, 749], [0; 3], Class::Inside);
    check("futex", [320, 367, 400], [20, 0, 2], Class::Inside);
    check("read", [100, 200, 300], [0; 3], Class::Inside);
}

#[test]
fn a_whole_number_is_freed_of_the_runtimes_strays() {
    check("mmap", [96, 97, 97], [0; 3], Class::InsideWhole(96));
    check("mmap", [188, 192, 193], [0; 3], Class::InsideWhole(192));
    check("futex", [200, 185, 190], [193, 200, 198], Class::InsideWhole(384));
    check("mmap", [96, 109, 96], [0; 3], Class::Inside);
    check("mmap", [3, 0, 0], [0; 3], Class::Background);
}

#[test]
fn an_exact_part_is_freed_of_the_other_threads_noise() {
    check("mmap", [96; 3], [0, 2, 1], Class::InsideOwn);
    check("futex", [4, 0, 1], [96; 3], Class::InsideOthers);
    check("openat", [96; 3], [2; 3], Class::InsideOwn);
    check("openat", [96; 3], [12; 3], Class::Inside);
    check("pread64", [1; 3], [96; 3], Class::InsideOthers);
}

#[test]
fn the_list_is_sorted_and_names_calls() {
    assert!(RUNTIME_CALLS.is_sorted());
    let unknown: Vec<_> = RUNTIME_CALLS.iter().filter(|name| Call::named(name).is_none()).collect();
    assert!(unknown.is_empty() || !cfg!(target_arch = "x86_64"), "{unknown:?}");
}
