//! Intervals of the real line, closed, with ends that may be open to infinity.
//! Both confidence sequences and the regions of claims are intervals; what is
//! concluded from their positions lives in `decision`.

/// All numbers from `low` to `high`, both included; an infinite end is open.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end; negative infinity where there is none.
    pub low: f64,
    /// Upper end; infinity where there is none.
    pub high: f64,
}

impl Interval {
    /// The whole line: nothing is known, everything is allowed.
    pub const UNBOUNDED: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// The interval between two ends.
    pub fn new(low: f64, high: f64) -> Self {
        assert!(low <= high, "the ends {low} and {high} are out of order");
        Self { low, high }
    }

    /// Everything from `low` upwards.
    pub fn at_least(low: f64) -> Self {
        Self::new(low, f64::INFINITY)
    }

    /// Everything up to `high`.
    pub fn at_most(high: f64) -> Self {
        Self::new(f64::NEG_INFINITY, high)
    }

    /// True when both ends are finite.
    pub fn is_bounded(self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    /// The lower end, when there is one.
    pub fn finite_low(self) -> Option<f64> {
        Some(self.low).filter(|end| end.is_finite())
    }

    /// The upper end, when there is one.
    pub fn finite_high(self) -> Option<f64> {
        Some(self.high).filter(|end| end.is_finite())
    }

    /// Half the distance between the ends; infinite where one is open.
    pub fn half_width(self) -> f64 {
        if self.is_bounded() { (self.high - self.low) / 2.0 } else { f64::INFINITY }
    }

    /// True when `x` lies inside or on an end.
    pub fn contains(self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }

    /// True when no number of this interval lies outside `other`.
    pub fn is_within(self, other: Self) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// True when the two have no number in common.
    pub fn is_disjoint(self, other: Self) -> bool {
        self.high < other.low || other.high < self.low
    }

    /// What the two have in common.
    pub fn intersection(self, other: Self) -> Option<Self> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low <= high).then_some(Self { low, high })
    }

    /// The interval from e^low to e^high, for ends that are logarithms; an open
    /// end stays open.
    #[must_use]
    pub fn exp(self) -> Self {
        let low = self.finite_low().map_or(f64::NEG_INFINITY, f64::exp);
        Self { low, high: self.high.exp() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_end_is_not_a_number() {
        let half = Interval::at_least(2.0);
        assert_eq!((half.finite_low(), half.finite_high()), (Some(2.0), None));
        assert!(half.contains(1e300) && !half.contains(1.9) && !half.is_bounded());
        assert!(half.half_width().is_infinite());
        assert_eq!(Interval::UNBOUNDED.exp(), Interval::UNBOUNDED);
    }

    #[test]
    fn intervals_that_touch_share_a_point() {
        let (left, right) = (Interval::new(0.0, 1.0), Interval::new(1.0, 2.0));
        assert!(!left.is_disjoint(right));
        assert_eq!(left.intersection(right), Some(Interval::new(1.0, 1.0)));
        assert!(left.is_disjoint(Interval::at_least(1.1)));
        assert_eq!(left.intersection(Interval::at_least(1.1)), None);
    }

    #[test]
    fn within_means_wholly_within() {
        let inner = Interval::new(0.2, 0.8);
        assert!(inner.is_within(Interval::new(0.2, 0.8)));
        assert!(inner.is_within(Interval::at_most(1.0)));
        assert!(!inner.is_within(Interval::new(0.3, 1.0)));
        assert!(!Interval::UNBOUNDED.is_within(Interval::at_most(1.0)));
    }

    #[test]
    #[should_panic(expected = "out of order")]
    fn ends_out_of_order_are_a_programming_error() {
        let _ = Interval::new(1.0, 0.0);
    }
}
