//! What a runtime has to do so that stacks show its scripts: it is found in a mapped file by what that
//! file exports, attached to a process, and asked for the frames of a thread that stands at a call.

use crate::mappings::Mappings;
use crate::process_memory::ProcessMemory;
use crate::walk::{Caller, NativeFrame};
use object::SectionKind;
use object::read::{Object, ObjectSection, ObjectSymbol, ReadCache};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs::File;
use std::path::Path;

/// The file of functions that are the runtime's own, as PHP writes it.
const INTERNAL: &str = "[internal function]";

/// What a file that holds a runtime exports, by the file's own addresses.
pub trait RuntimeImage: Debug + Send + Sync {
    /// The runtime in a process where the file's addresses are moved by so much.
    fn attach(
        &self,
        moved_by: u64,
        memory: &dyn ProcessMemory,
    ) -> Result<Box<dyn ScriptRuntime>, NotAttached>;

    /// True of a file with code that comes with the runtime, besides the one that holds it.
    fn comes_with(&self, _path: &Path) -> bool {
        false
    }
}

/// Why a runtime shows no frames.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotAttached {
    /// It has not begun: it is to be asked again.
    NotYet,
    /// What it is, is not known here: a sentence that says so.
    Unknown(String),
}

/// A runtime in a process.
pub trait ScriptRuntime: Debug + Send {
    /// The same in a child that was forked, which has the memory.
    fn fork(&self) -> Box<dyn ScriptRuntime>;

    /// The caller of a native frame that unwind tables and frame pointers do not tell, as of code that the
    /// runtime made; `None` leaves it to them. `_read` reads a word of the stack, most of which is read already.
    fn caller(
        &mut self,
        _thread: &ThreadAtCall<'_>,
        _frame: &NativeFrame,
        _read: ReadWord<'_>,
    ) -> Option<Caller> {
        None
    }

    /// Gives the frames of the scripts that the thread runs. `native` is its stack, the innermost first.
    fn add_frames(&mut self, thread: &ThreadAtCall<'_>, native: &[NativeFrame], frames: &mut ScriptFrames);
}

/// Reads a word of a stack.
pub type ReadWord<'a> = &'a mut dyn FnMut(u64) -> Result<u64, ()>;

/// A thread that stands at a call.
#[derive(Clone, Copy)]
pub struct ThreadAtCall<'a> {
    /// The memory of its process.
    pub memory: &'a dyn ProcessMemory,
    /// Where it keeps its own data: on x86-64 the base of `fs`.
    pub thread_pointer: u64,
    /// The code of its process.
    pub mappings: &'a Mappings,
}

/// A frame of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptFrame {
    /// The file, as the runtime names it.
    pub file: String,
    /// The function.
    pub function: String,
    /// The line, from 1.
    pub line: Option<u32>,
}

/// The frames of scripts of one stack, and where they belong among the native ones.
#[derive(Debug, Default)]
pub struct ScriptFrames {
    run: Vec<ScriptFrame>,
    instead: BTreeMap<usize, Vec<ScriptFrame>>,
    is_cut: bool,
    unknown: Option<String>,
}

impl ScriptFrames {
    /// Adds one to those that belong together behind the innermost run of the runtime's own native frames,
    /// the innermost first.
    pub fn push(&mut self, file: &str, function: &str, line: Option<u32>) {
        self.run.push(ScriptFrame::new(file, function, line));
    }

    /// Adds a function of the runtime's own to them, which has no source.
    pub fn push_internal(&mut self, function: &str) {
        self.run.push(ScriptFrame::new(INTERNAL, function, None));
    }

    /// Adds one to those that a native frame, by its place in the stack, stands for; where code was
    /// inlined, the innermost first. The native one is not shown.
    pub fn replace(&mut self, native: usize, file: &str, function: &str, line: Option<u32>) {
        self.instead.entry(native).or_default().push(ScriptFrame::new(file, function, line));
    }

    /// A native frame is not shown: it is the runtime's way from one script's frame to another.
    pub fn leave_out(&mut self, native: usize) {
        self.instead.entry(native).or_default();
    }

    /// What lies further out is not known.
    pub fn cut(&mut self) {
        self.is_cut = true;
    }

    /// Something could not be read for a reason that is to be said once: a sentence.
    pub fn unknown(&mut self, why: &str) {
        self.unknown = Some(why.to_owned());
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.run.is_empty() && self.instead.is_empty()
    }

    /// True when what lies further out is not known.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The reason why something could not be read.
    pub fn take_unknown(&mut self) -> Option<String> {
        self.unknown.take()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.run.clear();
        self.instead.clear();
        self.is_cut = false;
    }

    /// Puts them among the native frames, where `is_own` says which of these are the runtime's own.
    pub fn put_into<T>(
        &mut self,
        native: &mut Vec<T>,
        is_own: impl Fn(&T) -> bool,
        mut site: impl FnMut(ScriptFrame) -> T,
    ) {
        let first = native.iter().position(&is_own).unwrap_or(native.len());
        let length = native[first..].iter().position(|frame| !is_own(frame));
        let behind = length.map_or(native.len(), |length| first + length);
        if self.instead.is_empty() {
            native.splice(behind..behind, self.run.drain(..).map(site));
            return;
        }
        let mut all = Vec::with_capacity(native.len() + self.run.len());
        for (index, frame) in native.drain(..).enumerate() {
            if index == behind {
                all.extend(self.run.drain(..).map(&mut site));
            }
            match self.instead.remove(&index) {
                Some(frames) => all.extend(frames.into_iter().map(&mut site)),
                None => all.push(frame),
            }
        }
        all.extend(self.run.drain(..).map(&mut site));
        *native = all;
    }
}

impl ScriptFrame {
    fn new(file: &str, function: &str, line: Option<u32>) -> Self {
        Self { file: file.to_owned(), function: function.to_owned(), line }
    }
}

impl Debug for ThreadAtCall<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ThreadAtCall").field("thread_pointer", &self.thread_pointer).finish_non_exhaustive()
    }
}

/// Where a file exports each of these names; `None` where it is no program.
pub(crate) fn exports<const COUNT: usize>(file: &File, names: [&str; COUNT]) -> Option<[Option<u64>; COUNT]> {
    let cache = ReadCache::new(file);
    let file = object::File::parse(&cache).ok()?;
    let mut found = [None; COUNT];
    for symbol in file.dynamic_symbols().filter(ObjectSymbol::is_definition) {
        let Ok(name) = symbol.name() else { continue };
        if let Some(index) = names.iter().position(|wanted| *wanted == name) {
            found[index] = Some(symbol.address());
        }
    }
    Some(found)
}

/// What `read` makes of the bytes behind some others that a file has among its data; `None` where it has
/// none of them.
pub(crate) fn text_behind<T>(file: &File, before: &[u8], read: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
    let cache = ReadCache::new(file);
    let file = object::File::parse(&cache).ok()?;
    let data = file.sections().filter(|section| section.kind() == SectionKind::ReadOnlyData);
    data.filter_map(|section| section.data().ok()).find_map(|data| {
        let mut places = data.windows(before.len()).enumerate().filter(|(_, bytes)| *bytes == before);
        places.find_map(|(at, _)| read(&data[at + before.len()..]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Capital letters are the runtime's own frames.
    fn put(frames: &mut ScriptFrames, native: &str) -> String {
        let mut all: Vec<String> = native.chars().map(String::from).collect();
        let is_own = |frame: &String| frame.chars().all(char::is_uppercase);
        frames.put_into(&mut all, is_own, |frame| format!("{}:{}", frame.function, frame.line.unwrap_or(0)));
        all.join(" ")
    }

    #[test]
    fn a_run_stands_behind_the_innermost_run_of_the_runtimes_own() {
        let run = |native: &str| {
            let mut frames = ScriptFrames::default();
            frames.push("/a.py", "f", Some(2));
            frames.push("/a.py", "main", None);
            put(&mut frames, native)
        };
        assert_eq!(run("cPPxPm"), "c P P f:2 main:0 x P m");
        assert_eq!(run("cPP"), "c P P f:2 main:0");
        assert_eq!(run("cm"), "c m f:2 main:0", "of none of its own it stands outermost");
    }

    #[test]
    fn native_frames_stand_for_frames_of_scripts() {
        let mut frames = ScriptFrames::default();
        frames.replace(1, "/a.js", "inlined", Some(1));
        frames.replace(1, "/a.js", "f", Some(2));
        frames.leave_out(2);
        frames.replace(4, "/a.js", "main", Some(3));
        assert_eq!(put(&mut frames, "cJJxJm"), "c inlined:1 f:2 x main:3 m");
        frames.replace(0, "/a.js", "f", None);
        frames.push("/a.js", "run", None);
        assert_eq!(put(&mut frames, "cJm"), "f:0 J run:0 m", "both forms go together");
    }
}
