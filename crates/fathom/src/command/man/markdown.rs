//! All commands as one page of the book.

use super::after_help::{Block, blocks, examples_and_notes};
use clap::builder::StyledStr;
use clap::{Arg, Command};

/// Said at the top of each generated page.
pub(super) const GENERATED: &str =
    "<!-- Made by `cargo run -p xtask -- reference`: change the program, not this page. -->";

/// The page of all commands.
pub(super) fn render(fathom: &Command) -> String {
    let mut pieces = vec!["# Commands".to_owned(), GENERATED.to_owned(), about(fathom)];
    pieces.extend(blocks(&words(fathom.get_before_help())).iter().map(block));
    pieces.push(usage(fathom));
    pieces.extend(list(fathom.get_arguments()));
    pieces.push("Exit codes are [a page of their own](exit-codes.md).".to_owned());
    pieces.extend(shown(fathom).flat_map(|command| of_command(command, 2)));
    pieces.join("\n\n") + "\n"
}

/// One command, with those below it.
pub(super) fn render_command(command: &Command) -> String {
    of_command(command, 1).join("\n\n") + "\n"
}

/// Words of a help text as Markdown: nothing in them is markup, but for code in
/// backticks, and pages of the book are linked.
pub(super) fn prose(words: &str) -> String {
    let pieces = words.split('`').enumerate();
    let pieces = pieces.map(|(number, piece)| match number % 2 {
        0 => piece.split(' ').map(word).collect::<Vec<_>>().join(" "),
        _ => format!("`{piece}`"),
    });
    pieces.collect()
}

fn word(word: &str) -> String {
    let bare = word.trim_matches(|c: char| ".,;:()".contains(c));
    if let Some(page) = bare.strip_prefix("docs/").filter(|page| !page.is_empty()) {
        let page = page.strip_prefix("reference/").map_or(format!("../{page}"), ToOwned::to_owned);
        let target = if page.is_empty() { "." } else { &page };
        return word.replacen(bare, &format!("[{bare}]({target})"), 1);
    }
    let escaped = word.chars().flat_map(|c| {
        let escape = "\\*_<[]|".contains(c).then_some('\\');
        escape.into_iter().chain(std::iter::once(c))
    });
    escaped.collect()
}

/// What is said of a command, and of those below it.
fn of_command(command: &Command, level: usize) -> Vec<String> {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let mut pieces = vec![format!("{} {name}", "#".repeat(level)), about(command), usage(command)];
    // What every command takes is told once.
    pieces.extend(list(command.get_arguments().filter(|arg| !arg.is_global_set())));
    let (examples, notes) = examples_and_notes(&words(command.get_after_help()));
    pieces.extend((!examples.is_empty()).then(|| "Examples:".to_owned()));
    pieces.extend(examples.iter().chain(&notes).map(block));
    pieces.extend(shown(command).flat_map(|below| of_command(below, level + 1)));
    pieces
}

fn shown(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|command| !command.is_hide_set())
}

fn about(command: &Command) -> String {
    let about = words(command.get_about());
    format!("{}.", prose(about.trim_end_matches('.')))
}

fn usage(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    format!("```text\n{}\n```", usage.trim_start_matches("Usage: ").trim())
}

fn list<'a>(arguments: impl Iterator<Item = &'a Arg>) -> Option<String> {
    let told = |arg: &&Arg| !arg.is_hide_set() && !["help", "version"].contains(&arg.get_id().as_str());
    let items: Vec<String> = arguments.filter(told).map(argument).collect();
    (!items.is_empty()).then(|| items.join("\n"))
}

/// One argument as an item of a list.
fn argument(arg: &Arg) -> String {
    // `-o, --output <FILE>`, as clap writes it.
    let spelled = arg.to_string();
    let short = arg.get_short().filter(|_| arg.get_long().is_some());
    let name = short.map_or(spelled.clone(), |short| format!("-{short}, {spelled}"));
    let said = prose(&words(arg.get_help()));
    if !arg.get_action().takes_values() {
        return format!("- `{name}`: {said}");
    }
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let default = match defaults.as_slice() {
        [] => String::new(),
        defaults => format!(" (`{}` when left out)", defaults.join(" ")),
    };
    let mut lines = vec![format!("- `{name}`: {said}{default}")];
    let values = arg.get_possible_values();
    lines.extend(values.iter().filter(|value| !value.is_hide_set()).map(|value| {
        let help = value.get_help().map(|help| format!(": {}", prose(&help.to_string())));
        format!("  - `{}`{}", value.get_name(), help.unwrap_or_default())
    }));
    lines.join("\n")
}

fn block(block: &Block) -> String {
    match block {
        Block::Paragraph(words) => prose(words),
        Block::Listing(lines) => format!("```text\n{}\n```", lines.join("\n")),
    }
}

fn words(help: Option<&StyledStr>) -> String {
    help.map(ToString::to_string).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_no_markup_and_pages_are_linked() {
        assert_eq!(prose("driver:* for `a *` [x]"), "driver:\\* for `a *` \\[x\\]");
        assert_eq!(
            prose("See docs/count.md, and docs/x.json."),
            "See [docs/count.md](../count.md), and [docs/x.json](../x.json)."
        );
        assert_eq!(prose("(docs/reference/a.md)"), "([docs/reference/a.md](a.md))");
        assert_eq!(prose("as docs/reference/ has them"), "as [docs/reference/](.) has them");
    }
}
