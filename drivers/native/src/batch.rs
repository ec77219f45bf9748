//! The clock's region: a batch of operations between two readings of the
//! clock. All it needs is computed and allocated before; nothing is printed.

use super::arguments::Plan;
use super::clock::{self, Counters, Scope};
use super::failure::Failure;
use super::methods::{FailureAt, Method, Seat};
use super::offsets::Step;
use super::posix;
use super::sink::Sink;
use super::stage::{Stage, beside_paths};

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
    /// Lines or matches, where the operation counts them.
    pub(crate) count: u64,
    pub(crate) counters: Counters,
    /// Left out where reading it would cost too much.
    pub(crate) cpu_ns: Option<u64>,
}

/// Memory that batches use again and again.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    steps: Vec<Step>,
    /// Each timed operation's own time, when asked for.
    pub(crate) latencies_ns: Vec<u64>,
    /// The directories of what is written.
    pub(crate) stage: Stage,
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
    /// Read the CPU time, which costs a system call each time.
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
    let Workspace { steps, latencies_ns, stage } = workspace;
    let rule = plan.steps();
    steps.clear();
    steps.extend((seat.next..).take(order.preroll + order.operations).map(|k| rule.step(k)));
    latencies_ns.clear();
    let latencies = watch.latencies.then(|| {
        latencies_ns.resize(order.operations, 0);
        latencies_ns.as_mut_slice()
    });
    let method = seat.method.as_mut();
    method.take_up()?;
    method.foresee(steps)?;
    let (before, timed) = steps.split_at(order.preroll);
    if !before.is_empty() {
        let first = seat.next;
        seat.next += before.len() as u64;
        method.prepare(before, first, stage)?;
        let performed = perform_all(method, before, None);
        method.finish(stage);
        performed?;
    }
    method.prepare(timed, seat.next, stage)?;

    let scope = Scope::of(plan);
    let counters = clock::counters(scope);
    let cpu = watch.cpu.then(|| clock::cpu_ns(scope));
    mark(plan, c"/fathom-mark/begin");
    let start = clock::monotonic_ns();
    let sums = perform_all(method, timed, latencies);
    let end = clock::monotonic_ns();
    mark(plan, c"/fathom-mark/end");
    let cpu_ns = cpu.map(|before| clock::cpu_ns(scope) - before);
    let counters = clock::counters(scope).since(counters);

    method.finish(stage);
    seat.next += timed.len() as u64;
    let Sums { bytes, digest, count } = sums?;
    Ok(Timed { operations: timed.len(), ns: end - start, bytes, digest, count, counters, cpu_ns })
}

/// Performs operation 0 untimed and takes the CRC of what it delivers; it does
/// not count.
pub(crate) fn run_verify(plan: &Plan, seat: &mut Seat<'_>, stage: &mut Stage) -> Result<Sink, FailureAt> {
    let steps = [plan.steps().step(0)];
    seat.method.take_up()?;
    seat.method.prepare(&steps, 0, stage)?;
    let mut sink = Sink::verifying();
    let verified = seat.method.verify(steps[0], &mut sink);
    seat.method.finish(stage);
    match verified {
        Ok(()) => Ok(sink),
        Err(failure) => Err(at(failure, steps[0])),
    }
}

/// What operations delivered together.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sums {
    pub(crate) bytes: u64,
    pub(crate) digest: u64,
    pub(crate) count: u64,
}

impl Sums {
    /// Adds one operation's.
    #[inline]
    pub(crate) fn add(&mut self, sink: &Sink) {
        self.bytes += sink.bytes;
        self.digest = self.digest.wrapping_add(sink.digest);
        self.count += sink.count;
    }

    /// Adds those of a thread.
    pub(crate) fn add_sums(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.digest = self.digest.wrapping_add(other.digest);
        self.count += other.count;
    }
}

/// The operations of a batch and what completes it.
fn perform_all(
    method: &mut dyn Method,
    steps: &[Step],
    mut latencies_ns: Option<&mut [u64]>,
) -> Result<Sums, FailureAt> {
    let sums = match (method.perform_together(steps, latencies_ns.as_deref_mut()), latencies_ns) {
        (Some(sums), _) => sums?,
        (None, None) => perform_each(method, steps)?,
        (None, Some(latencies_ns)) => time_each(method, steps, latencies_ns)?,
    };
    method.complete().map_err(beside_paths)?;
    Ok(sums)
}

fn perform_each(method: &mut dyn Method, steps: &[Step]) -> Result<Sums, FailureAt> {
    let mut sums = Sums::default();
    for &step in steps {
        let mut sink = Sink::counting();
        method.perform(step, &mut sink).map_err(|failure| at(failure, step))?;
        sums.add(&sink);
    }
    Ok(sums)
}

/// One reading of the clock ends an operation and begins the next.
fn time_each(method: &mut dyn Method, steps: &[Step], latencies_ns: &mut [u64]) -> Result<Sums, FailureAt> {
    let mut sums = Sums::default();
    let mut last = clock::monotonic_ns();
    for (&step, latency_ns) in steps.iter().zip(latencies_ns) {
        let mut sink = Sink::counting();
        method.perform(step, &mut sink).map_err(|failure| at(failure, step))?;
        sums.add(&sink);
        let now = clock::monotonic_ns();
        *latency_ns = now - last;
        last = now;
    }
    Ok(sums)
}

#[cold]
pub(crate) fn at(failure: Failure, step: Step) -> FailureAt {
    FailureAt { failure, path: step.path }
}

fn mark(plan: &Plan, name: &std::ffi::CStr) {
    if plan.marks {
        posix::exists(name);
    }
}
