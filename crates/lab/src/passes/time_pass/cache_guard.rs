//! Cache states around samples: prepared before, checked before and after, and
//! a sample whose state did not hold is void. Evidence is kept per variant.

mod figures;
mod shown;

use super::TimePassSetting;
use super::fork::{ForkError, RunningFork};
use super::layout::Layout;
use super::schedule::Block;
use crate::cache::cache_control::{CacheController, CacheError, ReadAhead};
use crate::data::own_files::OwnFiles;
use crate::processes::protocol::Done;
use crate::setup::data_store::DataStore;
use fathom_collect::{device_io, process_io, wait_until_idle};
use fathom_model::{
    ArmKind, CacheState, DataSet, Operation, Parameters, RankFacts, Setting, Variant, is_direct,
};
use figures::{add_device_figures, add_task_figures, read_between};
use shown::{CachedPages, VariantEvidence};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// What a batch wrote may still be on its way to the device when it ends; others may keep it busy.
const IN_FLIGHT_MAX: Duration = Duration::from_millis(100);

/// The cache states of a comparison's files.
#[derive(Debug)]
pub(crate) struct CacheGuard {
    state: CacheState,
    /// One for each data set in a place.
    controllers: Vec<CacheController>,
    /// For each seat, its controller.
    of_seat: Vec<usize>,
    /// For each variant, its arm's seat, and what its samples showed.
    variants: Vec<VariantEvidence>,
    in_memory: Vec<bool>,
    /// Why it is not known whether devices were read in between, when it is not.
    blind: Option<String>,
    /// Operations of every batch, where the experiment fixes them.
    fixed_operations: Option<u32>,
    /// For each seat, the number of the device under its place.
    devices: Vec<Option<String>>,
    read_ahead: ReadAhead,
    /// True when the operation works on files that it makes.
    of_new_files: bool,
    /// True when a rank ran on another host.
    is_elsewhere: bool,
    /// True when ranks read what another one made just before.
    of_copies: bool,
    /// The user's files, which anybody may change meanwhile.
    own: Option<OwnFiles>,
}

/// What may be done to the machine.
#[derive(Debug, Clone)]
pub(crate) struct CacheOptions {
    /// Drop all caches before cold samples.
    pub(crate) drop_caches: bool,
    /// Where is kept what has to be put back.
    pub(crate) state_directory: PathBuf,
}

/// The results of a block, `None` where there was no batch or the sample is void.
type Row = Vec<Option<Done>>;

impl CacheGuard {
    pub(crate) fn new(
        variants: &[Variant],
        layout: &Layout,
        store: &DataStore,
        options: &CacheOptions,
    ) -> Result<Self, CacheError> {
        // The variants of a comparison share their cache state, unless states
        // are what is compared; then warm ones are checked like cold ones, each
        // sample by itself.
        let state = if variants.iter().any(|variant| variant.cache == CacheState::Cold) {
            CacheState::Cold
        } else {
            CacheState::Warm
        };
        let mut keys: Vec<(usize, &DataSet, CacheState)> = Vec::new();
        let mut controllers = Vec::new();
        let mut of_seat = Vec::new();
        for seat in &layout.seats {
            let key = (seat.place, &seat.parameters.data, seat.cache);
            let known = keys.iter().position(|known| *known == key);
            of_seat.push(known.unwrap_or(keys.len()));
            if known.is_none() {
                keys.push(key);
                let is_made = makes_files(seat.operation, &seat.parameters);
                let files = if !is_made && store.device(seat.place).is_none() {
                    store.paths(seat.place, &seat.parameters.data)
                } else {
                    Vec::new()
                };
                let in_memory = store.facts(seat.place).in_memory;
                controllers.push(CacheController::new(&files, seat.cache, options.drop_caches, in_memory)?);
            }
        }
        let evidence = |variant: usize| VariantEvidence {
            seat: layout.arms[variant].seat,
            void: BTreeMap::new(),
            device_read_bytes: Ok(0),
            operations: 0,
            pages: 0,
        };
        Ok(Self {
            state,
            controllers,
            of_seat,
            variants: (0..variants.len()).map(evidence).collect(),
            in_memory: layout.seats.iter().map(|seat| store.facts(seat.place).in_memory).collect(),
            blind: None,
            fixed_operations: variants.iter().find_map(fixed_operations),
            devices: layout.seats.iter().map(|seat| device_number(store, seat.place)).collect(),
            read_ahead: ReadAhead::new(&options.state_directory),
            own: store.own.clone(),
            of_new_files: variants.iter().all(|variant| !variant.operation.takes_files()),
            is_elsewhere: false,
            of_copies: variants.iter().all(|variant| {
                variant.operation.takes_files() && makes_files(variant.operation, &variant.parameters)
            }),
        })
    }

    /// Operations of every batch, where the experiment fixes them.
    pub(crate) fn fixed_operations(&self) -> Option<u32> {
        self.fixed_operations
    }

    /// `Cold` when some variant is cold: then every sample is one operation.
    pub(crate) fn state(&self) -> CacheState {
        self.state
    }

    /// Reads every file once. What cannot be read shows in the first check.
    pub(crate) fn make_warm(&mut self) {
        for controller in &mut self.controllers {
            let _shown_by_the_check = controller.prepare();
        }
    }

    /// Runs blocks with the state checked around them.
    pub(crate) fn run_guarded(
        &mut self,
        running: &mut RunningFork<'_>,
        setting: &TimePassSetting<'_>,
        blocks: &[Block],
    ) -> Result<Vec<Row>, ForkError> {
        let rows = if self.state == CacheState::Cold
            || self.fixed_operations.is_some()
            || setting.fork.is_ranked()
        {
            self.run_one_by_one(running, setting, blocks)
        } else {
            self.run_warm(running, setting, blocks)
        };
        self.own_change().map_or(rows, |change| Err(ForkError::Changed(change)))
    }

    /// What became of the user's files, when one is no longer what it was: from then on no
    /// answer can be checked and no sample counts.
    pub(crate) fn own_change(&self) -> Option<String> {
        self.own.as_ref().and_then(OwnFiles::changed)
    }

    /// Warm: all pages there before and after, and no process read from a device
    /// in between, hence at every moment in between.
    fn run_warm(
        &mut self,
        running: &mut RunningFork<'_>,
        setting: &TimePassSetting<'_>,
        blocks: &[Block],
    ) -> Result<Vec<Row>, ForkError> {
        let mut reason = self
            .controllers
            .iter_mut()
            .find_map(|controller| controller.prepare().err().map(|reason| reason.to_string()));
        // Every arm of a seat performs each block, with a pre-roll.
        let operations: u64 = blocks.iter().map(|block| u64::from(block.operations)).sum();
        running.make_room(2 * operations * setting.fork.layout.arms.len() as u64)?;
        let seats = self.of_seat.len();
        let read_of = |running: &RunningFork<'_>, seat| process_io(running.pid(seat));
        let before: Vec<_> = (0..seats).map(|seat| read_of(running, seat)).collect();
        let mut rows = running.run_blocks(blocks)?;
        let after: Vec<_> = (0..seats).map(|seat| read_of(running, seat)).collect();
        reason = reason.or_else(|| {
            self.controllers
                .iter_mut()
                .find_map(|controller| controller.after().err().map(|reason| reason.to_string()))
        });
        let read: Vec<_> =
            before.iter().zip(&after).map(|(before, after)| read_between(before, after)).collect();
        if let Some(Err(reason)) = read.iter().find(|read| read.is_err()) {
            self.blind = Some(reason.clone());
        }
        if reason.is_none() && !may_read(setting) {
            let bytes: u64 = read.iter().filter_map(|read| read.as_ref().ok()).sum();
            reason = (bytes > 0).then(|| "a device was read during a warm sample".to_owned());
        }
        match reason {
            Some(reason) => {
                self.void_all(&reason, blocks.len());
                void(&mut rows, setting.fork.layout.arms.len());
            }
            None => self.keep_warm(setting, &rows, &read),
        }
        Ok(rows)
    }

    fn keep_warm(&mut self, setting: &TimePassSetting<'_>, rows: &[Row], read: &[Result<u64, String>]) {
        let shared = |seat: usize| {
            let arms = setting.fork.layout.arms.iter();
            arms.filter(|arm| arm.seat == seat && matches!(arm.kind, ArmKind::Variant(_))).count() > 1
        };
        for (variant, evidence) in self.variants.iter_mut().enumerate() {
            let kept = rows.iter().filter_map(|row| row[variant].as_ref());
            evidence.operations += kept.map(|done| done.operations).sum::<u64>();
            let bytes = match &read[evidence.seat] {
                Ok(0) => Ok(0),
                Ok(_) if shared(evidence.seat) => {
                    Err("a method of the same process reads the device directly".to_owned())
                }
                other => other.clone(),
            };
            evidence.add(bytes);
        }
    }

    fn run_one_by_one(
        &mut self,
        running: &mut RunningFork<'_>,
        setting: &TimePassSetting<'_>,
        blocks: &[Block],
    ) -> Result<Vec<Row>, ForkError> {
        let arms = setting.fork.layout.arms.len();
        let mut rows = vec![vec![None; arms]; blocks.len()];
        for (row, block) in rows.iter_mut().zip(blocks) {
            for &arm in &block.order {
                row[arm] = self.run_one(running, setting, arm, block.operations)?;
            }
        }
        Ok(rows)
    }

    fn run_one(
        &mut self,
        running: &mut RunningFork<'_>,
        setting: &TimePassSetting<'_>,
        arm: usize,
        operations: u32,
    ) -> Result<Option<Done>, ForkError> {
        let seat = setting.fork.layout.arms[arm].seat;
        let plan = &setting.fork.layout.seats[seat];
        if plan.operation.reads_blocks() {
            // Files that stay open and mapped cannot be evicted, and keep the
            // read-ahead that was set when they were opened.
            running.release()?;
        }
        if let Some(device) = &self.devices[seat] {
            let wanted = plan.parameters.settings.text(Setting::ReadAhead);
            self.read_ahead.set(device, &wanted).map_err(|error| ForkError::ReadAhead(error.to_string()))?;
        }
        if let Err(reason) = self.controllers[self.of_seat[seat]].prepare() {
            self.void_one(setting, arm, reason.to_string());
            return Ok(None);
        }
        running.prepare_ground(seat, operations)?;
        let device = |number: &Option<String>| number.as_deref().and_then(|n| device_io(n).value().copied());
        let before = (process_io(running.pid(seat)), device(&self.devices[seat]));
        let mut done = running.run_alone(arm, operations)?;
        if let Some(number) = self.devices[seat].as_ref().filter(|_| plan.operation.writes()) {
            wait_until_idle(number, IN_FLIGHT_MAX);
        }
        let after = (process_io(running.pid(seat)), device(&self.devices[seat]));
        running.check_ground(seat)?;
        let ranked = running.is_ranked(seat);
        let pages = CachedPages::take(&mut done);
        let read = if ranked {
            self.is_elsewhere |= on_other_hosts(running.ranks(seat)).is_some();
            if pages.is_none() {
                let untold = (self.of_copies && plan.cache == CacheState::Cold)
                    .then(|| "not every rank's host tells which pages it holds".to_owned());
                self.blind = self.blind.take().or(untold).or_else(|| on_other_hosts(running.ranks(seat)));
            }
            done.figures
                .remove("read_bytes")
                .ok_or_else(|| "not every rank can read /proc/self/io".to_owned())
        } else {
            read_between(&before.0, &after.0)
        };
        // What is around a batch of ranks holds what they make ready for it.
        if ranked {
        } else if operations > 1 || self.fixed_operations.is_some() {
            add_task_figures(&mut done, &before.0, &after.0);
            add_device_figures(&mut done, before.1, after.1);
        }
        let checked = self.controllers[self.of_seat[seat]].after();
        let makes_files = makes_files(plan.operation, &plan.parameters);
        let method = &plan.methods[setting.fork.layout.methods[arm]];
        let must_read = plan.cache == CacheState::Cold
            && plan.operation.must_read()
            && method != "null"
            && !self.in_memory[seat]
            && done.bytes > 0;
        let reason = match (&read, checked) {
            (_, Err(reason)) => Some(reason.to_string()),
            _ if pages.is_some_and(|pages| pages.resident > 0) => {
                Some("pages stayed in the cache of a rank's host".to_owned())
            }
            (Ok(0), _) if must_read => Some("a cold sample read nothing from a device".to_owned()),
            (Ok(bytes), _)
                if plan.cache == CacheState::Warm && *bytes > 0 && !is_direct(method) && !makes_files =>
            {
                Some("a device was read during a warm sample".to_owned())
            }
            _ => None,
        };
        if let Some(reason) = reason {
            self.void_one(setting, arm, reason);
            return Ok(None);
        }
        if let ArmKind::Variant(variant) = setting.fork.layout.arms[arm].kind {
            let evidence = &mut self.variants[variant];
            evidence.operations += u64::from(operations);
            evidence.pages = evidence.pages.max(pages.map_or(0, |pages| pages.files));
            evidence.add(read);
        }
        Ok(Some(done))
    }

    fn void_one(&mut self, setting: &TimePassSetting<'_>, arm: usize, reason: String) {
        if let ArmKind::Variant(variant) = setting.fork.layout.arms[arm].kind {
            *self.variants[variant].void.entry(reason).or_default() += 1;
        }
    }

    fn void_all(&mut self, reason: &str, samples: usize) {
        for variant in &mut self.variants {
            *variant.void.entry(reason.to_owned()).or_default() += samples as u64;
        }
    }
}

/// Pages are looked at on this host: what holds of other hosts' ranks is not known.
fn on_other_hosts(ranks: &[RankFacts]) -> Option<String> {
    let here = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let other = ranks.iter().find(|rank| rank.boot != here.trim())?;
    Some(format!("rank {} ran on {}: pages were looked at on this host only", other.rank, other.host))
}

/// Whether a driver makes the files that are worked on: they are in no state that Fathom brought about.
fn makes_files(operation: Operation, parameters: &Parameters) -> bool {
    operation.makes_files(&parameters.settings)
}

fn void(rows: &mut [Row], arms: usize) {
    for row in rows {
        *row = vec![None; arms];
    }
}

/// Whether some arm may read a device though warm: it bypasses the page cache,
/// or it writes, and a file system reads its own tables for that.
fn may_read(setting: &TimePassSetting<'_>) -> bool {
    setting.fork.layout.seats.iter().any(|seat| {
        let direct = seat.methods.iter().any(|method| is_direct(method));
        seat.operation.writes() || (seat.operation.delivers_data() && direct)
    })
}

fn fixed_operations(variant: &Variant) -> Option<u32> {
    let operations = variant.parameters.settings.number(Setting::Operations);
    u32::try_from(operations).ok().filter(|&operations| operations > 0)
}

fn device_number(store: &DataStore, place: usize) -> Option<String> {
    store.facts(place).device.value().map(|device| device.number.clone())
}
