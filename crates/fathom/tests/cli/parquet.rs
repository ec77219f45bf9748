//! `fathom export --format parquet`: bytes to files and pipes and never to a
//! terminal, read by a reader that is not ours.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says, workspace};
use fathom_model::{ArmKind, Fork, Reading, Record, Setting, SettingValue};
use predicates::str::is_empty;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStringExt;

/// Prints what `DuckDB` finds in samples.parquet: rows, sums, nulls, facts, and the
/// answer to a query of the document.
const READER: &str = r#"
import duckdb, sys
query = sys.argv[1]
for line in duckdb.sql("""SELECT arm, count(*), count(ns), sum(ns), sum(operations), count(preempted), count(name)
    FROM 'samples.parquet' GROUP BY arm ORDER BY arm""").fetchall(): print("arm", *line, sep="\t")
for key, value in duckdb.sql("SELECT key, value FROM parquet_kv_metadata('samples.parquet')").fetchall():
    print("fact", key.decode(), value.decode(), sep="\t")
for name, ns in duckdb.sql(query).fetchall(): print("time", name, repr(ns), sep="\t")
ratio = """SELECT variant, exp(median(t)) FROM (SELECT a.variant, fork, median(ln(a.ns_per_operation / b.ns_per_operation)) AS t
    FROM 'samples.parquet' a JOIN 'samples.parquet' b USING (experiment, comparison, fork, block)
    WHERE a.arm = 'variant' AND b.baseline GROUP BY ALL) GROUP BY variant"""
for variant, value in duckdb.sql(ratio).fetchall(): print("ratio", variant, repr(value), sep="\t")
"#;

fn sample_record() -> (String, Record) {
    let path = workspace().join("docs/samples/open-go.json");
    let record = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    (path.display().to_string(), record)
}

/// The query that docs/exporting.md gives to `DuckDB`.
fn documented_query() -> String {
    let document = fs::read_to_string(workspace().join("docs/exporting.md")).unwrap();
    let line = document.lines().find_map(|line| line.strip_prefix("duckdb -c \"")).unwrap();
    line.strip_suffix('"').unwrap().to_owned()
}

#[test]
fn duckdb_finds_every_sample_and_the_record_s_times() {
    if !has(Capability::DuckDb) {
        return;
    }
    let sandbox = Sandbox::new();
    let (path, record) = sample_record();
    sandbox.fathom(&format!("export {path} --format parquet -o samples.parquet")).assert().code(0);
    let reader = sandbox.write("reader.py", READER);
    let mut python = sandbox.command("python3");
    let assert = python.arg(reader).arg(documented_query()).assert().code(0).stderr(is_empty());
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let found = |kind: &str| -> Vec<Vec<&str>> {
        let lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        lines.filter(|words| words[0] == kind).map(|words| words[1..].to_vec()).collect()
    };
    assert_eq!(found("arm"), counted(&record), "rows, kept samples, ns, operations, preempted, named");
    let facts: BTreeMap<_, _> = found("fact").iter().map(|words| (words[0], words[1])).collect();
    assert_eq!(facts["fathom.seed"], record.seed);
    assert_eq!(facts["fathom.schema_version"], record.schema_version.to_string());
    let comparison = &record.experiments[0].comparisons[0];
    let (times, ratios) = (found("time"), found("ratio"));
    assert_eq!((times.len(), ratios.len()), (comparison.variants.len(), comparison.variants.len()));
    for (index, variant) in comparison.variants.iter().enumerate() {
        let Reading::Value(summary) = &comparison.summaries[index] else { panic!("{variant:?}") };
        let method = format!(" {} ", variant.method);
        let time = times.iter().find(|words| words[0].contains(&method)).unwrap();
        let time: f64 = time[1].parse().unwrap();
        assert!((time / summary.time_ns.value - 1.0).abs() < 1e-9, "{method}: {time}");
        let ratio = ratios.iter().find(|words| words[0] == index.to_string()).unwrap();
        let ratio: f64 = ratio[1].parse().unwrap();
        let expected = summary.ratio.map_or(1.0, |ratio| ratio.value);
        assert!((ratio / expected - 1.0).abs() < 1e-9, "{method}: {ratio} {expected}");
    }
}

/// The query over many records that docs/exporting.md gives.
fn query_over_hosts() -> String {
    let document = fs::read_to_string(workspace().join("docs/exporting.md")).unwrap();
    let mut lines = document.lines().filter_map(|line| line.strip_prefix("duckdb -c \""));
    lines.find(|line| line.contains("ranks")).and_then(|line| line.strip_suffix('"')).unwrap().to_owned()
}

#[test]
fn many_records_are_one_table_by_file_system_and_ranks() {
    if !has(Capability::DuckDb) {
        return;
    }
    let sandbox = Sandbox::new();
    let mut expected = BTreeMap::new();
    for (host, ranks) in [("a", 1), ("b", 1), ("c", 4)] {
        let text = fs::read_to_string(workspace().join("docs/samples/create-ranks.json")).unwrap();
        let mut record: Record = serde_json::from_str(&text).unwrap();
        let mut times = Vec::new();
        for comparison in record.experiments.iter_mut().flat_map(|experiment| &mut experiment.comparisons) {
            for variant in &mut comparison.variants {
                variant.parameters.settings.set(Setting::Ranks, SettingValue::Number(ranks));
            }
            let arms = comparison.arms.iter().enumerate();
            for (arm, _) in arms.filter(|(_, arm)| matches!(arm.kind, ArmKind::Variant(_))) {
                let of_fork = |fork: &Fork| fork.arms[arm].ns.iter().flatten().count();
                times.push(comparison.forks.iter().map(of_fork).sum::<usize>());
            }
        }
        fs::create_dir_all(sandbox.file(&format!("records/{host}"))).unwrap();
        sandbox.write("record.json", &serde_json::to_string(&record).unwrap());
        let words = format!("export record.json --format parquet -o records/{host}/samples.parquet");
        sandbox.fathom(&words).assert().code(0);
        let (batches, records) = expected.entry(ranks).or_insert((0, 0));
        *batches += times.iter().sum::<usize>();
        *records += 1;
    }
    let reader =
        "import duckdb, sys\nfor row in duckdb.sql(sys.argv[1]).fetchall(): print(*row, sep='\\t')\n";
    let reader = sandbox.write("reader.py", reader);
    let mut python = sandbox.command("python3");
    let assert = python.arg(reader).arg(query_over_hosts()).assert().code(0);
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let found: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    let sums = found.iter().fold(BTreeMap::new(), |mut sums: BTreeMap<u64, (usize, usize)>, row| {
        let sum = sums.entry(row[1].parse().unwrap()).or_default();
        sum.0 += row[3].parse::<usize>().unwrap();
        sum.1 = sum.1.max(row[4].parse().unwrap());
        sums
    });
    assert_eq!(sums, expected, "{text}");
}

/// What the reader has to print of each kind of arm.
fn counted(record: &Record) -> Vec<Vec<String>> {
    let mut sums: BTreeMap<&str, [u64; 6]> = BTreeMap::new();
    for comparison in record.experiments.iter().flat_map(|experiment| &experiment.comparisons) {
        for fork in &comparison.forks {
            for (arm, samples) in comparison.arms.iter().zip(&fork.arms) {
                let kind = match arm.kind {
                    ArmKind::Variant(_) => "variant",
                    ArmKind::Control => "control",
                    ArmKind::Loop(_) => "loop",
                };
                let sum = sums.entry(kind).or_default();
                for (ns, &operations) in samples.ns.iter().zip(&fork.operations) {
                    if kind == "loop" && ns.is_none() {
                        continue;
                    }
                    let says_switches = samples.totals.contains_key("nivcsw") && ns.is_some();
                    sum[0] += 1;
                    sum[1] += u64::from(ns.is_some());
                    sum[2] += ns.unwrap_or(0);
                    sum[3] += u64::from(samples.operations(operations));
                    sum[4] += u64::from(says_switches);
                    sum[5] += u64::from(kind == "variant");
                }
            }
        }
    }
    let line = |(kind, sum): (&str, [u64; 6])| {
        std::iter::once(kind.to_owned()).chain(sum.map(|each| each.to_string())).collect()
    };
    sums.into_iter().map(line).collect()
}

#[test]
fn a_pipe_gets_the_bytes_of_the_file_and_a_terminal_none() {
    let sandbox = Sandbox::new();
    let (path, _) = sample_record();
    let words = format!("export {path} --format parquet");
    sandbox.fathom(&format!("{words} -o samples.parquet")).assert().code(0).stdout(is_empty());
    let file = fs::read(sandbox.file("samples.parquet")).unwrap();
    assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"), "{} bytes", file.len());
    let piped = sandbox.fathom(&words).assert().code(0);
    assert!(piped.get_output().stdout == file, "a pipe gets the same");

    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = std::ffi::OsString::from_vec(ptsname(&terminal, Vec::new()).unwrap().into_bytes());
    let screen = fs::File::options().read(true).write(true).open(&name).unwrap();
    let mut on_screen = sandbox.plain_command(crate::sandbox::program());
    let on_screen = on_screen.args(words.split(' ')).stdout(screen).output().unwrap();
    assert_eq!(on_screen.status.code(), Some(2));
    assert!(predicates::Predicate::eval(&says("not written to a terminal"), on_screen.stderr.as_slice()));
    let named = sandbox.fathom(&format!("{words} -o {}", name.display())).assert().code(2);
    named.stderr(says("not written to a terminal"));
    let mut waiting = [0_u8; 1];
    rustix::io::ioctl_fionbio(&terminal, true).unwrap();
    assert!(rustix::io::read(&terminal, &mut waiting).is_err(), "nothing came to the terminal");
}

#[test]
fn counts_alone_have_no_samples() {
    let sandbox = Sandbox::new();
    sandbox.fathom("bench open-close --methods native:open --counts-only -o r.json").assert().code(0);
    let refused = sandbox.fathom("export r.json --format parquet -o out/r.parquet").assert().code(2);
    refused.stderr(says("r.json cannot be exported in this form: it holds no samples"));
    assert!(!sandbox.file("out").exists());
}
