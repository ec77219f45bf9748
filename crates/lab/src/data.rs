//! What files hold: data sets of known content, sets that are kept, the user's own files, and what
//! follows from the content alone, which is the right answer of an operation and the wrong ones of
//! programs known to be wrong.
//!
//! Where data sets of a run lie, and when they go, is `setup`'s; nothing here knows a driver.

pub mod data_set;
pub(crate) mod file_bytes;
pub mod kept_set;
pub mod own_files;
pub(crate) mod prediction;
pub(crate) mod seed;
pub(crate) mod truth;
