//! How long a name, and how long a path may be.

use super::{Answer, Met};
use crate::errno_name::errno_name;
use rustix::fd::OwnedFd;
use rustix::fs::{CWD, Mode, OFlags, mkdirat, open, openat};
use rustix::io::Errno;

const NAME: &str = "open a new name";
const PATH: &str = "open a path";
/// The file that paths of all lengths lead to.
const FILE: &str = "f";
/// Steps of the deep directory, each of `STEP` bytes.
const STEPS: usize = 20;
const STEP: usize = 250;

/// The longest name, and one byte more.
pub(super) fn of_names() -> Vec<Met> {
    let make = |length: usize| open("n".repeat(length), OFlags::WRONLY | OFlags::CREATE, Mode::RUSR);
    [255, 256].map(|length| Met::new(NAME, format!("of {length} bytes"), Ok(answer(&make(length))))).into()
}

/// A path of the length of the longest name and a byte more, the longest path, and one byte more.
pub(super) fn of_paths() -> Vec<Met> {
    let made = open(FILE, OFlags::WRONLY | OFlags::CREATE, Mode::RUSR);
    let lead = |length: usize| {
        let steps = "./".repeat((length - FILE.len()) / 2);
        let path = format!("{steps}{}{FILE}", "/".repeat(length - FILE.len() - steps.len()));
        open(path, OFlags::RDONLY, Mode::empty())
    };
    let result = |length| made.as_ref().map(|_| answer(&lead(length))).map_err(|errno| errno_name(*errno));
    [256, 4095, 4096].map(|length| Met::new(PATH, format!("of {length} bytes"), result(length))).into()
}

/// A directory below which no path leads: it is reached step by step.
pub(super) fn of_a_deep_directory() -> Met {
    let step = "d".repeat(STEP);
    let reach = || -> Result<OwnedFd, Errno> {
        let mut directory = openat(CWD, ".", OFlags::PATH, Mode::empty())?;
        for _ in 0..STEPS {
            mkdirat(&directory, step.as_str(), Mode::RWXU)?;
            directory = openat(&directory, step.as_str(), OFlags::PATH | OFlags::DIRECTORY, Mode::empty())?;
        }
        openat(&directory, FILE, OFlags::WRONLY | OFlags::CREATE, Mode::RUSR)
    };
    let by_steps = reach();
    let path = format!("{}{FILE}", format!("{step}/").repeat(STEPS));
    let at_once = open(path.as_str(), OFlags::RDONLY, Mode::empty());
    let words = |result: &Result<OwnedFd, Errno>| {
        result.as_ref().err().map_or("opened".to_owned(), |errno| errno_name(*errno))
    };
    let meaning = format!(
        "To a file {} bytes below, openat step by step says: {}, open of the whole path: {}. The limit is of \
         what one call is given, not of where a file lies.",
        path.len(),
        words(&by_steps),
        words(&at_once),
    );
    let counts = [
        (format!("{}: step by step", words(&by_steps)), 1),
        (format!("{}: by one path", words(&at_once)), 1),
    ];
    let answer = Answer { meaning, counts: counts.into() };
    Met::new("open a file deeper than a path can say", format!("{} bytes deep", path.len()), Ok(answer))
}

fn answer(result: &Result<OwnedFd, Errno>) -> Answer {
    match result {
        Ok(_) => Answer::new("It is opened.", [("opened", 1)]),
        Err(errno) => {
            let name = errno_name(*errno);
            Answer::new(format!("It is refused: {name}."), [("opened", 0), (&name, 1)])
        }
    }
}
