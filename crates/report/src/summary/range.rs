//! Many comparisons in a sentence: who is shown to be the fastest and who the slowest
//! of all, and over which of them, counting only those that allow a statement.

use super::doubt;
use super::factor::{Factor, by_ratio};
use crate::label;
use crate::standing::{by_size, is_apart, is_faulty};
use fathom_model::{Comparison, Record};

/// More changes of the first place than these are only counted.
const RUNS_MAX: usize = 3;
/// And so are more names than these.
const NAMES_MAX: usize = 3;

/// Who is shown to be the fastest, and who the slowest.
pub(super) fn sentence(record: &Record, comparisons: &[Comparison]) -> String {
    let comparisons = by_size(comparisons);
    let labels = label::short(&comparisons);
    let places: Vec<_> =
        comparisons.iter().zip(labels).filter_map(|(each, label)| Place::of(record, label, each)).collect();
    let all = comparisons.len();
    let faults = comparisons.iter().filter(|comparison| is_faulty(comparison)).count();
    let failed = match faults {
        0 => String::new(),
        faults => {
            format!("the A/A control failed in {faults} of {all} comparisons, not to be used; ")
        }
    };
    if places.is_empty() {
        return format!("{failed}none of {all} comparisons has two methods to rank with an interval yet.");
    }
    let scope = match places.len() {
        known if known == all => format!("{all} comparisons"),
        known if faults > 0 => format!("{known} others have intervals"),
        known => format!("{known} of {all} comparisons have intervals"),
    };
    let first = end(&places, "fastest", |place| place.first.as_deref());
    let last = end(&places, "slowest", |place| place.last.as_deref());
    format!("{failed}{scope}: {first}; {last}.")
}

/// The comparison in which the fastest and the slowest that is shown to differ from it lie
/// furthest apart.
pub(super) fn widest(comparisons: &[Comparison]) -> Option<&Comparison> {
    let gap = |comparison: &Comparison| {
        let ranked = by_ratio(comparison);
        let (first, others) = ranked.split_first().filter(|_| !is_faulty(comparison))?;
        let last = others.iter().rev().find(|other| is_apart(comparison, first.0, other.0))?;
        Some(Factor::between(comparison, first.0, last.0)?.value)
    };
    let gaps = comparisons.iter().filter_map(|comparison| Some((gap(comparison)?, comparison)));
    gaps.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, comparison)| comparison)
}

/// Who is shown to come first and last in one comparison.
struct Place {
    label: String,
    first: Option<String>,
    last: Option<String>,
}

impl Place {
    fn of(record: &Record, label: String, comparison: &Comparison) -> Option<Self> {
        let ranked = by_ratio(comparison);
        if ranked.len() < 2 || is_faulty(comparison) || ranked[0].1.time_ns.interval().is_none() {
            return None;
        }
        let labels = label::labels(record, comparison);
        let shown = |index: usize| {
            let differs =
                ranked.iter().all(|&(other, _)| other == index || is_apart(comparison, index, other));
            differs.then(|| format!("{}{}", labels[index], doubt(record, comparison, index)))
        };
        Some(Self { label, first: shown(ranked[0].0), last: shown(ranked[ranked.len() - 1].0) })
    }
}

/// `shown to be the fastest: a at 12 B to 512 B, b at 1 KiB (in 2 none is)`.
fn end(places: &[Place], word: &str, who: impl Fn(&Place) -> Option<&str>) -> String {
    let held: Vec<_> = places.iter().map(|place| (place.label.as_str(), who(place))).collect();
    let open = held.iter().filter(|(_, who)| who.is_none()).count();
    if open == held.len() {
        return format!("in none is one shown to be the {word}");
    }
    let others = if open == 0 { String::new() } else { format!(" (in {open} none is)") };
    format!("shown to be the {word}: {}{others}", holders(&held))
}

/// `a in all`, `a at 12 B to 512 B and b at 1 KiB`, how often each, or how many they are.
fn holders(held: &[(&str, Option<&str>)]) -> String {
    let mut runs: Vec<(&str, &str, &str)> = Vec::new();
    let mut often: Vec<(&str, usize)> = Vec::new();
    let mut goes_on = false;
    for &(place, who) in held {
        let Some(who) = who else {
            goes_on = false;
            continue;
        };
        match runs.last_mut() {
            Some((_, to, holder)) if goes_on && *holder == who => *to = place,
            _ => runs.push((place, place, who)),
        }
        goes_on = true;
        match often.iter_mut().find(|(holder, _)| *holder == who) {
            Some((_, times)) => *times += 1,
            None => often.push((who, 1)),
        }
    }
    let shown: usize = often.iter().map(|(_, times)| times).sum();
    if let [(who, times)] = often.as_slice()
        && *times == held.len()
    {
        return format!("{who} in all");
    }
    let one_scale = held.iter().all(|(place, _)| !place.contains('·') && !place.contains(": "));
    if one_scale && runs.len() <= RUNS_MAX {
        let run = |(from, to, who): &(&str, &str, &str)| {
            if from == to { format!("{who} at {from}") } else { format!("{who} at {from} to {to}") }
        };
        return runs.iter().map(run).collect::<Vec<_>>().join(", ");
    }
    if often.len() > NAMES_MAX {
        return format!("{} different ones in {shown}", often.len());
    }
    often.sort_by_key(|&(_, times)| std::cmp::Reverse(times));
    often.iter().map(|(who, times)| format!("{who} in {times}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::{complete, sweep, troubled};

    #[test]
    fn one_holder_a_few_runs_how_often_or_how_many() {
        let held = |who: &[&'static str]| {
            let sizes = ["1 B", "2 B", "3 B", "4 B", "5 B"];
            let shown = |who: &&'static str| Some(*who).filter(|who| !who.is_empty());
            holders(&sizes.into_iter().zip(who.iter().map(shown)).collect::<Vec<_>>())
        };
        assert_eq!(held(&["a", "a", "a"]), "a in all");
        assert_eq!(held(&["a", "a", "b", "b", "c"]), "a at 1 B to 2 B, b at 3 B to 4 B, c at 5 B");
        assert_eq!(held(&["a", "b", "a", "b", "b"]), "b in 3, a in 2");
        assert_eq!(held(&["a", "", "a", "a", ""]), "a at 1 B, a at 3 B to 4 B", "not shown at 2 B");
        assert_eq!(holders(&[("1 B · warm", Some("a")), ("1 B · cold", Some("b"))]), "a in 1, b in 1");
        let many = ["a", "b", "c", "d", "a"].map(|who| ("1 B · x", Some(who)));
        assert_eq!(holders(&many), "4 different ones in 5");
    }

    #[test]
    fn nobody_is_the_fastest_or_slowest_who_is_not_shown_to_be() {
        let mut record = sweep();
        let comparisons = &mut record.experiments[0].comparisons;
        comparisons.retain(|comparison| !is_faulty(comparison));
        for summary in comparisons.iter_mut().flat_map(|comparison| &mut comparison.summaries) {
            let fathom_model::Reading::Value(summary) = summary else { continue };
            if let Some(ratio) = &mut summary.ratio_simultaneous {
                (ratio.low, ratio.high) = (Some(0.1), Some(10.0));
            }
        }
        let text = sentence(&record, &record.experiments[0].comparisons);
        assert!(
            text.ends_with(
                ": in none is one shown to be the fastest; in none is one shown to be the slowest."
            ),
            "{text}"
        );
        assert_eq!(widest(&record.experiments[0].comparisons), None);
    }

    #[test]
    fn comparisons_without_a_statement_are_not_counted() {
        let record = sweep();
        let mut comparisons = record.experiments[0].comparisons.clone();
        let text = sentence(&record, &comparisons);
        assert!(
            text.starts_with(&format!("the A/A control failed in 1 of {} ", comparisons.len())),
            "{text}"
        );
        let troubled = troubled().experiments.remove(0).comparisons.remove(0);
        comparisons.truncate(2);
        comparisons.push(troubled);
        let text = sentence(&record, &comparisons);
        assert!(text.contains("failed in 1 of 3") && text.contains("; 2 others have intervals"), "{text}");
    }

    #[test]
    fn without_any_interval_nothing_is_said_of_anybody() {
        let mut record = complete();
        for summary in &mut record.experiments[0].comparisons[0].summaries {
            let fathom_model::Reading::Value(summary) = summary else { panic!("not timed") };
            (summary.time_ns.low, summary.time_ns.high) = (None, None);
        }
        let comparisons = vec![record.experiments[0].comparisons[0].clone(); 3];
        assert_eq!(
            sentence(&record, &comparisons),
            "none of 3 comparisons has two methods to rank with an interval yet."
        );
    }
}
