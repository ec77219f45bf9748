//! Home directories, users and hosts in texts.

use super::Identity;
use std::collections::BTreeSet;

/// What stands for the home directory.
const HOME: &str = "~";
/// What stands for a user's name.
const USER: &str = "USER";
/// What stands for a host's name.
const HOST: &str = "HOST";
/// Where others have their home directories.
const HOMES: [&str; 3] = ["/home/", "/var/home/", "/Users/"];
/// Names that say nothing of anybody, and are words of other things too.
const COMMON: [&str; 29] = [
    "root",
    "user",
    "users",
    "runner",
    "ubuntu",
    "debian",
    "fedora",
    "alpine",
    "arch",
    "linux",
    "vagrant",
    "admin",
    "nobody",
    "build",
    "builder",
    "test",
    "guest",
    "dev",
    "home",
    "src",
    "app",
    "data",
    "localhost",
    "localdomain",
    "host",
    "server",
    "container",
    "docker",
    "linuxbrew",
];
/// What stands before a path that lost its beginning.
const CUT: &str = "…";
/// Shorter names are parts of everything.
const NAME_LETTERS_MIN: usize = 3;

/// The names, and which of them were replaced.
#[derive(Debug)]
pub(super) struct Names {
    /// The longest first, so that none hides in another.
    homes: Vec<String>,
    users: Vec<String>,
    hosts: Vec<String>,
    /// Home directories of others, in the order in which they were met.
    others: Vec<String>,
    kept_below: Option<String>,
    used: BTreeSet<&'static str>,
}

impl Names {
    pub(super) fn new(identity: Identity) -> Self {
        let Identity { homes, users, hosts } = identity;
        let homes = homes.iter().map(|home| home.trim_end_matches('/').to_owned());
        let is_name = |name: &String| {
            name.chars().count() >= NAME_LETTERS_MIN && !COMMON.contains(&name.to_lowercase().as_str())
        };
        Self {
            homes: longest_first(homes.filter(|home| home.starts_with('/')).collect()),
            users: longest_first(users.into_iter().filter(is_name).collect()),
            hosts: longest_first(hosts.into_iter().filter(is_name).collect()),
            others: Vec::new(),
            kept_below: None,
            used: BTreeSet::new(),
        }
    }

    pub(super) fn keep_below(&mut self, directory: &str) {
        let directory = directory.trim_end_matches('/');
        self.kept_below = directory.starts_with('/').then(|| format!("{directory}/"));
    }

    pub(super) fn forget_uses(&mut self) {
        self.used.clear();
    }

    /// What was replaced, in words.
    pub(super) fn uses(&self) -> Vec<String> {
        self.used.iter().map(|&words| words.to_owned()).collect()
    }

    /// True of a name that is the whole text and could as well be a word of an enumeration.
    pub(super) fn is_bare_word(&self, text: &str) -> bool {
        let is_word = text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        is_word && self.hosts.iter().chain(&self.users).any(|name| name == text)
    }

    /// The text with all of them replaced.
    pub(super) fn replace(&mut self, text: &str) -> String {
        let Some(kept) = self.kept_below.clone() else { return self.replace_all(text) };
        let mut replaced = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(&kept).filter(|at| begins_path(&rest[..*at])) {
            let behind = &rest[at + kept.len()..];
            let length = behind.find(ends_path).unwrap_or(behind.len());
            replaced += &self.replace_all(&rest[..at + kept.len()]);
            replaced += &behind[..length];
            rest = &behind[length..];
        }
        replaced + &self.replace_all(rest)
    }

    fn replace_all(&mut self, text: &str) -> String {
        let mut text = text.to_owned();
        for home in &self.homes {
            if replace_where(&mut text, home, HOME, |before, after| begins_path(before) && ends_name(after)) {
                self.used.insert("the home directory (~)");
            }
        }
        self.replace_others(&mut text);
        self.replace_cut(&mut text);
        for user in &self.users {
            let fits = |before: &str, after: &str| {
                is_alone(before, after) && (after.starts_with('@') || in_absolute_path(before))
            };
            if replace_where(&mut text, user, USER, fits) {
                self.used.insert("the user's name (USER)");
            }
        }
        for host in &self.hosts {
            if replace_where(&mut text, host, HOST, is_alone) {
                self.used.insert("the host's name (HOST)");
            }
        }
        text
    }

    /// A long path may have lost its beginning: `…ice/notes` of `/home/alice/notes` loses the rest of it.
    fn replace_cut(&self, text: &mut String) {
        let names = || self.homes.iter().chain(&self.users).chain(&self.hosts);
        let rest_of_name = |behind: &str| {
            let ends = names().flat_map(|name| name.char_indices().skip(1).map(|(at, _)| &name[at..]));
            let fits = |end: &&str| {
                end.len() > 1 && behind.strip_prefix(end).is_some_and(|after| after.starts_with('/'))
            };
            ends.filter(fits).map(str::len).max()
        };
        let mut from = 0;
        while let Some(at) = text[from..].find(CUT).map(|at| from + at + CUT.len()) {
            if let Some(length) = rest_of_name(&text[at..]) {
                text.replace_range(at..at + length, "");
            }
            from = at;
        }
    }

    /// `/home/NAME` of somebody else: another one for each, and the same for the same.
    fn replace_others(&mut self, text: &mut String) {
        for homes in HOMES {
            let mut from = 0;
            while let Some(at) = text[from..].find(homes).map(|at| from + at) {
                let behind = &text[at + homes.len()..];
                let name = &behind[..behind.find(|c| c == '/' || ends_path(c)).unwrap_or(behind.len())];
                from = at + homes.len();
                let is_known = name.is_empty() || name.starts_with(USER) || COMMON.contains(&name);
                if is_known || !begins_path(&text[..at]) {
                    continue;
                }
                let known = self.others.iter().position(|other| other == name);
                let number = known.unwrap_or(self.others.len()) + 1;
                if known.is_none() {
                    self.others.push(name.to_owned());
                }
                let end = from + name.len();
                text.replace_range(from..end, &format!("{USER}{number}"));
                self.used.insert("home directories of others (/home/USER1)");
            }
        }
    }
}

/// The path with whatever home directory it begins with as `~`: the same for everybody.
pub(crate) fn without_home(path: &str) -> String {
    let in_homes = HOMES.iter().find_map(|homes| {
        let behind = path.strip_prefix(homes)?;
        let name = behind.find('/').unwrap_or(behind.len());
        (name > 0).then(|| &behind[name..])
    });
    let of_root = path.strip_prefix("/root").filter(|behind| behind.is_empty() || behind.starts_with('/'));
    in_homes.or(of_root).map_or_else(|| path.to_owned(), |behind| format!("{HOME}{behind}"))
}

fn longest_first(mut names: Vec<String>) -> Vec<String> {
    names.retain(|name| !name.is_empty());
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    names.dedup();
    names
}

/// Puts `with` in place of `name` wherever what stands before and behind it fits. True where it did.
fn replace_where(text: &mut String, name: &str, with: &str, fits: impl Fn(&str, &str) -> bool) -> bool {
    let mut replaced = String::new();
    let mut done = 0;
    for (at, _) in text.match_indices(name) {
        if at >= done && fits(&text[..at], &text[at + name.len()..]) {
            replaced += &text[done..at];
            replaced += with;
            done = at + name.len();
        }
    }
    if done == 0 {
        return false;
    }
    replaced += &text[done..];
    *text = replaced;
    true
}

/// True where a new absolute path may begin behind this: not inside another one. `-I/home/…` is an
/// option with its path.
fn begins_path(before: &str) -> bool {
    let Some(last) = before.chars().next_back() else { return true };
    if before.ends_with("file://") {
        return true;
    }
    if last.is_ascii_alphabetic() {
        let option = before[..before.len() - 1].strip_suffix('-');
        return option.is_some_and(|before| !before.ends_with(|c: char| !ends_path(c)));
    }
    !(last.is_alphanumeric() || matches!(last, '/' | '.' | '_' | '~' | '-'))
}

/// True where a name in a path ends before this. A dot may end a sentence.
fn ends_name(after: &str) -> bool {
    let mut letters = after.chars();
    match letters.next() {
        Some('.') => !letters.next().is_some_and(char::is_alphanumeric),
        Some(next) => !(next.is_alphanumeric() || matches!(next, '_' | '-')),
        None => true,
    }
}

fn is_alone(before: &str, after: &str) -> bool {
    !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
}

/// True where the word that `before` ends in began as an absolute path, or in the home directory.
fn in_absolute_path(before: &str) -> bool {
    let word = &before[before
        .rfind(ends_path)
        .map_or(0, |at| at + before[at..].chars().next().map_or(0, char::len_utf8))..];
    word.starts_with('/') || word.starts_with("~/") || word.starts_with(CUT)
}

/// True of what ends a path in a sentence or in the words of a command.
fn ends_path(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(
            letter,
            '"' | '\''
                | '`'
                | ':'
                | ','
                | ';'
                | '='
                | '('
                | ')'
                | '<'
                | '>'
                | '['
                | ']'
                | '{'
                | '}'
                | '|'
                | '@'
        )
}
