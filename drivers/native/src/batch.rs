//! The clock's region: a batch of operations between two readings of the
//! clock. All it needs is computed and allocated before; nothing is printed.

use super::arguments::Plan;
use super::clock::{self, ThreadCounters};
use super::failure::Failure;
use super::methods::{FailureAt, Method, Seat};
use super::offsets::Step;
use super::posix;
use super::sink::Sink;

/// What a batch asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Order {
    /// Number of the method in the order given.
    pub(crate) method: usize,
    /// Timed operations.
    pub(crate) operations: usize,
    /// Untimed operations before them.
    pub(crate) preroll: usize,
}

/// What a batch found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timed {
    pub(crate) operations: usize,
    pub(crate) ns: u64,
    pub(crate) bytes: u64,
    pub(crate) digest: u64,
    pub(crate) counters: ThreadCounters,
    /// Left out where reading it would cost too much.
    pub(crate) cpu_ns: Option<u64>,
}

/// Memory that batches use again and again.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    steps: Vec<Step>,
    /// Each timed operation's own time, when asked for.
    pub(crate) latencies_ns: Vec<u64>,
}

/// Memory could not be had for so many operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooMany;

impl Workspace {
    /// Makes room for a batch of so many operations.
    pub(crate) fn reserve(&mut self, order: Order, latencies: bool) -> Result<(), TooMany> {
        let steps = order.operations.checked_add(order.preroll).ok_or(TooMany)?;
        self.steps.clear();
        self.steps.try_reserve(steps).map_err(|_| TooMany)?;
        self.latencies_ns.clear();
        let latencies = if latencies { order.operations } else { 0 };
        self.latencies_ns.try_reserve(latencies).map_err(|_| TooMany)
    }
}

/// How closely a batch is watched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Watch {
    /// Take every operation's own time.
    pub(crate) latencies: bool,
    /// Read the thread's CPU time, which costs a system call each time.
    pub(crate) cpu: bool,
}

/// Performs one batch. The workspace has room for it already.
pub(crate) fn run_batch(
    plan: &Plan,
    seat: &mut Seat<'_>,
    workspace: &mut Workspace,
    order: Order,
    watch: Watch,
) -> Result<Timed, FailureAt> {
    let Workspace { steps, latencies_ns } = workspace;
    let rule = plan.steps();
    steps.clear();
    steps.extend((seat.next..).take(order.preroll + order.operations).map(|k| rule.step(k)));
    latencies_ns.clear();
    let method = seat.method.as_mut();
    method.take_up()?;
    method.foresee(steps)?;
    let (before, timed) = steps.split_at(order.preroll);
    seat.next += before.len() as u64;
    perform_all(method, before)?;

    let counters = clock::thread_counters();
    let cpu = watch.cpu.then(clock::thread_cpu_ns);
    mark(plan, c"/fathom-mark/begin");
    let start = clock::monotonic_ns();
    let sums = if watch.latencies {
        time_each(method, timed, start, latencies_ns)
    } else {
        perform_all(method, timed)
    };
    let end = clock::monotonic_ns();
    mark(plan, c"/fathom-mark/end");
    let cpu_ns = cpu.map(|before| clock::thread_cpu_ns() - before);
    let counters = clock::thread_counters().since(counters);

    seat.next += timed.len() as u64;
    let Sums { bytes, digest } = sums?;
    Ok(Timed { operations: timed.len(), ns: end - start, bytes, digest, counters, cpu_ns })
}

/// Performs operation 0 untimed and takes the CRC of what it delivers; it does
/// not count.
pub(crate) fn run_verify(plan: &Plan, seat: &mut Seat<'_>) -> Result<Sink, FailureAt> {
    let step = plan.steps().step(0);
    seat.method.take_up()?;
    let mut sink = Sink::verifying();
    match seat.method.perform(step, &mut sink) {
        Ok(()) => Ok(sink),
        Err(failure) => Err(FailureAt { failure, path: step.path }),
    }
}

#[derive(Default)]
struct Sums {
    bytes: u64,
    digest: u64,
}

impl Sums {
    #[inline]
    fn add(&mut self, sink: &Sink) {
        self.bytes += sink.bytes;
        self.digest = self.digest.wrapping_add(sink.digest);
    }
}

fn perform_all(method: &mut dyn Method, steps: &[Step]) -> Result<Sums, FailureAt> {
    let mut sums = Sums::default();
    for &step in steps {
        let mut sink = Sink::counting();
        method.perform(step, &mut sink).map_err(|failure| at(failure, step))?;
        sums.add(&sink);
    }
    Ok(sums)
}

/// One reading of the clock ends an operation and begins the next.
fn time_each(
    method: &mut dyn Method,
    steps: &[Step],
    start: u64,
    latencies_ns: &mut Vec<u64>,
) -> Result<Sums, FailureAt> {
    let mut sums = Sums::default();
    let mut last = start;
    for &step in steps {
        let mut sink = Sink::counting();
        method.perform(step, &mut sink).map_err(|failure| at(failure, step))?;
        sums.add(&sink);
        let now = clock::monotonic_ns();
        latencies_ns.push(now - last);
        last = now;
    }
    Ok(sums)
}

#[cold]
fn at(failure: Failure, step: Step) -> FailureAt {
    FailureAt { failure, path: step.path }
}

fn mark(plan: &Plan, name: &std::ffi::CStr) {
    if plan.marks {
        posix::exists(name);
    }
}
