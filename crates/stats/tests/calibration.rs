//! Monte Carlo of the combined sequence with a look after every value: how
//! often it ever leaves out the truth, for clean, heavy-tailed and contaminated
//! values, and whether it finds effects. Seeded, so each run is the same.

use fathom_stats::{Interval, Verdict, combined_sequence, decide, find_split};

const ALPHA: f64 = 0.05;
const LENGTH: usize = 100;

/// A long run: enough values for a wrong model to show.
const LONG: usize = 400;

/// Marsaglia's xorshift64* with a fixed seed.
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11;
        (bits as f64 + 0.5) / (1_u64 << 53) as f64
    }

    fn gaussian(&mut self) -> f64 {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    fn cauchy(&mut self) -> f64 {
        (std::f64::consts::PI * (self.uniform() - 0.5)).tan()
    }

    /// Gaussian, and one value in ten delayed by an exponential of ten times
    /// its spread: a wild fork.
    fn delayed(&mut self) -> f64 {
        let delay = if self.uniform() < 0.1 { -10.0 * self.uniform().ln() } else { 0.0 };
        self.gaussian() + delay
    }

    /// The same with a coin flip for the arm that is hit, as roles are drawn.
    fn delayed_either(&mut self) -> f64 {
        if self.uniform() < 0.5 { self.delayed() } else { -self.delayed() }
    }
}

fn series(random: &mut Random, draw: fn(&mut Random) -> f64, length: usize) -> Vec<f64> {
    (0..length).map(|_| draw(random)).collect()
}

/// Share of `runs` in which `excludes` held after some of `length` values.
fn crossing_share(
    runs: u32,
    length: usize,
    draw: fn(&mut Random) -> f64,
    excludes: impl Fn(&[f64]) -> bool,
) -> f64 {
    let mut random = Random(0x5EED_0FFA_7403);
    let crossed = |random: &mut Random| {
        let values = series(random, draw, length);
        (3..=length).any(|n| excludes(&values[..n]))
    };
    f64::from((0..runs).map(|_| u32::from(crossed(&mut random))).sum::<u32>()) / f64::from(runs)
}

fn combined_excludes(values: &[f64], truth: f64) -> bool {
    !combined_sequence(values, ALPHA).contains(truth)
}

/// Three standard errors above `share`, for a count over `runs`.
fn bound(share: f64, runs: u32) -> f64 {
    share + 3.0 * (share * (1.0 - share) / f64::from(runs)).sqrt()
}

fn check_null(draw: fn(&mut Random) -> f64) {
    let share = crossing_share(2000, LENGTH, draw, |values| combined_excludes(values, 0.0));
    assert!(share <= bound(ALPHA, 2000), "crossed in {share}");
    assert!(share > 0.0, "an interval that never errs is useless");
}

#[test]
fn gaussian_values_seldom_cross() {
    check_null(Random::gaussian);
}

#[test]
fn heavy_tailed_values_seldom_cross() {
    check_null(Random::cauchy);
}

#[test]
fn symmetric_contamination_seldom_crosses() {
    check_null(Random::delayed_either);
}

/// The yardstick of the tests above: looking at a fixed-size interval after
/// each value would be caught by their bound many times over.
#[test]
fn looking_at_a_fixed_size_interval_crosses_often() {
    let share = crossing_share(500, LENGTH, Random::gaussian, |values| {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
        values.len() >= 5 && mean.abs() > 1.96 * (variance / n).sqrt()
    });
    assert!(share > 0.2, "crossed in {share}");
}

#[test]
fn one_sided_contamination_is_covered() {
    // Wild forks on one side draw the mean to 1, which the t part alone would converge to.
    // 0.1272 is the median of twenty million draws of this mixture (NumPy).
    let share = crossing_share(100, LONG, Random::delayed, |values| combined_excludes(values, 0.1272));
    assert!(share <= bound(ALPHA, 100), "crossed in {share}");
}

#[test]
fn an_effect_is_found_with_its_sign_and_size() {
    let mut random = Random(11);
    let mut found = 0;
    for _ in 0..200 {
        // An effect of 1 %, a spread between forks of 0.4 %, forty forks.
        let values: Vec<f64> =
            series(&mut random, Random::gaussian, 40).iter().map(|z| 0.01 + 0.004 * z).collect();
        let interval = combined_sequence(&values, ALPHA);
        assert!(interval.half_width() < 0.004, "{interval:?}");
        found += u32::from(decide(interval, Interval::new(-0.005, 0.005), 40) == Verdict::Refuted);
    }
    assert!(found >= 190, "found {found} of 200");
}

#[test]
fn a_steady_series_is_seldom_split() {
    let mut random = Random(7);
    let split =
        (0..1000).filter(|_| find_split(&series(&mut random, Random::gaussian, LENGTH)).is_some()).count();
    assert!(split <= 50, "{split} of 1000 clean series were split");
}
