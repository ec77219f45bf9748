//! Keeps labels from covering each other: along a line, by pushing them apart;
//! above a picture, by setting them on poles of several heights.

/// Places as near as can be to `wanted` (in ascending order) that are at least
/// `gap` apart and lie between two ends; nearer to each other where there is no room.
pub(super) fn push_apart(wanted: &[f64], gap: f64, (low, high): (f64, f64)) -> Vec<f64> {
    let steps = wanted.len().saturating_sub(1).max(1) as f64;
    let gap = gap.min((high - low).max(0.0) / steps);
    // Less what they must be apart, places only have to ascend: runs that do
    // not are moved to their mean.
    let mut runs: Vec<(f64, usize)> = Vec::new();
    for (index, place) in wanted.iter().enumerate() {
        let mut run = (place - index as f64 * gap, 1);
        while let Some(&(mean, count)) = runs.last()
            && mean > run.0
        {
            runs.pop();
            let total = count + run.1;
            run = ((mean * count as f64 + run.0 * run.1 as f64) / total as f64, total);
        }
        runs.push(run);
    }
    let most = high - wanted.len().saturating_sub(1) as f64 * gap;
    let bases = runs.into_iter().flat_map(|(mean, count)| std::iter::repeat_n(mean, count));
    bases.enumerate().map(|(index, base)| base.min(most).max(low) + index as f64 * gap).collect()
}

/// A label above a picture, on a pole that stands where it belongs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Flag {
    pub(super) pole: f64,
    /// The ends of its text.
    pub(super) text: (f64, f64),
    /// 0 is the row nearest to the picture.
    pub(super) row: usize,
}

/// Between a pole and its text, and between texts.
const FLAG_GAP: f64 = 5.0;

/// Flags of these poles and widths of texts, in the order given: no text covers
/// another or is crossed by a pole, and none leaves the picture at `right`.
pub(super) fn flags(labels: &[(f64, f64)], right: f64) -> Vec<Flag> {
    let mut order: Vec<_> = (0..labels.len()).collect();
    // From the right, so that each pole rises left of the texts it passes.
    order.sort_by(|&a, &b| labels[b].0.total_cmp(&labels[a].0));
    let mut placed: Vec<(usize, Flag)> = Vec::new();
    for index in order {
        let (pole, width) = labels[index];
        let hangs_right = pole + FLAG_GAP + width <= right;
        let start = if hangs_right { pole + FLAG_GAP } else { pole - FLAG_GAP - width };
        let text = (start, start + width);
        let flag = |row| Flag { pole, text, row };
        let is_free = |row: &usize| placed.iter().all(|(_, other)| stand_together(flag(*row), *other));
        let row = (0..placed.len()).find(is_free).unwrap_or(placed.len());
        placed.push((index, flag(row)));
    }
    placed.sort_by_key(|(index, _)| *index);
    placed.into_iter().map(|(_, flag)| flag).collect()
}

fn stand_together(a: Flag, b: Flag) -> bool {
    let covers = a.row == b.row && a.text.0 < b.text.1 + FLAG_GAP && b.text.0 < a.text.1 + FLAG_GAP;
    let crosses = |pole: Flag, text: Flag| {
        pole.row >= text.row && pole.pole > text.text.0 - 2.0 && pole.pole < text.text.1 + 2.0
    };
    !covers && !crosses(a, b) && !crosses(b, a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_pushed_apart_no_farther_than_needed() {
        assert_eq!(push_apart(&[10.0, 50.0], 15.0, (0.0, 100.0)), [10.0, 50.0]);
        assert_eq!(push_apart(&[50.0, 50.0, 50.0], 10.0, (0.0, 100.0)), [40.0, 50.0, 60.0]);
        assert_eq!(push_apart(&[98.0, 99.0], 10.0, (0.0, 100.0)), [90.0, 100.0], "not beyond the end");
        assert_eq!(push_apart(&[0.0; 3], 10.0, (0.0, 10.0)), [0.0, 5.0, 10.0], "as far as there is room");
        assert!(push_apart(&[], 10.0, (0.0, 10.0)).is_empty());
        let many: Vec<_> = (0..12).map(|i| f64::from(i * i % 7)).collect();
        let mut many = many;
        many.sort_by(f64::total_cmp);
        let placed = push_apart(&many, 16.0, (0.0, 260.0));
        assert!(placed.windows(2).all(|pair| pair[1] - pair[0] > 15.999), "{placed:?}");
        assert!(placed.iter().all(|place| (0.0..=260.0).contains(place)));
    }

    #[test]
    fn flags_cover_no_other_and_cross_none() {
        let labels = [(100.0, 60.0), (110.0, 60.0), (300.0, 50.0), (115.0, 40.0), (695.0, 90.0)];
        let placed = flags(&labels, 700.0);
        for (a, b) in (0..5).flat_map(|a| (0..a).map(move |b| (a, b))) {
            assert!(stand_together(placed[a], placed[b]), "{placed:?}");
        }
        assert!(placed.iter().all(|flag| flag.text.1 <= 700.0));
        assert_eq!((placed[3].row, placed[1].row, placed[0].row), (0, 1, 2), "the rightmost stands lowest");
        assert_eq!(placed[2].row, 0);
        let alike = flags(&[(50.0, 60.0); 3], 700.0);
        let mut rows: Vec<_> = alike.iter().map(|flag| flag.row).collect();
        rows.sort_unstable();
        assert_eq!(rows, [0, 1, 2]);
    }
}
