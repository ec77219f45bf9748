//! What explains the widest gap inside one runtime: the parts of its slowest
//! method's time beside those of its fastest, where the record has them; else the
//! calls that it makes more. Exact counts and shown differences only.

use crate::quantity::number;
use crate::standing::{by_time, is_apart, pass, summary};
use crate::text::breakdown::breakdown;
use crate::text::breakdown::gap::Gap;
use crate::text::calls::call_name;
use crate::written::{inverse, ratio};
use fathom_model::{CallCount, Comparison, CountPass};
use std::collections::BTreeMap;

/// One gap in words.
#[derive(Debug)]
pub(super) struct Explanation<'a> {
    pub(super) comparison: &'a Comparison,
    /// Time of the slower over that of the faster.
    pub(super) gap: f64,
    /// Without its period.
    pub(super) sentence: String,
}

impl<'a> Explanation<'a> {
    /// The widest gap between the fastest and the slowest method of one driver
    /// whose parts or calls tell why; nothing when the control failed, as then no two are apart.
    pub(super) fn of(comparison: &'a Comparison, labels: &[String]) -> Option<Self> {
        let mut drivers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for index in by_time(comparison).into_iter().filter(|&index| summary(comparison, index).is_some()) {
            drivers.entry(&comparison.variants[index].method.driver).or_default().push(index);
        }
        let gaps = drivers.values().filter_map(|order| Self::within(comparison, labels, order));
        gaps.max_by(|a, b| a.gap.total_cmp(&b.gap))
    }

    fn within(comparison: &'a Comparison, labels: &[String], order: &[usize]) -> Option<Self> {
        let (&first, &last) = order.first().zip(order.last())?;
        if !is_apart(comparison, first, last) {
            return None;
        }
        // Where the baseline is as fast or as slow, it stands for the tie: its ratios have intervals.
        let tied = |with: usize, far: usize| {
            let baseline = comparison.baseline;
            order.contains(&baseline)
                && !is_apart(comparison, baseline, with)
                && is_apart(comparison, baseline, far)
        };
        let fast = if tied(first, last) { comparison.baseline } else { first };
        let slow = if tied(last, first) { comparison.baseline } else { last };
        let time_ns = |index| Some(summary(comparison, index)?.time_ns.value);
        let reason = by_parts(comparison, fast, slow).or_else(|| by_calls(comparison, fast, slow))?;
        let sentence = format!(
            "{} takes {} times as long as {}: {reason}",
            labels[slow],
            times(comparison, fast, slow)?,
            labels[fast],
        );
        Some(Self { comparison, gap: time_ns(slow)? / time_ns(fast)?, sentence })
    }
}

/// The parts that make the gap, where both times were broken down.
fn by_parts(comparison: &Comparison, fast: usize, slow: usize) -> Option<String> {
    let gap = Gap::between(breakdown(comparison, fast)?, breakdown(comparison, slow)?);
    let delta_ns = summary(comparison, slow).and_then(|summary| summary.delta_ns);
    Some(gap.paired(delta_ns.filter(|_| fast == comparison.baseline)).phrase())
}

/// The calls that the slower makes more, where they can be the reason.
fn by_calls(comparison: &Comparison, fast: usize, slow: usize) -> Option<String> {
    let exact = |index| pass(comparison, index).filter(|pass| pass.is_exact());
    let gap = CallGap::between(exact(fast)?, exact(slow)?);
    // Fewer calls do not explain more time: the device, the copying or the faults do.
    if gap.surplus_calls() < 1e-9 {
        return None;
    }
    let time_ns = |index| Some(summary(comparison, index)?.time_ns.value);
    // No more than a call costs when it does nothing slow: a device, a page of memory.
    let each_ns = (time_ns(slow)? - time_ns(fast)?) / gap.surplus_calls();
    (each_ns <= DEAREST_CALL_NS).then(|| gap.phrase())
}

/// With its interval where the record has one: beside the baseline.
fn times(comparison: &Comparison, fast: usize, slow: usize) -> Option<String> {
    let (fast_summary, slow_summary) = (summary(comparison, fast)?, summary(comparison, slow)?);
    let paired = if fast == comparison.baseline {
        slow_summary.ratio
    } else {
        fast_summary.ratio.filter(|_| slow == comparison.baseline).map(|ratio| inverse(&ratio))
    };
    let medians = slow_summary.time_ns.value / fast_summary.time_ns.value;
    Some(paired.map_or_else(|| number(medians, 2), |paired| ratio(&paired).phrase()))
}

/// Extra time above this for each extra call is not the calls': they wait for a
/// device, or the method does something else as well.
const DEAREST_CALL_NS: f64 = 10_000.0;

/// Calls that one method makes more often, or less often, than another.
struct CallGap {
    more: Vec<(String, f64)>,
    fewer: Vec<(String, f64)>,
}

impl CallGap {
    fn between(less: &CountPass, more: &CountPass) -> Self {
        Self { more: surplus(&more.inside, &less.inside), fewer: surplus(&less.inside, &more.inside) }
    }

    /// How many more calls the slower makes in all.
    fn surplus_calls(&self) -> f64 {
        let total = |calls: &[(String, f64)]| -> f64 { calls.iter().map(|(_, times)| times).sum() };
        total(&self.more) - total(&self.fewer)
    }

    fn phrase(&self) -> String {
        let part = |calls: &[(String, f64)], word: &str| {
            let total: f64 = calls.iter().map(|(_, times)| times).sum();
            let names: Vec<_> =
                calls.iter().map(|(name, times)| format!("{name} {}", plain(*times))).collect();
            let noun = if (total - 1.0).abs() < 1e-9 { "call" } else { "calls" };
            (!calls.is_empty()).then(|| format!("{} {word} {noun} ({})", plain(total), names.join(", ")))
        };
        let parts = [part(&self.more, "more"), part(&self.fewer, "fewer")];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" and ")
    }
}

fn surplus(of: &[CallCount], over: &[CallCount]) -> Vec<(String, f64)> {
    let base = |name: &str| -> f64 {
        over.iter().filter(|call| call_name(call) == name).map(CallCount::per_operation).sum()
    };
    let each = of.iter().map(|call| {
        let name = call_name(call);
        let times = call.per_operation() - base(&name);
        (name, times)
    });
    each.filter(|(_, times)| *times > 1e-9).collect()
}

fn plain(times: f64) -> String {
    number(times, if (times - times.round()).abs() < 1e-9 { 0 } else { 2 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::Reading;
    use fathom_testkit::{complete, explained};

    fn open() -> Comparison {
        complete().experiments.remove(0).comparisons.remove(0)
    }

    fn sentence(comparison: &Comparison) -> Option<String> {
        let labels: Vec<_> = comparison.variants.iter().map(|variant| variant.method.to_string()).collect();
        Explanation::of(comparison, &labels).map(|explanation| explanation.sentence)
    }

    #[test]
    fn the_gap_to_the_baseline_has_its_interval_and_is_named_in_calls() {
        // The fastest of the driver by median, unix.Open, ties with the baseline.
        assert_eq!(
            sentence(&open()).unwrap(),
            "go:os.OpenFile-O_DIRECT takes 1.640 [1.634, 1.646] times as long as go:syscall.Open: \
             5 more calls (fcntl 4, epoll_ctl=EPERM 1)"
        );
    }

    #[test]
    fn where_the_time_was_broken_down_its_parts_are_the_reason() {
        let mut record = explained();
        assert_eq!(
            sentence(&record.experiments[0].comparisons[0]).unwrap(),
            "go:os.OpenFile-O_DIRECT takes 1.640 [1.634, 1.646] times as long as go:syscall.Open: \
             fcntl +634 ns (4 calls more), epoll_ctl=EPERM +187 ns (1 call more), rest +595 ns"
        );
        // The mapping makes no call at all, and is explained all the same.
        let blocks = &mut record.experiments[1].comparisons[0];
        let text = sentence(blocks).unwrap();
        assert!(text.contains("as long as native:pread: pages brought in +11.1 µs"), "{text}");
        blocks.explanations.clear();
        assert_eq!(sentence(blocks), None, "calls alone tell nothing");
    }

    #[test]
    fn a_slow_baseline_is_the_inverse_and_a_pair_beside_it_has_no_interval() {
        let mut comparison = open();
        comparison.summaries.swap(0, 2);
        comparison.baseline = 2;
        comparison.variants.swap(0, 2);
        comparison.counts.swap(0, 2);
        for (index, value) in [(0, None), (1, Some(1.0)), (2, None), (3, Some(0.61)), (4, Some(0.58))] {
            let Reading::Value(summary) = &mut comparison.summaries[index] else { panic!("not timed") };
            let ratio =
                value.map(|value| fathom_testkit::estimate(value, Some((value - 0.01, value + 0.01)), 9));
            (summary.ratio, summary.ratio_simultaneous) = (ratio, ratio);
        }
        // Now index 2 is syscall.Open, the baseline, and 0 the slowest, without a ratio.
        assert_eq!(sentence(&comparison), None, "the slowest is not shown to differ");
        let Reading::Value(slowest) = &mut comparison.summaries[0] else { panic!("not timed") };
        let ratio = Some(fathom_testkit::estimate(1.64, Some((1.60, 1.68)), 9));
        (slowest.ratio, slowest.ratio_simultaneous) = (ratio, ratio);
        let text = sentence(&comparison).unwrap();
        assert!(text.contains("takes 1.64 times as long as go:unix.Open"), "{text}");
        // And with the slowest for a baseline, the ratio of the fastest to it is inverted.
        comparison.baseline = 0;
        let text = sentence(&comparison).unwrap();
        assert!(text.contains("takes 1.639 [1.613, 1.667] times as long as go:unix.Open"), "{text}");
    }

    #[test]
    fn after_a_fault_nothing_is_explained() {
        let mut comparison = open();
        let Reading::Value(control) = &mut comparison.control else { panic!("no control") };
        control.instrument_fault = true;
        assert_eq!(sentence(&comparison), None);
    }

    #[test]
    fn equal_fewer_or_varying_calls_explain_nothing() {
        let mut comparison = open();
        comparison.counts.swap(0, 2);
        assert_eq!(sentence(&comparison), None, "the slower makes fewer");
        let mut comparison = open();
        let same = comparison.counts[0].clone();
        comparison.counts.fill(same);
        assert_eq!(sentence(&comparison), None);
        let mut comparison = open();
        let Reading::Value(pass) = &mut comparison.counts[2] else { panic!("not counted") };
        pass.inside[0].differences[0] += 1;
        assert_eq!(sentence(&comparison), None);
    }
}
