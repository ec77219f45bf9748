//! The records that an answer rests on: those that are named, or those in the
//! default directory that were made on this machine and kernel, of each
//! experiment the newest that was timed.

use crate::command::Hinted;
use crate::{output, record_file};
use anyhow::Context;
use fathom_model::{Environment, ExperimentRecord, Record};
use fathom_stats::is_made_here;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The name of what was measured without an entry: each is an experiment of its own.
const AD_HOC: &str = "ad-hoc";
const HINT: &str = "`fathom bench decide` measures what it needs";

/// A record and its file.
pub(super) struct Source {
    pub(super) name: String,
    pub(super) record: Record,
}

/// The records of these files.
pub(super) fn named(paths: &[PathBuf]) -> anyhow::Result<Vec<Source>> {
    let read = |path: &PathBuf| Ok(Source { name: name(path), record: record_file::read(path)? });
    paths.iter().map(read).collect()
}

/// The records in the default directory that were made here.
pub(super) fn made_here(here: &Environment) -> anyhow::Result<Vec<Source>> {
    let folder = record_file::default_folder()?;
    let mut seen = BTreeSet::new();
    let mut sources = Vec::new();
    let mut foreign = 0;
    for path in newest_first(&folder)? {
        if is_known_to_be_older(&path, &seen) {
            continue;
        }
        let mut record = match record_file::read(&path) {
            Ok(record) => record,
            Err(error) => {
                output::note(&format!("note: passed over: {error:#}"));
                continue;
            }
        };
        if !is_made_here(&record.environment, here) {
            foreign += 1;
            continue;
        }
        record.experiments.retain(|experiment| is_timed(experiment) && !seen.contains(&experiment.name));
        seen.extend(
            record.experiments.iter().map(|experiment| experiment.name.clone()).filter(|name| name != AD_HOC),
        );
        if !record.experiments.is_empty() {
            sources.push(Source { name: name(&path), record });
        }
    }
    if sources.is_empty() {
        let of_others = match foreign {
            0 => String::new(),
            1 => "; one is of another machine or kernel".to_owned(),
            many => format!("; {many} are of another machine or kernel"),
        };
        let message = format!("no record of this machine and kernel in {}{of_others}", folder.display());
        return Err(Hinted::error(message, format!("{HINT}, or name a record")));
    }
    Ok(sources)
}

/// Names begin with the time; those that do not come last.
fn newest_first(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder).with_context(|| format!("failed to read {}", folder.display()))?;
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "json")).collect();
    paths.sort_by_key(|path| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        (name.starts_with(|c: char| c.is_ascii_digit()), name)
    });
    paths.reverse();
    Ok(paths)
}

/// True when the file's name says that each of its experiments is older than one already read.
fn is_known_to_be_older(path: &Path, seen: &BTreeSet<String>) -> bool {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let Some((time, names)) = stem.split_once('-') else { return false };
    time.ends_with('Z') && names.split('+').all(|name| seen.contains(name))
}

fn is_timed(experiment: &ExperimentRecord) -> bool {
    experiment.comparisons.iter().any(|comparison| !comparison.forks.is_empty())
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_come_first_and_what_has_no_time_last() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["20261120T112104Z-a.json", "20261121T112104Z-a.json", "mine.json", "20261120T1-b.txt"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let found = newest_first(folder.path()).unwrap();
        let names: Vec<_> = found.iter().map(|path| path.file_name().unwrap().to_string_lossy()).collect();
        assert_eq!(names, ["20261121T112104Z-a.json", "20261120T112104Z-a.json", "mine.json"]);
        assert!(newest_first(&folder.path().join("missing")).unwrap().is_empty());
    }

    #[test]
    fn a_name_tells_what_need_not_be_read() {
        let seen: BTreeSet<String> = ["open-all", "read-all"].map(str::to_owned).into();
        let is_older = |name: &str| is_known_to_be_older(Path::new(name), &seen);
        assert!(is_older("20261120T112233Z-open-all+read-all.json"));
        assert!(!is_older("20261120T112233Z-open-all+decide.json"));
        assert!(!is_older("20261120T112233Z-ad-hoc.json") && !is_older("open-all.json"));
        assert!(!is_older("mine-open-all.json"), "it may be newer than its name tells");
    }
}
