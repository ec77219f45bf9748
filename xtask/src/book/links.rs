//! What a page of Markdown links to, and what in it can be linked to.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::BTreeSet;

/// The links of a page.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// The text of its first heading.
    pub(super) title: String,
    /// Where its links and pictures lead, in order.
    pub(super) links: Vec<String>,
    /// The ids of its headings.
    pub(super) anchors: BTreeSet<String>,
}

impl Page {
    /// Reads a page.
    pub(super) fn read(text: &str) -> Self {
        let mut page = Self::default();
        let mut heading: Option<String> = None;
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.to_string());
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::Text(words) | Event::Code(words) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&words);
                    }
                }
                Event::End(TagEnd::Heading(_)) => page.add_heading(&heading.take().unwrap_or_default()),
                _ => {}
            }
        }
        page
    }

    fn add_heading(&mut self, words: &str) {
        if self.title.is_empty() {
            words.clone_into(&mut self.title);
        }
        let anchor = anchor(words);
        let numbered = (1..).map(|number| format!("{anchor}-{number}"));
        let free = std::iter::once(anchor.clone()).chain(numbered).find(|id| !self.anchors.contains(id));
        self.anchors.extend(free);
    }
}

/// True of a link that leads out of the source tree, by its scheme.
pub(super) fn is_elsewhere(link: &str) -> bool {
    link.split_once(':').is_some_and(|(scheme, _)| scheme.chars().all(|c| c.is_ascii_alphabetic()))
}

/// The path of a link, and its anchor.
pub(super) fn split(link: &str) -> (&str, Option<&str>) {
    link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)))
}

/// The id of a heading, as GitHub and mdbook make it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_headings_are_found_and_code_is_none() {
        let page = Page::read(
            "# A `b` [c](d.md)\n\n## x\n\n## x\n\n`[no](link.md)` ![p](p.png)\n\n```\n[nor](this.md)\n# nor this\n```\n\n| [t](t.md#x) |\n|---|\n",
        );
        assert_eq!(page.title, "A b c");
        assert_eq!(page.links, ["d.md", "p.png", "t.md#x"]);
        assert_eq!(page.anchors.iter().collect::<Vec<_>>(), ["a-b-c", "x", "x-1"]);
        assert_eq!(anchor("The count pass [lab/count.rs, trace/]"), "the-count-pass-labcountrs-trace");
    }

    #[test]
    fn links_are_told_apart() {
        assert!(is_elsewhere("https://rustup.rs"));
        assert!(!is_elsewhere("../a.md#b:c"));
        assert_eq!(split("a.md#b"), ("a.md", Some("b")));
        assert_eq!(split("a.md"), ("a.md", None));
    }
}
