//! Breakdowns of sample counts, by sample prices, and what holds for any.

mod observed;

use super::verdict::class_shares;
use super::*;
use fathom_model::{
    Bound, CacheState, CallCondition, CallCount, CallOutcome, CounterUnit, KernelCounter, MethodId,
    Operation, Price, RecipeStep, call_form, counter_name,
};
use fathom_testkit::{
    call, complete, count_pass, counter, estimate, evidence_pass, explained, failed_call, parameters, price,
    priced, prices, step,
};
use proptest::prelude::*;

fn variant(operation: Operation, cache: CacheState) -> Variant {
    let parameters = parameters(4096);
    Variant { method: MethodId::new("go", "os.Open"), operation, place: 0, cache, parameters }
}

fn summary(ns: f64) -> Reading<VariantSummary> {
    let Reading::Value(sample) = &complete().experiments[0].comparisons[0].summaries[0] else { panic!() };
    let time_ns = estimate(ns, Some((ns - 10.0, ns + 10.0)), 9);
    Reading::Value(VariantSummary { time_ns, loop_ns: None, ..sample.clone() })
}

fn not_taken() -> Reading<EvidencePass> {
    Reading::unavailable("not taken")
}

struct Setup {
    variant: Variant,
    summary: Reading<VariantSummary>,
    counts: Reading<CountPass>,
    counters: Reading<EvidencePass>,
    prices: PriceList,
}

impl Setup {
    fn new(ns: f64, inside: Vec<CallCount>, recipe: Vec<RecipeStep>) -> Self {
        Self {
            variant: variant(Operation::OpenClose, CacheState::Warm),
            summary: summary(ns),
            counts: Reading::Value(count_pass(inside, recipe, vec![])),
            counters: not_taken(),
            prices: prices(),
        }
    }

    fn observed(mut self, operations: u64, counters: Vec<KernelCounter>) -> Self {
        self.counters = Reading::Value(evidence_pass(operations, counters));
        self
    }

    fn break_down(&self) -> Reading<Breakdown> {
        let Self { variant, summary, counts, counters, prices } = self;
        break_down(&BreakdownParts {
            variant,
            summary,
            counts,
            counters,
            prices,
            path_depth: Some(5),
            is_device: false,
        })
    }

    fn value(&self) -> Breakdown {
        self.break_down().value().expect("it can be broken down").clone()
    }
}

fn part<'a>(breakdown: &'a Breakdown, name: &str) -> Option<&'a Part> {
    breakdown.parts.iter().find(|part| part.name == name)
}

fn ns(breakdown: &Breakdown, name: &str) -> f64 {
    part(breakdown, name).unwrap_or_else(|| panic!("no {name} in {:?}", breakdown.parts)).ns
}

fn close_to(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6 * b.abs().max(1.0)
}

/// wall, CPU and run queue of one operation, the same in three repetitions.
fn times(wall: i64, cpu: i64, queued: i64) -> Vec<KernelCounter> {
    [(counter_name::WALL_TIME, wall), (counter_name::CPU_TIME, cpu), (counter_name::RUN_QUEUE_TIME, queued)]
        .map(|(name, ns)| counter(name, CounterUnit::Ns, &[ns; 3]))
        .to_vec()
}

#[test]
fn the_sample_record_holds_what_is_computed_here() {
    let record = explained();
    let mut compared = 0;
    for comparison in record.experiments.iter().flat_map(|experiment| &experiment.comparisons) {
        for (index, explanation) in comparison.explanations.iter().enumerate() {
            let Some(Reading::Value(sample)) = &explanation.breakdown else { continue };
            let parts = BreakdownParts {
                variant: &comparison.variants[index],
                summary: &comparison.summaries[index],
                counts: &comparison.counts[index],
                counters: explanation.counters.as_ref().unwrap(),
                prices: &record.prices[0],
                path_depth: Some(5),
                is_device: false,
            };
            let computed = break_down(&parts);
            let computed = computed.value().unwrap();
            assert_eq!((computed.bound, &computed.unpriced), (sample.bound, &sample.unpriced));
            assert!((computed.share - sample.share).abs() < 0.002, "{} {}", computed.share, sample.share);
            assert_eq!(
                computed.parts.len(),
                sample.parts.len(),
                "{:#?}\n{:#?}",
                computed.parts,
                sample.parts
            );
            for (computed, sample) in computed.parts.iter().zip(&sample.parts) {
                assert_eq!((computed.kind, &computed.name), (sample.kind, &sample.name));
                assert!(
                    (computed.ns - sample.ns).abs() < 0.002 * parts.summary.value().unwrap().time_ns.value
                );
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 8);
}

#[test]
fn os_open_is_taken_apart_by_named_calls() {
    let record = complete();
    let comparison = &record.experiments[0].comparisons[0];
    let of = |index: usize| {
        let parts = BreakdownParts {
            variant: &comparison.variants[index],
            summary: &comparison.summaries[index],
            counts: &comparison.counts[index],
            counters: &not_taken(),
            prices: &prices(),
            path_depth: Some(5),
            is_device: false,
        };
        break_down(&parts).value().unwrap().clone()
    };
    let (plain, os_open) = (of(0), of(1));
    assert!(close_to(ns(&os_open, "openat"), 1008.0), "between depths 4 and 8");
    assert!(close_to(ns(&os_open, "fcntl"), 2.0 * 146.0 + 2.0 * 171.0), "the mean of both commands");
    assert!(close_to(ns(&os_open, "epoll_ctl=EPERM"), 187.0));
    assert!(close_to(ns(&os_open, "close"), ns(&plain, "close")));
    let more: f64 = ["fcntl", "epoll_ctl=EPERM"].map(|name| ns(&os_open, name)).iter().sum();
    let gap = os_open.total_ns.value - plain.total_ns.value;
    assert!(close_to(more + ns(&os_open, "rest") - ns(&plain, "rest"), gap), "the gap is in its parts");
    assert_eq!(os_open.parts.last().unwrap().kind, PartKind::Rest);
    assert_eq!(os_open.unpriced, ["nanosleep (runtime's own)"]);
}

#[test]
fn reads_of_data_and_at_the_end_are_priced_each() {
    let recipe = vec![step("read", "65536", "4096"), step("read", "65536", "0")];
    let found = Setup::new(900.0, vec![call("read", 2)], recipe).value();
    let read = part(&found, "read").unwrap();
    assert_eq!(
        (read.count, read.price_ns, read.note.as_deref()),
        (Some(2.0), Some(f64::midpoint(331.0, 171.0)), None)
    );
    assert!(close_to(read.error_ns.unwrap(), 2.0 * (3.31 + 1.71) / 2.0));
}

#[test]
fn a_call_that_the_recipe_lacks_is_priced_as_usual_and_says_so() {
    let half = CallCount { differences: vec![100; 3], ..call("read", 1) };
    let found = Setup::new(900.0, vec![half], vec![]).value();
    let read = part(&found, "read").unwrap();
    assert_eq!(read.count, Some(0.5));
    assert!(read.price_ns.unwrap() > 2000.0, "a block of 64 KiB");
}

#[test]
fn a_rest_below_zero_is_shown_and_the_parts_still_add_up() {
    let inside = vec![call("openat", 1), call("close", 1)];
    let found = Setup::new(1_000.0, inside, vec![step("openat", "FILE, O_RDONLY", "3")]).value();
    assert!(close_to(ns(&found, "rest"), 1_000.0 - 1_399.0));
    assert_eq!((found.bound, found.share), (Bound::Call, 1.0));
    assert_eq!(found.unpriced, [""; 0]);
}

#[test]
fn what_has_no_price_is_named_and_left_in_the_rest() {
    let inside = vec![call("openat", 1), call("io_uring_enter", 2), failed_call("ioctl", "ENOTTY", 1)];
    let found = Setup::new(5_000.0, inside, vec![]).value();
    assert_eq!(found.unpriced, ["io_uring_enter", "ioctl=ENOTTY"]);
    assert!(close_to(ns(&found, "rest"), 5_000.0 - 1_008.0));
}

#[test]
fn a_count_of_zero_gives_no_part() {
    let idle = CallCount { differences: vec![-3, 0, 0], ..call("futex", 0) };
    let mut setup = Setup::new(2_000.0, vec![call("read", 0), call("openat", 1)], vec![]);
    setup.counts = setup.counts.map(|counts| CountPass { background: vec![idle], ..counts });
    let none = [counter_name::MINOR_FAULTS, counter_name::MAJOR_FAULTS, counter_name::PAGES_ADDED]
        .map(|name| counter(name, CounterUnit::Events, &[0; 3]));
    let found = setup.observed(1000, none.to_vec()).value();
    let names: Vec<_> = found.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["openat", "rest"]);
    assert!(found.unpriced.is_empty());
}

#[test]
fn background_calls_count_by_their_median() {
    let futex = |differences: Vec<i64>| CallCount { differences, ..call("futex", 0) };
    let mut setup = Setup::new(2_000.0, vec![call("openat", 1)], vec![]);
    setup.prices.prices.push(price("futex", call_form::WAKE_NOBODY, 140.0));
    setup.counts =
        setup.counts.map(|counts| CountPass { background: vec![futex(vec![20, 10, 90])], ..counts });
    let found = setup.value();
    assert!(close_to(ns(&found, "futex (runtime's own)"), 0.1 * 140.0));
}

#[test]
fn a_flush_counts_with_its_cpu_time_where_waiting_was_observed() {
    let make = || {
        let recipe = vec![step("write", "4096", "4096"), step("fsync", "", "0")];
        let mut setup = Setup::new(420_000.0, vec![call("fsync", 1)], recipe);
        setup.variant.operation = Operation::Create;
        setup
    };
    let alone = make().value();
    assert!(close_to(ns(&alone, "fsync"), 412_000.0));
    assert!(part(&alone, "fsync").unwrap().note.as_ref().unwrap().contains("its waiting is in the price"));
    assert_eq!(alone.error_ns, None, "its price has no interval");
    let observed = make().observed(1, times(420_000, 21_000, 4_000)).value();
    assert!(close_to(ns(&observed, "fsync"), 14_200.0));
    assert!(close_to(ns(&observed, "waiting"), 395_000.0));
    assert_eq!(part(&observed, "waiting for a CPU"), None, "below one percent");
    assert_eq!((observed.bound, part(&observed, "waiting").unwrap().error_ns), (Bound::Device, Some(0.0)));
}

#[test]
fn the_rest_carries_every_error_and_the_totals() {
    let setup = Setup::new(2_000.0, vec![call("close", 2)], vec![]);
    let found = setup.value();
    assert!(close_to(found.error_ns.unwrap(), 2.0 * 3.91));
    assert!(close_to(found.parts.last().unwrap().error_ns.unwrap(), 2.0 * 3.91 + 10.0));
}

#[test]
fn without_a_time_or_counts_there_is_no_breakdown() {
    let mut setup = Setup::new(2_000.0, vec![], vec![]);
    setup.counts = Reading::unavailable("ptrace: EPERM");
    assert_eq!(setup.break_down(), Reading::unavailable("calls not counted: ptrace: EPERM"));
    setup.summary = Reading::unavailable("counts only");
    assert_eq!(setup.break_down(), Reading::unavailable("not timed: counts only"));
    assert!(Setup::new(f64::NAN, vec![], vec![]).break_down().value().is_none());
}

#[test]
fn clearly_more_than_half_of_the_time_decides() {
    let bound = |ns: f64| {
        let setup = Setup::new(ns, vec![call("openat", 1), call("close", 1)], vec![]);
        let found = setup.observed(1, times(1_000, 1_000, 0)).value();
        (found.bound, (found.share * 100.0).round())
    };
    assert_eq!(bound(1_399.0 * 1.5), (Bound::Call, 67.0));
    assert_eq!(bound(1_399.0 * 4.0), (Bound::Cpu, 75.0));
    let counters = times(8_000, 5_000, 0);
    let mixed = Setup::new(8_000.0, vec![call("openat", 2)], vec![]).observed(1, counters).value();
    assert_eq!((mixed.bound, (mixed.share * 1000.0).round()), (Bound::Mixed, 375.0), "{:?}", mixed.parts);
}

#[test]
fn a_rest_that_may_hold_anything_decides_nothing() {
    let setup = || Setup::new(90_000.0, vec![call("openat", 1)], vec![]);
    let bound = |setup: Setup| setup.value().bound;
    assert_eq!(bound(setup().observed(1, times(9_000, 9_000, 0))), Bound::Cpu);
    assert_eq!(bound(setup()), Bound::Unknown, "it may have waited");
    let ring = Setup::new(90_000.0, vec![call("io_uring_enter", 1)], vec![]);
    assert_eq!(bound(ring.observed(1, times(9_000, 9_000, 0))), Bound::Unknown, "no price");
}

#[test]
fn a_few_cheap_calls_without_a_price_do_not_hide_the_limit() {
    let rare = CallCount { differences: vec![20; 3], ..call("tgkill", 1) };
    let found = Setup::new(900_000.0, vec![rare], vec![]).observed(1, times(900_000, 900_000, 0)).value();
    assert_eq!((found.bound, found.unpriced), (Bound::Cpu, vec!["tgkill".to_owned()]));
}

/// Any price of a few names, sizes and depths, with or without an interval.
fn any_price() -> impl Strategy<Value = Price> {
    let name =
        prop::sample::select(vec!["openat", "read", "close", "minor-fault-anonymous", "page-cache-fill"]);
    let forms = [call_form::READ_ONLY, call_form::CREATE_NEW, call_form::AT_END, call_form::PLAIN];
    let form = prop::sample::select(forms.to_vec());
    let errno = prop::option::of(prop::sample::select(vec!["ENOENT", "EPERM"]));
    let axes = (prop::option::of(1..40_u32), prop::option::of(0..2_000_000_u64));
    (name, form, errno, axes, -5.0..1e6_f64, prop::option::of(0.0..1e3_f64)).prop_map(
        |(name, form, errno, (path_components, size_bytes), ns, half)| {
            let wall_ns = estimate(ns, half.map(|half| (ns - half, ns + half)), 8);
            let outcome = errno.map_or(CallOutcome::Succeeded, |errno| CallOutcome::Failed(errno.to_owned()));
            let condition =
                CallCondition { outcome, path_components, size_bytes, ..CallCondition::new(name, form) };
            Price { wall_ns, ..priced(condition, ns.abs() / 2.0) }
        },
    )
}

fn any_call() -> impl Strategy<Value = CallCount> {
    let name = prop::sample::select(vec!["openat", "read", "close", "openat2", "unheard_of"]);
    let errno = prop::option::of(prop::sample::select(vec!["ENOENT", "EACCES"]));
    (name, errno, prop::collection::vec(-50..5_000_i64, 3), 1..500_u64).prop_map(
        |(name, errno, differences, operations)| CallCount {
            call: name.to_owned(),
            errno: errno.map(str::to_owned),
            differences,
            operations,
        },
    )
}

fn any_step() -> impl Strategy<Value = RecipeStep> {
    let name = prop::sample::select(vec!["openat", "read", "close"]);
    let arguments = prop::sample::select(vec!["FILE, O_RDONLY", "/a/b, O_RDONLY", "65536", ""]);
    let result = prop::sample::select(vec!["3", "0", "4096", "ENOENT", "address"]);
    (name, arguments, result).prop_map(|(name, arguments, result)| step(name, arguments, result))
}

proptest! {
    #[test]
    fn parts_add_up_to_the_total_and_classes_to_one(
        total in 1.0..1e9_f64,
        calls in prop::collection::vec(any_call(), 0..6),
        background in prop::collection::vec(any_call(), 0..3),
        recipe in prop::collection::vec(any_step(), 0..8),
        list in prop::collection::vec(any_price(), 0..20),
        observed in prop::option::of(prop::collection::vec((-100..1_000_000_i64, 0..9_usize), 0..9)),
    ) {
        let names = [
            counter_name::MINOR_FAULTS, counter_name::MAJOR_FAULTS, counter_name::FILE_FAULTS,
            counter_name::PAGES_ADDED, counter_name::READ_BYTES, counter_name::WALL_TIME,
            counter_name::CPU_TIME, counter_name::RUN_QUEUE_TIME, counter_name::RUSAGE_MINOR_FAULTS,
        ];
        let mut setup = Setup::new(total, calls, recipe);
        setup.counts = setup.counts.map(|counts| CountPass { background, ..counts });
        setup.prices.prices = list;
        if let Some(observed) = observed {
            let of = |(value, name): (i64, usize)| counter(names[name], CounterUnit::Events, &[value, value, value / 2]);
            setup = setup.observed(7, observed.into_iter().map(of).collect());
        }
        let found = setup.value();
        let sum: f64 = found.parts.iter().map(|part| part.ns).sum();
        let size: f64 = found.parts.iter().map(|part| part.ns.abs()).sum();
        prop_assert!((sum - total).abs() <= 1e-9 * size.max(1.0), "{sum} {total}");
        prop_assert!((sum - total).abs() <= 1e-6 * total.max(size), "{sum} {total}");
        let shares: f64 = class_shares(&found.parts, total).iter().map(|(_, share)| share).sum();
        prop_assert!((shares - 1.0).abs() <= 1e-6 * (size / total).max(1.0), "{shares}");
        prop_assert!((0.0..=1.0).contains(&found.share));
        let last = found.parts.len() - 1;
        for (index, part) in found.parts.iter().enumerate() {
            prop_assert_eq!(part.kind == PartKind::Rest, index == last);
            prop_assert!(index == last || (part.ns >= 0.0 && part.count != Some(0.0)), "{part:?}");
            prop_assert!(part.ns.is_finite() && part.error_ns.is_none_or(|error| error >= 0.0));
        }
    }
}

#[test]
fn a_share_that_may_be_less_than_half_decides_nothing() {
    let bound = |error: f64| {
        let mut setup = Setup::new(2_000.0, vec![call("close", 4)], vec![]);
        for price in setup.prices.prices.iter_mut().filter(|price| price.condition.call == "close") {
            price.wall_ns = estimate(320.0, Some((320.0 - error, 320.0 + error)), 9);
        }
        setup.value().bound
    };
    assert_eq!(bound(10.0), Bound::Call);
    assert_eq!(bound(100.0), Bound::Mixed);
}

#[test]
fn a_time_known_too_little_decides_nothing_and_says_so() {
    let of = |interval: Option<(f64, f64)>, sigma: f64| {
        let mut setup = Setup::new(2_000.0, vec![call("close", 4)], vec![]);
        for price in setup.prices.prices.iter_mut().filter(|price| price.condition.call == "close") {
            price.wall_ns = estimate(320.0, Some((320.0 - sigma, 320.0 + sigma)), 9);
        }
        let Reading::Value(summary) = &mut setup.summary else { panic!("not timed") };
        summary.time_ns = estimate(2_000.0, interval, 9);
        setup.value()
    };
    // 1280 ns of calls: 64 % of 2000, and 51 % of 2500.
    assert_eq!(limit(&of(Some((1_900.0, 2_500.0)), 0.0)), Limit { bound: Bound::Call, doubt: None });
    let doubted = of(Some((1_600.0, 2_600.0)), 0.0);
    assert_eq!(doubted.bound, Bound::Mixed);
    let LimitDoubt { class, share: Some((low, high)) } = limit(&doubted).doubt.unwrap() else { panic!() };
    assert_eq!(class, Bound::Call);
    assert!(close_to(low, 1_280.0 / 2_600.0) && close_to(high, 1_280.0 / 1_600.0), "{low} {high}");
    // Neither error alone makes it less than half; both together do.
    assert_eq!(of(Some((2_000.0, 2_000.0)), 20.0).bound, Bound::Call);
    assert_eq!(of(Some((1_900.0, 2_500.0)), 20.0).bound, Bound::Mixed);
    let (least, most) = rest_share(&of(Some((1_600.0, 2_560.0)), 0.0)).unwrap();
    assert!(close_to(least, 0.2) && close_to(most, 0.5), "{least} {most}");
    let open = of(None, 0.0);
    assert_eq!(limit(&open).doubt, Some(LimitDoubt { class: Bound::Call, share: None }));
}

#[test]
fn the_rest_is_judged_by_what_the_others_leave_of_the_shortest_time() {
    let of = |low: f64| {
        let mut setup =
            Setup::new(2_000.0, vec![call("close", 2)], vec![]).observed(1, times(1_000, 1_000, 0));
        for price in setup.prices.prices.iter_mut().filter(|price| price.condition.call == "close") {
            price.wall_ns = estimate(320.0, Some((320.0, 320.0)), 9);
        }
        let Reading::Value(summary) = &mut setup.summary else { panic!("not timed") };
        summary.time_ns = estimate(2_000.0, Some((low, 2_100.0)), 9);
        setup.value().bound
    };
    assert_eq!((of(1_300.0), of(1_200.0)), (Bound::Cpu, Bound::Mixed), "640 ns of calls");
}

#[test]
fn a_record_judged_by_its_prices_alone_is_judged_again() {
    let mut kept = Setup::new(2_000.0, vec![call("close", 4), call("openat", 1)], vec![]).value();
    assert_eq!((kept.bound, limit(&kept).bound), (Bound::Call, Bound::Call), "{:?}", kept.parts);
    kept.total_ns = estimate(2_000.0, Some((900.0, 6_000.0)), 9);
    assert_eq!(limit(&kept).bound, Bound::Mixed);
    // A rest that was mixed because the time's error counted in full against it.
    let counters = || times(9_000, 9_000, 0);
    let mut kept = Setup::new(9_000.0, vec![call("close", 1)], vec![]).observed(1, counters()).value();
    assert_eq!(kept.bound, Bound::Cpu, "{:?}", kept.parts);
    kept.bound = Bound::Mixed;
    kept.total_ns = estimate(9_000.0, Some((2_000.0, 16_000.0)), 9);
    assert_eq!(limit(&kept).bound, Bound::Cpu);
    kept.unpriced = vec!["tgkill".to_owned()];
    assert_eq!(limit(&kept).bound, Bound::Unknown);
    let mut kept = Setup::new(9_000.0, vec![call("close", 1)], vec![]).value();
    kept.bound = Bound::Mixed;
    assert_eq!(limit(&kept).bound, Bound::Unknown, "it may have waited");
}

#[test]
fn calls_on_a_device_have_no_price_of_a_file() {
    let mut setup = Setup::new(2000.0, vec![call("openat", 1), call("close", 1)], vec![]);
    assert!(setup.value().unpriced.is_empty());
    setup.variant.parameters.settings.set(fathom_model::Setting::NamedDevice, "/dev/null".into());
    assert_eq!(setup.value().unpriced, ["openat", "close"], "/dev/null is truncated for nothing");
}
