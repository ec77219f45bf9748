//! Budgets read, refused, and held against small programs.

use super::*;
use crate::auditor::Auditor;
use crate::rule::Guards;
use crate::script::{READ, Script};
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
    let budgets = [Budget::parse(budget).unwrap()];
    let script = program();
    let mut auditor = Auditor::with_guards(Guards::default()).starting_in("/srv/app").with_budgets(&budgets);
    for event in &script.events {
        auditor.observe(event, &script.paths);
    }
    let mut audit = auditor.finish();
    audit.settle(&budgets);
    assert_eq!(audit.meets_budgets(), audit.budgets[0].met);
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
fn what_is_counted_per_open_is_done_with_such_files() {
    let twice = outcome("newfstatat <= 1 per open(*.json)");
    assert_eq!((twice.total, twice.divided_by, twice.met), (Some(6), Some(3), false));
    assert_eq!(twice.measured, Reading::Value(2.0));
    let told: Vec<_> = twice.calls.iter().map(|calls| (calls.call.as_str(), calls.amount)).collect();
    assert_eq!(told, [("newfstatat", 2), ("newfstatat", 2), ("newfstatat", 2)]);
    assert_eq!(twice.calls[0].path.as_deref(), Some("/srv/app/data/a.json"));
    assert!((measured("stat(notes.txt) <= 1 per open(*.json)") - 1.0 / 3.0).abs() < 1e-9);
    let never = outcome("newfstatat <= 1 per open(*.toml)");
    assert!(!never.met && never.measured.value().is_none(), "a pattern that matches nothing holds nothing");
}

#[test]
fn the_loaders_calls_count_when_they_are_asked_for() {
    let (own, all) = (measured("calls <= 1"), measured("calls <= 1 including loader"));
    assert!(all > own, "{all} and {own}");
}

#[test]
fn each_comparison_holds_as_it_says() {
    let met = |budget: &str| outcome(budget).met;
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
fn findings_count_when_they_matter_and_a_price_needs_prices() {
    assert!(measured("R13 <= 0") >= 1.0, "each file is looked at before it is opened");
    assert!((measured("findings == 0") - 0.0).abs() < 1e-9, "a cost without a price is good to know");
    let price = outcome("price < 5 ms");
    assert!(!price.met && price.measured.value().is_none());
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
