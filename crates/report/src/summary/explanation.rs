//! What explains the widest gap inside the baseline's runtime: the parts of its slowest
//! method's time beside those of its fastest, where the record has them; else the
//! calls that it makes more. Where its methods tell nothing, the parts of any other
//! method beside the baseline's. Exact counts and shown differences only.

use super::factor::{Factor, all_by_ratio, delta_ns};
use crate::quantity::number;
use crate::standing::{is_apart, pass};
use crate::text::breakdown::breakdown;
use crate::text::breakdown::gap::Gap;
use crate::text::calls::call_name;
use fathom_model::{CallCount, Comparison, CountPass};

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
    /// The widest gap between the fastest and the slowest method of the baseline's driver
    /// whose parts or calls tell why, else one between the baseline and another's; nothing
    /// when the control failed, as then no two are apart.
    pub(super) fn of(comparison: &'a Comparison, labels: &[String]) -> Option<Self> {
        let driver = |index: usize| comparison.variants.get(index).map(|variant| &variant.method.driver);
        let order: Vec<_> = all_by_ratio(comparison).into_iter().map(|(index, _)| index).collect();
        let is_own = |index: &usize| driver(*index) == driver(comparison.baseline);
        let own: Vec<_> = order.iter().copied().filter(is_own).collect();
        let any = |(fast, slow)| Self::between(comparison, labels, (fast, slow), by_parts);
        let beside = || {
            let (&first, &last) = order.first().zip(order.last())?;
            let gaps =
                [(comparison.baseline, last), (first, comparison.baseline)].into_iter().filter_map(any);
            gaps.max_by(|a, b| a.gap.total_cmp(&b.gap))
        };
        Self::within(comparison, labels, &own).or_else(beside)
    }

    fn within(comparison: &'a Comparison, labels: &[String], order: &[usize]) -> Option<Self> {
        let (&first, &last) = order.first().zip(order.last())?;
        // Where the baseline is as fast or as slow, it stands for the tie: its ratios have intervals.
        let tied = |with: usize, far: usize| {
            let baseline = comparison.baseline;
            order.contains(&baseline)
                && !is_apart(comparison, baseline, with)
                && is_apart(comparison, baseline, far)
        };
        let fast = if tied(first, last) { comparison.baseline } else { first };
        let slow = if tied(last, first) { comparison.baseline } else { last };
        is_apart(comparison, first, last).then_some(())?;
        Self::between(comparison, labels, (fast, slow), |comparison, fast, slow| {
            by_parts(comparison, fast, slow).or_else(|| by_calls(comparison, fast, slow))
        })
    }

    fn between(
        comparison: &'a Comparison,
        labels: &[String],
        (fast, slow): (usize, usize),
        reason: impl Fn(&Comparison, usize, usize) -> Option<String>,
    ) -> Option<Self> {
        is_apart(comparison, fast, slow).then_some(())?;
        let factor = Factor::between(comparison, fast, slow).filter(|factor| factor.value > 1.0)?;
        let reason = reason(comparison, fast, slow)?;
        let sentence = format!("{} takes {} as {}: {reason}", labels[slow], factor.phrase, labels[fast]);
        Some(Self { comparison, gap: factor.value, sentence })
    }
}

/// The parts that make the gap, where both times were broken down.
fn by_parts(comparison: &Comparison, fast: usize, slow: usize) -> Option<String> {
    let gap = Gap::between(breakdown(comparison, fast)?, breakdown(comparison, slow)?);
    Some(gap.paired(delta_ns(comparison, fast, slow)).phrase())
}

/// The calls that the slower makes more, where they can be the reason.
fn by_calls(comparison: &Comparison, fast: usize, slow: usize) -> Option<String> {
    let exact = |index| pass(comparison, index).filter(|pass| pass.is_exact());
    let gap = CallGap::between(exact(fast)?, exact(slow)?);
    // Fewer calls do not explain more time: the device, the copying or the faults do.
    if gap.surplus_calls() < 1e-9 {
        return None;
    }
    // No more than a call costs when it does nothing slow: a device, a page of memory.
    let each_ns = delta_ns(comparison, fast, slow)?.value / gap.surplus_calls();
    (each_ns <= DEAREST_CALL_NS).then(|| gap.phrase())
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
             fcntl +634 ns (4 calls more), epoll_ctl=EPERM +187 ns (1 call more), unattributed +595 ns"
        );
        // The mapping makes no call at all, and is explained all the same.
        let blocks = &mut record.experiments[1].comparisons[0];
        let text = sentence(blocks).unwrap();
        assert!(text.contains("as long as native:pread: pages brought in +11.1 µs"), "{text}");
        blocks.explanations.clear();
        assert_eq!(sentence(blocks), None, "calls alone tell nothing");
    }

    #[test]
    fn a_slow_baseline_is_the_inverse_and_a_pair_beside_it_is_about_the_quotient() {
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
        assert!(text.contains("takes about 2.7 times as long as go:unix.Open"), "{text}");
        // And with the slowest for a baseline, the ratio of the fastest to it is inverted.
        comparison.baseline = 0;
        let text = sentence(&comparison).unwrap();
        assert!(text.contains("takes 1.639 [1.613, 1.667] times as long as go:unix.Open"), "{text}");
    }

    #[test]
    fn a_method_of_another_language_is_explained_by_parts_alone_and_beside_the_baseline() {
        let mut record = explained();
        let comparison = &mut record.experiments[0].comparisons[0];
        // No other method of Go's is left but the baseline.
        for variant in &mut comparison.variants[1..] {
            variant.method.driver = "python".to_owned();
        }
        let text = sentence(comparison).unwrap();
        assert!(text.starts_with("python:os.OpenFile-O_DIRECT takes 1.640 [1.634, 1.646] times"), "{text}");
        assert!(text.contains("as long as go:syscall.Open: fcntl +634 ns"), "{text}");
        comparison.explanations.clear();
        assert_eq!(sentence(comparison), None, "calls of two runtimes tell nothing");
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
