//! What stands ready for variants: data sets and the ways to them, directories
//! to write in, and the right answers.

use crate::data::data_set::DataError;
use crate::data::file_bytes::FileBytes;
use crate::drivers::driver_source::MPI;
use crate::files::path_shape::PathShape;
use crate::processes::expected::Expected;
use crate::processes::launch::Launch;
use crate::processes::protocol::RunArguments;
use crate::setup::data_store::{DataStore, WritingDirectory};
use fathom_model::{CacheState, Operation, Parameters, Variant, WorksOn};
use std::cell::RefCell;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// What the right answers depend on: operation, parameters, bytes of the files.
type ExpectedKey = (Operation, Parameters, Vec<FileBytes>);

/// Everything that is made before drivers start.
#[derive(Debug)]
pub(crate) struct Preparation {
    pub(crate) store: DataStore,
    seed: u64,
    /// What is right, which takes a second per GiB to compute.
    expected: RefCell<Vec<(ExpectedKey, Expected)>>,
    /// Where the drivers of this comparison write, by place.
    writing: Vec<(usize, WritingDirectory)>,
    /// Where those of earlier comparisons wrote, held until the end.
    written: Vec<(usize, WritingDirectory)>,
}

/// True where files have to leave the page cache before they are read.
fn is_cold_read(variant: &Variant) -> bool {
    variant.cache == CacheState::Cold && variant.operation.takes_files()
}

/// Why a variant cannot be prepared.
#[derive(Debug)]
pub(crate) enum Unprepared {
    /// The user interrupted it.
    Interrupted,
    /// The reason.
    Refused(String),
}

impl Preparation {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            store: DataStore::default(),
            seed,
            expected: RefCell::new(Vec::new()),
            writing: Vec::new(),
            written: Vec::new(),
        }
    }

    /// Makes what a variant needs, unless it is there.
    pub(crate) fn prepare(
        &mut self,
        variant: &Variant,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(), Unprepared> {
        let data = &variant.parameters.data;
        self.store.refuse_for_own(variant).map_err(Unprepared::Refused)?;
        if variant.operation.takes_files() {
            if self.store.kept.is_some() && variant.operation.facts().works_on == WorksOn::EmptiedFiles {
                let reason =
                    "some methods empty the files that they open for writing: not those of a kept set";
                return Err(Unprepared::Refused(reason.to_owned()));
            }
            match self.store.make(variant.place, data, self.seed, stop, progress) {
                Ok(()) => {}
                Err(DataError::Interrupted) => return Err(Unprepared::Interrupted),
                Err(error) => return Err(Unprepared::Refused(error.to_string())),
            }
            self.learn_expected(variant.operation, variant.place, &variant.parameters).map_err(|error| {
                Unprepared::Refused(self.store.own_change().unwrap_or(format!("read: {error}")))
            })?;
            let launch = Launch::of(&variant.parameters.settings).map_err(Unprepared::Refused)?;
            let shape = PathShape::of(variant.operation, &variant.parameters, launch.user());
            self.store.shape(variant.place, data, &shape).map_err(Unprepared::Refused)?;
            self.store.list(variant.place, data, &shape).map_err(Unprepared::Refused)?;
        }
        if variant.operation.makes_files(&variant.parameters.settings)
            && self.writing(variant.place).is_none()
        {
            let directory = self.store.writing_directory(variant.place).map_err(Unprepared::Refused)?;
            self.writing.push((variant.place, directory));
        }
        Ok(())
    }

    /// The arguments of a process of this variant's method alone. Where it
    /// writes, each process needs a directory of its own: see `with_directory`.
    pub(crate) fn arguments(&self, variant: &Variant, marks: bool) -> Result<RunArguments, String> {
        let launch = Launch::of(&variant.parameters.settings)?;
        let shape = PathShape::of(variant.operation, &variant.parameters, launch.user());
        let view = self.store.view(variant.place, &variant.parameters.data, &shape);
        let paths = if variant.operation.takes_files() {
            view.paths
        } else {
            // No file is read; a driver is given a path all the same.
            vec![PathBuf::from("/dev/null")]
        };
        Ok(RunArguments {
            operation: variant.operation,
            methods: vec![variant.method.name.clone()],
            paths,
            path_list: view.list,
            size_bytes: match (&self.store.own, self.store.device(variant.place)) {
                (Some(own), None) => own.smallest().map_or(0, |file| file.size_bytes),
                _ => variant.parameters.data.size_bytes,
            },
            parameters: variant.parameters.clone(),
            seed: self.seed,
            marks,
            directory: None,
            latencies: None,
            evicts: is_cold_read(variant) && variant.method.driver == MPI.name,
            launch: launch.in_directory(view.directory),
        })
    }

    /// The same with a new directory to write in, where the operation writes.
    pub(crate) fn with_directory(
        &self,
        arguments: RunArguments,
        place: usize,
    ) -> Result<RunArguments, String> {
        let directory = match self.writing(place) {
            Some(writing) if arguments.operation.makes_files(&arguments.parameters.settings) => {
                // No process works here now.
                writing.clear()?;
                Some(writing.fresh(arguments.launch.user())?)
            }
            _ => None,
        };
        Ok(RunArguments { directory, ..arguments })
    }

    /// Where drivers write in a place, when something does.
    pub(crate) fn writing(&self, place: usize) -> Option<&WritingDirectory> {
        self.writing.iter().find(|(known, _)| *known == place).map(|(_, directory)| directory)
    }

    /// After a comparison: what its drivers wrote goes; only where
    /// creations pay for removals small files stay to the end of the run. (Some file systems do not reuse an inode for minutes
    /// after its removal, and search past it: the next creations would pay.)
    pub(crate) fn end_comparison(&mut self, operation: Operation) {
        if operation.facts().works_on == WorksOn::OwnFiles
            && self.writing.iter().any(|(_, writing)| writing.keeps)
        {
            self.written.append(&mut self.writing);
        } else {
            self.writing.clear();
        }
    }

    /// Removes everything. Says what could not be removed.
    pub(crate) fn close(mut self) -> Vec<String> {
        self.writing.clear();
        self.written.clear();
        self.store.close()
    }

    /// Computes what is right, unless it is known: of files of the user's by reading them.
    fn learn_expected(
        &self,
        operation: Operation,
        place: usize,
        parameters: &Parameters,
    ) -> io::Result<Expected> {
        let files = self.store.bytes(place, &parameters.data);
        let key = (operation, parameters.clone(), files.clone());
        let mut known = self.expected.borrow_mut();
        if let Some((_, expected)) = known.iter().find(|(known, _)| *known == key) {
            return Ok(expected.clone());
        }
        let expected = Expected::new(operation, parameters, files, self.seed)?;
        known.push((key, expected.clone()));
        Ok(expected)
    }

    /// What is right for a variant that was prepared.
    pub(crate) fn expected(&self, operation: Operation, place: usize, parameters: &Parameters) -> Expected {
        self.learn_expected(operation, place, parameters)
            .expect("what is made is computed, and what is read was read when the variant was prepared")
    }
}
