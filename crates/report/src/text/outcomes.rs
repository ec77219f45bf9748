//! The outcomes of a scenario: for each case what happened in which setting,
//! how often, how soon, and what it means.

use super::evidence::grouped_by;
use crate::columns::{Column, lines};
use crate::label::place_name;
use crate::page::{Ink, Page};
use crate::quantity::{grouped, number, things};
use crate::wrap::width;
use fathom_model::{Outcome, OutcomeCount, OutcomeFigure, Record};

/// Every case, place by place.
pub(crate) fn render(page: &mut Page, record: &Record, outcomes: &[Outcome]) {
    for of_case in outcomes.chunk_by(|a, b| a.case == b.case && a.place == b.place) {
        let place = of_case[0].place.map(|place| format!(", on {}", place_name(record, place)));
        page.blank();
        page.paragraph(0, Ink::Heading, &format!("{}{}", of_case[0].case, place.unwrap_or_default()));
        let (tried, untried): (Vec<_>, Vec<_>) = of_case.iter().partition(|row| row.unavailable.is_none());
        match table(&tried, page.width()) {
            Some(table) => write_rows(page, &table),
            None => listed(page, &tried),
        }
        said_below(page, &tried, &untried);
    }
}

/// What stands below the table of one case: figures, meanings, what could not be tried.
pub(crate) fn around(page: &mut Page, of_case: &[Outcome]) {
    let (tried, untried): (Vec<_>, Vec<_>) = of_case.iter().partition(|row| row.unavailable.is_none());
    said_below(page, &tried, &untried);
}

fn said_below(page: &mut Page, tried: &[&Outcome], untried: &[&Outcome]) {
    figures(page, tried);
    meanings(page, tried);
    not_tried(page, untried);
}

/// How much of a scenario could be tried, for the summary.
pub(crate) fn sentence(outcomes: &[Outcome]) -> String {
    let of = things(outcomes.len() as u64, "trial");
    match outcomes.iter().filter(|outcome| outcome.unavailable.is_some()).count() {
        _ if outcomes.is_empty() => "nothing was compared.".to_owned(),
        0 => format!("{of}, each with its outcome below."),
        untried => format!("{of}, {untried} of which could not be made; outcomes and reasons below."),
    }
}

/// How often each thing happened, a column for each; `None` when it is too
/// wide, or when the settings saw different things.
fn table(rows: &[&Outcome], page_width: usize) -> Option<Vec<String>> {
    let first = rows.first()?;
    let names = |row: &Outcome| row.counts.iter().map(|count| count.what.clone()).collect::<Vec<_>>();
    let mut all = names(first);
    for row in rows {
        let of_row = names(row);
        all.extend(of_row.into_iter().filter(|name| !all.contains(name)).collect::<Vec<_>>());
    }
    let settings: Vec<_> = rows.iter().map(|row| row.setting.clone()).collect();
    let heading = Column { gap: 2, ..Column::beside("", settings) };
    let cell = |row: &Outcome, what: &str| {
        let known = row.counts.iter().find(|count| count.what == what);
        known.map_or_else(String::new, |count| grouped(count.n))
    };
    let counted =
        all.iter().map(|what| Column::right(what, rows.iter().map(|row| cell(row, what)).collect()));
    let lines = lines(&std::iter::once(heading).chain(counted).collect::<Vec<_>>());
    lines.iter().all(|line| width(line) <= page_width).then_some(lines)
}

fn write_rows(page: &mut Page, table: &[String]) {
    for line in table {
        page.row(line, "", Ink::Plain);
    }
}

/// The same as text; settings in which the same happened stand together.
fn listed(page: &mut Page, rows: &[&Outcome]) {
    let settings: Vec<String> = rows.iter().map(|row| row.setting.clone()).collect();
    for (counts, members) in grouped_by(&settings, rows, |row| counts_of(&row.counts)) {
        page.tokens("  ", 4, &members, "; ");
        page.hanging("    ", 6, Ink::Plain, &counts);
    }
}

/// What happened, with how often where that is not once each. What `woken: old`
/// and `woken: new` share is said once.
fn counts_of(counts: &[OutcomeCount]) -> String {
    let once = counts.iter().all(|count| count.n == 1);
    let mut text = String::new();
    let mut above = None;
    let mut add = |piece: &str| text.push_str(piece);
    for (number, count) in counts.iter().enumerate() {
        let (group, what) = match count.what.split_once(": ") {
            Some((group, what)) => (Some(group), what),
            None => (None, count.what.as_str()),
        };
        let (joint, group_name) = match group {
            _ if number == 0 => ("", group),
            same if same == above => (", ", None),
            _ => ("; ", group),
        };
        add(joint);
        if let Some(name) = group_name {
            add(&format!("{name}: "));
        }
        add(what);
        if !once {
            add(&format!(" {}", grouped(count.n)));
        }
        above = group;
    }
    text
}

/// The figures of one name in all settings below each other.
fn figures(page: &mut Page, rows: &[&Outcome]) {
    let mut names: Vec<(&str, &str)> = Vec::new();
    for figure in rows.iter().flat_map(|row| &row.figures) {
        if !names.contains(&(&figure.name, &figure.unit)) {
            names.push((&figure.name, &figure.unit));
        }
    }
    for (name, unit) in names {
        let of_name = |row: &&Outcome| {
            let figure = row.figures.iter().find(|figure| figure.name == name && figure.unit == unit)?;
            Some((row.setting.clone(), figure.clone()))
        };
        let (settings, all): (Vec<String>, Vec<_>) = rows.iter().filter_map(of_name).unzip();
        let cells = |of: fn(&OutcomeFigure) -> f64| all.iter().map(|figure| short(of(figure))).collect();
        let heading = Column { gap: 4, ..Column::beside("", settings.clone()) };
        let mut columns = vec![
            heading,
            Column::right("least", cells(|figure| figure.least)),
            Column::right("median", cells(|figure| figure.median)),
        ];
        if all.iter().any(|figure| !figure.quantiles.is_empty()) {
            columns.push(Column::right("95 %", all.iter().map(|figure| interval(figure, 0.5)).collect()));
            let p99 = |figure: &OutcomeFigure| {
                figure.quantile(0.99).map(|p99| short(p99.value)).unwrap_or_default()
            };
            columns.push(Column::right("p99", all.iter().map(p99).collect()));
            columns.push(Column::right("95 %", all.iter().map(|figure| interval(figure, 0.99)).collect()));
        }
        columns.push(Column::right("most", cells(|figure| figure.most)));
        columns.push(Column::right("n", all.iter().map(|figure| grouped(figure.n)).collect()));
        page.paragraph(2, Ink::Plain, &format!("{name}, {unit}"));
        let table = lines(&columns);
        if table.iter().all(|line| width(line) <= page.width()) {
            write_rows(page, &table);
            continue;
        }
        for (setting, figure) in settings.iter().zip(&all) {
            let [least, median, most] = [figure.least, figure.median, figure.most].map(short);
            let [of_median, p99] = [0.5, 0.99].map(|share| quantile(figure, share));
            let text =
                format!("{setting}: {median}{of_median}{p99} ({least} to {most}, n {})", grouped(figure.n));
            page.hanging("    ", 6, Ink::Plain, &text);
        }
    }
}

/// The interval of a quantile; what too few tries leave open is not said.
fn interval(figure: &OutcomeFigure, share: f64) -> String {
    let ends = figure.quantile(share).and_then(|quantile| Some((quantile.low?, quantile.high?)));
    ends.map_or_else(|| "–".to_owned(), |(low, high)| format!("{}–{}", short(low), short(high)))
}

/// What a line says of a quantile beside the median: ` [4.02–4.34]`, `, p99 5.1 [–]`.
fn quantile(figure: &OutcomeFigure, share: f64) -> String {
    let Some(known) = figure.quantile(share) else { return String::new() };
    let name = if share > 0.5 { format!(", p99 {}", short(known.value)) } else { String::new() };
    format!("{name} [{}]", interval(figure, share))
}

/// A figure with three digits.
fn short(value: f64) -> String {
    let decimals = match value.abs() {
        large if large >= 100.0 => 0,
        medium if medium >= 10.0 => 1,
        _ => 2,
    };
    number(value, decimals)
}

/// What it means; settings with the same meaning stand together.
fn meanings(page: &mut Page, rows: &[&Outcome]) {
    let settings: Vec<String> = rows.iter().map(|row| row.setting.clone()).collect();
    for (meaning, members) in grouped_by(&settings, rows, |row| row.meaning.clone()) {
        if meaning.is_empty() {
            continue;
        }
        let who =
            if members.len() == rows.len() { String::new() } else { format!("{}: ", members.join("; ")) };
        page.hanging("  ", 4, Ink::Plain, &format!("{who}{meaning}"));
    }
}

fn not_tried(page: &mut Page, rows: &[&Outcome]) {
    let settings: Vec<String> = rows.iter().map(|row| row.setting.clone()).collect();
    let reason = |row: &&Outcome| row.unavailable.clone().unwrap_or_default();
    for (reason, members) in grouped_by(&settings, rows, reason) {
        page.hanging("  ", 4, Ink::Plain, &format!("not tried, {}: {reason}", members.join("; ")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::TextOptions;
    use fathom_model::FigureQuantile;
    use fathom_testkit::complete;

    fn outcome(setting: &str, counts: &[(&str, u64)], meaning: &str) -> Outcome {
        let count = |&(what, n): &(&str, u64)| OutcomeCount { what: what.to_owned(), n };
        Outcome {
            case: "check, then use".to_owned(),
            setting: setting.to_owned(),
            place: None,
            counts: counts.iter().map(count).collect(),
            figures: Vec::new(),
            meaning: meaning.to_owned(),
            unavailable: None,
        }
    }

    fn text(outcomes: &[Outcome]) -> String {
        let mut page = Page::new(&TextOptions::default());
        render(&mut page, &complete(), outcomes);
        page.finish()
    }

    #[test]
    fn counts_stand_in_columns_and_the_reason_of_what_was_not_tried_below() {
        let figure = OutcomeFigure {
            name: "window".to_owned(),
            unit: "µs".to_owned(),
            n: 20_000,
            least: 0.512,
            median: 1.5,
            most: 1234.5,
            quantiles: Vec::new(),
        };
        let mut stat = outcome("stat, then open", &[("other", 37), ("same", 19_963)], "It was swapped.");
        stat.figures.push(figure);
        let fair = outcome("open, then fstat", &[("other", 0), ("same", 20_000)], "It cannot be.");
        let mut absent = outcome("openat2", &[], "");
        absent.unavailable = Some("no such call".to_owned());
        assert_eq!(
            text(&[stat, fair, absent]),
            "\
check, then use
                    other    same
  stat, then open      37  19,963
  open, then fstat      0  20,000
  window, µs
                     least  median  most       n
    stat, then open   0.51    1.50  1234  20,000
  stat, then open: It was swapped.
  open, then fstat: It cannot be.
  not tried, openat2: no such call
"
        );
    }

    #[test]
    fn quantiles_of_independent_tries_stand_with_their_intervals() {
        let quantile = |share, value, ends: Option<(f64, f64)>| FigureQuantile {
            share,
            value,
            low: ends.map(|ends| ends.0),
            high: ends.map(|ends| ends.1),
        };
        let figure = OutcomeFigure {
            name: "one read".to_owned(),
            unit: "ms".to_owned(),
            n: 15,
            least: 1.0,
            median: 2.0,
            most: 4.0,
            quantiles: vec![quantile(0.5, 2.0, Some((1.5, 2.5))), quantile(0.99, 3.9, None)],
        };
        let mut row = outcome("cold", &[("processes", 15)], "A process each.");
        row.figures.push(figure);
        let narrow = text(&[row.clone()]);
        assert!(narrow.contains("least  median       95 %   p99  95 %  most   n"), "{narrow}");
        assert!(narrow.contains("cold   1.00    2.00  1.50–2.50  3.90     –  4.00  15"), "{narrow}");
        row.setting = "executed before, then a collection and a rest of a tenth of a second".to_owned();
        let wide = text(&[row]);
        assert!(wide.contains("[1.50–2.50], p99 3.90 [–] (1.00 to 4.00, n 15)"), "{wide}");
    }

    #[test]
    fn settings_that_saw_the_same_stand_together_where_a_table_is_too_wide() {
        let flags = ["O_WRONLY", "O_RDWR", "O_CREAT", "O_APPEND", "O_TRUNC", "O_PATH"];
        let names = flags.map(|flag| format!("EISDIR: {flag}"));
        let counts: Vec<_> = names.iter().map(|name| (name.as_str(), 1)).collect();
        let all = ["proc /proc", "ext4 /"].map(|setting| outcome(setting, &counts, "As required."));
        let text = text(&all);
        assert!(text.contains("  proc /proc; ext4 /\n    EISDIR: O_WRONLY, O_RDWR,"), "{text}");
        assert!(text.ends_with("\n  As required.\n"), "{text}");
        assert!(text.lines().all(|line| width(line) <= 80), "{text}");
    }
}
