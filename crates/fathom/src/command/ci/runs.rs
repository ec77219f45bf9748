//! Runs of a command on both sides, in turns, as often as it takes to know.

use super::Words;
use super::sides::{Side, Sides, What};
use crate::command::counted_run::{CountedRun, Counting, Tried, ended};
use crate::command::project_command::ProjectCommand;
use fathom_audit::{
    Budget, BudgetOutcome, BudgetVerdict, ChangeVerdict, CommandChange, Finding, GapKind, RunCalls,
    RunsDifference, SideGap, compare_runs, findings_of_runs, is_varying,
};
use std::collections::BTreeSet;

/// Runs of each side: where nothing differs, where anything does, and where a program that varies by
/// itself seems changed. Of 12 and 12 equal runs, one in a million has ranges that do not touch.
const RUNS: u32 = 2;
const RUNS_OF_DIFFERENT: u32 = 5;
const RUNS_OF_VARYING: u32 = 12;

/// What every comparison needs.
pub(super) struct Runner<'a> {
    pub(super) words: &'a Words,
    pub(super) sides: &'a Sides,
    pub(super) counting: Counting<'a>,
}

impl Runner<'_> {
    /// Two traces that were kept.
    pub(super) fn compare_traces(&self) -> anyhow::Result<CommandChange> {
        let budgets = &self.counting.settings.budgets;
        let runs = [&self.sides.base, &self.sides.head].map(|side| {
            let What::Trace(path) = &side.what else { unreachable!("both sides are traces") };
            self.counting.kept(path, |directory| side.classes(directory), budgets)
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
    pub(super) fn compare(&self, command: &ProjectCommand) -> anyhow::Result<CommandChange> {
        let budgets: Vec<Budget> =
            self.counting.settings.budgets.iter().chain(&command.budgets).cloned().collect();
        let mut runs: [Vec<CountedRun>; 2] = [Vec::new(), Vec::new()];
        let sides = [&self.sides.base, &self.sides.head];
        // The first run of each side makes things warm and counts for nothing.
        let mut target = self.words.repeat.or(command.repeat).unwrap_or(RUNS).max(RUNS);
        let mut round = 0;
        while round <= target {
            let order = if round % 2 == 0 { [0, 1] } else { [1, 0] };
            for number in order {
                match self.run(sides[number], command, &budgets)? {
                    // What hangs once is not waited for eleven times.
                    Tried::Ran(run) if run.gaps.iter().any(|gap| gap.kind == GapKind::Cut) => {
                        let cut = run.gaps.iter().find(|gap| gap.kind == GapKind::Cut);
                        let cut = cut.map_or("", |gap| gap.text.as_str());
                        return Ok(not_known(command, &format!("on {}, {cut}", sides[number].word)));
                    }
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
                let is_changed = !compare_runs(&base, &head, self.counting.prices).changes.is_empty();
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

    fn run(&self, side: &Side, command: &ProjectCommand, budgets: &[Budget]) -> anyhow::Result<Tried> {
        let counting = &self.counting;
        counting.stop.check()?;
        let _inside = side.enter()?;
        if let Some(setup) = &command.setup {
            let what = format!("the setup of `{}`", command.name);
            side.run_by_shell(setup, &what, counting.stop, counting.limit)?;
        }
        let words = side.words(&command.words);
        counting.run(&side.directory, &words, side.classes(None), command.filter.clone(), budgets)
    }

    fn concluded(&self, name: &str, command: Vec<String>, runs: &[Vec<CountedRun>; 2]) -> CommandChange {
        let [base, head] = [0, 1].map(|side| calls_of(&runs[side]));
        let calls = compare_runs(&base, &head, self.counting.prices);
        let findings = [0, 1].map(|side| self.findings_of(side, &runs[side]));
        let of_runs = |side: usize| findings[side].iter().map(Vec::as_slice).collect::<Vec<_>>();
        let findings = findings_of_runs(&of_runs(0), &of_runs(1), self.counting.prices);
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
        notes.extend(self.about_lines(&calls));
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

    /// Why no line of what changed is known, where none is.
    fn about_lines(&self, calls: &RunsDifference) -> Option<String> {
        if calls.changes.is_empty() || calls.changes.iter().any(|change| change.line.is_some()) {
            return None;
        }
        let why = match (self.sides.are_traces(), self.words.stacks) {
            (true, _) => {
                "lines are not known: the traces hold no frame of your code (`fathom trace --stacks` keeps stacks)"
            }
            (false, false) => "lines were not asked for: `--stacks` names those of your code",
            (false, true) => {
                "lines are not known: no stack holds a frame of your code (docs/auditing.md says what interpreters and stripped programs need)"
            }
        };
        Some(why.to_owned())
    }

    /// Findings of each run, with programs named alike on both sides.
    fn findings_of(&self, side: usize, runs: &[CountedRun]) -> Vec<Vec<Finding>> {
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

fn calls_of(runs: &[CountedRun]) -> Vec<RunCalls> {
    runs.iter().map(|run| run.calls.clone()).collect()
}

/// What nobody saw is no good news, and runs that ended differently are not compared.
fn verdict(
    runs: &[Vec<CountedRun>; 2],
    calls: &RunsDifference,
    gaps: &BTreeSet<SideGap>,
    notes: &mut Vec<String>,
) -> ChangeVerdict {
    let ways = [0, 1].map(|side| runs[side].iter().map(|run| ended(run.exit)).collect::<BTreeSet<_>>());
    let ends = ways.each_ref().map(|ways| ways.iter().cloned().collect::<Vec<_>>().join(" or "));
    let has = |kinds: &[GapKind]| {
        let mut all = runs.iter().flatten().flat_map(|run| &run.gaps);
        all.find(|gap| kinds.contains(&gap.kind)).map(|gap| gap.text.clone())
    };
    if let Some(cut) = has(&[GapKind::Cut, GapKind::Lost]) {
        return ChangeVerdict::NotKnown(cut);
    }
    if let Some(side) = ways.iter().position(|ways| ways.len() > 1) {
        return ChangeVerdict::NotKnown(format!(
            "{} alone ends with {}: make the command end alike each time (a fixed seed, no limit of time), or take it out",
            ["base", "head"][side],
            ends[side]
        ));
    }
    if ends[0] != ends[1] {
        return ChangeVerdict::NotKnown(format!("base ends with {}, head with {}", ends[0], ends[1]));
    }
    // As shells have it, and what a signal ended was not whole: there is nothing to compare.
    if runs.iter().flatten().any(|run| matches!(run.exit, (Some(126 | 127), _) | (None, Some(_)))) {
        return ChangeVerdict::NotKnown(format!(
            "both sides end with {}: they did not run to their end",
            ends[0]
        ));
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

/// Of each budget the worst that any run made of it.
fn worst_budgets(runs: &[CountedRun]) -> Vec<BudgetOutcome> {
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

fn not_known(command: &ProjectCommand, reason: &str) -> CommandChange {
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
