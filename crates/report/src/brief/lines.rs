//! Methods of a comparison in few lines, the fastest first.

use crate::quantity::number;
use crate::standing::is_apart;
use crate::summary::factor::by_ratio;
use fathom_model::{Comparison, Reading};

/// Methods that stand together.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// The fastest by its ratio first.
    pub(super) members: Vec<usize>,
    /// How many times as long as the first of all the fastest and the slowest take that are shown to
    /// differ; both the same where none in the line is shown to differ from its first.
    factors: (f64, f64),
}

impl Line {
    /// The fastest.
    pub(super) fn first(&self) -> usize {
        self.members[0]
    }

    /// `1.2×`, or `1.2–1.6×` of members that differ.
    pub(super) fn factor(&self) -> String {
        let (low, high) = (written(self.factors.0), written(self.factors.1));
        if low == high { format!("{low}×") } else { format!("{low}–{high}×") }
    }
}

/// The lines, and how many there would be with room for all: in each stand those that are not shown
/// to differ from its first. Where there are more than `room`, neighbours that lie nearest become one;
/// the first line stays what it is.
pub(super) fn lines(comparison: &Comparison, room: usize) -> (Vec<Line>, usize) {
    let mut lines: Vec<Line> = Vec::new();
    let ratio = |index: usize| {
        let own = comparison.summaries.get(index).and_then(Reading::value).and_then(|own| own.ratio);
        if index == comparison.baseline { 1.0 } else { own.map_or(f64::NAN, |ratio| ratio.value) }
    };
    let order = by_ratio(comparison);
    let fastest = order.first().map_or(1.0, |(index, _)| ratio(*index));
    for (index, _) in order {
        if let Some(line) = lines.last_mut().filter(|line| !is_apart(comparison, line.first(), index)) {
            line.members.push(index);
        } else {
            let factor = ratio(index) / fastest;
            lines.push(Line { members: vec![index], factors: (factor, factor) });
        }
    }
    let all = lines.len();
    while lines.len() > room.max(2) {
        let gap = |at: &usize| lines[at + 1].factors.0 / lines[*at].factors.1;
        let nearest = (1..lines.len() - 1).min_by(|a, b| gap(a).total_cmp(&gap(b)));
        let Some(at) = nearest else { break };
        let next = lines.remove(at + 1);
        lines[at].factors.1 = next.factors.1;
        lines[at].members.extend(next.members);
    }
    (lines, all)
}

/// Two significant digits, and those that keep 1.04 from being 1.
fn written(factor: f64) -> String {
    match factor {
        small if small < 1.095 => number(small, 2),
        small if small < 9.95 => number(small, 1),
        large => number(large, 0),
    }
}
