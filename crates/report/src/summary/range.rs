//! Many comparisons in two sentences: who comes first and last over which of
//! them, counting only those that allow a statement.

use super::{doubt, ranked};
use crate::label;
use crate::standing::{by_size, is_apart, is_faulty};
use fathom_model::{Comparison, Record};

/// More changes of the first place than these are only counted.
const RUNS_MAX: usize = 3;

/// Who has the lowest and who the highest median.
pub(super) fn sentences(record: &Record, comparisons: &[Comparison]) -> Vec<String> {
    let comparisons = by_size(comparisons);
    let places: Vec<_> =
        comparisons.iter().enumerate().filter_map(|(index, each)| Place::of(record, index, each)).collect();
    let all = comparisons.len();
    let mut sentences = Vec::new();
    let faults = comparisons.iter().filter(|comparison| is_faulty(comparison)).count();
    if faults > 0 {
        sentences.push(format!(
            "the A/A control failed in {faults} of {all} comparisons, which are not to be used."
        ));
    }
    if places.is_empty() {
        sentences.push(format!("none of {all} comparisons has an interval to rest on yet."));
        return sentences;
    }
    let scope = if places.len() == all {
        format!("{all} comparisons")
    } else {
        format!("{} of {all} comparisons have intervals and no fault", places.len())
    };
    let labels = label::short(&comparisons);
    let of = |who: fn(&Place) -> &str| {
        places.iter().map(|place| (labels[place.index].as_str(), who(place))).collect::<Vec<_>>()
    };
    let first = holders(&of(|place| &place.first));
    let last = holders(&of(|place| &place.last));
    let apart = places.iter().filter(|place| place.is_apart).count();
    sentences.push(format!(
        "{scope}: the lowest median has {first}, shown to differ from every other in {apart}; the highest \
         has {last}."
    ));
    sentences
}

/// Who comes first and last in one comparison.
struct Place {
    index: usize,
    first: String,
    last: String,
    /// Whether the first is shown to differ from every other.
    is_apart: bool,
}

impl Place {
    fn of(record: &Record, index: usize, comparison: &Comparison) -> Option<Self> {
        let ranked = ranked(comparison);
        let ((first, summary), (last, _)) = (*ranked.first()?, *ranked.last()?);
        if first == last || is_faulty(comparison) || summary.time_ns.interval().is_none() {
            return None;
        }
        let labels = label::labels(record, comparison);
        let is_apart = ranked[1..].iter().all(|&(other, _)| is_apart(comparison, first, other));
        let name = |index: usize| format!("{}{}", labels[index], doubt(record, comparison, index));
        let (first, last) = (name(first), name(last));
        Some(Self { index, first, last, is_apart })
    }
}

/// `a in all`, `a at 12 B to 512 B and b at 1 KiB`, or how often each.
fn holders(held: &[(&str, &str)]) -> String {
    let mut runs: Vec<(&str, &str, &str)> = Vec::new();
    let mut often: Vec<(&str, usize)> = Vec::new();
    for &(place, who) in held {
        match runs.last_mut() {
            Some((_, to, holder)) if *holder == who => *to = place,
            _ => runs.push((place, place, who)),
        }
        match often.iter_mut().find(|(holder, _)| *holder == who) {
            Some((_, times)) => *times += 1,
            None => often.push((who, 1)),
        }
    }
    let one_scale = held.iter().all(|(place, _)| !place.contains('·') && !place.contains(": "));
    if let [(who, _)] = often.as_slice() {
        return format!("{who} in all");
    }
    if one_scale && runs.len() <= RUNS_MAX {
        let run = |(from, to, who): &(&str, &str, &str)| {
            if from == to { format!("{who} at {from}") } else { format!("{who} at {from} to {to}") }
        };
        return runs.iter().map(run).collect::<Vec<_>>().join(", ");
    }
    often.sort_by_key(|&(_, times)| std::cmp::Reverse(times));
    often.iter().map(|(who, times)| format!("{who} in {times}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::{complete, sweep, troubled};

    #[test]
    fn one_holder_a_few_runs_or_how_often() {
        let held = |who: &[&'static str]| {
            let sizes = ["1 B", "2 B", "3 B", "4 B", "5 B"];
            holders(&sizes.into_iter().zip(who.iter().copied()).collect::<Vec<_>>())
        };
        assert_eq!(held(&["a", "a", "a"]), "a in all");
        assert_eq!(held(&["a", "a", "b", "b", "c"]), "a at 1 B to 2 B, b at 3 B to 4 B, c at 5 B");
        assert_eq!(held(&["a", "b", "a", "b", "b"]), "b in 3, a in 2");
        assert_eq!(holders(&[("1 B · warm", "a"), ("1 B · cold", "b")]), "a in 1, b in 1");
    }

    #[test]
    fn comparisons_without_a_statement_are_not_counted() {
        let record = sweep();
        let mut comparisons = record.experiments[0].comparisons.clone();
        let text = sentences(&record, &comparisons).join(" ");
        assert!(
            text.starts_with(&format!("the A/A control failed in 1 of {} ", comparisons.len())),
            "{text}"
        );
        let troubled = troubled().experiments.remove(0).comparisons.remove(0);
        comparisons.truncate(2);
        comparisons.push(troubled);
        let text = sentences(&record, &comparisons).join(" ");
        assert!(text.contains("failed in 1 of 3") && text.contains("2 of 3 comparisons have"), "{text}");
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
            sentences(&record, &comparisons),
            ["none of 3 comparisons has an interval to rest on yet."]
        );
    }
}
