//! Every sample record.

use crate::batches::batches;
use crate::explained::explained;
use crate::published::published;
use crate::records::{complete, interrupted, long_names};
use crate::scans::scans;
use crate::sweep::sweep;
use crate::threads::threads;
use crate::troubled::troubled;
use fathom_model::Record;

/// Every sample record by name.
pub fn all() -> Vec<(&'static str, Record)> {
    vec![
        ("complete", complete()),
        ("interrupted", interrupted()),
        ("troubled", troubled()),
        ("long-names", long_names()),
        ("sweep", sweep()),
        ("published", published()),
        ("scans", scans()),
        ("batches", batches()),
        ("threads", threads()),
        ("explained", explained()),
    ]
}
