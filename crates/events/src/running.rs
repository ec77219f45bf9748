//! A process that ran before anybody watched it.

use crate::OpenFlags;
use serde::{Deserialize, Serialize};

/// What a process was when it began to be watched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningProcess {
    /// The process.
    pub process: u32,
    /// Its program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// Its current directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// What `/` is to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// What it has open.
    pub descriptors: Vec<RunningDescriptor>,
}

/// A descriptor that was open before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningDescriptor {
    /// Its number.
    pub number: i32,
    /// What it leads to, as `/proc` has it: a path, or `pipe:[123]` and the like.
    pub path: String,
    /// The bits with which it was opened, as far as they are kept.
    pub flags: u32,
}

impl RunningDescriptor {
    /// The path of the file, where it leads to one with a path.
    pub fn file(&self) -> Option<&str> {
        Some(self.path.as_str()).filter(|path| path.starts_with('/') && !path.ends_with(" (deleted)"))
    }

    /// The flags.
    pub fn flags(&self) -> OpenFlags {
        OpenFlags(self.flags)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_from_pipes_and_from_what_is_gone() {
        let of = |path: &str| RunningDescriptor { number: 3, path: path.to_owned(), flags: 0 };
        assert_eq!(of("/var/log/app").file(), Some("/var/log/app"));
        assert_eq!(of("pipe:[12]").file(), None);
        assert_eq!(of("/tmp/x (deleted)").file(), None);
    }
}
