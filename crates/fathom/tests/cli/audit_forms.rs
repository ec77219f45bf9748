//! The forms of `fathom audit`: each says what the JSON says, and pages and JSON are read again.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says, workspace};
use predicates::str::is_empty;
use serde_json::Value;
use std::fs;

/// Looks before each open, asks twice, and closes one descriptor twice.
const WASTEFUL: &str = "\
import os
for number in range(30):
    os.stat(f'files/{number}')
    file = os.open(f'files/{number}', os.O_RDONLY)
    os.fstat(file)
    os.fstat(file)
    os.read(file, 100)
    os.close(file)
# Another file could have had that number by now: its own is the lower one's.
lower, file = os.open('files/0', os.O_RDONLY), os.open('files/1', os.O_RDONLY)
os.close(file)
os.close(lower)
lower = os.open('files/0', os.O_RDONLY)
try:
    os.close(file)
except OSError:
    pass
raise SystemExit(7)
";

/// A sandbox with prices for the findings, or without; the program is `/usr/bin/python3 -S -E w.py`.
fn with_program(prices: bool) -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("files")).unwrap();
    for number in 0..30 {
        fs::write(sandbox.file(&format!("files/{number}")), "some words").unwrap();
    }
    sandbox.write("w.py", WASTEFUL);
    if prices {
        sandbox.keep_prices();
    }
    sandbox.fathom("trace -o run.events -- /usr/bin/python3 -S -E w.py").assert().code(7);
    sandbox
}

/// The audit of the kept run in this form: the CPU time of a run, hence what is a trifle beside it,
/// is another one each time.
fn audit(sandbox: &Sandbox, options: &str) -> String {
    written(sandbox, &format!("audit {options} -o form --from run.events"))
}

/// The audit of a run of its own.
fn live(sandbox: &Sandbox, options: &str) -> String {
    written(sandbox, &format!("audit {options} -o form -- /usr/bin/python3 -S -E w.py"))
}

fn written(sandbox: &Sandbox, words: &str) -> String {
    sandbox.fathom(words).assert().code(1).stdout(is_empty()).stderr(is_empty());
    fs::read_to_string(sandbox.file("form")).unwrap()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Rule, severity and count of each finding, in order.
fn told(audit: &Value) -> Vec<(String, String, u64)> {
    let findings = audit["findings"].as_array().unwrap().iter();
    let told = findings.map(|finding| {
        let word = |name: &str| finding[name].as_str().unwrap().to_owned();
        (word("rule"), word("severity"), finding["count"].as_u64().unwrap())
    });
    let mut told: Vec<_> = told.collect();
    told.sort();
    told
}

#[test]
#[ignore = "long"]
fn sarif_says_what_the_json_says() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = with_program(true);
    let expected = told(&json(&audit(&sandbox, "--format json")));
    assert!(expected.contains(&("R54".to_owned(), "high".to_owned(), 1)), "{expected:?}");
    let log = json(&audit(&sandbox, "--full --format sarif"));
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap().iter();
    let mut found: Vec<_> = results
        .map(|result| {
            assert_eq!(result["properties"]["count"], result["occurrenceCount"]);
            let severity = match result["level"].as_str().unwrap() {
                "error" => "high",
                "warning" => "warn",
                _ => "info",
            };
            let rule = result["ruleId"].as_str().unwrap().to_owned();
            (rule, severity.to_owned(), result["occurrenceCount"].as_u64().unwrap())
        })
        .collect();
    found.sort();
    let rules = |all: &[(String, String, u64)]| all.iter().map(|(rule, ..)| rule.clone()).collect::<Vec<_>>();
    assert_eq!(rules(&found), rules(&expected));
    let counts = |all: &[(String, String, u64)]| all.iter().map(|(_, _, count)| *count).collect::<Vec<_>>();
    assert_eq!(counts(&found), counts(&expected));
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["commandLine"], "fathom audit -- /usr/bin/python3 -S -E w.py");
    assert_eq!(invocation["properties"]["auditedExitCode"], 7);
    let prints = |log: &Value| -> Vec<Value> {
        let results = log["runs"][0]["results"].as_array().unwrap();
        let mut prints: Vec<_> = results.iter().map(|result| result["partialFingerprints"].clone()).collect();
        prints.sort_by_key(Value::to_string);
        prints
    };
    let unpriced = with_program(false);
    let [one, other] = [(); 2].map(|()| prints(&json(&live(&unpriced, "--format sarif"))));
    assert_eq!(one, other, "known again in the next run");
}

#[test]
fn json_follows_its_schema_and_is_shown_again() {
    if !has(Capability::SystemPython) {
        return;
    }
    let schema = fs::read_to_string(workspace().join("docs/audit.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&json(&schema)).unwrap();
    let sandbox = with_program(false);
    let text = audit(&sandbox, "--format json");
    let value = json(&text);
    let errors: Vec<_> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
    assert_eq!(errors, Vec::<String>::new());
    let mut broken = value.clone();
    broken["findings"][0]["rule"] = "thirteen".into();
    assert!(!validator.is_valid(&broken), "the schema says nothing");

    sandbox.write("a.json", &text);
    let shown = |words: &str| {
        let output = sandbox.fathom(words).assert().code(0).get_output().stdout.clone();
        String::from_utf8(output).unwrap()
    };
    assert_eq!(json(&shown("show a.json --format json")), value);
    let printed = shown("show a.json");
    assert!(printed.contains("ended     exit 7") && printed.contains("R54 high: "), "{printed}");
    sandbox.fathom("report a.json -o page.html").assert().code(0);
    assert_eq!(shown("show page.html"), printed, "the page holds the audit");
    let full = shown("show a.json --full");
    assert!(full.contains("first in process") && full.len() > printed.len(), "{full}");
    // What is about experiments names what it got instead.
    sandbox.fathom("export a.json --format csv").assert().code(2).stderr(says("is an audit, not a record"));
}

#[test]
fn a_line_for_each_finding_is_for_editors() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = with_program(false);
    let findings = told(&json(&audit(&sandbox, "--format json")));
    let lines = audit(&sandbox, "--format short");
    assert_eq!(lines.lines().count(), findings.len(), "{lines}");
    for line in lines.lines() {
        let (place, rest) = line.split_once(": R").unwrap_or_else(|| panic!("{line}"));
        assert!(place.starts_with('/') && rest.contains(" times") || rest.contains(" time"), "{line}");
    }
    sandbox.fathom("audit --format short -- true").assert().code(0).stdout(is_empty());
}

#[test]
#[ignore = "long"]
fn markdown_and_pages_have_every_finding() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = with_program(true);
    let findings = told(&json(&audit(&sandbox, "--format json")));
    let comment = audit(&sandbox, "--format markdown");
    let page = audit(&sandbox, "--format html");
    assert!(comment.starts_with("### Audit of /usr/bin/python3 -S -E w.py\n"), "{comment}");
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert_eq!(comment.matches("<details><summary><b>R").count(), findings.len());
    assert_eq!(page.matches("<article class=\"finding").count(), findings.len());
    for (rule, _, _) in &findings {
        assert!(comment.contains(&format!("| {rule} ")) && page.contains(&format!(">{rule}</a> ")), "{rule}");
    }
    for words in [" untraced, ", "1. `newfstatat(", "- fix: "] {
        assert!(comment.contains(words), "{words}: {comment}");
    }
    for outside in ["src=\"http", "href=\"http", "url(http", "@import", "<link", "<iframe", "<img"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn an_audit_stands_behind_the_records_of_a_report() {
    let sandbox = Sandbox::new();
    fs::copy(workspace().join("docs/samples/open-go.json"), sandbox.file("r.json")).unwrap();
    sandbox.fathom("audit --format json -o a.json -- true").assert().code(0);
    sandbox.fathom("report r.json a.json -o both.html").assert().code(0);
    let page = fs::read_to_string(sandbox.file("both.html")).unwrap();
    let at = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words} is not there"));
    assert!(at("Audit of true") < at("id=\"method\"") && at("r.json.xz") < at("a.json.xz"));
    let wrong = sandbox.fathom("report a.json --before r.json -o b.html").assert().code(2);
    wrong.stderr(says("there is no record for --before"));
}

#[test]
fn color_is_for_terminals_and_for_who_asks() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = with_program(false);
    let shown = |script: &str| String::from_utf8(sandbox.shell(script).stdout).unwrap();
    let program = "/usr/bin/python3 -S -E w.py";
    let plain = shown(&format!("fathom audit -- {program}"));
    assert!(plain.contains("R54 high") && !plain.contains('\u{1b}'), "{plain}");
    let asked = shown(&format!("fathom --color always audit -- {program}"));
    assert!(asked.contains("\u{1b}["), "{asked}");
    let script = format!("fathom --color always audit -o a.txt -- {program}; cat a.txt");
    assert!(!shown(&script).contains('\u{1b}'), "a file is no terminal");
    for columns in ["60", "80", "120"] {
        let text = shown(&format!("COLUMNS={columns} fathom audit -- {program}"));
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= columns.parse::<usize>().unwrap().max(80), "{widest} of {columns}:\n{text}");
    }
}

/// Errors and warnings of the validator, by SARIF's rules and those of GitHub's code scanning.
fn refused(sandbox: &Sandbox, sarif: &str) -> Vec<String> {
    let validator = std::env::var("SARIF_MULTITOOL").unwrap_or_default();
    let done = std::process::Command::new(validator)
        .args(["validate", sarif, "--rule-kind", "Sarif;Ghas", "--output", "validated.sarif"])
        .args(["--log", "ForceOverwrite"])
        .current_dir(sandbox.path())
        // It needs no ICU then.
        .env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1")
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
    let log: Value = serde_json::from_slice(&fs::read(sandbox.file("validated.sarif")).unwrap()).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let is_refusal = |result: &&Value| result["level"].as_str() != Some("note");
    results.iter().filter(is_refusal).map(ToString::to_string).collect()
}

#[test]
#[ignore = "needs a validator"]
fn sarif_passes_the_rules_of_code_hosts() {
    if !has(Capability::SarifMultitool) || !has(Capability::SystemPython) {
        return;
    }
    let sandbox = with_program(false);
    for (name, options, command) in [
        ("plain", "", "/usr/bin/python3 -S -E w.py"),
        ("stacks", "--stacks", "/usr/bin/python3 -S -E w.py"),
        ("none", "", "true"),
        (
            "budgets",
            "--assert 'open <= 5' --assert 'fsync == 0' --assert 'price <= 1ms'",
            "/usr/bin/python3 -S -E w.py",
        ),
    ] {
        let line = format!("fathom audit --no-config {options} --format sarif -o {name}.sarif -- {command}");
        let code = sandbox.shell(&line).status.code();
        assert!(matches!(code, Some(0 | 1 | 3)), "{name}: {code:?}");
        assert_eq!(refused(&sandbox, &format!("{name}.sarif")), [] as [String; 0], "{name}");
    }
    // The validator sees what hosts refuse.
    let mut broken: Value = serde_json::from_slice(&fs::read(sandbox.file("plain.sarif")).unwrap()).unwrap();
    broken["runs"][0]["results"][0].as_object_mut().unwrap().remove("locations");
    fs::write(sandbox.file("broken.sarif"), broken.to_string()).unwrap();
    assert!(!refused(&sandbox, "broken.sarif").is_empty());
}
