//! The parts of one method in full, beside those of the baseline.

use super::share;
use crate::columns::{Column, align_at, lines};
use crate::label::widest;
use crate::page::{Ink, Page};
use crate::quantity::{NONE, TimeUnit, number, per_operation, short_time, three_digits};
use crate::text::times::pad;
use crate::wrap::{clean, elide, width};
use crate::written::time_phrase;
use fathom_model::{Breakdown, Part};

/// Blanks before every line.
const INDENT: usize = 4;
/// Names are cut to this.
const NAME_WIDTH: usize = 24;
/// Names narrower than this tell nothing any more.
const NAME_WIDTH_MIN: usize = 20;
/// Where the baseline's time stands.
const BASELINE_COLUMN: usize = 5;

/// A row per part, the rest last; what is to be known of a part below.
pub(super) fn render(page: &mut Page, label: &str, breakdown: &Breakdown, base: Option<&Breakdown>) {
    page.blank();
    page.paragraph(4, Ink::Plain, label);
    let names: Vec<_> = breakdown.parts.iter().map(|part| clean(&part.name)).collect();
    let room = |columns: &[Column]| {
        let figures = lines(columns).first().map_or(0, |line| width(line));
        page.width().saturating_sub(INDENT + figures)
    };
    let aligned = |(heading, cells): &Figures| Column::right(heading, align_at('.', cells));
    let mut columns: Vec<_> = figures(breakdown, base).iter().map(aligned).collect();
    // What the baseline has can be told from what is more.
    if room(&columns) < NAME_WIDTH_MIN && base.is_some() {
        columns.remove(BASELINE_COLUMN);
    }
    let wide = widest(&names).max("part".len()).min(NAME_WIDTH).min(room(&columns));
    let heads = std::iter::once("part").chain(names.iter().map(String::as_str));
    for (name, figures) in heads.zip(lines(&columns)) {
        page.row(&format!("    {}{figures}", pad(&elide(name, wide), wide)), "", Ink::Plain);
    }
    page.hanging("    ", 6, Ink::Plain, &sum(breakdown));
    for part in &breakdown.parts {
        if let Some(note) = &part.note {
            page.hanging("    ", 6, Ink::Faint, &format!("{}: {note}", part.name));
        }
    }
}

/// What the parts add up to, and how far they may be off.
pub(crate) fn sum(breakdown: &Breakdown) -> String {
    let off = breakdown.error_ns.map_or_else(
        || "by how much the parts above the rest may be off is not known".to_owned(),
        |error| format!("the parts above the rest may be off by {} together", short_time(error)),
    );
    format!("together {} as measured; {off}", time_phrase(&breakdown.total_ns))
}

/// A column of figures, a cell per part: its heading, and the cells as they are written.
pub(crate) type Figures = (&'static str, Vec<String>);

/// The columns behind the names of the parts.
pub(crate) fn figures(breakdown: &Breakdown, base: Option<&Breakdown>) -> Vec<Figures> {
    let total = breakdown.total_ns.value;
    let unit = TimeUnit::shared(&[total]);
    let scaled = |ns: f64| three_digits(ns / unit.ns());
    let column = |heading: &'static str, cell: &dyn Fn(&Part) -> Option<String>| {
        let cells = breakdown.parts.iter().map(|part| cell(part).unwrap_or_else(|| NONE.to_owned()));
        (heading, cells.collect())
    };
    let mut columns = vec![
        column("count", &|part| part.count.map(|count| per_operation(count, true))),
        column("price", &|part| part.price_ns.map(|price| number(price, 0))),
        column(unit.symbol(), &|part| Some(scaled(part.ns))),
        column("±", &|part| part.error_ns.map(scaled)),
        column("share", &|part| Some(share(part.ns, total))),
    ];
    if let Some(base) = base {
        let same = |part: &Part| {
            base.parts
                .iter()
                .find(|known| (known.kind, &known.name) == (part.kind, &part.name))
                .map_or(0.0, |known| known.ns)
        };
        columns.push(column("baseline", &|part| Some(scaled(same(part)))));
        columns.push(column("more", &|part| Some(scaled(part.ns - same(part)))));
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TextOptions;
    use crate::text::breakdown::breakdown;
    use fathom_testkit::explained;

    fn shown(width: usize, experiment: usize, index: usize) -> String {
        let record = explained();
        let comparison = &record.experiments[experiment].comparisons[0];
        let base = (index > 0).then(|| breakdown(comparison, 0)).flatten();
        let mut page = Page::new(&TextOptions { width, ..TextOptions::default() });
        render(&mut page, "method", breakdown(comparison, index).unwrap(), base);
        page.finish()
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
        assert!(last.trim_start().starts_with("rest"), "{text}");
        assert!(text.contains("together 3621 [3609, 3633] ns as measured"), "{text}");
    }

    #[test]
    fn a_narrow_page_does_without_the_baselines_column() {
        let text = shown(80, 1, 1);
        assert!(!text.contains("baseline") && text.contains("more"), "{text}");
        assert!(text.lines().all(|line| width(line) <= 80), "{text}");
        assert_eq!(figures(&text, "part"), ["count", "price", "µs", "±", "share", "more"]);
    }

    #[test]
    fn notes_stand_below() {
        let text = shown(100, 1, 0);
        assert!(text.contains("pread64: price of read (in order, reused buffer)"), "{text}");
    }
}
