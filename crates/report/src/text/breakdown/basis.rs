//! What a breakdown rests on: which prices, and whether they still hold.

use crate::page::{Ink, Page};
use crate::quantity::number;
use fathom_model::{Breakdown, Comparison, Floor, Floors, PriceList, Reading, Record};

/// The cheapest calls may cost so much more or less than when the prices were
/// taken before it is said.
const DRIFT_MIN: f64 = 0.1;

/// `, by unit costs of 2026-11-19 08:30 UTC (ext4, 8 processes)`; nothing when the
/// record does not tell.
pub(super) fn prices(record: &Record, comparison: &Comparison, known: &[(usize, &Breakdown)]) -> String {
    let lists = lists(record, comparison, known);
    let each = lists.iter().map(|list| {
        let noun = if list.processes == 1 { "process" } else { "processes" };
        let PriceList { created, place, processes, .. } = list;
        format!("{} ({}, {processes} {noun})", moment(created), place.file_system)
    });
    let each: Vec<_> = each.collect();
    if each.is_empty() { String::new() } else { format!(", by unit costs of {}", each.join(" and of ")) }
}

/// Says where the machine is no longer what it was when the prices were taken.
pub(super) fn doubts(
    page: &mut Page,
    record: &Record,
    comparison: &Comparison,
    known: &[(usize, &Breakdown)],
) {
    let Reading::Value(now) = &record.floors else { return };
    for list in lists(record, comparison, known) {
        let Reading::Value(then) = &list.floors else { continue };
        let Some((call, ratio)) = drift(now, then) else { continue };
        let word = if ratio > 1.0 { "more" } else { "less" };
        let percent = number((ratio - 1.0).abs() * 100.0, 0);
        let text = format!(
            "{call} cost {percent} % {word} in this run than when the prices were taken: unit costs may be off \
             by that, and the unattributed time with them"
        );
        page.hanging("    ", 6, Ink::Bad, &text);
    }
}

/// The lists of the places of these variants, each once.
fn lists<'a>(
    record: &'a Record,
    comparison: &Comparison,
    known: &[(usize, &Breakdown)],
) -> Vec<&'a PriceList> {
    let is_used = |list: &&PriceList| {
        known.iter().any(|(index, _)| {
            let place = comparison.variants.get(*index).and_then(|variant| record.places.get(variant.place));
            place.is_some_and(|facts| facts.place == list.place.place)
        })
    };
    record.prices.iter().filter(is_used).collect()
}

/// The cheapest call that drifted most, and its cost now over that then.
fn drift(now: &Floors, then: &Floors) -> Option<(&'static str, f64)> {
    let ratio = |now: &Floor, then: &Floor| now.median / then.median;
    let calls = [
        ("the null call", ratio(&now.null_call_ns, &then.null_call_ns)),
        ("fstat", ratio(&now.fstat_ns, &then.fstat_ns)),
        ("pread", ratio(&now.pread_ns, &then.pread_ns)),
    ];
    let size = |ratio: f64| ratio.ln().abs();
    let known = calls.into_iter().filter(|(_, ratio)| ratio.is_finite() && *ratio > 0.0);
    let most = known.max_by(|a, b| size(a.1).total_cmp(&size(b.1)))?;
    (size(most.1) > DRIFT_MIN.ln_1p()).then_some(most)
}

/// `2026-11-19 08:30 UTC` of a moment as records write it, or as it is.
fn moment(created: &str) -> String {
    match (created.get(..10), created.get(10..11), created.get(11..16)) {
        (Some(day), Some("T"), Some(minute)) if created.ends_with('Z') => format!("{day} {minute} UTC"),
        _ => created.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::TextOptions;
    use crate::text::breakdown::breakdown;
    use fathom_testkit::explained;

    fn told(change: impl Fn(&mut Record)) -> (String, String) {
        let mut record = explained();
        change(&mut record);
        let comparison = &record.experiments[0].comparisons[0];
        let known = [(0, breakdown(comparison, 0).unwrap())];
        let mut page = Page::new(&TextOptions::default());
        doubts(&mut page, &record, comparison, &known);
        let text = page.finish().split_whitespace().collect::<Vec<_>>().join(" ");
        (prices(&record, comparison, &known), text)
    }

    #[test]
    fn prices_are_dated_and_drift_is_told() {
        let same = told(|_| {});
        assert_eq!(
            same,
            (", by unit costs of 2026-11-19 08:30 UTC (ext4, 8 processes)".to_owned(), String::new())
        );
        let (_, drifted) = told(|record| {
            let Reading::Value(floors) = &mut record.floors else { panic!("no floors") };
            floors.fstat_ns.median *= 0.8;
        });
        assert!(drifted.starts_with("fstat cost 20 % less in this run than"), "{drifted}");
        let (_, a_little) = told(|record| {
            let Reading::Value(floors) = &mut record.floors else { panic!("no floors") };
            floors.null_call_ns.median *= 1.09;
        });
        assert_eq!(a_little, "");
    }

    #[test]
    fn prices_of_another_place_are_not_named() {
        let (prices, _) = told(|record| record.prices[0].place.place = fathom_model::Place::Memfd);
        assert_eq!(prices, "");
    }
}
