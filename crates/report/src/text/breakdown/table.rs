//! The parts of one method in full, beside those of the baseline.

use super::gap::Gap;
use super::share;
use crate::columns::{Cell, Column, lines};
use crate::label::widest;
use crate::page::{Ink, Page};
use crate::quantity::{NONE, TimeUnit, number, per_operation, short_time, three_digits};
use crate::standing::summary;
use crate::text::times::pad;
use crate::visible::visible;
use crate::wrap::{elide, width};
use crate::written::time_phrase;
use fathom_model::{Breakdown, Comparison, Estimate, Part, PartKind};

/// Blanks before every line.
const INDENT: usize = 4;
/// Names are cut to this.
const NAME_WIDTH: usize = 24;
/// Names narrower than this tell nothing any more.
const NAME_WIDTH_MIN: usize = 20;
/// Where the baseline's time stands.
const BASELINE_COLUMN: usize = 5;

/// What stands beside the parts of a method: those of the baseline, and by how much
/// the two were found to differ in the same blocks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beside<'a> {
    pub(crate) base: &'a Breakdown,
    pub(crate) delta_ns: Option<Estimate>,
}

impl<'a> Beside<'a> {
    /// The baseline's parts beside those of another variant, where they are known.
    pub(crate) fn of(comparison: &'a Comparison, index: usize) -> Option<Self> {
        let base = super::breakdown(comparison, comparison.baseline);
        let base = base.filter(|_| index != comparison.baseline)?;
        Some(Self { base, delta_ns: summary(comparison, index).and_then(|summary| summary.delta_ns) })
    }

    /// What the baseline spends on parts that the other does not have.
    fn alone_ns(&self, breakdown: &Breakdown) -> f64 {
        let has = |known: &&Part| !breakdown.parts.iter().any(|part| is_same(part, known));
        self.base.parts.iter().filter(has).map(|part| part.ns).sum()
    }

    fn gap(&self, breakdown: &Breakdown) -> Gap {
        Gap::between(self.base, breakdown).paired(self.delta_ns)
    }
}

/// A row per part, the rest last; what is to be known of a part below.
pub(super) fn render(page: &mut Page, label: &str, breakdown: &Breakdown, beside: Option<Beside<'_>>) {
    page.blank();
    page.paragraph(4, Ink::Plain, label);
    let names: Vec<_> = breakdown.parts.iter().map(|part| visible(part.label())).collect();
    let room = |columns: &[Column]| {
        let figures = lines(columns).first().map_or(0, |line| width(line));
        page.width().saturating_sub(INDENT + figures)
    };
    let mut columns = figures(breakdown, beside);
    // What the baseline has can be told from what is more.
    if room(&columns) < NAME_WIDTH_MIN && beside.is_some() {
        columns.remove(BASELINE_COLUMN);
    }
    let wide = widest(&names).max("part".len()).min(NAME_WIDTH).min(room(&columns));
    let heads = std::iter::once("part").chain(names.iter().map(String::as_str));
    for (name, figures) in heads.zip(lines(&columns)) {
        page.row(&format!("    {}{figures}", pad(&elide(name, wide), wide)), "", Ink::Plain);
    }
    page.hanging("    ", 6, Ink::Plain, &sum(breakdown, beside));
    for part in &breakdown.parts {
        if let Some(note) = &part.note {
            page.hanging("    ", 6, Ink::Faint, &format!("{}: {note}", part.label()));
        }
    }
}

/// What the parts add up to, and how far they may be off.
pub(crate) fn sum(breakdown: &Breakdown, beside: Option<Beside<'_>>) -> String {
    let off = breakdown.error_ns.map_or_else(
        || "the error of the parts above is not known".to_owned(),
        |error| format!("the parts above may be off by {} together", short_time(error)),
    );
    let more = beside.map_or_else(String::new, |beside| {
        let (_, more) = beside.gap(breakdown).rest_and_total_ns();
        let how = if beside.delta_ns.is_some() { "in the same blocks" } else { "between the medians" };
        let alone = beside.alone_ns(breakdown);
        let alone = if alone == 0.0 {
            String::new()
        } else {
            format!(", {} of it by parts that the baseline alone has", short_time(-alone))
        };
        format!("; what is more adds up to {} as found {how}{alone}", short_time(more))
    });
    format!("together {} as measured; {off}{more}", time_phrase(&breakdown.total_ns))
}

fn is_same(part: &Part, other: &Part) -> bool {
    (part.kind, &part.name) == (other.kind, &other.name)
}

/// The columns behind the names of the parts. What is more adds up to the difference as
/// it was found, as it does in the sentence on it: the rest takes what the parts leave.
pub(crate) fn figures(breakdown: &Breakdown, beside: Option<Beside<'_>>) -> Vec<Column> {
    let total = breakdown.total_ns.value;
    let unit = TimeUnit::shared(&[total]);
    let scaled = |ns: f64| three_digits(ns / unit.ns());
    let column = |heading: &str, figure: &dyn Fn(&Part) -> Option<f64>, write: &dyn Fn(f64) -> String| {
        let cell = |part: &Part| match figure(part) {
            Some(figure) => Cell::figure(write(figure), figure),
            None => NONE.to_owned().into(),
        };
        Column::right(heading, breakdown.parts.iter().map(cell).collect()).aligned_at('.')
    };
    let mut columns = vec![
        column("count", &|part| part.count, &|count| per_operation(count, true))
            .meaning("how often in one operation"),
        column("price", &|part| part.price_ns, &|price| number(price, 0)).meaning("of one, in ns"),
        column(unit.symbol(), &|part| Some(part.ns), &scaled),
        column("±", &|part| part.error_ns, &scaled).meaning("half of what it may be off by at 95 %"),
        column("share", &|part| Some(part.ns), &|ns| share(ns, total)).meaning("of the measured time"),
    ];
    if let Some(beside) = beside {
        let base = beside.base;
        let (rest_ns, _) = beside.gap(breakdown).rest_and_total_ns();
        let same =
            |part: &Part| base.parts.iter().find(|known| is_same(part, known)).map_or(0.0, |known| known.ns);
        let baseline = column("baseline", &|part| Some(same(part)), &scaled);
        columns.push(baseline.meaning("the same part of the baseline's time"));
        let more = |part: &Part| match part.kind {
            PartKind::Rest => rest_ns,
            _ => part.ns - same(part),
        };
        columns.push(column("more", &|part| Some(more(part)), &scaled).meaning("than the baseline"));
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::TextOptions;
    use crate::text::breakdown::breakdown;
    use fathom_testkit::explained;

    fn shown(width: usize, experiment: usize, index: usize) -> String {
        let record = explained();
        let comparison = &record.experiments[experiment].comparisons[0];
        shown_of(comparison, width, index)
    }

    fn shown_of(comparison: &Comparison, width: usize, index: usize) -> String {
        let mut page = Page::new(&TextOptions { width, ..TextOptions::default() });
        let beside = Beside::of(comparison, index);
        render(&mut page, "method", breakdown(comparison, index).unwrap(), beside);
        page.finish()
    }

    fn flat(text: &str) -> String {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn figures<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
        let line = text.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        line.trim_start().trim_start_matches(name).split_whitespace().collect()
    }

    #[test]
    fn a_part_stands_beside_the_baselines() {
        let text = shown(120, 0, 1);
        assert_eq!(figures(&text, "part"), ["count", "price", "ns", "±", "share", "baseline", "more"]);
        assert_eq!(figures(&text, "fcntl"), ["4", "158", "634", "6.34", "18", "%", "0", "634"]);
        assert_eq!(figures(&text, "openat"), ["1", "1008", "1008", "10.1", "28", "%", "1008", "0"]);
        let last = text.lines().rfind(|line| line.contains(" %")).unwrap();
        assert!(last.trim_start().starts_with("unattributed"), "{text}");
        assert!(text.contains("together 3621 [3609, 3633] ns as measured"), "{text}");
    }

    #[test]
    fn a_narrow_page_does_without_the_baselines_column() {
        let text = shown(80, 1, 1);
        assert!(text.contains("more"), "{text}");
        assert!(text.lines().all(|line| width(line) <= 80), "{text}");
        assert_eq!(figures(&text, "part"), ["count", "price", "µs", "±", "share", "more"]);
    }

    #[test]
    fn what_is_more_adds_up_to_the_paired_difference_and_says_so() {
        let mut record = explained();
        let comparison = &mut record.experiments[0].comparisons[0];
        let fathom_model::Reading::Value(summary) = &mut comparison.summaries[1] else { panic!("not timed") };
        summary.delta_ns = Some(fathom_testkit::estimate(1_000.0, Some((990.0, 1_010.0)), 9));
        let text = shown_of(comparison, 120, 1);
        // 634 of fcntl and 187 of epoll_ctl leave 179, not the 586 between the medians.
        assert_eq!(figures(&text, "unattributed").last(), Some(&"179"), "{text}");
        let text = flat(&text);
        assert!(text.contains("what is more adds up to 1000 ns as found in the same blocks"), "{text}");
        let fathom_model::Reading::Value(summary) = &mut comparison.summaries[1] else { panic!("not timed") };
        summary.delta_ns = None;
        let text = shown_of(comparison, 120, 1);
        assert_eq!(figures(&text, "unattributed").last(), Some(&"586"), "{text}");
        let blocks = &record.experiments[1].comparisons[0];
        assert!(flat(&shown_of(blocks, 120, 1)).contains("of it by parts that the baseline alone has"));
        let text = flat(&text);
        assert!(text.contains("adds up to 1407 ns as found between the medians"), "{text}");
    }

    #[test]
    fn notes_stand_below() {
        let text = shown(100, 1, 0);
        assert!(text.contains("pread64: price of read (in order, reused buffer)"), "{text}");
    }
}
