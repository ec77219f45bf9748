//! Tables of text for other programs and for comments: CSV, and Markdown as code hosts show it.

use crate::export_error::ExportError;
use crate::visible::{is_line_end, visible_lines};

/// A form of a table that is no text for a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableForm {
    /// For a comment.
    Markdown,
    /// For a spreadsheet.
    Csv,
}

/// Rows under a header; figures are marked.
#[derive(Debug)]
pub(crate) struct TextTable {
    pub(crate) header: Vec<&'static str>,
    /// Which columns hold figures.
    pub(crate) figures: Vec<bool>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl TextTable {
    /// The table in a form.
    pub(crate) fn written(self, form: TableForm) -> Result<String, ExportError> {
        match form {
            TableForm::Markdown => Ok(markdown(&self.header, &self.figures, self.rows)),
            TableForm::Csv => csv(&self.header, self.rows),
        }
    }
}

/// A table as CSV, with a header.
pub(crate) fn csv(
    header: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> Result<String, ExportError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header)?;
    for row in rows {
        writer.write_record(&row)?;
    }
    let bytes =
        writer.into_inner().map_err(|error| csv::Error::from(std::io::Error::from(error.error().kind())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A table as Markdown; every cell is text. Columns of figures stand right.
fn markdown(header: &[&str], figures: &[bool], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line =
        |cells: &mut dyn Iterator<Item = String>| format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "));
    let mut text = line(&mut header.iter().map(|cell| plain(cell)));
    text += &line(&mut figures.iter().map(|figure| if *figure { "--:" } else { "---" }.to_owned()));
    for row in rows {
        text += &line(&mut row.iter().map(|cell| plain(cell)));
    }
    visible_lines(&text)
}

/// Words without what Markdown would take for its own.
pub(crate) fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '*' | '<' | '>' | '`' | '[' | ']' | '\\' => {
                escaped.push('\\');
                escaped.push(c);
            }
            '_' => escaped.push('_'),
            c if is_line_end(c) => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
