use super::*;
use crate::options::Details;
use fathom_audit::{
    BudgetOutcome, BudgetVerdict, CHANGE_REPORT_VERSION, CallClass, CallTarget, ChangeReportKind, CodeLine,
    ComparedSide, CountRange, OutcomeClass, Owner, RunsDifference,
};
use fathom_model::Reading;

fn row(path: &str, target: CallTarget, base: u64, head: u64) -> CallChange {
    let exact = |count| CountRange { low: count, high: count };
    CallChange {
        class: CallClass {
            call: "newfstatat".to_owned(),
            target,
            outcome: OutcomeClass::Succeeded,
            path: path.to_owned(),
            owner: Owner::Yours,
            program: "tool".to_owned(),
        },
        paths: 1,
        line: None,
        base: exact(base),
        head: exact(head),
        unit_ns: None,
        total_ns: None,
    }
}

fn report(changes: Vec<CallChange>) -> ChangeReport {
    let verdict = if changes.is_empty() { ChangeVerdict::Same } else { ChangeVerdict::Changed };
    let side = |name: &str| ComparedSide {
        name: name.to_owned(),
        commit: None,
        ancestor: None,
        uncommitted_files: None,
    };
    ChangeReport {
        kind: ChangeReportKind::ChangeReport,
        schema_version: CHANGE_REPORT_VERSION,
        fathom_version: "0.1.0".to_owned(),
        created: "2026-11-24T00:00:00Z".to_owned(),
        base: side("main"),
        head: side("topic"),
        prices: "none".to_owned(),
        commands: vec![CommandChange {
            name: "list".to_owned(),
            command: vec!["tool".to_owned()],
            verdict,
            runs: 5,
            capture: None,
            calls: RunsDifference { changes, ..RunsDifference::default() },
            findings: Vec::new(),
            budgets: Vec::new(),
            gaps: Vec::new(),
            notes: Vec::new(),
        }],
        redacted: None,
    }
}

#[test]
fn a_comment_begins_with_its_marker_and_the_verdict() {
    let same = change_markdown(&report(Vec::new()));
    assert!(same.starts_with("<!-- fathom ci -->\n"), "{same}");
    assert!(same.contains("**No system call on the file path changed**"), "{same}");
    let more = change_markdown(&report(vec![row("/a", CallTarget::Path, 0, 2)]));
    assert!(more.contains("+2 newfstatat per run of list; nothing else changed"), "{more}");
    assert!(more.contains("| 0 → 2 | no price | no price |"), "{more}");
}

#[test]
fn the_verdict_names_what_the_program_itself_calls_before_what_follows_from_it() {
    let of = |call: &str, owner: Owner, more: u64| {
        let mut row = row("/data/*.json", CallTarget::Path, 0, more);
        row.class.call = call.to_owned();
        row.class.owner = owner;
        row
    };
    let rows = [("ioctl", 20), ("lseek", 20), ("read", 20), ("fstat", 20)];
    let mut rows: Vec<_> = rows.into_iter().map(|(call, more)| of(call, Owner::Runtime, more)).collect();
    rows.extend([of("openat", Owner::Yours, 5), of("readlink", Owner::Yours, 7)]);
    let verdict = sentence::verdict(&report(rows));
    assert!(verdict.starts_with("+7 readlink, +5 openat, +20 "), "{verdict}");
}

#[test]
fn a_comment_fits_whatever_changed_and_says_what_it_leaves_out() {
    let rows =
        (0..5_000).map(|number| row(&format!("/{}/{number}", "long".repeat(40)), CallTarget::Path, 1, 2));
    let rows: Vec<_> = rows.collect();
    let text = change_markdown(&report(rows.clone()));
    assert!(text.chars().count() <= COMMENT_MAX_CHARS, "{}", text.len());
    assert!(text.contains("more rows in the page"), "{text}");
    let mut many = report(rows);
    many.commands = vec![many.commands[0].clone(); 300];
    assert!(change_markdown(&many).chars().count() <= COMMENT_MAX_CHARS);
}

#[test]
fn a_stat_by_path_that_became_one_of_a_descriptor_is_one_line() {
    let rows = vec![row("/d/*.txt", CallTarget::Path, 12, 0), row("/d/*.txt", CallTarget::Descriptor, 0, 12)];
    let text = change_markdown(&report(rows));
    let line = "replaced: - newfstatat 12, + newfstatat of a descriptor 12, at /d/\\*.txt";
    assert!(text.contains(line), "{text}");
}

#[test]
fn hostile_names_stay_names() {
    let name = "/d/a|b`c<!-- x --><script>\u{1b}[2J\n# heading";
    let found = report(vec![row(name, CallTarget::Path, 0, 1)]);
    let text = change_markdown(&found);
    assert!(!text.contains('\u{1b}') && !text.contains("\n# heading"), "{text}");
    let line = text.lines().find(|line| line.contains("/d/a")).unwrap();
    assert!(line.contains("``/d/a\\|b`c") && line.starts_with("| `newfstatat`"), "{line}");
    let page = change_html(&found).unwrap();
    assert!(!page.contains("<!-- x -->") && !page.contains('\u{1b}'));
    let options = TextOptions { width: 100, color: false, details: Details::Full };
    assert!(!render_change_report(&found, &options).contains('\u{1b}'));
}

#[test]
fn what_to_do_next_is_a_search_between_the_commits_where_sides_are_commits() {
    let mut found = report(vec![row("/a", CallTarget::Path, 0, 2)]);
    let text = |found: &ChangeReport| {
        render_change_report(found, &TextOptions { width: 200, color: false, details: Details::Brief })
    };
    assert!(!text(&found).contains("bisect"), "two directories have no commits between them");
    assert!(change_markdown(&found).contains("budgets in .fathom.toml"));
    (found.base.commit, found.head.commit) = (Some("0123456789abcdef".into()), Some("f".repeat(40)));
    let search = "fathom bisect --good 0123456789 --bad ffffffffff --metric newfstatat -- tool";
    assert!(text(&found).contains(search), "{}", text(&found));
    assert!(change_markdown(&found).contains(search));
    found.base.ancestor = Some("abcdefabcdefabcdef".into());
    let since = search.replace("0123456789", "abcdefabcd");
    assert!(change_markdown(&found).contains(&since), "on two branches");
    found.base.ancestor = found.head.commit.clone();
    assert!(!text(&found).contains("bisect"), "head is the older one");
    found.base.ancestor = None;
    found.commands[0].calls.changes[0].class.owner = Owner::Loader;
    assert!(text(&found).contains("--metric 'newfstatat including loader' --"), "{}", text(&found));
    found.commands[0].calls.changes =
        vec![row("/a", CallTarget::Path, 0, 2), row("/b", CallTarget::Path, 2, 0)];
    assert!(!text(&found).contains("bisect"), "as many as before, elsewhere");
    let same = report(Vec::new());
    assert!(!change_markdown(&same).contains("bisect") && !text(&same).contains("next"));
}

#[test]
fn a_line_that_is_not_known_is_said_beside_those_that_are() {
    let mut rows = vec![row("/a", CallTarget::Path, 0, 2), row("/b", CallTarget::Path, 0, 1)];
    rows[0].line = Some(CodeLine {
        function: Some("look".to_owned()),
        file: Some("{checkout}/tool.c".to_owned()),
        line: Some(7),
        text: None,
    });
    let found = report(rows);
    let text = change_markdown(&found);
    assert!(text.contains("`look (tool.c:7)`") && text.contains("| not known |"), "{text}");
    let options = TextOptions { width: 200, color: false, details: Details::Full };
    assert!(render_change_report(&found, &options).contains("not known"));
}

#[test]
fn csv_has_a_row_for_each_change() {
    let text = change_csv(&report(vec![row("/a,\"b\"", CallTarget::Path, 1, 3)])).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!((rows.len(), &rows[0][4], &rows[0][13]), (1, "/a,\"b\"", "3"));
}

#[test]
fn the_text_has_at_most_25_lines_unless_asked() {
    let rows = (0..60).map(|number| row(&format!("/d/{number}"), CallTarget::Path, 1, 2)).collect();
    let found = report(rows);
    let text = |details| render_change_report(&found, &TextOptions { width: 100, color: false, details });
    assert!(text(Details::Brief).lines().count() <= LINES);
    assert!(text(Details::Full).lines().count() > 60);
}

#[test]
fn a_budget_that_is_not_met_is_not_cut() {
    let outcome = |budget: &str, verdict| BudgetOutcome {
        budget: budget.to_owned(),
        written_at: None,
        unit: "calls".to_owned(),
        limit: 10.0,
        measured: Reading::Value(12.0),
        total: None,
        divided_by: None,
        verdict,
        not_known: None,
        paths: None,
        calls: Vec::new(),
    };
    let mut report = report((0..9).map(|n| row(&format!("/{n}"), CallTarget::Path, 0, 2)).collect());
    let command = &mut report.commands[0];
    command.budgets = (0..9).map(|n| outcome(&format!("sync <= {n}"), BudgetVerdict::Met)).collect();
    command.budgets.push(outcome("open <= 10", BudgetVerdict::NotMet));
    let text = render_change_report(&report, &TextOptions::default());
    assert!(text.contains("more lines: --full") && text.contains("NOT MET: open <= 10: 12"), "{text}");
}
