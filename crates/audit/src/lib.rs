//! What a program wastes or risks on its file path: events become identities and open
//! files, those become findings by rules.
//!
//! **Invariant:** pure. Nothing here opens a file, reads a clock or asks the
//! environment; prices are given, and durations seen under a tracer price nothing.

mod audit;
mod auditor;
mod call_key;
mod cases;
#[cfg(test)]
mod clean;
mod finding;
mod history;
mod knowledge;
mod moment;
mod open_flags;
mod prices;
mod recent;
mod render;
#[cfg(test)]
mod robustness;
mod rule;
mod rules;
#[cfg(test)]
mod script;
#[cfg(test)]
mod trio;
mod world;

pub use audit::{AUDIT_VERSION, Audit, AuditFact};
pub use auditor::Auditor;
pub use finding::{
    ExampleCall, Finding, FindingClass, FindingPlace, FindingPrice, Frame, Owner, RuleId, Severity, ShareOf,
    Suppression,
};
pub use prices::{CallPrice, PriceList, Prices};
pub use rule::{Guard, RuleFacts, rule_facts};
