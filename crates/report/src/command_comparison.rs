//! Two commands run in turns, as text: how they were run, their calls, their times
//! beside the start of a process, what else the kernel told, the gates.

#[cfg(test)]
mod tests;

use crate::columns::{Column, lines};
use crate::compare::gates::verdict_word;
use crate::compare::variants::{difference, is_varied, range, time_word};
use crate::options::TextOptions;
use crate::page::{Ink, Page};
use crate::quantity::{TimeUnit, number, percent, rounded_bytes, short_time, things};
use crate::written::{ratio, time_in_table, time_phrase};
use fathom_model::{CommandComparison, Reading, StopReason};
use fathom_stats::{CommandsCompared, FigureUnit, RunFigure, TimeComparison};

/// A start that is more than this share of a command's time is told.
const START_SHARE: f64 = 0.5;

/// Renders what was measured of two commands and what follows from it. Pure.
pub fn render_commands(
    measured: &CommandComparison,
    found: &CommandsCompared,
    options: &TextOptions,
) -> String {
    let mut page = Page::new(options);
    page.fact("old", &found.old);
    page.fact("new", &found.new);
    page.fact("measured", &how(measured));
    if !found.complete {
        page.fact("complete", &format!("no: {}", stop(&measured.stop)));
    }
    let names = [&found.old, &found.new].map(|text| format!("`{text}`"));
    crate::validity::show(&mut page, &measured.validity, &names);
    page.blank();
    calls(&mut page, found);
    page.blank();
    times(&mut page, found);
    figures(&mut page, &found.figures);
    for warning in &measured.warnings {
        page.hanging("  note: ", 8, Ink::Plain, &warning.message);
    }
    gates(&mut page, found);
    legend(&mut page, found);
    page.finish()
}

fn how(measured: &CommandComparison) -> String {
    let setting = &measured.setting;
    let mut words = vec![format!(
        "{}, {} of one run of each in random order{}",
        measured.created,
        things(measured.blocks.len() as u64, "block"),
        if setting.shell { ", by sh -c" } else { "" },
    )];
    let bound = if setting.pinned { "each block bound to one CPU" } else { "bound to no CPU" };
    words.push(bound.to_owned());
    if let Some(prepare) = &setting.prepare {
        words.push(format!("before each run: {prepare}"));
    }
    if setting.warm_up_runs > 0 {
        words.push(format!("{} of each before", things(u64::from(setting.warm_up_runs), "warm-up run")));
    }
    if setting.ignore_failure {
        words.push("exit codes ignored".to_owned());
    }
    if setting.output_shown {
        words.push("with the output shown".to_owned());
    }
    words.join("; ")
}

fn stop(stop: &StopReason) -> String {
    match stop {
        StopReason::Interrupted => "interrupted".to_owned(),
        StopReason::Failed(reason) => reason.clone(),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn calls(page: &mut Page, found: &CommandsCompared) {
    page.paragraph(0, Ink::Heading, "Calls per run, old → new, from exec to the end of the last process");
    let calls = match &found.calls {
        Reading::Value(calls) => calls,
        Reading::Unavailable(reason) => {
            page.paragraph(2, Ink::Plain, &format!("Not compared: {reason}."));
            return;
        }
    };
    let total = format!("{} → {} in all", range(calls.old), range(calls.new));
    if let Some([old, new]) = found.processes.filter(|[old, new]| old != new) {
        page.hanging("  ", 6, Ink::Bad, &format!("processes {} → {}", range(old), range(new)));
    }
    if calls.differs() {
        let differing: Vec<String> =
            calls.by_call.iter().filter(|call| call.differs).map(difference).collect();
        page.hanging("  ", 6, Ink::Bad, &format!("{total}; {}", differing.join("; ")));
    } else {
        page.paragraph(2, Ink::Plain, &format!("No difference shown: {total}."));
    }
    let unsure = calls.by_call.iter().filter(|call| !call.differs && is_varied(call));
    for call in unsure {
        let text = format!("{}: varies from run to run, which shows no difference", difference(call));
        page.hanging("  ", 6, Ink::Plain, &text);
    }
}

fn times(page: &mut Page, found: &CommandsCompared) {
    page.paragraph(0, Ink::Heading, "Wall time per run, new over old, paired in the blocks");
    let time = match &found.time {
        Reading::Value(time) => time,
        Reading::Unavailable(reason) => {
            page.paragraph(2, Ink::Plain, &format!("Not compared: {reason}."));
            return;
        }
    };
    table(page, time);
    if let Some(cpu) = &found.cpu_ratio {
        let text = format!("Time on CPUs (user and system): {}", ratio(cpu).phrase());
        page.paragraph(2, Ink::Plain, &text);
    }
    control(page, found);
    start(page, found, time);
    for caveat in &time.caveats {
        page.hanging("  note: ", 8, Ink::Plain, caveat);
    }
}

fn table(page: &mut Page, time: &TimeComparison) {
    let unit = TimeUnit::shared(&[time.old_ns.value, time.new_ns.value]);
    let [old, new] = [&time.old_ns, &time.new_ns].map(|side| time_in_table(side, unit.ns()).value);
    let written = ratio(&time.ratio_simultaneous);
    let columns = [
        Column::right(&format!("old {}", unit.symbol()), vec![old]),
        Column::right(&format!("new {}", unit.symbol()), vec![new]),
        Column::right("new/old", vec![written.value.clone()]),
        Column::beside("interval", vec![written.range()]),
        Column { gap: 2, ..Column::beside("", vec![time_word(time.change).to_owned()]) },
    ];
    for line in lines(&columns) {
        page.row(&line, "", Ink::Plain);
    }
}

fn control(page: &mut Page, found: &CommandsCompared) {
    match &found.control {
        Reading::Value(control) if control.instrument_fault => {
            let text = format!(
                "The old command differs from itself ({}): no time of this session is to be trusted.",
                ratio(&control.ratio).phrase()
            );
            page.paragraph(2, Ink::Bad, &text);
        }
        Reading::Value(control) => {
            let text =
                format!("A/A control, the old command against itself: {}", ratio(&control.ratio).phrase());
            page.paragraph(2, Ink::Plain, &text);
        }
        Reading::Unavailable(reason) => {
            page.paragraph(2, Ink::Plain, &format!("No A/A control: {reason}."));
        }
    }
}

/// What of it is the start of a process, which no change of the program moves.
fn start(page: &mut Page, found: &CommandsCompared, time: &TimeComparison) {
    match &found.floor_ns {
        Reading::Value(floor) => {
            let share = floor.value / time.old_ns.value;
            let text = format!(
                "Starting a process that does nothing: {}, {} of the old",
                time_phrase(floor),
                percent(share)
            );
            page.paragraph(2, Ink::Plain, &text);
            if share > START_SHARE {
                let text = "most of the time is the start of a process: let the command do more work, or compare \
                            drivers (--drivers), whose times leave the start out";
                page.hanging("  note: ", 8, Ink::Plain, text);
            }
        }
        Reading::Unavailable(reason) => {
            page.paragraph(2, Ink::Plain, &format!("What starting a process costs is not known: {reason}."));
        }
    }
}

fn figures(page: &mut Page, figures: &[RunFigure]) {
    if figures.is_empty() {
        return;
    }
    page.blank();
    page.paragraph(0, Ink::Heading, "Per run, as wait4 tells it (means of times, else medians)");
    let cell = |figure: &RunFigure, value: f64| match figure.unit {
        FigureUnit::Nanoseconds => short_time(value),
        FigureUnit::Bytes => rounded_bytes(value),
        FigureUnit::Count => number(value, usize::from(value.fract() > 0.0)),
    };
    let side = |value: fn(&RunFigure) -> f64| figures.iter().map(|f| cell(f, value(f))).collect();
    let columns = [
        Column::right("old", side(|figure| figure.old)),
        Column::right("new", side(|figure| figure.new)),
        Column { gap: 2, ..Column::beside("", figures.iter().map(|f| f.figure.to_owned()).collect()) },
    ];
    for line in lines(&columns) {
        page.row(&line, "", Ink::Plain);
    }
}

fn gates(page: &mut Page, found: &CommandsCompared) {
    if found.gates.is_empty() {
        return;
    }
    page.blank();
    page.paragraph(0, Ink::Heading, "Gates");
    for gate in &found.gates {
        let (word, ink) = verdict_word(gate.verdict);
        page.row(&format!("  fail on {}: ", gate.gate), &format!("{word} ({})", gate.evidence), ink);
    }
}

fn legend(page: &mut Page, found: &CommandsCompared) {
    if found.time.value().is_none() {
        return;
    }
    page.blank();
    let text = "Every run is a fresh process: from just before its spawn to just after its wait, by \
                CLOCK_MONOTONIC. The interval covers at 95 %, at all numbers of blocks, whenever one stops; \
                \"not shown\" is no proof of sameness. Calls were counted in runs of their own.";
    page.paragraph(0, Ink::Faint, text);
}
