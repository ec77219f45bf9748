//! Tests of whole charts: what is in them, where it lies, how they look as text.

mod colors;
mod samples;
mod shape;

use super::{draw, draw_narrow};
use crate::chart::{Chart, IntervalChart, LineChart, Scale, ScatterChart, StackChart, TimelineChart, Values};
use crate::html::draw::ink::Ink;
use crate::html::draw::measure::width;
use quick_xml::Reader;
use quick_xml::events::Event;
use samples::{axis, distribution, intervals, lines, scatter, stacks, timeline};
use std::collections::BTreeSet;

/// An element of a drawn chart.
#[derive(Debug, Default)]
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    /// Its own words, without those of elements inside.
    text: String,
}

impl Element {
    fn get(&self, name: &str) -> &str {
        self.attributes.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    fn has_class(&self, class: &str) -> bool {
        self.get("class").split(' ').any(|word| word == class)
    }

    fn number(&self, name: &str) -> f64 {
        self.get(name).parse().unwrap_or(f64::NAN)
    }
}

/// The elements of a picture, which has to be well-formed.
fn elements(svg: &str) -> Vec<Element> {
    let mut reader = Reader::from_str(svg);
    let (mut elements, mut open) = (Vec::<Element>::new(), Vec::new());
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) => {
                open.push(elements.len());
                elements.push(element(&tag));
            }
            Event::Empty(tag) => elements.push(element(&tag)),
            Event::End(_) => drop(open.pop().unwrap()),
            Event::Text(text) => {
                elements[*open.last().unwrap()].text.push_str(&String::from_utf8_lossy(&text));
            }
            Event::GeneralRef(name) => {
                let reference = format!("&{};", String::from_utf8_lossy(&name));
                let text = quick_xml::escape::unescape(&reference).unwrap().into_owned();
                elements[*open.last().unwrap()].text.push_str(&text);
            }
            Event::Eof => break,
            other => panic!("unexpected {other:?}"),
        }
    }
    assert!(open.is_empty());
    elements
}

fn element(tag: &quick_xml::events::BytesStart<'_>) -> Element {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let attributes = tag.attributes().map(Result::unwrap);
    let attributes = attributes.map(|attribute| (text(attribute.key.as_ref()), text(&attribute.value)));
    Element { name: text(tag.name().as_ref()), attributes: attributes.collect(), text: String::new() }
}

fn all() -> [(&'static str, Chart); 6] {
    [
        ("intervals", Chart::Intervals(intervals(Scale::Logarithmic))),
        ("stacks", Chart::Stacks(stacks())),
        ("lines", Chart::Lines(lines())),
        ("scatter", Chart::Scatter(scatter())),
        ("distribution", Chart::Lines(distribution())),
        ("timeline", Chart::Timeline(timeline())),
    ]
}

fn hints(chart: &Chart) -> Vec<String> {
    match chart {
        Chart::Intervals(chart) => {
            chart.rows.iter().flat_map(|row| &row.marks).map(|mark| mark.hint.clone()).collect()
        }
        Chart::Stacks(chart) => {
            let segments = chart.rows.iter().flat_map(|row| &row.segments);
            segments.filter(|segment| segment.value > 0.0).map(|segment| segment.hint.clone()).collect()
        }
        Chart::Lines(chart) => {
            let points = chart.lines.iter().flat_map(|line| &line.points);
            points.map(|point| point.hint.clone()).filter(|hint| !hint.is_empty()).collect()
        }
        Chart::Scatter(chart) => chart.points.iter().map(|point| point.hint.clone()).collect(),
        Chart::Timeline(_) => [
            "0 ns to 2.00 ms: 40 calls, 10 failed",
            "4.00 ms to 6.00 ms: 7 calls, 0 failed",
            "bash (3 processes), 4.00 ms to 6.00 ms: 1 of 7 calls",
            "node <&>, 6.00 ms to 7.00 ms: 1,200 of 1,200 calls",
            "in calls, 0 ns to 2.00 ms: 1.00 ms, 50.0 %",
            // Of a slice that is half as long as the others, and of several threads.
            "in calls, 6.00 ms to 7.00 ms: 5.00 ms, 100 %",
        ]
        .map(str::to_owned)
        .into(),
        Chart::Flame(_) => Vec::new(),
    }
}

#[test]
fn every_hint_is_a_title_and_every_name_is_there() {
    for (name, chart) in all() {
        let elements = elements(&draw(&chart, "a", "what it shows"));
        let titles: BTreeSet<_> = elements
            .iter()
            .filter(|element| element.name == "title")
            .map(|title| title.text.as_str())
            .collect();
        assert!(hints(&chart).len() > 2);
        for hint in hints(&chart) {
            assert!(titles.contains(hint.as_str()), "{name}: {hint}");
        }
        let names = elements.iter().filter(|element| element.has_class("c-name")).count();
        let rows = match &chart {
            Chart::Intervals(chart) => chart.rows.len(),
            Chart::Stacks(chart) => chart.rows.len(),
            Chart::Lines(chart) => chart.lines.len(),
            Chart::Scatter(chart) => chart.points.len(),
            Chart::Timeline(chart) => chart.lanes.len(),
            Chart::Flame(_) => 0,
        };
        assert_eq!(names, rows, "{name}");
    }
}

#[test]
fn on_a_phone_the_same_rows_have_their_names_above_and_nothing_leaves_the_picture() {
    for (name, chart) in all() {
        let (wide, narrow) = (draw(&chart, "fig-1", "what it shows"), draw_narrow(&chart, "fig-1").unwrap());
        let (wide, narrow) = (elements(&wide), elements(&narrow));
        assert_eq!(narrow[0].get("aria-labelledby"), wide[0].get("id"), "{name}");
        assert!(narrow[0].has_class("narrow") && !wide[0].has_class("narrow"));
        assert!(
            narrow.iter().all(|element| element.name != "title"),
            "{name}: no words on what is pointed at"
        );
        let of = |elements: &[Element], class| elements.iter().filter(|e| e.has_class(class)).count();
        // Beside points, as many names as have room.
        let classes = ["c-name", "c-figure", "c-whisker", "c-band", "c-rule"].into_iter();
        for class in classes.filter(|class| name != "scatter" || *class != "c-name") {
            assert_eq!(of(&narrow, class), of(&wide, class), "{class} of {name}");
        }
        let room = narrow[0].number("width");
        assert!(room < 340.0);
        for text in narrow.iter().filter(|element| element.name == "text") {
            let ink = if text.has_class("c-name") { Ink::Name } else { Ink::Note };
            let (x, wide) = (text.number("x"), width(&text.text, ink));
            let start = match text.get("class").split(' ').nth(1) {
                Some("end") => x - wide,
                Some(_) => x - wide / 2.0,
                None => x,
            };
            assert!(start > -4.0 && start + wide < room + 4.0, "{} of {name} from {start}", text.text);
        }
        let ids = [&wide, &narrow].into_iter().flatten().map(|element| element.get("id"));
        let ids: Vec<_> = ids.filter(|id| !id.is_empty()).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{name}: {ids:?}");
    }
    let names = elements(&draw_narrow(&Chart::Intervals(intervals(Scale::Linear)), "a").unwrap());
    let row =
        |class: &str| names.iter().filter(|e| e.has_class(class)).map(|e| e.number("y")).collect::<Vec<_>>();
    assert_eq!(row("c-name"), row("c-figure"), "a figure stands beside its name");
    assert!(row("c-name").windows(2).all(|pair| pair[1] - pair[0] > 30.0));
    assert_eq!(draw_narrow(&Chart::Flame("<svg></svg>".to_owned()), "a"), None);
}

#[test]
fn charts_have_a_name_and_no_color_font_or_script_of_their_own() {
    for (name, chart) in all() {
        let svg = draw(&chart, "fig-1", "more \"than\" <words>");
        let root = &elements(&svg)[0];
        assert_eq!((root.name.as_str(), root.get("role")), ("svg", "img"));
        assert_eq!(root.get("aria-label"), "more &quot;than&quot; &lt;words&gt;");
        assert_eq!(root.get("viewBox"), format!("0 0 {} {}", root.get("width"), root.get("height")));
        assert!(root.has_class("chart"));
        let colors = svg.replace("url(#fig-1-", "");
        for absent in ["#", "rgb", "style", "font", "script", "http", "NaN", "inf\"", "stroke="] {
            assert!(!colors.contains(absent), "{absent} in {name}: {svg}");
        }
    }
}

#[test]
fn every_class_has_a_look_and_every_fill_a_pattern_of_its_own() {
    let style = include_str!("../chart.css");
    for (name, chart) in all() {
        let svg = draw(&chart, "fig-1", "");
        let elements = elements(&svg);
        let classes: BTreeSet<_> = elements
            .iter()
            .flat_map(|element| element.get("class").split(' '))
            .filter(|word| !word.is_empty())
            .collect();
        for class in classes {
            // A plain mark, and the kinds of a chart, look like all others.
            let plain = ["marker-0", "intervals", "lines", "stacks", "scatter", "timeline"].contains(&class);
            assert!(plain || style.contains(&format!(".{class}")), "{class} of {name}");
        }
        let ids: Vec<_> =
            elements.iter().map(|element| element.get("id")).filter(|id| !id.is_empty()).collect();
        assert!(ids.iter().all(|id| id.starts_with("fig-1-")));
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
        for fill in elements.iter().map(|element| element.get("fill")).filter(|fill| !fill.is_empty()) {
            let id = fill.trim_start_matches("url(#").trim_end_matches(')');
            assert!(ids.contains(&id), "{fill}");
        }
    }
}

#[test]
fn nothing_to_draw_is_said() {
    let axis = || axis(Scale::Logarithmic, Values::Time);
    let empty = [
        Chart::Intervals(IntervalChart {
            axis: axis(),
            rows: Vec::new(),
            rules: Vec::new(),
            legend: Vec::new(),
        }),
        Chart::Stacks(StackChart { axis: axis(), rows: Vec::new() }),
        Chart::Scatter(ScatterChart { x: axis(), y: axis(), points: Vec::new() }),
        Chart::Lines(LineChart { x: axis(), y: axis(), lines: Vec::new(), rules: Vec::new(), stepped: true }),
        Chart::Flame("no picture".to_owned()),
        Chart::Timeline(TimelineChart {
            slice_ns: 1.0,
            length_ns: 0.0,
            slices: vec![(0, 0)],
            lanes: Vec::new(),
        }),
    ];
    for chart in empty {
        let svg = draw(&chart, "a", "d");
        assert!(elements(&svg).iter().any(|element| element.text == "nothing to draw"), "{svg}");
    }
}

#[test]
fn values_that_are_none_are_left_out() {
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -5.0, 1e300] {
        for scale in [Scale::Linear, Scale::Logarithmic] {
            let mut marks = intervals(scale);
            marks.rows[0].marks[0].value = odd;
            marks.rows[1].marks[0].ends = Some((odd, 900.0));
            marks.rules[0].at = odd;
            let mut parts = stacks();
            parts.rows[0].segments[0].value = odd;
            parts.rows[1].ends = Some((1.0, odd));
            let mut course = lines();
            course.y.scale = scale;
            course.lines[0].points[1].y = odd;
            course.lines[1].points[0].x = odd;
            course.lines[1].points[1].ends = Some((odd, odd));
            let charts = [Chart::Intervals(marks), Chart::Stacks(parts), Chart::Lines(course)];
            for svg in charts.iter().map(|chart| draw(chart, "a", "d")) {
                assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains("nothing"), "{svg}");
                for element in elements(&svg) {
                    let far =
                        ["x", "y"].map(|name| element.number(name)).into_iter().find(|at| at.abs() > 5000.0);
                    assert_eq!(far, None, "{svg}");
                }
            }
        }
    }
}

#[test]
fn cells_of_a_timeline_are_where_calls_are_and_the_stronger_the_more() {
    let elements = elements(&draw(&Chart::Timeline(timeline()), "a", "d"));
    let levels: Vec<_> = elements
        .iter()
        .filter(|element| element.has_class("c-cell"))
        .map(|element| element.get("class").rsplit('-').next().unwrap().parse::<u8>().unwrap())
        .collect();
    // Lane by lane; 900 ns of 2 ms are too little to show.
    assert_eq!(levels, [4, 1, 4, 4, 4, 4, 4, 2, 4]);
    let bars: Vec<_> = elements.iter().filter(|element| element.has_class("c-segment")).collect();
    // Two in the legend, four of three slices; the tallest fills the axis up to its value.
    assert_eq!(bars.len(), 2 + 4);
    let tallest = bars.iter().map(|bar| bar.number("height")).fold(0.0, f64::max);
    let second = bars[2].number("height");
    assert!((second / tallest - 30.0 / 1200.0).abs() < 0.002, "{second} of {tallest}");
    assert!(elements.iter().any(|element| element.text == "nobody knows"));
}

#[test]
fn small_charts_look_as_recorded() {
    for (name, chart) in all() {
        let svg = draw(&chart, "fig-1", "what it shows");
        // A line for each element reads better.
        insta::assert_snapshot!(name, svg.replace("><", ">\n<"));
    }
}
