//! Holds what `fathom what-if --without` says of programs against what their patch gains: each program of
//! tests/what-if runs with the calls (`old`) and without them (`new`), and `old` alone is asked about, by making
//! the calls again and by leaving them out.

mod page;

use anyhow::{Context, ensure};
use fathom_audit::{CallCost, CallTime};
use fathom_stats::{median, quantile_interval};
use fathom_sys::child_usage;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/what-if");
const RECORDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/samples/what-if");
const TRUTHS: &str = "truths.json";

/// Arguments of `what-if-pairs`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The program; a debug build reads calls so slowly that the commands wait for it
    #[arg(long, value_name = "FILE", default_value = "target/release/fathom")]
    fathom: PathBuf,

    /// Time for blocks of each program, by each of the two ways
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    time: u32,

    /// Pairs of runs of both sides
    #[arg(long, default_value_t = 41)]
    pairs: u32,

    /// Only programs whose name has this in it; the others' records stay
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,

    /// Run nothing, and write the page from the records that are kept
    #[arg(long)]
    kept: bool,
}

/// What a patch gains, and where.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Truth {
    /// What it ran on, and beside how much.
    machine: String,
    pairs: u32,
    /// What a system call of no work took meanwhile, in ns: the least and the most. Older records have it not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call_ns: Option<(f64, f64)>,
    /// Wall and CPU time of old less new.
    wall: CallTime,
    cpu: CallTime,
}

/// A program, and what was found of it.
struct Pair {
    name: String,
    calls: String,
    repeated: CallCost,
    elided: CallCost,
    truth: Truth,
}

/// Runs all of them and writes docs/what-if-pairs.md with its records.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    std::fs::create_dir_all(RECORDS)?;
    if !arguments.kept {
        measure(arguments)?;
    }
    page::write(&kept()?)?;
    Ok(ExitCode::SUCCESS)
}

fn measure(arguments: &Arguments) -> anyhow::Result<()> {
    let fathom = arguments.fathom.canonicalize().context("build it: cargo build --release -p fathom-io")?;
    let (mut fastest, mut attempts) = (call_ns(), 0);
    for program in programs()? {
        let name = name_of(&program);
        if arguments.only.as_ref().is_some_and(|only| !name.contains(only)) {
            continue;
        }
        let folder = tempfile::tempdir()?;
        let Some(subject) = Subject::build(&program, folder.path())? else { continue };
        prepare(folder.path())?;
        let truth = loop {
            let mut took = vec![call_ns()];
            subject.ask(&fathom, &name, "json", &[], arguments.time)?;
            took.push(call_ns());
            subject.ask(&fathom, &name, "elided.json", &["--elide"], arguments.time)?;
            let mut truth = subject.truth(arguments.pairs, &mut took)?;
            let [least, most] =
                [f64::min, f64::max].map(|of| took.iter().copied().reduce(of).unwrap_or_default());
            fastest = fastest.min(least);
            truth.call_ns = Some((least, most));
            attempts += 1;
            if !is_slowed(fastest, most) || attempts == MOST_ATTEMPTS {
                break truth;
            }
        };
        attempts = 0;
        // After each, so that one that is broken off loses nothing.
        let mut truths = truths()?;
        truths.insert(name, truth);
        std::fs::write(Path::new(RECORDS).join(TRUTHS), serde_json::to_string_pretty(&truths)? + "\n")?;
    }
    Ok(())
}

/// So often one program is measured where system calls were slowed meanwhile.
const MOST_ATTEMPTS: u32 = 3;

/// What a system call of no work takes, in ns: the fastest of some rounds, so that other load does not show.
fn call_ns() -> f64 {
    const CALLS: u32 = 1000;
    let rounds = (0..20).map(|_| {
        let begun = Instant::now();
        for _ in 0..CALLS {
            std::hint::black_box(std::os::unix::process::parent_id());
        }
        begun.elapsed().as_nanos() as f64 / f64::from(CALLS)
    });
    rounds.fold(f64::INFINITY, f64::min)
}

/// Who traces all calls of a machine (`perf trace`, a BPF program at their tracepoint) makes each some hundred ns
/// longer, in one of two measurements and not in the other.
fn is_slowed(fastest_ns: f64, slowest_ns: f64) -> bool {
    slowest_ns > 1.5 * fastest_ns
}

fn programs() -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(PROGRAMS)?;
    let mut programs: Vec<_> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    programs.retain(|program| program.is_file());
    programs.sort();
    Ok(programs)
}

fn name_of(program: &Path) -> String {
    program.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn truths() -> anyhow::Result<BTreeMap<String, Truth>> {
    match std::fs::read_to_string(Path::new(RECORDS).join(TRUTHS)) {
        Ok(text) => Ok(serde_json::from_str(&text)?),
        Err(_) => Ok(BTreeMap::new()),
    }
}

/// All that is kept.
fn kept() -> anyhow::Result<Vec<Pair>> {
    let truths = truths()?;
    let mut pairs = Vec::new();
    for program in programs()? {
        let name = name_of(&program);
        let Some(truth) = truths.get(&name).cloned() else { continue };
        let record = |ending: &str| -> anyhow::Result<CallCost> {
            let text = std::fs::read_to_string(Path::new(RECORDS).join(format!("{name}.{ending}")))?;
            Ok(serde_json::from_str(&text)?)
        };
        let calls = header(&program, "calls: ")?.context("calls: are missing")?;
        pairs.push(Pair { calls, repeated: record("json")?, elided: record("elided.json")?, name, truth });
    }
    Ok(pairs)
}

/// What the program's first lines say after a word.
fn header(program: &Path, word: &str) -> anyhow::Result<Option<String>> {
    let source = std::fs::read_to_string(program)?;
    let found =
        source.lines().take(2).find_map(|line| line.split_once(word).map(|(_, rest)| rest.to_owned()));
    Ok(found)
}

/// A program that was built.
struct Subject<'a> {
    folder: &'a Path,
    calls: String,
    /// The words that start each side.
    old: Vec<String>,
    new: Vec<String>,
}

impl<'a> Subject<'a> {
    /// `None` where its language is not here.
    fn build(program: &Path, folder: &'a Path) -> anyhow::Result<Option<Self>> {
        let Some(command) = built(program, folder)? else { return Ok(None) };
        let calls = header(program, "calls: ")?.context("calls: are missing")?;
        let words = |prefix: &[String], side: &str| {
            prefix.iter().chain(&command).cloned().chain([side.to_owned()]).collect::<Vec<_>>()
        };
        let (old, new) = match header(program, "patch: ")? {
            None => (words(&[], "old"), words(&[], "new")),
            // The program is the same; a library that both load takes the call away.
            Some(call) => {
                let library = folder.join("without.so").to_string_lossy().into_owned();
                let source = Path::new(PROGRAMS).join("patch/without.c");
                let compiler = ["gcc", "-O1", "-shared", "-fPIC", "-w", "-o", &library];
                let status = Command::new(compiler[0]).args(&compiler[1..]).arg(source).arg("-ldl").status();
                ensure!(status.context("failed to run gcc")?.success(), "patch/without.c does not compile");
                let preload = format!("LD_PRELOAD={library}");
                let with = ["env".to_owned(), preload.clone()];
                let without = ["env".to_owned(), preload, format!("WITHOUT={call}")];
                (words(&with, "old"), words(&without, "old"))
            }
        };
        Ok(Some(Self { folder, calls, old, new }))
    }

    fn ask(&self, fathom: &Path, name: &str, ending: &str, how: &[&str], time: u32) -> anyhow::Result<()> {
        let record = Path::new(RECORDS).join(format!("{name}.{ending}"));
        let mut asked = Command::new(fathom);
        asked.current_dir(self.folder).args(["what-if", "--without", &self.calls]).args(how);
        asked
            .args(["--time", &time.to_string(), "--format", "json", "-o"])
            .arg(&record)
            .arg("--")
            .args(&self.old);
        let status = asked.status().context("failed to run fathom")?;
        ensure!(matches!(status.code(), Some(0 | 3)), "{name}: {status}");
        // On one line, as other records are kept.
        let cost: CallCost = serde_json::from_str(&std::fs::read_to_string(&record)?)?;
        std::fs::write(&record, serde_json::to_string(&cost)? + "\n")?;
        Ok(())
    }

    /// Old less new, in pairs of random order.
    fn truth(&self, pairs: u32, took: &mut Vec<f64>) -> anyhow::Result<Truth> {
        let mut differences: [Vec<f64>; 2] = Default::default();
        let mut order = Xoshiro256PlusPlus::seed_from_u64(u64::from(pairs));
        for _ in 0..pairs {
            let mut sides = [(0, &self.old), (1, &self.new)];
            sides.shuffle(&mut order);
            let mut times = [[0.0; 2]; 2];
            for (side, words) in sides {
                let before = child_usage::of_awaited()?;
                let begun = Instant::now();
                let mut run = Command::new(&words[0]);
                run.args(&words[1..]).current_dir(self.folder).stdin(Stdio::null()).stdout(Stdio::null());
                ensure!(run.status()?.success(), "{} failed", words.join(" "));
                let wall = begun.elapsed().as_nanos() as f64;
                let after = child_usage::of_awaited()?;
                let cpu = (after.user_ns + after.system_ns - before.user_ns - before.system_ns) as f64;
                times[side] = [wall, cpu];
            }
            took.push(call_ns());
            for (of, differences) in differences.iter_mut().enumerate() {
                differences.push(times[0][of] - times[1][of]);
            }
        }
        let time = |differences: &[f64]| {
            let (low, high) = quantile_interval(differences, 0.5, 0.95);
            Some(CallTime { median: median(differences)?, low: low?, high: high? })
        };
        let load = std::fs::read_to_string("/proc/loadavg")?;
        let load = load.split_whitespace().next().unwrap_or_default();
        let cpus = std::thread::available_parallelism()?;
        Ok(Truth {
            machine: format!("{cpus} CPUs, load {load}"),
            pairs,
            call_ns: None,
            wall: time(&differences[0]).context("too few pairs")?,
            cpu: time(&differences[1]).context("too few pairs")?,
        })
    }
}

/// The words that start it; `None` where its language is not here.
fn built(program: &Path, folder: &Path) -> anyhow::Result<Option<Vec<String>>> {
    let app = folder.join("app").to_string_lossy().into_owned();
    let (source, folder_name) =
        (program.to_string_lossy().into_owned(), folder.to_string_lossy().into_owned());
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let (compiler, command): (&[&str], _) = match program.extension().and_then(|extension| extension.to_str())
    {
        Some("c") => (&["gcc", "-O1", "-w", "-o", &app, &source], words(&[&app])),
        Some("go") => (&["go", "build", "-o", &app, &source], words(&[&app])),
        Some("py") => (&["/usr/bin/python3", "--version"], words(&["/usr/bin/python3", "-I", &source])),
        Some("js") => (&["node", "--version"], words(&["node", &source])),
        Some("sh") => (&["git", "--version"], words(&["sh", &source])),
        Some("java") => {
            let class = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let java = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", &folder_name, &class];
            (&["javac", "-d", &folder_name, &source], words(&java))
        }
        _ => return Ok(None),
    };
    let mut compiling = Command::new(compiler[0]);
    compiling.args(&compiler[1..]).env("GOCACHE", folder.join("go")).stdout(Stdio::null());
    match compiling.status() {
        Ok(status) => ensure!(status.success(), "{source} does not compile"),
        Err(_) => return Ok(None),
    }
    Ok(Some(command))
}

/// What the programs ask about.
fn prepare(folder: &Path) -> anyhow::Result<()> {
    std::fs::write(folder.join("app.conf"), "name = \"a configuration\"\n")?;
    for at in 0..=30 {
        std::fs::create_dir(folder.join(format!("d{at}")))?;
    }
    std::fs::write(folder.join("d30/lib.conf"), "")?;
    std::fs::create_dir(folder.join("listed"))?;
    (0..100).try_for_each(|at| std::fs::write(folder.join(format!("listed/entry{at}")), ""))?;
    if Command::new("git").arg("--version").output().is_ok() {
        git_repository(&folder.join("repository")).context("no repository of git could be made")?;
    }
    Ok(())
}

/// A repository with 2,000 tags of one commit, all of them in `packed-refs`.
fn git_repository(at: &Path) -> anyhow::Result<()> {
    std::fs::create_dir(at)?;
    let git = |words: &[&str]| -> anyhow::Result<String> {
        let mut git = Command::new("git");
        git.current_dir(at).args(words).stdin(Stdio::null()).env_remove("GIT_DIR");
        for who in ["AUTHOR", "COMMITTER"] {
            git.env(format!("GIT_{who}_NAME"), "nobody").env(format!("GIT_{who}_EMAIL"), "nobody");
        }
        let said = git.output()?;
        ensure!(said.status.success(), "git {}: {}", words.join(" "), said.status);
        Ok(String::from_utf8_lossy(&said.stdout).trim().to_owned())
    };
    git(&["init", "--quiet"])?;
    let commit = git(&["commit-tree", &git(&["write-tree"])?, "-m", "one"])?;
    let mut names: Vec<_> = (1..=2000).map(|at| format!("refs/tags/v{at}")).collect();
    names.sort();
    let refs: Vec<_> = names.iter().map(|name| format!("{commit} {name}\n")).collect();
    let head = "# pack-refs with: peeled fully-peeled sorted \n";
    std::fs::write(at.join(".git/packed-refs"), format!("{head}{}", refs.concat()))?;
    Ok(())
}
