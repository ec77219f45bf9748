//! What several ranks did together, from their samples: rates, spread, who came last. A fork is one
//! value, as everywhere: the median over its batches.

use crate::robust::median;
use crate::summary::{Parts, estimate, estimate_exp, estimate_exp_at, variant_arm};
use fathom_model::{
    CommandArm, CommandComparison, Estimate, Fork, RankEstimate, RankSamples, RankSummary, Reading,
};
use serde::Serialize;

/// A rank is a straggler when it is surely slower than the median rank by more than this.
const STRAGGLER_RATIO: f64 = 1.1;

/// One batch of one variant: what the whole of it took, and each rank's time, in ns.
struct Batch {
    operations: f64,
    whole_ns: f64,
    starts_ns: Vec<f64>,
    ns: Vec<f64>,
}

/// The summary of a variant's ranks.
pub fn summarize_ranks(parts: Parts<'_>, variant: usize) -> Reading<RankSummary> {
    let Some(arm) = variant_arm(parts.arms, variant) else {
        return Reading::unavailable("no arm timed this variant");
    };
    let forks: Vec<Vec<Batch>> = parts.forks.iter().map(|fork| batches(fork, arm)).collect();
    summarize(&forks, &|rank| hosts(parts, (arm, rank)))
}

/// Several starts of a command at once.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StartsSummary {
    /// How many at once.
    pub starts: u32,
    /// Rates, spread and each rank: an operation is a start, and a round is a value.
    pub summary: RankSummary,
    /// The median start of a round, in ns.
    pub one_ns: Estimate,
    /// The slowest start of a round, in ns.
    pub slowest_ns: Estimate,
    /// The slowest start of all.
    pub worst: WorstStart,
}

/// The slowest of all starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WorstStart {
    /// Its rank.
    pub rank: u32,
    /// Where that is.
    pub host: String,
    /// Its round, from 0.
    pub round: usize,
    /// What it took, in ns.
    pub ns: u64,
}

/// What the starts of an arm did together; `None` where it was not started several times at once.
pub fn summarize_starts(measured: &CommandComparison, arm: CommandArm) -> Option<StartsSummary> {
    let ranks = &measured.ranks.as_ref()?.ranks;
    let host = |rank: usize| ranks.get(rank).map_or_else(String::new, |rank| rank.host.clone());
    let runs =
        || measured.blocks.iter().enumerate().filter_map(|(round, block)| Some((round, block.run(arm)?)));
    let rounds: Vec<Vec<Batch>> = runs()
        .map(|(_, run)| Batch {
            operations: 1.0,
            whole_ns: run.wall_ns as f64,
            starts_ns: run.starts.iter().map(|one| one.start_ns as f64).collect(),
            ns: run.starts.iter().map(|one| one.wall_ns as f64).collect(),
        })
        .filter(|batch| batch.ns.len() > 1 && batch.ns.iter().all(|&ns| ns > 0.0))
        .map(|batch| vec![batch])
        .collect();
    let all = runs()
        .flat_map(|(round, run)| run.starts.iter().enumerate().map(move |(rank, one)| (round, rank, one)));
    let (round, rank, one) = all.max_by_key(|(_, _, one)| one.wall_ns)?;
    let of_round = |value: &dyn Fn(&Batch) -> Option<f64>| {
        estimate_exp(
            &rounds.iter().flatten().filter_map(|batch| Some(value(batch)?.ln())).collect::<Vec<_>>(),
        )
    };
    Some(StartsSummary {
        starts: u32::try_from(rounds.first()?.first()?.ns.len()).ok()?,
        summary: summarize(&rounds, &|rank| vec![host(rank)]).value()?.clone(),
        one_ns: of_round(&|batch| median(&batch.ns))?,
        slowest_ns: of_round(&|batch| Some(most(&batch.ns)))?,
        worst: WorstStart { rank: u32::try_from(rank).ok()?, host: host(rank), round, ns: one.wall_ns },
    })
}

/// The summary of values, each of which has batches.
fn summarize(forks: &[Vec<Batch>], hosts: &dyn Fn(usize) -> Vec<String>) -> Reading<RankSummary> {
    let values = |value: &dyn Fn(&Batch) -> f64| -> Vec<f64> {
        let of_fork = |batches: &Vec<Batch>| median(&batches.iter().map(value).collect::<Vec<_>>());
        forks.iter().filter_map(of_fork).collect()
    };
    let logarithmic = |value: &dyn Fn(&Batch) -> f64| estimate_exp(&values(&|batch| value(batch).ln()));
    let whole_rate = logarithmic(&|batch| rate(batch.operations * batch.ns.len() as f64, batch.whole_ns));
    let sum_of_rates =
        logarithmic(&|batch| batch.ns.iter().map(|&ns| rate(batch.operations, ns)).sum::<f64>());
    let spread = logarithmic(&|batch| most(&batch.ns) / least(&batch.ns));
    let start_spread_ns = estimate(&values(&|batch| most(&batch.starts_ns)));
    let all = whole_rate.zip(sum_of_rates).zip(spread).zip(start_spread_ns);
    let Some((((whole_rate, sum_of_rates), spread), start_spread_ns)) = all else {
        return Reading::unavailable("no sample was kept");
    };
    let count = forks.iter().flatten().map(|batch| batch.ns.len()).max().unwrap_or(0);
    let of_rank = |rank: usize| {
        let time = |batch: &Batch| batch.ns.get(rank).copied().unwrap_or(f64::NAN);
        let time_ns = logarithmic(&|batch| time(batch) / batch.operations)?;
        let own_rate = logarithmic(&|batch| rate(batch.operations, time(batch)))?;
        let against = values(&|batch| (time(batch) / median(&batch.ns).unwrap_or(f64::NAN)).ln());
        // One of so many ranks is called a straggler by mistake no more often than one alone.
        let confidence = 1.0 - 0.05 / count.max(1) as f64;
        let against_median = estimate_exp_at(&against, confidence)?;
        let kept = forks.iter().flatten();
        Some(RankEstimate {
            rank: u32::try_from(rank).ok()?,
            hosts: hosts(rank),
            time_ns,
            rate: own_rate,
            against_median,
            last: kept.clone().filter(|batch| last(batch) == Some(rank)).count() as u64,
            batches: kept.count() as u64,
            is_straggler: is_straggler(&against_median),
        })
    };
    let ranks = (0..count).filter_map(of_rank).collect();
    Reading::Value(RankSummary { whole_rate, sum_of_rates, spread, start_spread_ns, ranks })
}

fn is_straggler(against_median: &Estimate) -> bool {
    against_median.low.is_some_and(|low| low > STRAGGLER_RATIO)
}

fn rate(operations: f64, ns: f64) -> f64 {
    operations * 1e9 / ns
}

fn most(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The rank that ended last.
fn last(batch: &Batch) -> Option<usize> {
    let end = |rank: usize| batch.starts_ns[rank] + batch.ns[rank];
    (0..batch.ns.len()).max_by(|&a, &b| end(a).total_cmp(&end(b)))
}

/// The batches of an arm of which every time is known and none is 0.
fn batches(fork: &Fork, arm: usize) -> Vec<Batch> {
    let (Some(samples), Some(ranks)) = (fork.arms.get(arm), fork.ranks.as_ref()) else { return Vec::new() };
    let Some(ranks) = ranks.arms.get(arm) else { return Vec::new() };
    let one = |block: usize| {
        let of = |times: fn(&RankSamples) -> &Vec<Option<u64>>| -> Option<Vec<f64>> {
            ranks.iter().map(|rank| Some(times(rank).get(block).copied().flatten()? as f64)).collect()
        };
        let batch = Batch {
            operations: f64::from(samples.operations(*fork.operations.get(block)?)),
            whole_ns: samples.ns.get(block).copied().flatten()? as f64,
            starts_ns: of(|rank| &rank.start_ns)?,
            ns: of(|rank| &rank.ns)?,
        };
        let usable = batch.whole_ns > 0.0 && !batch.ns.is_empty() && batch.ns.iter().all(|&ns| ns > 0.0);
        (usable && batch.operations > 0.0).then_some(batch)
    };
    (0..fork.operations.len()).filter_map(one).collect()
}

fn hosts(parts: Parts<'_>, (arm, rank): (usize, usize)) -> Vec<String> {
    let mut hosts = Vec::new();
    for fork in parts.forks {
        let seat = fork.ranks.as_ref().and_then(|ranks| ranks.seats.get(parts.arms[arm].seat));
        if let Some(facts) = seat.and_then(|seat| seat.get(rank))
            && !hosts.contains(&facts.host)
        {
            hosts.push(facts.host.clone());
        }
    }
    hosts
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::{
        Arm, ArmKind, ArmSamples, CacheState, CommandRanks, Content, DataSet, ForkRanks, Operation,
        Parameters, ProcessEnd, RankFacts, RankStart, Variant, WarmUp,
    };
    use std::collections::BTreeMap;

    /// A batch of 10 operations on each of three ranks, the third 1.5 times as slow.
    fn fork(number: u64) -> Fork {
        let times = [1000 + number, 1010, 1500 + number];
        let sample =
            |start: u64, ns: u64| RankSamples { start_ns: vec![Some(start), None], ns: vec![Some(ns), None] };
        let facts = |rank: u32| RankFacts {
            rank,
            host: format!("node{rank}"),
            boot: "b".to_owned(),
            pid: 1,
            clock_offset_ns: 0,
            clock_error_ns: 0,
        };
        Fork {
            cpu: Reading::unavailable("not pinned"),
            started_s: 0.0,
            warm_up: WarmUp { blocks: 0, ms: 0.0, steady: true },
            operations: vec![10, 10],
            arms: vec![ArmSamples {
                divisor: 1,
                ns: vec![Some(2000), None],
                preempted_blocks: Vec::new(),
                totals: BTreeMap::new(),
                figures: BTreeMap::new(),
                figure_operations: 0,
            }],
            ranks: Some(ForkRanks {
                seats: vec![vec![facts(0), facts(1), facts(2)]],
                arms: vec![times.iter().zip([0, 900, 100]).map(|(&ns, start)| sample(start, ns)).collect()],
            }),
        }
    }

    fn summary(forks: &[Fork]) -> Reading<RankSummary> {
        let data = DataSet { files: 1, size_bytes: 0, content: Content::Random };
        let variants = [Variant {
            method: "mpi:open".parse().unwrap(),
            operation: Operation::OpenClose,
            place: 0,
            cache: CacheState::Warm,
            parameters: Parameters::new(data, 1),
        }];
        let arms = [Arm { kind: ArmKind::Variant(0), seat: 0 }];
        summarize_ranks(Parts { variants: &variants, baseline: 0, arms: &arms, forks }, 0)
    }

    fn nine() -> RankSummary {
        let forks: Vec<Fork> = (0..9).map(fork).collect();
        summary(&forks).value().unwrap().clone()
    }

    #[test]
    fn the_whole_rate_is_over_the_time_from_first_start_to_last_end() {
        let rate = nine().whole_rate.value;
        assert!((rate - 30.0 * 1e9 / 2000.0).abs() < 1.0, "{rate}");
    }

    #[test]
    fn the_sum_of_rates_is_over_each_ranks_own_time() {
        let rate = nine().sum_of_rates.value;
        let right = 1e10 / 1004.0 + 1e10 / 1010.0 + 1e10 / 1504.0;
        assert!((rate / right - 1.0).abs() < 1e-6, "{rate} {right}");
    }

    #[test]
    fn who_is_surely_slower_is_a_straggler_and_nobody_else() {
        let ranks = nine().ranks;
        let stragglers: Vec<_> =
            ranks.iter().filter(|rank| rank.is_straggler).map(|rank| rank.rank).collect();
        assert_eq!(stragglers, [2]);
        assert_eq!(ranks[2].hosts, ["node2"]);
    }

    #[test]
    fn one_fork_makes_no_straggler() {
        let one = summary(&[fork(0)]);
        assert!(one.value().unwrap().ranks.iter().all(|rank| !rank.is_straggler));
    }

    #[test]
    fn last_is_who_ends_last_and_not_who_takes_longest() {
        let last: Vec<_> = nine().ranks.iter().map(|rank| rank.last).collect();
        assert_eq!(last, [0, 9, 0], "rank 1 started 900 ns later");
    }

    #[test]
    fn the_worst_start_is_named_and_rounds_are_the_values() {
        let mut measured = fathom_testkit::command_comparison();
        let facts = |rank| RankFacts { rank, ..fork(0).ranks.unwrap().seats[0][rank as usize].clone() };
        measured.ranks = Some(CommandRanks { launcher: Vec::new(), ranks: vec![facts(0), facts(1)] });
        for (number, block) in (0..).zip(&mut measured.blocks) {
            let run = block.runs.iter_mut().find(|run| run.arm == CommandArm::New).unwrap();
            let slow = if number == 3 { 9000 } else { 2000 + number };
            let start =
                |start_ns, wall_ns| RankStart { start_ns, wall_ns, cpu_ns: 1, end: ProcessEnd::Exited(0) };
            run.starts = vec![start(0, 1000), start(100, slow)];
            run.wall_ns = 100 + slow;
        }
        let found = summarize_starts(&measured, CommandArm::New).unwrap();
        let worst = WorstStart { rank: 1, host: "node1".to_owned(), round: 3, ns: 9000 };
        assert_eq!((found.starts, found.worst), (2, worst));
        assert!((found.slowest_ns.value - 2012.0).abs() < 2.0, "{:?}", found.slowest_ns);
        assert!(found.slowest_ns.interval().is_some());
        assert!(found.summary.ranks[1].last == 24 && found.summary.ranks[1].is_straggler);
        assert!(summarize_starts(&measured, CommandArm::Old).is_none());
    }

    #[test]
    fn a_fork_without_ranks_says_nothing() {
        let without = Fork { ranks: None, ..fork(0) };
        assert!(summary(&[without]).value().is_none());
    }
}
