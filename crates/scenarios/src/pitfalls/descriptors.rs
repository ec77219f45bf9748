//! Opens without a close until no descriptor is left, and descriptors that a
//! program started by us inherits.

use crate::Interrupted;
use crate::errno_name::errno_name;
use crate::ground::{Ground, write};
use crate::lines::{Failure, say_all};
use crate::performer::{ACTOR_WORD, SELF};
use crate::rows::{Found, Rows};
use rustix::fd::OwnedFd;
use rustix::fs::{Mode, OFlags, fstat, open, stat};
use rustix::io::{Errno, dup};
use rustix::process::{Resource, Rlimit, setrlimit};
use serde::{Deserialize, Serialize};
use std::process::{Command, Stdio};

/// Descriptors that the process may have: few, so that it is over soon.
const LIMIT: u64 = 256;
/// Descriptors left open when another program is started.
const LEFT_OPEN: u64 = 10;
const FILE: &str = "file";

/// How the descriptors of a process ran out.
#[derive(Debug, Serialize, Deserialize)]
struct Exhausted {
    held_before: u64,
    opened: u64,
    errno: String,
    pipe: String,
    duplicate: String,
    opened_after_close: u64,
    errno_after_close: String,
}

/// The rows of both.
pub(super) fn try_all(ground: &Ground<'_>, rows: &mut Rows<'_>) -> Result<(), Interrupted> {
    let setting = format!("at most {LIMIT} descriptors (RLIMIT_NOFILE)");
    rows.attempt("open without close", &setting, || {
        let directory = ground.fresh()?;
        write(&directory.join(FILE), b"content")?;
        let out: Exhausted = ground.start(&["exhaust-descriptors"], &directory)?.answer()?;
        Ok(exhausted(&out))
    })?;
    for flag in ["with O_CLOEXEC", "without O_CLOEXEC"] {
        rows.attempt("descriptors in a program started meanwhile", flag, || {
            let directory = ground.fresh()?;
            write(&directory.join(FILE), b"content")?;
            let inherited: u64 = ground.start(&["inherit-descriptors", flag], &directory)?.answer()?;
            Ok(leaked(inherited))
        })?;
    }
    Ok(())
}

fn exhausted(out: &Exhausted) -> Found {
    let Exhausted { held_before, opened, errno, opened_after_close, errno_after_close, .. } = out;
    let meaning = format!(
        "Open number {} fails with {errno}, and with it whatever needs a descriptor (pipe: {}, dup: {}); one \
         close makes room for {opened_after_close} open, and the next fails with {errno_after_close} again.",
        opened + 1,
        out.pipe,
        out.duplicate,
    );
    Found::meaning(meaning)
        .count("held before", *held_before)
        .count("opened", *opened)
        .count(errno.clone(), 1)
        .count("opened after one close", *opened_after_close)
}

fn leaked(inherited: u64) -> Found {
    let meaning = if inherited == 0 {
        "None of the open files is seen by the program that exec started."
    } else {
        "The program that exec started holds our open files, and can read them whatever their modes say."
    };
    Found::meaning(meaning).count("open before", LEFT_OPEN).count("open in the new program", inherited)
}

/// Plays the process whose descriptors run out.
pub(crate) fn exhaust() -> Result<(), Failure> {
    let held_before = own_descriptors()?;
    setrlimit(Resource::Nofile, Rlimit { current: Some(LIMIT), maximum: Some(LIMIT) })?;
    let mut files = Vec::new();
    let errno = open_until_refused(&mut files);
    let opened = files.len() as u64;
    let Some(last) = files.pop() else { return Err(format!("the first open failed: {errno}").into()) };
    let pipe = rustix::pipe::pipe().err().map_or("works".to_owned(), errno_name);
    let duplicate = dup(&last).err().map_or("works".to_owned(), errno_name);
    drop(last);
    let before = files.len();
    let again = open_until_refused(&mut files);
    say_all(&Exhausted {
        held_before,
        opened,
        errno: errno_name(errno),
        pipe,
        duplicate,
        opened_after_close: (files.len() - before) as u64,
        errno_after_close: errno_name(again),
    })
}

fn open_until_refused(files: &mut Vec<OwnedFd>) -> Errno {
    loop {
        match open(FILE, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()) {
            Ok(file) => files.push(file),
            Err(errno) => return errno,
        }
    }
}

/// The descriptors of this process, without the one that lists them.
fn own_descriptors() -> Result<u64, Failure> {
    let listed = std::fs::read_dir("/proc/self/fd")?.count() as u64;
    Ok(listed - 1)
}

/// Plays the process that starts a program while files are open; it says what
/// that program found.
pub(crate) fn inherit(words: &[&str]) -> Result<(), Failure> {
    let flag = match words {
        ["with O_CLOEXEC"] => OFlags::CLOEXEC,
        ["without O_CLOEXEC"] => OFlags::empty(),
        _ => return Err("with which flag?".into()),
    };
    let files: Vec<OwnedFd> =
        (0..LEFT_OPEN).map(|_| open(FILE, OFlags::RDONLY | flag, Mode::empty())).collect::<Result<_, _>>()?;
    say_all(&count_in_new_program(&files[0])?)
}

/// How many descriptors of this file a program has that we start now.
pub(crate) fn count_in_new_program(file: &OwnedFd) -> Result<u64, Failure> {
    let identity = fstat(file).map(|file| (file.st_dev.to_string(), file.st_ino.to_string()))?;
    let output = Command::new("/proc/self/exe")
        .args([ACTOR_WORD, SELF, "count-inherited", &identity.0, &identity.1])
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    Ok(String::from_utf8(output.stdout)?.trim().parse()?)
}

/// Plays the program that was started: how many of its descriptors are this file.
pub(crate) fn count_inherited(words: &[&str]) -> Result<(), Failure> {
    let [device, inode] = words else { return Err("which file?".into()) };
    let wanted: (u64, u64) = (device.parse()?, inode.parse()?);
    let mut count: u64 = 0;
    for entry in std::fs::read_dir("/proc/self/fd")? {
        let found = stat(entry?.path());
        count += u64::from(found.is_ok_and(|file| (file.st_dev, file.st_ino) == wanted));
    }
    say_all(&count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_lab::Silent;

    #[test]
    fn what_is_told_names_the_open_that_failed() {
        let out = Exhausted {
            held_before: 3,
            opened: 253,
            errno: "EMFILE".to_owned(),
            pipe: "EMFILE".to_owned(),
            duplicate: "EMFILE".to_owned(),
            opened_after_close: 1,
            errno_after_close: "EMFILE".to_owned(),
        };
        let mut silent = Silent;
        let mut rows = Rows::new(&mut silent);
        rows.add("case", "setting", Ok(exhausted(&out))).unwrap();
        let outcome = rows.into_outcomes().remove(0);
        assert!(outcome.meaning.starts_with("Open number 254 fails with EMFILE"), "{}", outcome.meaning);
        assert_eq!((outcome.count("opened"), outcome.count("EMFILE")), (253, 1));
    }
}
