//! `fathom bisect`: which commit changed a count.

use crate::running::Running;
use crate::sandbox::{Sandbox, says};
use predicates::prelude::PredicateBooleanExt;
use rustix::process::Signal;
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// One version of the program: what `sh app.sh` does.
fn version(number: usize, lines: &[&str]) -> String {
    format!("# version {number}\n{}\n:\n", lines.join("\n"))
}

const ONE: &[&str] = &[": < a.json"];
const TWO: &[&str] = &[": < a.json", ": < b.json"];

/// A repository whose commits are these versions of app.sh, the oldest first. They are called `commit 0` and so on.
fn history(versions: &[String]) -> Sandbox {
    let sandbox = Sandbox::new();
    let mut stream = String::new();
    for (number, text) in versions.iter().enumerate() {
        let _infallible = write!(
            stream,
            "commit refs/heads/main\ncommitter Ann Other <ann@example.org> {} +0000\ndata <<END\ncommit {number}\nEND\n\
             M 100644 inline a.json\ndata <<END\n{{}}\nEND\nM 100644 inline b.json\ndata <<END\n{{}}\nEND\n\
             M 100644 inline app.sh\ndata <<END\n{text}END\n\n",
            1_700_000_000 + 60 * number
        );
    }
    sandbox.write("stream", &stream);
    run(
        &sandbox,
        "git init -q -b main . && git fast-import --quiet < stream && rm stream && git reset -q --hard main",
    );
    sandbox
}

fn run(sandbox: &Sandbox, script: &str) {
    let done = sandbox.shell(&format!("set -e\n{script}"));
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// A history in which the count rises at one commit, 0 being the oldest.
fn planted(commits: usize, at: usize) -> Sandbox {
    let versions = (0..=commits).map(|number| version(number, if number < at { ONE } else { TWO }));
    history(&versions.collect::<Vec<_>>())
}

/// The JSON of a search, whose clone was in a directory of the sandbox.
fn searched(sandbox: &Sandbox, words: &str, code: i32) -> Value {
    let clones = sandbox.file("data/clones");
    fs::create_dir_all(&clones).unwrap();
    let mut command = sandbox.fathom(&format!("bisect --format json {words}"));
    let output = command.args(["--", "sh", "app.sh"]).env("TMPDIR", &clones).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert_eq!(left_in(&clones), Vec::<PathBuf>::new());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{message}"))
}

fn left_in(directory: &PathBuf) -> Vec<PathBuf> {
    fs::read_dir(directory).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
}

fn found(report: &Value) -> (&str, usize) {
    let subject = report["outcome"]["found"]["commit"]["subject"].as_str();
    (subject.unwrap_or_else(|| panic!("{report:#}")), report["steps"].as_array().unwrap().len())
}

const METRIC: &str = "--metric openat(*.json)";

#[test]
fn a_planted_commit_among_64_is_found_in_6_steps_of_one_run() {
    let sandbox = planted(64, 37);
    sandbox.write("app.sh", "changed\n");
    let state =
        "git status --porcelain; git for-each-ref; git worktree list; cat .git/HEAD; ls .git; cat app.sh";
    let before = sandbox.shell(state);
    let report = searched(&sandbox, &format!("--good HEAD~64 {METRIC}"), 0);
    assert_eq!(found(&report), ("commit 37", 6), "{report:#}");
    assert_eq!((&report["commits"], &report["steps_at_most"]), (&64.into(), &6.into()));
    assert_eq!(report["runs_per_step"], 1);
    let found = &report["outcome"]["found"];
    assert_eq!((&found["parent_values"][0], &found["values"][0]), (&1.0.into(), &2.0.into()));
    assert_eq!(
        (&found["parent"]["subject"], &found["commit"]["author"]),
        (&"commit 36".into(), &"Ann Other".into())
    );
    let opened = found["calls"]["changes"].as_array().unwrap().iter();
    let opened: Vec<_> = opened.filter(|row| row["class"]["call"] == "openat").collect();
    assert_eq!(opened.len(), 1, "{found:#}");
    assert_eq!(
        (&opened[0]["class"]["path"], &opened[0]["class"]["owner"]),
        (&"{checkout}/b.json".into(), &"yours".into())
    );
    assert_eq!(report["notes"][0], "changes here that are not committed were not measured");
    assert_eq!(sandbox.shell(state).stdout, before.stdout, "nothing of the user's is touched");
}

#[test]
fn the_text_says_the_steps_beforehand_and_what_to_do_at_the_end() {
    let sandbox = planted(8, 3);
    let words = format!("bisect --good HEAD~8 {METRIC} -- sh app.sh");
    let assert = sandbox.fathom(&words).assert().code(0);
    let output = assert.stderr(says("8 commits from HEAD~8 to HEAD: at most 3 steps")).stdout(
        says("changed openat(*.json): 1 call → 2 calls").and(says("Ann Other")).and(says("git show ")),
    );
    assert!(String::from_utf8_lossy(&output.get_output().stdout).lines().count() <= 25);
    let markdown =
        sandbox.fathom(&format!("bisect --format md --good HEAD~8 {METRIC} -- sh app.sh")).assert();
    markdown.code(0).stdout(says("{checkout}/b.json"));
}

#[test]
fn a_budget_is_searched_like_a_count() {
    let sandbox = planted(8, 6);
    let words = [
        "bisect",
        "--format",
        "json",
        "--good",
        "HEAD~8",
        "--assert",
        "openat(*.json) <= 1",
        "--",
        "sh",
        "app.sh",
    ];
    let output = sandbox.fathom("").args(words).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found(&report), ("commit 6", 3), "{report:#}");
    assert_eq!(report["is_budget"], true);
    let mended = ["bisect", "--good", "HEAD~8", "--assert", "openat(*.json) >= 2", "--", "sh", "app.sh"];
    sandbox
        .fathom("")
        .args(mended)
        .assert()
        .code(3)
        .stdout(says("the budget is not met at --good and met at --bad"));
}

#[test]
fn commits_that_do_not_build_or_fail_are_skipped() {
    let mut versions: Vec<_> =
        (0..=8).map(|number| version(number, if number < 6 { ONE } else { TWO })).collect();
    versions[4] = "broken\n".to_owned() + &versions[4];
    let sandbox = history(&versions);
    sandbox.write(".fathom.toml", "[build]\nrun = \"! grep -q broken app.sh\"\n");
    let report = searched(&sandbox, &format!("--good HEAD~8 {METRIC}"), 0);
    let (subject, _) = found(&report);
    assert_eq!(subject, "commit 6", "{report:#}");
    let skipped =
        report["steps"].as_array().unwrap().iter().find_map(|step| step["side"]["skipped"].as_str());
    assert!(skipped.unwrap().starts_with("the build failed (exit status: 1)"), "{report:#}");
    // The same program without a build ends otherwise.
    versions[4] = version(4, &[": < a.json", "exit 3"]);
    let sandbox = history(&versions);
    let report = searched(&sandbox, &format!("--good HEAD~8 {METRIC}"), 0);
    assert_eq!(found(&report).0, "commit 6");
    let skipped =
        report["steps"].as_array().unwrap().iter().find_map(|step| step["side"]["skipped"].as_str());
    assert_eq!(skipped, Some("the command ends with exit 3, at both ends with exit 0"), "{report:#}");
}

#[test]
fn what_cannot_be_told_apart_is_named_together() {
    let mut versions: Vec<_> =
        (0..=4).map(|number| version(number, if number < 3 { ONE } else { TWO })).collect();
    versions[2] = version(2, &["exit 3"]);
    versions[3] = version(3, &["exit 3"]);
    let report = searched(&history(&versions), &format!("--good HEAD~4 {METRIC}"), 1);
    let among = report["outcome"]["among"].as_array().unwrap().iter();
    let mut among: Vec<_> = among.map(|commit| commit["subject"].as_str().unwrap()).collect();
    among.sort_unstable();
    assert_eq!(among, ["commit 2", "commit 3", "commit 4"]);
}

#[test]
fn a_merge_is_walked_into_and_named_where_it_is_the_one() {
    let sandbox = planted(4, 9);
    run(
        &sandbox,
        "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
         git checkout -q -b side HEAD~2
         echo x > other; git add other; git commit -qm 'on the side'
         git checkout -q main
         git merge -q --no-ff --no-commit side
         printf ': < a.json\\n: < b.json\\n:\\n' > app.sh
         git commit -qam 'an evil merge'",
    );
    let report = searched(&sandbox, &format!("--good HEAD~4 {METRIC}"), 0);
    assert_eq!(found(&report).0, "an evil merge", "{report:#}");
    let notes = report["notes"].to_string();
    assert!(notes.contains("is a merge of 2 commits"), "{notes}");
}

#[test]
fn a_program_that_varies_by_itself_keeps_its_range() {
    // Opens a file once to three times by chance; the change adds ten.
    let vary = "n=$(od -An -N1 -tu1 /dev/urandom); n=$((n % 3 + 1)); while [ $n -gt 0 ]; do : < a.json; n=$((n - 1)); done";
    let ten = format!("for i in 1 2 3 4 5 6 7 8 9 10; do : < b.json; done; {vary}");
    let versions: Vec<_> =
        (0..=4).map(|number| version(number, &[if number < 3 { vary } else { ten.as_str() }])).collect();
    let report = searched(&history(&versions), &format!("--good HEAD~4 {METRIC}"), 0);
    assert_eq!(found(&report).0, "commit 3", "{report:#}");
    assert_eq!(
        (&report["runs_per_step"], report["good"]["values"].as_array().unwrap().len()),
        (&5.into(), 12)
    );
    let same: Vec<_> = (0..=2).map(|number| version(number, &[vary])).collect();
    let report = searched(&history(&same), &format!("--good HEAD~2 {METRIC}"), 3);
    let reason = report["outcome"]["not-found"].as_str().unwrap();
    assert!(reason.starts_with("the ranges overlap ("), "{reason}");
}

#[test]
fn mistakes_are_named() {
    let sandbox = planted(4, 2);
    let refused = |words: &str| sandbox.fathom(&format!("bisect {words} -- sh app.sh")).assert().code(2);
    let wrong = refused(&format!("--good HEAD --bad HEAD~4 {METRIC}"));
    wrong.stderr(says("the ends are the wrong way round").and(says("--good HEAD~4 --bad HEAD")));
    refused(&format!("--good nowhere {METRIC}")).stderr(says("--good: `nowhere` is no commit here"));
    refused(&format!("--good HEAD {METRIC}")).stderr(says("are one commit"));
    refused("--good HEAD~4 --metric opne").stderr(says("`opne`"));
    refused(&format!("--good HEAD~4 {METRIC} --build false"))
        .stderr(says("HEAD~4").and(says("the build failed")));
    let none = sandbox.fathom(&format!("bisect --good HEAD~4 {METRIC}")).assert().code(2);
    none.stderr(says("there is no command to run"));
    sandbox.fathom("bisect --good HEAD~4 -- sh app.sh").assert().code(2);
    let same = sandbox.fathom(&format!("bisect --good HEAD~1 {METRIC} -- sh app.sh")).assert().code(3);
    same.stdout(says("the count is the same at both ends (2)"));
    run(&sandbox, "git clone -q --depth 2 \"file://$PWD\" shallow");
    let shallow = sandbox.shell("cd shallow && fathom bisect --good HEAD~4 --metric openat -- sh app.sh");
    let message = String::from_utf8_lossy(&shallow.stderr);
    assert!(shallow.status.code() == Some(2) && message.contains("git fetch --unshallow"), "{message}");
    let outside = Sandbox::new();
    let words = format!("bisect --good HEAD~1 {METRIC} -- true");
    outside
        .fathom(&words)
        .env("GIT_CEILING_DIRECTORIES", outside.path().parent().unwrap())
        .assert()
        .code(2)
        .stderr(says("git"));
}

#[test]
fn ctrl_c_leaves_nothing_and_says_where_the_search_stood() {
    let versions: Vec<_> = (0..=4)
        .map(|number| {
            version(
                number,
                if number == 2 {
                    &["sleep 600"]
                } else if number < 3 {
                    ONE
                } else {
                    TWO
                },
            )
        })
        .collect();
    let sandbox = history(&versions);
    let clones = sandbox.file("data/clones");
    fs::create_dir_all(&clones).unwrap();
    let temporary = [("TMPDIR", clones.to_str().unwrap())];
    let mut running =
        Running::start_with(&sandbox, &format!("bisect --good HEAD~4 {METRIC} -- sh app.sh"), &temporary);
    let sleeps =
        |pid: &u32| fs::read(format!("/proc/{pid}/comm")).is_ok_and(|name| name.starts_with(b"sleep"));
    running.wait_for("the command", |running| running.descendants().into_iter().find(sleeps));
    running.signal(Signal::INT);
    let ended = running.end();
    assert_eq!(ended.code, Some(130), "{}{}", ended.out, ended.err);
    assert!(
        ended.err.contains("interrupted after 0 of 2 steps; go on with --good HEAD~4 --bad HEAD"),
        "{}",
        ended.err
    );
    assert_eq!(left_in(&clones), Vec::<PathBuf>::new());
    sandbox.assert_nothing_left();
}

/// Processes that keep every CPU busy twice, until dropped.
struct Load(Vec<std::process::Child>);

impl Load {
    fn new() -> Self {
        let count = 2 * std::thread::available_parallelism().unwrap().get();
        let busy = || std::process::Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        Self((0..count).map(|_| busy()).collect())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _gone = child.kill();
            let _reaped = child.wait();
        }
    }
}

#[test]
#[ignore = "long"]
fn slowly_twenty_planted_commits_among_64_are_found_beside_load() {
    let _load = Load::new();
    let mut seed = 20_261_125_u64;
    for round in 0..20 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = 1 + usize::try_from(seed >> 33).unwrap() % 64;
        let sandbox = planted(64, at);
        let report = searched(&sandbox, &format!("--good HEAD~64 {METRIC}"), 0);
        assert_eq!(found(&report), (format!("commit {at}").as_str(), 6), "round {round}: {report:#}");
    }
}
