//! `openat` relative to the descriptor of the parent directory, which is
//! opened beforehand.

use super::arguments::Plan;
use super::failure::{Failure, Refusal};
use super::ffi::{O_DIRECTORY, O_RDONLY};
use super::methods::{FailureAt, Method};
use super::offsets::Step;
use super::open_close::as_path;
use super::posix::{self, Fd};
use super::sink::Sink;
use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::os::unix::ffi::OsStrExt;

/// A method that opens every name beside its directory, and judges by `judge`
/// what came of it.
pub(crate) fn beside_directory<'a>(
    plan: &Plan,
    judge: impl Fn(Result<Fd, Failure>) -> Result<(), Failure> + 'a,
) -> Result<Box<dyn Method + 'a>, Refusal> {
    let (mut parents, mut index_of, mut names) = (Vec::new(), HashMap::new(), Vec::new());
    for path in &plan.paths {
        let Some((parent, name)) = split(path) else {
            let path = path.to_string_lossy();
            return Err(Refusal::Usage(format!("a path without a file name: {path}")));
        };
        let parent = *index_of.entry(parent.clone()).or_insert_with(|| {
            parents.push(parent);
            parents.len() - 1
        });
        names.push((parent, name));
    }
    Ok(Box::new(BesideDirectory { parents, names, held: Vec::new(), judge }))
}

struct BesideDirectory<J> {
    /// The distinct parents.
    parents: Vec<CString>,
    /// For each path its parent's index and its name there.
    names: Vec<(usize, CString)>,
    /// The parents' descriptors, when held.
    held: Vec<Fd>,
    judge: J,
}

impl<J: Fn(Result<Fd, Failure>) -> Result<(), Failure>> Method for BesideDirectory<J> {
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
        (self.judge)(posix::openat(Some(&self.held[*parent]), name, O_RDONLY))
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
