//! Draws what a picture is to be compared with: dashed lines across all of it,
//! each with its label.

use super::apart::{Flag, flags, push_apart};
use super::canvas::{Canvas, Frame};
use super::coordinate::Coordinate;
use super::ink::Ink;
use super::measure::width;
use crate::chart::Rule;
use plotters_backend::text_anchor::HPos;

/// From one label to the next below it.
const LABEL_HEIGHT: f64 = 17.0;

/// Vertical rules, whose labels stand above the plot.
pub(super) struct Vertical<'a> {
    rules: Vec<(&'a Rule, Flag)>,
}

impl<'a> Vertical<'a> {
    /// Those of the rules that have a place on an axis between two pixels;
    /// their labels end at `right`.
    pub(super) fn new(rules: &'a [Rule], axis: &Coordinate, (start, end): (f64, f64), right: f64) -> Self {
        let rules: Vec<_> = rules.iter().filter(|rule| axis.has(rule.at)).collect();
        let place = |rule: &Rule| start + axis.share(rule.at) * (end - start);
        let labels = rules.iter().map(|rule| (place(rule), width(&rule.label, Ink::Note)));
        let flags = flags(&labels.collect::<Vec<_>>(), right);
        Self { rules: rules.into_iter().zip(flags).collect() }
    }

    /// The height of their labels.
    pub(super) fn height(&self) -> f64 {
        let rows = self.rules.iter().map(|(_, flag)| flag.row + 1).max().unwrap_or(0);
        rows as f64 * LABEL_HEIGHT
    }

    /// Draws them over and above a frame.
    pub(super) fn draw(&self, canvas: &Canvas, frame: Frame) {
        for (rule, flag) in &self.rules {
            let middle = frame.top - 2.0 - (flag.row as f64 + 0.5) * LABEL_HEIGHT;
            canvas.line(Ink::Rule, &[(flag.pole, middle - 5.0), (flag.pole, frame.bottom)]);
            if flag.text.0 > flag.pole {
                canvas.text(Ink::Note, HPos::Left, (flag.text.0, middle), &rule.label);
            } else {
                canvas.text(Ink::Note, HPos::Right, (flag.text.1, middle), &rule.label);
            }
        }
    }
}

/// Draws rules across a frame, with their labels on them.
pub(super) fn draw_horizontal(canvas: &Canvas, axis: &Coordinate, rules: &[Rule], frame: Frame) {
    let place = |rule: &Rule| frame.bottom - axis.share(rule.at) * frame.height();
    let mut rules: Vec<_> = rules.iter().filter(|rule| axis.has(rule.at)).collect();
    rules.sort_by(|a, b| place(a).total_cmp(&place(b)));
    let wanted: Vec<_> = rules.iter().map(|rule| place(rule) - 9.0).collect();
    let labels = push_apart(&wanted, LABEL_HEIGHT, (frame.top, frame.bottom - 9.0));
    for (rule, label) in rules.into_iter().zip(labels) {
        canvas.line(Ink::Rule, &[(frame.left, place(rule)), (frame.right, place(rule))]);
        canvas.text(Ink::Note, HPos::Left, (frame.left + 4.0, label), &rule.label);
    }
}
