//! The frames of scripts, put into the stacks of the interpreters that run them.

use super::address_space::PythonAt;
use crate::witness::Tracee;
use fathom_stacks::{ProcessMemory, Python, Site, StackTable};
use std::collections::HashMap;

/// The interpreters of all processes of a trace.
#[derive(Debug, Default)]
pub(super) struct Scripts {
    pythons: HashMap<u32, Python>,
    frames: Vec<Site>,
}

/// The memory of a stopped thread.
struct Stopped<'a>(&'a dyn Tracee);

impl Scripts {
    /// Puts the frames of the script that the thread runs behind the interpreter's own innermost ones,
    /// and says whether they are all. Where it runs none, nothing is put there.
    pub(super) fn add(
        &mut self,
        process: u32,
        at: &PythonAt,
        tracee: &dyn Tracee,
        table: &mut StackTable,
        sites: &mut Vec<Site>,
    ) -> bool {
        let memory = Stopped(tracee);
        if self.pythons.get(&process).is_none_or(|python| !python.is(at.image, at.moved_by)) {
            self.pythons.remove(&process);
            if let Some(python) = Python::of(at.image, at.moved_by, &memory) {
                self.pythons.insert(process, python);
            }
        }
        let Some(python) = self.pythons.get_mut(&process) else { return true };
        let Some(thread_pointer) = tracee.thread_pointer() else { return true };
        self.frames.clear();
        let frames = &mut self.frames;
        let ended = python.walk(thread_pointer, &memory, &mut |file, function, line| {
            let module = table.script(file, function);
            frames.push(Site { module, address: u64::from(line.unwrap_or(0)) });
        });
        let Some(ended) = ended else { return true };
        let is_its = |site: &Site| at.modules.contains(&site.module);
        let first = sites.iter().position(is_its).unwrap_or(sites.len());
        let behind =
            sites[first..].iter().position(|site| !is_its(site)).map_or(sites.len(), |next| first + next);
        sites.splice(behind..behind, self.frames.drain(..));
        ended
    }

    /// A process was made by another, whose memory it has.
    pub(super) fn forked(&mut self, maker: u32, child: u32) {
        if let Some(python) = self.pythons.get(&maker) {
            let python = python.clone();
            self.pythons.insert(child, python);
        }
    }

    /// A process runs another program, or none any more.
    pub(super) fn left(&mut self, process: u32) {
        self.pythons.remove(&process);
    }
}

impl ProcessMemory for Stopped<'_> {
    fn read_pieces(&self, pieces: &[(u64, usize)], bytes: &mut Vec<u8>) -> bool {
        let before = bytes.len();
        bytes.resize(before + pieces.iter().map(|piece| piece.1).sum::<usize>(), 0);
        self.0.copy_pieces(pieces, &mut bytes[before..])
    }
}
