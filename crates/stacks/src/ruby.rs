//! The frames of Ruby 3.0 to 3.2, read from the memory of a thread that stands in a call: function, file
//! and line, as `caller` would give them. Functions in C are not among them.
//!
//! Nothing is believed: the thread's state has to be that of a thread which has it, a frame's code has to
//! be an object of that kind, and its instruction one of this code's.

mod layout;
mod lines;
mod objects;

use crate::process_memory::{ProcessMemory, word, word_of};
use crate::remembered::{Reader, Remembered};
use crate::script_runtime::{NotAttached, RuntimeImage, ScriptFrames, ScriptRuntime, ThreadAtCall, exports};
use crate::walk::NativeFrame;
use layout::Layout;
use lines::LineTable;
use object::read::{Object, ObjectSymbol, ReadCache, RelocationTarget};
use object::{RelocationFlags, elf};
use objects::{code_body, path, text};
use std::fs::File;
use std::path::Path;

/// Frames beyond these are not read.
const MOST_FRAMES: usize = 128;
/// So many codes are kept of one process before all are read anew.
const MOST_CODES: usize = 1 << 14;
/// What the file of evaluated code begins with, where it was given no other name.
const EVALUATED: &str = "(eval";
/// Of the C library: where a thread has the table of its modules' data, and an entry of that.
const THREAD_MODULES: u64 = 8;
const MODULE_BYTES: u64 = 16;

/// What a file of Ruby's exports, by its own addresses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RubyImage {
    version: u64,
    current: Option<OfThread>,
}

/// Data of which each thread has its own.
#[derive(Debug, Clone, Copy)]
struct OfThread {
    /// Where it is in the data of its module.
    offset: u64,
    /// Where the number of that module stands.
    module: u64,
}

#[derive(Debug, Clone)]
struct Ruby {
    current: OfThread,
    layout: &'static Layout,
    codes: Remembered<Code>,
}

#[derive(Debug, Clone)]
struct Code {
    file: String,
    label: String,
    /// Where its instructions begin, and how many words they have.
    start: u64,
    words: u64,
    lines: LineTable,
}

/// One frame as its memory has it.
#[derive(Debug, Clone, Copy)]
struct RawFrame {
    code: u64,
    /// Where it goes on.
    instruction: u64,
}

impl RubyImage {
    /// That of a file which may be Ruby or its library; `None` where it is neither.
    pub(crate) fn read(file: &File, path: &Path) -> Option<Self> {
        path.file_name()?.to_str().filter(|name| name.contains("ruby"))?;
        let [version] = exports(file, ["ruby_version"])?;
        Some(Self { version: version?, current: OfThread::read(file, "ruby_current_ec") })
    }
}

impl RuntimeImage for RubyImage {
    fn attach(
        &self,
        moved_by: u64,
        memory: &dyn ProcessMemory,
    ) -> Result<Box<dyn ScriptRuntime>, NotAttached> {
        let mut version = Vec::new();
        if !memory.read_pieces(&[(self.version.wrapping_add(moved_by), 8)], &mut version) {
            return Err(NotAttached::NotYet);
        }
        let end = version.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'.');
        let version = String::from_utf8_lossy(&version[..end.unwrap_or(version.len())]);
        let unknown = |how: &str| NotAttached::Unknown(format!("frames of Ruby {version} are {how}"));
        let layout = Layout::of(&version).ok_or_else(|| unknown("not known"))?;
        let current = self.current.ok_or_else(|| unknown("known in its shared library only"))?;
        let module = current.module.wrapping_add(moved_by);
        let codes = Remembered::new(MOST_CODES);
        Ok(Box::new(Ruby { current: OfThread { module, ..current }, layout, codes }))
    }

    fn comes_with(&self, path: &Path) -> bool {
        path.to_str().is_some_and(|path| path.contains("/ruby/3."))
    }
}

impl ScriptRuntime for Ruby {
    fn fork(&self) -> Box<dyn ScriptRuntime> {
        Box::new(self.clone())
    }

    fn add_frames(&mut self, thread: &ThreadAtCall<'_>, _native: &[NativeFrame], frames: &mut ScriptFrames) {
        let (memory, layout) = (thread.memory, self.layout);
        let Some((raw, is_whole)) = self.frames(thread.thread_pointer, memory) else { return };
        let wanted = raw.iter().map(|frame| frame.code).collect();
        self.codes.renew(wanted, memory, |address, reader| Code::read(address, layout, reader));
        for frame in &raw {
            let code = self.codes.get(frame.code);
            let Some((code, at)) = code.and_then(|code| Some((code, code.position(frame.instruction)?)))
            else {
                // What lies further out of one that is none is not believed either.
                frames.cut();
                return;
            };
            // Who evaluated it has the line of the file.
            if !code.file.starts_with(EVALUATED) {
                frames.push(&code.file, &code.label, code.lines.line(at, layout, memory));
            }
        }
        if !is_whole {
            frames.cut();
        }
    }
}

impl Ruby {
    /// The frames of a thread that have code, the innermost first, and whether they are all.
    fn frames(&self, thread_pointer: u64, memory: &dyn ProcessMemory) -> Option<(Vec<RawFrame>, bool)> {
        let layout = self.layout;
        let context = word(memory, self.current.address(thread_pointer, memory)?)?;
        let field = |offset: u64| word(memory, context.checked_add(offset)?);
        let thread = field(layout.context_thread)?;
        if word(memory, thread.checked_add(layout.thread_context)?)? != context {
            return None;
        }
        let (stack, stack_words) = (field(layout.context_stack)?, field(layout.context_stack_words)?);
        let innermost = field(layout.context_frame)?;
        let end = stack.checked_add(stack_words.checked_mul(8)?)?;
        if innermost < stack {
            return None;
        }
        let frame_bytes = layout.frame_bytes;
        // The outermost one stands for the thread itself.
        let count = (usize::try_from(end.checked_sub(innermost)?).ok()? / frame_bytes).checked_sub(1)?;
        let mut bytes = Vec::new();
        let read = count.min(MOST_FRAMES);
        memory.read_pieces(&[(innermost, read * frame_bytes)], &mut bytes).then_some(())?;
        let raw = bytes.chunks_exact(frame_bytes).filter_map(|frame| {
            let (code, instruction) =
                (word_of(frame, layout.frame_code)?, word_of(frame, layout.frame_instruction)?);
            // Functions in C have neither.
            (code != 0 && instruction != 0).then_some(RawFrame { code, instruction })
        });
        Some((raw.collect(), read == count))
    }
}

impl OfThread {
    /// By the symbol of a name, where the file exports it and finds it by the number of its module.
    fn read(file: &File, name: &str) -> Option<Self> {
        let cache = ReadCache::new(file);
        let file = object::File::parse(&cache).ok()?;
        let mut symbols = file.dynamic_symbols();
        let symbol = symbols.find(|symbol| !symbol.is_undefined() && symbol.name() == Ok(name))?;
        let is_module = |flags| matches!(flags, RelocationFlags::Elf { r_type: elf::R_X86_64_DTPMOD64 });
        let module = file.dynamic_relocations()?.find_map(|(address, relocation)| {
            let is_its = relocation.target() == RelocationTarget::Symbol(symbol.index());
            (is_its && is_module(relocation.flags())).then_some(address)
        })?;
        Some(Self { offset: symbol.address(), module })
    }

    /// That of a thread.
    fn address(self, thread_pointer: u64, memory: &dyn ProcessMemory) -> Option<u64> {
        let modules = word(memory, thread_pointer.checked_add(THREAD_MODULES)?)?;
        let module = word(memory, self.module)?;
        let data = word(memory, modules.checked_add(module.checked_mul(MODULE_BYTES)?)?)?;
        data.checked_add(self.offset)
    }
}

impl Code {
    fn read(address: u64, layout: &Layout, reader: &mut Reader<'_>) -> Option<Self> {
        let body = code_body(address, reader)?;
        let words = reader.bytes(body.checked_add(layout.body_words)?, 4)?.first_chunk::<4>().copied()?;
        let start = reader.word(body.checked_add(layout.body_instructions)?)?;
        let location = body.checked_add(layout.body_location)?;
        let file = reader.word(location.checked_add(layout.location_path)?)?;
        let label = reader.word(location.checked_add(layout.location_label)?)?;
        Some(Self {
            file: path(file, layout, reader)?,
            label: text(label, layout, reader)?,
            start,
            words: u64::from(u32::from_ne_bytes(words)),
            lines: LineTable::read(body.checked_add(layout.body_lines)?, reader)?,
        })
    }

    /// Which of its words a frame stands at that goes on at an address: the call's own last one.
    fn position(&self, instruction: u64) -> Option<u64> {
        let offset = instruction.checked_sub(self.start).filter(|offset| offset.is_multiple_of(8))?;
        (offset / 8 <= self.words).then_some((offset / 8).saturating_sub(1))
    }
}
