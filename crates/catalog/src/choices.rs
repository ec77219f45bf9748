//! What an experiment chooses, each choice optional: the layers of a plan
//! (the file, its `[quick]` table, the command line) are laid over each other.

use crate::error::{CatalogError, Located, Origin, Problem};
use crate::request::Request;
use crate::settings::{SettingChoices, parse_settings, read_settings};
use crate::sweep::{each_once, read_size, read_sizes, read_sweep};
use crate::toml_reader::TableReader;
use crate::words::{PlaceWord, Word, read_place, read_word};
use fathom_model::{Access, Alignment, BufferUse, CacheState, Content};

/// The choices of one layer; `None` leaves the layer below.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Choices {
    pub(crate) methods: Option<Vec<Located<String>>>,
    pub(crate) baseline: Option<Located<String>>,
    pub(crate) caches: Option<Vec<Located<CacheState>>>,
    pub(crate) places: Option<Vec<Located<PlaceWord>>>,
    pub(crate) sizes: Option<Vec<Located<u64>>>,
    pub(crate) files: Option<u32>,
    pub(crate) content: Option<Content>,
    pub(crate) blocks: Option<Vec<Located<u64>>>,
    pub(crate) accesses: Option<Vec<Located<Access>>>,
    pub(crate) alignments: Option<Vec<Located<Alignment>>>,
    pub(crate) buffers: Option<Vec<Located<BufferUse>>>,
    pub(crate) settings: SettingChoices,
}

impl Choices {
    /// These choices, with those of `upper` where it has any.
    pub(crate) fn overridden_by(&self, upper: &Self) -> Self {
        let below = self.clone();
        let above = upper.clone();
        Self {
            methods: above.methods.or(below.methods),
            baseline: above.baseline.or(below.baseline),
            caches: above.caches.or(below.caches),
            places: above.places.or(below.places),
            sizes: above.sizes.or(below.sizes),
            files: above.files.or(below.files),
            content: above.content.or(below.content),
            blocks: above.blocks.or(below.blocks),
            accesses: above.accesses.or(below.accesses),
            alignments: above.alignments.or(below.alignments),
            buffers: above.buffers.or(below.buffers),
            settings: below.settings.into_iter().chain(above.settings).collect(),
        }
    }

    /// The keys of the top table: `methods`, `baseline`, `cache`, `places`.
    pub(crate) fn read_top(&mut self, table: &TableReader<'_>) -> Result<(), CatalogError> {
        self.methods = table.take("methods").map(|item| item.texts()).transpose()?;
        self.baseline = table.take("baseline").map(|item| item.text()).transpose()?;
        if let Some(item) = table.take("cache") {
            self.caches = Some(read_words(&item.texts()?)?);
        }
        self.read_places(table)
    }

    /// The key `places` alone.
    pub(crate) fn read_places(&mut self, table: &TableReader<'_>) -> Result<(), CatalogError> {
        if let Some(item) = table.take("places") {
            let places = item.texts()?;
            refuse_repeated("place", &places)?;
            self.places = Some(places.iter().map(read_place).collect::<Result<_, _>>()?);
        }
        Ok(())
    }

    /// The keys of `[data]`: `size`, `sizes` or `sweep`; `files`, `content`.
    pub(crate) fn read_data(&mut self, table: &TableReader<'_>) -> Result<(), CatalogError> {
        self.sizes = read_data_sizes(table)?;
        if let Some(item) = table.take("files") {
            let files = item.whole_number(1, u64::from(u32::MAX))?.value;
            self.files = u32::try_from(files).ok();
        }
        if let Some(item) = table.take("content") {
            self.content = Some(read_word(&item.text()?)?.value);
        }
        Ok(())
    }

    /// The keys of a budget: cache, data and parameters beside each other.
    pub(crate) fn read_flat(&mut self, table: &TableReader<'_>) -> Result<(), CatalogError> {
        if let Some(item) = table.take("cache") {
            self.caches = Some(read_words(&item.texts()?)?);
        }
        self.read_data(table)?;
        self.read_parameters(table)
    }

    /// The keys of `[parameters]`: blocks, access, alignment, buffers, settings.
    pub(crate) fn read_parameters(&mut self, table: &TableReader<'_>) -> Result<(), CatalogError> {
        self.blocks = match (table.take("block"), table.take("blocks")) {
            (Some(_), Some(blocks)) => return Err(exclusive("block", "blocks", &blocks.origin())),
            (Some(block), None) => Some(vec![read_size(&block)?]),
            (None, Some(blocks)) => Some(read_sizes(&blocks, "block")?),
            (None, None) => None,
        };
        if let Some(empty) = self.blocks.iter().flatten().find(|block| block.value == 0) {
            return Err(empty.error(Problem::OutOfRange("block".to_owned(), "0".to_owned()), None));
        }
        self.accesses = read_one_or_more(table, "access", "accesses")?;
        self.alignments = read_one_or_more(table, "alignment", "alignments")?;
        self.buffers = read_one_or_more(table, "buffer", "buffers")?;
        self.settings = read_settings(table)?;
        Ok(())
    }

    /// The choices of the command line.
    pub(crate) fn of_request(request: &Request) -> Result<Self, CatalogError> {
        Ok(Self {
            methods: given("--methods", &request.methods),
            baseline: request.baseline.clone().map(|word| Located::new(word, &Origin::Option("--baseline"))),
            caches: given_once("--cache", &request.caches)?,
            // Places are filled in where the file says `directory`.
            places: None,
            sizes: given("--size", &request.sizes).map(|sizes| each_once(sizes, "size")).transpose()?,
            files: request.files,
            content: request.content,
            blocks: given("--block", &request.blocks).map(|blocks| each_once(blocks, "block")).transpose()?,
            accesses: given_once("--access", &request.accesses)?,
            alignments: given_once("--alignment", &request.alignments)?,
            buffers: given_once("--buffer", &request.buffers)?,
            settings: parse_settings("--set", &request.settings)?,
        })
    }
}

fn read_data_sizes(table: &TableReader<'_>) -> Result<Option<Vec<Located<u64>>>, CatalogError> {
    match (table.take("size"), table.take("sizes"), table.take("sweep")) {
        (Some(_), Some(sizes), _) => Err(exclusive("size", "sizes", &sizes.origin())),
        (Some(_), _, Some(sweep)) => Err(exclusive("size", "sweep", &sweep.origin())),
        (_, Some(_), Some(sweep)) => Err(exclusive("sizes", "sweep", &sweep.origin())),
        (Some(size), None, None) => Ok(Some(vec![read_size(&size)?])),
        (None, Some(sizes), None) => read_sizes(&sizes, "size").map(Some),
        (None, None, Some(sweep)) => read_sweep(&sweep).map(Some),
        (None, None, None) => Ok(None),
    }
}

fn read_one_or_more<W: Word>(
    table: &TableReader<'_>,
    one: &'static str,
    more: &'static str,
) -> Result<Option<Vec<Located<W>>>, CatalogError> {
    match (table.take(one), table.take(more)) {
        (Some(_), Some(list)) => Err(exclusive(one, more, &list.origin())),
        (Some(word), None) => Ok(Some(vec![read_word(&word.text()?)?])),
        (None, Some(list)) => read_words(&list.texts()?).map(Some),
        (None, None) => Ok(None),
    }
}

fn read_words<W: Word>(written: &[Located<String>]) -> Result<Vec<Located<W>>, CatalogError> {
    refuse_repeated(W::KIND, written)?;
    written.iter().map(read_word).collect()
}

fn refuse_repeated(kind: &'static str, written: &[Located<String>]) -> Result<(), CatalogError> {
    let repeated =
        written.iter().enumerate().find(|(at, word)| written[..*at].iter().any(|w| w.value == word.value));
    match repeated {
        Some((_, word)) => Err(word.error(Problem::Repeated(kind, word.value.clone()), None)),
        None => Ok(()),
    }
}

fn exclusive(one: &'static str, other: &'static str, origin: &Origin) -> CatalogError {
    CatalogError::new(origin, Problem::Exclusive(one, other), None)
}

/// What an option of the command line gives; an option without values is not given.
fn given<T: Clone>(option: &'static str, values: &[T]) -> Option<Vec<Located<T>>> {
    let origin = Origin::Option(option);
    (!values.is_empty()).then(|| values.iter().map(|value| Located::new(value.clone(), &origin)).collect())
}

fn given_once<W: Word>(option: &'static str, values: &[W]) -> Result<Option<Vec<Located<W>>>, CatalogError> {
    let words: Vec<_> = values.iter().map(|word| word.text().to_owned()).collect();
    given(option, &words).map(|words| read_words(&words)).transpose()
}
