//! `fathom export --into`: a collection of Parquet files, appended, queried by other engines, and drawn by
//! `fathom report --from`.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says, workspace};
use fathom_model::{Reading, Record};
use predicates::prelude::PredicateBooleanExt;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The sample of `create` on four ranks, as of this host.
fn create_record(sandbox: &Sandbox, name: &str, host: &str) -> Record {
    let path = workspace().join("docs/samples/scale/scale-create-4.json");
    let mut record: Record = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    record.environment.host = Reading::Value(host.to_owned());
    sandbox.write(name, &serde_json::to_string(&record).unwrap());
    record
}

fn two_hosts(sandbox: &Sandbox) {
    for host in ["node1", "node2"] {
        let name = format!("{host}.json");
        create_record(sandbox, &name, host);
        sandbox.fathom(&format!("export {name} --format parquet --into all")).assert().code(0);
    }
}

fn files_below(at: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(at).into_iter().flatten().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

/// The blocks of docs/records-as-data.md in this language.
fn documented(language: &str) -> Vec<String> {
    let document = fs::read_to_string(workspace().join("docs/records-as-data.md")).unwrap();
    let fence = format!("```{language}\n");
    let blocks = document.split(&fence).skip(1);
    blocks.map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

/// What Python prints of rows, one a line.
fn rows(sandbox: &Sandbox, script: &str) -> Vec<Vec<String>> {
    let script = sandbox.write("query.py", &format!("{script}\nfor row in rows: print(*row, sep='\\t')\n"));
    let assert = sandbox.command("python3").arg(script).assert().code(0);
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn by_duckdb(sandbox: &Sandbox, query: &str) -> Vec<Vec<String>> {
    rows(sandbox, &format!("import duckdb\nrows = duckdb.sql(\"\"\"{query}\"\"\").fetchall()"))
}

/// The 99th percentile of the record's own batches, by linear interpolation.
fn p99(record: &Record) -> f64 {
    let comparison = &record.experiments[0].comparisons[0];
    let is_own = |arm: &fathom_model::Arm| matches!(arm.kind, fathom_model::ArmKind::Variant(_));
    let mut times: Vec<f64> = Vec::new();
    for fork in &comparison.forks {
        for (samples, _) in fork.arms.iter().zip(&comparison.arms).filter(|(_, arm)| is_own(arm)) {
            let operations = fork.operations.iter().map(|&planned| f64::from(samples.operations(planned)));
            times.extend(
                samples.ns.iter().zip(operations).filter_map(|(ns, count)| Some((*ns)? as f64 / count)),
            );
        }
    }
    // Two hosts have the same.
    times.extend_from_within(..);
    times.sort_by(f64::total_cmp);
    // In hundredths, so that nothing is rounded.
    let at = 99 * (times.len() - 1);
    let (below, above) = (times[at / 100], times[at.div_ceil(100)]);
    below + (above - below) * (at % 100) as f64 / 100.0
}

fn assert_p99(sandbox: &Sandbox, rows: &[Vec<String>]) {
    let record: Record = serde_json::from_slice(&fs::read(sandbox.file("node1.json")).unwrap()).unwrap();
    let [row] = rows else { panic!("{rows:?}") };
    assert_eq!(row[..3], [record.places[0].file_system.as_str(), "4", "2"]);
    let (found, right) = (row[3].parse::<f64>().unwrap(), p99(&record));
    assert!((found / right - 1.0).abs() < 1e-9, "{found} {right}");
}

#[test]
fn the_documented_queries_answer_in_duckdb() {
    if !has(Capability::DuckDb) {
        return;
    }
    let sandbox = Sandbox::new();
    two_hosts(&sandbox);
    let queries = documented("sql");
    assert_p99(&sandbox, &by_duckdb(&sandbox, &queries[0]));
    let stops = by_duckdb(&sandbox, &queries[1]);
    let hosts: Vec<_> = stops.iter().map(|row| (row[0].as_str(), row[1].as_str())).collect();
    assert_eq!(hosts, [("node1", "ad-hoc"), ("node2", "ad-hoc")]);
    sandbox.fathom("trace --capture ptrace -o app.events -- cat missing").assert().code(1);
    for exit in [0, 4] {
        let words = "export app.events --format parquet --into all --host node3";
        sandbox.fathom(words).assert().code(exit);
    }
    let failed = by_duckdb(&sandbox, &queries[2]);
    let missing = ["node3", "cat", "openat", "ENOENT"];
    assert!(failed.iter().any(|row| row[..4] == missing), "{failed:?}");
    assert_eq!(files_below(&sandbox.file("all/events")).len(), 1);
}

#[test]
fn the_documented_query_answers_in_polars() {
    if !has(Capability::Polars) {
        return;
    }
    let sandbox = Sandbox::new();
    two_hosts(&sandbox);
    assert_p99(&sandbox, &rows(&sandbox, &documented("python polars")[0]));
}

#[test]
fn the_documented_query_answers_in_spark() {
    if !has(Capability::Spark) {
        return;
    }
    let sandbox = Sandbox::new();
    two_hosts(&sandbox);
    assert_p99(&sandbox, &rows(&sandbox, &documented("python spark")[0]));
}

#[test]
fn appending_leaves_what_is_there() {
    let sandbox = Sandbox::new();
    create_record(&sandbox, "a.json", "node1");
    let export = |name: &str| sandbox.fathom(&format!("export {name} --format parquet --into all"));
    export("a.json").assert().code(0).stderr(says("added: all/records/date=").and(says("/host=node1/")));
    let state = || -> BTreeMap<PathBuf, (Vec<u8>, std::time::SystemTime)> {
        let of = |path: PathBuf| {
            let changed = fs::metadata(&path).unwrap().modified().unwrap();
            (path.clone(), (fs::read(path).unwrap(), changed))
        };
        files_below(&sandbox.file("all")).into_iter().map(of).collect()
    };
    let before = state();
    assert_eq!(before.len(), 2);
    export("a.json").assert().code(4).stderr(says("there already, left as it is"));
    assert_eq!(state(), before);
    create_record(&sandbox, "b.json", "node2");
    export("b.json").assert().code(0);
    let after = state();
    assert_eq!(after.len(), 4);
    assert!(before.iter().all(|(path, content)| after.get(path) == Some(content)));
}

#[test]
fn the_page_of_a_collection_is_that_of_its_records() {
    let sandbox = Sandbox::new();
    two_hosts(&sandbox);
    let sample = workspace().join("docs/samples/open-go.json");
    fs::copy(sample, sandbox.file("open.json")).unwrap();
    sandbox.fathom("export open.json --format parquet --into all --host node9").assert().code(0);
    let page = |words: &str| {
        let assert = sandbox.fathom(&format!("report {words} --format md --redact=never")).assert().code(0);
        String::from_utf8(assert.get_output().stdout.clone()).unwrap()
    };
    let names = |text: String, names: [&str; 3]| {
        names.iter().zip(["ONE", "TWO", "THREE"]).fold(text, |text, (name, word)| text.replace(name, word))
    };
    let kept = files_below(&sandbox.file("all/records"));
    let mut stems: Vec<_> = kept.iter().map(|path| path.file_stem().unwrap().to_str().unwrap()).collect();
    stems.sort_unstable();
    let stems: [&str; 3] = stems.try_into().unwrap();
    // By time, and of one time by digest.
    let host_of = |stem: &str| {
        let path = kept.iter().find(|path| path.to_str().unwrap().contains(stem)).unwrap().to_str().unwrap();
        ["node1", "node2", "node9"].into_iter().find(|host| path.contains(&format!("host={host}/"))).unwrap()
    };
    let named = stems.map(|stem| match host_of(stem) {
        "node9" => "open.json",
        "node1" => "node1.json",
        _ => "node2.json",
    });
    let of_files = names(page(&named.join(" ")), named);
    for pattern in ["all/records/**/*.parquet", "all/records", "all", "all/**/*.parquet"] {
        assert_eq!(names(page(&format!("--from {pattern}")), stems), of_files);
    }
}

/// Two hosts with so many experiments together, the second one three times as slow.
fn many_parts(sandbox: &Sandbox, each: usize) {
    for (host, factor) in [("node1", 1.0), ("node2", 3.0)] {
        let name = format!("{host}.json");
        let mut record = create_record(sandbox, &name, host);
        let mut experiment = record.experiments.remove(0);
        for summary in &mut experiment.comparisons[0].summaries {
            if let Reading::Value(summary) = summary {
                summary.time_ns.value *= factor;
            }
        }
        record.experiments = (0..each).map(|_| experiment.clone()).collect();
        for (number, experiment) in record.experiments.iter_mut().enumerate() {
            experiment.name = format!("storm-{number}");
        }
        sandbox.write(&name, &serde_json::to_string(&record).unwrap());
        sandbox.fathom(&format!("export {name} --format parquet --into all")).assert().code(0);
    }
}

#[test]
fn many_records_are_surveyed_in_one_row_each() {
    let sandbox = Sandbox::new();
    many_parts(&sandbox, 101);
    let page = |words: &str| {
        let words = format!("report --from all {words}");
        let assert = sandbox.fathom(&words).assert().code(0);
        String::from_utf8(assert.get_output().stdout.clone()).unwrap()
    };
    let text = page("--format md --redact=never");
    assert!(text.contains("2 records of 2 hosts"), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains("mpi:open+O_CREAT")).count(), 101, "{text}");
    // Between 1 and 3 the median is 2.
    let row = text.lines().find(|line| line.contains("storm-7 ")).unwrap();
    assert!(row.contains("| node2 |") && row.contains("1.50"), "{row}");
    // Nobody's machine is named in a page for everybody, and yet there are two.
    let text = page("--format md");
    assert!(text.contains("2 hosts") && text.contains("| host 2 |") && !text.contains("node2"), "{text}");
    assert!(page("--format html").contains("2 records of 2 hosts"));
    let whole = page("--format md --redact=never --each");
    assert!(!whole.contains("slowest host") && whole.len() > 4 * text.len());
    let beside = sandbox.fathom("report node1.json --from all --format md").assert().code(2);
    beside.stderr(says("--each gives every record its section"));
}

#[test]
fn what_is_no_collection_is_said() {
    let sandbox = Sandbox::new();
    two_hosts(&sandbox);
    let report = |from: &str| sandbox.fathom(&format!("report --from {from} --format md"));
    report("none/**/*.parquet").assert().code(2).stderr(says("no file is named like none/**/*.parquet"));
    report("all/samples").assert().code(2).stderr(says("of the table `records` is none of the files"));
    sandbox
        .fathom("export node1.json --format csv --into all")
        .assert()
        .code(2)
        .stderr(says("Parquet files"));
    sandbox.fathom("export node1.json --format parquet --host x").assert().code(2).stderr(says("--into"));
}

#[test]
fn redacted_records_do_not_name_their_host() {
    let sandbox = Sandbox::new();
    create_record(&sandbox, "a.json", "some-node");
    let words = "export a.json --format parquet --into all --redact=always";
    sandbox.fathom(words).assert().code(0).stderr(says("/host=unknown/"));
    sandbox.fathom("report a.json -o page.html").assert().code(0);
    sandbox.fathom("show page.html --format json").assert().code(0).stdout(says("some-node").not());
}
