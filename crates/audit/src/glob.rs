//! Patterns of paths, as budgets and suppressions have them: matched against the absolute
//! path and the path below the directory in which the program started, and, where they have
//! no `/`, against the name alone. `*` and `?` stay within a name, `**` goes through.

use globset::{GlobBuilder, GlobMatcher};

/// No pattern of a person's is longer, …
const BYTES_MAX: usize = 4096;
/// … or has so many braces in braces, for which globset finds no regular expression and panics.
const BRACES_MAX: usize = 16;

/// One pattern.
#[derive(Debug, Clone)]
pub(crate) struct Glob {
    matcher: GlobMatcher,
    is_of_names: bool,
    /// A further directory below which paths are seen: that of the file that has the pattern.
    base: Option<String>,
}

impl Glob {
    /// Reads a pattern.
    pub(crate) fn new(pattern: &str) -> Result<Self, String> {
        let shown = pattern.trim_start_matches("./");
        if shown.len() > BYTES_MAX {
            return Err(format!("it is longer than {BYTES_MAX} B"));
        }
        if depth(shown) > BRACES_MAX {
            return Err(format!("it has more than {BRACES_MAX} braces within each other"));
        }
        let glob = GlobBuilder::new(shown).literal_separator(true).build();
        let glob = glob.map_err(|error| error.kind().to_string())?;
        Ok(Self { matcher: glob.compile_matcher(), is_of_names: !shown.contains('/'), base: None })
    }

    /// Has paths seen from a directory too.
    pub(crate) fn see_from(&mut self, directory: &str) {
        self.base = Some(directory.to_owned());
    }

    /// True when it is the pattern of a normal path.
    pub(crate) fn matches(&self, path: &str, start: Option<&str>) -> bool {
        let name = path.rsplit('/').next().filter(|_| self.is_of_names);
        let base = self.base.as_deref().and_then(|base| below(path, base));
        // What lies below an unknown directory begins with `.`.
        let start = below(path, start.unwrap_or("."));
        self.matcher.is_match(path)
            || [base, start].into_iter().flatten().any(|below| self.matcher.is_match(below))
            || name.is_some_and(|name| self.matcher.is_match(name))
    }

    /// The pattern.
    pub(crate) fn text(&self) -> &str {
        self.matcher.glob().glob()
    }
}

impl PartialEq for Glob {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

/// How many braces stand within each other, at most.
fn depth(pattern: &str) -> usize {
    let mut open = 0_usize;
    let depths = pattern.chars().map(|c| {
        match c {
            '{' => open += 1,
            '}' => open = open.saturating_sub(1),
            _ => {}
        }
        open
    });
    depths.max().unwrap_or(0)
}

/// A path as seen from a directory, where it lies below it.
fn below<'a>(path: &'a str, directory: &str) -> Option<&'a str> {
    path.strip_prefix(directory.trim_end_matches('/'))?.strip_prefix('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, path: &str) -> bool {
        Glob::new(pattern).unwrap().matches(path, Some("/srv/app"))
    }

    #[test]
    fn a_pattern_is_of_names_of_paths_below_or_of_absolute_ones() {
        assert!(matches("*.json", "/srv/app/data/x.json") && matches("*.json", "/etc/x.json"));
        assert!(
            matches("data/*.json", "/srv/app/data/x.json") && matches("./data/*", "/srv/app/data/x.json")
        );
        assert!(
            !matches("data/*.json", "/etc/data/x.json") && !matches("data/*.json", "/srv/app/data/in/x.json")
        );
        assert!(matches("data/**/*.json", "/srv/app/data/in/x.json") && matches("/etc/**", "/etc/a/b"));
        assert!(matches("**/*.{json,toml}", "/etc/a.toml") && !matches("/etc/*", "/etc/a/b"));
        assert!(Glob::new("*.json").unwrap().matches("./x.json", None));
        assert!(Glob::new("data/*").unwrap().matches("./data/x", None));
        assert!(Glob::new("data/[x").is_err());
        let nested = |depth: usize| Glob::new(&format!("{}{}", "{a,".repeat(depth), "}".repeat(depth)));
        assert!(nested(BRACES_MAX).is_ok() && nested(BRACES_MAX + 1).is_err() && nested(1000).is_err());
        for part in ["*a", "?", "**/", "[!a]", "{a,b}", "{*,?}"] {
            let repeated = |bytes: usize| Glob::new(&part.repeat(bytes / part.len()));
            assert!(repeated(BYTES_MAX).is_ok() && repeated(BYTES_MAX + 9).is_err(), "{part}");
        }
        let mut of_project = Glob::new("data/*").unwrap();
        assert!(!of_project.matches("/srv/data/x", Some("/srv/app")));
        of_project.see_from("/srv");
        assert!(of_project.matches("/srv/data/x", Some("/srv/app")));
    }
}
