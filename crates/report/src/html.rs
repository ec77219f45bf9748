//! A document as one HTML file that needs nothing else: style, script, pictures
//! and raw data are inside. What the parts look like stands in `html/`.

mod align;
mod blocks;
mod contents;
mod draw;
mod facts;
mod figure;
mod finding;
mod meanings;
mod prose;
mod recipe;
mod standalone;
mod table;
mod verdict;

use crate::document::{Document, Prose, Section};
use crate::visible::visible_lines;
use blocks::block;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use meanings::Meanings;
use prose::prose;
pub(crate) use standalone::{Drawn, sheet};

/// Nothing is loaded from anywhere: what the page says it cannot do, the browser sees to.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
const STYLE: &str = concat!(include_str!("html/report.css"), include_str!("html/chart.css"));
const SCRIPT: &str = include_str!("html/report.js");
/// The section that attachments belong to; one is made where the document has none.
const DATA_SECTION: &str = "data";
/// Sections below this depth have the smallest heading.
const DEPTH_MAX: usize = 4;

/// Characters of a first sentence that may stand in the largest type.
const LEAD_LENGTH: usize = 150;

/// A file inside the page, to be saved by its reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Attachment {
    /// The name it is saved under.
    pub(crate) file_name: String,
    /// `application/json`.
    pub(crate) media_type: String,
    /// Its bytes.
    pub(crate) base64: String,
    /// What it is, and how large.
    pub(crate) note: String,
}

/// The page.
pub(crate) fn render(document: &Document, attachments: &[Attachment]) -> String {
    let has_data_section = document.sections.iter().any(|section| section.id == DATA_SECTION);
    let own_data_section = !has_data_section && !attachments.is_empty();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (document.title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#report" { "Skip to the report" }
                div.page {
                    header.masthead {
                        h1 { (document.title) }
                        p.subtitle { (document.subtitle) }
                        (masthead(document))
                    }
                    (contents::contents(document, own_data_section.then_some(DATA_SECTION)))
                    main #report tabindex="-1" {
                        @for part in &document.sections {
                            (section(part, 0, attachments, &mut Meanings::default()))
                        }
                        @if own_data_section {
                            section id=(DATA_SECTION) {
                                (heading(DATA_SECTION, "Raw data", 0))
                                (downloads(attachments))
                            }
                        }
                    }
                    footer {
                        p { "One file, made by Fathom from a record. It loads nothing and sends nothing." }
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    visible_lines(&page.into_string())
}

/// The first sentence and the picture, which a screen holds together; then the others.
fn masthead(document: &Document) -> Markup {
    let (first, more) = document.answer.split_at(document.answer.len().min(1));
    html! {
        (answer(first, "answer"))
        @if let Some(picture) = &document.lead { (figure::figure(picture)) }
        (answer(more, "answer more"))
    }
}

fn answer(sentences: &[Prose], class: &str) -> Markup {
    html! {
        @if !sentences.is_empty() {
            div class=(class) {
                @for sentence in sentences {
                    p class=[(sentence.text().chars().count() > LEAD_LENGTH).then_some("long")] { (prose(sentence)) }
                }
            }
        }
    }
}

fn section(part: &Section, depth: usize, attachments: &[Attachment], meanings: &mut Meanings) -> Markup {
    html! {
        section id=(part.id) {
            (heading(&part.id, &part.title, depth))
            @for part in &part.blocks {
                (block(part, meanings))
            }
            @if depth == 0 && part.id == DATA_SECTION {
                (downloads(attachments))
            }
            @for part in &part.sections {
                (section(part, depth + 1, attachments, meanings))
            }
        }
    }
}

fn heading_id(section: &str) -> String {
    format!("{section}-heading")
}

/// A heading that can be linked to, one level below that of the part around it.
fn heading(section: &str, title: &str, depth: usize) -> Markup {
    let words = html! {
        (title)
        " "
        a.anchor href={ "#" (section) } aria-label={ "Link to “" (title) "”" } { "#" }
    };
    let id = heading_id(section);
    match depth.min(DEPTH_MAX) {
        0 => html! { h2 id=(id) { (words) } },
        1 => html! { h3 id=(id) { (words) } },
        2 => html! { h4 id=(id) { (words) } },
        3 => html! { h5 id=(id) { (words) } },
        _ => html! { h6 id=(id) { (words) } },
    }
}

fn downloads(attachments: &[Attachment]) -> Markup {
    html! {
        ul.downloads {
            @for file in attachments {
                li {
                    a download=(file.file_name) href={ "data:" (file.media_type) ";base64," (file.base64) } {
                        "Save " code { (file.file_name) }
                    }
                    " "
                    span.note-on-file { (file.note) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
