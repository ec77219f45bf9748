//! Looking at kept sets: which there are, whether they are whole, how much of
//! them the page cache holds, and whether every byte is still the right one.

use super::directory::{KeptDirectory, Lock, open_parent};
use super::manifest::{self, Manifest, is_file_name};
use super::{KeptError, SetName};
use crate::data::data_set::computing::{BUFFER_BYTES, Source, Stretch, deliver};
use crate::data::data_set::{DataError, file_seed};
use crate::files::scratch::held::refused;
use crate::files::scratch::tree::list;
use fathom_collect::residency;
use fathom_model::Reading;
use rustix::io::Errno;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// So many problems are told; what is beyond them is counted.
const PROBLEMS_TOLD: usize = 5;

/// A kept set as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surveyed {
    /// Its name.
    pub name: SetName,
    /// Its directory.
    pub path: PathBuf,
    /// What it says of itself, where it can be read.
    pub manifest: Option<Manifest>,
    /// What state it is in.
    pub state: State,
    /// Bytes of it in the page cache.
    pub cached_bytes: Reading<u64>,
    /// Names in its directory that are not of the set.
    pub foreign: Vec<String>,
}

/// The state of a kept set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Every file is there and has its size.
    Whole,
    /// A process makes it now.
    BeingMade,
    /// Whoever made it ended before it was done.
    Unfinished,
    /// Files are missing or have another size.
    Damaged(Vec<String>),
    /// It cannot be looked at.
    Unreadable(String),
}

/// The kept sets in a directory, by name.
pub fn survey(in_dir: &Path) -> Result<Vec<Surveyed>, KeptError> {
    let (place, parent) = open_parent(in_dir)?;
    let folders = list(&parent).map_err(refused("list", &place))?;
    let mut names: Vec<SetName> = folders.iter().filter_map(|folder| SetName::of_folder(folder)).collect();
    names.sort_unstable();
    Ok(names.into_iter().filter_map(|name| look_at(in_dir, &place, name)).collect())
}

/// Reads every file of a set and compares it with its rule: the first
/// difference is the error. `progress` hears bytes done and bytes in all.
pub fn check_content(
    in_dir: &Path,
    name: &SetName,
    progress: &mut dyn FnMut(u64, u64),
    stop: &AtomicBool,
) -> Result<(), KeptError> {
    let directory = KeptDirectory::open(in_dir, name, Lock::Shared)?;
    let manifest = directory.manifest()?.filter(|manifest| manifest.complete);
    let manifest = manifest.ok_or_else(|| KeptError::Unfinished(directory.path().to_owned()))?;
    let data = manifest.data();
    let seeds: Vec<u64> = (0..data.files).map(|number| file_seed(manifest.seed, number)).collect();
    let source = Source { data: &data, seeds: &seeds, piece_bytes: BUFFER_BYTES };
    let mut open: Option<(u32, File)> = None;
    let mut found = Vec::new();
    let mut compare = |stretch: Stretch<'_>| -> Result<(), DataError> {
        let path = directory.path_of(stretch.file);
        let file = match open.take() {
            Some((number, file)) if number == stretch.file => file,
            _ => directory.open_file(stretch.file).map_err(|error| DataError::Kept(error.to_string()))?,
        };
        found.resize(stretch.bytes.len(), 0);
        file.read_exact_at(&mut found, stretch.offset)
            .map_err(|error| DataError::io("read", &path, &error))?;
        if found != stretch.bytes {
            let within = found.iter().zip(stretch.bytes).take_while(|(found, right)| found == right).count();
            return Err(DataError::Differs { path, offset: stretch.offset + within as u64 });
        }
        open = Some((stretch.file, file));
        Ok(())
    };
    deliver(&source, progress, stop, &mut compare)?;
    Ok(())
}

/// `None` for what is no directory, hence no set.
fn look_at(in_dir: &Path, place: &Path, name: SetName) -> Option<Surveyed> {
    let path = place.join(name.folder());
    let unreadable = |name: SetName, error: &KeptError| Surveyed {
        name,
        path: path.clone(),
        manifest: None,
        state: State::Unreadable(error.to_string()),
        cached_bytes: Reading::unavailable("the set cannot be read"),
        foreign: Vec::new(),
    };
    let directory = match KeptDirectory::open(in_dir, &name, Lock::None) {
        Ok(directory) => directory,
        Err(KeptError::NotOurs { .. }) if !path.is_dir() || path.is_symlink() => return None,
        // Removed between the listing and now.
        Err(KeptError::Absent { .. }) => return None,
        Err(error) => return Some(unreadable(name, &error)),
    };
    // Asked before the manifest is read: a set that is finished in between is then told as being made.
    let busy = directory.is_busy();
    let manifest = match directory.manifest() {
        Ok(manifest) => manifest,
        Err(error) => return Some(unreadable(name, &error)),
    };
    let files = manifest.as_ref().map_or(0, |manifest| manifest.files);
    let (problems, cached_bytes) = look_at_files(&directory, manifest.as_ref());
    let state = match &manifest {
        Some(manifest) if manifest.complete && problems.is_empty() => State::Whole,
        Some(manifest) if manifest.complete => State::Damaged(problems),
        _ if busy => State::BeingMade,
        _ => State::Unfinished,
    };
    let mut foreign = list(directory.directory()).unwrap_or_default();
    foreign.retain(|name| {
        !is_file_name(name, files) && !matches!(name.as_str(), manifest::FILE | manifest::NEW_FILE)
    });
    foreign.sort_unstable();
    Some(Surveyed { name, path, manifest, state, cached_bytes, foreign })
}

/// What is wrong with the files, and how much of them is cached. Of a set that is not complete
/// as many files are looked at as there are.
fn look_at_files(directory: &KeptDirectory, manifest: Option<&Manifest>) -> (Vec<String>, Reading<u64>) {
    let Some(manifest) = manifest else { return (Vec::new(), Reading::Value(0)) };
    let mut problems = Vec::new();
    let mut wrong = 0_usize;
    let mut cached = Reading::Value(0);
    for number in 0..manifest.files {
        let problem = match directory.open_file(number) {
            Ok(file) => {
                cached = with_file(cached, &file);
                wrong_size(&file, directory, number, manifest.size_bytes)
            }
            Err(KeptError::Directory(crate::files::scratch::ScratchError::Refused {
                errno: Errno::NOENT,
                ..
            })) => {
                if !manifest.complete {
                    break;
                }
                Some(format!("{} is missing", manifest::file_name(number)))
            }
            Err(error) => Some(error.to_string()),
        };
        if let Some(problem) = problem {
            wrong += 1;
            if problems.len() < PROBLEMS_TOLD {
                problems.push(problem);
            }
        }
    }
    if wrong > problems.len() {
        problems.push(format!("and {} files more", wrong - problems.len()));
    }
    (problems, cached)
}

fn with_file(cached: Reading<u64>, file: &File) -> Reading<u64> {
    let Reading::Value(before) = cached else { return cached };
    residency(file).map(|found| {
        // Large folios reach past the end of a file: what is cached of it is not more than all.
        let pages = found.resident_pages.min(found.total_pages);
        let size = file.metadata().map_or(u64::MAX, |found| found.len());
        before + (pages * rustix::param::page_size() as u64).min(size)
    })
}

fn wrong_size(file: &File, directory: &KeptDirectory, number: u32, size_bytes: u64) -> Option<String> {
    match file.metadata() {
        Ok(found) if found.len() == size_bytes => None,
        Ok(found) => {
            Some(format!("{} has {} bytes of {size_bytes}", manifest::file_name(number), found.len()))
        }
        Err(error) => Some(DataError::io("fstat", &directory.path_of(number), &error).to_string()),
    }
}
