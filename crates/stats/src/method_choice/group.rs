//! What a cell is made of.

use fathom_model::{Comparison, ExperimentRecord, Record};

/// Variants of one comparison that differ in nothing but the method.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group<'a> {
    pub(super) name: &'a str,
    pub(super) record: &'a Record,
    pub(super) experiment: &'a ExperimentRecord,
    pub(super) comparison: &'a Comparison,
    pub(super) variants: &'a [usize],
    pub(super) foreign: &'a [String],
}
