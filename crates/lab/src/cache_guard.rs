//! Cache states around samples: prepared before, checked before and after, and
//! a sample whose state did not hold is void. Evidence is kept per variant.

use crate::cache_control::{CacheController, CacheError};
use crate::data_store::DataStore;
use crate::fork::{ForkError, RunningFork};
use crate::layout::Layout;
use crate::protocol::Done;
use crate::schedule::Block;
use crate::time_pass::TimePassSetting;
use fathom_collect::process_io;
use fathom_model::{
    ArmKind, CacheEvidence, CacheState, DataSet, Operation, Proof, Reading, Variant, VoidCount,
};
use std::collections::BTreeMap;

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
}

#[derive(Debug)]
struct VariantEvidence {
    seat: usize,
    void: BTreeMap<String, u64>,
    device_read_bytes: Result<u64, String>,
    operations: u64,
}

/// The results of a block, `None` where there was no batch or the sample is void.
type Row = Vec<Option<Done>>;

impl CacheGuard {
    pub(crate) fn new(
        variants: &[Variant],
        layout: &Layout,
        store: &DataStore,
        drop_caches: bool,
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
                let paths = store.paths(seat.place, &seat.parameters.data);
                let in_memory = store.facts(seat.place).in_memory;
                controllers.push(CacheController::new(&paths, seat.cache, drop_caches, in_memory)?);
            }
        }
        let evidence = |variant: usize| VariantEvidence {
            seat: layout.arms[variant].seat,
            void: BTreeMap::new(),
            device_read_bytes: Ok(0),
            operations: 0,
        };
        Ok(Self {
            state,
            controllers,
            of_seat,
            variants: (0..variants.len()).map(evidence).collect(),
            in_memory: layout.seats.iter().map(|seat| store.facts(seat.place).in_memory).collect(),
            blind: None,
        })
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
        match self.state {
            CacheState::Warm => self.run_warm(running, setting, blocks),
            CacheState::Cold => self.run_one_by_one(running, setting, blocks),
        }
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
        let seats = self.of_seat.len();
        let before: Vec<_> = (0..seats).map(|seat| process_io(running.pid(seat))).collect();
        let mut rows = running.run_blocks(blocks)?;
        let after: Vec<_> = (0..seats).map(|seat| process_io(running.pid(seat))).collect();
        reason = reason.or_else(|| {
            self.controllers
                .iter_mut()
                .find_map(|controller| controller.after().err().map(|reason| reason.to_string()))
        });
        let read: Vec<_> =
            before.iter().zip(&after).map(|(before, after)| difference(before, after)).collect();
        if let Some(Err(reason)) = read.iter().find(|read| read.is_err()) {
            self.blind = Some(reason.clone());
        }
        if reason.is_none() && !reads_directly(setting) {
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
                row[arm] = self.run_one(running, setting, arm)?;
            }
        }
        Ok(rows)
    }

    fn run_one(
        &mut self,
        running: &mut RunningFork<'_>,
        setting: &TimePassSetting<'_>,
        arm: usize,
    ) -> Result<Option<Done>, ForkError> {
        let seat = setting.fork.layout.arms[arm].seat;
        let plan = &setting.fork.layout.seats[seat];
        if plan.operation == Operation::ReadBlock {
            // Files that stay open and mapped cannot be evicted.
            running.release()?;
        }
        if let Err(reason) = self.controllers[self.of_seat[seat]].prepare() {
            self.void_one(setting, arm, reason.to_string());
            return Ok(None);
        }
        let before = process_io(running.pid(seat));
        let done = running.run_single(arm)?;
        let after = process_io(running.pid(seat));
        let read = difference(&before, &after);
        let checked = self.controllers[self.of_seat[seat]].after();
        let method = &plan.methods[setting.fork.layout.methods[arm]];
        let must_read = plan.cache == CacheState::Cold
            && plan.operation.delivers_data()
            && method != "null"
            && !self.in_memory[seat]
            && done.bytes > 0;
        let reason = match (&read, checked) {
            (_, Err(reason)) => Some(reason.to_string()),
            (Ok(0), _) if must_read => Some("a cold sample read nothing from a device".to_owned()),
            (Ok(bytes), _)
                if plan.cache == CacheState::Warm && *bytes > 0 && !method.contains("O_DIRECT") =>
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
            evidence.operations += 1;
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

    /// What was shown, one entry per variant.
    pub(crate) fn into_evidence(self) -> Vec<CacheEvidence> {
        let mut shown: Vec<CacheEvidence> = self.controllers.iter().map(CacheController::evidence).collect();
        if let Some(reason) = &self.blind {
            // Resident before and after does not show what happened in between.
            for evidence in &mut shown {
                if evidence.proof == Proof::Proven {
                    evidence.proof = Proof::Unknown(reason.clone());
                }
            }
        }
        self.variants
            .into_iter()
            .map(|variant| CacheEvidence {
                device_read_bytes: variant.device_read_bytes.into(),
                device_read_operations: variant.operations,
                void: variant
                    .void
                    .into_iter()
                    .map(|(reason, samples)| VoidCount { reason, samples })
                    .collect(),
                ..shown[self.of_seat[variant.seat]].clone()
            })
            .collect()
    }
}

impl VariantEvidence {
    fn add(&mut self, bytes: Result<u64, String>) {
        self.device_read_bytes = match (std::mem::replace(&mut self.device_read_bytes, Ok(0)), bytes) {
            (Ok(sum), Ok(bytes)) => Ok(sum + bytes),
            (Err(reason), _) | (_, Err(reason)) => Err(reason),
        };
    }
}

fn difference(before: &Reading<u64>, after: &Reading<u64>) -> Result<u64, String> {
    match (before, after) {
        (Reading::Value(before), Reading::Value(after)) => Ok(after.saturating_sub(*before)),
        (Reading::Unavailable(reason), _) | (_, Reading::Unavailable(reason)) => Err(reason.clone()),
    }
}

fn void(rows: &mut [Row], arms: usize) {
    for row in rows {
        *row = vec![None; arms];
    }
}

/// Whether some arm bypasses the page cache and so reads a device though warm.
fn reads_directly(setting: &TimePassSetting<'_>) -> bool {
    setting.fork.layout.seats.iter().any(|seat| {
        seat.operation.delivers_data() && seat.methods.iter().any(|method| method.contains("O_DIRECT"))
    })
}
