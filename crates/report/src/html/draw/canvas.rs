//! The ground of one picture: a sheet as wide as its screen, on which values are
//! drawn through coordinates and marks in pixels.

use super::coordinate::Coordinate;
use super::ink::Ink;
use super::path::{tenths, tenths_text};
use super::screen::Screen;
use super::sheet::{Backend, Sheet, escaped};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, CoordMapper, Drawable, PathElement, PointCollection, Polygon};
use plotters::prelude::CoordTranslate;
use plotters::style::ShapeStyle;
use plotters_backend::text_anchor::HPos;
use std::cell::{RefCell, RefMut};
use std::rc::Rc;

/// Where values are drawn.
pub(super) type Plot = DrawingArea<Backend, Cartesian2d<Coordinate, Coordinate>>;

/// A picture being drawn. Lengths are in pixels, `y` from above.
pub(super) struct Canvas {
    sheet: Rc<RefCell<Sheet>>,
    area: DrawingArea<Backend, Shift>,
    screen: Screen,
    height: f64,
}

/// A rectangle of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Frame {
    pub(super) fn width(self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(self) -> f64 {
        self.bottom - self.top
    }
}

impl Canvas {
    /// An empty one.
    pub(super) fn new(screen: Screen, height: f64) -> Self {
        let sheet = Rc::new(RefCell::new(Sheet::default()));
        let size_tenths = (tenths(screen.width()).unsigned_abs(), tenths(height).unsigned_abs());
        let backend = Backend { sheet: Rc::clone(&sheet), size_tenths };
        Self { sheet, area: backend.into_drawing_area(), screen, height }
    }

    /// Its width.
    pub(super) fn width(&self) -> f64 {
        self.screen.width()
    }

    /// The element; `kind` is a class of its own beside `chart`. The narrow one has its
    /// name from the wide one, which is there and not shown where it is.
    pub(super) fn finish(self, kind: &str, id: &str, description: &str) -> String {
        drop(self.area);
        let content = self.sheet.take().finish();
        let (width, height) = (tenths_text(tenths(self.screen.width())), tenths_text(tenths(self.height)));
        let (kind, name) = match self.screen {
            Screen::Wide => {
                (kind.to_owned(), format!(r#"id="{id}-wide" aria-label="{}""#, escaped(description)))
            }
            Screen::Narrow => (format!("{kind} narrow"), format!(r#"aria-labelledby="{id}-wide""#)),
        };
        format!(
            r#"<svg class="chart {kind}" role="img" {name} viewBox="0 0 {width} {height}" width="{width}" height="{height}">{content}</svg>"#
        )
    }

    /// Where values of two axes are drawn inside a frame; `y` grows upward, or
    /// downward where rows are counted from above.
    pub(super) fn plot(&self, x: Coordinate, y: Coordinate, frame: Frame, upward: bool) -> Plot {
        let (left, right) = (tenths(frame.left), tenths(frame.right));
        let (top, bottom) = (tenths(frame.top), tenths(frame.bottom));
        let rows = if upward { bottom..top } else { top..bottom };
        self.area.apply_coord_spec(Cartesian2d::new(x, y, (left..right, rows)))
    }

    /// Draws an open line through pixels.
    pub(super) fn line(&self, ink: Ink, points: &[(f64, f64)]) {
        draw(&self.area, &PathElement::new(in_tenths(points), ink.color()));
    }

    /// Draws a closed shape.
    pub(super) fn polygon(&self, ink: Ink, corners: &[(f64, f64)]) {
        draw(&self.area, &Polygon::new(in_tenths(corners), ink.color()));
    }

    /// Draws a rectangle that joins others of its ink.
    pub(super) fn rectangle(&self, ink: Ink, frame: Frame) {
        let Frame { left, top, right, bottom } = frame;
        self.polygon(ink, &[(left, top), (right, top), (right, bottom), (left, bottom)]);
    }

    /// Draws a circle.
    pub(super) fn circle(&self, ink: Ink, (x, y): (f64, f64), radius: f64) {
        let style = ShapeStyle::from(ink.color()).filled();
        draw(&self.area, &Circle::new((tenths(x), tenths(y)), tenths(radius), style));
    }

    /// Sets a line of text around the height `y`.
    pub(super) fn text(&self, ink: Ink, anchor: HPos, at: (f64, f64), text: &str) {
        self.shortened_text(ink, anchor, at, text, "");
    }

    /// Sets a text that may be short for another, which is then its title.
    pub(super) fn shortened_text(&self, ink: Ink, anchor: HPos, at: (f64, f64), text: &str, whole: &str) {
        if text.is_empty() {
            return;
        }
        let title = if text == whole { "" } else { whole };
        self.sheet().text(ink, anchor, (tenths(at.0), tenths(at.1)), text, title);
    }

    /// Draws a rectangle of its own: `fill` is the id of a pattern or empty, `hint` what
    /// it says when pointed at.
    pub(super) fn single_rectangle(&self, classes: &str, frame: Frame, fill: &str, hint: &str) {
        let [left, top, right, bottom] = [frame.left, frame.top, frame.right, frame.bottom].map(tenths);
        self.sheet().rectangle(classes, (left, top), (right, bottom), fill, hint);
    }

    /// Lets a place say something when it, or what is near it, is pointed at.
    pub(super) fn target(&self, (x, y): (f64, f64), radius: f64, hint: &str) {
        self.sheet().target((tenths(x), tenths(y)), tenths(radius), hint);
    }

    /// Draws what `content` draws as one group with a title, if there is one.
    pub(super) fn group(&self, classes: &str, title: &str, content: impl FnOnce()) {
        self.sheet().open_group(classes, title);
        content();
        self.sheet().close_group();
    }

    /// Adds an element that is written already.
    pub(super) fn raw(&self, element: &str) {
        self.sheet().raw(element);
    }

    fn sheet(&self) -> RefMut<'_, Sheet> {
        self.sheet.borrow_mut()
    }
}

/// Where a pair of values lies, in pixels.
pub(super) fn place(plot: &Plot, x: f64, y: f64) -> (f64, f64) {
    let (x, y) = plot.map_coordinate(&(x, y));
    (f64::from(x) / 10.0, f64::from(y) / 10.0)
}

/// Draws an element of `plotters` on an area.
fn draw<'a, E, B, C>(area: &DrawingArea<Backend, C>, element: &'a E)
where
    B: CoordMapper,
    C: CoordTranslate,
    &'a E: PointCollection<'a, C::From, B>,
    E: Drawable<Backend, B>,
{
    area.draw(element).expect("a sheet in memory takes every shape");
}

fn in_tenths(points: &[(f64, f64)]) -> Vec<(i32, i32)> {
    points.iter().map(|&(x, y)| (tenths(x), tenths(y))).collect()
}
