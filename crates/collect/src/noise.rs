//! What disturbed the machine between two moments: load, steal, pressure, dropped caches.

use crate::pressure::{Resource, stalled_us};
use crate::source::{self, parsed};
use fathom_model::{Noise, Reading};
use fathom_sys::clock;

/// The kernel's running totals at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct NoiseSnapshot {
    taken_ns: u64,
    load_average: Reading<f64>,
    cpu: Reading<CpuTicks>,
    cpu_stall_us: Reading<u64>,
    io_stall_us: Reading<u64>,
    cache_drops: Reading<u64>,
}

impl NoiseSnapshot {
    /// Reads the totals now.
    pub fn take() -> Self {
        Self {
            taken_ns: clock::monotonic_ns(),
            load_average: parsed(source::text("/proc/loadavg"), load_average),
            cpu: parsed(source::text("/proc/stat"), CpuTicks::parse),
            cpu_stall_us: stalled_us(Resource::Cpu),
            io_stall_us: stalled_us(Resource::Io),
            cache_drops: parsed(source::text("/proc/vmstat"), cache_drops),
        }
    }
}

/// What happened between the snapshot `a` and the later `b`. Cache drops
/// include those that Fathom made itself.
pub fn noise_between(a: &NoiseSnapshot, b: &NoiseSnapshot) -> Noise {
    let elapsed_ns = b.taken_ns.saturating_sub(a.taken_ns);
    let stalled = |from: &Reading<u64>, to: &Reading<u64>| {
        both(from, to, |from, to| share(to.saturating_sub(*from).saturating_mul(1000), elapsed_ns))
    };
    Noise {
        load_average_start: a.load_average.clone(),
        load_average_end: b.load_average.clone(),
        steal_share: both(&a.cpu, &b.cpu, |a, b| share(b.steal.saturating_sub(a.steal), b.since(*a))),
        busy_share: both(&a.cpu, &b.cpu, |a, b| share(b.busy.saturating_sub(a.busy), b.since(*a))),
        cpu_pressure_share: stalled(&a.cpu_stall_us, &b.cpu_stall_us),
        io_pressure_share: stalled(&a.io_stall_us, &b.io_stall_us),
        cache_drops: both(&a.cache_drops, &b.cache_drops, |a, b| Ok(b.saturating_sub(*a))),
        seconds: elapsed_ns as f64 / 1e9,
    }
}

/// CPU time of all CPUs since boot, in clock ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CpuTicks {
    total: u64,
    busy: u64,
    steal: u64,
}

impl CpuTicks {
    /// The line `cpu  user nice system idle iowait irq softirq steal guest guest_nice`;
    /// guest time is part of user time already.
    fn parse(stat: &str) -> Result<Self, String> {
        let line =
            stat.lines().find_map(|line| line.strip_prefix("cpu ")).ok_or("/proc/stat: no line cpu")?;
        let ticks: Vec<u64> = line.split_whitespace().take(8).map_while(|word| word.parse().ok()).collect();
        let &[user, nice, system, idle, iowait, irq, softirq, steal] = ticks.as_slice() else {
            return Err(format!("/proc/stat: not eight numbers: {line}"));
        };
        let busy = user + nice + system + irq + softirq + steal;
        Ok(Self { total: busy + idle + iowait, busy, steal })
    }

    fn since(self, earlier: Self) -> u64 {
        self.total.saturating_sub(earlier.total)
    }
}

fn load_average(text: &str) -> Result<f64, String> {
    let word = text.split_whitespace().next().unwrap_or_default();
    word.parse().map_err(|_| format!("/proc/loadavg: not a number: {word}"))
}

fn cache_drops(vmstat: &str) -> Result<u64, String> {
    let count = |key: &str| {
        let line = vmstat.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
        line.and_then(|value| value.trim().parse::<u64>().ok()).ok_or(format!("/proc/vmstat: no {key}"))
    };
    Ok(count("drop_pagecache")? + count("drop_slab")?)
}

fn both<T, U>(a: &Reading<T>, b: &Reading<T>, f: impl FnOnce(&T, &T) -> Result<U, String>) -> Reading<U> {
    match (a, b) {
        (Reading::Value(a), Reading::Value(b)) => f(a, b).into(),
        (Reading::Unavailable(reason), _) | (_, Reading::Unavailable(reason)) => {
            Reading::Unavailable(reason.clone())
        }
    }
}

fn share(part: u64, whole: u64) -> Result<f64, String> {
    if whole == 0 {
        return Err("too little time passed to tell".to_owned());
    }
    Ok((part as f64 / whole as f64).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(taken_ns: u64, stat: &str, stall: u64, drops: u64) -> NoiseSnapshot {
        NoiseSnapshot {
            taken_ns,
            load_average: Reading::Value(0.5),
            cpu: CpuTicks::parse(stat).into(),
            cpu_stall_us: Reading::Value(stall),
            io_stall_us: Reading::unavailable("no PSI"),
            cache_drops: Reading::Value(drops),
        }
    }

    #[test]
    fn shares_are_differences_over_the_time_between() {
        let a = snapshot(0, "cpu  100 0 50 800 50 0 0 0 0 0\n", 1_000, 3);
        let b = snapshot(2_000_000_000, "cpu  120 0 60 850 60 5 5 50 7 7\n", 501_000, 5);
        let noise = noise_between(&a, &b);
        let close = |reading: &Reading<f64>, value: f64| (reading.value().unwrap() - value).abs() < 1e-12;
        assert!(close(&noise.steal_share, 50.0 / 150.0), "{noise:?}");
        assert!(close(&noise.busy_share, 90.0 / 150.0), "{noise:?}");
        assert!(close(&noise.cpu_pressure_share, 0.25), "{noise:?}");
        assert_eq!(noise.io_pressure_share, Reading::unavailable("no PSI"));
        assert_eq!(noise.cache_drops, Reading::Value(2));
        assert!((noise.seconds - 2.0).abs() < 1e-12);
    }

    #[test]
    fn no_time_is_no_share() {
        let a = snapshot(5, "cpu  1 0 0 1 0 0 0 0\n", 0, 0);
        let noise = noise_between(&a, &a);
        assert!(noise.steal_share.value().is_none() && noise.cpu_pressure_share.value().is_none());
        assert_eq!(noise.cache_drops, Reading::Value(0));
    }

    #[test]
    fn literal_proc_text_is_understood() {
        assert_eq!(load_average("0.06 0.18 0.09 1/103 4711"), Ok(0.06));
        assert_eq!(cache_drops("nr_dirty 4\ndrop_pagecache 1\ndrop_slab 2\ndrop_slab_x 9\n"), Ok(3));
        assert!(cache_drops("drop_pagecache 1\n").is_err());
        assert!(CpuTicks::parse("cpu0 1 2 3 4 5 6 7 8\n").is_err());
        assert!(CpuTicks::parse("cpu  1 2 3\n").is_err());
    }

    #[test]
    fn this_machine_can_be_read_twice() {
        let first = NoiseSnapshot::take();
        std::thread::sleep(std::time::Duration::from_millis(30));
        let noise = noise_between(&first, &NoiseSnapshot::take());
        assert!(noise.seconds >= 0.03);
        assert!(noise.load_average_end.value().is_some());
        assert!(noise.busy_share.value().is_none_or(|share| (0.0..=1.0).contains(share)));
    }
}
