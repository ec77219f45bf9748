use super::*;

fn look(forks: usize, low: f64, high: f64) -> Look {
    Look { forks, interval: Interval::new(low, high), fault: false }
}

/// A session that saw no difference and knows it to 0.2 %.
fn quiet() -> Vec<Look> {
    vec![look(5, 0.97, 1.02), look(6, 0.998, 1.002)]
}

/// A session that saw a difference of 2 % at its first look and took it back.
fn alarmed() -> Vec<Look> {
    vec![look(5, 1.015, 1.03), look(6, 0.995, 1.02)]
}

fn tally(quiet_sittings: usize, alarmed_sittings: usize) -> Tally {
    let mut sittings = vec![quiet(); quiet_sittings];
    sittings.extend(vec![alarmed(); alarmed_sittings]);
    Tally { same: BTreeMap::from([("open-close, native:open".to_owned(), sittings)]), ..Tally::default() }
}

#[test]
fn an_alarm_counts_at_whatever_look_it_came() {
    let tally = tally(197, 3);
    let all = tally.all();
    assert_eq!(all.alarms(), Share::new(3, 200));
    assert_eq!(all.alarms_at_the_end(), Share::new(0, 200));
    assert_eq!(all.ever(within(), Verdict::Refuted), Share::new(3, 200));
    assert_eq!(all.ever(faster(), Verdict::Supported), Share::new(0, 200), "it looked slower");
    assert_eq!(all.ever(within(), Verdict::Supported), Share::new(197, 200));
    assert_eq!(all.ever(faster(), Verdict::Refuted), Share::new(200, 200));
}

#[test]
fn the_promise_is_kept_broken_or_open() {
    // Upper bounds by exact sums: 7 of 200 is 7.08 %, 8 of 200 is 7.73 %.
    assert_eq!(tally(193, 7).outcome(), Outcome::Passed);
    assert_eq!(tally(192, 8).outcome(), Outcome::Undecided);
    // Lower bounds: 17 of 200 is 5.03 %, 16 of 200 is 4.6 %.
    assert_eq!(tally(184, 16).outcome(), Outcome::Undecided);
    assert_eq!(tally(183, 17).outcome(), Outcome::Failed);
    assert_eq!(tally(6, 0).outcome(), Outcome::Undecided, "six say nothing");
    assert_eq!(Tally::default().outcome(), Outcome::Undecided);
}

#[test]
fn controls_at_fault_break_the_promise_too() {
    let mut tally = tally(200, 0);
    for sittings in tally.same.values_mut() {
        for looks in &mut sittings[..8] {
            looks[0].fault = true;
        }
    }
    assert_eq!(tally.all().faults(), Share::new(8, 200));
    assert_eq!(tally.outcome(), Outcome::Failed);
}

#[test]
fn the_table_has_a_row_per_method_and_the_bounds_of_all() {
    let mut tally = tally(197, 3);
    tally.same.insert("open-close, go:os.Open".to_owned(), vec![quiet(); 10]);
    tally.add_unmeasured("python-open", "no interpreter");
    let text = tally.to_string();
    assert!(
        text.contains("| open-close, native:open | 200 | 6 | 0 | 3 | 3 | 0 | 0 | 197 | 200 |\n"),
        "{text}"
    );
    assert!(text.contains("| open-close, go:os.Open | 10 | 6 | 0 | 0 | 0 | 0 | 0 | 10 | 10 |\n"), "{text}");
    assert!(text.contains("| all | 210 | 6 | 0 | 3 | 3 | 0 | 0 | 207 | 210 |\n"), "{text}");
    // Exact sums: 1.741 % of 0 in 210 and 4.118 % of 3.
    assert!(text.contains("confidence | | | 1.7 % | 4.1 % | 4.1 % | 1.7 % | 1.7 % | | |"), "{text}");
    assert!(text.contains("3 of 210 [0.3 %, 4.1 %] intervals excluded 1"), "{text}");
    assert!(text.contains("Not measured: 1 sessions (python-open: no interpreter)"), "{text}");
}

#[test]
fn records_are_sorted_into_methods_and_effects() {
    let mut comparison = fathom_testkit::complete().experiments.remove(0).comparisons.remove(0);
    let mut tally = Tally::default();
    let known = comparison.variants[1].method.name.clone();
    assert_eq!(tally.add_injected(&comparison, &known), Some(()));
    assert_eq!(tally.add_injected(&comparison, "no such"), None);
    comparison.variants.truncate(2);
    comparison.variants[1] = comparison.variants[0].clone();
    comparison.baseline = 1;
    tally.add_same(&comparison);
    let label = format!("open-close, {}", comparison.variants[0].method);
    assert_eq!(tally.same[&label].len(), 1);
    assert_eq!(tally.injected[&known].sittings.len(), 1);
    assert!(tally.injected[&known].ratio() > 0.0);
    let lines = tally.raw().lines().count();
    let looks: usize = tally.same[&label][0].len() + tally.injected[&known].sittings[0].len();
    assert_eq!(lines, 1 + looks);
    assert!(tally.to_string().contains(&format!("| {known} | 1 |")), "{tally}");
}
