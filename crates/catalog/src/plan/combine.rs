//! Every combination of the chosen values, as comparisons: the compared choice
//! varies inside one, all others from one to the next.

use super::{Axes, Goal, PlannedComparison, differing_parameters};
use crate::compared::Compare;
use crate::error::{CatalogError, Origin, Problem};
use crate::impossible::{Impossible, check};
use crate::size::format_size;
use crate::words::Word;
use fathom_model::{DataSet, Parameters, Settings, Unmeasured, Variant};

/// More comparisons than anybody would wait for.
const COMPARISONS_MAX: usize = 1000;

/// The choices from the outermost to the innermost: the order of comparisons
/// and of the words in their labels.
fn order(axes: &Axes) -> Vec<Compare> {
    let first = [
        Compare::Places,
        Compare::Methods,
        Compare::Sizes,
        Compare::Blocks,
        Compare::Accesses,
        Compare::Alignments,
        Compare::Buffers,
    ];
    let settings = axes.settings.iter().map(|(setting, _)| Compare::Setting(*setting));
    first.into_iter().chain(settings).chain([Compare::Caches]).collect()
}

/// For each choice, which of its values; a choice that is not there has its first.
type Point = Vec<(Compare, usize)>;

/// The comparisons, and what wildcards brought that is impossible.
pub(crate) fn combine(axes: &Axes) -> Result<(Vec<PlannedComparison>, Vec<Unmeasured>), CatalogError> {
    let mut comparisons = Vec::new();
    let mut unmeasured = Vec::new();
    for outer in outer_points(axes)? {
        let label = label(axes, &outer);
        let mut kept = Vec::new();
        for inner in 0..length(axes, axes.compare) {
            let mut point = outer.clone();
            point.push((axes.compare, inner));
            let variant = variant_at(axes, &point);
            let taken = &axes.takes[index(&point, Compare::Methods)];
            match check(&variant, taken) {
                Ok(()) => kept.push((inner, variant)),
                Err(impossible) => unmeasured.push(excuse(axes, &point, impossible, &label)?),
            }
        }
        comparisons.extend(comparison(axes, label, kept));
    }
    Ok((comparisons, unmeasured))
}

fn comparison(axes: &Axes, label: String, kept: Vec<(usize, Variant)>) -> Option<PlannedComparison> {
    let baseline = kept.iter().position(|(inner, _)| *inner == axes.baseline).unwrap_or(0);
    let variants: Vec<_> = kept.into_iter().map(|(_, variant)| variant).collect();
    let differing_parameters = differing_parameters(&variants);
    (!variants.is_empty()).then_some(PlannedComparison {
        label,
        variants,
        baseline,
        differing_parameters,
        explain: Vec::new(),
        goal: Goal::Precision,
    })
}

/// Every point of all choices but the compared one, which stays 0.
fn outer_points(axes: &Axes) -> Result<Vec<Point>, CatalogError> {
    let mut points = vec![Point::default()];
    for choice in order(axes).into_iter().filter(|choice| *choice != axes.compare) {
        let length = length(axes, choice);
        if points.len().saturating_mul(length) > COMPARISONS_MAX {
            let problem =
                Problem::OutOfRange("comparisons".to_owned(), format!("more than {COMPARISONS_MAX}"));
            return Err(CatalogError::new(&Origin::Unstated, problem, None));
        }
        points = points
            .into_iter()
            .flat_map(|point| {
                (0..length).map(move |index| {
                    let mut next = point.clone();
                    next.push((choice, index));
                    next
                })
            })
            .collect();
    }
    Ok(points)
}

/// An impossible combination: an error where it was asked for by name, a note
/// where a wildcard brought the method.
fn excuse(
    axes: &Axes,
    point: &Point,
    impossible: Impossible,
    label: &str,
) -> Result<Unmeasured, CatalogError> {
    let method = &axes.methods[index(point, Compare::Methods)];
    match impossible {
        Impossible::Method(problem) if method.by_name => {
            Err(CatalogError::new(&method.origin, problem, None))
        }
        Impossible::Method(problem) => Ok(Unmeasured {
            method: method.id.clone(),
            scope: Some(label.to_owned()),
            reason: problem.to_string(),
        }),
        Impossible::Block(problem) => {
            let block = &axes.blocks[index(point, Compare::Blocks)];
            let size = &axes.sizes[index(point, Compare::Sizes)];
            let origin = if block.origin == Origin::Unstated { &size.origin } else { &block.origin };
            Err(CatalogError::new(origin, problem, None))
        }
    }
}

fn variant_at(axes: &Axes, point: &Point) -> Variant {
    let data = DataSet {
        files: axes.files,
        size_bytes: axes.sizes[index(point, Compare::Sizes)].value,
        content: axes.content,
    };
    Variant {
        method: axes.methods[index(point, Compare::Methods)].id.clone(),
        operation: axes.operation,
        place: index(point, Compare::Places),
        cache: axes.caches[index(point, Compare::Caches)].value,
        parameters: Parameters {
            data,
            block_bytes: axes.blocks[index(point, Compare::Blocks)].value,
            access: axes.accesses[index(point, Compare::Accesses)].value,
            alignment: axes.alignments[index(point, Compare::Alignments)].value,
            buffer: axes.buffers[index(point, Compare::Buffers)].value,
            settings: settings_at(axes, point),
        },
    }
}

fn settings_at(axes: &Axes, point: &Point) -> Settings {
    let mut settings = Settings::default();
    for (setting, values) in &axes.settings {
        settings.set(*setting, values[index(point, Compare::Setting(*setting))].value.clone());
    }
    settings
}

/// What sets a comparison apart: every choice with several values, and those a
/// reader always wants to know.
fn label(axes: &Axes, point: &Point) -> String {
    let told = |choice: Compare| {
        let always = match choice {
            Compare::Methods => true,
            // What is written has no cache state beforehand.
            Compare::Caches => axes.operation.takes_files(),
            Compare::Sizes => axes.operation.delivers_data(),
            Compare::Blocks => axes.operation.takes_block(),
            _ => false,
        };
        choice != axes.compare && (always || length(axes, choice) > 1)
    };
    let words: Vec<_> =
        order(axes).into_iter().filter(|choice| told(*choice)).map(|c| word_at(axes, point, c)).collect();
    if words.is_empty() { axes.operation.word().to_owned() } else { words.join(" · ") }
}

fn word_at(axes: &Axes, point: &Point, choice: Compare) -> String {
    let at = index(point, choice);
    match choice {
        Compare::Places => axes.places[at].to_string(),
        Compare::Methods => axes.methods[at].id.to_string(),
        Compare::Sizes => format_size(axes.sizes[at].value),
        Compare::Blocks => format!("{} blocks", format_size(axes.blocks[at].value)),
        Compare::Accesses => axes.accesses[at].value.text().to_owned(),
        Compare::Alignments => axes.alignments[at].value.text().to_owned(),
        Compare::Buffers => format!("{} buffer", axes.buffers[at].value.text()),
        Compare::Caches => axes.caches[at].value.word().to_owned(),
        Compare::Setting(setting) => setting.label(&axes.setting(setting)[at].value),
    }
}

fn index(point: &Point, choice: Compare) -> usize {
    point.iter().find(|(at, _)| *at == choice).map_or(0, |(_, index)| *index)
}

fn length(axes: &Axes, choice: Compare) -> usize {
    match choice {
        Compare::Methods => axes.methods.len(),
        Compare::Places => axes.places.len(),
        Compare::Caches => axes.caches.len(),
        Compare::Sizes => axes.sizes.len(),
        Compare::Blocks => axes.blocks.len(),
        Compare::Accesses => axes.accesses.len(),
        Compare::Alignments => axes.alignments.len(),
        Compare::Buffers => axes.buffers.len(),
        Compare::Setting(setting) => axes.setting(setting).len(),
    }
}
