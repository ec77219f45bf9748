//! Words with their faces: names, strong words, links.

use crate::document::{Prose, Span};
use crate::visible::visible;
use maud::{Markup, PreEscaped, html};

/// The words of a sentence.
pub(super) fn prose(words: &Prose) -> Markup {
    html! {
        @for span in &words.0 {
            @match span {
                Span::Plain(text) => (text),
                Span::Code(text) => code { (breakable(&visible(text))) },
                Span::Strong(text) => strong { (text) },
                Span::Link { text, target } => a href=(safe_target(target)) { (text) },
            }
        }
    }
}

/// A name that may be broken where its parts meet, and keeps them whole otherwise.
pub(super) fn breakable(name: &str) -> Markup {
    /// Shorter names fit every line.
    const LONG: usize = 16;
    if name.chars().count() < LONG {
        return html! { (name) };
    }
    let mut markup = String::new();
    for part in name.split_inclusive([':', '.', '/', '+', ',', '(', '|']) {
        markup.push_str(&html! { (part) }.into_string());
        // `::` and `...` stay together.
        if part.chars().count() > 1 {
            markup.push_str("<wbr>");
        }
    }
    PreEscaped(markup.trim_end_matches("<wbr>").to_owned())
}

/// Where a link leads: a place in the page, or a web page; nothing that would run.
fn safe_target(target: &str) -> &str {
    let is_safe = ["#", "https://", "http://"].iter().any(|start| target.starts_with(start));
    if is_safe { target } else { "#" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_escaped_and_links_lead_nowhere_dangerous() {
        let link = |target: &str| Span::Link { text: "x".to_owned(), target: target.to_owned() };
        let words = Prose(vec![
            Span::Plain("<b>&".to_owned()),
            Span::Code("</code>".to_owned()),
            link("javascript:alert(1)"),
            link("#a"),
        ]);
        let markup = prose(&words).into_string();
        let expected = "&lt;b&gt;&amp;<code>&lt;/code&gt;</code><a href=\"#\">x</a><a href=\"#a\">x</a>";
        assert_eq!(markup, expected);
    }

    #[test]
    fn the_end_of_a_line_inside_a_name_is_shown() {
        let words = Prose(vec![Span::Code("/data/a\n2. close(3)".to_owned())]);
        let markup = prose(&words).into_string().replace("<wbr>", "");
        assert_eq!(markup, "<code>/data/a\\n2. close(3)</code>");
    }

    #[test]
    fn long_names_break_where_their_parts_meet() {
        assert_eq!(breakable("go:os.Open").into_string(), "go:os.Open");
        let long = breakable("java:FileChannel.open(<READ>)").into_string();
        assert_eq!(long, "java:<wbr>FileChannel.<wbr>open(<wbr>&lt;READ&gt;)");
    }
}
