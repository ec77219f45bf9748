//! How many operations had ended when, by the driver's own times.

use fathom_model::TimelinePoint;
use std::time::Duration;

/// Operations that ended in each millisecond of the run.
#[derive(Debug, Default)]
pub(super) struct Progress {
    ended: Vec<u64>,
}

impl Progress {
    /// Adds a batch that began so long after the run did and took `ns`. Its
    /// operations follow each other without a gap, so that the sum of their times
    /// says when each ended; where they overlap (several threads, reads in flight)
    /// the sum is more than the batch took and is brought down to it.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a time of a run, in ms")]
    pub(super) fn add(&mut self, began: Duration, ns: u64, times_ns: &[u64]) {
        let sum_ns = times_ns.iter().map(|&time_ns| time_ns as f64).sum::<f64>();
        let scale = if sum_ns > 0.0 { ns as f64 / sum_ns } else { 0.0 };
        let mut at_ns = began.as_nanos() as f64;
        for &time_ns in times_ns {
            at_ns += time_ns as f64 * scale;
            let ms = (at_ns / 1e6) as usize;
            if ms >= self.ended.len() {
                self.ended.resize(ms + 1, 0);
            }
            self.ended[ms] += 1;
        }
    }

    /// Tells each point how many were done by then; the last has them all.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a time of a run, in ms")]
    pub(super) fn count_operations(&self, points: &mut [TimelinePoint]) {
        let (mut counted_ms, mut done) = (0, 0_u64);
        for point in &mut *points {
            let whole_ms = (point.at_ms as usize).min(self.ended.len());
            done += self.ended[counted_ms..whole_ms].iter().sum::<u64>();
            counted_ms = whole_ms;
            let in_this_ms = self.ended.get(whole_ms).copied().unwrap_or(0);
            point.operations = done + (in_this_ms as f64 * point.at_ms.fract()) as u64;
        }
        if let Some(last) = points.last_mut() {
            last.operations = self.ended.iter().sum();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::watcher::point_at;
    use super::*;

    fn counted(progress: &Progress, at_ms: &[f64]) -> Vec<u64> {
        let mut points: Vec<_> = at_ms.iter().map(|&at_ms| point_at(at_ms)).collect();
        progress.count_operations(&mut points);
        points.iter().map(|point| point.operations).collect()
    }

    const MS: u64 = 1_000_000;

    #[test]
    fn operations_are_done_when_their_times_add_up() {
        let mut progress = Progress::default();
        progress.add(Duration::ZERO, 8 * MS, &[MS, MS, MS, 5 * MS]);
        assert_eq!(counted(&progress, &[0.0, 2.0, 4.0, 99.0]), [0, 1, 3, 4]);
        assert_eq!(counted(&progress, &[0.0, 2.0]), [0, 4], "the last point has all");
    }

    #[test]
    fn a_batch_that_began_late_ends_late() {
        let mut progress = Progress::default();
        progress.add(Duration::from_millis(50), 2 * MS, &[MS, MS]);
        progress.add(Duration::from_millis(90), 2 * MS, &[MS, MS]);
        assert_eq!(counted(&progress, &[49.0, 53.0, 80.0, 100.0]), [0, 2, 2, 4]);
    }

    #[test]
    fn overlapping_operations_end_within_the_batch() {
        let mut progress = Progress::default();
        progress.add(Duration::ZERO, 10 * MS, &[10 * MS; 10]);
        assert_eq!(counted(&progress, &[6.0, 11.0, 500.0]), [5, 10, 10]);
    }

    #[test]
    fn within_a_millisecond_operations_are_even() {
        let mut progress = Progress::default();
        progress.add(Duration::ZERO, MS, &[1000; 1000]);
        assert_eq!(counted(&progress, &[0.25, 9.0, 10.0])[0], 249);
        assert_eq!(counted(&Progress::default(), &[1.0, 2.0]), [0, 0]);
    }
}
