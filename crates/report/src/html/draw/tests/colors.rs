//! The colors of the style sheet: as many as there are methods, and strong
//! enough on every ground they stand on.

use super::samples::style;
use crate::chart::SegmentKind;
use crate::html::draw::ink::color_classes;
use crate::html::draw::pattern::class;
use crate::palette::{Hue, SHADES};

const STYLE: &str = include_str!("../../chart.css");
/// The grounds of a page: of all of it, and of every second row; light and dark.
const GROUNDS: [[&str; 2]; 2] = [["#fdfdfc", "#f4f4f1"], ["#15181c", "#1e2227"]];

/// WCAG's contrast of two colors.
fn contrast(a: &str, b: &str) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn luminance(color: &str) -> f64 {
    let digits = color.trim_start_matches('#');
    let wide: String =
        if digits.len() == 3 { digits.chars().flat_map(|c| [c, c]).collect() } else { digits.to_owned() };
    let channel = |at: usize| {
        let value = f64::from(u8::from_str_radix(&wide[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4)
}

/// Light and dark, behind a selector or a name.
fn pair(before: &str) -> [&'static str; 2] {
    let (_, after) = STYLE.split_once(before).unwrap_or_else(|| panic!("{before}"));
    let (_, after) = after.split_once("light-dark(").unwrap();
    let (light, after) = after.split_once(", ").unwrap();
    [light, after.split_once(')').unwrap().0]
}

#[test]
fn marks_of_every_method_stand_out_on_every_ground() {
    let mut seen = std::collections::BTreeSet::new();
    for (hue, shade) in Hue::ALL.into_iter().flat_map(|hue| (0..SHADES).map(move |shade| (hue, shade))) {
        let selector = format!(".{} {{", color_classes(style(hue, shade, 0)).replace(' ', "."));
        let colors = pair(&selector);
        for (color, grounds) in colors.into_iter().zip(GROUNDS) {
            for ground in grounds {
                let found = contrast(color, ground);
                assert!(found >= 3.0, "{selector} {color} on {ground}: {found:.2}");
            }
        }
        assert!(seen.insert(colors), "{selector} has a color of its own");
    }
}

#[test]
fn words_inside_parts_can_be_read_and_parts_stand_out() {
    let words = pair("--part-words:");
    for kind in SegmentKind::ALL.into_iter().filter(|kind| *kind != SegmentKind::Loop) {
        let fills = pair(&format!("--{}:", class(kind)));
        for (index, fill) in fills.into_iter().enumerate() {
            let found = contrast(fill, words[index]);
            assert!(found >= 4.5, "{kind:?} {fill}: {found:.2}");
            assert!(contrast(fill, GROUNDS[index][0]) >= 3.0, "{kind:?} {fill}");
        }
    }
}
