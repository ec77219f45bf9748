//! A store in a directory: a file that says so, and two files for each run.

use super::kept::{Kept, LINES, MARK, MARKER, RUNS, RunFiles, TABLE};
use crate::command::Hinted;
use crate::output_file::OutputFile;
use anyhow::Context;
use fathom_lab::limited_read::ReadLimit;
use fathom_report::{read_tracked_run, tracked_run_parquet};
use std::ffi::OsStr;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// What a directory is to us.
enum What {
    Store,
    Missing,
    Empty,
}

/// Refuses a directory that holds something else.
pub(super) fn check(path: &Path) -> anyhow::Result<()> {
    what(path).map(drop)
}

fn what(path: &Path) -> anyhow::Result<What> {
    let failed = || format!("failed to look at {}", path.display());
    let marker = path.join(MARKER);
    match fs::read_to_string(&marker) {
        Ok(text) if text.trim() == MARK => return Ok(What::Store),
        Ok(_) => {
            return Err(Hinted::error(
                format!("{} is of another version, or damaged", marker.display()),
                format!("this Fathom writes `{MARK}` there; runs in {RUNS}/ are whole by themselves"),
            ));
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(anyhow::Error::new(error).context(failed())),
    }
    let mut entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(What::Missing),
        Err(error) => return Err(anyhow::Error::new(error).context(failed())),
    };
    // A writer that makes the store right now has its directory of runs, or a file that is not whole yet.
    let is_foreign = |name: &OsStr| name != RUNS && !name.to_string_lossy().starts_with(".fathom-");
    match entries.find(|entry| entry.as_ref().is_ok_and(|entry| is_foreign(&entry.file_name()))) {
        Some(_) => Err(Hinted::error(
            format!("{} holds other files and is no store of `fathom track`", path.display()),
            "name a directory that is empty or not there yet",
        )),
        None => Ok(What::Empty),
    }
}

/// Everything in it.
pub(super) fn read(path: &Path) -> anyhow::Result<Option<Kept>> {
    if !matches!(what(path)?, What::Store) {
        return Ok(None);
    }
    let mut kept = Kept::default();
    let mut foreign = 0;
    let limit = ReadLimit::from_environment();
    for file in files(path)? {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match file.extension().and_then(OsStr::to_str) {
            Some(LINES) => {}
            Some(TABLE) => continue,
            _ if name.starts_with(".fathom-") => continue,
            _ => {
                foreign += 1;
                continue;
            }
        }
        let read = limit.read(&file).map_err(anyhow::Error::from).and_then(|bytes| {
            // Bytes that are no text damage their line alone.
            Ok(read_tracked_run(&String::from_utf8_lossy(&bytes))?)
        });
        match read {
            Ok((run, damage)) => {
                if let Some(first) = damage.first() {
                    let more = if damage.len() > 1 { ", and more" } else { "" };
                    kept.notes.push(format!("{name}: {first}{more}; its counts are left out"));
                }
                kept.runs.push(run);
            }
            Err(error) => kept.notes.push(format!("{name} is left out: {error:#}")),
        }
    }
    match foreign {
        0 => {}
        1 => kept.notes.push(format!("1 file in {RUNS} is not of Fathom")),
        more => kept.notes.push(format!("{more} files in {RUNS} are not of Fathom")),
    }
    kept.runs.sort_by(|one, other| one.facts.created.cmp(&other.facts.created));
    Ok(Some(kept))
}

/// The files of runs, by name.
fn files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let runs = path.join(RUNS);
    let failed = || format!("failed to read {}", runs.display());
    let entries = match fs::read_dir(&runs) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(anyhow::Error::new(error).context(failed())),
    };
    let mut files = Vec::new();
    for entry in entries {
        files.push(entry.with_context(failed)?.path());
    }
    files.sort();
    Ok(files)
}

/// Keeps one more run: its lines first, which are what is read; then the same as a table.
pub(super) fn add(path: &Path, files: &RunFiles) -> anyhow::Result<()> {
    let runs = path.join(RUNS);
    let is_new = !matches!(what(path)?, What::Store);
    fs::create_dir_all(&runs).with_context(|| format!("failed to make {}", runs.display()))?;
    if is_new {
        write(&path.join(MARKER), MARK.as_bytes())?;
    }
    write_new(&runs.join(format!("{}.{LINES}", files.name)), &files.lines)?;
    // From here on the run is kept: a table that fails is written by the next run.
    let Some(bytes) = &files.table else { return Ok(()) };
    let table = runs.join(format!("{}.{TABLE}", files.name));
    if let Err(error) = write_new(&table, bytes).and_then(|()| complete_tables(path)) {
        crate::output::note(&format!(
            "the run is kept, but a Parquet file could not be written: {error:#}; the next `track add` writes it"
        ));
    }
    Ok(())
}

/// Writes the tables that an interrupted or a full disk kept from being written.
fn complete_tables(path: &Path) -> anyhow::Result<()> {
    for file in files(path)?.into_iter().filter(|file| file.extension() == Some(OsStr::new(LINES))) {
        let table = file.with_extension(TABLE);
        if table.exists() {
            continue;
        }
        let Ok(text) = fs::read_to_string(&file) else { continue };
        if let Ok((run, damage)) = read_tracked_run(&text)
            && damage.is_empty()
        {
            match write_new(&table, &tracked_run_parquet(&run)?) {
                // Another writer was faster.
                Err(_) if table.exists() => {}
                other => other?,
            }
        }
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let failed = || format!("failed to write {}", path.display());
    let mut file = OutputFile::begin(path).with_context(failed)?;
    file.write_all(bytes).with_context(failed)?;
    file.write_all(b"\n").with_context(failed)?;
    file.commit().with_context(failed)
}

fn write_new(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let failed = || format!("failed to write {}", path.display());
    let mut file = OutputFile::begin(path).with_context(failed)?;
    file.write_all(bytes).with_context(failed)?;
    file.commit_as_new().with_context(failed)
}
