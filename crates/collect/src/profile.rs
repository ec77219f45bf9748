//! The stacks of a running process, sampled by the time its threads spend on
//! CPUs, and folded by the names of their functions.
//!
//! **Invariant:** samples are taken only while `StackSampler::during` runs, and
//! what the kernel had no room for is counted.

mod folding;
mod sampling;
mod symbols;
mod unwinding;

use fathom_model::Profile;
use sampling::Sampling;
use std::io;

/// Samples the stacks of one process.
#[derive(Debug)]
pub struct StackSampler {
    pid: u32,
    sampling: Sampling,
}

/// Why a process cannot be sampled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// perf events are refused, also for user code alone.
    #[error("perf_event_open cpu-clock: {error}; kernel.perf_event_paranoid is {paranoid}")]
    Refused {
        /// The kernel's error.
        error: io::Error,
        /// The setting, or why it cannot be read.
        paranoid: String,
    },
    /// A file of `/proc` about the process cannot be read.
    #[error("{path}: {error}")]
    Process {
        /// The file.
        path: String,
        /// The error.
        error: io::Error,
    },
    /// The kernel gives no ring for the samples.
    #[error("no ring for samples: {0}")]
    Ring(io::Error),
    /// Samples could not be switched on or off.
    #[error("perf events could not be switched: {0}")]
    Switch(io::Error),
    /// No thread can be made to take the samples in.
    #[error("no thread for the samples: {0}")]
    Thread(io::Error),
    /// An event could not be given a ring.
    #[error(transparent)]
    Redirect(#[from] fathom_sys::SysError),
}

impl StackSampler {
    /// Attaches to every thread of a process, and to those it will start: its kernel
    /// and user code, or its user code alone where that is all that may be seen.
    pub fn attach(pid: u32, frequency_hz: u64) -> Result<Self, ProfileError> {
        Ok(Self { pid, sampling: Sampling::attach(pid, frequency_hz)? })
    }

    /// Samples while `work` runs. The ring is emptied by a thread on one of
    /// `emptying_cpus`, or anywhere when there are none.
    pub fn during<T>(&mut self, emptying_cpus: &[u32], work: impl FnOnce() -> T) -> Result<T, ProfileError> {
        self.sampling.during(emptying_cpus, work)
    }

    /// Samples taken so far.
    pub fn samples(&self) -> u64 {
        self.sampling.taken().len() as u64
    }

    /// The stacks with their names; the process must still be there. `perf_map` is
    /// the text in which its runtime names the code that it made.
    pub fn finish(self, perf_map: Option<&str>) -> Result<Profile, ProfileError> {
        folding::profile(self.pid, &self.sampling, perf_map.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests;
