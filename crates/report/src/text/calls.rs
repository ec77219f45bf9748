//! The system calls of each method: how often by name, and one operation's
//! calls in order. Methods that do the same stand together.

use super::evidence::grouped_by;
use super::recipe::{in_order, shape, steps};
use crate::page::{Ink, Page};
use crate::quantity::{number, per_operation};
use crate::standing::{by_time, pass};
use fathom_model::{CallCount, Comparison, CountPass, Reading};
use std::collections::BTreeMap;

/// With more methods than this, brief text leaves out the order of the calls.
const RECIPES_METHODS: usize = 12;

/// The calls of one method.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counted<'a> {
    pub(super) label: &'a str,
    pub(super) pass: &'a CountPass,
}

/// Groups by count, in them by recipe; only those that changed since `above`,
/// the comparison printed before it.
pub(crate) fn render(
    page: &mut Page,
    comparison: &Comparison,
    labels: &[String],
    above: Option<(&Comparison, &[String])>,
) {
    let here = counted(comparison, labels);
    let before = above.map(|(comparison, labels)| counted(comparison, labels)).unwrap_or_default();
    let (same, changed): (Vec<_>, Vec<_>) = here.iter().partition(|method| is_known(method, &before));
    page.blank();
    if let Some(how) = how(&changed) {
        let recipes = page.is_full() || here.len() <= RECIPES_METHODS;
        let more = if recipes { "" } else { "; in order: --full" };
        page.paragraph(2, Ink::Plain, &format!("system calls of one operation ({how}{more})"));
        groups(page, &changed, recipes);
    }
    if !same.is_empty() {
        let is_exact = |method: &&Counted<'_>| {
            before.iter().any(|known| known.label == method.label && known.pass.recipe == method.pass.recipe)
        };
        let exactly = same.iter().all(is_exact);
        let which = if changed.is_empty() { "calls as above" } else { "calls of the other methods as above" };
        let but = if exactly { "" } else { ", but for sizes" };
        page.paragraph(if changed.is_empty() { 2 } else { 4 }, Ink::Plain, &format!("{which}{but}"));
    }
    uncounted(page, comparison, labels);
}

/// A call by name: `openat 1`, `epoll_ctl=EPERM 1`.
pub(crate) fn call_name(call: &CallCount) -> String {
    match &call.errno {
        Some(errno) => format!("{}={errno}", call.call),
        None => call.call.clone(),
    }
}

/// Calls by name with their numbers; one that varied with its range.
pub(crate) fn counts<'a>(calls: impl IntoIterator<Item = &'a CallCount>) -> Vec<String> {
    calls.into_iter().map(count).collect()
}

/// The methods that were counted, the fastest first.
pub(crate) fn counted<'a>(comparison: &'a Comparison, labels: &'a [String]) -> Vec<Counted<'a>> {
    let counted = |index: usize| Some(Counted { label: &labels[index], pass: pass(comparison, index)? });
    by_time(comparison).into_iter().filter_map(counted).collect()
}

/// `7 calls: openat 1, …`, in the order of the recipe.
pub(crate) fn total(pass: &CountPass) -> String {
    match counts(in_order(pass)) {
        calls if calls.is_empty() => how_many(pass),
        calls => format!("{}: {}", how_many(pass), calls.join(", ")),
    }
}

/// `7 calls`.
pub(crate) fn how_many(pass: &CountPass) -> String {
    if in_order(pass).is_empty() {
        return "no calls".to_owned();
    }
    let total = per_operation(pass.calls_per_operation(), pass.is_exact());
    format!("{total} {}", if total == "1" { "call" } else { "calls" })
}

/// From what runs the counts come; `None` when there are none.
pub(crate) fn how(methods: &[&Counted<'_>]) -> Option<String> {
    let length = |method: &&Counted<'_>| {
        let pass = method.pass;
        let [short, long] = pass.run_lengths;
        if pass.is_of_one_operation() {
            return "one operation of each, once".to_owned();
        }
        format!("runs of {short} and {long}, {} times", pass.repetitions)
    };
    let first = methods.first().map(length)?;
    let runs =
        if methods.iter().all(|m| length(m) == first) { first } else { "run lengths differ".to_owned() };
    let exact = methods.iter().filter(|method| method.pass.is_exact()).count();
    if methods.iter().all(|method| method.pass.repetitions == 1) {
        return Some(runs);
    }
    if exact == methods.len() {
        return Some(format!("{runs}, all equal"));
    }
    Some(format!("{runs}, {exact} of {} methods exact", methods.len()))
}

/// Why a method was not counted.
pub(crate) fn uncounted(page: &mut Page, comparison: &Comparison, labels: &[String]) {
    let missing = |counts: &Reading<CountPass>| counts.value().and_then(|pass| pass.missing.clone());
    let mut said: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (label, counts) in labels.iter().zip(&comparison.counts) {
        if let Some(missing) = missing(counts) {
            said.entry(missing).or_default().push(label);
        }
    }
    for (missing, of) in said {
        page.hanging("  ", 4, Ink::Plain, &format!("calls of {}: {missing}", of.join(", ")));
    }
    for (label, counts) in labels.iter().zip(&comparison.counts) {
        if let Reading::Unavailable(reason) = counts {
            page.hanging("  ", 4, Ink::Plain, &format!("calls of {label} not counted: {reason}"));
        }
    }
}

/// The groups: a line of counts, then methods and recipe of each way to make them.
pub(crate) fn groups(page: &mut Page, methods: &[&Counted<'_>], recipes: bool) {
    let labels = |methods: &[&Counted<'_>]| methods.iter().map(|m| m.label.to_owned()).collect::<Vec<_>>();
    for (counts, _) in grouped_by(&labels(methods), methods, |method| total(method.pass)) {
        page.hanging("    ", 6, Ink::Plain, &counts);
        let members: Vec<_> = methods.iter().copied().filter(|m| total(m.pass) == counts).collect();
        let recipe = |method: &&Counted<'_>| if recipes { steps(method.pass) } else { Vec::new() };
        for (mut steps, names) in grouped_by(&labels(&members), &members, recipe) {
            page.tokens("      ", 6, &names, ", ");
            if !steps.is_empty() {
                if !page.is_full() {
                    shorten(&mut steps);
                }
                page.tokens("        ", 8, &steps, " → ");
            }
        }
    }
}

/// The recipe of an operation of thousands of calls is read for its beginning and its end.
fn shorten(steps: &mut Vec<String>) {
    const WHOLE: usize = 20;
    const BEGINNING: usize = 12;
    const END: usize = 3;
    if steps.len() > WHOLE {
        let left_out = steps.len() - BEGINNING - END;
        steps.splice(BEGINNING..BEGINNING + left_out, [format!("… ({left_out} steps more in --full)")]);
    }
}

/// True when the comparison above has the method with the same calls in the
/// same order, sizes aside.
fn is_known(method: &Counted<'_>, above: &[Counted<'_>]) -> bool {
    let same = |known: &&Counted<'_>| known.label == method.label && total(known.pass) == total(method.pass);
    above.iter().find(same).is_some_and(|known| shape(known.pass) == shape(method.pass))
}

fn count(call: &CallCount) -> String {
    let each = format!("{} {}", call_name(call), per_operation(call.per_operation(), call.is_exact()));
    let ends = call.differences.iter().min().zip(call.differences.iter().max());
    match ends.filter(|_| !call.is_exact()) {
        Some((&low, &high)) => {
            let end = |difference: i64| number(difference as f64 / call.operations as f64, 2);
            format!("{each} [{}, {}]", end(low), end(high))
        }
        None => each,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::TextOptions;
    use fathom_testkit::complete;

    /// What is printed of a comparison below itself, after a change to it.
    fn below_itself(change: impl Fn(&mut CountPass)) -> String {
        let above = complete().experiments.remove(1).comparisons.remove(0);
        let mut comparison = above.clone();
        let Reading::Value(pass) = &mut comparison.counts[1] else { panic!("not counted") };
        change(pass);
        let labels: Vec<_> = above.variants.iter().map(|variant| variant.method.to_string()).collect();
        let mut page = Page::new(&TextOptions::default());
        render(&mut page, &comparison, &labels, Some((&above, &labels)));
        page.finish().trim().to_owned()
    }

    #[test]
    fn calls_as_above_are_not_repeated() {
        assert_eq!(below_itself(|_| {}), "calls as above");
        let resized = below_itself(|pass| pass.recipe[7].result = "999".into());
        assert_eq!(resized, "calls as above, but for sizes");
    }

    #[test]
    fn calls_that_changed_are_printed_and_only_those() {
        let counts = below_itself(|pass| pass.inside[0].differences.fill(1_000));
        let order = below_itself(|pass| pass.recipe.swap(6, 7));
        let flags = below_itself(|pass| pass.recipe[0].arguments = "AT_FDCWD, FILE, O_RDONLY".into());
        for text in [counts, order, flags] {
            assert!(text.contains("go:io.ReadAll\n") && !text.contains("go:os.ReadFile"), "{text}");
            assert!(text.ends_with("calls of the other methods as above"), "{text}");
        }
    }

    #[test]
    fn counts_that_varied_carry_their_range() {
        let varied = CallCount {
            call: "futex".into(),
            errno: None,
            differences: vec![200, 207, 210],
            operations: 100,
        };
        assert_eq!(counts([&varied]), ["futex ~2.07 [2.00, 2.10]"]);
        assert_eq!(counts([&CallCount { differences: vec![200; 3], ..varied }]), ["futex 2"]);
    }
}
