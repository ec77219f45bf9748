//! Steps in the history of a count: commits from which on it is another one.
//!
//! A count that was equal in all runs of every commit has no noise, and each change of it is a step. A
//! count that varies by itself, within a commit or to and fro between commits, has a range: a step is
//! where commits leave the range of all commits before, and are more of them than chance explains. The
//! unit is the commit, not the run: runs of one commit have its machine and its moment in common.

/// What the runs of one commit counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountPoint {
    /// The least.
    pub low: u64,
    /// The most.
    pub high: u64,
}

/// One change of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountStep {
    /// The place of the first commit that has the new count.
    pub index: usize,
    /// The place of the last commit before that was counted.
    pub before: usize,
    /// The range since the step before.
    pub from: CountPoint,
    /// The range of the commits that show it.
    pub to: CountPoint,
}

/// What a history shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CountHistory {
    /// Its steps, in order.
    pub steps: Vec<CountStep>,
    /// True where the count varies by itself.
    pub varies: bool,
    /// The first of some last commits that are outside the range, but too few to be sure.
    pub unsure_from: Option<usize>,
}

/// Of commits without a change, this share at the most is taken for a step at any one place.
const P_VALUE: f64 = 1e-8;
/// A count that came back so often varies by itself: a commit and its revert come back once.
const RETURNS: usize = 2;

/// The steps of a count; commits where it is not known are `None`.
pub fn count_history(points: &[Option<CountPoint>]) -> CountHistory {
    let known: Vec<(usize, CountPoint)> =
        points.iter().enumerate().filter_map(|(index, point)| Some((index, (*point)?))).collect();
    if known.iter().all(|(_, point)| point.low == point.high) {
        let steps = exact_steps(&known);
        if returns(&steps) < RETURNS {
            return CountHistory { steps, varies: false, unsure_from: None };
        }
    }
    ranged_steps(&known)
}

fn exact_steps(known: &[(usize, CountPoint)]) -> Vec<CountStep> {
    let pairs = known.windows(2).filter(|pair| pair[0].1 != pair[1].1);
    pairs
        .map(|pair| CountStep { index: pair[1].0, before: pair[0].0, from: pair[0].1, to: pair[1].1 })
        .collect()
}

/// How often a count comes back to one that it had earlier.
fn returns(steps: &[CountStep]) -> usize {
    let mut seen: Vec<u64> = steps.iter().take(1).map(|step| step.from.low).collect();
    let mut returns = 0;
    for step in steps {
        if seen.contains(&step.to.low) {
            returns += 1;
        } else {
            seen.push(step.to.low);
        }
    }
    returns
}

/// Commits with one range.
#[derive(Debug, Clone, Copy)]
struct Segment {
    range: CountPoint,
    commits: usize,
    last: usize,
}

impl Segment {
    fn new(index: usize, point: CountPoint) -> Self {
        Self { range: point, commits: 1, last: index }
    }

    fn take(&mut self, index: usize, point: CountPoint) {
        self.range = CountPoint { low: self.range.low.min(point.low), high: self.range.high.max(point.high) };
        self.commits += 1;
        self.last = index;
    }

    fn absorb(&mut self, other: Self) {
        let commits = self.commits + other.commits;
        self.take(other.last, other.range);
        self.commits = commits;
    }

    fn is_below(&self, point: CountPoint) -> bool {
        self.range.high < point.low
    }

    fn is_above(&self, point: CountPoint) -> bool {
        point.high < self.range.low
    }
}

fn ranged_steps(known: &[(usize, CountPoint)]) -> CountHistory {
    let mut history = CountHistory { varies: true, ..CountHistory::default() };
    let Some(((first, point), rest)) = known.split_first() else { return history };
    let mut segment = Segment::new(*first, *point);
    let mut outside: Option<(usize, Segment)> = None;
    for (index, point) in rest.iter().copied() {
        let (below, above) = (segment.is_below(point), segment.is_above(point));
        match &mut outside {
            // It is within the range after all, and so was what seemed to be outside.
            Some((_, group)) if !(below || above) => {
                segment.absorb(*group);
                segment.take(index, point);
                outside = None;
            }
            Some((_, group)) if segment.is_below(group.range) == below => group.take(index, point),
            // From one side to the other: that is no level.
            Some((_, group)) => {
                segment.absorb(*group);
                segment.take(index, point);
                outside = None;
            }
            None if below || above => outside = Some((index, Segment::new(index, point))),
            None => segment.take(index, point),
        }
        if let Some((start, group)) = outside
            && chance(segment.commits, group.commits) <= P_VALUE
        {
            let step = CountStep { index: start, before: segment.last, from: segment.range, to: group.range };
            history.steps.push(step);
            segment = group;
            outside = None;
        }
    }
    history.unsure_from = outside.map(|(start, _)| start);
    history
}

/// How probable it is that the last `new` of equally made commits are all above, or all below, the `old` before.
fn chance(old: usize, new: usize) -> f64 {
    let (old, new) = (old as f64, new as f64);
    let ln_choices = libm::lgamma(old + new + 1.0) - libm::lgamma(old + 1.0) - libm::lgamma(new + 1.0);
    2.0 * (-ln_choices).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(counts: &[u64]) -> Vec<Option<CountPoint>> {
        counts.iter().map(|&count| Some(CountPoint { low: count, high: count })).collect()
    }

    fn indexes(history: &CountHistory) -> Vec<usize> {
        history.steps.iter().map(|step| step.index).collect()
    }

    /// Numbers from 0 to 4294967295 without a pattern.
    fn scattered(seed: u64) -> impl Iterator<Item = u64> {
        let mut state = seed;
        std::iter::repeat_with(move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 32
        })
    }

    #[test]
    fn every_change_of_an_exact_count_is_a_step() {
        let history = count_history(&exact(&[4, 4, 8, 8, 9]));
        assert_eq!(indexes(&history), [2, 4]);
        assert!(!history.varies);
        let from = history.steps[0];
        assert_eq!((from.before, from.from.low, from.to.low), (1, 4, 8));
    }

    #[test]
    fn a_commit_that_was_not_counted_is_no_step() {
        let mut points = exact(&[4, 4, 0, 8, 8]);
        points[2] = None;
        let history = count_history(&points);
        assert_eq!((indexes(&history), history.steps[0].before), (vec![3], 1));
        assert_eq!(count_history(&[None, None]), CountHistory { varies: false, ..CountHistory::default() });
    }

    #[test]
    fn a_revert_is_two_steps_and_a_flicker_none() {
        assert_eq!(indexes(&count_history(&exact(&[4, 8, 4]))), [1, 2]);
        let flicker = count_history(&exact(&[4, 8, 4, 8, 4, 4, 8, 4]));
        assert_eq!((indexes(&flicker), flicker.varies), (vec![], true));
    }

    #[test]
    fn a_varying_count_steps_where_its_range_is_left_for_good() {
        let mut points: Vec<_> = scattered(1)
            .take(60)
            .map(|number| CountPoint { low: 10 + number % 4, high: 14 + number % 3 })
            .collect();
        for point in &mut points[40..] {
            (point.low, point.high) = (point.low + 10, point.high + 10);
        }
        let known: Vec<_> = points.iter().copied().map(Some).collect();
        let history = count_history(&known);
        assert_eq!((indexes(&history), history.varies), (vec![40], true));
        let early = count_history(&known[..43]);
        assert_eq!(
            (indexes(&early), early.unsure_from),
            (vec![], Some(40)),
            "3 commits are too few to be sure"
        );
    }

    #[test]
    fn a_wild_commit_widens_the_range_and_is_no_step() {
        let mut points: Vec<_> = vec![Some(CountPoint { low: 10, high: 12 }); 100];
        points[50] = Some(CountPoint { low: 90, high: 95 });
        assert_eq!(indexes(&count_history(&points)), Vec::<usize>::new());
    }

    #[test]
    fn a_thousand_equal_commits_have_no_step() {
        for seed in 0..50 {
            let points: Vec<_> = scattered(seed)
                .take(1000)
                .map(|number| {
                    // A long tail: the minimum of two draws, squared.
                    let low = (number % 13) * (number % 7);
                    Some(CountPoint { low, high: low + number % 2 })
                })
                .collect();
            assert_eq!(indexes(&count_history(&points)), Vec::<usize>::new(), "seed {seed}");
        }
    }

    #[test]
    fn the_chance_is_that_of_an_order() {
        assert!((chance(2, 2) - 2.0 / 6.0).abs() < 1e-12);
        assert!((chance(5, 3) - 2.0 / 56.0).abs() < 1e-12);
    }
}
