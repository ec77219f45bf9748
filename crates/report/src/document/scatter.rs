//! Time against the number of calls: whether it is calls that methods pay for. Only where
//! methods of a comparison differ in calls.

use crate::chart::{Axis, Chart, Scale, ScatterChart, ScatterPoint, Values};
use crate::document::Figure;
use crate::document::context::Context;
use crate::quantity::{per_operation, short_time};
use crate::standing::{by_time, pass, summary};
use crate::written::time_phrase;
use fathom_model::Comparison;

/// Fewer points show nothing.
const POINTS_MIN: usize = 3;
/// Where the most is more than so many times the least, equal ratios are equally wide.
const LOGARITHMIC_FROM: f64 = 12.0;

/// A method that was timed and counted.
struct Method {
    index: usize,
    calls: f64,
    time_ns: f64,
}

/// The picture.
pub(crate) fn figure(context: &Context<'_>, comparison: &Comparison, labels: &[String]) -> Option<Figure> {
    let method = |index: usize| {
        let calls = pass(comparison, index)?.calls_per_operation();
        let time_ns = summary(comparison, index)?.time_ns.value;
        (calls.is_finite() && time_ns.is_finite()).then_some(Method { index, calls, time_ns })
    };
    let methods: Vec<Method> = by_time(comparison).into_iter().filter_map(method).collect();
    let (least, most) = ends(methods.iter().map(|method| method.calls));
    // Calls that differ by less than one in a hundred operations differ in nothing that is asked here.
    if methods.len() < POINTS_MIN || most - least < 0.01 {
        return None;
    }
    let point = |method: &Method| {
        let Method { index, calls, .. } = *method;
        let time = &summary(comparison, index)?.time_ns;
        let label = labels[index].clone();
        let hint = format!("{label}: {} calls, {}", per_operation(calls, true), time_phrase(time));
        let style = context.palette.style(Context::method(comparison, index));
        Some(ScatterPoint { label, style, x: calls, y: time.value, hint })
    };
    let (fastest, slowest) =
        (methods.first()?, methods.iter().max_by(|a, b| a.time_ns.total_cmp(&b.time_ns))?);
    let in_words = |method: &Method| {
        let Method { index, calls, time_ns } = *method;
        format!("{} with {} calls at {}", labels[index], per_operation(calls, true), short_time(time_ns))
    };
    let description = format!(
        "Time against system calls of one operation, {} methods: from {} to {}; the table has all figures.",
        methods.len(),
        in_words(fastest),
        in_words(slowest)
    );
    let (low, high) = ends(methods.iter().map(|method| method.time_ns));
    let scale = |low: f64, high: f64| {
        if low > 0.0 && high > LOGARITHMIC_FROM * low { Scale::Logarithmic } else { Scale::Linear }
    };
    let x = Axis {
        title: "system calls of one operation".to_owned(),
        scale: scale(least, most),
        values: Values::Plain,
    };
    let y = Axis { title: "time per operation".to_owned(), scale: scale(low, high), values: Values::Time };
    let logarithmic = match (x.scale, y.scale) {
        (Scale::Linear, Scale::Linear) => "",
        (Scale::Logarithmic, Scale::Logarithmic) => "; both axes logarithmic",
        (Scale::Logarithmic, _) => "; calls logarithmic",
        (_, Scale::Logarithmic) => "; time logarithmic",
    };
    let points = named_first(&methods).into_iter().filter_map(point).collect();
    Some(Figure {
        id: format!("{}-calls", context.id),
        caption: format!(
            "Time against system calls: methods above each other make the same number of calls and take \
             different times{logarithmic}"
        )
        .into(),
        description,
        chart: Chart::Scatter(ScatterChart { x, y, points }),
    })
}

/// The fastest and the slowest, then the fastest of each number of calls, then the rest: in this
/// order names take their room.
fn named_first(methods: &[Method]) -> Vec<&Method> {
    let fastest_of_its_calls = |method: &Method| {
        let alike = methods.iter().filter(|other| (other.calls - method.calls).abs() < 0.01);
        alike.min_by(|a, b| a.time_ns.total_cmp(&b.time_ns)).is_some_and(|first| first.index == method.index)
    };
    let slowest = methods.iter().max_by(|a, b| a.time_ns.total_cmp(&b.time_ns)).map(|method| method.index);
    let rank = |method: &&Method| match method {
        method if methods.first().is_some_and(|first| first.index == method.index) => 0,
        method if slowest == Some(method.index) => 1,
        method if fastest_of_its_calls(method) => 2,
        _ => 3,
    };
    let mut order: Vec<&Method> = methods.iter().collect();
    order.sort_by_key(rank);
    order
}

fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::labels;
    use crate::palette::Palette;
    use fathom_model::Record;
    use fathom_testkit::complete;

    fn of(record: &Record) -> Option<Figure> {
        let palette = Palette::of(&[record]);
        let context = Context::of(record, &palette, "r");
        let comparison = &record.experiments[0].comparisons[0];
        figure(&context, comparison, &labels(record, comparison))
    }

    #[test]
    fn methods_that_differ_in_calls_are_points_at_their_calls() {
        let record = complete();
        let comparison = &record.experiments[0].comparisons[0];
        let found = of(&record).unwrap();
        let Chart::Scatter(chart) = &found.chart else { panic!("{found:?}") };
        let timed = (0..comparison.variants.len())
            .filter(|&index| summary(comparison, index).is_some() && pass(comparison, index).is_some());
        let labels = labels(&record, comparison);
        let mut count = 0;
        for index in timed {
            let point = chart.points.iter().find(|point| point.label == labels[index]).unwrap();
            assert!((point.x - pass(comparison, index).unwrap().calls_per_operation()).abs() < 1e-9);
            assert!((point.y - summary(comparison, index).unwrap().time_ns.value).abs() < 1e-9);
            count += 1;
        }
        assert_eq!(count, chart.points.len());
        let fastest = chart.points.iter().map(|point| point.y).fold(f64::INFINITY, f64::min);
        assert!((chart.points[0].y - fastest).abs() < 1e-9, "the fastest is named first");
    }

    #[test]
    fn methods_of_equal_calls_make_no_picture() {
        let mut record = complete();
        let comparison = &mut record.experiments[0].comparisons[0];
        let same = comparison.counts[0].clone();
        comparison.counts.fill(same);
        assert_eq!(of(&record), None);
    }
}
