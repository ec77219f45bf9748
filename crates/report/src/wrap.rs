//! Breaks text at a width, as a terminal counts it, and shortens names.
//! Knows nothing of records.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// In less room than this the middle of a text is not worth leaving out: nothing is left.
const ELIDED_MIN: usize = 24;

/// Columns that `text` takes.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// Joins `tokens` with `glue` into lines of at most `room` columns. A token
/// that is wider than a line is cut.
pub(crate) fn wrap<'a>(tokens: impl IntoIterator<Item = &'a str>, glue: &str, room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let trailing = width(glue.trim_end());
    for token in tokens {
        for piece in cut(token, room.saturating_sub(trailing).max(1)) {
            match lines.last_mut() {
                Some(line)
                    if width(line) + width(glue) + width(&piece.text) + trailing <= room && !piece.rest =>
                {
                    line.push_str(glue);
                    line.push_str(&piece.text);
                }
                Some(line) => {
                    if !piece.rest {
                        line.push_str(glue.trim_end());
                    }
                    lines.push(piece.text);
                }
                None => lines.push(piece.text),
            }
        }
    }
    lines
}

/// Shortens the middle of `text` to at most `room` columns.
pub(crate) fn elide(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let kept = room.saturating_sub(1);
    let head = take(text.chars(), kept.div_ceil(2));
    let tail: String = take(text.chars().rev(), kept - kept.div_ceil(2)).chars().rev().collect();
    format!("{head}…{tail}")
}

/// Cuts `text` behind a word, so that it takes at most `room` columns.
pub(crate) fn shorten(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let head = take(text.chars(), room.saturating_sub(2));
    let is_whole_word = text[head.len()..].starts_with(' ');
    let blank = head.rfind(' ').filter(|blank| !is_whole_word && *blank > room / 2);
    let kept = blank.map_or(head.as_str(), |blank| &head[..blank]);
    format!("{} …", kept.trim_end_matches([',', ';', ':', ' ']))
}

/// As many of `tokens`, from the first, as fit into one line of `room` columns. Of the first that
/// does not the middle is left out, so that a path keeps its name and a count its digits.
pub(crate) fn fit(tokens: &[String], glue: &str, room: usize) -> String {
    let mut line = String::new();
    for token in tokens {
        let glue = if line.is_empty() { "" } else { glue };
        let left = room.saturating_sub(width(&line) + width(glue));
        if width(token) > left && left < ELIDED_MIN && !line.is_empty() {
            return shorten(&format!("{line} …"), room);
        }
        line.push_str(glue);
        line.push_str(&elide(token, left));
        if width(token) > left {
            break;
        }
    }
    line
}

struct Piece {
    text: String,
    /// True when it goes on where the piece before was cut.
    rest: bool,
}

fn cut(token: &str, room: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut left = token;
    while width(left) > room {
        let head = take(left.chars(), room);
        let folders = head.rfind('/').map_or(0, |slash| if slash > 0 { slash + 1 } else { 0 });
        // A character wider than the whole line still has to go somewhere.
        let bytes = match head.rfind(' ') {
            Some(blank) if blank > 0 => blank,
            // Behind the folders of a path.
            _ if folders > 0 => folders,
            _ if head.is_empty() => left.chars().next().map_or(0, char::len_utf8),
            _ => head.len(),
        };
        pieces.push(Piece { text: left[..bytes].to_owned(), rest: !pieces.is_empty() });
        left = left[bytes..].trim_start();
    }
    if !left.is_empty() {
        pieces.push(Piece { text: left.to_owned(), rest: !pieces.is_empty() });
    }
    pieces
}

fn take(characters: impl Iterator<Item = char>, room: usize) -> String {
    let mut used = 0;
    characters
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= room
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_shortened_behind_a_word() {
        assert_eq!(shorten("keep the first answer", 21), "keep the first answer");
        assert_eq!(shorten("keep the first answer, or ask", 24), "keep the first answer …");
        assert_eq!(shorten("/a/very/long/path/without/blanks", 10), "/a/very/ …");
        assert!(width(&shorten(&"ü".repeat(40), 20)) <= 20);
    }

    #[test]
    fn of_what_does_not_fit_the_middle_goes_and_never_the_end() {
        let tokens = ["at 120 paths".to_owned(), "most of it in /srv/node_modules/jsdom (10,868)".to_owned()];
        assert_eq!(fit(&tokens, ", ", 80), tokens.join(", "));
        assert_eq!(fit(&tokens, ", ", 50), "at 120 paths, most of it in /srv…es/jsdom (10,868)");
        assert_eq!(fit(&tokens, ", ", 30), "at 120 paths …");
        assert_eq!(fit(&tokens[1..], ", ", 25), "most of it i…dom (10,868)");
        for room in 12..80 {
            assert!(width(&fit(&tokens, ", ", room)) <= room, "{room}");
        }
    }

    #[test]
    fn lines_hold_what_fits_and_show_that_they_go_on() {
        let steps = ["openat(FILE)", "fcntl(7)", "close(7)"];
        assert_eq!(wrap(steps, " → ", 26), ["openat(FILE) → fcntl(7) →", "close(7)"]);
        assert_eq!(wrap(steps, " → ", 80), ["openat(FILE) → fcntl(7) → close(7)"]);
        assert!(wrap([], " ", 10).is_empty());
    }

    #[test]
    fn a_token_wider_than_the_line_is_cut_and_nothing_is_lost() {
        let token = "/".to_owned() + &"ünï".repeat(30);
        let lines = wrap([token.as_str(), "end"], " ", 20);
        assert!(lines.iter().all(|line| width(line) <= 20), "{lines:?}");
        assert_eq!(lines.concat().replace(' ', ""), token + "end");
    }

    #[test]
    fn a_token_of_words_is_cut_between_words() {
        assert_eq!(wrap(["read 21, futex 1 at 1 MiB"], "; ", 16), ["read 21, futex", "1 at 1 MiB"]);
    }

    #[test]
    fn wide_characters_count_double() {
        let lines = wrap(["漢字漢字", "漢字"], " ", 9);
        assert_eq!(lines, ["漢字漢字", "漢字"]);
        assert_eq!(wrap(["漢"], " ", 1), ["漢"]);
        assert_eq!(elide("漢字漢字漢字", 7), "漢…字");
    }

    #[test]
    fn elision_keeps_both_ends() {
        assert_eq!(elide("native:open-read-close-random", 15), "native:…-random");
        assert_eq!(elide("short", 15), "short");
    }
}
