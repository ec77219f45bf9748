//! The marker file inside a scratch directory: who made it, and which names are claimed.

use super::Series;
use std::fmt;

/// Its name.
pub(super) const NAME: &str = ".fathom-scratch";
/// What the names of scratch directories begin with.
pub(super) const DIRECTORY_PREFIX: &str = ".fathom-";
const MAGIC: &str = "fathom scratch directory, version 1";

/// The maker of a scratch directory and its claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Marker {
    pub(super) pid: u32,
    /// The maker's start, in clock ticks since boot; 0 when `/proc` did not tell.
    start: u64,
    boot: String,
    pub(super) claims: Vec<Claim>,
}

/// Names that may be removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Claim {
    Series(Series),
    File(String),
    /// A directory, with everything below it.
    Tree(String),
}

impl Claim {
    pub(super) fn covers(&self, name: &str) -> bool {
        match self {
            Self::Series(series) => series.contains(name),
            Self::File(file) | Self::Tree(file) => file == name,
        }
    }

    pub(super) fn is_tree(&self, name: &str) -> bool {
        matches!(self, Self::Tree(tree) if tree == name)
    }

    fn parse(line: &str) -> Option<Self> {
        let (kind, rest) = line.split_once(' ')?;
        match kind {
            "file" => is_plain(rest).then(|| Self::File(rest.to_owned())),
            "tree" => is_plain(rest).then(|| Self::Tree(rest.to_owned())),
            "series" => {
                let (count, prefix) = rest.split_once(' ')?;
                let series = Series { prefix: prefix.to_owned(), count: count.parse().ok()? };
                (is_plain(prefix) && prefix.starts_with('d')).then_some(Self::Series(series))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Series(series) => write!(f, "series {} {}", series.count, series.prefix),
            Self::File(name) => write!(f, "file {name}"),
            Self::Tree(name) => write!(f, "tree {name}"),
        }
    }
}

impl Marker {
    pub(super) fn of_this_process() -> Self {
        let pid = std::process::id();
        Self { pid, start: start_of(pid).unwrap_or(0), boot: boot_id(), claims: Vec::new() }
    }

    /// The head of the file; claims are appended one by one.
    pub(super) fn text(&self) -> String {
        format!("{MAGIC}\npid {}\nstart {}\nboot {}\n", self.pid, self.start, self.boot)
    }

    /// `None` for a file that is no marker of ours. A line cut short by a kill claims nothing.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let whole = &text[..=text.rfind('\n')?];
        let mut lines = whole.lines();
        if lines.next()? != MAGIC {
            return None;
        }
        let pid = lines.next()?.strip_prefix("pid ")?.parse().ok()?;
        let start = lines.next()?.strip_prefix("start ")?.parse().ok()?;
        let boot = lines.next()?.strip_prefix("boot ")?.to_owned();
        Some(Self { pid, start, boot, claims: lines.filter_map(Claim::parse).collect() })
    }

    /// True when the maker runs: the same number, start and boot.
    pub(super) fn is_alive(&self) -> bool {
        self.boot == boot_id()
            && start_of(self.pid).is_some_and(|start| start == self.start || self.start == 0)
    }
}

/// True of a text that ends before the last line of a marker's head does.
pub(super) fn is_cut_head(text: &str) -> bool {
    const HEAD_LINES: usize = 4;
    let is_head =
        MAGIC.starts_with(text) || text.strip_prefix(MAGIC).is_some_and(|rest| rest.starts_with('\n'));
    is_head && text.matches('\n').count() < HEAD_LINES
}

/// True for a name that stays inside its directory and on its line.
pub(super) fn is_plain(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\n', '\0'])
}

/// When a process started, in clock ticks since boot; `None` when there is no such process.
pub(super) fn start_of(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in brackets, may hold anything; the start is the 20th field after it.
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

fn boot_id() -> String {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    id.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_reads_back_and_knows_whether_its_maker_lives() {
        let mut marker = Marker::of_this_process();
        marker.claims.push(Claim::Series(Series { prefix: "d0-".into(), count: 7 }));
        marker.claims.push(Claim::File("latencies of a".into()));
        marker.claims.push(Claim::Tree("t0".into()));
        let lines: Vec<_> = marker.claims.iter().map(ToString::to_string).collect();
        let claims = format!("{}\n", lines.join("\n"));
        assert_eq!(Marker::parse(&(marker.text() + &claims)), Some(marker.clone()));
        assert!(marker.is_alive());
        marker.start += 1;
        assert!(!marker.is_alive(), "another process with the same number");
    }

    #[test]
    fn what_is_no_marker_claims_nothing() {
        assert_eq!(Marker::parse("something else\npid 1\nstart 2\nboot x\n"), None);
        assert_eq!(Marker::parse(""), None);
        let evil =
            format!("{MAGIC}\npid 1\nstart 2\nboot x\nfile ../a\nfile ..\nseries 9 /etc/d\nfile cut-sho");
        assert_eq!(Marker::parse(&evil).unwrap().claims, []);
    }

    #[test]
    fn a_head_is_cut_until_its_last_line_ends() {
        let head = Marker::of_this_process().text();
        assert!((0..head.len()).all(|length| is_cut_head(&head[..length])));
        for text in [head.as_str(), "somebody's notes", "fathom scratch directory, version 12\n"] {
            assert!(!is_cut_head(text), "{text}");
        }
    }

    #[test]
    fn a_claim_behind_a_torn_one_counts() {
        let torn = Marker::of_this_process().text() + "seri\nseries 3 d1-\n";
        assert_eq!(Marker::parse(&torn).unwrap().claims, [Claim::parse("series 3 d1-").unwrap()]);
    }

    #[test]
    fn a_series_covers_its_own_names_only() {
        let claim = Claim::parse("series 3 d1-").unwrap();
        assert!(claim.covers("d1-000002"));
        for name in ["d1-000003", "d1-2", "d1-0000002", "d0-000001", "d1-", "d1-+00001"] {
            assert!(!claim.covers(name), "{name}");
        }
    }
}
