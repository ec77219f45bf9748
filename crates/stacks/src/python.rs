//! The frames of `CPython` 3.8 to 3.14, read from the memory of a thread that stands in a call: function,
//! file and line, as the interpreter itself would write a traceback.
//!
//! Nothing is believed: what a frame says is its code has to be an object of the interpreter's own type
//! `code`, whose symbol it exports. Where that does not hold, the rest of the frames is not known.

mod code;
mod layout;
mod lines;

use crate::process_memory::{ProcessMemory, word, word_of};
use crate::script_runtime::{NotAttached, RuntimeImage, ScriptFrames, ScriptRuntime, ThreadAtCall, exports};
use crate::walk::NativeFrame;
use code::Code;
use layout::{Current, Layout};
use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

/// Frames beyond these are not read: each costs a read of the process's memory.
const MOST_FRAMES: usize = 128;
/// So many threads and interpreters are looked through.
const MOST_LINKS: usize = 4096;
/// So many codes are kept of one process before all are read anew.
const MOST_CODES: usize = 1 << 14;
const LONGEST_FRAME_BYTES: usize = 160;
/// The low bits of a reference to an object say who counts it.
const TAG_BITS: u64 = 3;

/// What a file of the interpreter's exports, by its own addresses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PythonImage {
    runtime: u64,
    code_type: u64,
    /// Where its version stands, from 3.11 on.
    version_at: Option<u64>,
    /// The minor version by the file's name.
    named: Option<u8>,
}

/// An interpreter in a process.
#[derive(Debug, Clone)]
struct Python {
    image: PythonImage,
    moved_by: u64,
    layout: Layout,
    /// The state of each thread, by where the thread keeps its own data.
    threads: HashMap<u64, u64>,
    codes: HashMap<u64, Code>,
}

/// One frame as its memory has it.
#[derive(Debug, Clone, Copy)]
struct RawFrame {
    code: u64,
    instruction: u64,
}

impl PythonImage {
    /// That of a file which may be the interpreter or its library; `None` where it exports none.
    pub(crate) fn read(file: &File, path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        if !name.contains("python") {
            return None;
        }
        let [runtime, code_type, version_at] = exports(file, ["_PyRuntime", "PyCode_Type", "Py_Version"])?;
        let minor = name.split_once("python3.").map(|(_, rest)| rest);
        let digits =
            minor.map(|rest| rest.split(|letter: char| !letter.is_ascii_digit()).next().unwrap_or(""));
        let named = digits.and_then(|digits| digits.parse().ok());
        Some(Self { runtime: runtime?, code_type: code_type?, version_at, named })
    }

    /// The minor version, where it can be read already.
    fn minor(&self, moved_by: u64, memory: &dyn ProcessMemory) -> Option<u8> {
        match self.version_at {
            Some(version) => u8::try_from(word(memory, version.wrapping_add(moved_by))? >> 16 & 0xff).ok(),
            None => self.named,
        }
    }
}

impl RuntimeImage for PythonImage {
    fn attach(
        &self,
        moved_by: u64,
        memory: &dyn ProcessMemory,
    ) -> Result<Box<dyn ScriptRuntime>, NotAttached> {
        let minor = self.minor(moved_by, memory).ok_or(NotAttached::NotYet)?;
        if !Layout::KNOWN.contains(&minor) {
            return Err(NotAttached::Unknown(format!("frames of Python 3.{minor} are not known")));
        }
        let runtime = self.runtime.wrapping_add(moved_by);
        let layout = Layout::of(minor, runtime, memory).ok_or(NotAttached::NotYet)?;
        let (threads, codes) = (HashMap::new(), HashMap::new());
        Ok(Box::new(Python { image: *self, moved_by, layout, threads, codes }))
    }

    fn comes_with(&self, path: &Path) -> bool {
        path.to_str().is_some_and(|path| path.contains("/lib-dynload/"))
    }
}

impl ScriptRuntime for Python {
    fn fork(&self) -> Box<dyn ScriptRuntime> {
        Box::new(self.clone())
    }

    fn add_frames(&mut self, thread: &ThreadAtCall<'_>, _native: &[NativeFrame], frames: &mut ScriptFrames) {
        let memory = thread.memory;
        let Some((raw, ended)) = self.frames(thread.thread_pointer, memory) else { return };
        if self.codes.len() > MOST_CODES {
            self.codes.clear();
        }
        self.renew(&raw, memory);
        for (number, frame) in raw.iter().enumerate() {
            let Some(code) = self.codes.get(&frame.code) else {
                // What lies further out of one that is none is not believed either.
                if number > 0 {
                    frames.cut();
                }
                return;
            };
            let line = code.line(&self.layout, frame.code, frame.instruction);
            frames.push(code.file(), code.function(), line);
        }
        if !ended {
            frames.cut();
        }
    }
}

impl Python {
    /// The frames of a thread, the innermost first.
    fn frames(&mut self, thread_pointer: u64, memory: &dyn ProcessMemory) -> Option<(Vec<RawFrame>, bool)> {
        let known = self.threads.get(&thread_pointer).copied();
        let is_it =
            |thread: &u64| word(memory, thread.wrapping_add(self.layout.thread_id)) == Some(thread_pointer);
        if let Some(thread) = known.filter(is_it)
            && let Some(frames) = self.chain(thread, memory).filter(|(frames, _)| !frames.is_empty())
        {
            return Some(frames);
        }
        // The state of a thread that has ended has no frames, and another may have its number.
        let thread = self.thread(thread_pointer, memory)?;
        self.threads.insert(thread_pointer, thread);
        self.chain(thread, memory).filter(|(frames, _)| !frames.is_empty())
    }

    /// The state of the thread, looked for among those of all interpreters.
    fn thread(&self, thread_pointer: u64, memory: &dyn ProcessMemory) -> Option<u64> {
        let Layout { interpreters, next_interpreter, threads, next_thread, thread_id, .. } = self.layout;
        let mut links = 0;
        let mut interpreter =
            word(memory, self.image.runtime.wrapping_add(self.moved_by).wrapping_add(interpreters))?;
        while interpreter != 0 && links < MOST_LINKS {
            let mut thread = word(memory, interpreter.wrapping_add(threads))?;
            while thread != 0 && links < MOST_LINKS {
                links += 1;
                if word(memory, thread.wrapping_add(thread_id))? == thread_pointer {
                    return Some(thread);
                }
                thread = word(memory, thread.wrapping_add(next_thread))?;
            }
            links += 1;
            interpreter = word(memory, interpreter.wrapping_add(next_interpreter))?;
        }
        None
    }

    /// The frames of a thread's state, and whether they are all.
    fn chain(&self, thread: u64, memory: &dyn ProcessMemory) -> Option<(Vec<RawFrame>, bool)> {
        let layout = &self.layout;
        let mut next = match layout.current {
            Current::At(offset) => word(memory, thread.wrapping_add(offset))?,
            Current::Behind(offset, further) => {
                word(memory, word(memory, thread.wrapping_add(offset))?.wrapping_add(further))?
            }
        };
        let (mut frames, mut bytes) = (Vec::new(), Vec::new());
        while next != 0 {
            if frames.len() == MOST_FRAMES {
                return Some((frames, false));
            }
            bytes.clear();
            let whole = layout.frame_bytes.min(LONGEST_FRAME_BYTES);
            if !memory.read_pieces(&[(next, whole)], &mut bytes) {
                return Some((frames, false));
            }
            let field = |offset: u64| word_of(&bytes, offset);
            let (code, previous) = (field(layout.frame_code)?, field(layout.frame_previous)?);
            let instruction = field(layout.frame_instruction)?;
            let instruction =
                if layout.counts_instructions() { instruction & u64::from(u32::MAX) } else { instruction };
            // The interpreter's own, which stand where C called it.
            let is_its_own = layout.frame_owner.is_some_and(|owner| {
                usize::try_from(owner).ok().and_then(|owner| bytes.get(owner)) >= Some(&3)
            });
            if !is_its_own {
                frames.push(RawFrame { code: code & !TAG_BITS, instruction });
            }
            next = previous;
        }
        Some((frames, true))
    }

    /// Reads the codes that are not known, and those again that are others now: their memory may have
    /// been given to other code since.
    fn renew(&mut self, frames: &[RawFrame], memory: &dyn ProcessMemory) {
        let mut wanted: Vec<u64> = frames.iter().map(|frame| frame.code).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let (known, mut unknown): (Vec<u64>, Vec<u64>) =
            wanted.into_iter().partition(|code| self.codes.contains_key(code));
        let pieces: Vec<_> =
            known.iter().flat_map(|code| self.codes[code].pieces(*code, &self.layout)).collect();
        let mut bytes = Vec::new();
        let is_read = memory.read_pieces(&pieces, &mut bytes);
        let mut rest = bytes.as_slice();
        for code in known {
            let length = self.codes[&code].pieces(code, &self.layout).iter().map(|piece| piece.1).sum();
            let is_same = is_read
                && rest.split_at_checked(length).is_some_and(|(own, others)| {
                    rest = others;
                    self.codes[&code].is_still(own, &self.layout)
                });
            if !is_same {
                unknown.push(code);
            }
        }
        let code_type = self.image.code_type.wrapping_add(self.moved_by);
        for address in unknown {
            match Code::read(address, code_type, &self.layout, memory) {
                Some(code) => self.codes.insert(address, code),
                None => self.codes.remove(&address),
            };
        }
    }
}
