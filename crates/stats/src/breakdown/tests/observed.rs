//! Parts that the kernel's counters show: faults, pages, waiting.

use super::*;

#[test]
fn waiting_for_a_cpu_stands_apart() {
    let found = Setup::new(1e7, vec![call("openat", 1)], vec![])
        .observed(1, times(10_000_000, 6_000_000, 3_000_000))
        .value();
    assert!(close_to(ns(&found, "waiting"), 1e6));
    assert!(close_to(ns(&found, "waiting for a CPU"), 3e6));
}

#[test]
fn a_short_operation_waits_for_no_cpu_and_one_that_never_gave_it_up_for_nothing() {
    let setup = || Setup::new(10_000.0, vec![call("openat", 1)], vec![]);
    let short = setup().observed(1, times(10_000, 6_000, 3_000)).value();
    assert_eq!(part(&short, "waiting for a CPU"), None, "its time is a median over short batches");
    let mut counters = times(10_000, 6_000, 3_000);
    counters.push(counter(counter_name::VOLUNTARY_SWITCHES, CounterUnit::Events, &[0; 3]));
    let busy = setup().observed(1, counters).value();
    assert_eq!(part(&busy, "waiting"), None);
}

#[test]
fn threads_beside_each_other_give_no_waiting_and_are_told() {
    let found =
        Setup::new(10_000.0, vec![call("openat", 1)], vec![]).observed(1, times(10_000, 19_000, 0)).value();
    assert_eq!(part(&found, "waiting"), None);
    let note = found.parts.last().unwrap().note.clone().unwrap();
    assert_eq!(note, "faults not known; threads ran beside each other, so that waiting cannot be told");
}

#[test]
fn faults_are_told_apart_by_what_they_are_on() {
    let faults = |minor: i64, major: i64, file: Option<i64>| {
        let mut counters = vec![
            counter(counter_name::RUSAGE_MINOR_FAULTS, CounterUnit::Events, &[minor; 3]),
            KernelCounter {
                source: if file.is_some() { "perf_event" } else { "perf_event, user mode only" }.to_owned(),
                ..counter(counter_name::MINOR_FAULTS, CounterUnit::Events, &[minor - 1; 3])
            },
            counter(counter_name::MAJOR_FAULTS, CounterUnit::Events, &[major; 3]),
        ];
        counters.extend(file.map(|file| counter(counter_name::FILE_FAULTS, CounterUnit::Events, &[file; 3])));
        Setup::new(90_000.0, vec![], vec![]).observed(10, counters)
    };
    let found = faults(50, 10, Some(40)).value();
    assert!(close_to(ns(&found, "minor faults, file"), 3.0 * 1_180.0));
    assert!(
        close_to(ns(&found, "minor faults, anonymous"), 1.9 * 640.0),
        "rusage has those inside calls too"
    );
    assert!(close_to(ns(&found, "major faults"), 5_310.0), "the CPU's part");
    let mut unprivileged = faults(50, 0, None);
    assert!(close_to(ns(&unprivileged.value(), "minor faults, anonymous"), 5.0 * 640.0));
    unprivileged.variant.method.name = "syscall.Mmap".into();
    let found = unprivileged.value();
    let guessed = part(&found, "minor faults, file").unwrap();
    assert_eq!(
        (guessed.count, guessed.note.as_deref()),
        (Some(5.0), Some("all taken for faults on the file"))
    );
}

#[test]
fn pages_come_from_the_device_only_if_it_was_read() {
    let filled = |added: Option<i64>, read_bytes: Option<i64>, major: i64, cache| {
        let mut counters = vec![counter(counter_name::MAJOR_FAULTS, CounterUnit::Events, &[major; 3])];
        counters
            .extend(added.map(|pages| counter(counter_name::PAGES_ADDED, CounterUnit::Pages, &[pages; 3])));
        counters
            .extend(read_bytes.map(|each| counter(counter_name::READ_BYTES, CounterUnit::Bytes, &[each; 3])));
        let mut setup = Setup::new(90_000.0, vec![], vec![]).observed(1, counters);
        setup.variant.cache = cache;
        part(&setup.value(), "pages brought in").and_then(|part| part.count)
    };
    assert_eq!(filled(Some(32), Some(131_072), 0, CacheState::Cold), Some(32.0));
    assert_eq!(filled(Some(32), Some(131_072), 1, CacheState::Cold), Some(31.0), "a fault brings in one");
    assert_eq!(filled(Some(4), Some(0), 0, CacheState::Warm), None, "pages of a new file");
    assert_eq!(filled(Some(4), None, 0, CacheState::Warm), None);
    assert_eq!(filled(Some(4), None, 0, CacheState::Cold), Some(4.0));
    assert_eq!(filled(None, Some(8192), 0, CacheState::Cold), Some(2.0), "without privilege");
    assert_eq!(filled(None, None, 0, CacheState::Cold), None);
}

#[test]
fn what_others_took_of_the_cpu_in_the_evidence_pass_is_not_in_the_time() {
    let inside = || vec![call("openat", 1), call("close", 1)];
    let loaded = Setup::new(2_000.0, inside(), vec![]).observed(1, times(14_000, 1_900, 12_000)).value();
    assert_eq!(part(&loaded, "waiting").map(|part| part.ns), Some(100.0), "its own first");
    assert_eq!(part(&loaded, "waiting for a CPU"), None);
    assert_eq!(loaded.bound, Bound::Call);
    let long = times(14_000_000, 2_000_000, 12_000_000);
    let half = Setup::new(8_000_000.0, inside(), vec![]).observed(1, long).value();
    let queued = part(&half, "waiting for a CPU").unwrap();
    assert!(close_to(queued.ns, 6_000_000.0));
    assert_eq!(
        queued.note.as_deref(),
        Some("12000000 ns of 14000000 ns in the evidence pass, more than this time leaves")
    );
}

#[test]
fn pages_cost_by_the_page_and_by_the_request_that_brings_them() {
    let mut counters = vec![
        counter(counter_name::PAGES_ADDED, CounterUnit::Pages, &[4; 3]),
        counter(counter_name::READ_BYTES, CounterUnit::Bytes, &[4 * 4096; 3]),
        counter(counter_name::BIO_QUEUE, CounterUnit::Events, &[1; 3]),
    ];
    let mut setup = Setup::new(90_000.0, vec![], vec![]).observed(1, counters.clone());
    setup.variant.cache = CacheState::Cold;
    let alone = |setup: &mut Setup| {
        let one = CallCondition::new("page-cache-fill", call_form::ONE_BY_ONE).cached(CacheState::Cold);
        setup.prices.prices.push(priced(one, 20_412.0));
    };
    assert!(part(&setup.value(), "block requests").is_none(), "what a request costs is not known");
    alone(&mut setup);
    let found = setup.value();
    assert!(close_to(ns(&found, "pages brought in"), 4.0 * 412.0), "{:?}", found.parts);
    assert!(close_to(ns(&found, "block requests"), 20_000.0));
    // A major fault is priced with its page and its request.
    counters.push(counter(counter_name::MAJOR_FAULTS, CounterUnit::Events, &[1; 3]));
    let mut faulting = Setup::new(90_000.0, vec![], vec![]).observed(1, counters);
    faulting.variant.cache = CacheState::Cold;
    alone(&mut faulting);
    let found = faulting.value();
    assert_eq!(part(&found, "block requests"), None);
    assert_eq!(part(&found, "pages brought in").and_then(|part| part.count), Some(3.0));
}

#[test]
fn what_a_slower_evidence_pass_waited_for_has_its_share_of_the_time() {
    let mut setup = Setup::new(57_000.0, vec![], vec![]).observed(1, times(120_000, 48_000, 0));
    setup.variant.cache = CacheState::Cold;
    let found = setup.value();
    let waited = part(&found, "waiting").unwrap();
    assert!(close_to(waited.ns, 57_000.0 * 72.0 / 120.0), "{waited:?}");
    assert_eq!(waited.note.as_deref(), Some("72000 ns of 120000 ns in the evidence pass, in proportion"));
    assert_eq!(found.bound, Bound::Device);
}
