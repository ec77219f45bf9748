//! Where the rows of a picture have their names, their marks and their figures on each
//! screen: beside each other, or the marks below the names.

use super::canvas::Canvas;
use super::ink::Ink;
use super::measure::{COLUMN_GAP, NAME_LETTERS, elided, letters_within, widest};
use super::screen::Screen;
use plotters_backend::text_anchor::HPos;

/// A name above its marks takes this much.
const NAME_HEIGHT: f64 = 16.0;
/// What a mark or a tick's text at the end of a narrow plot needs beside it.
const EDGE: f64 = 16.0;

/// Where rows are.
#[derive(Debug)]
pub(super) struct Rows<'a> {
    screen: Screen,
    labels: Vec<&'a str>,
    names: Vec<String>,
    figures: Vec<String>,
    /// The ends of the plot.
    pub(super) left: f64,
    pub(super) right: f64,
    /// From one row to the next.
    pub(super) height: f64,
}

impl<'a> Rows<'a> {
    /// Rows with these names and figures, whose marks are so high.
    pub(super) fn new(screen: Screen, labels: Vec<&'a str>, figures: Vec<String>, mark_height: f64) -> Self {
        let figure_width = widest(figures.iter().map(String::as_str), Ink::Figure);
        let letters = match screen {
            Screen::Wide => NAME_LETTERS,
            Screen::Narrow => letters_within(screen.width() - figure_width - COLUMN_GAP),
        };
        let names: Vec<_> = labels.iter().map(|label| elided(label, letters)).collect();
        let (left, right, height) = match screen {
            Screen::Wide => (
                widest(names.iter().map(String::as_str), Ink::Name) + COLUMN_GAP,
                screen.width() - figure_width - COLUMN_GAP,
                mark_height,
            ),
            Screen::Narrow => (EDGE, screen.width() - EDGE, mark_height + NAME_HEIGHT),
        };
        Self { screen, labels, names, figures, left, right, height }
    }

    /// The height of a row's marks, whose own middle is `middle`.
    pub(super) fn marks(&self, middle: f64) -> f64 {
        if self.screen == Screen::Wide { middle } else { middle + NAME_HEIGHT / 2.0 }
    }

    /// Writes the name and the figure of a row.
    pub(super) fn write(&self, canvas: &Canvas, index: usize, middle: f64) {
        let y = match self.screen {
            Screen::Wide => middle,
            Screen::Narrow => middle - self.height / 2.0 + NAME_HEIGHT / 2.0 + 1.0,
        };
        let whole = self.screen.hint(self.labels[index]);
        canvas.shortened_text(Ink::Name, HPos::Left, (0.0, y), &self.names[index], whole);
        canvas.text(Ink::Figure, HPos::Right, (self.screen.width(), y), &self.figures[index]);
    }
}
