//! Where each method was found running: the functions most often on top, side by
//! side, and flame graphs.

use super::flame;
use super::sentences::sentences;
use crate::document::context::Context;
use crate::document::{Block, Cell, Column, ColumnKind, Prose, Row, Table};
use crate::options::Details;
use crate::quantity::{NONE, percent};
use crate::standing::by_time;
use crate::text;
use crate::text::profile::{SHARE_MIN, TOP, Tally, readable};
use fathom_model::{Comparison, Profile};
use std::collections::BTreeMap;

/// Functions in the table.
const ROWS: usize = 14;

/// What the text says, the functions, and the pictures.
pub(super) fn blocks(context: &Context<'_>, comparison: &Comparison, labels: &[String]) -> Vec<Block> {
    let profiles = by_time(comparison).into_iter().filter_map(|index| {
        let reading = comparison.explanations.get(index)?.profile.as_ref()?;
        Some((index, reading.value()?))
    });
    let profiles: Vec<_> = profiles.collect();
    let mut blocks = Vec::new();
    blocks.extend(sentences(context, Details::Brief, |page| {
        text::profile::render(page, comparison, labels);
    }));
    blocks.extend(hottest(context, labels, &profiles).map(Block::Table));
    blocks.extend(flame::blocks(context, comparison, labels, &profiles));
    blocks
}

/// The functions that are among the most frequent of some method, by their largest share.
fn hottest(context: &Context<'_>, labels: &[String], profiles: &[(usize, &Profile)]) -> Option<Table> {
    let tallies: Vec<_> = profiles.iter().map(|&(index, profile)| (index, Tally::of(profile))).collect();
    let mut most: BTreeMap<&str, f64> = BTreeMap::new();
    for (_, tally) in &tallies {
        for function in tally.functions.iter().take(TOP) {
            let share = tally.share(function.own);
            if share >= SHARE_MIN {
                let known = most.entry(function.name).or_default();
                *known = known.max(share);
            }
        }
    }
    let mut order: Vec<_> = most.into_iter().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    order.truncate(ROWS);
    let cell = |tally: &Tally<'_>, name: &str| {
        let Some(function) = tally.functions.iter().find(|function| function.name == name) else {
            return Cell::figure(NONE, None);
        };
        let share = tally.share(function.own);
        let hint = format!(
            "{} {} points on top, {} anywhere in the stack",
            percent(share),
            tally.half_width(function.own),
            percent(tally.share(function.total))
        );
        // As dark as the share is large.
        Cell { hint: Some(hint), heat: Some(share), ..Cell::figure(percent(share), Some(share)) }
    };
    let row = |&(name, _): &(&str, f64)| {
        let function = Cell { prose: Prose::code(&readable(name)), ..Cell::default() };
        let shares = tallies.iter().map(|(_, tally)| cell(tally, name));
        Row { cells: std::iter::once(function).chain(shares).collect(), ..Row::default() }
    };
    let columns = tallies.iter().map(|(index, _)| Column::new(&labels[*index], ColumnKind::Figure));
    let caption = "The functions most often on top of the stack: the share of each method's samples";
    (!order.is_empty()).then(|| Table {
        caption: context.prose(caption),
        columns: std::iter::once(Column::new("function", ColumnKind::Name)).chain(columns).collect(),
        rows: order.iter().map(row).collect(),
        interactive: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Chart;
    use crate::label::labels;
    use crate::palette::Palette;
    use fathom_model::{Reading, Record};
    use fathom_testkit::{complete, explained};

    fn of(record: &Record, experiment: usize) -> Vec<Block> {
        let palette = Palette::of(&[record]);
        let context = Context::of(record, &palette, "r");
        let comparison = &record.experiments[experiment].comparisons[0];
        blocks(&context, comparison, &labels(record, comparison))
    }

    #[test]
    fn functions_stand_by_their_share_and_pictures_in_folds() {
        let blocks = of(&explained(), 0);
        let [Block::List(items), Block::Table(table), Block::Fold(fold)] = blocks.as_slice() else {
            panic!("{blocks:?}")
        };
        let said: Vec<_> = items.iter().map(|item| item.prose.text()).collect();
        assert!(said.iter().any(|said| said.contains("perf_event_paranoid is 4")), "{said:?}");
        let first: Vec<_> = table.rows[0].cells.iter().map(|cell| cell.prose.text()).collect();
        assert_eq!(first, ["path_openat (kernel)", "38.0 %"]);
        assert_eq!(table.columns[1].heading, "go:os.Open");
        let Block::Figure(figure) = &fold.blocks[0] else { panic!("{fold:?}") };
        assert!(matches!(&figure.chart, Chart::Flame(svg) if svg.contains("runtime.SetFinalizer")));
        assert_eq!(figure.id, "r-flame-1");
        assert!(of(&complete(), 0).is_empty());
    }

    #[test]
    fn of_many_pictures_the_fastest_and_the_slowest_come_first_and_some_are_left_out() {
        let mut record = explained();
        let comparison = &mut record.experiments[0].comparisons[0];
        let Some(Reading::Value(sample)) = comparison.explanations[1].profile.clone() else { panic!() };
        let mut profile = sample.clone();
        profile.stacks = (0..90_u64)
            .map(|n| fathom_model::FoldedStack {
                frames: format!("main;f{n};{}", "long_name".repeat(30)),
                samples: 10,
            })
            .collect();
        profile.samples = 900;
        for explanation in &mut comparison.explanations {
            explanation.profile = Some(Reading::Value(profile.clone()));
        }
        let order: Vec<_> = by_time(comparison);
        let blocks = of(&record, 0);
        let ids: Vec<_> = blocks
            .iter()
            .filter_map(|block| match block {
                Block::Fold(fold) => match &fold.blocks[0] {
                    Block::Figure(figure) => Some(figure.id.clone()),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        assert_eq!(ids[..2], [format!("r-flame-{}", order[0]), format!("r-flame-{}", order[4])]);
        let last = blocks.last().unwrap();
        assert!(
            matches!(last, Block::Prose(prose) if prose.text().starts_with("Left out")),
            "{ids:?} {last:?}"
        );
    }
}
