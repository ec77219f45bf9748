use super::*;
use crate::audit::tests::sample;

#[test]
fn numbers_that_say_nothing_are_left_out() {
    let mut finding = sample().findings.remove(0);
    (finding.count, finding.per_file_opened) = (1, Some(0.004));
    assert_eq!(frequency(&finding), "1 time");
    (finding.count, finding.per_file_opened) = (1234, Some(1.5));
    assert_eq!(frequency(&finding), "1,234 times, 1.50 per file opened");
}

#[test]
fn that_operations_of_a_ring_have_the_prices_of_plain_calls_is_said() {
    let audit = sample();
    let priced = |finding: &&Finding| finding.price.value().is_some() && !finding.avoidable.is_empty();
    let mut finding = audit.findings.iter().find(priced).unwrap().clone();
    let told = |finding: &Finding| [price(&audit, finding).unwrap(), brief_price(finding, "").unwrap()];
    assert!(told(&finding).iter().all(|told| !told.contains("io_uring")));
    let Reading::Value(price) = &mut finding.price else { panic!("priced") };
    price.is_of_plain_calls = true;
    let told = told(&finding);
    assert!(
        told.iter().all(|told| told.contains("at the prices of plain calls, not of io_uring")),
        "{told:?}"
    );
}

fn eleven_ms() -> Savings {
    Savings {
        total_ns: 11e6,
        low_ns: Some(10e6),
        high_ns: Some(12e6),
        calls: 30,
        calls_without_price: 0,
        of_ns: 340e6,
        share: 11.0 / 340.0,
    }
}

#[test]
fn savings_are_told_with_their_interval_and_whether_it_is_too_wide() {
    let mut audit = sample();
    let mut savings = eleven_ms();
    let mut told = |savings: &Savings| {
        audit.savings = Some(savings.clone());
        self::savings(&audit).unwrap()
    };
    let words = "Mending all of this saves at most 11.0 ms [10.0 ms, 12.0 ms] of the 340 ms that its file calls take \
             (3.2 %)";
    let beside = "; what its own code spends around those calls comes on top";
    assert_eq!(told(&savings), format!("{words}{beside}"));
    (savings.high_ns, savings.calls_without_price) = (Some(900e6), 1234);
    assert!(told(&savings).contains("[10.0 ms, 900 ms] of the 340 ms"));
    assert!(
        told(&savings)
            .ends_with("the prices are uncertain: take them again by `fathom prices` on a quiet machine")
    );
    assert!(told(&savings).contains(", and 1,234 calls without a price;"));
    (savings.low_ns, savings.high_ns) = (Some(18e3), Some(12e6));
    assert!(told(&savings).contains("the prices are uncertain"), "the lower end is 600 times as low");
}

#[test]
fn the_total_is_measured_where_all_of_it_can_be() {
    let mut audit = sample();
    audit.savings = Some(eleven_ms());
    for finding in audit.findings.iter_mut().filter(|finding| finding.is_of_savings()) {
        finding.avoidable.retain(|call| call.call == "newfstatat");
        finding.avoidable.push(asked());
    }
    let words = |audit: &Audit| what_all_would_gain(audit);
    let told = words(&audit).unwrap();
    assert!(told.starts_with("`fathom what-if --without all-of-mine -- "), "{told}");
    let first = audit.findings.iter().position(Finding::is_of_savings).unwrap();
    audit.findings[first].avoidable.push(fathom_model::CountedCalls { call: "write".to_owned(), ..asked() });
    assert_eq!(words(&audit), None, "a write is never made again");
}

/// Calls that only ask.
fn asked() -> fathom_model::CountedCalls {
    fathom_model::CountedCalls {
        call: "newfstatat".to_owned(),
        outcome: fathom_model::CallOutcome::Succeeded,
        flags: String::new(),
        path_components: Some(1),
        size_class_bytes: None,
        on: None,
        bytes: 0,
        count: 1,
    }
}

/// The sample's first finding that has a price.
fn priced() -> Finding {
    sample().findings.into_iter().find(|finding| finding.price.value().is_some()).unwrap()
}

#[test]
fn a_wide_price_of_a_finding_has_its_interval_in_short_too() {
    let mut finding = priced();
    let mut told = |ends: (f64, f64)| {
        let Reading::Value(price) = &mut finding.price else { unreachable!("the sample has prices") };
        (price.total_ns, price.low_ns, price.high_ns) = (2e6, Some(ends.0), Some(ends.1));
        (brief_price(&finding, "").unwrap(), self::price(&sample(), &finding).unwrap())
    };
    let (brief, full) = told((1.9e6, 2.1e6));
    assert!(!brief.contains('[') && !full.contains("uncertain"), "{brief}; {full}");
    let (brief, full) = told((3.4e3, 2.1e6));
    assert!(brief.starts_with("2.00 ms [3400 ns, 2.10 ms]"), "{brief}");
    assert!(full.starts_with("2.00 ms [3400 ns, 2.10 ms] untraced, uncertain"), "{full}");
}

#[test]
fn what_a_tally_has_in_parentheses_adds_up() {
    let mut audit = sample();
    audit.findings.retain(|finding| finding.suppressed.is_none());
    audit.findings.truncate(1);
    audit.trifles = vec![audit.findings[0].clone(); 2];
    let severity = severity(audit.findings[0].severity);
    assert_eq!(tally(&audit), format!("1 finding (1 {severity}) and 2 negligible"));
}

#[test]
fn a_price_that_no_sum_has_says_so() {
    let mut finding = priced();
    assert_eq!((finding.is_uncertain, not_in_sum(&finding)), (false, None));
    finding.is_uncertain = true;
    assert_eq!(not_in_sum(&finding).as_deref(), Some("perhaps: not in the sum"));
    finding.price = Reading::unavailable("no prices were given");
    assert_eq!(not_in_sum(&finding), None);
}

#[test]
fn where_most_of_it_is_is_told_by_directory_or_path() {
    let mut finding = sample().findings.remove(0);
    let at = |path: &str, count| PathCount { path: path.to_owned(), count };
    finding.count = 14_800;
    (finding.most_at, finding.directories) = (Some(at("/srv/a", 1)), vec![]);
    assert_eq!(concentration(&finding), None, "all paths are alike");
    finding.most_at = Some(at("/srv/a", 40));
    assert_eq!(concentration(&finding), None, "there are many like it");
    finding.most_at = Some(at("/srv/a", 4_000));
    assert_eq!(concentration(&finding).unwrap(), "most often /srv/a (4,000)");
    finding.directories = vec![at("/srv/jsdom", 10_868), at("/srv/rxjs", 3_929)];
    assert_eq!(concentration(&finding).unwrap(), "most of it in /srv/jsdom (10,868), /srv/rxjs (3,929)");
}

#[test]
fn whose_it_is_is_said_where_it_is_not_the_programs_own() {
    let mut finding = sample().findings.remove(0);
    let mut of = |by_calls, owner| {
        (finding.owner_by_calls, finding.owner) = (by_calls, owner);
        whose(&finding).unwrap_or_default()
    };
    assert_eq!(of(Owner::Yours, Owner::Yours), "");
    assert_eq!(of(Owner::Runtime, Owner::Runtime), "not yours: the runtime's");
    assert_eq!(of(Owner::Yours, Owner::Libc), "the C library's, by its stack");
    assert_eq!(of(Owner::Runtime, Owner::Yours), "not yours: the runtime's, by its calls");
}

#[test]
fn of_a_frame_is_said_what_is_known() {
    let mut known = Frame {
        function: Some("main".to_owned()),
        file: Some("a.c".to_owned()),
        line: Some(7),
        module: Some("/bin/a".to_owned()),
        address: Some(0x1f),
        owner: Owner::Yours,
    };
    assert_eq!(frame(&known), "main (a.c:7)");
    (known.file, known.line) = (None, None);
    assert_eq!(frame(&known), "main (/bin/a+0x1f)");
    known.function = None;
    assert_eq!(frame(&known), "/bin/a+0x1f");
    known.module = None;
    assert_eq!(frame(&known), "code without a name");
}

#[test]
fn paths_are_told_by_how_many_they_are_and_what_they_share() {
    let one = PathSet::of_path("/data/a, first b.txt");
    assert_eq!(paths(&one), "/data/a, first b.txt");
    let several = PathSet { count: 1200, ..one.clone() };
    assert_eq!(paths(&several), "1,200 *.txt paths below /data, first /data/a, first b.txt");
    let unknown = PathSet { count: 2, is_lower_bound: true, extension: None, directory: None, ..one };
    assert_eq!(many_paths(&unknown), "2 or more paths");
}

#[test]
fn what_is_lived_with_is_counted_apart() {
    let mut audit = sample();
    assert!(tally(&audit).contains("1 suppressed"), "{}", tally(&audit));
    audit.findings.retain(|finding| finding.suppressed.is_some());
    assert!(tally(&audit).starts_with("No findings among what was seen (1 suppressed)"), "{}", tally(&audit));
}
