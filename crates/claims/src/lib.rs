//! Verdicts: what records say of claims.
//!
//! A claim's check looks at a measure of a variant, alone or beside another of
//! the same comparison. Everywhere in the records where both stand is an
//! *instance*: one place, one size, one setting. Each instance has an effect, the
//! evidence for it, and what makes it doubtful; the verdicts of instances make
//! that of the check, those of the checks that of the claim.
//!
//! **Invariant:** nothing here touches a file, a clock, a process or the
//! environment; equal records give equal verdicts.

mod doubt;
mod effect;
mod evidence;
mod figure;
mod instance;
mod judge;
mod site;
mod verdict;
mod write_up;

pub use effect::{Effect, EffectUnit, Sample};
pub use evidence::{CallsBeside, Evidence};
pub use instance::Instance;
pub use judge::{JudgedCheck, JudgedClaim, JudgedFair, Judgement, VERDICTS_VERSION, judge};
pub use verdict::Verdict;
pub use write_up::{JudgedStatement, judge_statement};

#[cfg(test)]
mod tests;
