//! Runs of a command on both sides, in turns, as often as it takes to know.

use super::commands::CiCommand;
use super::sides::{Side, Sides, Stop, What};
use super::{Interrupted, Words};
use crate::arguments::{Capture, Source};
use crate::command::audit::{End, Ground, Judge, Settings, Start, listen_to_file, to_command_on};
use anyhow::Context;
use fathom_audit::{
    Audit, Auditor, Budget, BudgetOutcome, BudgetVerdict, CallFilter, ChangeVerdict, CommandChange, FactKind,
    Finding, Frame, Gap, GapKind, PriceList as Priced, RunCalls, RunsDifference, SideGap, compare_runs,
    findings_of_runs, is_varying, rule_facts,
};
use fathom_events::TraceReader;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Runs of each side: where nothing differs, where anything does, and where a program that varies by
/// itself seems changed. Of 12 and 12 equal runs, one in a million has ranges that do not touch.
const RUNS: u32 = 2;
const RUNS_OF_DIFFERENT: u32 = 5;
const RUNS_OF_VARYING: u32 = 12;

/// What every comparison needs.
pub(super) struct Runner<'a> {
    pub(super) words: &'a Words,
    pub(super) settings: &'a Settings,
    pub(super) sides: &'a Sides,
    pub(super) prices: &'a Priced<'a>,
    pub(super) stop: &'a Stop,
    pub(super) limit: Duration,
}

/// One run of one side.
struct Run {
    audit: Audit,
    calls: RunCalls,
    exit: (Option<i32>, Option<i32>),
    gaps: Vec<Gap>,
    capture: Option<String>,
    command: Vec<String>,
}

/// What came of trying to run a command.
enum Tried {
    Ran(Box<Run>),
    /// It did not start, for this reason.
    DidNotStart(String),
}

impl Runner<'_> {
    /// Two traces that were kept.
    pub(super) fn compare_traces(&self) -> anyhow::Result<CommandChange> {
        let budgets = &self.settings.budgets;
        let runs = [&self.sides.base, &self.sides.head].map(|side| {
            let What::Trace(path) = &side.what else { unreachable!("both sides are traces") };
            self.kept(side, path, budgets)
        });
        let [base, head] = runs;
        let (base, head) = (base?, head?);
        let name =
            if head.command.is_empty() { "trace".to_owned() } else { shell_words::join(&head.command) };
        let mut change = self.concluded(&name, head.command.clone(), &[vec![base], vec![head]]);
        change.notes.push("one run of each side: what a program varies by itself is not known".to_owned());
        Ok(change)
    }

    /// A command of the project.
    pub(super) fn compare(&self, command: &CiCommand) -> anyhow::Result<CommandChange> {
        let budgets: Vec<Budget> = self.settings.budgets.iter().chain(&command.budgets).cloned().collect();
        let mut runs: [Vec<Run>; 2] = [Vec::new(), Vec::new()];
        let sides = [&self.sides.base, &self.sides.head];
        // The first run of each side makes things warm and counts for nothing.
        let mut target = self.words.repeat.or(command.repeat).unwrap_or(RUNS).max(RUNS);
        let mut round = 0;
        while round <= target {
            let order = if round % 2 == 0 { [0, 1] } else { [1, 0] };
            for number in order {
                match self.run(sides[number], command, &budgets)? {
                    Tried::Ran(_) if round == 0 => {}
                    Tried::Ran(run) => runs[number].push(*run),
                    Tried::DidNotStart(reason) => {
                        return Ok(not_known(command, &format!("on {}, {reason}", sides[number].word)));
                    }
                }
            }
            if round == target {
                let [base, head] = [0, 1].map(|side| calls_of(&runs[side]));
                let varies = is_varying(&base) || is_varying(&head);
                let is_changed = !compare_runs(&base, &head, self.prices).changes.is_empty();
                if varies && is_changed {
                    target = target.max(RUNS_OF_VARYING);
                } else if varies || is_changed {
                    target = target.max(RUNS_OF_DIFFERENT);
                }
            }
            round += 1;
        }
        Ok(self.concluded(&command.name, command.words.clone(), &runs))
    }

    fn run(&self, side: &Side, command: &CiCommand, budgets: &[Budget]) -> anyhow::Result<Tried> {
        self.stop.check()?;
        if let Some(setup) = &command.setup {
            side.run_by_shell(setup, &format!("the setup of `{}`", command.name), self.stop, self.limit)?;
        }
        let words = side.words(&command.words);
        let Some((program, rest)) = words.split_first() else { unreachable!("a command has words") };
        let mut process = Command::new(program);
        process.args(rest).current_dir(&side.directory);
        process.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        super::checkout::without_git_variables(&mut process);
        let source = Source {
            strace: None,
            stacks: self.words.stacks,
            capture: Capture::Auto,
            pid: None,
            seconds: None,
            command: words.iter().map(OsString::from).collect(),
        };
        let ground = Ground {
            directory: side.directory.clone(),
            time_limit: Some(self.limit),
            signal: &self.stop.number,
        };
        let mut judge = self.judge(side, budgets, command.filter.clone(), None);
        let end = match to_command_on(&ground, &mut process, &source, &mut judge) {
            Ok(end) => end,
            Err(error) => {
                self.stop.check()?;
                return match error.to_string() {
                    text if text.starts_with("failed to start") => Ok(Tried::DidNotStart(text)),
                    _ => Err(error),
                };
            }
        };
        if end.interrupted {
            return Err(Interrupted.into());
        }
        self.stop.check()?;
        Ok(Tried::Ran(Box::new(self.judged(judge, &end, budgets))))
    }

    fn kept(&self, side: &Side, path: &Path, budgets: &[Budget]) -> anyhow::Result<Run> {
        let failed = || format!("failed to read {}", path.display());
        let opened = BufReader::new(File::open(path).with_context(failed)?);
        let directory = TraceReader::new(opened).ok().and_then(|reader| reader.header().directory.clone());
        let mut judge = self.judge(side, budgets, CallFilter::new(), directory.as_deref());
        let end = listen_to_file(path, &mut judge)?;
        Ok(self.judged(judge, &end, budgets))
    }

    fn judge(
        &self,
        side: &Side,
        budgets: &[Budget],
        filter: CallFilter,
        directory: Option<&str>,
    ) -> Judge<'static> {
        let unwanted = rule_facts().iter().map(|rule| rule.id).filter(|rule| !self.settings.is_wanted(*rule));
        let auditor = Auditor::new()
            .with_budgets(budgets)
            .with_tolerances(self.settings.tolerances.clone())
            .with_unwanted(unwanted)
            .counting_classes(filter, side.classes(directory));
        Judge { auditor, start: Start::default(), prices: None }
    }

    fn judged(&self, judge: Judge<'_>, end: &End, budgets: &[Budget]) -> Run {
        let Judge { auditor, start, .. } = judge;
        let stacks: HashMap<u32, Vec<Frame>> =
            end.stacks.iter().map(|stack| (stack.number, stack.frames.clone())).collect();
        let mut explain = |stack| stacks.get(&stack).cloned().unwrap_or_default();
        let (mut audit, calls) = auditor.finish_with_classes(&mut explain);
        audit.command = start.command(end);
        audit.findings.retain(|finding| self.settings.is_wanted(finding.rule));
        audit.gaps.extend(end.gaps.iter().cloned());
        audit.price(self.prices);
        audit.settle(budgets, |rule| self.settings.is_wanted(rule));
        let capture = end.facts.iter().find(|fact| fact.kind == FactKind::Capture);
        Run {
            gaps: audit.gaps.clone(),
            audit,
            calls,
            exit: (end.exit_code, end.signal),
            capture: capture.map(|fact| fact.text.clone()),
            command: start.command,
        }
    }

    fn concluded(&self, name: &str, command: Vec<String>, runs: &[Vec<Run>; 2]) -> CommandChange {
        let [base, head] = [0, 1].map(|side| calls_of(&runs[side]));
        let calls = compare_runs(&base, &head, self.prices);
        let findings = [0, 1].map(|side| self.findings_of(side, &runs[side]));
        let of_runs = |side: usize| findings[side].iter().map(Vec::as_slice).collect::<Vec<_>>();
        let findings = findings_of_runs(&of_runs(0), &of_runs(1), self.prices);
        let gaps: BTreeSet<SideGap> = ["base", "head"]
            .into_iter()
            .zip(runs)
            .flat_map(|(side, runs)| {
                let gaps = runs.iter().flat_map(|run| &run.gaps);
                gaps.map(|gap| SideGap { side: side.to_owned(), text: gap.text.clone() })
            })
            .collect();
        let mut notes = Vec::new();
        let verdict = verdict(runs, &calls, &gaps, &mut notes);
        CommandChange {
            name: name.to_owned(),
            command,
            verdict,
            runs: u32::try_from(runs[1].len()).unwrap_or(u32::MAX),
            capture: runs[1].first().and_then(|run| run.capture.clone()),
            calls,
            findings,
            budgets: worst_budgets(&runs[1]),
            gaps: gaps.into_iter().collect(),
            notes,
        }
    }

    /// Findings of each run, with programs named alike on both sides.
    fn findings_of(&self, side: usize, runs: &[Run]) -> Vec<Vec<Finding>> {
        let side = if side == 0 { &self.sides.base } else { &self.sides.head };
        let classes = side.classes(None);
        let named = |finding: &Finding| {
            let mut finding = finding.clone();
            let program = finding.place.program.take();
            finding.place.program = program.map(|program| classes.class(&program, &BTreeSet::new()));
            finding
        };
        runs.iter().map(|run| run.audit.findings.iter().map(named).collect()).collect()
    }
}

fn calls_of(runs: &[Run]) -> Vec<RunCalls> {
    runs.iter().map(|run| run.calls.clone()).collect()
}

/// What nobody saw is no good news, and runs that ended differently are not compared.
fn verdict(
    runs: &[Vec<Run>; 2],
    calls: &RunsDifference,
    gaps: &BTreeSet<SideGap>,
    notes: &mut Vec<String>,
) -> ChangeVerdict {
    let ends = [0, 1].map(|side| {
        let ends = runs[side].iter().map(|run| ended(run.exit)).collect::<BTreeSet<_>>();
        ends.into_iter().collect::<Vec<_>>().join(" or ")
    });
    let has = |kinds: &[GapKind]| {
        let mut all = runs.iter().flatten().flat_map(|run| &run.gaps);
        all.find(|gap| kinds.contains(&gap.kind)).map(|gap| gap.text.clone())
    };
    if let Some(cut) = has(&[GapKind::Cut, GapKind::Lost]) {
        return ChangeVerdict::NotKnown(cut);
    }
    if ends[0] != ends[1] {
        return ChangeVerdict::NotKnown(format!("base ends with {}, head with {}", ends[0], ends[1]));
    }
    if ends[0] != ended((Some(0), None)) {
        notes.push(format!("both sides end with {}", ends[0]));
    }
    if !calls.changes.is_empty() {
        return ChangeVerdict::Changed;
    }
    if runs.iter().flatten().all(|run| run.audit.events == 0) {
        return ChangeVerdict::NotKnown("no call was seen".to_owned());
    }
    match gaps.first() {
        Some(gap) => ChangeVerdict::NotKnown(format!("no count that was seen changed; {}", gap.text)),
        None => ChangeVerdict::Same,
    }
}

fn ended((code, signal): (Option<i32>, Option<i32>)) -> String {
    match (code, signal) {
        (Some(code), _) => format!("exit {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "an unknown status".to_owned(),
    }
}

/// Of each budget the worst that any run made of it.
fn worst_budgets(runs: &[Run]) -> Vec<BudgetOutcome> {
    let rank = |outcome: &BudgetOutcome| match outcome.verdict {
        BudgetVerdict::NotMet => 2,
        BudgetVerdict::NotKnown => 1,
        BudgetVerdict::Met => 0,
    };
    let count = runs.first().map_or(0, |run| run.audit.budgets.len());
    let of = |number: usize| {
        let outcomes = runs.iter().filter_map(|run| run.audit.budgets.get(number));
        outcomes.max_by_key(|outcome| rank(outcome)).cloned()
    };
    (0..count).filter_map(of).collect()
}

fn not_known(command: &CiCommand, reason: &str) -> CommandChange {
    CommandChange {
        name: command.name.clone(),
        command: command.words.clone(),
        verdict: ChangeVerdict::NotKnown(reason.to_owned()),
        runs: 0,
        capture: None,
        calls: RunsDifference::default(),
        findings: Vec::new(),
        budgets: Vec::new(),
        gaps: Vec::new(),
        notes: Vec::new(),
    }
}
