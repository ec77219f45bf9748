//! What `/proc` tells of a process: faults, switches, times, bytes. Nobody is
//! refused it for processes of their own. Where the kernel keeps a figure for
//! each thread only, those that are there are added up; once one has ended its
//! share cannot be had any more, which is then the reason.

use super::CounterReading;
use crate::{process_io, source};
use fathom_model::counter_name as name;
use fathom_model::{CounterUnit, Reading, Scope};
use rustix::param::clock_ticks_per_second;
use std::collections::BTreeSet;

/// A process that is looked at again and again.
#[derive(Debug)]
pub(super) struct TaskFiles {
    pid: u32,
    /// Threads seen so far.
    threads: BTreeSet<u32>,
}

/// What is kept for each thread.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct ThreadSums {
    voluntary: u64,
    involuntary: u64,
    cpu_ns: u64,
    run_queue_ns: u64,
}

impl TaskFiles {
    pub(super) fn new(pid: u32) -> Self {
        Self { pid, threads: threads_of(pid).unwrap_or_default() }
    }

    /// All of them, now.
    pub(super) fn read(&mut self) -> Vec<CounterReading> {
        let mut readings = Vec::new();
        let mut push = |name: &str, source: &str, unit, value| {
            let (name, source) = (name.to_owned(), source.to_owned());
            readings.push(CounterReading { name, source, scope: Scope::Task, unit, value });
        };
        let stat = self.stat();
        let tick_ms = 1000 / clock_ticks_per_second().max(1);
        let in_ticks = format!("/proc/PID/stat, in steps of {tick_ms} ms");
        for (field, name, source, unit) in [
            (MINFLT, name::RUSAGE_MINOR_FAULTS, "/proc/PID/stat", CounterUnit::Events),
            (MAJFLT, name::RUSAGE_MAJOR_FAULTS, "/proc/PID/stat", CounterUnit::Events),
            (UTIME, name::USER_TIME, in_ticks.as_str(), CounterUnit::Ns),
            (STIME, name::SYSTEM_TIME, in_ticks.as_str(), CounterUnit::Ns),
        ] {
            let scale = if unit == CounterUnit::Ns { tick_ms * 1_000_000 } else { 1 };
            push(name, source, unit, stat.clone().map(|fields| fields[field] * scale));
        }
        let sums = self.thread_sums();
        for (name, source, unit, of) in [
            (
                name::VOLUNTARY_SWITCHES,
                STATUS,
                CounterUnit::Events,
                (|s| s.voluntary) as fn(ThreadSums) -> u64,
            ),
            (name::INVOLUNTARY_SWITCHES, STATUS, CounterUnit::Events, |s| s.involuntary),
            (name::CPU_TIME, SCHEDSTAT, CounterUnit::Ns, |s| s.cpu_ns),
            (name::RUN_QUEUE_TIME, SCHEDSTAT, CounterUnit::Ns, |s| s.run_queue_ns),
        ] {
            push(name, source, unit, sums.clone().map(of));
        }
        let io = process_io(self.pid);
        push(name::READ_BYTES, "/proc/PID/io", CounterUnit::Bytes, io.clone().map(|io| io.read_bytes));
        push(name::WRITE_BYTES, "/proc/PID/io", CounterUnit::Bytes, io.clone().map(|io| io.write_bytes));
        push(
            "cancelled-write-bytes",
            "/proc/PID/io",
            CounterUnit::Bytes,
            io.map(|io| io.cancelled_write_bytes),
        );
        readings
    }

    fn stat(&self) -> Reading<[u64; 4]> {
        let path = format!("/proc/{}/stat", self.pid);
        source::parsed(source::text(&path), |text| stat_fields(text).ok_or(format!("{path}: {text}")))
    }

    fn thread_sums(&mut self) -> Reading<ThreadSums> {
        let sums = threads_of(self.pid).and_then(|now| {
            if !self.threads.is_subset(&now) {
                return Err(
                    "a thread has ended, and what it did is not among the others' any more".to_owned()
                );
            }
            let mut sums = ThreadSums::default();
            for &thread in &now {
                add_thread(&mut sums, &format!("/proc/{}/task/{thread}", self.pid))?;
            }
            self.threads = now;
            Ok(sums)
        });
        sums.into()
    }
}

/// The threads of a process.
pub(super) fn threads_of(pid: u32) -> Result<BTreeSet<u32>, String> {
    let folder = format!("/proc/{pid}/task");
    let failed = |error: std::io::Error| format!("{folder}: {error}");
    let mut threads = BTreeSet::new();
    for entry in std::fs::read_dir(&folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        threads.extend(name.to_str().and_then(|name| name.parse::<u32>().ok()));
    }
    Ok(threads)
}

const STATUS: &str = "/proc/PID/task/*/status";
const SCHEDSTAT: &str = "/proc/PID/task/*/schedstat";

/// Positions in what `stat_fields` returns.
const MINFLT: usize = 0;
const MAJFLT: usize = 1;
const UTIME: usize = 2;
const STIME: usize = 3;

/// Fields 10, 12, 14 and 15 of `/proc/PID/stat`. The second is a name in parentheses that may hold anything.
fn stat_fields(text: &str) -> Option<[u64; 4]> {
    let fields: Vec<_> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let at = |number: usize| fields.get(number - 3)?.parse().ok();
    Some([at(10)?, at(12)?, at(14)?, at(15)?])
}

fn add_thread(sums: &mut ThreadSums, folder: &str) -> Result<(), String> {
    let read = |file: &str| {
        let path = format!("{folder}/{file}");
        std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))
    };
    let status = read("status")?;
    let switches = |key: &str| {
        let value = source::field(&status, key).and_then(|value| value.parse::<u64>().ok());
        value.ok_or_else(|| format!("{folder}/status has no number {key}"))
    };
    sums.voluntary += switches("voluntary_ctxt_switches")?;
    sums.involuntary += switches("nonvoluntary_ctxt_switches")?;
    let schedstat = read("schedstat")?;
    let numbers: Vec<u64> = schedstat.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [cpu_ns, run_queue_ns, _] = numbers[..] else {
        return Err(format!("{folder}/schedstat: {}", schedstat.trim()));
    };
    sums.cpu_ns += cpu_ns;
    sums.run_queue_ns += run_queue_ns;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_and_spaces_shifts_no_field() {
        let text = "77 (a) b (c) S 1 77 77 0 -1 4194560 120 11 3 0 25 7 0 0 20 0 1 0 99 1 2 3";
        assert_eq!(stat_fields(text), Some([120, 3, 25, 7]));
        assert_eq!(stat_fields("77 (a) S 1"), None);
    }

    #[test]
    fn our_own_faults_grow_as_we_touch_memory() {
        let mut files = TaskFiles::new(std::process::id());
        let minor = |readings: &[CounterReading]| {
            let reading = readings.iter().find(|reading| reading.name == name::RUSAGE_MINOR_FAULTS).unwrap();
            *reading.value.value().unwrap()
        };
        let before = minor(&files.read());
        let mut pages = vec![0_u8; 16 << 20];
        pages.chunks_mut(4096).for_each(|page| page[0] = 1);
        // Pages of 2 MiB at most.
        assert!(minor(&files.read()) - before >= 8, "{}", pages.len());
    }

    #[test]
    fn the_share_of_a_thread_that_ended_is_not_left_out_in_silence() {
        let (ask, told) = std::sync::mpsc::channel::<()>();
        let thread = std::thread::spawn(move || told.recv().is_ok());
        let mut files = TaskFiles::new(std::process::id());
        ask.send(()).unwrap();
        assert!(thread.join().unwrap());
        // Other tests' threads may end too, which is the same.
        let Reading::Unavailable(reason) = files.thread_sums() else { panic!("a sum without it") };
        assert!(reason.contains("thread has ended") || reason.contains("No such"), "{reason}");
    }

    #[test]
    fn a_process_that_is_not_there_has_reasons() {
        let readings = TaskFiles::new(u32::MAX).read();
        assert!(!readings.is_empty());
        assert!(readings.iter().all(|reading| reading.value.value().is_none()));
    }
}
