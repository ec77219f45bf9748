//! The places and data sets of a run: each place's facts, and for each data set
//! in a place a scratch directory of its own, gone as soon as no later
//! comparison needs it.

use crate::data::data_set::{DataError, FilesMade, Target, make, room};
use crate::data::file_bytes::FileBytes;
use crate::data::kept_set::{InUse, SetName, open_for_use};
use crate::data::own_files::{OwnFiles, is_device, is_harmless_device};
use crate::files::path_shape::{PathShape, View};
use crate::files::scratch::{Scratch, ScratchError, leftovers, take_reports};
use crate::processes::batch_ground::keeps_freed_inodes;
use fathom_collect::{CollectError, place_facts};
use fathom_model::{Alignment, DataSet, Operation, Place, PlaceFacts, Transfer, Variant};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Why a place cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}", in_words(.place, .problem))]
pub struct PlaceError {
    place: Place,
    // No `source`: who prints the chain would print it twice.
    problem: PlaceProblem,
}

impl PlaceError {
    /// What to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        self.problem.is_without_scratch().then_some("name another directory with --dir")
    }
}

fn in_words(place: &Place, problem: &PlaceProblem) -> String {
    match problem {
        PlaceProblem::Scratch(ScratchError::Refused { path, errno, .. }) if problem.is_without_scratch() => {
            format!("cannot create a scratch directory in {}: {errno}", path.display())
        }
        _ => format!("failed to use {place}: {problem}"),
    }
}

#[derive(Debug, thiserror::Error)]
enum PlaceProblem {
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    #[error(transparent)]
    Facts(#[from] CollectError),
    #[error(
        "opening a device can do things (a watchdog starts, a tape rewinds): only /dev/null, zero, full, random \
         and urandom are opened"
    )]
    Device,
}

impl PlaceProblem {
    fn is_without_scratch(&self) -> bool {
        matches!(self, Self::Scratch(ScratchError::Refused { call: "mkdir in", .. }))
    }
}

/// The facts of a device: those of the directory in which it stands.
fn device_facts(place: &Place, device: &Path) -> Result<PlaceFacts, PlaceProblem> {
    if !is_harmless_device(device) {
        return Err(PlaceProblem::Device);
    }
    let facts = place_facts(place, device.parent().unwrap_or(Path::new("/")))?;
    Ok(PlaceFacts { place: place.clone(), ..facts })
}

/// Where drivers write: each process in a directory of its own.
#[derive(Debug)]
pub(crate) struct WritingDirectory {
    scratch: Scratch,
    /// Whether what was made here stays to the end of the run, since removals would slow later creations.
    pub(crate) keeps: bool,
}

impl WritingDirectory {
    /// A new, empty directory; `user` may write in it when it is another than ours.
    pub(crate) fn fresh(&self, user: Option<u32>) -> Result<PathBuf, String> {
        let path = self.scratch.make_tree().map_err(|error| error.to_string())?;
        if let Some(user) = user {
            self.scratch.let_others_through().map_err(|error| error.to_string())?;
            std::os::unix::fs::chown(&path, Some(user), None).map_err(|error| format!("chown: {error}"))?;
        }
        Ok(path)
    }

    /// Removes what processes made that have ended, where that is harmless.
    pub(crate) fn clear(&self) -> Result<(), String> {
        if self.keeps { Ok(()) } else { self.scratch.remove_trees() }
    }
}

/// Everything on disk that a run made.
#[derive(Debug, Default)]
pub(crate) struct DataStore {
    places: Vec<PlaceFacts>,
    sets: Vec<Made>,
    /// The kept set that is used instead of making one.
    pub(crate) kept: Option<SetName>,
    /// The user's own files, that are read instead of making some.
    pub(crate) own: Option<OwnFiles>,
    /// What was found of earlier runs.
    reports: Vec<String>,
}

#[derive(Debug)]
struct Made {
    place: usize,
    data: DataSet,
    files: FilesMade,
    /// Ways to the files that are not the plain one.
    shapes: Vec<(PathShape, View)>,
    /// Dropping it removes the files.
    scratch: Option<Scratch>,
    /// Keeps a kept set from being removed.
    #[expect(dead_code, reason = "held, not read")]
    in_use: Option<InUse>,
}

impl DataStore {
    /// The index of a place; its facts are learnt the first time.
    pub(crate) fn place(&mut self, place: &Place) -> Result<usize, PlaceError> {
        if let Some(known) = self.places.iter().position(|facts| facts.place == *place) {
            return Ok(known);
        }
        let facts = self.learn(place).map_err(|problem| PlaceError { place: place.clone(), problem })?;
        self.places.push(facts);
        Ok(self.places.len() - 1)
    }

    fn learn(&mut self, place: &Place) -> Result<PlaceFacts, PlaceProblem> {
        let Place::Directory(directory) = place else { return Ok(place_facts(place, Path::new(""))?) };
        if is_device(directory) {
            return device_facts(place, directory);
        }
        if self.own.is_some() {
            // Nothing is made beside the user's files, and nothing removed.
            return Ok(place_facts(place, directory)?);
        }
        let removed = leftovers(directory)?;
        self.reports.extend(removed.iter().map(ToString::to_string));
        let scratch = Scratch::create(directory)?;
        Ok(place_facts(place, scratch.path())?)
    }

    /// The facts of every place, by index.
    pub(crate) fn places(&self) -> &[PlaceFacts] {
        &self.places
    }

    /// The facts of a place.
    pub(crate) fn facts(&self, place: usize) -> &PlaceFacts {
        &self.places[place]
    }

    /// Makes a data set in a place, unless it is there.
    pub(crate) fn make(
        &mut self,
        place: usize,
        data: &DataSet,
        seed: u64,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(), DataError> {
        if self.find(place, data).is_some() {
            return Ok(());
        }
        if let Some(device) = self.device(place) {
            // Not a byte of it is read: see `refuse_for_own`.
            let files = FilesMade { paths: vec![device.to_owned()], seeds: vec![0], memory: Vec::new() };
            let made =
                Made { place, data: data.clone(), files, shapes: Vec::new(), scratch: None, in_use: None };
            self.sets.push(made);
            return Ok(());
        }
        if let Some(own) = &self.own {
            let paths = own.files().iter().map(|file| file.path.clone()).collect();
            let files = FilesMade { paths, seeds: Vec::new(), memory: Vec::new() };
            let made =
                Made { place, data: data.clone(), files, shapes: Vec::new(), scratch: None, in_use: None };
            self.sets.push(made);
            return Ok(());
        }
        if let Some(name) = &self.kept {
            let (files, in_use) = open_for_use(&self.places[place].place, name, data)?;
            let made = Made { place, data: data.clone(), files, shapes: Vec::new(), scratch: None, in_use };
            self.sets.push(made);
            return Ok(());
        }
        let scratch = match &self.places[place].place {
            Place::Directory(directory) => Some(Scratch::create(directory)?),
            Place::Memfd => None,
        };
        let target = scratch.as_ref().map_or(Target::Memory, Target::Scratch);
        let files = make(target, data, seed, progress, stop)?;
        self.sets.push(Made { place, data: data.clone(), files, shapes: Vec::new(), scratch, in_use: None });
        Ok(())
    }

    /// Makes the way to a data set that was made, unless it is there.
    pub(crate) fn shape(&mut self, place: usize, data: &DataSet, shape: &PathShape) -> Result<(), String> {
        let made = self.sets.iter_mut().find(|made| made.place == place && made.data == *data);
        let Some(made) = made.filter(|made| made.shapes.iter().all(|(known, _)| known != shape)) else {
            return Ok(());
        };
        if shape.is_plain() {
            return Ok(());
        }
        let scratch = made
            .scratch
            .as_ref()
            .ok_or("files of a kept set, of your own, or in memory, can only be reached where they lie")?;
        let view = shape.make(scratch, &made.files.paths).map_err(|error| error.to_string())?;
        made.shapes.push((shape.clone(), view));
        Ok(())
    }

    /// Writes the paths into a file, where a driver cannot be given them as words.
    pub(crate) fn list(&mut self, place: usize, data: &DataSet, shape: &PathShape) -> Result<(), String> {
        let view = self.view(place, data, shape);
        if view.list.is_some() || room::fit_on_command_line(&view.paths) {
            return Ok(());
        }
        let made = self.sets.iter_mut().find(|made| made.place == place && made.data == *data);
        let Some(made) = made else { return Ok(()) };
        let scratch = made.scratch.as_ref().ok_or(
            "they are more files than a driver can be given, and no list of them is made beside files of your own, \
             a kept set or files in memory",
        )?;
        let list = scratch.make_tree().map_err(|error| error.to_string())?.join("paths");
        let text: Vec<u8> = view
            .paths
            .iter()
            .flat_map(|path| path.as_os_str().as_bytes().iter().copied().chain([0]))
            .collect();
        std::fs::write(&list, text).map_err(|error| format!("write {}: {error}", list.display()))?;
        made.shapes.retain(|(known, _)| known != shape);
        made.shapes.push((shape.clone(), View { list: Some(list), ..view }));
        Ok(())
    }

    /// What a driver is given to reach a data set that was made.
    pub(crate) fn view(&self, place: usize, data: &DataSet, shape: &PathShape) -> View {
        let Some(made) = self.find(place, data) else { return View::default() };
        let shaped = made.shapes.iter().find(|(known, _)| known == shape);
        let plain = || View { paths: made.files.paths.clone(), ..View::default() };
        shaped.map_or_else(plain, |(_, view)| view.clone())
    }

    /// A directory for what drivers write in a place, gone with what is returned.
    pub(crate) fn writing_directory(&self, place: usize) -> Result<WritingDirectory, String> {
        match &self.places[place].place {
            Place::Directory(directory) => {
                let scratch = Scratch::create(directory).map_err(|error| error.to_string())?;
                Ok(WritingDirectory { scratch, keeps: keeps_freed_inodes(self.facts(place)) })
            }
            Place::Memfd => Err("a memory file has no directory to write in".to_owned()),
        }
    }

    /// Removes every data set that is not among `wanted`.
    pub(crate) fn keep_only(&mut self, wanted: &[(usize, &DataSet)]) {
        self.sets.retain(|made| wanted.contains(&(made.place, &made.data)));
    }

    /// The paths of a data set that was made.
    pub(crate) fn paths(&self, place: usize, data: &DataSet) -> Vec<PathBuf> {
        self.find(place, data).map(|made| made.files.paths.clone()).unwrap_or_default()
    }

    /// The bytes of a data set that was made, or of the user's files.
    pub(crate) fn bytes(&self, place: usize, data: &DataSet) -> Vec<FileBytes> {
        let Some(made) = self.find(place, data) else { return Vec::new() };
        if let Some(own) = self.own.as_ref().filter(|_| self.device(place).is_none()) {
            return own.files().iter().map(|file| FileBytes::Own(file.clone())).collect();
        }
        let (content, length) = (data.content, data.size_bytes);
        made.files.seeds.iter().map(|&seed| FileBytes::Made { content, seed, length }).collect()
    }

    /// The device that a place is, when it is one.
    pub(crate) fn device(&self, place: usize) -> Option<&Path> {
        match &self.places[place].place {
            Place::Directory(path) if is_device(path) => Some(path),
            _ => None,
        }
    }

    /// What became of the user's files, when one is no longer what it was.
    pub(crate) fn own_change(&self) -> Option<String> {
        self.own.as_ref().and_then(OwnFiles::changed)
    }

    /// Why a variant must not touch the user's files, or a device.
    pub(crate) fn refuse_for_own(&self, variant: &Variant) -> Result<(), String> {
        let operation = variant.operation;
        if self.device(variant.place).is_some() {
            return if operation.takes_device() || operation == Operation::Null {
                Ok(())
            } else {
                Err(format!("a device is opened and closed here, not used for {operation}"))
            };
        }
        let Some(own) = &self.own else { return Ok(()) };
        if !operation.reads_own_files() && operation != Operation::Null {
            return Err(format!("{operation} is not done to files of your own: they are only read"));
        }
        let block = variant.parameters.block_bytes;
        if operation.facts().transfers == Transfer::FirstBlock
            && own.differ_in_size()
            && let Some(file) = own.smallest().filter(|file| file.size_bytes < block)
        {
            return Err(format!(
                "{} holds no block of {block} bytes, and others do: they would not be read alike",
                file.path.display()
            ));
        }
        // Unaligned sequential blocks begin one byte into the file.
        match own.smallest().filter(|file| operation.takes_offsets() && file.size_bytes <= block) {
            Some(file) if file.size_bytes < block || variant.parameters.alignment == Alignment::Unaligned => {
                Err(format!("{} holds no block of {block} bytes", file.path.display()))
            }
            _ => Ok(()),
        }
    }

    /// Something to be said when the run ends.
    pub(crate) fn note(&mut self, text: String) {
        self.reports.push(text);
    }

    /// Removes everything. Says what earlier runs had left, and what could not be removed.
    pub(crate) fn close(mut self) -> Vec<String> {
        self.sets.clear();
        self.reports.extend(take_reports().iter().map(ToString::to_string));
        self.reports
    }

    fn find(&self, place: usize, data: &DataSet) -> Option<&Made> {
        self.sets.iter().find(|made| made.place == place && made.data == *data)
    }
}
