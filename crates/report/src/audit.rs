//! What an audit found, as a good linter says it: dangers first, then costs, the
//! dearest first, each with an example, its price and what to do.

use crate::TextOptions;
use crate::page::{Ink, Page};
use crate::quantity::{percent, short_time, things, three_digits};
use fathom_audit::{Audit, Finding, FindingClass, FindingPrice, Owner, Severity, ShareOf};
use fathom_model::Reading;

/// Columns of the words before a finding's sentence.
const INDENT: usize = 6;

/// Renders an audit for a terminal. Pure.
pub fn render_audit(audit: &Audit, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    for fact in &audit.about {
        page.fact(&fact.label, &fact.text);
    }
    let of = |class| audit.findings.iter().filter(move |finding| finding.class == class);
    for (class, heading) in
        [(FindingClass::Correctness, "Dangers"), (FindingClass::Cost, "Costs, the dearest first")]
    {
        if of(class).next().is_some() {
            page.blank();
            page.paragraph(0, Ink::Heading, heading);
        }
        for finding in of(class) {
            page.blank();
            self::finding(&mut page, audit, finding);
        }
    }
    page.blank();
    page.paragraph(0, Ink::Heading, &tally(audit));
    page.finish()
}

/// `3 findings (1 high, 2 info) in 4,312 calls of 2 processes, 120 files opened`.
fn tally(audit: &Audit) -> String {
    let of = |severity| audit.findings.iter().filter(|finding| finding.severity == severity).count();
    let counted: Vec<String> = [Severity::High, Severity::Warn, Severity::Info]
        .into_iter()
        .filter(|&severity| of(severity) > 0)
        .map(|severity| format!("{} {}", of(severity), word(severity)))
        .collect();
    let counted = if counted.is_empty() { String::new() } else { format!(" ({})", counted.join(", ")) };
    let findings = match audit.findings.len() {
        0 => "No findings".to_owned(),
        n => things(n as u64, "finding"),
    };
    let processes = match audit.processes {
        1 => "1 process".to_owned(),
        n => format!("{n} processes"),
    };
    format!(
        "{findings}{counted} in {} of {processes}, {} opened",
        things(audit.events, "call"),
        things(audit.files_opened, "file")
    )
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::High => "high",
        Severity::Warn => "warning",
        Severity::Info => "info",
    }
}

fn ink(severity: Severity) -> Ink {
    match severity {
        Severity::High | Severity::Warn => Ink::Bad,
        Severity::Info => Ink::Plain,
    }
}

fn owner(owner: Owner) -> &'static str {
    match owner {
        Owner::Yours => "",
        Owner::Runtime => "not yours: the runtime's",
        Owner::Libc => "not yours: the C library's",
        Owner::Loader => "not yours: the dynamic loader's",
    }
}

fn finding(page: &mut Page, audit: &Audit, finding: &Finding) {
    let severity = word(finding.severity);
    page.hanging(
        &format!("{} ", finding.rule),
        INDENT - 2,
        ink(finding.severity),
        &format!("{severity}: {}", finding.title),
    );
    let mut facts = vec![things(finding.count, "time")];
    facts.extend(finding.per_file_opened.map(|each| format!("{} per file opened", three_digits(each))));
    facts.push(price(&finding.price));
    facts.extend(Some(owner(finding.owner).to_owned()).filter(|words| !words.is_empty()));
    page.paragraph(INDENT - 2, Ink::Plain, &facts.join("; "));
    let place: Vec<String> = [
        finding.place.paths.clone(),
        finding.place.program.as_ref().map(|program| format!("by {program}")),
        (audit.processes > 1).then(|| format!("process {}", finding.place.process)),
    ]
    .into_iter()
    .flatten()
    .collect();
    if !place.is_empty() {
        page.hanging("    at ", 7, Ink::Plain, &place.join(", "));
    }
    for (number, call) in finding.example.iter().enumerate() {
        page.hanging(&format!("    {}. ", number + 1), 9, Ink::Faint, &call.text);
    }
    page.hanging("    fix: ", 9, Ink::Plain, &finding.fix);
    if !finding.doubt.is_empty() {
        page.hanging("    unless: ", 12, Ink::Plain, &finding.doubt);
    }
    if !finding.references.is_empty() {
        page.hanging("    see: ", 9, Ink::Faint, &finding.references.join(", "));
    }
}

/// `about 209 µs [200 µs, 219 µs] untraced, 3.2 % of all file calls`.
fn price(price: &Reading<FindingPrice>) -> String {
    let price = match price {
        Reading::Value(price) => price,
        Reading::Unavailable(reason) => return format!("no price: {reason}"),
    };
    let interval = match price.low_ns.zip(price.high_ns) {
        Some((low, high)) => format!(" [{}, {}]", short_time(low), short_time(high)),
        None => String::new(),
    };
    let share = price.share.map(|share| {
        let of = match price.share_of {
            ShareOf::Run => "of the run",
            ShareOf::FileCalls => "of its priced file calls",
        };
        format!(", {} {of}", percent(share))
    });
    let without = match price.calls_without_price {
        0 => String::new(),
        some => format!(" ({} without a price)", things(some, "call")),
    };
    format!("{}{interval} untraced{}{without}", short_time(price.total_ns), share.unwrap_or_default())
}
