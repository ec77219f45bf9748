//! Reports of the sample records and of one that was really measured, as their
//! readers get them.

#![expect(clippy::disallowed_methods, reason = "a test reads its samples")]

use fathom_audit::{Audit, PathSet};
use fathom_model::Record;
use fathom_report::{
    AuditSource, Details, ReportSource, TextOptions, audit_markdown, audit_sarif, embedded_records, expand,
    render_audit, render_brief, render_text, report_html, report_markdown,
};
use fathom_testkit::{all, complete, explained};
use std::path::Path;

/// Longer texts are recorded up to here.
const LINES_MAX: usize = 400;

fn measured() -> Record {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/samples/open-go.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("the sample is kept")).expect("it is a record")
}

fn audit() -> Audit {
    serde_json::from_str(include_str!("audits/sample.json")).expect("it is an audit")
}

fn source<'a>(name: &'a str, record: &'a Record) -> ReportSource<'a> {
    ReportSource { name, record }
}

/// The page without style, script and what is embedded, a block on each line.
fn markup(page: &str) -> String {
    let (head, rest) = page.split_once("<style>").expect("a style");
    let (_, body) = rest.split_once("</style>").expect("its end");
    let (body, _script) = body.split_once("<script>").expect("a script");
    let whole = format!("{head}{body}");
    let mut text = String::new();
    for (number, piece) in whole.split("base64,").enumerate() {
        let end = if number == 0 { 0 } else { piece.find('"').expect("an address ends") };
        text.push_str(if number == 0 { "" } else { "base64,…" });
        text.push_str(&piece[end..]);
    }
    let breaks = [
        "<section", "<h2", "<h3", "<h4", "<p", "<tr", "<li", "<figure", "<details", "<summary", "<svg",
        "<g ", "<div", "<dt",
    ];
    breaks.iter().fold(text, |text, tag| text.replace(tag, &format!("\n{tag}")))
}

/// The records of a page, as they were.
fn records_inside(page: &str) -> Vec<Vec<u8>> {
    let expanded = |packed: std::io::Result<Vec<u8>>| expand(&packed?, 1 << 30);
    embedded_records(page).map(expanded).collect::<Result<_, _>>().expect("Fathom made the page")
}

#[test]
fn every_sample_record_reads_as_recorded_in_markdown() {
    for (name, record) in all() {
        let text = report_markdown(&[source("sample.json", &record)], None, &[]);
        // Of two dozen comparisons the first show how all are.
        let text = text.lines().take(LINES_MAX).collect::<Vec<_>>().join("\n");
        assert!(!text.contains("NaN") && !text.contains("inf "), "{name}");
        insta::assert_snapshot!(format!("{name}-markdown"), text);
    }
}

#[test]
fn a_measured_record_reads_as_recorded() {
    let record = measured();
    insta::assert_snapshot!(
        "measured-markdown",
        report_markdown(&[source("open-go.json", &record)], None, &[])
    );
    let page = report_html(&[source("open-go.json", &record)], None, &[]).unwrap();
    insta::assert_snapshot!("measured-page", markup(&page));
}

#[test]
fn every_sample_record_makes_a_page_that_gives_it_back() {
    for (name, record) in all() {
        let page = report_html(&[source("sample.json", &record)], None, &[]).unwrap();
        let inside = records_inside(&page);
        let back: Record = serde_json::from_slice(&inside[0]).unwrap();
        assert_eq!(back, record, "{name}");
        assert!(!markup(&page).contains("NaN"), "{name}");
        let ids: Vec<&str> =
            page.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        let mut once = ids.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), ids.len(), "{name}: an id twice");
        for target in page.split(" href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            assert!(ids.contains(&target), "{name}: {target} leads nowhere");
        }
    }
}

#[test]
fn several_records_and_an_older_one_stand_in_one_report() {
    let (old, new, other) = (complete(), complete(), explained());
    let sources = [source("other.json", &other), source("new.json", &new)];
    let text = report_markdown(&sources, Some(source("old.json", &old)), &[]);
    insta::assert_snapshot!("before-after-markdown", text);
    let page = report_html(&sources, Some(source("old.json", &old)), &[]).unwrap();
    assert_eq!(records_inside(&page).len(), 3);
}

#[test]
fn what_a_record_says_is_never_markup() {
    let mut record = complete();
    let evil = "<script>alert(1)</script> | `x` [y](z)";
    record.experiments[0].question = evil.to_owned();
    record.experiments[0].title = evil.to_owned();
    record.command = vec![evil.to_owned()];
    record.environment.kernel = evil.to_owned();
    let page = report_html(&[source(evil, &record)], None, &[]).unwrap();
    assert!(!page.contains("<script>alert"), "escaped everywhere");
    let text = report_markdown(&[source(evil, &record)], None, &[]);
    assert!(text.contains(" on Linux \\<script\\>alert(1)\\</script\\> \\| \\`x\\` \\[y\\](z)"), "{text}");
    let bare = text.lines().filter(|line| line.contains("<script>"));
    assert!(bare.clone().all(|line| line.contains('`')), "only in names: {bare:?}");
}

#[test]
fn an_audit_reads_as_recorded_and_comes_out_of_its_page() {
    let audit = audit();
    insta::assert_snapshot!("audit-comment", audit_markdown(&audit));
    let audits = [AuditSource { name: "audit.json", audit: &audit }];
    let page = report_html(&[], None, &audits).unwrap();
    insta::assert_snapshot!("audit-page", markup(&page));
    let inside = records_inside(&page);
    let back: Audit = serde_json::from_slice(&inside[0]).unwrap();
    assert_eq!((inside.len(), &back), (1, &audit));
}

#[test]
fn names_that_read_like_a_sentence_are_whole_in_every_form() {
    let wide = TextOptions { width: 400, color: false, details: Details::Full };
    for name in [
        "/d/a, first b.txt",
        "/d/3 calls in 2, all in.txt",
        "/d/none: below 1 %.txt",
        "/d/here ~1; dashed: x",
    ] {
        let several = PathSet { first: name.to_owned(), count: 3, ..PathSet::of_path("/d") };
        for (paths, start) in [(PathSet::of_path(name), ""), (several, ", first ")] {
            let mut audit = audit();
            audit.findings.truncate(1);
            audit.findings[0].place.paths = Some(paths);
            let text = render_audit(&audit, &wide);
            assert!(text.contains(&format!("{start}{name}, by /srv/bin/indexer")), "{name}: {text}");
            let page = report_html(&[], None, &[AuditSource { name: "a.json", audit: &audit }]).unwrap();
            let page = markup(&page).replace("<wbr>", "");
            assert!(page.contains(&format!("{start}<code>{name}</code>")), "{name}: {page}");
            let comment = audit_markdown(&audit);
            assert!(comment.contains(&format!("{start}`{name}`")), "{name}: {comment}");
            let sarif: serde_json::Value =
                serde_json::from_str(&audit_sarif(&audit, Details::Full).unwrap()).unwrap();
            let message = sarif["runs"][0]["results"][0]["message"]["text"].as_str().unwrap();
            assert!(message.contains(&format!("{start}{name}")), "{name}: {message}");
        }
    }
}

#[test]
fn places_and_methods_that_read_like_a_sentence_are_whole_in_a_report() {
    for name in ["none: a, first b", "1 calls: in 2; dashed: here ~1"] {
        let mut record = complete();
        record.experiments[0].name = name.to_owned();
        for variant in record.experiments[0].comparisons.iter_mut().flat_map(|c| &mut c.variants) {
            variant.method.name = format!("{}, {name}", variant.method.name);
        }
        let method = record.experiments[0].comparisons[0].variants[0].method.to_string();
        let wide = TextOptions { width: 400, color: false, details: Details::Full };
        let text = render_text(&record, &wide);
        let rows = text.lines().filter(|line| line.contains(&method)).count();
        assert!(rows > 1 && text.contains(&format!("{name}: ")), "{text}");
        let page = report_html(&[source("r.json", &record)], None, &[]).unwrap();
        assert!(markup(&page).replace("<wbr>", "").contains(&format!("<code>{method}</code>")), "{method}");
        let markdown = report_markdown(&[source("r.json", &record)], None, &[]);
        assert!(markdown.contains(&format!("`{method}`")), "{method}: {markdown}");
        let brief = render_brief(&record, &wide);
        assert!(brief.contains(&method), "{method}: {brief}");
    }
}

#[test]
fn audits_stand_behind_records_and_beside_each_other() {
    let (record, one, mut other) = (complete(), audit(), audit());
    other.findings.clear();
    other.gaps.clear();
    let audits =
        [("one.json", &one), ("other.json", &other)].map(|(name, audit)| AuditSource { name, audit });
    let page = report_html(&[source("r.json", &record)], None, &audits).unwrap();
    assert_eq!(records_inside(&page).len(), 3);
    let at = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words} is not there"));
    assert!(at("id=\"audit-1\"") < at("id=\"audit-2\"") && at("id=\"audit-2\"") < at("id=\"method\""));
    let alone = report_markdown(&[], None, &audits);
    assert!(alone.starts_with("# 2 audits\n"), "{alone}");
    assert!(alone.contains("\n## Audit of ") && alone.contains("**No findings**"), "{alone}");
}

#[test]
fn what_an_audit_says_is_never_markup() {
    let mut audit = audit();
    let evil = "<script>alert(1)</script> | `x` [y](z)";
    let finding = &mut audit.findings[0];
    (finding.title, finding.fix) = (evil.to_owned(), evil.to_owned());
    finding.place.paths = Some(PathSet::of_path(evil));
    finding.place.program = Some(evil.to_owned());
    finding.example[0].text = evil.to_owned();
    audit.gaps.push(fathom_audit::Gap::new(fathom_audit::GapKind::Cut, evil));
    let page = report_html(&[], None, &[AuditSource { name: evil, audit: &audit }]).unwrap();
    assert!(!page.contains("<script>alert"), "escaped everywhere");
    let comment = audit_markdown(&audit);
    let bare = comment.lines().filter(|line| line.contains("<script>")).collect::<Vec<_>>();
    assert!(bare.iter().all(|line| line.contains('`')), "only in names: {bare:?}");
}
