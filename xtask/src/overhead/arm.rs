//! The collectors under trial: how each is put on a worker, and what it is.

use super::worker::{Place, Program, Work, Worker};
use anyhow::{Context, ensure};
use fathom_collect::{CounterReading, CounterSet, StackSampler};
use perf_event::events::Software;
use perf_event::{Builder, Counter};

/// As `fathom bench --profile` samples.
const FREQUENCY_HZ: u64 = 1999;

/// A collector, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Arm {
    /// Nothing: what the others are compared with.
    Nothing,
    /// `--latencies`: a reading of the clock after each operation.
    Clocks,
    /// Faults, switches and migrations by software perf events.
    Software,
    /// All that the evidence pass attaches: software events, tracepoints of the page
    /// cache and of the block layer, on the worker and on the device.
    Evidence,
    /// Stacks, 1999 times per second of CPU time.
    Sampling,
    /// `fathom count`: ptrace.
    Count,
}

impl Arm {
    pub(super) const ALL: [Self; 6] =
        [Self::Nothing, Self::Clocks, Self::Software, Self::Evidence, Self::Sampling, Self::Count];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Clocks => "a clock per operation (`--latencies`)",
            Self::Software => "five software counters (faults, switches, migrations)",
            Self::Evidence => "all counters of the evidence pass (`--why`)",
            Self::Sampling => "stacks at 1999 Hz (`--profile`)",
            Self::Count => "every call by ptrace (`fathom count`)",
        }
    }

    /// A worker that this arm will be put on.
    pub(super) fn worker(
        self,
        program: &Program,
        work: Work,
        place: &Place,
        times: &std::path::Path,
    ) -> anyhow::Result<Worker> {
        let mut words = program.words(work, place);
        match self {
            Self::Clocks => words.extend(["--latencies".to_owned(), times.to_string_lossy().into_owned()]),
            Self::Count => {
                let counting = [program.fathom.to_string_lossy().as_ref(), "count", "--"].map(str::to_owned);
                words = counting.into_iter().chain(words).collect();
            }
            _ => {}
        }
        Worker::start(&words)
    }

    /// Puts it on a worker that rests.
    pub(super) fn attach(self, worker: &Worker, place: &Place) -> anyhow::Result<Attached> {
        Ok(match self {
            Self::Nothing | Self::Clocks | Self::Count => Attached::Nothing,
            Self::Software => Attached::Counters(software(worker.pid())?),
            Self::Evidence => Attached::Evidence(Box::new(CounterSet::attach(worker.pid(), place.device()))),
            Self::Sampling => Attached::Sampling(StackSampler::attach(worker.pid(), FREQUENCY_HZ)?),
        })
    }
}

/// A collector at work, until dropped.
#[derive(Debug)]
pub(super) enum Attached {
    Nothing,
    Counters(Vec<Counter>),
    Evidence(Box<CounterSet>),
    Sampling(StackSampler),
}

impl Attached {
    /// Calls `work` while the collector collects.
    pub(super) fn during<T>(
        &mut self,
        other_cpus: &[u32],
        work: impl FnOnce() -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        match self {
            Self::Sampling(sampler) => sampler.during(other_cpus, work)?,
            _ => work(),
        }
    }

    /// Fails where nothing was collected: then nothing was tried either.
    pub(super) fn check(&mut self) -> anyhow::Result<()> {
        match self {
            Self::Nothing => {}
            Self::Counters(counters) => {
                for counter in counters {
                    counter.read().context("a software event cannot be read")?;
                }
            }
            Self::Evidence(counters) => {
                let of_perf = |reading: &CounterReading| reading.source.contains("perf_event");
                let readings = counters.read_task();
                let any = readings
                    .iter()
                    .filter(|reading| of_perf(reading))
                    .any(|reading| reading.value.value().is_some());
                ensure!(any, "none of the perf events can be had");
            }
            Self::Sampling(sampler) => ensure!(sampler.samples() > 0, "no sample was taken"),
        }
        Ok(())
    }
}

fn software(pid: u32) -> anyhow::Result<Vec<Counter>> {
    let pid = i32::try_from(pid).context("a process id is a small number")?;
    let events = [
        Software::PAGE_FAULTS_MIN,
        Software::PAGE_FAULTS_MAJ,
        Software::PAGE_FAULTS,
        Software::CONTEXT_SWITCHES,
        Software::CPU_MIGRATIONS,
    ];
    let open = |event: Software| {
        let mut builder = Builder::new(event);
        builder.observe_pid(pid).any_cpu().inherit(true).include_kernel().enabled(true);
        builder.build().context("perf_event_open of a software event")
    };
    events.into_iter().map(open).collect()
}
