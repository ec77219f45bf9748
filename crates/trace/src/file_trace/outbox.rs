//! Events on their way from the tracer's thread to the one that judges them: in
//! batches, so that the program waits for neither, with the paths that are new.

use fathom_events::{FileEvent, PathTable};
use std::ffi::OsStr;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Events with the paths that no batch before had.
#[derive(Debug, Default)]
pub(super) struct Batch {
    paths: Vec<Arc<OsStr>>,
    events: Vec<FileEvent>,
}

/// Collects events and sends them off.
#[derive(Debug)]
pub(super) struct Outbox {
    sender: SyncSender<Batch>,
    batch: Batch,
    paths_sent: usize,
    events: u64,
}

/// The other end.
#[derive(Debug)]
pub(super) struct Inbox {
    receiver: Receiver<Batch>,
}

const BATCH_EVENTS: usize = 512;
/// Events that came so long after the first of their batch take it with them.
const BATCH_TIME_NS: u64 = 50_000_000;
/// So far the tracer may be ahead: beyond it waits, and the program with it.
const BATCHES_AHEAD: usize = 64;

/// Both ends of a queue.
pub(super) fn queue() -> (Outbox, Inbox) {
    let (sender, receiver) = sync_channel(BATCHES_AHEAD);
    let outbox = Outbox { sender, batch: Batch::default(), paths_sent: 0, events: 0 };
    (outbox, Inbox { receiver })
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
        let _ = self.sender.send(batch);
    }
}

impl Inbox {
    /// Hands every event on until there is no sender any more.
    pub(super) fn deliver(self, sink: &mut dyn FnMut(FileEvent, &PathTable)) {
        let mut paths = PathTable::new();
        for batch in self.receiver {
            for path in batch.paths {
                // All are new, and their numbers are those that the other table gave.
                paths.append_shared(path);
            }
            for event in batch.events {
                sink(event, &paths);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_events::{CallOutcome, FileAction, Target};

    #[test]
    fn events_arrive_in_order_with_their_paths() {
        let (mut outbox, inbox) = queue();
        let mut ours = PathTable::new();
        let count = 3 * BATCH_EVENTS as u64 + 7;
        for number in 0..count {
            let path = ours.number(OsStr::new(&format!("/data/{}", number % 700)));
            let action = FileAction::Execute { target: Target::path(path) };
            let outcome = CallOutcome::Value(0);
            let call = "execve";
            outbox.push(
                FileEvent {
                    at_ns: number,
                    process: 1,
                    thread: 1,
                    call,
                    action,
                    outcome,
                    took_ns: None,
                    waited_ns: None,
                    stack: None,
                },
                &ours,
            );
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
