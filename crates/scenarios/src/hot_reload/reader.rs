//! The part that reloads the configuration: it waits for the watch, then reads
//! by its old handle or by a new one.

use super::content::{self, Got};
use super::editor::NAME;
use super::watch::{Watched, Watcher};
use crate::errno_name::errno_name;
use crate::lines::{Failure, hear, say, say_all, wait_for_word};
use fathom_sys::clock::monotonic_ns;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::OwnedFd;
use rustix::fs::{Mode, OFlags, open};
use rustix::io::{Errno, pread};
use serde::{Deserialize, Serialize};
use std::io;

/// A read that takes longer is counted as blocked.
const BLOCKED_NS: u64 = 1_000_000_000;

/// By what the reader reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Handle {
    /// By a descriptor that it opened before the replacement.
    Held,
    /// By the name, opened each time.
    Anew,
}

impl Handle {
    pub(super) const ALL: [Self; 2] = [Self::Held, Self::Anew];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Held => "old handle",
            Self::Anew => "opened anew",
        }
    }
}

/// What the reader met in one replacement.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Trial {
    /// What it read each time it was woken: `old`, `torn`, `ENOENT`.
    pub(super) woken: Vec<String>,
    /// What it read when all was over.
    pub(super) last: String,
    /// Reads that took longer than a second.
    pub(super) blocked: u64,
    /// The events in order, repetitions left out.
    pub(super) events: Vec<String>,
    /// What became of the watch.
    pub(super) watch: String,
    /// When it was first woken, ns of the monotonic clock.
    pub(super) event_ns: Option<u64>,
    /// When it had the new content.
    pub(super) new_ns: Option<u64>,
    /// How long each read of the whole content took.
    pub(super) reads_ns: Vec<u64>,
}

/// Plays it: `HANDLE WATCHED`; each line is a generation to wait for.
pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    let [handle, watched] = words else { return Err("by what handle, watching what?".into()) };
    let handle = Handle::ALL.into_iter().find(|known| known.word() == *handle).ok_or("no such handle")?;
    let watched = Watched::ALL.into_iter().find(|known| known.word() == *watched).ok_or("no such watch")?;
    let mut watcher = Watcher::new(watched)?;
    say("ready")?;
    while let Some(generation) = hear()? {
        watcher.renew()?;
        let held = match handle {
            Handle::Held => Some(open_config()?),
            Handle::Anew => None,
        };
        let mut reader = Reader { held, generation: generation.parse()?, trial: Trial::default() };
        say("watching")?;
        reader.until_called(&mut watcher)?;
        wait_for_word()?;
        reader.finish(&mut watcher)?;
    }
    Ok(())
}

struct Reader {
    held: Option<OwnedFd>,
    generation: u64,
    trial: Trial,
}

impl Reader {
    /// Reads each time it is woken, until the lab calls.
    fn until_called(&mut self, watcher: &mut Watcher) -> Result<(), Failure> {
        let stdin = io::stdin();
        loop {
            let mut waiting = [PollFd::new(&*watcher, PollFlags::IN), PollFd::new(&stdin, PollFlags::IN)];
            poll(&mut waiting, None)?;
            let [woken, called] = [!waiting[0].revents().is_empty(), !waiting[1].revents().is_empty()];
            if woken {
                let had_new = self.trial.new_ns.is_some();
                self.wake(watcher)?;
                if !had_new && self.trial.new_ns.is_some() {
                    say("new")?;
                }
            } else if called {
                return Ok(());
            }
        }
    }

    fn wake(&mut self, watcher: &mut Watcher) -> Result<(), Failure> {
        let now = monotonic_ns();
        let events = watcher.events()?;
        if events.is_empty() {
            return Ok(());
        }
        for event in events {
            if self.trial.events.last() != Some(&event) {
                self.trial.events.push(event);
            }
        }
        self.trial.event_ns.get_or_insert(now);
        let got = self.read();
        self.trial.woken.push(got);
        Ok(())
    }

    /// What has come meanwhile, and a last look.
    fn finish(mut self, watcher: &mut Watcher) -> Result<(), Failure> {
        self.wake(watcher)?;
        self.trial.last = self.read();
        self.trial.watch = watcher.state().to_owned();
        say_all(&self.trial)
    }

    fn read(&mut self) -> String {
        let from = monotonic_ns();
        let content = match &self.held {
            Some(file) => read_whole(file),
            None => open_config().and_then(|file| read_whole(&file)),
        };
        let to = monotonic_ns();
        self.trial.blocked += u64::from(to - from > BLOCKED_NS);
        match content {
            Ok(bytes) => {
                self.trial.reads_ns.push(to - from);
                let got = content::judge(&bytes, self.generation);
                if got == Got::New {
                    self.trial.new_ns.get_or_insert(to);
                }
                got.word().to_owned()
            }
            Err(errno) => errno_name(errno),
        }
    }
}

fn open_config() -> Result<OwnedFd, Errno> {
    open(NAME, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())
}

/// Everything from the beginning, as a program reads that knows no size.
fn read_whole(file: &OwnedFd) -> Result<Vec<u8>, Errno> {
    let mut bytes = vec![0; content::LENGTH * 2];
    let mut length = 0;
    loop {
        match pread(file, &mut bytes[length..], length as u64)? {
            0 => break,
            read => length += read,
        }
    }
    bytes.truncate(length);
    Ok(bytes)
}
