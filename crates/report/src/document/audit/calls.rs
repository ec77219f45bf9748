//! All calls of a run by what they were made with, the dearest first.

use crate::document::{Cell, Column, ColumnKind, Row, Table};
use crate::quantity::{bytes, grouped, percent, short_time};
use fathom_audit::Audit;
use fathom_model::{CallOutcome, CountedCalls, Estimate};

/// The table.
pub(super) fn table(audit: &Audit) -> Table {
    let price_of = |index: usize| audit.call_prices_ns.get(index).and_then(Option::as_ref);
    let total = |(call, price): &(&CountedCalls, Option<&Estimate>)| {
        price.map_or(0.0, |price| price.value * call.count as f64)
    };
    let mut calls: Vec<(&CountedCalls, Option<&Estimate>)> =
        audit.calls.iter().enumerate().map(|(index, call)| (call, price_of(index))).collect();
    let all: f64 = calls.iter().map(total).sum();
    calls.sort_by(|one, other| {
        total(other)
            .total_cmp(&total(one))
            .then(other.0.count.cmp(&one.0.count))
            .then(one.0.call.cmp(&other.0.call))
    });
    let columns = [
        Column::new("call", ColumnKind::Name),
        Column::new("with", ColumnKind::Words),
        Column::new("ended", ColumnKind::Words),
        Column::new("times", ColumnKind::Figure),
        Column {
            meaning: Some("what one call takes untraced on this machine".to_owned()),
            ..Column::new("each", ColumnKind::Figure)
        },
        Column::new("together", ColumnKind::Figure),
        Column {
            meaning: Some("of all calls that have a price; bars are parts of the longest".to_owned()),
            ..Column::new("of all", ColumnKind::Figure)
        },
    ];
    let mut rows: Vec<_> = calls.iter().map(|&(call, price)| row(call, price, all)).collect();
    super::fill_bars(&mut rows);
    Table {
        caption: format!("{} calls; those without a price are in no sum", grouped(audit.events)).into(),
        columns: columns.into(),
        interactive: rows.len() > 2,
        rows,
    }
}

fn row(call: &CountedCalls, price: Option<&Estimate>, all: f64) -> Row {
    let together = price.map(|price| price.value * call.count as f64);
    let time = |ns: Option<f64>| Cell::figure(ns.map_or_else(|| "-".to_owned(), short_time), ns);
    let share = together.filter(|_| all > 0.0).map(|together| together / all);
    let cells = vec![
        Cell::words(crate::document::Prose::code(&call.call)),
        Cell::words(with(call)),
        Cell::words(ended(&call.outcome)),
        Cell::figure(grouped(call.count), Some(call.count as f64)),
        time(price.map(|price| price.value)),
        time(together),
        Cell { bar: share, ..Cell::figure(share.map_or_else(|| "-".to_owned(), percent), share) },
    ];
    Row { cells, ..Row::default() }
}

/// `O_RDONLY|O_CLOEXEC, 4 components`.
fn with(call: &CountedCalls) -> String {
    let components = call.path_components.map(|number| match number {
        1 => "1 component".to_owned(),
        number => format!("{number} components"),
    });
    let size = call.size_class_bytes.map(|size| format!("up to {}", bytes(size)));
    let flags = Some(call.flags.clone()).filter(|flags| !flags.is_empty());
    flags.into_iter().chain(components).chain(size).collect::<Vec<_>>().join(", ")
}

fn ended(outcome: &CallOutcome) -> String {
    match outcome {
        CallOutcome::Succeeded => "well".to_owned(),
        CallOutcome::Failed(errno) => errno.clone(),
        CallOutcome::NeverReturned => "never".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::tests::sample;

    #[test]
    fn the_dearest_stand_first_and_shares_add_up() {
        let table = table(&sample());
        let names: Vec<_> = table.rows.iter().map(|row| row.cells[0].prose.text()).collect();
        assert_eq!(&names[..3], ["openat", "newfstatat", "read"]);
        assert_eq!(names.last().unwrap(), "access", "what has no price");
        let shares: f64 = table.rows.iter().filter_map(|row| row.cells[6].sort).sum();
        assert!((shares - 1.0).abs() < 1e-9, "{shares}");
        assert_eq!(table.rows[0].cells[1].prose.text(), "O_RDONLY|O_CLOEXEC, 4 components");
        assert_eq!(table.rows[0].cells[5].prose.text(), "236 µs");
    }
}
