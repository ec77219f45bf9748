//! Readings of counters become differences: after less before, longer run less
//! shorter run.

use crate::processes::protocol::Done;
use fathom_collect::{CounterReading, OutsideReads};
use fathom_model::counter_name as name;
use fathom_model::{CounterUnit, KernelCounter, Reading, Scope};

/// CPU time as perf has it, threads that have ended included.
const TASK_CLOCK: &str = "task-clock";

/// What changed during one run.
#[derive(Debug)]
pub(super) struct Changes(Vec<CounterReading<i64>>);

impl Changes {
    /// Between two readings of the same counters, and what the driver answered.
    pub(super) fn between(before: &[CounterReading], after: Vec<CounterReading>, done: &Done) -> Self {
        let own = |name: &str, source: &str, unit, value| CounterReading {
            name: name.to_owned(),
            source: source.to_owned(),
            scope: Scope::Task,
            unit,
            value: Reading::Value(signed(value)),
        };
        let mut changes = vec![
            own(name::WALL_TIME, "the driver's clock", CounterUnit::Ns, done.ns),
            own(name::USED_BYTES, "the driver's answer", CounterUnit::Bytes, done.bytes),
        ];
        for reading in after {
            let earlier = before.iter().find(|earlier| is_same(earlier, &reading));
            let value = match (earlier.map(|earlier| &earlier.value), &reading.value) {
                (Some(Reading::Value(before)), Reading::Value(after)) => {
                    Reading::Value(signed(*after) - signed(*before))
                }
                (Some(Reading::Unavailable(reason)), _) | (_, Reading::Unavailable(reason)) => {
                    Reading::unavailable(reason.clone())
                }
                (None, _) => Reading::unavailable("it was not there before the run"),
            };
            let CounterReading { name, source, scope, unit, .. } = reading;
            changes.push(CounterReading { name, source, scope, unit, value });
        }
        Self(changes)
    }

    /// Adds how many reads lay outside the files, and their bytes.
    pub(super) fn add_outside_reads(&mut self, outside: &Reading<OutsideReads>) {
        let reads: fn(OutsideReads) -> u64 = |outside| outside.reads;
        let bytes: fn(OutsideReads) -> u64 = |outside| outside.bytes;
        for (name, unit, of) in [
            (name::OUTSIDE_READS, CounterUnit::Events, reads),
            (name::OUTSIDE_READ_BYTES, CounterUnit::Bytes, bytes),
        ] {
            self.0.push(CounterReading {
                name: name.to_owned(),
                source: "perf_event block:block_bio_queue, by sector".to_owned(),
                scope: Scope::Task,
                unit,
                value: outside.clone().map(|outside| signed(of(outside))),
            });
        }
    }
}

/// What the longer runs had more than the shorter, repetition by repetition.
#[derive(Debug, Default)]
pub(super) struct Differences(Vec<KernelCounter>);

impl Differences {
    /// Adds a pair of runs.
    pub(super) fn add(&mut self, shorter: Changes, longer: Changes) {
        for (short, long) in shorter.0.into_iter().zip(longer.0) {
            debug_assert!(is_same(&short, &long), "the counters of a set are always the same");
            let difference = match (short.value, long.value) {
                (Reading::Value(short), Reading::Value(long)) => Ok(long - short),
                (Reading::Unavailable(reason), _) | (_, Reading::Unavailable(reason)) => Err(reason),
            };
            let known = self.0.iter_mut().find(|known| known.name == long.name && known.scope == long.scope);
            match known {
                Some(known) => match (&mut known.differences, difference) {
                    (Reading::Value(values), Ok(value)) => values.push(value),
                    (state, Err(reason)) => *state = Reading::Unavailable(reason),
                    (Reading::Unavailable(_), Ok(_)) => {}
                },
                None => self.0.push(KernelCounter {
                    name: long.name,
                    source: long.source,
                    scope: long.scope,
                    unit: long.unit,
                    differences: difference.map(|value| vec![value]).into(),
                }),
            }
        }
    }

    /// The counters. CPU time of threads that have ended is had from perf.
    pub(super) fn into_counters(mut self) -> Vec<KernelCounter> {
        let clock = self.0.iter().find(|counter| counter.name == TASK_CLOCK).cloned();
        let cpu = self.0.iter_mut().find(|counter| counter.name == name::CPU_TIME);
        if let (Some(cpu), Some(clock)) = (cpu, clock)
            && cpu.differences.value().is_none()
            && clock.differences.value().is_some()
        {
            *cpu = KernelCounter { name: cpu.name.clone(), ..clock };
        }
        self.0
    }
}

fn is_same<T, U>(one: &CounterReading<T>, other: &CounterReading<U>) -> bool {
    one.name == other.name && one.scope == other.scope
}

/// Counters are far below 2^63.
fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(name: &str, value: Option<u64>) -> CounterReading {
        let value = value.map_or_else(|| Reading::unavailable("a thread has ended"), Reading::Value);
        let source = "somewhere".to_owned();
        CounterReading { name: name.to_owned(), source, scope: Scope::Task, unit: CounterUnit::Ns, value }
    }

    fn changes(faults: [u64; 2], cpu: Option<u64>, ns: u64) -> Changes {
        let before = [
            reading("faults", Some(faults[0])),
            reading(name::CPU_TIME, Some(5)),
            reading(TASK_CLOCK, Some(7)),
        ];
        let after = vec![
            reading("faults", Some(faults[1])),
            reading(name::CPU_TIME, cpu),
            reading(TASK_CLOCK, Some(9)),
        ];
        Changes::between(&before, after, &Done { ns, ..Done::default() })
    }

    fn values<'a>(counters: &'a [KernelCounter], name: &str) -> &'a Reading<Vec<i64>> {
        &counters.iter().find(|counter| counter.name == name).unwrap().differences
    }

    #[test]
    fn what_a_batch_costs_by_itself_drops_out() {
        let mut differences = Differences::default();
        differences.add(changes([100, 103], Some(6), 50), changes([103, 116], Some(8), 90));
        differences.add(changes([116, 118], Some(6), 50), changes([118, 127], Some(8), 40));
        let counters = differences.into_counters();
        assert_eq!(values(&counters, "faults"), &Reading::Value(vec![10, 7]));
        assert_eq!(values(&counters, name::WALL_TIME), &Reading::Value(vec![40, -10]));
        assert_eq!(values(&counters, name::CPU_TIME), &Reading::Value(vec![2, 2]));
    }

    #[test]
    fn one_reading_that_is_missing_is_no_value_at_all_unless_perf_knows() {
        let mut differences = Differences::default();
        differences.add(changes([0, 1], Some(6), 1), changes([1, 2], None, 1));
        differences.add(changes([0, 1], Some(6), 1), changes([1, 2], Some(9), 1));
        assert!(matches!(values(&differences.0, name::CPU_TIME), Reading::Unavailable(_)));
        let counters = differences.into_counters();
        assert_eq!(values(&counters, name::CPU_TIME), &Reading::Value(vec![0, 0]));
    }
}
