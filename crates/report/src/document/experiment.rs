//! One experiment: its question, pictures and tables, claims with verdicts,
//! published figures, and the explanation from the evidence.

use crate::document::context::{Context, slug};
use crate::document::{
    Block, Fold, Prose, Section, belief, claims, comparison, explanation, outcomes, result, said, series,
};
use crate::label::{labels, title};
use crate::standing::groups;
use crate::summary::sentences;
use crate::text::context::Context as TableContext;
use crate::text::{ceilings, setting};
use fathom_claims::JudgedClaim;
use fathom_model::{Comparison, ExperimentRecord};

/// Of more comparisons than these the explanations are folded.
const OPEN_EXPLANATIONS: usize = 1;
/// Of more comparisons than these each is folded.
const OPEN_COMPARISONS: usize = 6;

/// The whole section, with the claims that are judged here; `twin` names the record where the
/// experiment stands in others, too.
pub(crate) fn section(
    context: &Context<'_>,
    experiment: &ExperimentRecord,
    judged: &[&JudgedClaim],
    twin: Option<&str>,
) -> Section {
    let context = context.part(&experiment.name);
    let mut blocks = vec![Block::Prose(context.prose(&experiment.question))];
    if let Some(source) = &experiment.source {
        blocks.push(Block::Prose(format!("From {source}.").into()));
    }
    // Of one experiment alone the answer stands above all.
    if context.is_one_of_many && !is_for_claims(experiment) {
        blocks.extend(lead(&context, experiment).into_iter().map(Block::Prose));
    }
    let of = TableContext {
        record: context.record,
        comparisons: &experiment.comparisons,
        reported: &experiment.reported,
    };
    blocks.extend(said::brief(&context, |page| ceilings::render(page, &experiment.ceilings)));
    blocks.extend(outcomes::blocks(&context, &experiment.outcomes));
    let mut sections = Vec::new();
    let parts = groups(&experiment.comparisons);
    let (pairs, parts): (Vec<_>, Vec<_>) =
        parts.into_iter().partition(|part| is_of_a_claim(experiment, part));
    for part in &parts {
        let found = results(&context, &of, part);
        match part.first().and_then(|first| crate::label::part(first).0).filter(|_| parts.len() > 1) {
            Some(name) => sections.push(Section {
                id: context.part(name).id,
                title: name.to_owned(),
                blocks: found,
                sections: Vec::new(),
            }),
            None => blocks.extend(found),
        }
    }
    let mut claimed = claims::cards(&context, judged.iter().copied());
    claimed.extend(claims::published(&context, experiment));
    claimed.extend(folded_pairs(&context, &of, &pairs));
    sections.extend(titled(&context, "claims", "What others say of it", claimed));
    sections.extend(titled(&context, "why", "Why", explanations(&context, experiment)));
    blocks.extend(said::brief(&context, |page| setting::unmeasured(page, &experiment.unmeasured)));
    let twin = twin.map(|name| format!(" ({name})")).unwrap_or_default();
    let title = format!("{}: {}{twin}", experiment.name, experiment.title);
    Section { id: context.id.clone(), title, blocks, sections }
}

/// The answer of one experiment, sentence by sentence.
pub(crate) fn lead(context: &Context<'_>, experiment: &ExperimentRecord) -> Vec<Prose> {
    let mut said = sentences(context.record, experiment);
    if let ([only], Some(first)) = (experiment.comparisons.as_slice(), said.first_mut()) {
        *first = format!("{}: {first}", title(only));
    }
    if !context.record.complete {
        said.insert(0, "The run is incomplete.".to_owned());
    }
    said.iter().map(|sentence| context.prose(sentence).capitalized()).collect()
}

/// True of comparisons that were made for a claim, whose name they begin with.
fn is_of_a_claim(experiment: &ExperimentRecord, part: &[Comparison]) -> bool {
    let name = part.first().and_then(|first| crate::label::part(first).0).unwrap_or_default();
    let name = name.split(',').next().unwrap_or_default();
    experiment.claims.iter().any(|claim| claim.name == name)
}

/// True of an experiment all of whose comparisons were made for its claims.
pub(crate) fn is_for_claims(experiment: &ExperimentRecord) -> bool {
    let parts = groups(&experiment.comparisons);
    !parts.is_empty() && parts.iter().all(|part| is_of_a_claim(experiment, part))
}

/// The comparisons that the verdicts rest on; their figures stand with the verdicts.
fn folded_pairs(context: &Context<'_>, of: &TableContext<'_>, pairs: &[&[Comparison]]) -> Option<Block> {
    let mut inside = Vec::new();
    for pair in pairs.iter().copied().flatten() {
        let context = context.part(&title(pair));
        inside.extend(comparison::setting_of(&context, pair).map(Block::Prose));
        inside.extend(result(&context, of, pair));
    }
    let summary = "The comparisons that were measured for these claims".into();
    (!inside.is_empty()).then_some(Block::Fold(Fold { summary, open: false, blocks: inside }))
}

fn titled(context: &Context<'_>, id: &str, title: &str, blocks: Vec<Block>) -> Option<Section> {
    let section = Section { id: context.part(id).id, title: title.to_owned(), blocks, sections: Vec::new() };
    (!section.blocks.is_empty()).then_some(section)
}

/// Picture and table of each comparison, or of all together where they are one series.
fn results(context: &Context<'_>, of: &TableContext<'_>, part: &[Comparison]) -> Vec<Block> {
    if let Some(series) = series::of(context.record, part) {
        return series::blocks(context, of, &series);
    }
    let is_long = part.len() > OPEN_COMPARISONS;
    let mut blocks = Vec::new();
    for each in part {
        let context = context.part(&title(each));
        let mut inside: Vec<Block> =
            comparison::setting_of(&context, each).map(Block::Prose).into_iter().collect();
        inside.extend(comparison::fault(each));
        inside.extend(result(&context, of, each));
        if is_long {
            let summary = comparison::name_of(&context, of, each).into();
            blocks.push(Block::Fold(Fold { summary, open: false, blocks: inside }));
        } else {
            blocks.extend(inside);
        }
    }
    blocks
}

/// What the evidence says of each comparison: recipes, parts of the time, and why it may be believed.
fn explanations(context: &Context<'_>, experiment: &ExperimentRecord) -> Vec<Block> {
    let mut blocks = Vec::new();
    let of = TableContext {
        record: context.record,
        comparisons: &experiment.comparisons,
        reported: &experiment.reported,
    };
    for part in groups(&experiment.comparisons) {
        if let Some(series) = series::of(context.record, part) {
            blocks.extend(explained_once(context, &series.comparisons));
            let inside = series::belief_of_all(context, &series);
            let summary = "Why the series may be believed".into();
            blocks.push(Block::Fold(Fold { summary, open: false, blocks: inside }));
            continue;
        }
        let is_long = experiment.comparisons.len() > OPEN_EXPLANATIONS;
        for each in part {
            let context = context.part(&title(each));
            let mut inside = explanation::blocks(&context, each, &labels(context.record, each));
            let summary = "Why it may be believed: cache states, control, loop, forks".into();
            inside.push(Block::Fold(Fold { summary, open: false, blocks: belief(&context, each) }));
            if is_long {
                let summary = comparison::name_of(&context, &of, each).into();
                blocks.push(Block::Fold(Fold { summary, open: false, blocks: inside }));
            } else {
                blocks.extend(inside);
            }
        }
    }
    blocks
}

/// Of a series, the explanations of its first and its last comparison, where they differ.
fn explained_once(context: &Context<'_>, comparisons: &[&Comparison]) -> Vec<Block> {
    let ends = [comparisons.first(), comparisons.last()].into_iter().flatten();
    let fold = |each: &&Comparison| {
        let context = context.part(&title(each));
        let blocks = explanation::blocks(&context, each, &labels(context.record, each));
        Block::Fold(Fold { summary: title(each).into(), open: false, blocks })
    };
    ends.map(fold).collect()
}

/// An id for the contents.
pub(crate) fn id_of(context: &Context<'_>, experiment: &ExperimentRecord) -> String {
    format!("{}-{}", context.id, slug(&experiment.name))
}
