//! The frames of scripts, put into the stacks of the runtimes that run them.

use super::address_space::{AddressSpace, RuntimeAt};
use crate::witness::Tracee;
use fathom_stacks::{
    Caller, NativeFrame, NotAttached, ProcessMemory, ReadWord, RuntimeImage, ScriptFrames, ScriptRuntime,
    Site, StackTable, ThreadAtCall,
};
use std::collections::HashMap;
use std::sync::Arc;

/// The runtimes of all processes of a trace.
#[derive(Debug, Default)]
pub(super) struct Scripts {
    attached: HashMap<u32, Vec<Attached>>,
    frames: ScriptFrames,
}

/// One of a process.
#[derive(Debug)]
struct Attached {
    image: Arc<dyn RuntimeImage>,
    moved_by: u64,
    /// None of what is not known here.
    runtime: Option<Box<dyn ScriptRuntime>>,
}

/// The memory of a stopped thread.
struct Stopped<'a>(&'a dyn Tracee);

/// The runtimes of the process of a stopped thread.
pub(super) struct ScriptsAtCall<'a> {
    attached: &'a mut [Attached],
    frames: &'a mut ScriptFrames,
    memory: Stopped<'a>,
    thread_pointer: Option<u64>,
}

impl Scripts {
    /// Those that are mapped in a process one of whose threads is stopped.
    pub(super) fn at_call<'a>(
        &'a mut self,
        process: u32,
        space: &AddressSpace,
        tracee: &'a dyn Tracee,
        table: &mut StackTable,
    ) -> ScriptsAtCall<'a> {
        let Self { attached, frames } = self;
        let (memory, mapped) = (Stopped(tracee), space.runtimes());
        if mapped.is_empty() {
            return ScriptsAtCall { attached: &mut [], frames, memory, thread_pointer: None };
        }
        let attached = attached.entry(process).or_default();
        attached.retain(|attached| mapped.iter().any(|at| attached.is(at)));
        for at in mapped {
            if attached.iter().any(|attached| attached.is(at)) {
                continue;
            }
            let runtime = match at.image.attach(at.moved_by, &memory) {
                Ok(runtime) => Some(runtime),
                Err(NotAttached::NotYet) => continue,
                Err(NotAttached::Unknown(why)) => {
                    table.script_unknown(why);
                    None
                }
            };
            attached.push(Attached { image: Arc::clone(&at.image), moved_by: at.moved_by, runtime });
        }
        let thread_pointer = if attached.is_empty() { None } else { tracee.thread_pointer() };
        ScriptsAtCall { attached, frames, memory, thread_pointer }
    }

    /// True where a runtime's frames are read in a process.
    pub(super) fn has(&self, process: u32) -> bool {
        self.attached.get(&process).is_some_and(|attached| attached.iter().any(|one| one.runtime.is_some()))
    }

    /// A process was made by another, whose memory it has.
    pub(super) fn forked(&mut self, maker: u32, child: u32) {
        if let Some(attached) = self.attached.get(&maker) {
            let attached = attached.iter().map(Attached::fork).collect();
            self.attached.insert(child, attached);
        }
    }

    /// A process runs another program, or none any more.
    pub(super) fn left(&mut self, process: u32) {
        self.attached.remove(&process);
    }
}

impl ScriptsAtCall<'_> {
    /// The caller of a native frame, where a runtime knows it.
    pub(super) fn caller(
        &mut self,
        space: &AddressSpace,
        frame: &NativeFrame,
        read: ReadWord<'_>,
    ) -> Option<Caller> {
        let thread = ThreadAtCall {
            memory: &self.memory,
            thread_pointer: self.thread_pointer?,
            mappings: space.mappings(),
        };
        let mut runtimes = self.attached.iter_mut().filter_map(|attached| attached.runtime.as_mut());
        runtimes.find_map(|runtime| runtime.caller(&thread, frame, read))
    }

    /// Puts the frames of scripts among the native ones, whose places are `sites`, and says whether they
    /// are all. Where the thread runs no script, nothing is put there.
    pub(super) fn add(
        self,
        space: &AddressSpace,
        native: &[NativeFrame],
        table: &mut StackTable,
        sites: &mut Vec<Site>,
    ) -> bool {
        let Some(thread_pointer) = self.thread_pointer else { return true };
        let thread = ThreadAtCall { memory: &self.memory, thread_pointer, mappings: space.mappings() };
        let mut is_whole = true;
        // Only one of them gives frames: the places of native ones are others afterwards.
        for attached in self.attached {
            let Some(runtime) = &mut attached.runtime else { continue };
            self.frames.clear();
            runtime.add_frames(&thread, native, self.frames);
            self.frames.take_unknown().into_iter().for_each(|why| table.script_unknown(why));
            if self.frames.is_empty() {
                continue;
            }
            is_whole = !self.frames.is_cut();
            let at = space.runtimes().iter().find(|at| attached.is(at));
            let is_own = |site: &Site| at.is_some_and(|at| at.modules.contains(&site.module));
            self.frames.put_into(sites, is_own, |frame| table.script(frame));
            break;
        }
        is_whole
    }
}

impl Attached {
    fn is(&self, at: &RuntimeAt) -> bool {
        Arc::ptr_eq(&self.image, &at.image) && self.moved_by == at.moved_by
    }

    fn fork(&self) -> Self {
        let runtime = self.runtime.as_ref().map(|runtime| runtime.fork());
        Self { image: Arc::clone(&self.image), moved_by: self.moved_by, runtime }
    }
}

impl ProcessMemory for Stopped<'_> {
    fn read_pieces(&self, pieces: &[(u64, usize)], bytes: &mut Vec<u8>) -> bool {
        let before = bytes.len();
        bytes.resize(before + pieces.iter().map(|piece| piece.1).sum::<usize>(), 0);
        self.0.copy_pieces(pieces, &mut bytes[before..])
    }
}
