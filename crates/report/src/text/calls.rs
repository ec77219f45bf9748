//! The system calls of each method: how often by name, and one operation's
//! calls in order.

use super::evidence::grouped_by;
use super::times::by_time;
use crate::label::widest;
use crate::page::{Ink, Page};
use crate::quantity::per_operation;
use crate::wrap::clean;
use fathom_model::{CallCount, Comparison, CountPass, Reading, RecipeStep};

/// Columns that the names of methods take at most.
const LABEL_WIDTH_MAX: usize = 30;
/// Calls whose result says how much was moved, which is worth reading.
const TRANSFERS: &[&str] = &[
    "read",
    "readv",
    "pread64",
    "preadv",
    "preadv2",
    "write",
    "writev",
    "pwrite64",
    "pwritev",
    "pwritev2",
    "sendfile",
    "splice",
    "copy_file_range",
    "getdents64",
    "io_uring_enter",
];

/// Both, for the methods that were counted.
pub(super) fn render(page: &mut Page, comparison: &Comparison, labels: &[String]) {
    let order: Vec<_> = by_time(comparison)
        .into_iter()
        .filter_map(|index| Some((labels[index].clone(), comparison.counts.get(index)?.value()?)))
        .collect();
    let (names, passes): (Vec<_>, Vec<_>) = order.into_iter().unzip();
    if passes.is_empty() {
        return;
    }
    page.blank();
    page.paragraph(2, Ink::Plain, &format!("system calls per operation ({})", how(&passes)));
    by_name(page, &names, &passes);
    page.blank();
    page.paragraph(2, Ink::Plain, "one operation, in order");
    recipes(page, &names, &passes);
}

/// A call by name: `openat 1`, `epoll_ctl=EPERM 1`.
pub(crate) fn call_name(call: &CallCount) -> String {
    match &call.errno {
        Some(errno) => format!("{}={errno}", call.call),
        None => call.call.clone(),
    }
}

/// Calls by name with their numbers.
pub(super) fn counts(calls: &[CallCount]) -> Vec<String> {
    let text = |call: &CallCount| {
        format!("{} {}", call_name(call), per_operation(call.per_operation(), call.is_exact()))
    };
    calls.iter().map(text).collect()
}

fn how(passes: &[&CountPass]) -> String {
    let lengths: Vec<_> = passes
        .iter()
        .map(|p| {
            format!("{} and {} operations, {} repetitions", p.run_lengths[0], p.run_lengths[1], p.repetitions)
        })
        .collect();
    let same = lengths.windows(2).all(|pair| pair[0] == pair[1]);
    let exact = passes.iter().filter(|pass| pass.is_exact()).count();
    let lengths = if same { lengths[0].as_str() } else { "run lengths differ" };
    if exact == passes.len() {
        return format!("runs of {lengths}, all equal");
    }
    format!("runs of {lengths}, {exact} of {} methods exact", passes.len())
}

fn by_name(page: &mut Page, names: &[String], passes: &[&CountPass]) {
    let column = widest(names).min(LABEL_WIDTH_MAX);
    for (name, pass) in names.iter().zip(passes) {
        let total = per_operation(pass.calls_per_operation(), pass.is_exact());
        let mut tokens = counts(&pass.inside);
        if tokens.is_empty() {
            tokens.push("none".to_owned());
        }
        tokens[0] = format!("{total}: {}", tokens[0]);
        page.tokens(&format!("    {name:column$}  "), column + 6, &tokens, ", ");
    }
}

/// Methods that do the same share one recipe.
fn recipes(page: &mut Page, names: &[String], passes: &[&CountPass]) {
    let joined = |pass: &&CountPass| pass.recipe.iter().map(step).collect::<Vec<_>>().join("\n");
    for (recipe, members) in grouped_by(names, passes, joined) {
        page.paragraph(4, Ink::Plain, &members.join(", "));
        let steps: Vec<_> = recipe.split('\n').map(str::to_owned).collect();
        if recipe.is_empty() {
            page.paragraph(6, Ink::Plain, "no call");
        } else {
            page.tokens("      ", 6, &steps, " → ");
        }
    }
}

fn step(step: &RecipeStep) -> String {
    let mut text = format!("{}({})", step.call, step.arguments);
    if step.failed {
        text = format!("{text} = {} (fails)", step.result);
    } else if TRANSFERS.contains(&step.call.as_str()) {
        text = format!("{text} = {}", step.result);
    }
    if step.other_thread {
        text.push_str(" [another thread]");
    }
    // A path could hold a newline, which separates the steps of a recipe above.
    clean(&text)
}

/// The counts of a variant, where it was counted.
pub(crate) fn pass(comparison: &Comparison, index: usize) -> Option<&CountPass> {
    comparison.counts.get(index).and_then(Reading::value)
}
