//! `read-block` where reads overlap: by several threads, each with its part of
//! the batch, or with several reads of one thread in flight.

use super::arguments::Plan;
use super::batch::{Sums, at};
use super::clock;
use super::crew::Crew;
use super::failure::{Failure, Refusal};
use super::methods::{FailureAt, Method};
use super::offsets::Step;
use super::sink::Sink;
use super::stage::Stage;
use std::ffi::CStr;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How one thread reads blocks of what is held open for each path.
pub(crate) trait Reader<H>: Send {
    /// Learns what is held, before the clock starts.
    fn take_up(&mut self, _held: &[H]) -> Result<(), Failure> {
        Ok(())
    }

    /// Lets go of what it learned, before that is closed.
    fn release(&mut self) {}

    /// The blocks of all steps, in any order; the time of each when there is room for it.
    fn read_all(
        &mut self,
        held: &[H],
        steps: &[Step],
        latencies_ns: Option<&mut [u64]>,
    ) -> Result<Sums, FailureAt>;

    /// One block.
    fn read_one(&mut self, held: &[H], step: Step, sink: &mut Sink) -> Result<(), Failure>;
}

/// Reads one block after the other.
pub(crate) struct OneByOne<R>(pub(crate) R);

impl<H, R> Reader<H> for OneByOne<R>
where
    R: FnMut(&H, usize, &mut Sink) -> Result<(), Failure> + Send,
{
    fn read_all(
        &mut self,
        held: &[H],
        steps: &[Step],
        mut latencies_ns: Option<&mut [u64]>,
    ) -> Result<Sums, FailureAt> {
        let mut sums = Sums::default();
        let mut last = if latencies_ns.is_some() { clock::monotonic_ns() } else { 0 };
        for (index, &step) in steps.iter().enumerate() {
            let mut sink = Sink::counting();
            self.read_one(held, step, &mut sink).map_err(|failure| at(failure, step))?;
            sums.add(&sink);
            if let Some(latencies_ns) = &mut latencies_ns {
                let now = clock::monotonic_ns();
                latencies_ns[index] = now - last;
                last = now;
            }
        }
        Ok(sums)
    }

    fn read_one(&mut self, held: &[H], step: Step, sink: &mut Sink) -> Result<(), Failure> {
        (self.0)(&held[step.path], step.offset, sink)
    }
}

/// A method whose batch is spread over readers, one for each thread.
pub(crate) struct Spread<'a, H, O, R> {
    plan: &'a Plan,
    open: O,
    held: Vec<H>,
    shares: Vec<Mutex<Share<R>>>,
    /// `None` where this thread does it all.
    crew: Option<Crew>,
}

/// One thread's part of a batch.
struct Share<R> {
    reader: R,
    steps: Vec<Step>,
    latencies_ns: Vec<u64>,
    outcome: Result<Sums, FailureAt>,
}

impl<'a, H, O, R> Spread<'a, H, O, R> {
    /// With one reader for each thread of the plan; more than one have threads that wait.
    pub(crate) fn new(
        plan: &'a Plan,
        open: O,
        make_reader: impl Fn() -> Result<R, Failure>,
    ) -> Result<Self, Refusal> {
        let share = || {
            let reader = make_reader().map_err(|failure| Refusal::Unsupported(failure.to_string()))?;
            let (steps, latencies_ns, outcome) = (Vec::new(), Vec::new(), Ok(Sums::default()));
            Ok(Mutex::new(Share { reader, steps, latencies_ns, outcome }))
        };
        let shares = (0..plan.threads).map(|_| share()).collect::<Result<_, Refusal>>()?;
        Ok(Self { plan, open, held: Vec::new(), shares, crew: start_crew(plan)? })
    }
}

/// The threads of a plan that asks for more than one.
pub(crate) fn start_crew(plan: &Plan) -> Result<Option<Crew>, Refusal> {
    if plan.threads == 1 {
        return Ok(None);
    }
    let crew = Crew::start(plan.threads);
    let refused =
        |error| Refusal::Unsupported(format!("{} threads cannot be started: {error}", plan.threads));
    crew.map(Some).map_err(refused)
}

/// What a thread has; its work does not panic, and if it did the figures would be of no use.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<R> Share<R> {
    fn work<H>(&mut self, held: &[H], with_latencies: bool)
    where
        R: Reader<H>,
    {
        let latencies_ns = with_latencies.then_some(self.latencies_ns.as_mut_slice());
        self.outcome = self.reader.read_all(held, &self.steps, latencies_ns);
    }
}

impl<H, O, R> Method for Spread<'_, H, O, R>
where
    H: Sync,
    O: Fn(&CStr) -> Result<H, Failure>,
    R: Reader<H>,
{
    fn take_up(&mut self) -> Result<(), FailureAt> {
        if self.held.len() == self.plan.paths.len() {
            return Ok(());
        }
        while let Some(path) = self.plan.paths.get(self.held.len()) {
            let opened = (self.open)(path);
            self.held.push(opened.map_err(|failure| FailureAt { failure, path: self.held.len() })?);
        }
        for share in &self.shares {
            let taken_up = lock(share).reader.take_up(&self.held);
            taken_up.map_err(|failure| FailureAt { failure, path: 0 })?;
        }
        Ok(())
    }

    fn release(&mut self) {
        for share in &self.shares {
            lock(share).reader.release();
        }
        self.held.clear();
    }

    fn prepare(&mut self, steps: &[Step], _: u64, _: &mut Stage) -> Result<(), FailureAt> {
        let threads = self.shares.len();
        for (number, share) in self.shares.iter().enumerate() {
            let mut share = lock(share);
            share.steps.clear();
            share.steps.extend(steps.iter().skip(number).step_by(threads));
            let latencies = if self.plan.latencies.is_some() { share.steps.len() } else { 0 };
            share.latencies_ns.clear();
            share.latencies_ns.resize(latencies, 0);
        }
        Ok(())
    }

    fn perform(&mut self, step: Step, sink: &mut Sink) -> Result<(), Failure> {
        lock(&self.shares[0]).reader.read_one(&self.held, step, sink)
    }

    fn perform_together(
        &mut self,
        _: &[Step],
        mut latencies_ns: Option<&mut [u64]>,
    ) -> Option<Result<Sums, FailureAt>> {
        let (held, shares) = (&self.held, &self.shares);
        let with_latencies = latencies_ns.is_some();
        let work = |number: usize| lock(&shares[number]).work(held, with_latencies);
        match &self.crew {
            Some(crew) => crew.share(&work),
            None => work(0),
        }
        let mut sums = Sums::default();
        for (number, share) in shares.iter().enumerate() {
            let share = lock(share);
            match share.outcome {
                Ok(part) => sums.add_sums(part),
                Err(failure) => return Some(Err(failure)),
            }
            if let Some(latencies_ns) = &mut latencies_ns {
                let places = latencies_ns.iter_mut().skip(number).step_by(shares.len());
                places.zip(&share.latencies_ns).for_each(|(place, &ns)| *place = ns);
            }
        }
        Some(Ok(sums))
    }
}
