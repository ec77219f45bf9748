//! Many durations in four numbers.

use fathom_model::{FigureQuantile, OutcomeFigure};
use fathom_stats::{quantile, quantile_interval};
use serde::{Deserialize, Serialize};

/// How durations spread, in ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Spread {
    n: u64,
    least_ns: u64,
    median_ns: u64,
    most_ns: u64,
}

impl Spread {
    /// `None` of no durations.
    pub(super) fn of(mut durations_ns: Vec<u64>) -> Option<Self> {
        durations_ns.sort_unstable();
        let (least_ns, most_ns) = (*durations_ns.first()?, *durations_ns.last()?);
        let middle = durations_ns.len() / 2;
        let median_ns = if durations_ns.len() % 2 == 1 {
            durations_ns[middle]
        } else {
            durations_ns[middle - 1].midpoint(durations_ns[middle])
        };
        Some(Self { n: durations_ns.len() as u64, least_ns, median_ns, most_ns })
    }

    /// As a figure in µs.
    pub(super) fn figure(self, name: &str) -> OutcomeFigure {
        let us = |ns: u64| ns as f64 / 1e3;
        OutcomeFigure {
            name: name.to_owned(),
            unit: "µs".to_owned(),
            n: self.n,
            least: us(self.least_ns),
            median: us(self.median_ns),
            most: us(self.most_ns),
            quantiles: Vec::new(),
        }
    }
}

/// The share of values below a quantile: the median, and what one in a hundred exceeds.
const QUANTILES: [f64; 2] = [0.5, 0.99];

/// A figure of tries that are independent of each other, with intervals of its quantiles.
pub(super) fn independent(name: &str, unit: &str, values: &[f64]) -> Option<OutcomeFigure> {
    let quantile_of = |share| {
        let (low, high) = quantile_interval(values, share, 0.95);
        Some(FigureQuantile { share, value: quantile(values, share)?, low, high })
    };
    Some(OutcomeFigure {
        name: name.to_owned(),
        unit: unit.to_owned(),
        n: values.len() as u64,
        least: quantile(values, 0.0)?,
        median: quantile(values, 0.5)?,
        most: quantile(values, 1.0)?,
        quantiles: QUANTILES.into_iter().filter_map(quantile_of).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_lies_in_the_middle() {
        assert_eq!(Spread::of(vec![]), None);
        let figure = Spread::of(vec![5000, 1000, 2000]).unwrap().figure("window");
        assert_eq!((figure.n, figure.least, figure.median, figure.most), (3, 1.0, 2.0, 5.0));
        assert_eq!(Spread::of(vec![4, 2]).unwrap().median_ns, 3);
    }
}
