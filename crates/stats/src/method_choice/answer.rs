//! The answer to a question: the cells nearest to what was asked, whether they
//! agree, and what switching is worth.

use super::caveats::Caveat;
use super::cell::DecisionCell;
use super::conditions::DecisionConditions;
use super::matrix::{DECISION_VERSION, DecidedRecord, DecisionMatrix};
use super::question::{DecisionError, DecisionQuestion};
use super::reach::{Reach, advised_beside, agreed, reach};
use super::sameness::{Indifference, indifferent};
use fathom_model::{Estimate, MethodId};
use serde::Serialize;

/// What a question came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Decision {
    /// The version of this form.
    pub schema_version: u32,
    /// What was asked.
    pub question: DecisionQuestion,
    /// The records.
    pub records: Vec<DecidedRecord>,
    /// One for each value of what was left open.
    pub answers: Vec<DecisionAnswer>,
    /// What was left open and does not matter.
    pub indifferent: Vec<Indifference>,
    /// What was asked for or left open, and is not among the answers; with the reason.
    pub unanswered: Vec<String>,
}

/// One answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DecisionAnswer {
    /// The conditions answered for, the size as it was asked.
    pub conditions: DecisionConditions,
    /// How far the measured sizes lie from it.
    pub reach: Reach,
    /// The cells it rests on: one, or the two around the size.
    pub cells: Vec<DecisionCell>,
    /// What to use; `None` when the cells name different methods, or none.
    pub advised: Option<MethodId>,
    /// Where two cells that disagree would cross, in bytes: on a line between them, without an interval.
    pub crossing_bytes: Option<f64>,
    /// What is gained over the usual way, by each of the cells.
    pub gains: Vec<Gain>,
    /// What the answer does not say, beside the cells' own caveats.
    pub caveats: Vec<Caveat>,
}

/// What a cell says of leaving the usual way.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gain {
    /// The size it was measured at.
    pub size_bytes: Option<u64>,
    /// The usual way.
    pub usual: MethodId,
    /// What is advised there.
    pub advised: MethodId,
    /// What one operation takes in the usual way, in ns.
    pub usual_ns: Estimate,
    /// What each operation saves, in ns; `None` when the usual way is advised.
    pub saving_ns: Option<Estimate>,
    /// The usual way times the number asked for, in seconds.
    pub usual_s: Option<f64>,
    /// What that number of operations saves.
    pub saving_s: Option<Seconds>,
}

/// A saving of many operations, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Seconds {
    /// The operations times the saving of one.
    pub value: f64,
    /// Lower end, where there is one.
    pub low: Option<f64>,
    /// Upper end, where there is one.
    pub high: Option<f64>,
}

/// Answers from the matrix. Pure.
pub fn answer_question(
    matrix: &DecisionMatrix,
    question: &DecisionQuestion,
) -> Result<Decision, DecisionError> {
    let mut unanswered = Vec::new();
    let cells = as_usual(&question.cells(matrix)?, &mut unanswered);
    let mut groups: Vec<Vec<&DecisionCell>> = Vec::new();
    for cell in cells {
        let alike = |group: &&mut Vec<&DecisionCell>| group[0].conditions.is_alike_but_size(&cell.conditions);
        match groups.iter_mut().find(alike) {
            Some(group) => group.push(cell),
            None => groups.push(vec![cell]),
        }
    }
    let mut answers = Vec::new();
    for group in &groups {
        match question.size_bytes.filter(|_| group[0].conditions.size_bytes.is_some()) {
            None => {
                answers.extend(group.iter().map(|cell| answer(question, Reach::Measured, vec![cell], group)));
            }
            Some(size) => match reach(group, size) {
                Ok((reach, near)) => answers.push(answer(question, reach, near, group)),
                Err(reason) => unanswered.push(reason),
            },
        }
    }
    if answers.is_empty() {
        return Err(DecisionError::NotMeasured(unanswered.join("; ")));
    }
    if question.cache.is_none()
        && answers.iter().all(|answer| answer.conditions.cache == answers[0].conditions.cache)
        && let Some(cache) = answers[0].conditions.cache
    {
        unanswered.push(format!("only {cache} was measured"));
    }
    Ok(Decision {
        schema_version: DECISION_VERSION,
        question: question.clone(),
        records: speaking(matrix, &answers),
        indifferent: indifferent(
            &answers.iter().map(|answer| (&answer.conditions, answer.advised.as_ref())).collect::<Vec<_>>(),
        ),
        answers,
        unanswered,
    })
}

/// The records that the answers rest on.
fn speaking(matrix: &DecisionMatrix, answers: &[DecisionAnswer]) -> Vec<DecidedRecord> {
    let cells = || answers.iter().flat_map(|answer| &answer.cells);
    let records = matrix.records.iter().map(|record| DecidedRecord {
        cells: cells().filter(|cell| cell.source.record == record.name).count(),
        ..record.clone()
    });
    records.filter(|record| record.cells > 0).collect()
}

/// Cells under usual circumstances; others only where there are none of those.
fn as_usual<'a>(cells: &[&'a DecisionCell], unanswered: &mut Vec<String>) -> Vec<&'a DecisionCell> {
    let bare = |of: &DecisionConditions| {
        let DecisionConditions { title, operation, place, .. } = of.clone();
        (title, operation, place)
    };
    let is_usual = |cell: &DecisionCell| cell.conditions.circumstances.is_empty();
    let has_usual = |cell: &DecisionCell| {
        cells.iter().any(|other| is_usual(other) && bare(&other.conditions) == bare(&cell.conditions))
    };
    let (kept, passed): (Vec<_>, Vec<_>) =
        cells.iter().copied().partition(|cell| is_usual(cell) || !has_usual(cell));
    let mut passed: Vec<String> =
        passed.iter().map(|cell| cell.conditions.circumstances.join(" and ")).collect();
    passed.sort_unstable();
    passed.dedup();
    if !passed.is_empty() {
        unanswered.push(format!("passed over what was measured not as usual: {}", passed.join("; ")));
    }
    kept
}

fn answer(
    question: &DecisionQuestion,
    reach: Reach,
    cells: Vec<&DecisionCell>,
    group: &[&DecisionCell],
) -> DecisionAnswer {
    let first = cells[0];
    let mut conditions = first.conditions.clone();
    if conditions.size_bytes.is_some() && question.size_bytes.is_some() {
        conditions.size_bytes = question.size_bytes;
    }
    let mut own = caveats(question, &conditions, &reach, &cells);
    if let [cell] = cells.as_slice() {
        own.extend(advised_beside(cell, group));
    }
    let agreed = agreed(&cells);
    let gains = cells.iter().filter_map(|cell| gain(cell, question.count)).collect();
    DecisionAnswer {
        caveats: own,
        crossing_bytes: agreed.is_none().then(|| crossing(&cells)).flatten(),
        advised: agreed,
        cells: cells.into_iter().cloned().collect(),
        conditions,
        reach,
        gains,
    }
}

fn gain(cell: &DecisionCell, count: Option<u64>) -> Option<Gain> {
    let usual = cell.usual.as_ref()?;
    let advised = cell.advised.clone()?;
    let seconds = |ns: f64| count.map(|count| ns * count as f64 / 1e9);
    Some(Gain {
        size_bytes: cell.conditions.size_bytes,
        usual: usual.method.clone(),
        advised,
        usual_ns: usual.time_ns,
        saving_ns: usual.saving_ns,
        usual_s: seconds(usual.time_ns.value),
        saving_s: usual.saving_ns.and_then(|saving| {
            let (low, high) = (saving.low.and_then(seconds), saving.high.and_then(seconds));
            Some(Seconds { value: seconds(saving.value)?, low, high })
        }),
    })
}

fn caveats(
    question: &DecisionQuestion,
    conditions: &DecisionConditions,
    reach: &Reach,
    cells: &[&DecisionCell],
) -> Vec<Caveat> {
    let mut found = Vec::new();
    if conditions.size_bytes.is_none() && question.size_bytes.is_some() {
        let text = "the size was not asked of the method: opening reads nothing of the file";
        found.push(Caveat::new("size-does-not-bear", text));
    }
    found.extend(reach.caveats(cells));
    let files = conditions.files;
    if let Some(count) = question.count.filter(|&count| count != u64::from(files)) {
        let text = format!(
            "{count} asked, measured over {files} file{} again and again: names, inodes and caches of many \
             files may cost more, and totals are the measured time of one times {count}",
            if files == 1 { "" } else { "s" }
        );
        found.push(Caveat::new("count", text));
    }
    found
}

/// Where the ratio of the two cells' methods would be 1, on a line through both
/// sizes in logarithms; `None` unless both methods stood in both cells.
fn crossing(cells: &[&DecisionCell]) -> Option<f64> {
    let [below, above] = cells else { return None };
    let (first, second) = (below.advised.as_ref()?, above.advised.as_ref()?);
    let ln_ratio = |cell: &DecisionCell| -> Option<f64> {
        Some((cell.time_ns(first)?.value / cell.time_ns(second)?.value).ln())
    };
    let (low, high) = (ln_ratio(below)?, ln_ratio(above)?);
    let size = |cell: &DecisionCell| cell.conditions.size_bytes.map(|size| (size.max(1) as f64).ln());
    let (at_low, at_high) = (size(below)?, size(above)?);
    (low < 0.0 && high > 0.0).then(|| (at_low - low * (at_high - at_low) / (high - low)).exp())
}
