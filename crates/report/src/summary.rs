//! The answer in a few sentences: what is fastest, what slowest, and which
//! calls explain the gap inside one runtime. Says no more than the intervals
//! and the exact counts allow.

use crate::quantity::{number, time, written};
use crate::statement::Statement;
use crate::text::calls::{call_name, pass};
use crate::{label, text};
use fathom_model::{CallCount, Comparison, CountPass, Reading, Record, VariantSummary};

/// Two to four sentences on the record's first comparison, and how many more
/// there are.
pub fn render_summary(record: &Record) -> String {
    let mut all = record.experiments.iter().flat_map(|e| e.comparisons.iter().map(move |c| (e, c)));
    let Some((experiment, comparison)) = all.next() else {
        return "Nothing was compared.".to_owned();
    };
    let labels = label::labels(record, comparison);
    let ranked: Vec<_> = text::times::by_time(comparison)
        .into_iter()
        .filter_map(|index| Some((index, text::times::summary(comparison, index)?)))
        .collect();
    let Some((&first, &last)) = ranked.first().zip(ranked.last()) else {
        return format!("{}, {}: no time was measured.", experiment.name, comparison.label);
    };
    let mut sentences = vec![trust(record, comparison)];
    sentences.push(extremes(comparison, &labels, first, last, &ranked));
    sentences.push(explanation(comparison, &labels, &ranked));
    let others = all.count();
    if others > 0 {
        let noun = if others == 1 { "comparison follows" } else { "comparisons follow" };
        sentences.push(format!("{others} more {noun} below."));
    }
    let name = format!("{}, {}: ", experiment.name, comparison.label);
    sentences.retain(|sentence| !sentence.is_empty());
    format!("{name}{}", sentences.join(" "))
}

type Ranked<'a> = (usize, &'a VariantSummary);

/// What a reader must know before any figure; nothing when all is well.
fn trust(record: &Record, comparison: &Comparison) -> String {
    match &comparison.control {
        Reading::Value(control) if control.instrument_fault => {
            "the A/A control failed, so none of the ratios is to be used.".to_owned()
        }
        _ if !record.complete => "the run is incomplete.".to_owned(),
        _ => String::new(),
    }
}

fn extremes(
    comparison: &Comparison,
    labels: &[String],
    first: Ranked<'_>,
    last: Ranked<'_>,
    ranked: &[Ranked<'_>],
) -> String {
    let timed = |(index, summary): Ranked<'_>| format!("{} at {}", labels[index], time(&summary.time_ns));
    if ranked.len() == 1 {
        return format!("Only {} was timed.", timed(first));
    }
    if text::times::is_faulty(comparison) {
        return format!("By medians alone, {} comes first and {} last.", timed(first), timed(last));
    }
    if first.1.time_ns.interval().is_none() {
        return format!(
            "By medians without an interval yet, {} comes first and {} last.",
            timed(first),
            timed(last)
        );
    }
    let rivals = ranked[1..].iter().filter(|&&other| !is_apart(comparison, first, other));
    let rivals: Vec<_> = rivals.map(|(index, _)| labels[*index].as_str()).collect();
    if rivals.len() == ranked.len() - 1 {
        return format!(
            "No difference is shown between the fastest by median, {}, and any other.",
            timed(first)
        );
    }
    let tie = match rivals.as_slice() {
        [] => String::new(),
        rivals => format!(" (no difference shown to {})", rivals.join(", ")),
    };
    let last = ranked.iter().rev().copied().find(|&other| is_apart(comparison, first, other)).unwrap_or(last);
    let times = number(last.1.time_ns.value / first.1.time_ns.value, 2);
    format!(
        "The fastest is {}{tie}; the slowest by median {}, {times} times as long.",
        timed(first),
        timed(last)
    )
}

/// True when the record shows the two to differ: by the paired ratio where one
/// is the baseline, else by times or ratios whose intervals do not meet.
fn is_apart(comparison: &Comparison, one: Ranked<'_>, other: Ranked<'_>) -> bool {
    let shown = |ranked: Ranked<'_>| {
        let statement = ranked.1.ratio.as_ref().map(Statement::of_ratio);
        matches!(statement, Some(Statement::Faster | Statement::Slower))
    };
    if one.0 == comparison.baseline {
        return shown(other);
    }
    if other.0 == comparison.baseline {
        return shown(one);
    }
    let interval = |ranked: Ranked<'_>| ranked.1.ratio.as_ref().and_then(fathom_model::Estimate::interval);
    match interval(one).zip(interval(other)) {
        Some(((low, high), (other_low, other_high))) => high < other_low || other_high < low,
        None => false,
    }
}

/// The gap between two methods of one runtime whose times are shown to differ,
/// in calls: a pair with the baseline if there is one, and the widest apart.
fn explanation(comparison: &Comparison, labels: &[String], ranked: &[Ranked<'_>]) -> String {
    if text::times::is_faulty(comparison) {
        return String::new();
    }
    let driver = |ranked: &Ranked<'_>| &comparison.variants[ranked.0].method.driver;
    let pairs = ranked.iter().enumerate().flat_map(|(position, &fast)| {
        let slower = ranked[position + 1..].iter().filter(move |other| driver(other) == driver(&fast));
        slower.filter(move |&&slow| is_apart(comparison, fast, slow)).map(move |&slow| (fast, slow))
    });
    let key = |(fast, slow): &(Ranked<'_>, Ranked<'_>)| {
        let with_baseline = fast.0 == comparison.baseline || slow.0 == comparison.baseline;
        (with_baseline, slow.1.time_ns.value / fast.1.time_ns.value)
    };
    let widest = pairs.max_by(|a, b| {
        let ((a_baseline, a_gap), (b_baseline, b_gap)) = (key(a), key(b));
        a_baseline.cmp(&b_baseline).then(a_gap.total_cmp(&b_gap))
    });
    let Some((fast, slow)) = widest else {
        return String::new();
    };
    let (Some(less), Some(more)) = (pass(comparison, fast.0), pass(comparison, slow.0)) else {
        return String::new();
    };
    if !less.is_exact() || !more.is_exact() {
        return String::new();
    }
    let delta = slow.1.delta_ns.as_ref().filter(|_| fast.0 == comparison.baseline);
    let cost = delta
        .map(|delta| format!(" and takes {} ns longer", written(delta, 1.0).phrase()))
        .unwrap_or_default();
    let (slow, fast) = (&labels[slow.0], &labels[fast.0]);
    match CallGap::between(less, more) {
        gap if gap.is_empty() => {
            format!("{slow} and {fast} make the same system calls, so their number does not explain the gap.")
        }
        gap => format!("{slow} makes {} than {fast}{cost}.", gap.phrase()),
    }
}

/// Calls that one method makes more often, or less often, than another.
struct CallGap {
    more: Vec<(String, f64)>,
    fewer: Vec<(String, f64)>,
}

impl CallGap {
    fn between(less: &CountPass, more: &CountPass) -> Self {
        Self { more: surplus(&more.inside, &less.inside), fewer: surplus(&less.inside, &more.inside) }
    }

    fn is_empty(&self) -> bool {
        self.more.is_empty() && self.fewer.is_empty()
    }

    fn phrase(&self) -> String {
        let part = |calls: &[(String, f64)], word: &str| {
            let total: f64 = calls.iter().map(|(_, times)| times).sum();
            let names: Vec<_> =
                calls.iter().map(|(name, times)| format!("{name} {}", plain(*times))).collect();
            let noun = if (total - 1.0).abs() < 1e-9 { "call" } else { "calls" };
            (!calls.is_empty()).then(|| format!("{} {word} {noun} ({})", plain(total), names.join(", ")))
        };
        let parts = [part(&self.more, "more"), part(&self.fewer, "fewer")];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" and ")
    }
}

fn surplus(of: &[CallCount], over: &[CallCount]) -> Vec<(String, f64)> {
    let base = |name: &str| -> f64 {
        over.iter().filter(|call| call_name(call) == name).map(CallCount::per_operation).sum()
    };
    let each = of.iter().map(|call| {
        let name = call_name(call);
        let times = call.per_operation() - base(&name);
        (name, times)
    });
    each.filter(|(_, times)| *times > 1e-9).collect()
}

fn plain(times: f64) -> String {
    number(times, if (times - times.round()).abs() < 1e-9 { 0 } else { 2 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::{complete, interrupted, troubled};

    #[test]
    fn the_gap_is_named_in_calls() {
        let text = render_summary(&complete());
        assert!(
            text.contains(
                "go:os.OpenFile-O_DIRECT makes 5 more calls (fcntl 4, epoll_ctl=EPERM 1) than go:syscall.Open"
            ),
            "{text}"
        );
        assert!(text.contains("The fastest is native:openat at 2105.3 ns; the slowest by median"), "{text}");
    }

    #[test]
    fn equal_calls_explain_nothing() {
        let mut record = complete();
        let comparison = &mut record.experiments[0].comparisons[0];
        let same = comparison.counts[0].clone();
        comparison.counts.fill(same);
        assert!(render_summary(&record).contains("make the same system calls"));
    }

    #[test]
    fn without_an_interval_nothing_is_called_fastest() {
        let text = render_summary(&interrupted());
        assert!(text.contains("incomplete") && text.contains("without an interval yet"), "{text}");
        assert!(!text.contains("The fastest is"), "{text}");
    }

    #[test]
    fn a_failed_control_comes_first_and_varying_counts_explain_nothing() {
        let text = render_summary(&troubled());
        assert!(text.starts_with("read-cold, 1 MiB · cold: the A/A control failed"), "{text}");
        assert!(!text.contains("makes"), "{text}");
    }

    #[test]
    fn a_tie_with_the_fastest_is_said() {
        let mut record = complete();
        let comparison = &mut record.experiments[0].comparisons[0];
        comparison.variants.truncate(4);
        comparison.summaries.truncate(4);
        let text = render_summary(&record);
        assert!(text.contains("go:unix.Open at 2213 ns (no difference shown to go:syscall.Open)"), "{text}");
    }
}
