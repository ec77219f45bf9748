//! What is known of a run while it goes on: where it is, what it found, how much is
//! left, and what disturbs it.

use super::Later;
use fathom_collect::{NoiseSnapshot, noise_between};
use fathom_lab::{Event, SoFar, noise_warnings_on, others_cpus};
use fathom_model::{Comparison, Noise, PlaceFacts, Reading, StopReason, Warning};
use fathom_report::{LiveClock, LiveNoise, LiveState, LiveTimes, Pass, Position, TimeLeft};
use fathom_stats::Aim;
use std::time::{Duration, Instant};

/// The kernel's totals are read no more often.
const NOISE_INTERVAL: Duration = Duration::from_secs(1);

/// A run so far.
pub(super) struct Course {
    begun: Instant,
    entry: Option<Numbered>,
    after_entry: Later,
    comparison: Option<Numbered>,
    /// Time that the later comparisons of this entry may take.
    later: Duration,
    /// When this comparison began.
    comparison_begun: Instant,
    phase: Phase,
    times: Option<Times>,
    /// Comparisons that ended, and what their time passes took.
    ended: (u32, Duration),
    noise: Option<Disturbance>,
}

struct Numbered {
    name: String,
    number: usize,
    of: usize,
}

/// How far a comparison is, by its time pass.
#[derive(Clone, Copy)]
enum Phase {
    /// It will be given so much.
    Before(Duration),
    /// It has taken so much of so much.
    Timing(Duration, Duration),
    /// It took so much.
    After(Duration),
}

/// What the forks of the comparison say.
struct Times {
    comparison: Comparison,
    places: Vec<PlaceFacts>,
    forks: usize,
    aim: Aim,
}

struct Disturbance {
    before: NoiseSnapshot,
    read: Instant,
    cpus: usize,
    noise: Noise,
    others_cpus: Reading<f64>,
    warnings: Vec<Warning>,
}

impl Course {
    pub(super) fn begin() -> Self {
        let begun = Instant::now();
        Self {
            begun,
            comparison_begun: begun,
            entry: None,
            after_entry: Later::default(),
            comparison: None,
            later: Duration::ZERO,
            phase: Phase::Before(Duration::ZERO),
            times: None,
            ended: (0, Duration::ZERO),
            noise: None,
        }
    }

    pub(super) fn watch_noise(&mut self, before: &NoiseSnapshot) {
        // All that run: a pinned thread may use one of them.
        let cpus = fathom_collect::online_cpus();
        self.noise = Some(Disturbance::since(before.clone(), cpus));
    }

    pub(super) fn enter(&mut self, name: &str, number: usize, of: usize, later: Later) {
        self.end_comparison();
        self.entry = Some(Numbered { name: name.to_owned(), number, of });
        self.after_entry = later;
        self.comparison = None;
        self.later = Duration::ZERO;
        self.phase = Phase::Before(Duration::ZERO);
    }

    /// Takes in what happened; `in_full` where it is going to be shown.
    pub(super) fn hear(&mut self, event: &Event<'_>, in_full: bool) {
        match *event {
            Event::Comparison { label, number, of, budget, later } => {
                self.end_comparison();
                self.comparison = Some(Numbered { name: label.to_owned(), number, of });
                self.later = later;
                self.phase = Phase::Before(budget);
            }
            Event::Timing { so_far, places, elapsed, budget } => {
                self.phase = Phase::Timing(elapsed, budget);
                if in_full {
                    self.times = Some(Times::of(so_far, places));
                }
            }
            Event::TimingCommands { elapsed, budget, .. } => self.phase = Phase::Timing(elapsed, budget),
            _ => {
                if let Phase::Timing(elapsed, _) = self.phase {
                    self.phase = Phase::After(elapsed);
                }
            }
        }
        if let Some(noise) = self.noise.as_mut().filter(|noise| in_full && noise.is_old()) {
            *noise = Disturbance::since(noise.before.clone(), noise.cpus);
        }
    }

    pub(super) fn state<'a>(&'a self, pass: Pass<'a>) -> LiveState<'a> {
        LiveState {
            entry: self.entry.as_ref().map(Numbered::position),
            comparison: self.comparison.as_ref().map(Numbered::position),
            pass,
            clock: self.clock(),
            times: self.times.as_ref().map(Times::live),
            noise: self.noise.as_ref().map(Disturbance::live),
        }
    }

    fn end_comparison(&mut self) {
        if self.comparison.is_some() {
            self.ended.0 += 1;
            self.ended.1 += self.timed();
        }
        self.comparison_begun = Instant::now();
        self.times = None;
    }

    /// Time that the present time pass has taken.
    fn timed(&self) -> Duration {
        match self.phase {
            Phase::Before(_) => Duration::ZERO,
            Phase::Timing(elapsed, _) | Phase::After(elapsed) => elapsed,
        }
    }

    /// Time that a comparison took beside its time pass, of those that ended.
    fn beside(&self) -> Option<Duration> {
        let all = self.comparison_begun.saturating_duration_since(self.begun);
        all.saturating_sub(self.ended.1).checked_div(self.ended.0)
    }

    fn clock(&self) -> LiveClock {
        let elapsed = self.begun.elapsed();
        let here = match self.phase {
            Phase::Before(budget) => budget,
            Phase::Timing(elapsed, budget) => budget.saturating_sub(elapsed),
            Phase::After(_) => Duration::ZERO,
        };
        let to_come = self.comparison.as_ref().map_or(0, |one| one.of.saturating_sub(one.number + 1))
            + self.after_entry.comparisons;
        let to_be_timed = here + self.later + self.after_entry.time;
        let left = match self.beside() {
            None if to_be_timed.is_zero() => None,
            None => Some(TimeLeft::Timing(to_be_timed)),
            Some(each) => {
                let spent = self.comparison_begun.elapsed().saturating_sub(self.timed());
                let here = each.saturating_sub(spent);
                let beside = each * u32::try_from(to_come).unwrap_or(u32::MAX) + here;
                Some(TimeLeft::All(to_be_timed + beside))
            }
        };
        LiveClock {
            elapsed,
            left,
            timing: match self.phase {
                Phase::Timing(elapsed, budget) => Some((elapsed, budget)),
                _ => None,
            },
            last: to_come == 0,
        }
    }
}

impl Numbered {
    fn position(&self) -> Position<'_> {
        Position { name: &self.name, number: self.number, of: self.of }
    }
}

impl Times {
    fn of(so_far: &SoFar<'_>, places: &[PlaceFacts]) -> Self {
        let comparison = Comparison {
            label: String::new(),
            variants: so_far.variants().to_vec(),
            baseline: so_far.baseline(),
            differing_parameters: Vec::new(),
            counts: Vec::new(),
            arms: Vec::new(),
            forks: Vec::new(),
            cache: Vec::new(),
            summaries: so_far.summaries().to_vec(),
            control: so_far.control().clone(),
            answers: Vec::new(),
            long_runs: Vec::new(),
            explanations: Vec::new(),
            ranks: None,
            validity: Vec::new(),
            stop: StopReason::Interrupted,
            warnings: Vec::new(),
        };
        Self { comparison, places: places.to_vec(), forks: so_far.forks(), aim: so_far.aim() }
    }

    fn live(&self) -> LiveTimes<'_> {
        let Self { comparison, places, forks, aim } = self;
        LiveTimes { comparison, places, forks: *forks, aim: *aim }
    }
}

impl Disturbance {
    fn since(before: NoiseSnapshot, cpus: usize) -> Self {
        let noise = noise_between(&before, &NoiseSnapshot::take());
        let others_cpus = others_cpus(&noise, cpus);
        let warnings = noise_warnings_on(&noise, cpus);
        Self { before, read: Instant::now(), cpus, noise, others_cpus, warnings }
    }

    fn is_old(&self) -> bool {
        self.read.elapsed() >= NOISE_INTERVAL
    }

    fn live(&self) -> LiveNoise<'_> {
        let Self { noise, others_cpus, cpus, warnings, .. } = self;
        LiveNoise { noise, others_cpus, cpus: *cpus, warnings }
    }
}
