//! What the count pass found: exact system calls per operation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How often one system call with one result was made.
///
/// The count pass runs `n` and `2n` operations several times; each repetition
/// gives one difference, and the calls per operation are their median over `n`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallCount {
    /// The kernel's name of the call: `openat`.
    pub call: String,
    /// The errno's name when the call failed: `EPERM`.
    pub errno: Option<String>,
    /// Calls in the run of 2n less calls in the run of n, one per repetition.
    pub differences: Vec<i64>,
    /// n.
    pub operations: u64,
}

impl CallCount {
    /// Calls per operation: the median difference over n.
    pub fn per_operation(&self) -> f64 {
        let mut sorted = self.differences.clone();
        sorted.sort_unstable();
        let Some(&upper) = sorted.get(sorted.len() / 2) else { return 0.0 };
        let lower = sorted[(sorted.len() - 1) / 2];
        (lower + upper) as f64 / 2.0 / self.operations as f64
    }

    /// True when every repetition gave the same difference.
    pub fn is_exact(&self) -> bool {
        self.differences.windows(2).all(|pair| pair[0] == pair[1])
    }
}

/// One call of the recipe: what a single operation does, in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecipeStep {
    /// The kernel's name of the call.
    pub call: String,
    /// Decoded arguments worth reading: `O_RDONLY|O_CLOEXEC`. The measured path
    /// is written `FILE`.
    pub arguments: String,
    /// The result: a number, or the errno's name.
    pub result: String,
    /// True when the call failed.
    pub failed: bool,
    /// True when another thread than the operation's made it.
    pub other_thread: bool,
}

/// Everything the count pass of one variant found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CountPass {
    /// n and 2n, in operations; 0 and 1 of a long operation, which is counted once.
    pub run_lengths: [u64; 2],
    /// How often the pair of runs was repeated.
    pub repetitions: u32,
    /// Inside the clock and tied to the operations, most frequent first.
    pub inside: Vec<CallCount>,
    /// Inside the clock but not tied to the operations: the runtime's own
    /// (timers, collector, scheduler). Differences vary between repetitions.
    pub background: Vec<CallCount>,
    /// Outside the clock, per batch: calls of the driver between batches, as
    /// the median over batches in `differences` (one entry) with `operations` 1.
    pub outside: Vec<CallCount>,
    /// One operation's calls in order.
    pub recipe: Vec<RecipeStep>,
    /// Threads that made a call during the count pass.
    pub threads: u32,
    /// What the length of an operation, a time limit or an interrupt left out, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

impl CountPass {
    /// True of a long operation's: one of them was counted, once.
    pub fn is_of_one_operation(&self) -> bool {
        self.run_lengths == [0, 1]
    }

    /// System calls per operation inside the clock, all names together.
    pub fn calls_per_operation(&self) -> f64 {
        self.inside.iter().map(CallCount::per_operation).sum()
    }

    /// True when every count inside the clock is the same in all repetitions.
    pub fn is_exact(&self) -> bool {
        self.inside.iter().all(CallCount::is_exact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(differences: &[i64]) -> CallCount {
        CallCount { call: "read".into(), errno: None, differences: differences.to_vec(), operations: 10 }
    }

    #[test]
    fn the_median_difference_decides() {
        assert!((count(&[20, 20, 21]).per_operation() - 2.0).abs() < 1e-12);
        assert!((count(&[20, 30]).per_operation() - 2.5).abs() < 1e-12);
        assert!(count(&[]).per_operation().abs() < 1e-12);
    }

    #[test]
    fn exact_means_equal_in_every_repetition() {
        assert!(count(&[20, 20, 20]).is_exact());
        assert!(!count(&[20, 20, 21]).is_exact());
    }
}
