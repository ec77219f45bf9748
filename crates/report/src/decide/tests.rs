//! Golden text and Markdown over the kept record of the entry `decide`, and of
//! scripted ones.

use super::*;
use crate::options::Details;
use crate::wrap::width;
use fathom_model::{CacheState, Record};
use fathom_stats::{DecisionQuestion, DecisionSource, answer_question, decision_matrix};
use fathom_testkit::{choice, choices, fault_controls, keep_forks};

/// The record that docs/experiments/decide.md speaks of.
fn kept() -> Record {
    serde_json::from_str(include_str!("../../../../docs/experiments/records/decide.json")).unwrap()
}

fn matrix(record: &Record) -> DecisionMatrix {
    decision_matrix(&[DecisionSource { name: "decide.json", record }], None)
}

fn asked(record: &Record, language: &str, size_bytes: Option<u64>, count: Option<u64>) -> Decision {
    let question =
        DecisionQuestion { language: Some(language.into()), size_bytes, count, ..Default::default() };
    answer_question(&matrix(record), &question).unwrap()
}

fn full() -> TextOptions {
    TextOptions { details: Details::Full, ..TextOptions::default() }
}

fn text(decision: &Decision) -> String {
    render_decision(decision, &full())
}

fn times() -> [(&'static str, f64); 3] {
    [("go:os.ReadFile", 3500.0), ("go:syscall.Open+Pread", 1400.0), ("go:mmap+copy", 6800.0)]
}

#[test]
fn the_kept_record_reads_as_recorded() {
    let record = kept();
    insta::assert_snapshot!("matrix", render_decision_matrix(&matrix(&record), &full()));
    insta::assert_snapshot!("one-question", text(&asked(&record, "go", Some(2048), Some(10_000))));
    insta::assert_snapshot!("open-question", text(&asked(&record, "java", None, None)));
    insta::assert_snapshot!("matrix-markdown", decision_matrix_markdown(&matrix(&record)));
    insta::assert_snapshot!("markdown", decision_markdown(&asked(&record, "python", Some(4096), Some(100))));
}

#[test]
fn the_answer_alone_is_25_lines_and_says_what_may_not_be_left_out() {
    let record = kept();
    let brief = TextOptions::default();
    let whole = render_decision_matrix(&matrix(&record), &brief);
    insta::assert_snapshot!("brief-matrix", whole);
    let one = render_decision(&asked(&record, "go", Some(2048), Some(10_000)), &brief);
    insta::assert_snapshot!("brief-question", one);
    for text in [&whole, &one] {
        assert!(text.lines().count() <= 30 && text.contains("--full: the figures"), "{text}");
    }
    let one = one.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(one.contains("beyond what was measured") && one.contains("who keeps the data has to allocate"));
}

#[test]
fn matrix_names_the_cells_whose_control_is_at_fault() {
    let mut record = kept();
    let part = |label: &str| label.starts_with("C and Rust: 4 KiB");
    record.experiments[0].comparisons.retain(|comparison| part(&comparison.label));
    fault_controls(&mut record);
    let matrix = matrix(&record);
    let text = render_decision_matrix(&matrix, &full());
    assert!(text.starts_with("Which method to use, in 2 cells: 0 decided,"), "{text}");
    assert!(text.contains("  C         4 KiB  warm      -      -         -  A/A fault  (read)\n"), "{text}");
    assert!(text.contains("[instrument-fault]"), "{text}");
    let table = decision_matrix_markdown(&matrix);
    assert!(table.contains("| Rust | 4 KiB | warm | `(read)` | - | - | - | A/A fault |"), "{table}");
}

#[test]
fn two_sizes_that_disagree_read_as_recorded() {
    let large = [("go:os.ReadFile", 30_000.0), ("go:syscall.Open+Pread", 12_000.0), ("go:mmap+copy", 6000.0)];
    let record = choices(vec![choice(1024, &times()), choice(16_384, &large)]);
    insta::assert_snapshot!("crossing", text(&asked(&record, "go", Some(4096), Some(1_000_000))));
}

#[test]
fn what_is_tied_usual_or_undecided_is_said_in_the_first_sentence() {
    let near = [("go:os.ReadFile", 1401.0), ("go:syscall.Open+Pread", 1400.0), ("go:mmap+copy", 6800.0)];
    let tied = text(&asked(&choices(vec![choice(4096, &near)]), "go", None, None));
    assert!(
        tied.starts_with("Go, 4 KiB, warm: use os.ReadFile. It is the usual way: nothing that"),
        "{tied}"
    );
    assert!(tied.contains("Not to be told from it: syscall.Open+Pread."), "{tied}");
    let mut one = choices(vec![choice(4096, &times())]);
    keep_forks(&mut one, 1);
    let one = text(&asked(&one, "go", None, None));
    assert!(
        one.starts_with("Go, 4 KiB, warm: not decided: too few forks (syscall.Open+Pread led)."),
        "{one}"
    );
    let mut fault = choices(vec![choice(4096, &times())]);
    fault_controls(&mut fault);
    let fault = text(&asked(&fault, "go", None, None));
    assert!(fault.contains("A/A control is at fault") && fault.contains("not usable"), "{fault}");
    let without = [("go:os.Open+bufio", 3500.0), ("go:syscall.Open+Pread", 1400.0)];
    let without = text(&asked(&choices(vec![choice(4096, &without)]), "go", None, None));
    assert!(without.contains("The next, os.Open+bufio, takes 2.5"), "{without}");
}

#[test]
fn one_method_for_every_size_is_said_at_once() {
    let record = choices([1024, 4096, 65_536].map(|size| choice(size, &times())).to_vec());
    let text = text(&asked(&record, "go", None, None));
    assert!(text.starts_with("Use syscall.Open+Pread: it is the one to use in all 3 cases."), "{text}");
    let mut two = choice(4096, &times());
    two.variants.iter_mut().for_each(|variant| variant.place = 1);
    let places = self::text(&asked(&choices(vec![choice(4096, &times()), two]), "go", None, None));
    assert!(places.contains("- Go, 4 KiB, warm, memfd: use syscall.Open+Pread."), "{places}");
    let empty = render_decision_matrix(&decision_matrix(&[], None), &TextOptions::default());
    assert!(empty.starts_with("Nothing to choose from"), "{empty}");
}

#[test]
fn every_line_fits_and_no_number_is_not_one() {
    let records = fathom_testkit::all().into_iter().map(|(_, record)| record).chain([kept()]);
    for record in records {
        let matrix = matrix(&record);
        let mut texts = vec![render_decision_matrix(&matrix, &full())];
        for cache in [CacheState::Warm, CacheState::Cold] {
            let question = DecisionQuestion { cache: Some(cache), ..Default::default() };
            texts.extend(answer_question(&matrix, &question).map(|decision| text(&decision)));
        }
        for text in texts {
            assert!(text.lines().all(|line| width(line) <= 80), "{text}");
            assert!(!text.contains("NaN") && !text.contains("inf "), "{text}");
        }
    }
}

#[test]
fn a_markdown_table_has_as_many_cells_in_every_row() {
    let text = decision_matrix_markdown(&matrix(&kept()));
    let rows: Vec<_> = text.lines().filter(|line| line.starts_with('|')).collect();
    assert!(rows.len() > 15 && rows.iter().all(|row| row.matches('|').count() == 9), "{text}");
}
