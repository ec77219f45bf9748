//! Which faults are tried: every call of every kind in turn where they are few, else spread
//! evenly over the run, from a fixed seed.

use crate::errnos::Kind;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeMap;

/// How much is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// A sample of all commands, for CI.
    Short,
    /// Thousands of faults.
    Whole,
    /// So many of each command.
    AtMost(usize),
}

/// One fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedFault {
    /// What fails.
    pub kind: Kind,
    /// Which of the process's calls of that name.
    pub nth: u64,
}

/// At most `budget` faults of those that are feasible: as many of each kind as of any other, as
/// far as it has them.
pub(crate) fn choose(feasible: &BTreeMap<Kind, Vec<u64>>, budget: usize, seed: u64) -> Vec<PlannedFault> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let total = |cap: usize| feasible.values().map(|calls| calls.len().min(cap)).sum::<usize>();
    let longest = feasible.values().map(Vec::len).max().unwrap_or(0);
    let cap = (1..=longest).take_while(|&cap| total(cap) <= budget).last().unwrap_or(0);
    let mut chosen = Vec::new();
    let mut spare = Vec::new();
    for (&kind, calls) in feasible {
        let mut picked = spread(calls, cap.saturating_add(1), &mut random);
        while picked.len() > cap {
            let extra = picked.swap_remove(random.random_range(0..picked.len()));
            spare.push(PlannedFault { kind, nth: extra });
        }
        chosen.extend(picked.into_iter().map(|nth| PlannedFault { kind, nth }));
    }
    // The rest of the budget goes to some kinds once more.
    while chosen.len() < budget && !spare.is_empty() {
        chosen.push(spare.swap_remove(random.random_range(0..spare.len())));
    }
    chosen
}

/// `count` of the calls, one from each of as many equal stretches.
fn spread(calls: &[u64], count: usize, random: &mut impl Rng) -> Vec<u64> {
    let count = count.min(calls.len());
    let bound = |part: usize| part * calls.len() / count;
    (0..count).map(|part| calls[random.random_range(bound(part)..bound(part + 1))]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::errnos::possible;
    use syscalls::Sysno;

    fn feasible() -> BTreeMap<Kind, Vec<u64>> {
        let kinds = possible(1, Sysno::openat, &[0; 6]);
        let lengths = [3, 500, 40, 1, 90];
        kinds.into_iter().zip(lengths.map(|length| (1..=length).collect())).collect()
    }

    #[test]
    fn the_budget_is_used_and_no_kind_is_forgotten() {
        for budget in [5, 60, 200, 10_000] {
            let chosen = choose(&feasible(), budget, 1);
            assert_eq!(chosen.len(), budget.min(634), "{budget}");
            let kinds: std::collections::BTreeSet<_> = chosen.iter().map(|fault| fault.kind).collect();
            assert_eq!(kinds.len(), 5);
        }
    }

    #[test]
    fn no_fault_is_tried_twice_and_the_same_seed_gives_the_same_ones() {
        let chosen = choose(&feasible(), 300, 7);
        let unlike: std::collections::BTreeSet<_> =
            chosen.iter().map(|fault| (fault.kind, fault.nth)).collect();
        assert_eq!(unlike.len(), 300);
        assert_eq!(chosen, choose(&feasible(), 300, 7));
        assert_ne!(chosen, choose(&feasible(), 300, 8));
    }
}
