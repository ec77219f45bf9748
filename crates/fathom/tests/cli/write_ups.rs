//! `fathom verify --of`: statements of a document, by claims that are counted; what was not
//! run; the forms; mistakes; and the documents of the catalog.

use crate::sandbox::{Sandbox, says};
use fathom_catalog::WRITE_UPS;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

const EXPERIMENT: &str = r#"
name = "mine"
title = "Two ways to open"
question = "Are they the same?"
source = "a test"
operation = "open-close"
methods = ["native:open", "native:fopen"]
[data]
size = "4 KiB"
[[claims]]
name = "one-open"
sentence = "an open is one call"
checks = [{ metric = "calls:openat", of = { method = "native:open" }, region = "= 1" }]
[[claims]]
name = "no-close"
sentence = "nothing is closed"
checks = [{ metric = "calls:close", of = { method = "native:open" }, region = "= 0" }]
[[claims]]
name = "go-opens-once"
sentence = "Go opens once"
checks = [{ metric = "calls:openat", of = { method = "native:fopen" }, region = "= 1" }]
"#;

const WRITE_UP: &str = r#"
name = "a-post"
title = "On opening"
author = "somebody"
[[statements]]
id = "one-call"
kind = "statement"
section = "Opening"
says = "An open is one call."
claims = ["mine/one-open"]
[[statements]]
id = "never-closed"
kind = "listing"
section = "Opening"
says = "The program opens and never closes."
claims = ["mine/one-open", "mine/no-close"]
why = { refuted = "it closes what it opened", supported = "it leaves that to its end" }
[[statements]]
id = "by-fopen"
kind = "figure"
section = "The C library"
says = "fopen opens once."
claims = ["mine/go-opens-once"]
[[statements]]
id = "on-aix"
kind = "statement"
section = "Elsewhere"
says = "AIX does the same."
untestable = "AIX does not run on this hardware"
"#;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("mine.toml", EXPERIMENT);
    sandbox.write("post.toml", WRITE_UP);
    sandbox
}

fn rows(sandbox: &Sandbox, words: &str, code: i32) -> Vec<(String, String, String)> {
    let done = sandbox.fathom(&format!("verify mine.toml --of post.toml --format json {words}")).assert();
    let verified: Value = serde_json::from_slice(&done.code(code).get_output().stdout).unwrap();
    assert_eq!(verified["schema_version"], 1);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let rows = verified["write_ups"][0]["statements"].as_array().unwrap();
    rows.iter().map(|row| (text(&row["id"]), text(&row["verdict"]), text(&row["why"]))).collect()
}

#[test]
fn a_document_is_measured_and_ends_with_one_table() {
    let sandbox = sandbox();
    let done = sandbox.fathom("verify mine.toml --of post.toml --dir . --quick -o r.json").assert().code(1);
    let text = String::from_utf8(done.get_output().stdout.clone()).unwrap();
    let first = text.lines().next().unwrap();
    // Positional names ask for a part: what rests on nothing of it is left out.
    assert_eq!(first, "a-post: 3 statements: 2 supported, 1 refuted", "{text}");
    assert!(text.contains("\nclaimed ") && !text.contains("SUPPORTED: it holds"), "{text}");
    assert!(text.contains("it closes what it") && !text.contains("leaves that to its"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    sandbox.assert_nothing_left();

    let again = sandbox.fathom("verify mine.toml --of post.toml --from r.json").assert().code(1);
    again.stdout(text);
    let evidence =
        sandbox.fathom("verify mine.toml --of post.toml --from r.json --evidence").assert().code(1);
    evidence.stdout(says("SUPPORTED: it holds in").and(says("claimed found here verdict why")));
    let junit = sandbox.fathom("verify mine.toml --of post.toml --from r.json --format junit").assert();
    junit.code(1).stdout(contains("tests=\"3\" skipped=\"0\" errors=\"0\" failures=\"1\""));
}

#[test]
fn what_no_record_holds_was_not_run_and_is_not_good() {
    let sandbox = sandbox();
    sandbox.fathom("verify mine.toml --claim one-open --dir . -o one.json").assert().code(0);
    let row = |id: &str, verdict: &str, why: &str| (id.to_owned(), verdict.to_owned(), why.to_owned());
    let absent = "no comparison of the records holds what it speaks of, side by side";
    // What was counted of an open holds its close as well; fopen was not run.
    let found = rows(&sandbox, "--from one.json", 1);
    assert_eq!((found[0].1.as_str(), found[1].1.as_str()), ("supported", "refuted"), "{found:?}");
    assert_eq!(found[2], row("by-fopen", "not-run", absent));
    // One claim of two was not asked for.
    let part = rows(&sandbox, "--from one.json --claim one-open", 3);
    assert_eq!(part.len(), 2, "{part:?}");
    assert_eq!(part[1], row("never-closed", "not-run", "left out: it was not asked for"));
    // Nothing of it ran.
    let other = "bench open-close --methods native:openat --size 4KiB --counts-only -o other.json";
    sandbox.fathom(other).assert().code(0);
    let none = rows(&sandbox, "--from other.json", 4);
    assert_eq!(none[0], row("one-call", "not-run", "no record holds mine"));
}

#[test]
fn a_driver_that_is_missing_leaves_a_statement_not_run() {
    let sandbox = sandbox();
    let go = EXPERIMENT.replace("native:fopen", "go:os.Open");
    sandbox.write("mine.toml", &go);
    let words = "verify mine.toml --of post.toml --dir . --quick --format json --claim go-opens-once";
    let done = sandbox.fathom(words).env("PATH", "/nonexistent").assert().code(4);
    let verified: Value = serde_json::from_slice(&done.get_output().stdout).unwrap();
    let row = &verified["write_ups"][0]["statements"][0];
    assert_eq!(row["verdict"], "not-run", "{row:#}");
    assert!(row["why"].as_str().unwrap().starts_with("go:os.Open: "), "{row:#}");
}

#[test]
fn documents_of_the_catalog_are_listed_and_judged_whole() {
    let sandbox = Sandbox::new();
    let listed = sandbox.fathom("list write-ups").assert().code(0);
    let text = String::from_utf8(listed.get_output().stdout.clone()).unwrap();
    for file in WRITE_UPS {
        assert!(text.contains(file.name), "{text}");
    }
    let other = "bench open-close --methods native:openat --size 4KiB --counts-only -o other.json";
    sandbox.fathom(other).assert().code(0);
    // Nothing of it is in this record: every claim that can be tried was not run.
    let of = WRITE_UPS.iter().map(|file| format!("--of {}", file.name)).collect::<Vec<_>>().join(" ");
    let judged = sandbox.fathom(&format!("verify {of} --from other.json")).assert();
    judged.stdout(says("not run").and(says("open-deep-dive: ")).and(says("jdk-8373647: ")));
}

#[test]
fn mistakes_are_named() {
    let sandbox = sandbox();
    sandbox.write("bad.toml", &WRITE_UP.replace("mine/no-close", "mine/no-clos"));
    for (words, error, hint) in [
        (
            "verify --of open-deep-div",
            "there is no write-up `open-deep-div`",
            "did you mean `open-deep-dive`?",
        ),
        ("verify jdk-8373647", "there is no experiment `jdk-8373647`", "`fathom verify --of jdk-8373647`"),
        (
            "verify mine.toml --of bad.toml",
            "bad.toml:16: there is no claim `mine/no-clos`",
            "did you mean `mine/no-close`?",
        ),
        (
            "verify --of open-deep-dive --claim pread-is-magic",
            "no statement of open-deep-dive rests on a claim `pread-is-magic`",
            "`fathom list claims`",
        ),
        ("verify mine.toml --evidence", "--of", ""),
        ("verify --of none.toml", "failed to read none.toml", ""),
    ] {
        sandbox.fathom(words).assert().code(2).stderr(says(error).and(says(hint)));
    }
}
