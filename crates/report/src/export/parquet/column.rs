//! The columns: their order, names and types are what readers rely on, and
//! docs/exporting.md lists them.

use super::sample::{Sample, TimedArm};
use crate::identity::encoded;
use crate::label::{access_word, alignment_word, buffer_word};
use fathom_model::{ArmKind, Operation, Setting};

/// One column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    pub(super) name: &'static str,
    /// Whether it may be null.
    pub(super) optional: bool,
    pub(super) values: Values,
}

/// Where a column's values come from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Values {
    /// UTF-8, the same in every row of an arm.
    Text(fn(&TimedArm<'_>) -> Option<String>),
    /// 64 bits with a sign, the same in every row of an arm.
    ArmNumber(fn(&TimedArm<'_>) -> Option<u64>),
    /// A truth about the arm.
    ArmFlag(fn(&TimedArm<'_>) -> bool),
    /// 64 bits with a sign.
    Number(fn(&Sample<'_>) -> Option<u64>),
    /// A double.
    Real(fn(&Sample<'_>) -> Option<f64>),
    /// A truth about the sample.
    Flag(fn(&Sample<'_>) -> Option<bool>),
}

use Values::{ArmFlag, ArmNumber, Flag, Number, Real, Text};

/// Every column, in order.
pub(super) const COLUMNS: [Column; 33] = [
    always("experiment", Text(|arm| Some(arm.measurement.experiment.name.clone()))),
    always("comparison", Text(|arm| Some(arm.measurement.comparison.label.clone()))),
    always("arm", Text(|arm| Some(kind_word(arm).to_owned()))),
    always("variant", ArmNumber(|arm| Some(arm.measurement.index as u64))),
    always("baseline", ArmFlag(is_of_baseline)),
    maybe("name", Text(|arm| is_own(arm).then(|| arm.measurement.identity.name()))),
    always("driver", Text(|arm| Some(arm.measurement.variant.method.driver.clone()))),
    always("method", Text(|arm| Some(method(arm)))),
    always("operation", Text(|arm| Some(operation(arm).word().to_owned()))),
    maybe("file_system", Text(|arm| Some(place(arm)?.file_system.clone()))),
    maybe("place", Text(|arm| Some(place(arm)?.place.to_string()))),
    always("cache", Text(|arm| Some(arm.measurement.variant.cache.word().to_owned()))),
    always("files", ArmNumber(|arm| Some(parameters(arm).data.files.into()))),
    always("size_bytes", ArmNumber(|arm| Some(parameters(arm).data.size_bytes))),
    always("content", Text(|arm| Some(parameters(arm).data.content.to_string()))),
    always("block_bytes", ArmNumber(|arm| Some(parameters(arm).block_bytes))),
    always("access", Text(|arm| Some(access_word(parameters(arm).access).to_owned()))),
    always("alignment", Text(|arm| Some(alignment_word(parameters(arm).alignment).to_owned()))),
    always("buffer", Text(|arm| Some(buffer_word(parameters(arm).buffer).to_owned()))),
    always("settings", Text(|arm| Some(settings(arm)))),
    always("control_fault", ArmFlag(|arm| arm.measurement.is_faulty())),
    always("fork", Number(|sample| Some(sample.fork_number as u64))),
    always("fork_started_s", Real(|sample| Some(sample.fork.started_s))),
    maybe("cpu", Number(|sample| sample.fork.cpu.value().map(|&cpu| cpu.into()))),
    always("block", Number(|sample| Some(sample.block as u64))),
    always("operations", Number(|sample| Some(sample.operations.into()))),
    maybe("ns", Number(|sample| sample.ns)),
    maybe("ns_per_operation", Real(ns_per_operation)),
    maybe("preempted", Flag(|sample| sample.preempted)),
    always("ranks", ArmNumber(|arm| Some(parameters(arm).settings.number(Setting::Ranks)))),
    always("record", Text(|arm| Some(arm.record_id.clone()))),
    maybe("machine", Text(|arm| arm.record.environment.host.value().cloned())),
    always("created", Text(|arm| Some(arm.record.created.clone()))),
];

const fn always(name: &'static str, values: Values) -> Column {
    Column { name, optional: false, values }
}

const fn maybe(name: &'static str, values: Values) -> Column {
    Column { name, optional: true, values }
}

fn kind_word(arm: &TimedArm<'_>) -> &'static str {
    match arm.kind {
        ArmKind::Variant(_) => "variant",
        ArmKind::Control => "control",
        ArmKind::Loop(_) => "loop",
    }
}

fn is_own(arm: &TimedArm<'_>) -> bool {
    matches!(arm.kind, ArmKind::Variant(_))
}

/// What ratios refer to, and nothing that stands beside it.
fn is_of_baseline(arm: &TimedArm<'_>) -> bool {
    is_own(arm) && arm.measurement.index == arm.measurement.comparison.baseline
}

/// A loop performs nothing, whatever the variant is beside which it runs.
fn operation(arm: &TimedArm<'_>) -> Operation {
    if matches!(arm.kind, ArmKind::Loop(_)) { Operation::Null } else { arm.measurement.variant.operation }
}

fn method(arm: &TimedArm<'_>) -> String {
    let method = &arm.measurement.variant.method;
    match arm.kind {
        ArmKind::Loop(_) => format!("{}:null", method.driver),
        _ => method.to_string(),
    }
}

fn place<'a>(arm: &TimedArm<'a>) -> Option<&'a fathom_model::PlaceFacts> {
    arm.record.places.get(arm.measurement.variant.place)
}

fn parameters<'a>(arm: &TimedArm<'a>) -> &'a fathom_model::Parameters {
    &arm.measurement.variant.parameters
}

/// What is not as usual: `threads=4 sync=fsync`.
fn settings(arm: &TimedArm<'_>) -> String {
    let settings = parameters(arm).settings.iter();
    let words =
        settings.map(|(setting, value)| format!("{}={}", setting.word(), encoded(&value.to_string(), false)));
    words.collect::<Vec<_>>().join(" ")
}

fn ns_per_operation(sample: &Sample<'_>) -> Option<f64> {
    let ns = sample.ns.filter(|_| sample.operations > 0)?;
    Some(ns as f64 / f64::from(sample.operations))
}
