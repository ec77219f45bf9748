//! Thins long lines to what a screen can show: of each narrow column of pixels
//! the first, the lowest, the highest and the last point stay, so that no
//! extreme is lost.

/// Columns of this width, in pixels, keep four points at most.
const COLUMN: f64 = 2.0;
/// A line of no more points than this is left as it is.
const POINTS_MAX: usize = 400;

/// A point in pixels.
pub(super) type Pixels = (f64, f64);

/// The points that stay, in their order.
pub(super) fn thin(points: &[Pixels]) -> Vec<Pixels> {
    if points.len() <= POINTS_MAX {
        return points.to_vec();
    }
    let mut kept = Vec::new();
    for column in points.chunk_by(|a, b| column(a.0) == column(b.0)) {
        let by_height = |a: &usize, b: &usize| column[*a].1.total_cmp(&column[*b].1);
        let lowest = (0..column.len()).min_by(by_height);
        let highest = (0..column.len()).max_by(by_height);
        let mut stay =
            [Some(0), lowest, highest, column.len().checked_sub(1)].map(|index| index.unwrap_or(0));
        stay.sort_unstable();
        let mut last = None;
        for index in stay {
            if last != Some(index) {
                kept.push(column[index]);
            }
            last = Some(index);
        }
    }
    kept
}

/// A band's lower and upper edge at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Edge {
    pub(super) x: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// The edges that stay: of each column the widest reach.
pub(super) fn thin_band(edges: &[Edge]) -> Vec<Edge> {
    if edges.len() <= POINTS_MAX {
        return edges.to_vec();
    }
    let widest = |column: &[Edge]| Edge {
        x: column[0].x,
        low: column.iter().map(|edge| edge.low).fold(f64::INFINITY, f64::min),
        high: column.iter().map(|edge| edge.high).fold(f64::NEG_INFINITY, f64::max),
    };
    edges.chunk_by(|a, b| column(a.x) == column(b.x)).map(widest).collect()
}

#[expect(clippy::cast_possible_truncation, reason = "a number of columns of a picture")]
fn column(x: f64) -> i64 {
    (x / COLUMN).floor() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_lines_stay_and_long_ones_keep_their_extremes() {
        let short: Vec<_> = (0..400).map(|i| (f64::from(i) * 0.1, 1.0)).collect();
        assert_eq!(thin(&short), short);
        let noise = |i: u32| f64::from(i.wrapping_mul(2_654_435_761) % 1000) / 1000.0;
        let mut long: Vec<_> = (0..50_000_u32).map(|i| (f64::from(i) * 0.01, noise(i))).collect();
        long[12_345].1 = -70.0;
        long[23_456].1 = 90.0;
        let kept = thin(&long);
        assert!(kept.len() <= 1004, "{} points", kept.len());
        assert!(kept.contains(&long[12_345]) && kept.contains(&long[23_456]));
        assert_eq!((kept[0], kept[kept.len() - 1]), (long[0], long[49_999]));
        assert!(kept.is_sorted_by(|a, b| a.0 <= b.0));
        assert!(thin(&[]).is_empty());
    }

    #[test]
    fn bands_keep_their_reach() {
        let mut edges: Vec<_> =
            (0..5000).map(|i| Edge { x: f64::from(i) * 0.1, low: 1.0, high: 2.0 }).collect();
        edges[777].low = -5.0;
        edges[779].high = 9.0;
        let kept = thin_band(&edges);
        assert!(kept.len() <= 251);
        assert!(kept.iter().any(|edge| (edge.low, edge.high) == (-5.0, 9.0)));
    }
}
