//! Which features a side is named after: people call a way of doing I/O after the call that makes it.

use fathom_model::Feature;
use std::collections::BTreeSet;

/// Words of names, in small letters, and the features that they promise. A word that is also used for
/// other things (read, write, open, sync) promises nothing.
const WORDS: [(&str, Feature); 28] = [
    ("uring", Feature::IoUring),
    ("iouring", Feature::IoUring),
    ("io_uring", Feature::IoUring),
    ("liburing", Feature::IoUring),
    ("direct", Feature::DirectIo),
    ("odirect", Feature::DirectIo),
    ("o_direct", Feature::DirectIo),
    ("fadvise", Feature::FileAdvice),
    ("posix_fadvise", Feature::FileAdvice),
    ("willneed", Feature::FileAdvice),
    ("readahead", Feature::FileAdvice),
    ("noreuse", Feature::FileAdvice),
    ("madvise", Feature::MemoryAdvice),
    ("posix_madvise", Feature::MemoryAdvice),
    ("mmap", Feature::Mapping),
    ("mmaped", Feature::Mapping),
    ("sendfile", Feature::SendFile),
    ("copy_file_range", Feature::CopyFileRange),
    ("copyfilerange", Feature::CopyFileRange),
    ("splice", Feature::Splice),
    ("readv", Feature::Vectored),
    ("writev", Feature::Vectored),
    ("preadv", Feature::Vectored),
    ("pread", Feature::Positioned),
    ("statx", Feature::Statx),
    ("fsync", Feature::Fsync),
    ("fdatasync", Feature::Fdatasync),
    ("fallocate", Feature::Fallocate),
];
/// In front of a word they take it back: `no_mmap`, `without-direct`.
const NOT: [&str; 5] = ["no", "not", "non", "without", "un"];

/// The features that these words promise.
pub(super) fn features_named(words: &[&String]) -> BTreeSet<Feature> {
    words.iter().flat_map(|word| of_word(word)).collect()
}

fn of_word(word: &str) -> BTreeSet<Feature> {
    let tokens = tokens(word);
    let mut found = BTreeSet::new();
    for (name, feature) in WORDS {
        let parts: Vec<&str> = name.split('_').collect();
        for (at, window) in tokens.windows(parts.len()).enumerate() {
            let is_named = window.iter().zip(&parts).all(|(token, part)| token == part);
            let is_denied = at > 0 && NOT.contains(&tokens[at - 1].as_str());
            if is_named && !is_denied {
                found.insert(feature);
            }
        }
    }
    // Both kinds of advice have these words; of memory they mean `madvise`.
    if found.contains(&Feature::MemoryAdvice) {
        found.remove(&Feature::FileAdvice);
    }
    found
}

/// `readWillNeed`, `read_will_need` and `read-will-need` are four words; a run of capitals is one.
fn tokens(word: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut current = String::new();
    let mut before_is_small = false;
    for letter in word.chars() {
        if !letter.is_ascii_alphanumeric() || letter.is_ascii_uppercase() && before_is_small {
            tokens.extend((!current.is_empty()).then(|| std::mem::take(&mut current)));
        }
        if letter.is_ascii_alphanumeric() {
            current.push(letter.to_ascii_lowercase());
        }
        before_is_small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
    }
    tokens.extend((!current.is_empty()).then_some(current));
    // `WillNeed` is the advice's own word in two.
    let joined: Vec<_> = tokens.windows(2).map(<[String]>::concat).collect();
    let is_word = |word: &&String| WORDS.iter().any(|(name, _)| name == *word);
    tokens.extend(joined.iter().filter(is_word).cloned().collect::<Vec<_>>());
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(word: &str) -> Vec<Feature> {
        features_named(&[&word.to_owned()]).into_iter().collect()
    }

    #[test]
    fn names_in_every_spelling() {
        for word in ["read_uring", "ReadUring", "ioUring", "io_uring", "uring-cat.py", "IOURING"] {
            assert_eq!(named(word), [Feature::IoUring], "{word}");
        }
        for word in ["read_direct", "readODirect", "iflag=direct", "--direct", "O_DIRECT"] {
            assert_eq!(named(word), [Feature::DirectIo], "{word}");
        }
        for word in ["readWillNeed", "read_willneed", "posix_fadvise", "readahead", "read_ahead"] {
            assert_eq!(named(word), [Feature::FileAdvice], "{word}");
        }
        assert_eq!(named("madvise_willneed"), [Feature::MemoryAdvice]);
    }

    #[test]
    fn names_that_promise_nothing() {
        for word in
            ["read_all", "directory", "directly", "indirect", "no_mmap", "without-direct", "recursive", ""]
        {
            assert_eq!(named(word), [], "{word}");
        }
    }
}
