//! Two builds of a driver in one record: the new one slower, with calls and
//! allocations more.

use crate::records::complete;
use fathom_model::{ArmKind, DriverFacts, MethodId, Reading, Record};

/// One pair, `go@1.26` beside `go@1.27`, of the first two variants of `complete`.
pub fn two_builds() -> Record {
    let mut record = complete();
    record.experiments.truncate(1);
    let experiment = &mut record.experiments[0];
    experiment.unmeasured.clear();
    let comparison = &mut experiment.comparisons[0];
    comparison.label = format!("os.Open · {}", comparison.label);
    comparison.variants.truncate(2);
    for (variant, driver) in comparison.variants.iter_mut().zip(["go@1.26", "go@1.27"]) {
        variant.method = MethodId::new(driver, "os.Open");
    }
    let is_kept = |kind: ArmKind| matches!(kind, ArmKind::Variant(0 | 1) | ArmKind::Control);
    let kept: Vec<bool> = comparison.arms.iter().map(|arm| is_kept(arm.kind)).collect();
    for fork in &mut comparison.forks {
        let mut arms = kept.iter();
        fork.arms.retain(|_| arms.next() == Some(&true));
    }
    comparison.arms.retain(|arm| is_kept(arm.kind));
    comparison.counts.truncate(2);
    comparison.cache.truncate(2);
    comparison.summaries.truncate(2);
    let go = record.drivers.iter().find(|driver| driver.driver == "go").cloned();
    record.drivers = go.map_or_else(Vec::new, |go| {
        let build = |driver: &str, runtime: &str| DriverFacts {
            driver: driver.to_owned(),
            runtime: runtime.to_owned(),
            source_sha256: Reading::Value("9f2c".repeat(16)),
            ..go.clone()
        };
        vec![build("go@1.26", "go1.26.8"), build("go@1.27", "go1.27")]
    });
    record.builds = Some(["go@1.26".into(), "go@1.27".into()]);
    record
}
