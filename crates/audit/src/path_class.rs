//! Path classes: a path without what differs from run to run (temporary names, process ids, hashes,
//! the directory that a side lies in). The rules are data: `path_classes.toml`.

use regex::Regex;
use serde::Deserialize;
use std::collections::BTreeSet;

const TEXT: &str = include_str!("path_classes.toml");
/// Numbers below are too often names of data.
const PROCESS_MIN: u32 = 100;

/// Gives paths of one side their classes.
#[derive(Debug)]
pub struct PathClasses {
    rules: Vec<Rule>,
    /// Text that stands for something, and the word for it; the longest first.
    known: Vec<(String, &'static str)>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rule: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    #[expect(dead_code, reason = "it is for readers of the file")]
    name: String,
    pattern: String,
    replace: String,
    #[serde(default)]
    mixed: bool,
}

#[derive(Debug)]
struct Rule {
    pattern: Regex,
    replace: String,
    mixed: bool,
}

impl Default for PathClasses {
    fn default() -> Self {
        let file: File = toml::from_str(TEXT).expect("a test reads it");
        let rules = file.rule.into_iter().map(|entry| Rule {
            pattern: Regex::new(&entry.pattern).expect("a test compiles it"),
            replace: entry.replace,
            mixed: entry.mixed,
        });
        Self { rules: rules.collect(), known: Vec::new() }
    }
}

impl PathClasses {
    /// The directory that the side lies in.
    #[must_use]
    pub fn with_checkout(self, directory: &str) -> Self {
        self.knowing(directory, "{checkout}")
    }

    /// The program under test.
    #[must_use]
    pub fn with_program(self, program: &str) -> Self {
        self.knowing(program, "{program}")
    }

    /// The home directory.
    #[must_use]
    pub fn with_home(self, directory: &str) -> Self {
        self.knowing(directory, "~")
    }

    fn knowing(mut self, path: &str, word: &'static str) -> Self {
        let path = path.trim_end_matches('/');
        if path.len() > 1 {
            self.known.push((path.to_owned(), word));
            self.known.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
        }
        self
    }

    /// The class of a path, in a run that had these processes and threads.
    pub fn class(&self, path: &str, processes: &BTreeSet<u32>) -> String {
        let mut class = self.without_known(path);
        class = without_processes(&class, processes);
        for rule in &self.rules {
            if !rule.pattern.is_match(&class) {
                continue;
            }
            let is_random = |found: &regex::Captures<'_>| {
                !rule.mixed || found.name("random").is_some_and(|random| looks_random(random.as_str()))
            };
            let replaced = rule.pattern.replace_all(&class, |found: &regex::Captures<'_>| {
                let mut text = String::new();
                if is_random(found) {
                    found.expand(&rule.replace, &mut text);
                } else {
                    text.push_str(&found[0]);
                }
                text
            });
            class = replaced.into_owned();
        }
        class
    }

    /// Known directories replaced, where their name ends; once each.
    fn without_known(&self, path: &str) -> String {
        let mut class = path.to_owned();
        for (known, word) in &self.known {
            let Some(at) = class.find(known.as_str()) else { continue };
            let ends = class[at + known.len()..].chars().next();
            if ends.is_none_or(|letter| letter == '/') {
                class.replace_range(at..at + known.len(), word);
            }
        }
        class
    }
}

/// Numbers behind `.`, `-` or `_` that are processes of the run.
fn without_processes(path: &str, processes: &BTreeSet<u32>) -> String {
    let mut class = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(at) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let end = rest[at..].find(|letter: char| !letter.is_ascii_digit()).map_or(rest.len(), |end| at + end);
        let is_behind = rest[..at].ends_with(['.', '-', '_']);
        let number = rest[at..end].parse::<u32>().ok().filter(|number| *number >= PROCESS_MIN);
        class.push_str(&rest[..at]);
        match number.filter(|number| is_behind && processes.contains(number)) {
            Some(_) => class.push_str("{pid}"),
            None => class.push_str(&rest[at..end]),
        }
        rest = &rest[end..];
    }
    class + rest
}

/// True of letters of both cases, or of letters and digits.
fn looks_random(text: &str) -> bool {
    let has = |is: fn(&char) -> bool| text.chars().any(|letter| is(&letter));
    let (upper, lower, digit) =
        (has(char::is_ascii_uppercase), has(char::is_ascii_lowercase), has(char::is_ascii_digit));
    u8::from(upper) + u8::from(lower) + u8::from(digit) >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_run_to_run_is_replaced_and_all_else_stays() {
        let classes = PathClasses::default()
            .with_checkout("/tmp/.fathom-ci-x/base")
            .with_home("/home/me")
            .with_program("/tmp/.fathom-ci-x/base/tool");
        let processes = BTreeSet::from([4711, 12]);
        for (path, class) in [
            ("/tmp/.fathom-ci-x/base/data/a.txt", "{checkout}/data/a.txt"),
            ("/tmp/.fathom-ci-x/base", "{checkout}"),
            ("/tmp/.fathom-ci-x/base/tool", "{program}"),
            ("/home/me/.cache/x", "~/.cache/x"),
            ("/home/meme/x", "/home/meme/x"),
            ("/proc/4711/task/4712/maps", "/proc/{pid}/maps"),
            ("/proc/self/fd/7", "/proc/self/fd/{fd}"),
            ("/proc/self/maps", "/proc/self/maps"),
            ("/run/lock.4711.new", "/run/lock.{pid}.new"),
            ("/data/12", "/data/12"),
            ("/data/4711", "/data/4711"),
            ("/tmp/tmp0a_b1c2d/file", "/{tmp}/file"),
            ("/tmp/sortAb3dEf", "/tmp/sort{tmp}"),
            ("/tmp/ccAb3dEf.s", "/tmp/cc{tmp}.s"),
            ("/tmp/cc4ADh0w.cdtor.c", "/tmp/cc{tmp}.cdtor.c"),
            ("/tmp/config", "/tmp/config"),
            ("/tmp/config.toml", "/tmp/config.toml"),
            ("/tmp/prefix123456789.txt", "/tmp/prefix{tmp}.txt"),
            ("/x/.git/objects/ab/0123456789abcdef0123456789abcdef012345", "/x/.git/objects/{hash}"),
            ("/x/target/debug/deps/app-0123456789abcdef", "/x/target/debug/deps/app-{hash}"),
            ("/tmp/go-build123456/b001", "/tmp/go-build{tmp}/b001"),
            ("/etc/hosts", "/etc/hosts"),
        ] {
            let found = classes.class(path, &processes);
            let found = found.replace("/tmp/{tmp}", "/{tmp}");
            assert_eq!(found, class, "{path}");
        }
    }
}
