//! A record in the forms that other tools read. Names and figures are the
//! record's; what a form cannot carry is left out, never made up.

mod bencher;
mod benchfmt;
pub(crate) mod collection;
mod csv;
mod hyperfine;
mod junit;
mod markdown;
mod parquet;
pub(crate) mod record_name;

use crate::export_error::ExportError;
use crate::figures::FigureForm;
use crate::figures::of_record::record_figures;
use crate::visible::{visible_json, visible_lines};
use fathom_model::Record;

/// A form that another tool reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// Go's benchmark format, for benchstat.
    Benchfmt,
    /// One row per variant, for spreadsheets and data frames.
    Csv,
    /// Tables for a pull request.
    Markdown,
    /// `customSmallerIsBetter` of github-action-benchmark.
    GithubActionBenchmark,
    /// `OpenMetrics`, for Prometheus and its relatives.
    OpenMetrics,
    /// Bencher's metric format.
    Bencher,
    /// Hyperfine's JSON of version 1.
    Hyperfine,
    /// A test report.
    Junit,
    /// One row per sample, for data frames and SQL.
    Parquet,
}

impl ExportFormat {
    /// Every form.
    pub const ALL: [Self; 9] = [
        Self::Benchfmt,
        Self::Csv,
        Self::Markdown,
        Self::GithubActionBenchmark,
        Self::OpenMetrics,
        Self::Bencher,
        Self::Hyperfine,
        Self::Junit,
        Self::Parquet,
    ];
}

/// A record in a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exported {
    /// Text that ends in a line break.
    Text(String),
    /// Bytes that no terminal can show.
    Binary(Vec<u8>),
}

impl Exported {
    /// What goes into a file.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Binary(bytes) => bytes,
        }
    }
}

/// The record in this form.
pub fn export(record: &Record, format: ExportFormat) -> Result<Exported, ExportError> {
    let is_json = matches!(format, ExportFormat::Bencher | ExportFormat::Hyperfine);
    let text = match format {
        ExportFormat::Benchfmt => benchfmt::export(record),
        ExportFormat::Csv => csv::export(record),
        ExportFormat::Markdown => markdown::export(record),
        ExportFormat::GithubActionBenchmark => {
            return record_figures(record, FigureForm::GithubActionBenchmark).map(Exported::Text);
        }
        ExportFormat::OpenMetrics => {
            return record_figures(record, FigureForm::OpenMetrics).map(Exported::Text);
        }
        ExportFormat::Bencher => bencher::export(record),
        ExportFormat::Hyperfine => hyperfine::export(record),
        ExportFormat::Junit => junit::export(record),
        ExportFormat::Parquet => return parquet::export(record).map(Exported::Binary),
    };
    text.map(|text| Exported::Text(if is_json { visible_json(&text) } else { visible_lines(&text) }))
}
