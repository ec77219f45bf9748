//! The exit codes as a page of the book: the table of `--help`, and what each
//! command says of its own.

use super::after_help::{Block, blocks};
use super::markdown::{GENERATED, prose};
use super::with_subcommands;
use clap::Command;
use std::fmt::Write as _;

/// The page.
pub(super) fn render(fathom: &Command) -> String {
    let mut text = format!("# Exit codes\n\n{GENERATED}\n\n");
    let help = fathom.get_after_help().map(ToString::to_string).unwrap_or_default();
    for block in blocks(&help).iter().skip(1) {
        let written = match block {
            Block::Listing(lines) => write!(text, "{}\n\n", table(lines)),
            Block::Paragraph(words) => write!(text, "{}\n\n", prose(words)),
        };
        written.expect("text takes everything");
    }
    text.push_str("## What commands say of theirs\n");
    for command in with_subcommands(fathom).into_iter().skip(1) {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let about_codes = blocks(&help).into_iter().filter_map(|block| match block {
            Block::Paragraph(words) if words.to_lowercase().contains("exit code") => Some(words),
            _ => None,
        });
        for words in about_codes {
            let name = command.get_bin_name().unwrap_or_default();
            write!(text, "\n**{name}**: {}\n", prose(&words)).expect("text takes everything");
        }
    }
    text
}

/// `0    done` as a row.
fn table(lines: &[String]) -> String {
    let rows = lines
        .iter()
        .filter_map(|line| line.split_once("  "))
        .map(|(code, meaning)| format!("| {} | {} |", code.trim(), prose(meaning.trim())));
    let head = ["| code | meaning |".to_owned(), "|---:|---|".to_owned()];
    head.into_iter().chain(rows).collect::<Vec<_>>().join("\n")
}
