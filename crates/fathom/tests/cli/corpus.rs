//! The corpus of small programs in `tests/corpus`: what wastes is found with its exact
//! count, the same program without it and what only looks like it are left alone.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, program, workspace};
use fathom_audit::rule_facts;
use fathom_corpus::{Bench, Case, Language, Part, examine, load};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

fn cases() -> Vec<Case> {
    load(&workspace().join("tests/corpus")).unwrap_or_else(|error| panic!("{error}"))
}

/// Every case of a language.
fn check(language: Language, needs: Option<Capability>) {
    if needs.is_some_and(|needs| !has(needs)) {
        return;
    }
    let sandbox = Sandbox::new();
    let bench =
        Bench { fathom: program().into(), capture: "ptrace".to_owned(), scratch: sandbox.path().to_owned() };
    let mut problems = Vec::new();
    for case in cases().iter().filter(|case| case.words.language == language) {
        match language.satisfies(case.words.needs.as_deref()) {
            Ok(()) => problems.extend(problems_of(&bench, case)),
            Err(reason) => eprintln!("skipped: {}: {reason}", case.name),
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    sandbox.assert_nothing_left();
}

fn problems_of(bench: &Bench, case: &Case) -> Vec<String> {
    let (verdict, seen) = match examine(bench, case) {
        Ok(examined) => examined,
        Err(error) => return vec![error.to_string()],
    };
    let problems = verdict.problems;
    if problems.is_empty() {
        return problems;
    }
    let told = Part::ALL
        .iter()
        .zip(&seen)
        .flat_map(|(part, seen)| seen.told.iter().map(|told| format!("    {}: {told}", part.stem())));
    let named = problems.iter().map(|problem| format!("{}: {problem}", case.name));
    named.chain(told).collect()
}

#[test]
#[ignore = "long"]
fn programs_in_c() {
    check(Language::C, Some(Capability::C));
}

#[test]
#[ignore = "long"]
fn programs_in_rust() {
    check(Language::Rust, Some(Capability::Rust));
}

#[test]
#[ignore = "long"]
fn programs_in_go() {
    check(Language::Go, Some(Capability::Go));
}

#[test]
#[ignore = "long"]
fn programs_in_java() {
    check(Language::Java, Some(Capability::Java));
}

#[test]
#[ignore = "long"]
fn programs_in_python() {
    check(Language::Python, Some(Capability::SystemPython));
}

#[test]
#[ignore = "long"]
fn programs_in_node() {
    check(Language::Node, Some(Capability::Node));
}

#[test]
fn programs_of_the_shell() {
    check(Language::Shell, None);
}

/// Cases of which an audit does not end alike in every run by every capture.
fn unsteady(is_asked: impl Fn(&Case) -> bool, runs: u32) -> Vec<String> {
    let captures = [("ptrace", true), ("ring", has(Capability::Ring))];
    let captures: Vec<_> = captures.iter().filter(|(_, is_there)| *is_there).map(|(name, _)| name).collect();
    let mut unsteady = Vec::new();
    for case in cases().iter().filter(|case| is_asked(case)) {
        if case.words.language.satisfies(case.words.needs.as_deref()).is_err() {
            continue;
        }
        let mut ends = BTreeMap::new();
        for capture in &captures {
            let sandbox = Sandbox::new();
            let bench = Bench {
                fathom: program().into(),
                capture: (**capture).to_owned(),
                scratch: sandbox.path().to_owned(),
            };
            let codes = bench.exit_codes(case, Part::Before, runs).unwrap_or_else(|error| panic!("{error}"));
            ends.insert(capture, codes);
        }
        let all: BTreeSet<_> = ends.values().flatten().collect();
        if all.len() != 1 {
            unsteady.push(format!("{}: {ends:?}", case.name));
        }
    }
    unsteady
}

#[test]
fn an_audit_ends_alike_in_every_run_by_every_capture() {
    let some = ["R03-zstd-7238cca1a", "R13-util-linux-1353", "R29-git-70afef5cdf", "R36-glibc-tzfile"];
    let found = unsteady(|case| some.contains(&case.name.as_str()), 3);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
#[ignore = "an hour: ten runs of every case by each capture"]
fn by_hand_every_case_ends_alike_in_twenty_runs() {
    let found = unsteady(|_| true, 10);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn guards_that_cases_name_are_those_of_their_rule() {
    for case in cases() {
        case.guard().unwrap_or_else(|error| panic!("{error}"));
        let is_known = rule_facts().iter().any(|facts| facts.id == case.words.rule);
        assert!(is_known, "{}: there is no such rule", case.name);
    }
}

/// Rules without a case, and why.
const WITHOUT: [(u16, &str); 2] =
    [(12, "asks for a network file system"), (44, "asks for a file system that writes down every access")];

#[test]
fn every_rule_has_a_case_or_a_reason() {
    let cases = cases();
    for facts in rule_facts() {
        let has_case = cases.iter().any(|case| case.words.rule == facts.id);
        let has_reason = WITHOUT.iter().any(|(rule, _)| *rule == facts.id.0);
        assert_ne!(has_case, has_reason, "{}: a case or a reason, and not both", facts.id);
    }
}

#[test]
fn the_page_lists_every_case() {
    let page = fs::read_to_string(workspace().join("docs/audit-corpus.md")).unwrap();
    let listed: BTreeSet<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `R")?.split_once('`'))
        .map(|(name, _)| name)
        .collect();
    let cases = cases();
    let there: BTreeSet<&str> = cases.iter().map(|case| &case.name[1..]).collect();
    assert_eq!(listed, there, "`cargo run -p xtask -- corpus` writes the page");
}
