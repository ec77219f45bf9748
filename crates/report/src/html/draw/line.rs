//! One line of a chart: its classes, whether its points have marks, its runs without a hole.

use super::canvas::Plot;
use super::ink::color_classes;
use crate::chart::{Line, Point};

/// A line of more points than this has no markers.
const MARKED_MAX: usize = 40;

/// The classes that give a line its color and its dashes.
pub(super) fn classes(line: &Line) -> String {
    format!("{} marker-{}", color_classes(line.style), line.style.marker)
}

/// True of a line whose points have marks.
pub(super) fn has_marks(line: &Line) -> bool {
    line.points.len() <= MARKED_MAX
}

/// Points that have a place, in runs without a hole.
pub(super) fn runs<'a>(plot: &Plot, line: &'a Line) -> impl Iterator<Item = &'a [Point]> {
    let (x, y) = (plot.as_coord_spec().x_spec().clone(), plot.as_coord_spec().y_spec().clone());
    let has = move |point: &Point| x.has(point.x) && y.has(point.y);
    line.points.split(move |point| !has(point)).filter(|run| !run.is_empty())
}
