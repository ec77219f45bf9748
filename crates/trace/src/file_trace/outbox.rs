//! Events on their way from the tracer's thread to the one that judges them: in
//! batches, so that the program waits for neither, with the paths that are new.

use super::ring::Observed;
use fathom_events::{FileEvent, PathTable, RunningProcess};
use std::ffi::OsStr;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

/// Events with the paths that no batch before had.
#[derive(Debug, Default)]
pub(super) struct Batch {
    paths: Vec<Arc<OsStr>>,
    events: Vec<FileEvent>,
    /// Processes that were met before the event of this number, which the batch may not have.
    met: Vec<(usize, RunningProcess)>,
}

/// Collects events and sends them off.
#[derive(Debug)]
pub(super) struct Outbox {
    sender: SyncSender<Batch>,
    batch: Batch,
    paths_sent: usize,
    events: u64,
    /// Who says that a batch was dealt with, where that is waited for, and how many were not.
    dealt_with: Option<Receiver<()>>,
    outstanding: usize,
}

/// The other end.
#[derive(Debug)]
pub(super) struct Inbox {
    receiver: Receiver<Batch>,
    dealt_with: Option<Sender<()>>,
}

const BATCH_EVENTS: usize = 512;
/// Events that came so long after the first of their batch take it with them.
const BATCH_TIME_NS: u64 = 50_000_000;
/// So far the tracer may be ahead: beyond it waits, and the program with it.
const BATCHES_AHEAD: usize = 64;

/// Both ends of a queue; where it `settles`, [`Outbox::settle`] waits for the other end.
pub(super) fn queue(settles: bool) -> (Outbox, Inbox) {
    let (sender, receiver) = sync_channel(BATCHES_AHEAD);
    let (said, dealt_with) = settles.then(channel).unzip();
    let batch = Batch::default();
    let outbox = Outbox { sender, batch, paths_sent: 0, events: 0, dealt_with, outstanding: 0 };
    (outbox, Inbox { receiver, dealt_with: said })
}

impl Outbox {
    /// Takes an event, whose paths are of this table.
    pub(super) fn push(&mut self, event: FileEvent, paths: &PathTable) {
        self.events += 1;
        let first_ns = self.batch.events.first().map_or(event.at_ns, |first| first.at_ns);
        let is_late = event.at_ns.saturating_sub(first_ns) > BATCH_TIME_NS;
        self.batch.events.push(event);
        if is_late || self.batch.events.len() >= BATCH_EVENTS {
            self.send(paths);
        }
    }

    /// Takes a process that ran before, or came in.
    pub(super) fn meet(&mut self, running: RunningProcess) {
        self.batch.met.push((self.batch.events.len(), running));
    }

    /// Waits until all batches that were sent are dealt with, so that nobody works while the program does.
    pub(super) fn settle(&mut self) {
        let Some(dealt_with) = &self.dealt_with else { return };
        while self.outstanding > 0 && dealt_with.recv().is_ok() {
            self.outstanding -= 1;
        }
    }

    /// Sends the rest. Returns how many events there were.
    pub(super) fn finish(mut self, paths: &PathTable) -> u64 {
        self.send(paths);
        self.events
    }

    fn send(&mut self, paths: &PathTable) {
        self.batch.paths = paths.shared_from(self.paths_sent).cloned().collect();
        self.paths_sent = paths.len();
        let empty = Batch { events: Vec::with_capacity(BATCH_EVENTS), ..Batch::default() };
        let batch = std::mem::replace(&mut self.batch, empty);
        // Whoever listens may have given up; the program runs on to its end.
        let is_sent = self.sender.send(batch).is_ok();
        self.outstanding += usize::from(is_sent && self.dealt_with.is_some());
    }
}

impl Inbox {
    /// Hands every event on until there is no sender any more.
    pub(super) fn deliver(self, sink: &mut dyn FnMut(FileEvent, &PathTable)) {
        self.deliver_observed(&mut |observed| {
            if let Observed::Event(event, paths) = observed {
                sink(event, paths);
            }
        });
    }

    /// The same with the processes that were met, in their order.
    pub(super) fn deliver_observed(self, sink: &mut dyn FnMut(Observed<'_>)) {
        let mut paths = PathTable::new();
        for batch in self.receiver {
            for path in batch.paths {
                // All are new, and their numbers are those that the other table gave.
                paths.append_shared(path);
            }
            let mut met = batch.met.into_iter().peekable();
            for (number, event) in batch.events.into_iter().enumerate() {
                while let Some((_, running)) = met.next_if(|(before, _)| *before <= number) {
                    sink(Observed::Process(&running));
                }
                sink(Observed::Event(event, &paths));
            }
            met.for_each(|(_, running)| sink(Observed::Process(&running)));
            if let Some(dealt_with) = &self.dealt_with {
                // Nobody waits any more at the end.
                let _ = dealt_with.send(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_events::{CallOutcome, FileAction, Target};

    fn event(at_ns: u64, action: FileAction) -> FileEvent {
        FileEvent {
            at_ns,
            process: 1,
            thread: 1,
            call: "execve",
            action,
            outcome: CallOutcome::Value(0),
            took_ns: None,
            waited_ns: None,
            slept_ns: None,
            stack: None,
        }
    }

    #[test]
    fn what_settles_is_dealt_with() {
        let (mut outbox, inbox) = queue(true);
        let ours = PathTable::new();
        let heard = std::sync::atomic::AtomicU64::new(0);
        let order = std::sync::atomic::Ordering::SeqCst;
        std::thread::scope(|scope| {
            scope.spawn(|| {
                inbox.deliver(&mut |_, _| {
                    heard.fetch_add(1, order);
                });
            });
            for batches in 1..=3 {
                (0..BATCH_EVENTS).for_each(|_| outbox.push(event(0, FileAction::Other), &ours));
                outbox.settle();
                assert_eq!(heard.load(order), batches * BATCH_EVENTS as u64);
            }
            outbox.finish(&ours);
        });
    }

    #[test]
    fn events_arrive_in_order_with_their_paths() {
        let (mut outbox, inbox) = queue(false);
        let mut ours = PathTable::new();
        let count = 3 * BATCH_EVENTS as u64 + 7;
        for number in 0..count {
            let path = ours.number(OsStr::new(&format!("/data/{}", number % 700)));
            let action = FileAction::Execute { target: Target::path(path) };
            outbox.push(event(number, action), &ours);
        }
        assert_eq!(outbox.finish(&ours), count);
        let mut next = 0;
        inbox.deliver(&mut |event, theirs| {
            let FileAction::Execute { target: Target::Path { path, .. } } = event.action else { panic!() };
            assert_eq!(event.at_ns, next);
            assert_eq!(theirs.path(path), OsStr::new(&format!("/data/{}", next % 700)));
            next += 1;
        });
        assert_eq!(next, count);
    }
}
