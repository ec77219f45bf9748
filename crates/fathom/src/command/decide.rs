//! `fathom decide`: which method to use, from records; nothing is measured.

mod sources;

use crate::arguments::{Decide, DecideFormat};
use crate::command::Hinted;
use crate::exit::Exit;
use crate::output;
use crate::redaction::{Audience, Redaction};
use fathom_catalog::nearest;
use fathom_collect::{environment, place_facts};
use fathom_model::{Place, Reading};
use fathom_report::{
    Details, TextOptions, decision_markdown, decision_matrix_markdown, render_decision,
    render_decision_matrix,
};
use fathom_stats::{
    DecisionError, DecisionMatrix, DecisionQuestion, DecisionSource, answer_question, decision_matrix,
    languages_to_ask_for,
};
use serde::Serialize;
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
        print(decide, &matrix, render_decision_matrix, decision_matrix_markdown)?;
        return Ok(if matrix.cells.is_empty() { Exit::NothingRan } else { Exit::Done });
    }
    let decision = answer_question(&matrix, &question).map_err(|error| hinted(&error, &matrix))?;
    print(decide, &decision, render_decision, decision_markdown)?;
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

/// Prints an answer or the matrix; a table for a README goes without names.
fn print<T: Serialize>(
    decide: &Decide,
    found: &T,
    text: fn(&T, &TextOptions) -> String,
    markdown: fn(&T) -> String,
) -> anyhow::Result<()> {
    let redaction = |audience| Redaction::new(decide.redaction, audience);
    output::data(&match decide.format {
        DecideFormat::Text => redaction(Audience::Own).apply_to_text(text(found, &text_options(decide.full))),
        // A line behind it would be no JSON.
        DecideFormat::Json => redaction(Audience::Own).apply_to_name(output::pretty_json(found)?),
        DecideFormat::Markdown => redaction(Audience::Public).apply_to_text(markdown(found)),
    })
}

fn text_options(is_full: bool) -> TextOptions {
    let details = if is_full { Details::Full } else { Details::Brief };
    TextOptions { width: output::width(), color: output::color(), details }
}
