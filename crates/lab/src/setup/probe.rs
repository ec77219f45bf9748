//! What can be measured in a place and with the rights at hand, found out by
//! doing it on a small file: for `fathom doctor`.

use crate::cache::cache_control::CacheController;
use crate::setup::data_store::{DataStore, PlaceError};
use fathom_model::{CacheState, Content, DataSet, Place, PlaceFacts, Proof};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::sync::atomic::AtomicBool;

/// What a place allows.
#[derive(Debug)]
pub struct PlaceProbe {
    /// Its facts.
    pub facts: PlaceFacts,
    /// Whether files are really written there: `yes`, or why not.
    pub written: String,
    /// Whether a warm state can be proven.
    pub warm: String,
    /// Whether a cold state can be made and proven.
    pub cold: String,
}

/// Makes a file of 64 KiB in a place, looks at it warm and cold, and removes it.
pub fn probe_place(place: &Place) -> Result<PlaceProbe, PlaceError> {
    let mut store = DataStore::default();
    let index = store.place(place)?;
    let facts = store.facts(index).clone();
    let data = DataSet { files: 1, size_bytes: 65_536, content: Content::Random };
    let made = store.make(index, &data, 1, &AtomicBool::new(false), &mut |_, _| {});
    let state = |state| match &made {
        Ok(()) => match CacheController::new(&store.paths(index, &data), state, false, facts.in_memory) {
            Ok(controller) => probe_state(controller),
            Err(error) => format!("unavailable: {error}"),
        },
        Err(_) => "not tried".to_owned(),
    };
    let (warm, cold) = (state(CacheState::Warm), state(CacheState::Cold));
    let written = match &made {
        Ok(()) => "yes".to_owned(),
        Err(error) => format!("unavailable: {error}"),
    };
    store.close();
    Ok(PlaceProbe { facts, written, warm, cold })
}

fn probe_state(mut controller: CacheController) -> String {
    let prepared = controller.prepare().and_then(|_| controller.after());
    match (prepared, controller.evidence().proof) {
        (Err(reason), _) => format!("unavailable: {reason}"),
        (Ok(_), Proof::Proven) => "yes, and it can be proven".to_owned(),
        (Ok(_), Proof::Unknown(reason)) => format!("cannot be proven: {reason}"),
        (Ok(_), Proof::NotApplicable(reason)) => format!("none: {reason}"),
    }
}

/// Whether this thread may be bound to one CPU.
pub fn pinning() -> Result<(), String> {
    let before = sched_getaffinity(None).map_err(|errno| errno.to_string())?;
    let first = (0..CpuSet::MAX_CPU).find(|&cpu| before.is_set(cpu)).ok_or("no CPU is allowed")?;
    let mut one = CpuSet::new();
    one.set(first);
    sched_setaffinity(None, &one).map_err(|errno| errno.to_string())?;
    sched_setaffinity(None, &before).map_err(|errno| errno.to_string())
}
