//! Which variant of one record is which of the other. A variant is its
//! experiment, method, operation, cache state, parameters and place; labels only
//! decide between several that are alike, since they name paths and whatever
//! else that run varied.

use fathom_model::{CacheState, Comparison, MethodId, Operation, Place, Record, Variant};
use serde::Serialize;

/// What both records call a variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VariantName {
    /// The experiment.
    pub experiment: String,
    /// The comparison's label, as in the record it is told of (the new one of a pair).
    pub label: String,
    /// The method.
    pub method: MethodId,
    /// The operation.
    pub operation: Operation,
    /// The cache state.
    pub cache: CacheState,
    /// The place: `ext4 /var/tmp`.
    pub place: String,
    /// Values of settings and sizes that set it apart from its comparison's others.
    pub parameters: Vec<String>,
    /// True when its comparison's ratios refer to it.
    pub is_baseline: bool,
}

/// A variant of one record alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unmatched {
    /// What it is.
    #[serde(flatten)]
    pub name: VariantName,
    /// Why the other record did not measure it, where it says so.
    pub reason: Option<String>,
}

/// Where a variant stands in its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct At {
    pub(super) experiment: usize,
    pub(super) comparison: usize,
    pub(super) variant: usize,
}

impl At {
    pub(super) fn comparison(self, record: &Record) -> &Comparison {
        &record.experiments[self.experiment].comparisons[self.comparison]
    }

    fn variant(self, record: &Record) -> &Variant {
        &self.comparison(record).variants[self.variant]
    }

    /// The baseline of the same comparison.
    pub(super) fn baseline(self, record: &Record) -> Self {
        Self { variant: self.comparison(record).baseline, ..self }
    }
}

/// One variant in both records.
#[derive(Debug, Clone)]
pub(super) struct Matched {
    pub(super) old: At,
    pub(super) new: At,
    pub(super) name: VariantName,
}

/// The outcome.
#[derive(Debug)]
pub(super) struct Matching {
    pub(super) pairs: Vec<Matched>,
    pub(super) only_old: Vec<Unmatched>,
    pub(super) only_new: Vec<Unmatched>,
    /// For each place of the old record, the new record's.
    pub(super) places: Vec<Option<usize>>,
}

pub(super) fn match_variants(old: &Record, new: &Record) -> Matching {
    let places = match_places(old, new);
    let (all_old, all_new) = (positions(old), positions(new));
    let mut partner: Vec<Option<usize>> = vec![None; all_old.len()];
    let mut taken = vec![false; all_new.len()];
    // Those of the same label first: what is left may differ in its label.
    for same_label in [true, false] {
        for (index, &at) in all_old.iter().enumerate() {
            if partner[index].is_some() {
                continue;
            }
            let fits = |candidate: usize| {
                let other = all_new[candidate];
                !taken[candidate]
                    && is_same(old, at, new, other, &places)
                    && (!same_label || at.comparison(old).label == other.comparison(new).label)
            };
            partner[index] = (0..all_new.len()).find(|&candidate| fits(candidate));
            if let Some(found) = partner[index] {
                taken[found] = true;
            }
        }
    }
    let pairs = all_old.iter().zip(&partner).filter_map(|(&at, &found)| {
        let other = all_new[found?];
        Some(Matched { old: at, new: other, name: name_of(new, other) })
    });
    let alone_old = all_old.iter().zip(&partner).filter(|(_, found)| found.is_none());
    let alone_new = all_new.iter().zip(&taken).filter(|(_, taken)| !**taken);
    Matching {
        pairs: pairs.collect(),
        only_old: alone_old.map(|(&at, _)| unmatched(old, at, new)).collect(),
        only_new: alone_new.map(|(&at, _)| unmatched(new, at, old)).collect(),
        places,
    }
}

/// Places by their paths; else those of the same index, else any, of the same
/// file system: a checkout may lie elsewhere.
fn match_places(old: &Record, new: &Record) -> Vec<Option<usize>> {
    let mut partner: Vec<Option<usize>> = vec![None; old.places.len()];
    for pass in 0..3 {
        for (index, place) in old.places.iter().enumerate() {
            if partner[index].is_some() {
                continue;
            }
            let is_free = |candidate: &usize| !partner.contains(&Some(*candidate));
            let fits = |candidate: &usize| {
                let other = &new.places[*candidate];
                match pass {
                    0 => other.place == place.place,
                    1 => *candidate == index && other.file_system == place.file_system,
                    _ => other.file_system == place.file_system,
                }
            };
            partner[index] = (0..new.places.len()).filter(is_free).find(fits);
        }
    }
    partner
}

fn positions(record: &Record) -> Vec<At> {
    let mut all = Vec::new();
    for (experiment, one) in record.experiments.iter().enumerate() {
        for (comparison, variants) in one.comparisons.iter().map(|c| &c.variants).enumerate() {
            all.extend((0..variants.len()).map(|variant| At { experiment, comparison, variant }));
        }
    }
    all
}

fn is_same(old: &Record, at: At, new: &Record, other: At, places: &[Option<usize>]) -> bool {
    let (a, b) = (at.variant(old), other.variant(new));
    old.experiments[at.experiment].name == new.experiments[other.experiment].name
        && a.method == b.method
        && a.operation == b.operation
        && a.cache == b.cache
        && a.parameters == b.parameters
        && places.get(a.place).copied().flatten() == Some(b.place)
}

fn unmatched(record: &Record, at: At, other: &Record) -> Unmatched {
    let name = name_of(record, at);
    let experiments = other.experiments.iter().filter(|experiment| experiment.name == name.experiment);
    let mut reasons = experiments.flat_map(|experiment| &experiment.unmeasured);
    let reason = reasons.find(|unmeasured| unmeasured.method == name.method);
    Unmatched { reason: reason.map(|unmeasured| unmeasured.reason.clone()), name }
}

pub(super) fn name_of(record: &Record, at: At) -> VariantName {
    let comparison = at.comparison(record);
    let variant = at.variant(record);
    VariantName {
        experiment: record.experiments[at.experiment].name.clone(),
        label: comparison.label.clone(),
        method: variant.method.clone(),
        operation: variant.operation,
        cache: variant.cache,
        place: record.places.get(variant.place).map_or_else(
            || "unknown place".to_owned(),
            |facts| match &facts.place {
                Place::Memfd => facts.place.to_string(),
                Place::Directory(_) => format!("{} {}", facts.file_system, facts.place),
            },
        ),
        parameters: apart(comparison, variant),
        is_baseline: at.variant == comparison.baseline,
    }
}

/// What sets a variant apart from others of the same method in its comparison.
fn apart(comparison: &Comparison, variant: &Variant) -> Vec<String> {
    let alike: Vec<_> = comparison.variants.iter().filter(|other| other.method == variant.method).collect();
    let differs = |value: &dyn Fn(&Variant) -> String| {
        let own = value(variant);
        alike.iter().any(|other| value(other) != own).then_some(own)
    };
    let settings = fathom_model::Setting::ALL.into_iter().filter_map(|setting| {
        differs(&|variant| format!("{setting}={}", variant.parameters.settings.value(setting)))
    });
    let parameters = [
        differs(&|variant| format!("files={}", variant.parameters.data.files)),
        differs(&|variant| format!("size={}", variant.parameters.data.size_bytes)),
        differs(&|variant| format!("content={}", variant.parameters.data.content)),
        differs(&|variant| format!("block={}", variant.parameters.block_bytes)),
        differs(&|variant| format!("access={:?}", variant.parameters.access).to_lowercase()),
        differs(&|variant| format!("alignment={:?}", variant.parameters.alignment).to_lowercase()),
        differs(&|variant| format!("buffer={:?}", variant.parameters.buffer).to_lowercase()),
        differs(&|variant| format!("cache={}", variant.cache)),
        differs(&|variant| format!("place={}", variant.place)),
    ];
    parameters.into_iter().flatten().chain(settings).collect()
}
