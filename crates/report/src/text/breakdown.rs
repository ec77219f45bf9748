//! Where the time of each method goes: what limits it, which parts make its gap
//! to the baseline, and in full the parts themselves, which add up.

pub(crate) mod gap;

mod basis;
pub(crate) mod table;
mod verdict;

use super::evidence::grouped_by;
use crate::page::{Ink, Page};
use crate::quantity::{NONE, number};
use crate::standing::{by_time, is_apart, is_faulty};
use fathom_model::{Breakdown, Comparison, Reading, Record};
use gap::Gap;

/// The breakdown of a variant, where there is one.
pub(crate) fn breakdown(comparison: &Comparison, index: usize) -> Option<&Breakdown> {
    comparison.explanations.get(index)?.breakdown.as_ref()?.value()
}

/// A line per method whose time was broken down, and a sentence for each that
/// differs from the baseline; in full a table of each.
pub(crate) fn render(page: &mut Page, record: &Record, comparison: &Comparison, labels: &[String]) {
    let is_asked = |index: &usize| {
        comparison.explanations.get(*index).is_some_and(|explanation| explanation.breakdown.is_some())
    };
    let asked: Vec<_> = by_time(comparison).into_iter().filter(is_asked).collect();
    if asked.is_empty() {
        return;
    }
    let known: Vec<_> =
        asked.iter().filter_map(|&index| Some((index, breakdown(comparison, index)?))).collect();
    page.blank();
    if !known.is_empty() {
        let prices = basis::prices(record, comparison, &known);
        page.paragraph(2, Ink::Plain, &format!("where the time goes, in parts that add up{prices}"));
    }
    for &(index, breakdown) in &known {
        let profile = comparison.explanations[index].profile.as_ref().and_then(Reading::value);
        let verdict = verdict::line(breakdown, profile);
        page.hanging("    ", 6, Ink::Plain, &format!("{} {verdict}", labels[index]));
    }
    gaps(page, comparison, labels, &known);
    if page.is_full() {
        for &(index, breakdown) in &known {
            table::render(page, &labels[index], breakdown, table::Beside::of(comparison, index));
        }
    }
    basis::doubts(page, record, comparison, &known);
    remarks(page, labels, &known);
    unavailable(page, comparison, labels, &asked);
}

/// One sentence per method that differs from the baseline.
fn gaps(page: &mut Page, comparison: &Comparison, labels: &[String], known: &[(usize, &Breakdown)]) {
    let baseline = comparison.baseline;
    let Some(base) = breakdown(comparison, baseline).filter(|_| !is_faulty(comparison)) else { return };
    let (apart, alike): (Vec<_>, Vec<_>) = known
        .iter()
        .filter(|(index, _)| *index != baseline)
        .partition(|(index, _)| is_apart(comparison, baseline, *index));
    for (index, other) in apart {
        let delta_ns = crate::standing::summary(comparison, index).and_then(|summary| summary.delta_ns);
        let gap = Gap::between(base, other).paired(delta_ns);
        let text = format!("{} {} {}: {}", labels[index], gap.lead(), labels[baseline], gap.phrase());
        page.hanging("    ", 6, Ink::Plain, &text);
    }
    if !alike.is_empty() {
        let names: Vec<_> = alike.iter().map(|(index, _)| labels[*index].as_str()).collect();
        let text = format!("no difference to {} is shown for {}", labels[baseline], names.join(", "));
        page.hanging("    ", 6, Ink::Faint, &text);
    }
}

/// What could not be told apart, and what has no price: both are in the rest.
fn remarks(page: &mut Page, labels: &[String], known: &[(usize, &Breakdown)]) {
    let names: Vec<_> = known.iter().map(|(index, _)| labels[*index].clone()).collect();
    let say = |page: &mut Page, what: &str, text: &dyn Fn(&Breakdown) -> String| {
        for (text, members) in grouped_by(&names, known, |(_, breakdown)| text(breakdown)) {
            if !text.is_empty() {
                page.hanging("    ", 6, Ink::Plain, &format!("{what}{}: {text}", whose(&members, &names)));
            }
        }
    };
    let note = |breakdown: &Breakdown| breakdown.parts.last().and_then(|rest| rest.note.clone());
    say(page, "about the unattributed time", &|breakdown| note(breakdown).unwrap_or_default());
    // What a runtime does on threads of its own lengthens no operation by much: of interest in full only.
    let is_full = page.is_full();
    say(page, "without a unit cost, hence unattributed", &|breakdown| {
        let shown = breakdown.unpriced.iter().filter(|name| is_full || !name.ends_with("(runtime's own)"));
        shown.map(String::as_str).collect::<Vec<_>>().join(", ")
    });
}

fn unavailable(page: &mut Page, comparison: &Comparison, labels: &[String], asked: &[usize]) {
    let reason = |index: &usize| match &comparison.explanations[*index].breakdown {
        Some(Reading::Unavailable(reason)) => reason.clone(),
        _ => String::new(),
    };
    let names: Vec<_> = asked.iter().map(|&index| labels[index].clone()).collect();
    for (reason, members) in grouped_by(&names, asked, reason) {
        if !reason.is_empty() {
            let whose = whose(&members, &names);
            page.hanging("  ", 4, Ink::Plain, &format!("time not broken down{whose}: {reason}"));
        }
    }
}

/// Nothing when it holds for all.
fn whose(members: &[String], all: &[String]) -> String {
    if members.len() == all.len() { String::new() } else { format!(" ({})", members.join(", ")) }
}

/// A share in whole percents; what is nearly nothing is not nothing.
pub(crate) fn share(part: f64, total: f64) -> String {
    whole_percent(part, total).map_or_else(|| NONE.to_owned(), |percent| format!("{percent} %"))
}

/// The same without its sign; nothing where there is no share.
fn whole_percent(part: f64, total: f64) -> Option<String> {
    match part / total * 100.0 {
        none if !none.is_finite() => None,
        percent if percent.abs() >= 0.5 => Some(number(percent, 0)),
        none if none.abs() < 1e-9 => Some("0".to_owned()),
        _ => Some("below 1".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Details, TextOptions};
    use fathom_testkit::{complete, explained};

    fn shown(record: &Record, number: usize, details: Details) -> String {
        let comparison = &record.experiments[number].comparisons[0];
        let labels = crate::label::labels(record, comparison);
        let mut page = Page::new(&TextOptions { details, width: 200, color: false });
        render(&mut page, record, comparison, &labels);
        page.finish()
    }

    #[test]
    fn os_open_is_explained_by_named_calls_that_make_the_gap() {
        let text = shown(&explained(), 0, Details::Brief);
        assert!(
            text.contains(
                "go:os.Open takes 1407 ns [1394 ns, 1420 ns] more than go:syscall.Open: fcntl +634 ns (4 calls more), \
             epoll_ctl=EPERM +187 ns (1 call more), unattributed +586 ns"
            ),
            "{text}"
        );
        assert!(
            text.contains("go:syscall.Open 2214 ns: call-bound (calls 63 %: openat 46 %, close 18 %)"),
            "{text}"
        );
        assert!(text.contains("no difference to go:syscall.Open is shown for go:unix.Open"), "{text}");
        assert!(!text.contains("±  "), "no table in brief: {text}");
    }

    #[test]
    fn each_limit_has_its_evidence() {
        let record = explained();
        let blocks = shown(&record, 1, Details::Brief);
        assert!(blocks.contains("native:pread 98.4 µs: device-bound (waiting 92 %)"), "{blocks}");
        let hash = shown(&record, 2, Details::Brief);
        assert!(
            hash.contains(
                "go:io.Copy 1.712 ms: CPU-bound (own code or unpriced 98 %, crypto/md5.block in 96 % of the samples)"
            ),
            "{hash}"
        );
        assert!(hash.contains("time not broken down (go:os.ReadFile): prices not taken"), "{hash}");
    }

    #[test]
    fn a_record_without_explanations_says_nothing() {
        assert_eq!(shown(&complete(), 0, Details::Full), "");
    }

    #[test]
    fn without_the_baselines_parts_or_after_a_fault_no_gap_is_explained() {
        let mut record = explained();
        record.experiments[0].comparisons[0].explanations[0].breakdown = None;
        assert!(!shown(&record, 0, Details::Full).contains("more than go:syscall.Open"));
        let mut record = explained();
        let Reading::Value(control) = &mut record.experiments[0].comparisons[0].control else { panic!() };
        control.instrument_fault = true;
        let text = shown(&record, 0, Details::Brief);
        assert!(!text.contains(" more than ") && !text.contains("no difference"), "{text}");
    }

    #[test]
    fn shares_do_not_call_a_little_nothing() {
        let of = |part| share(part, 1000.0);
        assert_eq!([782.0, 4.0, 0.0, -52.0, f64::NAN].map(of), ["78 %", "below 1 %", "0 %", "-5 %", "-"]);
    }
}
