//! Where values begin and end in what strace prints: between commas, strings,
//! brackets, what `-y` says of descriptors, and remarks.

use memchr::{memchr2, memmem};

/// Most arguments that a call has.
const MOST_ARGUMENTS: usize = 8;

/// The arguments of a call, as printed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arguments<'a> {
    values: [&'a [u8]; MOST_ARGUMENTS],
    count: usize,
}

impl<'a> Arguments<'a> {
    /// Splits what follows the opening parenthesis; gives also what follows the
    /// closing one, `None` where there is none.
    pub(super) fn split(text: &'a [u8]) -> (Self, Option<&'a [u8]>) {
        let mut arguments = Self { values: [b""; MOST_ARGUMENTS], count: 0 };
        let mut at = 0;
        loop {
            let Some(end) = value_end(text, at) else {
                arguments.push_last(&text[at..]);
                return (arguments, None);
            };
            if text[end] != b',' {
                arguments.push_last(&text[at..end]);
                return (arguments, Some(&text[end + 1..]));
            }
            arguments.push(&text[at..end]);
            at = end + 1;
        }
    }

    /// The argument at this position, counted from 0.
    pub(super) fn at(&self, position: usize) -> Option<&'a [u8]> {
        self.values[..self.count].get(position).copied()
    }

    /// Keeps one that may be empty: `-X raw` prints `statx(-100, "d", , 0x7ff, …)`.
    fn push(&mut self, value: &'a [u8]) {
        if self.count < MOST_ARGUMENTS {
            self.values[self.count] = value.trim_ascii();
            self.count += 1;
        }
    }

    fn push_last(&mut self, value: &'a [u8]) {
        let value = value.trim_ascii();
        if !value.is_empty() && value != b"<unfinished ...>" {
            self.push(value);
        }
    }
}

/// The parts of a list or structure, `[…]` or `{…}`; nothing of anything else.
pub(super) fn parts(text: &[u8]) -> Parts<'_> {
    match text.first() {
        Some(b'[' | b'{') => Parts { rest: &text[1..] },
        _ => Parts { rest: b"" },
    }
}

/// Walks through the parts of a list or structure.
#[derive(Debug, Clone)]
pub(super) struct Parts<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Parts<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = value_end(self.rest, 0).unwrap_or(self.rest.len());
        let part = self.rest[..end].trim_ascii();
        let more = self.rest.get(end) == Some(&b',');
        self.rest = if more { &self.rest[end + 1..] } else { b"" };
        (more || !part.is_empty()).then_some(part)
    }
}

/// The value of a field of a structure: of `{flags=O_RDONLY}` that of `flags`.
pub(super) fn field<'a>(structure: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    parts(structure).find_map(|part| part.strip_prefix(name)?.strip_prefix(b"="))
}

/// Past the closing quote of the string that begins here.
pub(super) fn string_end(text: &[u8], quote: usize) -> Option<usize> {
    let mut at = quote + 1;
    loop {
        at += memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// Past the `>` of what `-y` says of a descriptor: `</dev/pts/0<char 136:0>>`,
/// `<TCP:[127.0.0.1:80->127.0.0.1:4242]>`.
pub(super) fn annotation_end(text: &[u8], open: usize) -> Option<usize> {
    let has_arrows = text.get(open + 1) != Some(&b'/');
    let mut depth = 0_u32;
    let mut at = open;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            b'-' if has_arrows && text.get(at + 1) == Some(&b'>') => at += 1,
            b'<' => depth += 1,
            b'>' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The comma or closing bracket that ends the value which begins here.
fn value_end(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    let mut depth = 0_u32;
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => {
                at = string_end(text, at)?;
                continue;
            }
            b'<' if is_annotation(text, at) => {
                at = annotation_end(text, at)?;
                continue;
            }
            b'/' if text.get(at + 1) == Some(&b'*') => {
                at += memmem::find(&text[at..], b"*/")? + 2;
                continue;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' | b',' if depth == 0 => return Some(at),
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    None
}

/// What `-y` says follows a descriptor at once: `3<`, `AT_FDCWD<`, but not `1<<3`.
fn is_annotation(text: &[u8], open: usize) -> bool {
    let after_descriptor = open > 0 && (text[open - 1].is_ascii_digit() || text[open - 1] == b'D');
    after_descriptor && text.get(open + 1) != Some(&b'<')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> (Vec<String>, Option<String>) {
        let (arguments, rest) = Arguments::split(text.as_bytes());
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        ((0..8).map_while(|at| arguments.at(at)).map(shown).collect(), rest.map(shown))
    }

    fn check(text: &str, expected: &[&str], after: Option<&str>) {
        let expected = expected.iter().map(|value| (*value).to_owned()).collect();
        assert_eq!(split(text), (expected, after.map(str::to_owned)), "{text}");
    }

    #[test]
    fn commas_and_parentheses_inside_values_end_nothing() {
        check(r#"3, "a, \") = b"..., 9) = 9"#, &["3", r#""a, \") = b"..."#, "9"], Some(" = 9"));
        check("3</a, (b)>, [{x=1, y=2}, {x=3}], 2)", &["3</a, (b)>", "[{x=1, y=2}, {x=3}]", "2"], Some(""));
        check("4<TCP:[1.2.3.4:5->6.7.8.9:10]>)=0", &["4<TCP:[1.2.3.4:5->6.7.8.9:10]>"], Some("=0"));
        check("1</dev/pts/0<char 136:0>>, TCGETS)", &["1</dev/pts/0<char 136:0>>", "TCGETS"], Some(""));
        check("0x7 /* 3), entries */, 4)", &["0x7 /* 3), entries */", "4"], Some(""));
        check("1<<3|X, 2)", &["1<<3|X", "2"], Some(""));
        check(") = 5", &[], Some(" = 5"));
        check("-100, \"d\", , 0x7ff)", &["-100", "\"d\"", "", "0x7ff"], Some(""));
        check("makedev(8, 1))", &["makedev(8, 1)"], Some(""));
    }

    #[test]
    fn an_argument_without_an_end_is_told() {
        check("3, \"abc", &["3", "\"abc"], None);
        check("3,  <unfinished ...>", &["3"], None);
        check("3</a", &["3</a"], None);
    }

    #[test]
    fn parts_of_lists_and_fields_of_structures() {
        let shown: Vec<_> = parts(b"[{a=1, b=2}, {c=3}]").collect();
        assert_eq!(shown, [&b"{a=1, b=2}"[..], b"{c=3}"]);
        assert_eq!(parts(b"[]").count() + parts(b"0x7f").count(), 0);
        assert_eq!(field(b"{flags=O_RDONLY|O_PATH, mode=0}", b"flags"), Some(&b"O_RDONLY|O_PATH"[..]));
        assert_eq!(field(b"{flags=1}", b"mode"), None);
    }
}
