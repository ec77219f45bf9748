//! Shifts in the history of a time: commits from which on it is longer or shorter.
//!
//! Binary segmentation as with E-divisive (Matteson and James 2014), on ranks: the split of a stretch of
//! commits with the largest standardized rank sum is a shift where chance makes none so large. Under
//! chance the statistic has one distribution, whatever that of the times is, so that wild times cost
//! power and no false alarm; its limits below were drawn once by simulation.
//!
//! That holds where commits are alike whatever their order. A machine is often slow for an hour, and then the times
//! of neighbors stay together: sums of neighbors spread more than sums of strangers, and so does the statistic.
//! [`clustering`] measures by how much, and the statistic is divided by that.

use crate::robust::median;

/// One change of level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeShift {
    /// The place of the first commit that has the new level.
    pub index: usize,
    /// The first and the last place at which it may be as well.
    pub within: (usize, usize),
    /// The median before, since the shift before.
    pub from: f64,
    /// The median from there to the next shift.
    pub to: f64,
}

/// Commits on either side of a shift at the least.
const LEAST: usize = 4;

/// A history has so many blocks at the least where the spread of blocks is looked at: the blocks on both sides of
/// a shift or two are then the fewer ones, and a median does not see them.
const LEAST_BLOCKS: usize = 16;

/// The median of the square of a standard normal variable.
const MEDIAN_OF_SQUARE: f64 = 0.4549;

/// Of so many commits, the limit that the largest statistic passes once in 10,000 times where all are alike.
/// Drawn from 100,000 to 400,000 permutations each; between two, the larger one holds.
const LIMITS: [(usize, f64); 10] = [
    (16, 3.37),
    (20, 3.63),
    (30, 4.00),
    (50, 4.22),
    (100, 4.45),
    (200, 4.59),
    (500, 4.74),
    (1000, 4.75),
    (2000, 4.80),
    (usize::MAX, 5.00),
];

/// The shifts of a time, in order; commits without one are `None`.
pub fn time_shifts(times: &[Option<f64>]) -> Vec<TimeShift> {
    let known: Vec<(usize, f64)> = times
        .iter()
        .enumerate()
        .filter_map(|(index, time)| Some((index, (*time).filter(|time| time.is_finite())?)))
        .collect();
    let mut places = Vec::new();
    split(&known, 0, 1.0, &mut places);
    places.sort_unstable_by_key(|place| place.0);
    let starts: Vec<usize> = std::iter::once(0).chain(places.iter().map(|place| place.0)).collect();
    let levels: Vec<f64> = (0..starts.len())
        .map(|number| {
            let end = starts.get(number + 1).copied().unwrap_or(known.len());
            let times: Vec<f64> = known[starts[number]..end].iter().map(|(_, time)| *time).collect();
            median(&times).unwrap_or(f64::NAN)
        })
        .collect();
    let shift = |(number, (start, first, last)): (usize, &(usize, usize, usize))| TimeShift {
        index: known[*start].0,
        within: (known[*first].0, known[*last].0),
        from: levels[number],
        to: levels[number + 1],
    };
    places.iter().enumerate().map(shift).collect()
}

/// Splits a stretch as long as a split is no chance. `offset` is its place in the whole, and `clustered` what is
/// known of how much its neighbors stay together from the stretch that it is of, which is longer and shows more.
fn split(stretch: &[(usize, f64)], offset: usize, clustered: f64, places: &mut Vec<(usize, usize, usize)>) {
    let statistics = rank_statistics(stretch);
    let Some((at, most)) =
        statistics.iter().copied().enumerate().max_by(|one, other| one.1.total_cmp(&other.1))
    else {
        return;
    };
    if most <= limit(stretch.len()) {
        return;
    }
    let clustered = clustered.max(clustering(&ranks(stretch)));
    if most / clustered.sqrt() <= limit(stretch.len()) {
        return;
    }
    // Splits that are nearly as good: within a unit of the statistic, as a likelihood is within two.
    let near = |place: &usize| statistics[*place] > most - 1.0;
    let first = (0..=at).rev().take_while(near).last().unwrap_or(at);
    let last = (at..statistics.len()).take_while(near).last().unwrap_or(at);
    places.push((offset + at, offset + first, offset + last));
    let (left, right) = stretch.split_at(at);
    split(left, offset, clustered, places);
    split(right, offset + at, clustered, places);
}

/// By what factor the variance of a sum of neighbors is larger than that of a sum of strangers, at the block size
/// where it is largest; 1 where nothing stays together, or where there are too few commits to know.
/// Looked at is the difference between neighboring blocks, and its median: a shift is in few of them.
fn clustering(ranks: &[f64]) -> f64 {
    let n = ranks.len();
    let variance = variance(ranks);
    if n < 2 * LEAST_BLOCKS || variance <= 0.0 {
        return 1.0;
    }
    let mut sums = vec![0.0; n + 1];
    for (place, rank) in ranks.iter().enumerate() {
        sums[place + 1] = sums[place] + rank;
    }
    let largest = n / LEAST_BLOCKS;
    let sizes = std::iter::successors(Some(2), |size| Some(size * 2)).take_while(|size| *size < largest);
    let spread = |size: usize| {
        let squares: Vec<f64> = (0..=n - 2 * size)
            .map(|place| (sums[place + 2 * size] - 2.0 * sums[place + size] + sums[place]).powi(2))
            .collect();
        median(&squares).unwrap_or(0.0) / (2 * size) as f64 / MEDIAN_OF_SQUARE / variance
    };
    sizes.chain([largest]).map(spread).fold(1.0, f64::max)
}

/// The variance of ranks around their mean, which does not depend on ties.
fn variance(ranks: &[f64]) -> f64 {
    let n = ranks.len() as f64;
    let mean = f64::midpoint(n, 1.0);
    ranks.iter().map(|rank| (rank - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0)
}

/// At each place the standardized sum of the ranks before it; 0 where a side is too short.
fn rank_statistics(stretch: &[(usize, f64)]) -> Vec<f64> {
    let n = stretch.len();
    let ranks = ranks(stretch);
    let mean = f64::midpoint(n as f64, 1.0);
    let variance = variance(&ranks);
    let mut sum = 0.0;
    let mut statistics = vec![0.0; n];
    for (place, rank) in ranks.iter().enumerate() {
        let (before, after) = (place as f64, (n - place) as f64);
        if place >= LEAST && n - place >= LEAST && variance > 0.0 {
            let spread = (before * after * variance / n as f64).sqrt();
            statistics[place] = (sum - before * mean).abs() / spread;
        }
        sum += rank;
    }
    statistics
}

/// Ranks from 1; equal times share theirs.
fn ranks(stretch: &[(usize, f64)]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..stretch.len()).collect();
    order.sort_by(|&one, &other| stretch[one].1.total_cmp(&stretch[other].1));
    let mut ranks = vec![0.0; stretch.len()];
    let mut from = 0;
    while from < order.len() {
        let equal = order[from..].iter().take_while(|&&place| stretch[place].1 <= stretch[order[from]].1);
        let to = from + equal.count().max(1);
        let shared = (from + 1 + to) as f64 / 2.0;
        for &place in &order[from..to] {
            ranks[place] = shared;
        }
        from = to;
    }
    ranks
}

fn limit(commits: usize) -> f64 {
    let known = LIMITS.iter().find(|(most, _)| commits <= *most);
    known.or(LIMITS.last()).map_or(f64::INFINITY, |(_, limit)| *limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Medians of 5 runs each of one unchanged command, one after the other on a busy machine
    /// (docs/tracking.md says how they were taken), in ns.
    const NOISE: &str = include_str!("time_shifts/noise.txt");

    /// The same of a machine whose load changed for minutes: its levels last for a hundred medians.
    const NOISE_OF_RISING_LOAD: &str = include_str!("time_shifts/noise_of_rising_load.txt");

    fn noise() -> Vec<f64> {
        times_in(NOISE)
    }

    fn times_in(text: &str) -> Vec<f64> {
        text.lines().filter(|line| !line.starts_with('#')).map(|line| line.parse().unwrap()).collect()
    }

    /// Numbers without a pattern.
    struct Draws(u64);

    impl Draws {
        fn below(&mut self, n: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(self.0 >> 33).unwrap() % n
        }
    }

    fn history(noise: &[f64], commits: usize, seed: u64) -> Vec<Option<f64>> {
        let mut draws = Draws(seed);
        (0..commits).map(|_| Some(noise[draws.below(noise.len())])).collect()
    }

    #[test]
    fn a_thousand_equal_commits_have_fewer_than_one_shift() {
        let noise = noise();
        assert!(noise.len() >= 200, "{}", noise.len());
        let histories = 20;
        let false_alarms: usize =
            (0..histories).map(|seed| time_shifts(&history(&noise, 1000, seed)).len()).sum();
        assert_eq!(false_alarms, 0, "in {histories} histories of 1000 commits");
        let short: usize = (0..500).map(|seed| time_shifts(&history(&noise, 40, seed)).len()).sum();
        assert!(short < 20, "{short} in 20,000 commits of short histories");
    }

    /// As `history`, of stretches of so many commits that keep their order.
    fn together(noise: &[f64], commits: usize, length: usize, seed: u64) -> Vec<Option<f64>> {
        let mut draws = Draws(seed);
        let stretches = std::iter::repeat_with(|| draws.below(noise.len()));
        let places = stretches.flat_map(|from| (from..from + length).map(|place| place % noise.len()));
        places.take(commits).map(|place| Some(noise[place])).collect()
    }

    /// How many false shifts there are in so many histories of so many commits.
    fn false_shifts(noise: &[f64], histories: u64, commits: usize, length: usize) -> usize {
        (0..histories).map(|seed| time_shifts(&together(noise, commits, length, seed)).len()).sum()
    }

    #[test]
    fn noise_that_stays_together_is_no_shift() {
        let noise = noise();
        let as_taken: Vec<_> = noise.iter().copied().map(Some).collect();
        assert_eq!(time_shifts(&as_taken), []);
        let false_alarms: usize =
            [20, 50, 100].map(|length| false_shifts(&noise, 10, 1000, length)).iter().sum();
        assert!(false_alarms <= 3, "{false_alarms} in 30,000 commits");
    }

    #[test]
    #[ignore = "long"]
    fn fewer_than_one_shift_in_a_thousand_equal_commits() {
        for (name, noise) in [("a busy machine", noise()), ("rising load", times_in(NOISE_OF_RISING_LOAD))] {
            for (histories, commits) in [(200, 1000), (1000, 200), (3000, 60)] {
                for length in [1, 5, 10, 20, 50, 100] {
                    let found = false_shifts(&noise, histories, commits, length);
                    let rate = found as f64 / histories as f64 / (commits as f64 / 1000.0);
                    let row = format!(
                        "{name}: {histories} x {commits} in stretches of {length}: {found}, {rate:.2} in 1000"
                    );
                    eprintln!("{row}");
                    // In a short history a stretch that makes up much of it cannot be told from a shift.
                    assert!(rate < 1.0 || (name == "rising load" && commits < 1000), "{row}");
                }
            }
        }
    }

    #[test]
    fn a_longer_time_is_found_where_it_begins() {
        let noise = noise();
        let typical = median(&noise).unwrap();
        for seed in 0..10 {
            let mut times = history(&noise, 200, seed);
            for time in times[120..].iter_mut().flatten() {
                *time += typical;
            }
            let shifts = time_shifts(&times);
            assert_eq!(shifts.len(), 1, "{shifts:?}");
            let shift = shifts[0];
            assert!(shift.within.0 <= 120 && 120 <= shift.within.1, "{shift:?}");
            assert!(shift.index.abs_diff(120) <= 10 && shift.to > 1.5 * shift.from, "{shift:?}");
        }
    }

    #[test]
    fn two_shifts_are_two_and_what_is_missing_is_passed_over() {
        let level = |place: usize| if (40..80).contains(&place) { 20.0 } else { 10.0 };
        let mut times: Vec<_> = (0..120).map(|place| Some(level(place) + (place % 7) as f64 * 0.1)).collect();
        times[40] = None;
        times[60] = Some(f64::NAN);
        let shifts = time_shifts(&times);
        let found: Vec<_> = shifts.iter().map(|shift| shift.index).collect();
        assert_eq!(found, [41, 80]);
        assert!((shifts[0].from - 10.3).abs() < 0.2 && (shifts[0].to - 20.3).abs() < 0.2, "{shifts:?}");
    }

    #[test]
    fn too_few_commits_and_equal_times_have_none() {
        assert_eq!(time_shifts(&[Some(1.0); 100]), []);
        let short: Vec<_> = (0..12).map(|place| Some(if place < 6 { 1.0 } else { 9.0 })).collect();
        assert_eq!(time_shifts(&short), []);
        assert_eq!(time_shifts(&[]), []);
    }
}
