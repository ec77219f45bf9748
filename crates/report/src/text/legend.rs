//! What marks and columns mean: below a table in one line, and at the end of
//! the report in full.

use crate::page::{Ink, Page};
use crate::standing::{ratios, statement};
use crate::statement::Statement;
use crate::volume::{bytes_per_second, is_fixed};
use fathom_model::{Comparison, Reading, Record};

/// The marks that these comparisons use, in words.
pub(crate) fn marks(page: &mut Page, comparisons: &[&Comparison]) {
    let is_used = |mark: &Statement| {
        comparisons.iter().any(|c| (0..c.variants.len()).any(|index| statement(c, index) == *mark))
    };
    let used: Vec<_> = Statement::MARKED.into_iter().filter(is_used).collect();
    let each: Vec<_> = used.iter().map(|mark| format!("{} {}", mark.mark(), mark.words())).collect();
    let together = match shared(comparisons) {
        Some(many) if used.iter().any(|mark| is_judgment(*mark)) => format!(" (all {many} at 95 %)"),
        _ => String::new(),
    };
    page.hanging("  ", 4, Ink::Faint, &format!("{}{together}", each.join(", ")));
}

/// How many statements hold together, where there are several.
pub(crate) fn shared(comparisons: &[&Comparison]) -> Option<usize> {
    comparisons.iter().map(|comparison| ratios(comparison)).max().filter(|&many| many > 1)
}

/// What the columns mean, once for the whole report.
pub(crate) fn columns(page: &mut Page, record: &Record) {
    let mut comparisons = record.experiments.iter().flat_map(|experiment| &experiment.comparisons);
    let Some(first) = comparisons.next() else { return };
    let many = ratios(first) > 1 || comparisons.any(|comparison| ratios(comparison) > 1);
    let mut text = "Time: median over forks (n, each a run of fresh driver processes) of the fork's median; \
         service time of a closed loop, harness overhead included. Ratio: to the baseline, paired in the \
         block. 95 %: confidence sequence over forks"
        .to_owned();
    text.push_str(if many {
        "; intervals are per row; marks and summary are corrected for multiple comparisons."
    } else {
        "."
    });
    let comparisons = || record.experiments.iter().flat_map(|experiment| &experiment.comparisons);
    if comparisons().any(|c| (0..c.variants.len()).any(|index| bytes_per_second(c, index).is_some())) {
        text.push_str(" MB/s, GB/s: 10^6, 10^9 bytes delivered or written in a second of the time.");
    }
    if comparisons().any(tells_of_a_device) {
        text.push_str(" Task: bytes that the driver had read from and written to devices; device: what the whole device did, whoever caused it.");
    }
    text.push_str(
        " Calls: system calls per operation, from a count pass of its own; ~: not whole, or it varied.",
    );
    page.paragraph(0, Ink::Faint, &text);
}

fn tells_of_a_device(comparison: &Comparison) -> bool {
    let mut summaries = comparison.summaries.iter().filter_map(Reading::value);
    is_fixed(comparison)
        && summaries.any(|s| s.runtime_per_operation.keys().any(|key| key.starts_with("device_")))
}

fn is_judgment(mark: Statement) -> bool {
    matches!(mark, Statement::Faster | Statement::Slower | Statement::NoDifference | Statement::Alone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::TextOptions;
    use fathom_testkit::complete;

    fn legend(variants: usize) -> String {
        let mut comparison = complete().experiments.remove(0).comparisons.remove(0);
        comparison.variants.truncate(variants);
        comparison.summaries.truncate(variants);
        let mut page = Page::new(&TextOptions::default());
        marks(&mut page, &[&comparison]);
        page.finish().trim().to_owned()
    }

    #[test]
    fn only_marks_in_use_are_explained_and_shared_error_only_where_it_is_shared() {
        assert_eq!(legend(5), "* baseline, - faster, + slower, = no difference shown (all 4 at 95 %)");
        assert_eq!(legend(2), "* baseline, + slower");
        assert_eq!(legend(1), "* baseline");
    }
}
