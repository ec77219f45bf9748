//! Finds the price of a call under a condition: the priced condition that is
//! nearest, and between its depths or sizes a straight line. Says where the
//! price is not quite that of the call.

use super::condition::{Condition, is_absolute_price, price_words};
use super::curve::{Amount, Opens, on_curve};
use fathom_model::{CacheState, Price};
use std::collections::BTreeSet;

/// Above this share of its time, a call is taken to wait for something.
const WAITING_SHARE: f64 = 0.1;

/// The price of one call.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Quote {
    pub(super) wall: Amount,
    pub(super) cpu: Amount,
    /// Where it is not the price of this very condition.
    pub(super) note: Option<String>,
}

impl Quote {
    /// True when part of the time passes without a CPU.
    pub(super) fn waits(&self) -> bool {
        let apart = self.wall.ns - self.cpu.ns;
        let error = self.wall.error_ns.unwrap_or(0.0) + self.cpu.error_ns.unwrap_or(0.0);
        apart > WAITING_SHARE * self.wall.ns && apart > error
    }
}

/// The price of a call, or `None` when nothing like it has one.
pub(super) fn quote(prices: &[Price], condition: &Condition<'_>) -> Option<Quote> {
    let kin = kin(condition.call);
    let kinship = |price: &Price| {
        let is_own = price.call == condition.call;
        if is_own { Some(0) } else { kin.iter().position(|call| price.call == *call).map(|at| at + 1) }
    };
    let is_cold = |price: &&Price| price.cache == Some(CacheState::Cold);
    let known: Vec<_> = prices.iter().filter(|price| kinship(price).is_some()).collect();
    let only_cold = known.iter().all(is_cold);
    let known: Vec<_> = known.into_iter().filter(|price| only_cold || !is_cold(price)).collect();
    let rank = |price: &&Price| {
        let outcome = outcome_distance(price, condition);
        (outcome, word_distance(price, condition), kinship(price), reach(price, condition))
    };
    let nearest = known.iter().copied().min_by_key(rank)?;
    let curve: Vec<_> = known
        .into_iter()
        .filter(|price| {
            (&price.call, &price.errno, &price.what) == (&nearest.call, &nearest.errno, &nearest.what)
        })
        .collect();
    let (wall, cpu, off_curve) = on_curve(&curve, condition, &Opens::among(prices));
    let differs = outcome_distance(nearest, condition) > 0
        || (condition.words.is_some() && word_distance(nearest, condition) > 0);
    let other_condition =
        (nearest.call != condition.call || differs).then(|| format!("price of {}", described(nearest)));
    let notes: Vec<_> = [other_condition, off_curve].into_iter().flatten().collect();
    Some(Quote { wall, cpu, note: (!notes.is_empty()).then(|| notes.join(", ")) })
}

/// Calls that do nearly the same, nearest first.
fn kin(call: &str) -> &'static [&'static str] {
    match call {
        "open" | "openat2" => &["openat"],
        "creat" | "openat" => &["openat", "open", "openat2"],
        "stat" | "lstat" | "fstat" | "fstatat64" => &["newfstatat", "statx"],
        "newfstatat" => &["statx", "stat", "fstat"],
        "statx" => &["newfstatat", "fstat"],
        "access" | "faccessat" => &["faccessat2", "faccessat", "access", "newfstatat"],
        "faccessat2" => &["faccessat", "access", "newfstatat"],
        "read" => &["pread64"],
        "pread64" => &["read"],
        "readv" | "preadv" => &["preadv2", "readv", "pread64", "read"],
        "preadv2" => &["readv", "pread64", "read"],
        "write" => &["pwrite64"],
        "pwrite64" => &["write"],
        "writev" | "pwritev" | "pwritev2" => &["pwrite64", "write"],
        "readlink" => &["readlinkat"],
        "readlinkat" => &["readlink"],
        "unlink" => &["unlinkat"],
        "unlinkat" => &["unlink"],
        "rename" | "renameat" | "renameat2" => &["renameat2", "renameat", "rename"],
        "mkdir" => &["mkdirat"],
        "mkdirat" => &["mkdir"],
        "symlink" => &["symlinkat"],
        "symlinkat" => &["symlink"],
        "fdatasync" => &["fsync"],
        "fsync" => &["fdatasync"],
        "dup2" | "dup3" => &["dup"],
        "getpid" | "getuid" | "geteuid" | "getgid" | "getegid" => &["getppid", "gettid"],
        "getppid" => &["gettid"],
        "gettid" => &["getppid"],
        _ => &[],
    }
}

/// Whether it ends in the same way tells more than anything else; another failure
/// is nearer to a failure than success is.
fn outcome_distance(price: &Price, condition: &Condition<'_>) -> u8 {
    match (price.errno.as_deref(), condition.errno) {
        (one, other) if one == other => 0,
        (Some(_), Some(_)) => 1,
        _ => 2,
    }
}

/// Words that one has and the other lacks. Where they are not known, the plainest is nearest.
fn word_distance(price: &Price, condition: &Condition<'_>) -> usize {
    let none = BTreeSet::new();
    let (priced, asked) = (price_words(price), condition.words.as_ref().unwrap_or(&none));
    priced.symmetric_difference(asked).count()
}

/// Among equals: a path that begins where it does, and what can be interpolated.
fn reach(price: &Price, condition: &Condition<'_>) -> (bool, bool) {
    let has_axis = match (condition.depth, condition.size_bytes) {
        (Some(_), _) => price.depth.is_some(),
        (None, Some(_)) => price.size_bytes.is_some(),
        (None, None) => true,
    };
    (is_absolute_price(price) != condition.is_absolute, !has_axis)
}

fn described(price: &Price) -> String {
    let outcome = price.errno.as_ref().map(|errno| format!("={errno}")).unwrap_or_default();
    let what = if price.what.is_empty() { String::new() } else { format!(" ({})", price.what) };
    format!("{}{outcome}{what}", price.call)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::price_what;
    use fathom_testkit::{estimate, price, prices};

    fn at_depth(depth: u32) -> Condition<'static> {
        Condition { depth: Some(depth), ..Condition::bare("openat", None) }
    }

    fn of_size(size_bytes: u64) -> Condition<'static> {
        Condition { size_bytes: Some(size_bytes), ..Condition::bare("read", None) }
    }

    fn curve() -> Vec<Price> {
        let open = |depth, ns| Price { depth: Some(depth), ..price("openat", "O_RDONLY", ns) };
        let read = |size, ns| Price { size_bytes: Some(size), ..price("read", price_what::IN_ORDER, ns) };
        vec![open(4, 400.0), open(1, 100.0), read(1000, 100.0), read(2000, 300.0)]
    }

    fn ns(prices: &[Price], condition: &Condition<'_>) -> f64 {
        quote(prices, condition).unwrap().wall.ns
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
        let note = |size| quote(&prices, &of_size(size)).unwrap().note;
        assert_eq!(note(1250), None);
        assert_eq!(note(10).unwrap(), "at 1000 B, the least priced");
        assert_eq!(note(4000).unwrap(), "drawn out from 2000 B, the most priced");
    }

    #[test]
    fn the_error_is_drawn_out_with_the_price() {
        let mut prices = curve();
        for (price, half) in prices.iter_mut().zip([4.0, 2.0, 1.0, 3.0]) {
            let value = price.wall_ns.value;
            price.wall_ns = estimate(value, Some((value - half, value + half)), 8);
        }
        let error = |condition: &Condition<'_>| quote(&prices, condition).unwrap().wall.error_ns.unwrap();
        assert!((error(&of_size(1500)) - 2.0).abs() < 1e-9);
        assert!((error(&of_size(3000)) - (1.0 + 2.0 * 3.0)).abs() < 1e-9, "wider beyond the last");
        prices[3].wall_ns = estimate(300.0, None, 2);
        assert_eq!(quote(&prices, &of_size(1500)).unwrap().wall.error_ns, None);
    }

    #[test]
    fn the_errno_decides_before_anything_else() {
        let list = prices();
        let failed = |errno| quote(&list.prices, &Condition::bare("epoll_ctl", errno)).unwrap();
        assert_eq!(failed(Some("EPERM")).note, None);
        assert_eq!(failed(None).note.unwrap(), "price of epoll_ctl=EPERM (EPOLL_CTL_ADD of a regular file)");
        let missing = Condition { errno: Some("ENOENT"), ..at_depth(5) };
        let (hit, miss) = (ns(&list.prices, &at_depth(5)), ns(&list.prices, &missing));
        assert!(miss < hit, "{miss} {hit}");
        let denied = Condition { errno: Some("EACCES"), ..at_depth(5) };
        let denied = quote(&list.prices, &denied).unwrap();
        assert!((denied.wall.ns - miss).abs() < 1e-9, "another failure is nearer than a success");
        assert!(denied.note.unwrap().starts_with("price of openat=ENOENT"));
    }

    #[test]
    fn a_kindred_call_stands_in_and_a_strange_one_has_no_price() {
        let list = prices();
        assert_eq!(quote(&list.prices, &Condition::bare("readlinkat", None)), None, "nor has its kin");
        let stand_in = quote(&list.prices, &Condition { call: "pread64", ..of_size(4096) }).unwrap();
        assert!(stand_in.note.unwrap().starts_with("price of read"), "pread64 is not in the sample");
        assert_eq!(quote(&list.prices, &Condition::bare("landlock_create_ruleset", None)), None);
        assert_eq!(quote(&[], &at_depth(1)), None);
    }

    #[test]
    fn a_call_priced_at_one_depth_walks_the_rest_as_a_plain_open_does() {
        let list = prices();
        let words = Some(["O_CREAT", "new"].into_iter().collect());
        let mut prices = list.prices.clone();
        prices.retain(|price| price.what != price_what::CREATE_NEW);
        prices.push(Price { depth: Some(1), ..price("openat", price_what::CREATE_NEW, 9_000.0) });
        let made = Condition { words, ..at_depth(4) };
        let quoted = quote(&prices, &made).unwrap();
        assert!((quoted.wall.ns - (9_000.0 + 973.0 - 866.0)).abs() < 1e-9);
        assert!((quoted.wall.error_ns.unwrap() - (90.0 + 9.73 + 8.66)).abs() < 1e-9);
        assert!(quoted.note.unwrap().starts_with("priced at a path of 1"));
        // A path from the root has a price of its own, moved from its depth to this one.
        let absolute = Price { depth: Some(8), ..price("openat", price_what::READ_ONLY_ABSOLUTE, 1_300.0) };
        prices.push(absolute);
        let from_root = Condition { is_absolute: true, words: Some(BTreeSet::new()), ..at_depth(4) };
        assert!((ns(&prices, &from_root) - (1_300.0 + 973.0 - 1_113.0)).abs() < 1e-9);
        assert!((ns(&prices, &Condition { is_absolute: false, ..from_root }) - 973.0).abs() < 1e-9);
        // And what beginning at the root costs more goes with every other path.
        let made = Condition { words: Some(["O_CREAT", "new"].into()), is_absolute: true, ..at_depth(4) };
        let offset = 1_300.0 - 1_113.0;
        assert!((ns(&prices, &made) - (9_000.0 + 973.0 - 866.0 + offset)).abs() < 1e-9);
        let missing = Condition { errno: Some("ENOENT"), is_absolute: true, ..at_depth(4) };
        assert!((ns(&prices, &missing) - (617.0 + offset)).abs() < 1e-9);
    }

    #[test]
    fn of_two_calls_that_do_the_same_the_one_of_this_condition_is_taken() {
        let over = price("pwrite64", price_what::OVERWRITING, 300.0);
        let append = price("write", price_what::APPENDING, 900.0);
        let asked = Condition { words: Some(["append"].into()), ..Condition::bare("pwrite64", None) };
        let quoted = quote(&[over, append], &asked).unwrap();
        assert_eq!(
            (quoted.wall.ns > 899.0, quoted.note.as_deref()),
            (true, Some("price of write (appending)"))
        );
    }

    #[test]
    fn cold_prices_are_left_to_the_waiting() {
        let mut prices = curve();
        let cold = Price {
            size_bytes: Some(1500),
            cache: Some(CacheState::Cold),
            ..price("read", "cold", 60_000.0)
        };
        prices.push(cold);
        assert!((ns(&prices, &of_size(1500)) - 200.0).abs() < 1e-9);
        let only_cold = [Price { cache: Some(CacheState::Cold), ..price("major-fault", "", 900.0) }];
        assert!((ns(&only_cold, &Condition::bare("major-fault", None)) - 900.0).abs() < 1e-9);
    }

    #[test]
    fn what_waits_is_told_by_its_two_times() {
        let both = |wall: f64, cpu: f64| {
            let around = |value: f64| estimate(value, Some((value - 5.0, value + 5.0)), 8);
            let price = Price { wall_ns: around(wall), cpu_ns: around(cpu), ..price("fsync", "dirty", wall) };
            quote(&[price], &Condition::bare("fsync", None)).unwrap().waits()
        };
        assert!(both(1000.0, 100.0));
        assert!(!both(1000.0, 950.0), "a twentieth is how clocks differ");
        assert!(!both(20.0, 12.0), "within the errors");
    }
}
