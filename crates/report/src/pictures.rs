//! The pictures of a record as files of their own: what a report shows inside of its page.

use crate::chart::Chart;
use crate::document::lead::ID as LEAD;
use crate::document::report::{ReportSource, document};
use crate::document::{Block, Figure, Section};
use crate::html::{Drawn, sheet};
use fathom_model::Record;

/// Bytes of a file: small enough to be kept beside the record's page.
const BYTES_MAX: usize = 60_000;
/// Bytes of a sheet before its pictures: its style.
const BYTES_OF_STYLE: usize = 9_000;
/// Files of stacks.
const STACK_SHEETS_MAX: usize = 2;

/// Several pictures in one SVG file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureSheet {
    /// What sets its name apart from the others' of the record: empty, `-stacks`, `-stacks-2`.
    pub suffix: String,
    /// What it shows, for those who do not see it.
    pub description: String,
    /// The file.
    pub svg: String,
}

/// The pictures of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordPictures {
    /// The files.
    pub sheets: Vec<PictureSheet>,
    /// Pictures that they have no room for.
    pub left_out: usize,
}

/// The pictures of what a record shows, in the order of its report; what tells how far it can
/// be trusted stays there.
pub fn record_pictures(record: &Record) -> RecordPictures {
    let document = document(&[ReportSource { name: "", record }], None);
    // The one that stands with the answer, unless it is a part of one below.
    let mut figures: Vec<&Figure> = document.lead.iter().filter(|lead| lead.id != LEAD).collect();
    for section in &document.sections {
        in_section(section, &mut figures);
    }
    let (stacks, results): (Vec<&Figure>, Vec<&Figure>) =
        figures.into_iter().partition(|figure| matches!(figure.chart, Chart::Flame(_)));
    let results: Vec<&Figure> = results.into_iter().filter(|figure| !is_about_forks(figure)).collect();
    let name = record.experiments.first().map_or("", |experiment| experiment.name.as_str());
    let mut sheets = Vec::new();
    let mut left_out = 0;
    let kinds =
        [("", "what was measured", results, 1), ("-stacks", "sampled stacks", stacks, STACK_SHEETS_MAX)];
    for (kind, what, figures, sheets_max) in kinds {
        let mut packed = pack(&figures);
        left_out += packed.iter().skip(sheets_max).map(Vec::len).sum::<usize>();
        packed.truncate(sheets_max);
        for (number, drawn) in (1..).zip(packed) {
            let suffix = if number > 1 { format!("{kind}-{number}") } else { kind.to_owned() };
            let description = format!("{name}: {what}, drawn from its record");
            sheets.push(PictureSheet { suffix, svg: sheet(&drawn, &description), description });
        }
    }
    RecordPictures { sheets, left_out }
}

/// Figures in their order, in as many sheets as they need.
fn pack(figures: &[&Figure]) -> Vec<Vec<Drawn>> {
    let mut sheets: Vec<Vec<Drawn>> = Vec::new();
    let mut bytes = 0;
    for drawn in figures.iter().filter_map(|figure| Drawn::new(figure)) {
        if sheets.is_empty() || bytes + drawn.bytes() > BYTES_MAX {
            sheets.push(Vec::new());
            bytes = BYTES_OF_STYLE;
        }
        bytes += drawn.bytes();
        sheets.last_mut().expect("there is one").push(drawn);
    }
    sheets
}

/// True of pictures of processes beside each other.
fn is_about_forks(figure: &Figure) -> bool {
    let id = figure.id.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-');
    id.ends_with("-forks") || id.ends_with("-sitting")
}

fn in_section<'a>(section: &'a Section, found: &mut Vec<&'a Figure>) {
    in_blocks(&section.blocks, found);
    for section in &section.sections {
        in_section(section, found);
    }
}

fn in_blocks<'a>(blocks: &'a [Block], found: &mut Vec<&'a Figure>) {
    for block in blocks {
        match block {
            Block::Figure(figure) => found.push(figure),
            Block::Fold(fold) => in_blocks(&fold.blocks, found),
            _ => {}
        }
    }
}
