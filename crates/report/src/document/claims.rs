//! Claims with their verdicts, and published figures beside this machine's.

use crate::document::context::{Context, slug};
use crate::document::{Block, Cell, Column, ColumnKind, Row, Table, VerdictCard, said};
use crate::floor::floors;
use crate::published::{impossible, measured_here, noun, origin, refutation, subject, value};
use crate::verdicts;
use fathom_claims::JudgedClaim;
use fathom_model::{ExperimentRecord, Figure, Publication, Quantity};

/// A card for each claim.
pub(crate) fn cards<'a>(
    context: &Context<'_>,
    claims: impl IntoIterator<Item = &'a JudgedClaim>,
) -> Vec<Block> {
    claims.into_iter().map(|claim| Block::Verdict(card(context, claim))).collect()
}

fn card(context: &Context<'_>, claim: &JudgedClaim) -> VerdictCard {
    let mut found = vec![context.prose(&claim.because)];
    found.extend(verdicts::effects_of(claim).iter().map(|effects| context.prose(effects)));
    VerdictCard {
        id: format!("{}-claim-{}", context.id, slug(&claim.name)),
        verdict: claim.verdict.word().to_owned(),
        tone: said::tone(verdicts::ink(claim.verdict)),
        sentence: claim.sentence.clone(),
        source: claim.source.clone(),
        reported: claim.reported.clone(),
        found,
        blocks: said::brief(context, |page| verdicts::render_checks(page, claim)),
    }
}

/// A table for each publication: what was reported, and what this machine has beside it.
pub(crate) fn published(context: &Context<'_>, experiment: &ExperimentRecord) -> Vec<Block> {
    let tables = experiment.reported.iter().filter(|publication| !publication.figures.is_empty());
    tables.map(|publication| Block::Table(table(context, experiment, publication))).collect()
}

fn table(context: &Context<'_>, experiment: &ExperimentRecord, publication: &Publication) -> Table {
    let headings = [
        ("about", ColumnKind::Name),
        ("what", ColumnKind::Words),
        ("reported", ColumnKind::Figure),
        ("here", ColumnKind::Words),
    ];
    let row = |figure: &Figure| {
        let about = match (subject(figure), &figure.label) {
            (subject, _) if !subject.is_empty() => subject,
            (_, Some(label)) => label.clone(),
            _ => experiment.name.clone(),
        };
        let what = match (&figure.quantity, &figure.label) {
            (Quantity::Events, Some(label)) => label.clone(),
            _ => noun(figure).to_owned(),
        };
        let ours = measured_here(&experiment.comparisons, figure).unwrap_or_else(str::to_owned);
        let bound = floors(context.record)
            .and_then(|floors| impossible(floors, &experiment.comparisons, figure))
            .map(|bound| refutation(figure, &bound));
        let ours = match &bound {
            Some(refuted) => format!("{ours}; {refuted}"),
            None => ours,
        };
        let cells = vec![
            Cell::words(context.prose(&about)),
            Cell::words(what),
            Cell::figure(value(figure), Some(figure.value)),
            Cell::words(ours),
        ];
        let style = figure.conditions.method.as_ref().map(|method| context.palette.style(method));
        Row { cells, style, is_baseline: false }
    };
    let caption = format!(
        "Reported by {}, {}; beside it what this machine has",
        publication.source,
        origin(publication)
    );
    Table {
        caption: caption.into(),
        columns: headings.map(|(heading, kind)| Column::new(heading, kind)).into(),
        rows: publication.figures.iter().map(row).collect(),
        interactive: false,
    }
}
