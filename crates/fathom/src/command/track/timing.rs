//! Times of a command: untraced runs, one after the other, never those that were counted.

use crate::command::repository::without_git_variables;
use crate::command::stop::{Interrupted, Stop};
use anyhow::Context;
use fathom_audit::TrackedTime;
use fathom_stats::quantile;
use fathom_sys::child_usage::of_awaited;
use fathom_sys::child_wait::{Waited, kill_group, wait_for};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What timed runs of a command gave.
#[derive(Debug, Default)]
pub(super) struct Timings {
    wall_ns: Vec<f64>,
    cpu_ns: Vec<f64>,
}

impl Timings {
    /// Runs the command once more, untraced, with nothing to read and nobody who listens.
    pub(super) fn run(
        &mut self,
        directory: &Path,
        words: &[String],
        stop: &Stop,
        limit: Duration,
    ) -> anyhow::Result<()> {
        let Some((program, rest)) = words.split_first() else { unreachable!("a command has words") };
        let mut command = Command::new(program);
        command.args(rest).current_dir(directory).process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        without_git_variables(&mut command);
        let before = of_awaited().ok();
        let begun = Instant::now();
        let mut child = command.spawn().with_context(|| format!("failed to start `{program}`"))?;
        let waited = wait_for(&mut child, limit, &stop.flag);
        let wall = begun.elapsed();
        match waited.context("failed to wait for the command")? {
            Waited::Ended(_) => {}
            Waited::Stopped => {
                kill_group(&mut child);
                return Err(Interrupted.into());
            }
            Waited::LivesOn => {
                kill_group(&mut child);
                anyhow::bail!("`{program}` was killed after {} s", limit.as_secs());
            }
        }
        self.wall_ns.push(wall.as_nanos() as f64);
        if let (Some(before), Ok(after)) = (before, of_awaited()) {
            let used = |usage: fathom_sys::child_usage::ChildUsage| usage.user_ns + usage.system_ns;
            self.cpu_ns.push(used(after).saturating_sub(used(before)) as f64);
        }
        Ok(())
    }

    /// Median and quartiles of both clocks.
    pub(super) fn times(&self, command: &str) -> Vec<TrackedTime> {
        let time = |(metric, values): (&str, &Vec<f64>)| {
            let at = |share: f64| quantile(values, share);
            Some(TrackedTime {
                command: command.to_owned(),
                metric: metric.to_owned(),
                median_ns: at(0.5)?,
                low_ns: at(0.25)?,
                high_ns: at(0.75)?,
                runs: u32::try_from(values.len()).unwrap_or(u32::MAX),
            })
        };
        [("wall", &self.wall_ns), ("cpu", &self.cpu_ns)].into_iter().filter_map(time).collect()
    }
}
