//! Where marks and labels lie.

use super::samples::{distribution, intervals, lines, mark, stacks, style};
use super::{Element, draw, elements};
use crate::chart::{Chart, IntervalChart, Line, MarkKind, Point, Scale};
use crate::html::draw::ink::Ink;
use crate::html::draw::measure::width;
use crate::palette::Hue;

/// The lines and shapes of a path, without its curves, as points.
fn shapes(path: &Element) -> Vec<Vec<(f64, f64)>> {
    let (mut shapes, mut at) = (Vec::<Vec<_>>::new(), (0.0, 0.0));
    let data = path.get("d");
    let commands: Vec<_> = data.match_indices(|c: char| c.is_ascii_alphabetic()).collect();
    for (index, (start, command)) in commands.iter().enumerate() {
        let end = commands.get(index + 1).map_or(data.len(), |next| next.0);
        let numbers = data[start + 1..end].replace('-', " -");
        let numbers: Vec<f64> = numbers.split_whitespace().map(|number| number.parse().unwrap()).collect();
        at = match (*command, numbers.as_slice()) {
            ("M", &[x, y]) => (x, y),
            ("l", &[x, y]) => (at.0 + x, at.1 + y),
            ("h", &[x]) => (at.0 + x, at.1),
            ("v", &[y]) => (at.0, at.1 + y),
            ("a", _) | ("z", []) => continue,
            other => panic!("{other:?} in {data}"),
        };
        if *command == "M" {
            shapes.push(Vec::new());
        }
        shapes.last_mut().unwrap().push(at);
    }
    shapes
}

/// Where the lines and shapes of a path start.
fn starts(path: &Element) -> Vec<(f64, f64)> {
    shapes(path).into_iter().map(|shape| shape[0]).collect()
}

fn of_class<'a>(elements: &'a [Element], class: &str) -> Vec<&'a Element> {
    elements.iter().filter(|element| element.has_class(class)).collect()
}

/// A value's place from the ticks of the axis, which are written where they stand.
fn place_by_ticks(elements: &[Element], scale: Scale, value: f64) -> f64 {
    let ns = |text: &str| -> f64 {
        let (number, unit) = text.split_once(' ').unwrap_or((text, "ns"));
        number.parse::<f64>().unwrap() * if unit == "µs" { 1e3 } else { 1.0 }
    };
    let ticks: Vec<_> = of_class(elements, "c-tick").iter().map(|t| (ns(&t.text), t.number("x"))).collect();
    let (first, last) = (ticks[0], ticks[ticks.len() - 1]);
    let share = match scale {
        Scale::Linear => (value - first.0) / (last.0 - first.0),
        Scale::Logarithmic => (value / first.0).ln() / (last.0 / first.0).ln(),
    };
    first.1 + share * (last.1 - first.1)
}

/// The sample without its legend, whose signs look like marks.
fn bare(scale: Scale) -> IntervalChart {
    IntervalChart { legend: Vec::new(), ..intervals(scale) }
}

#[test]
fn a_whisker_that_leaves_the_picture_ends_in_an_arrow_that_is_explained() {
    for scale in [Scale::Linear, Scale::Logarithmic] {
        let mut chart = bare(scale);
        assert!(of_class(&elements(&draw(&Chart::Intervals(chart.clone()), "a", "")), "c-arrow").is_empty());
        chart.rows[0].marks[0].ends = Some((650.0, 9e6));
        let elements = elements(&draw(&Chart::Intervals(chart), "a", ""));
        let arrows = of_class(&elements, "c-arrow");
        assert_eq!(arrows.len(), 2, "that of the row, and that of the legend");
        let whiskers = of_class(&elements, "c-whisker");
        // Behind that of the legend.
        assert_eq!(starts(whiskers[1]).len(), 2, "the line and the lower cap");
        let end = shapes(whiskers[1])[0][1].0;
        assert!((starts(arrows[1])[0].0 - end).abs() < 0.2, "the arrow stands at the whisker's end");
        assert!(elements.iter().any(|element| element.text.contains("beyond the picture")));
        // What was estimated has most of the picture.
        let largest = place_by_ticks(&elements, scale, 34_000.0) - place_by_ticks(&elements, scale, 2347.0);
        assert!(largest > 120.0, "{largest}");
    }
}

#[test]
fn runs_are_dots_below_their_mark_where_their_times_are() {
    let elements = elements(&draw(&Chart::Intervals(bare(Scale::Linear)), "a", ""));
    let (dots, markers) = (of_class(&elements, "c-dots"), of_class(&elements, "c-marker"));
    assert_eq!(dots.len(), 3, "of each row");
    let places = starts(dots[0]);
    for (place, value) in places.iter().zip([652.0, 655.0, 659.0]) {
        let expected = place_by_ticks(&elements, Scale::Linear, value);
        assert!((place.0 - expected).abs() < 0.21, "{place:?} for {expected}");
        assert!(place.1 > starts(markers[0])[0].1 + 4.5, "below the mark");
    }
}

#[test]
fn whiskers_end_where_their_interval_ends() {
    for scale in [Scale::Linear, Scale::Logarithmic] {
        let elements = elements(&draw(&Chart::Intervals(bare(scale)), "a", ""));
        let whiskers = of_class(&elements, "c-whisker");
        assert_eq!(whiskers.len(), 3, "of the marks with intervals that were not reported");
        for (whisker, (low, high)) in
            whiskers.iter().zip([(650.0, 660.0), (1950.0, 2430.0), (2500.0, 2700.0)])
        {
            let starts = starts(whisker);
            assert_eq!(starts.len(), 3, "a line and two caps");
            for (start, value) in [(starts[0], low), (starts[1], low), (starts[2], high)] {
                let expected = place_by_ticks(&elements, scale, value);
                assert!((start.0 - expected).abs() < 0.21, "{value} at {} for {expected}", start.0);
            }
        }
    }
}

#[test]
fn an_interval_narrower_than_its_marker_is_seen_above_it() {
    let elements = elements(&draw(&Chart::Intervals(bare(Scale::Linear)), "a", ""));
    let (whisker, marker) = (of_class(&elements, "c-whisker")[0], of_class(&elements, "c-marker")[0]);
    let cap = starts(whisker)[1].1;
    let marker_top = starts(marker)[0].1;
    assert!(cap < marker_top - 2.0, "cap from {cap}, marker from {marker_top}");
}

#[test]
fn an_end_beyond_a_logarithmic_axis_has_no_cap() {
    let mut chart = bare(Scale::Logarithmic);
    chart.rows[0].marks = vec![mark(MarkKind::Here, 100.0, Some((-5.0, 120.0)))];
    let elements = elements(&draw(&Chart::Intervals(chart), "a", ""));
    // Behind that of the legend, which explains the arrow.
    assert_eq!(starts(of_class(&elements, "c-whisker")[1]).len(), 2, "the line and the upper cap");
}

/// The ends of a text and its height.
fn reach(text: &Element) -> (f64, f64, f64) {
    let wide = width(&text.text, Ink::Note);
    let x = text.number("x");
    let start = if text.has_class("end") {
        x - wide
    } else if text.has_class("mid") {
        x - wide / 2.0
    } else {
        x
    };
    (start, start + wide, text.number("y"))
}

#[test]
fn no_two_texts_cover_each_other() {
    let mut near = intervals(Scale::Linear);
    near.rules.push(near.rules[0].clone());
    let charts = [
        Chart::Intervals(near),
        Chart::Intervals(intervals(Scale::Logarithmic)),
        Chart::Lines(lines()),
        Chart::Lines(distribution()),
    ];
    for chart in charts {
        let elements = elements(&draw(&chart, "a", ""));
        let texts = [of_class(&elements, "c-note"), of_class(&elements, "c-tick")].concat();
        assert!(texts.len() > 5);
        for (index, a) in texts.iter().enumerate() {
            for b in &texts[..index] {
                let ((a0, a1, ay), (b0, b1, by)) = (reach(a), reach(b));
                let apart = a1 <= b0 || b1 <= a0 || (ay - by).abs() >= 12.0;
                assert!(apart, "{} and {}", a.text, b.text);
                assert!(a0 >= -0.1 && a1 <= 760.1, "{} leaves the picture", a.text);
            }
        }
    }
}

#[test]
fn twelve_lines_that_end_in_one_place_keep_their_names_apart() {
    let mut chart = lines();
    let first = chart.lines[0].clone();
    chart.lines = (0..12)
        .map(|n| Line {
            label: format!("go:method{n}"),
            style: style(Hue::Go, n % 3, n / 3),
            ..first.clone()
        })
        .collect();
    let elements = elements(&draw(&Chart::Lines(chart), "a", ""));
    let mut heights: Vec<_> = of_class(&elements, "c-name").iter().map(|name| name.number("y")).collect();
    assert_eq!(heights.len(), 12);
    heights.sort_by(f64::total_cmp);
    assert!(heights.windows(2).all(|pair| pair[1] - pair[0] >= 16.9), "{heights:?}");
    assert_eq!(of_class(&elements, "c-leader").len(), 12);
}

#[test]
fn long_lines_are_short_and_keep_their_extremes() {
    let mut chart = lines();
    chart.x.scale = Scale::Linear;
    chart.y.scale = Scale::Linear;
    let point = |n: u32| {
        let y = f64::from(n.wrapping_mul(2_654_435_761) % 1000);
        Point { x: f64::from(n), y, ends: None, hint: format!("point {n}") }
    };
    chart.lines.truncate(1);
    chart.lines[0].points = (0..20_000).map(point).collect();
    chart.lines[0].points[7777].y = 5000.0;
    chart.rules.clear();
    let svg = draw(&Chart::Lines(chart), "a", "");
    assert!(svg.len() < 25_000, "{} bytes", svg.len());
    let elements = elements(&svg);
    let line = shapes(of_class(&elements, "c-line")[0]).concat();
    let mut heights: Vec<_> = line.into_iter().map(|(_, y)| y).collect();
    heights.sort_by(f64::total_cmp);
    // All else is below a fifth of it.
    assert!(heights[0] < 40.0 && heights[1] > 180.0, "{:?}", &heights[..3]);
    let targets = of_class(&elements, "c-target").len();
    assert!((20..60).contains(&targets), "{targets} targets");
}

#[test]
fn segments_lie_end_to_end_and_narrow_ones_can_be_pointed_at() {
    let elements = elements(&draw(&Chart::Stacks(stacks()), "a", ""));
    let bars: Vec<_> =
        elements.iter().filter(|e| e.has_class("c-segment") && e.number("height") > 15.0).collect();
    assert_eq!(bars.len(), 8, "what is below 0 has no length");
    for (row, lengths) in
        [(&bars[..4], [800.0, 20.0, 25.0, 700.0]), (&bars[4..], [820.0, 500.0, 400.0, 900.0])]
    {
        let mut sum = 0.0;
        for (bar, length) in row.iter().zip(lengths) {
            let expected = place_by_ticks(&elements, Scale::Linear, sum);
            assert!((bar.number("x") - expected).abs() < 0.21);
            sum += length;
            let end = place_by_ticks(&elements, Scale::Linear, sum);
            assert!((bar.number("x") + bar.number("width") - end).abs() < 0.31);
        }
    }
    let targets = of_class(&elements, "c-target");
    assert_eq!(targets.len(), 2);
    assert!(targets[0].number("x") + targets[0].number("width") <= targets[1].number("x") + 0.1);
    let inside: Vec<_> = of_class(&elements, "c-inside").iter().map(|text| text.text.clone()).collect();
    assert_eq!(inside, ["openat", "device", "openat", "waiting", "loop", "rest of it"]);
}
