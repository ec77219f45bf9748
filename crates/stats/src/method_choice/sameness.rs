//! What a question left open and does not matter: the same method is advised for
//! each of its values.

use super::conditions::DecisionConditions;
use fathom_model::MethodId;
use serde::Serialize;

/// What a question can leave open and a method need not depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dimension {
    /// The size of the files.
    Size,
    /// The page cache's state.
    Cache,
    /// The place.
    Place,
    /// The size of blocks.
    Block,
}

/// A dimension that does not matter, and how many of its values show it, at the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Indifference {
    /// The dimension.
    pub dimension: Dimension,
    /// Values of it among the answers that are decided.
    pub values: usize,
}

/// The conditions that an answer is for, and what it advises.
pub(super) type Advice<'a> = (&'a DecisionConditions, Option<&'a MethodId>);

/// The dimensions along which the advice never changes, and changes in value somewhere.
pub(super) fn indifferent(answers: &[Advice<'_>]) -> Vec<Indifference> {
    let dimensions = [Dimension::Size, Dimension::Cache, Dimension::Place, Dimension::Block];
    dimensions.into_iter().filter_map(|dimension| along(dimension, answers)).collect()
}

fn along(dimension: Dimension, answers: &[Advice<'_>]) -> Option<Indifference> {
    let mut lines: Vec<Vec<Advice<'_>>> = Vec::new();
    for &answer in answers {
        let rest = without(dimension, answer.0);
        match lines.iter_mut().find(|line| without(dimension, line[0].0) == rest) {
            Some(line) => line.push(answer),
            None => lines.push(vec![answer]),
        }
    }
    // One value alone shows nothing, and another line's may be what it would differ from.
    let values = lines.iter().map(Vec::len).min().filter(|&values| values > 1)?;
    let is_same =
        |line: &Vec<Advice<'_>>| line[0].1.is_some() && line.iter().all(|answer| answer.1 == line[0].1);
    lines.iter().all(is_same).then_some(Indifference { dimension, values })
}

fn without(dimension: Dimension, conditions: &DecisionConditions) -> DecisionConditions {
    let mut rest = conditions.clone();
    match dimension {
        Dimension::Size => rest.size_bytes = None,
        Dimension::Cache => rest.cache = None,
        Dimension::Place => rest.place.clear(),
        Dimension::Block => rest.block_bytes = None,
    }
    rest
}
