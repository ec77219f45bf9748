//! A page per document: every statement in its order, how it is tested, and what became of it.

use super::{row, table};
use crate::reference::prose;
use fathom_model::{ClaimPath, StatementVerdict};
use fathom_report::{VerifiedStatement, VerifiedWriteUp, VerifiedWriteUps};
use std::path::PathBuf;

const NOTICE: &str = "<!-- Made by `cargo run -p xtask -- write-ups` from catalog/write-ups and the kept record: change those, not this page. -->";

/// Every page of docs/write-ups.
pub(super) fn all(verified: &VerifiedWriteUps) -> Vec<(PathBuf, String)> {
    let pages = verified
        .write_ups
        .iter()
        .map(|write_up| (PathBuf::from(format!("write-ups/{}.md", write_up.name)), page(write_up)));
    let index = (PathBuf::from("write-ups/README.md"), index(&verified.write_ups));
    pages.chain(std::iter::once(index)).collect()
}

/// What a verdict is called where the record decides it.
pub(super) fn verdict_word(verdict: StatementVerdict) -> &'static str {
    match verdict {
        StatementVerdict::NotRun => "not in the kept record",
        other => other.word(),
    }
}

/// `20 supported, 6 refuted, …`
pub(super) fn counts(write_up: &VerifiedWriteUp) -> String {
    let counted = StatementVerdict::ALL.map(|verdict| (write_up.count(verdict), verdict));
    let said = counted.iter().filter(|(n, _)| *n > 0);
    said.map(|(n, verdict)| format!("{n} {}", verdict_word(*verdict))).collect::<Vec<_>>().join(", ")
}

/// Statements with a verdict, or with a reason why nothing can test them.
pub(super) fn share_settled(write_up: &VerifiedWriteUp) -> String {
    let all = write_up.statements.len();
    let settled = all - write_up.count(StatementVerdict::NotRun);
    if all == 0 {
        return "–".to_owned();
    }
    // Rounded down: what is open does not round up to all.
    format!("{} %", settled * 100 / all)
}

fn index(write_ups: &[VerifiedWriteUp]) -> String {
    let rows = write_ups.iter().map(|write_up| {
        let link = format!("[{}]({}.md)", write_up.name, write_up.name);
        let counts = StatementVerdict::ALL.map(|verdict| write_up.count(verdict).to_string());
        row([link, prose(&write_up.title), write_up.statements.len().to_string()]
            .into_iter()
            .chain(counts)
            .chain([share_settled(write_up)]))
    });
    let mut heading = vec!["document", "title", "statements"];
    heading.extend(StatementVerdict::ALL.map(verdict_word));
    heading.push("with a verdict or a reason");
    format!(
        "# Write-ups\n\n{NOTICE}\n\n\
         Documents that somebody published about opening, reading and writing files, taken literally: every statement, figure, table, listing, \
         recommendation and picture, in our words, with how it is tested and what one machine says of it. \
         A statement holds when all claims that it rests on do; what cannot be tested says why. [Claims and verdicts](../claims.md) \
         says how a verdict is reached.\n\n\
         `fathom verify --of NAME` measures one document again, here and now.\n\n{}\n",
        table(&heading, rows)
    )
}

fn page(write_up: &VerifiedWriteUp) -> String {
    let VerifiedWriteUp { name, title, author, date, hardware, statements } = write_up;
    let date = date.as_ref().map(|date| format!(", {date}")).unwrap_or_default();
    let hardware =
        hardware.as_ref().map(|words| format!(" Its figures: {}.", prose(words))).unwrap_or_default();
    let mut pieces = vec![
        format!("# {}", prose(title)),
        NOTICE.to_owned(),
        format!("By {}{date}.{hardware} `fathom verify --of {name}` measures it again.", prose(author)),
        format!(
            "What it says, in our words and its order, and what one machine says of that \
             ([how](../claims.md), [all claims](../verdicts.md)).",
        ),
        format!(
            "{} statements: {}. With a verdict or a reason why nothing can test them: {}.",
            statements.len(),
            counts(write_up),
            share_settled(write_up)
        ),
    ];
    let mut from = 0;
    while from < statements.len() {
        let section = &statements[from].section;
        let length = statements[from..].iter().take_while(|other| other.section == *section).count();
        pieces.push(format!("## {}", prose(section)));
        let rows = statements[from..from + length].iter().map(statement_row);
        pieces.push(table(&["it says", "tested by", "verdict", "found here", "why"], rows));
        from += length;
    }
    pieces.join("\n\n") + "\n"
}

fn statement_row(statement: &VerifiedStatement) -> String {
    let VerifiedStatement { kind, says, how, claims, verdict, found, why, .. } = statement;
    let mut tested: Vec<String> = how.iter().map(|how| prose(how)).collect();
    tested.extend(claims.iter().map(|ClaimPath { experiment, claim }| {
        format!("[{experiment}](../experiments/{experiment}.md): {claim}")
    }));
    let dash = |text: String| if text.is_empty() { "–".to_owned() } else { text };
    row([
        format!("*{}:* {}", kind.word(), prose(says)),
        dash(tested.join("; ")),
        verdict_word(*verdict).to_owned(),
        dash(prose(found)),
        dash(prose(why)),
    ])
}
