//! What runs of a command counted, and what is known of a run.

use crate::command::counted_run::{CountedRun, ended};
use crate::command::repository::{Repository, git};
use crate::command::stop::Stop;
use fathom_audit::{
    GapKind, PathClasses, RunCalls, RunFacts, TRACKED_RUN_VERSION, TrackedCommand, TrackedCount, all_calls,
    tracked_counts,
};
use fathom_collect::machine;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// What is known of a run before it begins.
pub(super) fn facts(id: &str, stop: &Stop, limit: Duration) -> anyhow::Result<RunFacts> {
    let commit = Repository::facts(id, stop, limit)?;
    let line = git(Path::new("."), &["rev-list", "--parents", "--max-count=1", id], stop, limit)?;
    let parents = line.split_whitespace().skip(1).map(str::to_owned).collect();
    let created = jiff::Timestamp::now();
    let machine = machine();
    let cpu = machine.cpu_model.value().cloned().unwrap_or_else(|| "unknown processor".to_owned());
    let digits: String = created.to_string().chars().filter(char::is_ascii_alphanumeric).collect();
    Ok(RunFacts {
        schema_version: TRACKED_RUN_VERSION,
        fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
        id: format!("{digits}-{}-{}", commit.short(), std::process::id()),
        created: created.to_string(),
        commit,
        parents,
        has_changes: false,
        machine: format!("Linux {} {}, {cpu}", machine.kernel, machine.architecture),
        from: None,
        commands: Vec::new(),
        redacted: None,
    })
}

/// A command with its counts.
pub(super) struct Counted {
    pub(super) facts: TrackedCommand,
    pub(super) counts: Vec<TrackedCount>,
}

impl Counted {
    /// What runs of one command counted.
    pub(super) fn of(name: &str, words: &[String], runs: &[CountedRun]) -> Self {
        let calls: Vec<RunCalls> = runs.iter().map(|run| run.calls.clone()).collect();
        let gaps: BTreeSet<String> =
            runs.iter().flat_map(|run| &run.gaps).map(|gap| gap.text.clone()).collect();
        let is_cut =
            |run: &CountedRun| run.gaps.iter().any(|gap| matches!(gap.kind, GapKind::Lost | GapKind::Cut));
        let ends: BTreeSet<String> = runs.iter().map(|run| ended(run.exit)).collect();
        Self {
            facts: TrackedCommand {
                name: name.to_owned(),
                words: words.to_vec(),
                runs: u32::try_from(runs.len()).unwrap_or(u32::MAX),
                calls: Some(all_calls(&calls)),
                is_complete: !runs.iter().any(is_cut),
                ended: ends.into_iter().collect::<Vec<_>>().join(" or "),
                capture: runs.first().and_then(|run| run.capture.clone()),
                gaps: gaps.into_iter().collect(),
            },
            counts: tracked_counts(name, &calls),
        }
    }
}

/// What paths are matched by.
pub(super) fn classes(top: &str) -> PathClasses {
    let home = std::env::var("HOME").ok().filter(|home| !home.is_empty());
    let classes = home.iter().fold(PathClasses::default(), |classes, home| classes.with_home(home));
    classes.with_checkout(top)
}
