//! Taking samples: one event for every thread and CPU, one ring for every CPU,
//! emptied while the process works.

use super::ProfileError;
use super::unwinding::{REGISTERS, RawSample, registers};
use fathom_sys::{affinity, perf_ring};
use perf_event::data::{Record, Sample};
use perf_event::events::Software;
use perf_event::{Builder, Counter, SampleFlag, Sampler};
use rustix::io::Errno;
use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity};
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;
use std::{fs, io};

/// Bytes of the user stack that are copied with a sample, for unwinding.
const STACK_BYTES: u32 = 16 << 10;
/// The ring of a CPU: as much as is given, between these.
const RING_BYTES_MAX: usize = 8 << 20;
const RING_BYTES_MIN: usize = 64 << 10;
/// How often the rings are emptied.
const EMPTYING_INTERVAL: Duration = Duration::from_millis(5);
/// Copied stacks are kept up to this; later samples have the kernel's own walk alone.
const KEPT_BYTES_MAX: usize = 128 << 20;
/// In a chain, what follows are addresses of the kernel.
const CONTEXT_KERNEL: u64 = 0u64.wrapping_sub(128);
/// Greater values in a chain are such marks, not addresses.
const CONTEXT_MAX: u64 = 0u64.wrapping_sub(4095);

/// Events and what they gave so far.
#[derive(Debug)]
pub(super) struct Sampling {
    pub(super) frequency_hz: u64,
    /// Why kernel frames are missing, when they are.
    pub(super) without_kernel: Option<String>,
    pub(super) lost: u64,
    rings: Vec<Ring>,
    /// The events that write into the ring of another.
    followers: Vec<Counter>,
    taken: Vec<RawSample>,
    kept_bytes: usize,
}

/// A sampler does not say what it is.
struct Ring(Sampler);

impl std::fmt::Debug for Ring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Ring").field(&self.0.as_raw_fd()).finish()
    }
}

impl Sampling {
    /// Attaches, with the kernel's frames where that is allowed.
    pub(super) fn attach(pid: u32, frequency_hz: u64) -> Result<Self, ProfileError> {
        let frequency_hz = sysctl("perf_event_max_sample_rate")
            .and_then(|text| text.parse().ok())
            .map_or(frequency_hz, |most: u64| frequency_hz.min(most));
        let mut attached = Self {
            frequency_hz,
            without_kernel: None,
            lost: 0,
            rings: Vec::new(),
            followers: Vec::new(),
            taken: Vec::new(),
            kept_bytes: 0,
        };
        match attached.open(pid, true) {
            Err(ProfileError::Refused { error, paranoid })
                if is(&error, Errno::ACCESS) || is(&error, Errno::PERM) =>
            {
                attached.rings.clear();
                attached.followers.clear();
                attached.open(pid, false)?;
                attached.without_kernel = Some(format!("kernel.perf_event_paranoid is {paranoid}"));
            }
            other => other?,
        }
        Ok(attached)
    }

    /// Samples while `work` runs.
    pub(super) fn during<T>(&mut self, cpus: &[u32], work: impl FnOnce() -> T) -> Result<T, ProfileError> {
        self.switch(true)?;
        let over = AtomicBool::new(false);
        let result = thread::scope(|scope| {
            let emptying = thread::Builder::new().spawn_scoped(scope, || {
                // Anywhere is good enough where a CPU is refused.
                let _best_effort = affinity::restrict_to(cpus);
                while !over.load(Ordering::Acquire) {
                    thread::park_timeout(EMPTYING_INTERVAL);
                    self.empty();
                }
            });
            let emptying = emptying.map_err(ProfileError::Thread)?;
            let _ending = Ending { over: &over, thread: emptying.thread().clone() };
            Ok::<T, ProfileError>(work())
        });
        self.switch(false)?;
        let result = result?;
        self.empty();
        Ok(result)
    }

    /// The samples so far.
    pub(super) fn taken(&self) -> &[RawSample] {
        &self.taken
    }

    /// An event per thread and CPU: with inheritance the kernel maps rings of
    /// events on one CPU only.
    fn open(&mut self, pid: u32, kernel: bool) -> Result<(), ProfileError> {
        let threads = threads_of(pid)?;
        for cpu in cpus_of(pid) {
            let mut ring: Option<Ring> = None;
            for &thread in &threads {
                let open = || event(thread, cpu, self.frequency_hz, kernel);
                let event = match open() {
                    // It has ended meanwhile.
                    Err(error) if is(&error, Errno::SRCH) => continue,
                    other => other.map_err(refused)?,
                };
                if let Some(ring) = &ring {
                    perf_ring::redirect(&event, &ring.0)?;
                    self.followers.push(event);
                } else {
                    ring = Some(with_ring(event, open)?);
                }
            }
            self.rings.extend(ring);
        }
        Ok(())
    }

    fn switch(&mut self, on: bool) -> Result<(), ProfileError> {
        let leaders = self.rings.iter_mut().map(|ring| &mut *ring.0);
        for event in self.followers.iter_mut().chain(leaders) {
            let switched = if on { event.enable() } else { event.disable() };
            switched.map_err(ProfileError::Switch)?;
        }
        Ok(())
    }

    /// Takes what the rings hold.
    fn empty(&mut self) {
        for Ring(ring) in &mut self.rings {
            while let Some(record) = ring.next_record() {
                match record.parse_record() {
                    Ok(Record::Sample(sample)) => {
                        let keep_stack = self.kept_bytes < KEPT_BYTES_MAX;
                        let sample = raw_sample(&sample, keep_stack);
                        self.kept_bytes += sample.stack.len();
                        self.taken.push(sample);
                    }
                    Ok(Record::Lost(lost)) => self.lost += lost.lost,
                    Ok(Record::LostSamples(lost)) => self.lost += lost.lost,
                    Ok(_) => {}
                    Err(_) => self.lost += 1,
                }
            }
        }
    }
}

/// Ends the thread that empties the rings, also when the work panics.
struct Ending<'a> {
    over: &'a AtomicBool,
    thread: Thread,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Release);
        self.thread.unpark();
    }
}

fn event(thread: i32, cpu: usize, frequency_hz: u64, kernel: bool) -> io::Result<Counter> {
    let mut builder = Builder::new(Software::CPU_CLOCK);
    builder
        .observe_pid(thread)
        .one_cpu(cpu)
        .inherit(true)
        .exclude_kernel(!kernel)
        .sample_frequency(frequency_hz)
        .sample(SampleFlag::CALLCHAIN);
    if REGISTERS != 0 {
        builder
            .sample(SampleFlag::REGS_USER | SampleFlag::STACK_USER)
            .sample_regs_user(REGISTERS)
            .sample_stack_user(STACK_BYTES);
    }
    builder.build()
}

/// Gives an event the largest ring that the kernel allows: without privileges it
/// counts against `kernel.perf_event_mlock_kb` and `RLIMIT_MEMLOCK`.
fn with_ring(event: Counter, again: impl Fn() -> io::Result<Counter>) -> Result<Ring, ProfileError> {
    let (mut event, mut bytes) = (event, RING_BYTES_MAX);
    loop {
        match event.sampled(bytes) {
            Ok(sampler) => return Ok(Ring(sampler)),
            Err(error) if bytes <= RING_BYTES_MIN => return Err(ProfileError::Ring(error)),
            Err(_too_large) => bytes /= 2,
        }
        event = again().map_err(refused)?;
    }
}

fn raw_sample(sample: &Sample<'_>, keep_stack: bool) -> RawSample {
    let mut raw = RawSample::default();
    let mut is_kernel = false;
    for &address in sample.callchain().unwrap_or_default() {
        match address {
            mark if mark > CONTEXT_MAX => is_kernel = mark == CONTEXT_KERNEL,
            _ if is_kernel => raw.kernel.push(address),
            _ => raw.user.push(address),
        }
    }
    if keep_stack {
        raw.registers = sample.regs_user().and_then(|sampled| registers(&sampled.regs));
        raw.stack = sample.stack_user().unwrap_or_default().to_vec();
    }
    raw
}

fn threads_of(pid: u32) -> Result<Vec<i32>, ProfileError> {
    let path = format!("/proc/{pid}/task");
    let entries = fs::read_dir(&path).map_err(|error| ProfileError::Process { path, error })?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    Ok(names.filter_map(|name| name.parse().ok()).collect())
}

/// The CPUs that a process may run on; every one that we may use, when it does not say.
fn cpus_of(pid: u32) -> Vec<usize> {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let set = sched_getaffinity(pid).or_else(|_| sched_getaffinity(None)).unwrap_or_default();
    (0..CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).collect()
}

fn is(error: &io::Error, errno: Errno) -> bool {
    error.raw_os_error() == Some(errno.raw_os_error())
}

fn refused(error: io::Error) -> ProfileError {
    let paranoid = sysctl("perf_event_paranoid").unwrap_or_else(|| "not readable".to_owned());
    ProfileError::Refused { error, paranoid }
}

fn sysctl(name: &str) -> Option<String> {
    Some(fs::read_to_string(format!("/proc/sys/kernel/{name}")).ok()?.trim().to_owned())
}
