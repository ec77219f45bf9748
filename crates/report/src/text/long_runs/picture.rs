//! Small pictures of a series in one line of blocks.

/// Levels, from nothing to the most.
const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Each column is the mean of the values that fall into it, as a share of `most`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 7")]
pub(super) fn picture(values: &[f64], most: f64, columns_max: usize) -> String {
    let columns = columns_max.min(values.len());
    (0..columns)
        .map(|column| {
            let from = column * values.len() / columns;
            let to = ((column + 1) * values.len() / columns).max(from + 1);
            let mean = values[from..to].iter().sum::<f64>() / (to - from) as f64;
            LEVELS[((mean / most * 7.0).round().clamp(0.0, 7.0)) as usize]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_shows_low_and_high_in_order() {
        assert_eq!(picture(&[0.0, 50.0, 100.0], 100.0, 48), "▁▅█");
        let many: Vec<f64> = (0..480).map(f64::from).collect();
        let drawn = picture(&many, 479.0, 36);
        assert_eq!(drawn.chars().count(), 36);
        assert!(drawn.starts_with('▁') && drawn.ends_with('█'), "{drawn}");
        assert_eq!(picture(&[f64::NAN, 9.0], 1.0, 48), "▁█");
    }
}
