//! What is done to calls changes inside a run: where that is taken, where it is not and why, and what is refused.

use crate::cost_of_calls::{answer, can_hook, refusal};
use crate::what_if_traps::planted;

/// Enough for 40 pairs of windows, of as many calls as have room.
const ASKS: &str = "asks(150000);";
const WINDOWS: [&str; 4] = ["--without", "access", "--toggle", "windows"];

#[test]
fn a_long_run_is_toggled_in_pairs_of_windows() {
    if !can_hook() {
        return;
    }
    let sandbox = planted(ASKS);
    for words in [&WINDOWS[..], &[&WINDOWS[..], &["--elide"]].concat()] {
        let answer = answer(&sandbox, words, &[0, 3]);
        let windows = &answer["toggling"]["windows"];
        let [calls, pairs] = ["calls", "pairs"].map(|name| windows[name].as_u64().unwrap());
        assert!(pairs >= 40, "{windows}");
        let toggled = answer["runs"].as_array().unwrap().iter().filter(|run| run["windows"].is_u64());
        for run in toggled {
            let count = run["windows"].as_u64().unwrap();
            assert!(count * calls <= run["treated"].as_u64().unwrap(), "{run}");
        }
        // Each of its groups says something of each amount.
        let groups = windows["groups"].as_array().unwrap();
        assert!(!groups.is_empty() && groups.len().is_multiple_of(3), "{windows}");
        assert_eq!(answer["toggling"]["why"], "it was asked for");
    }
}

#[test]
fn a_short_run_is_not() {
    if !can_hook() {
        return;
    }
    let sandbox = planted("asks(100);");
    let answer = answer(&sandbox, &["--without", "access", "--toggle", "windows"], &[0, 3]);
    let why = answer["toggling"]["why"].as_str().unwrap();
    assert!(why.contains("pairs of windows"), "{why}");
    assert!(answer["toggling"]["windows"].is_null());
    assert!(answer["runs"].as_array().unwrap().len() >= 40, "whole runs are taken");
}

#[test]
fn calls_of_two_at_once_are_in_no_windows() {
    if !can_hook() {
        return;
    }
    let sandbox = planted(
        "volatile int *turn = mmap(0, 4096, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0); int me = !fork(); \
         for (int at = 0; at < 300; at++) { while (*turn != me) usleep(1); ask(); *turn = !me; } if (!me) wait(0);",
    );
    let answer = answer(&sandbox, &WINDOWS, &[0, 3]);
    let why = answer["toggling"]["why"].as_str().unwrap();
    assert!(why.contains("another thread"), "{why}");
}

#[test]
fn what_prints_its_own_time_is_refused_in_windows() {
    if !can_hook() {
        return;
    }
    let body = format!("long begun = now(); {ASKS} printf(\"%ld ns\\n\", now() - begun);");
    let refused = refusal(&answer(&planted(&body), &WINDOWS, &[3]));
    assert!(refused.contains("standard output was not the same"), "{refused}");
}

#[test]
fn what_sleeps_between_its_calls_has_no_wall_time_by_windows() {
    if !can_hook() {
        return;
    }
    let sandbox = planted("for (int at = 0; at < 100; at++) { asks(1500); usleep(2000); }");
    let answer = answer(&sandbox, &WINDOWS, &[0, 3]);
    let reason = answer["answer"]["value"]["wall"]["unavailable"].as_str();
    assert!(reason.is_some_and(|reason| reason.contains("waits for")), "{answer}");
}
