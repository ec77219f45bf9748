//! `create`: make files, write into them, close them.

use super::arguments::Plan;
use super::batch::Sums;
use super::clock;
use super::failure::{Failure, Refusal};
use super::ffi::{O_DIRECTORY, O_RDONLY};
use super::makers;
use super::methods::{FailureAt, Method, not_here};
use super::offsets::Step;
use super::posix::{self, Fd};
use super::posix_write::raise_descriptor_limit;
use super::sink::Sink;
use super::stage::{Stage, beside_paths};
use super::writing::{Close, Existing, Sync, pattern};
use std::ffi::CString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

const EMFILE: i32 = 24;

/// Bytes in each file that stands there with data.
const EXISTING_BYTES: usize = 4096;

/// Descriptors for everything but the files made.
const OTHER_DESCRIPTORS: u64 = 32;

/// The method of that name.
pub(crate) fn method<'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    Ok(match name {
        "null" => Box::new(Create::new(plan, makers::Nothing)),
        "open+O_CREAT" => Box::new(Create::new(plan, makers::ByOpen)),
        "openat+dirfd" => Box::new(Create::new(plan, makers::ByOpenat)),
        "File::create" => Box::new(Create::new(plan, makers::ByStd)),
        "fopen-w" => Box::new(Create::new(plan, makers::ByStream)),
        _ => return Err(not_here(name)),
    })
}

/// The calls with which a method makes, writes, syncs and closes one file.
pub(crate) trait Maker {
    type File;
    /// False when no file is made.
    const MAKES: bool = true;
    /// True when files are named relative to their directory's descriptor.
    const RELATIVE: bool = false;
    /// True when it gives files of `--size` another length: they are there, whatever
    /// `--existing` says, and `write` says by its data how long they become.
    const RESIZES: bool = false;

    fn open(&self, place: &Place, index: usize) -> Result<Self::File, Failure>;
    fn write(&self, file: &mut Self::File, data: &[u8]) -> Result<(), Failure>;
    fn sync(&self, file: &mut Self::File) -> Result<(), Failure>;
    fn close(&self, file: Self::File) -> Result<(), Failure>;
}

/// Where the files of a batch are made; nowhere at all for `null`.
#[derive(Debug, Default)]
pub(crate) struct Place {
    directory: PathBuf,
    /// The directory, opened.
    pub(crate) descriptor: Option<Fd>,
    /// What each file is opened as.
    pub(crate) names: Vec<CString>,
}

pub(crate) struct Create<'a, M: Maker> {
    plan: &'a Plan,
    maker: M,
    data: Vec<u8>,
    place: Place,
    /// The next file.
    next: usize,
    /// Files that are open; there is room for a whole batch.
    open: Vec<M::File>,
    descriptors_max: u64,
    failed: Option<PathBuf>,
}

impl<'a, M: Maker> Create<'a, M> {
    pub(crate) fn new(plan: &'a Plan, maker: M) -> Self {
        let data = pattern(plan.writing.write);
        let (place, open, descriptors_max) = (Place::default(), Vec::new(), raise_descriptor_limit());
        Self { plan, maker, data, place, next: 0, open, descriptors_max, failed: None }
    }

    /// A new directory, and in it what stands where the files are made.
    fn make_place(&mut self, files: usize, stage: &mut Stage) -> Result<(), Failure> {
        self.failed.clone_from(&self.plan.writing.directory);
        let (existing, size) = match self.plan.writing.existing {
            _ if M::RESIZES => (Existing::Data, self.plan.size),
            existing => (existing, EXISTING_BYTES),
        };
        let prepared = Stage::prepared_directory(self.plan, existing);
        let existing = match existing {
            _ if prepared.is_some() => None,
            Existing::Fresh => None,
            Existing::Empty => Some(Vec::new()),
            Existing::Data => Some(pattern(size)),
        };
        let directory = match prepared {
            Some(prepared) => prepared,
            None => stage.make_directory(self.plan)?,
        };
        let mut names = Vec::with_capacity(files);
        for index in 0..files {
            let path = directory.join(format!("f{index}"));
            if let Some(data) = &existing {
                fs::write(&path, data).map_err(|error| Failure::of("write", &error))?;
            }
            let name = if M::RELATIVE { path.file_name() } else { Some(path.as_os_str()) };
            let name = name.expect("f and a number are a name").as_bytes();
            names.push(CString::new(name).expect("an argument has no null byte"));
        }
        let path = CString::new(directory.as_os_str().as_bytes()).expect("an argument has no null byte");
        let descriptor = posix::open(&path, O_RDONLY | O_DIRECTORY)?;
        if existing.is_some_and(|data| !data.is_empty()) {
            // Once for all of them, which is quicker than one after the other.
            descriptor.sync_file_system()?;
        }
        self.failed = None;
        self.place = Place { directory, descriptor: Some(descriptor), names };
        Ok(())
    }

    fn open_next(&mut self) -> Result<M::File, Failure> {
        let index = self.next;
        self.next += 1;
        self.maker.open(&self.place, index)
    }

    /// What is due between opening and closing, but for writing.
    fn sync(&self, file: &mut M::File) -> Result<(), Failure> {
        if self.plan.writing.sync == Sync::Fsync { self.maker.sync(file) } else { Ok(()) }
    }

    fn make_one(&mut self) -> Result<(), Failure> {
        let mut file = self.open_next()?;
        if M::RESIZES || !self.data.is_empty() {
            self.maker.write(&mut file, &self.data)?;
        }
        self.sync(&mut file)?;
        self.maker.close(file)
    }

    /// One phase over all files. Each one's time is added to what it had before.
    fn phase(
        &mut self,
        files: usize,
        latencies_ns: &mut Option<&mut [u64]>,
        mut step: impl FnMut(&mut Self, usize) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut last = if latencies_ns.is_some() { clock::monotonic_ns() } else { 0 };
        for index in 0..files {
            if let Err(failure) = step(self, index) {
                self.failed = Some(self.path(index));
                return Err(failure);
            }
            if let Some(latencies_ns) = latencies_ns {
                let now = clock::monotonic_ns();
                latencies_ns[index] += now - last;
                last = now;
            }
        }
        Ok(())
    }

    fn phases(&mut self, files: usize, mut latencies_ns: Option<&mut [u64]>) -> Result<(), Failure> {
        self.phase(files, &mut latencies_ns, |this, _| {
            let mut file = this.open_next()?;
            let written = if this.data.is_empty() { Ok(()) } else { this.maker.write(&mut file, &this.data) };
            this.open.push(file);
            written
        })?;
        if self.plan.writing.sync == Sync::Fsync {
            self.phase(files, &mut latencies_ns, |this, index| this.maker.sync(&mut this.open[index]))?;
        }
        if self.plan.writing.close == Close::All {
            let mut open = std::mem::take(&mut self.open);
            let mut files_left = open.drain(..);
            self.phase(files, &mut latencies_ns, |this, _| {
                files_left.next().map_or(Ok(()), |file| this.maker.close(file))
            })?;
        }
        Ok(())
    }

    fn path(&self, index: usize) -> PathBuf {
        self.place.directory.join(format!("f{index}"))
    }
}

impl<M: Maker> Method for Create<'_, M> {
    fn prepare(&mut self, steps: &[Step], _: u64, stage: &mut Stage) -> Result<(), FailureAt> {
        self.next = 0;
        self.failed = None;
        self.open.reserve(steps.len());
        if !M::MAKES {
            stage.skip_directory();
            return Ok(());
        }
        let held = self.plan.writing.close != Close::Each;
        if held && steps.len() as u64 > self.descriptors_max.saturating_sub(OTHER_DESCRIPTORS) {
            let (files, most) = (steps.len(), self.descriptors_max);
            stage.refusal = Some(format!("{files} files cannot be open at once: the limit is {most}"));
            return Err(beside_paths(Failure { call: "open", errno: EMFILE }));
        }
        self.make_place(steps.len(), stage).map_err(beside_paths)
    }

    fn perform(&mut self, _: Step, sink: &mut Sink) -> Result<(), Failure> {
        if let Err(failure) = self.make_one() {
            self.failed = Some(self.path(self.next - 1));
            return Err(failure);
        }
        if !M::RESIZES {
            sink.bytes += self.data.len() as u64;
        }
        Ok(())
    }

    fn perform_together(
        &mut self,
        steps: &[Step],
        latencies_ns: Option<&mut [u64]>,
    ) -> Option<Result<Sums, FailureAt>> {
        if self.plan.writing.close == Close::Each {
            return None;
        }
        let bytes = steps.len() as u64 * self.data.len() as u64;
        let made = self.phases(steps.len(), latencies_ns);
        Some(made.map(|()| Sums { bytes, ..Sums::default() }).map_err(beside_paths))
    }

    fn complete(&mut self) -> Result<(), Failure> {
        match &self.place.descriptor {
            Some(directory) if self.plan.writing.sync == Sync::Syncfs => directory.sync_file_system(),
            _ => Ok(()),
        }
    }

    fn finish(&mut self, _: &mut Stage) {
        for file in self.open.drain(..) {
            // The clock has stopped, and what was to be measured has succeeded.
            let _ = self.maker.close(file);
        }
        self.place = Place { directory: std::mem::take(&mut self.place.directory), ..Place::default() };
    }

    fn verify(&mut self, step: Step, sink: &mut Sink) -> Result<(), Failure> {
        if M::MAKES {
            self.perform(step, &mut Sink::counting())?;
            sink.take(&fs::read(self.path(0)).map_err(|error| Failure::of("read", &error))?);
        } else {
            sink.take(&self.data);
        }
        if M::RESIZES {
            // What is left is checked, and nothing was delivered.
            (sink.bytes, sink.digest) = (0, 0);
        }
        Ok(())
    }

    fn failed_path(&self) -> Option<&Path> {
        self.failed.as_deref()
    }
}
