//! The screens that a picture is drawn for.

/// How wide a picture is, in pixels, and how it is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Screen {
    Wide,
    /// A phone's, held upright: without words on what is pointed at.
    Narrow,
}

impl Screen {
    /// Every picture for it is as wide.
    pub(super) fn width(self) -> f64 {
        match self {
            Self::Wide => 760.0,
            Self::Narrow => 326.0,
        }
    }

    /// What is said of what is pointed at.
    pub(super) fn hint(self, hint: &str) -> &str {
        if self == Self::Wide { hint } else { "" }
    }
}
