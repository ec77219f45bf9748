//! Which round trips can be under way at the same time. Those of one thread follow each other. A thread
//! begins where its maker was when it made it, and the maker goes on after its end: with which of its
//! calls it waits for it is not seen.

use fathom_events::{FileAction, FileEvent};
use rustc_hash::FxHashMap;

/// How far each thread is, in round trips that were waited for one after the other.
#[derive(Debug, Default)]
pub(super) struct Chains {
    threads: FxHashMap<u32, Chain>,
    longest: u64,
    /// Threads with a round trip.
    waiting: u64,
}

#[derive(Debug, Default, Clone, Copy)]
struct Chain {
    depth: u64,
    own: u64,
    /// The thread that made it.
    maker: Option<u32>,
    /// How far those were that it made and that ended since its last call.
    ended: u64,
}

impl Chains {
    /// Before a call is looked at: what ended before it is behind it.
    pub(super) fn meet(&mut self, thread: u32) -> u64 {
        let chain = self.threads.entry(thread).or_default();
        chain.depth = chain.depth.max(std::mem::take(&mut chain.ended));
        chain.depth
    }

    /// A thread waits for so many round trips, one after the other.
    pub(super) fn wait(&mut self, thread: u32, trips: u64) {
        if trips == 0 {
            return;
        }
        let chain = self.threads.entry(thread).or_default();
        self.waiting += u64::from(chain.own == 0);
        chain.own = chain.own.saturating_add(trips);
        chain.depth = chain.depth.saturating_add(trips);
        self.longest = self.longest.max(chain.depth);
    }

    /// After a call was looked at.
    pub(super) fn follow(&mut self, event: &FileEvent) {
        match event.action {
            FileAction::Fork { .. } => {
                let child = event.outcome.value().and_then(|child| u32::try_from(child).ok());
                if let Some(child) = child.filter(|child| *child != 0) {
                    let depth = self.threads.get(&event.thread).map_or(0, |chain| chain.depth);
                    // A child may have called before the call that made it returned.
                    let made = self.threads.entry(child).or_default();
                    made.maker = Some(event.thread);
                    made.depth = depth.saturating_add(made.own);
                    self.longest = self.longest.max(made.depth);
                }
            }
            FileAction::Exit { whole, .. } => {
                self.end(event.thread);
                if whole && event.process != event.thread {
                    self.end(event.process);
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, thread: u32) {
        let Some(chain) = self.threads.remove(&thread) else { return };
        let depth = chain.depth.max(chain.ended);
        if let Some(maker) = chain.maker.and_then(|maker| self.threads.get_mut(&maker)) {
            maker.ended = maker.ended.max(depth);
        }
    }

    /// The most round trips that follow each other.
    pub(super) fn longest(&self) -> u64 {
        self.longest
    }

    /// Threads that waited for one.
    pub(super) fn waiting(&self) -> u64 {
        self.waiting
    }
}
