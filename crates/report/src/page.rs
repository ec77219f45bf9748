//! The page that sections write on, piece by piece; and its lines on a terminal: a fixed width,
//! hanging indents, and the few ANSI styles in use. What is hidden in anything that reaches it is
//! made visible as it is written.

use crate::options::{Details, TextOptions};
use crate::visible::{visible, visible_lines};
use crate::wrap::{elide, width, wrap};
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

/// What sections say, in order; laid out in lines only when it is finished.
#[derive(Debug)]
pub(crate) struct Page {
    width: usize,
    color: bool,
    full: bool,
    pieces: Vec<Piece>,
}

/// Something that a section said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    Words(Words),
    /// A line whose columns are aligned: runs of text, each in its ink.
    Row(Vec<(String, Ink)>),
    /// An empty line, unless there is one already or nothing before it.
    Blank,
    /// A line of another page of the same width, as it was laid out there.
    LaidOut(String),
}

/// Words behind a label, from a column on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Words {
    /// What stands before the first of them, as wide as it is there.
    prefix: String,
    indent: usize,
    pub(crate) ink: Ink,
    /// What is not to be broken; `glue` stands between.
    tokens: Vec<String>,
    glue: String,
}

impl Words {
    pub(crate) fn label(&self) -> String {
        visible(self.prefix.trim())
    }

    pub(crate) fn text(&self) -> String {
        visible(&self.tokens.join(&self.glue))
    }

    /// How far in the words stand; further lines of a label's may stand deeper.
    pub(crate) fn depth(&self) -> usize {
        width(&self.prefix).min(self.indent)
    }
}

impl Page {
    pub(crate) fn new(options: &TextOptions) -> Self {
        Self {
            width: options.width.max(WIDTH_MIN),
            color: options.color,
            full: options.details == Details::Full,
            pieces: Vec::new(),
        }
    }

    /// What `render` says on a page in full or in brief, piece by piece: for other forms than a
    /// terminal's. Aligned lines are as wide as they need to be.
    pub(crate) fn collect(details: Details, render: impl FnOnce(&mut Self)) -> Vec<Piece> {
        let mut page = Self::new(&TextOptions { width: COLLECTED_WIDTH, color: false, details });
        render(&mut page);
        page.pieces
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
        self.laid_out().lines().count()
    }

    /// True where something was left out of a line.
    pub(crate) fn is_cut(&self) -> bool {
        self.laid_out().contains('…')
    }

    /// Takes in the lines of another page that is as wide, at most so many; where there are more,
    /// the last one says so.
    pub(crate) fn append(&mut self, other: &Self, most: usize) {
        let text = other.laid_out();
        let count = text.lines().count();
        let kept = if count > most { most.saturating_sub(1) } else { count };
        self.pieces.extend(text.lines().take(kept).map(|line| Piece::LaidOut(line.to_owned())));
        if count > most {
            self.row("", &format!("    … {} more lines: --full", count - kept), Ink::Faint);
        }
    }

    /// The finished text.
    pub(crate) fn finish(self) -> String {
        self.laid_out()
    }

    /// An empty line, unless there is one already or nothing before it.
    pub(crate) fn blank(&mut self) {
        self.pieces.push(Piece::Blank);
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
        let tokens = visible_lines(text).split_whitespace().map(str::to_owned).collect();
        self.words(prefix, indent, ink, tokens, " ");
    }

    /// The same of tokens that are not to be broken.
    pub(crate) fn unbroken(&mut self, indent: usize, ink: Ink, tokens: Vec<String>) {
        self.words("", indent, ink, tokens, " ");
    }

    /// Tokens that are not to be broken, joined by `glue`, from column `indent` on.
    pub(crate) fn tokens(&mut self, prefix: &str, indent: usize, tokens: &[String], glue: &str) {
        self.words(prefix, indent, Ink::Plain, tokens.to_vec(), glue);
    }

    fn words(&mut self, prefix: &str, indent: usize, ink: Ink, tokens: Vec<String>, glue: &str) {
        let (prefix, glue) = (prefix.to_owned(), glue.to_owned());
        self.pieces.push(Piece::Words(Words { prefix, indent, ink, tokens, glue }));
    }

    /// One line as it is, with a tail in its own ink.
    pub(crate) fn row(&mut self, text: &str, tail: &str, ink: Ink) {
        self.pieces.push(Piece::Row(vec![(text.to_owned(), Ink::Plain), (tail.to_owned(), ink)]));
    }

    /// One line with a mark of its own ink before it.
    pub(crate) fn marked_row(&mut self, mark: &str, ink: Ink, text: &str) {
        self.pieces.push(Piece::Row(vec![(mark.to_owned(), ink), (format!(" {text}"), Ink::Plain)]));
    }

    fn laid_out(&self) -> String {
        let mut lines = Lines { width: self.width, color: self.color, text: String::new() };
        for piece in &self.pieces {
            match piece {
                Piece::Words(words) => lines.words(words),
                Piece::Row(runs) => lines.row(runs.iter().map(|(text, ink)| (text.as_str(), *ink))),
                Piece::Blank => lines.blank(),
                Piece::LaidOut(line) => lines.push(line),
            }
        }
        lines.text
    }
}

/// Pieces on their way into lines of a terminal.
struct Lines {
    width: usize,
    color: bool,
    text: String,
}

impl Lines {
    fn push(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    fn row<'a>(&mut self, runs: impl IntoIterator<Item = (&'a str, Ink)>) {
        let line: String = runs.into_iter().map(|(text, ink)| self.inked(&visible(text), ink)).collect();
        self.push(line.trim_end());
    }

    fn words(&mut self, words: &Words) {
        let Words { prefix, indent, ink, tokens, glue } = words;
        let (indent, ink) = (*indent, *ink);
        // A prefix wider than the indent has its first line to itself.
        let alone = width(prefix) > indent;
        if alone {
            for line in wrap([prefix.trim_end()], " ", self.width) {
                self.row([(line.as_str(), Ink::Plain)]);
            }
        }
        let mut start = if alone { " ".repeat(indent) } else { prefix.clone() };
        let room = self.width - indent;
        let mut fitting = Vec::new();
        for token in tokens.iter().map(String::as_str) {
            // A path that the indent leaves no room for stands whole, less far in.
            let columns = width(token);
            if glue == " " && (room + 1..=self.width).contains(&columns) && !token.contains(' ') {
                self.rows(&mut start, indent, ink, &wrap(fitting.drain(..), glue, room));
                if !start.trim().is_empty() {
                    self.row([(start.as_str(), Ink::Plain)]);
                }
                self.row([(" ".repeat(self.width - columns).as_str(), Ink::Plain), (token, ink)]);
                start = " ".repeat(indent);
            } else {
                fitting.push(token);
            }
        }
        self.rows(&mut start, indent, ink, &wrap(fitting, glue, room));
    }

    /// Lines, the first behind `start`, which then becomes the indent.
    fn rows(&mut self, start: &mut String, indent: usize, ink: Ink, lines: &[String]) {
        for line in lines {
            self.row([(start.as_str(), Ink::Plain), (line.as_str(), ink)]);
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
        let pieces = Page::collect(Details::Brief, |page| {
            page.hanging("  ", 4, Ink::Bad, &long);
            page.fact("kernel", "6.18");
            page.marked_row("+", Ink::Bad, "a row");
        });
        let [Piece::Words(sentence), Piece::Words(fact), Piece::Row(row)] = pieces.as_slice() else {
            panic!("{pieces:?}")
        };
        let of = |words: &Words| (words.depth(), words.ink, words.label(), words.text());
        assert_eq!(of(sentence), (2, Ink::Bad, String::new(), long.trim_end().to_owned()));
        assert_eq!(of(fact), (10, Ink::Plain, "kernel".to_owned(), "6.18".to_owned()));
        assert_eq!(row, &[("+".to_owned(), Ink::Bad), (" a row".to_owned(), Ink::Plain)]);
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
