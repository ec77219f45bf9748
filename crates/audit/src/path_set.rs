//! The files that a finding's calls were about, as data: how many, what their paths share,
//! which came first. The words for it belong to whoever shows it.

use fathom_events::is_below;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Directories in which programs make up names for each run.
const SCRATCH: [&str; 4] = ["/tmp", "/var/tmp", "/dev/shm", "/run/user"];

/// Paths, and what they have in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PathSet {
    /// The path that came first.
    pub first: String,
    /// How many different paths there are; at least so many where `is_lower_bound`.
    pub count: u64,
    /// True where paths were not told apart any more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_lower_bound: bool,
    /// The directory that all of them lie below, without a slash at its end but for `/`;
    /// `None` where they share none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// The extension that all names have, with its dot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extension: Option<String>,
}

impl PathSet {
    /// That of one path.
    pub fn of_path(path: &str) -> Self {
        let (directory, name) = path.rsplit_once('/').map_or((None, path), |(directory, name)| {
            (Some(if directory.is_empty() { "/" } else { directory }), name)
        });
        let extension = name.rfind('.').filter(|dot| *dot > 0).map(|dot| name[dot..].to_owned());
        Self {
            first: path.to_owned(),
            count: 1,
            is_lower_bound: false,
            directory: directory.map(str::to_owned),
            extension,
        }
    }

    /// The path, where there is one alone.
    pub fn single(&self) -> Option<&str> {
        (self.count == 1 && !self.is_lower_bound).then_some(self.first.as_str())
    }

    /// What the paths share, `/data/*.json`: the same in a run that has more of them or fewer.
    /// Numbers in it, and names that a run makes up in a directory for temporary files, are `*`.
    pub fn pattern(&self) -> String {
        self.pattern_of(self.directory.as_deref().unwrap_or_default().trim_end_matches('/'))
    }

    /// The same where what lies below a directory begins with a dot: `./data/*.json`.
    pub fn pattern_seen_from(&self, root: &str) -> String {
        let directory = self.directory.as_deref().unwrap_or_default().trim_end_matches('/');
        let root = root.trim_end_matches('/');
        match directory.strip_prefix(root).filter(|_| is_below(directory, root)) {
            Some(below) => format!(".{}", self.pattern_of(below)),
            None => self.pattern_of(directory),
        }
    }

    fn pattern_of(&self, directory: &str) -> String {
        let scratch = SCRATCH.iter().find(|scratch| is_below(directory, scratch));
        let directory = scratch.map_or_else(|| without_numbers(directory), |scratch| (*scratch).to_owned());
        format!("{directory}/*{}", self.extension.as_deref().map(without_numbers).unwrap_or_default())
    }
}

/// Each run of digits as one `*`.
fn without_numbers(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '0'..='9' if pattern.ends_with('*') => {}
            '0'..='9' => pattern.push('*'),
            letter => pattern.push(letter),
        }
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_path_has_its_directory_and_extension() {
        let set = PathSet::of_path("/srv/data/a, first b.txt");
        assert_eq!((set.directory.as_deref(), set.extension.as_deref()), (Some("/srv/data"), Some(".txt")));
        assert_eq!(set.single(), Some("/srv/data/a, first b.txt"));
        let hidden = PathSet::of_path("/.profile");
        assert_eq!((hidden.directory.as_deref(), hidden.extension), (Some("/"), None));
        assert_eq!(PathSet::of_path(".").directory, None);
    }

    #[test]
    fn a_pattern_holds_for_the_next_run() {
        let pattern = |path: &str| PathSet::of_path(path).pattern();
        assert_eq!(pattern("/data/a.json"), "/data/*.json");
        assert_eq!(pattern("/data/a.json"), pattern("/data/b.json"));
        assert_eq!(pattern("/proc/4711/maps"), pattern("/proc/82/maps"));
        assert_eq!(pattern("/tmp/tmpx7qz/a.json"), pattern("/tmp/tmpab0_/a.json"));
        assert_ne!(pattern("/data/a.json"), pattern("/other/a.json"));
        let seen_from = |root: &str| PathSet::of_path("/srv/v2/data/a.json").pattern_seen_from(root);
        assert_eq!(seen_from("/srv/v2"), "./data/*.json", "the same in every checkout");
        assert_eq!(seen_from("/srv/v3"), "/srv/v*/data/*.json");
        let several = PathSet { count: 12, ..PathSet::of_path("/data/a.json") };
        assert_eq!((several.pattern().as_str(), several.single()), ("/data/*.json", None));
    }
}
