//! Figures for dashboards, of every command that writes them: read by the Prometheus project's own
//! parser of `OpenMetrics`, and by Python's JSON for github-action-benchmark.

#![expect(clippy::unwrap_used, reason = "a test")]
#![expect(clippy::float_cmp, reason = "a test")]

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, program, says, workspace};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// Prints each sample that the strict parser finds, as `NAME{LABEL=VALUE,…} VALUE`.
const READER: &str = r#"
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
for family in parse(open(sys.argv[1], newline="").read()):
    assert family.documentation, family
    for sample in family.samples:
        labels = ",".join(f"{key}={value}" for key, value in sorted(sample.labels.items()))
        print(sample.name + "{" + labels + "} " + repr(sample.value))
"#;

/// What the parser finds in a file, by name and labels.
fn read(sandbox: &Sandbox, file: &str) -> BTreeMap<String, f64> {
    let reader = sandbox.write("reader.py", READER);
    let assert = sandbox.command("python3").arg(reader).arg(file).assert().code(0);
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let sample = |line: &str| {
        let (name, value) = line.rsplit_once(' ').unwrap();
        (name.to_owned(), value.parse().unwrap())
    };
    let samples: BTreeMap<_, _> = text.lines().map(sample).collect();
    assert_eq!(samples.len(), text.lines().count(), "each occurs once:\n{text}");
    samples
}

fn entries(sandbox: &Sandbox, file: &str) -> Vec<Value> {
    serde_json::from_str(&fs::read_to_string(sandbox.file(file)).unwrap()).unwrap()
}

/// The one value whose series begins with this and holds all of these.
fn one(samples: &BTreeMap<String, f64>, start: &str, parts: &[&str]) -> f64 {
    let fits = |name: &&String| name.starts_with(start) && parts.iter().all(|part| name.contains(part));
    let found: Vec<_> = samples.keys().filter(fits).collect();
    assert_eq!(found.len(), 1, "{start} {parts:?}: {samples:?}");
    samples[found[0]]
}

#[test]
fn prometheus_reads_a_record_with_its_own_figures() {
    if !has(Capability::PrometheusClient) {
        return;
    }
    let sandbox = Sandbox::new();
    let record = workspace().join("docs/samples/open-go.json");
    sandbox.fathom(&format!("export {} --format openmetrics -o r.prom", record.display())).assert().code(0);
    let samples = read(&sandbox, "r.prom");
    let record: Value = serde_json::from_str(&fs::read_to_string(record).unwrap()).unwrap();
    let comparison = &record["experiments"][0]["comparisons"][0];
    for (index, variant) in comparison["variants"].as_array().unwrap().iter().enumerate() {
        let method = format!("method={},", variant["method"].as_str().unwrap());
        let time = one(&samples, "fathom_operation_time_seconds{", &[&method]);
        let expected = comparison["summaries"][index]["value"]["time_ns"]["value"].as_f64().unwrap();
        assert!((time * 1e9 / expected - 1.0).abs() < 1e-12, "{method} {time} {expected}");
        let [low, high] = ["low", "high"]
            .map(|end| one(&samples, &format!("fathom_operation_time_{end}_seconds{{"), &[&method]));
        assert!(low <= time && time <= high, "{low} {time} {high}");
        assert_eq!(one(&samples, "fathom_measured{", &[&method]), 1.0);
    }
}

#[test]
fn a_count_has_the_same_calls_in_every_form() {
    let sandbox = Sandbox::new();
    sandbox.write("a, first \"b\".txt", "some words");
    let words = |form: &str| {
        let mut fathom = sandbox.command(program());
        let out = format!("count.{form}");
        fathom.args([
            "count",
            "--no-prices",
            "--format",
            form,
            "-o",
            &out,
            "--",
            "cat",
            "a, first \"b\".txt",
        ]);
        fathom.assert().code(0);
        out
    };
    let csv = fs::read_to_string(sandbox.file(&words("csv"))).unwrap();
    let row = csv.lines().find(|line| line.starts_with("openat,,")).unwrap_or_else(|| panic!("{csv}"));
    let calls: f64 = row.split(',').nth(2).unwrap().parse().unwrap();
    let markdown = fs::read_to_string(sandbox.file(&words("markdown"))).unwrap();
    assert!(markdown.contains(&format!("| openat |  | {calls} |")), "{markdown}");
    let entries = entries(&sandbox, &words("github-action-benchmark"));
    let name = "cat a, first \"b\".txt: openat";
    let entry = entries.iter().find(|entry| entry["name"] == name).unwrap_or_else(|| panic!("{entries:?}"));
    assert_eq!((entry["value"].as_f64(), &entry["unit"]), (Some(calls), &Value::from("calls")));
    if has(Capability::PrometheusClient) {
        let samples = read(&sandbox, &words("openmetrics"));
        let labels = ["call=openat,", "command=cat a, first \"b\".txt,", "outcome=}"];
        assert_eq!(one(&samples, "fathom_system_calls{", &labels), calls);
    }
}

/// Looks twice at each of three files; the second time is waste.
const WASTEFUL: &str = "for f in a b c; do stat $f; stat $f; cat $f; done >/dev/null";

#[test]
fn an_audit_and_two_audits_have_figures() {
    let sandbox = Sandbox::new();
    for name in ["a", "b", "c"] {
        sandbox.write(name, "words");
    }
    sandbox.write("w.sh", WASTEFUL);
    sandbox.write("v.sh", "cat a b c");
    for (script, events) in [("w.sh", "before.events"), ("v.sh", "after.events")] {
        sandbox.fathom(&format!("trace -o {events} -- sh {script}")).assert().code(0);
    }
    let audit = |form: &str| {
        let mut fathom =
            sandbox.fathom(&format!("audit --format {form} -o audit.{form} --from before.events"));
        let code = fathom.assert().get_output().status.code();
        assert!(matches!(code, Some(0 | 1)), "{form}: {code:?}");
        format!("audit.{form}")
    };
    let json: Value =
        serde_json::from_str(&fs::read_to_string(sandbox.file(&audit("json"))).unwrap()).unwrap();
    let is_of_memory = |call: &Value| call["flags"] == "MAP_ANONYMOUS";
    let of_files = json["calls"].as_array().unwrap().iter().filter(|call| !is_of_memory(call));
    let calls: f64 = of_files.map(|call| call["count"].as_f64().unwrap()).sum();
    let findings = json["findings"].as_array().unwrap();
    let entries_of_audit = entries(&sandbox, &audit("github-action-benchmark"));
    let unit = |unit: &str| entries_of_audit.iter().filter(|entry| entry["unit"] == unit).collect::<Vec<_>>();
    assert_eq!(unit("calls")[0]["value"].as_f64(), Some(calls));
    assert_eq!(unit("times").len(), findings.len());
    let by_severity: f64 = unit("findings").iter().map(|entry| entry["value"].as_f64().unwrap()).sum();
    assert_eq!((unit("findings").len(), by_severity), (3, findings.len() as f64), "none is a 0 too");
    let csv = fs::read_to_string(sandbox.file(&audit("csv"))).unwrap();
    let rows = csv.lines().filter(|line| line.starts_with("finding,")).count();
    assert_eq!(rows, findings.len(), "{csv}");
    for form in ["github-action-benchmark", "openmetrics"] {
        let words = format!("audit diff before.events after.events --format {form} -o diff.{form}");
        sandbox.fathom(&words).assert().code(0);
    }
    let difference = entries(&sandbox, "diff.github-action-benchmark");
    let all =
        difference.iter().find(|entry| entry["name"].as_str().unwrap().ends_with("file calls")).unwrap();
    assert!(all["extra"].as_str().unwrap().contains(&format!("before: {calls}")), "{all}");
    if has(Capability::PrometheusClient) {
        let samples = read(&sandbox, &audit("openmetrics"));
        assert_eq!(one(&samples, "fathom_all_system_calls{", &[]), calls);
        let before = one(&read(&sandbox, "diff.openmetrics"), "fathom_all_system_calls{", &["side=before"]);
        assert_eq!(before, calls);
    }
}

#[test]
fn a_comparison_has_figures_and_gates() {
    let sandbox = Sandbox::new();
    let record = workspace().join("docs/samples/open-go.json").display().to_string();
    let words = |form: &str| {
        let mut fathom = sandbox.fathom(&format!("compare {record} {record} --format {form} --fail-on"));
        let assert = fathom.arg("calls > +0").assert().code(0);
        let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
        sandbox.write(&format!("c.{form}"), &text);
        format!("c.{form}")
    };
    let entries = entries(&sandbox, &words("github-action-benchmark"));
    let gate = entries.iter().find(|entry| entry["unit"] == "0 or 1").unwrap();
    assert_eq!((gate["name"].as_str(), gate["value"].as_f64()), (Some("gate calls > +0"), Some(0.0)));
    let times = entries.iter().filter(|entry| entry["unit"] == "ns/op");
    assert!(times.clone().count() > 1, "{entries:?}");
    for time in times {
        assert!(time["extra"].as_str().unwrap().contains("before: "), "{time}");
    }
    if has(Capability::PrometheusClient) {
        let samples = read(&sandbox, &words("openmetrics"));
        assert_eq!(one(&samples, "fathom_not_met{", &["gate=calls > +0", "verdict=holds"]), 0.0);
    }
}

#[test]
fn nothing_compared_is_no_figure_and_has_its_exit_code() {
    let sandbox = Sandbox::new();
    let mut record: Value =
        serde_json::from_str(&fs::read_to_string(workspace().join("docs/samples/open-go.json")).unwrap())
            .unwrap();
    sandbox.write("a.json", &record.to_string());
    record["experiments"] = Value::Array(Vec::new());
    sandbox.write("b.json", &record.to_string());
    let words = "compare a.json b.json --format github-action-benchmark";
    sandbox.fathom(words).assert().code(4).stdout(predicates::str::is_empty());
    sandbox
        .fathom("export b.json --format openmetrics")
        .assert()
        .code(2)
        .stderr(says("it holds neither times nor counts"));
}
