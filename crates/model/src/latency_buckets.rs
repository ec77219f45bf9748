//! Times counted in buckets, as a program in the kernel can: a few to each power of two.

/// How many buckets there are.
const BUCKETS: usize = 128;
/// Times of one bucket differ by less than this unit below four of them.
const UNIT_NS: u64 = 64;

/// How many calls took how long: four buckets to each power of two from 256 ns to eight minutes, the
/// lower of equal width, the last without an end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LatencyBuckets {
    counts: [u64; BUCKETS],
}

impl Default for LatencyBuckets {
    fn default() -> Self {
        Self { counts: [0; BUCKETS] }
    }
}

impl LatencyBuckets {
    /// So many of each, from the shortest.
    pub fn new(counts: impl IntoIterator<Item = u64>) -> Self {
        let mut buckets = Self::default();
        for (kept, count) in buckets.counts.iter_mut().zip(counts) {
            *kept = count;
        }
        buckets
    }

    /// How many calls.
    pub fn calls(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Adds others.
    pub fn add(&mut self, others: &Self) {
        for (count, other) in self.counts.iter_mut().zip(others.counts) {
            *count += other;
        }
    }

    /// Those that came since.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        Self::new(self.counts.iter().zip(before.counts).map(|(now, before)| now.saturating_sub(before)))
    }

    /// A time, in ns, that this share of the calls does not exceed: the end of the bucket of the last of
    /// them, less than a quarter above its time; `None` of no calls.
    pub fn at_most_ns(&self, share: f64) -> Option<u64> {
        let calls = self.calls();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
        let rank = ((calls as f64 * share).ceil() as u64).clamp(1, calls.max(1));
        let mut below = 0;
        let last = self.counts.iter().position(|count| {
            below += count;
            below >= rank
        })?;
        Some(end_ns(last))
    }
}

/// Where a bucket ends.
fn end_ns(bucket: usize) -> u64 {
    let next = bucket as u64 + 1;
    if next < 4 { next * UNIT_NS } else { ((4 + next % 4) << (next / 4 - 1)) * UNIT_NS }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_end_where_the_next_begins_and_are_a_quarter_wide() {
        let ends: Vec<u64> = (0..12).map(|bucket| end_ns(bucket) / UNIT_NS).collect();
        assert_eq!(ends, [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16]);
        assert!((4..BUCKETS - 1).all(|bucket| end_ns(bucket + 1) <= end_ns(bucket) / 4 * 5));
        assert!(end_ns(BUCKETS - 2) > 480_000_000_000, "eight minutes");
    }

    #[test]
    fn a_share_of_calls_takes_at_most_the_end_of_its_bucket() {
        let mut counts = [0; BUCKETS];
        (counts[0], counts[8], counts[40]) = (98, 1, 1);
        let buckets = LatencyBuckets::new(counts);
        assert_eq!(buckets.calls(), 100);
        let at_most = |share| buckets.at_most_ns(share).unwrap();
        assert_eq!((at_most(0.5), at_most(0.99), at_most(1.0)), (64, end_ns(8), end_ns(40)));
        assert_eq!(LatencyBuckets::default().at_most_ns(0.5), None);
        assert_eq!(buckets.since(&buckets).calls(), 0);
    }
}
