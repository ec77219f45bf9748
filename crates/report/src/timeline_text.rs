//! A timeline in letters: the same bars and lanes as the picture's, for terminals and Markdown.

use crate::chart::{LaneKind, LaneMarks, TimelineChart, TimelineLane};
use crate::quantity::{grouped, short_time};
use crate::visible::visible;
use crate::wrap::{elide, width};
use std::cmp::Reverse;

/// At most so many lines.
const LINES: usize = 12;
/// Of programs, at most.
const PROGRAMS: usize = 3;
/// Names are at least as wide.
const NAME_MIN: usize = 12;
const NAME_MAX: usize = 26;
/// Heights of a bar, from none to the most.
const HEIGHTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Parts of a slice, a quarter each.
const PARTS: [char; 5] = [' ', '░', '▒', '▓', '█'];
/// What stands in place of lanes that have no line.
const OTHERS: &str = "others";

/// At most twelve lines, each as wide as that: calls slice by slice, by whom and for what, waits, the time.
pub(crate) fn lines(chart: &TimelineChart, columns: usize) -> Vec<String> {
    let count = |kind| chart.lanes.iter().filter(|lane| lane.kind == kind).count();
    let failed: Vec<u64> = chart.slices.iter().map(|(_, failed)| *failed).collect();
    let has_failed = failed.iter().any(|failed| *failed > 0);
    let programs = count(LaneKind::Program).min(PROGRAMS);
    // The heading, the bars and the time.
    let around = 3 + usize::from(has_failed) + count(LaneKind::Wait);
    let mut rows = vec![Row {
        name: format!("calls, at most {}", grouped(chart.most_calls())),
        figure: String::new(),
        marks: String::new(),
    }];
    let calls: Vec<u64> = (0..chart.slices.len()).map(|slice| chart.calls(slice)).collect();
    rows[0].marks = bars(&calls, chart.most_calls());
    rows[0].figure = grouped(calls.iter().sum());
    if has_failed {
        let (marks, figure) = (bars(&failed, chart.most_calls()), grouped(failed.iter().sum()));
        rows.push(Row { name: "failed".to_owned(), figure, marks });
    }
    let room = LINES.saturating_sub(around + programs);
    for (kind, most) in
        [(LaneKind::Program, PROGRAMS), (LaneKind::Purpose, room), (LaneKind::Wait, usize::MAX)]
    {
        rows.extend(limited(chart, kind, most).iter().map(|lane| row(chart, lane)));
    }
    let figures = rows.iter().map(|row| width(&row.figure)).max().unwrap_or(0);
    let slices = chart.slices.len();
    let longest = rows.iter().map(|row| width(&row.name)).max().unwrap_or(0).min(NAME_MAX);
    let names = columns.saturating_sub(figures + slices + 3).clamp(NAME_MIN, longest.max(NAME_MIN));
    let heading =
        format!("when: {slices} slices of {}; ░▒▓█ are quarters of a slice", short_time(chart.slice_ns));
    let mut lines = vec![elide(&heading, columns)];
    lines.extend(rows.iter().map(|row| {
        let name = elide(&row.name, names);
        let gap = " ".repeat(names - width(&name) + 1 + figures - width(&row.figure));
        format!("{name}{gap}{}  {}", row.figure, row.marks).trim_end().to_owned()
    }));
    let before = names + figures + 3;
    let end = short_time(chart.length_ns);
    let blanks = slices.saturating_sub(1 + width(&end)).max(1);
    lines.push(format!("{}0{}{end}", " ".repeat(before), " ".repeat(blanks)));
    lines
}

struct Row {
    name: String,
    figure: String,
    marks: String,
}

fn row(chart: &TimelineChart, lane: &TimelineLane) -> Row {
    let marks = match &lane.marks {
        LaneMarks::Unknown(reason) => reason.clone(),
        _ => (0..chart.slices.len()).map(|slice| PARTS[chart.level(lane, slice)]).collect(),
    };
    let name = visible(&lane.label);
    let name = if lane.kind == LaneKind::Wait { format!("waited {name}") } else { name };
    Row { name, figure: lane.figure(), marks }
}

/// What has any has a height.
fn bars(values: &[u64], most: u64) -> String {
    let most = most.max(1);
    let height = |value: &u64| (value * 8).div_ceil(most).min(8);
    values.iter().map(|value| HEIGHTS[usize::try_from(height(value)).unwrap_or(8)]).collect()
}

/// The lanes of a kind, in their order; where they are more than that, those with the most calls, and one of all
/// others.
fn limited(chart: &TimelineChart, kind: LaneKind, most: usize) -> Vec<TimelineLane> {
    let lanes: Vec<_> = chart.lanes.iter().filter(|lane| lane.kind == kind).collect();
    if lanes.len() <= most {
        return lanes.into_iter().cloned().collect();
    }
    let sum = |lane: &TimelineLane| calls(lane).iter().sum::<u64>();
    let mut by_size: Vec<usize> = (0..lanes.len()).collect();
    by_size.sort_by_key(|index| Reverse(sum(lanes[*index])));
    let (kept, others) = by_size.split_at(most.saturating_sub(1));
    let mut together = vec![0; chart.slices.len()];
    for other in others {
        together.iter_mut().zip(calls(lanes[*other])).for_each(|(sum, calls)| *sum += calls);
    }
    let kept = lanes.iter().enumerate().filter(|(index, _)| kept.contains(index));
    let mut kept: Vec<_> = kept.map(|(_, lane)| (*lane).clone()).collect();
    kept.push(TimelineLane { kind, label: OTHERS.to_owned(), marks: LaneMarks::Calls(together) });
    kept
}

fn calls(lane: &TimelineLane) -> &[u64] {
    match &lane.marks {
        LaneMarks::Calls(calls) => calls,
        LaneMarks::Time(_) | LaneMarks::Unknown(_) => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(kind: LaneKind, label: &str, calls: &[u64]) -> TimelineLane {
        TimelineLane { kind, label: label.to_owned(), marks: LaneMarks::Calls(calls.to_vec()) }
    }

    fn chart(programs: usize, purposes: usize, waits: LaneMarks) -> TimelineChart {
        let mut lanes: Vec<_> =
            (0..programs).map(|at| lane(LaneKind::Program, &format!("program {at}"), &[2, 0, 1])).collect();
        let name = |at| format!("what is asked for, number {at}");
        lanes.extend((0..purposes).map(|at| lane(LaneKind::Purpose, &name(at), &[1 + at as u64, 0, 1])));
        lanes.push(TimelineLane { kind: LaneKind::Wait, label: "in calls".to_owned(), marks: waits });
        TimelineChart { slice_ns: 2e6, length_ns: 6e6, slices: vec![(80, 20), (0, 0), (1, 0)], lanes }
    }

    #[test]
    fn a_small_one_reads_so() {
        let mut chart = chart(2, 1, LaneMarks::Time(vec![0, 1_900_000, 200_000]));
        chart.lanes[0].marks = LaneMarks::Calls(vec![90, 0, 0]);
        chart.lanes[1].marks = LaneMarks::Calls(vec![10, 0, 1]);
        chart.lanes[2].marks = LaneMarks::Calls(vec![60, 0, 1]);
        let expected = "\
when: 3 slices of 2.00 ms; ░▒▓█ are quarters of a slice
calls, at most 100             101  █ ▁
failed                          20  ▂
program 0                       90  █
program 1                       11  ░ █
what is asked…or, number 0      61  ▓ █
waited in calls            2.10 ms   █░
                                    0 6.00 ms";
        assert_eq!(lines(&chart, 80).join("\n"), expected);
    }

    #[test]
    fn a_large_one_has_twelve_lines_that_add_up() {
        let chart = chart(9, 30, LaneMarks::Unknown("nobody knows".to_owned()));
        for columns in [40, 80, 200] {
            let lines = lines(&chart, columns);
            assert_eq!(lines.len(), 12, "{lines:#?}");
            assert!(lines.iter().all(|line| width(line) <= columns.max(60)), "{lines:#?}");
        }
        let shown = |kind, most| limited(&chart, kind, most);
        let sum = |lanes: &[TimelineLane]| lanes.iter().flat_map(calls).sum::<u64>();
        assert_eq!(shown(LaneKind::Purpose, 5).len(), 5);
        assert_eq!(sum(&shown(LaneKind::Purpose, 5)), sum(&shown(LaneKind::Purpose, 99)));
        assert_eq!(shown(LaneKind::Purpose, 5)[4].label, OTHERS);
    }

    #[test]
    fn names_of_others_do_not_steer_a_terminal() {
        let mut chart = chart(2, 1, LaneMarks::Time(vec![0, 0, 0]));
        chart.lanes[0].label = "a\u{1b}[2J".to_owned();
        assert!(!lines(&chart, 80).concat().contains('\u{1b}'));
    }
}
