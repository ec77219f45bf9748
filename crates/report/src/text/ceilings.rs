//! What memory and the device can give at most, above the tables of an
//! experiment that asks for it.

use crate::page::{Ink, Page};
use crate::quantity::three_digits;
use fathom_model::{Ceiling, Reading};

/// A line per ceiling.
pub(crate) fn render(page: &mut Page, ceilings: &[Reading<Ceiling>]) {
    if ceilings.is_empty() {
        return;
    }
    page.blank();
    page.paragraph(0, Ink::Plain, "What can be reached here at most:");
    for ceiling in ceilings {
        let text = match ceiling {
            Reading::Value(ceiling) => format!(
                "{}: {} GB/s ({} to {} in {} rounds; {})",
                ceiling.kind.words(),
                gigabytes(ceiling.bytes_per_s),
                gigabytes(ceiling.least_bytes_per_s),
                gigabytes(ceiling.most_bytes_per_s),
                ceiling.rounds,
                ceiling.how,
            ),
            Reading::Unavailable(reason) => format!("not known: {reason}"),
        };
        page.hanging("  ", 4, Ink::Plain, &text);
    }
}

fn gigabytes(bytes_per_s: f64) -> String {
    three_digits(bytes_per_s / 1e9)
}
