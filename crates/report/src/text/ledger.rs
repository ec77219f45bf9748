//! In full only: the calls that the table leaves out, because they are not
//! tied to an operation or lie outside the clock.

use super::calls::counts;
use super::evidence::grouped_by;
use crate::page::{Ink, Page};
use crate::quantity::things;
use crate::standing::pass;
use fathom_model::{Comparison, CountPass};

/// Background calls and calls between batches, per group of methods.
pub(crate) fn render(page: &mut Page, comparison: &Comparison, labels: &[String]) {
    if !page.is_full() {
        return;
    }
    let counted: Vec<_> =
        (0..labels.len()).filter_map(|i| Some((labels[i].clone(), pass(comparison, i)?))).collect();
    let (names, passes): (Vec<_>, Vec<_>) = counted.into_iter().unzip();
    if passes.is_empty() {
        return;
    }
    section(page, "inside the clock, not tied to operations, per operation", &names, &passes, |pass| {
        format!("{} ({})", list(&counts(&pass.background)), things(u64::from(pass.threads), "thread"))
    });
    section(page, "outside the clock, per batch", &names, &passes, |pass| list(&counts(&pass.outside)));
}

fn section(
    page: &mut Page,
    title: &str,
    names: &[String],
    passes: &[&CountPass],
    text: impl Fn(&CountPass) -> String,
) {
    page.blank();
    page.paragraph(2, Ink::Plain, title);
    for (text, members) in grouped_by(names, passes, |pass| text(pass)) {
        page.hanging("    ", 6, Ink::Plain, &format!("{text}: {}", members.join(", ")));
    }
}

fn list(calls: &[String]) -> String {
    if calls.is_empty() { "none".to_owned() } else { calls.join(", ") }
}
