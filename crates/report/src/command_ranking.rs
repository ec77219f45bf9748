//! Several commands run in turns, as a short text: whose output differs, their times, ratios and calls
//! beside the first, and what is to be known of them.

mod starts;
#[cfg(test)]
mod tests;

use crate::columns::{Column, lines};
use crate::compare::variants::{range, time_word};
use crate::options::TextOptions;
use crate::page::{Ink, Page};
use crate::quantity::{TimeUnit, percent, things};
use crate::table_text::{TableForm, TextTable};
use crate::validity::validity_sentence;
use crate::wrap::{shorten, width};
use crate::written::{ratio, time_in_table, time_phrase};
use fathom_model::{
    CommandComparison, Estimate, ProcessEnd, Reading, Severity, StopReason, ValidityFlag, ValidityProblem,
};
use fathom_stats::{Change, CommandsRanked, OutputVerdict, RankedCommand};

/// Commands that are named one by one; of more there is a line.
const ROWS_MAX: usize = 12;
/// Commands whose output differs that are named one by one.
const DIFFERING_MAX: usize = 3;
/// A start that is more than this share of the fastest command's time is told.
const START_SHARE: f64 = 0.5;

/// Renders what was measured of several commands, in at most 25 lines unless details are asked for. Pure.
pub fn render_ranked(measured: &CommandComparison, found: &CommandsRanked, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    head(&mut page, measured, found);
    outputs(&mut page, found);
    pretended(&mut page, measured);
    table(&mut page, found, options);
    page.blank();
    answer(&mut page, found);
    starts::render(&mut page, measured, found);
    foot(&mut page, found);
    let warnings = measured.warnings.iter().filter(|warning| warning.severity == Severity::Warning);
    let warnings: Vec<_> = warnings.collect();
    if let Some(first) = warnings.first() {
        let more =
            if warnings.len() > 1 { format!(" (and {} more)", warnings.len() - 1) } else { String::new() };
        page.row("", &shorten(&format!("warning: {}{more}", first.message), page.width()), Ink::Plain);
    }
    page.finish()
}

fn head(page: &mut Page, measured: &CommandComparison, found: &CommandsRanked) {
    let commands = match found.commands.as_slice() {
        [alone, many] if alone.starts == Some(1) => {
            format!("one command, alone and {} at once", many.starts.unwrap_or(1))
        }
        all => things(all.len() as u64, "command"),
    };
    let mut words = vec![match found.blocks {
        0 => format!("{commands}, not timed"),
        blocks => {
            format!("{commands}, {} of one run of each in random order", things(blocks as u64, "block"))
        }
    }];
    if let Some(prepare) = &measured.setting.prepare {
        words.push(format!("before each run: {}", shorten(prepare, 40)));
    }
    match &measured.stop {
        StopReason::Interrupted => words.push("INTERRUPTED".to_owned()),
        StopReason::Failed(reason) => words.push(format!("FAILED: {reason}")),
        _ => {}
    }
    page.paragraph(0, Ink::Heading, &words.join("; "));
}

/// What commands are named after and did not do. Different data is what their outputs show.
fn pretended(page: &mut Page, measured: &CommandComparison) {
    const NAMED_MAX: usize = 3;
    let is_it = |flag: &&ValidityFlag| {
        use ValidityProblem::{NeverHappened, Refused, SameProgram, WithoutEffect};
        matches!(flag.problem, SameProgram | NeverHappened | Refused | WithoutEffect)
    };
    let names: Vec<_> = measured.commands().map(|(_, command)| format!("`{}`", command.text)).collect();
    let flags: Vec<_> = measured.validity.iter().filter(is_it).collect();
    for flag in flags.iter().take(NAMED_MAX) {
        page.hanging("", 2, Ink::Bad, &format!("NOT a comparison: {}", validity_sentence(flag, &names)));
    }
    if flags.len() > NAMED_MAX {
        page.row("", &format!("NOT a comparison for {} reasons more", flags.len() - NAMED_MAX), Ink::Bad);
    }
}

/// What is not the same work is said before any figure.
fn outputs(page: &mut Page, found: &CommandsRanked) {
    let differing: Vec<(&RankedCommand, &String)> = (found.commands.iter())
        .filter_map(|command| match &command.output {
            OutputVerdict::Differs(how) => Some((command, how)),
            _ => None,
        })
        .collect();
    for (command, how) in differing.iter().take(DIFFERING_MAX) {
        let room = page.width().saturating_sub(width(how) + 32).max(16);
        let text = format!("output DIFFERS: `{}` {how}; not ranked", shorten(&command.command, room));
        page.row("", &text, Ink::Bad);
    }
    if differing.len() > DIFFERING_MAX {
        page.row(
            "",
            &format!("output DIFFERS of {} more; not ranked", differing.len() - DIFFERING_MAX),
            Ink::Bad,
        );
    }
    if !differing.is_empty() {
        let text = "  (where another output is what you want, --ignore-output ranks them)";
        page.row("", text, Ink::Plain);
    }
    let mut unknown = found.commands.iter().filter_map(|command| match &command.output {
        OutputVerdict::Unknown(why) => Some((command, why)),
        _ => None,
    });
    if found.commands.iter().all(|command| matches!(command.output, OutputVerdict::Unknown(_))) {
        if let Some((_, why)) = unknown.next() {
            page.row("", &format!("outputs not compared: {why}"), Ink::Plain);
        }
    } else if let Some((command, why)) = unknown.next() {
        let room = page.width().saturating_sub(width(why) + 30).max(16);
        let text = format!("output not compared: `{}`: {why}", shorten(&command.command, room));
        page.row("", &text, Ink::Plain);
    }
}

/// Ranked ones by their time, the others behind them.
fn in_order(found: &CommandsRanked) -> Vec<(usize, &RankedCommand)> {
    let mut all: Vec<(usize, &RankedCommand)> = found.commands.iter().enumerate().collect();
    let time = |command: &RankedCommand| command.time_ns.map_or(f64::INFINITY, |time| time.value);
    all.sort_by(|(_, one), (_, other)| {
        (!one.is_ranked()).cmp(&!other.is_ranked()).then(time(one).total_cmp(&time(other)))
    });
    all
}

fn table(page: &mut Page, found: &CommandsRanked, options: &TextOptions) {
    let all = in_order(found);
    let rows = &all[..all.len().min(ROWS_MAX)];
    let times: Vec<f64> = found.commands.iter().filter_map(|command| Some(command.time_ns?.value)).collect();
    let unit = TimeUnit::shared(&times);
    let time = |estimate: &Option<Estimate>| estimate.as_ref().map(|time| time_in_table(time, unit.ns()));
    let is_timed = !times.is_empty();
    let mut columns = Vec::new();
    if is_timed {
        let cell =
            |(_, each): &(usize, &RankedCommand)| time(&each.time_ns).map_or("–".to_owned(), |w| w.value);
        let interval =
            |(_, each): &(usize, &RankedCommand)| time(&each.time_ns).map_or(String::new(), |w| w.range());
        columns.push(Column::right(unit.symbol(), rows.iter().map(cell).collect()).aligned_at('.'));
        columns.push(Column::beside("95 %", rows.iter().map(interval).collect()));
        columns.push(Column::right("×first", rows.iter().map(|row| ratio_cell(row).0).collect()));
        columns.push(Column::beside("95 %", rows.iter().map(|row| ratio_cell(row).1).collect()));
    }
    let calls = |(_, each): &(usize, &RankedCommand)| {
        each.calls.value().map_or("–".to_owned(), |calls| range(calls.new))
    };
    columns.push(Column::right("calls", rows.iter().map(calls).collect()));
    let taken = lines(&columns).first().map_or(0, |line| width(line));
    let room = options.width.saturating_sub(taken + 3).max(12);
    let names: Vec<String> = rows.iter().map(|(number, each)| name(*number, each, room)).collect();
    columns.push(Column { gap: 2, ..Column::beside("command", names) });
    for line in lines(&columns) {
        page.row(line.trim_end(), "", Ink::Plain);
    }
    if all.len() > ROWS_MAX {
        page.row("", &format!("  and {} more: --format csv", all.len() - ROWS_MAX), Ink::Plain);
    }
}

fn ratio_cell((number, each): &(usize, &RankedCommand)) -> (String, String) {
    match &each.ratio {
        _ if *number == 0 => ("1".to_owned(), "(first)".to_owned()),
        _ if !each.is_ranked() => ("–".to_owned(), "output differs".to_owned()),
        Some(estimate) => {
            let written = ratio(estimate);
            (written.value.clone(), written.range())
        }
        None => ("–".to_owned(), String::new()),
    }
}

fn name(number: usize, command: &RankedCommand, room: usize) -> String {
    let failed = command.ends.iter().find(|end| **end != ProcessEnd::Exited(0));
    let mark = match failed {
        Some(ProcessEnd::Exited(code)) => format!(" (exit {code})"),
        Some(ProcessEnd::Killed(signal)) => format!(" ({signal})"),
        _ => String::new(),
    };
    let at_once = match command.starts {
        None => String::new(),
        Some(1) => ", alone".to_owned(),
        Some(starts) => format!(", {starts} at once"),
    };
    let mark = format!("{at_once}{mark}");
    let text = shorten(&command.command, room.saturating_sub(width(&mark) + 3).max(8));
    format!("{}. {text}{mark}", number + 1)
}

/// What a reader may conclude: each ranked command against the first, and no more.
fn answer(page: &mut Page, found: &CommandsRanked) {
    if found.has_fault() {
        page.paragraph(
            0,
            Ink::Bad,
            "The first command differs from itself: no time of this session is to be trusted.",
        );
        return;
    }
    if found.blocks == 0 {
        return;
    }
    let of = |change: Change| -> Vec<String> {
        let all = in_order(found).into_iter();
        let fits = all.filter(|(_, each)| each.is_ranked() && each.change == Some(change));
        fits.map(|(number, _)| (number + 1).to_string()).collect()
    };
    let parts: Vec<String> = [Change::Lower, Change::Higher, Change::NotShown, Change::TooFewForks]
        .into_iter()
        .map(|change| (change, of(change)))
        .filter(|(_, all)| !all.is_empty())
        .map(|(change, all)| {
            let words = match change {
                Change::NotShown => "no difference shown",
                Change::TooFewForks => "too few blocks to tell",
                other => time_word(other),
            };
            format!("{words}: {}", all.join(", "))
        })
        .collect();
    if !parts.is_empty() {
        page.paragraph(0, Ink::Plain, &format!("Against the first command: {}.", parts.join("; ")));
    }
}

fn foot(page: &mut Page, found: &CommandsRanked) {
    if let Reading::Value(control) = &found.control {
        page.row(
            "",
            &format!("A/A check, the first against itself: {}", ratio(&control.ratio).phrase()),
            Ink::Plain,
        );
    }
    let fastest = found.commands.iter().filter_map(|command| Some(command.time_ns?.value)).reduce(f64::min);
    if let (Reading::Value(floor), Some(fastest)) = (&found.floor_ns, fastest) {
        let share = floor.value / fastest;
        let mostly = if share > START_SHARE { ": let the commands do more work" } else { "" };
        let text = format!(
            "starting a process that does nothing: {}, {} of the fastest{mostly}",
            time_phrase(floor),
            percent(share)
        );
        page.hanging("", 2, Ink::Plain, &text);
    }
    let uncounted = found.commands.iter().find_map(|command| match &command.calls {
        Reading::Unavailable(reason) => Some(reason),
        Reading::Value(_) => None,
    });
    if let Some(reason) = uncounted {
        page.row("", &format!("calls not counted: {reason}"), Ink::Plain);
    }
}

/// The commands as a table of another form.
pub fn ranked_table(
    found: &CommandsRanked,
    form: TableForm,
) -> Result<String, crate::export_error::ExportError> {
    let figure = |value: Option<f64>| value.map(|value| format!("{value:.6}")).unwrap_or_default();
    let figures = |estimate: &Option<Estimate>| {
        let end = |end: fn(&Estimate) -> Option<f64>| figure(estimate.as_ref().and_then(end));
        [end(|estimate| Some(estimate.value)), end(|estimate| estimate.low), end(|estimate| estimate.high)]
    };
    let row = |command: &RankedCommand| {
        let output = match &command.output {
            OutputVerdict::Same => "same".to_owned(),
            OutputVerdict::Differs(how) => format!("differs: {how}"),
            OutputVerdict::Unknown(why) => format!("not known: {why}"),
        };
        let calls = command.calls.value().map(|calls| calls.new.median.to_string()).unwrap_or_default();
        let mut row = vec![command.command.clone()];
        row.extend(figures(&command.time_ns));
        row.extend(figures(&command.ratio));
        row.extend([calls, output]);
        row
    };
    let mut rows: Vec<Vec<String>> = found.commands.iter().map(row).collect();
    if !found.complete {
        rows.push([vec!["incomplete: it ended early".to_owned()], vec![String::new(); 8]].concat());
    }
    let header =
        vec!["command", "ns", "ns low", "ns high", "ratio", "ratio low", "ratio high", "calls", "output"];
    let figures = vec![false, true, true, true, true, true, true, true, false];
    TextTable { header, figures, rows }.written(form)
}
