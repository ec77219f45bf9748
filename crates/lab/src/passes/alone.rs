//! One variant in a driver process of its own, for the passes that look at it
//! without timing it beside others: brought into its cache state before each
//! batch, its answers checked like those of every other pass.

use crate::cache::cache_control::{CacheController, ReadAhead};
use crate::drivers::driver_set::Driver;
use crate::drivers::runtime;
use crate::processes::batch_ground::BatchGround;
use crate::processes::expected::Expected;
use crate::processes::process::{DriverProcess, ProcessError};
use crate::processes::protocol::{Batch, Done, RunArguments};
use fathom_model::{CacheState, Setting, Variant};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What compiles as it goes has compiled after so long.
const SETTLING: Duration = Duration::from_millis(400);
/// More operations than this in a batch show nothing that fewer do not.
const OPERATIONS_MAX: u32 = 1 << 16;

/// A variant and what stands ready for it.
#[derive(Debug, Clone)]
pub(crate) struct Alone<'a> {
    pub(crate) driver: &'a Driver,
    pub(crate) variant: &'a Variant,
    /// With a directory to write in, where the operation writes: one for each process.
    pub(crate) arguments: RunArguments,
    /// Whether what batches create stays to the end of the run.
    pub(crate) keeps: bool,
    /// The files whose cache state matters.
    pub(crate) files: Vec<PathBuf>,
    pub(crate) in_memory: bool,
    /// Drop the machine's caches before cold batches.
    pub(crate) drop_caches: bool,
    /// Number of the device below the place.
    pub(crate) device: Option<String>,
    pub(crate) state_directory: PathBuf,
    /// What is right; `None` for a method that is known to answer wrongly.
    pub(crate) expected: Option<Expected>,
    /// Time of an operation as the time pass found it, in ns.
    pub(crate) operation_ns: Option<f64>,
}

/// Its process, running.
#[derive(Debug)]
pub(crate) struct AloneRun<'a> {
    setting: &'a Alone<'a>,
    process: DriverProcess<'a>,
    controller: CacheController,
    read_ahead: ReadAhead,
    performed: u64,
    ground: Option<BatchGround>,
}

/// Why a batch gave nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AloneError {
    /// The driver failed.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The cache state could not be brought about, did not hold, or the data was wrong.
    #[error("{0}")]
    Void(String),
}

impl<'a> Alone<'a> {
    /// Starts the process.
    pub(crate) fn start(&'a self, stop: &'a AtomicBool) -> Result<AloneRun<'a>, AloneError> {
        self.start_with(&[], stop)
    }

    /// Starts the process with further words for its runtime: `-XX:+PreserveFramePointer`.
    pub(crate) fn start_with(
        &'a self,
        runtime_words: &[&str],
        stop: &'a AtomicBool,
    ) -> Result<AloneRun<'a>, AloneError> {
        let Self { files, variant, drop_caches, in_memory, .. } = self;
        let controller = CacheController::new(files, variant.cache, *drop_caches, *in_memory)
            .map_err(|error| AloneError::Void(error.to_string()))?;
        let mut arguments = self.arguments.clone();
        arguments.launch = arguments.launch.with_runtime_words(runtime_words);
        let process = DriverProcess::start(self.driver, &arguments, 0, stop)?;
        let read_ahead = ReadAhead::new(&self.state_directory);
        let ground = BatchGround::of(&arguments, self.keeps).map_err(AloneError::Void)?;
        Ok(AloneRun { setting: self, process, controller, read_ahead, performed: 0, ground })
    }

    /// Operations of every batch, where the experiment fixes them.
    pub(crate) fn fixed_operations(&self) -> Option<u32> {
        let operations = self.variant.parameters.settings.number(Setting::Operations);
        u32::try_from(operations).ok().filter(|&operations| operations > 0)
    }

    /// True when an operation changes what the next one finds, so that runs of
    /// n and 2n operations cannot be subtracted: cold files, fixed batches.
    pub(crate) fn stands_alone(&self) -> bool {
        self.variant.cache == CacheState::Cold || self.fixed_operations().is_some()
    }

    /// Operations of a batch that lasts about so long: as many as fixed, or one
    /// where the file is cold.
    pub(crate) fn operations_lasting(&self, time: Duration) -> u32 {
        if let Some(fixed) = self.fixed_operations() {
            return fixed;
        }
        if self.variant.cache == CacheState::Cold {
            return 1;
        }
        let each_ns = self.operation_ns.filter(|ns| *ns > 0.0).unwrap_or(2000.0);
        floor_to_count(time.as_nanos() as f64 / each_ns)
    }
}

impl AloneRun<'_> {
    /// The process.
    pub(crate) fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// Runs it until code and memory are as they are in the long run.
    pub(crate) fn settle(&mut self, operations: u32) -> Result<(), AloneError> {
        let begun = Instant::now();
        self.prepare(operations.min(100))?;
        self.perform(operations.min(100))?;
        if runtime::of(&self.setting.variant.method.driver).jit && !self.setting.stands_alone() {
            while begun.elapsed() < SETTLING {
                self.perform(operations)?;
            }
        }
        Ok(())
    }

    /// Brings files and device into the variant's state; a batch of so many operations has to follow.
    pub(crate) fn prepare(&mut self, operations: u32) -> Result<(), AloneError> {
        if let Some(ground) = &mut self.ground {
            ground.prepare(operations).map_err(AloneError::Void)?;
        }
        if self.setting.variant.operation.reads_blocks() && self.setting.stands_alone() {
            // Files that stay open and mapped cannot be evicted.
            self.process.release()?;
        }
        if let Some(device) = &self.setting.device {
            let wanted = self.setting.variant.parameters.settings.text(Setting::ReadAhead);
            let set = self.read_ahead.set(device, &wanted);
            set.map_err(|error| AloneError::Void(format!("read-ahead could not be set: {error}")))?;
        }
        self.controller.prepare().map_err(|reason| AloneError::Void(reason.to_string()))?;
        Ok(())
    }

    /// Performs a batch and checks what it delivered.
    pub(crate) fn perform(&mut self, operations: u32) -> Result<Done, AloneError> {
        let done = self.process.batch(Batch { slot: 0, operations, preroll: 0 })?;
        if let Some(expected) = &self.setting.expected {
            let checked = expected.check(&done, self.performed, operations);
            checked.map_err(|error| AloneError::Void(error.to_string()))?;
        }
        self.performed += u64::from(operations);
        Ok(done)
    }

    /// Operations performed so far, which is the number of the next.
    pub(crate) fn performed(&self) -> u64 {
        self.performed
    }

    /// Whether the state held during the batch since `prepare`.
    pub(crate) fn check_state(&mut self) -> Result<(), AloneError> {
        self.ground.as_ref().map_or(Ok(()), BatchGround::check).map_err(AloneError::Void)?;
        self.controller.after().map_err(|reason| AloneError::Void(reason.to_string()))?;
        Ok(())
    }

    /// Ends the process in order.
    pub(crate) fn quit(self) -> Result<(), AloneError> {
        self.process.quit()?;
        Ok(())
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn floor_to_count(number: f64) -> u32 {
    number.clamp(1.0, f64::from(OPERATIONS_MAX)) as u32
}
