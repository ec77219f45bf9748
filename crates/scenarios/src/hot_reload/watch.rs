//! A watch on the configuration, or on its directory (inotify).

use super::editor::NAME;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init, remove_watch};
use rustix::fs::stat;
use rustix::io::Errno;
use std::mem::MaybeUninit;

/// The kernel took the watch away with the file.
pub(super) const DEAD: &str = "dead";
/// The watch is on a file that the name leads to no more.
pub(super) const LEFT_BEHIND: &str = "left behind";
const ALIVE: &str = "alive";

/// What is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Watched {
    File,
    Directory,
}

impl Watched {
    pub(super) const ALL: [Self; 2] = [Self::File, Self::Directory];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Directory => "directory",
        }
    }

    fn path(self) -> &'static str {
        match self {
            Self::File => NAME,
            Self::Directory => ".",
        }
    }
}

/// A watch, what happened, and in a directory the name it happened to.
type RawEvent = (i32, ReadFlags, Option<Vec<u8>>);

/// One watch at a time; a file is watched anew for every trial.
#[derive(Debug)]
pub(super) struct Watcher {
    inotify: OwnedFd,
    watched: Watched,
    number: i32,
    identity: (u64, u64),
    dead: bool,
}

impl Watcher {
    /// Sets the watch.
    pub(super) fn new(watched: Watched) -> Result<Self, Errno> {
        let inotify = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        let mut watcher = Self { inotify, watched, number: -1, identity: (0, 0), dead: false };
        watcher.set()?;
        Ok(watcher)
    }

    /// Sets it anew, on what the name leads to now; events of before are dropped.
    pub(super) fn renew(&mut self) -> Result<(), Errno> {
        // A dead one is gone already.
        let _gone_already = remove_watch(&self.inotify, self.number);
        while !self.read_all()?.is_empty() {}
        self.set()
    }

    fn set(&mut self) -> Result<(), Errno> {
        // Not opening and reading: those would be our own.
        let changes = WatchFlags::MODIFY
            | WatchFlags::ATTRIB
            | WatchFlags::CLOSE_WRITE
            | WatchFlags::MOVE
            | WatchFlags::CREATE
            | WatchFlags::DELETE
            | WatchFlags::DELETE_SELF
            | WatchFlags::MOVE_SELF;
        self.number = add_watch(&self.inotify, self.watched.path(), changes)?;
        self.identity = stat(self.watched.path()).map(|file| (file.st_dev, file.st_ino))?;
        self.dead = false;
        Ok(())
    }

    /// The events of the configuration that are there, by name, in order.
    pub(super) fn events(&mut self) -> Result<Vec<String>, Errno> {
        let all = self.read_all()?;
        let ours = all.into_iter().filter(|(number, ..)| *number == self.number);
        let mut names = Vec::new();
        for (_, events, of) in ours {
            self.dead |= events.contains(ReadFlags::IGNORED);
            if of.is_none_or(|name| name == NAME.as_bytes()) {
                names.push(name_of(events));
            }
        }
        Ok(names)
    }

    /// What became of the watch.
    pub(super) fn state(&self) -> &'static str {
        let now = stat(self.watched.path()).map(|file| (file.st_dev, file.st_ino));
        match now {
            _ if self.dead => DEAD,
            Ok(identity) if identity == self.identity => ALIVE,
            _ => LEFT_BEHIND,
        }
    }

    /// The events that are there; none when there are none.
    fn read_all(&self) -> Result<Vec<RawEvent>, Errno> {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut reader = Reader::new(&self.inotify, &mut buffer);
        let mut all = Vec::new();
        loop {
            match reader.next() {
                Ok(event) => {
                    let name = event.file_name().map(|name| name.to_bytes().to_vec());
                    all.push((event.wd(), event.events(), name));
                }
                Err(Errno::AGAIN) => return Ok(all),
                Err(errno) => return Err(errno),
            }
        }
    }
}

impl AsFd for Watcher {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.inotify.as_fd()
    }
}

fn name_of(events: ReadFlags) -> String {
    const NAMES: [(ReadFlags, &str); 11] = [
        (ReadFlags::MODIFY, "IN_MODIFY"),
        (ReadFlags::ATTRIB, "IN_ATTRIB"),
        (ReadFlags::CLOSE_WRITE, "IN_CLOSE_WRITE"),
        (ReadFlags::MOVED_FROM, "IN_MOVED_FROM"),
        (ReadFlags::MOVED_TO, "IN_MOVED_TO"),
        (ReadFlags::CREATE, "IN_CREATE"),
        (ReadFlags::DELETE, "IN_DELETE"),
        (ReadFlags::DELETE_SELF, "IN_DELETE_SELF"),
        (ReadFlags::MOVE_SELF, "IN_MOVE_SELF"),
        (ReadFlags::IGNORED, "IN_IGNORED"),
        (ReadFlags::QUEUE_OVERFLOW, "IN_Q_OVERFLOW"),
    ];
    let names: Vec<_> =
        NAMES.into_iter().filter(|(flag, _)| events.contains(*flag)).map(|(_, name)| name).collect();
    if names.is_empty() { format!("{:#x}", events.bits()) } else { names.join("|") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_have_the_names_of_the_manual() {
        assert_eq!(name_of(ReadFlags::MOVED_TO), "IN_MOVED_TO");
        assert_eq!(name_of(ReadFlags::ATTRIB | ReadFlags::ISDIR), "IN_ATTRIB");
        assert_eq!(name_of(ReadFlags::UNMOUNT), "0x2000");
    }
}
