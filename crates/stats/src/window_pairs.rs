//! What is done in windows of one run, pair by pair: adjacent windows in random order, of which one has nothing done
//! and the other an amount, or neither. Pairs are dealt to groups that each go from the run's beginning to its end,
//! so that a group says what the whole run gains, whatever the run does when; each group is one block of
//! [`dose_effect`](crate::dose_effect()).

use crate::dose::DoseBlock;
use crate::robust::mean;

/// So many pairs in a row have one of two windows with nothing done, two of the smaller amount, two of the larger.
pub const PAIRS_IN_ROW: usize = 5;
/// More groups would not make intervals narrower.
const MOST_GROUPS: usize = 32;

/// A pair of windows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WindowPair {
    /// Its place among the pairs of the run, with those that are left out.
    pub place: usize,
    /// What was done in each: 0 in one at least.
    pub amounts: [u32; 2],
    /// What was measured of each; `None` where the pair is left out.
    pub values: Option<[f64; 2]>,
}

/// The blocks that pairs of one run make. `amounts` are the two that are in the table, and `units` what they stand
/// for on the axis of the slope; each measured difference is multiplied by `scale`. Groups in which one of the kinds
/// has no pair are left out.
pub fn window_blocks(pairs: &[WindowPair], amounts: [u32; 2], units: [f64; 2], scale: f64) -> Vec<DoseBlock> {
    let rows = pairs.iter().map(|pair| pair.place / PAIRS_IN_ROW + 1).max().unwrap_or(0);
    let groups = rows.min(MOST_GROUPS);
    let block = |group: usize| {
        let of_group = || pairs.iter().filter(move |pair| pair.place / PAIRS_IN_ROW % groups == group);
        let of_amount = |amount: u32| -> Option<f64> {
            let differences: Vec<_> = of_group().filter_map(|pair| difference(pair, amount)).collect();
            mean(&differences).map(|mean| mean * scale)
        };
        let same = of_amount(0)?;
        let with = [0, 1].map(|which| of_amount(amounts[which]).map(|value| (units[which], value)));
        // The slope is to have nothing of what two windows with nothing done differ by.
        Some(DoseBlock { never: [-same / 2.0, same / 2.0], with: vec![with[0]?, with[1]?] })
    };
    (0..groups).filter_map(block).collect()
}

/// With the amount less without; of two without, in turns one less the other, as they come in random order elsewhere.
fn difference(pair: &WindowPair, amount: u32) -> Option<f64> {
    let [first, second] = pair.values?;
    match pair.amounts {
        [0, 0] if amount == 0 => {
            let turns = (pair.place / PAIRS_IN_ROW).is_multiple_of(2);
            Some(if turns { second - first } else { first - second })
        }
        [0, with] if with == amount && amount > 0 => Some(second - first),
        [with, 0] if with == amount && amount > 0 => Some(first - second),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dose_effect;

    /// Rows of pairs whose windows take what `of` says by place of the window and amount.
    fn pairs(rows: usize, of: impl Fn(usize, u32) -> f64) -> Vec<WindowPair> {
        let row = [[0, 1], [3, 0], [0, 0], [1, 0], [0, 3]];
        (0..rows * PAIRS_IN_ROW)
            .map(|place| {
                let amounts = row[place % PAIRS_IN_ROW];
                let value = |which: usize| of(2 * place + which, amounts[which]);
                WindowPair { place, amounts, values: Some([value(0), value(1)]) }
            })
            .collect()
    }

    fn noise(at: usize) -> f64 {
        (at as f64 * 2.399_963).sin()
    }

    #[test]
    fn what_is_added_is_found_whatever_the_run_does_when() {
        // Calls of the first half are dear, those of the second cheap: 50 and 10 for each amount. A drift, too.
        let rows = 200;
        let half = rows * PAIRS_IN_ROW;
        let pairs = pairs(rows, |at, amount| {
            let each = if at < half { 50.0 } else { 10.0 };
            1000.0 + at as f64 * 0.05 + each * f64::from(amount) + noise(at)
        });
        let blocks = window_blocks(&pairs, [1, 3], [1.0, 3.0], 100.0);
        assert_eq!(blocks.len(), MOST_GROUPS);
        let effect = dose_effect(&blocks, 0.05).unwrap();
        assert!(effect.slope.interval.contains(3000.0), "{effect:?}");
        assert!(effect.slope.interval.half_width() < 300.0, "{effect:?}");
        assert!(effect.same.interval.contains(0.0) && effect.bend.interval.contains(0.0), "{effect:?}");
    }

    #[test]
    fn windows_that_differ_by_themselves_are_seen() {
        let rows = 40;
        // Two windows with nothing done differ by their turn, which nothing but the instrument could do.
        let pairs = pairs(rows, |at, amount| {
            let turn = (at / 2 / PAIRS_IN_ROW).is_multiple_of(2) == (at % 2 == 1);
            1000.0 + 50.0 * f64::from(amount) + if turn { 30.0 } else { 0.0 } + noise(at)
        });
        let effect = dose_effect(&window_blocks(&pairs, [1, 3], [1.0, 3.0], 1.0), 0.05).unwrap();
        assert!(effect.same.interval.low > 20.0, "{effect:?}");
    }

    #[test]
    fn pairs_that_are_left_out_say_nothing() {
        let mut pairs = pairs(3, |at, amount| 10.0 + f64::from(amount) + noise(at) * 0.0);
        pairs[0].values = None;
        pairs[3].values = None;
        // The first row has no pair of the amount 1 any more.
        let blocks = window_blocks(&pairs, [1, 3], [1.0, 3.0], 1.0);
        assert_eq!(blocks.len(), 2);
        assert_eq!(blocks[0].with, vec![(1.0, 1.0), (3.0, 3.0)]);
        assert!(window_blocks(&[], [1, 3], [1.0, 3.0], 1.0).is_empty());
    }
}
