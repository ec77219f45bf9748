//! A small document with every kind of block, and the page made of it.

use super::*;
use crate::chart::{
    Axis, Chart, IntervalChart, IntervalRow, Mark, MarkKind, Rule, Scale, Sign, SignKind, Values,
};
use crate::document::{
    Block, Cell, Column, ColumnKind, Fact, Figure, Fold, Item, Note, Prose, Recipes, Row, Section, Span,
    Step, Strip, Table, Tone, VerdictCard, Waste,
};
use crate::palette::{Hue, SeriesStyle};

fn style(hue: Hue, marker: u8) -> SeriesStyle {
    SeriesStyle { hue, shade: marker % 3, marker }
}

fn code(name: &str) -> Prose {
    Prose(vec![Span::Code(name.to_owned())])
}

fn figure() -> Figure {
    let row = |label: &str, hue, value: f64| IntervalRow {
        label: label.to_owned(),
        style: style(hue, 0),
        marks: vec![Mark {
            kind: MarkKind::Here,
            value,
            ends: Some((value * 0.98, value * 1.03)),
            hint: format!("{label}: {value} ns"),
        }],
        dots: vec![value * 0.99, value * 1.01],
    };
    let chart = IntervalChart {
        axis: Axis { title: "time (ns)".to_owned(), scale: Scale::Linear, values: Values::Time },
        rows: vec![row("go:os.Open", Hue::Go, 2214.0), row("native:open", Hue::Native, 845.2)],
        rules: vec![Rule { at: 88.0, label: "empty call".to_owned() }],
        legend: vec![Sign { kind: SignKind::Interval, word: "median and 95 % interval".to_owned() }],
    };
    Figure {
        id: "open-picture".to_owned(),
        caption: Prose::from("Time per open, warm"),
        description: "go:os.Open takes 2214 ns, native:open 845".to_owned(),
        chart: Chart::Intervals(chart),
    }
}

fn table() -> Table {
    let row = |index: usize, (name, hue): (&str, Hue)| {
        let ns = 845.2 + 310.4 * index as f64;
        Row {
            cells: vec![
                Cell::words(code(name)),
                Cell::figure(format!("{ns:.1}").as_str(), Some(ns)),
                Cell::words(format!("{:.0}–{:.0}", ns * 0.99, ns * 1.01).as_str()),
                Cell {
                    heat: Some(index as f64 / 9.0),
                    ..Cell::figure(format!("{:.2}×", ns / 845.2).as_str(), Some(ns))
                },
                Cell { tone: Tone::Bad, ..Cell::words(if index > 4 { "slower" } else { "" }) },
            ],
            style: Some(style(hue, u8::try_from(index % 4).unwrap())),
            is_baseline: index == 0,
        }
    };
    let names = [
        ("native:open", Hue::Native),
        ("cpp:std::ifstream", Hue::Cpp),
        ("zig:std.fs.openFile", Hue::Zig),
        ("go:os.Open", Hue::Go),
        ("go:syscall.Open", Hue::Go),
        ("java:FileChannel.open", Hue::Java),
        ("java:Files.newInputStream", Hue::Java),
        ("python:open", Hue::Python),
        ("node:fs.openSync", Hue::Node),
        ("mine:<open>", Hue::Other),
    ];
    Table {
        caption: Prose::from("Opening, warm page cache"),
        columns: vec![
            Column::new("method", ColumnKind::Name),
            Column::new("ns/op", ColumnKind::Figure),
            Column::new("95 %", ColumnKind::Beside),
            Column {
                meaning: Some("time over the baseline's".to_owned()),
                ..Column::new("ratio", ColumnKind::Figure)
            },
            Column::new("", ColumnKind::Words),
        ],
        rows: names.into_iter().enumerate().map(|(index, name)| row(index, name)).collect(),
        interactive: true,
    }
}

fn recipes() -> Recipes {
    let step = |call: &str, arguments: &str, times, waste| Step {
        call: call.to_owned(),
        arguments: arguments.to_owned(),
        times,
        waste,
        hint: format!("{call}({arguments})"),
    };
    let strip = |name: &str, hue, steps: Vec<Step>| Strip {
        methods: vec![(name.to_owned(), Some(style(hue, 0)))],
        calls: format!("{} calls", steps.len()),
        steps,
    };
    let open = || step("openat", "O_RDONLY|O_CLOEXEC", 1, None);
    let strips = vec![
        strip("native:open", Hue::Native, vec![open(), step("close", "", 1, None)]),
        strip(
            "go:os.Open",
            Hue::Go,
            vec![
                open(),
                step("fcntl", "F_GETFL", 2, Some(Waste::Extra)),
                step("epoll_ctl", "EPOLL_CTL_ADD", 1, Some(Waste::Fails)),
                step("close", "", 1, None),
            ],
        ),
    ];
    Recipes { caption: Prose::from("What one open calls"), strips }
}

fn card() -> VerdictCard {
    VerdictCard {
        id: "claim-epoll".to_owned(),
        verdict: "supported".to_owned(),
        tone: Tone::Good,
        sentence: "Go registers regular files with epoll, which fails.".to_owned(),
        source: "somebody, 2024".to_owned(),
        reported: Some("1 failing call".to_owned()),
        found: vec![Prose::from("exactly 1 failing call per open")],
        blocks: vec![Block::Prose(Prose::from("4 of 4 instances hold."))],
    }
}

fn section(id: &str, title: &str, blocks: Vec<Block>) -> Section {
    Section { id: id.to_owned(), title: title.to_owned(), blocks, sections: Vec::new() }
}

/// Every kind of block, with a part inside a part.
fn sample() -> Document {
    let machine = section(
        "machine",
        "The machine",
        vec![
            Block::Facts(vec![Fact { label: "kernel".to_owned(), prose: Prose::from("6.18 <x86_64>") }]),
            Block::Note(Note {
                tone: Tone::Bad,
                word: "warning".to_owned(),
                prose: Prose::from("others were busy"),
            }),
            Block::List(vec![Item { depth: 0, tone: Tone::Faint, prose: Prose::from("as root") }]),
            Block::Fold(Fold {
                summary: Prose::from("Every fact"),
                open: false,
                blocks: vec![
                    Block::Prose(Prose::from("behind the fold")),
                    Block::Aligned("a   b\n1   2".to_owned()),
                ],
            }),
        ],
    );
    let mut experiment = section(
        "open",
        "Opening",
        vec![Block::Figure(figure()), Block::Table(table()), Block::Recipes(recipes())],
    );
    experiment.sections.push(section("open-claims", "Claims", vec![Block::Verdict(card())]));
    Document {
        title: "What opening a file costs".to_owned(),
        subtitle: "a machine, a day".to_owned(),
        answer: vec![Prose::from("The fastest is native."), Prose::from("Go makes 3 calls more.")],
        lead: Some(Figure { id: "lead".to_owned(), ..figure() }),
        sections: vec![machine, experiment],
    }
}

fn attachment() -> Attachment {
    Attachment {
        file_name: "record.json".to_owned(),
        media_type: "application/json".to_owned(),
        base64: "eyJhIjoxfQ==".to_owned(),
        note: "the record, 7 bytes".to_owned(),
    }
}

/// The page without its style and script.
fn body(document: &Document, attachments: &[Attachment]) -> String {
    let page = render(document, attachments);
    let (head, rest) = page.split_once("<style>").unwrap();
    let (body, script) = rest.split_once("</style>").unwrap().1.split_once("<script>").unwrap();
    format!("{head}{body}{}", script.split_once("</script>").unwrap().1)
}

#[test]
fn every_kind_of_block_is_on_the_page() {
    let markup = body(&sample(), &[attachment()]);
    for part in [
        "<html lang=\"en\">",
        "<h1>What opening a file costs</h1>",
        "<p>The fastest is native.</p>",
        "<a href=\"#open-claims\">Claims</a>",
        "<h3 id=\"open-claims-heading\">Claims ",
        "<dt>kernel</dt><dd>6.18 &lt;x86_64&gt;</dd>",
        "<p class=\"note bad\"><strong class=\"word\">warning</strong> others were busy</p>",
        "<li class=\"faint\">as root</li>",
        "<summary>Every fact</summary>",
        "<figure id=\"open-picture\">",
        "<code>mine:&lt;open&gt;</code>",
        "<span class=\"waste\">fails</span>",
        "<article class=\"verdict good\" id=\"claim-epoll\"",
        "<a download=\"record.json\" href=\"data:application/json;base64,eyJhIjoxfQ==\">",
    ] {
        assert!(markup.contains(part), "{part} in {markup}");
    }
    assert_eq!(markup.matches("<h1").count(), 1);
}

#[test]
fn attachments_stand_in_the_section_of_the_data_or_in_one_of_their_own() {
    let mut document = sample();
    assert!(!body(&document, &[]).contains("Raw data"), "no heading without anything below it");
    assert!(body(&document, &[attachment()]).contains("<a href=\"#data\">Raw data</a>"));
    document.sections.push(section("data", "The record", vec![]));
    let markup = body(&document, &[attachment()]);
    assert!(!markup.contains("Raw data"));
    assert_eq!(markup.matches("id=\"data\"").count(), 1);
    assert_eq!(markup.matches(" download=").count(), 1);
}

#[test]
fn nothing_in_the_page_can_leave_its_element() {
    for (text, end) in [(STYLE, "</style"), (SCRIPT, "</script")] {
        assert!(!text.to_lowercase().contains(end), "{end} would end it early");
        assert!(!text.contains("<!--"));
    }
    for from_elsewhere in ["@import", "url(", "http:", "https:", "fetch(", "XMLHttpRequest", "localStorage"] {
        assert!(!STYLE.contains(from_elsewhere) && !SCRIPT.contains(from_elsewhere), "{from_elsewhere}");
    }
}

#[test]
fn ids_are_unique_and_every_link_leads_somewhere() {
    let markup = body(&sample(), &[attachment()]);
    let of = |start: &str| -> Vec<String> {
        let rest = markup.split(start).skip(1);
        rest.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    };
    let ids = of(" id=\"");
    let unique: std::collections::BTreeSet<_> = ids.iter().collect();
    assert_eq!(ids.len(), unique.len(), "{ids:?}");
    for target in of("href=\"#").into_iter().chain(of("aria-labelledby=\"")) {
        assert!(ids.contains(&target), "{target} in {ids:?}");
    }
}
