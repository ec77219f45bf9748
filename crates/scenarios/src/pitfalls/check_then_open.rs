//! A file is checked, then opened: the name may lead to another file by then.
//! The fair form opens first and checks what it has.

use super::exchange;
use crate::Interrupted;
use crate::ground::{Ground, at, write};
use crate::lines::{Failure, say, say_all, wait_for_word};
use crate::performer::Trouble;
use crate::rows::{Found, Rows};
use crate::spread::Spread;
use fathom_sys::clock::monotonic_ns;
use rustix::fs::{FileType, Mode, OFlags, Stat, fstat, open, stat};
use rustix::io::pread;
use serde::{Deserialize, Serialize};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The name that is checked and opened, and the one it is swapped with.
const NAMES: [&str; 2] = ["config", "other"];
/// Tries while the other process swaps as fast as it can.
const TRIES_FREE: u64 = 20_000;
/// Tries in which the lab has the files swapped once between the two calls.
const TRIES_HELD: u64 = 50;
/// The content of each file is its inode number, so wide.
const WIDTH: usize = 20;
const CASE: &str = "check a file, then use it";

/// In which order a program checks and opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    StatThenOpen,
    OpenThenFstat,
}

impl Form {
    const ALL: [Self; 2] = [Self::StatThenOpen, Self::OpenThenFstat];

    fn word(self) -> &'static str {
        match self {
            Self::StatThenOpen => "stat, then open",
            Self::OpenThenFstat => "open, then fstat",
        }
    }
}

/// What came of the tries.
#[derive(Debug, Serialize, Deserialize)]
struct Raced {
    tries: u64,
    /// Tries in which what was used is not what was checked.
    differed: u64,
    /// Between the two calls, in ns.
    windows: Option<Spread>,
}

/// The rows of both forms, with a free race and with one swap in every window.
pub(super) fn try_all(ground: &Ground<'_>, rows: &mut Rows<'_>) -> Result<(), Interrupted> {
    for form in Form::ALL {
        let setting = format!("{} · swapped at full speed", form.word());
        rows.attempt(CASE, &setting, || race(ground, form))?;
    }
    for form in Form::ALL {
        let setting = format!("{} · one swap in between", form.word());
        rows.attempt(CASE, &setting, || step(ground, form))?;
    }
    Ok(())
}

fn race(ground: &Ground<'_>, form: Form) -> Result<Found, Trouble> {
    let directory = ground.fresh()?;
    make_files(&directory)?;
    let mut exchanger = ground.start(&["exchange", NAMES[0], NAMES[1]], &directory)?;
    exchanger.expect("ready")?;
    let tries = TRIES_FREE.to_string();
    let mut checker = ground.start(&["check-and-open", form.word(), &tries, "free"], &directory)?;
    checker.expect("ready")?;
    let (raced, swaps): (Raced, u64) = exchange::during(&mut exchanger, || {
        checker.tell("go")?;
        checker.answer()
    })?;
    let found = told(form, &raced).count("swaps meanwhile", swaps);
    Ok(found.figure("between the two calls", raced.windows))
}

fn step(ground: &Ground<'_>, form: Form) -> Result<Found, Trouble> {
    let directory = ground.fresh()?;
    make_files(&directory)?;
    let mut exchanger = ground.start(&["exchange", NAMES[0], NAMES[1]], &directory)?;
    exchanger.expect("ready")?;
    let tries = TRIES_HELD.to_string();
    let mut checker = ground.start(&["check-and-open", form.word(), &tries, "held"], &directory)?;
    checker.expect("ready")?;
    checker.tell("go")?;
    for _ in 0..TRIES_HELD {
        checker.expect("between")?;
        exchanger.tell("swap")?;
        exchanger.expect("swapped")?;
        checker.tell("go")?;
    }
    Ok(told(form, &checker.answer()?))
}

fn told(form: Form, raced: &Raced) -> Found {
    let Raced { tries, differed, .. } = raced;
    let meaning = match (form, differed) {
        (_, 0) if form == Form::OpenThenFstat => {
            "What was opened cannot be swapped any more: the check is of the file that is used.".to_owned()
        }
        (Form::StatThenOpen, 0) => {
            "No swap fell between the two calls this time; nothing prevents one.".to_owned()
        }
        (Form::StatThenOpen, _) => format!(
            "In {differed} of {tries} tries the file that was opened is not the one that passed the check."
        ),
        (Form::OpenThenFstat, _) => {
            format!(
                "In {differed} of {tries} tries the descriptor was of another file than checked: a defect."
            )
        }
    };
    Found::meaning(meaning)
        .count("tries", *tries)
        .count("used another file than checked", *differed)
        .count("used the file that was checked", tries - differed)
}

/// Two files of one owner and one size, each holding its own inode number.
fn make_files(directory: &Path) -> Result<(), Trouble> {
    for name in NAMES {
        let path = directory.join(name);
        write(&path, b"")?;
        let inode = path.metadata().map_err(|error| at(&path, &error))?.ino();
        write(&path, format!("{inode:WIDTH$}").as_bytes())?;
    }
    Ok(())
}

/// Plays the program that checks and opens: `FORM TRIES free|held`.
pub(crate) fn run_part(words: &[&str]) -> Result<(), Failure> {
    let [form, tries, pace] = words else { return Err("which form, how often?".into()) };
    let form = Form::ALL.into_iter().find(|known| known.word() == *form).ok_or("no such form")?;
    let tries: u64 = tries.parse()?;
    let held = *pace == "held";
    let own = rustix::process::geteuid().as_raw();
    say("ready")?;
    wait_for_word()?;
    let (mut differed, mut windows) = (0, Vec::new());
    for _ in 0..tries {
        let (checked, used, window) = match form {
            Form::StatThenOpen => {
                let checked = stat(NAMES[0])?;
                let from = monotonic_ns();
                between(held)?;
                let file = open(NAMES[0], OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
                let window = monotonic_ns() - from;
                (checked, file, window)
            }
            Form::OpenThenFstat => {
                let file = open(NAMES[0], OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
                let from = monotonic_ns();
                between(held)?;
                let checked = fstat(&file)?;
                (checked, file, monotonic_ns() - from)
            }
        };
        if !passes(&checked, own) {
            return Err("a file of ours does not pass the check".into());
        }
        // What is read says of itself which file it is.
        let mut content = [0; WIDTH];
        let read = pread(&used, &mut content, 0)?;
        let inode: u64 = std::str::from_utf8(&content[..read])?.trim().parse()?;
        let opened = fstat(&used)?;
        if opened.st_ino != inode {
            return Err("a file does not hold its own number".into());
        }
        differed += u64::from((opened.st_dev, opened.st_ino) != (checked.st_dev, checked.st_ino));
        windows.push(window);
    }
    say_all(&Raced { tries, differed, windows: Spread::of(windows) })
}

/// A regular file of ours of the right size.
fn passes(checked: &Stat, own: u32) -> bool {
    FileType::from_raw_mode(checked.st_mode) == FileType::RegularFile
        && checked.st_uid == own
        && u64::try_from(checked.st_size).is_ok_and(|size| size == WIDTH as u64)
}

fn between(held: bool) -> Result<(), Failure> {
    if held {
        say("between")?;
        wait_for_word()?;
    }
    Ok(())
}
