//! The intervals so far: one line for each variant, fastest first, as in the
//! table at the end, as many as there is room for.

use super::picture;
use crate::columns::{Cell, Column, lines as table};
use crate::label::{elided, labels_in, widest};
use crate::quantity::TimeUnit;
use crate::standing::{by_time, ratios, statement, summary};
use crate::statement::{Statement, too_few};
use crate::text::times::{confidence, estimate_columns};
use crate::visible::visible;
use crate::wrap::{elide, width};
use crate::written::{ratio, time_in_table};
use anstyle::Style;
use fathom_model::{Comparison, PlaceFacts, VariantSummary};
use fathom_stats::Aim;

/// The mark and the blank behind it.
const MARK_COLUMNS: usize = 2;
/// Names are not shortened further to make room for another column.
const NAME_COLUMNS: usize = 24;

/// The times of a comparison while it is being timed.
#[derive(Debug, Clone, Copy)]
pub struct LiveTimes<'a> {
    /// Its variants and their summaries; it need not hold the samples.
    pub comparison: &'a Comparison,
    /// The places that its variants refer to.
    pub places: &'a [PlaceFacts],
    /// Forks so far.
    pub forks: usize,
    /// What ends it early.
    pub aim: Aim,
}

/// At most `room` lines of at most `columns`; none before there is a figure.
pub(super) fn lines(times: &LiveTimes<'_>, columns: usize, room: usize, color: bool) -> Vec<String> {
    let comparison = times.comparison;
    let order: Vec<_> =
        by_time(comparison).into_iter().filter(|&index| summary(comparison, index).is_some()).collect();
    let missing = missing(comparison);
    let rows_room = room.saturating_sub(1 + usize::from(missing.is_some()));
    if order.is_empty() || rows_room == 0 {
        return Vec::new();
    }
    let (shown, hidden) = choose(&order, comparison.baseline, rows_room);
    let labels = labels_in(times.places, comparison);
    let names: Vec<_> = shown.iter().map(|&index| visible(&labels[index])).collect();
    let wanted = widest(&names).min(NAME_COLUMNS);
    let forms = forms(comparison, &shown);
    let fitting = forms.iter().find(|form| MARK_COLUMNS + wanted + wide(form) <= columns);
    let figures = fitting.or(forms.last()).map_or_else(Vec::new, |form| table(form));
    let figures_columns = figures.first().map_or(0, |line| width(line));
    let names_columns = columns.saturating_sub(MARK_COLUMNS + figures_columns).min(widest(&names));
    let short = elided(&names, names_columns)
        .unwrap_or_else(|| names.iter().map(|name| elide(name, names_columns)).collect());
    let left = columns.saturating_sub(MARK_COLUMNS + figures_columns + names_columns);
    let drawn = picture::rows(comparison, &shown, left);
    let mut lines = Vec::new();
    for (row, figures) in figures.iter().enumerate() {
        let drawn = drawn.get(row).map_or("", String::as_str);
        let Some(index) = row.checked_sub(1) else {
            lines.push(cut(&format!("{:1$}{figures}{drawn}", "", MARK_COLUMNS + names_columns), columns));
            continue;
        };
        let pad = " ".repeat(names_columns.saturating_sub(width(&short[index])));
        let rest = cut(&format!(" {}{pad}{figures}{drawn}", short[index]), columns.saturating_sub(1));
        let statement = statement(comparison, shown[index]);
        lines.push(format!("{}{rest}", inked(statement.mark(), statement.ink().style(), color)));
    }
    lines.extend((hidden > 0).then(|| cut(&format!("  … {hidden} more"), columns)));
    lines.extend(missing.map(|text| cut(&format!("  {text}"), columns)));
    if lines.len() < room {
        lines.extend(legend(comparison, &shown).map(|text| cut(&text, columns)));
    }
    lines
}

/// What the marks mean; none where the baseline's is the only one.
fn legend(comparison: &Comparison, shown: &[usize]) -> Option<String> {
    let made: Vec<_> = shown.iter().map(|&index| statement(comparison, index)).collect();
    let words = |statement: &Statement| format!("{} {}", statement.mark(), statement.words());
    let said: Vec<_> = Statement::MARKED.iter().filter(|one| made.contains(one)).map(words).collect();
    (said.len() > 1).then(|| format!("  ({})", said.join(", ")))
}

/// The fastest, and the baseline wherever it stands; how many are left out. With
/// those, their number takes a line.
fn choose(order: &[usize], baseline: usize, room: usize) -> (Vec<usize>, usize) {
    if order.len() <= room {
        return (order.to_vec(), 0);
    }
    let kept = room.saturating_sub(1).max(1);
    let mut shown = order[..kept].to_vec();
    if order.contains(&baseline) && !shown.contains(&baseline) {
        shown[kept - 1] = baseline;
    }
    // In a terminal too low for it the number goes unsaid.
    (shown, if room > 1 { order.len() - kept } else { 0 })
}

/// The columns, from all of them to the fewest that say something.
fn forms(comparison: &Comparison, shown: &[usize]) -> Vec<Vec<Column>> {
    let summaries: Vec<_> = shown.iter().map(|&index| summary(comparison, index)).collect();
    let timed: Vec<_> = summaries.iter().flatten().map(|summary| summary.time_ns.value).collect();
    let unit = TimeUnit::shared(&timed);
    let time = |summary: Option<&VariantSummary>| summary.map(|s| time_in_table(&s.time_ns, unit.ns()));
    let percent = confidence(&summaries);
    let heading = format!("{}/op", unit.symbol());
    let times =
        estimate_columns(&heading, &percent, &summaries.iter().copied().map(time).collect::<Vec<_>>());
    if ratios(comparison) == 0 {
        return vec![times.to_vec(), times[..1].to_vec()];
    }
    let of = |summary: Option<&VariantSummary>| summary.and_then(|s| s.ratio.as_ref()).map(ratio);
    let mut ratios =
        estimate_columns("ratio", &percent, &summaries.iter().copied().map(of).collect::<Vec<_>>());
    // The baseline's ratio is 1 by definition: no figure, no interval.
    if let Some(row) = shown.iter().position(|&index| index == comparison.baseline) {
        for column in &mut ratios {
            column.cells[row] = Cell::default();
        }
    }
    let [time, time_interval] = times;
    let [ratio, ratio_interval] = ratios;
    vec![
        vec![time.clone(), time_interval, ratio.clone(), ratio_interval.clone()],
        vec![time.clone(), ratio.clone(), ratio_interval.clone()],
        vec![ratio.clone(), ratio_interval],
        vec![ratio],
    ]
}

/// Why there is no interval yet.
fn missing(comparison: &Comparison) -> Option<String> {
    let timed = (0..comparison.variants.len()).filter_map(|index| summary(comparison, index));
    let forks = timed.filter(|s| s.time_ns.interval().is_none()).map(|s| s.time_ns.forks).max()?;
    Some(format!("no interval yet: {}", too_few(forks)))
}

fn wide(form: &[Column]) -> usize {
    table(form).first().map_or(0, |line| width(line))
}

/// Cut at the right, without the blanks that a table ends with.
fn cut(line: &str, columns: usize) -> String {
    let mut kept = line.trim_end().to_owned();
    while width(&kept) > columns {
        kept.pop();
    }
    kept
}

fn inked(mark: &str, style: Style, color: bool) -> String {
    if color { format!("{}{mark}{}", style.render(), style.render_reset()) } else { mark.to_owned() }
}
