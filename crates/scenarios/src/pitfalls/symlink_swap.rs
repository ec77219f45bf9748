//! Somebody with rights reads a file for a user who may put a symbolic link in
//! the file's place, or in the place of its directory.

use super::exchange;
use crate::Interrupted;
use crate::errno_name::errno_name;
use crate::ground::{Ground, at, make_directory, set_mode, write};
use crate::lines::{Failure, say, say_all, wait_for_word};
use crate::performer::{Account, Trouble};
use crate::rows::{Found, Rows};
use rustix::fd::OwnedFd;
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, open, openat2};
use rustix::io::{Errno, read};
use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::path::Path;

/// Reads of one row.
const READS: u64 = 4000;
/// The reader lets the other process run so often, on a machine with one CPU too.
const READS_PER_TURN: u64 = 50;
const PUBLIC: &str = "the user's file";
const SECRET: &str = "the secret";

/// What the user swaps for a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    File,
    Directory,
}

/// How the file is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Plain,
    NoFollow,
    NoSymlinks,
    Beneath,
}

impl Target {
    const ALL: [Self; 2] = [Self::File, Self::Directory];

    fn case(self) -> &'static str {
        match self {
            Self::File => "read home/conf.d/config for a user who swaps the file for a link",
            Self::Directory => "read home/conf.d/config for a user who swaps the directory for a link",
        }
    }
}

impl Way {
    const ALL: [Self; 4] = [Self::Plain, Self::NoFollow, Self::NoSymlinks, Self::Beneath];

    fn word(self) -> &'static str {
        match self {
            Self::Plain => "open",
            Self::NoFollow => "open O_NOFOLLOW",
            Self::NoSymlinks => "openat2 RESOLVE_NO_SYMLINKS",
            Self::Beneath => "openat2 RESOLVE_BENEATH",
        }
    }

    /// Opens the user's file; `home` is what the link must not lead out of.
    fn open(self, home: &OwnedFd) -> Result<OwnedFd, Errno> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let path = "home/conf.d/config";
        match self {
            Self::Plain => open(path, flags, Mode::empty()),
            Self::NoFollow => open(path, flags | OFlags::NOFOLLOW, Mode::empty()),
            Self::NoSymlinks => openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS),
            Self::Beneath => openat2(home, "conf.d/config", flags, Mode::empty(), ResolveFlags::BENEATH),
        }
    }
}

/// The rows of every way against both attacks.
pub(super) fn try_all(ground: &Ground<'_>, rows: &mut Rows<'_>) -> Result<(), Interrupted> {
    for target in Target::ALL {
        for way in Way::ALL {
            rows.attempt(target.case(), way.word(), || attack(ground, target, way))?;
        }
    }
    Ok(())
}

fn attack(ground: &Ground<'_>, target: Target, way: Way) -> Result<Found, Trouble> {
    let nobody = Account::nobody();
    let directory = ground.fresh()?;
    make_files(&directory, target, nobody)?;
    let home = directory.join("home");
    let (inside, names) = match target {
        Target::File => (home.join("conf.d"), ["config", "link"]),
        Target::Directory => (home, ["conf.d", "link"]),
    };
    let mut user = ground.start_as(nobody, &["exchange", names[0], names[1]], &inside)?;
    user.expect("ready")?;
    let mut reader = ground.start(&["read-for-user", way.word()], &directory)?;
    reader.expect("ready")?;
    let (read, swaps): (BTreeMap<String, u64>, u64) = exchange::during(&mut user, || {
        reader.tell("go")?;
        reader.answer()
    })?;
    Ok(told(target, way, nobody, &read)?.count("swaps meanwhile", swaps))
}

fn told(
    target: Target,
    way: Way,
    nobody: Option<Account>,
    read: &BTreeMap<String, u64>,
) -> Result<Found, Trouble> {
    if read.len() == 1 && (read.contains_key("ENOSYS") || read.contains_key("EPERM")) {
        return Err(Trouble::Failed("openat2 is not to be had here".to_owned()));
    }
    let who = match nobody {
        Some(_) => "root for nobody, who may not read it",
        None => "a process for another of the same user (the rights differ only when we are root)",
    };
    let leaks = read.get(SECRET).copied().unwrap_or(0);
    let count = |what: &str| read.get(what).copied().unwrap_or(0);
    let meaning = match (way, target, leaks) {
        (_, _, 0) if count(PUBLIC) == read.values().sum::<u64>() => {
            "The link was never met this time, so this says nothing.".to_owned()
        }
        (Way::Plain, _, 1..) => format!("The link is followed: the secret was read by {who}."),
        (Way::NoFollow, Target::Directory, 1..) => {
            format!("O_NOFOLLOW looks at the last name only: the secret was read by {who}.")
        }
        (Way::NoFollow | Way::NoSymlinks, _, 0) => "The link is refused with ELOOP.".to_owned(),
        (Way::Beneath, _, 0) => {
            let again =
                if count("EAGAIN") > 0 { "; EAGAIN asks to try again, as names moved meanwhile" } else { "" };
            format!("A link that leads out of the directory is refused with EXDEV{again}.")
        }
        (Way::Plain, _, 0) => "The link was met and could not be followed.".to_owned(),
        (_, _, 1..) => {
            format!("The secret was read by {who}, which this way should have prevented: a defect.")
        }
    };
    let errors: BTreeMap<&String, &u64> =
        read.iter().filter(|(what, _)| *what != PUBLIC && *what != SECRET).collect();
    let found = Found::meaning(meaning).count(SECRET, leaks).count(PUBLIC, count(PUBLIC));
    Ok(found.counts(errors))
}

/// `home` is the user's; `private` is not.
fn make_files(directory: &Path, target: Target, user: Option<Account>) -> Result<(), Trouble> {
    let (home, private) = (directory.join("home"), directory.join("private"));
    let conf = home.join("conf.d");
    [&home, &conf, &private].into_iter().try_for_each(|path| make_directory(path))?;
    write(&conf.join("config"), PUBLIC.as_bytes())?;
    write(&private.join("config"), SECRET.as_bytes())?;
    set_mode(&private.join("config"), 0o600)?;
    set_mode(&private, 0o700)?;
    let (link, to) = match target {
        Target::File => (conf.join("link"), "../../private/config"),
        Target::Directory => (home.join("link"), "../private"),
    };
    symlink(to, &link).map_err(|error| at(&link, &error))?;
    match user {
        Some(user) => [home, conf.clone(), conf.join("config")].iter().try_for_each(|path| user.own(path)),
        None => Ok(()),
    }
}

/// Plays the reader: `WAY`. It counts what it read, or the error.
pub(crate) fn read_for_user(words: &[&str]) -> Result<(), Failure> {
    let [way] = words else { return Err("which way?".into()) };
    let way = Way::ALL.into_iter().find(|known| known.word() == *way).ok_or("no such way")?;
    let home = open("home", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    say("ready")?;
    wait_for_word()?;
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for number in 0..READS {
        if number % READS_PER_TURN == 0 {
            rustix::thread::sched_yield();
        }
        let mut content = [0; 64];
        let what = match way.open(&home).and_then(|file| read(&file, &mut content)) {
            Ok(length) => String::from_utf8_lossy(&content[..length]).into_owned(),
            Err(errno) => errno_name(errno),
        };
        *counts.entry(what).or_default() += 1;
    }
    say_all(&counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(counts: &[(&str, u64)]) -> BTreeMap<String, u64> {
        counts.iter().map(|&(what, n)| (what.to_owned(), n)).collect()
    }

    #[test]
    fn a_kernel_without_openat2_is_a_reason_and_not_a_refusal() {
        assert!(told(Target::File, Way::NoSymlinks, None, &read(&[("ENOSYS", READS)])).is_err());
        assert!(told(Target::File, Way::NoSymlinks, None, &read(&[("ELOOP", 1), (PUBLIC, 1)])).is_ok());
    }

    #[test]
    fn a_link_in_the_users_place_is_followed_by_the_plain_open_alone() {
        let place = tempfile::tempdir().unwrap();
        make_files(place.path(), Target::Directory, None).unwrap();
        let home = place.path().join("home");
        std::fs::rename(home.join("conf.d"), home.join("moved")).unwrap();
        std::fs::rename(home.join("link"), home.join("conf.d")).unwrap();
        assert_eq!(std::fs::read_to_string(home.join("conf.d/config")).unwrap(), SECRET);
        let beneath = Way::Beneath.open(&std::fs::File::open(&home).unwrap().into());
        assert!(matches!(beneath, Err(Errno::XDEV | Errno::NOSYS)), "{beneath:?}");
    }
}
