//! The calls of a program as one way of watching saw them, to be compared with another's: by process,
//! call and errno. Paths and times are left out: data are fresh in each run.

use crate::bench::{Bench, BenchError, finished};
use crate::blind::plain;
use crate::kind_reader::KindReader;
use crate::kinds::Kinds;
use crate::steady::Subject;
use fathom_audit::{Audit, RuleId};
use fathom_events::{CallOutcome, FileAction, TraceReader};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufReader, Read};

/// How often a process made each call, by errno (`None`: it succeeded or never returned), and its exit code.
pub type ProcessCalls = (BTreeMap<(String, Option<i32>), u64>, Option<i32>);

/// The calls of all processes of a program, in an order that does not depend on which began first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CallTable {
    /// By process.
    pub processes: Vec<ProcessCalls>,
    /// How often each rule counted, negligible findings among them.
    pub findings: BTreeMap<RuleId, u64>,
}

impl CallTable {
    /// How many calls there are.
    pub fn calls(&self) -> u64 {
        self.processes.iter().flat_map(|(calls, _)| calls.values()).sum()
    }

    /// What differs in another one: calls of all processes together, with both counts.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let sums = |table: &Self| {
            let mut sums: BTreeMap<(String, Option<i32>), u64> = BTreeMap::new();
            for (key, count) in table.processes.iter().flat_map(|(calls, _)| calls) {
                *sums.entry(key.clone()).or_default() += count;
            }
            sums
        };
        let (ours, theirs) = (sums(self), sums(other));
        let keys: BTreeSet<_> = ours.keys().chain(theirs.keys()).collect();
        let told = |key: &(String, Option<i32>)| {
            let [here, there] = [&ours, &theirs].map(|sums| sums.get(key).copied().unwrap_or(0));
            let errno = key.1.map_or_else(String::new, |errno| format!(" (errno {errno})"));
            (here != there).then(|| format!("{}{errno} {here} against {there}", key.0))
        };
        let mut all: Vec<_> = keys.into_iter().filter_map(told).collect();
        if all.is_empty() && self.processes != other.processes {
            all.push("the same calls by other processes, or other exit codes".to_owned());
        }
        if self.findings != other.findings {
            all.push(format!("findings {:?} against {:?}", self.findings, other.findings));
        }
        all
    }
}

impl Bench {
    /// The calls of one run of a program, with fresh data; also by kind, with paths, in which digits are
    /// left out: `name` may differ in these.
    pub fn calls(&self, subject: Subject<'_>, name: &str) -> Result<(CallTable, Kinds), BenchError> {
        let (case, part) = subject.names();
        self.table(subject, name).map_err(|reason| BenchError { case, part, reason })
    }

    fn table(&self, subject: Subject<'_>, name: &str) -> Result<(CallTable, Kinds), String> {
        let (stage, _) = self.stage_subject(subject, name)?;
        let kept = stage.folder.join("calls.events");
        let mut command = self.command(&stage);
        command.args(["trace", "--capture", &self.capture, "-o"]).arg(&kept).arg("--").args(&stage.words);
        let output = plain(&mut command, &stage).output();
        let table = output.map_err(|error| error.to_string()).and_then(|output| {
            // It ends as the program does; where nothing was kept, it says why.
            let said = || String::from_utf8_lossy(&output.stderr).trim().to_owned();
            let file = File::open(&kept).map_err(|error| format!("{error}: {}", said()))?;
            let mut reader = TraceReader::new(BufReader::new(file)).map_err(|error| error.to_string())?;
            let (processes, kinds) = read(&mut reader)?;
            let mut command = self.command(&stage);
            command.args(["audit", "--no-config", "--format", "json", "--from"]).arg(&kept);
            let text = finished(plain(&mut command, &stage))?;
            let audit: Audit = serde_json::from_str(&text).map_err(|error| error.to_string())?;
            let mut findings = BTreeMap::new();
            for finding in audit.findings_and_trifles() {
                *findings.entry(finding.rule).or_default() += finding.count;
            }
            Ok((CallTable { processes, findings }, kinds))
        });
        fs::remove_dir_all(&stage.folder).map_err(|error| format!("{}: {error}", stage.folder.display()))?;
        table
    }
}

fn read<R: Read>(reader: &mut TraceReader<R>) -> Result<(Vec<ProcessCalls>, Kinds), String> {
    let mut processes: BTreeMap<u32, ProcessCalls> = BTreeMap::new();
    let (mut running, mut kinds) = (KindReader::default(), Kinds::default());
    while let Some(event) = reader.next_event().map_err(|error| error.to_string())? {
        kinds.extend(running.kind(&event, reader.paths()));
        let (calls, exit) = processes.entry(event.process).or_default();
        if let FileAction::Exit { code, whole: true } = event.action {
            *exit = code;
        }
        let errno = match event.outcome {
            CallOutcome::Failed(errno) => Some(errno),
            _ => None,
        };
        // A signal that breaks a call off is a matter of time; the call is told when it was made again.
        if !errno.is_some_and(|errno| (512..=516).contains(&errno)) {
            *calls.entry((event.call.to_owned(), errno)).or_default() += 1;
        }
    }
    let mut tables: Vec<_> = processes.into_values().collect();
    tables.sort();
    Ok((tables, kinds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_told_with_both_counts() {
        let table = |count| {
            let calls = BTreeMap::from([(("openat".to_owned(), Some(2)), count)]);
            CallTable { processes: vec![(calls, Some(0))], findings: BTreeMap::new() }
        };
        assert!(table(2).differences(&table(2)).is_empty());
        assert_eq!(table(2).differences(&table(3)), ["openat (errno 2) 2 against 3"]);
        assert_eq!(table(4).calls(), 4);
    }
}
