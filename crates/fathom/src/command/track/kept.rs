//! What a store holds: runs, each as two files; one in a build without Parquet.

use anyhow::Context;
use fathom_audit::TrackedRun;
use fathom_report::{TableError, tracked_run_lines, tracked_run_parquet};

/// The file by which a store is known.
pub(super) const MARKER: &str = "fathom-track.json";
/// What it says.
pub(super) const MARK: &str = "{\"kind\":\"track-store\",\"schema_version\":1}";
/// Where runs are.
pub(super) const RUNS: &str = "runs";
/// How their files end.
pub(super) const LINES: &str = "jsonl";
pub(super) const TABLE: &str = "parquet";

/// What a store holds.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pub(super) runs: Vec<TrackedRun>,
    /// What is damaged or foreign, in sentences.
    pub(super) notes: Vec<String>,
}

/// The files of one run.
#[derive(Debug)]
pub(super) struct RunFiles {
    /// Their name without the ending.
    pub(super) name: String,
    pub(super) lines: Vec<u8>,
    /// `None` of a build without Parquet.
    pub(super) table: Option<Vec<u8>>,
}

impl RunFiles {
    pub(super) fn of(run: &TrackedRun) -> anyhow::Result<Self> {
        Ok(Self {
            name: run.facts.id.clone(),
            lines: tracked_run_lines(run)?.into_bytes(),
            table: match tracked_run_parquet(run) {
                Err(TableError::Missing) => None,
                table => Some(table.context("failed to write the run as Parquet")?),
            },
        })
    }
}
