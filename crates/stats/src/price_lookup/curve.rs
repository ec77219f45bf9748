//! Prices along depths and sizes: between two that were taken a straight line,
//! beyond the last one its last slope; and what of a path is the same for all calls.

use fathom_model::{CallCondition, CallForm, Estimate, Price, ReachedBy, call_form};

/// Wall and CPU time, in ns.
type Times = (Estimate, Estimate);

/// A price, and its depth or size.
type Point<'a> = (f64, &'a Price);

/// Plain opens, which show what walking a path costs: other calls that walk one are
/// priced at one depth only, and below a directory.
#[derive(Debug)]
pub(super) struct Opens<'a> {
    by_depth: Vec<Point<'a>>,
    /// One whose path begins at the root.
    absolute: Option<Point<'a>>,
}

impl<'a> Opens<'a> {
    /// Those of a list.
    pub(super) fn among(prices: &'a [Price]) -> Self {
        let opens = |form: CallForm| {
            let plain = CallCondition::new("openat", form);
            let is_it = |price: &&Price| {
                let CallCondition { call, form, outcome, path_components, .. } = &price.condition;
                (call, form, outcome) == (&plain.call, &plain.form, &plain.outcome)
                    && path_components.is_some()
            };
            sorted(prices.iter().filter(is_it), depth)
        };
        let absolute = opens(call_form::READ_ONLY_ABSOLUTE).first().copied();
        Self { by_depth: opens(call_form::READ_ONLY), absolute }
    }

    /// Moves a price to another depth; `None` where depths are not priced.
    fn deeper(&self, own: Times, from: f64, to: f64) -> Option<Times> {
        (self.by_depth.len() > 1).then(|| {
            let (from, to) = (interpolated(&self.by_depth, from), interpolated(&self.by_depth, to));
            (moved(own.0, from.0, to.0), moved(own.1, from.1, to.1))
        })
    }

    /// A price with what beginning at the root costs more.
    fn rooted(&self, own: Times) -> Times {
        let Some((at, price)) = self.absolute.filter(|_| !self.by_depth.is_empty()) else { return own };
        let below = interpolated(&self.by_depth, at);
        let to = taken(price);
        (moved(own.0, below.0, to.0), moved(own.1, below.1, to.1))
    }
}

/// Wall and CPU time at the condition's place on the curve, and a note where it
/// lies beside it.
pub(super) fn on_curve(
    curve: &[&Price],
    condition: &CallCondition,
    opens: &Opens<'_>,
) -> (Times, Option<String>) {
    if curve.iter().any(|price| price.condition.path_components.is_some()) {
        along_depths(curve, condition, opens)
    } else {
        along_sizes(curve, condition)
    }
}

fn along_depths(curve: &[&Price], condition: &CallCondition, opens: &Opens<'_>) -> (Times, Option<String>) {
    // Of prices for several sizes, those of the nearest.
    let asked_size = condition.size_bytes.map_or(0.0, |size| size as f64);
    let off = |price: &Price| (size(price).unwrap_or(0.0) - asked_size).abs();
    let least = curve.iter().map(|price| off(price)).fold(f64::INFINITY, f64::min);
    let points = sorted(curve.iter().copied().filter(|price| off(price) <= least), depth);
    let first = points[0];
    let at = |depth: f64| format!("a path of {depth}");
    let (times, note) = match condition.path_components.map(f64::from) {
        None => {
            (interpolated(&points, first.0), Some(format!("at {}, as its own is not known", at(first.0))))
        }
        Some(asked) if points.len() > 1 || (asked - first.0).abs() < 0.5 => {
            (interpolated(&points, asked), None)
        }
        Some(asked) => {
            let own = taken(first.1);
            match opens.deeper(own, first.0, asked) {
                // What a path from the root costs was taken as it is.
                Some(moved) if is_absolute(&first.1.condition) => (moved, None),
                Some(moved) => {
                    (moved, Some(format!("priced at {}, the rest of it as openat walks it", at(first.0))))
                }
                None => (own, Some(format!("at {}, the only one priced", at(first.0)))),
            }
        }
    };
    let rooted = is_absolute(condition) && !is_absolute(&first.1.condition);
    (if rooted { opens.rooted(times) } else { times }, note)
}

fn along_sizes(curve: &[&Price], condition: &CallCondition) -> (Times, Option<String>) {
    let asked = condition.size_bytes;
    let points = sorted(curve.iter().copied(), size);
    let (first, last) = (points[0].0, points[points.len() - 1].0);
    let Some(asked) = asked.map(|size| size as f64) else {
        let note = (points.len() > 1).then(|| format!("at {first} B, as its own is not known"));
        return (interpolated(&points, first), note);
    };
    // A mapping that is made touches no page of it: that it is larger makes it no dearer.
    let is_flat = condition.call == "mmap" && !condition.form.flags.has("MAP_POPULATE");
    if is_flat && asked > last && points.len() > 1 {
        return (interpolated(&points, last), Some(format!("at {last} B, the largest size measured")));
    }
    let note = match asked {
        _ if points[0].1.condition.size_bytes.is_none() => None,
        asked if points.len() == 1 && (asked - first).abs() > 0.0 => {
            Some(format!("at {first} B, the only one priced"))
        }
        asked if asked < first => Some(format!("at {first} B, the least priced")),
        asked if asked > last => Some(format!("extrapolated from {last} B, the largest size measured")),
        _ => None,
    };
    (interpolated(&points, asked), note)
}

fn depth(price: &Price) -> Option<f64> {
    price.condition.path_components.map(f64::from)
}

/// True where the path begins at the root.
pub(super) fn is_absolute(condition: &CallCondition) -> bool {
    condition.form.by == Some(ReachedBy::AbsolutePath)
}

fn size(price: &Price) -> Option<f64> {
    price.condition.size_bytes.map(|size| size as f64)
}

fn sorted<'a>(
    prices: impl Iterator<Item = &'a Price>,
    axis: impl Fn(&Price) -> Option<f64>,
) -> Vec<Point<'a>> {
    let mut points: Vec<_> = prices.map(|price| (axis(price).unwrap_or(0.0), price)).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points
}

/// On the line between the two neighbors, level below the first, and beyond the last
/// with the last slope. Where it was priced it is that price.
fn interpolated(points: &[Point<'_>], asked: f64) -> Times {
    let upper = points.iter().position(|(at, _)| *at >= asked).unwrap_or(points.len());
    let (left, right) = match upper {
        0 => return taken(points[0].1),
        _ if points.len() == 1 => return taken(points[0].1),
        inside if inside < points.len() && points[inside].0 <= asked => return taken(points[inside].1),
        beyond if beyond == points.len() => (beyond - 2, beyond - 1),
        inside => (inside - 1, inside),
    };
    let ((from, a), (to, b)) = (points[left], points[right]);
    let weight = if to > from { (asked - from) / (to - from) } else { 1.0 };
    let mix = |a: Estimate, b: Estimate| {
        let ns = a.value + (b.value - a.value) * weight;
        let error_ns =
            half_width(&a).zip(half_width(&b)).map(|(a, b)| (1.0 - weight).abs() * a + weight.abs() * b);
        // Beyond the last point a falling line must not become a gain.
        let least = if weight > 1.0 { b.value } else { 0.0 };
        reckoned(ns.max(least), error_ns, &[a, b])
    };
    (mix(a.wall_ns, b.wall_ns), mix(a.cpu_ns, b.cpu_ns))
}

/// A price as it was taken; noise can make one fall below zero.
fn taken(price: &Price) -> Times {
    let above_zero = |estimate: Estimate| {
        let is_above = estimate.value > 0.0;
        if is_above { estimate } else { reckoned(0.0, half_width(&estimate), &[estimate]) }
    };
    (above_zero(price.wall_ns), above_zero(price.cpu_ns))
}

/// With what one costs more than another.
fn moved(own: Estimate, from: Estimate, to: Estimate) -> Estimate {
    let all = [own, from, to];
    let error_ns = all.iter().map(half_width).sum();
    reckoned(own.value + to.value - from.value, error_ns, &all)
}

/// What follows from several estimates, not below zero.
fn reckoned(ns: f64, error_ns: Option<f64>, from: &[Estimate]) -> Estimate {
    let value = ns.max(0.0);
    Estimate {
        value,
        low: error_ns.map(|error| (value - error).max(0.0)),
        high: error_ns.map(|error| value + error),
        confidence: from.iter().map(|estimate| estimate.confidence).fold(1.0, f64::min),
        forks: from.iter().map(|estimate| estimate.forks).min().unwrap_or(0),
    }
}

/// The distance of the farther end.
pub(crate) fn half_width(estimate: &Estimate) -> Option<f64> {
    let (low, high) = estimate.interval()?;
    let half = (high - estimate.value).max(estimate.value - low);
    half.is_finite().then_some(half.max(0.0))
}
