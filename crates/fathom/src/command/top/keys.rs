//! Keys that are pressed while a view is shown: the terminal gives each at once and does not echo it,
//! until this is dropped.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use std::cell::Cell;
use std::io::{IsTerminal, stdin};
use std::time::Duration;

/// The terminal of standard input.
pub(super) struct Keys {
    before: Termios,
    wants_end: Cell<bool>,
}

impl Keys {
    /// Listens from now on; `None` where standard input is no terminal.
    pub(super) fn listen() -> Option<Self> {
        if !stdin().is_terminal() {
            return None;
        }
        let before = tcgetattr(stdin()).ok()?;
        let mut now = before.clone();
        // Ctrl-C stays a signal.
        now.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
        tcsetattr(stdin(), OptionalActions::Now, &now).ok()?;
        Some(Self { before, wants_end: Cell::new(false) })
    }

    /// True once q was pressed.
    pub(super) fn wants_end(&self) -> bool {
        self.wants_end.get()
    }

    /// Waits for a key, and no longer than this.
    pub(super) fn rest(&self, longest: Duration) {
        let longest = Timespec { tv_sec: 0, tv_nsec: i64::from(longest.subsec_nanos()) };
        let input = stdin();
        // A signal ends it early.
        if let Ok(1..) = poll(&mut [PollFd::new(&input, PollFlags::IN)], Some(&longest)) {
            let mut key = [0; 16];
            match rustix::io::read(&input, &mut key) {
                // The terminal went away.
                Ok(0) | Err(_) => self.wants_end.set(true),
                Ok(pressed) if key[..pressed].iter().any(|key| matches!(key, b'q' | b'Q')) => {
                    self.wants_end.set(true);
                }
                Ok(_) => {}
            }
        }
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // Where it went away there is nothing to be put right.
        let _gone = tcsetattr(stdin(), OptionalActions::Now, &self.before);
    }
}
