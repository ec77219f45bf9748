//! Names of files as other programs' viewers show them: text in any case, and nothing hidden in it.

use crate::visible::visible;
use std::ffi::OsStr;
use std::fmt::Write as _;

/// A path as text: bytes that are no UTF-8 are `\xff`, what nobody sees is an escape.
pub(super) fn shown(path: &OsStr) -> String {
    with_escapes(path, visible)
}

/// A path as text that stays what it is, but for bytes that are no UTF-8.
pub(super) fn text(path: &OsStr) -> String {
    with_escapes(path, str::to_owned)
}

/// True of a path that is no text.
pub(super) fn is_no_text(path: &OsStr) -> bool {
    path.to_str().is_none()
}

fn with_escapes(path: &OsStr, show: impl Fn(&str) -> String) -> String {
    if let Some(text) = path.to_str() {
        return show(text);
    }
    let mut shown = String::new();
    for chunk in path.as_encoded_bytes().utf8_chunks() {
        shown.push_str(&show(chunk.valid()));
        for byte in chunk.invalid() {
            let _infallible = write!(shown, "\\x{byte:02x}");
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn hidden_letters_and_bytes_that_are_no_text_are_escapes() {
        let hostile = OsStr::from_bytes(b"a\nb\xff\xe2\x80\xaegpj.exe");
        assert_eq!(shown(hostile), "a\\nb\\xff\\u{202e}gpj.exe");
        assert_eq!(text(hostile), "a\nb\\xff\u{202e}gpj.exe");
        assert!(is_no_text(hostile) && !is_no_text(OsStr::new("ü")));
    }
}
