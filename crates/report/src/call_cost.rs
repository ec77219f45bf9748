//! What chosen calls cost a program, by runs in which they were made again or delayed: text, page, Markdown, CSV.

mod picture;
mod words;

use crate::TextOptions;
use crate::document::{
    Block, Cell, Column as TableColumn, ColumnKind, Document, Fact, Prose, Row, Section, Span, Table,
};
use crate::export_error::ExportError;
use crate::html;
use crate::markdown::{self, Purpose};
use crate::page::{Ink, Page};
use crate::quantity::{grouped, percent, short_time, things};
use crate::report::{ReportError, packed_json};
use crate::table_text::csv;
use crate::visible::visible_lines;
use fathom_audit::{CallCost, CallTime, CostAnswer, CostMethod, CostQuestion, CostRun, ReachedCalls};
use fathom_model::Reading;
use words::{behavior, control, interpreter, method, next, reach, slopes, toggled};

/// Where the method and its limits are described.
const LIMITS: &str = "docs/what-if-limits.md";

/// As text: at most 25 lines. Pure.
pub fn render_call_cost(cost: &CallCost, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    page.paragraph(0, Ink::Heading, &verdict(cost));
    page.blank();
    for (label, text) in facts(cost) {
        page.fact(label, &text);
    }
    page.blank();
    for gap in &cost.gaps {
        page.fact("not seen", gap);
    }
    page.fact("method", &format!("{} ({LIMITS})", method(cost)));
    if let Some(next) = next(cost) {
        page.fact("next", next);
    }
    page.finish()
}

/// For a comment. Pure.
pub fn call_cost_markdown(cost: &CallCost) -> String {
    markdown::render(&document(cost), Purpose::Comment)
}

/// As one page that needs nothing else, with the runs inside. Pure.
///
/// # Errors
///
/// Those of compressing what is inside.
pub fn call_cost_html(cost: &CallCost) -> Result<String, ReportError> {
    let attachment = packed_json("call-cost.json", "every run", cost)?;
    Ok(html::render(&document(cost), &[attachment]))
}

/// A row for each run. Pure.
///
/// # Errors
///
/// Those of writing CSV.
pub fn call_cost_csv(cost: &CallCost) -> Result<String, ExportError> {
    let rows = cost.runs.iter().map(|run| {
        let amount = run.amount.map_or_else(String::new, |amount| amount.to_string());
        let CostRun { wall_ns, held_ns, held_others_ns, cpu_ns, treated, times, treated_ns, .. } = run;
        let numbers =
            [wall_ns, cpu_ns, treated, times, treated_ns, held_ns, held_others_ns].map(ToString::to_string);
        [run.block.to_string(), amount].into_iter().chain(numbers).collect::<Vec<_>>()
    });
    let heads = "block amount wall_ns cpu_ns treated times treated_ns held_ns held_others_ns";
    let heads: Vec<_> = heads.split(' ').collect();
    Ok(visible_lines(&csv(&heads, rows.collect::<Vec<_>>())?))
}

/// Everything in one line.
fn verdict(cost: &CallCost) -> String {
    let answer = match &cost.answer {
        Reading::Unavailable(reason) => return format!("{}: no answer: {reason}", asked(cost)),
        Reading::Value(answer) => answer,
    };
    if cost.question != CostQuestion::Slower {
        return gain(cost, answer);
    }
    match &answer.wall {
        Reading::Unavailable(reason) => format!("{}: no answer: {reason}", asked(cost)),
        Reading::Value(slope) => slower(cost, *slope),
    }
}

fn asked(cost: &CallCost) -> String {
    match cost.question {
        CostQuestion::Without => format!("without {}", cost.about),
        CostQuestion::Twice => format!("{} once more", cost.about),
        CostQuestion::Slower => {
            format!("{} slower by {}", cost.about, short_time(cost.delay_ns.unwrap_or(0) as f64))
        }
    }
}

/// What is sure comes first.
fn gain(cost: &CallCost, answer: &CostAnswer) -> String {
    let word = if cost.question == CostQuestion::Without { "less" } else { "more" };
    let part = |name: &str, time: &Reading<CallTime>, of_run: bool| {
        let time = match time {
            Reading::Unavailable(reason) => return (1, format!("{name}: no answer: {reason}")),
            Reading::Value(time) => time.scaled(answer.meant_share),
        };
        if !time.is_sure() {
            let (low, high) = (short_time(time.low), short_time(time.high));
            return (1, format!("{name}: no difference shown, between {low} and {high} {word}"));
        }
        let share = if of_run && answer.alone_ns > 0.0 {
            format!(", {} of {}", percent(time.median / answer.alone_ns), short_time(answer.alone_ns))
        } else {
            String::new()
        };
        (0, format!("about {} {word} {name}{share}", interval(time)))
    };
    let mut parts = [part("wall time", &answer.wall, true), part("CPU time", &answer.cpu, false)];
    parts.sort_by_key(|(order, _)| *order);
    let [first, second] = parts.map(|(_, text)| text);
    let (reached, meant) = (cost.reach.reached(), cost.reach.meant());
    let of = if reached < meant {
        format!("{} of {}", grouped(reached), things(meant, "call"))
    } else {
        things(reached, "call")
    };
    format!("{}: {first}; {second}; for {of}", asked(cost))
}

fn slower(cost: &CallCost, slope: CallTime) -> String {
    let [median, low, high] = [slope.median, slope.low, slope.high].map(percent);
    format!(
        "{}: it waits for {median} [{low}, {high}] of what was added to {}",
        asked(cost),
        things(cost.reach.reached(), "call")
    )
}

fn facts(cost: &CallCost) -> Vec<(&'static str, String)> {
    let mut facts = vec![("command", cost.subject.clone()), ("calls", reach(cost))];
    if let Some(compared) = cost.compared {
        facts.push((
            "known",
            format!(
                "{} were known and held against the kernel's in a run of their own: {} of them",
                things(compared.known, "answer"),
                if compared.differing == 0 {
                    "the same, each".to_owned()
                } else {
                    format!("another, {}", grouped(compared.differing))
                }
            ),
        ));
    }
    if let Reading::Value(answer) = &cost.answer {
        facts.push((
            match (cost.question, cost.method) {
                (CostQuestion::Slower, _) => "share",
                (_, CostMethod::Elided) => "left out",
                _ => "one more",
            },
            slopes(cost, answer),
        ));
        let [alone, watched] = [None, Some(0)]
            .map(|amount| grouped(cost.runs.iter().filter(|run| run.amount == amount).count() as u64));
        facts.push((
            "run",
            format!(
                "{} alone (median of {alone}), {} under the instrument (of {watched})",
                short_time(answer.alone_ns),
                short_time(answer.watched_ns)
            ),
        ));
        facts.push(("control", control(cost, answer)));
    }
    let blocks = cost.runs.iter().map(|run| run.block).max().unwrap_or(0);
    if let Some(said) = toggled(cost) {
        facts.push(("windows", said));
    } else if blocks > 0 {
        let (runs, blocks) = (cost.runs.len(), things(blocks.into(), "block"));
        let why = cost.toggling.as_ref().map_or_else(String::new, |toggling| format!(" ({})", toggling.why));
        let said = format!("{runs} in {blocks} in random order, seed {}{why}", cost.seed);
        facts.push(("runs", format!("{said}; intervals hold at 95 % whenever one looks")));
    }
    if cost.answer.value().is_some() {
        facts.push(("behavior", behavior(cost)));
    }
    if cost.question == CostQuestion::Without
        && let Some(language) = interpreter(&cost.command)
    {
        facts.push((
            "not in it",
            format!(
                "what {language} itself does around each call, which often takes longer than the call: a patch of the \
                 script gains that, too"
            ),
        ));
    }
    if !cost.instead.is_empty() {
        let calls: Vec<_> = cost
            .instead
            .iter()
            .map(|call| call.call.as_str())
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .collect();
        facts.push(("not subtracted", format!("what is to be called in their place: {}", calls.join(", "))));
    }
    facts
}

fn interval(time: CallTime) -> String {
    format!("{} [{}, {}]", short_time(time.median), short_time(time.low), short_time(time.high))
}

fn document(cost: &CallCost) -> Document {
    let mut all: Vec<_> = facts(cost).into_iter().collect();
    all.push(("method", format!("{} ({LIMITS})", method(cost))));
    all.extend(cost.gaps.iter().map(|gap| ("not seen", gap.clone())));
    let facts = all.into_iter().map(|(label, text)| Fact { label: label.to_owned(), prose: text.into() });
    let row = |calls: &ReachedCalls| Row {
        cells: vec![
            Cell::words(Prose::code(&calls.call)),
            Cell::figure(grouped(calls.meant), Some(calls.meant as f64)),
            Cell::figure(grouped(calls.fit), Some(calls.fit as f64)),
            Cell::figure(grouped(calls.treated), Some(calls.treated as f64)),
        ],
        ..Row::default()
    };
    let table = Table {
        caption: "Calls that are meant, may be treated, and were".into(),
        columns: vec![
            TableColumn::new("call", ColumnKind::Words),
            TableColumn::new("meant", ColumnKind::Figure),
            TableColumn::new("fit", ColumnKind::Figure),
            TableColumn::new("treated", ColumnKind::Figure),
        ],
        rows: cost.reach.calls.iter().map(row).collect(),
        interactive: false,
    };
    let day = cost.created.split('T').next().unwrap_or_default();
    // What bears no answer shows none.
    let figures = if cost.answer.value().is_some() { picture::figures(cost) } else { Vec::new() };
    let mut figures = figures.into_iter();
    let lead = figures.next();
    let mut blocks = vec![Block::Facts(facts.collect()), Block::Table(table)];
    blocks.extend(figures.map(Block::Figure));
    Document {
        title: asked(cost),
        subtitle: format!("{day}, Fathom {}", cost.fathom_version),
        answer: vec![Prose(vec![Span::Strong(verdict(cost))])],
        lead,
        sections: vec![Section {
            id: "cost".to_owned(),
            title: "What the calls cost".to_owned(),
            blocks,
            ..Section::default()
        }],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Chart, IntervalRow};
    use fathom_audit::{CALL_COST_VERSION, CallCostKind, CostControl, CostReach, CostToggling};

    fn time(median: f64, low: f64, high: f64) -> CallTime {
        CallTime { median, low, high }
    }

    fn cost() -> CallCost {
        let calls = |call: &str, meant, fit, treated| ReachedCalls {
            call: call.to_owned(),
            meant,
            fit,
            treated,
            elided: None,
        };
        CallCost {
            kind: CallCostKind::CallCost,
            schema_version: CALL_COST_VERSION,
            fathom_version: "0".to_owned(),
            created: "2026-11-26T22:00:00Z".to_owned(),
            subject: "./app --all".to_owned(),
            command: vec!["./app".to_owned(), "--all".to_owned()],
            question: CostQuestion::Without,
            about: "R15".to_owned(),
            delay_ns: None,
            method: CostMethod::Repeated,
            compared: None,
            calibration: Vec::new(),
            written: None,
            reach: CostReach {
                calls: vec![calls("newfstatat", 1_000, 1_000, 1_250), calls("read", 5, 0, 0)],
                unknown: 0,
                of_others: 117,
                refusals: Vec::new(),
            },
            instead: Vec::new(),
            seed: 7,
            toggling: None,
            runs: [None, Some(0), Some(0), Some(1), Some(3)]
                .map(|amount: Option<u64>| CostRun {
                    block: 1,
                    amount,
                    wall_ns: 36_000_000 + 1_250_000 * amount.unwrap_or(0),
                    held_ns: 0,
                    held_others_ns: 0,
                    cpu_ns: 30_000_000,
                    treated: amount.map_or(0, |_| 1_250),
                    times: 1_250 * amount.unwrap_or(0),
                    treated_ns: 1_000_000 * amount.unwrap_or(0),
                    windows: 0,
                })
                .into(),
            answer: Reading::Value(CostAnswer {
                alone_ns: 20e6,
                watched_ns: 36e6,
                wall: Reading::Value(time(1.25e6, 1.1e6, 1.4e6)),
                cpu: Reading::Value(time(1.2e6, 1.0e6, 1.5e6)),
                instrument_ns: 1.2e5,
                instrument_range_ns: None,
                meant_share: 0.8,
                control: CostControl { same: time(1e4, -2e5, 3e5), bend: time(-1e4, -1e5, 1e5) },
            }),
            gaps: Vec::new(),
            redacted: None,
        }
    }

    #[test]
    fn an_interpreters_own_work_is_said_not_to_be_in_it() {
        let language = |words: &str| interpreter(&words.split(' ').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(language("/usr/bin/python3.11 -I app.py"), Some("Python"));
        assert_eq!(language("env A=b node app.js"), Some("Node"));
        assert_eq!(language("./nodes python3"), None);
    }

    #[test]
    fn what_was_left_out_is_said_with_what_was_known() {
        let elided = |mut calls: ReachedCalls| {
            calls.elided = Some(calls.treated - 50);
            calls
        };
        let repeated = cost();
        let cost = CallCost {
            method: CostMethod::Elided,
            written: Some(fathom_audit::WrittenFiles { compared: 2, left_out: 0 }),
            compared: Some(fathom_audit::ComparedAnswers { known: 1_200, differing: 0 }),
            reach: CostReach {
                calls: repeated.reach.calls.clone().into_iter().take(1).map(elided).collect(),
                ..repeated.reach.clone()
            },
            ..repeated
        };
        let text = render_call_cost(&cost, &TextOptions::default());
        assert!(text.lines().count() <= 25, "{text}");
        // Wrapped as it may be.
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for said in [
            "1,200 left out",
            "50 with an answer that was not known",
            "1,200 answers were known and held against the kernel's in a run of their own: the same, each",
            "what is in the 2 files that it writes",
            "was not made; the program got that answer",
            "next `fathom audit` names the line",
        ] {
            assert!(text.contains(said), "{said}: {text}");
        }
    }

    #[test]
    fn the_answer_comes_first_with_its_share_and_what_was_reached() {
        let text = render_call_cost(&cost(), &TextOptions::default());
        assert!(text.lines().count() <= 25, "{text}");
        insta::assert_snapshot!("call-cost-text", text);
        insta::assert_snapshot!("call-cost-markdown", call_cost_markdown(&cost()));
        insta::assert_snapshot!("call-cost-csv", call_cost_csv(&cost()).unwrap());
    }

    #[test]
    fn whole_runs_say_why_they_are_no_windows() {
        let why = "a run has only 12 pairs of windows, of 900 calls each";
        let toggling = Some(CostToggling { why: why.to_owned(), windows: None });
        let text = render_call_cost(&CallCost { toggling, ..cost() }, &TextOptions::default());
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(&format!("in random order, seed 7 ({why}); intervals")), "{text}");
    }

    fn block_held(block: u32) -> u64 {
        u64::from(block) * 700
    }

    /// Blocks of two runs with nothing added, one with each call once more and one with three times more.
    fn blocks() -> Vec<CostRun> {
        let run = |block: u32, amount: Option<u64>, wall_us: u64| CostRun {
            block,
            amount,
            // What the program stood is none of its own.
            wall_ns: wall_us * 1_000 + block_held(block),
            held_ns: block_held(block),
            held_others_ns: 0,
            cpu_ns: wall_us * 500,
            treated: 100,
            times: 0,
            treated_ns: 0,
            windows: 0,
        };
        let block = |block: u32| {
            let base = 10_000 + u64::from(block) * 100;
            [
                run(block, None, 5_000),
                run(block, Some(0), base),
                run(block, Some(3), base + 3_300),
                run(block, Some(0), base + 20),
                run(block, Some(1), base + 1_100 + u64::from(block)),
            ]
        };
        // The ninth was left in the middle.
        (1..=8).flat_map(block).chain([run(9, Some(0), 99_000), run(9, Some(3), 500_000)]).collect()
    }

    #[test]
    fn a_picture_shows_what_was_added_block_by_block() {
        let rows = |cost: &CallCost| {
            let rows = |figure: crate::document::Figure| match figure.chart {
                Chart::Intervals(chart) => chart.rows,
                other => panic!("{other:?}"),
            };
            picture::figures(cost).into_iter().map(rows).collect::<Vec<_>>()
        };
        let many = CallCost { runs: blocks(), ..cost() };
        let [wall, cpu] = rows(&many).try_into().unwrap();
        let marks = |rows: &[IntervalRow]| -> Vec<_> {
            rows.iter().map(|row| (row.label.clone(), row.marks[0].value, row.dots.len())).collect()
        };
        assert_eq!(
            marks(&wall),
            [
                ("nothing, twice".to_owned(), 20_000.0, 8),
                ("each once more".to_owned(), 1_094_500.0, 8),
                ("each 3 times more".to_owned(), 3_290_000.0, 8)
            ]
        );
        assert!((marks(&cpu)[2].1 - 1_645_000.0).abs() < 1e-6);
        // Of eight values, the smallest and the largest hold the median at 95 %.
        assert_eq!(wall[1].marks[0].ends, Some((1_091_000.0, 1_098_000.0)));
        let delayed = CallCost { question: CostQuestion::Slower, ..many.clone() };
        assert_eq!(rows(&delayed).len(), 1, "a sleep takes no CPU");
        let control =
            CallCost { runs: blocks().into_iter().filter(|run| run.amount == Some(0)).collect(), ..cost() };
        assert_eq!(picture::figures(&control), [], "nothing was added");
        let page = call_cost_html(&many).unwrap();
        assert!(page.contains("each 3 times more") && page.contains("call-cost.json"), "{}", page.len());
        assert!(!call_cost_html(&CallCost { runs: Vec::new(), ..cost() }).unwrap().contains("<svg"));
        let refused = CallCost { answer: Reading::Unavailable("it ended otherwise".to_owned()), ..many };
        assert!(!call_cost_html(&refused).unwrap().contains("<svg"), "no answer has no picture");
    }

    #[test]
    fn what_is_not_shown_or_refused_is_no_gain() {
        let mut none = cost();
        if let Reading::Value(answer) = &mut none.answer {
            answer.wall = Reading::Value(time(1e4, -1e5, 2e5));
        }
        let text = render_call_cost(&none, &TextOptions::default());
        assert!(text.starts_with("without R15: about 960 µs"), "what is sure comes first: {text}");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("wall time: no difference shown, between -80.0 µs and 160 µs less"), "{text}");
        assert!(text.contains("next `fathom audit`"), "the CPU time is less: {text}");
        if let Reading::Value(answer) = &mut none.answer {
            answer.cpu = Reading::Value(time(-1e4, -1e5, 2e5));
        }
        let text = render_call_cost(&none, &TextOptions::default());
        assert!(text.contains("leave these calls as they are"), "{text}");
        none.answer = Reading::Unavailable("its standard output was not the same in all runs".to_owned());
        let text = render_call_cost(&none, &TextOptions::default());
        assert!(text.starts_with("without R15: no answer: its standard output"), "{text}");
        assert!(text.contains("next      where a seed"), "{text}");
        assert!(!text.contains("\none more  "), "{text}");
    }

    #[test]
    fn a_delay_has_a_share() {
        let mut slow = cost();
        (slow.question, slow.about, slow.delay_ns) =
            (CostQuestion::Slower, "fsync".to_owned(), Some(5_000_000));
        if let Reading::Value(answer) = &mut slow.answer {
            (answer.wall, answer.cpu) =
                (Reading::Value(time(0.98, 0.95, 1.01)), Reading::Value(time(0.0, -0.01, 0.01)));
        }
        let text = render_call_cost(&slow, &TextOptions::default());
        assert!(text.starts_with("fsync slower by 5.00 ms: it waits for 98.0 % [95.0 %, 101 %]"), "{text}");
    }
}
