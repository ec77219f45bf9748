//! A report as data: sections of prose, facts, tables and figures, before it is
//! known whether it becomes HTML or Markdown. Knows nothing of records.

pub(crate) mod audit;
pub(crate) mod beside;
pub(crate) mod claims;
pub(crate) mod comparison;
pub(crate) mod context;
pub(crate) mod decisions;
pub(crate) mod experiment;
pub(crate) mod explanation;
pub(crate) mod ids;
pub(crate) mod lead;
pub(crate) mod machine;
pub(crate) mod method;
pub(crate) mod outcomes;
pub(crate) mod over_a_number;
pub(crate) mod report;
pub(crate) mod said;
pub(crate) mod scatter;
pub(crate) mod series;
pub(crate) mod trust;

pub(crate) use comparison::{belief, result};

use crate::chart::Chart;
use crate::columns::{self, Side};
use crate::palette::SeriesStyle;
use crate::quantity::capitalized;

/// A whole report.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Document {
    pub(crate) title: String,
    /// When and by what it was measured, in one line.
    pub(crate) subtitle: String,
    /// What came out, in about three sentences.
    pub(crate) answer: Vec<Prose>,
    /// The picture that stands with the answer.
    pub(crate) lead: Option<Figure>,
    pub(crate) sections: Vec<Section>,
}

/// A part of a report under its own heading.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Section {
    /// Unique in the report; letters, digits and dashes.
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) blocks: Vec<Block>,
    pub(crate) sections: Vec<Section>,
}

/// What a section is made of.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Block {
    Prose(Prose),
    /// Sentences that each stand alone.
    List(Vec<Item>),
    Facts(Vec<Fact>),
    Table(Table),
    Figure(Figure),
    Recipes(Recipes),
    Verdict(VerdictCard),
    Finding(FindingCard),
    Note(Note),
    /// Lines whose columns are aligned by blanks.
    Aligned(String),
    /// What is read on demand.
    Fold(Fold),
}

/// Words, some of which are names of methods or calls.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Prose(pub(crate) Vec<Span>);

/// A run of words in one face.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Span {
    Plain(String),
    /// A name as a program knows it.
    Code(String),
    Strong(String),
    /// A place in this report, or an address.
    Link {
        text: String,
        target: String,
    },
}

/// One sentence of a list, and how deep it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) depth: usize,
    pub(crate) tone: Tone,
    pub(crate) prose: Prose,
}

/// What a color may repeat; the words always say it too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Tone {
    #[default]
    Plain,
    Good,
    Bad,
    Faint,
    Strong,
}

/// A labelled fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fact {
    pub(crate) label: String,
    pub(crate) prose: Prose,
}

/// Something that is to be known before the figures are believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) tone: Tone,
    /// `warning`, `fault`, `note`.
    pub(crate) word: String,
    pub(crate) prose: Prose,
}

/// Blocks behind a summary.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fold {
    pub(crate) summary: Prose,
    pub(crate) open: bool,
    pub(crate) blocks: Vec<Block>,
}

/// Rows and columns of text; figures are written already.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Table {
    /// What it shows and in which state: never empty.
    pub(crate) caption: Prose,
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Row>,
    /// True where readers will want to sort and to filter its rows.
    pub(crate) interactive: bool,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) heading: String,
    pub(crate) kind: ColumnKind,
    /// What its figures mean, where the heading is short for it.
    pub(crate) meaning: Option<String>,
}

/// How a column is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    /// Names the row; at most one column, the first.
    Name,
    /// Figures, right-aligned, decimal points below each other.
    Figure,
    /// Belongs to the figure before it: an interval.
    Beside,
    /// Words, left-aligned.
    Words,
}

/// A row of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Row {
    pub(crate) cells: Vec<Cell>,
    /// The variant's color, where the row is one.
    pub(crate) style: Option<SeriesStyle>,
    /// True for a row that others are compared with.
    pub(crate) is_baseline: bool,
}

/// A cell of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Cell {
    pub(crate) prose: Prose,
    /// What rows are sorted by; words are sorted by themselves.
    pub(crate) sort: Option<f64>,
    pub(crate) tone: Tone,
    /// Strength of the cell's ground, 0 to 1, in a heat map.
    pub(crate) heat: Option<f64>,
    /// How much of the cell is filled, 0 to 1, where figures are shares.
    pub(crate) bar: Option<f64>,
    /// More words, on demand.
    pub(crate) hint: Option<String>,
}

/// A picture with its words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Figure {
    pub(crate) id: String,
    pub(crate) caption: Prose,
    /// What a reader who cannot see it has to know.
    pub(crate) description: String,
    pub(crate) chart: Chart,
}

/// The calls of one operation by each of several methods, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Recipes {
    pub(crate) caption: Prose,
    pub(crate) strips: Vec<Strip>,
}

/// The calls of methods that make the same ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Strip {
    pub(crate) methods: Vec<(String, Option<SeriesStyle>)>,
    /// Calls per operation, written.
    pub(crate) calls: String,
    pub(crate) steps: Vec<Step>,
}

/// One call, or a run of equal calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    /// `fcntl`.
    pub(crate) call: String,
    /// `F_GETFL`, shortened; empty for none.
    pub(crate) arguments: String,
    /// How often in a row.
    pub(crate) times: usize,
    pub(crate) waste: Option<Waste>,
    /// The whole step in words, with its price where one is known.
    pub(crate) hint: String,
}

/// Why a call may be done without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waste {
    /// It fails, and the operation succeeds all the same.
    Fails,
    /// The method with the fewest calls does not make it in the same operation.
    Extra,
}

/// A claim and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct VerdictCard {
    pub(crate) id: String,
    /// `supported`, `refuted`, `confounded`, `inconclusive`, `untestable`.
    pub(crate) verdict: String,
    pub(crate) tone: Tone,
    /// The statement, as it was published.
    pub(crate) sentence: String,
    pub(crate) source: String,
    /// What the author reported.
    pub(crate) reported: Option<String>,
    /// What was found here: in one phrase, then the figures of each check.
    pub(crate) found: Vec<Prose>,
    /// Checks and evidence.
    pub(crate) blocks: Vec<Block>,
}

/// What an audit found at one place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FindingCard {
    pub(crate) id: String,
    /// `R13`.
    pub(crate) rule: String,
    /// `high`, `warning`, `info`.
    pub(crate) severity: String,
    pub(crate) tone: Tone,
    /// Whose it is where it is not the reader's, and whether somebody decided to live with it.
    pub(crate) chips: Vec<String>,
    /// What happens.
    pub(crate) sentence: String,
    /// How often; what it costs.
    pub(crate) figures: Vec<String>,
    /// Of all that is priced, 0 to 1.
    pub(crate) share: Option<f64>,
    /// Where, what to do, what could make it wrong.
    pub(crate) facts: Vec<Fact>,
    /// Calls, in order.
    pub(crate) example: Vec<String>,
    /// Frames, the innermost first.
    pub(crate) stack: Vec<String>,
    /// True where the example is shown unasked.
    pub(crate) open: bool,
}

impl From<&str> for Prose {
    fn from(text: &str) -> Self {
        Self(vec![Span::Plain(text.to_owned())])
    }
}

impl From<String> for Prose {
    fn from(text: String) -> Self {
        Self(vec![Span::Plain(text)])
    }
}

impl Prose {
    /// One name.
    pub(crate) fn code(name: &str) -> Self {
        Self(vec![Span::Code(name.to_owned())])
    }

    /// Words in which every one of `names` is set as a name; the longest fits first.
    pub(crate) fn naming(text: &str, names: &[String]) -> Self {
        let mut spans = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let starts_a_word = plain.chars().next_back().is_none_or(|c| !is_of_a_name(c));
            let fitting = names.iter().filter(|name| !name.is_empty() && rest.starts_with(name.as_str()));
            let ends = |name: &&String| ends_here(&rest[name.len()..]);
            let name = fitting.filter(ends).max_by_key(|name| name.len()).filter(|_| starts_a_word);
            if let Some(name) = name {
                if !plain.is_empty() {
                    spans.push(Span::Plain(std::mem::take(&mut plain)));
                }
                spans.push(Span::Code(name.clone()));
                rest = &rest[name.len()..];
            } else {
                plain.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
        if !plain.is_empty() {
            spans.push(Span::Plain(plain));
        }
        Self(spans)
    }

    /// With its first letter large, unless it begins with a name.
    pub(crate) fn capitalized(mut self) -> Self {
        if let Some(Span::Plain(text)) = self.0.first_mut() {
            *text = capitalized(text);
        }
        self
    }

    /// The words without their faces.
    pub(crate) fn text(&self) -> String {
        let words = self.0.iter().map(|span| match span {
            Span::Plain(text) | Span::Code(text) | Span::Strong(text) | Span::Link { text, .. } => {
                text.as_str()
            }
        });
        words.collect()
    }
}

/// True before what is no more of a name; a colon before a blank belongs to the sentence.
fn ends_here(rest: &str) -> bool {
    let mut next = rest.chars();
    match next.next() {
        Some(':') => next.next().is_none_or(char::is_whitespace),
        Some('-') => next.next().is_none_or(|c| !c.is_alphanumeric()),
        Some(c) => !is_of_a_name(c),
        None => true,
    }
}

fn is_of_a_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | ':')
}

impl Cell {
    /// Words.
    pub(crate) fn words(prose: impl Into<Prose>) -> Self {
        Self { prose: prose.into(), ..Self::default() }
    }

    /// A figure, with the number that it is sorted by.
    pub(crate) fn figure(written: impl Into<Prose>, sort: Option<f64>) -> Self {
        Self { prose: written.into(), sort: sort.filter(|value| value.is_finite()), ..Self::default() }
    }
}

/// A cell of the terminal's table.
impl From<&columns::Cell> for Cell {
    fn from(cell: &columns::Cell) -> Self {
        Self::figure(cell.text.as_str(), cell.number)
    }
}

/// A column of the terminal's table.
impl From<&columns::Column> for Column {
    fn from(column: &columns::Column) -> Self {
        let kind = match column.side {
            Side::Right => ColumnKind::Figure,
            Side::Left => ColumnKind::Beside,
        };
        Self { meaning: column.meaning.map(str::to_owned), ..Self::new(&column.heading, kind) }
    }
}

impl Column {
    /// A column without further words on it.
    pub(crate) fn new(heading: &str, kind: ColumnKind) -> Self {
        Self { heading: heading.to_owned(), kind, meaning: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, names: &[&str]) -> String {
        let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
        let prose = Prose::naming(text, &names);
        assert_eq!(prose.text(), text);
        let span = |span: &Span| match span {
            Span::Code(name) => format!("<{name}>"),
            other => Prose(vec![other.clone()]).text(),
        };
        prose.0.iter().map(span).collect()
    }

    #[test]
    fn names_are_found_whole_and_the_longest_first() {
        let names = ["go:os.Open", "go:os.OpenFile", "open"];
        assert_eq!(
            shown("go:os.OpenFile beats go:os.Open, reopening", &names),
            "<go:os.OpenFile> beats <go:os.Open>, reopening"
        );
        assert_eq!(
            shown("than go:os.Open: fcntl; go:os.Open-x", &names),
            "than <go:os.Open>: fcntl; go:os.Open-x"
        );
        assert_eq!(shown("an open call", &names), "an <open> call");
        assert_eq!(shown("µ: nothing here", &names), "µ: nothing here");
    }
}
