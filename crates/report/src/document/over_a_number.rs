//! Variants of one comparison that differ in one number (threads, queue depth, a
//! size): lines over it, a line per method.

use crate::chart::{Axis, Chart, Line, LineChart, Point, Scale, Values};
use crate::document::Figure;
use crate::document::context::Context;
use crate::label::{differences, title};
use crate::standing::summary;
use crate::written::time_phrase;
use fathom_model::{Comparison, MethodId, Setting, SettingKind, Variant};
use std::collections::BTreeSet;

/// Fewer numbers than these make no line.
const NUMBERS_MIN: usize = 3;

/// Lines over the one number that variants differ in (threads, queue depth, size), a line per method.
pub(crate) fn lines(context: &Context<'_>, comparison: &Comparison) -> Option<Figure> {
    let different: Vec<_> =
        differences(context.record, comparison).into_iter().filter(|d| !d.values.is_empty()).collect();
    let [only] = different.as_slice() else { return None };
    let number = |variant: &Variant| match only.name.as_str() {
        "size" => Some(variant.parameters.data.size_bytes),
        "block" => Some(variant.parameters.block_bytes),
        "files" => Some(u64::from(variant.parameters.data.files)),
        name => {
            let setting = Setting::ALL.into_iter().find(|setting| setting.word() == name)?;
            matches!(setting.kind(), SettingKind::Count(..) | SettingKind::Size(_))
                .then(|| variant.parameters.settings.number(setting))
        }
    };
    let numbers: Vec<u64> = comparison.variants.iter().map(number).collect::<Option<_>>()?;
    let mut distinct = numbers.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let methods: BTreeSet<_> = comparison.variants.iter().map(|variant| &variant.method).collect();
    if distinct.len() < NUMBERS_MIN || distinct[0] == 0 {
        return None;
    }
    let line = |method: &&MethodId| {
        let of_method = (0..numbers.len()).filter(|&index| comparison.variants[index].method == **method);
        let mut points: Vec<Point> = of_method
            .filter_map(|index| {
                let time = &summary(comparison, index)?.time_ns;
                let hint = format!("{method}, {}: {}", only.values[index], time_phrase(time));
                Some(Point { x: numbers[index] as f64, y: time.value, ends: time.interval(), hint })
            })
            .collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Line { label: method.to_string(), style: context.palette.style(method), points }
    };
    let lines: Vec<Line> = methods.iter().map(line).filter(|line| line.points.len() > 1).collect();
    if lines.is_empty() {
        return None;
    }
    let values = if matches!(only.name.as_str(), "size" | "block") { Values::Bytes } else { Values::Plain };
    let x = Axis { title: only.name.clone(), scale: Scale::Logarithmic, values };
    let y = Axis { title: "time per operation".to_owned(), scale: Scale::Linear, values: Values::Time };
    let concurrent = matches!(only.name.as_str(), "threads" | "queue-depth" | "queue_depth");
    let what =
        if concurrent { "wall time over the operations that go on at once" } else { "time per operation" };
    let caption = format!("{}: {what}, over {}, with 95 % bands", title(comparison), only.name);
    let description = format!(
        "{} over {} from {} to {}; the table below has all figures.",
        what,
        only.name,
        distinct[0],
        distinct[distinct.len() - 1]
    );
    let chart = Chart::Lines(LineChart { x, y, lines, rules: Vec::new(), stepped: false });
    Some(Figure { id: format!("{}-lines", context.id), caption: caption.into(), description, chart })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::Palette;
    use fathom_model::SettingValue;
    use fathom_testkit::complete;

    #[test]
    fn variants_that_differ_in_threads_make_a_line_in_their_order() {
        let mut record = complete();
        let comparison = &mut record.experiments[0].comparisons[0];
        let method = comparison.variants[0].method.clone();
        for (variant, threads) in comparison.variants.iter_mut().zip([16_u64, 1, 4, 2, 8]) {
            variant.method = method.clone();
            variant.parameters.settings.set(Setting::Threads, SettingValue::Number(threads));
        }
        let palette = Palette::of(&[&record]);
        let context = Context::of(&record, &palette, "r");
        let figure = lines(&context, &record.experiments[0].comparisons[0]).unwrap();
        let Chart::Lines(chart) = &figure.chart else { panic!("{:?}", figure.chart) };
        let [line] = chart.lines.as_slice() else { panic!("{:?}", chart.lines) };
        let numbers: Vec<f64> = line.points.iter().map(|point| point.x).collect();
        assert!(numbers.len() > 2 && numbers.is_sorted(), "{numbers:?}");
        assert!(figure.caption.text().contains("go on at once"), "{}", figure.caption.text());
    }

    #[test]
    fn methods_that_differ_in_nothing_else_make_none() {
        let record = complete();
        let palette = Palette::of(&[&record]);
        let context = Context::of(&record, &palette, "r");
        assert!(lines(&context, &record.experiments[0].comparisons[0]).is_none());
    }
}
