//! Files and directories, whatever they hold: scratch directories and file systems made for a
//! run, the ways to a file, whose files may be trusted, how much of one is read.
//!
//! What is in a file is `data`'s; in which cache it lies is `cache`'s.

mod access_list;
pub mod fresh_file_system;
pub(crate) mod fresh_mounts;
pub mod limited_read;
pub(crate) mod path_shape;
pub mod scratch;
pub mod trust;
