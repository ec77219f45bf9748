//! Safe wrappers over the system calls that Fathom needs: one file per noun.
//!
//! What rustix does well is called through rustix, here or by the crates
//! above; this crate adds what it lacks. Descriptors are borrowed or owned,
//! never raw, past this border.
//!
//! **Invariant:** this is the one crate with `unsafe` code, one operation per
//! block. Nothing here decides: a refusal is handed on as its errno.
#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "a test may panic where no thread can be made")
)]
#![expect(unsafe_code, reason = "the one home of unsafe code in the workspace")]

pub mod affinity;
pub mod allocator;
pub mod bpf;
pub mod cachestat;
pub mod call_supervision;
pub mod capability;
pub mod child_usage;
pub mod child_wait;
pub mod clock;
mod error;
pub mod extents;
pub mod faults;
pub mod file_system;
pub mod held_start;
pub mod hypervisor;
pub mod io_ring;
pub mod loop_device;
pub mod mapping_query;
pub mod memfd;
pub mod mincore;
pub mod mount_namespace;
pub mod page_cache;
pub mod path_calls;
pub mod perf_filter;
pub mod perf_ring;
pub mod plain_calls;
pub mod ptrace_support;
pub mod region;
pub mod scheduling;
pub mod seccomp_filter;
pub mod shared_memory;
pub mod signals;
pub mod young_calls;

pub use error::SysError;
