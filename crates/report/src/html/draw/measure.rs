//! How wide text will be, nearly, as no font is at hand: rather too wide than
//! too narrow. Names are set in a face of fixed width, all else in the page's.

use super::ink::Ink;
use unicode_width::UnicodeWidthStr;

/// Names of rows that are longer lose their middle.
pub(super) const NAME_LETTERS: usize = 34;
/// Between names, plot and figures.
pub(super) const COLUMN_GAP: f64 = 14.0;
/// The size of names, in pixels.
const NAME_SIZE: f64 = 12.0;
/// The size of all other text.
const TEXT_SIZE: f64 = 13.0;
/// The widest of the usual fixed-width faces, in parts of the size.
const FIXED_WIDTH: f64 = 0.605;

/// The width of text in pixels, as it is set with this ink.
pub(super) fn width(text: &str, ink: Ink) -> f64 {
    match ink {
        Ink::Name => text.width() as f64 * FIXED_WIDTH * NAME_SIZE,
        Ink::Inside => text.chars().map(letter_width).sum::<f64>() * NAME_SIZE,
        _ => text.chars().map(letter_width).sum::<f64>() * TEXT_SIZE,
    }
}

/// The widest of some texts.
pub(super) fn widest<'a>(texts: impl Iterator<Item = &'a str>, ink: Ink) -> f64 {
    texts.map(|text| width(text, ink)).fold(0.0, f64::max)
}

/// A text that takes no more than a width, its middle left out where it would.
pub(super) fn fitted(text: &str, ink: Ink, room: f64) -> String {
    let letters = text.chars().count();
    let fits = |letters: &usize| width(&elided(text, *letters), ink) <= room;
    (1..=letters).rev().find(fits).map_or_else(String::new, |letters| elided(text, letters))
}

/// How many letters of a name have room in a width.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "letters of a line")]
pub(super) fn letters_within(width: f64) -> usize {
    (width / (FIXED_WIDTH * NAME_SIZE)).floor().max(1.0) as usize
}

/// A text of at most so many letters, its middle left out where it is longer.
pub(super) fn elided(text: &str, letters_max: usize) -> String {
    let letters: Vec<_> = text.chars().collect();
    if letters.len() <= letters_max || letters_max == 0 {
        return text.to_owned();
    }
    // The end of a name says more than its beginning.
    let head = (letters_max - 1) / 2;
    let tail = letters_max - 1 - head;
    let (head, tail) = (&letters[..head], &letters[letters.len() - tail..]);
    head.iter().chain(&['…']).chain(tail).collect()
}

/// In parts of the size, of a wide sans-serif face.
fn letter_width(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' | '·' => 0.34,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '-' | '"' | 'I' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' => 0.96,
        'A'..='Z' | '×' | '±' | '+' | '=' | '<' | '>' => 0.76,
        letter if letter.is_ascii() => 0.63,
        _ => 0.7 * unicode_width::UnicodeWidthChar::width(letter).unwrap_or(1) as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_lose_their_middle() {
        assert_eq!(elided("go:os.Open", 34), "go:os.Open");
        assert_eq!(elided("native:File::read_to_string", 13), "native…string");
        assert_eq!(elided("äöüäöüäöü", 5).chars().count(), 5);
        assert_eq!(elided("anything", 1), "…");
    }

    #[test]
    fn what_is_fitted_fits_and_is_whole_where_it_can_be() {
        let title = "time since the run began (s)";
        assert_eq!(fitted(title, Ink::Note, 500.0), title);
        let short = fitted(title, Ink::Note, 100.0);
        assert!(short.contains('…') && width(&short, Ink::Note) <= 100.0, "{short}");
        assert_eq!(fitted("", Ink::Note, 100.0), "");
    }

    #[test]
    fn wider_text_is_wider() {
        assert!(width(&"m".repeat(letters_within(100.0)), Ink::Name) <= 100.0);
        assert!(width(&"m".repeat(letters_within(100.0) + 1), Ink::Name) > 100.0);
        assert!(width("mmm", Ink::Tick) > width("iii", Ink::Tick));
        assert!((width("mmm", Ink::Name) - width("iii", Ink::Name)).abs() < 1e-9);
        assert!((widest(["a", "abc"].into_iter(), Ink::Name) - width("abc", Ink::Name)).abs() < 1e-9);
    }
}
