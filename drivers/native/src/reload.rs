//! `reload`: make sure that what is held of the file is current, and read it
//! again where it is not.

use super::arguments::Plan;
use super::buffer::Buffer;
use super::facts::{self, Facts};
use super::failure::{Failure, Refusal};
use super::ffi::O_RDONLY;
use super::methods::{FailureAt, Method, not_here};
use super::offsets::Step;
use super::open_close::as_path;
use super::posix;
use super::sink::Sink;
use super::watch::Watch;
use std::ffi::CStr;

/// The method of that name.
pub(crate) fn method<'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    Ok(match name {
        "stat" => by_facts(plan, facts::stat),
        "statx" => by_facts(plan, facts::statx),
        "std::fs::metadata" => by_facts(plan, facts::metadata),
        "inotify" => Box::new(ByWatch { plan, watch: None, held: Vec::new() }),
        "read" => {
            let buffer = Buffer::new(plan.block, plan.fresh_buffer);
            Box::new(ByReading { plan, buffer, held: Vec::new() })
        }
        _ => return Err(not_here(name)),
    })
}

fn by_facts<'a>(plan: &'a Plan, look: impl Fn(&CStr) -> Result<Facts, Failure> + 'a) -> Box<dyn Method + 'a> {
    Box::new(ByFacts { plan, look, held: Vec::new() })
}

/// Asks each time for the facts by which a changed file can be told.
struct ByFacts<'a, L> {
    plan: &'a Plan,
    look: L,
    held: Vec<(Facts, Vec<u8>)>,
}

impl<L: Fn(&CStr) -> Result<Facts, Failure>> ByFacts<'_, L> {
    /// Looks before it reads: a change in between shows at the next look.
    fn load(&self, path: usize) -> Result<(Facts, Vec<u8>), Failure> {
        let path = &self.plan.paths[path];
        Ok(((self.look)(path)?, read(path)?))
    }
}

impl<L: Fn(&CStr) -> Result<Facts, Failure>> Method for ByFacts<'_, L> {
    fn take_up(&mut self) -> Result<(), FailureAt> {
        while self.held.len() < self.plan.paths.len() {
            let path = self.held.len();
            self.held.push(self.load(path).map_err(|failure| FailureAt { failure, path })?);
        }
        Ok(())
    }

    fn release(&mut self) {
        self.held.clear();
    }

    fn perform(&mut self, step: Step, sink: &mut Sink) -> Result<(), Failure> {
        let now = (self.look)(&self.plan.paths[step.path])?;
        if now != self.held[step.path].0 {
            self.held[step.path] = self.load(step.path)?;
        }
        sink.take(&self.held[step.path].1);
        Ok(())
    }
}

/// Has the kernel tell of changes.
struct ByWatch<'a> {
    plan: &'a Plan,
    watch: Option<Watch>,
    held: Vec<Vec<u8>>,
}

impl ByWatch<'_> {
    /// Watches before it reads: a change in between is told.
    fn begin(&mut self) -> Result<(), FailureAt> {
        let watch = Watch::start().map_err(|failure| FailureAt { failure, path: 0 })?;
        self.held.clear();
        for (index, path) in self.plan.paths.iter().enumerate() {
            let data = watch.add(path).and_then(|()| read(path));
            self.held.push(data.map_err(|failure| FailureAt { failure, path: index })?);
        }
        self.watch = Some(watch);
        Ok(())
    }
}

impl Method for ByWatch<'_> {
    fn take_up(&mut self) -> Result<(), FailureAt> {
        if self.watch.is_some() { Ok(()) } else { self.begin() }
    }

    fn release(&mut self) {
        self.watch = None;
    }

    /// After any change all begins anew: a file that was replaced needs another watch.
    fn perform(&mut self, step: Step, sink: &mut Sink) -> Result<(), Failure> {
        let changed = self.watch.as_ref().map_or(Ok(true), Watch::has_news)?;
        if changed {
            self.watch = None;
            self.begin().map_err(|at| at.failure)?;
        }
        sink.take(&self.held[step.path]);
        Ok(())
    }
}

/// Reads the file each time and compares.
struct ByReading<'a> {
    plan: &'a Plan,
    buffer: Buffer,
    held: Vec<Vec<u8>>,
}

impl ByReading<'_> {
    fn is_current(&mut self, path: usize) -> Result<bool, Failure> {
        let mut own = None;
        let fd = posix::open(&self.plan.paths[path], O_RDONLY)?;
        let buffer = self.buffer.lend(&mut own);
        let mut rest = self.held[path].as_slice();
        loop {
            let piece = fd.read(buffer)?;
            if piece.is_empty() {
                return Ok(rest.is_empty());
            }
            match rest.strip_prefix(piece) {
                Some(after) => rest = after,
                None => return Ok(false),
            }
        }
    }
}

impl Method for ByReading<'_> {
    fn take_up(&mut self) -> Result<(), FailureAt> {
        while let Some(path) = self.plan.paths.get(self.held.len()) {
            let data = read(path);
            self.held.push(data.map_err(|failure| FailureAt { failure, path: self.held.len() })?);
        }
        Ok(())
    }

    fn release(&mut self) {
        self.held.clear();
    }

    fn perform(&mut self, step: Step, sink: &mut Sink) -> Result<(), Failure> {
        if !self.is_current(step.path)? {
            self.held[step.path] = read(&self.plan.paths[step.path])?;
        }
        sink.take(&self.held[step.path]);
        Ok(())
    }
}

fn read(path: &CStr) -> Result<Vec<u8>, Failure> {
    std::fs::read(as_path(path)).map_err(|error| Failure::of("std::fs::read", &error))
}

#[cfg(test)]
mod tests {
    use super::super::arguments::{Command, parse_command};
    use super::*;
    use std::fs;
    use std::path::Path;

    fn plan(path: &Path) -> Plan {
        let arguments =
            ["run", "--operation", "reload", "--method", "stat", "--size", "5", "--block", "3", "--path"];
        let arguments = arguments.map(Into::into).into_iter().chain([path.into()]);
        match parse_command(arguments) {
            Ok(Command::Run(plan)) => plan,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_method_sees_a_change_and_a_replacement() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("data");
        for name in ["stat", "statx", "std::fs::metadata", "inotify", "read"] {
            fs::write(&path, "first").unwrap();
            let plan = plan(&path);
            let mut method = method(name, &plan).unwrap();
            method.take_up().unwrap();
            let mut expect = |text: &str| {
                let (mut sink, mut right) = (Sink::verifying(), Sink::verifying());
                method.perform(Step { path: 0, offset: 0 }, &mut sink).unwrap();
                right.take(text.as_bytes());
                assert_eq!((sink.bytes, sink.crc32()), (right.bytes, right.crc32()), "{name}: {text}");
            };
            expect("first");
            fs::write(&path, "a second, longer").unwrap();
            expect("a second, longer");
            expect("a second, longer");
            for text in ["another file", "and one more"] {
                let other = directory.path().join("other");
                fs::write(&other, text).unwrap();
                fs::rename(&other, &path).unwrap();
                expect(text);
            }
            fs::write(&path, "").unwrap();
            expect("");
        }
    }
}
