//! Student's t distribution, as far as Welch's test needs it.

use crate::robust::{mean, squared_deviations};

/// Terms after which the continued fraction is taken as it is; it converges in
/// about sqrt(max(a, b)) of them.
const TERMS: u32 = 500;

/// The two-sided p-value of Welch's test that two samples of at least two
/// values have the same mean.
pub(crate) fn welch_p_value(left: &[f64], right: &[f64]) -> Option<f64> {
    if left.len() < 2 || right.len() < 2 {
        return None;
    }
    let (left_mean, left_error) = mean_and_squared_error(left)?;
    let (right_mean, right_error) = mean_and_squared_error(right)?;
    let difference = left_mean - right_mean;
    let error = left_error + right_error;
    if error <= 0.0 {
        return Some(if difference.abs() > 0.0 { 0.0 } else { 1.0 });
    }
    let terms = [(left_error, left.len()), (right_error, right.len())];
    let freedom =
        error.powi(2) / terms.iter().map(|(error, n)| error.powi(2) / (*n as f64 - 1.0)).sum::<f64>();
    Some(two_sided_p_value(difference / error.sqrt(), freedom))
}

/// The probability that |T| reaches |t| with `freedom` degrees of freedom.
fn two_sided_p_value(t: f64, freedom: f64) -> f64 {
    regularized_beta(freedom / (freedom + t * t), freedom / 2.0, 0.5)
}

fn mean_and_squared_error(values: &[f64]) -> Option<(f64, f64)> {
    let mean = mean(values)?;
    let n = values.len() as f64;
    Some((mean, squared_deviations(values, mean) / (n - 1.0) / n))
}

/// The regularized incomplete beta function of shape (a, b) at x.
fn regularized_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    let ln_beta = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    let front = (a * x.ln() + b * (-x).ln_1p() - ln_beta).exp();
    // The fraction converges fast below the distribution's mean only.
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(x, a, b) / a
    } else {
        1.0 - front * beta_fraction(1.0 - x, b, a) / b
    }
}

/// The continued fraction of the incomplete beta function, by Lentz's method.
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    let nonzero = |value: f64| if value.abs() < f64::MIN_POSITIVE { f64::MIN_POSITIVE } else { value };
    let mut numerator = 1.0;
    let mut inverse = 1.0 / nonzero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = inverse;
    for term in (1..=TERMS).map(f64::from) {
        let twice = a + 2.0 * term;
        let even = term * (b - term) * x / ((twice - 1.0) * twice);
        let odd = -(a + term) * (a + b + term) * x / (twice * (twice + 1.0));
        let before = fraction;
        for coefficient in [even, odd] {
            inverse = 1.0 / nonzero(1.0 + coefficient * inverse);
            numerator = nonzero(1.0 + coefficient / numerator);
            fraction *= numerator * inverse;
        }
        if (fraction / before - 1.0).abs() < 4.0 * f64::EPSILON {
            break;
        }
    }
    fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_equal_those_of_scipy() {
        // 2 * scipy.stats.t.sf(t, v).
        for (t, freedom, expected) in [
            (2.0, 5.0, 0.101_939_478_829_858_35),
            (3.5, 40.3, 0.001_151_102_592_173_294_3),
            (0.1, 1.0, 0.936_548_965_138_893),
            (12.0, 7.5, 3.660_806_455_619_481e-6),
            (4.2, 250.0, 3.715_203_158_310_16e-5),
        ] {
            let got = two_sided_p_value(t, freedom);
            assert!((got / expected - 1.0).abs() < 1e-10, "t = {t}, v = {freedom}: {got}");
            assert!((two_sided_p_value(-t, freedom) - got).abs() < 1e-15);
        }
    }

    #[test]
    fn welch_equals_scipy() {
        // scipy.stats.ttest_ind(a, b, equal_var=False).pvalue.
        let left = [1.0, 1.2, 0.9, 1.1, 1.05];
        let right = [1.3, 1.5, 1.45, 1.2, 1.6, 1.4];
        let got = welch_p_value(&left, &right).unwrap();
        assert!((got / 0.001_184_133_147_076_246 - 1.0).abs() < 1e-10, "{got}");
    }

    #[test]
    fn samples_without_spread_differ_or_do_not() {
        assert_eq!(welch_p_value(&[1.0, 1.0], &[2.0, 2.0]), Some(0.0));
        assert_eq!(welch_p_value(&[1.0, 1.0], &[1.0, 1.0]), Some(1.0));
        assert_eq!(welch_p_value(&[1.0], &[2.0, 3.0]), None);
    }
}
