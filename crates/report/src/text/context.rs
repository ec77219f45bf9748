//! What a table is seen in.

use fathom_model::{Comparison, Publication, Record};

/// Its record, and the rest of its experiment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) record: &'a Record,
    pub(crate) comparisons: &'a [Comparison],
    pub(crate) reported: &'a [Publication],
}
