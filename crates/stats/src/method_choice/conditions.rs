//! Under which conditions methods stood beside each other: what a question can
//! ask for, and what else was not as usual.

use super::knowledge::place_among_languages;
use fathom_model::{
    Access, Alignment, BufferUse, CacheState, Operation, Place, Question, Record, Setting, Transfer, Variant,
};
use serde::Serialize;
use std::fmt;

/// The piece in which a method with a buffer of its own reads a whole file, unless it is set.
const USUAL_PIECE_BYTES: u64 = 64 << 10;

/// What is done with files, as a question has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pattern {
    /// Open, read all, close.
    Whole,
    /// Blocks at random offsets of a file that stays open.
    Random,
    /// Blocks one after the other.
    Sequential,
    /// Open and close.
    Open,
    /// Make files, or write blocks into one.
    Write,
}

impl Pattern {
    /// The pattern that a variant is of; `None` of what no question asks for.
    pub fn of(variant: &Variant) -> Option<Self> {
        Some(match (variant.operation.facts().question?, variant.parameters.access) {
            (Question::Whole, _) => Self::Whole,
            (Question::Blocks, Access::Random) => Self::Random,
            (Question::Blocks, Access::Sequential) => Self::Sequential,
            (Question::Open, _) => Self::Open,
            (Question::Write, _) => Self::Write,
        })
    }

    /// The word of the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Random => "random",
            Self::Sequential => "sequential",
            Self::Open => "open",
            Self::Write => "write",
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Where a set of methods of one language was measured side by side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DecisionConditions {
    /// The language's word: `go`.
    pub language: String,
    /// What it is called in tables: `Go`, `Java (java@25)`.
    pub title: String,
    /// The driver that performed the methods.
    pub driver: String,
    /// The pattern.
    pub pattern: Pattern,
    /// The operation.
    pub operation: Operation,
    /// Bytes of the file, or written into it; `None` where they do not matter.
    pub size_bytes: Option<u64>,
    /// Bytes of a block, where blocks are read or written.
    pub block_bytes: Option<u64>,
    /// Files that the operations went over.
    pub files: u32,
    /// The page cache's state; `None` where files are new.
    pub cache: Option<CacheState>,
    /// The file system and where it is mounted: `ext4 at /`.
    pub place: String,
    /// What was not as usual: `2 threads`, `pieces of 1 MiB`.
    pub circumstances: Vec<String>,
}

impl DecisionConditions {
    /// The conditions of a variant, named as those of a language.
    pub(super) fn of(record: &Record, variant: &Variant, language: &str, title: &str) -> Option<Self> {
        let pattern = Pattern::of(variant)?;
        let parameters = &variant.parameters;
        let size_bytes = match variant.operation.facts().transfers {
            Transfer::Nothing => None,
            Transfer::Setting(setting) => Some(parameters.settings.number(setting)),
            Transfer::FirstBlock | Transfer::Block | Transfer::File => Some(parameters.data.size_bytes),
        };
        let title = match variant.method.driver.split_once('@') {
            Some(_) => format!("{title} ({})", variant.method.driver),
            None => title.to_owned(),
        };
        Some(Self {
            language: language.to_owned(),
            title,
            driver: variant.method.driver.clone(),
            pattern,
            operation: variant.operation,
            size_bytes,
            block_bytes: variant.operation.takes_offsets().then_some(parameters.block_bytes),
            files: parameters.data.files,
            cache: variant.operation.takes_files().then_some(variant.cache),
            place: place(record, variant.place),
            circumstances: circumstances(variant),
        })
    }

    /// True when nothing differs but the size.
    pub(super) fn is_alike_but_size(&self, other: &Self) -> bool {
        Self { size_bytes: None, ..self.clone() } == Self { size_bytes: None, ..other.clone() }
    }

    /// The order of tables.
    pub(super) fn order(&self) -> impl Ord + use<> {
        (
            (self.pattern, self.operation, self.circumstances.clone(), self.place.clone(), self.files),
            (place_among_languages(&self.language), self.title.clone()),
            (self.block_bytes, self.cache, self.size_bytes),
        )
    }
}

/// Bytes in the largest unit that keeps the number whole.
pub(super) fn bytes(count: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let is_whole = |power: &usize| count > 0 && count.is_multiple_of(1 << (10 * power));
    let power = (0..units.len()).rev().find(is_whole).unwrap_or(0);
    format!("{} {}", count >> (10 * power), units[power])
}

/// Other checkouts of one file system are the same place.
fn place(record: &Record, index: usize) -> String {
    let Some(facts) = record.places.get(index) else { return "unknown place".to_owned() };
    match (&facts.place, facts.mount_point.value()) {
        (Place::Memfd, _) => "memfd".to_owned(),
        (Place::Directory(_), Some(mount)) => format!("{} at {}", facts.file_system, mount.display()),
        (Place::Directory(path), None) => format!("{} {}", facts.file_system, path.display()),
    }
}

fn circumstances(variant: &Variant) -> Vec<String> {
    let parameters = &variant.parameters;
    let mut found = Vec::new();
    let question = variant.operation.facts().question;
    if question == Some(Question::Whole) && parameters.block_bytes != USUAL_PIECE_BYTES {
        found.push(format!("pieces of {}", bytes(parameters.block_bytes)));
    }
    let writes_blocks = variant.operation.takes_offsets() && variant.operation.writes();
    if writes_blocks && parameters.access == Access::Sequential {
        found.push("sequential".to_owned());
    }
    if parameters.alignment == Alignment::Unaligned {
        found.push("unaligned".to_owned());
    }
    match parameters.buffer {
        BufferUse::Reused => {}
        BufferUse::Fresh => found.push("fresh buffers".to_owned()),
        BufferUse::Stack => found.push("buffers on the stack".to_owned()),
    }
    let settings = Setting::ALL.into_iter().filter(|setting| !is_of_the_run(*setting));
    let unusual = settings.filter(|setting| {
        let value = parameters.settings.value(*setting);
        value != setting.default_value() && setting.concerns(variant.operation)
    });
    found.extend(unusual.map(|setting| setting.label(&parameters.settings.value(setting))));
    found
}

/// What sets how it is measured and not what; the written size is a condition of its own.
fn is_of_the_run(setting: Setting) -> bool {
    matches!(setting, Setting::Operations | Setting::WarmUp | Setting::Timeline | Setting::Write)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::SettingValue;
    use fathom_testkit::{complete, parameters};

    fn variant(operation: Operation) -> Variant {
        Variant {
            method: "go:any".parse().unwrap(),
            operation,
            place: 0,
            cache: CacheState::Warm,
            parameters: parameters(4096),
        }
    }

    fn of(variant: &Variant) -> DecisionConditions {
        DecisionConditions::of(&complete(), variant, "go", "Go").unwrap()
    }

    #[test]
    fn a_size_counts_where_it_matters() {
        assert_eq!(of(&variant(Operation::ReadWhole)).size_bytes, Some(4096));
        assert_eq!(of(&variant(Operation::OpenClose)).size_bytes, None);
        let mut create = variant(Operation::Create);
        create.parameters.settings.set(Setting::Write, SettingValue::Number(10));
        let conditions = of(&create);
        assert_eq!((conditions.size_bytes, conditions.cache), (Some(10), None));
        assert!(conditions.circumstances.is_empty(), "{:?}", conditions.circumstances);
        let block = of(&variant(Operation::ReadBlock));
        assert_eq!((block.pattern, block.block_bytes), (Pattern::Random, Some(65_536)));
        assert_eq!(Pattern::of(&variant(Operation::Search)), None);
    }

    #[test]
    fn what_is_not_as_usual_is_said_and_how_it_was_measured_is_not() {
        let mut whole = variant(Operation::ReadWhole);
        whole.parameters.settings.set(Setting::Operations, SettingValue::Number(100));
        assert!(of(&whole).circumstances.is_empty());
        whole.parameters.settings.set(Setting::Threads, SettingValue::Number(2));
        whole.parameters.block_bytes = 1 << 20;
        whole.parameters.buffer = BufferUse::Fresh;
        assert_eq!(of(&whole).circumstances, ["pieces of 1 MiB", "fresh buffers", "2 threads"]);
    }

    #[test]
    fn two_checkouts_on_one_file_system_are_one_place() {
        let (record, one) = (complete(), variant(Operation::ReadWhole));
        let mut other = record.clone();
        other.places[0].place = Place::Directory("/home/other".into());
        assert_eq!(place(&record, 0), place(&other, 0));
        assert_eq!((place(&record, 0).as_str(), place(&record, 1).as_str()), ("ext4 at /", "memfd"));
        assert_eq!(place(&record, 9), "unknown place");
        assert_eq!(of(&one).place, "ext4 at /");
    }

    #[test]
    fn bytes_stay_whole() {
        let shown = [0, 12, 999, 1024, 4096, 1536, 1 << 20, 3 << 30].map(bytes);
        assert_eq!(shown, ["0 B", "12 B", "999 B", "1 KiB", "4 KiB", "1536 B", "1 MiB", "3 GiB"]);
    }
}
