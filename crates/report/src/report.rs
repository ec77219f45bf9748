//! A report of records as a file: HTML with the records inside, or Markdown.

use crate::document::report::{ReportSource, document};
use crate::embedding::{MEDIA_TYPE, compress, encode};
use crate::html::{self, Attachment};
use crate::markdown;
use crate::quantity::rounded_bytes;
use fathom_model::{Record, Severity, Warning};

/// A page that opens quickly and can be sent by mail is no larger.
const PAGE_MAX_BYTES: usize = 5_000_000;

/// What may go wrong when a report is made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A record cannot be put into the page.
    #[error("failed to embed {name}: {source}")]
    Embed {
        /// The record's file.
        name: String,
        /// Why.
        source: std::io::Error,
    },
}

/// The report as one HTML file that needs nothing else. The records are inside,
/// compressed; where that would make more than 5 MB, without their samples, and
/// the page says so. Pure.
///
/// # Errors
///
/// Those of compressing a record.
pub fn report_html(
    sources: &[ReportSource<'_>],
    before: Option<ReportSource<'_>>,
) -> Result<String, ReportError> {
    let document = document(sources, before);
    let all: Vec<&ReportSource<'_>> = before.iter().chain(sources).collect();
    let whole = attachments(&all, false)?;
    let page = html::render(&document, &whole);
    if page.len() <= PAGE_MAX_BYTES {
        return Ok(page);
    }
    Ok(html::render(&document, &attachments(&all, true)?))
}

/// The same content as Markdown, without pictures. Pure.
pub fn report_markdown(sources: &[ReportSource<'_>], before: Option<ReportSource<'_>>) -> String {
    markdown::render(&document(sources, before))
}

fn attachments(sources: &[&ReportSource<'_>], thin: bool) -> Result<Vec<Attachment>, ReportError> {
    sources.iter().map(|source| attachment(source, thin)).collect()
}

fn attachment(source: &ReportSource<'_>, thin: bool) -> Result<Attachment, ReportError> {
    let failed = |source_error| ReportError::Embed { name: source.name.to_owned(), source: source_error };
    let json = if thin {
        serde_json::to_vec(&without_samples(source.record))
    } else {
        serde_json::to_vec(source.record)
    };
    let json = json.map_err(|error| failed(error.into()))?;
    let packed = compress(&json).map_err(failed)?;
    let file = source.name.rsplit('/').next().unwrap_or(source.name);
    let stem = file.strip_suffix(".json").unwrap_or(file);
    let size = rounded_bytes(packed.len() as f64);
    let note = if thin {
        format!("without its samples, which would make this page larger than 5 MB; {size}, compressed by xz")
    } else {
        format!("the whole record, every sample; {size}, compressed by xz")
    };
    Ok(Attachment {
        file_name: format!("{stem}.json.xz"),
        media_type: MEDIA_TYPE.to_owned(),
        base64: encode(&packed),
        note,
    })
}

/// Everything but the raw samples, and a warning that says so.
fn without_samples(record: &Record) -> Record {
    let mut record = record.clone();
    for comparison in record.experiments.iter_mut().flat_map(|experiment| &mut experiment.comparisons) {
        comparison.forks.clear();
    }
    let text = "the samples of the forks were left out of this copy; the estimates in it rest on them";
    record.warnings.push(Warning::new(Severity::Note, "samples-left-out", text));
    record
}
