//! `open-close`: open an existing file for reading and close it.

use super::arguments::Plan;
use super::failure::{Failure, Refusal};
use super::ffi::{O_CLOEXEC, O_DIRECT, O_DIRECTORY, O_NOATIME, O_PATH, O_RDONLY};
use super::methods::{FailureAt, Method, not_here, per_path};
use super::offsets::Step;
use super::posix::{self, Fd};
use super::sink::Sink;
use super::stdio::Stream;
use super::support;
use std::collections::HashMap;
use std::ffi::{CStr, CString, OsStr, c_int};
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The method of that name.
pub(crate) fn method<'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    Ok(match name {
        "open" => with_flags(plan, O_RDONLY),
        "open+O_PATH" => with_flags(plan, O_PATH),
        "open+O_CLOEXEC" => with_flags(plan, O_RDONLY | O_CLOEXEC),
        "open+O_DIRECT" => {
            support::check_open(plan, O_DIRECT, "O_DIRECT")?;
            with_flags(plan, O_RDONLY | O_DIRECT)
        }
        "open+O_NOATIME" => {
            support::check_open(plan, O_NOATIME, "O_NOATIME")?;
            with_flags(plan, O_RDONLY | O_NOATIME)
        }
        "openat" => per_path(plan, |path, _| posix::openat(None, path, O_RDONLY).map(drop)),
        "openat+dirfd" => Box::new(BesideDirectory::new(plan)?),
        "openat2" => per_path(plan, |path, _| posix::openat2(path, O_RDONLY).map(drop)),
        "fopen" => per_path(plan, |path, _| Stream::open(path).map(drop)),
        "File::open" => per_path(plan, |path, _| open_file(path).map(drop)),
        "syscall-open" => per_path(plan, |path, _| posix::open_close_by_syscall_function(path)),
        "syscall-openat" => per_path(plan, |path, _| posix::open_close_by_instruction(path)),
        _ => return Err(not_here(name)),
    })
}

/// `File::open`, with the failure in the driver's words.
#[inline]
pub(crate) fn open_file(path: &CStr) -> Result<File, Failure> {
    File::open(as_path(path)).map_err(|error| Failure::of("File::open", &error))
}

/// The same path for std.
#[inline]
pub(crate) fn as_path(path: &CStr) -> &Path {
    Path::new(OsStr::from_bytes(path.to_bytes()))
}

fn with_flags(plan: &Plan, flags: c_int) -> Box<dyn Method + '_> {
    per_path(plan, move |path, _| posix::open(path, flags).map(drop))
}

/// `openat` with the descriptor of the parent directory, opened beforehand.
struct BesideDirectory {
    /// The distinct parents.
    parents: Vec<CString>,
    /// For each path its parent's index and its name there.
    names: Vec<(usize, CString)>,
    /// The parents' descriptors, when held.
    held: Vec<Fd>,
}

impl BesideDirectory {
    fn new(plan: &Plan) -> Result<Self, Refusal> {
        let (mut parents, mut index_of, mut names) = (Vec::new(), HashMap::new(), Vec::new());
        for path in &plan.paths {
            let Some((parent, name)) = split(path) else {
                return Err(Refusal::Usage(format!(
                    "a path without a file name: {}",
                    path.to_string_lossy()
                )));
            };
            let parent = *index_of.entry(parent.clone()).or_insert_with(|| {
                parents.push(parent);
                parents.len() - 1
            });
            names.push((parent, name));
        }
        Ok(Self { parents, names, held: Vec::new() })
    }
}

impl Method for BesideDirectory {
    fn take_up(&mut self) -> Result<(), FailureAt> {
        while let Some(parent) = self.parents.get(self.held.len()) {
            let opened = posix::open(parent, O_RDONLY | O_DIRECTORY);
            let first_path =
                || self.names.iter().position(|(index, _)| *index == self.held.len()).unwrap_or(0);
            self.held.push(opened.map_err(|failure| FailureAt { failure, path: first_path() })?);
        }
        Ok(())
    }

    fn release(&mut self) {
        self.held.clear();
    }

    fn perform(&mut self, step: Step, _: &mut Sink) -> Result<(), Failure> {
        let (parent, name) = &self.names[step.path];
        posix::openat(Some(&self.held[*parent]), name, O_RDONLY).map(drop)
    }
}

fn split(path: &CStr) -> Option<(CString, CString)> {
    let path = as_path(path);
    let parent = path.parent()?.as_os_str().as_bytes();
    let parent = if parent.is_empty() { b"." } else { parent };
    Some((CString::new(parent).ok()?, CString::new(path.file_name()?.as_bytes()).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_splits_into_directory_and_name() {
        let split =
            |path: &CStr| split(path).map(|(a, b)| (a.into_string().unwrap(), b.into_string().unwrap()));
        assert_eq!(split(c"/a/b/c"), Some(("/a/b".into(), "c".into())));
        assert_eq!(split(c"c"), Some((".".into(), "c".into())));
        assert_eq!(split(c"/c"), Some(("/".into(), "c".into())));
        assert_eq!((split(c"/"), split(c"a/..")), (None, None));
    }
}
