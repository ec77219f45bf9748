//! Which CPU the harness and the drivers run on: the same one, another in each
//! fork (METHOD.md, finding 5). Restored when dropped.

use fathom_model::Reading;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Pins the current thread; drivers started by it inherit the CPU.
#[derive(Debug)]
pub(crate) struct Placement {
    before: Option<CpuSet>,
    cpus: Vec<u32>,
}

impl Placement {
    /// Remembers where the thread may run now.
    pub(crate) fn begin() -> Self {
        let before = sched_getaffinity(None).ok();
        let cpus = before.as_ref().map_or_else(Vec::new, |set| {
            (0..CpuSet::MAX_CPU)
                .filter(|&cpu| set.is_set(cpu))
                .filter_map(|cpu| u32::try_from(cpu).ok())
                .collect()
        });
        Self { before, cpus }
    }

    /// Pins to the CPU whose turn it is in fork `number`.
    pub(crate) fn pin(&self, number: usize) -> Reading<u32> {
        if self.cpus.is_empty() {
            return Reading::unavailable("the CPUs of this process cannot be read");
        }
        let cpu = self.cpus[number % self.cpus.len()];
        let mut set = CpuSet::new();
        set.set(cpu as usize);
        match sched_setaffinity(None, &set) {
            Ok(()) => Reading::Value(cpu),
            Err(errno) => Reading::unavailable(format!("pinning to CPU {cpu} was refused ({errno})")),
        }
    }

    /// Lets the harness and the drivers run on every CPU, as what works in parallel must; the
    /// reason is [`PARALLEL`] or [`RANKED`].
    pub(crate) fn free(&self, reason: &str) -> Reading<u32> {
        if let Some(before) = &self.before {
            let _best_effort = sched_setaffinity(None, before);
        }
        Reading::unavailable(reason)
    }
}

/// Why parallel work is not pinned.
pub(crate) const PARALLEL: &str = "not pinned: threads share the work";
/// Why ranks are not pinned.
pub(crate) const RANKED: &str = "not pinned by Fathom: the launcher places the ranks";

impl Drop for Placement {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            let _best_effort = sched_setaffinity(None, before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forks_take_turns_and_the_mask_comes_back() {
        std::thread::spawn(|| {
            let allowed = |set: &CpuSet| (0..CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).count();
            let before = allowed(&sched_getaffinity(None).unwrap());
            let placement = Placement::begin();
            let turns: Vec<_> =
                (0..before).map(|number| placement.pin(number).value().copied().unwrap()).collect();
            assert_eq!(turns, placement.cpus);
            assert_eq!(allowed(&sched_getaffinity(None).unwrap()), 1);
            drop(placement);
            assert_eq!(allowed(&sched_getaffinity(None).unwrap()), before);
        })
        .join()
        .unwrap();
    }
}
