//! `fathom track`: counts over commits.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says, workspace};
use predicates::prelude::PredicateBooleanExt;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

const GIT: &str =
    "git() { command git -c user.name=Ann -c user.email=ann@example.org -c init.defaultBranch=main \"$@\"; }";

fn run(sandbox: &Sandbox, script: &str) -> String {
    let done = sandbox.shell(&format!("set -e\n{GIT}\n{script}"));
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

/// A repository with one command that opens a.txt once, committed.
fn repository() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "x\n");
    sandbox.write("app.sh", ": < a.txt\n:\n");
    sandbox.write(".fathom.toml", "[[command]]\nname = \"app\"\nrun = \"sh app.sh\"\n");
    run(
        &sandbox,
        "git init -q .\ngit add a.txt app.sh .fathom.toml\nexport GIT_COMMITTER_DATE=2026-01-02T03:04:05Z\ngit commit -qm 'first'",
    );
    sandbox
}

/// One more commit, in which the command opens the file once more.
fn opens_more(sandbox: &Sandbox, subject: &str) {
    run(sandbox, &format!("echo ': < a.txt' >> app.sh\ngit commit -qam '{subject}'"));
}

fn add(sandbox: &Sandbox, words: &str) {
    sandbox.fathom(&format!("track add {words}")).assert().code(0).stdout(says("kept "));
}

fn report(sandbox: &Sandbox, place: &str) -> Value {
    let output = sandbox.fathom(&format!("track report {place} --format json")).output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// The files of a store's runs that end so.
fn runs(sandbox: &Sandbox, store: &str, ending: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(sandbox.file(store).join("runs")).into_iter().flatten();
    let mut files: Vec<_> = files.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == ending));
    files.sort();
    files
}

#[test]
fn a_history_names_the_commit_that_changed_a_count() {
    let sandbox = repository();
    add(&sandbox, "--store counts --times 3");
    run(&sandbox, "git commit -qm 'nothing' --allow-empty");
    add(&sandbox, "--store counts --times 3");
    opens_more(&sandbox, "reads twice");
    add(&sandbox, "--store counts --times 3");
    let found = report(&sandbox, "--store counts");
    let changes = found["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 1, "{found:#}");
    assert_eq!(changes[0]["commit"]["subject"], "reads twice");
    let rows = changes[0]["what"]["counts"]["rows"].as_array().unwrap();
    let opened = rows.iter().find(|row| row["metric"] == "openat").unwrap();
    assert_eq!(
        (&opened["from"]["high"], &opened["to"]["low"]),
        (&opened["from"]["low"], &opened["to"]["high"])
    );
    assert_eq!(opened["to"]["low"].as_u64().unwrap() - opened["from"]["low"].as_u64().unwrap(), 1);
    let metrics = found["metrics"].as_array().unwrap();
    assert!(
        metrics
            .iter()
            .any(|metric| metric["name"] == "wall" && metric["points"][2]["value"].as_f64() > Some(0.0))
    );
    let text = sandbox.fathom("track report --store counts").assert().code(0);
    let text = text.stdout(
        says("counts changed once in 3 commits").and(says("Ann, reads twice")).and(says("{checkout}/a.txt")),
    );
    assert!(String::from_utf8_lossy(&text.get_output().stdout).lines().count() <= 25);
    sandbox.fathom("track report --store counts -o page.html").assert().code(0);
    let page = fs::read_to_string(sandbox.file("page.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("reads twice") && !page.contains("src=\"http"));
    assert_eq!(run(&sandbox, "git status --porcelain --untracked-files=no"), "");
}

#[test]
fn a_branch_is_written_without_a_touch_of_work_tree_and_index() {
    let sandbox = repository();
    // Something staged, something changed: both have to stay so.
    run(&sandbox, "echo staged > staged; git add staged; git reset -q --mixed HEAD -- a.txt");
    let state = "cat .git/HEAD; git ls-files --stage; sha256sum .git/index; git worktree list; ls";
    let before = run(&sandbox, state);
    let place = "--branch fathom-counts";
    sandbox.fathom(&format!("track add {place}")).assert().code(0).stdout(says("reports leave this run out"));
    assert_eq!(run(&sandbox, state), before);
    run(&sandbox, "git reset -q --hard");
    add(&sandbox, place);
    opens_more(&sandbox, "reads twice");
    add(&sandbox, place);
    let found = report(&sandbox, place);
    assert_eq!(
        (found["commits"].as_array().unwrap().len(), found["changes"].as_array().unwrap().len()),
        (2, 1)
    );
    assert!(found["notes"].to_string().contains("changes that were not committed"), "{found:#}");
    let listed = run(
        &sandbox,
        "git log --format=%s fathom-counts; git ls-tree -r --name-only fathom-counts; git fsck 2>&1",
    );
    assert_eq!(listed.lines().filter(|line| line.starts_with("run ")).count(), 3, "{listed}");
    assert_eq!(listed.lines().filter(|line| line.ends_with(".parquet")).count(), 3, "{listed}");
    // What is checked out, foreign, or only at a remote is left alone.
    let refused =
        |sandbox: &Sandbox, words: &str| sandbox.fathom(&format!("track add {words}")).assert().code(2);
    refused(&sandbox, "--branch main").stderr(says("is checked out"));
    run(&sandbox, "git branch other");
    refused(&sandbox, "--branch other").stderr(says("is no store of `fathom track`"));
    refused(&sandbox, "--branch a..b").stderr(says("is no name for a branch"));
    run(&sandbox, "git update-ref refs/remotes/origin/elsewhere HEAD");
    refused(&sandbox, "--branch elsewhere").stderr(says("git branch elsewhere origin/elsewhere"));
}

#[test]
fn writers_at_once_lose_nothing() {
    let sandbox = repository();
    for place in ["--store counts", "--branch fathom-counts"] {
        let mut writers: Vec<_> = (0..4)
            .map(|_| {
                let mut command = sandbox.plain_command(crate::sandbox::program());
                command.args(format!("track add {place}").split(' ')).stdout(std::process::Stdio::null());
                command.spawn().unwrap()
            })
            .collect();
        for writer in &mut writers {
            assert!(writer.wait().unwrap().success());
        }
        let found = report(&sandbox, place);
        assert_eq!(found["commits"][0]["runs"], 4, "{place}: {found:#}");
        assert_eq!(found["notes"], Value::Array(vec![]), "{place}");
    }
    assert_eq!((runs(&sandbox, "counts", "jsonl").len(), runs(&sandbox, "counts", "parquet").len()), (4, 4));
}

#[test]
fn damage_and_foreign_files_are_said_and_nothing_else_is_lost() {
    let sandbox = repository();
    add(&sandbox, "--store counts");
    opens_more(&sandbox, "reads twice");
    add(&sandbox, "--store counts");
    sandbox.write("counts/runs/notes.txt", "mine");
    let files = runs(&sandbox, "counts", "jsonl");
    let whole = fs::read_to_string(&files[0]).unwrap();
    fs::write(&files[0], whole.replacen("\"kind\":\"count\"", "\"kind\":\u{fffd}", 1)).unwrap();
    let found = report(&sandbox, "--store counts");
    let notes = found["notes"].to_string();
    assert!(
        notes.contains("line 2 is damaged") && notes.contains("1 file in runs is not of Fathom"),
        "{notes}"
    );
    assert_eq!(found["changes"], Value::Array(vec![]), "what is damaged is no 0");
    fs::write(&files[0], &whole[..40]).unwrap();
    let notes = report(&sandbox, "--store counts")["notes"].to_string();
    assert!(notes.contains("is left out: it is no run of `fathom track`"), "{notes}");
    fs::write(&files[0], &whole).unwrap();
    assert_eq!(report(&sandbox, "--store counts")["changes"].as_array().unwrap().len(), 1);
    // A table that is lost is written again by the next run.
    let tables = runs(&sandbox, "counts", "parquet");
    fs::remove_file(&tables[0]).unwrap();
    add(&sandbox, "--store counts");
    assert_eq!(runs(&sandbox, "counts", "parquet").len(), 3);
    fs::create_dir(sandbox.file("mine")).unwrap();
    sandbox.write("mine/letter", "");
    let foreign = sandbox.fathom("track add --store mine").assert().code(2);
    foreign.stderr(says("holds other files and is no store"));
    sandbox.write("counts/fathom-track.json", "{}");
    sandbox
        .fathom("track report --store counts")
        .assert()
        .code(2)
        .stderr(says("of another version, or damaged"));
}

#[test]
fn a_full_disk_loses_no_run() {
    if !has(Capability::Namespaces) {
        return;
    }
    let sandbox = repository();
    let script = "mkdir counts elsewhere
        mount -t tmpfs -o size=256k none counts
        fathom track add --store counts
        head -c 1000000 /dev/zero > counts/runs/filler 2> full || :
        TMPDIR=$PWD/elsewhere fathom track add --store counts 2> refused && exit 9
        ls counts/runs elsewhere > left
        rm counts/runs/filler
        fathom track add --store counts --from elsewhere/*
        fathom track report --store counts --format json > report.json";
    run(&sandbox, &format!("unshare --mount --map-root-user sh -ec '{script}'"));
    let refused = fs::read_to_string(sandbox.file("refused")).unwrap();
    assert!(
        refused.contains("failed to keep the run in counts") && refused.contains("No space left"),
        "{refused}"
    );
    assert!(refused.contains("track add … --from"), "{refused}");
    let left = fs::read_to_string(sandbox.file("left")).unwrap();
    assert!(!left.contains(".fathom-") && left.contains("fathom-track-"), "{left}");
    let report: Value =
        serde_json::from_str(&fs::read_to_string(sandbox.file("report.json")).unwrap()).unwrap();
    assert_eq!((&report["commits"][0]["runs"], report["notes"].as_array().unwrap().len()), (&2.into(), 0));
}

#[test]
fn traces_records_and_comparisons_are_taken_in() {
    let sandbox = repository();
    opens_more(&sandbox, "reads twice");
    run(
        &sandbox,
        "fathom trace -o old.events -- sh -c ': < a.txt'
         fathom trace -o new.events -- sh -c ': < a.txt; : < a.txt'
         fathom bench open-close --methods native:open,native:openat --time 0.1 -o record.json
         fathom ci --base HEAD~1 --head HEAD --format json -o ci.json",
    );
    add(&sandbox, "--store counts --name app --from old.events --commit HEAD~1");
    add(&sandbox, "--store counts --name app --from new.events --commit HEAD");
    add(&sandbox, "--store counts --from record.json --commit HEAD");
    add(&sandbox, "--store counts --from ci.json");
    let found = report(&sandbox, "--store counts");
    let changes = found["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 1, "{found:#}");
    assert_eq!(changes[0]["commit"]["subject"], "reads twice");
    let metrics = found["metrics"].as_array().unwrap();
    assert!(
        metrics.iter().any(
            |metric| metric["unit"] == "ns" && metric["name"].as_str().unwrap().contains("native:openat")
        )
    );
    assert_eq!(found["commits"][1]["runs"], 3);
    let refused = |words: &str| sandbox.fathom(&format!("track add --store counts {words}")).assert().code(2);
    refused("--from old.events").stderr(says("does not say which commit it is of"));
    refused("--from a.txt --commit HEAD").stderr(says("a.txt"));
    refused("--from old.events --commit nowhere").stderr(says("`nowhere` is no commit here"));
}

/// The query that docs/tracking.md gives to `DuckDB`.
fn documented_query() -> String {
    let document = fs::read_to_string(workspace().join("docs/tracking.md")).unwrap();
    let line = document.lines().find_map(|line| line.strip_prefix("duckdb -c \"")).unwrap();
    line.strip_suffix('"').unwrap().to_owned()
}

#[test]
fn duckdb_reads_the_store_by_the_documented_line() {
    if !has(Capability::DuckDb) {
        return;
    }
    let sandbox = repository();
    add(&sandbox, "--store counts --times 3");
    opens_more(&sandbox, "reads twice");
    add(&sandbox, "--store counts --times 3");
    let reader = sandbox.write(
        "reader.py",
        "import duckdb, sys\n\
         for row in duckdb.sql(sys.argv[1]).fetchall(): print(*row, sep='\\t')\n\
         for row in duckdb.sql(\"SELECT metric, count(*), count(median) FROM 'counts/runs/*.parquet' GROUP BY 1 ORDER BY 1\").fetchall(): print(*row, sep='\\t')\n\
         for row in duckdb.sql(\"SELECT kind, count(*) FROM read_json('counts/runs/*.jsonl', union_by_name = true) GROUP BY 1 ORDER BY 1\").fetchall(): print(*row, sep='\\t')\n",
    );
    let mut python = sandbox.command("python3");
    let assert = python.arg(reader).arg(documented_query()).assert().code(0);
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let opens: Vec<_> = text.lines().filter(|line| line.contains("\topenat\t")).collect();
    assert_eq!(opens.len(), 2, "{text}");
    assert!(opens[0].contains("first") && opens[1].contains("reads twice"), "{text}");
    let count = |line: &str| line.split('\t').next_back().unwrap().parse::<f64>().unwrap();
    assert!((count(opens[1]) - count(opens[0]) - 1.0).abs() < 1e-9, "{text}");
    let lines: usize = runs(&sandbox, "counts", "jsonl")
        .iter()
        .map(|path| {
            fs::read_to_string(path)
                .unwrap()
                .lines()
                .filter(|line| line.contains("\"kind\":\"count\""))
                .count()
        })
        .sum();
    assert!(
        text.contains(&format!("calls\t{lines}\t0\n")) && text.contains(&format!("count\t{lines}\n")),
        "{text}"
    );
    assert!(
        text.contains("cpu ns\t2\t2\n") && text.contains("wall ns\t2\t2\n") && text.contains("run\t2\n"),
        "{text}"
    );
}

#[test]
fn mistakes_are_named() {
    let sandbox = repository();
    sandbox.fathom("track add").assert().code(2).stderr(says("--store <DIR>"));
    sandbox
        .fathom("track report --store counts")
        .assert()
        .code(2)
        .stderr(says("nothing is kept in counts yet"));
    let missing = sandbox.fathom("track add --store counts -- ./missing").assert().code(3);
    missing.stderr(says("failed to start `./missing`"));
    sandbox
        .fathom("track report --store counts --ref nowhere")
        .assert()
        .code(2)
        .stderr(says("`nowhere` is no commit"));
    run(&sandbox, "git checkout -q --orphan empty; git commit -qm alone");
    let elsewhere = sandbox.fathom("track report --store counts").assert().code(4);
    elsewhere.stdout(says("nothing is kept of this line of history").and(says("--all takes them in")));
    sandbox.fathom("track report --store counts --all").assert().code(0);
    let outside = Sandbox::new();
    let ceiling = outside.path().parent().unwrap().to_owned();
    let add = |words: &str| outside.fathom(words).env("GIT_CEILING_DIRECTORIES", &ceiling).assert().code(2);
    add("track add --store counts -- true").stderr(says("git"));
    add("track add --branch counts -- true").stderr(says("a branch needs a git repository"));
}
