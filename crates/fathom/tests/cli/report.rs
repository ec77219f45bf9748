//! `fathom report`: pages and Markdown hold what the record holds, and the
//! record itself comes out of a page again.

use crate::sandbox::{Sandbox, says, workspace};
use fathom_model::Record;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::is_empty;
use std::fs;
use std::path::PathBuf;

/// A page that can be sent by mail and opens at once is no larger.
const PAGE_MAX_BYTES: u64 = 5_000_000;

fn sample() -> PathBuf {
    workspace().join("docs/samples/open-go.json")
}

fn with_sample() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::copy(sample(), sandbox.file("r.json")).unwrap();
    sandbox
}

/// The kept records of the catalog, one an entry.
pub(crate) fn kept_records() -> Vec<PathBuf> {
    let records = fs::read_dir(workspace().join("docs/experiments/records")).unwrap();
    let mut paths: Vec<_> = records.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with("verify")));
    paths.sort();
    assert!(paths.len() > 20);
    paths
}

/// A page with its records as they are: they hold the home directory of whoever made them.
fn page(sandbox: &Sandbox, words: &str) -> String {
    sandbox
        .fathom(&format!("report {words} --redact=never -o page.html"))
        .assert()
        .code(0)
        .stdout(is_empty());
    fs::read_to_string(sandbox.file("page.html")).unwrap()
}

#[test]
fn a_page_needs_nothing_else_and_gives_its_record_back() {
    let sandbox = with_sample();
    let html = page(&sandbox, "r.json");
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"), "whole");
    for outside in ["src=\"http", "href=\"http", "url(http", "@import", "<link", "<iframe", "<img"] {
        assert!(!html.contains(outside), "{outside}");
    }
    let record = sandbox.record("r.json");
    let shown = |name: &str| sandbox.fathom(&format!("show {name} --format json")).output().unwrap().stdout;
    let back: Record = serde_json::from_slice(&shown("page.html")).unwrap();
    assert_eq!(back, record, "every sample");
    // Whatever reads a record reads it from its page.
    let text = |name: &str| sandbox.fathom(&format!("show {name}")).output().unwrap().stdout;
    assert_eq!(text("page.html"), text("r.json"));
    sandbox.fathom("compare page.html r.json").assert().code(0);
}

#[test]
fn the_record_in_a_page_is_a_file_that_xz_reads() {
    let sandbox = with_sample();
    let script = r#"import base64, lzma, re, sys
page = open("page.html").read()
name, data = re.search(r'download="([^"]+)" href="data:application/x-xz;base64,([^"]+)"', page).groups()
open(name, "wb").write(base64.b64decode(data))
lzma.open(name).read()
print(name)"#;
    page(&sandbox, "r.json");
    let saved = sandbox.command("python3").args(["-c", script]).assert().code(0).get_output().stdout.clone();
    let saved = String::from_utf8(saved).unwrap();
    assert_eq!(saved.trim(), "r.json.xz");
    let shown = |name: &str| sandbox.fathom(&format!("show {name}")).output().unwrap().stdout;
    assert_eq!(shown("r.json.xz"), shown("r.json"));
}

#[test]
fn every_figure_of_the_record_stands_in_both_forms() {
    let sandbox = with_sample();
    let html = page(&sandbox, "r.json");
    let md = sandbox.fathom("report r.json --format md").assert().code(0).get_output().stdout.clone();
    let md = String::from_utf8(md).unwrap();
    assert_eq!(sandbox.fathom("report r.json --format markdown").output().unwrap().stdout, md.as_bytes());
    // The terminal's table is the measure: the row of each method, word by word.
    let text = String::from_utf8(sandbox.fathom("show r.json").output().unwrap().stdout).unwrap();
    let record = sandbox.record("r.json");
    for variant in &record.experiments[0].comparisons[0].variants {
        let method = variant.method.to_string();
        let row = text.lines().find(|line| line.split_whitespace().nth(1) == Some(&method)).unwrap();
        let in_md = md.lines().find(|line| line.starts_with(&format!("| `{method}`"))).unwrap();
        for figure in row.split_whitespace().skip(2) {
            assert!(in_md.split_whitespace().any(|word| word == figure), "{figure} of {method}: {in_md}");
            assert!(html.contains(figure), "{figure} of {method}");
        }
    }
    for words in ["2520 ns", "EPERM", "(extra)", "(fails)", "How it was measured", "A/A control"] {
        assert!(md.contains(words), "{words}");
    }
    for words in ["2520 ns", "EPERM", "<svg", "aria-label", "null call", "color-scheme: light dark"] {
        assert!(html.contains(words), "{words}");
    }
    assert!(!md.contains("NaN"));
}

#[test]
#[ignore = "long"]
fn verdicts_stand_in_the_report_as_verify_gives_them() {
    let sandbox = Sandbox::new();
    let record = workspace().join("docs/experiments/records/verify.json").display().to_string();
    let judged = sandbox.fathom(&format!("verify --from {record} --format json")).output().unwrap().stdout;
    let judged: serde_json::Value = serde_json::from_slice(&judged).unwrap();
    let md = sandbox.fathom(&format!("report {record} --format md")).output().unwrap().stdout;
    let md = String::from_utf8(md).unwrap();
    let claims = judged["claims"].as_array().unwrap();
    assert!(claims.len() > 60);
    // Of entries that the record does not hold, a report says nothing.
    let held = fs::read_to_string(&record).unwrap();
    let held: serde_json::Value = serde_json::from_str(&held).unwrap();
    // Nor of claims that were made or mended since, but for the operation and the cache state that older
    // ones leave open: a report judges those that the record holds.
    let is_held = |claim: &&serde_json::Value| {
        let experiments = held["experiments"].as_array().unwrap();
        let experiment = experiments.iter().find(|held| held["name"] == claim["experiment"]);
        let asks = |check: &serde_json::Value| {
            let of = |below| check.pointer(below).cloned();
            (of("/region"), of("/subject/variants/metric"))
        };
        let today: Vec<_> =
            claim["checks"].as_array().unwrap().iter().map(|made| asks(&made["check"])).collect();
        let is_same = |held: &serde_json::Value| {
            let kept = held["checks"].as_array().unwrap();
            held["name"] == claim["name"] && kept.iter().map(asks).eq(today.iter().cloned())
        };
        experiment.is_some_and(|held| held["claims"].as_array().unwrap().iter().any(is_same))
    };
    let claims: Vec<_> = claims.iter().filter(is_held).collect();
    assert!(claims.len() > 60);
    for claim in claims {
        let verdict = claim["verdict"].as_str().unwrap().replace('-', " ").to_uppercase();
        let sentence: String =
            claim["sentence"].as_str().unwrap().chars().take_while(|c| *c != '*').collect();
        let found = md.lines().any(|line| {
            line.starts_with("**")
                && line.replace('\\', "").contains(&format!("“{sentence}"))
                && line.trim_start_matches('*').starts_with(&verdict)
        });
        assert!(found, "{verdict}: {sentence}");
    }
}

#[test]
fn two_records_stand_beside_each_other() {
    let sandbox = Sandbox::new();
    for (name, method) in [("before", "go:os.Open"), ("after", "go:os.Open")] {
        let words = format!("bench open-close --methods native:open,{method} --time 0.5 -o {name}.json");
        sandbox.fathom(&words).assert().code(0);
    }
    let html = page(&sandbox, "after.json --before before.json");
    assert!(html.contains("Before and after") && html.contains("before.json"));
    let md = sandbox.fathom("report after.json --before before.json --format md").output().unwrap().stdout;
    let md = String::from_utf8(md).unwrap();
    let row = md.lines().find(|line| line.starts_with("| `go:os.Open`")).unwrap();
    let cells: Vec<_> = row.split('|').map(str::trim).collect();
    let exact = md.lines().find(|line| line.starts_with("| `native:open`")).unwrap();
    let exact: Vec<_> = exact.split('|').map(str::trim).collect();
    assert_eq!((exact[2], exact[3]), ("2", "2"), "no scheduler mixes calls into these");
    let counted = |name: &str| {
        let comparison = sandbox.record(name).experiments.remove(0).comparisons.remove(0);
        let index = comparison.variants.iter().position(|v| v.method.to_string() == "go:os.Open").unwrap();
        comparison.counts[index].value().unwrap().clone()
    };
    for (name, cell) in [("before.json", cells[2]), ("after.json", cells[3])] {
        let counted = counted(name);
        let whole = format!("{}", counted.calls_per_operation());
        assert!(!counted.is_exact() || cell == whole, "{name}: {row}: {counted:?}");
    }
    sandbox.assert_nothing_left();
}

#[test]
#[ignore = "long"]
fn mistakes_are_named_and_no_record_is_replaced() {
    let sandbox = with_sample();
    let record = fs::read(sample()).unwrap();
    sandbox.fathom("report r.json -o ./r.json").assert().code(2).stderr(says("r.json is the record itself"));
    sandbox.fathom("report r.json --before r.json -o r.json").assert().code(2).stderr(says("itself"));
    assert_eq!(fs::read(sandbox.file("r.json")).unwrap(), record);
    sandbox.fathom("report").assert().code(2).stderr(says("RECORD"));
    sandbox.write("foreign.json", "{\"a\": 1}");
    sandbox
        .fathom("report r.json foreign.json")
        .assert()
        .code(2)
        .stdout(is_empty())
        .stderr(says("foreign.json"));
    sandbox.write("page.html", "<!DOCTYPE html><p>hello</p>");
    sandbox.fathom("show page.html").assert().code(2).stderr(says("a page without a record inside"));
    page(&sandbox, "r.json r.json");
    let two = sandbox.fathom("show page.html").assert().code(2);
    two.stderr(says("page.html holds 2 records").and(says("Raw data")));
    sandbox.fathom("report r.json -o missing/page.html").assert().code(0);
    sandbox.write("cut.json.xz", "\u{fffd}");
    fs::write(sandbox.file("cut.json.xz"), b"\xfd7zXZ\0\0\x04").unwrap();
    sandbox.fathom("show cut.json.xz").assert().code(2).stderr(says("failed to unpack cut.json.xz"));
    let full = sandbox.fathom("report r.json -o /dev/full").assert().code(2);
    full.stderr(says("failed to write /dev/full"));
}

#[test]
#[ignore = "long"]
fn the_full_catalog_makes_a_page_of_less_than_5_mb() {
    let sandbox = Sandbox::new();
    let paths = kept_records();
    let words: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
    let html = page(&sandbox, &words.join(" "));
    assert!(html.len() as u64 <= PAGE_MAX_BYTES, "{} bytes", html.len());
    assert!(html.contains("without its samples"), "says what was left out");
    for path in &paths {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(html.contains(&format!("{name}:")), "{name}");
    }
}
