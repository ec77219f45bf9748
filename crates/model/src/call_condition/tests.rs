//! Conditions in words, and every word that lists were kept with.

use super::call_form::*;
use super::*;

/// What versions up to 0.1 wrote into lists, each with the form that it stands for.
fn kept_words() -> [(&'static str, CallForm); 65] {
    [
        ("O_RDONLY", READ_ONLY),
        ("O_RDONLY by absolute path", READ_ONLY_ABSOLUTE),
        ("O_WRONLY", WRITE_ONLY),
        ("O_CREAT of a new file", CREATE_NEW),
        ("O_CREAT of an existing file", CREATE_EXISTING),
        ("O_CREAT|O_TRUNC of an existing file", CREATE_TRUNCATE),
        ("O_CREAT|O_TRUNC of an existing empty file", CREATE_TRUNCATE_EMPTY),
        ("O_DIRECT", DIRECT),
        ("O_PATH", PATH),
        ("O_DIRECTORY", DIRECTORY),
        ("of a file open for reading", AFTER_READING),
        ("of a file written over", AFTER_WRITING),
        ("of a file truncated and written", AFTER_TRUNCATING),
        ("of a directory", OF_CLOSED_DIRECTORY),
        ("of an epoll instance", OF_EPOLL),
        ("by descriptor", BY_DESCRIPTOR),
        ("by descriptor, of a directory", OF_OPEN_DIRECTORY),
        ("by descriptor, AT_EMPTY_PATH", EMPTY_PATH),
        ("by descriptor, AT_EMPTY_PATH, of a directory", EMPTY_PATH_DIRECTORY),
        ("by path", BY_PATH),
        ("by path, AT_EACCESS", EFFECTIVE),
        ("SEEK_SET", SEEK_SET),
        ("TCGETS", TERMINAL_SETTINGS),
        ("F_GETFL", GET_FLAGS),
        ("F_SETFL", SET_FLAGS),
        ("F_GETFD", GET_DESCRIPTOR_FLAGS),
        ("F_SETFD", SET_DESCRIPTOR_FLAGS),
        ("POSIX_FADV_SEQUENTIAL", ADVISE_SEQUENTIAL),
        ("EPOLL_CTL_ADD of a regular file", EPOLL_ADD_FILE),
        ("in order, reused buffer", IN_ORDER),
        ("at the end of the file", AT_END),
        ("over cached pages", OVERWRITING),
        ("over cached pages, large folios", OVERWRITING_LARGE),
        ("appending", APPENDING),
        ("of an eventfd", OF_EVENTFD),
        ("to nothing", TO_NOTHING),
        ("longer by a hole", LONGER),
        ("of a clean file", CLEAN),
        ("with one dirty page", ONE_DIRTY_PAGE),
        ("of a file, MAP_SHARED", MAP_FILE),
        ("of memory, MAP_ANONYMOUS", MAP_ANONYMOUS),
        ("untouched", UNTOUCHED),
        ("of a file, every page read", TOUCHED_FILE),
        ("of memory, every page written", TOUCHED_MEMORY),
        ("MADV_SEQUENTIAL and MADV_NORMAL in turn", MADV_SEQUENTIAL),
        ("MADV_WILLNEED of cached pages", MADV_WILLNEED),
        ("MADV_DONTNEED of untouched memory", MADV_DONTNEED),
        ("asking where the heap ends", ASK_BREAK),
        ("with nothing to submit", NOTHING_SUBMITTED),
        ("read-only and writable in turn", PROTECT),
        ("FUTEX_WAKE of nobody", WAKE_NOBODY),
        ("asking for the mask", ASK_MASK),
        ("", PLAIN),
        ("18 names", FEW_NAMES),
        ("258 names", MANY_NAMES),
        ("at the end of the directory", NO_NAMES),
        ("of a file", OF_FILE),
        ("of an empty directory", OF_DIRECTORY),
        ("to a new name", TO_NEW_NAME),
        ("over an existing file", OVER_FILE),
        ("read, pages around it mapped too", MAPPED_READ),
        ("read, alone in its mapping", MAPPED_READ_ALONE),
        ("written for the first time", MEMORY_WRITE),
        ("one by one, POSIX_FADV_RANDOM", ONE_BY_ONE),
        ("in order, with read-ahead", READ_AHEAD),
    ]
}

fn read(text: &str) -> CallForm {
    let Ok(form) = text.parse();
    form
}

#[test]
fn every_phrase_of_a_kept_list_is_the_form_that_it_was_taken_in() {
    for (phrase, form) in kept_words() {
        assert_eq!(read(phrase), form, "{phrase}");
        assert!(!matches!(form.state, Some(FileState::Other(_))));
    }
}

#[test]
fn words_are_those_of_kept_lists_but_for_two_and_are_read_back() {
    for (phrase, form) in kept_words() {
        let said = form.to_string();
        let now = OLDER_WORDS.iter().find(|(older, _)| *older == phrase).map_or(phrase, |(_, now)| now);
        assert_eq!(said, now);
        assert_eq!(read(&said), form, "{said}");
    }
}

#[test]
fn every_state_and_kind_is_read_back_with_and_without_flags() {
    let kinds = KINDS.map(|(kind, _)| PLAIN.on(kind));
    let forms = FileState::KNOWN.iter().map(|state| PLAIN.of(state.clone())).chain(kinds);
    for form in forms {
        for flags in ["", "O_WRONLY|O_CREAT"] {
            for by in
                [None, Some(ReachedBy::Descriptor), Some(ReachedBy::Path), Some(ReachedBy::AbsolutePath)]
            {
                let form = CallForm { flags: CallFlags::from(flags), by, ..form.clone() };
                assert_eq!(read(&form.to_string()), form, "{form}");
            }
        }
    }
}

#[test]
fn words_of_a_later_version_stay_as_they_are() {
    let form = read("O_CREAT of a file on Mars");
    assert_eq!(form.state, Some(FileState::Other("of a file on Mars".to_owned())));
    assert!(form.flags.has("O_CREAT"));
    assert_eq!(form.to_string(), "O_CREAT of a file on Mars");
}

#[test]
fn a_condition_is_said_with_its_outcome() {
    let missing = CallCondition::new("openat", READ_ONLY).failing("ENOENT").deep(4);
    assert_eq!(missing.to_string(), "openat=ENOENT (O_RDONLY)");
    assert_eq!(CallCondition::new("getppid", PLAIN).to_string(), "getppid");
}
