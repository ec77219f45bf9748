//! `fathom ci`: two sides of a change, and what of their calls changed.

use crate::capability::{Capability, has};
use crate::running::Running;
use crate::sandbox::{Sandbox, says};
use predicates::prelude::PredicateBooleanExt;
use rustix::process::Signal;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Four files, each asked for by path, opened, read and closed; one file that is written.
const TOOL: &str = r#"#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    char name[64], buffer[64];
    struct stat facts;
    for (int number = 1; number <= 4; number++) {
        sprintf(name, "data/%d.txt", number);
        stat(name, &facts);
        int file = open(name, O_RDONLY);
        read(file, buffer, 64);
        /* each file */
        close(file);
    }
    int out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    write(out, buffer, 1);
    /* out */
    close(out);
    return 0;
}
"#;
const PROJECT: &str = "\
[build]
run = \"gcc -g -O1 -o tool tool.c\"

[[command]]
name = \"tool\"
setup = \"rm -f out\"
run = \"./tool\"
";

pub(crate) fn git(sandbox: &Sandbox, script: &str) {
    let git = "git -c user.email=me@example.org -c user.name=me -c init.defaultBranch=main";
    let done = sandbox.shell(&format!("set -e\n{}", script.replace("git ", &format!("{git} "))));
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// A repository of two commits: the program, and the program with words replaced.
pub(crate) fn repository(project: &str, replacements: &[(&str, &str)]) -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("data")).unwrap();
    for number in 1..=4 {
        fs::write(sandbox.file(&format!("data/{number}.txt")), "words").unwrap();
    }
    sandbox.write(".fathom.toml", project);
    sandbox.write("tool.c", TOOL);
    sandbox.write(".gitignore", "*.json\n*.md\n*.html\nstd*\ndata-home\ncheckouts\n");
    git(&sandbox, "git init -q .\ngit add -A\ngit commit -qm before");
    let changed = replacements.iter().fold(TOOL.to_owned(), |text, (from, to)| text.replace(from, to));
    sandbox.write("tool.c", &changed);
    git(&sandbox, "git commit -qam after --allow-empty");
    sandbox
}

/// The first command's part of the JSON, with checkouts in a directory of the sandbox.
pub(crate) fn compared(sandbox: &Sandbox, words: &str, code: i32) -> Value {
    let checkouts = sandbox.file("checkouts");
    fs::create_dir_all(&checkouts).unwrap();
    let output =
        sandbox.fathom(&format!("ci --format json {words}")).env("TMPDIR", &checkouts).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert_eq!(left_in(&checkouts), Vec::<PathBuf>::new());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{message}"));
    report["commands"][0].clone()
}

fn left_in(directory: &Path) -> Vec<PathBuf> {
    fs::read_dir(directory).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
}

pub(crate) const REFS: &str = "--base HEAD~1 --head HEAD";

/// `CALL[=ERRNO] TARGET PATH OWNER BASE HEAD` of every change.
pub(crate) fn rows(command: &Value) -> Vec<String> {
    let row = |row: &Value| {
        let class = &row["class"];
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let errno = class["outcome"]["failed"].as_str().map(|errno| format!("={errno}")).unwrap_or_default();
        format!(
            "{}{errno} {} {} {} {} {}",
            word(&class["call"]),
            word(&class["target"]),
            word(&class["path"]),
            word(&class["owner"]),
            row["base"]["low"],
            row["head"]["low"]
        )
    };
    let mut rows: Vec<_> = command["calls"]["changes"].as_array().unwrap().iter().map(row).collect();
    rows.sort();
    rows
}

#[test]
fn planted_changes_are_named_with_count_path_class_and_owner() {
    if !has(Capability::C) {
        return;
    }
    let sandbox = repository(
        PROJECT,
        &[
            ("/* each file */", "stat(name, &facts);"),
            ("/* out */", "fsync(out); open(\"missing/file\", O_RDONLY);"),
        ],
    );
    let found = compared(&sandbox, REFS, 0);
    let expected = [
        "fsync descriptor {checkout}/out yours 0 1",
        "newfstatat path {checkout}/data/*.txt yours 4 8",
        "openat=ENOENT path {checkout}/missing/file yours 0 1",
    ];
    assert_eq!(rows(&found), expected, "{found:#}");
    assert_eq!(found["calls"]["changes"][0]["class"]["program"], "tool");
    assert_eq!(found["verdict"], "changed");
    let back = compared(&sandbox, "--base HEAD --head HEAD~1", 0);
    assert!(rows(&back).contains(&"fsync descriptor {checkout}/out yours 1 0".to_owned()), "{back:#}");
    assert!(!sandbox.file("tool").exists() && !sandbox.file("out").exists(), "the user's tree is untouched");
    let failing = |words: &str| sandbox.fathom(&format!("ci {REFS} {words}")).assert();
    failing("--fail-on more-calls").code(1).stderr(says("failed: tool: 6 more calls per run"));
    failing("--fail-on any-change,new-findings").code(1).stdout(says("+4 newfstatat"));
}

#[test]
fn lines_are_named_where_stacks_are_taken() {
    if !has(Capability::C) {
        return;
    }
    let sandbox = repository(PROJECT, &[("/* out */", "fsync(out);")]);
    let found = compared(&sandbox, &format!("{REFS} --stacks"), 0);
    let line = &found["calls"]["changes"][0]["line"];
    let at = 1 + TOOL.lines().position(|line| line.contains("/* out */")).unwrap() as u64;
    assert_eq!((line["function"].as_str(), line["line"].as_u64()), (Some("main"), Some(at)), "{found:#}");
}

#[test]
fn a_stat_by_path_that_became_one_of_a_descriptor_is_one_line() {
    if !has(Capability::C) {
        return;
    }
    let sandbox = repository(
        PROJECT,
        &[("        stat(name, &facts);\n", ""), ("/* each file */", "fstat(file, &facts);")],
    );
    let assert = sandbox.fathom(&format!("ci {REFS} --markdown c.md --html p.html")).assert().code(0);
    assert.stdout(says("of a descriptor 4, at {checkout}/data/*.txt"));
    let comment = fs::read_to_string(sandbox.file("c.md")).unwrap();
    assert!(comment.starts_with("<!-- fathom ci -->\n") && comment.contains("replaced: - "), "{comment}");
    assert!(fs::read_to_string(sandbox.file("p.html")).unwrap().contains("<table"));
}

#[test]
fn an_open_that_moved_to_another_program_is_told_as_moved() {
    let sandbox = Sandbox::new();
    for (side, script) in
        [("before", "cat words.txt"), ("after", "while read -r line; do :; done < words.txt")]
    {
        fs::create_dir(sandbox.file(side)).unwrap();
        sandbox.write(&format!("{side}/words.txt"), "");
        // A second command keeps the shell from becoming the first.
        sandbox.write(&format!("{side}/run.sh"), &format!("{script}\n:\n"));
    }
    let assert = sandbox.fathom("ci --base ./before --head ./after --full -- sh run.sh").assert().code(0);
    assert.stdout(says("moved: 1 openat at {checkout}/words.txt from yours, cat to yours, "));
}

#[test]
fn two_programs_and_two_traces_are_sides_too() {
    if !has(Capability::C) {
        return;
    }
    let sandbox = Sandbox::new();
    for (name, more) in [("old", ""), ("new", "fsync(out);")] {
        sandbox.write(&format!("{name}.c"), &TOOL.replace("/* out */", more));
        let built =
            sandbox.shell(&format!("gcc -o {name} {name}.c && fathom trace -o {name}.events -- ./{name}"));
        assert!(built.status.success());
    }
    let found = compared(&sandbox, "--base ./old --head ./new -- {program}", 0);
    assert_eq!(rows(&found).len(), 1, "{found:#}");
    assert!(rows(&found)[0].starts_with("fsync descriptor"), "{found:#}");
    let kept = compared(&sandbox, "--base ./old.events --head ./old.events", 0);
    assert_eq!(kept["verdict"], "same", "{kept:#}");
    let mixed = sandbox.fathom("ci --base ./old --head ./new.events -- {program}").assert().code(2);
    mixed.stderr(says("./old is a program, and ./new.events is a trace"));
}

#[test]
fn one_commit_on_both_sides_is_no_change() {
    if !has(Capability::C) {
        return;
    }
    let sandbox = repository(PROJECT, &[]);
    let found = compared(&sandbox, "--base HEAD --head HEAD --fail-on any-change", 0);
    assert_eq!((&found["verdict"], found["runs"].as_u64()), (&"same".into(), Some(2)), "{found:#}");
    let text = sandbox.fathom(&format!("ci {REFS}")).assert().code(0);
    text.stdout(says("no system call on the file path changed"));
}

#[test]
fn what_ran_on_neither_side_is_no_good_news() {
    let sandbox = repository(PROJECT, &[]);
    for (script, ends) in [("exit 127", "exit 127"), ("kill -9 $$", "signal 9")] {
        let output = sandbox.fathom(&format!("ci {REFS} --")).args(["sh", "-c", script]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains(&format!("both sides end with {ends}")), "{said}");
    }
    // Programs that tell something by their code have run.
    let output =
        sandbox.fathom("ci --base HEAD --head HEAD --").args(["sh", "-c", "exit 3"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn changes_that_are_in_no_commit_are_said_to_be_left_out() {
    let sandbox = repository(PROJECT, &[]);
    let text = || {
        let output = sandbox.fathom(&format!("ci {REFS}")).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    sandbox.write("new.c", "");
    assert!(!text().contains("uncommitted"), "what git does not follow is no change");
    sandbox.write("tool.c", &TOOL.replace("/* out */", "fsync(out);"));
    sandbox.write(".gitignore", "*\n");
    let index = || fs::read(sandbox.file(".git/index")).unwrap();
    // A file that was only touched makes git renew what its index says of it, where it may.
    sandbox.shell("touch -d 2020-01-01 data/1.txt");
    let before = index();
    let told = text();
    assert!(told.contains("without the uncommitted changes of 2 files here"), "{told}");
    assert_eq!(index(), before, "the user's index is only read");
}

#[test]
fn what_counts_is_a_choice_of_the_project() {
    if !has(Capability::C) {
        return;
    }
    let planted = [("/* out */", "fsync(out); open(\"data/none\", O_RDONLY);")];
    let sandbox = repository(&format!("{PROJECT}counts = {{ under = [\"data\"] }}\n"), &planted);
    let found = compared(&sandbox, REFS, 0);
    assert_eq!(rows(&found), ["openat=ENOENT path {checkout}/data/none yours 0 1"], "{found:#}");
    sandbox.write(".fathom.toml", &format!("{PROJECT}counts = {{ only = [\"sync\"] }}\n"));
    assert_eq!(rows(&compared(&sandbox, REFS, 0)), ["fsync descriptor {checkout}/out yours 0 1"]);
    sandbox.write(".fathom.toml", &format!("{PROJECT}counts = {{ only = [\"opne\"] }}\n"));
    sandbox.fathom(&format!("ci {REFS}")).assert().code(2).stderr(says("`opne` is no call and no family"));
}

#[test]
fn budgets_are_held_on_the_newer_side() {
    if !has(Capability::C) {
        return;
    }
    let sandbox =
        repository(&format!("{PROJECT}assert = [\"sync == 0\"]\n"), &[("/* out */", "fsync(out);")]);
    let found = compared(&sandbox, REFS, 1);
    assert_eq!(found["budgets"][0]["verdict"], "not-met", "{found:#}");
    assert_eq!(compared(&sandbox, "--base HEAD --head HEAD~1", 0)["budgets"][0]["verdict"], "met");
}

#[test]
fn a_build_that_fails_is_named_with_its_side_and_what_it_said() {
    let project =
        PROJECT.replace("gcc -g -O1 -o tool tool.c", "grep -q fsync tool.c || { echo no luck; exit 3; }");
    let sandbox = repository(&project, &[("/* out */", "fsync(out);")]);
    let assert = sandbox.fathom(&format!("ci {REFS}")).assert().code(2);
    assert.stderr(says("the build of base (HEAD~1)").and(says("exit status: 3")).and(says("no luck")));
}

#[test]
fn a_command_that_one_side_lacks_is_not_known() {
    let project = "[[command]]\nname = \"new\"\nrun = \"./new.sh\"\n";
    let sandbox = repository(project, &[]);
    sandbox.write("new.sh", "#!/bin/sh\n:\n");
    git(&sandbox, "chmod +x new.sh\ngit add -A\ngit commit -qm new");
    let found = compared(&sandbox, REFS, 3);
    let reason = found["verdict"]["not-known"].as_str().unwrap();
    assert!(reason.contains("on base, failed to start `./new.sh`"), "{reason}");
    let ended = compared(&sandbox, "--base HEAD --head HEAD -- sh -c :", 0);
    assert_eq!(ended["verdict"], "same");
    fs::create_dir(sandbox.file("one")).unwrap();
    fs::create_dir(sandbox.file("two")).unwrap();
    sandbox.write("two/here", "");
    let ended = compared(&sandbox, "--base ./one --head ./two -- cat here", 3);
    let reason = ended["verdict"]["not-known"].as_str().unwrap();
    assert!(reason.contains("base ends with exit 1, head with exit 0"), "{reason}");
    sandbox.write("flaky.sh", "echo >> times\ntest $(wc -l < times) != 2\n");
    let flaky = compared(&sandbox, "--base ./one --head ./two -- sh ../flaky.sh", 3);
    let reason = flaky["verdict"]["not-known"].as_str().unwrap();
    assert!(reason.contains("base alone ends with exit 0 or exit 1: make the command end alike"), "{reason}");
}

#[test]
fn mistakes_are_named() {
    let sandbox = repository(PROJECT, &[]);
    let refused = |words: &str| sandbox.fathom(&format!("ci {words}")).assert().code(2);
    refused("--base nowhere --head HEAD").stderr(says("`nowhere` is no git ref here"));
    refused("--base ./data --head HEAD").stderr(says("both sides are of one kind"));
    refused("--base ./tool.c --head ./tool.c").stderr(says("neither a program nor a trace"));
    refused("--base ./data --head ./data --config missing.toml").stderr(says("missing.toml"));
    sandbox.write(".fathom.toml", "");
    refused("--base HEAD --head HEAD").stderr(says("there is no command to run"));
    sandbox.write(".fathom.toml", &format!("{PROJECT}{}", &PROJECT[PROJECT.find("[[").unwrap()..]));
    refused("--base HEAD --head HEAD").stderr(says("two commands are called `tool`"));
    refused("--base HEAD --head HEAD --fail-on dearer").stderr(says("needs prices"));
}

#[test]
fn ctrl_c_leaves_no_checkout_and_no_process() {
    let sandbox = repository("[[command]]\nname = \"long\"\nrun = \"sleep 600\"\n", &[]);
    fs::create_dir(sandbox.file("checkouts")).unwrap();
    let checkouts = sandbox.file("checkouts");
    let temporary = [("TMPDIR", checkouts.to_str().unwrap())];
    let mut running = Running::start_with(&sandbox, &format!("ci {REFS}"), &temporary);
    let sleeps =
        |pid: &u32| fs::read(format!("/proc/{pid}/comm")).is_ok_and(|name| name.starts_with(b"sleep"));
    running.wait_for("the command", |running| running.descendants().into_iter().find(sleeps));
    running.signal(Signal::INT);
    let ended = running.end();
    assert_eq!(ended.code, Some(130), "{}{}", ended.out, ended.err);
    assert_eq!(left_in(&checkouts), Vec::<PathBuf>::new());
    sandbox.assert_nothing_left();
}

#[test]
fn hostile_names_are_escaped_in_a_comment() {
    let sandbox = Sandbox::new();
    for side in ["before", "after"] {
        fs::create_dir(sandbox.file(side)).unwrap();
        fs::write(sandbox.file(&format!("{side}/a|b`c<!-- x -->\u{1b}[2J\nd")), "").unwrap();
        sandbox.write(
            &format!("{side}/run.sh"),
            if side == "before" { ":\n" } else { "for name in a*; do : < \"$name\"; done\n" },
        );
    }
    sandbox.fathom("ci --base ./before --head ./after --markdown c.md -- sh run.sh").assert().code(0);
    let comment = fs::read_to_string(sandbox.file("c.md")).unwrap();
    let row =
        comment.lines().find(|line| line.contains("{checkout}/a")).unwrap_or_else(|| panic!("{comment}"));
    assert!(row.contains("``{checkout}/a\\|b`c") && !comment.contains('\u{1b}'), "{comment}");
    let parsed = pulldown_cmark::Parser::new(&comment).filter(|event| match event {
        pulldown_cmark::Event::Html(html) | pulldown_cmark::Event::InlineHtml(html) => html.contains(" x "),
        _ => false,
    });
    assert_eq!(parsed.count(), 0, "{comment}");
}

/// Four threads that make temporary files and read one, in an order of their own.
const THREADS_PY: &str = "\
import threading, tempfile
def work():
    for _ in range(20):
        tempfile.NamedTemporaryFile().close()
        open('tool.c').read()
threads = [threading.Thread(target=work) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
";
const READS_GO: &str = r#"package main

import (
	"os"
	"sync"
)

func main() {
	if len(os.Args) < 2 {
		os.ReadFile("tool.c")
		return
	}
	var all sync.WaitGroup
	for i := 0; i < 8; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for n := 0; n < 20; n++ {
				os.ReadFile("tool.c")
			}
		}()
	}
	all.Wait()
}
"#;
const READS_JAVA: &str = "\
import java.nio.file.*;
class Reads {
    public static void main(String[] words) throws Exception {
        if (words.length == 0) { Files.readString(Path.of(\"tool.c\")); return; }
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                try { for (int n = 0; n < 20; n++) Files.readString(Path.of(\"tool.c\")); }
                catch (java.io.IOException error) { throw new RuntimeException(error); }
            });
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
    }
}
";

/// Real commands, with what they need; `{here}` is where programs were built.
const REAL_COMMANDS: [(Option<Capability>, &[&str]); 20] = [
    (None, &["git", "status"]),
    (None, &["git", "log", "--oneline"]),
    (None, &["ls", "-R"]),
    (None, &["sort", "-S", "32K", "--parallel=4", "big.txt", "-o", "sorted"]),
    (None, &["find", ".", "-name", "*.txt"]),
    (None, &["grep", "-r", "words", "data"]),
    (None, &["tar", "cf", "out.tar", "data"]),
    (Some(Capability::C), &["gcc", "-c", "tool.c", "-o", "tool.o"]),
    (None, &["sh", "-c", "for f in data/*; do wc -l $f; done"]),
    (None, &["sh", "-c", "find data -type f | xargs -P 4 -n 1 wc -l"]),
    (Some(Capability::Perl), &["perl", "-MPOSIX", "-e", "print 1"]),
    (Some(Capability::Ruby), &["ruby", "-rjson", "-e", "puts 1"]),
    (None, &["xz", "-kf", "tool.c"]),
    (Some(Capability::Python), &["python3", "-c", "import json"]),
    (Some(Capability::Python), &["python3", "threads.py"]),
    (Some(Capability::Node), &["node", "-e", "require('fs').readdirSync('data')"]),
    (Some(Capability::Go), &["{here}/reads"]),
    (Some(Capability::Go), &["{here}/reads", "threads"]),
    (Some(Capability::Java), &["java", "-cp", "{here}", "Reads"]),
    (Some(Capability::Java), &["java", "-cp", "{here}", "Reads", "threads"]),
];

/// Compares one commit with itself by each command, so many times.
fn compare_with_itself(rounds: usize) {
    let sandbox = repository("", &[]);
    sandbox.write("threads.py", THREADS_PY);
    sandbox.write("big.txt", &"some words in a line\n".repeat(4_000));
    git(&sandbox, "git add -A\ngit commit -qm threads");
    // They are in no commit: both sides start the same programs.
    sandbox.write("reads.go", READS_GO);
    sandbox.write("Reads.java", READS_JAVA);
    for (needs, script) in [
        (Capability::Go, "GOCACHE=$PWD/go-cache GO111MODULE=off go build -o reads reads.go"),
        (Capability::Java, "javac Reads.java"),
    ] {
        let built = has(needs).then(|| sandbox.shell(script));
        assert!(built.as_ref().is_none_or(|built| built.status.success()), "{built:?}");
    }
    let here = sandbox.path().display().to_string();
    let able: Vec<_> = REAL_COMMANDS.iter().filter(|(needs, _)| needs.is_none_or(has)).collect();
    let mut compared = 0;
    for round in 1..=rounds {
        for (_, words) in &able {
            let words: Vec<_> = words.iter().map(|word| word.replace("{here}", &here)).collect();
            let options = "ci --base HEAD --head HEAD --fail-on any-change,new-findings --";
            let output = sandbox.fathom(options).args(&words).output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "round {round}, {words:?}: {said}{message}");
            assert!(said.starts_with("no system call on the file path changed"), "{words:?}: {said}");
            compared += 1;
        }
    }
    eprintln!("{compared} comparisons of {} commands, 0 changes", able.len());
}

#[test]
#[ignore = "long"]
fn twenty_real_commands_do_not_differ_from_themselves() {
    compare_with_itself(1);
}

#[test]
#[ignore = "long"]
fn slowly_two_hundred_comparisons_of_real_commands_report_no_change() {
    compare_with_itself(10);
}
