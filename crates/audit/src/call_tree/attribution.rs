//! What a path belongs to, by the rules of `call_tree.toml`.

use regex::{Regex, RegexSet};
use serde::Deserialize;

const TEXT: &str = include_str!("../call_tree.toml");
/// The group of calls of which nothing is known.
pub(super) const UNATTRIBUTED: &str = "Unattributed";
/// The group of calls that are on no file.
pub(super) const NO_FILE: &str = "No file";
/// Groups that every program has, whatever it is for.
pub(super) const OF_EVERY_PROGRAM: [&str; 5] =
    ["C library", "Kernel and devices", NO_FILE, "Programs", "Shared libraries"];
/// Between packages that are nested in each other.
const NESTED: &str = " > ";

/// Who asks, as far as it says what a path belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Asker {
    /// The dynamic loader, before `main`.
    Loader,
    /// A process that becomes another program.
    Exec,
    /// The program.
    Program,
}

/// What calls are on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Unit {
    pub(super) group: String,
    pub(super) item: String,
    pub(super) part: Option<String>,
}

/// The rules.
#[derive(Debug)]
pub(super) struct Attribution {
    rules: Vec<Rule>,
    /// Their patterns, in their order.
    patterns: RegexSet,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rule: Vec<Rule>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    group: String,
    pattern: Pattern,
    item: Option<String>,
    #[serde(default)]
    cut: Vec<Pattern>,
    join: Option<String>,
    #[serde(default)]
    repeat: bool,
    endings: Option<Pattern>,
    asker: Option<Asker>,
    of: Option<Origin>,
}

/// From where a path is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Origin {
    Start,
}

#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct Pattern(Regex);

impl TryFrom<String> for Pattern {
    type Error = regex::Error;

    fn try_from(text: String) -> Result<Self, regex::Error> {
        Regex::new(&text).map(Self)
    }
}

impl Attribution {
    /// All rules.
    pub(super) fn load() -> Self {
        let File { rule: rules } = toml::from_str(TEXT).expect("a test reads it");
        let patterns = RegexSet::new(rules.iter().map(|rule| rule.pattern.0.as_str()));
        Self { patterns: patterns.expect("each of them was compiled"), rules }
    }

    #[cfg(test)]
    pub(super) fn groups(&self) -> Vec<&str> {
        self.rules.iter().map(|rule| rule.group.as_str()).collect()
    }

    /// The item that a runtime looks for when it looks for this one, whose name is that one's with an
    /// ending.
    pub(super) fn without_ending(&self, unit: &Unit) -> Option<Unit> {
        let endings = |rule: &&Rule| rule.group == unit.group && rule.endings.is_some();
        let Pattern(endings) = self.rules.iter().find(endings)?.endings.as_ref()?;
        let item = &unit.item[..endings.find(&unit.item)?.start()];
        Some(Unit { item: item.to_owned(), ..unit.clone() })
    }

    /// What a path belongs to. `start` is the directory in which the command started, where that is known.
    pub(super) fn unit(&self, path: &str, start: Option<&str>, asker: Asker) -> Unit {
        let seen = seen_from(path, start);
        let on_path = self.patterns.matches(path);
        let mut matching = self.rules.iter().enumerate().filter_map(|(at, rule)| {
            let text = match rule.of {
                Some(Origin::Start) => seen.as_str(),
                None if on_path.matched(at) => path,
                None => return None,
            };
            rule.asker.is_none_or(|asked| asked == asker).then_some((rule, text))
        });
        let found = matching.find_map(|(rule, text)| rule.unit(text));
        found.unwrap_or_else(|| Unit { group: UNATTRIBUTED.to_owned(), item: path.to_owned(), part: None })
    }
}

/// `./src/a` of `/srv/app/src/a` where the command started in `/srv/app`.
fn seen_from(path: &str, start: Option<&str>) -> String {
    let below = start.filter(|start| start.len() > 1).and_then(|start| path.strip_prefix(start));
    match below.filter(|below| below.is_empty() || below.starts_with('/')) {
        Some(below) => format!(".{below}"),
        None => path.to_owned(),
    }
}

impl Rule {
    fn unit(&self, text: &str) -> Option<Unit> {
        let mut matches = self.pattern.0.captures_iter(text);
        let group = |found: &regex::Captures<'_>| {
            let held = found.iter().skip(1).flatten().next();
            held.map(|held| self.without_cut(held.as_str())).filter(|held| !held.is_empty())
        };
        let held = group(&matches.next()?);
        let (item, part) = match (held, &self.join) {
            (None, _) => (self.item.clone()?, None),
            (Some(held), Some(join)) => match held.split_once('/') {
                Some((item, part)) => (item.to_owned(), Some(part.replace('/', join))),
                None => (held, None),
            },
            (Some(held), None) => {
                let nested: Vec<_> =
                    matches.filter(|_| self.repeat).filter_map(|found| group(&found)).collect();
                (held, (!nested.is_empty()).then(|| nested.join(NESTED)))
            }
        };
        Some(Unit { group: self.group.clone(), item, part })
    }

    fn without_cut(&self, held: &str) -> String {
        let cut =
            self.cut.iter().fold(held.to_owned(), |held, cut| cut.0.replace_all(&held, "").into_owned());
        if self.cut.is_empty() { cut } else { cut.trim_matches('/').to_owned() }
    }
}
