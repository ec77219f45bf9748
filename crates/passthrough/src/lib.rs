//! A directory as a far file system: the same files, served through FUSE to whoever has the mount, with a
//! delay for each request that a client would wait for. Mounting is the caller's: a descriptor of `/dev/fuse`
//! that is mounted already is given.
//!
//! **Invariant:** what is counted is what the kernel asked for. A request is answered once it is done and its
//! delay is over; the clock that says how long it was held is the one that holds it.

mod attributes;
mod delay;
mod ground;
mod habits;
mod inodes;
mod server;
mod tally;
mod trial;

pub use ground::{GROUND_WORD, TrialOrder, TrialReply, TrialReport, perform};
pub use habits::{ClientHabits, FlushCharge};
pub use tally::{RequestTally, ServedRequests};
pub use trial::{TrialError, run_trial};

use delay::DelayLine;
use rustix::fd::OwnedFd;
use server::Server;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Serves a directory until it is unmounted.
#[derive(Debug)]
pub struct ServedDirectory {
    tally: Arc<Mutex<ServedRequests>>,
    delays: Arc<DelayLine>,
    over: Receiver<()>,
}

impl ServedDirectory {
    /// Begins to serve the directory of `root` (opened by path alone) on a descriptor of `/dev/fuse` that is
    /// mounted, each request that the habits charge for held for `delay`.
    ///
    /// # Errors
    ///
    /// Those of the kernel's greeting, and of making threads.
    pub fn begin(device: OwnedFd, root: OwnedFd, habits: ClientHabits, delay: Duration) -> io::Result<Self> {
        let tally = Arc::new(Mutex::new(ServedRequests::default()));
        let delays = Arc::new(DelayLine::new(delay, Arc::clone(&tally)));
        let server = Server::new(root, habits, Arc::clone(&delays), Arc::clone(&tally));
        let session =
            fuser::Session::from_fd(server, device, fuser::SessionACL::All, fuser::Config::default())?;
        let (say_over, over) = channel();
        thread::Builder::new().name("fathom-served".to_owned()).spawn(move || {
            // It ends with the mount; whoever waits sees that by the channel.
            let _ended = session.run();
            drop(say_over);
        })?;
        Ok(Self { tally, delays, over })
    }

    /// Forgets what was asked for until now.
    pub(crate) fn count_from_now(&self) {
        *self.tally.lock().unwrap_or_else(PoisonError::into_inner) = ServedRequests::default();
    }

    /// Waits until it is unmounted, at most so long, and tells what was asked for. `None` when it is
    /// mounted still.
    pub fn finish(self, limit: Duration) -> Option<ServedRequests> {
        let ended = self.over.recv_timeout(limit);
        self.delays.stop();
        match ended {
            Err(RecvTimeoutError::Timeout) => None,
            Ok(()) | Err(RecvTimeoutError::Disconnected) => {
                Some(self.tally.lock().map(|tally| tally.clone()).unwrap_or_default())
            }
        }
    }
}
