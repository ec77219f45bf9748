//! Stacks of running programs: which code lies where, the walk from the innermost
//! frame outwards, and the names of what is met.
//!
//! **Invariant:** nothing of a process is read here but what `/proc` shows of its
//! mappings and the files that they are of; registers and memory are given. What a
//! process maps is untrusted: what cannot be read has no tables and no names.

mod hotspot;
mod made_code;
mod mappings;
mod names;
mod perf_map;
mod php;
mod process_memory;
mod python;
mod remembered;
mod ruby;
mod runtimes;
mod script_runtime;
mod stack_table;
mod tables;
mod v8;
mod walk;

pub use mappings::{Mapping, Mappings, Origin};
pub use names::{CodeFrame, Names};
pub use perf_map::PerfMap;
pub use process_memory::ProcessMemory;
pub use script_runtime::{
    NotAttached, ReadWord, RuntimeImage, ScriptFrame, ScriptFrames, ScriptRuntime, ThreadAtCall,
};
pub use stack_table::{ModuleId, Site, StackTable};
pub use tables::UnwindTables;
pub use walk::{Caller, Epilogue, NativeFrame, Needs, Registers, StackWalker, Walk, WalkCache};
