//! Budgets read, refused, and held against small programs.

use super::*;
use crate::auditor::Auditor;
use crate::finding::RuleId;
use crate::gap::{Gap, GapKind};
use crate::rule::Guards;
use crate::rule_choice::RuleChoice;
use crate::script::{READ, Script};
use fathom_events::{CallOutcome, FileAction};
use fathom_model::Reading;

/// Three JSON files looked at twice and read, a missing one, one other file.
fn program() -> Script {
    let mut script = Script::new();
    script.load("/usr/bin/reader");
    for name in ["/srv/app/data/a.json", "/srv/app/data/b.json", "/srv/app/data/c.json", "/srv/app/notes.txt"]
    {
        script.stat(name, 40);
        if name.contains("json") {
            script.stat(name, 40);
        }
        let descriptor = script.open(name, READ);
        script.read(descriptor, 4096, 40);
        script.read(descriptor, 4096, 0);
        script.close(descriptor);
    }
    script.open_fails("/srv/app/data/missing.json", READ, 2);
    script.exit();
    script
}

fn outcome(budget: &str) -> BudgetOutcome {
    outcome_with(budget, &[], &[])
}

#[test]
fn libraries_that_a_running_program_loads_are_the_loaders() {
    let mut script = program();
    script.events.pop();
    // Two are loaded as `dlopen` does, one is read.
    for (name, protection) in [("one", 5), ("two", 5), ("three", 1)] {
        let library = script.open(&format!("/opt/{name}.so"), READ);
        script.read(library, 832, 832);
        let action =
            FileAction::Map { descriptor: Some(library), offset: 0, bytes: 8192, protection, flags: 2 };
        script.call("mmap", action, CallOutcome::Value(0x7f00_0000));
        script.close(library);
    }
    let measured = |budget: &str| {
        let budgets = [Budget::parse(budget).unwrap()];
        let mut auditor = Auditor::with_guards(Guards::default()).with_budgets(&budgets);
        script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
        auditor.finish().budgets[0].measured.clone()
    };
    assert_eq!(measured("open <= 9"), Reading::Value(6.0));
    assert_eq!(measured("open(*.so) <= 9"), Reading::Value(1.0));
    assert_eq!(measured("read(*.so) <= 9"), Reading::Value(1.0));
}

/// The outcome where these parts of the run were not judged, and only some rules were.
fn outcome_with(budget: &str, gaps: &[Gap], ignore: &[RuleId]) -> BudgetOutcome {
    let budgets = [Budget::parse(budget).unwrap()];
    let script = program();
    let choice = RuleChoice { ignore: ignore.to_vec(), ..RuleChoice::default() };
    let auditor = Auditor::with_guards(Guards::default()).starting_in("/srv/app");
    let mut auditor = auditor.with_budgets(&budgets).with_rules(choice);
    for event in &script.events {
        auditor.observe(event, &script.paths);
    }
    let mut audit = auditor.finish();
    audit.gaps.extend_from_slice(gaps);
    audit.settle(&budgets);
    let verdict = audit.budgets[0].verdict;
    assert_eq!(audit.breaks_budgets(), verdict == BudgetVerdict::NotMet);
    assert_eq!(audit.is_partly_unknown(), verdict == BudgetVerdict::NotKnown || !gaps.is_empty());
    audit.budgets.remove(0)
}

fn measured(budget: &str) -> f64 {
    *outcome(budget).measured.value().unwrap()
}

#[test]
fn calls_are_counted_by_name_family_path_and_end() {
    for (budget, value) in [
        ("openat <= 9", 5.0),
        ("open <= 9", 5.0),
        ("open(*.json) <= 9", 4.0),
        ("open(data/*.json) <= 9", 4.0),
        ("open(/srv/app/*) <= 9", 1.0),
        ("open failures <= 9", 1.0),
        ("open ENOENT <= 9", 1.0),
        ("open EACCES <= 9", 0.0),
        ("stat <= 9", 7.0),
        ("stat by path <= 9", 7.0),
        ("stat by descriptor <= 9", 0.0),
        ("read by descriptor <= 99", 8.0),
        ("read(*.json) by path <= 99", 0.0),
        ("read(*.json) <= 99", 6.0),
        ("call read <= 99", 8.0),
        ("bytes read(*.json) <= 1 KiB", 120.0),
        ("bytes written <= 0", 0.0),
        ("processes == 1", 1.0),
    ] {
        assert!((measured(budget) - value).abs() < 1e-9, "{budget}: {}", measured(budget));
    }
}

#[test]
fn a_descriptor_is_told_from_a_path_and_paths_are_counted_where_every_call_has_one() {
    let mut script = Script::new();
    script.load("/usr/bin/reader");
    for name in ["/srv/app/a", "/srv/app/b"] {
        script.stat(name, 40);
        let descriptor = script.open(name, READ);
        script.fstat(descriptor, 40);
        script.fstat(descriptor, 40);
    }
    let action = FileAction::Map { descriptor: None, offset: 0, bytes: 4096, protection: 3, flags: 0x22 };
    script.call("mmap", action, CallOutcome::Value(0x7f00_0000));
    script.exit();
    let told = |budget: &str| {
        let mut auditor =
            Auditor::with_guards(Guards::default()).with_budgets(&[Budget::parse(budget).unwrap()]);
        script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
        let outcome = auditor.finish().budgets.remove(0);
        (outcome.measured, outcome.paths)
    };
    assert_eq!(told("stat by path <= 9"), (Reading::Value(2.0), Some(2)));
    assert_eq!(told("stat by descriptor <= 9"), (Reading::Value(4.0), Some(2)));
    assert_eq!(told("stat by path <= 1 per open(a)").0, Reading::Value(1.0));
    assert_eq!(told("map <= 9"), (Reading::Value(1.0), None), "memory has no path");
}

#[test]
fn a_header_s_name_means_the_call_that_strace_names() {
    assert!((measured("fstatat <= 9") - measured("newfstatat <= 9")).abs() < 1e-9);
    assert!(measured("fstatat <= 9") > 0.0);
}

#[test]
fn calls_that_are_named_one_by_one_are_told_from_families() {
    let named = |budget: &str| Budget::parse(budget).unwrap().named_calls();
    assert_eq!(named("newfstatat <= 1 per call open(*.json)"), ["newfstatat", "open"]);
    assert_eq!(named("fstatat <= 1"), ["newfstatat"]);
    assert_eq!(named("call read <= 1 per process"), ["read"]);
    for family in ["open <= 1", "stat <= 1 per open", "calls <= 1", "bytes read <= 1", "R13 == 0"] {
        assert!(named(family).is_empty(), "{family}");
    }
}

#[test]
fn what_is_counted_per_open_is_done_with_such_files() {
    let twice = outcome("newfstatat <= 1 per open(*.json)");
    assert_eq!((twice.total, twice.divided_by, twice.verdict), (Some(6), Some(3), BudgetVerdict::NotMet));
    assert_eq!((&twice.measured, twice.paths), (&Reading::Value(2.0), Some(3)));
    let told: Vec<_> = twice.calls.iter().map(|calls| (calls.call.as_str(), calls.amount)).collect();
    assert_eq!(told, [("newfstatat", 2), ("newfstatat", 2), ("newfstatat", 2)]);
    assert_eq!(twice.calls[0].path.as_deref(), Some("/srv/app/data/a.json"));
    assert!((measured("stat(notes.txt) <= 1 per open(*.json)") - 1.0 / 3.0).abs() < 1e-9);
    let never = outcome("newfstatat <= 1 per open(*.toml)");
    assert_eq!(never.verdict, BudgetVerdict::NotKnown, "a pattern that matches nothing holds nothing");
    assert!(never.not_known.unwrap().contains("never happened"));
}

#[test]
fn a_pattern_that_no_path_is_like_meets_no_budget_that_allows_something() {
    use BudgetVerdict::{Met, NotKnown};
    for (budget, verdict) in [
        ("open(*.toml) <= 400", NotKnown),
        ("bytes read(dta/*.json) < 1 MB", NotKnown),
        ("open(*.toml) == 0", Met),
        ("open(*.toml) <= 0", Met),
        ("open(*.toml) < 1", Met),
        ("write(*.json) <= 5", Met),
        ("open(missing.json) ENOENT < 10", Met),
        ("open <= 400", Met),
    ] {
        let outcome = outcome(budget);
        assert_eq!(outcome.verdict, verdict, "{budget}: {:?}", outcome.not_known);
        let says_why = outcome.not_known.is_some_and(|why| why.contains("no call named a path like"));
        assert_eq!(says_why, verdict == NotKnown, "{budget}");
    }
}

#[test]
fn the_loaders_calls_count_when_they_are_asked_for() {
    let (own, all) = (measured("calls <= 1"), measured("calls <= 1 including loader"));
    assert!(all > own, "{all} and {own}");
}

#[test]
fn each_comparison_holds_as_it_says() {
    let met = |budget: &str| outcome(budget).verdict == BudgetVerdict::Met;
    assert!(
        met("openat <= 5")
            && met("openat < 6")
            && met("openat >= 5")
            && met("openat > 4")
            && met("openat == 5")
    );
    assert!(
        !met("openat <= 4")
            && !met("openat < 5")
            && !met("openat >= 6")
            && !met("openat > 5")
            && !met("openat == 4")
    );
}

#[test]
fn unseen_calls_leave_a_budget_open_unless_more_calls_cannot_change_it() {
    use BudgetVerdict::{Met, NotKnown, NotMet};
    let gaps = [Gap::new(GapKind::Lost, "3 events were lost")];
    for (budget, seen, blind) in [
        ("openat <= 5", Met, NotKnown),
        ("openat < 6", Met, NotKnown),
        ("openat == 5", Met, NotKnown),
        ("openat == 4", NotMet, NotMet),
        ("openat == 6", NotMet, NotKnown),
        ("openat <= 4", NotMet, NotMet),
        ("openat < 5", NotMet, NotMet),
        ("openat >= 5", Met, Met),
        ("openat > 4", Met, Met),
        ("openat >= 6", NotMet, NotKnown),
        ("openat > 5", NotMet, NotKnown),
        // Unseen opens would make less of it, unseen stats more.
        ("newfstatat <= 2 per open(*.json)", Met, NotKnown),
        ("newfstatat <= 1 per open(*.json)", NotMet, NotKnown),
        ("findings == 0", Met, NotKnown),
        // A lost call may have been what is missing, or the open of another file at that number.
        ("R13 <= 0", NotMet, NotKnown),
        ("openat(*.json) <= 0", NotMet, NotKnown),
    ] {
        assert_eq!(outcome(budget).verdict, seen, "{budget}");
        let open = outcome_with(budget, &gaps, &[]);
        assert_eq!(open.verdict, blind, "{budget}");
        let reason = (blind == NotKnown).then(|| "lost: 3 events were lost".to_owned());
        assert_eq!(open.not_known, reason, "{budget}");
    }
}

#[test]
fn a_rule_that_is_left_out_meets_no_budget() {
    let left_out = |budget: &str| outcome_with(budget, &[], &[RuleId(13)]);
    let named = left_out("R13 <= 100");
    assert_eq!(named.verdict, BudgetVerdict::NotKnown);
    assert_eq!(named.not_known.as_deref(), Some("R13 is left out of this audit"));
    assert_eq!(left_out("R04 <= 100").verdict, BudgetVerdict::Met);
}

#[test]
fn findings_count_when_they_matter_and_a_price_needs_prices() {
    assert!(measured("R13 <= 0") >= 1.0, "each file is looked at before it is opened");
    assert!((measured("findings == 0") - 0.0).abs() < 1e-9, "a cost without a price is good to know");
    let price = outcome("price < 5 ms");
    assert_eq!(price.verdict, BudgetVerdict::NotKnown);
    assert!(price.measured.value().is_none());
    assert!((price.limit - 5e6).abs() < 1e-9);
}

#[test]
fn mistakes_point_at_their_word() {
    for (text, word, says) in [
        ("newfstatt <= 1", "newfstatt", "did you mean `newfstatat`"),
        ("open failurs < 50", "failurs", "an errno such as `ENOENT`"),
        ("open ENOSUCH < 50", "ENOSUCH", "not understood"),
        ("open 50", "50", "not understood"),
        ("open = 50", "=", "did you mean `==`"),
        ("open <= many", "many", "is no number"),
        ("open <= 5 KiB", "KiB", "no unit of this"),
        ("bytes red < 5", "red", "`read` or `written`"),
        ("price < 5", "5", "a price has a unit"),
        ("price < 5 min", "min", "one of `ns`"),
        ("findings < 5 per open", "per", "only calls and bytes"),
        ("open(data/[x) < 5", "(data/[x)", "no pattern"),
        ("open(*.json < 5", "(*.json < 5", "not closed"),
        ("open <= 5 per opn", "opn", "did you mean `open`"),
        ("open <= 5 often", "often", "no unit"),
        ("open <= 5 including libc", "libc", "expected `loader`"),
        ("R99 == 0", "R99", "there is no rule R99"),
        ("open < 5 per open and more", "and", "or the end"),
    ] {
        let error = Budget::parse(text).unwrap_err();
        let shown = error.to_string();
        let at = text.find(word).unwrap();
        let line = format!("\n  {text}\n  {}{}", " ".repeat(at), "^".repeat(word.len()));
        assert!(shown.contains(says) && shown.ends_with(&line), "{text}:\n{shown}");
    }
    assert!(Budget::parse("").unwrap_err().to_string().contains("expected a call"));
    assert!(Budget::parse("open <=").unwrap_err().to_string().contains("expected a number"));
}

proptest::proptest! {
    #[test]
    fn no_text_breaks_the_parser(text in "\\PC{0,40}") {
        if let Err(error) = Budget::parse(&text) {
            let _shown = error.to_string();
        }
    }
}

#[test]
fn a_metric_is_a_budget_without_its_limit() {
    for text in ["openat(*.json)", "read per open", "calls", "open ENOENT", "bytes read", "price", "R13"] {
        assert_eq!(Budget::parse_metric(text).unwrap().text(), text);
    }
    let limited = Budget::parse_metric("openat <= 3").unwrap_err();
    assert_eq!(limited.problem(), "a count is asked for, without a limit");
    assert!(Budget::parse_metric("opne").is_err());
}
