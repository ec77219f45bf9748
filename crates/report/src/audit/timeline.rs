//! A run's calls over its time, as a chart.

use crate::chart::{LaneKind, LaneMarks, TimelineChart, TimelineLane};
use crate::quantity::{grouped, things};
use fathom_audit::{CallTree, CallTreeCourse, CallTreeProgram};
use std::cmp::Reverse;

/// Programs that have a lane of their own; all others have one together.
const PROGRAMS: usize = 4;

/// What a page and a terminal draw; `None` where the run has no clock or no length.
pub(crate) fn chart(tree: &CallTree) -> Option<TimelineChart> {
    let (first, last) = (tree.timeline.first()?, tree.timeline.last()?);
    if tree.timeline.len() < 2 {
        return None;
    }
    let mut lanes = programs(tree);
    lanes.extend(tree.courses.iter().map(|course| TimelineLane {
        kind: LaneKind::Purpose,
        label: name(course, &tree.courses),
        marks: LaneMarks::Calls(course.calls.clone()),
    }));
    lanes.push(waits(tree));
    Some(TimelineChart {
        slice_ns: (first.to_ns - first.from_ns) as f64,
        length_ns: last.to_ns as f64,
        slices: tree
            .timeline
            .iter()
            .map(|slice| (slice.calls.saturating_sub(slice.failed), slice.failed))
            .collect(),
        lanes,
    })
}

/// Those with the most calls, in the order in which they come; none where one program made all calls.
fn programs(tree: &CallTree) -> Vec<TimelineLane> {
    let mut programs: Vec<&CallTreeProgram> =
        tree.programs.iter().filter(|program| program.timeline.len() == tree.timeline.len()).collect();
    if programs.len() < 2 {
        return Vec::new();
    }
    programs.sort_by_key(|program| Reverse(program.calls));
    let others = programs.split_off(if programs.len() == PROGRAMS + 1 {
        programs.len()
    } else {
        programs.len().min(PROGRAMS)
    });
    programs.sort_by_key(|program| program.timeline.iter().position(|calls| *calls > 0));
    let mut lanes: Vec<_> = programs
        .into_iter()
        .map(|program| TimelineLane {
            kind: LaneKind::Program,
            label: match program.processes {
                1 => program_name(program).to_owned(),
                many => format!("{} ({} processes)", program_name(program), grouped(many)),
            },
            marks: LaneMarks::Calls(program.timeline.clone()),
        })
        .collect();
    if !others.is_empty() {
        let mut calls = vec![0; tree.timeline.len()];
        for other in &others {
            calls.iter_mut().zip(&other.timeline).for_each(|(sum, calls)| *sum += calls);
        }
        let label = things(others.len() as u64, "other program");
        lanes.push(TimelineLane { kind: LaneKind::Program, label, marks: LaneMarks::Calls(calls) });
    }
    lanes
}

/// What a program is called where there is little room.
pub(crate) fn program_name(program: &CallTreeProgram) -> &str {
    let path = program.program.as_deref().unwrap_or("a program that ran before");
    path.rsplit('/').next().unwrap_or(path)
}

/// An item by its own name where that says what it is.
fn name(course: &CallTreeCourse, all: &[CallTreeCourse]) -> String {
    match (&course.group, &course.item) {
        (None, _) => "everything else".to_owned(),
        (Some(group), Some(item)) if item.len() < 2 || item.starts_with('(') => format!("{group}: {item}"),
        (Some(_), Some(item)) => item.clone(),
        (Some(group), None) => {
            let has_parts = all.iter().any(|other| other.group == course.group && other.item.is_some());
            if has_parts { format!("{group}, others") } else { group.clone() }
        }
    }
}

/// How long threads waited, or why nobody knows.
fn waits(tree: &CallTree) -> TimelineLane {
    let waits: Option<Vec<u64>> = tree.timeline.iter().map(|slice| slice.waited_ns).collect();
    let marks = waits.map_or_else(|| LaneMarks::Unknown(unknown_waits(tree).to_owned()), LaneMarks::Time);
    TimelineLane { kind: LaneKind::Wait, label: "in calls".to_owned(), marks }
}

/// Why it is not known how long threads waited.
pub(crate) fn unknown_waits(tree: &CallTree) -> &'static str {
    if tree.timeline.iter().any(|slice| slice.took_ns.is_some()) {
        "not seen by this capture; the ring sees it"
    } else {
        "not known: these events have no durations"
    }
}
