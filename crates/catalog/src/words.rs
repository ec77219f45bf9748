//! The fixed words of catalogs and command lines: one list per kind of choice.

use crate::error::{CatalogError, Located, Origin, Problem};
use crate::suggestion::{did_you_mean, hint_for};
use fathom_model::{
    Access, Alignment, BufferUse, CacheState, CeilingKind, Content, Explain, Operation, Place,
};
use std::path::PathBuf;

/// A choice that is written as one of a few words.
pub trait Word: Copy + PartialEq + 'static {
    /// What such a word is called in messages.
    const KIND: &'static str;
    /// Every value and its word.
    const WORDS: &'static [(Self, &'static str)];

    /// The word of this value.
    fn text(self) -> &'static str {
        Self::WORDS.iter().find(|(value, _)| *value == self).map_or("", |(_, word)| word)
    }
}

/// The value whose word was written.
pub(crate) fn read_word<W: Word>(written: &Located<String>) -> Result<Located<W>, CatalogError> {
    if let Some((value, _)) = W::WORDS.iter().find(|(_, word)| *word == written.value) {
        return Ok(Located::new(*value, &written.origin));
    }
    let words: Vec<_> = W::WORDS.iter().map(|(_, word)| *word).collect();
    let problem = Problem::UnknownWord(W::KIND, written.value.clone());
    Err(written.error(problem, hint_for(&written.value, &words)))
}

impl Word for CacheState {
    const KIND: &'static str = "cache state";
    const WORDS: &'static [(Self, &'static str)] = &[(Self::Warm, "warm"), (Self::Cold, "cold")];
}

impl Word for Access {
    const KIND: &'static str = "access";
    const WORDS: &'static [(Self, &'static str)] =
        &[(Self::Random, "random"), (Self::Sequential, "sequential")];
}

impl Word for Alignment {
    const KIND: &'static str = "alignment";
    const WORDS: &'static [(Self, &'static str)] =
        &[(Self::Aligned, "aligned"), (Self::Unaligned, "unaligned")];
}

impl Word for BufferUse {
    const KIND: &'static str = "buffer use";
    const WORDS: &'static [(Self, &'static str)] =
        &[(Self::Reused, "reused"), (Self::Fresh, "fresh"), (Self::Stack, "stack")];
}

impl Word for Content {
    const KIND: &'static str = "content";
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::Random, "random"),
        (Self::Pattern, "pattern"),
        (Self::LogLines, "log-lines"),
        (Self::LogBorders, "log-borders"),
        (Self::ConfigJson, "config-json"),
        (Self::ConfigYaml, "config-yaml"),
        (Self::ConfigToml, "config-toml"),
        (Self::Template, "template"),
    ];
}

impl Word for Operation {
    const KIND: &'static str = "operation";
    const WORDS: &'static [(Self, &'static str)] = &{
        let mut words = [(Self::Null, ""); Self::ALL.len()];
        let mut at = 0;
        while at < words.len() {
            words[at] = (Self::ALL[at], Self::ALL[at].word());
            at += 1;
        }
        words
    };
}

impl Word for Explain {
    const KIND: &'static str = "explanation";
    const WORDS: &'static [(Self, &'static str)] =
        &[(Self::Counters, "counters"), (Self::Profile, "profile"), (Self::Latencies, "latencies")];
}

impl Word for CeilingKind {
    const KIND: &'static str = "ceiling";
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::MemoryCopy, "memory-copy"),
        (Self::MemoryCopyAllCpus, "memory-copy-all-cpus"),
        (Self::DeviceSequential, "device-sequential"),
        (Self::DeviceRandom, "device-random"),
    ];
}

/// A place as an experiment names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PlaceWord {
    /// Wherever the command line says, else the current directory.
    Directory,
    /// A place of its own.
    Fixed(Place),
}

/// The place of an experiment file: `directory`, `memfd`, or a path that
/// begins with `/` or `.`, so that a misspelt word is not taken for a path.
pub(crate) fn read_place(written: &Located<String>) -> Result<Located<PlaceWord>, CatalogError> {
    let word = written.value.as_str();
    let place = match word {
        "directory" => PlaceWord::Directory,
        _ if word == "memfd" || word.starts_with(['/', '.']) => PlaceWord::Fixed(parse_place(word)),
        _ => {
            let hint = did_you_mean(word, &["directory", "memfd"])
                .unwrap_or_else(|| format!("`directory`, `memfd`, or a path like `./{word}`"));
            return Err(written.error(Problem::UnknownWord("place", word.to_owned()), Some(hint)));
        }
    };
    Ok(Located::new(place, &written.origin))
}

/// The value of a word of the command line; `option` names it in errors.
pub fn parse_word<W: Word>(option: &'static str, word: &str) -> Result<W, CatalogError> {
    Ok(read_word(&Located::new(word.to_owned(), &Origin::Option(option)))?.value)
}

/// A place as the command line names it: `memfd`, or any directory (one that
/// is called memfd is written `./memfd`).
pub fn parse_place(word: &str) -> Place {
    match word {
        "memfd" => Place::Memfd,
        path => Place::Directory(PathBuf::from(path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Located<String> {
        Located::new(text.to_owned(), &Origin::Unstated)
    }

    #[test]
    fn the_words_are_those_of_the_model() {
        assert_eq!(Content::WORDS.len(), Content::ALL.len());
        for content in Content::ALL {
            assert_eq!(content.text(), content.word());
        }
        for cache in [CacheState::Warm, CacheState::Cold] {
            assert_eq!(cache.text(), cache.word());
        }
    }

    #[test]
    fn a_directory_called_memfd_can_be_named() {
        assert_eq!(parse_place("memfd"), Place::Memfd);
        assert_eq!(parse_place("./memfd"), Place::Directory("./memfd".into()));
    }

    #[test]
    fn in_a_file_a_bare_word_is_no_path() {
        let error = read_place(&written("memdf")).unwrap_err();
        assert_eq!(error.hint(), Some("did you mean `memfd`?"));
        assert_eq!(
            read_place(&written("/dev/shm")).unwrap().value,
            PlaceWord::Fixed(Place::Directory("/dev/shm".into()))
        );
        assert_eq!(read_place(&written("directory")).unwrap().value, PlaceWord::Directory);
    }
}
