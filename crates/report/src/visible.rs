//! Characters that cannot be seen, or that turn the order of others around, made visible: what a
//! file is called must not steer a terminal, nor make a page show another name. Every form that
//! people read goes through here; JSON keeps the very characters, escaped.

use std::fmt::Write as _;

/// True of control characters and of what Unicode does not show: marks of direction (UAX #9), joiners
/// and spaces without width, separators of lines, fillers, tags.
pub(crate) fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// A name or a sentence on one line, with what is hidden as an escape: `\u{202e}`.
pub(crate) fn visible(text: &str) -> String {
    escaped(text, is_hidden)
}

/// A text of several lines whose line ends and tabs are meant.
pub fn visible_lines(text: &str) -> String {
    escaped(text, |letter| is_hidden(letter) && !matches!(letter, '\n' | '\t'))
}

/// The same of a text with colors: commands that set the look of letters are meant, all others are shown.
pub fn visible_styled(text: &str) -> String {
    let mut pieces = text.split('\u{1b}');
    let mut shown = visible_lines(pieces.next().unwrap_or_default());
    for piece in pieces {
        let is_style = piece.strip_prefix('[').is_some_and(|behind| {
            behind
                .trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ';')
                .starts_with('m')
        });
        shown.push_str(if is_style { "\u{1b}" } else { "\\u{1b}" });
        shown.push_str(&visible_lines(piece));
    }
    shown
}

/// JSON that says the same in characters that can be seen. They stand in its strings alone.
pub fn visible_json(json: &str) -> String {
    replaced(
        json,
        |letter| is_hidden(letter) && !letter.is_ascii_control() || letter == '\u{7f}',
        |text, letter| {
            let mut units = [0; 2];
            for unit in letter.encode_utf16(&mut units) {
                let _infallible = write!(text, "\\u{unit:04x}");
            }
        },
    )
}

/// JSON whose strings are shown to people by the program that reads it: what is hidden is an escape in
/// the strings themselves.
pub(crate) fn visible_strings(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    let mut letters = json.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('u') => {
                    let number: String = letters.by_ref().take(4).collect();
                    let number = u32::from_str_radix(&number, 16).unwrap_or_default();
                    let _infallible = write!(text, "\\\\u{{{number:x}}}");
                }
                Some('b') => text.push_str("\\\\u{8}"),
                Some('f') => text.push_str("\\\\u{c}"),
                Some('r') => text.push_str("\\\\r"),
                other => text.extend(['\\'].into_iter().chain(other)),
            },
            letter if is_hidden(letter) && letter != '\n' => {
                let _infallible = write!(text, "\\\\u{{{:x}}}", u32::from(letter));
            }
            letter => text.push(letter),
        }
    }
    text
}

fn escaped(text: &str, is_hidden: impl Fn(char) -> bool) -> String {
    replaced(text, is_hidden, |text, letter| match letter {
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        letter => text.extend(letter.escape_unicode()),
    })
}

fn replaced(text: &str, is_hidden: impl Fn(char) -> bool, write: impl Fn(&mut String, char)) -> String {
    let Some(first) = text.find(&is_hidden) else { return text.to_owned() };
    let mut replaced = String::with_capacity(text.len() + 8);
    replaced.push_str(&text[..first]);
    for letter in text[first..].chars() {
        if is_hidden(letter) {
            write(&mut replaced, letter);
        } else {
            replaced.push(letter);
        }
    }
    replaced
}

/// What would end the line that a name or a sentence stands on.
pub(crate) fn is_line_end(letter: char) -> bool {
    matches!(letter, '\n' | '\t' | '\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a hostile name is made of: direction, no width, terminals' commands, ends of lines.
    const HIDDEN: [char; 18] = [
        '\u{1b}',
        '\u{7f}',
        '\u{85}',
        '\u{9b}',
        '\u{ad}',
        '\u{61c}',
        '\u{200b}',
        '\u{200d}',
        '\u{200e}',
        '\u{200f}',
        '\u{2028}',
        '\u{202a}',
        '\u{202e}',
        '\u{2060}',
        '\u{2066}',
        '\u{2069}',
        '\u{feff}',
        '\u{e0041}',
    ];

    #[test]
    fn what_is_hidden_is_shown() {
        for hidden in HIDDEN {
            let name = format!("a{hidden}b");
            let expected = format!("a\\u{{{:x}}}b", u32::from(hidden));
            assert_eq!(visible(&name), expected);
            assert_eq!(visible_lines(&format!("{name}\n\tx")), format!("{expected}\n\tx"));
        }
        assert_eq!(visible("a\nb\tc\r"), "a\\nb\\tc\\r");
    }

    #[test]
    fn colors_are_no_names() {
        assert_eq!(visible_styled("\u{1b}[1;31ma\u{1b}[0m\n"), "\u{1b}[1;31ma\u{1b}[0m\n");
        for hidden in HIDDEN.into_iter().filter(|letter| *letter != '\u{1b}') {
            assert_eq!(visible_styled(&format!("a{hidden}")), visible(&format!("a{hidden}")));
        }
        for command in ["[2J", "]0;title", "c", "[31", ""] {
            assert_eq!(visible_styled(&format!("a\u{1b}{command}")), format!("a\\u{{1b}}{command}"));
        }
    }

    #[test]
    fn what_can_be_seen_stays() {
        for name in ["/tmp/ünïcode-漢字", "עברית", "العربية", "e\u{301}", "a\u{a0}b", "👍🏽", "C:\\u{202e}"]
        {
            assert_eq!(visible(name), name);
        }
    }

    #[test]
    fn json_says_the_same_in_other_characters() {
        for hidden in HIDDEN {
            let json = serde_json::to_string(&format!("a{hidden}\"\\b")).unwrap();
            let shown = visible_json(&json);
            assert!(!shown.chars().any(is_hidden), "{shown}");
            assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), format!("a{hidden}\"\\b"));
        }
    }

    #[test]
    fn strings_of_json_are_shown_by_whoever_reads_it() {
        for hidden in HIDDEN {
            let name = format!("a{hidden}\\u001b\nb");
            let shown = visible_strings(&serde_json::to_string_pretty(&[&name]).unwrap());
            let read: Vec<String> = serde_json::from_str(&shown).unwrap();
            assert_eq!(read, [format!("a\\u{{{:x}}}\\u001b\nb", u32::from(hidden))]);
        }
        assert_eq!(visible_strings("\"\\r\\b\\\\u0041\""), "\"\\\\r\\\\u{8}\\\\u0041\"");
    }
}
