//! Two methods beside each other with a scripted ratio in every fork: what
//! verdicts are tested with.

use crate::comparison::{ComparisonBuilder, Measured};
use crate::parts::{call, count_pass, failed_call, parameters, warm_evidence};
use crate::records::{experiment, record};
use fathom_model::{ArmKind, Comparison, Operation, Reading, Record, StopReason};

/// ns of the baseline's operation.
const BASE_NS: f64 = 1000.0;

/// A record of one comparison, `open-close` of `go:os.Open` beside the baseline
/// `native:open`, whose time it takes so many times in each fork.
pub fn duel(ratios: &[f64]) -> Record {
    let comparison = duel_of(ratios, "native:open", "go:os.Open");
    record(&["fathom", "verify"], vec![experiment("duel", "Two ways to open", vec![comparison])])
}

/// The same comparison of any two methods.
pub fn duel_of(ratios: &[f64], baseline: &'static str, other: &'static str) -> Comparison {
    let measured = |method, ratio: Option<(f64, f64)>, more| {
        let mut inside = vec![call("openat", 1), call("close", 1)];
        inside.extend(more);
        Measured {
            method,
            time_ns: (BASE_NS, 5.0),
            ratio,
            counts: Reading::Value(count_pass(inside, vec![], vec![])),
            runtime: &[("allocs", 3.0)],
            parameters: None,
        }
    };
    let builder = ComparisonBuilder {
        operation: Operation::OpenClose,
        parameters: parameters(4096),
        place: 0,
        cache: warm_evidence(1, 40),
        forks: u32::try_from(ratios.len()).expect("a few forks"),
        loops: vec![],
        control: Some((1.0, 0.002)),
        stop: StopReason::Decided,
    };
    let more = vec![call("fcntl", 4), failed_call("epoll_ctl", "EPERM", 1)];
    let both = vec![measured(baseline, None, vec![]), measured(other, Some((1.0, 0.01)), more)];
    let mut comparison = builder.build("4 KiB · warm", both, vec![]);
    let arm = comparison.arms.iter().position(|arm| arm.kind == ArmKind::Variant(1)).expect("it was built");
    for (fork, ratio) in comparison.forks.iter_mut().zip(ratios) {
        for ns in fork.arms[arm].ns.iter_mut().flatten() {
            *ns = times(*ns, *ratio);
        }
    }
    comparison
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small positive literals")]
fn times(ns: u64, ratio: f64) -> u64 {
    (ns as f64 * ratio).round() as u64
}
