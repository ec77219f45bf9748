//! One counter across methods.

use super::Seen;
use crate::quantity::{NONE, grouped, number, per_operation, rounded_bytes, short_time};
use crate::request_steps::is_request_step;
use fathom_model::counter_name as name;
use fathom_model::{CounterUnit, EvidencePass, KernelCounter, Scope};

/// Less than this per operation is a stray event, not the method's, unless batches are fixed.
const STRAY: f64 = 0.01;
/// The same of what everybody did.
const STRAY_WIDE: f64 = 0.5;
/// The same of bytes that everybody moved: a sector.
const STRAY_WIDE_BYTES: f64 = 512.0;
/// Told elsewhere, or twice.
const FULL_ONLY: [&str; 3] = [name::WALL_TIME, name::RUN_QUEUE_TIME, "task-clock"];
/// Times that are counted in ticks of 10 ms tell nothing of less than ten of them.
const TICKED: [&str; 2] = [name::USER_TIME, name::SYSTEM_TIME];
const TICKED_MIN_NS: f64 = 1e8;
/// Of what was not told from nothing.
const NEARLY_NONE: &str = "~0";
/// What rusage has stands for itself only where perf events have it not.
const TWICE: [(&str, &str); 2] =
    [(name::RUSAGE_MINOR_FAULTS, name::MINOR_FAULTS), (name::RUSAGE_MAJOR_FAULTS, name::MAJOR_FAULTS)];

/// A row.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    name: String,
    scope: Scope,
    unit: CounterUnit,
    source: String,
}

/// The rows in the order of the first method that has them: what some method did, or in
/// full everything that counted anything.
pub(crate) fn rows(seen: &[Seen<'_>], full: bool, fixed: bool) -> Vec<Row> {
    let mut rows = all(seen);
    let is_told = |row: &Row| {
        let name = row.name.as_str();
        !FULL_ONLY.contains(&name) && !is_request_step(name) && !is_twice(row, seen) && !row.is_own(seen)
    };
    rows.retain(|row| {
        if full {
            !row.is_silent(seen)
        } else {
            is_told(row) && seen.iter().any(|seen| row.counts(seen.pass, fixed))
        }
    });
    rows
}

/// Names of what could be counted and was 0 in every run of every method.
pub(crate) fn silent(seen: &[Seen<'_>]) -> Vec<String> {
    all(seen).iter().filter(|row| row.is_silent(seen)).map(Row::name).collect()
}

fn all(seen: &[Seen<'_>]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for counter in seen.iter().flat_map(|seen| &seen.pass.counters) {
        let is_known = rows.iter().any(|row| row.is_of(counter));
        if counter.differences.value().is_some() && !is_known {
            let KernelCounter { name, scope, unit, source, .. } = counter.clone();
            rows.push(Row { name, scope, unit, source });
        }
    }
    rows.sort_by_key(|row| row.scope);
    rows
}

impl Row {
    /// The counter's name, and whose doings it counts where that is not the method's alone.
    pub(crate) fn name(&self) -> String {
        match self.scope {
            Scope::Task => self.name.clone(),
            Scope::Device => format!("device: {}", self.name.trim_start_matches("device-")),
            Scope::Machine => format!("machine: {}", self.name),
        }
    }

    /// Where it was read.
    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// True for what everybody's doings are in.
    pub(crate) fn is_wide(&self) -> bool {
        self.scope != Scope::Task
    }

    /// True for a device's counter that counted what the methods themselves did, and no more.
    fn is_own(&self, seen: &[Seen<'_>]) -> bool {
        let differences = |seen: &Seen<'_>, name: &str, scope| {
            let counter = seen.pass.counter(name, scope)?;
            counter.differences.value().cloned()
        };
        let own = match self.name.as_str() {
            "device-reads" => "block_rq_issue:read",
            "device-read-bytes" => name::READ_BYTES,
            name => name,
        };
        self.scope == Scope::Device
            && seen.iter().all(|seen| {
                let here = differences(seen, &self.name, Scope::Device);
                here.is_some() && here == differences(seen, own, Scope::Task)
            })
    }

    /// A method's median per operation, as a number.
    pub(crate) fn each(&self, pass: &EvidencePass) -> Option<f64> {
        Some(self.median(pass)?.1 / pass.operations().max(1) as f64)
    }

    /// The least and the most of a method's repetitions, per operation.
    pub(crate) fn ends(&self, pass: &EvidencePass) -> Option<(f64, f64)> {
        let values = pass.counter(&self.name, self.scope)?.differences.value()?;
        let each = |value: &i64| *value as f64 / pass.operations().max(1) as f64;
        Some((each(values.iter().min()?), each(values.iter().max()?)))
    }

    /// True for a time: of that, other sections tell more.
    pub(crate) fn is_time(&self) -> bool {
        self.unit == CounterUnit::Ns
    }

    /// True where no run of any method counted any.
    fn is_silent(&self, seen: &[Seen<'_>]) -> bool {
        let values = seen.iter().filter_map(|seen| seen.pass.counter(&self.name, self.scope));
        values.filter_map(|counter| counter.differences.value()).flatten().all(|value| *value == 0)
    }

    /// A method's median per operation. Where a process' longer runs counted less than its shorter ones,
    /// what it does itself is lost among what happens by the way.
    pub(crate) fn cell(&self, pass: &EvidencePass) -> String {
        let Some((counter, median)) = self.median(pass) else { return NONE.to_owned() };
        let each = median / pass.operations().max(1) as f64;
        if self.is_below_a_tick(median) {
            return format!("< {}", short_time(TICKED_MIN_NS / pass.operations().max(1) as f64));
        }
        if self.is_less_than_nothing(median) {
            return NEARLY_NONE.to_owned();
        }
        match self.unit {
            CounterUnit::Ns => signed(each, short_time),
            CounterUnit::Bytes => signed(each, rounded_bytes),
            CounterUnit::Events | CounterUnit::Pages => {
                per_operation(each, each == 0.0 || counter.is_exact())
            }
        }
    }

    /// A method's median of all operations together.
    pub(crate) fn cell_in_all(&self, pass: &EvidencePass) -> String {
        let Some((_, median)) = self.median(pass) else { return NONE.to_owned() };
        if self.is_less_than_nothing(median) {
            return NEARLY_NONE.to_owned();
        }
        signed(median, |total| self.written(total))
    }

    /// `LABEL 11 to 14`, where the repetitions did not agree.
    pub(crate) fn range(&self, seen: &Seen<'_>) -> Option<String> {
        let values = seen.pass.counter(&self.name, self.scope)?.differences.value()?;
        let (least, most) = (*values.iter().min()?, *values.iter().max()?);
        let written = |value: i64| signed(value as f64, |value| self.written(value));
        (least < most).then(|| format!("{} {} to {} in all", seen.label, written(least), written(most)))
    }

    fn written(&self, value: f64) -> String {
        match self.unit {
            CounterUnit::Ns => short_time(value),
            CounterUnit::Bytes => rounded_bytes(value),
            CounterUnit::Events | CounterUnit::Pages => {
                let whole = number(value, 0);
                whole.parse::<u64>().map_or(whole, grouped)
            }
        }
    }

    /// True of a time too short for the clock that it is counted by.
    fn is_below_a_tick(&self, median: f64) -> bool {
        TICKED.contains(&self.name.as_str()) && median.abs() < TICKED_MIN_NS
    }

    /// True of what a process cannot have done.
    fn is_less_than_nothing(&self, median: f64) -> bool {
        self.scope == Scope::Task && median < 0.0
    }

    fn is_of(&self, counter: &KernelCounter) -> bool {
        self.name == counter.name && self.scope == counter.scope
    }

    fn median<'a>(&self, pass: &'a EvidencePass) -> Option<(&'a KernelCounter, f64)> {
        let counter = pass.counter(&self.name, self.scope)?;
        Some((counter, counter.median()?))
    }

    fn counts(&self, pass: &EvidencePass, fixed: bool) -> bool {
        let Some((_, median)) = self.median(pass) else { return false };
        if self.is_below_a_tick(median) {
            return false;
        }
        if fixed && self.scope == Scope::Task {
            return median != 0.0;
        }
        let least = match (self.scope, self.unit) {
            (Scope::Task, _) => STRAY,
            (_, CounterUnit::Bytes) => STRAY_WIDE_BYTES,
            _ if fixed => STRAY,
            _ => STRAY_WIDE,
        };
        median.abs() / pass.operations().max(1) as f64 >= least
    }
}

/// True where the other source of the same figure was there for every method.
fn is_twice(row: &Row, seen: &[Seen<'_>]) -> bool {
    let other = TWICE.iter().find(|(name, _)| *name == row.name).map(|(_, other)| *other);
    other.is_some_and(|other| {
        let is_there = |seen: &Seen<'_>| {
            let counter = seen.pass.counter(other, Scope::Task);
            // In user mode only it is not the same figure.
            let own = seen.pass.counter(&row.name, Scope::Task).and_then(KernelCounter::median);
            counter.is_some_and(|counter| {
                // A fault or two of the driver's own is no news.
                let differs = counter.median().zip(own).is_some_and(|(one, other)| {
                    (one - other).abs() > STRAY * seen.pass.operations() as f64 + 2.0
                });
                counter.differences.value().is_some() && !counter.source.contains("user mode") && !differs
            })
        };
        seen.iter().all(is_there)
    })
}

/// Writers write what is not below zero; a difference may be.
fn signed(value: f64, write: impl Fn(f64) -> String) -> String {
    let sign = if value < 0.0 { "-" } else { "" };
    format!("{sign}{}", write(value.abs()))
}
