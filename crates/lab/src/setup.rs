//! What stands ready before anything is counted or timed: the places and data sets of a run, each
//! variant's arguments and right answers, and whether it works here at all.
//!
//! Content is `data`'s; what is measured afterwards is `passes`'.

pub(crate) mod data_store;
pub(crate) mod preflight;
pub(crate) mod preparation;
pub(crate) mod probe;
