//! How text is asked for: width, color, how much. Knows nothing of records.

/// How a record is rendered as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextOptions {
    /// Columns of the terminal; fewer than 80 count as 80.
    pub width: usize,
    /// Whether to use ANSI colors. No meaning rests on them.
    pub color: bool,
    /// How much to show.
    pub details: Details,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self { width: 80, color: false, details: Details::Brief }
    }
}

/// How much of a record the text shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Details {
    /// What a reader needs to believe and to use the result.
    Brief,
    /// Also differences, net ratios, the calls outside the clock, every fact of the machine.
    Full,
}
