//! `cargo xtask soak`: installed programs again and again under `fathom trace --capture hook`, and whether
//! each ended and printed as it does alone.

use crate::calibrate::{note, programs};
use anyhow::Context;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// What is run, each line by `sh`, in a folder with `text`, `list` and a few folders. What it prints
/// depends on no time, no address and no order of threads.
const COMMANDS: [&str; 50] = [
    "cat text",
    "ls -R .",
    "ls -1 /proc/self/ns",
    "wc text list",
    "sort list",
    "sort -r -S 1M --parallel=2 text",
    "uniq -c list",
    "head -n 50 text",
    "tail -n 50 text",
    "cut -c1-10 text",
    "tr a-z A-Z < text",
    "od -x text",
    "sha256sum text list",
    "md5sum text",
    "cksum text",
    "base64 text",
    "split -b 4096 text part. && cat part.* | cksum",
    "paste text list",
    "join list list",
    "comm list list",
    "nl text",
    "fold -w 30 text",
    "tac text",
    "rev text",
    "cmp text text",
    "diff text list",
    "cp text copy && cmp text copy",
    "cp -a folder copies && ls copies",
    "mv text moved && mv moved text && cksum text",
    "mkdir -p a/b/c && rmdir -p a/b/c",
    "ln -s text link && readlink link",
    "touch new && test -e new && rm new",
    "du -a --apparent-size folder | sort",
    "find . -type f | sort",
    "find folder -name '*.txt' -exec cat {} +",
    "ls | xargs -n1 echo",
    "grep -n e text",
    "grep -rl word folder | sort",
    "sed -e 's/e/E/g' text",
    "awk '{ s += length($0) } END { print s }' text",
    "tar cf all.tar folder && tar tf all.tar",
    "gzip -c text | gzip -dc | cksum",
    "perl -ne 'print if /e/' text",
    "python3 -c 'import json, re, threading; print(sorted(open(\"list\"))[:9])'",
    "python3 -c 'import subprocess; print(subprocess.run([\"wc\", \"-l\", \"text\"], capture_output=True).stdout)'",
    "bash -c 'while read -r line; do echo \"$line\"; done < list'",
    "bash -c 'for i in 1 2 3 4 5 6 7 8; do (cat list | wc -l) & done; wait'",
    "sh -c 'kill -TERM $$'",
    "sh -c 'exit 7'",
    "git init -q repository && cd repository && git add . && git status --porcelain",
];

/// After so many runs it says how far it is: whoever ends it early has these.
const TOLD_EVERY: u32 = 500;

/// How a run ended: by code or signal, and what it printed.
type Ended = (std::process::ExitStatus, Vec<u8>);

/// Runs them and tells.
pub(crate) fn run(arguments: &crate::Soak) -> anyhow::Result<ExitCode> {
    let fathom = match &arguments.fathom {
        Some(fathom) => std::path::absolute(fathom)?,
        None => programs::build_fathom()?,
    };
    let folder = tempfile::tempdir().context("failed to make a folder")?;
    let mut alone: BTreeMap<&str, Option<Ended>> = BTreeMap::new();
    for command in COMMANDS {
        // Twice: what differs by itself says nothing of the hook.
        let [first, second] = [(); 2].map(|()| plain(folder.path(), command));
        let (first, second) = (first?, second?);
        if first != second {
            note(&format!("left out, it differs by itself: {command}"));
        }
        alone.insert(command, (first == second).then_some(first));
    }
    let steady: Vec<_> =
        alone.iter().filter_map(|(command, ended)| Some((*command, ended.as_ref()?))).collect();
    anyhow::ensure!(!steady.is_empty(), "no command ends alike twice");
    let mut failed = 0;
    for (turn, (command, expected)) in (0..arguments.runs).zip(steady.iter().cycle()) {
        if turn > 0 && turn.is_multiple_of(TOLD_EVERY) {
            note(&format!("{turn} runs, {failed} otherwise than alone"));
        }
        let work = folder.path().join("work");
        prepare(&work)?;
        let kept = folder.path().join("calls.events");
        let mut watched = Command::new("timeout");
        watched.args(["-s", "KILL", "120"]).arg(&fathom).args(["trace", "--progress", "never", "--capture"]);
        watched.arg(&arguments.capture).arg("-o").arg(&kept).args(["--", "sh", "-c", command]);
        let output = ended(&mut watched, &work)?;
        if output.1 != expected.1 || told_exit(output.0) != told_exit(expected.0) {
            let again = plain(folder.path(), command)?;
            if again != **expected {
                note(&format!("run {turn}: not counted, alone it ends otherwise by now: {command}"));
                continue;
            }
            failed += 1;
            note(&format!("run {turn}: {command}: {} instead of {}", output.0, expected.0));
        }
    }
    writeln!(
        std::io::stdout(),
        "{} runs of {} commands by {}: {failed} ended or printed otherwise than alone",
        arguments.runs,
        steady.len(),
        arguments.capture
    )?;
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// As a shell and Fathom tell it: a signal is 128 and its number.
fn told_exit(status: std::process::ExitStatus) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt;
    status.code().or_else(|| status.signal().map(|signal| 128 + signal))
}

fn plain(folder: &Path, command: &str) -> anyhow::Result<Ended> {
    let work = folder.join("work");
    prepare(&work)?;
    ended(Command::new("timeout").args(["-s", "KILL", "120", "sh", "-c", command]), &work)
}

fn ended(command: &mut Command, work: &Path) -> anyhow::Result<Ended> {
    command.current_dir(work).env("LC_ALL", "C").env("HOME", work).env_remove("LD_LIBRARY_PATH");
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output()?;
    Ok((output.status, output.stdout))
}

/// The same files every time.
fn prepare(work: &Path) -> anyhow::Result<()> {
    if work.exists() {
        std::fs::remove_dir_all(work)?;
    }
    std::fs::create_dir_all(work.join("folder/deeper"))?;
    let lines = (0..2000).map(|line| format!("line {line} of some words, {}\n", line * 7919 % 1009));
    std::fs::write(work.join("text"), lines.collect::<Vec<_>>().concat())?;
    let numbers = (100..900).map(|number| format!("{number}\n"));
    std::fs::write(work.join("list"), numbers.collect::<Vec<_>>().concat())?;
    for number in 0..40 {
        let name = format!("folder/{}{number}.txt", if number % 2 == 0 { "deeper/" } else { "" });
        std::fs::write(work.join(name), format!("word {number}\n"))?;
    }
    Ok(())
}
