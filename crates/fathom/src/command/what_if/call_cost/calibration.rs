//! What the instrument adds to a call that is made: of programs of Fathom's own, whose gain is measured alone too.
//!
//! A call that is made passes the instrument's filter; the hook's code and memory are not in the CPU's nearest caches
//! behind it, and the kernel's less than without the hook. All that is in what runs with and without a call differ by,
//! and not in what a patch gains. How much it is depends on what the kernel does for a call and on what is done
//! between calls: so it is measured of two programs that differ in both, in every block, and what they differ by
//! stays in the interval.

use super::trial::Ground;
use anyhow::Context;
use fathom_audit::{CallTime, CostCalibration};
use fathom_stats::{median, quantile_interval};
use fathom_sys::child_usage;
use fathom_sys::child_wait::{Waited, die_with_starter, kill_group, wait_for};
use fathom_trace::{Elision, Question, Questions, Repetition, Treatment, is_answerable};
use rand::Rng;
use rand::seq::SliceRandom;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs::File;
use std::hint::black_box;
use std::io::{IsTerminal, Seek};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The first word of this program's command line where it is one of these programs.
pub(crate) const CALIBRATION_WORD: &str = "what-if-calibration";

/// So many calls each of them makes.
const CALLS: u32 = 10_000;
/// Fewer blocks bear no interval of a median at 95 %.
const FEWEST_BLOCKS: u32 = 6;
/// Fewer of them that are reached say nothing.
const FEWEST_REACHED: f64 = 0.9 * CALLS as f64;

/// Which of these programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    OneName,
    AbsentNames,
    Position,
    Terminal,
}

const KINDS: [(Kind, &str, &str); 4] = [
    (Kind::OneName, "one-name", "one name is looked up"),
    (Kind::AbsentNames, "absent-names", "30 absent names are made up and opened"),
    (Kind::Position, "position", "a file is asked for its position"),
    (Kind::Terminal, "terminal", "a file is asked whether it is a terminal"),
];

/// What calls rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum On {
    Path,
    Descriptor,
}

impl Kind {
    fn on(self) -> On {
        match self {
            Self::OneName | Self::AbsentNames => On::Path,
            Self::Position | Self::Terminal => On::Descriptor,
        }
    }
}

/// Is one of these programs: its name, a file that is there, and whether the calls are made. The exit code.
pub(crate) fn perform(words: impl Iterator<Item = OsString>) -> u8 {
    const FAILED: u8 = 1;
    let words: Vec<_> = words.collect();
    let [name, path, side] = words.as_slice() else { return FAILED };
    let Some((kind, _, _)) = KINDS.iter().find(|(_, word, _)| name == word) else { return FAILED };
    let (path, old) = (PathBuf::from(path), side == "old");
    match kind {
        Kind::OneName => {
            for _ in 0..CALLS {
                if old && black_box(std::fs::metadata(&path)).is_err() {
                    return FAILED;
                }
            }
        }
        Kind::AbsentNames => {
            for turn in 0..CALLS {
                let name = black_box(format!("{}-absent-{}", path.display(), turn % 30));
                if old && File::open(name).is_ok() {
                    return FAILED;
                }
            }
        }
        Kind::Position | Kind::Terminal => {
            for _ in 0..CALLS / 100 {
                let Ok(mut file) = File::open(&path) else { return FAILED };
                for _ in 0..100 {
                    let is_wrong = match kind {
                        _ if !old => false,
                        Kind::Position => file.stream_position().is_err(),
                        _ => file.is_terminal(),
                    };
                    if black_box(is_wrong) {
                        return FAILED;
                    }
                }
            }
        }
    }
    0
}

/// One of these programs, and what it showed.
struct Program {
    kind: Kind,
    own: PathBuf,
    questions: BTreeSet<Question>,
    /// What the instrument added to a call, in ns, block by block.
    added: Vec<f64>,
    /// In how many blocks it ran.
    blocks: u32,
}

/// All that are run beside a command.
#[derive(Default)]
pub(super) struct Calibration {
    programs: Vec<Program>,
}

impl Calibration {
    /// Those for calls that rest on one of these; none where the instrument does not reach their calls.
    pub(super) fn new(ground: &Ground<'_>, on: &[On]) -> anyhow::Result<Self> {
        let Ok(own) = std::env::current_exe() else { return Ok(Self::default()) };
        let mut programs = Vec::new();
        for (kind, _, _) in KINDS.into_iter().filter(|(kind, _, _)| on.contains(&kind.on())) {
            let mut program =
                Program { kind, own: own.clone(), questions: BTreeSet::new(), added: Vec::new(), blocks: 0 };
            let (mut asked, mut counts) = (Questions::new(), HashMap::<Question, u32>::new());
            ground.traced_command(&mut program.command(ground, "old"), None, &mut |event, paths| {
                let question = asked.ask(&event, paths).filter(|_| is_answerable(&event));
                if let Some(question) = question {
                    *counts.entry(question).or_default() += 1;
                }
            })?;
            // What it asks by itself at its start is asked less often.
            let often = counts.into_iter().filter(|(_, count)| *count > CALLS / 100);
            program.questions = often.map(|(question, _)| question).collect();
            programs.push(program);
        }
        Ok(Self { programs })
    }

    /// Runs each of them alone, with its calls and without, and under the instrument, with its calls made and
    /// answered, in random order.
    pub(super) fn run_block(&mut self, ground: &Ground<'_>, random: &mut impl Rng) -> anyhow::Result<()> {
        for program in &mut self.programs {
            program.blocks += 1;
            let mut order = [0, 1, 2, 3];
            order.shuffle(random);
            let (mut times, mut known) = ([0.0; 4], f64::INFINITY);
            for which in order {
                let (cpu_ns, reached) = match which {
                    0 => (program.alone(ground, "old")?, None),
                    1 => (program.alone(ground, "new")?, None),
                    2 => program.treated(ground, Elision::Made)?,
                    _ => program.treated(ground, Elision::Answered)?,
                };
                times[which] = cpu_ns;
                known = known.min(reached.unwrap_or(f64::INFINITY));
            }
            if known >= FEWEST_REACHED {
                program.added.push((times[2] - times[3]) / known - (times[0] - times[1]) / f64::from(CALLS));
            }
        }
        Ok(())
    }

    /// In so few blocks that they bear no interval.
    pub(super) fn is_short(&self) -> bool {
        self.programs.iter().any(|program| program.blocks < FEWEST_BLOCKS)
    }

    /// What each showed.
    pub(super) fn recorded(&self) -> Vec<CostCalibration> {
        let shown = self.programs.iter().filter_map(|program| {
            let (low, high) = quantile_interval(&program.added, 0.5, 0.95);
            let added = CallTime { median: median(&program.added)?, low: low?, high: high? };
            let text = KINDS.iter().find(|(kind, _, _)| *kind == program.kind)?.2;
            let on_path = program.kind.on() == On::Path;
            Some(CostCalibration { program: text.to_owned(), on_path, calls: CALLS.into(), added })
        });
        shown.collect()
    }
}

/// What the instrument adds to a call, in ns, which is never less than nothing: in the middle of the programs' medians,
/// between the lowest and the highest end of what they show. `None` where fewer than two of them show anything.
pub(super) fn added(shown: &[CostCalibration], on: On) -> Option<CallTime> {
    let of_kind = || shown.iter().filter(|one| one.on_path == (on == On::Path)).map(|one| one.added);
    if of_kind().count() < 2 {
        return None;
    }
    Some(CallTime {
        median: (of_kind().map(|added| added.median).sum::<f64>() / of_kind().count() as f64).max(0.0),
        low: of_kind().map(|added| added.low).fold(f64::INFINITY, f64::min).max(0.0),
        high: of_kind().map(|added| added.high).fold(f64::NEG_INFINITY, f64::max),
    })
}

impl Program {
    fn command(&self, ground: &Ground<'_>, side: &str) -> Command {
        let mut command = Command::new(&self.own);
        let word = KINDS.iter().find(|(kind, _, _)| *kind == self.kind).map_or("", |(_, word, _)| *word);
        command.args([CALIBRATION_WORD, word]).arg(&ground.output).arg(side);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Its CPU time without the instrument, in ns.
    fn alone(&self, ground: &Ground<'_>, side: &str) -> anyhow::Result<f64> {
        ground.stop.check()?;
        let mut command = self.command(ground, side);
        die_with_starter(&mut command);
        let before = child_usage::of_awaited()?;
        let mut child = command.spawn().context("failed to start a program of Fathom's own")?;
        if !matches!(wait_for(&mut child, ground.limit, &ground.stop.flag), Ok(Waited::Ended(_))) {
            kill_group(&mut child);
            ground.stop.check()?;
            anyhow::bail!("a program of Fathom's own did not end");
        }
        let after = child_usage::of_awaited()?;
        Ok((after.user_ns + after.system_ns).saturating_sub(before.user_ns + before.system_ns) as f64)
    }

    /// Its CPU time under the instrument, in ns, and of how many calls the answer was known.
    fn treated(&self, ground: &Ground<'_>, elision: Elision) -> anyhow::Result<(f64, Option<f64>)> {
        let treated = Repetition::new(self.questions.clone(), Treatment::Elided(elision));
        let mut command = self.command(ground, "old");
        let (end, cpu_ns) = ground.traced_command(&mut command, treated.as_ref(), &mut |_, _| ())?;
        let treated = end.hook.unwrap_or_default().treated;
        let known: u64 = treated.values().map(|treated| treated.known).sum();
        Ok((cpu_ns as f64, Some(known as f64)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_differ_by_stays_in_what_is_added() {
        let shown = |on_path, median, low, high| CostCalibration {
            program: String::new(),
            on_path,
            calls: 1,
            added: CallTime { median, low, high },
        };
        let all = [shown(true, 60.0, 50.0, 65.0), shown(true, 90.0, 85.0, 99.0), shown(false, 1.0, 0.0, 2.0)];
        assert_eq!(added(&all, On::Path), Some(CallTime { median: 75.0, low: 50.0, high: 99.0 }));
        assert_eq!(added(&all, On::Descriptor), None, "one program alone does not show what others may");
    }

    #[test]
    fn each_program_ends_well_with_its_calls_and_without() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "").unwrap();
        for (_, word, _) in KINDS {
            for side in ["old", "new"] {
                let words = [word.into(), path.clone().into_os_string(), side.into()];
                assert_eq!(perform(words.into_iter()), 0, "{word} {side}");
            }
        }
        assert_ne!(perform(["none".into(), path.into_os_string(), "old".into()].into_iter()), 0);
    }
}
