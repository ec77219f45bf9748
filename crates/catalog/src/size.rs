//! Sizes in bytes as people write them, read strictly and written back exactly.
//!
//! A size is a whole number and a unit of `B`, `KiB`, `MiB`, `GiB`, `TiB`, with
//! or without a space; a bare number is bytes. `4k`, `1 MB` and the like are
//! refused: to some readers they mean 1000, to others 1024.

use crate::error::{CatalogError, Origin, Problem};

const UNITS: [(&str, u64); 5] =
    [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)];

/// Reads a size given to an option of the command line: `12`, `12 B`, `4KiB`, `1 GiB`.
pub fn parse_size(option: &'static str, text: &str) -> Result<u64, CatalogError> {
    size_at(text, &Origin::Option(option))
}

/// The size in the largest unit that gives a whole number: `4 KiB`, `8096 B`.
pub fn format_size(bytes: u64) -> String {
    UNITS
        .iter()
        .find(|(_, factor)| bytes >= *factor && bytes.is_multiple_of(*factor))
        .map_or_else(|| format!("{bytes} B"), |(unit, factor)| format!("{} {unit}", bytes / factor))
}

/// Reads a size that was written at `origin`.
pub(crate) fn size_at(text: &str, origin: &Origin) -> Result<u64, CatalogError> {
    let fail = |why, hint| CatalogError::new(origin, Problem::BadSize(text.to_owned(), why), hint);
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(split);
    if digits.is_empty() {
        return Err(fail("it does not begin with a digit", Some("write it like `4 KiB`".to_owned())));
    }
    let number: u64 = digits.parse().map_err(|_| fail("it is too large", None))?;
    let unit = rest.strip_prefix(' ').unwrap_or(rest);
    if unit.starts_with(['.', ',', '_']) {
        return Err(fail("a size is a whole number", whole_number_hint(text)));
    }
    let factor = match UNITS.iter().find(|(name, _)| *name == unit) {
        Some((_, factor)) => *factor,
        None if rest.is_empty() => 1,
        None => return Err(fail("its unit is none of B, KiB, MiB, GiB, TiB", unit_hint(number, unit))),
    };
    number.checked_mul(factor).ok_or_else(|| fail("it is too large", None))
}

/// What `4k` or `4 MB` may have meant.
fn unit_hint(number: u64, unit: &str) -> Option<String> {
    let letter = unit.trim().chars().next()?.to_ascii_uppercase();
    let (name, _) = UNITS.iter().find(|(name, _)| name.starts_with(letter))?;
    Some(format!("did you mean `{number} {name}`?"))
}

/// `1.5 MiB` as a whole number of a smaller unit, where there is one.
fn whole_number_hint(text: &str) -> Option<String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic())?;
    let number: f64 = text[..split].trim().parse().ok()?;
    let (_, factor) = UNITS.iter().find(|(name, _)| *name == &text[split..])?;
    let bytes = number * (*factor as f64);
    if bytes.fract() != 0.0 || bytes >= 9.0e15 {
        return None;
    }
    let exact: u64 = format!("{bytes:.0}").parse().ok()?;
    Some(format!("did you mean `{}`?", format_size(exact)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_usual_ways_to_write_a_size_are_read() {
        for (text, bytes) in [
            ("0", 0),
            ("12", 12),
            ("12 B", 12),
            ("12B", 12),
            ("1KiB", 1024),
            ("4 KiB", 4096),
            ("64 MiB", 64 << 20),
            ("1 GiB", 1 << 30),
            ("2TiB", 2 << 40),
        ] {
            assert_eq!(parse_size("--size", text), Ok(bytes), "{text:?}");
        }
    }

    #[test]
    fn doubtful_sizes_are_refused_with_what_may_be_meant() {
        for (text, why, hint) in [
            ("", "begin with a digit", Some("write it like `4 KiB`")),
            ("-1", "begin with a digit", Some("write it like `4 KiB`")),
            ("4k", "unit", Some("did you mean `4 KiB`?")),
            ("1 MB", "unit", Some("did you mean `1 MiB`?")),
            ("1 gib", "unit", Some("did you mean `1 GiB`?")),
            ("1  KiB", "unit", Some("did you mean `1 KiB`?")),
            ("3 pages", "unit", None),
            ("7 ", "unit", None),
            ("1.5MiB", "whole number", Some("did you mean `1536 KiB`?")),
            ("0.3 B", "whole number", None),
            ("18446744073709551616", "too large", None),
            ("18014398509481984 KiB", "too large", None),
        ] {
            let error = parse_size("--size", text).unwrap_err();
            assert!(error.to_string().contains(why), "{text:?} gives {error}");
            assert_eq!(error.hint(), hint, "{text:?}");
        }
    }

    #[test]
    fn a_size_is_written_in_the_largest_whole_unit() {
        for (bytes, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1024, "1 KiB"),
            (8096, "8096 B"),
            (3 << 19, "1536 KiB"),
            (1 << 30, "1 GiB"),
        ] {
            assert_eq!(format_size(bytes), text);
        }
    }

    proptest! {
        #[test]
        fn every_size_reads_back(bytes in any::<u64>(), shift in 0_u32..64) {
            let bytes = bytes >> shift << (shift / 2);
            prop_assert_eq!(parse_size("--size", &format_size(bytes)), Ok(bytes));
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC*") {
            let _ = parse_size("--size", &text);
        }
    }
}
