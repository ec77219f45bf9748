//! `cargo xtask soak`: installed programs again and again under `fathom trace --capture hook`, and whether
//! each ended and printed as it does alone.

use crate::calibrate::{note, programs};
use crate::corpus::in_turn;
use anyhow::Context;
use fathom_audit::{Audit, FactKind};
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::{LazyLock, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// What is run, each line by `sh`, in a folder with `text`, `list`, `numbers` and a few folders. What it
/// prints depends on no time, no address and no order of threads. A program is hooked at its 48th call:
/// each of these makes more.
const COMMANDS: [&str; 50] = [
    "cat folder/*.txt folder/deeper/*.txt",
    "ls -FR . folder",
    "ls -1F /proc/self/ns folder folder/deeper",
    "wc text folder/*.txt folder/deeper/*.txt",
    "sort list folder/*.txt folder/deeper/*.txt",
    "sort -r -S 64k --batch-size=4 --parallel=2 -T . text",
    "uniq -c text",
    "head -n 1 folder/*.txt folder/deeper/*.txt",
    "tail -n 1 folder/*.txt folder/deeper/*.txt",
    "cut -c1-10 text",
    "tr a-z A-Z < text",
    "od -x text",
    "sha256sum text folder/*.txt folder/deeper/*.txt",
    "md5sum folder/*.txt folder/deeper/*.txt",
    "cksum folder/*.txt folder/deeper/*.txt",
    "base64 text",
    "split -b 16k text part. && cat part.* | cksum",
    "paste text numbers",
    "join numbers numbers",
    "comm numbers numbers",
    "nl text",
    "fold -w 30 text",
    "tac text",
    "rev text",
    "cat text | cmp - text",
    "cp -r folder other && echo more >> other/1.txt && diff -rq folder other",
    "cp text copy && cmp text copy",
    "cp -a folder copies && ls copies",
    "mv folder/*.txt folder/deeper && ls folder/deeper",
    "mkdir -p $(seq -f a/%g 60) && rmdir -p $(seq -f a/%g 60)",
    "mkdir a && ln -s $(seq 60) a && readlink a/*",
    "touch $(seq 60) && rm $(seq 60) && ls",
    "du -a --apparent-size folder | sort",
    "find . -type f | sort",
    "find folder -name '*.txt' -exec cat {} +",
    "seq 30 | xargs -n1 echo",
    "grep -n word folder/*.txt folder/deeper/*.txt",
    "grep -rl word folder | sort",
    "sed -e 's/e/E/g' text",
    "awk '{ s += length($0) } END { print s }' text",
    "tar cf all.tar folder && tar tf all.tar",
    "gzip -r folder && gzip -rd folder && cat folder/*.txt",
    "perl -ne 'print if /e/' text",
    "python3 -c 'import json, re, threading; print(sorted(open(\"list\"))[:9])'",
    "python3 -c 'import subprocess; print(subprocess.run([\"wc\", \"-l\", \"text\"], capture_output=True).stdout)'",
    "bash -c 'while read -r line; do echo \"$line\"; done < list'",
    "bash -c 'for i in 1 2 3 4 5 6 7 8; do (cat list | wc -l) & done; wait'",
    "sh -c 'for i in $(seq 60); do test -e text; done; kill -TERM $$'",
    "sh -c 'while read -r line; do test \"$line\" = 500 && exit 7; done < list'",
    "git init -q repository && cd repository && git add . && git status --porcelain",
];

/// After so many runs it says how far it is and keeps the record: whoever ends it early has these.
const TOLD_EVERY: u32 = 500;

/// How a run ended: by code or signal, and what it printed.
type Ended = (std::process::ExitStatus, Vec<u8>);

/// What is known of one command.
#[derive(Debug)]
struct Row {
    command: &'static str,
    /// How it ends alone; none where that is not twice the same.
    alone: Option<Ended>,
    /// Of one run under audit: calls without a stop, and those that stopped. None without a hook.
    hooked: Option<(u64, u64)>,
    tally: Mutex<Tally>,
}

/// What its runs came to.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    /// Runs that were compared.
    runs: u32,
    /// Those of them that ended or printed otherwise than alone.
    otherwise: u32,
    /// Runs after which it ended otherwise alone, too: nothing is known by them.
    not_counted: u32,
    took: Duration,
}

impl Row {
    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().expect("no worker panics")
    }
}

/// Runs them and tells.
pub(crate) fn run(arguments: &crate::Soak) -> anyhow::Result<ExitCode> {
    let fathom = match &arguments.fathom {
        Some(fathom) => std::path::absolute(fathom)?,
        None => programs::build_fathom()?,
    };
    let folder = tempfile::tempdir().context("failed to make a folder")?;
    let mut rows = Vec::new();
    for command in COMMANDS {
        // Twice: what differs by itself says nothing of the hook.
        let [first, second] = [(); 2].map(|()| plain(folder.path(), command));
        let (first, second) = (first?, second?);
        if first != second {
            note(&format!("left out, it differs by itself: {command}"));
        }
        let alone = (first == second).then_some(first);
        let hooked = hooked(&fathom, &arguments.capture, folder.path(), command)?;
        rows.push(Row { command, alone, hooked, tally: Mutex::default() });
    }
    let steady: Vec<_> = rows.iter().filter(|row| row.alone.is_some()).collect();
    anyhow::ensure!(!steady.is_empty(), "no command ends alike twice");
    let turns: Vec<_> = (1..=arguments.runs).zip(steady.into_iter().cycle()).collect();
    let done = in_turn(&turns, arguments.workers, |(turn, row)| {
        let own = folder.path().join(format!("turn-{turn}"));
        compare(&fathom, &arguments.capture, &own, row)?;
        std::fs::remove_dir_all(&own)?;
        if turn.is_multiple_of(TOLD_EVERY) {
            note(&sums(&rows, &arguments.capture));
            keep(arguments.record.as_deref(), &rows)?;
        }
        anyhow::Ok(())
    });
    done.into_iter().collect::<anyhow::Result<()>>()?;
    keep(arguments.record.as_deref(), &rows)?;
    writeln!(std::io::stdout(), "{}", sums(&rows, &arguments.capture))?;
    let is_clean = rows.iter().all(|row| row.tally().otherwise == 0);
    Ok(if is_clean { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Runs a command once more under the capture, beside how it ends alone.
fn compare(fathom: &Path, capture: &str, folder: &Path, row: &Row) -> anyhow::Result<()> {
    let Some(alone) = &row.alone else { return Ok(()) };
    let work = folder.join("work");
    prepare(&work)?;
    let begun = Instant::now();
    let mut watched = under(fathom, "trace", capture, &folder.join("calls.events"), row.command);
    let output = ended(&mut watched, &work)?;
    let took = begun.elapsed();
    let is_same = output.1 == alone.1 && told_exit(output.0) == told_exit(alone.0);
    let is_counted = is_same || plain(folder, row.command)? == *alone;
    let mut tally = row.tally();
    tally.took += took;
    if !is_counted {
        tally.not_counted += 1;
        note(&format!("not counted, alone it ends otherwise by now: {}", row.command));
        return Ok(());
    }
    tally.runs += 1;
    if !is_same {
        tally.otherwise += 1;
        note(&format!("{}: {} instead of {}", row.command, output.0, alone.0));
    }
    Ok(())
}

/// Fathom with a command that it watches, which is killed after two minutes.
fn under(fathom: &Path, word: &str, capture: &str, kept: &Path, command: &str) -> Command {
    let mut watched = Command::new("timeout");
    watched.args(["-s", "KILL", "120"]).arg(fathom).args([word, "--progress", "never", "--capture", capture]);
    watched.arg("-o").arg(kept);
    if word == "audit" {
        watched.args(["--no-config", "--format", "json"]);
    }
    watched.args(["--", "sh", "-c", command]);
    watched
}

/// How many calls of a command are made in the hook, and how many stop it.
fn hooked(fathom: &Path, capture: &str, folder: &Path, command: &str) -> anyhow::Result<Option<(u64, u64)>> {
    let work = folder.join("work");
    prepare(&work)?;
    let kept = folder.join("audit.json");
    ended(&mut under(fathom, "audit", capture, &kept, command), &work)?;
    let audit: Audit = serde_json::from_str(&std::fs::read_to_string(&kept)?)
        .with_context(|| format!("no audit came of {command}"))?;
    Ok(audit.fact(FactKind::Capture).and_then(hooked_calls))
}

/// `by the hook (…): 19 calls without a stop, 126 the slow way; …`
fn hooked_calls(fact: &str) -> Option<(u64, u64)> {
    let (before, after) = fact.split_once(" calls without a stop, ")?;
    let hooked = before.rsplit(' ').next()?.parse().ok()?;
    Some((hooked, after.split_once(' ')?.0.parse().ok()?))
}

fn sums(rows: &[Row], capture: &str) -> String {
    let tallies: Vec<Tally> = rows.iter().map(|row| *row.tally()).collect();
    let sum = |count: fn(&Tally) -> u32| tallies.iter().map(count).sum::<u32>();
    let counted = || tallies.iter().map(|tally| tally.runs).filter(|&runs| runs > 0);
    let hooked = rows.iter().filter(|row| row.hooked.is_some_and(|(hooked, _)| hooked > 0)).count();
    format!(
        "{} runs of {} commands by {capture}, each at least {} times: {} ended or printed otherwise than alone, {} not counted; {hooked} of the commands make calls in the hook",
        sum(|tally| tally.runs),
        counted().count(),
        counted().min().unwrap_or(0),
        sum(|tally| tally.otherwise),
        sum(|tally| tally.not_counted),
    )
}

/// Writes the record anew: a row for each command.
fn keep(record: Option<&Path>, rows: &[Row]) -> anyhow::Result<()> {
    let Some(record) = record else { return Ok(()) };
    std::fs::write(record, table(rows)).with_context(|| format!("failed to write {}", record.display()))
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "command,runs,ended otherwise,not counted,calls without a stop,calls with a stop,s a run\n",
    );
    for row in rows {
        let command = row.command.replace('"', "\"\"");
        let (hooked, stopped) = row.hooked.map_or((String::new(), String::new()), |(hooked, stopped)| {
            (hooked.to_string(), stopped.to_string())
        });
        let Tally { runs, otherwise, not_counted, took } = *row.tally();
        let each = took.as_secs_f64() / f64::from((runs + not_counted).max(1));
        let _infallible =
            writeln!(text, "\"{command}\",{runs},{otherwise},{not_counted},{hooked},{stopped},{each:.4}");
    }
    text
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

/// 480 KB: what is read in pieces of 4 KiB or 8 KiB takes more than 48 calls.
static TEXT: LazyLock<String> = LazyLock::new(|| {
    let lines = (0..15_000).map(|line| format!("line {line} of some words, {}\n", line * 7919 % 1009));
    lines.collect()
});

/// 90 KB.
static NUMBERS: LazyLock<String> =
    LazyLock::new(|| (10_000..25_000).map(|number| number.to_string() + "\n").collect());

/// The same files every time.
fn prepare(work: &Path) -> anyhow::Result<()> {
    if work.exists() {
        std::fs::remove_dir_all(work)?;
    }
    std::fs::create_dir_all(work.join("folder/deeper"))?;
    std::fs::write(work.join("text"), TEXT.as_str())?;
    std::fs::write(work.join("numbers"), NUMBERS.as_str())?;
    let numbers = (100..900).map(|number| format!("{number}\n"));
    std::fs::write(work.join("list"), numbers.collect::<Vec<_>>().concat())?;
    for number in 0..40 {
        let name = format!("folder/{}{number}.txt", if number % 2 == 0 { "deeper/" } else { "" });
        std::fs::write(work.join(name), format!("word {number}\n"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(command: &'static str, hooked: Option<(u64, u64)>, runs: u32) -> Row {
        let took = Duration::from_secs(u64::from(runs));
        let tally = Tally { runs, otherwise: 1, not_counted: 2, took };
        Row { command, alone: None, hooked, tally: Mutex::new(tally) }
    }

    #[test]
    fn the_record_has_a_row_for_each_command() {
        let rows = [row("awk '{ print \"a\", 1 }'", Some((7, 12)), 4), row("ls", None, 0)];
        let text = table(&rows);
        let lines: Vec<_> = text.lines().skip(1).collect();
        assert_eq!(lines, ["\"awk '{ print \"\"a\"\", 1 }'\",4,1,2,7,12,0.6667", "\"ls\",0,1,2,,,0.0000"]);
        let sums = sums(&rows, "hook");
        assert!(sums.starts_with("4 runs of 1 commands by hook, each at least 4 times: 2 ended"), "{sums}");
        assert!(sums.ends_with("4 not counted; 1 of the commands make calls in the hook"), "{sums}");
    }

    #[test]
    fn the_fact_of_an_audit_has_both_counts() {
        let fact =
            "by the hook (experimental): 19332 calls without a stop, 126 the slow way; 17 places patched";
        assert_eq!(hooked_calls(fact), Some((19332, 126)));
        assert_eq!(hooked_calls("by ptrace, as asked"), None);
    }
}
