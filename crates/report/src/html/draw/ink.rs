//! What is drawn in which role, and the class each role has in the style sheet.
//! `plotters` passes colors on: a role travels through it as one that stands
//! for it, and none of these ever reaches the picture.

use crate::palette::SeriesStyle;
use plotters::style::RGBAColor;
use plotters_backend::BackendColor;

/// A role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    /// The ground of every second row.
    Zebra,
    Grid,
    /// Where an axis is 0.
    Zero,
    Rule,
    /// Text at ticks.
    Tick,
    /// The title of an axis, a rule's label.
    Note,
    /// The name of a row or of a line.
    Name,
    /// A figure at a row's end.
    Figure,
    /// Text inside a segment.
    Inside,
    Whisker,
    Marker,
    /// What a mark is made of.
    Dots,
    /// Where a whisker leaves the picture.
    Arrow,
    Line,
    Band,
    /// From a line's end to its name.
    Leader,
    Segment,
    /// A pattern over a segment.
    Pattern,
    /// What is pointed at, invisible.
    Target,
}

impl Ink {
    const ALL: [Self; 19] = [
        Self::Zebra,
        Self::Grid,
        Self::Zero,
        Self::Rule,
        Self::Tick,
        Self::Note,
        Self::Name,
        Self::Figure,
        Self::Inside,
        Self::Whisker,
        Self::Marker,
        Self::Dots,
        Self::Arrow,
        Self::Line,
        Self::Band,
        Self::Leader,
        Self::Segment,
        Self::Pattern,
        Self::Target,
    ];

    /// Its class.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Zebra => "c-zebra",
            Self::Grid => "c-grid",
            Self::Zero => "c-zero",
            Self::Rule => "c-rule",
            Self::Tick => "c-tick",
            Self::Note => "c-note",
            Self::Name => "c-name",
            Self::Figure => "c-figure",
            Self::Inside => "c-inside",
            Self::Whisker => "c-whisker",
            Self::Marker => "c-marker",
            Self::Dots => "c-dots",
            Self::Arrow => "c-arrow",
            Self::Line => "c-line",
            Self::Band => "c-band",
            Self::Leader => "c-leader",
            Self::Segment => "c-segment",
            Self::Pattern => "c-pattern",
            Self::Target => "c-target",
        }
    }

    /// The color that stands for it.
    pub(super) fn color(self) -> RGBAColor {
        RGBAColor(self as u8, 0, 0, 1.0)
    }

    /// The role that a color stands for.
    pub(super) fn of(color: BackendColor) -> Self {
        Self::ALL.get(usize::from(color.rgb.0)).copied().unwrap_or(Self::Grid)
    }
}

/// The classes that give a group the color of a method: `go shade-1`.
pub(super) fn color_classes(style: SeriesStyle) -> String {
    format!("{} shade-{}", style.hue.word(), style.shade)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plotters_backend::BackendStyle;

    #[test]
    fn every_role_comes_through_a_color() {
        for (index, ink) in Ink::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(ink as u8), index);
            let RGBAColor(red, green, blue, alpha) = ink.color();
            let color = BackendColor { alpha, rgb: (red, green, blue) };
            assert_eq!(Ink::of(color.color()), ink);
        }
    }
}
