//! Ratios drawn beside their figures: intervals on one logarithmic axis, and a
//! line where the baseline is.

use crate::quantity::three_digits;
use crate::standing::summary;
use crate::wrap::width;
use fathom_model::{Comparison, Estimate};

/// Narrower ones show nothing …
const COLUMNS_LEAST: usize = 12;
/// … and wider ones not more.
const COLUMNS_MOST: usize = 32;
/// Blanks before it.
const GAP: usize = 3;

/// A heading with the ends of the axis, and a row for each variant; none where there
/// is no room or nothing to draw.
pub(super) fn rows(comparison: &Comparison, shown: &[usize], room: usize) -> Vec<String> {
    let columns = room.saturating_sub(GAP).min(COLUMNS_MOST);
    let ratio = |index: usize| summary(comparison, index)?.ratio.as_ref().filter(|r| interval(r).is_some());
    let ends = shown.iter().filter_map(|&index| interval(ratio(index)?));
    let (low, high) = ends.fold((1.0_f64, 1.0_f64), |(low, high), (l, h)| (low.min(l), high.max(h)));
    if columns < COLUMNS_LEAST || low >= high {
        return Vec::new();
    }
    let axis = Axis { low: low.ln(), high: high.ln(), columns };
    let row = |&index: &usize| format!("{:GAP$}{}", "", axis.draw(ratio(index)));
    std::iter::once(format!("{:GAP$}{}", "", axis.heading(low, high))).chain(shown.iter().map(row)).collect()
}

struct Axis {
    low: f64,
    high: f64,
    columns: usize,
}

impl Axis {
    fn heading(&self, low: f64, high: f64) -> String {
        let (low, high) = (three_digits(low), three_digits(high));
        let blanks = self.columns.saturating_sub(width(&low) + width(&high));
        format!("{low}{}{high}", " ".repeat(blanks))
    }

    fn draw(&self, ratio: Option<&Estimate>) -> String {
        let mut cells = vec![' '; self.columns];
        cells[self.column(1.0)] = '┊';
        if let Some((ratio, (low, high))) = ratio.and_then(|ratio| Some((ratio, interval(ratio)?))) {
            cells[self.column(low)..=self.column(high)].fill('─');
            cells[self.column(ratio.value)] = '●';
        }
        cells.into_iter().collect()
    }

    fn column(&self, ratio: f64) -> usize {
        let share = (ratio.ln() - self.low) / (self.high - self.low);
        let last = self.columns - 1;
        (0..last).find(|&column| share <= (column as f64 + 0.5) / last as f64).unwrap_or(last)
    }
}

fn interval(ratio: &Estimate) -> Option<(f64, f64)> {
    ratio.interval().filter(|(low, high)| *low > 0.0 && low <= high && high.is_finite())
}
