//! The evidence pass: the kernel's counters around batches of one variant, in a
//! process of its own, untimed and untraced. A shorter and a longer run are
//! subtracted, so that what a batch costs by itself drops out.
//!
//! What is in the numbers: everything that the process does between being asked
//! for a batch and its answer. Bringing about the cache state is not; opening
//! and mapping what stays open is in both runs and drops out. Where an operation
//! writes, a syncfs of the place follows the batch: what the device does then is
//! in its counters, the process's counters are read before it.

mod prediction;
mod readings;

use crate::passes::alone::{Alone, AloneError, AloneRun};
use fathom_collect::{CounterSet, OutsideReads, RequestLog, Requester};
use fathom_model::{EvidencePass, Prediction, Reading, RequestSizes};
use prediction::Layouts;
use readings::{Changes, Differences};
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The shorter run of what can be repeated at will lasts about so long ...
const SHORTER: Duration = Duration::from_millis(15);
/// ... and has at least so many operations.
const OPERATIONS_MIN: u32 = 16;
/// Of an operation that takes so long, one is enough.
const LONG_NS: f64 = 0.5e9;
/// Pairs of runs.
const REPETITIONS: u32 = 3;
/// No further pair after one that took longer.
const PAIR_MAX: Duration = Duration::from_secs(2);
/// Runs whose cache state did not hold, in all, before that is the result.
const VOID_MAX: u32 = 3;

/// Takes the counters of a variant. Tracepoints stay ready for the next one: the caller
/// releases them (`release_tracepoints`) before anything is timed again.
pub(crate) fn take(alone: &Alone<'_>, stop: &AtomicBool) -> Reading<EvidencePass> {
    Pass::new(alone, stop).take().map_err(|error| error.to_string()).into()
}

/// One pass under way.
struct Pass<'a> {
    alone: &'a Alone<'a>,
    stop: &'a AtomicBool,
    /// Operations of the two runs.
    lengths: [u32; 2],
    /// Where the files lie, where it can be said what reading them has to cost.
    layouts: Option<Layouts>,
    differences: Differences,
    requests: Vec<RequestSizes>,
    predictions: Vec<Prediction>,
    repetitions: u32,
}

impl<'a> Pass<'a> {
    fn new(alone: &'a Alone<'a>, stop: &'a AtomicBool) -> Self {
        let lengths = if alone.stands_alone() {
            [0, alone.operations_lasting(SHORTER)]
        } else if alone.operation_ns.is_some_and(|ns| ns >= LONG_NS) {
            [0, 1]
        } else {
            let shorter = alone.operations_lasting(SHORTER).max(OPERATIONS_MIN);
            [shorter, shorter * 2]
        };
        Self {
            alone,
            stop,
            lengths,
            layouts: if prediction::applies(alone) { Layouts::of(alone) } else { None },
            differences: Differences::default(),
            requests: Vec::new(),
            predictions: Vec::new(),
            repetitions: 0,
        }
    }

    fn take(mut self) -> Result<EvidencePass, AloneError> {
        let mut void = 0;
        while self.repetitions < REPETITIONS {
            match self.process() {
                Ok(pair) if pair > PAIR_MAX => break,
                Ok(_) => {}
                Err(AloneError::Void(_)) if void + 1 < VOID_MAX => void += 1,
                Err(error) => return Err(error),
            }
        }
        Ok(EvidencePass {
            run_lengths: self.lengths.map(u64::from),
            repetitions: self.repetitions,
            counters: self.differences.into_counters(),
            requests: self.requests,
            predictions: self.predictions,
        })
    }

    /// Pairs of runs in one process, until there are enough or one took long, which is
    /// returned. Where the offsets drawn matter it is one pair only: a new process draws
    /// the same again.
    fn process(&mut self) -> Result<Duration, AloneError> {
        let mut run = self.alone.start(self.stop)?;
        run.settle(self.lengths[1])?;
        let device = self.alone.device.as_deref();
        let mut counters = CounterSet::attach_with_files(run.pid(), device, &self.inodes());
        let mut pair = Duration::ZERO;
        while self.repetitions < REPETITIONS && pair <= PAIR_MAX {
            let begun = Instant::now();
            let shorter = self.run(&mut run, &mut counters, self.lengths[0], None)?;
            let mut log = self.request_log(&run);
            let first = run.performed();
            let longer = self.run(&mut run, &mut counters, self.lengths[1], log.as_mut())?;
            self.requests = longer.requests;
            self.differences.add(shorter.changes, longer.changes);
            self.repetitions += 1;
            pair = begun.elapsed();
            if prediction::applies(self.alone) {
                self.predictions = prediction::of(self.alone, self.layouts.as_ref(), first, self.lengths[1]);
                break;
            }
        }
        run.quit()?;
        Ok(pair)
    }

    /// One batch, and what changed around it.
    fn run(
        &self,
        run: &mut AloneRun<'_>,
        counters: &mut CounterSet,
        operations: u32,
        mut log: Option<&mut RequestLog>,
    ) -> Result<Run, AloneError> {
        run.prepare(operations)?;
        self.write_back()?;
        if let Some(log) = &mut log {
            log.start().map_err(AloneError::Void)?;
        }
        let mut layouts = self.layouts.as_ref().map(|layouts| (layouts, Layouts::log(run.pid())));
        let before = counters.read();
        let done = run.perform(operations)?;
        let mut after = counters.read_task();
        let outside: Option<Reading<OutsideReads>> =
            layouts.as_mut().map(|(layouts, log)| layouts.outside(log.as_mut()));
        after.extend(counters.read_machine());
        self.write_back()?;
        after.extend(counters.read_device());
        let requests = log.map_or(Ok(Vec::new()), RequestLog::stop).map_err(AloneError::Void)?;
        run.check_state()?;
        let mut changes = Changes::between(&before, after, &done);
        if let Some(outside) = outside {
            changes.add_outside_reads(&outside);
        }
        Ok(Run { changes, requests })
    }

    /// Of the files, where it is predicted how many of their pages are read.
    fn inodes(&self) -> Vec<u64> {
        let inode = |path: &PathBuf| std::fs::metadata(path).map(|metadata| metadata.ino()).ok();
        let files = self.alone.files.iter().filter(|_| prediction::applies(self.alone));
        files.filter_map(inode).collect()
    }

    /// Has what was written so far go to the device, where the operation writes.
    fn write_back(&self) -> Result<(), AloneError> {
        let failed = |error: &dyn std::fmt::Display| AloneError::Void(format!("syncfs: {error}"));
        match &self.alone.arguments.directory {
            Some(directory) if self.alone.variant.operation.writes() => {
                let place = File::open(directory).map_err(|error| failed(&error))?;
                rustix::fs::syncfs(place).map_err(|errno| failed(&errno))
            }
            _ => Ok(()),
        }
    }

    /// Where an operation writes it is mostly the kernel's threads that send the requests,
    /// so everybody's to the device are kept; else the process's own.
    fn request_log(&self, run: &AloneRun<'_>) -> Option<RequestLog> {
        let requester = match &self.alone.device {
            Some(device) if self.alone.variant.operation.writes() => Requester::Device(device),
            _ => Requester::Process(run.pid()),
        };
        // Why there is none is said by the counter of requests, which needs the same.
        RequestLog::open(requester).ok()
    }
}

/// What one run showed.
struct Run {
    changes: Changes,
    requests: Vec<RequestSizes>,
}
