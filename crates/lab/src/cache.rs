//! Whether the kernel has files in memory: cache states brought about and proven.
//!
//! Which samples want which state is `passes`'.

pub mod cache_control;
