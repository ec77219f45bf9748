//! `fathom audit diff`: two audits, traces or counts side by side.

use super::listener::{Judge, Start};
use super::source::listen_to_file;
use crate::arguments::{AuditDiff as Words, FailOn, FormatWriter};
use crate::command::Hinted;
use crate::exit::Exit;
use crate::record_file::{self, Kept};
use crate::{kept_prices, output};
use anyhow::Context;
use fathom_audit::{
    AuditDifference, Auditor, FactKind, FindingChange, Gap, GapKind, PriceList as Priced, RuleChoice, Side,
    SideSum,
};
use fathom_collect::machine;
use fathom_events::is_trace_file;
use fathom_lab::limited_read::ReadLimit;
use fathom_model::{COMMAND_COUNT_VERSION, CommandCount, Reading};
use fathom_report::{
    Details, TextOptions, audit_difference_figures, audit_difference_table, render_audit_difference,
};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Does what the command line asks for.
pub(super) fn run(words: &Words) -> anyhow::Result<Exit> {
    if let Some(path) = &words.output {
        record_file::check_folder(path)?;
    }
    let prices = kept_prices::asked_or_kept(words.prices.as_deref(), &machine())?;
    let (prices, are) = match &prices {
        Reading::Value((file, list)) => {
            (&list.prices[..], format!("untraced, of {}, {}", list.created, file.display()))
        }
        Reading::Unavailable(reason) => (&[][..], reason.clone()),
    };
    let (before, after) = (side(&words.before, &Priced(prices))?, side(&words.after, &Priced(prices))?);
    let difference = AuditDifference::new(&before, &after, &Priced(prices), &are);
    if words.fail_on.contains(&FailOn::Dearer) && prices.is_empty() {
        return Err(Hinted::error(
            format!("`--fail-on dearer` needs prices: {are}"),
            "`fathom prices` takes them, `--prices FILE` names some",
        ));
    }
    put(words, &difference)?;
    let found = words.fail_on.iter().filter_map(|change| Some((*change, failure(*change, &difference)?)));
    let (open, failed): (Vec<_>, Vec<_>) = found.partition(|(change, _)| is_open(*change, &difference));
    for (word, failures) in [("not known", &open), ("failed", &failed)] {
        for (_, failure) in failures {
            output::note(&format!("{word}: {failure}"));
        }
    }
    let asks_findings =
        words.fail_on.iter().any(|change| matches!(change, FailOn::NewFindings | FailOn::MoreFindings));
    let lacks_findings =
        difference.findings_not_compared.is_some() || !difference.rules_not_compared.is_empty();
    let is_blind = asks_findings && lacks_findings
        || [&difference.before, &difference.after].iter().any(|side| !side.gaps.is_empty());
    Ok(match failed.is_empty() {
        false => Exit::Findings,
        // What nobody saw on one side may be new, or be there still.
        true if is_blind => Exit::Inconclusive,
        true => Exit::Done,
    })
}

/// True where lost events may be all there is to a change: what is new may have been there before, and
/// findings may follow from what is missing.
fn is_open(change: FailOn, difference: &AuditDifference) -> bool {
    let has_lost = |side: &SideSum| side.gaps.iter().any(|gap| gap.kind == GapKind::Lost);
    let is_of_findings = matches!(change, FailOn::NewFindings | FailOn::MoreFindings);
    has_lost(&difference.before) || is_of_findings && has_lost(&difference.after)
}

/// What happened of what must not, in words.
fn failure(change: FailOn, difference: &AuditDifference) -> Option<String> {
    let (before, after) = (&difference.before, &difference.after);
    let count = |change| difference.findings_that_are(change).count();
    match change {
        FailOn::NewFindings => {
            Some(count(FindingChange::New)).filter(|new| *new > 0).map(|new| format!("{new} new"))
        }
        FailOn::MoreFindings => {
            let more = count(FindingChange::New) + count(FindingChange::More);
            (more > 0).then(|| format!("{more} new or more frequent"))
        }
        FailOn::MoreCalls => (after.calls > before.calls)
            .then(|| format!("{} calls, {} more than before", after.calls, after.calls - before.calls)),
        FailOn::Dearer => {
            let (after, before) = (after.price_ns.unwrap_or(0.0), before.price_ns.unwrap_or(0.0));
            (after > before).then(|| format!("{:.0} ns dearer by the price list", after - before))
        }
    }
}

fn put(words: &Words, difference: &AuditDifference) -> anyhow::Result<()> {
    let text = match words.format.writer() {
        FormatWriter::Table(form) => audit_difference_table(difference, form)?,
        FormatWriter::Figures(form) => audit_difference_figures(difference, form)?,
        FormatWriter::Json => output::pretty_json(difference)?,
        FormatWriter::Text => {
            let color = words.output.is_none() && output::color();
            let details = if words.full { Details::Full } else { Details::Brief };
            render_audit_difference(difference, &TextOptions { width: output::width(), color, details })
        }
    };
    match &words.output {
        None => output::data(&text),
        Some(path) => record_file::put(text.trim_end().as_bytes(), path)
            .with_context(|| format!("failed to write {}", path.display())),
    }
}

/// A file as one side, whichever it is.
fn side(path: &Path, prices: &Priced<'_>) -> anyhow::Result<Side> {
    let name = path.display().to_string();
    if begins_as_trace(path)? {
        let mut judge =
            Judge { auditor: Auditor::new().counting_tree(), start: Start::default(), prices: None };
        let end = listen_to_file(path, &mut judge)?;
        let mut audit = judge.auditor.finish_with_stacks(&mut end.stacks.into_explain());
        audit.admit(end.gaps);
        audit.price(prices);
        audit.say(FactKind::Subject, judge.start.subject);
        return Ok(Side::of_audit(&name, audit));
    }
    if let Some(count) = count(path)? {
        let cut =
            count.cut.as_ref().map(|_| Gap::new(GapKind::Cut, "it was cut short: counts are lower bounds"));
        let gaps = cut.into_iter().collect();
        return Ok(Side {
            name,
            subject: count.command.join(" "),
            calls: count.conditions,
            findings: None,
            tree: None,
            gaps,
            rules: RuleChoice::default(),
        });
    }
    match record_file::read_any(path)? {
        Kept::Audit(audit) => Ok(Side::of_audit(&name, *audit)),
        Kept::Record(_) | Kept::Commands(_) => Err(Hinted::error(
            format!("{name} is no audit, trace or count of calls"),
            "`fathom audit --format json -o FILE -- COMMAND` writes one; `fathom compare` compares records",
        )),
    }
}

fn begins_as_trace(path: &Path) -> anyhow::Result<bool> {
    let mut beginning = Vec::new();
    let file = File::open(path).with_context(|| format!("failed to read {}", path.display()))?;
    file.take(16)
        .read_to_end(&mut beginning)
        .with_context(|| format!("failed to read {}", path.display()))?;
    Ok(is_trace_file(&beginning))
}

/// What `fathom count` wrote; it has conditions of calls, which nothing else has at its top.
fn count(path: &Path) -> anyhow::Result<Option<CommandCount>> {
    let failed = || format!("failed to read {}", path.display());
    let limit = ReadLimit::from_environment();
    let text = limit.read(path).with_context(failed)?;
    limit.check_values(&text).with_context(failed)?;
    let Ok(head) = serde_json::from_slice::<CountHead>(&text) else { return Ok(None) };
    match head.schema_version {
        Some(version) if version == u64::from(COMMAND_COUNT_VERSION) => {}
        version => anyhow::bail!(
            "{} is a count of version {version:?}, this Fathom reads version {COMMAND_COUNT_VERSION}",
            path.display()
        ),
    }
    let failed = || format!("failed to read the count {}", path.display());
    Ok(Some(serde_json::from_slice(&text).with_context(failed)?))
}

/// What a count of calls has at its top, and nothing else.
#[derive(Debug, Deserialize)]
struct CountHead {
    schema_version: Option<u64>,
    #[expect(dead_code, reason = "that it is there is what matters")]
    conditions: IgnoredAny,
    #[expect(dead_code, reason = "that it is a list is what matters")]
    processes: Vec<IgnoredAny>,
}
