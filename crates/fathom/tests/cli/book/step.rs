//! A page of the book as the steps of its reader.

use super::quotation::Quotation;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

/// What a reader does next.
pub(super) enum Step {
    /// Writes a file.
    Write { file: String, text: String },
    /// Runs a command, and finds below it what it prints.
    Run { command: String, code: i32, quoted: Quotation },
    /// Finds another quotation of the command before.
    Quote(Quotation),
}

/// The steps of a page, in order.
pub(super) fn steps(page: &str) -> Vec<Step> {
    fences(page).into_iter().flat_map(|(info, text)| steps_of_fence(&info, &text)).collect()
}

/// The fenced blocks of a page: what stands behind the fence, and the text.
fn fences(page: &str) -> Vec<(String, String)> {
    let mut fences = Vec::new();
    let mut open: Option<(String, String)> = None;
    for event in Parser::new(page) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                open = Some((info.to_string(), String::new()));
            }
            Event::Text(text) => {
                if let Some((_, block)) = &mut open {
                    block.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => fences.extend(open.take()),
            _ => {}
        }
    }
    fences
}

fn steps_of_fence(info: &str, text: &str) -> Vec<Step> {
    let (language, rest) = info.split_once(' ').unwrap_or((info, ""));
    let measured = rest == "measured";
    match (language, rest) {
        ("console", "" | "measured") => commands(text, measured),
        ("text", "" | "measured") => vec![Step::Quote(Quotation::new(text.lines(), measured))],
        (_, "") => Vec::new(),
        (_, file) => vec![Step::Write { file: file.to_owned(), text: text.to_owned() }],
    }
}

fn commands(text: &str, measured: bool) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let command = line.strip_prefix("$ ").unwrap_or_else(|| panic!("no command prints `{line}`"));
        let below = std::iter::from_fn(|| lines.next_if(|line| !line.starts_with("$ ")));
        let quoted = Quotation::new(below, measured);
        let (command, code) = match command.split_once(" # exit code ") {
            Some((command, code)) => (command, code.parse().expect("an exit code")),
            None => (command, 0),
        };
        steps.push(Step::Run { command: command.to_owned(), code, quoted });
    }
    steps
}
