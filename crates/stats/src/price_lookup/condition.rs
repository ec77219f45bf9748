//! Under which condition a call is made, and a price was taken: brought to the same
//! few words, so that they can be held against each other.

use super::words::{Family, MANY_NAMES_BYTES, decides, is_flag, kept_words, settled, words};
use fathom_model::{CallOutcome, CountedCalls, FileKind, Price, price_what};
use std::collections::BTreeSet;

/// The condition of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Condition<'a> {
    /// The kernel's name of the call.
    pub(crate) call: &'a str,
    pub(crate) errno: Option<&'a str>,
    /// Words that bear on the price; `None` where they are not known.
    pub(crate) words: Option<BTreeSet<&'a str>>,
    /// Components of the path it walks.
    pub(crate) depth: Option<u32>,
    /// True for a path that begins at the root.
    pub(crate) is_absolute: bool,
    /// Bytes it moves or maps.
    pub(crate) size_bytes: Option<u64>,
    /// False where only the call itself was seen: of which state its file was and
    /// what had been done to it before is then guessed.
    pub(crate) knows_state: bool,
}

impl<'a> Condition<'a> {
    /// A call of which nothing but its name and outcome is known.
    pub(crate) fn bare(call: &'a str, errno: Option<&'a str>) -> Self {
        Self {
            call,
            errno,
            words: None,
            depth: None,
            is_absolute: false,
            size_bytes: None,
            knows_state: true,
        }
    }

    /// What is no call but is priced like one, under a condition of one word.
    pub(crate) fn event(name: &'a str, word: Option<&'a str>) -> Self {
        Self { words: Some(word.into_iter().collect()), ..Self::bare(name, None) }
    }

    /// That of counted calls; `None` where they never returned.
    pub(crate) fn of_counted(counted: &'a CountedCalls) -> Option<Self> {
        let errno = match &counted.outcome {
            CallOutcome::Succeeded => None,
            CallOutcome::Failed(errno) => Some(errno.as_str()),
            CallOutcome::NeverReturned => return None,
        };
        let call = counted.call.as_str();
        let mean_bytes = (counted.bytes + counted.count / 2) / counted.count.max(1);
        let size_bytes = counted.size_class_bytes.map(|_| mean_bytes);
        Some(Self {
            words: Some(counted_words(counted, size_bytes)),
            // `/` and the empty path have none; prices begin at one.
            depth: counted.path_components.map(|components| components.max(1)),
            size_bytes,
            knows_state: false,
            ..Self::bare(call, errno)
        })
    }

    /// True where what is known of the call is told by other words than the price.
    pub(super) fn differs_from(&self, price: &Price) -> bool {
        let Some(asked) = &self.words else { return false };
        let priced = price_words(price);
        priced.symmetric_difference(asked).any(|word| self.knows_state || is_flag(word))
    }

    /// True where the price is one of the same kind of call, with the same outcome.
    pub(super) fn is_kind_of(&self, price: &Price) -> bool {
        let none = BTreeSet::new();
        let (priced, asked) = (price_words(price), self.words.as_ref().unwrap_or(&none));
        price.call == self.call
            && price.errno.as_deref() == self.errno
            && !priced.symmetric_difference(asked).any(|word| decides(self.call, word))
    }
}

/// The words of a price, as far as they bear on it.
pub(crate) fn price_words(price: &Price) -> BTreeSet<&str> {
    settled(&price.call, kept_words(&price.call, &price.what))
}

/// On what the calls of a price were made, of those that take a descriptor.
pub(super) fn file_kind(price: &Price) -> FileKind {
    let words = price_words(price);
    if words.contains("eventfd") {
        FileKind::Eventfd
    } else if words.contains("epoll") {
        FileKind::Epoll
    } else if Family::of(&price.call) == Family::List || words.contains("directory") {
        FileKind::Directory
    } else {
        FileKind::Regular
    }
}

/// True of a price whose path begins at the root.
pub(super) fn is_absolute_price(price: &Price) -> bool {
    price.what == price_what::READ_ONLY_ABSOLUTE
}

/// The words of flags and sizes. Whether a file was there before `O_CREAT` is a guess:
/// who wants it emptied expects that it may be.
fn counted_words(counted: &CountedCalls, size_bytes: Option<u64>) -> BTreeSet<&str> {
    let call = counted.call.as_str();
    let mut known = kept_words(call, &counted.flags);
    match (Family::of(call), counted.on) {
        (Family::Read | Family::Write, Some(FileKind::Eventfd)) => {
            known.insert("eventfd");
        }
        (Family::Close, Some(FileKind::Epoll)) => {
            known.insert("epoll");
        }
        (Family::Close | Family::Stat | Family::Other, Some(FileKind::Directory)) => {
            known.insert("directory");
        }
        _ => {}
    }
    match Family::of(call) {
        Family::Open if known.contains("O_CREAT") => {
            let must_be_new = words(&counted.flags).any(|word| word == "O_EXCL");
            let is_new = must_be_new || !known.contains("O_TRUNC");
            known.insert(if is_new { "new" } else { "existing" });
        }
        Family::Read | Family::List | Family::Copy if size_bytes == Some(0) => {
            known.insert("end");
        }
        Family::List if size_bytes.is_some_and(|size| size > MANY_NAMES_BYTES) => {
            known.insert("many");
        }
        _ => {}
    }
    settled(call, known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::price;

    #[test]
    fn every_phrase_of_the_price_table_is_told_apart_from_its_neighbors() {
        use price_what as what;
        let tables: [(&str, &[&str]); 12] = [
            (
                "openat",
                &[
                    what::READ_ONLY,
                    what::WRITE_ONLY,
                    what::CREATE_NEW,
                    what::CREATE_EXISTING,
                    what::CREATE_TRUNCATE,
                    what::DIRECT,
                    what::PATH,
                    what::DIRECTORY,
                ],
            ),
            (
                "close",
                &[
                    what::AFTER_READING,
                    what::AFTER_WRITING,
                    what::AFTER_TRUNCATING,
                    what::OF_CLOSED_DIRECTORY,
                    what::OF_EPOLL,
                ],
            ),
            ("newfstatat", &[what::EMPTY_PATH, what::EMPTY_PATH_DIRECTORY, what::BY_PATH]),
            ("read", &[what::IN_ORDER, what::AT_END, what::OF_EVENTFD]),
            ("write", &[what::OVERWRITING, what::APPENDING, what::OF_EVENTFD]),
            ("fsync", &[what::CLEAN, what::ONE_DIRTY_PAGE]),
            ("fstat", &[what::BY_DESCRIPTOR, what::OF_OPEN_DIRECTORY]),
            (
                "fcntl",
                &[what::GET_FLAGS, what::SET_FLAGS, what::GET_DESCRIPTOR_FLAGS, what::SET_DESCRIPTOR_FLAGS],
            ),
            ("copy_file_range", &[what::OVERWRITING, what::AT_END]),
            ("munmap", &[what::UNTOUCHED, what::TOUCHED_FILE, what::TOUCHED_MEMORY]),
            ("getdents64", &[what::FEW_NAMES, what::MANY_NAMES, what::NO_NAMES]),
            ("minor-fault-file", &[what::MAPPED_READ, what::MAPPED_READ_ALONE]),
        ];
        for (call, phrases) in tables {
            let prices: Vec<_> = phrases.iter().map(|phrase| price(call, phrase, 1.0)).collect();
            let distinct: BTreeSet<_> = prices.iter().map(price_words).collect();
            assert_eq!(distinct.len(), phrases.len(), "{call}: {distinct:?}");
        }
        assert_eq!(
            price_words(&price("openat", what::READ_ONLY_ABSOLUTE, 1.0)),
            price_words(&price("openat", what::READ_ONLY, 1.0))
        );
    }

    #[test]
    fn counted_calls_have_the_words_of_their_price() {
        use price_what as what;
        let same = |call: &str, flags: &str, bytes: Option<u64>, phrase: &str| {
            let counted = CountedCalls {
                call: call.to_owned(),
                outcome: CallOutcome::Succeeded,
                flags: flags.to_owned(),
                path_components: None,
                size_class_bytes: bytes.map(u64::next_power_of_two),
                on: None,
                bytes: 2 * bytes.unwrap_or(0),
                count: 2,
            };
            let condition = Condition::of_counted(&counted).unwrap();
            assert_eq!(condition.words, Some(price_words(&price(call, phrase, 1.0))), "{call} {flags}");
            assert_eq!(condition.size_bytes, bytes);
        };
        same("openat", "O_RDONLY", None, what::READ_ONLY);
        same("openat", "O_RDWR|O_APPEND", None, what::WRITE_ONLY);
        same("openat", "O_WRONLY|O_CREAT", None, what::CREATE_NEW);
        same("openat", "O_WRONLY|O_CREAT|O_TRUNC", None, what::CREATE_TRUNCATE);
        same("openat", "O_WRONLY|O_CREAT|O_EXCL|O_TRUNC", None, what::CREATE_NEW);
        same("newfstatat", "AT_EMPTY_PATH", None, what::EMPTY_PATH);
        same("newfstatat", "", None, what::BY_PATH);
        same("fcntl", "F_GETFL", None, what::GET_FLAGS);
        same("fcntl", "F_SETFD", None, what::SET_DESCRIPTOR_FLAGS);
        same("fsync", "dirty", None, what::ONE_DIRTY_PAGE);
        same("fsync", "clean", None, what::CLEAN);
        same("copy_file_range", "", Some(0), what::AT_END);
        same("mmap", "MAP_ANONYMOUS", Some(8192), what::MAP_ANONYMOUS);
        same("read", "", Some(0), what::AT_END);
        same("read", "", Some(4095), what::IN_ORDER);
        same("getdents64", "", Some(600), what::FEW_NAMES);
        same("getdents64", "", Some(8000), what::MANY_NAMES);
        same("getdents64", "", Some(0), what::NO_NAMES);
    }
}
