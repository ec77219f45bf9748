//! Trials: fresh workers with and without each collector, in random order, and
//! what the collector added to them and to a process beside them.

use super::arm::{Arm, Attached};
use super::worker::{Place, Program, Work, Worker};
use crate::calibrate::figures::Middle;
use crate::calibrate::note;
use crate::calibrate::session::{Pinned, cpus};
use fathom_collect::release_tracepoints;
use fathom_stats::median;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeMap;
use std::time::Instant;

/// A batch lasts about so long: a few of many are preempted, hence not the median.
const BATCH_NS: f64 = 1e6;
/// Operations by which a batch's length is found.
const PROBE: u32 = 16;
const OPERATIONS_MAX: f64 = 50_000.0;
/// Batches of a worker that count, after one that does not.
const BATCHES: usize = 41;
/// Cold reads of a worker that count.
const COLD_READS: usize = 40;

/// What one fork found of one arm. Times are per operation, in ns.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct ArmTimes {
    open_close_ns: f64,
    /// Of a process that nobody looks at, while somebody looks at another.
    bystander_ns: f64,
    /// Where the file can be evicted.
    cold_read_ns: Option<f64>,
    attach_ms: f64,
    detach_ms: f64,
}

/// All forks so far.
#[derive(Debug)]
pub(super) struct Trials<'a> {
    program: &'a Program,
    place: &'a Place,
    forks: Vec<BTreeMap<Arm, ArmTimes>>,
    /// Why an arm cannot be tried here.
    refused: BTreeMap<Arm, String>,
}

/// What all forks found of one arm.
#[derive(Debug)]
pub(super) struct ArmResult {
    pub(super) arm: Arm,
    pub(super) found: Result<ArmFigures, String>,
}

/// Medians over forks; what an arm adds is paired in the fork.
#[derive(Debug)]
pub(super) struct ArmFigures {
    pub(super) open_close_ns: Middle,
    /// Beside nothing in the same fork; `None` for nothing itself.
    pub(super) adds_ns: Option<Middle>,
    pub(super) bystander_adds_ns: Option<Middle>,
    pub(super) cold_read_ns: Option<Middle>,
    pub(super) cold_adds_ns: Option<Middle>,
    pub(super) attach_ms: Option<Middle>,
    pub(super) detach_ms: Option<Middle>,
}

impl<'a> Trials<'a> {
    pub(super) fn new(program: &'a Program, place: &'a Place) -> Self {
        Self { program, place, forks: Vec::new(), refused: BTreeMap::new() }
    }

    /// One fork: fresh workers of every arm, in an order drawn from its number, all on one CPU.
    pub(super) fn fork(&mut self, number: u32) -> anyhow::Result<()> {
        let cpus = cpus();
        let cpu = cpus[number as usize % cpus.len()];
        let others: Vec<u32> = cpus.iter().copied().filter(|&other| other != cpu).collect();
        let _pinned = Pinned::to(cpu)?;
        let mut order: Vec<Arm> =
            Arm::ALL.into_iter().filter(|arm| !self.refused.contains_key(arm)).collect();
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(u64::from(number)));
        let mut found = BTreeMap::new();
        for arm in order {
            match self.one(arm, &others) {
                Ok(times) => {
                    found.insert(arm, times);
                }
                // Without nothing there is nothing to compare with.
                Err(error) if arm == Arm::Nothing => return Err(error),
                Err(error) => {
                    note(&format!("{}: {error:#}", arm.name()));
                    self.refused.insert(arm, format!("{error:#}"));
                }
            }
        }
        self.forks.push(found);
        Ok(())
    }

    pub(super) fn finish(self) -> Vec<ArmResult> {
        let result = |arm: Arm| match self.refused.get(&arm) {
            Some(reason) => ArmResult { arm, found: Err(reason.clone()) },
            None => ArmResult { arm, found: figures(arm, &self.forks).ok_or("no fork was run".to_owned()) },
        };
        Arm::ALL.into_iter().map(result).collect()
    }

    fn one(&self, arm: Arm, others: &[u32]) -> anyhow::Result<ArmTimes> {
        let folder = tempfile::tempdir()?;
        let start = |arm: Arm, work| arm.worker(self.program, work, self.place, &folder.path().join("times"));
        let mut bystander = start(Arm::Nothing, Work::OpenClose)?;
        let mut worker = start(arm, Work::OpenClose)?;
        let begun = Instant::now();
        let mut attached = arm.attach(&worker, self.place)?;
        let attach_ms = begun.elapsed().as_secs_f64() * 1000.0;
        let open_close_ns = hot(&mut worker, &mut attached, others)?;
        let bystander_ns = hot(&mut bystander, &mut attached, others)?;
        attached.check()?;
        let begun = Instant::now();
        let_go(arm, attached);
        let detach_ms = begun.elapsed().as_secs_f64() * 1000.0;
        worker.quit()?;
        bystander.quit()?;
        let mut reader = start(arm, Work::Read)?;
        let mut attached = arm.attach(&reader, self.place)?;
        let cold_read_ns = self.cold(&mut reader, &mut attached, others)?;
        let_go(arm, attached);
        reader.quit()?;
        Ok(ArmTimes { open_close_ns, bystander_ns, cold_read_ns, attach_ms, detach_ms })
    }

    /// `None` where the file's pages cannot be evicted.
    fn cold(
        &self,
        worker: &mut Worker,
        attached: &mut Attached,
        others: &[u32],
    ) -> anyhow::Result<Option<f64>> {
        worker.batch(PROBE)?;
        let mut times = Vec::new();
        for _ in 0..COLD_READS {
            if !self.place.evict()? {
                return Ok(None);
            }
            times.push(attached.during(others, || worker.batch(1))?);
        }
        Ok(median(&times))
    }
}

/// Also of the tracepoints, which would stay armed while the next arm is tried.
fn let_go(arm: Arm, attached: Attached) {
    drop(attached);
    if arm == Arm::Evidence {
        release_tracepoints();
    }
}

/// The median over batches of an operation's time.
fn hot(worker: &mut Worker, attached: &mut Attached, others: &[u32]) -> anyhow::Result<f64> {
    attached.during(others, || {
        let each_ns = worker.batch(PROBE)?.max(1.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        let operations = (BATCH_NS / each_ns).clamp(f64::from(PROBE), OPERATIONS_MAX) as u32;
        worker.batch(operations)?;
        let times = (0..BATCHES).map(|_| worker.batch(operations)).collect::<anyhow::Result<Vec<_>>>()?;
        Ok(median(&times).unwrap_or(f64::NAN))
    })
}

fn figures(arm: Arm, forks: &[BTreeMap<Arm, ArmTimes>]) -> Option<ArmFigures> {
    let of = |value: &dyn Fn(&ArmTimes) -> Option<f64>| {
        Middle::of(&forks.iter().filter_map(|fork| value(fork.get(&arm)?)).collect::<Vec<_>>())
    };
    let added = |value: &dyn Fn(&ArmTimes) -> Option<f64>| {
        let pairs =
            forks.iter().filter_map(|fork| Some(value(fork.get(&arm)?)? - value(fork.get(&Arm::Nothing)?)?));
        (arm != Arm::Nothing).then(|| Middle::of(&pairs.collect::<Vec<_>>())).flatten()
    };
    let is_attached = matches!(arm, Arm::Software | Arm::Evidence | Arm::Sampling);
    Some(ArmFigures {
        open_close_ns: of(&|times| Some(times.open_close_ns))?,
        adds_ns: added(&|times| Some(times.open_close_ns)),
        bystander_adds_ns: added(&|times| Some(times.bystander_ns)),
        cold_read_ns: of(&|times| times.cold_read_ns),
        cold_adds_ns: added(&|times| times.cold_read_ns),
        attach_ms: of(&|times| Some(times.attach_ms)).filter(|_| is_attached),
        detach_ms: of(&|times| Some(times.detach_ms)).filter(|_| is_attached),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_arm_adds_is_paired_in_the_fork() {
        let fork = |level: f64| {
            let nothing = ArmTimes { open_close_ns: level, bystander_ns: level, ..ArmTimes::default() };
            let counted =
                ArmTimes { open_close_ns: level + 9.0, bystander_ns: level + 1.0, ..ArmTimes::default() };
            BTreeMap::from([(Arm::Nothing, nothing), (Arm::Evidence, counted)])
        };
        // The machine's own changes are far larger than what is added.
        let forks: Vec<_> = [500.0, 900.0, 700.0, 2000.0].map(fork).to_vec();
        let found = figures(Arm::Evidence, &forks).unwrap();
        let is = |middle: Option<Middle>, value: f64| {
            middle.is_some_and(|middle| (middle.value - value).abs() < 1e-9)
        };
        assert!(is(found.adds_ns, 9.0) && is(found.bystander_adds_ns, 1.0) && found.cold_adds_ns.is_none());
        assert!(figures(Arm::Nothing, &forks).unwrap().adds_ns.is_none());
        assert!(figures(Arm::Count, &forks).is_none());
    }
}
