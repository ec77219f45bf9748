//! Pictures as a file of their own: below each other, each under its caption, with the style
//! that a page would give them. Nothing in it runs, and it loads nothing.

use super::draw::draw;
use crate::document::Figure;
use crate::wrap::wrap;
use maud::{PreEscaped, html};
use std::fmt::Write;

const CHART_STYLE: &str = include_str!("chart.css");
/// What a page around the pictures would give.
const STYLE: &str = ".sheet{color-scheme:light dark;background:light-dark(#fdfdfc,#15181c);\
                     font-family:system-ui,-apple-system,'Segoe UI',sans-serif}\
                     .sheet>text{font-size:13px;font-weight:600;fill:light-dark(#1b1d20,#e7e9ec)}";
const WIDTH: f64 = 800.0;
const MARGIN: f64 = 20.0;
const LINE: f64 = 18.0;
/// Letters of a caption's line at its size, in the widest of the usual bold faces.
const LETTERS: usize = 92;

/// A picture that is drawn, and as high as it is.
#[derive(Debug, Clone)]
pub(crate) struct Drawn {
    caption: Vec<String>,
    element: String,
    width: f64,
    height: f64,
}

impl Drawn {
    /// The figure as an element; `None` where it has no size.
    pub(crate) fn new(figure: &Figure) -> Option<Self> {
        let element = draw(&figure.chart, &figure.id, &figure.description);
        let (_, view) = element.split_once("viewBox=\"0 0 ")?;
        let (width, height) = view.split_once('"')?.0.split_once(' ')?;
        let (width, height) = (width.parse().ok()?, height.parse().ok()?);
        let caption = wrap(figure.caption.text().split(' '), " ", LETTERS);
        Some(Self { caption, element, width, height })
    }

    /// Bytes that it adds to a sheet, roughly.
    pub(crate) fn bytes(&self) -> usize {
        self.element.len() + self.caption.iter().map(String::len).sum::<usize>() + 200
    }
}

/// The SVG file of these pictures.
pub(crate) fn sheet(pictures: &[Drawn], description: &str) -> String {
    let mut content = String::new();
    let mut y = MARGIN;
    for Drawn { caption, element, width, height } in pictures {
        for line in caption {
            y += LINE;
            let line = html! { (line) }.into_string();
            let _ = write!(content, "<text x=\"{MARGIN}\" y=\"{}\">{line}</text>", y - 4.0);
        }
        y += LINE / 2.0;
        let _ = writeln!(
            content,
            "<svg x=\"{MARGIN}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">{element}</svg>"
        );
        y += height + 2.0 * LINE;
    }
    let style = format!("{}{STYLE}", compact(CHART_STYLE));
    let element = html! {
        svg xmlns="http://www.w3.org/2000/svg" class="sheet" role="img" aria-label=(description)
            viewBox={ "0 0 " (WIDTH) " " (y) } width=(WIDTH) height=(y) {
            style { (PreEscaped(style)) }
            (PreEscaped(content))
        }
    };
    element.into_string() + "\n"
}

/// A style without its comments and line ends, and without what speaks of a page.
fn compact(css: &str) -> String {
    let mut kept = String::with_capacity(css.len());
    let mut rest = css;
    while let Some((before, comment)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(".drawing")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An average letter of `DejaVu Sans Bold`, in parts of its size.
    const LETTER_WIDTH: f64 = 0.63;
    const CAPTION_SIZE: f64 = 13.0;

    #[test]
    fn captions_fit_the_sheet() {
        let lines = wrap("some words of six and of seven letters ".repeat(9).split(' '), " ", LETTERS);
        let longest = lines.iter().map(|line| line.chars().count()).max().unwrap();
        assert!(longest > 80, "{lines:?}");
        assert!(longest as f64 * LETTER_WIDTH * CAPTION_SIZE <= WIDTH - 2.0 * MARGIN, "{lines:?}");
    }
}
