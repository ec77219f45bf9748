//! A document as Markdown, with tables as GitHub has them: the same content
//! without its pictures, but for timelines, which letters can draw.

use crate::chart::Chart;
use crate::document::{
    Block, Cell, ColumnKind, Document, Figure, FindingCard, Item, Prose, Recipes, Section, Span, Table,
    VerdictCard, Waste,
};
use crate::table_text::plain;
use crate::timeline_text;
use crate::visible::{is_line_end, visible_lines};
use std::fmt::Write as _;

/// A timeline in letters is at most so wide.
const TIMELINE_COLUMNS: usize = 100;
/// Headings below this level are not told apart any more.
const LEVEL_MAX: usize = 6;

/// What the text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A page of its own: everything is shown.
    Page,
    /// A comment on a change, where headings are small and details are folded.
    Comment,
}

/// The whole document.
pub(crate) fn render(document: &Document, purpose: Purpose) -> String {
    let level = match purpose {
        Purpose::Page => 1,
        Purpose::Comment => 3,
    };
    let title = format!("{} {}", "#".repeat(level), plain(&document.title));
    let mut text = format!("{title}\n\n{}\n", plain(&document.subtitle));
    for sentence in &document.answer {
        add(&mut text, &format!("\n{}\n", prose(sentence).trim()));
    }
    if let Some(picture) = &document.lead {
        figure(&mut text, picture);
    }
    for part in &document.sections {
        section(&mut text, part, level + 1, purpose);
    }
    visible_lines(&text)
}

fn add(text: &mut String, more: &str) {
    text.push_str(more);
}

fn section(text: &mut String, part: &Section, level: usize, purpose: Purpose) {
    add(text, &format!("\n{} {}\n", "#".repeat(level.min(LEVEL_MAX)), plain(&part.title)));
    for each in &part.blocks {
        block(text, each, purpose);
    }
    for each in &part.sections {
        section(text, each, level + 1, purpose);
    }
}

fn block(text: &mut String, block: &Block, purpose: Purpose) {
    match block {
        Block::Prose(words) => add(text, &format!("\n{}\n", prose(words))),
        Block::List(items) => list(text, items),
        Block::Facts(facts) => {
            add(text, "\n");
            let mut last = "";
            for fact in facts {
                if !fact.label.is_empty() {
                    last = &fact.label;
                }
                add(text, &format!("- {}: {}\n", plain(last), prose(&fact.prose)));
            }
        }
        Block::Table(found) => table(text, found),
        Block::Figure(picture) => figure(text, picture),
        Block::Recipes(found) => recipes(text, found),
        Block::Verdict(card) => verdict(text, card, purpose),
        Block::Finding(card) => folded(text, &headline(card), purpose, |text| finding(text, card)),
        Block::Note(note) => {
            add(text, &format!("\n> **{}**: {}\n", note.word.to_uppercase(), prose(&note.prose)));
        }
        Block::Aligned(lines) => aligned(text, lines),
        Block::Fold(fold) if fold.blocks.iter().all(|block| matches!(block, Block::Figure(_))) => {}
        Block::Fold(fold) => folded(text, &fold.summary, purpose, |text| {
            for each in &fold.blocks {
                self::block(text, each, purpose);
            }
        }),
    }
}

/// A timeline in letters; what another picture shows stands in a table too.
fn figure(text: &mut String, picture: &Figure) {
    if let Chart::Timeline(chart) = &picture.chart {
        add(text, &format!("\n{}\n", prose(&picture.caption)));
        aligned(text, &timeline_text::lines(chart, TIMELINE_COLUMNS).join("\n"));
    }
}

fn aligned(text: &mut String, lines: &str) {
    add(text, &format!("\n```text\n{}\n```\n", lines.replace("```", "'''")));
}

/// What is read on demand, as far as the purpose lets it be.
fn folded(text: &mut String, summary: &Prose, purpose: Purpose, inside: impl FnOnce(&mut String)) {
    match purpose {
        Purpose::Page => {
            add(text, &format!("\n**{}**\n", prose(summary)));
            inside(text);
        }
        Purpose::Comment => {
            add(text, &format!("\n<details><summary>{}</summary>\n", html(summary)));
            inside(text);
            add(text, "\n</details>\n");
        }
    }
}

/// What a finding's fold is called.
fn headline(card: &FindingCard) -> Prose {
    let figures = card.figures.iter().chain(&card.chips).cloned().collect::<Vec<_>>().join("; ");
    let words = format!(" {}: {} ({figures})", card.severity, card.sentence);
    Prose(vec![Span::Strong(card.rule.clone()), Span::Plain(words)])
}

fn finding(text: &mut String, card: &FindingCard) {
    add(text, "\n");
    for (number, call) in card.example.iter().enumerate() {
        add(text, &format!("{}. {}\n", number + 1, code(call)));
    }
    if !card.example.is_empty() {
        add(text, "\n");
    }
    for fact in &card.facts {
        add(text, &format!("- {}: {}\n", plain(&fact.label), prose(&fact.prose)));
    }
    if card.stack.len() > 1 {
        let frames: Vec<_> = card.stack.iter().map(|frame| code(frame)).collect();
        add(text, &format!("- stack: {}\n", frames.join(" ← ")));
    }
}

fn list(text: &mut String, items: &[Item]) {
    add(text, "\n");
    let least = items.iter().map(|item| item.depth).min().unwrap_or(0);
    for item in items {
        let indent = "  ".repeat((item.depth - least).min(3));
        add(text, &format!("{indent}- {}\n", prose(&item.prose)));
    }
}

fn table(text: &mut String, table: &Table) {
    let _infallible = write!(text, "\n*{}*\n\n|", prose(&table.caption));
    for column in &table.columns {
        add(text, &format!(" {} |", plain(&column.heading)));
    }
    add(text, "\n|");
    for column in &table.columns {
        add(text, if column.kind == ColumnKind::Figure { "--:|" } else { "---|" });
    }
    add(text, "\n");
    for row in &table.rows {
        let cells: Vec<_> = row.cells.iter().map(cell).collect();
        let mark = if row.is_baseline { " (baseline)" } else { "" };
        let mut cells = cells.into_iter();
        let first = cells.next().unwrap_or_default();
        let rest: Vec<_> = cells.collect();
        add(text, &format!("| {first}{mark} | {} |\n", rest.join(" | ")));
    }
}

/// In a table a bar ends a cell even inside a name.
fn cell(cell: &Cell) -> String {
    let span = |span: &Span| match span {
        Span::Code(name) => code(name).replace('|', "\\|"),
        other => prose(&Prose(vec![other.clone()])),
    };
    cell.prose.0.iter().map(span).collect::<String>().trim().to_owned()
}

fn recipes(text: &mut String, recipes: &Recipes) {
    add(text, &format!("\n{}\n\n", prose(&recipes.caption)));
    for strip in &recipes.strips {
        let methods: Vec<_> = strip.methods.iter().map(|(name, _)| code(name)).collect();
        let steps: Vec<_> = strip
            .steps
            .iter()
            .map(|step| {
                let times = if step.times > 1 { format!(" ×{}", step.times) } else { String::new() };
                let waste = match step.waste {
                    Some(Waste::Fails) => " (fails)",
                    Some(Waste::Extra) => " (extra)",
                    None => "",
                };
                format!("{}{times}{waste}", code(&format!("{}({})", step.call, step.arguments)))
            })
            .collect();
        add(text, &format!("- {}: {}: {}\n", methods.join(", "), plain(&strip.calls), steps.join(" → ")));
    }
}

fn verdict(text: &mut String, card: &VerdictCard, purpose: Purpose) {
    let reported =
        card.reported.as_ref().map(|reported| format!("; reported: {reported}")).unwrap_or_default();
    add(
        text,
        &format!(
            "\n**{}**: “{}” ({}{})\n\n{}",
            card.verdict.to_uppercase(),
            plain(&card.sentence),
            plain(&card.source),
            plain(&reported),
            card.found.iter().map(|found| format!("- here: {}", prose(found))).collect::<Vec<_>>().join("\n")
                + "\n"
        ),
    );
    for each in &card.blocks {
        block(text, each, purpose);
    }
}

fn prose(words: &Prose) -> String {
    let span = |span: &Span| match span {
        Span::Plain(text) => plain(text),
        Span::Code(text) => code(text),
        Span::Strong(text) => format!("**{}**", plain(text)),
        // Headings have other ids here, so that only addresses lead somewhere.
        Span::Link { text, target } if target.starts_with('#') => plain(text),
        Span::Link { text, target } => format!("[{}]({})", plain(text), target.replace([')', ' '], "")),
    };
    words.0.iter().map(span).collect()
}

/// Words inside an element of HTML, where Markdown's marks are letters.
fn html(words: &Prose) -> String {
    let escaped = |text: &str| {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        text.replace(is_line_end, " ")
    };
    let span = |span: &Span| match span {
        Span::Plain(text) | Span::Link { text, .. } => escaped(text),
        Span::Code(text) => format!("<code>{}</code>", escaped(text)),
        Span::Strong(text) => format!("<b>{}</b>", escaped(text)),
    };
    words.0.iter().map(span).collect()
}

/// A name between more backticks than it has in a row, so that it is shown as it is; what would
/// end its line is escaped.
fn code(name: &str) -> String {
    let escaped = |letter: char| match letter {
        letter if is_line_end(letter) => letter.escape_default().collect::<String>(),
        letter => letter.to_string(),
    };
    let name: String = name.chars().map(escaped).collect();
    let most = name.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(most + 1);
    let is_apart = name.starts_with('`') || name.ends_with('`');
    let space = if is_apart { " " } else { "" };
    format!("{fence}{space}{name}{space}{fence}")
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn a_name_is_shown_as_it_is_and_on_its_line() {
        assert_eq!(code("/data/a, first b.txt"), "`/data/a, first b.txt`");
        assert_eq!(code("/data/`b`.txt"), "``/data/`b`.txt``");
        assert_eq!(code("`b`"), "`` `b` ``");
        assert_eq!(code("/data/a\n2. close(3)"), "`/data/a\\n2. close(3)`");
    }
}
