//! The same program under audit again and again: what came of it each time. Verdicts follow from
//! calls, so that they are alike, however busy the machine is and however calls are watched.

use crate::bench::{Bench, BenchError, Stage};
use crate::blind::{BlindCase, BlindPart, Tool, Watched};
use crate::case::{Case, Part};
use fathom_audit::RuleId;
use std::collections::BTreeSet;
use std::fs;

/// How an audit ended.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ending {
    /// Fathom's exit code.
    pub code: i32,
    /// Rules whose findings make it exit with 1.
    pub failing: BTreeSet<RuleId>,
}

/// What is run again.
#[derive(Debug, Clone, Copy)]
pub enum Subject<'a> {
    /// A program of the first corpus.
    Case(&'a Case, Part),
    /// A program of the second one.
    Blind(&'a BlindCase, BlindPart),
    /// An installed program.
    Tool(&'a Tool),
}

impl Subject<'_> {
    /// `R04-cpython-30228 before`.
    pub fn name(self) -> String {
        let (case, part) = self.names();
        format!("{case} {part}")
    }

    pub(crate) fn names(self) -> (String, &'static str) {
        match self {
            Subject::Case(case, part) => (case.name.clone(), part.stem()),
            Subject::Blind(case, part) => (case.name.clone(), part.name()),
            Subject::Tool(tool) => (tool.name.clone(), BlindPart::Tool.name()),
        }
    }
}

impl From<Watched> for Ending {
    fn from(watched: Watched) -> Self {
        let failing = watched.findings.iter().filter(|found| found.fails).map(|found| found.rule);
        Self { code: watched.code, failing: failing.collect() }
    }
}

impl Bench {
    /// How the audits of so many runs of a program ended, each with fresh data.
    pub fn endings(&self, subject: Subject<'_>, runs: u32) -> Result<Vec<Ending>, BenchError> {
        let (case, part) = subject.names();
        let ending =
            |number| self.ending(subject, &format!("again-{number}")).map_err(|reason| (number, reason));
        let endings = (0..runs).map(ending).collect::<Result<_, _>>();
        endings.map_err(|(number, reason)| BenchError {
            case,
            part,
            reason: format!("run {number}: {reason}"),
        })
    }

    fn ending(&self, subject: Subject<'_>, name: &str) -> Result<Ending, String> {
        let (stage, options) = self.stage_subject(subject, name)?;
        let watched = self.watch(&stage, options);
        // Data of thousands of runs would fill a disk.
        fs::remove_dir_all(&stage.folder).map_err(|error| format!("{}: {error}", stage.folder.display()))?;
        watched.map(Ending::from)
    }

    /// A subject with fresh data, and the options of its audit.
    pub(crate) fn stage_subject(
        &self,
        subject: Subject<'_>,
        name: &str,
    ) -> Result<(Stage, &'static [&'static str]), String> {
        Ok(match subject {
            Subject::Case(case, part) => {
                (self.stage(case, part, &format!("{}-{name}", part.stem()))?, &["--under", "."])
            }
            Subject::Blind(case, part) => (self.stage_blind(case, part, name)?, &[]),
            Subject::Tool(tool) => (self.stage_tool(tool, name)?, &[]),
        })
    }
}
