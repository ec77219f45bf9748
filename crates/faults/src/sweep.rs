//! The sweep: each command once without a fault and then with one, again and again.

use crate::errnos::{Kind, failing_calls};
use crate::facts::Expected;
use crate::ground::{Fixtures, Ground, Program};
use crate::plan::{Extent, PlannedFault, choose};
use crate::subjects::{SUBJECTS, Subject};
use crate::supervised::{Run, Watch, run};
use crate::verdict::{Verdict, before, judge};
use anyhow::{Context, ensure};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use syscalls::Sysno;

/// What a sweep does.
#[derive(Debug, Clone)]
pub struct Options {
    /// The program under test.
    pub program: Program,
    /// How much is tried.
    pub extent: Extent,
    /// Only commands whose name begins so; all where none is named.
    pub subjects: Vec<String>,
    /// Only these calls; all where none is named.
    pub calls: Vec<Sysno>,
    /// Only this one of the process's calls.
    pub nth: Option<u64>,
    /// Chooses faults where there are too many.
    pub seed: u64,
    /// Runs at a time.
    pub workers: usize,
    /// How long a run may take, or four times as long as the longest without a fault, if that is more.
    pub limit: Duration,
}

/// A fault that was tried.
#[derive(Debug, Clone)]
pub struct SweptFault {
    /// The command.
    pub subject: &'static str,
    /// What failed.
    pub fault: PlannedFault,
    /// How it ended.
    pub verdict: Verdict,
    /// Standard output and error.
    pub said: [String; 2],
    /// How long the run took.
    pub took: Duration,
}

/// What a sweep gave.
#[derive(Debug, Default)]
pub struct Swept {
    /// Faults that were met.
    pub faults: Vec<SweptFault>,
    /// Planned faults whose call was not made, by command: runs differ.
    pub unmet: BTreeMap<&'static str, usize>,
    /// Faults that the commands could have met in all.
    pub feasible: BTreeMap<&'static str, usize>,
}

/// Sweeps; each fault is handed to `watch` when it is judged. Errors: a command fails without a
/// fault, or the kernel does not let us supervise.
pub fn sweep(options: &Options, watch: &(dyn Fn(&SweptFault) + Sync)) -> anyhow::Result<Swept> {
    let fixtures = Fixtures::make(&options.program)?;
    let mut swept = Swept::default();
    let is_chosen = |subject: &&Subject| {
        options.subjects.is_empty() || options.subjects.iter().any(|name| subject.name.starts_with(name))
    };
    for subject in SUBJECTS.iter().filter(is_chosen) {
        if budget(options.extent, subject) == 0 {
            continue;
        }
        let bench = Bench { options, fixtures: &fixtures, subject };
        bench.sweep(&mut swept, watch).with_context(|| format!("`fathom {}`", subject.words.join(" ")))?;
    }
    Ok(swept)
}

fn budget(extent: Extent, subject: &Subject) -> usize {
    let (short, whole) = subject.budgets;
    match extent {
        Extent::Short => short,
        Extent::Whole => whole,
        Extent::AtMost(faults) => faults,
    }
}

/// What runs without a fault gave.
struct Unfailed {
    expected: Expected,
    feasible: BTreeMap<Kind, Vec<u64>>,
    longest: Duration,
}

/// Where one command is tried.
struct Bench<'a> {
    options: &'a Options,
    fixtures: &'a Fixtures,
    subject: &'a Subject,
}

impl Bench<'_> {
    fn sweep(&self, swept: &mut Swept, watch: &(dyn Fn(&SweptFault) + Sync)) -> anyhow::Result<()> {
        let Unfailed { expected, feasible, longest } = self.without_faults()?;
        // Beside load what takes long is no hang: it is measured by what the same command took just before.
        let limit = self.options.limit.max(longest * 4);
        swept.feasible.insert(self.subject.name, feasible.values().map(Vec::len).sum());
        let faults = self.choose(feasible);
        let next = AtomicUsize::new(0);
        let done = Mutex::new((Vec::new(), 0));
        let work = || -> anyhow::Result<()> {
            while let Some(&fault) = faults.get(next.fetch_add(1, Ordering::Relaxed)) {
                let met = self.try_fault(fault, &expected, limit)?;
                let mut done = done.lock().map_err(|_| anyhow::anyhow!("a worker panicked"))?;
                match met {
                    Some(fault) => {
                        watch(&fault);
                        done.0.push(fault);
                    }
                    None => done.1 += 1,
                }
            }
            Ok(())
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (1..self.options.workers)
                .map(|_| thread::Builder::new().spawn_scoped(scope, work))
                .collect::<Result<_, _>>()?;
            work()?;
            workers.into_iter().try_for_each(|worker| {
                worker.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a worker panicked")))
            })
        })?;
        let (met, unmet) = done.into_inner().map_err(|_| anyhow::anyhow!("a worker panicked"))?;
        swept.faults.extend(met);
        swept.unmet.insert(self.subject.name, unmet);
        Ok(())
    }

    fn choose(&self, mut feasible: BTreeMap<Kind, Vec<u64>>) -> Vec<PlannedFault> {
        if let Some(nth) = self.options.nth {
            for calls in feasible.values_mut() {
                calls.retain(|call| *call == nth);
            }
        }
        let calls = &self.options.calls;
        feasible.retain(|kind, _| calls.is_empty() || calls.contains(&kind.call));
        choose(&feasible, budget(self.options.extent, self.subject), self.options.seed)
    }

    /// What runs without a fault find, the calls of the last, and how long the longest took.
    fn without_faults(&self) -> anyhow::Result<Unfailed> {
        const RUNS: usize = 3;
        const ERROR: i32 = 2;
        // Here every call that can fail waits for us, and not those of one name.
        const UNFAILED_LIMIT: Duration = Duration::from_mins(5);
        let mut calls = failing_calls();
        calls.push(Sysno::sigaltstack);
        let mut facts = Vec::new();
        let mut feasible = BTreeMap::new();
        let mut longest = Duration::ZERO;
        for _ in 0..RUNS {
            let ground = Ground::prepared(self.fixtures)?;
            let before = before(&ground);
            let run = self.run(&ground, &calls, None, UNFAILED_LIMIT)?;
            facts.push((self.subject.facts)(&ground));
            let verdict = judge(self.subject, &ground, &before, &run, None);
            ensure!(run.status.code() != Some(ERROR), "without a fault: {verdict}");
            ensure!(verdict.ending.is_good(), "without a fault: {verdict}");
            feasible = run.feasible;
            longest = longest.max(run.took);
        }
        Ok(Unfailed { expected: Expected::from_runs(&facts), feasible, longest })
    }

    /// The verdict on a run with this fault; `None` when it did not come to that call.
    fn try_fault(
        &self,
        fault: PlannedFault,
        expected: &Expected,
        limit: Duration,
    ) -> anyhow::Result<Option<SweptFault>> {
        let ground = Ground::prepared(self.fixtures)?;
        let before = before(&ground);
        let run = self.run(&ground, &[fault.kind.call], Some((fault.kind, fault.nth)), limit)?;
        if !run.injected {
            return Ok(None);
        }
        let said = ["stdout", "stderr"].map(|stream| ground.said(stream));
        let verdict = judge(self.subject, &ground, &before, &run, Some(expected));
        Ok(Some(SweptFault { subject: self.subject.name, fault, verdict, said, took: run.took }))
    }

    fn run(
        &self,
        ground: &Ground,
        calls: &[Sysno],
        fault: Option<(Kind, u64)>,
        limit: Duration,
    ) -> anyhow::Result<Run> {
        let watch = Watch { calls, fault, limit, tag: ground.path() };
        run(&mut ground.command(self.subject.words)?, watch)
    }
}
