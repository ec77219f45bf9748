//! The SVG being written: elements told apart by class, never by color, and as
//! few bytes as that takes. A backend of `plotters`, so that its coordinates
//! and shapes can be drawn on it.

use super::ink::Ink;
use super::path::{Path, tenths_text};
use crate::visible::visible;
use plotters::prelude::DrawingBackend;
use plotters_backend::text_anchor::HPos;
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind};
use std::cell::RefCell;
use std::convert::Infallible;
use std::fmt::Write;
use std::rc::Rc;

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// Half the height of a capital, in tenths of a pixel: text stands on its line by it.
const HALF_CAPITAL_TENTHS: i32 = 45;

/// What was written so far. Shapes of one ink that follow each other become one path.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    written: String,
    open: Option<(Ink, Path)>,
}

impl Sheet {
    /// Opens a group; what is drawn until it ends takes its classes.
    pub(super) fn open_group(&mut self, classes: &str, title: &str) {
        self.flush();
        let _ = write!(self.written, r#"<g class="{classes}">"#);
        self.title(title);
    }

    /// Ends the group opened last.
    pub(super) fn close_group(&mut self) {
        self.flush();
        self.written.push_str("</g>");
    }

    /// Sets a line of text around the height `y`; `title` says all of it where it is shortened.
    pub(super) fn text(&mut self, ink: Ink, anchor: HPos, (x, y): BackendCoord, text: &str, title: &str) {
        self.flush();
        let class = match anchor {
            HPos::Left => ink.class().to_owned(),
            HPos::Center => format!("{} mid", ink.class()),
            HPos::Right => format!("{} end", ink.class()),
        };
        let (x, y) = (tenths_text(x), tenths_text(y + HALF_CAPITAL_TENTHS));
        let _ = write!(self.written, r#"<text class="{class}" x="{x}" y="{y}">{}"#, escaped(text));
        self.title(title);
        self.written.push_str("</text>");
    }

    /// A rectangle of its own: `fill` is the id of a pattern or empty, `hint` what it says when pointed at.
    pub(super) fn rectangle(
        &mut self,
        classes: &str,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        fill: &str,
        hint: &str,
    ) {
        self.flush();
        let [x, y, width, height] = [left, top, right - left, bottom - top].map(tenths_text);
        let _ = write!(
            self.written,
            r#"<rect class="{classes}" x="{x}" y="{y}" width="{width}" height="{height}""#
        );
        if !fill.is_empty() {
            let _ = write!(self.written, r#" fill="url(#{fill})""#);
        }
        if hint.is_empty() {
            self.written.push_str("/>");
        } else {
            self.written.push('>');
            self.title(hint);
            self.written.push_str("</rect>");
        }
    }

    /// An invisible disk that says `hint` when pointed at.
    pub(super) fn target(&mut self, (x, y): BackendCoord, radius: i32, hint: &str) {
        self.flush();
        let (class, [x, y, radius]) = (Ink::Target.class(), [x, y, radius].map(tenths_text));
        let _ = write!(self.written, r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}">"#);
        self.title(hint);
        self.written.push_str("</circle>");
    }

    /// An element that is there already.
    pub(super) fn raw(&mut self, element: &str) {
        self.flush();
        self.written.push_str(element);
    }

    /// All of it.
    pub(super) fn finish(mut self) -> String {
        self.flush();
        self.written
    }

    fn path(&mut self, ink: Ink) -> &mut Path {
        if self.open.as_ref().is_some_and(|(open, _)| *open != ink) {
            self.flush();
        }
        &mut self.open.get_or_insert_with(|| (ink, Path::default())).1
    }

    fn flush(&mut self) {
        if let Some((ink, path)) = self.open.take() {
            let _ = write!(self.written, r#"<path class="{}" d="{}"/>"#, ink.class(), path.finish());
        }
    }

    fn title(&mut self, title: &str) {
        if !title.is_empty() {
            let _ = write!(self.written, "<title>{}</title>", escaped(title));
        }
    }
}

/// Text as it stands in XML, without control characters.
pub(super) fn escaped(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(visible).collect();
    quick_xml::escape::escape(lines.join("\n")).into_owned()
}

/// A sheet as `plotters` sees it; its pixels are tenths of ours.
#[derive(Debug)]
pub(super) struct Backend {
    pub(super) sheet: Rc<RefCell<Sheet>>,
    pub(super) size_tenths: (u32, u32),
}

impl DrawingBackend for Backend {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size_tenths
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Drawn {
        self.draw_rect(point, (point.0 + 1, point.1 + 1), &color, true)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        _fill: bool,
    ) -> Drawn {
        self.fill_polygon([(left, top), (right, top), (right, bottom), (left, bottom)], style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        self.sheet.borrow_mut().path(Ink::of(style.color())).line(path);
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        _fill: bool,
    ) -> Drawn {
        self.sheet.borrow_mut().path(Ink::of(style.color())).circle(center, radius.cast_signed());
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Drawn {
        self.sheet.borrow_mut().path(Ink::of(style.color())).polygon(corners);
        Ok(())
    }

    fn draw_text<T: BackendTextStyle>(&mut self, text: &str, style: &T, at: BackendCoord) -> Drawn {
        self.sheet.borrow_mut().text(Ink::of(style.color()), style.anchor().h_pos, at, text, "");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_of_one_ink_become_one_path_and_words_are_escaped() {
        let sheet = Rc::new(RefCell::new(Sheet::default()));
        let mut backend = Backend { sheet: Rc::clone(&sheet), size_tenths: (100, 100) };
        backend.draw_line((0, 0), (105, 0), &Ink::Grid.color()).unwrap();
        backend.draw_line((0, 10), (105, 10), &Ink::Grid.color()).unwrap();
        backend.draw_line((0, 20), (105, 20), &Ink::Rule.color()).unwrap();
        sheet.borrow_mut().open_group("go-0", "a < b & \u{1b}[31m\"c\"");
        sheet.borrow_mut().close_group();
        drop(backend);
        let written = Rc::try_unwrap(sheet).unwrap().into_inner().finish();
        assert_eq!(written.matches("<path").count(), 2, "{written}");
        assert!(written.contains(r#"<path class="c-grid" d="M0 0h10.5M0 1h10.5"/>"#), "{written}");
        assert!(written.contains("<title>a &lt; b &amp; "), "{written}");
        assert!(!written.contains('\u{1b}'));
    }
}
