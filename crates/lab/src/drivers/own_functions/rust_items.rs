//! The `pub fn` items of a Rust file, outside modules, blocks and macros: their names and how they
//! are written. It knows comments, literals and brackets, and no more of the language.

/// A public function as it is written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Item<'a> {
    pub(super) name: &'a str,
    /// Its `#[cfg(…)]` attributes.
    pub(super) conditions: Vec<&'a str>,
    /// What stands between `pub` and `fn`.
    pub(super) qualifiers: &'a str,
    pub(super) generics: Vec<&'a str>,
    pub(super) parameters: Vec<&'a str>,
    pub(super) result: &'a str,
    /// What follows `where`.
    pub(super) bounds: &'a str,
}

impl Item<'_> {
    pub(super) fn is_unsafe(&self) -> bool {
        self.qualifiers.contains("unsafe")
    }

    /// As it is written, on one line.
    pub(super) fn signature(&self) -> String {
        let Self { name, parameters, result, .. } = self;
        format!("fn {name}({}) -> {result}", parameters.join(", "))
    }
}

/// Those of the file, in their order.
pub(super) fn public_functions(text: &str) -> Vec<Item<'_>> {
    let code = blanked(text);
    let (mut items, mut depth, mut begin) = (Vec::new(), 0_usize, 0);
    for (at, byte) in code.bytes().enumerate() {
        match byte {
            b'{' | b'(' | b'[' => {
                if depth == 0 && byte == b'{' {
                    items.extend(item(&text[begin..at], &code[begin..at]));
                }
                depth += 1;
            }
            b'}' | b')' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 && byte == b'}' {
                    begin = at + 1;
                }
            }
            b';' if depth == 0 => begin = at + 1,
            _ => {}
        }
    }
    items
}

/// The function whose text before its body this is; `code` is the same without comments and literals.
fn item<'a>(text: &'a str, code: &str) -> Option<Item<'a>> {
    let mut at = 0;
    let mut conditions = Vec::new();
    loop {
        at += code[at..].len() - code[at..].trim_start().len();
        let rest = &code[at..];
        if !rest.starts_with("#[") && !rest.starts_with("#![") {
            break;
        }
        let length = rest.find('[')? + closing(&rest[rest.find('[')?..], "[", "]")? + 1;
        if rest.starts_with("#[cfg(") {
            conditions.push(&text[at..at + length]);
        }
        at += length;
    }
    let rest = code[at..].strip_prefix("pub")?;
    let first = at + 3;
    if !rest.starts_with(char::is_whitespace) {
        return None;
    }
    let keyword = rest.split_whitespace().take_while(|word| *word != "fn").collect::<Vec<_>>();
    let known = ["const", "async", "unsafe", "extern", "safe"];
    if !keyword.iter().all(|word| known.contains(word)) {
        return None;
    }
    let begin = first + find_word(rest, "fn")?;
    let qualifiers = text[first..begin].trim();
    let name_at = begin + 2 + (code[begin + 2..].len() - code[begin + 2..].trim_start().len());
    let length = code[name_at..].find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
    let (mut at, name) = (name_at + length, &text[name_at..name_at + length]);
    let mut generics = Vec::new();
    at += code[at..].len() - code[at..].trim_start().len();
    if code[at..].starts_with('<') {
        let end = at + closing(&code[at..], "<", ">")?;
        generics = split(&text[at + 1..end], &code[at + 1..end]);
        at = end + 1;
    }
    let open = at + code[at..].find('(')?;
    let close = open + closing(&code[open..], "(", ")")?;
    let (tail, tail_code) = (&text[close + 1..], &code[close + 1..]);
    let clause = find_word(tail_code, "where").unwrap_or(tail_code.len());
    let result = tail[..clause].trim().strip_prefix("->").map_or("nothing", str::trim);
    let parameters = split(&text[open + 1..close], &code[open + 1..close]);
    let bounds = tail.get(clause + 5..).unwrap_or_default().trim();
    Some(Item { name, conditions, qualifiers, generics, parameters, result, bounds })
}

/// Where a word stands by itself.
fn find_word(code: &str, word: &str) -> Option<usize> {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let is_alone = |at: &usize| {
        !is_part(code[..*at].chars().next_back()) && !is_part(code[at + word.len()..].chars().next())
    };
    code.match_indices(word).map(|(at, _)| at).find(is_alone)
}

/// Where the bracket with which `code` begins is closed. The `>` of an arrow closes nothing.
fn closing(code: &str, open: &str, close: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for at in 0..code.len() {
        let rest = code.as_bytes().get(at..)?;
        if rest.starts_with(open.as_bytes()) {
            depth += 1;
        } else if rest.starts_with(close.as_bytes())
            && !(close == ">" && code.as_bytes()[..at].ends_with(b"-"))
        {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// The parts of a list between its own commas.
fn split<'a>(text: &'a str, code: &str) -> Vec<&'a str> {
    let (mut parts, mut depth, mut begin) = (Vec::new(), 0_i32, 0);
    let bytes = code.as_bytes();
    for (at, byte) in code.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b'>' if at > 0 && bytes[at - 1] == b'-' => {}
            b')' | b']' | b'}' | b'>' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(text[begin..at].trim());
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[begin..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// The text with spaces for comments and for what is in literals, as long as it was.
fn blanked(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let length = covered(&text[at..], text[..at].chars().next_back());
        if length > 0 {
            let hidden = text[at..at + length].bytes();
            code.extend(hidden.map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
            at += length;
        } else {
            // As many bytes as it has, so that positions hold.
            if first.is_ascii() {
                code.push(first);
            } else {
                code.extend(std::iter::repeat_n('_', first.len_utf8()));
            }
            at += first.len_utf8();
        }
    }
    code
}

/// Bytes of the comment or literal with which `rest` begins; 0 for code.
fn covered(rest: &str, before: Option<char>) -> usize {
    let until = |end: Option<usize>| end.unwrap_or(rest.len());
    if rest.starts_with("//") {
        return until(rest.find('\n'));
    }
    if rest.starts_with("/*") {
        return until(closing(rest, "/*", "*/").map(|at| at + 2));
    }
    let is_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if !is_word {
        let raw = ["r", "br", "cr"].iter().find_map(|prefix| rest.strip_prefix(prefix));
        let hashes = raw.map_or(0, |raw| raw.len() - raw.trim_start_matches('#').len());
        if let Some(raw) = raw.filter(|raw| raw[hashes..].starts_with('"')) {
            let begin = rest.len() - raw.len() + hashes + 1;
            let end = format!("\"{}", "#".repeat(hashes));
            return until(rest[begin..].find(&end).map(|at| begin + at + end.len()));
        }
    }
    match rest.as_bytes() {
        [b'"', ..] => quoted(rest, '"'),
        // A character, or the name of a lifetime.
        [b'\'', b'\\', ..] => quoted(rest, '\''),
        [b'\'', ..] => {
            let mut after = rest[1..].char_indices().skip(1);
            after.next().filter(|(_, c)| *c == '\'').map_or(0, |(at, _)| at + 2)
        }
        _ => 0,
    }
}

/// Bytes of a literal with escapes.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&str> {
        public_functions(text).into_iter().map(|item| item.name).collect()
    }

    #[test]
    fn functions_in_comments_literals_blocks_and_macros_are_none() {
        let text = "//! pub fn a() {}\n/* pub fn b() { /* } */ */\nconst S: &str = \"pub fn c() {\";\n\
            const R: &str = r#\"pub fn \" d() {\"#; const Q: char = '{'; const E: char = '\\'';\n\
            mod m { pub fn e() {} }\nimpl X { pub fn f(&self) {} }\nmake!( pub fn g() {} );\nmake! { pub fn h() {} }\n\
            pub(crate) fn i() {}\nfn j<'a>(x: &'a str) { let c = 'x'; }\npub struct K { pub fnord: u8 }\n\
            pub fn l(p: &str) -> usize { 0 }\npub static M: [u8; 1] = [0]; pub const fn n(é: &str) -> u64 { 0 }";
        assert_eq!(names(text), ["l", "n"]);
    }

    #[test]
    fn parts_of_a_signature_are_told_apart() {
        let text = "/// Reads.\n#[inline]\n#[cfg(target_os = \"linux\")]\npub unsafe extern \"C\" fn\n  name<'a, F: Fn(u8) -> u8, P>(\n\
            a: &'a [(u8, u8)], /* , */ b: HashMap<u8, Vec<u8>>,\n) -> Result<Vec<u8>, E> where P: AsRef<Path>, { }";
        let items = public_functions(text);
        let [item] = items.as_slice() else { panic!("{items:?}") };
        assert_eq!((item.name, item.qualifiers), ("name", "unsafe extern \"C\""));
        assert_eq!(item.conditions, ["#[cfg(target_os = \"linux\")]"]);
        assert_eq!(item.generics, ["'a", "F: Fn(u8) -> u8", "P"]);
        assert_eq!(item.parameters.len(), 2, "{item:?}");
        assert_eq!((item.result, item.bounds), ("Result<Vec<u8>, E>", "P: AsRef<Path>,"));
        assert_eq!(public_functions("pub fn x() {}")[0].result, "nothing");
    }
}
