//! The figures at the ends of rows, written as the tables beside the pictures
//! write them: in one unit, with no more digits than their intervals support.

use crate::chart::{IntervalChart, Mark, MarkKind, StackChart, Values};
use crate::quantity::{NONE, TimeUnit, rounded_bytes, three_digits};
use crate::written::{ratio, time_in_table};
use fathom_model::Estimate;

/// What stands at the end of each row: what was measured here. Nothing where
/// that is the same in all rows, as of values that are relative to themselves.
pub(super) fn figures(chart: &IntervalChart) -> Vec<String> {
    // Of deviations, that from itself says nothing.
    let tells = |mark: &Mark| chart.axis.values != Values::Share || mark.value.abs() > 0.0;
    let is_figure = |mark: &&Mark| mark.kind == MarkKind::Here && tells(mark);
    let here: Vec<_> = chart.rows.iter().map(|row| row.marks.iter().find(is_figure)).collect();
    let times: Vec<_> = here.iter().flatten().map(|mark| mark.value).collect();
    if times.len() > 1 && times.windows(2).all(|pair| pair[0].total_cmp(&pair[1]).is_eq()) {
        return vec![String::new(); here.len()];
    }
    let unit = TimeUnit::shared(&times);
    // What is far below the unit of the others has its own, or loses its digits.
    let unit_of = |mark: &Mark| if mark.value < unit.ns() { TimeUnit::shared(&[mark.value]) } else { unit };
    here.into_iter()
        .map(|mark| mark.map(|mark| figure(mark, chart.axis.values, unit_of(mark))).unwrap_or_default())
        .collect()
}

/// The sum of each row's parts, of those below 0 too.
pub(super) fn totals(chart: &StackChart) -> Vec<String> {
    let sums = chart.rows.iter().map(|row| row.segments.iter().map(|segment| segment.value).sum());
    let sums: Vec<f64> = sums.collect();
    let unit = TimeUnit::shared(&sums);
    let rows = chart.rows.iter().zip(sums);
    rows.map(|(row, sum)| written(sum, row.ends, chart.axis.values, unit)).collect()
}

fn figure(mark: &Mark, values: Values, unit: TimeUnit) -> String {
    written(mark.value, mark.ends, values, unit)
}

fn written(value: f64, ends: Option<(f64, f64)>, values: Values, unit: TimeUnit) -> String {
    let estimate = Estimate {
        value,
        low: ends.map(|(low, _)| low),
        high: ends.map(|(_, high)| high),
        confidence: 0.95,
        forks: 0,
    };
    let (number, unit) = match values {
        Values::Time => (time_in_table(&estimate, unit.ns()).value, format!(" {}", unit.symbol())),
        Values::Ratio => (ratio(&estimate).value, "×".to_owned()),
        Values::Plain => (three_digits(value), String::new()),
        Values::Share => (three_digits(value * 100.0), " %".to_owned()),
        Values::Bytes => (rounded_bytes(value), String::new()),
    };
    if number == NONE { number } else { format!("{number}{unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Axis, IntervalRow, Scale};
    use crate::palette::SeriesStyle;

    fn of(values: Values, marks: &[(f64, f64)]) -> Vec<String> {
        let row = |&(value, half): &(f64, f64)| {
            let ends = (half > 0.0).then_some((value - half, value + half));
            let mark = Mark { kind: MarkKind::Here, value, ends, hint: String::new() };
            IntervalRow {
                label: String::new(),
                style: SeriesStyle::MACHINE,
                marks: vec![mark],
                dots: Vec::new(),
            }
        };
        let axis = Axis { title: String::new(), scale: Scale::Linear, values };
        let rows = marks.iter().map(row).collect();
        figures(&IntervalChart { axis, rows, rules: Vec::new(), legend: Vec::new() })
    }

    #[test]
    fn figures_are_those_of_the_tables() {
        assert_eq!(of(Values::Time, &[(655.3, 4.0), (23_470.0, 800.0)]), ["655 ns", "23470 ns"]);
        assert_eq!(of(Values::Time, &[(655_300.0, 900.0), (2_347_000.0, 9000.0)]), ["655.3 µs", "2347 µs"]);
        assert_eq!(of(Values::Time, &[(3282.0, 9.0), (144e6, 6e5)]), ["3282 ns", "144.0 ms"]);
        assert_eq!(of(Values::Ratio, &[(1.6358, 0.006), (0.5, 0.1)]), ["1.636×", "0.50×"]);
        assert_eq!(of(Values::Share, &[(-0.05, 0.0), (0.2, 0.0)]), ["-5.00 %", "20.0 %"]);
        assert_eq!(of(Values::Plain, &[(f64::NAN, 0.0), (2.0, 0.0)]), ["-", "2.00"]);
    }

    #[test]
    fn what_is_the_same_in_all_rows_is_not_said() {
        assert_eq!(of(Values::Share, &[(0.0, 0.1), (0.0, 0.2)]), ["", ""]);
        assert_eq!(of(Values::Time, &[(655.0, 0.0)]), ["655 ns"]);
    }
}
