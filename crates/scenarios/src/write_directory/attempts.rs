//! Opens of a directory, each with other flags. None makes or changes a file
//! where a directory is: `O_TMPFILE` makes one without a name.

use crate::errno_name::errno_name;
use crate::lines::{Failure, say_all};
use rustix::fs::{Mode, OFlags, open};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// One open and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Attempt {
    /// The flags in words.
    pub(super) flags: String,
    /// True where POSIX requires `EISDIR`.
    pub(super) asks_for_writing: bool,
    /// `opened`, or the error's name.
    pub(super) result: String,
}

/// Plays it: `DIRECTORY`.
pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    let [directory] = words else { return Err("which directory?".into()) };
    say_all(&try_all(Path::new(directory))?)
}

/// Tries all on a directory that is there; `O_CREAT` would make a file of one that is not.
pub(super) fn try_all(directory: &Path) -> Result<Vec<Attempt>, String> {
    open(directory, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
        .map_err(|errno| format!("{}: {errno}", directory.display()))?;
    let tries = [
        ("O_WRONLY", true, OFlags::WRONLY),
        ("O_RDWR", true, OFlags::RDWR),
        ("O_WRONLY|O_CREAT", true, OFlags::WRONLY | OFlags::CREATE),
        ("O_WRONLY|O_APPEND", true, OFlags::WRONLY | OFlags::APPEND),
        // Undefined by POSIX; Linux takes it for a wish to write.
        ("O_RDONLY|O_TRUNC", false, OFlags::RDONLY | OFlags::TRUNC),
        ("O_WRONLY|O_TMPFILE", false, OFlags::WRONLY | OFlags::TMPFILE),
        ("O_PATH", false, OFlags::PATH),
    ];
    let attempt = |(words, asks_for_writing, flags): (&str, bool, OFlags)| {
        let opened = open(directory, flags | OFlags::CLOEXEC, Mode::RUSR | Mode::WUSR);
        let result = opened.err().map_or("opened".to_owned(), errno_name);
        Attempt { flags: words.to_owned(), asks_for_writing, result }
    };
    let mut attempts: Vec<Attempt> = tries.into_iter().map(attempt).collect();
    attempts.extend(for_reading(directory));
    Ok(attempts)
}

/// An open for reading alone, which nothing refuses, and what a read says then.
fn for_reading(directory: &Path) -> Vec<Attempt> {
    let attempt = |flags: &str, result| Attempt { flags: flags.to_owned(), asks_for_writing: false, result };
    match open(directory, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()) {
        Ok(opened) => {
            let read = rustix::io::read(&opened, &mut [0; 1]).err().map_or("read".to_owned(), errno_name);
            vec![attempt("O_RDONLY", "opened".to_owned()), attempt("O_RDONLY, then read", read)]
        }
        Err(errno) => vec![attempt("O_RDONLY", errno_name(errno))],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_in_the_directory() {
        let place = tempfile::tempdir().unwrap();
        let attempts = try_all(place.path()).unwrap();
        assert_eq!(attempts.len(), 9);
        assert!(attempts.iter().filter(|a| a.asks_for_writing).all(|a| a.result == "EISDIR"), "{attempts:?}");
        assert_eq!(
            attempts[6..].iter().map(|a| a.result.as_str()).collect::<Vec<_>>(),
            ["opened", "opened", "EISDIR"]
        );
        assert!(try_all(&place.path().join("absent")).is_err());
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    }
}
