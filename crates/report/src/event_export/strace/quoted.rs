//! Paths as strace quotes them: every byte can be read back.

use std::ffi::OsStr;
use std::io::Write as _;

/// Appends a path in quotes, what is no printable ASCII as an escape.
pub(super) fn push_quoted(line: &mut Vec<u8>, path: &OsStr) {
    line.push(b'"');
    for byte in path.as_encoded_bytes() {
        match byte {
            b'"' | b'\\' => line.extend([b'\\', *byte]),
            b'\n' => line.extend_from_slice(b"\\n"),
            b'\t' => line.extend_from_slice(b"\\t"),
            b'\r' => line.extend_from_slice(b"\\r"),
            b' '..=b'~' => line.push(*byte),
            // Three digits, whatever follows.
            other => {
                let _infallible = write!(line, "\\{other:03o}");
            }
        }
    }
    line.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn every_byte_has_a_form_of_its_own() {
        let mut line = Vec::new();
        push_quoted(&mut line, OsStr::from_bytes(b"a b\"\\\n\x007\xff"));
        assert_eq!(line, br#""a b\"\\\n\0007\377""#);
    }
}
