//! Reading small files of `/proc` and `/sys`: the text, or the reason in words.

use fathom_model::Reading;
use std::path::Path;
use std::str::FromStr;

/// The trimmed text of a file; the reason names the file.
pub(crate) fn text(path: impl AsRef<Path>) -> Reading<String> {
    let path = path.as_ref();
    std::fs::read(path)
        .map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned())
        .map_err(|error| format!("{}: {error}", path.display()))
        .into()
}

/// The number that a file holds.
pub(crate) fn number<T: FromStr>(path: impl AsRef<Path>) -> Reading<T> {
    let path = path.as_ref();
    parsed(text(path), |text| text.parse().map_err(|_| format!("{}: not a number: {text}", path.display())))
}

/// Applies a parser that can fail to a reading.
pub(crate) fn parsed<T>(
    reading: Reading<String>,
    parse: impl FnOnce(&str) -> Result<T, String>,
) -> Reading<T> {
    match reading {
        Reading::Value(text) => parse(&text).into(),
        Reading::Unavailable(reason) => Reading::Unavailable(reason),
    }
}

/// The value after `key` and a colon, in text with a `key: value` line per fact.
pub(crate) fn field<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == key).then(|| value.trim())
    })
}

/// The bracketed word of a list of choices: `always [madvise] never`.
pub(crate) fn chosen(text: &str) -> Result<String, String> {
    let inside = text.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    match inside {
        Some((word, _)) => Ok(word.to_owned()),
        None if !text.is_empty() && !text.contains(' ') => Ok(text.to_owned()),
        None => Err(format!("no choice is marked in `{text}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chosen_word_is_the_bracketed_one_or_the_only_one() {
        assert_eq!(chosen("none [mq-deadline] kyber bfq"), Ok("mq-deadline".into()));
        assert_eq!(chosen("none"), Ok("none".into()));
        assert!(chosen("always madvise").is_err());
        assert!(chosen("").is_err());
    }

    #[test]
    fn a_field_is_found_by_its_whole_name() {
        let status = "Name:\tcat\nSeccomp:\t2\nSeccomp_filters:\t1\n";
        assert_eq!(field(status, "Seccomp_filters"), Some("1"));
        assert_eq!(field(status, "Seccomp"), Some("2"));
        assert_eq!(field(status, "Sec"), None);
    }

    #[test]
    fn an_absent_file_is_a_reason_that_names_it() {
        let Reading::Unavailable(reason) = number::<u64>("/proc/no-such-file") else { panic!("a value") };
        assert!(reason.starts_with("/proc/no-such-file: "), "{reason}");
        let Reading::Unavailable(reason) = number::<u64>("/proc/version") else { panic!("a value") };
        assert!(reason.contains("not a number"), "{reason}");
    }
}
