//! Fathom's times against those of a bare C loop on a file of its own of the
//! same size, place and CPU: in each round the loop runs before and after.

use super::figures::{Middle, summary_of};
use super::finding::{Finding, Outcome};
use super::programs;
use super::session::{Bench, Session, cpus};
use anyhow::Context;
use fathom_model::{Comparison, Content};
use fathom_stats::{Interval, median};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How far the two may be apart.
const TOLERANCE: f64 = 0.05;
/// Tolerated of a difference, beside `TOLERANCE` of it: a share of the whole operation.
const DELTA_FLOOR: f64 = 0.001;
const FILE_BYTES: usize = 1 << 20;
const SIZE_WORDS: [&str; 2] = ["--size", "1MiB"];
/// Lives of the bare loop before and after each run of Fathom.
const LIVES: usize = 4;
const BATCHES: &str = "400";
const SITTING_S: f64 = 1.5;

/// What is compared.
struct Subject<'a> {
    name: &'static str,
    operation: &'static str,
    methods: &'static str,
    words: Vec<&'a str>,
    /// The bare loop's first word, and its words after the CPU.
    mode: &'static str,
    loop_words: Vec<&'static str>,
}

/// One round: times in ns.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Round {
    bare: f64,
    fathom: f64,
    /// The whole operation, where the other two are differences.
    whole: f64,
    /// Fathom's own loop, where it is part of the time.
    own_loop: f64,
}

/// Open and close, pread of 4 KiB, and what an fstat adds.
pub(super) fn check(session: &mut Session, rounds: u32) -> anyhow::Result<Vec<Finding>> {
    let bare_loop = session.compile(programs::BARE_LOOP, "bare_loop")?;
    let injected = session.compile(programs::INJECTED, "injected")?.to_string_lossy().into_owned();
    let (_folder, file) = make_file(session.dir())?;
    let block_words = [&SIZE_WORDS[..], &["--block", "4KiB"]].concat();
    let subjects = [
        Subject {
            name: "open-close",
            operation: "open-close",
            methods: "native:open",
            words: SIZE_WORDS.to_vec(),
            mode: "open-close",
            loop_words: vec!["100", BATCHES],
        },
        Subject {
            name: "pread",
            operation: "read-block",
            methods: "native:pread",
            words: block_words,
            mode: "pread",
            loop_words: vec!["400", BATCHES, "4096"],
        },
        Subject {
            name: "fstat",
            operation: "open-close",
            methods: "injected:open,injected:open+fstat",
            words: [&SIZE_WORDS[..], &["--driver", &injected, "--baseline", "injected:open"]].concat(),
            mode: "fstat-delta",
            loop_words: vec!["100", BATCHES],
        },
    ];
    let cpus = cpus();
    let mut findings = Vec::new();
    for subject in &subjects {
        let mut done = Vec::new();
        for round in 0..rounds {
            let cpu = cpus[round as usize % cpus.len()];
            done.push(one_round(session, subject, (&bare_loop, &file), cpu)?);
        }
        session.keep(&format!("bare-{}.tsv", subject.name), &raw(&done))?;
        findings.push(if subject.name == "fstat" { judge_delta(&done) } else { judge_ratio(subject, &done) });
    }
    Ok(findings)
}

/// A file as deep as Fathom's, in a directory of its own that goes away with it.
pub(super) fn make_file(dir: &Path) -> anyhow::Result<(tempfile::TempDir, PathBuf)> {
    let folder = tempfile::Builder::new().prefix(".calibrate-").tempdir_in(dir)?;
    let path = folder.path().join("d0000-000000");
    let mut content = vec![0; FILE_BYTES];
    Content::Random.fill(1, 0, &mut content);
    let mut file = std::fs::File::create(&path)?;
    file.write_all(&content)?;
    file.sync_all()?;
    Ok((folder, path))
}

fn one_round(
    session: &mut Session,
    subject: &Subject<'_>,
    (bare_loop, file): (&Path, &Path),
    cpu: u32,
) -> anyhow::Result<Round> {
    let mut bare_ns = Vec::new();
    let lives = |session: &Session, bare_ns: &mut Vec<f64>| -> anyhow::Result<()> {
        for _ in 0..LIVES {
            let mut command = Command::new(bare_loop);
            command.arg(subject.mode).arg(file).arg(cpu.to_string()).args(&subject.loop_words);
            let output = session.run(&mut command)?;
            bare_ns.push(first_number(&String::from_utf8_lossy(&output.stdout))?);
        }
        Ok(())
    };
    lives(session, &mut bare_ns)?;
    let name = format!("bare-{}", subject.name);
    let bench = Bench {
        name: &name,
        operation: subject.operation,
        methods: subject.methods,
        seconds: SITTING_S,
        words: &subject.words,
        cpu: Some(cpu),
    };
    let comparison =
        session.bench(bench)?.map_err(|reason| anyhow::anyhow!("nothing was measured: {reason}"))?;
    lives(session, &mut bare_ns)?;
    let bare = median(&bare_ns).context("the bare loop never ran")?;
    round_of(bare, &comparison).context("fathom measured no time")
}

/// Of two methods the difference is compared, of one its time.
fn round_of(bare: f64, comparison: &Comparison) -> Option<Round> {
    let baseline = comparison.summaries.get(comparison.baseline)?.value()?;
    let whole = baseline.time_ns.value;
    if comparison.variants.len() == 1 {
        let own_loop = baseline.loop_ns.as_ref()?.value;
        return Some(Round { bare, fathom: whole, whole, own_loop });
    }
    let fathom = summary_of(comparison, "open+fstat")?.delta_ns?.value;
    Some(Round { bare, fathom, whole, own_loop: 0.0 })
}

fn first_number(text: &str) -> anyhow::Result<f64> {
    let word = text.split_whitespace().next().context("the bare loop said nothing")?;
    word.parse().with_context(|| format!("the bare loop said `{word}`"))
}

fn raw(rounds: &[Round]) -> String {
    let mut text = "bare_ns\tfathom_ns\twhole_ns\tloop_ns\n".to_owned();
    for Round { bare, fathom, whole, own_loop } in rounds {
        writeln!(text, "{bare}\t{fathom}\t{whole}\t{own_loop}").expect("a String takes all");
    }
    text
}

/// Judged is the time less the driver's loop, measured in the same blocks: the bare
/// loop takes no digest and dispatches nothing. The time with it stands beside.
fn judge_ratio(subject: &Subject<'_>, rounds: &[Round]) -> Finding {
    let gross: Vec<f64> = rounds.iter().map(|round| (round.fathom / round.bare).ln()).collect();
    let net: Vec<f64> =
        rounds.iter().map(|round| ((round.fathom - round.own_loop) / round.bare).ln()).collect();
    let done = format!(
        "{} against the same in C, {} lives of the loop before and after each session of {SITTING_S} s, same CPU",
        subject.methods, LIVES
    );
    let check =
        format!("Bare loop: {}", if subject.mode == "pread" { "pread of 4 KiB" } else { "open and close" });
    let (Some(ratio), Some(gross)) = (Middle::of_logarithms(&net), Middle::of_logarithms(&gross)) else {
        return Finding::reported(check, done, 0, "no round was run");
    };
    let result = format!(
        "{:.0} ns, {:.1} of them the driver's loop, against {:.0} ns: ratio less the loop {} (with it {})",
        middle(rounds, |round| round.fathom),
        middle(rounds, |round| round.own_loop),
        middle(rounds, |round| round.bare),
        ratio.text(3),
        gross.text(3),
    );
    Finding::reported(check, done, ratio.n, result).judged(
        "within 5 %",
        Outcome::of_interval(ratio.interval, Interval::new(1.0 - TOLERANCE, 1.0 + TOLERANCE), ratio.n),
    )
}

fn judge_delta(rounds: &[Round]) -> Finding {
    let errors: Vec<f64> = rounds.iter().map(|round| round.fathom - round.bare).collect();
    let (check, done) =
        ("Bare loop: what fstat adds", "delta_ns of open+fstat against alternating C batches");
    let Some(error) = Middle::of(&errors) else {
        return Finding::reported(check, done, 0, "no round was run");
    };
    let (fathom, bare) = (middle(rounds, |round| round.fathom), middle(rounds, |round| round.bare));
    let allowed_ns = TOLERANCE * bare + DELTA_FLOOR * middle(rounds, |round| round.whole);
    let result = format!("{fathom:.1} ns against {bare:.1} ns: difference {} ns", error.text(1));
    Finding::reported(check, done, error.n, result).judged(
        format!("0.1 % of the operation and 5 % of the effect: ±{allowed_ns:.1} ns"),
        Outcome::of_interval(error.interval, Interval::new(-allowed_ns, allowed_ns), error.n),
    )
}

/// The median over rounds, of which there is one at least.
fn middle(rounds: &[Round], value: impl Fn(&Round) -> f64) -> f64 {
    median(&rounds.iter().map(value).collect::<Vec<_>>()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(fathom: f64) -> Vec<Round> {
        (0..12)
            .map(|i| Round { bare: 200.0, fathom: fathom + 0.1 * f64::from(i), whole: 1000.0, own_loop: 4.0 })
            .collect()
    }

    #[test]
    fn a_time_off_by_more_than_five_percent_fails() {
        let subject = Subject {
            name: "pread",
            operation: "read-block",
            methods: "native:pread",
            words: Vec::new(),
            mode: "pread",
            loop_words: Vec::new(),
        };
        let passed = judge_ratio(&subject, &rounds(208.0));
        assert_eq!(passed.outcome, Outcome::Passed);
        assert!(passed.result.contains("ratio less the loop 1.023"), "{}", passed.result);
        assert!(passed.result.contains("(with it 1.043"), "{}", passed.result);
        assert_eq!(judge_ratio(&subject, &rounds(218.0)).outcome, Outcome::Failed);
        assert_eq!(judge_ratio(&subject, &rounds(213.5)).outcome, Outcome::Undecided);
        assert_eq!(judge_ratio(&subject, &[]).outcome, Outcome::Reported);
    }

    #[test]
    fn a_difference_may_be_off_by_a_share_of_the_whole_too() {
        assert_eq!(judge_delta(&rounds(209.0)).outcome, Outcome::Passed);
        assert_eq!(judge_delta(&rounds(213.0)).outcome, Outcome::Failed);
    }

    #[test]
    fn the_loop_must_say_a_number() {
        assert!((first_number("250.488 14563557\n").unwrap() - 250.488).abs() < 1e-12);
        assert!(first_number("").is_err() && first_number("none").is_err());
    }
}
