//! Holds what `fathom what-if --without` says of programs against what their patch gains: each program of
//! tests/what-if runs with the calls (`old`) and without them (`new`), and `old` alone is asked about.

use anyhow::{Context, ensure};
use fathom_audit::{CallCost, CallTime};
use fathom_model::Reading;
use fathom_stats::{median, quantile_interval};
use fathom_sys::child_usage;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/what-if");
const RECORDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/samples/what-if");
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/what-if-pairs.md");

/// Arguments of `what-if-pairs`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The program
    #[arg(long, value_name = "FILE", default_value = "target/debug/fathom")]
    fathom: PathBuf,

    /// Time for blocks of each program
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    time: u32,

    /// Pairs of runs of both sides
    #[arg(long, default_value_t = 41)]
    pairs: u32,
}

/// A program, and what was found of it.
struct Pair {
    name: String,
    calls: String,
    cost: CallCost,
    /// Wall and CPU time of old less new.
    truth: [CallTime; 2],
}

/// Runs all of them and writes docs/what-if-pairs.md with its records.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let fathom = arguments.fathom.canonicalize().context("build it: cargo build -p fathom-io")?;
    let mut programs: Vec<_> =
        std::fs::read_dir(PROGRAMS)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    programs.sort();
    std::fs::create_dir_all(RECORDS)?;
    let mut pairs = Vec::new();
    for program in programs {
        let folder = tempfile::tempdir()?;
        let Some(command) = built(&program, folder.path())? else { continue };
        prepare(folder.path())?;
        pairs.push(pair(&fathom, &program, &command, folder.path(), arguments)?);
    }
    std::fs::write(PAGE, page(&pairs))?;
    Ok(ExitCode::SUCCESS)
}

/// The words that start it; `None` where its language is not here.
fn built(program: &Path, folder: &Path) -> anyhow::Result<Option<Vec<String>>> {
    let app = folder.join("app").to_string_lossy().into_owned();
    let source = program.to_string_lossy().into_owned();
    let compiler: &[&str] = match program.extension().and_then(|extension| extension.to_str()) {
        Some("c") => &["gcc", "-O1", "-w", "-o", &app, &source],
        Some("go") => &["go", "build", "-o", &app, &source],
        Some("py") => return Ok(Some(vec!["/usr/bin/python3".to_owned(), "-I".to_owned(), source])),
        _ => return Ok(None),
    };
    match Command::new(compiler[0]).args(&compiler[1..]).env("GOCACHE", folder.join("go")).status() {
        Ok(status) => ensure!(status.success(), "{source} does not compile"),
        Err(_) => return Ok(None),
    }
    Ok(Some(vec![app]))
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
    Ok(())
}

fn pair(
    fathom: &Path,
    program: &Path,
    command: &[String],
    folder: &Path,
    arguments: &Arguments,
) -> anyhow::Result<Pair> {
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let source = std::fs::read_to_string(program)?;
    let calls =
        source.lines().next().and_then(|line| line.split_once("calls: ")).context("calls: are missing")?.1;
    let record = folder.join("record.json");
    let mut asked = Command::new(fathom);
    asked.current_dir(folder).args(["what-if", "--without", calls, "--time", &arguments.time.to_string()]);
    asked.args(["--format", "json", "-o"]).arg(&record).arg("--").args(command).arg("old");
    let status = asked.status().context("failed to run fathom")?;
    ensure!(matches!(status.code(), Some(0 | 3)), "{name}: {status}");
    let cost: CallCost = serde_json::from_str(&std::fs::read_to_string(&record)?)?;
    std::fs::write(Path::new(RECORDS).join(format!("{name}.json")), serde_json::to_string(&cost)? + "\n")?;
    let truth = truth(command, folder, arguments.pairs)?;
    Ok(Pair { name, calls: calls.to_owned(), cost, truth })
}

/// Old less new, in pairs of changing order.
fn truth(command: &[String], folder: &Path, pairs: u32) -> anyhow::Result<[CallTime; 2]> {
    let mut differences: [Vec<f64>; 2] = Default::default();
    for pair in 0..pairs {
        let sides = if pair % 2 == 0 { ["old", "new"] } else { ["new", "old"] };
        let mut times = [[0.0; 2]; 2];
        for side in sides {
            let before = child_usage::of_awaited()?;
            let begun = Instant::now();
            let mut run = Command::new(&command[0]);
            run.args(&command[1..]).arg(side).current_dir(folder).stdout(Stdio::null());
            ensure!(run.status()?.success(), "{} {side} failed", command.join(" "));
            let wall = begun.elapsed().as_nanos() as f64;
            let after = child_usage::of_awaited()?;
            let cpu = (after.user_ns + after.system_ns - before.user_ns - before.system_ns) as f64;
            times[usize::from(side == "new")] = [wall, cpu];
        }
        for (of, differences) in differences.iter_mut().enumerate() {
            differences.push(times[0][of] - times[1][of]);
        }
    }
    let time = |differences: &[f64]| {
        let (low, high) = quantile_interval(differences, 0.5, 0.95);
        Some(CallTime { median: median(differences)?, low: low?, high: high? })
    };
    let [wall, cpu] = &differences;
    Ok([time(wall).context("too few pairs")?, time(cpu).context("too few pairs")?])
}

fn page(pairs: &[Pair]) -> String {
    let mut page = "# `what-if --without` against the patch\n\n\
        Written by `cargo xtask what-if-pairs`. Each program of [tests/what-if](../tests/what-if) has calls that a \
        patch removes. What `fathom what-if --without CALLS -- PROGRAM old` says of the old program alone stands \
        beside what old takes more than new, in pairs of runs without any instrument. Intervals are of 95 %. \
        *Held*: the estimate's interval and that of the true gain overlap.\n\n\
        | program | calls | CPU: estimate | true gain | held | wall: estimate | true gain | held |\n\
        |---|---|---|---|---|---|---|---|\n"
        .to_owned();
    for Pair { name, calls, cost, truth: [wall, cpu] } in pairs {
        let answer = cost.answer.value();
        let estimate = |of: fn(&fathom_audit::CostAnswer) -> &Reading<CallTime>| {
            let answer = answer?;
            of(answer).value().map(|time| time.scaled(answer.meant_share))
        };
        let columns = |estimate: Option<CallTime>, truth: &CallTime| {
            let held = estimate.map(|estimate| estimate.low <= truth.high && truth.low <= estimate.high);
            let words = match held {
                None => "refused",
                Some(true) => "yes",
                Some(false) => "**no**",
            };
            format!("{} | {} | {words}", estimate.map_or("none".to_owned(), shown), shown(*truth))
        };
        let _ = writeln!(
            page,
            "| [{name}](samples/what-if/{name}.json) | `{calls}` | {} | {} |",
            columns(estimate(|answer| &answer.cpu), cpu),
            columns(estimate(|answer| &answer.wall), wall),
        );
    }
    page.push('\n');
    for Pair { name, cost, .. } in pairs {
        if let Reading::Unavailable(reason) = &cost.answer {
            let _ = writeln!(page, "- {name}: refused: {reason}");
        }
    }
    page
}

/// In ms.
fn shown(time: CallTime) -> String {
    let [median, low, high] = [time.median, time.low, time.high].map(|ns| format!("{:.2}", ns / 1e6));
    format!("{median} [{low}, {high}] ms")
}
