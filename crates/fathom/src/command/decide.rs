//! `fathom decide`: which method to use, from records; nothing is measured.

mod sources;

use crate::arguments::{Decide, DecideFormat};
use crate::command::Hinted;
use crate::exit::Exit;
use crate::output;
use fathom_catalog::nearest;
use fathom_collect::{environment, place_facts};
use fathom_model::{Place, Reading};
use fathom_report::{
    Details, TextOptions, decision_markdown, decision_matrix_markdown, render_decision,
    render_decision_matrix,
};
use fathom_stats::{
    Decision, DecisionError, DecisionMatrix, DecisionQuestion, DecisionSource, answer_question,
    decision_matrix, languages_to_ask_for,
};
use std::path::Path;

/// Answers, prints, and ends with 3 when nothing asked is decided.
pub(crate) fn run(decide: &Decide) -> anyhow::Result<Exit> {
    let here = environment();
    let sources =
        if decide.records.is_empty() { sources::made_here(&here)? } else { sources::named(&decide.records)? };
    let given: Vec<DecisionSource<'_>> =
        sources.iter().map(|source| DecisionSource { name: &source.name, record: &source.record }).collect();
    let matrix = decision_matrix(&given, Some(&here));
    let question = question(decide, &matrix);
    if question.is_open() {
        print_matrix(&matrix, decide.format)?;
        return Ok(if matrix.cells.is_empty() { Exit::NothingRan } else { Exit::Done });
    }
    let decision = answer_question(&matrix, &question).map_err(|error| hinted(&error, &matrix))?;
    print_answer(&decision, decide.format)?;
    let is_decided = decision.answers.iter().any(|answer| answer.advised.is_some());
    Ok(if is_decided { Exit::Done } else { Exit::Inconclusive })
}

fn question(decide: &Decide, matrix: &DecisionMatrix) -> DecisionQuestion {
    DecisionQuestion {
        size_bytes: decide.size,
        count: decide.count,
        pattern: decide.pattern.map(Into::into),
        cache: decide.cache.map(Into::into),
        language: decide.language.clone(),
        place: decide.place.as_ref().map(|word| place(word, matrix)),
    }
}

/// The place as the matrix calls it: its own words stand, and a directory stands for its file system.
fn place(word: &str, matrix: &DecisionMatrix) -> String {
    let is_own = |place: &str| place == word || place.split(' ').next() == Some(word);
    if matrix.cells.iter().any(|cell| is_own(&cell.conditions.place)) {
        return word.to_owned();
    }
    let facts = place_facts(&Place::Directory(word.into()), Path::new(word));
    match facts.map(|facts| (facts.file_system, facts.mount_point)) {
        Ok((kind, Reading::Value(mount))) => format!("{kind} at {}", mount.display()),
        Ok((kind, Reading::Unavailable(_))) => kind,
        Err(_) => word.to_owned(),
    }
}

fn hinted(error: &DecisionError, matrix: &DecisionMatrix) -> anyhow::Error {
    let hint = match error {
        DecisionError::UnknownLanguage(word) => {
            let known = languages_to_ask_for(matrix);
            match nearest(word, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known are {}", known.join(", ")),
            }
        }
        DecisionError::NotMeasured(_) => {
            "`fathom decide` without a question prints what was measured; `fathom bench decide` measures more"
                .to_owned()
        }
    };
    Hinted::error(error.to_string(), hint)
}

fn print_matrix(matrix: &DecisionMatrix, format: DecideFormat) -> anyhow::Result<()> {
    match format {
        DecideFormat::Text => output::data(&render_decision_matrix(matrix, &text_options())),
        DecideFormat::Json => output::data(&serde_json::to_string_pretty(matrix)?),
        DecideFormat::Markdown => output::data(&decision_matrix_markdown(matrix)),
    }
}

fn print_answer(decision: &Decision, format: DecideFormat) -> anyhow::Result<()> {
    match format {
        DecideFormat::Text => output::data(&render_decision(decision, &text_options())),
        DecideFormat::Json => output::data(&serde_json::to_string_pretty(decision)?),
        DecideFormat::Markdown => output::data(&decision_markdown(decision)),
    }
}

fn text_options() -> TextOptions {
    TextOptions { width: output::width(), color: output::color(), details: Details::Brief }
}
