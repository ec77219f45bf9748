//! Plans: what is to be measured, variant by variant, made of an experiment or
//! of an operation on the command line. Running them is `lab`'s.

mod axes;
mod builds;
mod combine;
#[cfg(test)]
pub(crate) mod fixture;
mod of_claims;

use crate::choices::Choices;
use crate::compared::Compare;
use crate::entry::{Entry, Part, Work};
use crate::error::{CatalogError, Located, Origin, Problem};
use crate::pattern::named;
use crate::registry::MethodRegistry;
use crate::request::Request;
use crate::scenario::Scenario;
pub(crate) use axes::Axes;
use axes::resolve_places;
pub use builds::pair_builds;
use combine::combine;
use fathom_model::{
    CeilingKind, Claim, Content, Explain, Operation, Parameters, Place, Publication, Setting, Unmeasured,
    Variant,
};
use fathom_stats::TimedQuestion;
pub use of_claims::{plan_claims, share_error};
use std::collections::BTreeSet;

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
    /// The scenario to run in the places, when it is one; then there is no comparison.
    pub scenario: Option<Scenario>,
    /// What memory and the device can give at most, to be measured beside it.
    pub ceilings: Vec<CeilingKind>,
    /// The places; `Variant::place` is an index into them.
    pub places: Vec<Place>,
    /// The comparisons, in the order in which to run them.
    pub comparisons: Vec<PlannedComparison>,
    /// What wildcards brought that cannot be combined as asked.
    pub unmeasured: Vec<Unmeasured>,
    /// Published figures to stand beside the results.
    pub reported: Vec<Publication>,
    /// What is claimed of it.
    pub claims: Vec<Claim>,
}

/// When a comparison has been measured enough.
#[derive(Debug, Clone, PartialEq)]
pub enum Goal {
    /// When every ratio is as precise as the user asks, or the time is used up.
    Precision,
    /// When the verdict on each of these is sure, or is beyond reach.
    Verdicts(Vec<TimedQuestion>),
    /// When the calls are counted: nothing is timed.
    Counts,
}

/// Variants that are timed in the same blocks.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedComparison {
    /// What sets it apart from the plan's other comparisons: `128 B · warm`.
    pub label: String,
    /// The variants; never empty.
    pub variants: Vec<Variant>,
    /// Index of the variant that ratios refer to.
    pub baseline: usize,
    /// Parameters that differ between the variants, by name; the method is none.
    pub differing_parameters: Vec<String>,
    /// What to find out beside times and calls.
    pub explain: Vec<Explain>,
    /// When it has been measured enough.
    pub goal: Goal,
}

impl PlannedComparison {
    /// The comparison with only the variants that `keep` holds true for; `None`
    /// when none is left. Without its baseline, the first that is left is it.
    #[must_use]
    pub fn retain(mut self, keep: impl Fn(&Variant) -> bool) -> Option<Self> {
        let kept: Vec<_> = (0..self.variants.len()).filter(|&at| keep(&self.variants[at])).collect();
        self.baseline = kept.iter().position(|&at| at == self.baseline).unwrap_or(0);
        self.variants = kept.iter().map(|&at| self.variants[at].clone()).collect();
        self.differing_parameters = differing_parameters(&self.variants);
        if let Goal::Verdicts(questions) = &mut self.goal {
            let place = |variant| kept.iter().position(|&at| at == variant);
            questions.retain_mut(|question| {
                let Some(of) = place(question.of) else { return false };
                let to = question.to.map(place);
                (question.of, question.to) = (of, to.flatten());
                // Without what it is compared with there is nothing to ask.
                to != Some(None)
            });
        }
        (!self.variants.is_empty()).then_some(self)
    }
}

/// The plan of an experiment, with what the command line asks laid over it.
pub fn plan_entry(entry: &Entry, request: &Request, registry: &MethodRegistry) -> Result<Plan, CatalogError> {
    let mut plan = Plan {
        name: entry.name.clone(),
        title: entry.title.clone(),
        question: entry.question.clone(),
        source: entry.source.clone(),
        scenario: entry.scenario(),
        ceilings: entry.ceilings.clone(),
        places: Vec::new(),
        comparisons: Vec::new(),
        unmeasured: Vec::new(),
        reported: entry.reported.publications.clone(),
        claims: entry.claims.iter().map(|claim| claim.claim.clone()).collect(),
    };
    match &entry.work {
        Work::Parts(parts) => {
            for part in parts.iter().filter(|part| is_wanted(part, request)) {
                plan.add_part(part, request, registry)?;
            }
            if plan.comparisons.is_empty() && !parts.is_empty() {
                let problem = Problem::Exclusive("--content", "parts");
                let hint = "no part of this experiment has files that hold this".to_owned();
                return Err(CatalogError::new(&Origin::Option("--content"), problem, Some(hint)));
            }
            let operations = entry.operations();
            for method in &entry.reported.methods {
                named_in_any(method, &operations, registry)?;
            }
        }
        Work::Scenario(_, choices) => {
            let [choices, quick] = &**choices;
            let quick = if request.quick { quick } else { &Choices::default() };
            plan.places = resolve_places(&choices.overridden_by(quick), &request.places);
        }
    }
    Ok(plan)
}

/// Whether a part is run. Where parts say what their files hold, `--content` picks
/// among them: their names may say it too.
fn is_wanted(part: &Part, request: &Request) -> bool {
    let said = part.name.is_some() && part.choices.content.is_some();
    let any = matches!(request.content, None | Some(Content::Own));
    let content_fits = !said || any || part.choices.content == request.content;
    content_fits && !(request.quick && part.only_in_full)
}

impl Plan {
    /// Adds the comparisons of a part; its places are merged into the plan's.
    fn add_part(
        &mut self,
        part: &Part,
        request: &Request,
        registry: &MethodRegistry,
    ) -> Result<(), CatalogError> {
        let quick = if request.quick { part.quick.clone() } else { Choices::default() };
        let choices = part.choices.overridden_by(&quick).overridden_by(&Choices::of_request(request)?);
        let axes = Axes::resolve(&part.operation, part.compare, &choices, &request.places, registry)?;
        let (comparisons, unmeasured) = combine(&axes)?;
        let places: Vec<usize> = axes.places.iter().map(|place| self.index_of(place)).collect();
        for mut comparison in comparisons {
            for variant in &mut comparison.variants {
                variant.place = places[variant.place];
            }
            if let Some(name) = &part.name {
                comparison.label = format!("{name}: {}", comparison.label);
            }
            comparison.explain = explained(&part.explain, request);
            self.comparisons.push(comparison);
        }
        self.unmeasured.extend(unmeasured);
        Ok(())
    }

    fn index_of(&mut self, place: &Place) -> usize {
        let known = self.places.iter().position(|known| known == place);
        known.unwrap_or_else(|| {
            self.places.push(place.clone());
            self.places.len() - 1
        })
    }
}

/// What the experiment and the request ask for together, each once.
fn explained(of_part: &[Explain], request: &Request) -> Vec<Explain> {
    of_part.iter().chain(&request.explain).copied().collect::<BTreeSet<_>>().into_iter().collect()
}

/// A published method must perform one of the entry's operations.
fn named_in_any(
    method: &Located<String>,
    operations: &[Operation],
    registry: &MethodRegistry,
) -> Result<(), CatalogError> {
    let mut first = None;
    for &operation in operations {
        match named(method, operation, registry) {
            Ok(_) => return Ok(()),
            Err(error) => first = first.or(Some(error)),
        }
    }
    first.map_or(Ok(()), Err)
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
    let (mut comparisons, unmeasured) = combine(&axes)?;
    for comparison in &mut comparisons {
        comparison.explain = explained(&[], request);
    }
    Ok(Plan {
        name: "ad-hoc".to_owned(),
        title: operation.value.word().to_owned(),
        question: format!("What does each method cost to {}?", operation.value.sentence()),
        source: None,
        scenario: None,
        ceilings: Vec::new(),
        places: axes.places,
        comparisons,
        unmeasured,
        reported: Vec::new(),
        claims: Vec::new(),
    })
}

/// The names of the parameters in which variants differ.
pub(crate) fn differing_parameters(variants: &[Variant]) -> Vec<String> {
    let pairs = || variants.iter().zip(variants.iter().skip(1));
    let parameters = |differs: fn(&Parameters, &Parameters) -> bool| {
        pairs().any(|(a, b)| differs(&a.parameters, &b.parameters))
    };
    let named = [
        ("operation", pairs().any(|(a, b)| a.operation != b.operation)),
        ("place", pairs().any(|(a, b)| a.place != b.place)),
        ("cache", pairs().any(|(a, b)| a.cache != b.cache)),
        ("size", parameters(|a, b| a.data != b.data)),
        ("block", parameters(|a, b| a.block_bytes != b.block_bytes)),
        ("access", parameters(|a, b| a.access != b.access)),
        ("alignment", parameters(|a, b| a.alignment != b.alignment)),
        ("buffer", parameters(|a, b| a.buffer != b.buffer)),
    ];
    let named = named.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name.to_owned());
    let settings = Setting::ALL.into_iter().filter(|&setting| {
        pairs().any(|(a, b)| a.parameters.settings.value(setting) != b.parameters.settings.value(setting))
    });
    named.chain(settings.map(|setting| setting.word().to_owned())).collect()
}
