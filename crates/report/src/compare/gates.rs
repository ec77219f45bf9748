//! The gates: each one's verdict, and the evidence where it does not hold.

use super::in_words;
use crate::page::{Ink, Page};
use crate::quantity::things;
use fathom_stats::{GateResult, GateVerdict, RecordComparison};

/// Variants shown of a gate; the JSON form has all.
const SHOWN: usize = 12;

pub(super) fn render(page: &mut Page, comparison: &RecordComparison) {
    if comparison.gates.is_empty() {
        return;
    }
    page.blank();
    page.paragraph(0, Ink::Heading, "Gates");
    for gate in &comparison.gates {
        let (word, ink) = verdict_word(gate.verdict);
        page.row(&format!("  fail on {}: ", gate.gate), &format!("{word}{}", share(gate)), ink);
        let mut told: Vec<_> =
            gate.variants.iter().filter(|variant| variant.verdict == gate.verdict).collect();
        if gate.verdict == GateVerdict::Holds {
            told.clear();
        }
        for variant in told.iter().take(SHOWN) {
            page.hanging(
                "      ",
                8,
                Ink::Plain,
                &format!("{}: {}", in_words(&variant.name), variant.evidence),
            );
        }
        if told.len() > SHOWN {
            let more = things((told.len() - SHOWN) as u64, "more variant");
            page.paragraph(6, Ink::Plain, &format!("and {more}; --format json has all"));
        }
    }
}

/// A verdict in a word, and its ink.
pub(crate) fn verdict_word(verdict: GateVerdict) -> (&'static str, Ink) {
    match verdict {
        GateVerdict::Fails => ("FAILS", Ink::Bad),
        GateVerdict::Inconclusive => ("INCONCLUSIVE", Ink::Bad),
        GateVerdict::Holds => ("holds", Ink::Good),
    }
}

fn share(gate: &GateResult) -> String {
    let of = |verdict| gate.variants.iter().filter(|variant| variant.verdict == verdict).count();
    match (gate.variants.len(), of(gate.verdict)) {
        (0, _) => ", there is no variant to judge".to_owned(),
        (all, found) => format!(" for {found} of {}", things(all as u64, "variant")),
    }
}
