//! A report of records and audits as a file: HTML with the records inside, or Markdown.

use crate::document::audit::{self, AuditSource};
use crate::document::report::{METHOD_SECTION, ReportSource, document};
use crate::document::{Document, Prose, Section, Span};
use crate::embedding::{MEDIA_TYPE, compress, encode};
use crate::html::{self, Attachment};
use crate::markdown::{self, Purpose};
use crate::quantity::{rounded_bytes, things};
use fathom_model::{Record, Severity, Warning};
use serde::Serialize;

/// A page that opens quickly and can be sent by mail is no larger.
const PAGE_MAX_BYTES: usize = 5_000_000;

/// What may go wrong when a report is made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A record cannot be put into the page.
    #[error("failed to embed {name}: {error}")]
    Embed {
        /// The record's file.
        name: String,
        /// Why.
        error: std::io::Error,
    },
}

/// The report as one HTML file that needs nothing else. Records and audits are inside,
/// compressed; where that would make more than 5 MB, records without their samples, and
/// the page says so. Pure.
///
/// # Errors
///
/// Those of compressing a record.
pub fn report_html(
    sources: &[ReportSource<'_>],
    before: Option<ReportSource<'_>>,
    audits: &[AuditSource<'_>],
) -> Result<String, ReportError> {
    let document = whole(sources, before, audits);
    let records: Vec<&ReportSource<'_>> = before.iter().chain(sources).collect();
    let audits = audits.iter().map(audit_attachment).collect::<Result<Vec<_>, _>>()?;
    let attached = |thin| -> Result<Vec<Attachment>, ReportError> {
        let records = records.iter().map(|source| attachment(source, thin));
        records.chain(audits.iter().cloned().map(Ok)).collect()
    };
    let page = html::render(&document, &attached(false)?);
    if page.len() <= PAGE_MAX_BYTES {
        return Ok(page);
    }
    Ok(html::render(&document, &attached(true)?))
}

/// The same content as Markdown, without pictures. Pure.
pub fn report_markdown(
    sources: &[ReportSource<'_>],
    before: Option<ReportSource<'_>>,
    audits: &[AuditSource<'_>],
) -> String {
    markdown::render(&whole(sources, before, audits), Purpose::Page)
}

/// Records first, then what was audited, then how all of it was done.
fn whole(
    sources: &[ReportSource<'_>],
    before: Option<ReportSource<'_>>,
    audits: &[AuditSource<'_>],
) -> Document {
    let sections: Vec<Section> = match audits {
        [only] if sources.is_empty() && before.is_none() => return audit::document(only.audit),
        [only] => vec![audit::section(only, "audit")],
        many => {
            (1..).zip(many).map(|(number, each)| audit::section(each, &format!("audit-{number}"))).collect()
        }
    };
    if sources.is_empty() && before.is_none() && !audits.is_empty() {
        let each = audits.iter().flat_map(|source| {
            let title = Prose(vec![Span::Strong(format!("{}: ", audit::title(source.audit)))]);
            let sentences = audit::answer(source.audit).into_iter();
            sentences.take(1).map(move |first| Prose(title.0.iter().cloned().chain(first.0).collect()))
        });
        return Document {
            title: things(audits.len() as u64, "audit"),
            subtitle: "What programs waste or risk on their file path".to_owned(),
            answer: each.collect(),
            lead: None,
            sections,
        };
    }
    let mut document = document(sources, before);
    let at = document.sections.iter().position(|section| section.id == METHOD_SECTION);
    let at = at.unwrap_or(document.sections.len());
    document.sections.splice(at..at, sections);
    document
}

/// A value as JSON inside a page, compressed.
pub(crate) fn packed_json(name: &str, what: &str, value: &impl Serialize) -> Result<Attachment, ReportError> {
    let failed = |error| ReportError::Embed { name: name.to_owned(), error };
    let json = serde_json::to_vec(value).map_err(|error| failed(error.into()))?;
    let packed = compress(&json).map_err(failed)?;
    let note = format!("{what}; {}, compressed by xz", rounded_bytes(packed.len() as f64));
    Ok(packed_attachment(name, &packed, note))
}

fn audit_attachment(source: &AuditSource<'_>) -> Result<Attachment, ReportError> {
    packed_json(source.name, "the whole audit", source.audit)
}

fn attachment(source: &ReportSource<'_>, thin: bool) -> Result<Attachment, ReportError> {
    let failed = |error| ReportError::Embed { name: source.name.to_owned(), error };
    let json = if thin {
        serde_json::to_vec(&without_samples(source.record))
    } else {
        serde_json::to_vec(source.record)
    };
    let json = json.map_err(|error| failed(error.into()))?;
    let packed = compress(&json).map_err(failed)?;
    let size = rounded_bytes(packed.len() as f64);
    let note = if thin {
        format!("without its samples, which would make this page larger than 5 MB; {size}, compressed by xz")
    } else {
        format!("the whole record, every sample; {size}, compressed by xz")
    };
    Ok(packed_attachment(source.name, &packed, note))
}

/// What was packed, under the name of its file.
fn packed_attachment(name: &str, packed: &[u8], note: String) -> Attachment {
    let file = name.rsplit('/').next().unwrap_or(name);
    let stem = file.strip_suffix(".json").unwrap_or(file);
    Attachment {
        file_name: format!("{stem}.json.xz"),
        media_type: MEDIA_TYPE.to_owned(),
        base64: encode(packed),
        note,
    }
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
