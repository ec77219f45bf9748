//! The smallest builders: estimates, calls, evidence, parameters. Whole
//! comparisons and records are built elsewhere.

use fathom_model::{
    CacheEvidence, CacheState, CallCount, Content, CountPass, DataSet, DentryState, Estimate, Parameters,
    Proof, Reading, RecipeStep,
};

/// Operations of the shorter run of every sample count pass.
const OPERATIONS: u64 = 200;

/// An estimate at 95 %; `interval` is `None` where there are too few forks.
pub fn estimate(value: f64, interval: Option<(f64, f64)>, forks: u32) -> Estimate {
    Estimate {
        value,
        low: interval.map(|(low, _)| low),
        high: interval.map(|(_, high)| high),
        confidence: 0.95,
        forks,
    }
}

/// A call made `times` per operation, equal in three repetitions.
pub fn call(name: &str, times: i64) -> CallCount {
    let difference = times * OPERATIONS.cast_signed();
    CallCount { call: name.into(), errno: None, differences: vec![difference; 3], operations: OPERATIONS }
}

/// The same for a call that fails with `errno`.
pub fn failed_call(name: &str, errno: &str, times: i64) -> CallCount {
    CallCount { errno: Some(errno.into()), ..call(name, times) }
}

/// One step of a recipe; a result that starts with `E` is a failure.
pub fn step(call: &str, arguments: &str, result: &str) -> RecipeStep {
    RecipeStep {
        call: call.into(),
        arguments: arguments.into(),
        result: result.into(),
        failed: result.starts_with('E'),
        other_thread: false,
    }
}

/// A count pass with these calls inside the clock, a little background where
/// `background` says so, and the driver's own calls outside.
pub fn count_pass(inside: Vec<CallCount>, recipe: Vec<RecipeStep>, background: Vec<CallCount>) -> CountPass {
    let threads = if background.is_empty() { 1 } else { 5 };
    let outside = ["read", "write", "getrusage"].map(|name| CallCount {
        call: name.into(),
        errno: None,
        differences: vec![1],
        operations: 1,
    });
    CountPass {
        run_lengths: [OPERATIONS, 2 * OPERATIONS],
        repetitions: 3,
        inside,
        background,
        outside: outside.to_vec(),
        recipe,
        threads,
        missing: None,
    }
}

/// One file of random bytes and the protocol's defaults.
pub fn parameters(size_bytes: u64) -> Parameters {
    Parameters::new(DataSet { files: 1, size_bytes, content: Content::Random }, 65_536)
}

/// Evidence of a warm page cache that was proven.
pub fn warm_evidence(pages: u64, checks: u64) -> CacheEvidence {
    CacheEvidence {
        state: CacheState::Warm,
        proof: Proof::Proven,
        dentry: DentryState::Warm,
        file_pages: pages,
        checks,
        resident_pages_before_max: Some(pages),
        resident_pages_before_min: Some(pages),
        device_read_bytes: Reading::Value(0),
        device_read_operations: checks * 40,
        void: Vec::new(),
    }
}

/// Evidence of a cold page cache that was proven.
pub fn cold_evidence(pages: u64, checks: u64, device_read_bytes: u64) -> CacheEvidence {
    CacheEvidence {
        state: CacheState::Cold,
        dentry: DentryState::Dropped,
        resident_pages_before_max: Some(0),
        resident_pages_before_min: Some(0),
        device_read_bytes: Reading::Value(device_read_bytes),
        device_read_operations: checks,
        ..warm_evidence(pages, checks)
    }
}
