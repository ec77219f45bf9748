//! How a run ended, judged: in words and with nothing left, or not.

use crate::facts::Expected;
use crate::ground::{Ground, OLD, TARGET};
use crate::leftovers::{listing, mounts_and_devices};
use crate::subjects::Subject;
use crate::supervised::Run;
use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;

/// The codes of Fathom's exit.
const CODES: [i32; 6] = [0, 1, 2, 3, 4, 130];

/// What is wrong with an end, or that nothing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// It ended as if nothing had failed, or said what it lacks.
    Well,
    /// It ended with an error in words.
    InWords,
    /// It did not end in time.
    Hang,
    /// A panic.
    Panic,
    /// A signal ended it.
    Signal,
    /// An exit code that Fathom does not have.
    Code,
    /// An error without words.
    Wordless,
    /// Processes, files, mounts or devices stay, and it does not say so.
    Leftover,
    /// The target is neither the old one nor a new one that opens.
    Target,
    /// It says nothing of what is wrong in its result.
    Wrong,
}

/// The ending, and what it rests on.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// The ending.
    pub ending: Ending,
    /// In words.
    pub detail: String,
}

impl Ending {
    /// True when nothing is wrong.
    pub fn is_good(self) -> bool {
        matches!(self, Self::Well | Self::InWords)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.ending, self.detail)
    }
}

/// What a ground held before a run.
pub(crate) fn before(ground: &Ground) -> BTreeSet<PathBuf> {
    listing(ground.path())
}

/// Judges the run that was just made in `ground`; `expected` when its findings are to be compared.
pub(crate) fn judge(
    subject: &Subject,
    ground: &Ground,
    before: &BTreeSet<PathBuf>,
    run: &Run,
    expected: Option<&Expected>,
) -> Verdict {
    let (ending, detail) = find_fault(subject, ground, before, run, expected).unwrap_or_else(|| {
        let code = run.status.code().unwrap_or(-1);
        let ending = if code == 0 { Ending::Well } else { Ending::InWords };
        (ending, format!("exit {code}"))
    });
    Verdict { ending, detail }
}

fn find_fault(
    subject: &Subject,
    ground: &Ground,
    before: &BTreeSet<PathBuf>,
    run: &Run,
    expected: Option<&Expected>,
) -> Option<(Ending, String)> {
    const ERROR: i32 = 2;
    let said = ground.said("stderr");
    let last = said.lines().rev().take(3).collect::<Vec<_>>().join(" | ");
    if run.timed_out {
        return Some((Ending::Hang, last));
    }
    if let Some(at) = said.find("panicked at") {
        return Some((Ending::Panic, said[at..].chars().take(300).collect()));
    }
    if let Some(signal) = run.status.signal() {
        return Some((Ending::Signal, format!("signal {signal}: {last}")));
    }
    let code = run.status.code().unwrap_or(-1);
    if !CODES.contains(&code) {
        return Some((Ending::Code, format!("exit {code}: {last}")));
    }
    // A record of which a part is missing is printed with its first line saying so.
    let is_said = || said.contains("error: ") || ground.said("stdout").starts_with("INCOMPLETE: ");
    if code == ERROR && !is_said() {
        return Some((Ending::Wordless, format!("exit {code}: {said}")));
    }
    if let Some(left) = untold_leftover(subject, ground, before, run, &said) {
        return Some((Ending::Leftover, left));
    }
    let target = fs::read(ground.work().join(TARGET)).unwrap_or_default();
    let is_new = target != OLD.as_bytes();
    let expected = expected.filter(|_| code <= 1);
    let difference = expected.and_then(|expected| {
        if subject.reader.is_some() && !is_new {
            return Some("it ended well and wrote nothing".to_owned());
        }
        expected.unsaid_difference(&(subject.facts)(ground))
    });
    if let Some(reader) = subject.reader
        && is_new
        && !ground.opens(reader)
    {
        return Some((Ending::Target, format!("{} bytes that do not open", target.len())));
    }
    difference.map(|difference| (Ending::Wrong, format!("{difference}; said: {last}")))
}

/// What stays and is not said, if anything.
fn untold_leftover(
    subject: &Subject,
    ground: &Ground,
    before: &BTreeSet<PathBuf>,
    run: &Run,
    said: &str,
) -> Option<String> {
    // What breaks a line must not hide a name in it; a record says in its own text what stays.
    let said: String = said.split_whitespace().chain(ground.said("stdout").split_whitespace()).collect();
    let is_allowed = |path: &PathBuf| {
        let below = path.strip_prefix(ground.path()).unwrap_or(path).display().to_string();
        let in_work = below.strip_prefix("work/").unwrap_or(&below).to_owned();
        // The streams, and the drivers of a user that has a cache of its own.
        let is_known = ["stdout", "stderr"].contains(&below.as_str()) || below.starts_with("cache/");
        is_known || subject.adds.iter().any(|added| below.starts_with(added) || in_work.starts_with(added))
    };
    // Without memory no name is said.
    let is_announced = said.contains("thenextruninthesamedirectoryremoves");
    // Folders of the ground itself, whose names are everywhere, tell nothing.
    let is_told = |path: &PathBuf| {
        let above = path.ancestors().take_while(|above| above.parent() != Some(ground.path()));
        let mut names = above.filter_map(|above| above.file_name()).map(|name| name.to_string_lossy());
        names.any(|name| said.contains(&*name) || (is_announced && name.starts_with(".fathom-")))
    };
    let process = run.strays.first().map(|words| format!("process {words}"));
    let device = || mounts_and_devices(ground.path()).into_iter().next();
    let file = || {
        let after = listing(ground.path());
        let mut left = after.difference(before).filter(|path| !is_allowed(path) && !is_told(path));
        left.next().map(|path| path.display().to_string())
    };
    process.or_else(device).or_else(file)
}
