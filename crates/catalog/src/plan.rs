//! Plans: what is to be measured, variant by variant, made of an experiment or
//! of an operation on the command line. Running them is `lab`'s.

mod axes;
#[cfg(test)]
pub(crate) mod fixture;

use crate::choices::Choices;
use crate::combine::combine;
use crate::entry::Entry;
use crate::error::{CatalogError, Located, Origin};
use crate::pattern::named;
use crate::registry::MethodRegistry;
use crate::reported::Publication;
use crate::words::Word;
pub(crate) use axes::Axes;
use fathom_model::{
    Access, Alignment, BufferUse, CacheState, Content, Operation, Parameters, Place, Unmeasured, Variant,
};

/// What is to be measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The experiment's name, or `ad-hoc`.
    pub name: String,
    /// A title for people.
    pub title: String,
    /// The question it answers.
    pub question: String,
    /// Where it comes from.
    pub source: Option<String>,
    /// The operation that every variant performs.
    pub operation: Operation,
    /// The places; `Variant::place` is an index into them.
    pub places: Vec<Place>,
    /// The comparisons, in the order in which to run them.
    pub comparisons: Vec<PlannedComparison>,
    /// What wildcards brought that cannot be combined as asked.
    pub unmeasured: Vec<Unmeasured>,
    /// Published figures to stand beside the results.
    pub reported: Vec<Publication>,
}

/// Variants that are timed in the same blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedComparison {
    /// What sets it apart from the plan's other comparisons: `128 B · warm`.
    pub label: String,
    /// The variants; never empty.
    pub variants: Vec<Variant>,
    /// Index of the variant that ratios refer to.
    pub baseline: usize,
    /// Parameters that differ between the variants, by name; the method is none.
    pub differing_parameters: Vec<String>,
}

impl PlannedComparison {
    /// The comparison with only the variants that `keep` holds true for; `None`
    /// when none is left. Without its baseline, the first that is left is it.
    #[must_use]
    pub fn retain(mut self, keep: impl Fn(&Variant) -> bool) -> Option<Self> {
        let kept: Vec<_> = (0..self.variants.len()).filter(|&at| keep(&self.variants[at])).collect();
        self.baseline = kept.iter().position(|&at| at == self.baseline).unwrap_or(0);
        self.variants = kept.into_iter().map(|at| self.variants[at].clone()).collect();
        self.differing_parameters = differing_parameters(&self.variants);
        (!self.variants.is_empty()).then_some(self)
    }
}

/// What is put side by side in the same blocks; everything else that has
/// several values makes separate comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compare {
    /// The methods, which is the default.
    Methods,
    /// The places.
    Places,
    /// The cache states.
    Caches,
    /// The file sizes.
    Sizes,
    /// The block sizes.
    Blocks,
    /// The orders of blocks.
    Accesses,
    /// The alignments of blocks.
    Alignments,
    /// The uses of buffers.
    Buffers,
}

impl Word for Compare {
    const KIND: &'static str = "comparison of";
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::Methods, "methods"),
        (Self::Places, "places"),
        (Self::Caches, "caches"),
        (Self::Sizes, "sizes"),
        (Self::Blocks, "blocks"),
        (Self::Accesses, "accesses"),
        (Self::Alignments, "alignments"),
        (Self::Buffers, "buffers"),
    ];
}

/// What the command line asks for. An empty list and `None` leave the
/// experiment's choice, or the default of an ad-hoc plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    /// Take the experiment's `[quick]` choices.
    pub quick: bool,
    /// `--methods`: names and wildcards.
    pub methods: Vec<String>,
    /// `--baseline`: one of the compared things, in its own words.
    pub baseline: Option<String>,
    /// `--cache`.
    pub caches: Vec<CacheState>,
    /// `--dir`: stand for `directory` in an experiment's places, or for all of
    /// them where it does not say `directory`.
    pub places: Vec<Place>,
    /// `--size`, in bytes.
    pub sizes: Vec<u64>,
    /// `--block`, in bytes.
    pub blocks: Vec<u64>,
    /// `--access`.
    pub accesses: Vec<Access>,
    /// `--alignment`.
    pub alignments: Vec<Alignment>,
    /// `--buffer`.
    pub buffers: Vec<BufferUse>,
    /// `--files`.
    pub files: Option<u32>,
    /// `--content`.
    pub content: Option<Content>,
}

/// The plan of an experiment, with what the command line asks laid over it.
pub fn plan_entry(entry: &Entry, request: &Request, registry: &MethodRegistry) -> Result<Plan, CatalogError> {
    let quick = if request.quick { entry.quick.clone() } else { Choices::default() };
    let choices = entry.choices.overridden_by(&quick).overridden_by(&Choices::of_request(request)?);
    let axes = Axes::resolve(&entry.operation, entry.compare, &choices, &request.places, registry)?;
    for method in &entry.reported.methods {
        named(method, entry.operation.value, registry)?;
    }
    let (comparisons, unmeasured) = combine(&axes)?;
    Ok(Plan {
        name: entry.name.clone(),
        title: entry.title.clone(),
        question: entry.question.clone(),
        source: entry.source.clone(),
        operation: entry.operation.value,
        places: axes.places,
        comparisons,
        unmeasured,
        reported: entry.reported.publications.clone(),
    })
}

/// The plan of an operation without a file: methods side by side. By default
/// every method, warm, one random file (of 16 MiB for `read-block`, else 4 KiB).
pub fn plan_ad_hoc(
    operation: Operation,
    request: &Request,
    registry: &MethodRegistry,
) -> Result<Plan, CatalogError> {
    let choices = Choices::of_request(request)?;
    let operation = Located::new(operation, &Origin::Unstated);
    let axes = Axes::resolve(&operation, Compare::Methods, &choices, &request.places, registry)?;
    let (comparisons, unmeasured) = combine(&axes)?;
    Ok(Plan {
        name: "ad-hoc".to_owned(),
        title: operation.value.word().to_owned(),
        question: format!("What does each method cost to {}?", operation.value.sentence()),
        source: None,
        operation: operation.value,
        places: axes.places,
        comparisons,
        unmeasured,
        reported: Vec::new(),
    })
}

/// The names of the parameters in which variants differ.
pub(crate) fn differing_parameters(variants: &[Variant]) -> Vec<String> {
    let pairs = || variants.iter().zip(variants.iter().skip(1));
    let parameters = |differs: fn(&Parameters, &Parameters) -> bool| {
        pairs().any(|(a, b)| differs(&a.parameters, &b.parameters))
    };
    let named = [
        ("place", pairs().any(|(a, b)| a.place != b.place)),
        ("cache", pairs().any(|(a, b)| a.cache != b.cache)),
        ("size", parameters(|a, b| a.data != b.data)),
        ("block", parameters(|a, b| a.block_bytes != b.block_bytes)),
        ("access", parameters(|a, b| a.access != b.access)),
        ("alignment", parameters(|a, b| a.alignment != b.alignment)),
        ("buffer", parameters(|a, b| a.buffer != b.buffer)),
    ];
    named.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name.to_owned()).collect()
}
