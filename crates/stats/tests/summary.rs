//! Summaries of scripted forks whose true times are known.

use fathom_model::{
    Arm, ArmKind, ArmSamples, CacheState, Content, DataSet, Estimate, Fork, MethodId, Operation, Parameters,
    Reading, Variant, VariantSummary, WarmUp, splitmix64,
};
use fathom_stats::{Parts, combined_sequence, median, summarize};
use std::collections::BTreeMap;

const OPERATIONS: u32 = 100;
const BLOCKS: usize = 40;

fn variant(name: &str) -> Variant {
    Variant {
        method: MethodId::new("native", name),
        operation: Operation::OpenClose,
        place: 0,
        cache: CacheState::Warm,
        parameters: Parameters::new(DataSet { files: 1, size_bytes: 4096, content: Content::Random }, 4096),
    }
}

/// A number between −1 and 1, different for each `key`.
fn wobble(key: usize) -> f64 {
    (splitmix64(key as u64) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// Forks in which each arm takes its true ns per operation, times a fork
/// effect and a block effect shared by all arms, times noise of the arm's own.
fn forks(count: usize, true_ns: &[f64]) -> Vec<Fork> {
    (0..count).map(|fork| scripted_fork(fork, true_ns)).collect()
}

fn scripted_fork(fork: usize, true_ns: &[f64]) -> Fork {
    let samples = |arm: usize| {
        let own = 1.0 + 0.002 * wobble(fork * 100 + arm);
        let ns = |block: usize| {
            let shared =
                (1.0 + 0.1 * wobble(fork + 7_000)) * (1.0 + 0.05 * wobble(fork * 1_000 + block + 9_000));
            let noise = 1.0 + 0.003 * wobble((fork * 64 + arm) * 1_000 + block + 50_000);
            Some(whole(true_ns[arm] * own * shared * noise * f64::from(OPERATIONS) * 1_000.0))
        };
        ArmSamples {
            divisor: 1,
            ns: (0..BLOCKS).map(ns).collect(),
            preempted_blocks: Vec::new(),
            totals: BTreeMap::new(),
            figures: BTreeMap::new(),
            figure_operations: 0,
        }
    };
    Fork {
        cpu: Reading::Value(0),
        started_s: fork as f64,
        warm_up: WarmUp { blocks: 40, ms: 10.0, steady: true },
        operations: vec![OPERATIONS; BLOCKS],
        arms: (0..true_ns.len()).map(samples).collect(),
        ranks: None,
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "scripted times are small")]
fn whole(ns: f64) -> u64 {
    ns.round() as u64
}

/// Variant 0 (the baseline), variant 1, the control, and the loops of both.
const ARMS: [Arm; 5] = [
    Arm { kind: ArmKind::Variant(0), seat: 0 },
    Arm { kind: ArmKind::Variant(1), seat: 1 },
    Arm { kind: ArmKind::Control, seat: 2 },
    Arm { kind: ArmKind::Loop(0), seat: 0 },
    Arm { kind: ArmKind::Loop(1), seat: 1 },
];

fn second_variant(arms: &[Arm], forks: &[Fork]) -> Reading<VariantSummary> {
    let variants = [variant("base"), variant("other")];
    summarize(Parts { variants: &variants, baseline: 0, arms, forks }).0.remove(1)
}

fn covers(estimate: &Estimate, truth: f64, half_width: f64) {
    let (low, high) = estimate.interval().expect("there is an interval");
    assert!(low <= truth && truth <= high, "{estimate:?} misses {truth}");
    assert!(low <= estimate.value && estimate.value <= high, "{estimate:?}");
    assert!((high - low) / 2.0 <= half_width, "{estimate:?} is wide");
}

#[test]
fn true_times_and_ratios_are_covered() {
    // In units of 1000 ns per operation.
    let forks = forks(20, &[10.0, 12.0, 10.0, 1.0, 1.5]);
    let variants = [variant("base"), variant("other")];
    let parts = Parts { variants: &variants, baseline: 0, arms: &ARMS, forks: &forks };
    let (summaries, control) = summarize(parts);

    let base = summaries[0].value().unwrap();
    assert_eq!((&base.ratio, &base.net_ratio, &base.delta_ns), (&None, &None, &None));
    assert_eq!(base.ratio_simultaneous, None);
    assert_eq!((base.blocks, base.operations), (20 * 40, 20 * 40 * 100));
    covers(&base.time_ns, 10_000.0, 1_000.0);

    let other = summaries[1].value().unwrap();
    covers(other.ratio.as_ref().unwrap(), 1.2, 0.003);
    covers(other.net_ratio.as_ref().unwrap(), 10.5 / 9.0, 0.003);
    covers(other.delta_ns.as_ref().unwrap(), 2_000.0, 150.0);
    covers(other.loop_ns.as_ref().unwrap(), 1_500.0, 150.0);
    assert_eq!((other.time_ns.forks, other.time_ns.confidence), (20, 0.95));
    assert_eq!(other.preempted_share, None);

    let control = control.value().unwrap();
    covers(&control.ratio, 1.0, 0.003);
    assert!(!control.instrument_fault);
}

#[test]
fn simultaneous_ratios_share_the_error_among_the_variants_beside_the_baseline() {
    let forks = forks(20, &[10.0, 12.0, 11.0, 10.0, 9.0]);
    let names = ["base", "a", "b", "c", "d"];
    let variants = names.map(variant);
    let arms: Vec<_> = (0..5).map(|index| Arm { kind: ArmKind::Variant(index), seat: index }).collect();
    for count in 2..=5 {
        let parts = Parts { variants: &variants[..count], baseline: 0, arms: &arms, forks: &forks };
        let alpha = 0.05 / (count - 1) as f64;
        for (index, summary) in summarize(parts).0.into_iter().enumerate().skip(1) {
            let summary = summary.value().unwrap().clone();
            let together = summary.ratio_simultaneous.unwrap();
            assert!((together.confidence - (1.0 - alpha)).abs() < 1e-12, "{together:?}");
            assert!((together.value - summary.ratio.unwrap().value).abs() < 1e-12);
            let values: Vec<_> = forks.iter().map(|fork| fork_ln_ratio(fork, index)).collect();
            let expected = combined_sequence(&values, alpha).exp();
            let (low, high) = together.interval().unwrap();
            assert!((low / expected.low - 1.0).abs() < 1e-9 && (high / expected.high - 1.0).abs() < 1e-9);
            let (single_low, single_high) = summary.ratio.unwrap().interval().unwrap();
            assert!(low <= single_low && single_high <= high);
            assert_eq!(count == 2, (low, high) == (single_low, single_high), "{together:?}");
        }
    }
}

/// The fork's median of ln(t of `arm` / t of arm 0) over its blocks.
fn fork_ln_ratio(fork: &Fork, arm: usize) -> f64 {
    let pairs = fork.arms[arm].ns.iter().zip(&fork.arms[0].ns);
    let ln_ratio = |(a, b): (&Option<u64>, &Option<u64>)| Some(((*a)? as f64 / (*b)? as f64).ln());
    let logarithms: Vec<_> = pairs.filter_map(ln_ratio).collect();
    median(&logarithms).expect("the fork has blocks")
}

#[test]
fn the_baseline_may_be_any_variant() {
    let forks = forks(20, &[10.0, 12.0]);
    let variants = [variant("other"), variant("base")];
    let parts = Parts { variants: &variants, baseline: 1, arms: &ARMS[..2], forks: &forks };
    let (summaries, control) = summarize(parts);
    covers(summaries[0].value().unwrap().ratio.as_ref().unwrap(), 10.0 / 12.0, 0.003);
    assert_eq!(summaries[1].value().unwrap().ratio, None);
    assert_eq!(control, Reading::unavailable("no control arm was timed"));
}

#[test]
fn a_biased_control_is_a_fault() {
    let forks = forks(20, &[10.0, 12.0, 10.2, 1.0, 1.5]);
    let variants = [variant("base"), variant("other")];
    let fault = |count: usize| {
        let parts = Parts { variants: &variants, baseline: 0, arms: &ARMS, forks: &forks[..count] };
        summarize(parts).1.value().unwrap().clone()
    };
    assert!(fault(20).instrument_fault);
    assert!(!fault(10).instrument_fault, "the sign sequence at 0.01 begins at 11 forks");
    assert!(fault(10).ratio.excludes(1.0));
}

#[test]
fn an_arm_compared_with_its_copy_is_never_different() {
    let mut forks = forks(30, &[10.0, 12.0]);
    for fork in &mut forks {
        fork.arms[1] = fork.arms[0].clone();
    }
    let summary = second_variant(&ARMS[..2], &forks);
    let ratio = summary.value().unwrap().ratio.unwrap();
    assert_eq!(ratio.interval(), Some((1.0, 1.0)));
    assert!(!ratio.excludes(1.0));
}

#[test]
fn few_forks_give_a_value_without_an_interval() {
    let summary = second_variant(&ARMS, &forks(3, &[10.0, 12.0, 10.0, 1.0, 1.5]));
    let ratio = summary.value().unwrap().ratio.unwrap();
    assert!((ratio.value - 1.2).abs() < 0.01);
    assert_eq!((ratio.interval(), ratio.forks), (None, 3));
}

#[test]
fn a_net_ratio_is_refused_when_the_loop_is_dear_or_unknown() {
    let net =
        |arms: &[Arm], true_ns: &[f64]| second_variant(arms, &forks(12, true_ns)).value().unwrap().net_ratio;
    assert!(net(&ARMS, &[10.0, 12.0, 10.0, 1.9, 1.0]).is_some());
    assert_eq!(net(&ARMS, &[10.0, 12.0, 10.0, 2.2, 1.0]), None, "the baseline's loop is dear");
    assert_eq!(net(&ARMS, &[10.0, 12.0, 10.0, 1.0, 2.2]), None, "the variant's loop is dear");
    assert_eq!(net(&ARMS, &[10.0, 1.0, 10.0, 1.0, 1.001]), None, "the variant costs no more than its loop");
    assert_eq!(net(&ARMS[..4], &[10.0, 12.0, 10.0, 1.0]), None, "the variant's loop is unknown");
}

#[test]
fn a_drift_within_forks_does_not_move_the_net_ratio_of_a_tiny_loop() {
    // The machine slows down to a third in each fork, and the slower variant has no sample of the fast half.
    let mut forks = forks(12, &[10.0, 12.0, 10.0, 0.01, 0.01]);
    for samples in forks.iter_mut().flat_map(|fork| &mut fork.arms) {
        for (block, ns) in samples.ns.iter_mut().enumerate() {
            *ns = ns.map(|ns| ns * (BLOCKS + 2 * block) as u64 / BLOCKS as u64);
        }
    }
    for fork in &mut forks {
        fork.arms[1].ns[..BLOCKS / 2].fill(None);
        // A loop takes part in few blocks.
        for samples in &mut fork.arms[3..] {
            samples
                .ns
                .iter_mut()
                .enumerate()
                .filter(|(block, _)| block % 4 != 0)
                .for_each(|(_, ns)| *ns = None);
        }
    }
    let summary = second_variant(&ARMS, &forks);
    let summary = summary.value().unwrap();
    let of_medians = summary.time_ns.value / 20_000.0;
    assert!(of_medians > 1.4, "the medians are fooled: {of_medians}");
    covers(summary.net_ratio.as_ref().unwrap(), 11.99 / 9.99, 0.01);
    let (net, paired) = (summary.net_ratio.unwrap().value, summary.ratio.unwrap().value);
    assert!((net / paired - 1.0).abs() < 0.001, "{net} {paired}");
}

#[test]
fn a_loop_serves_every_variant_of_its_process() {
    let mut arms = ARMS;
    arms[1].seat = 0;
    let summary = second_variant(&arms[..4], &forks(12, &[10.0, 12.0, 10.0, 1.0]));
    let summary = summary.value().unwrap();
    covers(summary.loop_ns.as_ref().unwrap(), 1_000.0, 150.0);
    covers(summary.net_ratio.as_ref().unwrap(), 11.0 / 9.0, 0.01);
}

#[test]
fn a_single_block_makes_a_fork_count() {
    let mut forks = forks(12, &[10.0, 12.0]);
    for fork in &mut forks[..4] {
        fork.arms[1].ns[1..].fill(None);
    }
    forks[11].arms[1].ns.fill(None);
    let summary = second_variant(&ARMS[..2], &forks);
    let summary = summary.value().unwrap();
    assert_eq!((summary.time_ns.forks, summary.ratio.unwrap().forks), (11, 11));
    assert_eq!(summary.blocks, 4 + 7 * 40);
}

#[test]
fn what_was_not_measured_is_unavailable() {
    let mut forks = forks(5, &[10.0, 12.0, 10.0]);
    for fork in &mut forks {
        fork.arms[1].ns.fill(None);
        fork.arms[2].ns.fill(Some(0));
    }
    assert_eq!(second_variant(&ARMS, &forks), Reading::unavailable("no sample was kept"));
    assert_eq!(second_variant(&ARMS, &[]), Reading::unavailable("no sample was kept"));
    assert_eq!(second_variant(&ARMS[..1], &forks), Reading::unavailable("no arm timed this variant"));
    let variants = [variant("base")];
    let parts = Parts { variants: &variants, baseline: 0, arms: &ARMS, forks: &forks };
    assert_eq!(summarize(parts).1, Reading::unavailable("no block holds both the control and the baseline"));
}

#[test]
fn the_drivers_figures_are_per_operation() {
    let mut forks = forks(5, &[10.0, 12.0]);
    for fork in &mut forks {
        let arm = &mut fork.arms[1];
        arm.ns[0] = None;
        arm.preempted_blocks = vec![3, 7];
        arm.totals = [("allocs".to_owned(), 7_800), ("nivcsw".to_owned(), 2)].into();
    }
    let summary = second_variant(&ARMS[..2], &forks);
    let summary = summary.value().unwrap();
    assert!((summary.runtime_per_operation["allocs"] - 2.0).abs() < 1e-12);
    assert!((summary.preempted_share.unwrap() - 2.0 / 39.0).abs() < 1e-12);
}
