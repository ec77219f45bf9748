//! A share of cases with its exact binomial bounds (Clopper and Pearson).

use std::fmt;

/// Probability that a bound is wrong, on each side.
const TAIL: f64 = 0.025;
/// Halvings of the interval from 0 to 1 in which a bound is looked for.
const HALVINGS: u32 = 60;

/// So many of so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Share {
    hits: u64,
    cases: u64,
}

impl Share {
    /// `hits` of `cases`.
    pub(super) fn new(hits: usize, cases: usize) -> Self {
        assert!(hits <= cases, "{hits} of {cases}");
        Self { hits: hits as u64, cases: cases as u64 }
    }

    /// How many.
    pub(super) fn hits(self) -> u64 {
        self.hits
    }

    /// Shares below this are refuted at 2.5 %.
    pub(super) fn lower_bound(self) -> f64 {
        if self.hits == 0 {
            return 0.0;
        }
        root(|p| upper_tail(self.hits, self.cases, p) < TAIL)
    }

    /// Shares above this are refuted at 2.5 %.
    pub(super) fn upper_bound(self) -> f64 {
        if self.hits == self.cases {
            return 1.0;
        }
        root(|p| 1.0 - upper_tail(self.hits + 1, self.cases, p) > TAIL)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = (100.0 * self.lower_bound(), 100.0 * self.upper_bound());
        write!(f, "{} of {} [{low:.1} %, {high:.1} %]", self.hits, self.cases)
    }
}

/// The largest p that `is_below` still holds for.
fn root(is_below: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if is_below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// The probability of `hits` or more in `cases` trials.
fn upper_tail(hits: u64, cases: u64, p: f64) -> f64 {
    let ln_factorial = |k: u64| libm::lgamma(k as f64 + 1.0);
    let term = |k: u64| {
        let choices = ln_factorial(cases) - ln_factorial(k) - ln_factorial(cases - k);
        (choices + k as f64 * p.ln() + (cases - k) as f64 * (-p).ln_1p()).exp()
    };
    (hits..=cases).map(term).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_solve_their_equations() {
        // With no hit the upper bound p solves (1 − p)^n = 0.025, with one
        // the lower bound solves 1 − (1 − p)^n = 0.025.
        let none = Share::new(0, 8);
        assert!(none.lower_bound().abs() < 1e-12);
        assert!((none.upper_bound() - (1.0 - 0.025_f64.powf(1.0 / 8.0))).abs() < 1e-9);
        let one = Share::new(1, 8);
        assert!((one.lower_bound() - (1.0 - 0.975_f64.powf(1.0 / 8.0))).abs() < 1e-9);
        // Two of two, by hand: p² = 0.025.
        assert!((Share::new(2, 2).lower_bound() - 0.025_f64.sqrt()).abs() < 1e-9);
        assert!((Share::new(2, 2).upper_bound() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_bounds_of_two_hundred_equal_exact_sums() {
        // Bisection over sums of math.comb(n, i) p^i (1 - p)^(n - i) in Python.
        for (hits, low, high) in [
            (0, 0.0, 0.018_275_340_355_136_3),
            (3, 0.003_104_107_621_553_5, 0.043_208_281_917_712_4),
            (7, 0.014_185_525_898_419_2, 0.070_780_998_350_977_7),
            (17, 0.050_295_918_630_257_2, 0.132_605_165_829_552_2),
        ] {
            let share = Share::new(hits, 200);
            assert!((share.lower_bound() - low).abs() < 1e-9, "{hits}: {}", share.lower_bound());
            assert!((share.upper_bound() - high).abs() < 1e-9, "{hits}: {}", share.upper_bound());
        }
    }

    #[test]
    fn the_bounds_mirror_each_other() {
        for hits in 0..=40 {
            let (one, other) = (Share::new(hits, 40), Share::new(40 - hits, 40));
            assert!((one.lower_bound() + other.upper_bound() - 1.0).abs() < 1e-9, "{hits}");
        }
    }

    #[test]
    fn four_hundred_sittings_can_show_what_forty_cannot() {
        assert!(Share::new(0, 40).upper_bound() > 0.075);
        assert!(Share::new(12, 400).upper_bound() < 0.075);
        assert_eq!(Share::new(0, 40).to_string(), "0 of 40 [0.0 %, 8.8 %]");
    }
}
