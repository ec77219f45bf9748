//! Figures of a column, padded by spaces as wide as digits and points, so that
//! decimal points stand below each other and the dashes of ranges too.

use crate::wrap::width;

/// As wide as a digit.
const DIGIT: char = '\u{2007}';
/// As wide as a point.
const POINT: char = '\u{2008}';

/// A figure in its column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Aligned {
    /// The number, or all of a cell that is none.
    pub(super) number: String,
    /// What stands in for the decimals that others of the column have.
    pub(super) padding: String,
    /// What follows it: a unit, with the blank before it.
    pub(super) unit: String,
}

/// Figures of a right-aligned column. Cells that are no numbers stay as they are.
pub(super) fn align_points(cells: &[&str]) -> Vec<Aligned> {
    let split: Vec<_> = cells.iter().map(|cell| cell.split_at(number_length(cell))).collect();
    let numbers = || split.iter().filter(|(number, _)| !number.is_empty());
    let has_points = numbers().any(|(number, _)| number.contains('.'));
    let decimals_max = numbers().map(|(number, _)| decimals(number)).max().unwrap_or(0);
    let aligned = split.iter().map(|(number, rest)| {
        if number.is_empty() {
            return Aligned { number: (*rest).to_owned(), ..Aligned::default() };
        }
        let point = (has_points && !number.contains('.')).then_some(POINT);
        let digits = std::iter::repeat_n(DIGIT, decimals_max - decimals(number));
        let padding = point.into_iter().chain(digits).collect();
        Aligned { number: (*number).to_owned(), padding, unit: (*rest).to_owned() }
    });
    aligned.collect()
}

/// Ranges of a left-aligned column: `9.8–11` below `100–101`.
pub(super) fn align_dashes(cells: &[&str]) -> Vec<String> {
    let starts: Vec<_> = cells.iter().map(|cell| cell.find('–').map(|at| &cell[..at])).collect();
    let most =
        |count: fn(&str) -> usize| starts.iter().flatten().map(|start| count(start)).max().unwrap_or(0);
    let (digits_max, points_max) = (most(digits), most(points));
    let padded = cells.iter().zip(&starts).map(|(cell, start)| {
        let Some(start) = start else { return (*cell).to_owned() };
        let mut text: String = std::iter::repeat_n(DIGIT, digits_max - digits(start)).collect();
        text.extend(std::iter::repeat_n(POINT, points_max - points(start)));
        text.push_str(cell);
        text
    });
    padded.collect()
}

/// Columns of the widest unit, where units differ: then each takes as much room.
pub(super) fn unit_width(cells: &[Aligned]) -> Option<usize> {
    let units = || cells.iter().filter(|cell| cell.number.contains(|c: char| c.is_ascii_digit()));
    let first = units().next()?;
    let differ = units().any(|cell| cell.unit != first.unit);
    differ.then(|| units().map(|cell| width(cell.unit.trim())).max().unwrap_or(0))
}

/// Bytes of the number that a cell begins with: sign, digits, point. 0 for words; a
/// lone dash stands where a whole number would.
fn number_length(cell: &str) -> usize {
    if matches!(cell, "-" | "–") {
        return cell.len();
    }
    let is_sign = |c: char| matches!(c, '~' | '<' | '>' | '+' | '-' | '−' | '±' | '≈' | '≤' | '≥');
    let unsigned = cell.trim_start_matches(is_sign);
    let sign = cell.len() - unsigned.len();
    let is_of_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let rest = unsigned.trim_start_matches(is_of_number);
    let digits = unsigned.len() - rest.len();
    if digits == 0 || !unsigned.starts_with(|c: char| c.is_ascii_digit()) { 0 } else { sign + digits }
}

fn decimals(number: &str) -> usize {
    number.split_once('.').map_or(0, |(_, decimals)| digits(decimals))
}

fn digits(text: &str) -> usize {
    text.chars().filter(char::is_ascii_digit).count()
}

fn points(text: &str) -> usize {
    text.chars().filter(|c| matches!(c, '.' | ',')).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(cells: &[&str]) -> Vec<String> {
        let join = |cell: Aligned| format!("{}{}|{}", cell.number, cell.padding, cell.unit);
        let visible = |text: String| text.replace(DIGIT, "0̲").replace(POINT, "_");
        align_points(cells).into_iter().map(join).map(visible).collect()
    }

    #[test]
    fn points_stand_below_each_other_and_units_apart() {
        assert_eq!(shown(&["2214", "345.2", "-"]), ["2214_0̲|", "345.2|", "-_0̲|"]);
        assert_eq!(shown(&["1.64×", "~2×", "unmeasured"]), ["1.64|×", "~2_0̲0̲|×", "unmeasured|"]);
        assert_eq!(shown(&["-3 µs", "<0.01 ns"]), ["-3_0̲0̲| µs", "<0.01| ns"]);
        assert_eq!(shown(&["12", "7"]), ["12|", "7|"], "whole numbers need nothing");
    }

    #[test]
    fn dashes_stand_below_each_other() {
        let aligned = align_dashes(&["9.8–11", "100–101", "-"]);
        assert_eq!(aligned, [format!("{DIGIT}9.8–11"), format!("{POINT}100–101"), "-".to_owned()]);
    }

    #[test]
    fn units_take_room_where_they_differ() {
        assert_eq!(
            unit_width(&align_points(&["1 µs", "2 µs", "-"])),
            None,
            "the dash has no unit to differ by"
        );
        assert_eq!(unit_width(&align_points(&["1 KiB", "2 B"])), Some(3));
        assert_eq!(unit_width(&align_points(&["words"])), None);
    }
}
