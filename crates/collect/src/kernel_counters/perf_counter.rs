//! One perf event on every thread of a process, or on every CPU, read as a sum;
//! and why there is none.

use crate::source;
use fathom_model::Reading;
use fathom_sys::perf_filter::set_filter;
use perf_event::events::{Event, Software};
use perf_event::{Builder, Counter};
use std::ffi::CString;
use std::io::{self, ErrorKind};

/// Where an event is counted.
#[derive(Debug, Clone, Copy)]
pub(super) enum On<'a> {
    /// On these threads, wherever they run, and on all that they start from now on.
    Threads(&'a [i32]),
    /// On these CPUs, for everybody.
    Cpus(&'a [usize]),
}

/// Counters of one event whose values are added up. What a thread inherited from one of
/// them counted is added when that thread ends, or is read with it while it lives.
pub(super) struct SummedCounter {
    counters: Vec<Counter>,
    /// The kernel allowed no more than counting what happens in user code.
    pub(super) user_mode_only: bool,
}

impl SummedCounter {
    /// Opens and starts it, with a filter on the tracepoint's fields where one is given.
    pub(super) fn open<E: Event + Copy>(event: E, on: On<'_>, filter: Option<&str>) -> io::Result<Self> {
        let counters = open_all(event, on, filter, true)?;
        Ok(Self { counters, user_mode_only: false })
    }

    /// The same, content with counting user code where the kernel's may not be counted.
    pub(super) fn open_modestly(event: Software, on: On<'_>) -> io::Result<Self> {
        match Self::open(event, on, None) {
            Err(error) if is_refusal(&error) => {
                Ok(Self { counters: open_all(event, on, None, false)?, user_mode_only: true })
            }
            other => other,
        }
    }

    /// The sum now.
    pub(super) fn read(&mut self) -> io::Result<u64> {
        self.counters.iter_mut().map(Counter::read).sum()
    }
}

impl std::fmt::Debug for SummedCounter {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "SummedCounter({} counters)", self.counters.len())
    }
}

/// The reason for a person, with the setting that is behind a refusal.
pub(super) fn reason(error: &io::Error) -> String {
    if is_refusal(error) {
        let level: Reading<i32> = source::number("/proc/sys/kernel/perf_event_paranoid");
        let level =
            level.value().map_or_else(String::new, |level| format!(", perf_event_paranoid is {level}"));
        return format!("perf events are refused to this user ({error}{level})");
    }
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::Unsupported => {
            format!("this kernel has no such perf event ({error})")
        }
        _ => format!("perf_event_open: {error}"),
    }
}

fn is_refusal(error: &io::Error) -> bool {
    error.kind() == ErrorKind::PermissionDenied
}

fn open_all<E: Event + Copy>(
    event: E,
    on: On<'_>,
    filter: Option<&str>,
    kernel: bool,
) -> io::Result<Vec<Counter>> {
    let mut builder = Builder::new(event);
    builder.exclude_kernel(!kernel).exclude_hv(!kernel);
    let mut counters = Vec::new();
    match on {
        On::Threads(threads) => {
            builder.any_cpu().inherit(true);
            for &thread in threads {
                counters.push(builder.observe_pid(thread).build()?);
            }
        }
        On::Cpus(cpus) => {
            builder.any_pid();
            for &cpu in cpus {
                counters.push(builder.one_cpu(cpu).build()?);
            }
        }
    }
    let filter = filter.map(CString::new).transpose().map_err(io::Error::other)?;
    for counter in &mut counters {
        if let Some(filter) = &filter {
            set_filter(counter, filter).map_err(io::Error::other)?;
        }
        counter.enable()?;
    }
    Ok(counters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_of_threads_to_come_are_in_the_sum() {
        let here = rustix::thread::gettid().as_raw_nonzero().get();
        let opened = SummedCounter::open_modestly(Software::PAGE_FAULTS_MIN, On::Threads(&[here]));
        let mut counter = match opened {
            Ok(counter) => counter,
            Err(error) => {
                eprintln!("skipped: {}", reason(&error));
                assert!(!rustix::process::geteuid().is_root(), "root may: {error}");
                return;
            }
        };
        let before = counter.read().unwrap();
        let touch = || {
            let mut pages = vec![0_u8; 16 << 20];
            pages.chunks_mut(4096).for_each(|page| page[0] = 1);
            std::hint::black_box(pages.len());
        };
        std::thread::spawn(touch).join().unwrap();
        let counted = counter.read().unwrap() - before;
        // Pages of 2 MiB at most.
        assert!(counted >= 8, "{counted}");
    }

    #[test]
    fn a_thread_that_is_not_there_is_an_error() {
        let error =
            SummedCounter::open_modestly(Software::PAGE_FAULTS, On::Threads(&[i32::MAX])).unwrap_err();
        assert!(!reason(&error).is_empty());
    }
}
