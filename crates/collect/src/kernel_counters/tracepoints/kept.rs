//! One open descriptor for each tracepoint that is in use. Closing the last one
//! takes the kernel about 35 ms for each tracepoint; kept, they cost nothing
//! to open again. But while one is open, whoever passes the tracepoint pays for
//! it, so they must be released before anything is timed.

use super::Tracepoint;
use perf_event::events::Tracepoint as Event;
use perf_event::{Builder, Counter};
use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};

static KEPT: LazyLock<Mutex<BTreeMap<u64, Counter>>> = LazyLock::new(Mutex::default);

/// Keeps a tracepoint ready until [`release_tracepoints`]. One that cannot be opened is not
/// kept; its counters say why.
pub(crate) fn keep(tracepoint: &Tracepoint) {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.contains_key(&tracepoint.id) {
        return;
    }
    // Disabled, on a thread of ours: it counts nothing.
    let built = Builder::new(Event::with_id(tracepoint.id)).observe_self().any_cpu().include_kernel().build();
    if let Ok(counter) = built {
        kept.insert(tracepoint.id, counter);
    }
}

/// Gives all tracepoints back to the kernel, so that nobody pays for them any more.
/// Takes about a second, and only has an effect when no counter is open.
pub fn release_tracepoints() {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).clear();
}
