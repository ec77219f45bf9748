//! The runner of the blind sets, `tests/corpus-blind` and `tests/corpus-third`, over a few of their
//! programs: how many of them are found is no test, and is written to docs/audit-corpus.md by a
//! command.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, program, workspace};
use fathom_corpus::{Agreement, Bench, BlindPart, blind_cases, blind_tools, wastes};
use std::fs;

fn bench(sandbox: &Sandbox) -> Bench {
    Bench { fathom: program().into(), capture: "ptrace".to_owned(), scratch: sandbox.path().to_owned() }
}

#[test]
fn a_program_and_its_partner_are_run_with_data_of_their_own() {
    if !has(Capability::C) {
        return;
    }
    check_pair("tests/corpus-blind", "03-progress-reader");
}

#[test]
fn a_ruby_program_and_its_partner_are_run() {
    if has(Capability::Ruby) {
        check_pair("tests/corpus-third", "50-attach-sizes");
    }
}

fn check_pair(corpus: &str, name: &str) {
    let sandbox = Sandbox::new();
    let corpus = workspace().join(corpus);
    let cases = blind_cases(&corpus).unwrap();
    let case = cases.iter().find(|case| case.name == name).unwrap();
    let [waste, clean] = [BlindPart::Waste, BlindPart::Clean]
        .map(|part| bench(&sandbox).run_blind(case, part).unwrap_or_else(|error| panic!("{error}")));
    assert!(!waste.own.printed.is_empty());
    assert_eq!(waste.own.printed, clean.own.printed);
    assert_eq!(waste.own.printed, waste.whole.printed);
    assert_eq!((waste.own.exit, waste.whole.exit), (Some(0), Some(0)));
    let listed = &wastes(&corpus).unwrap()[&case.number()];
    let (_, count) = listed.found(&waste.own.counts(), &clean.own.counts()).unwrap();
    assert_eq!(Agreement::of(count, &case.seen), Agreement::Same);
    sandbox.assert_nothing_left();
}

#[test]
fn an_installed_program_is_run_alone_and_watched() {
    let sandbox = Sandbox::new();
    let tools = blind_tools(&workspace().join("tests/corpus-blind")).unwrap();
    let tool = tools.iter().find(|tool| tool.name == "find-name-size").unwrap();
    let run = bench(&sandbox).run_tool(tool).unwrap_or_else(|error| panic!("{error}"));
    assert!(run.alone.contains("./a/1/x.c"));
    assert_eq!((run.watched.exit, run.watched.printed), (Some(0), run.alone));
    sandbox.assert_nothing_left();
}

#[test]
fn the_page_has_every_waste() {
    let page = fs::read_to_string(workspace().join("docs/audit-corpus.md")).unwrap();
    for (set, folder) in [("second", "tests/corpus-blind"), ("third", "tests/corpus-third")] {
        let (_, part) = page.split_once(&format!("<!-- {set} corpus: begin -->")).unwrap();
        let (part, _) = part.split_once(&format!("<!-- {set} corpus: end -->")).unwrap();
        for waste in wastes(&workspace().join(folder)).unwrap().values() {
            let begin = format!("| {} | {} |", waste.number, waste.words);
            assert!(part.contains(&begin), "{begin}: `cargo run -p xtask -- corpus --blind` writes the page");
        }
    }
}
