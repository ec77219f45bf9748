//! Two audits side by side, as text: the calls that differ, with prices, and what became of
//! the findings.

use super::words;
use crate::columns::{Column, lines};
use crate::export_error::ExportError;
use crate::options::TextOptions;
use crate::page::{Ink, Page};
use crate::quantity::{grouped, short_time, signed_time, things};
use crate::table_text::{TableForm, TextTable};
use crate::visible::visible;
use crate::wrap::{elide, width};
use fathom_audit::{
    AuditDifference, CallDifference, FindingChange, FindingDifference, ItemDifference, RuleId, SideSum,
};
use fathom_model::CallOutcome;

/// Rows of packages and the like in brief.
const ITEMS: usize = 10;
/// Columns of the word before a finding.
const WORD: usize = 7;
/// More rules than these are a number.
const FEW_RULES: usize = 5;
/// Rows of calls in brief.
const ROWS: usize = 30;

/// Renders two audits side by side for a terminal. Pure.
pub fn render_audit_difference(difference: &AuditDifference, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    page.fact("before", &side(&difference.before));
    page.fact("after", &side(&difference.after));
    page.fact("prices", &difference.prices);
    for side in [&difference.before, &difference.after] {
        for gap in &side.gaps {
            page.fact(gap.kind.word(), &format!("of {}: {}", side.name, gap.text));
        }
    }
    page.blank();
    page.paragraph(0, Ink::Heading, "Calls");
    page.blank();
    calls(&mut page, difference);
    page.blank();
    items(&mut page, difference);
    page.blank();
    page.paragraph(0, Ink::Heading, "Findings");
    page.blank();
    findings(&mut page, difference);
    page.finish()
}

/// Two audits side by side as one table, calls and findings. Pure.
///
/// # Errors
///
/// Those of writing CSV.
pub fn audit_difference_table(difference: &AuditDifference, form: TableForm) -> Result<String, ExportError> {
    let price = |ns: Option<f64>| ns.map(|ns| format!("{ns:.0}")).unwrap_or_default();
    let signed = |before: u64, after: u64| (i128::from(after) - i128::from(before)).to_string();
    let calls = difference.calls.iter().map(|row| {
        let [before, after] = [row.before, row.after];
        let counts = [before.to_string(), after.to_string(), signed(before, after)];
        let cells = ["call".to_owned(), call(row)].into_iter().chain(counts);
        cells.chain([price(row.price_ns)]).collect()
    });
    let items = difference.items.iter().map(|row| {
        let named = ["asked for".to_owned(), format!("{}: {}", row.group, row.item)].into_iter();
        let counts = [row.before.to_string(), row.after.to_string(), signed(row.before, row.after)];
        named.chain(counts).chain([String::new()]).collect()
    });
    let findings = difference.findings.iter().filter(|row| row.change != FindingChange::Same).map(|row| {
        let named = format!("{} {}: {}", row.rule, words::severity(row.severity), row.title);
        let counts = [row.before.to_string(), row.after.to_string(), signed(row.before, row.after)];
        let cells = [format!("{} finding", word(row.change)), named].into_iter().chain(counts);
        cells.chain([price(row.price_ns)]).collect()
    });
    // What was not seen or not compared stands in the table too: its absence would be good news.
    let gap = |what: &str, text: String| {
        vec![what.to_owned(), text, String::new(), String::new(), String::new(), String::new()]
    };
    let sides = [&difference.before, &difference.after];
    let gaps = sides.into_iter().flat_map(|side| {
        side.gaps.iter().map(|each| gap(each.kind.word(), format!("of {}: {}", side.name, each.text)))
    });
    let not_compared = difference.findings_not_compared.iter().cloned().chain(rules_of_one_side(difference));
    let not_compared = not_compared.map(|why| gap("findings not compared", why));
    TextTable {
        header: vec!["what", "name", "before", "after", "difference", "price ns"],
        figures: vec![false, false, true, true, true, true],
        rows: calls.chain(items).chain(findings).chain(gaps).chain(not_compared).collect(),
    }
    .written(form)
}

/// `ls.json: ls -l, 120 calls, 80 µs`.
fn side(side: &SideSum) -> String {
    let mut parts = vec![things(side.calls, "call")];
    if let Some(price) = side.price_ns {
        let without = match side.calls_without_price {
            0 => String::new(),
            some => format!(" ({} without a price)", grouped(some)),
        };
        parts.push(format!("{} untraced{without}", short_time(price)));
    }
    let subject = if side.subject.is_empty() { String::new() } else { format!("{}; ", side.subject) };
    format!("{}: {subject}{}", side.name, parts.join(", "))
}

fn calls(page: &mut Page, difference: &AuditDifference) {
    let rows = if page.is_full() { usize::MAX } else { ROWS };
    let shown = &difference.calls[..difference.calls.len().min(rows)];
    if shown.is_empty() {
        page.paragraph(2, Ink::Plain, "the same on both sides");
        return;
    }
    let column = |cell: fn(&CallDifference) -> String| shown.iter().map(cell).collect::<Vec<_>>();
    let table = [
        Column::beside("call", column(call)),
        Column::right("before", column(|row| grouped(row.before))),
        Column::right("after", column(|row| grouped(row.after))),
        Column::right("difference", column(|row| change(row.before, row.after))),
        Column::right("price", column(call_price)),
    ];
    for (number, line) in lines(&table).iter().enumerate() {
        page.row(line.trim_end(), "", if number == 0 { Ink::Faint } else { Ink::Plain });
    }
    if shown.iter().any(|row| row.price_ns.is_none() || row.without_price != 0) && !difference.has_no_prices()
    {
        let reason = "without a price: calls on memory, on what is no regular file, or that ended otherwise than \
                      those that were measured";
        page.paragraph(1, Ink::Faint, reason);
    }
    let hidden = difference.calls.len() - shown.len();
    if hidden > 0 {
        page.paragraph(1, Ink::Faint, &format!("and {}: --full", things(hidden as u64, "more kind")));
    }
    if difference.same_kinds > 0 {
        let same = things(difference.same_kinds, "kind");
        page.paragraph(1, Ink::Faint, &format!("{same} of calls as many on both sides"));
    }
}

/// `+2.0 ms (12 more without a price)`.
fn call_price(row: &CallDifference) -> String {
    let Some(price_ns) = row.price_ns else { return "-".to_owned() };
    match row.without_price {
        0 => signed_time(price_ns),
        some => {
            let word = if some > 0 { "more" } else { "fewer" };
            format!("{} ({} {word} without a price)", signed_time(price_ns), grouped(some.unsigned_abs()))
        }
    }
}

/// How the calls ended, in a word; nothing where they succeeded.
pub(crate) fn outcome(row: &CallDifference) -> &str {
    match &row.outcome {
        CallOutcome::Succeeded => "",
        CallOutcome::Failed(errno) => errno,
        CallOutcome::NeverReturned => "never returned",
    }
}

/// `openat=ENOENT`.
pub(crate) fn call(row: &CallDifference) -> String {
    match &row.outcome {
        CallOutcome::Succeeded => row.call.clone(),
        CallOutcome::Failed(errno) => format!("{}={errno}", row.call),
        CallOutcome::NeverReturned => format!("{} (never returned)", row.call),
    }
}

/// What other numbers of calls asked for: a package that came in.
fn items(page: &mut Page, difference: &AuditDifference) {
    let rows = if page.is_full() { usize::MAX } else { ITEMS };
    let shown = &difference.items[..difference.items.len().min(rows)];
    if shown.is_empty() {
        return;
    }
    page.paragraph(0, Ink::Heading, "What was asked for");
    page.blank();
    let column = |cell: fn(&ItemDifference) -> String| shown.iter().map(cell).collect::<Vec<_>>();
    let figures = [
        Column { gap: 1, ..Column::right("before", column(|row| grouped(row.before))) },
        Column::right("after", column(|row| grouped(row.after))),
        Column::right("difference", column(|row| change(row.before, row.after))),
    ];
    let names = column(|row| format!("{}: {}", row.group, row.item));
    let names = std::iter::once("item".to_owned()).chain(names);
    for (number, (figures, name)) in lines(&figures).iter().zip(names).enumerate() {
        let room = page.width().saturating_sub(width(figures) + 2);
        let ink = if number == 0 { Ink::Faint } else { Ink::Plain };
        page.row(&format!("{figures}  "), &elide(&visible(&name), room), ink);
    }
    let hidden = difference.items.len() - shown.len();
    if hidden > 0 {
        page.paragraph(1, Ink::Faint, &format!("and {} more: --full", grouped(hidden as u64)));
    }
}

fn change(before: u64, after: u64) -> String {
    match (before, after) {
        (0, after) => format!("new +{}", grouped(after)),
        (before, 0) => format!("gone -{}", grouped(before)),
        (before, after) if after > before => format!("+{}", grouped(after - before)),
        (before, after) => format!("-{}", grouped(before - after)),
    }
}

fn findings(page: &mut Page, difference: &AuditDifference) {
    if let Some(reason) = &difference.findings_not_compared {
        page.paragraph(2, Ink::Plain, &format!("not compared: {reason}"));
        return;
    }
    if let Some(reason) = rules_of_one_side(difference) {
        page.paragraph(2, Ink::Plain, &format!("not compared: {reason}"));
    }
    let mut same = 0;
    let mut told = 0;
    for finding in &difference.findings {
        if finding.change == FindingChange::Same {
            same += 1;
            continue;
        }
        told += 1;
        let is_worse = matches!(finding.change, FindingChange::New | FindingChange::More);
        let ink = if is_worse && !finding.suppressed { Ink::Bad } else { Ink::Plain };
        page.hanging(&format!("{:WORD$}", word(finding.change)), WORD, ink, &sentence(finding));
    }
    match (told, same) {
        (0, 0) if difference.rules_not_compared.is_empty() => {
            page.paragraph(2, Ink::Plain, "none on either side");
        }
        (_, 0) => {}
        (_, same) => page.paragraph(0, Ink::Faint, &format!("{} as before", things(same, "finding"))),
    }
}

/// `those of R13, R15: one side left the rules out`.
pub(crate) fn rules_of_one_side(difference: &AuditDifference) -> Option<String> {
    let rules: Vec<String> = difference.rules_not_compared.iter().map(RuleId::to_string).collect();
    match &rules[..] {
        [] => None,
        [rule] => Some(format!("those of {rule}: one side left the rule out")),
        few if few.len() <= FEW_RULES => {
            Some(format!("those of {}: one side left the rules out", few.join(", ")))
        }
        many => Some(format!("those of {} rules: one side left them out", many.len())),
    }
}

pub(crate) fn word(change: FindingChange) -> &'static str {
    match change {
        FindingChange::New => "new",
        FindingChange::More => "more",
        FindingChange::Fewer => "fewer",
        FindingChange::Gone => "gone",
        FindingChange::Same => "same",
    }
}

/// `R13 warning: a file was looked up …: 60 to 30 times, -20 µs; at /data/*.json, by ls, in load`.
fn sentence(finding: &FindingDifference) -> String {
    let count = match finding.change {
        FindingChange::New => things(finding.after, "time"),
        FindingChange::Gone => things(finding.before, "time"),
        _ => format!("{} to {}", grouped(finding.before), things(finding.after, "time")),
    };
    let price = finding.price_ns.filter(|ns| *ns != 0.0).map(signed_time);
    let place = [
        finding.paths.as_ref().map(|paths| format!("at {}", words::paths(paths))),
        finding.program.as_ref().map(|program| format!("by {program}")),
        finding.function.as_ref().map(|function| format!("in {function}")),
        finding.suppressed.then(|| "suppressed".to_owned()),
    ];
    let facts: Vec<String> = [Some(count), price].into_iter().chain(place).flatten().collect();
    let severity = words::severity(finding.severity);
    format!("{} {severity}: {}: {}", finding.rule, finding.title, facts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::tests::sample;
    use crate::options::Details;
    use fathom_audit::{PriceList, Side};

    fn text(before: &Side, after: &Side) -> String {
        let difference = AuditDifference::new(before, after, &PriceList(&[]), "none here");
        render_audit_difference(
            &difference,
            &TextOptions { width: 100, color: false, details: Details::Brief },
        )
    }

    #[test]
    fn an_audit_does_not_differ_from_itself() {
        let side = Side::of_audit("a.json", sample());
        let text = text(&side, &side);
        assert!(text.contains("the same on both sides") && text.contains("as before"), "{text}");
        assert!(!text.contains("new ") && !text.contains("gone"), "{text}");
    }

    #[test]
    fn what_one_side_did_not_look_for_is_neither_new_nor_gone() {
        let whole = Side::of_audit("a.json", sample());
        let mut part = whole.clone();
        let rule = part.findings.as_ref().unwrap()[0].rule;
        part.rules.ignore.push(rule);
        part.findings.as_mut().unwrap().retain(|finding| finding.rule != rule);
        for text in [text(&whole, &part), text(&part, &whole)] {
            assert!(
                text.contains(&format!("not compared: those of {rule}: one side left the rule out")),
                "{text}"
            );
            assert!(!text.contains("new ") && !text.contains("gone"), "{text}");
        }
    }

    #[test]
    fn a_package_that_came_in_is_told_with_its_parts() {
        let row = |item: &str, part: Option<&str>, calls: u64| {
            serde_json::json!({
                "group": "Node packages", "item": item, "part": part, "calls": calls, "failed": 0,
                "bytes_read": 0, "unit_cost_ns": null, "calls_without_unit_cost": calls, "first_seen_ns": null,
            })
        };
        let side = |rows: &[serde_json::Value]| {
            let calls: u64 = rows.iter().map(|row| row["calls"].as_u64().unwrap()).sum();
            let tree = serde_json::json!({
                "calls": calls, "failed": 0, "bytes_read": 0, "unit_cost_ns": null,
                "calls_without_unit_cost": calls, "first_seen_ns": null, "unattributed": 0, "rows": rows,
                "programs": [],
            });
            Side { tree: Some(serde_json::from_value(tree).unwrap()), ..Side::of_audit("a.json", sample()) }
        };
        let before = side(&[row("rxjs", None, 20)]);
        let after = side(&[row("rxjs", None, 20), row("jsdom", None, 900), row("jsdom", Some("tr46"), 100)]);
        let shown = text(&before, &after);
        assert!(shown.contains("      0  1,000  new +1,000  Node packages: jsdom\n"), "{shown}");
        assert!(!shown.contains("rxjs"), "{shown}");
        assert!(text(&after, &before).contains("gone -1,000  Node packages: jsdom\n"));
        let counted = Side { tree: None, ..after };
        assert!(!text(&before, &counted).contains("What was asked for"));
    }

    #[test]
    fn what_vanished_and_what_is_new_is_told() {
        let before = Side::of_audit("a.json", sample());
        let mut after = Side::of_audit("b.json", sample());
        let gone = after.calls.remove(0);
        after.calls[0].count += 7;
        let lost = after.findings.as_mut().unwrap().remove(0);
        let one_way = text(&before, &after);
        assert!(one_way.contains(&format!("gone -{}", grouped(gone.count))), "{one_way}");
        assert!(one_way.contains("+7") && one_way.contains(&format!("gone   {}", lost.rule)), "{one_way}");
        let back = text(&after, &before);
        assert!(back.contains("-7") && back.contains(&format!("new    {}", lost.rule)), "{back}");
        let counted = Side { findings: None, ..after };
        assert!(text(&before, &counted).contains("holds counted calls and no findings"));
    }
}
