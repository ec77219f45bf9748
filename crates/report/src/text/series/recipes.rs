//! The system calls over a series: those of the first comparison in full, then
//! per method what changes.

use super::Series;
use crate::page::{Ink, Page};
use crate::standing::pass;
use crate::text::calls::{call_name, counted, counts, groups, how};
use crate::text::evidence::grouped_by;
use crate::text::recipe::{in_order, shape};
use fathom_model::{Comparison, CountPass, Reading};

/// The calls of the first, the changes, and what could not be counted.
pub(crate) fn render(page: &mut Page, series: &Series<'_>) {
    let first = counted(series.comparisons[0], &series.labels);
    let methods: Vec<_> = first.iter().collect();
    page.blank();
    if let Some(how) = how(&methods) {
        let place = &series.places[0];
        page.paragraph(2, Ink::Plain, &format!("system calls of one operation at {place} ({how})"));
        groups(page, &methods, true);
        changes(page, series);
    }
    uncounted(page, series);
}

fn changes(page: &mut Page, series: &Series<'_>) {
    let texts: Vec<_> = series.order.iter().map(|&method| changes_of(series, method)).collect();
    let names: Vec<_> = series.order.iter().map(|&method| series.labels[method].clone()).collect();
    let place = &series.places[0];
    page.paragraph(4, Ink::Plain, &format!("what differs from {place}, but for sizes"));
    let mut any = false;
    for (changes, members) in grouped_by(&names, &texts, Vec::clone) {
        if changes.is_empty() {
            continue;
        }
        any = true;
        page.tokens("      ", 6, &members, ", ");
        page.tokens("        ", 8, &changes, "; ");
    }
    if !any {
        page.paragraph(6, Ink::Plain, "nothing");
    }
}

/// `read 3 at 600 B to 800 B`: the counts of a method where they differ from the first.
fn changes_of(series: &Series<'_>, method: usize) -> Vec<String> {
    let Some(first) = pass(series.comparisons[0], method) else { return Vec::new() };
    let changed = |comparison: &Comparison| Some(difference(first, pass(comparison, method)?));
    let mut texts: Vec<String> = Vec::new();
    for text in series.comparisons.iter().filter_map(|comparison| changed(comparison)) {
        if !text.is_empty() && !texts.contains(&text) {
            texts.push(text);
        }
    }
    let placed = |text: &String| format!("{text}{}", series.at(|c| changed(c).as_ref() == Some(text)));
    texts.iter().map(placed).collect()
}

/// The counts of `other` that `first` does not have, and the calls it lacks.
fn difference(first: &CountPass, other: &CountPass) -> String {
    let known = counts(&first.inside);
    let new = counts(in_order(other)).into_iter().filter(|count| !known.contains(count));
    let names: Vec<_> = other.inside.iter().map(call_name).collect();
    let gone = in_order(first).into_iter().map(call_name).filter(|name| !names.contains(name));
    match new.chain(gone.map(|name| format!("no {name}"))).collect::<Vec<_>>() {
        same if same.is_empty() && shape(first) != shape(other) => "another order or arguments".to_owned(),
        counts => counts.join(", "),
    }
}

fn uncounted(page: &mut Page, series: &Series<'_>) {
    for (index, label) in series.labels.iter().enumerate() {
        let is_uncounted = |comparison: &Comparison| comparison.counts[index].value().is_none();
        let reason = series.comparisons.iter().find_map(|comparison| match &comparison.counts[index] {
            Reading::Unavailable(reason) => Some(reason),
            Reading::Value(_) => None,
        });
        if let Some(reason) = reason {
            let at = series.at(is_uncounted);
            page.hanging("  ", 4, Ink::Plain, &format!("calls of {label} not counted{at}: {reason}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::sweep;

    #[test]
    fn differences_are_counts_then_calls_that_are_gone_then_order() {
        let comparisons = sweep().experiments.remove(0).comparisons;
        let first = pass(&comparisons[0], 4).unwrap();
        let large = pass(&comparisons[23], 4).unwrap();
        assert_eq!(difference(first, first), "");
        assert_eq!(difference(first, large), "read 17");
        assert_eq!(difference(first, pass(&comparisons[0], 3).unwrap()), "no newfstatat");
        let mut turned = first.clone();
        turned.recipe.swap(1, 2);
        assert_eq!(difference(first, &turned), "another order or arguments");
        let mut resized = first.clone();
        resized.recipe[2].result = "99".into();
        assert_eq!(difference(first, &resized), "");
    }
}
