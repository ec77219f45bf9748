//! The contents of the page and the place of the tools that the script adds.

use crate::document::{Document, Section};
use maud::{Markup, html};

/// Links to the sections and, where these are few, to the parts of them.
pub(super) fn contents(document: &Document, data_section: Option<&str>) -> Markup {
    html! {
        div.side {
            // Without the script there is nothing to press.
            aside.tools aria-label="How the report is shown" hidden {}
            nav aria-label="Contents" {
                // Unfolded by the style sheet where there is room beside the text.
                details.contents {
                    summary { "Contents" }
                    ol {
                        @for section in &document.sections {
                            (entry(section))
                        }
                        @if let Some(id) = data_section {
                            li { a href={ "#" (id) } { "Raw data" } }
                        }
                    }
                }
            }
        }
    }
}

fn entry(section: &Section) -> Markup {
    html! {
        li {
            a href={ "#" (section.id) } { (section.title) }
            @if !section.sections.is_empty() {
                ol {
                    @for part in &section.sections {
                        li { a href={ "#" (part.id) } { (part.title) } }
                    }
                }
            }
        }
    }
}
