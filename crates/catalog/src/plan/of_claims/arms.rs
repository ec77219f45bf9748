//! The variants that a check speaks of: what it pins, laid over the choices of a part.

use crate::choices::Choices;
use crate::claims::CheckBase;
use crate::compared::Compare;
use crate::entry::Part;
use crate::error::{CatalogError, Located};
use crate::plan::Axes;
use crate::plan::combine::combine;
use crate::registry::MethodRegistry;
use crate::request::Request;
use crate::words::PlaceWord;
use fathom_model::{CacheState, Conditions, Operation, Place, PlaceKind, Variant};
use std::path::PathBuf;

/// A file system in memory that every Linux machine has.
const MEMORY: &str = "/dev/shm";

/// A variant of a claim, in a place that is not yet among the plan's.
pub(super) struct Arm {
    pub(super) label: String,
    pub(super) place: Place,
    pub(super) variant: Variant,
}

/// Every variant that the conditions leave open in a place: one for each of several
/// sizes, blocks or settings of the part.
pub(super) fn arms_of(
    place: &Place,
    part: &Part,
    conditions: &Conditions,
    base: &CheckBase,
    request: &Request,
    registry: &MethodRegistry,
) -> Result<Vec<Arm>, CatalogError> {
    let at = |value| Located::new(value, &base.origin);
    let operation = conditions.operation.map_or_else(|| part.operation.clone(), at);
    let quick = if request.quick { part.quick.clone() } else { Choices::default() };
    let choices = part.choices.overridden_by(&quick).meaningful_for(operation.value);
    let mut choices = choices.overridden_by(&pinned(conditions, base));
    choices.baseline = None;
    choices.places = Some(vec![at_directory(base)]);
    let axes = Axes::resolve(&operation, Compare::Methods, &choices, std::slice::from_ref(place), registry)?;
    let (comparisons, unmeasured) = combine(&axes)?;
    debug_assert!(unmeasured.is_empty(), "methods are named");
    let arms = comparisons.into_iter().flat_map(|comparison| {
        let label = comparison.label;
        comparison.variants.into_iter().map(move |variant| (label.clone(), variant))
    });
    Ok(arms.map(|(label, variant)| Arm { label, place: place.clone(), variant }).collect())
}

fn at_directory(base: &CheckBase) -> Located<PlaceWord> {
    Located::new(PlaceWord::Directory, &base.origin)
}

/// The conditions as choices with one value each.
fn pinned(conditions: &Conditions, base: &CheckBase) -> Choices {
    fn one<T: Clone>(value: Option<&T>, base: &CheckBase) -> Option<Vec<Located<T>>> {
        value.map(|value| vec![Located::new(value.clone(), &base.origin)])
    }
    Choices {
        methods: one(conditions.method.as_ref().map(ToString::to_string).as_ref(), base),
        baseline: None,
        caches: one(conditions.cache.as_ref(), base),
        places: None,
        sizes: one(conditions.size_bytes.as_ref(), base),
        files: conditions.files,
        content: conditions.content,
        blocks: one(conditions.block_bytes.as_ref(), base),
        accesses: one(conditions.access.as_ref(), base),
        alignments: one(conditions.alignment.as_ref(), base),
        buffers: one(conditions.buffer.as_ref(), base),
        settings: conditions
            .settings
            .iter()
            .map(|(setting, value)| (*setting, vec![Located::new(value.clone(), &base.origin)]))
            .collect(),
    }
}

/// Where a variant of these conditions is measured: on a disk and in memory,
/// unless they name a kind, or the user names directories.
pub(super) fn plan_places(conditions: &Conditions, request: &Request) -> Vec<Place> {
    let memory = || Place::Directory(PathBuf::from(MEMORY));
    match conditions.place {
        Some(PlaceKind::Memfd) => vec![Place::Memfd],
        Some(PlaceKind::Memory) => vec![memory()],
        Some(PlaceKind::Disk) => first_of_request(request),
        // In memory there is no cold state.
        None if conditions.cache == Some(CacheState::Cold) => first_of_request(request),
        // Which of them is of a named file system, the facts of the places tell.
        _ => asked_places(request),
    }
}

fn first_of_request(request: &Request) -> Vec<Place> {
    asked_places(request).into_iter().take(1).collect()
}

/// The directories of the command line, else the current one and one in memory.
pub(super) fn asked_places(request: &Request) -> Vec<Place> {
    if request.places.is_empty() {
        vec![Place::Directory(PathBuf::from(".")), Place::Directory(PathBuf::from(MEMORY))]
    } else {
        request.places.clone()
    }
}

impl Choices {
    /// Without what means nothing to the operation: an open has no blocks.
    fn meaningful_for(mut self, operation: Operation) -> Self {
        if !operation.takes_buffer() {
            (self.blocks, self.buffers) = (None, None);
        }
        if !operation.takes_offsets() {
            (self.accesses, self.alignments) = (None, None);
        }
        self.settings.retain(|setting, _| setting.concerns(operation));
        self
    }
}
