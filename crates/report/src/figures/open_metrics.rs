//! `OpenMetrics` 1.0: families of gauges in base units, intervals as families of their own.

use super::{Figure, Figures, Quantity};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Which end of an interval a family has, and what its help says of it.
const ENDS: [(&str, &str); 2] =
    [("_low", ", lower end of the interval"), ("_high", ", upper end of the interval")];

/// The whole exposition.
pub(super) fn written(figures: &Figures) -> String {
    let mut text = String::new();
    let about = samples_labels(&figures.about);
    let _infallible = writeln!(
        text,
        "# TYPE fathom_source info\n# HELP fathom_source What the figures are of\nfathom_source_info{about} 1"
    );
    let mut by_quantity: BTreeMap<Quantity, Vec<&Figure>> = BTreeMap::new();
    for figure in &figures.figures {
        by_quantity.entry(figure.quantity).or_default().push(figure);
    }
    for (quantity, figures) in by_quantity {
        family(&mut text, quantity, "", "", &mut figures.iter().flat_map(|figure| sides(figure)));
        for (which, (end, help)) in ENDS.into_iter().enumerate() {
            let ends = figures.iter().filter_map(|figure| {
                let (low, high) = figure.ends?;
                let mut labels = figure.labels.clone();
                // Of a comparison, the interval is the newer side's.
                labels.extend(figure.before.map(|_| ("side", "after".to_owned())));
                Some((labels, if which == 0 { low } else { high }))
            });
            let mut ends = ends.peekable();
            if ends.peek().is_some() {
                family(&mut text, quantity, end, help, &mut ends);
            }
        }
    }
    text + "# EOF\n"
}

type Sample = (Vec<(&'static str, String)>, f64);

/// A sample, or one for each side of a comparison.
fn sides(figure: &Figure) -> Vec<Sample> {
    let of_side = |side: &str, value: f64| {
        let mut labels = figure.labels.clone();
        labels.push(("side", side.to_owned()));
        (labels, value)
    };
    match figure.before {
        None => vec![(figure.labels.clone(), figure.value)],
        Some(before) => vec![of_side("before", before), of_side("after", figure.value)],
    }
}

fn family(
    text: &mut String,
    quantity: Quantity,
    end: &str,
    help: &str,
    samples: &mut dyn Iterator<Item = Sample>,
) {
    let naming = quantity.naming();
    let unit = naming.base.map(|(unit, _)| format!("_{unit}")).unwrap_or_default();
    let name = format!("{}{end}{unit}", naming.family);
    let _infallible = writeln!(text, "# TYPE {name} gauge");
    if let Some((unit, _)) = naming.base {
        let _infallible = writeln!(text, "# UNIT {name} {unit}");
    }
    let _infallible = writeln!(text, "# HELP {name} {}{help}", naming.help);
    for (labels, value) in samples {
        let value = naming.base.map_or(value, |(_, each)| value / each);
        let _infallible = writeln!(text, "{name}{} {value:?}", samples_labels(&labels));
    }
}

/// `{method="go:os.Open",cache="warm"}`; nothing where there are none.
fn samples_labels(labels: &[(&'static str, String)]) -> String {
    if labels.is_empty() {
        return String::new();
    }
    let pair = |(key, value): &(&str, String)| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        format!("{}=\"{value}\"", key.replace('-', "_"))
    };
    format!("{{{}}}", labels.iter().map(pair).collect::<Vec<_>>().join(","))
}
