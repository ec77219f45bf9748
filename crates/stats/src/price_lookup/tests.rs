//! Prices of recipe steps, of events and of counted calls, from short lists.

use super::*;
use fathom_model::{CallForm, CallOutcome, FileKind, FileState, ReachedBy, call_form};
use fathom_testkit::{estimate, price, priced, prices};

fn of(call: &str, form: CallForm) -> CallCondition {
    CallCondition::new(call, form)
}

/// A call of which nothing is known but this.
fn only(condition: CallCondition) -> Asked {
    Asked { condition, known: Known::Outcome }
}

fn whole(condition: CallCondition) -> Asked {
    Asked { condition, known: Known::State }
}

fn at_depth(depth: u32) -> Asked {
    only(of("openat", CallForm::default()).deep(depth))
}

fn of_size(size_bytes: usize) -> Asked {
    only(of("read", CallForm::default()).sized(size_bytes))
}

fn curve() -> Vec<Price> {
    let open = |depth, ns| priced(of("openat", call_form::READ_ONLY).deep(depth), ns);
    let read = |size, ns| priced(of("read", call_form::IN_ORDER).sized(size), ns);
    vec![open(4, 400.0), open(1, 100.0), read(1000, 100.0), read(2000, 300.0)]
}

fn ns(prices: &[Price], asked: &Asked) -> f64 {
    quote(prices, asked).unwrap().wall_ns.value
}

#[test]
fn depths_and_sizes_lie_on_lines_between_what_is_priced() {
    let prices = curve();
    for (depth, expected) in [(1, 100.0), (2, 200.0), (3, 300.0), (4, 400.0), (6, 600.0)] {
        assert!((ns(&prices, &at_depth(depth)) - expected).abs() < 1e-9, "{depth}");
    }
    let sizes = [(10, 100.0), (1000, 100.0), (1250, 150.0), (2000, 300.0), (4000, 700.0)];
    for (size, expected) in sizes {
        assert!((ns(&prices, &of_size(size)) - expected).abs() < 1e-9, "{size}");
    }
    let note = |size| quote(&prices, &of_size(size)).unwrap().remark();
    assert_eq!(note(1250), None);
    assert_eq!(note(10).unwrap(), "at 1000 B, the least priced");
    assert_eq!(note(4000).unwrap(), "extrapolated from 2000 B, the largest size measured");
}

#[test]
fn the_error_is_drawn_out_with_the_price() {
    let mut prices = curve();
    for (price, half) in prices.iter_mut().zip([4.0, 2.0, 1.0, 3.0]) {
        let value = price.wall_ns.value;
        price.wall_ns = estimate(value, Some((value - half, value + half)), 8);
    }
    let error = |asked: &Asked| half_width(&quote(&prices, asked).unwrap().wall_ns).unwrap();
    assert!((error(&of_size(1500)) - 2.0).abs() < 1e-9);
    assert!((error(&of_size(3000)) - (1.0 + 2.0 * 3.0)).abs() < 1e-9, "wider beyond the last");
    prices[3].wall_ns = estimate(300.0, None, 2);
    assert_eq!(half_width(&quote(&prices, &of_size(1500)).unwrap().wall_ns), None);
}

#[test]
fn the_errno_decides_before_anything_else() {
    let list = prices();
    let failed = |errno| quote(&list.prices, &Asked::bare("epoll_ctl", errno)).unwrap();
    assert_eq!(failed(Some("EPERM")).remark(), None);
    assert_eq!(failed(None).remark().unwrap(), "price of epoll_ctl=EPERM (EPOLL_CTL_ADD of a regular file)");
    let failing = |errno| only(at_depth(5).condition.failing(errno));
    let missing = failing("ENOENT");
    let (hit, miss) = (ns(&list.prices, &at_depth(5)), ns(&list.prices, &missing));
    assert!(miss < hit, "{miss} {hit}");
    let asked = failing("EACCES");
    let denied = quote(&list.prices, &asked).unwrap();
    assert!((denied.wall_ns.value - miss).abs() < 1e-9, "another failure is nearer than a success");
    assert!(denied.remark().unwrap().starts_with("price of openat=ENOENT"));
}

#[test]
fn a_kindred_call_stands_in_and_a_strange_one_has_no_price() {
    let list = prices();
    assert_eq!(quote(&list.prices, &Asked::bare("readlinkat", None)), None, "nor has its kin");
    let stand_in = quote(&list.prices, &of_size(4096).of_call("pread64")).unwrap();
    assert!(stand_in.remark().unwrap().starts_with("price of read"), "pread64 is not in the sample");
    assert_eq!(quote(&list.prices, &Asked::bare("landlock_create_ruleset", None)), None);
    assert_eq!(quote(&[], &at_depth(1)), None);
}

#[test]
fn a_call_priced_at_one_depth_walks_the_rest_as_a_plain_open_does() {
    let list = prices();
    let mut prices = list.prices.clone();
    prices.retain(|price| price.condition.form != call_form::CREATE_NEW);
    prices.push(priced(of("openat", call_form::CREATE_NEW).deep(1), 9_000.0));
    let made = whole(of("openat", call_form::CREATE_NEW).deep(4));
    let quoted = quote(&prices, &made).unwrap();
    assert!((quoted.wall_ns.value - (9_000.0 + 973.0 - 866.0)).abs() < 1e-9);
    assert!((half_width(&quoted.wall_ns).unwrap() - (90.0 + 9.73 + 8.66)).abs() < 1e-9);
    assert!(quoted.remark().unwrap().starts_with("priced at a path of 1"));
    // A path from the root has a price of its own, moved from its depth to this one.
    let from_root = of("openat", call_form::READ_ONLY_ABSOLUTE);
    prices.push(priced(from_root.clone().deep(8), 1_300.0));
    assert!((ns(&prices, &whole(from_root.deep(4))) - (1_300.0 + 973.0 - 1_113.0)).abs() < 1e-9);
    let below = whole(of("openat", call_form::READ_ONLY).deep(4));
    assert!((ns(&prices, &below) - 973.0).abs() < 1e-9);
    // And what beginning at the root costs more goes with every other path.
    let absolute = |form: CallForm| CallForm { by: Some(ReachedBy::AbsolutePath), ..form };
    let made = whole(of("openat", absolute(call_form::CREATE_NEW)).deep(4));
    let offset = 1_300.0 - 1_113.0;
    assert!((ns(&prices, &made) - (9_000.0 + 973.0 - 866.0 + offset)).abs() < 1e-9);
    let missing = only(of("openat", absolute(CallForm::default())).deep(4).failing("ENOENT"));
    assert!((ns(&prices, &missing) - (617.0 + offset)).abs() < 1e-9);
}

#[test]
fn of_two_calls_that_do_the_same_the_one_of_this_condition_is_taken() {
    let over = price("pwrite64", call_form::OVERWRITING, 300.0);
    let append = price("write", call_form::APPENDING, 900.0);
    let asked = whole(of("pwrite64", CallForm::default().of(FileState::Appending)));
    let prices = [over, append];
    let quoted = quote(&prices, &asked).unwrap();
    assert_eq!(
        (quoted.wall_ns.value > 899.0, quoted.remark().as_deref()),
        (true, Some("price of write (appending)"))
    );
}

#[test]
fn cold_prices_are_left_to_the_waiting() {
    let mut prices = curve();
    let cold = of("read", call_form::ONE_BY_ONE).sized(1500).cached(CacheState::Cold);
    prices.push(priced(cold, 60_000.0));
    assert!((ns(&prices, &of_size(1500)) - 200.0).abs() < 1e-9);
    let only_cold = [priced(of("major-fault", call_form::ONE_BY_ONE).cached(CacheState::Cold), 900.0)];
    assert!((ns(&only_cold, &Asked::bare("major-fault", None)) - 900.0).abs() < 1e-9);
}

#[test]
fn what_waits_is_told_by_its_two_times() {
    let both = |wall: f64, cpu: f64| {
        let around = |value: f64| estimate(value, Some((value - 5.0, value + 5.0)), 8);
        let price = Price {
            wall_ns: around(wall),
            cpu_ns: around(cpu),
            ..price("fsync", call_form::ONE_DIRTY_PAGE, wall)
        };
        quote(&[price], &Asked::bare("fsync", None)).unwrap().waits()
    };
    assert!(both(1000.0, 100.0));
    assert!(!both(1000.0, 950.0), "a twentieth is how clocks differ");
    assert!(!both(20.0, 12.0), "within the errors");
}

fn counted(call: &str, outcome: CallOutcome, flags: &str, place: (Option<u32>, Option<u64>)) -> CountedCalls {
    CountedCalls {
        call: call.to_owned(),
        outcome,
        flags: flags.to_owned(),
        path_components: place.0,
        size_class_bytes: place.1.map(|bytes| if bytes == 0 { 0 } else { bytes.next_power_of_two() }),
        on: None,
        bytes: 2 * place.1.unwrap_or(0),
        count: 2,
    }
}

fn done(call: &str, flags: &str, place: (Option<u32>, Option<u64>)) -> CountedCalls {
    counted(call, CallOutcome::Succeeded, flags, place)
}

fn failed(call: &str, errno: &str, flags: &str, depth: Option<u32>) -> CountedCalls {
    counted(call, CallOutcome::Failed(errno.to_owned()), flags, (depth, None))
}

/// What a place has, in short.
fn of_counted() -> Vec<Price> {
    let at = |depth, price: Price| Price { condition: price.condition.deep(depth), ..price };
    let of = |size, price: Price| Price { condition: price.condition.sized(size), ..price };
    let failing = |errno: &str, price: Price| Price { condition: price.condition.failing(errno), ..price };
    let cold = |price: Price| Price { condition: price.condition.cached(CacheState::Cold), ..price };
    vec![
        price("close", call_form::AFTER_TRUNCATING, 7000.0),
        price("close", call_form::AFTER_READING, 200.0),
        price("fcntl", call_form::GET_FLAGS, 90.0),
        price("fsync", call_form::CLEAN, 3000.0),
        price("futex", call_form::WAKE_NOBODY, 120.0),
        price("lseek", call_form::SEEK_SET, 110.0),
        of(4096, price("mmap", call_form::MAP_FILE, 1000.0)),
        of(65_536, price("mmap", call_form::MAP_FILE, 800.0)),
        price("newfstatat", call_form::EMPTY_PATH, 180.0),
        at(1, price("newfstatat", call_form::BY_PATH, 330.0)),
        at(1, price("openat", call_form::CREATE_EXISTING, 460.0)),
        at(1, price("openat", call_form::CREATE_NEW, 9000.0)),
        at(1, price("openat", call_form::CREATE_TRUNCATE, 8000.0)),
        at(5, price("openat", call_form::READ_ONLY_ABSOLUTE, 5000.0)),
        at(1, price("openat", call_form::READ_ONLY, 1000.0)),
        at(4, price("openat", call_form::READ_ONLY, 1300.0)),
        at(1, failing("ENOENT", price("openat", call_form::READ_ONLY, 500.0))),
        at(3, failing("ENOENT", price("openat", call_form::READ_ONLY, 600.0))),
        of(0, price("read", call_form::AT_END, 100.0)),
        of(512, price("read", call_form::IN_ORDER, 150.0)),
        of(4096, price("read", call_form::IN_ORDER, 500.0)),
        of(8, price("read", call_form::OF_EVENTFD, 10.0)),
        price("close", call_form::OF_EPOLL, 900.0),
        failing("ENOTTY", price("ioctl", call_form::TERMINAL_SETTINGS, 95.0)),
        price("getdents64", call_form::FEW_NAMES, 2000.0),
        cold(of(4096, price("read", call_form::ONE_BY_ONE, 60_000.0))),
    ]
}

#[test]
fn counted_calls_are_priced_at_their_depth_mean_size_and_kind() {
    let list = of_counted();
    let check = |counted: CountedCalls, ns: f64, note: Option<&str>| {
        let quoted = quote_counted(&list, &counted).unwrap();
        assert!((quoted.wall_ns.value - ns).abs() < 1e-9, "{counted:?} {quoted:?}");
        assert_eq!((quoted.note.as_deref(), quoted.is_of_another), (note, false), "{counted:?}");
    };
    let open = |depth| done("openat", "O_RDONLY", (Some(depth), None));
    check(open(1), 1000.0, None);
    check(open(0), 1000.0, None);
    check(open(2), 1100.0, None);
    check(open(7), 1600.0, None);
    check(failed("openat", "ENOENT", "O_RDONLY", Some(2)), 550.0, None);
    let walked = Some("priced at a path of 1, the rest of it as openat walks it");
    check(done("openat", "O_WRONLY|O_CREAT|O_EXCL", (Some(1), None)), 9000.0, None);
    check(done("openat", "O_WRONLY|O_CREAT|new", (Some(2), None)), 9100.0, walked);
    check(done("openat", "O_WRONLY|O_CREAT|O_TRUNC|existing", (Some(1), None)), 8000.0, None);
    check(done("newfstatat", "", (Some(1), None)), 330.0, None);
    check(done("newfstatat", "AT_EMPTY_PATH", (Some(0), None)), 180.0, None);
    let read = |bytes| done("read", "", (None, Some(bytes)));
    check(read(0), 100.0, None);
    check(read(8), 150.0, Some("at 512 B, the least priced"));
    check(read(2304), 325.0, None);
    check(read(4096), 500.0, None);
    check(read(1 << 20), 102_500.0, Some("extrapolated from 4096 B, the largest size measured"));
    check(done("mmap", "", (None, Some(1 << 20))), 800.0, Some("at 65536 B, the largest size measured"));
    check(done("close", "", (None, None)), 200.0, None);
    check(done("fsync", "", (None, None)), 3000.0, Some(UNKNOWN_DIRTY));
    check(done("fsync", "clean", (None, None)), 3000.0, None);
    check(done("fcntl", "F_GETFL", (None, None)), 90.0, None);
}

#[test]
fn other_flags_are_another_condition_and_told() {
    let list = of_counted();
    let other = |counted: CountedCalls| {
        let quoted = quote_counted(&list, &counted).unwrap();
        assert!(quoted.is_of_another, "{counted:?}");
        quoted.price.condition.form.clone()
    };
    assert_eq!(other(done("openat", "O_RDONLY|O_DIRECT", (Some(1), None))), call_form::READ_ONLY);
    assert_eq!(other(failed("openat", "ENOENT", "O_WRONLY|O_CREAT", Some(1))), call_form::READ_ONLY);
    assert_eq!(other(done("lseek", "SEEK_CUR", (None, None))), call_form::SEEK_SET);
}

#[test]
fn counted_calls_of_another_kind_or_outcome_have_no_price() {
    let list = of_counted();
    let none = |counted: CountedCalls| {
        assert_eq!(quote_counted(&list, &counted), None, "{counted:?}");
    };
    for flags in ["O_TRUNC|unwritten", "O_TRUNC", "O_APPEND"] {
        none(done("openat", &format!("O_WRONLY|O_CREAT|{flags}"), (Some(1), None)));
    }
    none(failed("openat", "EPERM", "O_RDONLY", Some(1)));
    none(failed("close", "EBADF", "", None));
    none(counted("read", CallOutcome::NeverReturned, "", (None, None)));
    none(done("fsync", "dirty|other-file-system", (None, None)));
    none(done("pread64", "", (None, Some(4096))));
    none(done("fcntl", "F_DUPFD_CLOEXEC", (None, None)));
    none(done("futex", "FUTEX_WAIT", (None, None)));
    none(done("mmap", "MAP_ANONYMOUS", (None, Some(4096))));
    none(done("getxattr", "", (Some(1), None)));
    let by_path: Vec<_> =
        list.into_iter().filter(|price| price.condition.form != call_form::EMPTY_PATH).collect();
    assert_eq!(quote_counted(&by_path, &done("newfstatat", "AT_EMPTY_PATH", (Some(0), None))), None);
}

#[test]
fn what_is_no_regular_file_has_the_price_of_its_kind_or_none() {
    let list = of_counted();
    let ns = |counted: &CountedCalls, on| {
        let counted = CountedCalls { on: Some(on), ..counted.clone() };
        quote_counted(&list, &counted).map(|quoted| quoted.wall_ns.value)
    };
    let kinds = [FileKind::Regular, FileKind::Directory, FileKind::Eventfd, FileKind::Epoll, FileKind::Other];
    let check = |counted: CountedCalls, expected: [Option<f64>; 5]| {
        assert_eq!(kinds.map(|on| ns(&counted, on)), expected, "{counted:?}");
    };
    let regular = |ns| [Some(ns), None, None, None, None];
    check(done("read", "", (None, Some(512))), [Some(150.0), None, Some(10.0), None, None]);
    check(done("close", "", (None, None)), [Some(200.0), None, None, Some(900.0), None]);
    check(done("mmap", "", (None, Some(4096))), regular(1000.0));
    check(done("lseek", "SEEK_SET", (None, None)), regular(110.0));
    check(done("fsync", "", (None, None)), regular(3000.0));
    check(done("newfstatat", "AT_EMPTY_PATH", (Some(0), None)), regular(180.0));
    check(failed("ioctl", "ENOTTY", "TCGETS", None), regular(95.0));
    check(done("getdents64", "", (None, Some(600))), [None, Some(2000.0), None, None, None]);
}

#[test]
fn a_call_without_prices_is_priced_as_the_one_that_does_the_same() {
    let mut list = of_counted();
    list.push(priced(of("writev", call_form::OVERWRITING).sized(4096), 800.0));
    let check = |counted: CountedCalls, ns: f64| {
        let quoted = quote_counted(&list, &counted).unwrap();
        assert!((quoted.wall_ns.value - ns).abs() < 1e-9 && quoted.is_of_another, "{counted:?} {quoted:?}");
    };
    check(done("open", "O_RDONLY", (Some(1), None)), 1000.0);
    check(failed("open", "ENOENT", "O_RDONLY", Some(1)), 500.0);
    check(done("lstat", "", (Some(1), None)), 330.0);
    check(done("io_uring:openat", "O_RDONLY", (Some(1), None)), 1000.0);
    check(done("io_uring:read", "", (None, Some(4096))), 500.0);
    check(done("pwritev2", "", (None, Some(4096))), 800.0);
    assert_eq!(quote_counted(&list, &done("mkdir", "", (Some(1), None))), None);
    // Operations of a ring that have prices have no other; what was not priced of them is the call's.
    list.push(priced(of("io_uring:openat", call_form::READ_ONLY).deep(1), 640.0));
    let ns = |counted: &CountedCalls| quote_counted(&list, counted).map(|quoted| quoted.wall_ns.value);
    assert_eq!(ns(&done("io_uring:openat", "O_RDONLY", (Some(1), None))), Some(640.0));
    assert_eq!(ns(&done("io_uring:openat2", "O_RDONLY", (Some(1), None))), Some(640.0));
    assert_eq!(ns(&failed("io_uring:openat", "ENOENT", "O_RDONLY", Some(1))), Some(500.0));
    // One that has prices of its own is never another's.
    assert_eq!(quote_counted(&list, &failed("close", "EBADF", "", None)), None);
}

#[test]
fn what_is_dirty_is_priced_as_dirty() {
    let mut list = of_counted();
    list.push(priced(of("fsync", call_form::ONE_DIRTY_PAGE).sized(4096), 340_000.0));
    let ns = |word: &str| quote_counted(&list, &done("fsync", word, (None, None))).unwrap().wall_ns.value;
    assert_eq!((ns("dirty"), ns("clean")), (340_000.0, 3000.0));
}

#[test]
fn memory_that_is_given_back_has_no_price_of_a_file() {
    let list = [
        priced(of("munmap", call_form::TOUCHED_FILE).sized(4096), 2800.0),
        priced(of("munmap", call_form::TOUCHED_FILE).sized(1 << 20), 5600.0),
        priced(of("munmap", call_form::TOUCHED_MEMORY).sized(1 << 20), 77_000.0),
    ];
    let ns = |word: &str| {
        let quoted = quote_counted(&list, &done("munmap", word, (None, Some(4096))));
        quoted.map(|quoted| quoted.wall_ns.value)
    };
    assert_eq!((ns("MAP_FILE"), ns("MAP_ANONYMOUS"), ns("")), (Some(2800.0), None, None));
}

#[test]
fn a_large_mapping_is_no_dearer_to_make() {
    let list = [
        priced(of("mmap", call_form::MAP_ANONYMOUS).sized(4096), 1200.0),
        priced(of("mmap", call_form::MAP_ANONYMOUS).sized(1 << 20), 1500.0),
    ];
    let quoted = quote_counted(&list, &done("mmap", "MAP_ANONYMOUS", (None, Some(1 << 29)))).unwrap();
    assert!((quoted.wall_ns.value - 1500.0).abs() < 1.0, "{quoted:?}");
    assert_eq!(quoted.note.as_deref(), Some("at 1048576 B, the largest size measured"));
}

#[test]
fn directories_and_descriptor_flags_have_prices_of_their_own() {
    let list = [
        price("fstat", call_form::BY_DESCRIPTOR, 400.0),
        price("fstat", call_form::OF_OPEN_DIRECTORY, 300.0),
        price("close", call_form::AFTER_READING, 200.0),
        price("close", call_form::OF_CLOSED_DIRECTORY, 500.0),
        price("fcntl", call_form::SET_DESCRIPTOR_FLAGS, 90.0),
        price("fcntl", call_form::GET_FLAGS, 80.0),
    ];
    let ns = |call: &str, flags: &str, on| {
        let counted = CountedCalls { on, ..done(call, flags, (None, None)) };
        quote_counted(&list, &counted).map(|quoted| quoted.wall_ns.value)
    };
    let (file, directory) = (Some(FileKind::Regular), Some(FileKind::Directory));
    assert_eq!((ns("fstat", "", file), ns("fstat", "", directory)), (Some(400.0), Some(300.0)));
    assert_eq!((ns("close", "", file), ns("close", "", directory)), (Some(200.0), Some(500.0)));
    assert_eq!((ns("fcntl", "F_SETFD", directory), ns("fcntl", "F_SETFD", None)), (Some(90.0), Some(90.0)));
    assert_eq!(ns("fcntl", "F_GETFD", file), None);
}

#[test]
fn what_was_priced_keeps_its_own_interval() {
    let mut list = of_counted();
    let lopsided = estimate(500.0, Some((490.0, 530.0)), 6);
    let wanted = of("read", call_form::IN_ORDER).sized(4096);
    list.iter_mut().find(|price| price.condition == wanted).unwrap().wall_ns = lopsided;
    let read = |bytes| quote_counted(&list, &done("read", "", (None, Some(bytes)))).unwrap().wall_ns;
    assert_eq!(read(4096), lopsided);
    let between = read(2304);
    assert_eq!(between.forks, 6, "no more than either has");
    let (low, high) = between.interval().unwrap();
    let half = f64::midpoint(1.5, 30.0);
    assert!((low - (325.0 - half)).abs() < 1e-9 && (high - (325.0 + half)).abs() < 1e-9, "{between:?}");
}
