//! What the kernel counts of a running process: from `/proc`, from perf events
//! and from tracepoints; and of the device and the machine below it. Which
//! counters there are stands in `catalog`; what cannot be had says why.

mod block;
mod catalog;
mod descriptor_room;
mod machine;
mod perf_counter;
mod request_sizes;
mod task_files;
mod tracepoints;

pub use request_sizes::{OutsideReads, RequestLog, Requester};
pub use tracepoints::release_tracepoints;

use crate::device_io;
use crate::device_io::wait_until_idle;
use catalog::Counted;
use descriptor_room::DescriptorRoom;
use fathom_model::{CounterUnit, Reading, Scope};
use std::collections::BTreeSet;
use std::time::Duration;
use task_files::{TaskFiles, threads_of};

/// How often the threads may change while they are being attached to.
const ATTEMPTS: usize = 5;

/// A device that is busy for so long is busy for others.
const IDLE_LIMIT: Duration = Duration::from_millis(5);

/// One counter's value since the set was attached, or since whenever the kernel
/// counts it from: differences of two readings are what counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterReading<T = u64> {
    /// A name of `counter_name`, or a tracepoint's own.
    pub name: String,
    /// Where it was read.
    pub source: String,
    /// Whose doings.
    pub scope: Scope,
    /// In what.
    pub unit: CounterUnit,
    /// The value.
    pub value: Reading<T>,
}

/// Counters of one process, all its threads, and all threads and children that
/// it starts from now on; of the device below its files; and of the machine.
///
/// Those of perf events can still be read after the process has ended; what
/// threads and children counted is in the sum, I/O at their exit included.
#[derive(Debug)]
pub struct CounterSet {
    files: TaskFiles,
    task: Vec<Counted>,
    device: Option<String>,
    on_device: Vec<Counted>,
    _room: DescriptorRoom,
}

impl CounterSet {
    /// Attaches to a process that rests, or is stopped at its exec. `device` is the number
    /// of the device below its files (`254:0`), whose I/O is counted for everybody.
    pub fn attach(pid: u32, device: Option<&str>) -> Self {
        Self::attach_with_files(pid, device, &[])
    }

    /// The same, and pages of the files with these inode numbers by themselves.
    pub fn attach_with_files(pid: u32, device: Option<&str>, inodes: &[u64]) -> Self {
        let room = DescriptorRoom::make();
        Self {
            task: attach_to_threads(pid, inodes),
            files: TaskFiles::new(pid),
            device: device.map(str::to_owned),
            on_device: catalog::on_device(device),
            _room: room,
        }
    }

    /// Everything, now.
    pub fn read(&mut self) -> Vec<CounterReading> {
        let mut readings = machine::read();
        readings.extend(self.read_device());
        readings.extend(self.read_task());
        readings
    }

    /// What the process did.
    pub fn read_task(&mut self) -> Vec<CounterReading> {
        let mut readings: Vec<_> = self.task.iter_mut().map(Counted::read).collect();
        readings.extend(self.files.read());
        readings
    }

    /// What the device did, for everybody. Whoever waited for a request is woken a moment
    /// before it is in the device's statistics, hence a short wait until none is in flight.
    pub fn read_device(&mut self) -> Vec<CounterReading> {
        if let Some(number) = &self.device {
            wait_until_idle(number, IDLE_LIMIT);
        }
        let mut readings: Vec<_> = self.on_device.iter_mut().map(Counted::read).collect();
        if let Some(number) = &self.device {
            readings.extend(device_statistics(number));
        }
        readings
    }

    /// What the whole machine keeps.
    pub fn read_machine(&mut self) -> Vec<CounterReading> {
        machine::read()
    }
}

/// What counters there are for this user: a name and `Ok`, or the reason. For a look at a machine.
pub fn counter_survey() -> Vec<(&'static str, Result<String, String>)> {
    catalog::survey()
}

/// The counters on all threads. A thread that starts meanwhile may or may not have
/// inherited them, so then all is done again.
fn attach_to_threads(pid: u32, inodes: &[u64]) -> Vec<Counted> {
    let mut before = threads_of(pid);
    for _ in 0..ATTEMPTS {
        let threads = match &before {
            Ok(threads) => numbers(threads),
            Err(_) => Vec::new(),
        };
        let counted = catalog::on_task(&threads, inodes);
        let after = threads_of(pid);
        if before == after {
            return counted;
        }
        before = after;
    }
    catalog::on_no_task(inodes, "its threads come and go too fast to be attached to")
}

fn numbers(threads: &BTreeSet<u32>) -> Vec<i32> {
    threads.iter().filter_map(|&thread| i32::try_from(thread).ok()).collect()
}

fn device_statistics(number: &str) -> Vec<CounterReading> {
    let io = device_io(number);
    let source = format!("/sys/dev/block/{number}/stat");
    let of = |name: &str, unit, value: fn(crate::DeviceIo) -> u64| CounterReading {
        name: name.to_owned(),
        source: source.clone(),
        scope: Scope::Device,
        unit,
        value: io.clone().map(value),
    };
    vec![
        of("device-reads", CounterUnit::Events, |io| io.reads),
        of("device-read-bytes", CounterUnit::Bytes, |io| io.read_bytes),
        of("device-writes", CounterUnit::Events, |io| io.writes),
        of("device-written-bytes", CounterUnit::Bytes, |io| io.written_bytes),
        of("device-merges", CounterUnit::Events, |io| io.merges),
        of("device-discards", CounterUnit::Events, |io| io.discards),
        of("device-flushes", CounterUnit::Events, |io| io.flushes),
    ]
}

#[cfg(test)]
mod tests;
