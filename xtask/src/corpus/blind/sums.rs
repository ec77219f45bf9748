//! What the runs of a blind set come to.

use super::{BlindSet, CaseResult, Results};
use fathom_audit::{RuleId, Severity};
use fathom_corpus::{
    Agreement, BlindCase, BlindPart, BlindRun, Found, Judgement, Language, Tool, ToolRun, Waste, Watched,
};
use std::collections::{BTreeMap, BTreeSet};

/// All of it.
#[derive(Debug)]
pub(super) struct Sums<'all> {
    /// Which set it is.
    pub(super) set: BlindSet,
    /// How many cases of a language could not be run, and why.
    pub(super) skipped: BTreeMap<(Language, String), u64>,
    /// The list of wastes.
    pub(super) wastes: &'all BTreeMap<u32, Waste>,
    /// What is no result: programs that could not be run, findings that nobody judged.
    pub(super) problems: Vec<String>,
    /// The programs with a waste.
    pub(super) wasteful: Vec<Wasteful>,
    /// Findings on own files of programs without the waste, by what they are and severity.
    pub(super) beside: BTreeMap<(Beside, Severity), u64>,
    /// Exit codes of Fathom by the default settings.
    pub(super) exits: BTreeMap<(BlindPart, i32), u64>,
    /// Findings that fail a run, by program and rule.
    pub(super) failing: Vec<Failing>,
    /// Tools that printed something else when they were watched.
    pub(super) other_output: Vec<String>,
}

/// A program with a waste.
#[derive(Debug)]
pub(super) struct Wasteful {
    pub(super) name: String,
    pub(super) number: u32,
    pub(super) language: Language,
    pub(super) outcome: Outcome,
}

/// What became of a waste.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A rule that may, reports it.
    Reported { rule: RuleId, count: u64, agreement: Agreement, fails: bool },
    /// It is found, and set apart as negligible.
    Negligible,
    /// It is not found.
    Missed,
}

/// A finding in a program that has not the waste.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Beside {
    /// A rule of the waste, in the partner that has it no more.
    Clean,
    /// Another rule there.
    CleanOther,
    /// A rule of the waste that an innocent program looks like.
    Innocent,
    /// Another rule there.
    InnocentOther,
}

/// Findings of a rule that fail a run.
#[derive(Debug)]
pub(super) struct Failing {
    pub(super) name: String,
    pub(super) part: BlindPart,
    pub(super) rule: RuleId,
    pub(super) title: String,
    pub(super) verdict: FailingVerdict,
}

/// Whether it fails rightly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FailingVerdict {
    /// It reports the waste that the program was written for.
    Meant,
    /// A person said so.
    Judged { right: bool, reason: String },
    /// Nobody said.
    Open,
}

impl<'all> Sums<'all> {
    pub(super) fn new(
        set: BlindSet,
        cases: &[BlindCase],
        tools: &[Tool],
        results: &Results,
        wastes: &'all BTreeMap<u32, Waste>,
        judged: &Judgement,
    ) -> Self {
        let mut sums = Self {
            set,
            skipped: BTreeMap::new(),
            wastes,
            problems: Vec::new(),
            wasteful: Vec::new(),
            beside: BTreeMap::new(),
            exits: BTreeMap::new(),
            failing: Vec::new(),
            other_output: Vec::new(),
        };
        for (case, result) in cases.iter().zip(&results.cases) {
            match result {
                CaseResult::Skipped(reason) => {
                    *sums.skipped.entry((case.language, reason.clone())).or_default() += 1;
                }
                CaseResult::Run(runs) => sums.add_case(case, runs, judged),
            }
        }
        for (tool, run) in tools.iter().zip(&results.tools) {
            sums.add_tool(tool, run, judged);
        }
        let open = sums.failing.iter().filter(|failing| failing.verdict == FailingVerdict::Open);
        let open = open.map(|one| {
            format!("{}, {}: {} was not judged: {}", one.name, one.part.name(), one.rule, one.title)
        });
        let open: Vec<_> = open.collect();
        sums.problems.extend(open);
        sums
    }

    fn add_case(&mut self, case: &BlindCase, runs: &[Result<BlindRun, String>], judged: &Judgement) {
        let waste = &self.wastes[&case.number()];
        let good: Vec<_> = runs.iter().filter_map(|run| run.as_ref().ok()).collect();
        self.problems.extend(runs.iter().filter_map(|run| run.as_ref().err().cloned()));
        if good.len() != case.parts().len() {
            return;
        }
        if good
            .iter()
            .any(|run| run.whole.printed != good[0].whole.printed || run.own.printed != good[0].own.printed)
        {
            self.problems.push(format!("{}: its programs print different results", case.name));
        }
        match good[..] {
            [waste_run, clean] => {
                self.wasteful.push(Wasteful {
                    name: case.name.clone(),
                    number: case.number(),
                    language: case.language,
                    outcome: outcome(case, waste, waste_run, clean),
                });
                self.add_beside(&clean.own, waste, [Beside::Clean, Beside::CleanOther]);
            }
            _ => self.add_beside(&good[0].own, waste, [Beside::Innocent, Beside::InnocentOther]),
        }
        for (part, run) in case.parts().iter().zip(good) {
            let meant = if *part == BlindPart::Waste { &waste.rules[..] } else { &[] };
            self.add_whole(&case.name, *part, &run.whole, meant, judged);
        }
    }

    fn add_beside(&mut self, run: &Watched, waste: &Waste, [own, other]: [Beside; 2]) {
        for found in &run.findings {
            let beside = if waste.rules.contains(&found.rule) { own } else { other };
            *self.beside.entry((beside, found.severity)).or_default() += 1;
        }
    }

    fn add_tool(&mut self, tool: &Tool, run: &Result<ToolRun, String>, judged: &Judgement) {
        match run {
            Err(reason) => self.problems.push(reason.clone()),
            Ok(run) => {
                if run.alone != run.watched.printed {
                    self.other_output.push(tool.name.clone());
                }
                self.add_whole(&tool.name, BlindPart::Tool, &run.watched, &[], judged);
            }
        }
    }

    /// What a user without options is told.
    fn add_whole(
        &mut self,
        name: &str,
        part: BlindPart,
        run: &Watched,
        meant: &[RuleId],
        judged: &Judgement,
    ) {
        *self.exits.entry((part, run.code)).or_default() += 1;
        if run.exit != Some(0) {
            self.problems.push(format!("{name}, {}: exit {:?}", part.name(), run.exit));
        }
        let failing: Vec<&Found> = run.findings.iter().filter(|found| found.fails).collect();
        let rules: BTreeSet<RuleId> = failing.iter().map(|found| found.rule).collect();
        for rule in rules {
            let title = failing.iter().find(|found| found.rule == rule).map_or("", |found| &found.title);
            let verdict = match judged.get(&(name.to_owned(), part, rule)) {
                _ if meant.contains(&rule) => FailingVerdict::Meant,
                Some(one) => FailingVerdict::Judged { right: one.right, reason: one.reason.clone() },
                None => FailingVerdict::Open,
            };
            let (name, title) = (name.to_owned(), title.to_owned());
            self.failing.push(Failing { name, part, rule, title, verdict });
        }
    }

    /// How many findings that fail a run are right and wrong, in some programs.
    pub(super) fn precision(&self, is_asked: impl Fn(BlindPart) -> bool) -> (usize, usize) {
        let asked = || self.failing.iter().filter(|failing| is_asked(failing.part));
        let wrong = asked().filter(|failing| !failing.is_right()).count();
        (asked().count() - wrong, wrong)
    }
}

impl Failing {
    pub(super) fn is_right(&self) -> bool {
        matches!(self.verdict, FailingVerdict::Meant | FailingVerdict::Judged { right: true, .. })
    }
}

fn outcome(case: &BlindCase, waste: &Waste, run: &BlindRun, clean: &BlindRun) -> Outcome {
    let (run_of, clean) = (waste.run_of(run), waste.run_of(clean));
    if let Some((rule, count)) = waste.found(&run_of.counts(), &clean.counts()) {
        let fails = run.whole.findings.iter().any(|found| found.rule == rule && found.fails);
        return Outcome::Reported { rule, count, agreement: Agreement::of(count, &case.seen), fails };
    }
    match waste.found(&run_of.all_counts(), &clean.all_counts()) {
        Some(_) => Outcome::Negligible,
        None => Outcome::Missed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_corpus::{Found, Judged};

    fn watched(findings: &[(u16, u64)]) -> Watched {
        let found = |(rule, count): &(u16, u64)| Found {
            rule: RuleId(*rule),
            title: "x".to_owned(),
            count: *count,
            severity: Severity::High,
            fails: true,
            example: Vec::new(),
        };
        let findings: Vec<_> = findings.iter().map(found).collect();
        let code = i32::from(!findings.is_empty());
        Watched { code, exit: Some(0), printed: "sum 3".to_owned(), findings, negligible: Vec::new() }
    }

    fn run(findings: &[(u16, u64)]) -> BlindRun {
        BlindRun { own: watched(findings), whole: watched(findings) }
    }

    fn case() -> BlindCase {
        BlindCase {
            name: "04-x".to_owned(),
            folder: "x".into(),
            waste: Some(4),
            looks_like: None,
            words: "x".to_owned(),
            language: Language::Shell,
            seen: "questions: 20 (clean: 0)".to_owned(),
            own: None,
        }
    }

    fn waste() -> Waste {
        Waste { number: 4, words: "x".to_owned(), rules: vec![RuleId(4)], everywhere: false }
    }

    #[test]
    fn what_cannot_be_run_is_said_and_counts_nowhere() {
        let skipped = CaseResult::Skipped("`ruby`: not there".to_owned());
        let results = Results { cases: vec![skipped], tools: Vec::new() };
        let wastes = [(4, waste())].into();
        let sums = Sums::new(BlindSet::Third, &[case()], &[], &results, &wastes, &Judgement::new());
        assert!(sums.wasteful.is_empty() && sums.exits.is_empty() && sums.problems.is_empty());
        assert_eq!(sums.skipped[&(Language::Shell, "`ruby`: not there".to_owned())], 1);
        let text = super::super::page::text(&sums);
        assert!(
            text.contains("Not run, and in no figure above: 1 cases in shell: `ruby`: not there."),
            "{text}"
        );
    }

    #[test]
    fn what_fails_a_run_is_meant_judged_or_a_problem() {
        let case = case();
        let judged = Judged {
            case: case.name.clone(),
            part: BlindPart::Clean,
            rule: RuleId(3),
            right: true,
            reason: "it does".to_owned(),
        };
        let judged = [((case.name.clone(), BlindPart::Clean, RuleId(3)), judged)].into();
        let runs = vec![Ok(run(&[(4, 20)])), Ok(run(&[(3, 5), (9, 1)]))];
        let results = Results { cases: vec![CaseResult::Run(runs)], tools: Vec::new() };
        let wastes = [(4, waste())].into();
        let sums = Sums::new(BlindSet::Second, &[case], &[], &results, &wastes, &judged);
        let reported =
            Outcome::Reported { rule: RuleId(4), count: 20, agreement: Agreement::Same, fails: true };
        assert_eq!(sums.wasteful[0].outcome, reported);
        assert_eq!(sums.precision(|_| true), (2, 1));
        assert_eq!(sums.problems, ["04-x, clean: R09 was not judged: x"]);
        assert_eq!(sums.beside[&(Beside::CleanOther, Severity::High)], 2);
        assert_eq!(sums.exits[&(BlindPart::Clean, 1)], 1);
    }
}
