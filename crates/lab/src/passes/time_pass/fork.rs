//! One fork: fresh driver processes for every seat, and blocks run on them.
//! Every answer is checked against what the data set holds.

use super::layout::Layout;
use super::least_time::LeastTime;
use super::schedule::{Block, batch, cut_into_requests, operations_of};
use crate::drivers::driver_set::Driver;
use crate::processes::batch_ground::BatchGround;
use crate::processes::expected::{Expected, WrongData};
use crate::processes::process::{DriverProcess, ProcessError};
use crate::processes::protocol::{Batch, Done, RunArguments};
use crate::setup::data_store::WritingDirectory;
use fathom_model::RankFacts;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// Environment padding is drawn below this: the size of a page.
const PADDING_BYTES: usize = 4096;

/// Why a fork failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum ForkError {
    /// A driver process failed.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The read-ahead of a device could not be set.
    #[error("read-ahead could not be set: {0}")]
    ReadAhead(String),
    /// A file of the user's changed meanwhile.
    #[error("{0}: the samples of that process run are discarded")]
    Changed(String),
    /// There is no directory to write in, or no room in it.
    #[error("{0}")]
    NoDirectory(String),
    /// A batch did not work on what was prepared for it.
    #[error("{0}")]
    NotPrepared(String),
    /// A driver answered a time that cannot be.
    #[error("{method}: the driver answered what cannot be: {what}")]
    Impossible {
        /// The method.
        method: String,
        /// What cannot be.
        what: String,
    },
    /// A driver delivered something else than the files hold.
    #[error("{method}: {error}")]
    WrongData {
        /// The method.
        method: String,
        /// What was wrong.
        error: WrongData,
    },
}

/// What every fork of a comparison needs.
#[derive(Debug)]
pub(crate) struct ForkSetting<'a> {
    pub(crate) layout: &'a Layout,
    /// For each seat: its driver, its files, and what is right.
    pub(crate) seats: Vec<SeatSetting<'a>>,
    pub(crate) stop: &'a AtomicBool,
}

/// What one seat needs.
#[derive(Debug)]
pub(crate) struct SeatSetting<'a> {
    pub(crate) driver: &'a Driver,
    /// The arguments but for the methods, whose order is drawn for each fork.
    pub(crate) arguments: RunArguments,
    /// Where its operation writes, when it does.
    pub(crate) writing: Option<&'a WritingDirectory>,
    pub(crate) expected: Expected,
    /// What a batch of each method has to take at least, by name.
    pub(crate) least: BTreeMap<String, LeastTime>,
    /// What methods that answer wrongly have to answer, by name.
    pub(crate) flawed: BTreeMap<String, Expected>,
}

/// A fork that is alive.
#[derive(Debug)]
pub(crate) struct RunningFork<'a> {
    setting: &'a ForkSetting<'a>,
    seats: Vec<RunningSeat<'a>>,
    /// For each arm, what a block's operations are divided by.
    divisors: Vec<u32>,
}

#[derive(Debug)]
struct RunningSeat<'a> {
    process: DriverProcess<'a>,
    /// For each method of the layout's seat, its slot in this process.
    slots: Vec<usize>,
    /// Operations performed so far in each slot, pre-rolls included.
    performed: Vec<u64>,
    /// Where it creates files, when it does.
    ground: Option<BatchGround>,
}

impl ForkSetting<'_> {
    /// Whether drivers run as several ranks.
    pub(crate) fn is_ranked(&self) -> bool {
        self.seats.iter().any(|seat| seat.driver.launcher().is_some())
    }
}

impl<'a> RunningFork<'a> {
    /// Starts the processes in random order, each with its methods in random
    /// order, so that no arm always plays the same part.
    pub(crate) fn start(
        setting: &'a ForkSetting<'a>,
        random: &mut Xoshiro256PlusPlus,
    ) -> Result<Self, ForkError> {
        let count = setting.seats.len();
        for writing in setting.seats.iter().filter_map(|seat| seat.writing) {
            // The processes of the fork before have ended.
            writing.clear().map_err(ForkError::NoDirectory)?;
        }
        let mut order: Vec<usize> = (0..count).collect();
        order.shuffle(random);
        let mut started: Vec<Option<RunningSeat<'a>>> = (0..count).map(|_| None).collect();
        for seat in order {
            started[seat] = Some(start_seat(setting, seat, random)?);
        }
        let seats = started.into_iter().map(|seat| seat.expect("every seat was in the order")).collect();
        let divisors = vec![1; setting.layout.arms.len()];
        Ok(Self { setting, seats, divisors })
    }

    /// From now on arms have these fractions of a block's operations.
    pub(crate) fn divide(&mut self, divisors: &[u32]) {
        divisors.clone_into(&mut self.divisors);
    }

    /// Makes everything ready for one batch of a seat, where it creates files, and has it on the device.
    pub(crate) fn prepare_ground(&mut self, seat: usize, operations: u32) -> Result<(), ForkError> {
        let ground = self.seats[seat].ground.as_mut();
        ground.map_or(Ok(()), |ground| ground.prepare(operations)).map_err(ForkError::NoDirectory)
    }

    /// Makes sure that each seat that creates files has room for so many.
    pub(crate) fn make_room(&mut self, operations: u64) -> Result<(), ForkError> {
        let mut grounds = self.seats.iter_mut().filter_map(|seat| seat.ground.as_mut());
        grounds.try_for_each(|ground| ground.make_room(operations)).map_err(ForkError::NoDirectory)
    }

    /// Whether the batch of a seat worked on what was made ready for it.
    pub(crate) fn check_ground(&self, seat: usize) -> Result<(), ForkError> {
        let ground = self.seats[seat].ground.as_ref();
        ground.map_or(Ok(()), BatchGround::check).map_err(ForkError::NotPrepared)
    }

    /// The ranks of a seat, none where its driver is one process.
    pub(crate) fn ranks(&self, seat: usize) -> &[RankFacts] {
        self.seats[seat].process.ranks()
    }

    /// Whether a seat's driver runs as several processes.
    pub(crate) fn is_ranked(&self, seat: usize) -> bool {
        self.seats[seat].process.is_ranked()
    }

    /// The process id of a seat.
    pub(crate) fn pid(&self, seat: usize) -> u32 {
        self.seats[seat].process.pid()
    }

    /// Runs blocks; the result has an entry for each block and arm, `None`
    /// where the arm had no batch.
    pub(crate) fn run_blocks(&mut self, blocks: &[Block]) -> Result<Vec<Vec<Option<Done>>>, ForkError> {
        let layout = self.setting.layout;
        let mut results = vec![vec![None; layout.arms.len()]; blocks.len()];
        for request in cut_into_requests(blocks, &layout.arms) {
            let batches: Vec<Batch> = request
                .items
                .iter()
                .map(|&(block, arm)| batch(self.slot(arm), operations_of(&blocks[block], self.divisors[arm])))
                .collect();
            // A schedule even for one batch: what `batch` reads beside the time
            // (allocation counts stop the world) would disturb it.
            let answers = self.seats[request.seat].process.blocks(&batches)?;
            for ((&(block, arm), batch), done) in request.items.iter().zip(batches).zip(answers) {
                self.check(arm, batch, &done)?;
                results[block][arm] = Some(done);
            }
        }
        Ok(results)
    }

    /// Runs one batch of one arm by itself, with all figures the driver can give.
    pub(crate) fn run_batch(&mut self, arm: usize, operations: u32, preroll: u32) -> Result<Done, ForkError> {
        let batch = Batch { slot: self.slot(arm), operations, preroll };
        let done = self.seats[self.setting.layout.arms[arm].seat].process.batch(batch)?;
        self.check(arm, batch, &done)?;
        Ok(done)
    }

    /// Times one batch of one arm by itself.
    pub(crate) fn run_alone(&mut self, arm: usize, operations: u32) -> Result<Done, ForkError> {
        // In a long batch nothing that is read beside the time can be seen.
        if operations > 1 {
            let pages = self.distinct_pages(arm, operations);
            let mut done = self.run_batch(arm, operations, 0)?;
            done.figures.extend(pages.map(|pages| ("distinct_pages".to_owned(), pages)));
            return Ok(done);
        }
        let block = Block { operations, order: vec![arm] };
        let mut rows = self.run_blocks(&[block])?;
        Ok(rows.swap_remove(0).swap_remove(arm).expect("the block has this arm"))
    }

    /// Makes every process close and unmap its files.
    pub(crate) fn release(&mut self) -> Result<(), ForkError> {
        for seat in &mut self.seats {
            seat.process.release()?;
        }
        Ok(())
    }

    /// Ends the processes in order.
    pub(crate) fn end(self) -> Result<(), ForkError> {
        for seat in self.seats {
            seat.process.quit()?;
        }
        Ok(())
    }

    /// Pages that the arm's next operations have to read, where they read blocks.
    fn distinct_pages(&self, arm: usize, operations: u32) -> Option<u64> {
        let seat = self.setting.layout.arms[arm].seat;
        let first = self.seats[seat].performed[self.slot(arm)];
        let page_bytes = rustix::param::page_size() as u64;
        self.setting.seats[seat].expected.distinct_pages(first, operations, page_bytes)
    }

    fn slot(&self, arm: usize) -> usize {
        let layout = self.setting.layout;
        self.seats[layout.arms[arm].seat].slots[layout.methods[arm]]
    }

    fn check(&mut self, arm: usize, batch: Batch, done: &Done) -> Result<(), ForkError> {
        let seat = self.setting.layout.arms[arm].seat;
        let performed = &mut self.seats[seat].performed[batch.slot];
        let first = *performed + u64::from(batch.preroll);
        *performed = first + u64::from(batch.operations);
        let plan = &self.setting.layout.seats[seat];
        let method = &plan.methods[self.setting.layout.methods[arm]];
        let SeatSetting { expected, flawed, least, .. } = &self.setting.seats[seat];
        least
            .get(method)
            .map_or(Ok(()), |least| least.check(done.ns, batch.operations))
            .map_err(|what| ForkError::Impossible { method: format!("{}:{method}", plan.driver), what })?;
        flawed.get(method).unwrap_or(expected).check(done, first, batch.operations).map_err(|error| {
            let seat = &self.setting.layout.seats[seat];
            ForkError::WrongData { method: format!("{}:{method}", seat.driver), error }
        })
    }
}

fn start_seat<'a>(
    setting: &'a ForkSetting<'a>,
    seat: usize,
    random: &mut Xoshiro256PlusPlus,
) -> Result<RunningSeat<'a>, ForkError> {
    let plan = &setting.layout.seats[seat];
    let mut order: Vec<usize> = (0..plan.methods.len()).collect();
    order.shuffle(random);
    let mut slots = vec![0; order.len()];
    for (slot, &method) in order.iter().enumerate() {
        slots[method] = slot;
    }
    let SeatSetting { arguments, writing, .. } = &setting.seats[seat];
    let directory = match writing {
        Some(writing) => Some(writing.fresh(arguments.launch.user()).map_err(ForkError::NoDirectory)?),
        None => None,
    };
    let methods = order.iter().map(|&method| plan.methods[method].clone()).collect();
    let arguments = RunArguments { methods, directory, ..arguments.clone() };
    let padding = random.random_range(0..PADDING_BYTES);
    let process = DriverProcess::start(setting.seats[seat].driver, &arguments, padding, setting.stop)?;
    let keeps = writing.is_some_and(|writing| writing.keeps);
    let ground = BatchGround::of(&arguments, keeps).map_err(ForkError::NoDirectory)?;
    let ground = match setting.seats[seat].driver.launcher() {
        Some(launcher) => ground.map(|ground| ground.of_ranks(launcher.ranks)),
        None => ground,
    };
    Ok(RunningSeat { process, performed: vec![0; slots.len()], slots, ground })
}
