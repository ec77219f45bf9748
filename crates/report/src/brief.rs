//! The short answer of a run, as many lines as a screen takes: for each comparison the methods in
//! lines of those that are not told apart, with the time of the fastest of each line, how many
//! times as long that is, and the calls that it makes more.

mod lines;

use crate::equal_calls;
use crate::label;
use crate::options::TextOptions;
use crate::page::{Ink, Page};
use crate::quantity::{number, things};
use crate::standing::is_faulty;
use crate::summary::factor::{by_median, by_ratio};
use crate::summary::{doubt, extremes, peculiar, sentences};
use crate::text::calls::{how_many, total};
use crate::text::evidence::{stop, unsteady};
use crate::text::recipe::in_order;
use crate::wrap::{elide, shorten, width};
use crate::written::{ratio, time, time_phrase};
use fathom_model::{
    CallCount, Comparison, CountPass, ExperimentRecord, LEFT_OVER, Operation, Proof, Reading, Record,
    Severity, StopReason, ValidityFlag, ValidityProblem,
};
use fathom_stats::{MethodCaveat, unranked};
use lines::{Line, lines};
use std::collections::BTreeSet;

/// Lines of the whole answer; who prints it adds up to three of its own.
const LINES: usize = 23;
/// Lines that a comparison takes beside its methods: its setting, its baseline, and how far it is to be
/// believed.
const BESIDE: usize = 5;
/// With so many lines for methods there is room to say things whole.
const ROOMY: usize = 4;
/// Lines of text that a line of methods takes.
const EACH: usize = 2;
/// More comparisons than these are summed up in sentences.
const COMPARISONS_MAX: usize = 3;
/// How far in the methods stand.
const INDENT: usize = 12;
/// Further calls that a line names.
const FURTHER_MAX: usize = 3;

/// Functions of equal calls whose times are explained.
const WHY_MAX: usize = 3;

/// Functions that answer differently are named, at most so many.
const DIFFERING_MAX: usize = 4;

/// Renders the answer for a terminal. Pure: the same record and options give the same text.
pub fn render_brief(record: &Record, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    crate::text::header::incomplete(&mut page, record);
    let compared: usize = record.experiments.iter().map(|experiment| experiment.comparisons.len()).sum();
    let mut has_ranges = false;
    for experiment in &record.experiments {
        page.blank();
        // A title may promise more methods than were asked for.
        let of_one = |only: &Comparison| only.variants.get(only.baseline).map(|variant| variant.operation);
        let heading = match experiment.comparisons.as_slice() {
            [only] if of_one(only).is_some() => {
                let what = of_one(only).map_or("", Operation::sentence);
                format!("{}: {what}; {}", experiment.name, setting(record, only))
            }
            _ => format!("{}: {}", experiment.name, experiment.title),
        };
        page.row("", &shorten(&heading, page.width()), Ink::Heading);
        if compared > COMPARISONS_MAX || experiment.comparisons.is_empty() {
            page.paragraph(2, Ink::Plain, &sentences(record, experiment).join(" "));
            continue;
        }
        let room = (LINES / compared.max(1)).saturating_sub(BESIDE) / EACH;
        for comparison in &experiment.comparisons {
            if experiment.comparisons.len() > 1 {
                page.row("  ", &elide(&setting(record, comparison), page.width() - 2), Ink::Plain);
            }
            has_ranges |= answer(&mut page, record, comparison, room.max(2));
        }
    }
    page.blank();
    if has_ranges {
        page.row("", "a range of ×: methods that differ from each other, each alone: --full", Ink::Faint);
    }
    unmeasured(&mut page, record);
    not_steady(&mut page, record);
    warnings(&mut page, record);
    left_over(&mut page, record);
    page.finish()
}

/// In which state and where.
fn setting(record: &Record, comparison: &Comparison) -> String {
    let place = comparison.variants.get(comparison.baseline).map(|variant| variant.place);
    let place = place.map_or_else(String::new, |place| format!(" on {}", label::place_name(record, place)));
    format!("{}{place}", label::title(comparison))
}

/// One comparison in at most so many lines of methods; true where a line holds some that differ.
fn answer(page: &mut Page, record: &Record, comparison: &Comparison, room: usize) -> bool {
    let mut has_ranges = false;
    // Who makes the same calls shares a line below, or differs in time alone.
    // Whose answers differ is named with the answers.
    let is_of_answers = |flag: &ValidityFlag| {
        let differs = |side: &usize| comparison.answers.get(*side).is_some_and(|own| own.disagrees.is_some());
        flag.problem == ValidityProblem::OtherData && flag.bytes.is_empty() && flag.sides.iter().all(differs)
    };
    let voiding = comparison.validity.iter().filter(|flag| flag.problem.voids() && !is_of_answers(flag));
    let voiding: Vec<_> = voiding.cloned().collect();
    crate::validity::show(page, &voiding, &label::labels(record, comparison));
    differing(page, &label::labels(record, comparison), comparison);
    let ranked = by_ratio(comparison);
    let has_intervals = ranked.first().is_some_and(|(_, first)| first.time_ns.interval().is_some());
    if let StopReason::Failed(_) | StopReason::Interrupted = comparison.stop {
        page.hanging("  ", 4, Ink::Bad, &stop(&comparison.stop));
    }
    if is_faulty(comparison) {
        page.paragraph(2, Ink::Plain, &format!("{}.", extremes(record, comparison)));
    } else if comparison.stop == StopReason::CountsOnly {
        counts_only(page, comparison, &label::labels(record, comparison), room);
    } else if !has_intervals {
        preliminary(page, record, comparison, room * EACH);
    } else {
        let labels = label::labels(record, comparison);
        let mut why = equal_calls::sentences(comparison, &labels);
        why.truncate(WHY_MAX);
        let room = room.saturating_sub(if why.is_empty() { 0 } else { 1 + why.len() }).max(2);
        let (all, shown) = lines(comparison, room);
        let first = all.first().map(Line::first);
        for line in &all {
            row(page, (record, comparison, &labels), line, first);
        }
        has_ranges = shown > all.len();
        if !why.is_empty() {
            page.row("  ", "unequal times by the same calls (--profile shows where):", Ink::Plain);
        }
        for sentence in &why {
            page.hanging("    ", 6, Ink::Plain, sentence);
        }
        against_baseline(page, comparison, &labels, &all);
        caveat(page, comparison, &labels, all.first(), room < ROOMY);
        not_ranked(page, comparison, &labels, room < ROOMY);
    }
    uncounted(page, comparison, &label::labels(record, comparison));
    page.hanging("  ", 2, Ink::Faint, &believed(comparison));
    has_ranges
}

/// The calls of each method, of at most so many.
fn counts_only(page: &mut Page, comparison: &Comparison, labels: &[String], most: usize) {
    let counted: Vec<(&String, &CountPass)> = labels
        .iter()
        .zip(&comparison.counts)
        .filter_map(|(label, counts)| Some((label, counts.value()?)))
        .collect();
    for (label, pass) in counted.iter().take(most) {
        page.hanging("    ", 6, Ink::Plain, &format!("{label}: {}", total(pass)));
    }
    if counted.len() > most {
        page.row("    ", &format!("{} more: --full", counted.len() - most), Ink::Plain);
    }
}

/// What is known before there are intervals: the medians in order, at most so many lines, without a rank.
fn preliminary(page: &mut Page, record: &Record, comparison: &Comparison, most: usize) {
    page.paragraph(2, Ink::Plain, &format!("{}.", extremes(record, comparison)));
    let order = by_median(comparison);
    if order.len() < 2 {
        return;
    }
    let labels = label::labels(record, comparison);
    let shown = if order.len() > most { most.saturating_sub(1) } else { order.len() };
    for &(index, summary) in &order[..shown] {
        let counted = comparison.counts.get(index).and_then(Reading::value);
        let calls = counted.map_or_else(|| "calls not counted".to_owned(), how_many);
        let figures = format!("{:INDENT$}{}; {calls}", time(&summary.time_ns), labels[index]);
        page.row("    ", &elide(&figures, page.width() - 4), Ink::Plain);
    }
    if shown < order.len() {
        page.row("    ", &format!("{} more: --full", order.len() - shown), Ink::Plain);
    }
    let more = "nothing is ranked yet: name more time (--time SECONDS), or fewer methods (--methods)";
    page.hanging("  ", 2, Ink::Plain, more);
}

/// How the fastest stands against the method that the others are compared with, where that is slower:
/// factors are of the fastest.
fn against_baseline(page: &mut Page, comparison: &Comparison, labels: &[String], all: &[Line]) {
    let Some(fastest) = all.first().filter(|line| !line.members.contains(&comparison.baseline)) else {
        return;
    };
    let summary = comparison.summaries.get(fastest.first()).and_then(Reading::value);
    let Some(against) = summary.and_then(|summary| summary.ratio) else { return };
    let baseline = &labels[comparison.baseline];
    let text = format!("baseline {baseline}: the fastest takes {} of its time", ratio(&against).phrase());
    page.row("  ", &elide(&text, page.width() - 2), Ink::Plain);
}

/// What the fastest brings with it that others do not.
fn caveat(
    page: &mut Page,
    comparison: &Comparison,
    labels: &[String],
    fastest: Option<&Line>,
    is_tight: bool,
) {
    let Some(first) = fastest.map(Line::first) else { return };
    let own = peculiar(comparison, first);
    if !own.is_empty() {
        aside(page, &format!("{}{own}", labels[first]), is_tight);
    }
}

/// A remark beside the methods: whole where there is room, else as much as a line takes.
fn aside(page: &mut Page, text: &str, is_tight: bool) {
    if is_tight {
        page.row("  ", &shorten(text, page.width() - 2), Ink::Faint);
    } else {
        page.hanging("  ", 4, Ink::Faint, text);
    }
}

/// Who was measured and stands in no line, by reason. Whose answer differs is told before all.
fn not_ranked(page: &mut Page, comparison: &Comparison, labels: &[String], is_tight: bool) {
    let mut all = unranked(comparison);
    all.retain(|(_, caveat)| *caveat != MethodCaveat::AnswersOtherwise);
    all.sort_by_key(|(_, caveat)| *caveat);
    let named = |index: usize| {
        let timed = comparison.summaries.get(index).and_then(Reading::value);
        let timed = timed.map_or_else(String::new, |timed| format!(" at {}", time(&timed.time_ns)));
        format!("{}{timed}", labels[index])
    };
    for of in all.chunk_by(|a, b| a.1 == b.1) {
        let names: Vec<String> = of.iter().map(|(index, _)| named(*index)).collect();
        let why = format!(": {}", of[0].1.words());
        let room = page.width().saturating_sub(width("  not ranked: : "));
        let text = format!("not ranked: {}{why}", self::names(&names, room));
        aside(page, &text, is_tight);
    }
}

/// Whose calls were not counted, with the first reason.
fn uncounted(page: &mut Page, comparison: &Comparison, labels: &[String]) {
    let reasons = comparison.counts.iter().zip(labels).filter_map(|(counts, label)| match counts {
        Reading::Unavailable(reason) => Some((reason, label.clone())),
        Reading::Value(_) => None,
    });
    let (reasons, names): (Vec<_>, Vec<_>) = reasons.unzip();
    let Some(reason) = reasons.first() else { return };
    let whose = if names.len() == comparison.counts.len() {
        "calls".to_owned()
    } else {
        format!("calls of {}", self::names(&names, page.width() / 2))
    };
    page.hanging("  ", 4, Ink::Faint, &format!("{whose} not counted: {reason}"));
}

/// Functions of the user's that answer differently, before any time of theirs.
fn differing(page: &mut Page, labels: &[String], comparison: &Comparison) {
    let how = |(index, answered): (usize, &fathom_model::Answered)| {
        let pass = comparison.counts.get(index).and_then(Reading::value);
        let calls = pass.map(|pass| format!("; {}", how_many(pass)));
        Some(format!("{} {}{}", labels[index], answered.disagrees.as_ref()?, calls.unwrap_or_default()))
    };
    let all: Vec<String> = comparison.answers.iter().enumerate().filter_map(how).collect();
    if all.is_empty() {
        return;
    }
    page.row("  ", "answers DIFFER, so these are not ranked:", Ink::Bad);
    for each in all.iter().take(DIFFERING_MAX) {
        page.row("    ", &shorten(each, page.width() - 4), Ink::Bad);
    }
    if all.len() > DIFFERING_MAX {
        page.row("    ", &format!("{} more: --full", all.len() - DIFFERING_MAX), Ink::Bad);
    }
}

type Named<'a> = (&'a Record, &'a Comparison, &'a [String]);

/// The figures of a line's fastest, and below them the names.
fn row(page: &mut Page, (record, comparison, labels): Named<'_>, line: &Line, first: Option<usize>) {
    let leader = line.first();
    let Some(summary) = comparison.summaries.get(leader).and_then(Reading::value) else { return };
    let factor = if Some(leader) == first { "1×".to_owned() } else { line.factor() };
    let early = if summary.time_ns.interval().is_none() { " (no interval yet)" } else { "" };
    let room = page.width() - INDENT;
    let with =
        |most| format!("{}{early}; {}", time_phrase(&summary.time_ns), calls(comparison, line, first, most));
    let figures = (1..=FURTHER_MAX).rev().map(with).find(|text| width(text) <= room);
    let figures = figures.unwrap_or_else(|| with(1));
    page.row(&format!("{:INDENT$}", format!("  {factor}")), &shorten(&figures, room), Ink::Plain);
    let named = |index: &usize| format!("{}{}", labels[*index], doubt(record, comparison, *index));
    let names_of: Vec<String> = line.members.iter().map(named).collect();
    page.row(&" ".repeat(INDENT), &names(&names_of, room), Ink::Plain);
}

/// As many names as a line takes, and how many more there are.
fn names(all: &[String], room: usize) -> String {
    let with = |shown: usize| match all.len() - shown {
        0 => all.join(", "),
        more => format!("{}, {more} more", all[..shown].join(", ")),
    };
    let fitting = (1..=all.len()).rev().find(|shown| width(&with(*shown)) <= room);
    elide(&with(fitting.unwrap_or(1)), room)
}

/// The calls of a line: those of the first line whole, of others what they make more or less, at most
/// so many kinds of it.
fn calls(comparison: &Comparison, line: &Line, first: Option<usize>, most: usize) -> String {
    let pass = |index: usize| comparison.counts.get(index).and_then(Reading::value);
    let Some(own) = pass(line.first()) else { return "calls not counted".to_owned() };
    let totals: BTreeSet<String> = line.members.iter().filter_map(|index| pass(*index)).map(total).collect();
    if totals.len() > 1 {
        let each = line.members.iter().filter_map(|index| pass(*index)).map(CountPass::calls_per_operation);
        let (low, high) = each.fold((f64::INFINITY, 0.0_f64), |(low, high), n| (low.min(n), high.max(n)));
        let of = |n: f64| number(n, usize::from((n - n.round()).abs() > 0.05));
        return if of(low) == of(high) {
            format!("{} calls each, not the same ones", of(low))
        } else {
            format!("{} to {} calls", of(low), of(high))
        };
    }
    match first.filter(|first| *first != line.first()).and_then(pass) {
        None => total(own),
        Some(first) => {
            let count = how_many(own);
            match differences(first, own, most) {
                none if none.is_empty() => format!("the same {count}"),
                some => format!("{count}: {}", some.join(", ")),
            }
        }
    }
}

/// Calls that one makes more or less often than the other, those that differ most first, and `…` for
/// those beyond so many.
fn differences(first: &CountPass, own: &CountPass, most: usize) -> Vec<String> {
    let name = |call: &CallCount| (call.call.clone(), call.errno.clone());
    let of = |pass: &CountPass, wanted: &CallCount| {
        pass.inside.iter().find(|call| name(call) == name(wanted)).map_or(0.0, CallCount::per_operation)
    };
    let mut differing: Vec<(f64, String)> = in_order(own)
        .into_iter()
        .chain(first.inside.iter().filter(|call| of(own, call) == 0.0))
        .map(|call| (of(own, call) - of(first, call), call))
        .filter(|(more, _)| more.abs() > 1e-9)
        .map(|(more, call)| (more, crate::text::calls::call_name(call)))
        .collect();
    differing.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    let one = |(more, name): &(f64, String)| {
        let decimals = usize::from((more - more.round()).abs() >= 1e-9);
        let sign = if *more < 0.0 { "-" } else { "+" };
        format!("{sign}{} {name}", number(more.abs(), decimals))
    };
    let mut said: Vec<String> = differing.iter().take(most).map(one).collect();
    if differing.len() > most {
        said.push("…".to_owned());
    }
    said
}

/// How far the times are to be believed: forks, control, cache state.
fn believed(comparison: &Comparison) -> String {
    if comparison.stop == StopReason::CountsOnly {
        return "not timed: only counts were asked for".to_owned();
    }
    let forks = things(comparison.forks.len() as u64, "fork");
    let unknown = |proof: &Proof| matches!(proof, Proof::Unknown(_));
    let doubtful = comparison.cache.iter().filter(|evidence| unknown(&evidence.proof)).count();
    let state = match comparison.cache.first() {
        None => "state not told".to_owned(),
        Some(_) if doubtful > 0 => format!("cache state UNKNOWN for {}", things(doubtful as u64, "method")),
        Some(evidence) => match &evidence.proof {
            Proof::NotApplicable(_) => "no cache state".to_owned(),
            _ => format!("{} proven", evidence.state),
        },
    };
    let control = match &comparison.control {
        Reading::Unavailable(_) => "no A/A control".to_owned(),
        Reading::Value(control) if control.instrument_fault => "the A/A control FAILED".to_owned(),
        Reading::Value(control) if control.ratio.interval().is_none() => {
            "A/A control: too few runs for an interval".to_owned()
        }
        Reading::Value(control) => format!("A/A control {}", ratio(&control.ratio).phrase()),
    };
    format!("medians [95 %] of {forks}; {state}; {control}")
}

/// What was asked for and not measured, in a line.
fn unmeasured(page: &mut Page, record: &Record) {
    let of = |experiment: &ExperimentRecord| experiment.unmeasured.clone();
    let all: Vec<_> = record.experiments.iter().flat_map(of).collect();
    let Some(first) = all.first() else { return };
    let names: BTreeSet<String> = all.iter().map(|each| each.method.to_string()).collect();
    let more = match names.len() - 1 {
        0 => String::new(),
        more => format!(" (and {more} more: --full)"),
    };
    let text = format!("not measured: {}: {}{more}", first.method, first.reason);
    page.hanging("", 4, Ink::Plain, &text);
}

/// How many runs of drivers still changed when their warm-up ended, over all comparisons.
fn not_steady(page: &mut Page, record: &Record) {
    let comparisons = || record.experiments.iter().flat_map(|experiment| &experiment.comparisons);
    let some: usize = comparisons().map(unsteady).sum();
    if some > 0 {
        let forks: usize = comparisons().map(|comparison| comparison.forks.len()).sum();
        let of = things(forks as u64, "fork");
        let advice = format!("NOT steady: {some} of {of}, mostly by other work; run again when it is over");
        page.row("", &shorten(&advice, page.width()), Ink::Plain);
    }
}

/// How many warnings there are, and the first.
fn warnings(page: &mut Page, record: &Record) {
    let of_parts = record.experiments.iter().flat_map(|experiment| &experiment.comparisons);
    let all: Vec<_> = of_parts
        .flat_map(|comparison| &comparison.warnings)
        .chain(&record.warnings)
        .filter(|warning| warning.severity == Severity::Warning)
        .collect();
    let Some(first) = all.first() else { return };
    let more = match all.len() - 1 {
        0 => String::new(),
        more => format!(" ({}: --full)", things(more as u64, "more warning")),
    };
    let room = page.width().saturating_sub(width(&more) + width("warning: "));
    page.row("", &format!("warning: {}{more}", shorten(&first.message, room)), Ink::Plain);
}

/// What stays on the disk, or was left by an earlier run: nobody would look for it elsewhere.
fn left_over(page: &mut Page, record: &Record) {
    for warning in record.warnings.iter().filter(|warning| warning.code == LEFT_OVER) {
        page.hanging("", 2, Ink::Plain, &format!("note: {}", warning.message));
    }
}

#[cfg(test)]
mod tests;
