//! The search between two ends: `git bisect` in the clone chooses commits, runs decide.

use super::ends::Ends;
use super::ground::{Ground, Tested};
use super::measured::{Frontier, Measured, RUNS_OF_STEP};
use crate::command::Hinted;
use crate::command::repository::{Repository, git, git_command, said};
use crate::output;
use fathom_audit::{
    BisectionOutcome, BisectionStep, Commit, FoundCommit, PriceList as Priced, StepSide, compare_runs,
    put_asked_first,
};
use std::collections::BTreeMap;
use std::path::Path;

/// A search on its way.
pub(super) struct Search<'s, 'a> {
    ends: &'s Ends,
    ground: &'s mut Ground<'a>,
    frontier: &'s Frontier,
    pub(super) steps: Vec<BisectionStep>,
    /// What is measured, by commit.
    measured: BTreeMap<String, (Measured, StepSide)>,
    notes: Vec<String>,
}

/// What `git bisect` says.
enum Next {
    Test(String),
    /// This one changed it.
    Found(String),
    /// One of these did.
    Among(Vec<String>),
}

impl<'s, 'a> Search<'s, 'a> {
    pub(super) fn new(
        ends: &'s Ends,
        ground: &'s mut Ground<'a>,
        frontier: &'s Frontier,
        good: &mut Measured,
        bad: &mut Measured,
    ) -> Self {
        let measured = BTreeMap::from([
            (ends.good.commit.id.clone(), (good.clone(), StepSide::Good)),
            (ends.bad.commit.id.clone(), (bad.clone(), StepSide::Bad)),
        ]);
        Self { ends, ground, frontier, steps: Vec::new(), measured, notes: Vec::new() }
    }

    /// Goes to the end, with what is to be known of it.
    pub(super) fn run(&mut self) -> anyhow::Result<(BisectionOutcome, Vec<String>)> {
        let (good, bad) = (self.ends.good.commit.id.clone(), self.ends.bad.commit.id.clone());
        let mut next = self.bisect(&["start", "--no-checkout", &bad, &good])?;
        loop {
            let id = match next {
                Next::Test(id) => id,
                Next::Found(id) => return Ok((self.found(&id)?, std::mem::take(&mut self.notes))),
                Next::Among(ids) => {
                    let commits = ids.iter().map(|id| self.facts(id)).collect::<anyhow::Result<_>>()?;
                    return Ok((BisectionOutcome::Among(commits), std::mem::take(&mut self.notes)));
                }
            };
            let word = match self.step(&id)? {
                StepSide::Good => "good",
                StepSide::Bad => "bad",
                StepSide::Skipped(_) => "skip",
            };
            next = self.bisect(&[word, &id])?;
        }
    }

    /// Measures one commit and takes the step down.
    fn step(&mut self, id: &str) -> anyhow::Result<StepSide> {
        let commit = self.facts(id)?;
        let (values, side) = self.test(id)?;
        let number = self.steps.len() + 1;
        let most = self.ends.steps_at_most() as usize;
        let of = if number <= most { format!(" of {most}") } else { String::new() };
        let word = match &side {
            StepSide::Good => "as --good".to_owned(),
            StepSide::Bad => "not as --good".to_owned(),
            StepSide::Skipped(reason) => format!("skipped: {reason}"),
        };
        output::note(&format!("step {number}{of}: {} {}: {word}", commit.short(), commit.subject));
        self.steps.push(BisectionStep { commit, values, side: side.clone() });
        Ok(side)
    }

    fn test(&mut self, id: &str) -> anyhow::Result<(Vec<f64>, StepSide)> {
        let (runs, warms_up) = (self.frontier.runs, self.frontier.warms_up);
        let mut tested = self.ground.test(id, runs, warms_up)?;
        // A number that neither end has may be another change, or a program that varies after all.
        if let Tested::Measured(measured) = &tested
            && self.frontier.is_unforeseen(measured)
        {
            tested = self.ground.again(RUNS_OF_STEP)?;
        }
        Ok(match tested {
            Tested::Skipped(reason) => (Vec::new(), StepSide::Skipped(reason)),
            Tested::Measured(measured) => {
                let side = self.frontier.side(&measured);
                let values = measured.values.clone();
                self.measured.insert(id.to_owned(), (*measured, side.clone()));
                (values, side)
            }
        })
    }

    /// The commit and the parent that it is compared with, which is measured where it was not yet.
    fn found(&mut self, id: &str) -> anyhow::Result<BisectionOutcome> {
        let line = self.git(&["rev-list", "--parents", "--max-count=1", id])?;
        let parents: Vec<String> = line.split_whitespace().skip(1).map(str::to_owned).collect();
        let mut others = Vec::new();
        let mut parent = None;
        for candidate in &parents {
            if !self.measured.contains_key(candidate) {
                output::note(&format!("measuring its parent {candidate:.10} too"));
                let (_, side) = self.test(candidate)?;
                if let StepSide::Skipped(reason) = side {
                    others.push(format!("its parent {candidate:.10} could not be measured: {reason}"));
                }
            }
            match self.measured.get(candidate) {
                Some((_, StepSide::Good)) if parent.is_none() => parent = Some(candidate.clone()),
                Some((_, StepSide::Bad)) => {
                    others.push(format!("its parent {candidate:.10} has another count than --good, too"));
                }
                _ => {}
            }
        }
        if parents.len() > 1 {
            self.notes.push(format!("{id:.10} is a merge of {} commits", parents.len()));
        }
        self.notes.append(&mut others);
        let Some(parent) = parent else {
            self.notes.push(format!("{id:.10} is the first that differs, but no parent of it is as --good"));
            return Ok(BisectionOutcome::Among(vec![self.facts(id)?]));
        };
        let (before, _) = &self.measured[&parent];
        let (after, _) = &self.measured[id];
        if let Some(value) = after.values.iter().find(|value| self.frontier.is_neither(**value)) {
            self.notes.push(format!(
                "more than one commit changed it: {id:.10} has {value}, which neither end has; search on from there with --good {id:.10}"
            ));
        }
        let mut calls = compare_runs(&before.calls, &after.calls, &Priced(&[]));
        put_asked_first(&mut calls, self.ground.recipe.question.text());
        Ok(BisectionOutcome::Found(Box::new(FoundCommit {
            commit: self.facts(id)?,
            values: after.values.clone(),
            parent: self.facts(&parent)?,
            parent_values: before.values.clone(),
            calls,
        })))
    }

    /// Tells `git bisect` something, and hears what is next.
    fn bisect(&self, words: &[&str]) -> anyhow::Result<Next> {
        let counting = &self.ground.recipe.counting;
        let words = [&["bisect"], words].concat();
        let mut command = git_command(&self.ground.root, &words);
        let done = said(&mut command, "git", counting.stop, counting.limit)?;
        let text = format!("{}\n{}", done.stdout, done.stderr);
        let is_id = |word: &&str| word.len() >= 40 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        let found = text.lines().find_map(|line| line.strip_suffix(" is the first bad commit"));
        if let Some(id) = found.filter(is_id) {
            return Ok(Next::Found(id.to_owned()));
        }
        if text.contains("only 'skip'ped commits left") {
            let ids = text.lines().map(str::trim).filter(is_id).map(str::to_owned);
            return Ok(Next::Among(ids.collect()));
        }
        if !done.succeeded {
            return Err(Hinted::error(
                format!("git {} failed: {}", words.join(" "), done.stderr.trim()),
                "the search runs in a clone of its own: nothing of yours was changed",
            ));
        }
        Ok(Next::Test(self.git(&["rev-parse", "--verify", "BISECT_HEAD"])?))
    }

    /// For somebody who interrupted it: what is known already.
    pub(super) fn where_it_stood(&self) -> String {
        let last = |wanted: &StepSide| {
            self.steps
                .iter()
                .rev()
                .find(|step| &step.side == wanted)
                .map(|step| step.commit.short().to_owned())
        };
        let good = last(&StepSide::Good).unwrap_or_else(|| self.ends.good.name.clone());
        let bad = last(&StepSide::Bad).unwrap_or_else(|| self.ends.bad.name.clone());
        format!(
            "interrupted after {} of {} steps; go on with --good {good} --bad {bad}",
            self.steps.len(),
            self.ends.steps_at_most()
        )
    }

    fn facts(&self, id: &str) -> anyhow::Result<Commit> {
        let counting = &self.ground.recipe.counting;
        Repository::facts(id, counting.stop, counting.limit)
    }

    fn git(&self, words: &[&str]) -> anyhow::Result<String> {
        let counting = &self.ground.recipe.counting;
        git(Path::new(&self.ground.root), words, counting.stop, counting.limit)
    }
}
