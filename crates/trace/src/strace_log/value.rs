//! Single values as strace prints them: numbers in any base, descriptors, sets of
//! names, strings with their escapes.

use super::scan::string_end;
use fathom_events::Target;

/// A number in decimal, hexadecimal or octal, as 64 bits; what follows it is ignored.
pub(super) fn number(text: &[u8]) -> Option<u64> {
    match text {
        [b'-', rest @ ..] => digits(rest).map(u64::wrapping_neg),
        [b'~', rest @ ..] => digits(rest).map(|value| !value),
        _ => digits(text),
    }
}

/// A descriptor, without what `-y` says of it.
pub(super) fn descriptor(text: &[u8]) -> Option<i32> {
    if text.starts_with(b"AT_FDCWD") {
        return Some(Target::CURRENT_DIRECTORY);
    }
    // Registers are shown as unsigned by `-e raw`.
    let low = u32::try_from(number(text)? & 0xffff_ffff).ok()?;
    Some(low.cast_signed())
}

/// A set of names and numbers, `O_RDONLY|0x40`, and whether all names were known;
/// nothing at all is none of them.
pub(super) fn bits(text: &[u8], value_of: impl Fn(&[u8]) -> Option<u64>) -> (u64, bool) {
    if text.is_empty() {
        return (0, true);
    }
    let mut all = 0;
    let mut known = true;
    for name in text.split(|byte| *byte == b'|') {
        let name = name.trim_ascii();
        let name = name.split(|byte| *byte == b' ').next().unwrap_or(name);
        match value_of(name).or_else(|| number(name)) {
            Some(value) => all |= value,
            None => known = false,
        }
    }
    (all, known)
}

/// The bytes of a string, and whether strace left out its end; `None` where the
/// value is no string. `scratch` holds what had escapes.
pub(super) fn string<'a>(text: &'a [u8], scratch: &'a mut Vec<u8>) -> Option<(&'a [u8], bool)> {
    if text.first() != Some(&b'"') {
        return None;
    }
    let end = string_end(text, 0)?;
    let cut = text[end..].starts_with(b"...");
    Some((unescaped(&text[1..end - 1], scratch), cut))
}

/// The bytes that a text with escapes stands for.
pub(super) fn unescaped<'a>(text: &'a [u8], scratch: &'a mut Vec<u8>) -> &'a [u8] {
    if memchr::memchr(b'\\', text).is_none() {
        return text;
    }
    scratch.clear();
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        scratch.extend_from_slice(&rest[..at]);
        let (byte, length) = escape(&rest[at + 1..]);
        scratch.extend(byte);
        rest = &rest[at + 1 + length..];
    }
    scratch.extend_from_slice(rest);
    scratch
}

/// The byte of an escape and how long it is, without its backslash.
fn escape(text: &[u8]) -> (Option<u8>, usize) {
    let Some(first) = text.first() else { return (None, 0) };
    match first {
        b'n' => (Some(b'\n'), 1),
        b't' => (Some(b'\t'), 1),
        b'r' => (Some(b'\r'), 1),
        b'v' => (Some(0x0b), 1),
        b'f' => (Some(0x0c), 1),
        b'x' => {
            let length = digits_of(&text[1..], 16, 2);
            (Some(based(&text[1..=length], 16)), 1 + length)
        }
        b'0'..=b'7' => {
            let length = digits_of(text, 8, 3);
            (Some(based(&text[..length], 8)), length)
        }
        other => (Some(*other), 1),
    }
}

fn digits_of(text: &[u8], base: u32, most: usize) -> usize {
    text.iter().take(most).take_while(|byte| char::from(**byte).is_digit(base)).count()
}

fn based(text: &[u8], base: u32) -> u8 {
    let value = text.iter().fold(0, |sum, byte| sum * base + char::from(*byte).to_digit(base).unwrap_or(0));
    u8::try_from(value & 0xff).unwrap_or(0)
}

fn digits(text: &[u8]) -> Option<u64> {
    match text {
        b"NULL" => Some(0),
        [b'0', b'x', rest @ ..] => in_base(rest, 16),
        [b'0', rest @ ..] if rest.first().is_some_and(u8::is_ascii_digit) => in_base(rest, 8),
        _ => in_base(text, 10),
    }
}

fn in_base(text: &[u8], base: u32) -> Option<u64> {
    let mut value = 0_u64;
    let mut length = 0;
    for byte in text {
        let Some(digit) = char::from(*byte).to_digit(base) else { break };
        value = value.wrapping_mul(u64::from(base)).wrapping_add(u64::from(digit));
        length += 1;
    }
    (length > 0).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_every_form() {
        let read = |text: &str| number(text.as_bytes());
        assert_eq!(
            [read("42"), read("0x2a"), read("052"), read("0")],
            [Some(42), Some(42), Some(42), Some(0)]
        );
        assert_eq!(read("-1"), Some(u64::MAX));
        assert_eq!(read("~0U"), Some(u64::MAX));
        assert_eq!(
            [read("42 /* forty-two */"), read("NULL"), read("x"), read("")],
            [Some(42), Some(0), None, None]
        );
        assert_eq!(descriptor(b"AT_FDCWD</data>"), Some(-100));
        assert_eq!(descriptor(b"0xffffff9c"), Some(-100));
        assert_eq!(descriptor(b"3</etc/hosts>"), Some(3));
    }

    #[test]
    fn strings_with_every_escape() {
        let read = |text: &str| {
            let mut scratch = Vec::new();
            string(text.as_bytes(), &mut scratch).map(|(bytes, cut)| (bytes.to_vec(), cut))
        };
        assert_eq!(read(r#""plain""#), Some((b"plain".to_vec(), false)));
        assert_eq!(
            read(r#""\"\\\n\t\r\v\f\0\1777\303\251\x41\x0""#).unwrap().0,
            b"\"\\\n\t\r\x0b\x0c\0\x7f7\xc3\xa9A\0"
        );
        assert_eq!(read(r#""cut"..."#), Some((b"cut".to_vec(), true)));
        assert_eq!((read("NULL"), read("\"open"), read("\"")), (None, None, None));
    }

    #[test]
    fn sets_hold_names_numbers_and_doubts() {
        let one = |name: &[u8]| (name == b"ONE").then_some(1);
        assert_eq!(bits(b"ONE|0x10 /* ??? */", one), (0x11, true));
        assert_eq!(bits(b"ONE|TWO", one), (1, false));
    }
}
