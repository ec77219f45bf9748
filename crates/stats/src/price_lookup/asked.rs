//! The condition that a price is asked for, and how much of it is known.

use super::features::{Family, Feature, Features, MANY_NAMES_BYTES, features};
use fathom_model::{
    CallCondition, CallFlags, CallForm, CallOutcome, CountedCalls, FileKind, FileState, Price,
};

/// A call whose price is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) condition: CallCondition,
    pub(crate) known: Known,
}

/// How much of a condition is known; the rest is taken for the usual.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// The call and its outcome: its form says nothing.
    Outcome,
    /// Its arguments too: of which state its file was and what had been done to it before is guessed.
    Arguments,
    /// All.
    State,
}

impl Asked {
    /// A call of which nothing but its name and outcome is known.
    pub(crate) fn bare(call: &str, errno: Option<&str>) -> Self {
        let condition = CallCondition::new(call, CallForm::default());
        let condition = match errno {
            Some(errno) => condition.failing(errno),
            None => condition,
        };
        Self { condition, known: Known::Outcome }
    }

    /// What is no call but is priced like one.
    pub(crate) fn event(name: &str, form: CallForm) -> Self {
        Self { condition: CallCondition::new(name, form), known: Known::State }
    }

    /// Counted calls at their mean size; `None` where they never returned.
    pub(crate) fn of_counted(counted: &CountedCalls) -> Option<Self> {
        if counted.outcome == CallOutcome::NeverReturned {
            return None;
        }
        let mean_bytes = (counted.bytes + counted.count / 2) / counted.count.max(1);
        let size_bytes = counted.size_class_bytes.map(|_| mean_bytes);
        let condition = CallCondition {
            call: counted.call.clone(),
            form: counted_form(counted, size_bytes),
            outcome: counted.outcome.clone(),
            // `/` and the empty path have none; prices begin at one.
            path_components: counted.path_components.map(|components| components.max(1)),
            size_bytes,
            cache: None,
        };
        Some(Self { condition, known: Known::Arguments })
    }

    /// The same asked of another call.
    pub(super) fn of_call(&self, call: &str) -> Self {
        let condition = CallCondition { call: call.to_owned(), ..self.condition.clone() };
        Self { condition, known: self.known }
    }

    /// What is known to bear on the price.
    pub(crate) fn features(&self) -> Features<'_> {
        if self.known == Known::Outcome { Features::new() } else { features(&self.condition) }
    }

    /// True where what is known of the call is other than in the price.
    pub(super) fn differs_from(&self, price: &Price) -> bool {
        let (asked, priced) = (self.features(), features(&price.condition));
        let mut apart = priced.symmetric_difference(&asked);
        match self.known {
            Known::Outcome => false,
            Known::Arguments => apart.any(|feature| matches!(feature, Feature::Flag(_))),
            Known::State => apart.next().is_some(),
        }
    }

    /// True where the price is one of the same kind of call, with the same outcome.
    pub(super) fn is_kind_of(&self, price: &Price) -> bool {
        // Most prices are of other calls, and their features need not be looked at.
        if price.condition.call != self.condition.call || price.condition.outcome != self.condition.outcome {
            return false;
        }
        let (asked, priced) = (self.features(), features(&price.condition));
        !priced.symmetric_difference(&asked).any(|feature| feature.decides(&self.condition.call))
    }
}

/// On what the calls of a price were made, of those that take a descriptor.
pub(super) fn file_kind(price: &Price) -> FileKind {
    let form = &price.condition.form;
    form.on.unwrap_or_else(|| match Family::of(&price.condition.call) {
        Family::List => FileKind::Directory,
        _ => FileKind::Regular,
    })
}

/// What the arguments of counted calls show.
fn counted_form(counted: &CountedCalls, size_bytes: Option<u64>) -> CallForm {
    let flags = CallFlags::from(counted.flags.as_str());
    let state = match Family::of(&counted.call) {
        // Else nobody saw whether there was a file, or whether what is emptied is on the device yet.
        Family::Open if flags.has("O_CREAT") => match () {
            () if flags.has("existing") => Some(FileState::ExistingFile),
            () if flags.has("empty") => Some(FileState::ExistingEmptyFile),
            () if flags.has("new") || flags.has("O_EXCL") => Some(FileState::NewFile),
            () if flags.has("unwritten") && !flags.has("O_TRUNC") => Some(FileState::ExistingFile),
            () => None,
        },
        Family::Read | Family::List | Family::Copy if size_bytes == Some(0) => Some(FileState::AtEnd),
        Family::List if size_bytes.is_some_and(|size| size > MANY_NAMES_BYTES) => Some(FileState::ManyNames),
        Family::Sync if flags.has("dirty") => Some(FileState::OneDirtyPage),
        Family::Sync if flags.has("clean") => Some(FileState::Clean),
        _ => None,
    };
    CallForm { flags, by: None, on: counted.on, state }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::call_form as what;
    use std::collections::BTreeSet;

    fn of(call: &str, form: &CallForm) -> CallCondition {
        CallCondition::new(call, form.clone())
    }

    #[test]
    fn every_form_of_a_call_is_told_apart_from_its_neighbors() {
        let tables: [(&str, &[CallForm]); 12] = [
            (
                "openat",
                &[
                    what::READ_ONLY,
                    what::WRITE_ONLY,
                    what::CREATE_NEW,
                    what::CREATE_EXISTING,
                    what::CREATE_TRUNCATE,
                    what::CREATE_TRUNCATE_EMPTY,
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
            ("write", &[what::OVERWRITING, what::OVERWRITING_LARGE, what::APPENDING, what::OF_EVENTFD]),
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
        for (call, forms) in tables {
            let conditions: Vec<_> = forms.iter().map(|form| of(call, form)).collect();
            let distinct: BTreeSet<_> = conditions.iter().map(features).collect();
            assert_eq!(distinct.len(), forms.len(), "{call}: {distinct:?}");
        }
        let (absolute, relative) = (of("openat", &what::READ_ONLY_ABSOLUTE), of("openat", &what::READ_ONLY));
        assert_eq!(features(&absolute), features(&relative));
    }

    #[test]
    fn counted_calls_have_the_features_of_their_price() {
        let same = |call: &str, flags: &str, bytes: Option<u64>, form: CallForm| {
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
            let asked = Asked::of_counted(&counted).unwrap();
            assert_eq!(asked.features(), features(&of(call, &form)), "{call} {flags}");
            assert_eq!(asked.condition.size_bytes, bytes);
        };
        same("openat", "O_RDONLY", None, what::READ_ONLY);
        same("openat", "O_RDWR|O_APPEND", None, what::WRITE_ONLY);
        same("openat", "O_WRONLY|O_CREAT|new", None, what::CREATE_NEW);
        same("openat", "O_WRONLY|O_CREAT|O_EXCL|O_TRUNC", None, what::CREATE_NEW);
        same("openat", "O_WRONLY|O_CREAT|O_TRUNC|new", None, what::CREATE_NEW);
        same("openat", "O_WRONLY|O_CREAT|O_APPEND|existing", None, what::CREATE_EXISTING);
        same("openat", "O_WRONLY|O_CREAT|O_TRUNC|existing", None, what::CREATE_TRUNCATE);
        same("openat", "O_WRONLY|O_CREAT|O_TRUNC|empty", None, what::CREATE_TRUNCATE_EMPTY);
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
