//! Draws points in a plane, with names beside as many as have room for one; the others say theirs
//! on hover. The languages' colors are explained above.

use super::axis::{BELOW, draw_grid, room_across, room_upward, write_below, write_left};
use super::canvas::{Canvas, Frame, place};
use super::coordinate::Coordinate;
use super::ink::{Ink, color_classes};
use super::marker::{RADIUS, Shape};
use super::measure::{elided, widest, width};
use super::screen::Screen;
use crate::chart::{ScatterChart, ScatterPoint};
use crate::palette::{Hue, SeriesStyle};
use plotters_backend::text_anchor::HPos;

const HEIGHT: f64 = 230.0;
/// The title of the vertical axis.
const TITLE_HEIGHT: f64 = 26.0;
const LEGEND_HEIGHT: f64 = 20.0;
/// Right of the plot: half of a tick's text.
const EDGE: f64 = 22.0;
/// Letters of a name; longer ones lose their middle.
const NAME_LETTERS: usize = 30;
/// Marks that are nearer than this to each other stand in one column.
const COLUMN: f64 = 25.0;
/// Marks this near to each other are seen as one.
const SAME_PLACE: f64 = 3.0;
/// Half the height of a name, and of what is pointed at.
const HALF_NAME: f64 = 7.5;
const TARGET: f64 = 8.0;

/// A rectangle that is taken: its ends across and upward.
type Taken = (f64, f64, f64, f64);

/// Draws the chart, or nothing where there is nothing to draw.
pub(super) fn draw(chart: &ScatterChart, screen: Screen, id: &str, description: &str) -> Option<String> {
    let y = Coordinate::new(&chart.y, chart.points.iter().map(|point| point.y), HEIGHT, room_upward)?;
    let left = widest(y.ticks.iter().map(|tick| tick.text.as_str()), Ink::Tick) + 10.0;
    let right = screen.width() - EDGE;
    let x = Coordinate::new(&chart.x, chart.points.iter().map(|point| point.x), right - left, room_across)?;
    let legend = legend(chart, screen.width());
    let legend_height = legend.last().map_or(0.0, |(_, _, row)| (row + 1.0) * LEGEND_HEIGHT);
    let top = legend_height + TITLE_HEIGHT;
    let frame = Frame { left, top, right, bottom: top + HEIGHT };
    let canvas = Canvas::new(screen, frame.bottom + BELOW);
    let plot = canvas.plot(x.clone(), y.clone(), frame, true);
    draw_legend(&canvas, &legend);
    draw_grid(&canvas, &plot);
    let drawn: Vec<(&ScatterPoint, (f64, f64))> = chart
        .points
        .iter()
        .filter(|point| x.has(point.x) && y.has(point.y))
        .map(|point| (point, place(&plot, point.x, point.y)))
        .collect();
    for (point, at) in drawn.iter().rev() {
        canvas.group(&color_classes(point.style), "", || Shape::Circle.draw(&canvas, *at, RADIUS));
    }
    let mut names = Names::new(drawn.iter().map(|(_, at)| *at).collect(), frame, canvas.width());
    for (index, (point, _)) in drawn.iter().enumerate() {
        let name = elided(&point.label, NAME_LETTERS);
        if let Some((anchor, at)) = names.place(index, width(&name, Ink::Name)) {
            canvas.text(Ink::Name, anchor, at, &name);
        }
    }
    for (point, at) in drawn.iter().filter(|_| screen == Screen::Wide) {
        canvas.target(*at, TARGET, &point.hint);
    }
    write_below(&canvas, &x, frame, &chart.x.title);
    write_title(&canvas, &y, frame, &chart.y.title, legend_height);
    Some(canvas.finish("scatter", id, description))
}

/// Where names stand, and what they have to leave free.
struct Names {
    frame: Frame,
    /// The right end of the picture.
    edge: f64,
    marks: Vec<(f64, f64)>,
    taken: Vec<Taken>,
}

impl Names {
    fn new(marks: Vec<(f64, f64)>, frame: Frame, edge: f64) -> Self {
        let around = |&(x, y): &(f64, f64)| (x - RADIUS, x + RADIUS, y - RADIUS, y + RADIUS);
        let taken = marks.iter().map(around).collect();
        Self { frame, edge, marks, taken }
    }

    /// A place for a name so wide beside a mark, else above or below it: where nothing else is, and
    /// no other mark is nearer.
    fn place(&mut self, own: usize, wide: f64) -> Option<(HPos, (f64, f64))> {
        let (x, y) = self.marks[own];
        let (gap, over, line) = (RADIUS + 4.0, HALF_NAME + RADIUS, 2.0 * HALF_NAME);
        // Each to the right of the mark, then to the left: how far from it, and how far above it.
        let offsets = [(gap, 0.0), (2.0, over), (2.0, -over), (gap, line), (gap, -line)];
        let candidates = offsets
            .into_iter()
            .flat_map(|(away, up)| [(HPos::Left, x + away, y - up), (HPos::Right, x - away, y - up)]);
        let (anchor, at, area) = candidates.into_iter().find_map(|(anchor, at_x, at_y)| {
            let (start, end) =
                if matches!(anchor, HPos::Right) { (at_x - wide, at_x) } else { (at_x, at_x + wide) };
            let area = (start, end, at_y - HALF_NAME, at_y + HALF_NAME);
            (self.is_free(own, area) && self.is_own(own, at_y)).then_some((anchor, (at_x, at_y), area))
        })?;
        self.taken.push(area);
        Some((anchor, at))
    }

    fn is_free(&self, own: usize, area: Taken) -> bool {
        let (start, end, top, bottom) = area;
        let is_inside = start >= self.frame.left
            && end <= self.edge
            && top >= self.frame.top - 4.0
            && bottom <= self.frame.bottom + 3.0;
        let meets =
            |other: &Taken| start < other.1 + 2.0 && other.0 < end + 2.0 && top < other.3 && other.2 < bottom;
        // Its own mark is beside it anyway.
        is_inside && self.taken.iter().enumerate().all(|(index, other)| index == own || !meets(other))
    }

    /// True of a height that no other mark of the same column is nearer to: readers would take the
    /// name for that one's.
    fn is_own(&self, own: usize, height: f64) -> bool {
        let (x, y) = self.marks[own];
        let beside = self.marks.iter().filter(|(other_x, _)| (other_x - x).abs() < COLUMN);
        beside.into_iter().all(|(_, other)| (other - height).abs() >= (y - height).abs() - SAME_PLACE)
    }
}

/// The languages in it, each with its color, where there are several.
fn legend(chart: &ScatterChart, room: f64) -> Vec<(Hue, f64, f64)> {
    let mut hues: Vec<Hue> = chart.points.iter().map(|point| point.style.hue).collect();
    hues.sort_unstable();
    hues.dedup();
    if hues.len() < 2 {
        return Vec::new();
    }
    let (mut left, mut row) = (0.0, 0.0);
    let mut entries = Vec::new();
    for hue in hues {
        let wide = 16.0 + width(hue.word(), Ink::Note) + 14.0;
        if left > 0.0 && left + wide > room {
            (left, row) = (0.0, row + 1.0);
        }
        entries.push((hue, left, row));
        left += wide;
    }
    entries
}

fn draw_legend(canvas: &Canvas, entries: &[(Hue, f64, f64)]) {
    for (hue, left, row) in entries {
        let y = (row + 0.5) * LEGEND_HEIGHT;
        let style = SeriesStyle { hue: *hue, shade: 0, marker: 0 };
        canvas.group(&color_classes(style), "", || Shape::Circle.draw(canvas, (left + 5.0, y), RADIUS));
        canvas.text(Ink::Note, HPos::Left, (left + 16.0, y), hue.word());
    }
}

/// The vertical axis, with its title between the legend and the plot.
fn write_title(canvas: &Canvas, axis: &Coordinate, frame: Frame, title: &str, legend_height: f64) {
    write_left(canvas, axis, frame, "");
    canvas.text(Ink::Note, HPos::Left, (0.0, legend_height + 9.0), title);
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Frame = Frame { left: 0.0, top: 0.0, right: 300.0, bottom: 200.0 };

    #[test]
    fn names_keep_clear_of_each_other_and_of_other_marks() {
        // Two in one place, and a third a little above them.
        let marks = vec![(100.0, 100.0), (100.0, 100.0), (100.0, 84.0)];
        let mut names = Names::new(marks.clone(), FRAME, 320.0);
        let placed: Vec<_> = (0..3).map(|index| names.place(index, 80.0)).collect();
        for (index, place) in placed.iter().enumerate() {
            let Some((_, (_, y))) = place else { continue };
            let own = (marks[index].1 - y).abs();
            assert!(marks.iter().all(|(_, other)| (other - y).abs() >= own - SAME_PLACE), "{index}");
        }
        assert!(placed[0].is_some() && placed[1].is_some());
        let areas = &names.taken[marks.len()..];
        for (index, a) in areas.iter().enumerate() {
            assert!(areas[..index].iter().all(|b| a.0 >= b.1 || b.0 >= a.1 || a.2 >= b.3 || b.2 >= a.3));
        }
    }

    #[test]
    fn a_name_that_has_no_room_is_left_out() {
        let mut names = Names::new(vec![(150.0, 100.0)], FRAME, 320.0);
        assert!(names.place(0, 400.0).is_none());
        let mut names = Names::new(vec![(290.0, 100.0)], FRAME, 320.0);
        assert!(matches!(names.place(0, 80.0), Some((HPos::Right, _))));
    }
}
