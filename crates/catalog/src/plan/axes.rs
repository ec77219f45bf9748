//! The values of every choice of a plan, defaults filled in, and the baseline
//! found among what is compared.

use super::Compare;
use crate::choices::Choices;
use crate::error::{CatalogError, Located, Origin, Problem};
use crate::pattern::{Chosen, expand};
use crate::registry::MethodRegistry;
use crate::settings::value_text;
use crate::size::{format_size, size_at};
use crate::suggestion::hint_for;
use crate::words::{PlaceWord, Word};
use fathom_model::{
    Access, Alignment, BufferUse, CacheState, Content, Operation, Place, Setting, SettingKind, SettingValue,
};
use std::path::PathBuf;

/// What the driver protocol takes when no block size is given.
const DEFAULT_BLOCK_BYTES: u64 = 65_536;

/// The values to combine.
#[derive(Debug, Clone)]
pub(crate) struct Axes {
    pub(crate) operation: Operation,
    pub(crate) compare: Compare,
    /// Index of the baseline among the compared values.
    pub(crate) baseline: usize,
    pub(crate) methods: Vec<Chosen>,
    pub(crate) places: Vec<Place>,
    pub(crate) caches: Vec<Located<CacheState>>,
    pub(crate) sizes: Vec<Located<u64>>,
    pub(crate) blocks: Vec<Located<u64>>,
    pub(crate) accesses: Vec<Located<Access>>,
    pub(crate) alignments: Vec<Located<Alignment>>,
    pub(crate) buffers: Vec<Located<BufferUse>>,
    pub(crate) files: u32,
    pub(crate) content: Content,
    /// Settings that are not left alone, in the order of labels.
    pub(crate) settings: Vec<(Setting, Vec<Located<SettingValue>>)>,
    /// Which methods obey which settings beside those that all do.
    pub(crate) takes: Vec<Vec<Setting>>,
}

impl Axes {
    /// The values that `choices` stand for; `places` are the command line's.
    pub(crate) fn resolve(
        operation: &Located<Operation>,
        compare: Compare,
        choices: &Choices,
        places: &[Place],
        registry: &MethodRegistry,
    ) -> Result<Self, CatalogError> {
        let performed = operation.value;
        refuse_meaningless(performed, choices)?;
        let everything = [unstated("*".to_owned())];
        let patterns = choices.methods.as_deref().unwrap_or(&everything);
        let mut axes = Self {
            operation: performed,
            compare,
            baseline: 0,
            methods: expand(patterns, performed, registry)?,
            places: resolve_places(choices, places),
            caches: or_default(choices.caches.as_ref(), CacheState::Warm),
            sizes: or_default(choices.sizes.as_ref(), default_size_bytes(performed)),
            blocks: or_default(choices.blocks.as_ref(), DEFAULT_BLOCK_BYTES),
            accesses: or_default(choices.accesses.as_ref(), Access::Random),
            alignments: or_default(choices.alignments.as_ref(), Alignment::Aligned),
            buffers: or_default(choices.buffers.as_ref(), BufferUse::Reused),
            files: choices.files.unwrap_or(1),
            content: choices.content.unwrap_or(performed.facts().content),
            settings: choices.settings.iter().map(|(s, values)| (*s, values.clone())).collect(),
            takes: Vec::new(),
        };
        let taken = |method: &Chosen| registry.find(&method.id).map(|m| m.takes.clone()).unwrap_or_default();
        axes.takes = axes.methods.iter().map(taken).collect();
        axes.refuse_twin_methods()?;
        axes.refuse_nothing_to_compare(operation)?;
        if let Some(baseline) = &choices.baseline {
            axes.baseline = axes.find_baseline(baseline, choices, places)?;
        }
        Ok(axes)
    }

    /// One method twice makes a comparison only where methods are compared.
    fn refuse_twin_methods(&self) -> Result<(), CatalogError> {
        let twin =
            self.methods.iter().enumerate().find(|(at, m)| self.methods[..*at].iter().any(|n| n.id == m.id));
        match twin {
            Some((_, method)) if self.compare != Compare::Methods => Err(CatalogError::new(
                &method.origin,
                Problem::Repeated("method", method.id.to_string()),
                Some("only `compare = \"methods\"` puts a method beside itself".to_owned()),
            )),
            _ => Ok(()),
        }
    }

    /// What is compared needs values.
    fn refuse_nothing_to_compare(&self, operation: &Located<Operation>) -> Result<(), CatalogError> {
        match self.compare {
            Compare::Setting(setting) if self.setting(setting).is_empty() => {
                let hint = format!("give it several values: `{setting} = [...]` in [parameters]");
                Err(operation.error(Problem::MissingKey(setting.word().to_owned()), Some(hint)))
            }
            _ => Ok(()),
        }
    }

    fn find_baseline(
        &self,
        baseline: &Located<String>,
        choices: &Choices,
        asked: &[Place],
    ) -> Result<usize, CatalogError> {
        let names = self.compared_names();
        let wanted = match self.compare {
            Compare::Sizes | Compare::Blocks => format_size(size_at(&baseline.value, &baseline.origin)?),
            Compare::Setting(setting) if matches!(setting.kind(), SettingKind::Size(_)) => {
                format_size(size_at(&baseline.value, &baseline.origin)?)
            }
            Compare::Places if baseline.value == "directory" => directories(asked)[0].to_string(),
            _ => baseline.value.clone(),
        };
        if let Some(found) = names.iter().position(|name| *name == wanted) {
            return Ok(found);
        }
        // The file's baseline gives way when the command line compares other things.
        let from_file = matches!(baseline.origin, Origin::File { .. });
        if from_file && self.is_compared_by_request(gives_way(choices, asked)) {
            return Ok(0);
        }
        let borrowed: Vec<_> = names.iter().map(String::as_str).collect();
        let problem = Problem::BaselineAbsent(baseline.value.clone(), self.compare.text());
        Err(baseline.error(problem, hint_for(&baseline.value, &borrowed)))
    }

    /// The compared values, each in its own words.
    fn compared_names(&self) -> Vec<String> {
        match self.compare {
            Compare::Methods => self.methods.iter().map(|method| method.id.to_string()).collect(),
            Compare::Places => self.places.iter().map(ToString::to_string).collect(),
            Compare::Caches => words(&self.caches),
            Compare::Sizes => self.sizes.iter().map(|size| format_size(size.value)).collect(),
            Compare::Blocks => self.blocks.iter().map(|block| format_size(block.value)).collect(),
            Compare::Accesses => words(&self.accesses),
            Compare::Alignments => words(&self.alignments),
            Compare::Buffers => words(&self.buffers),
            Compare::Setting(setting) => {
                self.setting(setting).iter().map(|value| value_text(setting, &value.value)).collect()
            }
        }
    }

    /// The values of a setting; none when it is left alone.
    pub(crate) fn setting(&self, wanted: Setting) -> &[Located<SettingValue>] {
        self.settings.iter().find(|(setting, _)| *setting == wanted).map_or(&[], |(_, values)| values)
    }

    /// True when the compared values come from an option of the command line.
    fn is_compared_by_request(&self, places_give_way: bool) -> bool {
        let origin = match self.compare {
            Compare::Methods => self.methods.first().map(|method| &method.origin),
            Compare::Places => return places_give_way,
            Compare::Caches => self.caches.first().map(|cache| &cache.origin),
            Compare::Sizes => self.sizes.first().map(|size| &size.origin),
            Compare::Blocks => self.blocks.first().map(|block| &block.origin),
            Compare::Accesses => self.accesses.first().map(|access| &access.origin),
            Compare::Alignments => self.alignments.first().map(|alignment| &alignment.origin),
            Compare::Buffers => self.buffers.first().map(|buffer| &buffer.origin),
            Compare::Setting(setting) => self.setting(setting).first().map(|value| &value.origin),
        };
        matches!(origin, Some(Origin::Option(_)))
    }
}

fn refuse_meaningless(operation: Operation, choices: &Choices) -> Result<(), CatalogError> {
    let first = |origin: Option<&Origin>, has_meaning: bool, key| match origin {
        Some(origin) if !has_meaning => {
            Err(CatalogError::new(origin, Problem::Meaningless(key, operation), None))
        }
        _ => Ok(()),
    };
    let (reads, reads_blocks) = (operation.takes_buffer(), operation.takes_offsets());
    for (setting, values) in &choices.settings {
        let value = values.first().map(|value| &value.origin);
        first(value, setting.concerns(operation), setting.word())?;
    }
    first(choices.blocks.iter().flatten().next().map(|v| &v.origin), reads, "block")?;
    first(choices.buffers.iter().flatten().next().map(|v| &v.origin), reads, "buffer")?;
    first(choices.accesses.iter().flatten().next().map(|v| &v.origin), reads_blocks, "access")?;
    first(choices.alignments.iter().flatten().next().map(|v| &v.origin), reads_blocks, "alignment")
}

/// The places, each once; `directory` stands for those of the command line, or
/// for the current directory. A list without it gives way to the command line.
pub(super) fn resolve_places(choices: &Choices, asked: &[Place]) -> Vec<Place> {
    let directories = directories(asked);
    let default = [unstated(PlaceWord::Directory)];
    let written =
        if gives_way(choices, asked) { &default } else { choices.places.as_deref().unwrap_or(&default) };
    let mut places = Vec::new();
    for word in written {
        let named = match &word.value {
            PlaceWord::Directory => directories.as_slice(),
            PlaceWord::Fixed(place) => std::slice::from_ref(place),
        };
        for place in named {
            if !places.contains(place) {
                places.push(place.clone());
            }
        }
    }
    places
}

/// What `directory` stands for; never empty.
fn directories(asked: &[Place]) -> Vec<Place> {
    if asked.is_empty() { vec![Place::Directory(PathBuf::from("."))] } else { asked.to_vec() }
}

/// True when the file fixes its places and the command line names others.
fn gives_way(choices: &Choices, asked: &[Place]) -> bool {
    let fixed = |words: &Vec<Located<PlaceWord>>| words.iter().all(|word| word.value != PlaceWord::Directory);
    !asked.is_empty() && choices.places.as_ref().is_some_and(fixed)
}

fn default_size_bytes(operation: Operation) -> u64 {
    let facts = operation.facts();
    facts.size_bytes.or(facts.content.document_bytes()).unwrap_or(0)
}

fn or_default<T: Clone>(chosen: Option<&Vec<Located<T>>>, default: T) -> Vec<Located<T>> {
    chosen.cloned().unwrap_or_else(|| vec![unstated(default)])
}

fn unstated<T>(value: T) -> Located<T> {
    Located::new(value, &Origin::Unstated)
}

fn words<W: Word>(values: &[Located<W>]) -> Vec<String> {
    values.iter().map(|value| value.value.text().to_owned()).collect()
}
