//! A sample price list: what calls and faults cost on the sample machine.

use crate::machine::{directory_place, environment, floors, quiet_noise};
use crate::parts::estimate;
use fathom_model::{
    CacheState::{Cold, Warm},
    CallCondition, CallForm, Price, PriceList, Reading, SCHEMA_VERSION, Unpriced, call_form as what,
};

/// Calls that succeed and whose price depends on nothing.
const PLAIN: [(&str, CallForm, f64); 8] = [
    ("close", what::AFTER_READING, 391.0),
    ("close", what::AFTER_WRITING, 455.0),
    ("fcntl", what::GET_FLAGS, 146.0),
    ("fcntl", what::SET_FLAGS, 171.0),
    ("fstat", what::BY_DESCRIPTOR, 181.0),
    ("newfstatat", what::EMPTY_PATH, 236.0),
    ("lseek", what::SEEK_SET, 144.0),
    ("openat", what::CREATE_NEW, 9_830.0),
];

/// Walks of `depth` components.
const BY_DEPTH: [(u32, f64, f64); 6] = [
    (1, 866.0, 512.0),
    (2, 901.0, 547.0),
    (4, 973.0, 617.0),
    (8, 1_113.0, 757.0),
    (16, 1_398.0, 1_040.0),
    (32, 1_969.0, 1_611.0),
];

/// Reads from the page cache.
const BY_SIZE: [(usize, f64); 6] = [
    (512, 262.0),
    (4096, 331.0),
    (16_384, 660.0),
    (65_536, 2_240.0),
    (262_144, 9_410.0),
    (1 << 20, 39_900.0),
];

/// The price of a call that succeeds, without path and size.
pub fn price(call: &str, form: CallForm, ns: f64) -> Price {
    priced(CallCondition::new(call, form), ns)
}

/// A price, 1 % wide, all of it on a CPU.
pub fn priced(condition: CallCondition, ns: f64) -> Price {
    let around = estimate(ns, Some((ns * 0.99, ns * 1.01)), 8);
    Price { condition, wall_ns: around, cpu_ns: around }
}

/// The prices of a directory on ext4, taken the day before the sample records.
pub fn prices() -> PriceList {
    PriceList {
        schema_version: SCHEMA_VERSION,
        fathom_version: "0.1.0".into(),
        created: "2026-11-19T08:30:00Z".into(),
        environment: environment(),
        floors: Reading::Value(floors()),
        noise: Reading::Value(quiet_noise(11.0)),
        place: directory_place("/var/tmp"),
        processes: 8,
        prices: all(),
        unpriced: vec![Unpriced { call: "openat O_DIRECT".into(), reason: "EINVAL".into() }],
    }
}

fn all() -> Vec<Price> {
    let of = |call: &str, form| CallCondition::new(call, form);
    let mut prices: Vec<_> = PLAIN.into_iter().map(|(call, form, ns)| price(call, form, ns)).collect();
    prices.push(priced(of("epoll_ctl", what::EPOLL_ADD_FILE).failing("EPERM"), 187.0));
    for (depth, hit, miss) in BY_DEPTH {
        let open = of("openat", what::READ_ONLY).deep(depth);
        prices.push(priced(open.clone(), hit));
        prices.push(priced(open.failing("ENOENT"), miss));
    }
    for (size, ns) in BY_SIZE {
        prices.push(priced(of("read", what::IN_ORDER).sized(size).cached(Warm), ns));
    }
    prices.push(priced(of("read", what::AT_END).sized(0), 171.0));
    let waiting = estimate(58_300.0, Some((55_100.0, 62_000.0)), 8);
    let flush = estimate(14_200.0, Some((13_800.0, 14_700.0)), 8);
    prices.extend([
        priced(of("minor-fault-file", what::MAPPED_READ), 1_180.0),
        priced(of("minor-fault-anonymous", what::MEMORY_WRITE), 640.0),
        Price { wall_ns: waiting, ..priced(of("major-fault", what::ONE_BY_ONE).cached(Cold), 5_310.0) },
        priced(of("page-cache-fill", what::READ_AHEAD).cached(Cold), 412.0),
        Price {
            wall_ns: estimate(412_000.0, None, 2),
            cpu_ns: flush,
            ..priced(of("fsync", what::ONE_DIRTY_PAGE), 0.0)
        },
    ]);
    prices
}
