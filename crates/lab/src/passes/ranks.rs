//! A driver that is many: what it says of each rank, and the counts of each.

use crate::drivers::driver_build::BuildWatch;
use crate::drivers::driver_set::{Driver, DriverSet, shipped_manifests};
use crate::drivers::driver_source::MPI;
use crate::drivers::launcher::{Launcher, ranks_manifest};
use crate::processes::protocol::Done;
use fathom_catalog::{CatalogError, MethodRegistry};
use fathom_model::RankSamples;

mod counting;

pub use counting::{RANK_COUNT_WORD, count_as_rank};
pub(crate) use counting::{RankCount, count_ranks, own_rank};

/// The methods that ranks have, and those that entries name beside them.
pub fn ranks_registry() -> Result<MethodRegistry, CatalogError> {
    let mut manifests = shipped_manifests()?;
    manifests.push(ranks_manifest()?);
    MethodRegistry::new(manifests)
}

/// The driver that runs as ranks, built where it is not there yet, or why it cannot be had.
pub fn ranked_drivers(launcher: &Launcher, watch: &mut BuildWatch<'_>) -> Result<DriverSet, CatalogError> {
    let built = Driver::shipped(&MPI, &ranks_manifest()?, watch);
    let driver =
        built.map(|driver| driver.with_launcher(launcher.clone())).map_err(|error| error.to_string());
    Ok(DriverSet::of_one(MPI.name, driver))
}

/// Takes the ranks' own times out of what a batch answered: for each rank when it started after the
/// first and how long it took, in ns. Empty where it answered none.
pub(crate) fn take_times(done: &mut Done) -> Vec<(u64, u64)> {
    let mut times = Vec::new();
    loop {
        let rank = times.len();
        let ns = done.figures.remove(&format!("rank{rank}_ns"));
        let start = done.figures.remove(&format!("rank{rank}_start_ns"));
        let (Some(ns), Some(start)) = (ns, start) else { return times };
        times.push((start, ns));
    }
}

/// Keeps the times of one block, or that it has none.
pub(crate) fn keep_times(samples: &mut [RankSamples], times: Option<&[(u64, u64)]>) {
    for (rank, samples) in samples.iter_mut().enumerate() {
        let times = times.and_then(|times| times.get(rank));
        samples.start_ns.push(times.map(|(start, _)| *start));
        samples.ns.push(times.map(|(_, ns)| *ns));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn times_of_ranks_leave_the_figures() {
        let figures =
            [("rank0_ns", 5), ("rank0_start_ns", 0), ("rank1_ns", 7), ("rank1_start_ns", 2), ("nivcsw", 3)];
        let figures: BTreeMap<_, _> = figures.map(|(name, value)| (name.to_owned(), value)).into();
        let mut done = Done { figures, ..Done::default() };
        assert_eq!(take_times(&mut done), [(0, 5), (2, 7)]);
        assert_eq!(done.figures, BTreeMap::from([("nivcsw".to_owned(), 3)]));
    }

    #[test]
    fn a_discarded_block_keeps_its_place() {
        let mut samples = vec![RankSamples::default(); 2];
        keep_times(&mut samples, Some(&[(0, 5), (2, 7)]));
        keep_times(&mut samples, None);
        assert_eq!(samples[1], RankSamples { start_ns: vec![Some(2), None], ns: vec![Some(7), None] });
    }
}
