//! What a reader may do against old, half written and blocking files, each tried
//! where the editor stands still halfway: chance has no part in it.

use super::content::{self, Got};
use super::editor::{NAME, Way, replace_halfway};
use crate::Interrupted;
use crate::errno_name::errno_name;
use crate::go_program;
use crate::ground::Ground;
use crate::lines::{Failure, hear, say, wait_for_word};
use crate::performer::{Performer, Trouble};
use crate::rows::{Found, Rows};
use rustix::fd::OwnedFd;
use rustix::fs::{CWD, FileType, Mode, OFlags, fstat, mkfifoat, open, stat};
use rustix::io::{Errno, read};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::sync::mpsc;
use std::time::Duration;

/// Replacements of one row.
const TRIES: u64 = 20;
/// How long a reader with a time limit waits.
const TIME_LIMIT: Duration = Duration::from_millis(300);
/// A reader that is silent so long waits for a writer that never comes.
const SILENCE: Duration = Duration::from_secs(3);
/// Said of content that the reader does not take.
const REFUSED: &str = "refused";
/// Said of a read that took longer than its limit.
const GIVEN_UP: &str = "given up";

/// What stands under the name when the reader comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scene {
    Replaced(Way),
    /// A named pipe into which nobody writes.
    Pipe,
}

/// What a reader does against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Remedy {
    None,
    StatFirst,
    SameInode,
    TimeLimit,
    NoWaiting,
    Checksum,
}

impl Scene {
    const ALL: [Self; 5] = [
        Self::Replaced(Way::RenameOver),
        Self::Replaced(Way::RenameAway),
        Self::Replaced(Way::Truncate),
        Self::Replaced(Way::Overwrite),
        Self::Pipe,
    ];

    fn word(self) -> &'static str {
        match self {
            Self::Replaced(Way::RenameOver) => "reload while a file is written to be renamed over it",
            Self::Replaced(Way::RenameAway) => "reload while its name is created again",
            Self::Replaced(Way::Truncate) => "reload while it is cut and rewritten in place",
            Self::Replaced(Way::Overwrite) => "reload while it is written over in place",
            Self::Pipe => "reload while a pipe has its name",
        }
    }

    /// A reader that blocks once has blocked.
    fn tries(self) -> u64 {
        if self == Self::Pipe { 1 } else { TRIES }
    }
}

impl Remedy {
    const ALL: [Self; 6] =
        [Self::None, Self::StatFirst, Self::SameInode, Self::TimeLimit, Self::NoWaiting, Self::Checksum];

    fn word(self) -> &'static str {
        match self {
            Self::None => "opened at the event, read",
            Self::StatFirst => "stat first: a regular file",
            Self::SameInode => "afterwards: the name still leads to the file that was read",
            Self::TimeLimit => "a time limit, in a thread of its own",
            Self::NoWaiting => "opened with O_NONBLOCK, then fstat: a regular file",
            Self::Checksum => "the checksum that the content carries",
        }
    }
}

/// Tries every remedy in every scene.
pub(super) fn try_all(ground: &Ground<'_>, rows: &mut Rows<'_>) -> Result<(), Interrupted> {
    for scene in Scene::ALL {
        for remedy in Remedy::ALL {
            rows.attempt(scene.word(), remedy.word(), || reload_often(ground, scene, remedy))?;
        }
    }
    rows.attempt(Scene::Pipe.word(), "Go: context.WithTimeout, in a goroutine of its own", || {
        await_in_go(ground)
    })
}

/// What the part in Go says of a pipe into which nobody writes.
#[derive(Debug, Deserialize)]
struct Awaited {
    given_up: u64,
    goroutines: u64,
}

fn await_in_go(ground: &Ground<'_>) -> Result<Found, Trouble> {
    let directory = ground.fresh()?;
    mkfifoat(CWD, directory.join(NAME), Mode::RUSR | Mode::WUSR)
        .map_err(|errno| Trouble::Failed(format!("mkfifo: {}", errno_name(errno))))?;
    let Awaited { given_up, goroutines } = go_program::start(ground, &["await"], &directory)?.answer()?;
    let middle = BTreeMap::from([(GIVEN_UP.to_owned(), given_up)]);
    Ok(found(Scene::Pipe, &middle, &BTreeMap::new(), goroutines))
}

fn reload_often(ground: &Ground<'_>, scene: Scene, remedy: Remedy) -> Result<Found, Trouble> {
    let directory = ground.fresh()?;
    let mut editor = ground.start(&["edit-halfway", scene.word()], &directory)?;
    editor.expect("ready")?;
    let mut reader = ground.start(&["reload-once", remedy.word()], &directory)?;
    let (mut middle, mut after) = (BTreeMap::new(), BTreeMap::new());
    let mut threads = 0;
    for generation in 1..=scene.tries() {
        editor.tell(&generation.to_string())?;
        editor.expect("halfway")?;
        let (got, left_behind) = ask(&mut reader, generation)?;
        threads += left_behind;
        *middle.entry(got.clone()).or_insert(0) += 1;
        editor.tell("go on")?;
        editor.expect("replaced")?;
        if got == "blocked" {
            break;
        }
        *after.entry(ask(&mut reader, generation)?.0).or_insert(0) += 1;
    }
    Ok(found(scene, &middle, &after, threads))
}

/// What the reader got, and how many of its threads still wait.
fn ask(reader: &mut Performer<'_>, generation: u64) -> Result<(String, u64), Trouble> {
    reader.tell(&generation.to_string())?;
    let Some(line) = reader.hear_within(SILENCE)? else { return Ok(("blocked".to_owned(), 0)) };
    let (threads, got) = line.split_once(' ').unwrap_or(("0", &line));
    Ok((got.to_owned(), threads.parse().unwrap_or(0)))
}

fn found(scene: Scene, middle: &BTreeMap<String, u64>, after: &BTreeMap<String, u64>, threads: u64) -> Found {
    let of = |all: &BTreeMap<String, u64>, what: &str| all.get(what).copied().unwrap_or(0);
    let met: Vec<&str> = middle.keys().map(String::as_str).collect();
    let half = of(middle, "torn") + of(middle, "empty");
    let meaning = if of(middle, "blocked") > 0 {
        "The reader waits for a writer that never comes.".to_owned()
    } else if half > 0 {
        "Half a file is taken for the whole.".to_owned()
    } else if threads > 0 {
        "The reader goes on, and what reads waits for ever.".to_owned()
    } else {
        format!("Nothing half written is taken; in the middle: {}.", met.join(", "))
    };
    let mut found = Found::meaning(meaning).count("tries", scene.tries());
    for what in ["old", "torn", "empty", "blocked", REFUSED] {
        found = found.count(format!("in the middle: {what}"), of(middle, what));
    }
    let known = ["old", "torn", "empty", "blocked", REFUSED];
    for (what, n) in middle.iter().filter(|(what, _)| !known.contains(&what.as_str())) {
        found = found.count(format!("in the middle: {what}"), *n);
    }
    for (what, n) in after {
        found = found.count(format!("afterwards: {what}"), *n);
    }
    found.count("left waiting", threads)
}

/// Plays the editor that stands still halfway: `SCENE`; each line is a generation.
pub(crate) fn edit(words: &[&str]) -> Result<(), Failure> {
    let [scene] = words else { return Err("which scene?".into()) };
    let scene = Scene::ALL.into_iter().find(|known| known.word() == *scene).ok_or("no such scene")?;
    fs::write(NAME, content::make(0))?;
    say("ready")?;
    while let Some(generation) = hear()? {
        let content = content::make(generation.parse()?);
        let mut halfway = || say("halfway").and_then(|()| wait_for_word());
        match scene {
            Scene::Replaced(way) => replace_halfway(way, &content, &mut halfway)?,
            Scene::Pipe => {
                mkfifoat(CWD, "pipe", Mode::RUSR | Mode::WUSR)?;
                fs::rename("pipe", NAME)?;
                halfway()?;
                replace_halfway(Way::RenameOver, &content, &mut || Ok(()))?;
            }
        }
        say("replaced")?;
    }
    Ok(())
}

/// Plays the reader: `REMEDY`; each line is the generation that is being written. It
/// says how many of its threads wait, and what it got.
pub(crate) fn reload(words: &[&str]) -> Result<(), Failure> {
    let [remedy] = words else { return Err("which remedy?".into()) };
    let remedy = Remedy::ALL.into_iter().find(|known| known.word() == *remedy).ok_or("no such remedy")?;
    while let Some(generation) = hear()? {
        let generation: u64 = generation.parse()?;
        let got = if remedy == Remedy::TimeLimit {
            let (send, receive) = mpsc::channel();
            std::thread::Builder::new().spawn(move || {
                let _nobody_waits = send.send(take(remedy, generation));
            })?;
            receive.recv_timeout(TIME_LIMIT).unwrap_or_else(|_| GIVEN_UP.to_owned())
        } else {
            take(remedy, generation)
        };
        let threads = if got == GIVEN_UP { fs::read_dir("/proc/self/task")?.count() - 1 } else { 0 };
        say(&format!("{threads} {got}"))?;
    }
    Ok(())
}

/// What a reload with this remedy takes for the configuration.
fn take(remedy: Remedy, generation: u64) -> String {
    match read_with(remedy) {
        Ok(Some(bytes)) => {
            let got = content::judge(&bytes, generation);
            let is_whole = matches!(got, Got::New | Got::Old);
            if remedy == Remedy::Checksum && !is_whole { REFUSED } else { got.word() }.to_owned()
        }
        Ok(None) => REFUSED.to_owned(),
        Err(errno) => errno_name(errno),
    }
}

/// The bytes, or none where the reader refuses them.
fn read_with(remedy: Remedy) -> Result<Option<Vec<u8>>, Errno> {
    if remedy == Remedy::StatFirst && !is_regular(stat(NAME)?.st_mode) {
        return Ok(None);
    }
    let waiting = if remedy == Remedy::NoWaiting { OFlags::NONBLOCK } else { OFlags::empty() };
    let file = open(NAME, OFlags::RDONLY | OFlags::CLOEXEC | waiting, Mode::empty())?;
    if remedy == Remedy::NoWaiting && !is_regular(fstat(&file)?.st_mode) {
        return Ok(None);
    }
    let bytes = read_all(&file)?;
    if remedy == Remedy::SameInode && fstat(&file)?.st_ino != stat(NAME)?.st_ino {
        return Ok(None);
    }
    Ok(Some(bytes))
}

fn is_regular(mode: u32) -> bool {
    FileType::from_raw_mode(mode) == FileType::RegularFile
}

fn read_all(file: &OwnedFd) -> Result<Vec<u8>, Errno> {
    let mut bytes = vec![0; content::LENGTH * 2];
    let mut length = 0;
    loop {
        match read(file, &mut bytes[length..])? {
            0 => break,
            read => length += read,
        }
    }
    bytes.truncate(length);
    Ok(bytes)
}
