//! `fathom verify`: claims of a user's file and of the catalog, verdicts and exit
//! codes, records judged again, and mistakes.

use crate::running::Running;
use crate::sandbox::{Sandbox, says, workspace};
use assert_cmd::assert::Assert;
use fathom_catalog::{Entry, SHIPPED};
use fathom_model::StopReason;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use rustix::process::Signal;
use serde_json::Value;

/// An experiment of two methods whose calls are known, with these claims.
fn experiment(claims: &str) -> String {
    format!(
        r#"
        name = "mine"
        title = "Two ways to open"
        question = "Are they the same?"
        source = "a test"
        operation = "open-close"
        methods = ["native:open", "native:fopen"]
        [data]
        size = "4 KiB"
        {claims}
        "#
    )
}

fn claim(name: &str, check: &str) -> String {
    format!("[[claims]]\nname = \"{name}\"\nsentence = \"{name} holds\"\n[[claims.checks]]\n{check}\n")
}

const ONE_OPEN: &str = "metric = \"calls:openat\"\nof = { method = \"native:open\" }\nregion = \"= 1\"";
const NO_CLOSE: &str = "metric = \"calls:close\"\nof = { method = \"native:open\" }\nregion = \"= 0\"";
/// No machine opens a file in a second more than it takes to open it.
const ABSURD: &str = "metric = \"time\"\nform = \"difference\"\nof = { method = \"native:fopen\" }\n\
                      to = { method = \"native:open\" }\nregion = \">= 1 s\"";
/// Nothing is known to a millionth.
const TOO_FINE: &str = "metric = \"time\"\nform = \"ratio\"\nof = { method = \"native:open\" }\n\
                        to = { method = \"native:open\" }\nregion = \"1 to 1.000001\"";

fn verified(sandbox: &Sandbox, claims: &str, more: &str) -> Assert {
    sandbox.write("mine.toml", &experiment(claims));
    sandbox.fathom(&format!("verify mine.toml --dir . --seed 7 {more}")).assert()
}

fn judgement(assert: &Assert) -> Value {
    serde_json::from_slice(&assert.get_output().stdout).unwrap()
}

#[test]
fn counts_are_decided_by_one_exact_pass_and_nothing_is_timed() {
    let sandbox = Sandbox::new();
    let done = verified(&sandbox, &claim("one-open", ONE_OPEN), "-o r.json").code(0);
    done.stdout(says("SUPPORTED: it holds in").and(says("exactly 1")));
    let record = sandbox.record("r.json");
    let comparison = &record.experiments[0].comparisons[0];
    assert_eq!((comparison.stop.clone(), comparison.forks.len()), (StopReason::CountsOnly, 0));
    assert_eq!(record.experiments[0].claims[0].name, "one-open");
    sandbox.assert_nothing_left();
}

#[test]
fn a_false_claim_is_refuted_and_an_underpowered_one_is_inconclusive() {
    let sandbox = Sandbox::new();
    let false_ones = claim("no-close", NO_CLOSE) + &claim("absurd", ABSURD);
    let done = verified(&sandbox, &false_ones, "--time 4 --format json").code(1);
    for claim in judgement(&done)["claims"].as_array().unwrap() {
        assert_eq!(claim["verdict"], "refuted", "{claim:#}");
    }
    let done = tries(|| verified(&sandbox, &claim("too-fine", TOO_FINE), "--time 1"), 3);
    done.stdout(says("INCONCLUSIVE: the interval reaches over the claimed region"));
}

/// Once in twenty times an interval at 95 % misses what it is of, and the claim that nothing decides is
/// decided: three times in a row it is not.
fn tries(run: impl Fn() -> Assert, code: i32) -> Assert {
    let ends = |done: &Assert| done.get_output().status.code() == Some(code);
    (0..2).map(|_| run()).find(ends).unwrap_or_else(run).code(code)
}

#[test]
fn verdicts_of_a_kept_record_are_the_same_again() {
    let sandbox = Sandbox::new();
    let claims = claim("one-open", ONE_OPEN) + &claim("absurd", ABSURD);
    let first = verified(&sandbox, &claims, "--time 4 -o r.json").code(1).get_output().stdout.clone();
    let again = sandbox.fathom("verify mine.toml --from r.json").assert().code(1).get_output().stdout.clone();
    assert_eq!(String::from_utf8(first).unwrap(), String::from_utf8(again).unwrap());
    sandbox.fathom("verify mine.toml --from r.json --claim one-open").assert().code(0);
    sandbox.fathom("show r.json").assert().code(0).stdout(says("claimed of it").and(says("[absurd]")));
    // Another experiment's record holds nothing that decides them.
    sandbox
        .fathom("bench open-close --methods native:openat --size 4KiB --counts-only -o other.json")
        .assert()
        .code(0);
    let other = sandbox.fathom("verify mine.toml --from other.json").assert().code(4);
    other.stdout(says("UNTESTABLE HERE: no record holds mine"));
}

#[test]
fn a_test_report_tells_refuted_from_inconclusive() {
    let sandbox = Sandbox::new();
    let claims = claim("one-open", ONE_OPEN) + &claim("no-close", NO_CLOSE) + &claim("too-fine", TOO_FINE);
    let run = || {
        let done = verified(&sandbox, &claims, "--time 1 --format junit -o r.json").code(1);
        String::from_utf8(done.get_output().stdout.clone()).unwrap()
    };
    let one_each = |text: &String| text.contains("tests=\"3\" skipped=\"1\" errors=\"0\" failures=\"1\"");
    // As in `tries`: what nothing decides is decided once in twenty times.
    let text = (0..2).map(|_| run()).find(one_each).unwrap_or_else(run);
    assert!(one_each(&text), "{text}");
    assert!(text.contains("<failure message=\"it does not hold in"), "{text}");
    let strict = sandbox.fathom("verify mine.toml --from r.json --format junit --strict").assert().code(1);
    strict.stdout(contains("failures=\"2\""));
}

#[test]
fn a_scenario_is_judged_by_what_happened() {
    let sandbox = Sandbox::new();
    let done = sandbox.fathom("verify write-directory --dir . -o r.json --full").assert().code(0);
    done.stdout(says("SUPPORTED: it holds in").and(says("when trying to")));
    assert!(!sandbox.record("r.json").experiments[0].outcomes.is_empty());
    sandbox.assert_nothing_left();
}

#[test]
fn the_claims_of_the_catalog_are_listed() {
    let sandbox = Sandbox::new();
    let listed = sandbox.fathom("list claims").assert().code(0);
    listed.stdout(says("go-internals").and(says("one-system-call: \"os.ReadFile makes one system call\"")));
}

#[test]
fn mistakes_are_named() {
    let sandbox = Sandbox::new();
    sandbox.write("mine.toml", &experiment(&claim("one-open", ONE_OPEN)));
    for (words, error, hint) in [
        ("verify opn-go", "there is no experiment `opn-go`", "did you mean `open-go`?"),
        ("verify mine.toml --claim one-opn", "there is no claim `one-opn`", "did you mean `one-open`?"),
        ("verify mine.toml --from nothing.json", "failed to read nothing.json", ""),
        ("verify mine.toml --from mine.toml", "mine.toml is not a Fathom record", "records are the JSON"),
    ] {
        sandbox.fathom(words).assert().code(2).stderr(says(error).and(says(hint)));
    }
    let bare = claim(
        "bare",
        "metric = \"time\"\nform = \"saving\"\nof = { method = \"native:open\" }\n\
                              to = { method = \"native:fopen\" }\nregion = \"17 %\"",
    );
    verified(&sandbox, &bare, "").code(2).stderr(says("unknown region `17 %`").and(says("17 % ± 3 %")));
}

#[test]
fn an_interrupt_keeps_and_judges_what_was_measured() {
    let sandbox = Sandbox::new();
    sandbox.write("mine.toml", &experiment(&claim("too-fine", TOO_FINE)));
    let mut running = Running::start(&sandbox, "verify mine.toml --dir . --time 60 -o r.json");
    running.wait_for("a timed driver", Running::timed_driver);
    running.signal(Signal::INT);
    let ended = running.end();
    assert_eq!(ended.code, Some(130), "{}", ended.err);
    assert!(ended.out.contains("1 claim: 1 "), "{}", ended.out);
    assert!(!sandbox.record("r.json").complete);
    sandbox.assert_nothing_left();
}

/// docs/verdicts.md says of every claim what the kept record says.
#[test]
fn the_page_of_verdicts_is_that_of_the_kept_record() {
    let sandbox = Sandbox::new();
    let page = std::fs::read_to_string(workspace().join("docs/verdicts.md")).unwrap();
    // Of scenarios, whose claims need no pairs, the entries' own records.
    let entries = SHIPPED.iter().map(|file| Entry::parse(file.file, file.text).unwrap());
    let scenarios = entries.filter(|entry| entry.scenario().is_some()).map(|entry| entry.name);
    let names = ["verify", "verify-mounts"].map(str::to_owned).into_iter().chain(scenarios);
    let folder = workspace().join("docs/experiments/records");
    let from = names.map(|name| format!("--from {}/{name}.json", folder.display())).collect::<Vec<_>>();
    let done = sandbox.fathom(&format!("verify {} --format json", from.join(" "))).assert();
    let judgement = judgement(&done);
    let claims = judgement["claims"].as_array().unwrap();
    assert!(
        page.contains(&format!("{} claims: ", claims.len())),
        "the page speaks of {} claims",
        claims.len()
    );
    let (_, tables) = page.split_once("## Claims of the catalog").unwrap();
    for claim in claims {
        let (name, experiment) = (claim["name"].as_str().unwrap(), claim["experiment"].as_str().unwrap());
        let verdict = match claim["verdict"].as_str().unwrap() {
            "untestable" => "untestable here",
            other => other,
        };
        // A claim's name is unique in its experiment only.
        let sections = tables.split("\n### ").map(|section| section.split_once('\n').unwrap());
        let section = sections.filter(|(heading, _)| *heading == experiment).map(|(_, rows)| rows);
        let row = section.flat_map(str::lines).find(|line| line.starts_with(&format!("| {name}: ")));
        let row = row.unwrap_or_else(|| panic!("the page lacks {experiment}/{name}"));
        assert!(row.contains(&format!(" | {verdict} | ")), "{name} is {verdict} by the record: {row}");
    }
}
