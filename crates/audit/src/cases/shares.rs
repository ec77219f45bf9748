//! What is left to cases that contended for calls as one, wherever in the code they come from: together exactly
//! what would be left to one case.

use super::Case;
use crate::call_key::{Amount, CallKey};
use crate::claims::{Claims, sum_up};
use std::collections::BTreeMap;

/// What is left to one of the cases that contended as one.
#[derive(Debug)]
pub(crate) struct Share {
    pub(crate) claims: Claims,
    pub(crate) count: u64,
    /// The calls that are made in the place of those.
    pub(crate) instead: BTreeMap<CallKey, Amount>,
}

/// What is left to each of the cases that contended as one, of the calls that they have kept. There are no more
/// cases than calls, and as many of all as if they were one.
pub(crate) fn shares(cases: &[&Case], kept: Claims) -> Vec<Share> {
    let [all_before, all_left] = [cases.iter().map(|case| case.claims.calls()).sum(), kept.calls()];
    let left: Vec<Claims> = if cases.len() == 1 { vec![kept] } else { split(cases, &kept) };
    let instead = insteads(cases, &left, all_before);
    let counts = if all_left == all_before {
        cases.iter().map(|case| case.count).collect()
    } else {
        counts(cases, &left)
    };
    let shares = left.into_iter().zip(counts).zip(instead);
    shares.map(|((claims, count), instead)| Share { claims, count, instead }).collect()
}

/// Of the calls that all have kept, each its own. A part of the bytes of a condition goes with each call that is
/// lost, which rounds: what all have is shared out.
fn split(cases: &[&Case], kept: &Claims) -> Vec<Claims> {
    let stays = kept.numbers().collect();
    let mut left: Vec<Claims> = cases.iter().map(|case| case.claims.only(&stays)).collect();
    for (key, all) in kept.sums() {
        let of_key = |claims: &Claims| claims.amount(key).unwrap_or_default();
        let mut weights: Vec<u64> = left.iter().map(|claims| of_key(claims).bytes).collect();
        if weights.iter().sum::<u64>() == all.bytes {
            continue;
        }
        if weights.iter().all(|weight| *weight == 0) {
            weights = left.iter().map(|claims| of_key(claims).calls).collect();
        }
        for (claims, bytes) in left.iter_mut().zip(parts(all.bytes, &weights)) {
            claims.set_bytes(key, bytes);
        }
    }
    left
}

/// How many cases each keeps, of which some calls were lost.
fn counts(cases: &[&Case], left: &[Claims]) -> Vec<u64> {
    let of_all: u64 = cases.iter().map(|case| case.count).sum();
    let calls_left: u64 = left.iter().map(Claims::calls).sum();
    let counts: Vec<u64> = cases.iter().zip(left).map(|(case, left)| case.count.min(left.calls())).collect();
    let mut missing = of_all.min(calls_left) - counts.iter().sum::<u64>();
    let more = |(left, count): (&Claims, u64)| {
        let more = missing.min(left.calls() - count);
        missing -= more;
        count + more
    };
    left.iter().zip(counts).map(more).collect()
}

/// What each has to call in the place of what it has kept: of what all have to, in proportion to the calls that
/// are left to it.
fn insteads(cases: &[&Case], left: &[Claims], all_before: u64) -> Vec<BTreeMap<CallKey, Amount>> {
    let calls_left: Vec<u64> = left.iter().map(Claims::calls).collect();
    let all_left: u64 = calls_left.iter().sum();
    if all_left == all_before {
        return cases.iter().map(|case| case.instead.clone()).collect();
    }
    let mut sums = BTreeMap::new();
    for case in cases {
        sum_up(&mut sums, case.instead.iter().map(|(key, amount)| (*key, *amount)));
    }
    let mut shares = vec![BTreeMap::new(); cases.len()];
    for (key, all) in sums {
        let calls = u128::from(all.calls) * u128::from(all_left) / u128::from(all_before);
        let all = all.scaled(u64::try_from(calls).unwrap_or(all.calls), all.calls);
        let has_any = |(case, left): (&&Case, &u64)| *left * u64::from(case.instead.contains_key(&key));
        let mut weights: Vec<u64> = cases.iter().zip(&calls_left).map(has_any).collect();
        if weights.iter().all(|weight| *weight == 0) {
            weights.clone_from(&calls_left);
        }
        let parts = parts(all.calls, &weights).into_iter().zip(parts(all.bytes, &weights));
        for (share, (calls, bytes)) in shares.iter_mut().zip(parts) {
            if calls > 0 || bytes > 0 {
                share.insert(key, Amount { calls, bytes });
            }
        }
    }
    shares
}

/// A number in parts by weight, which add up to it exactly where there is any weight.
fn parts(all: u64, weights: &[u64]) -> Vec<u64> {
    let whole = weights.iter().map(|weight| u128::from(*weight)).sum::<u128>().max(1);
    let (mut weight_until, mut given) = (0, 0);
    let part = |weight: &u64| {
        weight_until += u128::from(*weight);
        let until = u64::try_from(u128::from(all) * weight_until / whole).unwrap_or(all);
        let part = until - given;
        given = until;
        part
    };
    weights.iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up() {
        assert_eq!(parts(10, &[1, 1, 1]), [3, 3, 4]);
        assert_eq!(parts(7, &[0, 5, 0]), [0, 7, 0]);
        assert_eq!(parts(u64::MAX, &[1 << 40, 3, 1 << 40]).iter().sum::<u64>(), u64::MAX);
        assert_eq!(parts(3, &[0, 0]), [0, 0]);
    }
}
