//! A program on another file system: text, page, Markdown and CSV.

use crate::TextOptions;
use crate::columns::{Column, lines};
use crate::document::{
    Block, Cell, Column as TableColumn, ColumnKind, Document, Fact, Item, Prose, Row, Section, Span, Table,
    Tone,
};
use crate::export_error::ExportError;
use crate::html;
use crate::markdown::{self, Purpose};
use crate::page::{Ink, Page};
use crate::quantity::{grouped, published, short_time, things};
use crate::report::{ReportError, packed_json};
use crate::table_text::csv;
use crate::visible::visible_lines;
use crate::wrap::elide;
use fathom_audit::{ClassTrips, PathTrips, RequestClass, TripExperiment, UnknownTrips, WhatIf};
use fathom_model::Reading;

/// Rows of paths and of directories in brief.
const ROWS_IN_BRIEF: usize = 3;
/// And of directories alone where what was measured takes the room.
const ROWS_BESIDE_EXPERIMENT: usize = 2;
/// What was added beyond this many times what was held is not the delay's alone.
const MUCH_MORE: f64 = 1.1;
/// Columns of a path in the text.
const PATH_COLUMNS: usize = 60;
/// Where the model and its limits are described.
const LIMITS: &str = "docs/what-if-limits.md";

/// As text: at most 25 lines, or all. Pure.
pub fn render_what_if(what_if: &WhatIf, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    page.paragraph(0, Ink::Heading, &verdict(what_if));
    page.blank();
    page.line("command", &what_if.subject);
    page.fact("files", &files(what_if));
    page.fact("as", &file_system(what_if));
    page.fact("trips", &by_class(what_if));
    page.fact("time", &time(what_if));
    experiment(&mut page, what_if);
    page.blank();
    let estimate = &what_if.estimate;
    let rows = match (page.is_full(), &what_if.experiment) {
        (true, _) => usize::MAX,
        (false, None) => ROWS_IN_BRIEF,
        (false, Some(_)) => ROWS_BESIDE_EXPERIMENT,
    };
    paths(&mut page, "directory", &estimate.directories, rows);
    if rows >= ROWS_IN_BRIEF {
        paths(&mut page, "path", &estimate.paths, rows);
    }
    page.blank();
    for gap in &what_if.gaps {
        page.fact("not seen", gap);
    }
    if page.is_full() {
        for (number, unknown) in estimate.unknown.iter().enumerate() {
            page.fact(if number == 0 { "unknown" } else { "" }, &sentence(unknown));
        }
        page.fact("model", &what_if.file_system.basis);
    } else {
        page.fact("unknown", &unknown_in_brief(what_if));
    }
    page.finish()
}

/// For a comment. Pure.
pub fn what_if_markdown(what_if: &WhatIf) -> String {
    markdown::render(&document(what_if), Purpose::Comment)
}

/// As one page that needs nothing else, with the answer's data inside. Pure.
///
/// # Errors
///
/// Those of compressing what is inside.
pub fn what_if_html(what_if: &WhatIf) -> Result<String, ReportError> {
    let attachment = packed_json("what-if.json", "the whole answer", what_if)?;
    Ok(html::render(&document(what_if), &[attachment]))
}

/// A row for each class, directory and path. Pure.
///
/// # Errors
///
/// Those of writing CSV.
pub fn what_if_csv(what_if: &WhatIf) -> Result<String, ExportError> {
    let estimate = &what_if.estimate;
    let row = |of: &str, name: &str, count: u64| {
        let added_ns = count.saturating_mul(what_if.round_trip_ns);
        vec![of.to_owned(), name.to_owned(), count.to_string(), added_ns.to_string()]
    };
    let mut rows = vec![
        row("all", "round trips", estimate.round_trips),
        row("all", "longest chain", estimate.longest_chain),
    ];
    rows.extend(estimate.by_class.iter().map(|class| row("class", class.class.word(), class.round_trips)));
    if let Some(Reading::Value(experiment)) = &what_if.experiment {
        rows.extend(
            experiment.by_class.iter().map(|class| row("mounted", class.class.word(), class.round_trips)),
        );
    }
    let of = |word: &'static str, all: &[PathTrips]| -> Vec<_> {
        all.iter().map(|path| row(word, &path.path, path.round_trips)).collect()
    };
    rows.extend(of("directory", &estimate.directories));
    rows.extend(of("path", &estimate.paths));
    // A name must not steer the terminal that shows it.
    Ok(visible_lines(&csv(&["of", "name", "round_trips", "added_ns"], rows)?))
}

/// Everything in one line.
fn verdict(what_if: &WhatIf) -> String {
    let estimate = &what_if.estimate;
    format!(
        "{} would become {} on {} at {}: {} more, by arithmetic",
        things(estimate.calls, "call"),
        things(estimate.round_trips, "round trip"),
        what_if.file_system.name,
        short_time(what_if.round_trip_ns as f64),
        range(what_if),
    )
}

/// `412 ms`, `400 ms to 412 ms`.
fn range(what_if: &WhatIf) -> String {
    let (low, high) = (what_if.estimate.added_ns_min, what_if.estimate.added_ns_max);
    let (low, high) = (short_time(low as f64), short_time(high as f64));
    if low == high { low } else { format!("{low} to {high}") }
}

fn files(what_if: &WhatIf) -> String {
    let below = match what_if.directories.as_slice() {
        [] => "the directory in which it was started".to_owned(),
        directories => directories.join(", "),
    };
    let estimate = &what_if.estimate;
    format!(
        "below {below} ({} name a path); {} on other files stay as they are",
        things(estimate.path_calls, "call"),
        things(estimate.calls_elsewhere, "call")
    )
}

fn file_system(what_if: &WhatIf) -> String {
    let model = &what_if.file_system;
    format!("{}: {}; {}", model.name, model.title, what_if.capture)
}

fn by_class(what_if: &WhatIf) -> String {
    let classes = what_if.estimate.by_class.iter();
    let classes: Vec<_> =
        classes.map(|class| format!("{} {}", class.class.word(), grouped(class.round_trips))).collect();
    if classes.is_empty() { "none".to_owned() } else { classes.join(", ") }
}

fn time(what_if: &WhatIf) -> String {
    let estimate = &what_if.estimate;
    let all = format!(
        "{} × {} = {}",
        grouped(estimate.round_trips),
        short_time(what_if.round_trip_ns as f64),
        short_time(estimate.added_ns_max as f64)
    );
    if estimate.added_ns_min == estimate.added_ns_max {
        return format!("{all}, each waited for alone");
    }
    format!(
        "{all} if each is waited for alone; {} if threads overlap as they did here: {} follow each other in the longest chain{}",
        short_time(estimate.added_ns_min as f64),
        grouped(estimate.longest_chain),
        if estimate.threads > 1 {
            format!(", of {}", things(estimate.threads, "thread"))
        } else {
            String::new()
        }
    )
}

fn paths(page: &mut Page, heading: &str, all: &[PathTrips], rows: usize) {
    if all.is_empty() {
        return;
    }
    let shown = all.len().min(rows);
    let columns = [
        Column::right("round trips", all[..shown].iter().map(|path| grouped(path.round_trips)).collect()),
        Column::beside(heading, all[..shown].iter().map(|path| elide(&path.path, PATH_COLUMNS)).collect()),
    ];
    for (number, line) in lines(&columns).iter().enumerate() {
        page.row(line.trim_end(), "", if number == 0 { Ink::Faint } else { Ink::Plain });
    }
}

/// What is not known, without what that means.
fn unknown_in_brief(what_if: &WhatIf) -> String {
    let all: Vec<_> = what_if.estimate.unknown.iter().map(|unknown| unknown.what.as_str()).collect();
    format!("{} (--full; {LIMITS})", all.join("; "))
}

fn sentence(unknown: &UnknownTrips) -> String {
    format!("{}: {}", unknown.what, unknown.meaning)
}

/// What was measured on a mount, and the proof.
fn experiment(page: &mut Page, what_if: &WhatIf) {
    match &what_if.experiment {
        None => page.fact(
            "measured",
            "nothing: --measure runs the command 12 times more, over a mount that holds its answers",
        ),
        Some(Reading::Unavailable(reason)) => page.fact("measured", &format!("nothing: {reason}")),
        Some(Reading::Value(experiment)) => {
            for (label, text) in experiment_facts(what_if, experiment) {
                page.fact(label, &text);
            }
        }
    }
}

fn experiment_facts(what_if: &WhatIf, experiment: &TripExperiment) -> Vec<(&'static str, String)> {
    let pairs = things(experiment.pairs, "pair");
    let measured = match &experiment.added {
        Reading::Value(added) => {
            let times = [added.median_ns, added.low_ns, added.high_ns].map(short_time);
            let [median, low, high] = times;
            let shown = if added.low_ns <= 0.0 && added.high_ns >= 0.0 {
                format!("no difference shown: {median} [{low}, {high}]")
            } else {
                format!("{median} more [{low}, {high}]")
            };
            // More than was held is this machine's: a process that wakes up waits for a CPU.
            let held_ns = experiment.injected_ns as f64 / experiment.pairs.max(1) as f64;
            let beyond = if added.low_ns > MUCH_MORE * held_ns {
                let held = short_time(held_ns);
                format!(
                    "; only {held} of it were held, the rest may be waiting for a CPU: take it on a quiet machine"
                )
            } else {
                String::new()
            };
            format!("{shown}, median of {pairs} of runs with and without delay{beyond}")
        }
        Reading::Unavailable(reason) => format!("refused, after {pairs} of runs: {reason}"),
    };
    vec![("measured", measured), ("proof", proof(what_if, experiment)), ("model", compared(experiment))]
}

/// `1,210 calls became 412 requests; injected in 6 runs 2,472 × 1.00 ms = 2472 ms; the server's clock saw 2478.6 ms`.
fn proof(what_if: &WhatIf, experiment: &TripExperiment) -> String {
    let all: u64 = experiment.requests.iter().sum();
    let deviation = match experiment.deviation() {
        Some(deviation) => format!(" ({:+.2} %)", deviation * 100.0),
        None => String::new(),
    };
    format!(
        "{} became {} (without delay {}; {} at once); injected in {} {} × {} = {}; the server's clock saw {}{deviation}",
        things(what_if.estimate.calls, "call"),
        span(&experiment.requests, "request"),
        span(&experiment.requests_without_delay, ""),
        span(&experiment.requests_at_once, ""),
        things(experiment.pairs, "run"),
        grouped(all),
        short_time(what_if.round_trip_ns as f64),
        milliseconds(experiment.injected_ns),
        milliseconds(experiment.clock_ns),
    )
}

/// Where the model of this mount and the mount differ.
fn compared(experiment: &TripExperiment) -> String {
    let of = |all: &[ClassTrips], class| {
        all.iter().find(|one| one.class == class).map_or(0, |one| one.round_trips)
    };
    let classes = RequestClass::ALL.into_iter().filter_map(|class| {
        let (model, mount) = (of(&experiment.predicted, class), of(&experiment.by_class, class));
        (model + mount > 0).then(|| format!("{} {}/{}", class.word(), grouped(model), grouped(mount)))
    });
    let classes: Vec<_> = classes.collect();
    format!("of this mount, said/seen: {}", classes.join(", "))
}

/// `412 requests`, `410 to 412 requests`.
fn span(counts: &[u64], noun: &str) -> String {
    let (low, high) = (counts.iter().min().copied().unwrap_or(0), counts.iter().max().copied().unwrap_or(0));
    match (low == high, noun) {
        (true, "") => grouped(low),
        (true, noun) => things(low, noun),
        (false, noun) => {
            let noun = if noun.is_empty() { String::new() } else { format!(" {noun}s") };
            format!("{} to {}{noun}", grouped(low), grouped(high))
        }
    }
}

/// In a unit that shows what 2 % are.
fn milliseconds(ns: u64) -> String {
    format!("{} ms", published((ns as f64 / 1e5).round() / 10.0))
}

fn document(what_if: &WhatIf) -> Document {
    let estimate = &what_if.estimate;
    let fact = |label: &str, text: String| Fact { label: label.to_owned(), prose: text.into() };
    let item = |text: &String| Item { depth: 0, tone: Tone::Plain, prose: text.clone().into() };
    let classes = estimate.by_class.iter().map(|class| (class.class.word().to_owned(), class.round_trips));
    let of_paths = |all: &[PathTrips]| -> Vec<_> {
        all.iter().map(|path| (path.path.clone(), path.round_trips)).collect()
    };
    let mut facts = vec![
        fact("command", what_if.subject.clone()),
        fact("files", files(what_if)),
        fact("as", file_system(what_if)),
        fact("time", time(what_if)),
        fact("model", format!("{} ({LIMITS})", what_if.file_system.basis)),
    ];
    match &what_if.experiment {
        None => {}
        Some(Reading::Unavailable(reason)) => facts.push(fact("measured", format!("nothing: {reason}"))),
        Some(Reading::Value(experiment)) => {
            let measured = experiment_facts(what_if, experiment).into_iter();
            facts.extend(measured.map(|(label, text)| fact(label, text)));
        }
    }
    let mut blocks = vec![
        Block::Facts(facts),
        Block::Table(table("Round trips by what they are for", "class", classes)),
        Block::Table(table("Directories with the most", "directory", of_paths(&estimate.directories))),
        Block::Table(table("Paths with the most", "path", of_paths(&estimate.paths))),
    ];
    let gaps = what_if.gaps.iter().map(|gap| format!("not seen: {gap}"));
    let unknown = estimate.unknown.iter().map(|unknown| format!("not known: {}", sentence(unknown)));
    blocks.push(Block::List(gaps.chain(unknown).map(|line| item(&line)).collect()));
    let day = what_if.created.split('T').next().unwrap_or_default();
    Document {
        title: format!("As on {}", what_if.file_system.name),
        subtitle: format!("{day}, Fathom {}", what_if.fathom_version),
        answer: vec![Prose(vec![Span::Strong(verdict(what_if))])],
        lead: None,
        sections: vec![Section {
            id: "round-trips".to_owned(),
            title: "Round trips".to_owned(),
            blocks,
            ..Section::default()
        }],
    }
}

fn table(caption: &str, heading: &str, rows: impl IntoIterator<Item = (String, u64)>) -> Table {
    let row = |(name, count): (String, u64)| Row {
        cells: vec![Cell::words(Prose::code(&name)), Cell::figure(grouped(count), Some(count as f64))],
        ..Row::default()
    };
    Table {
        caption: caption.into(),
        columns: vec![
            TableColumn::new(heading, ColumnKind::Words),
            TableColumn::new("round trips", ColumnKind::Figure),
        ],
        rows: rows.into_iter().map(row).collect(),
        interactive: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Details;
    use fathom_audit::{AddedTime, FileSystemModel, TripEstimate, WHAT_IF_VERSION, WhatIfKind};

    fn what_if() -> WhatIf {
        let path = |path: &str, round_trips| PathTrips { path: path.to_owned(), round_trips };
        let class = |class, round_trips| ClassTrips { class, round_trips };
        let unknown = |(what, meaning): (&str, &str)| UnknownTrips {
            what: what.to_owned(),
            meaning: meaning.to_owned(),
        };
        WhatIf {
            kind: WhatIfKind::WhatIf,
            schema_version: WHAT_IF_VERSION,
            fathom_version: "0".to_owned(),
            created: "2026-11-25T03:00:00Z".to_owned(),
            subject: "./app --all".to_owned(),
            command: vec!["./app".to_owned(), "--all".to_owned()],
            capture: "ptrace".to_owned(),
            file_system: FileSystemModel::named("nfs").unwrap(),
            round_trip_ns: 1_000_000,
            directories: vec!["/srv/app".to_owned()],
            estimate: TripEstimate {
                calls: 1_210,
                path_calls: 700,
                calls_elsewhere: 90,
                round_trips: 412,
                by_class: RequestClass::ALL.into_iter().map(|one| class(one, 41)).collect(),
                longest_chain: 300,
                threads: 4,
                added_ns_min: 300_000_000,
                added_ns_max: 412_000_000,
                paths: (0..9).map(|number| path(&format!("/srv/app/a{number}.json"), 9 - number)).collect(),
                directories: vec![path("/srv/app", 200), path("/srv/app/\u{1b}[31mx", 1)],
                unknown: [("one", "in words"), ("two", "as many")].map(unknown).to_vec(),
            },
            experiment: None,
            gaps: vec!["2 processes".to_owned()],
            redacted: None,
        }
    }

    #[test]
    fn text_names_calls_trips_and_time_in_few_lines() {
        let text = render_what_if(&what_if(), &TextOptions::default());
        assert!(text.lines().count() <= 25, "{text}");
        insta::assert_snapshot!("what-if-text", text);
    }

    fn measured() -> WhatIf {
        let class = |class, round_trips| ClassTrips { class, round_trips };
        let experiment = TripExperiment {
            pairs: 6,
            seed: 7,
            requests: vec![412; 6],
            requests_at_once: vec![3; 6],
            by_class: vec![class(RequestClass::Lookup, 380), class(RequestClass::Open, 32)],
            requests_without_delay: vec![412; 6],
            predicted: vec![class(RequestClass::Lookup, 380), class(RequestClass::Open, 31)],
            injected_ns: 2_472_000_000,
            clock_ns: 2_478_600_000,
            without_delay_ns: vec![100_000_000; 6],
            with_delay_ns: vec![530_000_000; 6],
            added: Reading::Value(AddedTime { median_ns: 430e6, low_ns: 421e6, high_ns: 440e6 }),
        };
        WhatIf { experiment: Some(Reading::Value(experiment)), ..what_if() }
    }

    #[test]
    fn what_was_measured_stands_beside_with_its_proof() {
        let text = render_what_if(&measured(), &TextOptions::default());
        assert!(text.lines().count() <= 25, "{text}");
        insta::assert_snapshot!("what-if-measured", text);
        assert!(
            what_if_markdown(&measured()).contains("2478.6 ms (+0.27 %)"),
            "{}",
            what_if_markdown(&measured())
        );
    }

    #[test]
    fn what_is_refused_or_cannot_be_had_is_said() {
        let mut refused = measured();
        if let Some(Reading::Value(experiment)) = &mut refused.experiment {
            experiment.added = Reading::Unavailable("its output differed".to_owned());
        }
        let text = render_what_if(&refused, &TextOptions::default());
        assert!(text.contains("refused, after 6 pairs of runs: its output differed"), "{text}");
        if let Some(Reading::Value(experiment)) = &mut refused.experiment {
            experiment.added = Reading::Value(AddedTime { median_ns: 4e6, low_ns: -80e6, high_ns: 70e6 });
        }
        let text = render_what_if(&refused, &TextOptions::default());
        assert!(text.contains("no difference shown: 4.00 ms [-80.0 ms, 70.0 ms]"), "{text}");
        // 412 requests of 1 ms were held in a run.
        if let Some(Reading::Value(experiment)) = &mut refused.experiment {
            experiment.added = Reading::Value(AddedTime { median_ns: 871e6, low_ns: 732e6, high_ns: 1030e6 });
        }
        let text = render_what_if(&refused, &TextOptions::default());
        assert!(text.contains("only 412 ms of it"), "{text}");
        let unavailable = Some(Reading::Unavailable("/dev/fuse cannot be opened".to_owned()));
        let text = render_what_if(&WhatIf { experiment: unavailable, ..what_if() }, &TextOptions::default());
        assert!(text.contains("measured  nothing: /dev/fuse cannot be opened"), "{text}");
    }

    #[test]
    fn a_chain_that_is_all_of_it_is_one_time() {
        let mut one = what_if();
        (one.estimate.longest_chain, one.estimate.added_ns_min) = (412, 412_000_000);
        let text = render_what_if(&one, &TextOptions::default());
        assert!(text.contains("412 × 1.00 ms = 412 ms, each waited for alone"), "{text}");
        assert!(
            text.starts_with("1,210 calls would become 412 round trips on nfs at 1.00 ms: 412 ms more"),
            "{text}"
        );
    }

    #[test]
    fn in_full_what_is_not_known_is_explained() {
        let options = TextOptions { details: Details::Full, ..TextOptions::default() };
        let text = render_what_if(&what_if(), &options);
        assert!(
            text.contains("one: in words") && text.contains("a8.json") && text.contains("nfs(5)"),
            "{text}"
        );
        assert!(!render_what_if(&what_if(), &TextOptions::default()).contains("in words"));
    }

    #[test]
    fn other_forms_have_the_same_figures() {
        insta::assert_snapshot!("what-if-csv", what_if_csv(&what_if()).unwrap());
        insta::assert_snapshot!("what-if-markdown", what_if_markdown(&what_if()));
    }
}
