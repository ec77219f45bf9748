//! docs/experiments: a page per entry of the catalog, and every figure it quotes
//! stands in the record that is kept beside it.

use crate::sandbox::workspace;
use fathom_catalog::{Entry, SHIPPED};
use fathom_model::Record;
use fathom_report::{TextOptions, render_text};
use std::fs;

const HEADINGS: [&str; 6] = [
    "## Question",
    "## Method",
    "## How to run",
    "## What it shows here",
    "## What the author reported",
    "## Why they differ",
];

fn page(name: &str) -> String {
    let path = workspace().join("docs/experiments").join(format!("{name}.md"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The blocks of a page that quote a record.
fn quotations(page: &str) -> Vec<&str> {
    page.split("```text\n").skip(1).filter_map(|rest| rest.split("\n```").next()).collect()
}

#[test]
fn every_entry_has_a_page_with_all_its_headings() {
    for shipped in SHIPPED {
        let text = page(shipped.name);
        let entry = Entry::parse(shipped.file, shipped.text).unwrap();
        let title = format!("# {}: {}", entry.name, entry.title);
        assert_eq!(text.lines().next(), Some(title.as_str()));
        for heading in HEADINGS {
            assert!(text.lines().any(|line| line == heading), "{}: no `{heading}`", shipped.name);
        }
        assert!(text.contains(&format!("fathom bench {}", shipped.name)), "{}: how to run", shipped.name);
    }
}

#[test]
fn what_a_page_quotes_stands_in_its_record() {
    for shipped in SHIPPED {
        let text = page(shipped.name);
        let path = workspace().join(format!("docs/experiments/records/{}.json", shipped.name));
        let json = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let record: Record = serde_json::from_str(&json).unwrap();
        assert_eq!(record.experiments[0].name, shipped.name);
        assert!(record.complete, "{}: the record is of a run that ended early", shipped.name);
        let rendered = render_text(&record, &TextOptions::default());
        let quotations = quotations(&text);
        assert!(!quotations.is_empty(), "{}: the page quotes nothing", shipped.name);
        for line in quotations.iter().flat_map(|quotation| quotation.lines()) {
            let known = rendered.lines().any(|rendered| rendered.trim_end() == line.trim_end());
            assert!(known || line.trim() == "…", "{}: not in the record: {line}", shipped.name);
        }
    }
}
