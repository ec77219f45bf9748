use super::*;
use fathom_audit::ChosenCalls;

fn asked(elide: bool) -> Asked {
    Asked {
        question: CostQuestion::Without,
        about: ChosenCalls::parse("openat").unwrap(),
        delay: Duration::ZERO,
        elide,
    }
}

/// As many windows as there are in two rows, which take what `of` says.
fn windows(asked: &Asked, of: impl Fn(u64, u32) -> Window) -> Vec<Window> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let table = Windows { calls: 10, pairs: draw(asked, &mut random) };
    (0..4 * PAIRS_IN_ROW as u64)
        .map(|number| {
            let amount = table.amount(number);
            let each = if asked.elide { amount.min(1) } else { amount };
            let times = 10 * u64::from(each);
            Window { number, amount, calls: 10, times, cpu_ns: Some(1), ..of(number, amount) }
        })
        .collect()
}

#[test]
fn rows_have_one_pair_of_nothing_and_each_amount_twice_in_either_order() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let pairs = draw(&asked(false), &mut random);
    for row in pairs.chunks(PAIRS_IN_ROW) {
        let mut amounts: Vec<_> = row.iter().map(|pair| pair[0].max(pair[1])).collect();
        amounts.sort_unstable();
        assert_eq!(amounts, [0, 1, 1, 3, 3]);
        assert!(row.iter().all(|pair| pair.contains(&0)));
    }
    let first = pairs.iter().filter(|pair| pair[0] > 0).count();
    assert!((pairs.len() / 3..pairs.len() / 2).contains(&first), "{first} of {}", pairs.len());
}

#[test]
fn windows_are_as_long_as_they_may_be_and_many_enough() {
    // 1 µs a call, 200 bytes noted of each: 1 ms would not fit.
    assert_eq!(window_calls(1e6, 1e9, 2e8), Ok(819));
    // 10 µs a call: 1 ms.
    assert_eq!(window_calls(1e5, 1e9, 2e7), Ok(100));
    // 2 ms a call, each a window.
    assert_eq!(window_calls(500.0, 1e9, 1e5), Ok(1));
    assert!(window_calls(50.0, 1e9, 1e5).unwrap_err().contains("25 pairs"));
    assert!(window_calls(1e6, 1e8, 1e9).unwrap_err().contains("too short"));
    assert!(window_calls(0.0, 1e9, 1e5).unwrap_err().contains("none"));
}

#[test]
fn a_pair_is_left_out_where_a_call_went_past_or_a_window_stopped() {
    let asked = asked(true);
    let mut all = windows(&asked, |number, _| Window {
        stops: u64::from(number == 4),
        wall_ns: 1,
        ..Window::default()
    });
    // One call that was to be answered was made, and a window is missing.
    all[6].times += 1;
    all.remove(13);
    let pairs = paired(&asked, &all, 10);
    assert_eq!(pairs.len(), 9);
    assert_eq!(pairs.iter().map(|pair| pair.place).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 7, 8, 9]);
    let kept = |time: GroupTime| {
        let pairs = pairs.iter().map(|pair| pair.timed(time));
        pairs.filter(|pair| pair.values.is_some()).map(|pair| pair.place).collect::<Vec<_>>()
    };
    assert_eq!(kept(GroupTime::Wall), [0, 1, 4, 5, 7, 8, 9]);
    assert_eq!(kept(GroupTime::Cpu), [0, 1, 4, 5, 7, 8, 9]);
}

#[test]
fn threads_begin_rows_of_their_own() {
    let asked = asked(false);
    let one = windows(&asked, |_, _| Window { thread: 7, ..Window::default() });
    let other = one.iter().map(|window| Window { thread: 3, ..*window }).take(6);
    let all: Vec<_> = one.iter().copied().chain(other).collect();
    let places: Vec<_> = paired(&asked, &all, 10).iter().map(|pair| pair.place).collect();
    assert_eq!(places, (0..3).chain(5..15).collect::<Vec<_>>());
}

#[test]
fn a_thread_that_waits_has_no_wall_time_by_windows() {
    let windows = |waiting_share| CostWindows {
        calls: 1,
        pairs: 100,
        uneven: 0,
        stopped: [0; 2],
        waiting_share,
        groups: Vec::new(),
    };
    assert_eq!(why_no_wall(&windows(Some(0.01))), None);
    assert!(why_no_wall(&windows(Some(0.4))).unwrap().contains("waits for 40 %"));
    assert!(why_no_wall(&windows(None)).unwrap().contains("does not say how long it ran"));
}
