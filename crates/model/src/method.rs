//! The name of one way to perform an operation in one runtime.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// `driver:method`, for example `go:os.ReadFile`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct MethodId {
    /// The driver that performs it: `native`, `go`.
    pub driver: String,
    /// The method's name inside the driver: `os.ReadFile`.
    pub name: String,
}

impl MethodId {
    /// A method of a driver.
    pub fn new(driver: impl Into<String>, name: impl Into<String>) -> Self {
        Self { driver: driver.into(), name: name.into() }
    }

    /// True when the name says that it reads or opens past the page cache:
    /// `pread+O_DIRECT`, `FileChannel+DIRECT`.
    pub fn is_direct(&self) -> bool {
        is_direct(&self.name)
    }
}

/// The same of a method's name without its driver.
pub fn is_direct(name: &str) -> bool {
    name.split('+').any(|part| part == "O_DIRECT" || part == "DIRECT")
}

impl fmt::Display for MethodId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.driver, self.name)
    }
}

/// The text has no `driver:` part or no name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a method is written `driver:name`, not `{0}`")]
pub struct ParseMethodError(pub String);

impl FromStr for MethodId {
    type Err = ParseMethodError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once(':') {
            Some((driver, name)) if !driver.is_empty() && !name.is_empty() => Ok(Self::new(driver, name)),
            _ => Err(ParseMethodError(text.to_owned())),
        }
    }
}

impl TryFrom<String> for MethodId {
    type Error = ParseMethodError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<MethodId> for String {
    fn from(id: MethodId) -> Self {
        id.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_hold_colons() {
        let id: MethodId = "native:File::open".parse().unwrap();
        assert_eq!((id.driver.as_str(), id.name.as_str()), ("native", "File::open"));
        assert_eq!(id.to_string(), "native:File::open");
    }

    #[test]
    fn direct_methods_say_so_in_a_part_of_their_name() {
        for name in ["O_DIRECT+pread", "os.OpenFile+O_DIRECT", "FileChannel+DIRECT"] {
            assert!(is_direct(name), "{name}");
        }
        assert!(!is_direct("pread") && !is_direct("DIRECTORY"));
    }

    #[test]
    fn a_half_name_is_refused() {
        for text in ["", "go", "go:", ":os.Open"] {
            assert!(text.parse::<MethodId>().is_err(), "{text:?}");
        }
    }
}
