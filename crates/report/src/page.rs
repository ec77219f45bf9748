//! The page that sections write on: lines of a fixed width, hanging indents,
//! and the few ANSI styles in use. What is hidden in anything that reaches it is
//! made visible as it is written.

use crate::visible::{visible, visible_lines};
use crate::wrap::{elide, width, wrap};
use crate::{Details, TextOptions};
use anstyle::{AnsiColor, Style};

/// The narrowest page there is.
const WIDTH_MIN: usize = 80;
/// Wide enough for every table, so that none is cut.
const COLLECTED_WIDTH: usize = 400;
/// Columns of the labels that stand left of a fact.
pub(crate) const LABEL_WIDTH: usize = 10;

/// The styles in use; each only repeats what the words say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    Plain,
    Heading,
    Good,
    Bad,
    Faint,
}

impl Ink {
    pub(crate) fn style(self) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Heading => Style::new().bold(),
            Self::Good => AnsiColor::Green.on_default(),
            Self::Bad => AnsiColor::Red.on_default(),
            Self::Faint => Style::new().dimmed(),
        }
    }
}

/// Text under construction.
#[derive(Debug)]
pub(crate) struct Page {
    width: usize,
    color: bool,
    full: bool,
    text: String,
    /// What was said, where it is collected instead of set in lines.
    collected: Option<Vec<Said>>,
}

/// Something that a section said, before it is set in lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    /// Words behind a label, from a column on.
    Words { indent: usize, ink: Ink, label: String, text: String },
    /// A line whose columns are aligned.
    Line(String),
    /// An empty line.
    Blank,
}

impl Page {
    pub(crate) fn new(options: &TextOptions) -> Self {
        Self {
            width: options.width.max(WIDTH_MIN),
            color: options.color,
            full: options.details == Details::Full,
            text: String::new(),
            collected: None,
        }
    }

    /// What `render` says on a page in full or in brief, sentence by sentence: for other
    /// forms than a terminal's. Aligned lines are as wide as they need to be.
    pub(crate) fn collect(details: Details, render: impl FnOnce(&mut Self)) -> Vec<Said> {
        let mut page = Self::new(&TextOptions { width: COLLECTED_WIDTH, color: false, details });
        page.collected = Some(Vec::new());
        render(&mut page);
        page.collected.unwrap_or_default()
    }

    /// Columns of a line.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// True when everything is to be shown.
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    /// Lines so far.
    pub(crate) fn line_count(&self) -> usize {
        self.text.lines().count()
    }

    /// Takes in the lines of another page that is as wide, at most so many; where there are more,
    /// the last one says so.
    pub(crate) fn append(&mut self, other: &Self, most: usize) {
        let count = other.line_count();
        let kept = if count > most { most.saturating_sub(1) } else { count };
        other.text.lines().take(kept).for_each(|line| {
            self.text.push_str(line);
            self.text.push('\n');
        });
        if count > most {
            self.row("", &format!("    … {} more lines: --full", count - kept), Ink::Faint);
        }
    }

    /// The finished text.
    pub(crate) fn finish(self) -> String {
        self.text
    }

    /// An empty line, unless there is one already or nothing before it.
    pub(crate) fn blank(&mut self) {
        if let Some(collected) = &mut self.collected {
            if !matches!(collected.last(), None | Some(Said::Blank)) {
                collected.push(Said::Blank);
            }
            return;
        }
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Lines of words in one ink, from column `indent` on.
    pub(crate) fn paragraph(&mut self, indent: usize, ink: Ink, text: &str) {
        self.hanging(&" ".repeat(indent), indent, ink, text);
    }

    /// A fact behind its label.
    pub(crate) fn fact(&mut self, label: &str, text: &str) {
        self.hanging(&format!("{label:LABEL_WIDTH$}"), LABEL_WIDTH, Ink::Plain, text);
    }

    /// A fact behind its label on one line, which may lose its middle.
    pub(crate) fn line(&mut self, label: &str, text: &str) {
        let room = self.width.saturating_sub(LABEL_WIDTH);
        self.fact(label, &elide(text, room));
    }

    /// Words behind `prefix`, further lines from column `indent` on.
    pub(crate) fn hanging(&mut self, prefix: &str, indent: usize, ink: Ink, text: &str) {
        // Some of what is hidden would pass for a blank.
        let text = visible_lines(text);
        self.flow(prefix, indent, ink, text.split_whitespace(), " ");
    }

    /// Tokens that are not to be broken, joined by `glue`, from column `indent` on.
    pub(crate) fn tokens(&mut self, prefix: &str, indent: usize, tokens: &[String], glue: &str) {
        self.flow(prefix, indent, Ink::Plain, tokens.iter().map(String::as_str), glue);
    }

    /// One line as it is, with a tail in its own ink.
    pub(crate) fn row(&mut self, text: &str, tail: &str, ink: Ink) {
        if let Some(collected) = &mut self.collected {
            collected.push(Said::Line(format!("{}{}", visible(text), visible(tail)).trim_end().to_owned()));
            return;
        }
        let tail = self.inked(&visible(tail), ink);
        let line = format!("{}{tail}", visible(text));
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// One line with a mark of its own ink before it.
    pub(crate) fn marked_row(&mut self, mark: &str, ink: Ink, text: &str) {
        if let Some(collected) = &mut self.collected {
            collected.push(Said::Line(format!("{} {}", visible(mark), visible(text)).trim_end().to_owned()));
            return;
        }
        let mark = self.inked(&visible(mark), ink);
        self.text.push_str(format!("{mark} {}", visible(text)).trim_end());
        self.text.push('\n');
    }

    /// True when a number that is not exact was written so far.
    pub(crate) fn has_approximations(&self) -> bool {
        let has =
            |text: &str| text.as_bytes().windows(2).any(|pair| pair[0] == b'~' && pair[1].is_ascii_digit());
        let said = |said: &Said| match said {
            Said::Words { text, .. } | Said::Line(text) => has(text),
            Said::Blank => false,
        };
        has(&self.text) || self.collected.iter().flatten().any(said)
    }

    fn flow<'a>(
        &mut self,
        prefix: &str,
        indent: usize,
        ink: Ink,
        tokens: impl Iterator<Item = &'a str>,
        glue: &str,
    ) {
        if let Some(collected) = &mut self.collected {
            let text = visible(&tokens.collect::<Vec<_>>().join(glue));
            let label = visible(prefix.trim());
            collected.push(Said::Words { indent: width(prefix).min(indent), ink, label, text });
            return;
        }
        // A prefix wider than the indent has its first line to itself.
        let alone = width(prefix) > indent;
        if alone {
            for line in wrap([prefix.trim_end()], " ", self.width) {
                self.row(&line, "", Ink::Plain);
            }
        }
        let mut start = if alone { " ".repeat(indent) } else { prefix.to_owned() };
        let room = self.width - indent;
        let mut fitting = Vec::new();
        for token in tokens {
            // A path that the indent leaves no room for stands whole, less far in.
            let columns = width(token);
            if glue == " " && (room + 1..=self.width).contains(&columns) && !token.contains(' ') {
                self.lines(&mut start, indent, ink, &wrap(fitting.drain(..), glue, room));
                if !start.trim().is_empty() {
                    self.row(&start, "", Ink::Plain);
                }
                self.row(&" ".repeat(self.width - columns), token, ink);
                start = " ".repeat(indent);
            } else {
                fitting.push(token);
            }
        }
        self.lines(&mut start, indent, ink, &wrap(fitting, glue, room));
    }

    /// Lines, the first behind `start`, which then becomes the indent.
    fn lines(&mut self, start: &mut String, indent: usize, ink: Ink, lines: &[String]) {
        for line in lines {
            self.row(start, line, ink);
            *start = " ".repeat(indent);
        }
    }

    fn inked(&self, text: &str, ink: Ink) -> String {
        if !self.color || ink == Ink::Plain || text.trim().is_empty() {
            return text.to_owned();
        }
        let style = ink.style();
        format!("{}{text}{}", style.render(), style.render_reset())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(color: bool) -> Page {
        Page::new(&TextOptions { color, ..TextOptions::default() })
    }

    #[test]
    fn a_path_that_fits_a_line_is_not_broken() {
        let path = format!("(/tmp/{}.json)", "x".repeat(63));
        let shown = |text: &str| {
            let mut page = page(false);
            page.fact("prices", text);
            page.finish()
        };
        let line = format!("{}{path}", " ".repeat(5));
        assert_eq!(width(&line), 80);
        assert_eq!(
            shown(&format!("of /tmp {path} and more")),
            format!("prices    of /tmp\n{line}\n          and more\n")
        );
        assert_eq!(shown(&path), format!("prices\n{line}\n"));
        let wider = format!("/tmp/{}/{}.json", "x".repeat(60), "y".repeat(20));
        let broken = format!("prices    /tmp/{}/\n          {}.json\n", "x".repeat(60), "y".repeat(20));
        assert_eq!(shown(&wider), broken, "where it must break, it does so behind a folder");
    }

    #[test]
    fn a_wide_prefix_has_a_line_of_its_own() {
        let mut page = page(false);
        page.hanging("a prefix", 4, Ink::Plain, "words");
        page.fact("kernel", "6.18");
        assert_eq!(page.finish(), "a prefix\n    words\nkernel    6.18\n");
    }

    #[test]
    fn color_adds_escapes_and_nothing_else() {
        let text = |color| {
            let mut page = page(color);
            page.row("1.64  ", "slower", Ink::Bad);
            page.finish()
        };
        assert_eq!(text(false), "1.64  slower\n");
        assert_eq!(text(true), "1.64  \u{1b}[31mslower\u{1b}[0m\n");
    }

    #[test]
    fn what_is_collected_is_whole_and_in_no_lines() {
        let long = "word ".repeat(100);
        let said = Page::collect(Details::Brief, |page| {
            page.blank();
            page.hanging("  ", 4, Ink::Bad, &long);
            page.fact("kernel", "6.18");
            page.marked_row("+", Ink::Bad, "a row");
        });
        let words = |indent, ink, label: &str, text: &str| Said::Words {
            indent,
            ink,
            label: label.to_owned(),
            text: text.to_owned(),
        };
        let expected = [
            words(2, Ink::Bad, "", long.trim_end()),
            words(10, Ink::Plain, "kernel", "6.18"),
            Said::Line("+ a row".to_owned()),
        ];
        assert_eq!(said, expected);
    }

    #[test]
    fn blank_lines_do_not_add_up() {
        let mut page = page(false);
        page.blank();
        page.row("a", "", Ink::Plain);
        page.blank();
        page.blank();
        page.row("b", "", Ink::Plain);
        assert_eq!(page.finish(), "a\n\nb\n");
    }
}
