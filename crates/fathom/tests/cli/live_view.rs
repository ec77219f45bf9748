//! What a person sees while a run goes on, and that nothing of it stays.

use crate::sandbox::{Sandbox, says};
use crate::terminal::{Left, OnTerminal};
use predicates::Predicate;
use std::fs;

/// Long enough for intervals, which need some forks.
const BENCH: &str = "bench open-close --methods native:open,native:openat,native:fopen --time 2 \
                     --precision 0.0001 -o r.json";
const RECORD: &str = "record: r.json";
const NOTES: &str =
    "whole table: fathom show r.json; page: fathom report r.json -o page.html\nrecord: r.json";

/// The native driver is built before, so that no note speaks of it.
fn with_driver() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.fathom("driver path native").assert().code(0);
    sandbox
}

/// The short answer of the record at this width.
fn shown(sandbox: &Sandbox, columns: u16) -> String {
    let mut show = sandbox.fathom("show r.json --brief");
    let shown = show.env("COLUMNS", columns.to_string()).assert().code(0);
    String::from_utf8(shown.get_output().stdout.clone()).unwrap()
}

fn assert_clean(left: &Left, expected: &str) {
    let lines = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    assert_eq!(lines(&left.screen), lines(expected.trim_end()), "the last screen");
    assert!(!left.hid_cursor);
}

#[test]
fn intervals_time_and_noise_are_seen_and_only_the_answer_stays() {
    let sandbox = with_driver();
    let run = |seconds| {
        let words = BENCH.replace("--time 2", &format!("--time {seconds}"));
        let left = OnTerminal::start(&sandbox, &words, (100, 90), true).end();
        assert_eq!(left.code, Some(0), "{}", left.screen);
        left
    };
    let has_seen = |left: &Left, words: &[&str]| {
        left.screens.iter().any(|screen| words.iter().all(|word| screen.contains(word)))
    };
    let whole = [
        "ad-hoc",
        "timing,",
        "forks; ends early at ±0.01 %, is at ±",
        "at most",
        "of timing left",
        "█",
        "ns/op",
    ];
    // Beside load it takes longer until there are forks enough for an interval.
    let mut left = run(2);
    for seconds in [8, 32, 64] {
        if !has_seen(&left, &whole) {
            left = run(seconds);
        }
    }
    let seen = |words: &[&str]| has_seen(&left, words);
    assert!(seen(&whole), "{:#?}", left.screens.last());
    assert!(seen(&["* native:open", "native:openat", "native:fopen", "–", "noise", "A/A control", "load"]));
    assert!(seen(&["trying native:open"]) && seen(&["timing, first fork"]));
    assert_clean(&left, &format!("{}{NOTES}", shown(&sandbox, 100)));
}

#[test]
fn an_interrupt_leaves_the_terminal_as_it_was() {
    let sandbox = with_driver();
    let words = BENCH.replace("--time 2", "--time 300");
    let mut run = OnTerminal::start(&sandbox, &words, (80, 90), true);
    run.wait_for("forks; ends early");
    run.press_control_c();
    let left = run.end();
    assert_eq!(left.code, Some(130), "{}", left.screen);
    assert!(left.screens.iter().any(|screen| screen.contains("^C")), "the terminal echoes");
    assert_clean(&left, &format!("{}{NOTES}", shown(&sandbox, 80)));
}

#[test]
fn a_small_terminal_and_one_that_becomes_smaller_are_left_clean() {
    let sandbox = with_driver();
    let words = BENCH.replace("--time 2", "--time 1");
    let mut run = OnTerminal::start(&sandbox, &words, (40, 8), false);
    run.wait_for("timing");
    run.resize((30, 5));
    let left = run.end();
    assert_eq!(left.code, Some(0), "{}", left.screen);
    assert!(left.screen.trim_end().ends_with(RECORD), "{}", left.screen);
    assert!(!left.hid_cursor);
    let out = fs::read_to_string(sandbox.file("stdout")).unwrap();
    assert_eq!(out, shown(&sandbox, 80), "what is printed is whole");
}

#[test]
#[ignore = "long"]
fn elsewhere_only_notes_are_written_unless_lines_are_asked_for() {
    let sandbox = with_driver();
    let quick = "bench open-close open-read-close --methods native:* --time 0.05 -o r.json";
    let silent = sandbox.fathom(quick).assert().code(0);
    assert_eq!(String::from_utf8_lossy(&silent.get_output().stderr).trim_end(), NOTES);

    let plain = sandbox.fathom(&format!("{quick} --progress plain")).assert().code(0);
    let lines = String::from_utf8(plain.get_output().stderr.clone()).unwrap();
    assert!(!lines.contains('\u{1b}'), "{lines:?}");
    let of = |entry: &str| lines.lines().filter(|line| line.contains(entry)).count();
    assert!(of("entry 1 of 2: warm;") >= 1 && of("entry 2 of 2: 4 KiB") >= 1, "{lines}");
    assert!(says("noise:").eval(lines.as_bytes()), "{lines}");
    assert_eq!(lines.lines().last(), Some(RECORD));

    let never = OnTerminal::start(&sandbox, &format!("{quick} --progress never"), (100, 30), false).end();
    assert_eq!(never.code, Some(0), "{}", never.screen);
    assert!(never.screens.iter().all(|screen| NOTES.starts_with(screen.trim_end())), "{:?}", never.screens);
    assert_clean(&never, NOTES);
}
