//! The names of kept sets: one component of a path, fit for every shell.

use fathom_catalog::format_size;
use fathom_model::DataSet;
use std::fmt;
use std::str::FromStr;

/// What the names of their directories begin with.
const FOLDER_PREFIX: &str = "fathom-data-";
/// Longer names fit no table.
const LENGTH_MAX: usize = 64;

/// The name of a kept set: letters, digits, `.`, `_` and `-`, the first of them
/// a letter or digit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SetName(String);

/// No name of a set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no name of a data set: letters, digits, `.`, `_` and `-`, at most 64, and first a letter or digit"
)]
pub struct InvalidSetName(String);

impl SetName {
    /// The name of a set that was given none: `random-4GiB`, `random-100x128B`.
    pub fn of(data: &DataSet) -> Self {
        let size = format_size(data.size_bytes).replace(' ', "");
        match data.files {
            1 => Self(format!("{}-{size}", data.content)),
            files => Self(format!("{}-{files}x{size}", data.content)),
        }
    }

    /// The name of the directory.
    pub fn folder(&self) -> String {
        format!("{FOLDER_PREFIX}{}", self.0)
    }

    /// The set of which this is the directory's name.
    pub(super) fn of_folder(folder: &str) -> Option<Self> {
        folder.strip_prefix(FOLDER_PREFIX)?.parse().ok()
    }
}

impl fmt::Display for SetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for SetName {
    type Err = InvalidSetName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        let begins = text.starts_with(|c: char| c.is_ascii_alphanumeric());
        if begins && text.len() <= LENGTH_MAX && text.chars().all(plain) {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidSetName(text.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::Content;

    #[test]
    fn names_stay_inside_their_directory() {
        for good in ["a", "random-4GiB", "run_2.b", "7"] {
            assert_eq!(good.parse::<SetName>().unwrap().folder(), format!("fathom-data-{good}"));
        }
        let long = "x".repeat(65);
        for bad in ["", ".", "..", "../x", "a/b", ".hidden", "-x", "a b", "a\n", "ä", &long] {
            assert!(bad.parse::<SetName>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_set_without_a_name_is_called_after_what_it_holds() {
        let name = |files, size_bytes| SetName::of(&DataSet { files, size_bytes, content: Content::Random });
        assert_eq!(name(1, 4 << 30).to_string(), "random-4GiB");
        assert_eq!(name(100, 128).to_string(), "random-100x128B");
        assert_eq!(SetName::of_folder(&name(1, 999).folder()), Some(name(1, 999)));
        assert_eq!(SetName::of_folder("fathom-data-"), None);
    }
}
