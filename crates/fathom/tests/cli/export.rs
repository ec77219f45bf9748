//! `fathom export`: every form is given to a reader that is not ours, which
//! finds the record's own numbers in it.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says, workspace};
use fathom_model::{Comparison, Reading, Record, VariantSummary};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::is_empty;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const FORMS: [&str; 8] = [
    "benchfmt",
    "csv",
    "markdown",
    "github-action-benchmark",
    "openmetrics",
    "bencher",
    "hyperfine",
    "junit",
];

/// Reads one form by Python's own parsers and prints a line per variant: its
/// name, its time in ns and its calls per operation, each `-` where there is none.
const READER: &str = r#"
import csv, json, re, sys, xml.etree.ElementTree as xml
def refuse(word): raise ValueError(word)
form, path = sys.argv[1:]
def show(name, time, calls): print(name, "-" if time in (None, "") else repr(float(time)), "-" if calls in (None, "") else repr(float(calls)), sep="\t")
load = lambda: json.load(open(path), parse_constant=refuse)
if form == "csv":
    for row in csv.DictReader(open(path, newline="")):
        assert None not in row and None not in row.values(), row
        if row["name"]: show(row["name"], row["time_ns"], row["calls_per_operation"])
elif form == "bencher":
    for name, measures in load().items():
        for measure in measures.values():
            assert measure.get("lower_value", measure["value"]) <= measure["value"] <= measure.get("upper_value", measure["value"]), measure
        value = lambda which: measures.get(which, {}).get("value")
        show(name, value("latency"), value("system-calls"))
elif form == "github-action-benchmark":
    times, calls = {}, {}
    for entry in load():
        (times if entry["unit"] == "ns/op" else calls)[entry["name"].removesuffix(": system calls")] = entry["value"]
    for name in dict.fromkeys([*times, *calls]): show(name, times.get(name), calls.get(name))
elif form == "hyperfine":
    for result in load()["results"]:
        assert len(result["times"]) == len(result["exit_codes"]) and min(result["times"]) == result["min"], result
        show(result["command"], round(result["median"] * 1e9, 6), None)
elif form == "junit":
    for case in xml.parse(path).getroot().iter("testcase"):
        out = case.findtext("system-out") or ""
        find = lambda pattern: (re.search(pattern, out) or [None, None])[1]
        has = {each.get("name"): each.get("value") for each in case.iter("property")}
        assert find(r"(?m)^time: (\S+)") == has.get("ns-per-operation"), (out, has)
        assert "ns-per-operation" not in has or float(case.get("time")) > 0, case.attrib
        if out: show(case.get("name"), has.get("ns-per-operation"), find(r"(?m)^system calls: (\S+)"))
"#;

fn sample() -> String {
    workspace().join("docs/samples/open-go.json").display().to_string()
}

fn sample_record() -> Record {
    serde_json::from_str(&fs::read_to_string(sample()).unwrap()).unwrap()
}

/// Standard output of an export that must succeed.
fn exported(sandbox: &Sandbox, record: &str, form: &str) -> String {
    let assert = sandbox.fathom(&format!("export {record} --format {form}")).assert().code(0);
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

/// What Python's parsers find in `out/FORM`.
fn read_by_python(sandbox: &Sandbox, reader: &Path, form: &str) -> String {
    let mut python = sandbox.command("python3");
    let assert = python.arg(reader).args([form, &format!("out/{form}")]).assert().code(0);
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

fn summary(comparison: &Comparison, index: usize) -> Option<&VariantSummary> {
    comparison.summaries.get(index).and_then(Reading::value)
}

#[test]
fn python_finds_the_record_s_numbers_in_every_form() {
    if !has(Capability::Python) {
        return;
    }
    let sandbox = Sandbox::new();
    let reader = sandbox.write("reader.py", READER);
    let comparison = sample_record().experiments.remove(0).comparisons.remove(0);
    let mut names: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for form in ["csv", "github-action-benchmark", "bencher", "hyperfine", "junit"] {
        sandbox.fathom(&format!("export {} --format {form} -o out/{form}", sample())).assert().code(0);
        let text = read_by_python(&sandbox, &reader, form);
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
        assert_eq!(lines.len(), comparison.variants.len(), "{form}:\n{text}");
        for (index, variant) in comparison.variants.iter().enumerate() {
            let method = format!(" {} ", variant.method);
            let fitting: Vec<_> = lines.iter().filter(|line| line[0].contains(&method)).collect();
            assert_eq!(fitting.len(), 1, "{form}: {method}:\n{text}");
            let [name, time, calls] = fitting[0][..] else { panic!("{form}: {fitting:?}") };
            names.entry(name.to_owned()).or_default().insert(form);
            let expected = summary(&comparison, index).unwrap().time_ns.value;
            let time: f64 = time.parse().unwrap();
            // Hyperfine's form is in seconds; the others have every digit.
            let tolerance = if form == "hyperfine" { 1e-6 } else { 0.0 };
            assert!((time - expected).abs() <= tolerance, "{form}: {method}: {time} {expected}");
            if form != "hyperfine" {
                let counted = comparison.counts[index].value().unwrap().calls_per_operation();
                assert_eq!(calls.parse::<f64>().ok(), Some(counted), "{form}: {method}");
            }
        }
    }
    assert!(names.values().all(|forms| forms.len() == 5), "one name in all forms: {names:?}");
}

#[test]
fn awkward_texts_and_a_fault_survive_every_reader() {
    if !has(Capability::Python) {
        return;
    }
    let mut record = sample_record();
    let experiment = &mut record.experiments[0];
    "a \"b\", c|d;\n<e> & \u{1} ä".clone_into(&mut experiment.name);
    let comparison = &mut experiment.comparisons[0];
    let Reading::Value(control) = &mut comparison.control else { panic!("no control") };
    control.instrument_fault = true;
    comparison.summaries[0] = Reading::unavailable("no, \"sample\" <was> kept");
    comparison.counts[0] = Reading::unavailable("ptrace,\nrefused");
    let variants = comparison.variants.len();
    let sandbox = Sandbox::new();
    sandbox.write("awkward.json", &serde_json::to_string(&record).unwrap());
    let reader = sandbox.write("reader.py", READER);
    for (form, lines) in [
        ("csv", variants),
        ("github-action-benchmark", variants - 1),
        ("bencher", variants - 1),
        ("hyperfine", variants - 1),
        ("junit", variants),
    ] {
        let words = format!("export awkward.json --format {form} -o out/{form}");
        sandbox.fathom(&words).assert().code(0).stderr(says("the A/A control is at fault"));
        let text = read_by_python(&sandbox, &reader, form);
        assert_eq!(text.lines().count(), lines, "{form}:\n{text}");
        let ratio = fs::read_to_string(sandbox.file(&format!("out/{form}"))).unwrap().contains("\"ratio\"");
        assert!(!ratio, "{form} has a ratio that is not to be used");
    }
    if has(Capability::Benchstat) {
        sandbox.fathom("export awkward.json --format benchfmt -o fault.txt").assert().code(0);
        let assert = sandbox.command("benchstat").args(["-row", "/method", "fault.txt"]).assert().code(0);
        assert.stdout(says("aa-control: fault")).stderr(is_empty());
    }
}

#[test]
fn benchstat_reads_it_and_compares_a_record_with_itself() {
    if !has(Capability::Benchstat) {
        return;
    }
    let sandbox = Sandbox::new();
    for name in ["old", "new"] {
        sandbox.fathom(&format!("export {} --format benchfmt -o {name}.txt", sample())).assert().code(0);
    }
    let mut benchstat = sandbox.command("benchstat");
    let words = ["-format", "csv", "-row", "/method", "old.txt", "new.txt"];
    let assert = benchstat.args(words).assert().code(0);
    let output = assert.get_output();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    // Nothing about lines it could not read, or counts that are not exact.
    assert!(!err.contains("old.txt:") && !err.contains("exact"), "{err}");
    let comparison = sample_record().experiments.remove(0).comparisons.remove(0);
    for (index, variant) in comparison.variants.iter().enumerate() {
        let row = |unit: &str| {
            let table = out.split("\n\n").find(|table| table.contains(unit));
            let table = table.unwrap_or_else(|| panic!("no {unit} in:\n{out}"));
            let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
            let fits = |cells: &Vec<&str>| cells.first() == Some(&variant.method.to_string().as_str());
            lines.find(fits).unwrap_or_else(|| panic!("no {} in:\n{table}", variant.method))
        };
        let time = row("sec/op");
        let expected = summary(&comparison, index).unwrap().time_ns.value;
        assert!((time[1].parse::<f64>().unwrap() * 1e9 / expected - 1.0).abs() < 1e-6, "{time:?} {expected}");
        assert!(time.contains(&"~"), "no difference to itself: {time:?}");
        let calls = row("syscalls/op");
        let counted = comparison.counts[index].value().unwrap().calls_per_operation();
        assert_eq!(calls[1].parse::<f64>().ok(), Some(counted), "{calls:?}");
    }
}

#[test]
fn a_fresh_record_has_every_form_and_names_stay_the_same() {
    let sandbox = Sandbox::new();
    for (name, methods) in [("one", "native:open,native:openat"), ("two", "native:openat,native:fopen")] {
        let words = format!("bench open-close --methods {methods} --time 0.2 -o {name}.json");
        sandbox.fathom(&words).assert().code(0);
    }
    for form in FORMS {
        let text = exported(&sandbox, "one.json", form);
        assert!(text.contains("native:openat") && text.ends_with('\n'), "{form}:\n{text}");
        assert!(!text.contains("NaN") && !text.contains("Infinity"), "{form}:\n{text}");
        sandbox
            .fathom(&format!("export one.json --format {form} -o {form}.out"))
            .assert()
            .code(0)
            .stdout(is_empty());
        assert_eq!(fs::read_to_string(sandbox.file(&format!("{form}.out"))).unwrap(), text, "{form}");
    }
    let names = |record: &str| -> BTreeSet<String> {
        let value: serde_json::Value = serde_json::from_str(&exported(&sandbox, record, "bencher")).unwrap();
        value.as_object().unwrap().keys().cloned().collect()
    };
    let both: BTreeSet<_> = names("one.json").intersection(&names("two.json")).cloned().collect();
    assert!(both.len() == 1 && both.first().unwrap().contains("native:openat"), "{both:?}");
}

#[test]
fn counts_alone_are_exported_where_a_form_has_room_for_them() {
    let sandbox = Sandbox::new();
    sandbox.fathom("bench open-close --methods native:open --counts-only -o r.json").assert().code(0);
    assert!(exported(&sandbox, "r.json", "benchfmt").contains(" 2 syscalls/op"));
    assert!(exported(&sandbox, "r.json", "csv").contains(",counted,"));
    let refused = sandbox.fathom("export r.json --format hyperfine").assert().code(2).stdout(is_empty());
    refused.stderr(says("r.json cannot be exported in this form: it holds no times"));
}

#[test]
fn mistakes_are_named_and_the_record_is_not_replaced() {
    let sandbox = Sandbox::new();
    let record = fs::read_to_string(sample()).unwrap();
    sandbox.write("r.json", &record);
    sandbox.write("foreign.json", "{\"a\": 1}");
    let itself = sandbox.fathom("export r.json --format csv -o ./r.json").assert().code(2);
    itself.stderr(says("r.json is the record itself"));
    assert_eq!(fs::read_to_string(sandbox.file("r.json")).unwrap(), record);
    let foreign = sandbox.fathom("export foreign.json --format csv").assert().code(2).stdout(is_empty());
    foreign.stderr(says("foreign.json is not a Fathom record"));
    let unknown = sandbox.fathom("export r.json --format cvs").assert().code(2).stdout(is_empty());
    unknown.stderr(says("cvs").and(says("possible values: benchfmt, csv")));
    sandbox.fathom("export r.json").assert().code(2).stderr(says("--format"));
}
