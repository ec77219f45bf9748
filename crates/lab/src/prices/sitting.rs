//! One session: fresh processes one after the other, each pinned to the CPU whose
//! turn it is and on files of its own, and what they found as one list.

use super::names::{BATCHES_MAX, MAKING_CALL};
use super::process::{Answer, CREATING, ONLY, PRICE_PROCESS_WORD};
use super::{Effort, PRICE_LIST_VERSION, PriceError};
use crate::files::scratch::{Scratch, leftovers, report};
use crate::processes::placement::Placement;
use fathom_collect::{NoiseSnapshot, environment, floors, noise_between, place_facts};
use fathom_model::{CallCondition, Estimate, Place, Price, PriceList, Reading, Unpriced};
use fathom_stats::{combined_sequence, median};
use fathom_sys::child_wait::output_within;
use std::collections::BTreeMap;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long a process may take beside the time that it is given.
const PREPARING_LIMIT: Duration = Duration::from_mins(10);
/// More than any process has to say.
const MOST_BYTES: usize = 64 << 20;
/// Coverage of the intervals.
const CONFIDENCE: f64 = 0.95;

/// What processes found of one condition.
type Values = BTreeMap<CallCondition, (Vec<f64>, Vec<f64>)>;

/// Takes the prices of a directory's file system. `after` hears of each process
/// that ended, while no clock runs.
pub(super) fn take(
    directory: &Path,
    effort: Effort,
    only: &[String],
    stop: &AtomicBool,
    after: &mut dyn FnMut(u32),
) -> Result<PriceList, PriceError> {
    let created = jiff::Timestamp::now();
    leftovers(directory)?.into_iter().for_each(report);
    let facts = place_facts(&Place::Directory(directory.to_owned()), directory)?;
    let (environment, floors, before) = (environment(), floors(), NoiseSnapshot::take());
    let placement = Placement::begin();
    let seed = crate::data::seed::draw_seed();
    let (mut values, mut unpriced) = (Values::new(), Vec::<Unpriced>::new());
    let seconds = effort.time.as_secs_f64() / f64::from(effort.processes);
    let creating = ["rounds".to_owned(), BATCHES_MAX.to_string(), CREATING.to_owned()];
    let mut everything_else = vec!["seconds".to_owned(), seconds.to_string()];
    if !only.is_empty() {
        everything_else.push(ONLY.to_owned());
        everything_else.extend_from_slice(only);
    }
    let makes_files = only.is_empty() || only.iter().any(|call| call == MAKING_CALL);
    let makers = if makes_files { effort.processes } else { 0 };
    let turns = (0..makers).map(|number| (number, creating.as_slice()));
    let turns = turns.chain((0..effort.processes).map(|number| (number, everything_else.as_slice())));
    // What was made stays until the end: some file systems search past freed inodes,
    // and making files would pay for removing those of the process before.
    let mut grounds = Vec::new();
    let limit = effort.time * 4 + PREPARING_LIMIT;
    for (number, words) in turns {
        let _unpinned_where_refused = placement.pin(number as usize);
        let (answer, ground) = run_process(directory, seed.wrapping_add(number.into()), words, limit, stop)?;
        grounds.push(ground);
        for taken in answer.prices {
            let (wall, cpu) = values.entry(taken.condition).or_default();
            wall.push(taken.wall_ns);
            cpu.push(taken.cpu_ns);
        }
        unpriced.extend(answer.unpriced);
        if words == everything_else.as_slice() {
            after(number + 1);
        }
    }
    drop(placement);
    unpriced.sort_unstable_by(|left, right| (&left.call, &left.reason).cmp(&(&right.call, &right.reason)));
    unpriced.dedup_by(|left, right| left.call == right.call);
    Ok(PriceList {
        schema_version: PRICE_LIST_VERSION,
        fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
        created: created.round(jiff::Unit::Second).unwrap_or(created).to_string(),
        environment,
        floors,
        noise: Reading::Value(noise_between(&before, &NoiseSnapshot::take())),
        place: facts,
        processes: effort.processes,
        prices: values.into_iter().filter_map(price).collect(),
        unpriced,
    })
}

/// A price over the processes that could take it.
fn price((condition, (wall, cpu)): (CallCondition, (Vec<f64>, Vec<f64>))) -> Option<Price> {
    Some(Price { condition, wall_ns: estimate(&wall)?, cpu_ns: estimate(&cpu)? })
}

fn estimate(values: &[f64]) -> Option<Estimate> {
    let interval = combined_sequence(values, 1.0 - CONFIDENCE);
    let bounded = interval.is_bounded();
    Some(Estimate {
        value: median(values)?,
        low: bounded.then_some(interval.low),
        high: bounded.then_some(interval.high),
        confidence: CONFIDENCE,
        forks: u32::try_from(values.len()).ok()?,
    })
}

/// One process in a directory of its own, which is removed with the scratch returned.
fn run_process(
    directory: &Path,
    seed: u64,
    words: &[String],
    limit: Duration,
    stop: &AtomicBool,
) -> Result<(Answer, Scratch), PriceError> {
    if stop.load(Ordering::Relaxed) {
        return Err(PriceError::Interrupted);
    }
    let scratch = Scratch::create(directory)?;
    let ground = scratch.make_tree()?;
    // The program may have been replaced on disk meanwhile; this is the one that runs.
    let mut command = Command::new("/proc/self/exe");
    command.arg0("fathom").arg(PRICE_PROCESS_WORD).arg(&ground).arg(seed.to_string()).args(words);
    let said = said(&mut command, limit, stop)?;
    let answer = serde_json::from_slice(&said)
        .map_err(|error| PriceError::Process(format!("it answered: {error}")))?;
    Ok((answer, scratch))
}

/// What a process says before it ends well.
fn said(command: &mut Command, limit: Duration, stop: &AtomicBool) -> Result<Vec<u8>, PriceError> {
    let output =
        output_within(command, limit, MOST_BYTES, Some(stop)).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => PriceError::Interrupted,
            _ => PriceError::Process(error.to_string()),
        })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().rfind(|line| !line.trim().is_empty()).map(|line| line.trim().to_owned());
        return Err(PriceError::Process(last.unwrap_or_else(|| format!("it ended with {}", output.status))));
    }
    Ok(output.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_the_median_over_processes_with_its_interval() {
        let values: Vec<f64> = (1..=12).map(f64::from).collect();
        let found = estimate(&values).unwrap();
        assert!((found.value - 6.5).abs() < 1e-12);
        let (low, high) = found.interval().unwrap();
        assert!(low < 6.5 && 6.5 < high && found.forks == 12);
        let few = estimate(&values[..2]).unwrap();
        assert_eq!((few.low, few.high), (None, None));
        assert_eq!(estimate(&[]), None);
    }

    #[test]
    fn a_process_that_fails_lingers_or_is_to_stop_is_told_in_words() {
        let never = AtomicBool::new(false);
        let run = |script: &str, stop| {
            let limit = Duration::from_millis(500);
            said(Command::new("sh").args(["-c", script]), limit, stop).unwrap_err()
        };
        let failure = run("echo no such luck >&2; exit 3", &never);
        assert!(failure.to_string().contains("no such luck"), "{failure}");
        let failure = run("exec >&- 2>&-; exec sleep 600", &never);
        assert!(failure.to_string().contains("did not end within 0.5 s"), "{failure}");
        assert!(matches!(run("sleep 600", &AtomicBool::new(true)), PriceError::Interrupted));
    }
}
