//! The frames of V8, read from the memory of a thread that stands in a call: function, script and line, as
//! V8 itself would write a stack. `Node.js` 18 to 24 has it.
//!
//! One frame of the native walk is one function, or several where V8 made one code of them. Nothing is
//! believed: each reference has to have its tag, each object the type that its map says and that the file
//! of V8 publishes. Where that does not hold, the frame is none of a script.

mod code;
mod heap;
mod layout;
mod operations;
mod positions;
mod scripts;
mod translations;

use crate::mappings::Origin;
use crate::process_memory::{ProcessMemory, word_of};
use crate::script_runtime::{
    NotAttached, RuntimeImage, ScriptFrame, ScriptFrames, ScriptRuntime, ThreadAtCall,
};
use crate::walk::NativeFrame;
use code::{Codes, MadeCode};
use heap::{Heap, Reads, is_object, small_integer};
use layout::Layout;
use object::read::ReadCache;
use positions::Position;
use scripts::Sources;
use std::collections::HashMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// Frames that are kept of one process before all are read anew.
const MOST_FRAMES: usize = 1 << 14;
/// Calls inlined into one another.
const DEEPEST_INLINING: usize = 64;
/// From the frame pointer down: the context, the function, and in the interpreter the bytecode and where in
/// it; up: the caller's.
const FRAME_BELOW: u64 = 40;
const FRAME_BYTES: usize = 56;
/// None is longer, with all that it spills.
const LONGEST_FRAME_BYTES: u64 = 1 << 20;
/// Kinds of code behind baseline code, in the order of their tiers.
const MAGLEV: u32 = 1;
const TURBOFAN: u32 = 2;
/// In the data of code that may be given up: the translations, and how far behind the positions of what was
/// inlined the points begin where it may be.
const TRANSLATIONS_AT: u64 = 0;
const POINTS_BEHIND: u64 = 4;
/// How far behind them stands where the exits begin, followed by how many there are of either kind.
const EXITS_BEHIND: u64 = 1;
const EXIT_BYTES: u64 = 4;
/// In what the interpreter runs with an entry of its own: the bytecode.
const BYTECODE_AT: u64 = 8;
/// What V8 itself calls a function without a name.
const NAMELESS: &str = "(anonymous)";
/// An entry of the calls that were inlined: where, and what.
const INLINED_BYTES: usize = 16;

/// What a file of V8's publishes, or why that does not do.
#[derive(Debug)]
pub(crate) struct V8Image(Result<Arc<Layout>, String>);

/// V8 in a process.
#[derive(Debug, Clone)]
struct V8 {
    layout: Arc<Layout>,
    codes: Codes,
    sources: Sources,
    frames: HashMap<FrameKey, Remembered>,
}

/// A frame of the native walk that may be one of a function of a script.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    program_counter: u64,
    /// The process made its code.
    is_made: bool,
    function: u64,
    /// In the interpreter and in baseline code: the bytecode; in the interpreter: where in it.
    bytecode: u64,
    offset: u64,
}

/// Where in the code of which function: what else it depends on is read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct FrameKey {
    program_counter: u64,
    function: u64,
    /// The bytecode and where in it, where the interpreter runs it; the bytecode alone of baseline code.
    bytecode: Option<(u64, Option<u64>)>,
}

/// The frames that were found, and all that says so.
#[derive(Debug, Clone)]
struct Remembered {
    frames: Vec<ScriptFrame>,
    reads: Reads,
}

impl V8Image {
    /// That of a file which may be V8's; `None` where it publishes nothing.
    pub(crate) fn read(file: &File, path: &Path) -> Option<Self> {
        is_its(path).then_some(())?;
        let cache = ReadCache::new(file);
        let file = object::File::parse(&cache).ok()?;
        Layout::read(&file).map(|layout| Self(layout.map(Arc::new)))
    }
}

impl RuntimeImage for V8Image {
    fn attach(
        &self,
        _moved_by: u64,
        _memory: &dyn ProcessMemory,
    ) -> Result<Box<dyn ScriptRuntime>, NotAttached> {
        let layout = self.0.clone().map_err(NotAttached::Unknown)?;
        let (codes, sources) = (Codes::default(), Sources::default());
        Ok(Box::new(V8 { layout, codes, sources, frames: HashMap::new() }))
    }
}

impl ScriptRuntime for V8 {
    fn fork(&self) -> Box<dyn ScriptRuntime> {
        Box::new(self.clone())
    }

    fn add_frames(&mut self, thread: &ThreadAtCall<'_>, native: &[NativeFrame], frames: &mut ScriptFrames) {
        let candidates = candidates(thread, native);
        self.forget_changed(&candidates, thread.memory);
        for (index, candidate) in &candidates {
            for found in self.functions(candidate, thread.memory).unwrap_or_default() {
                if found.file.is_empty() {
                    // Made by `eval` or `new Function`: its lines are in no file, whoever called it has some.
                    frames.leave_out(*index);
                } else {
                    frames.replace(*index, &found.file, &found.function, found.line);
                }
            }
        }
    }
}

impl V8 {
    /// Forgets what is known of these frames where it is not so any more: its memory may have been given to
    /// others. All of it is read at once.
    fn forget_changed(&mut self, candidates: &[(usize, Candidate)], memory: &dyn ProcessMemory) {
        let mut keys: Vec<FrameKey> = candidates.iter().flat_map(|(_, frame)| frame.keys()).collect();
        keys.retain(|key| self.frames.contains_key(key));
        keys.sort_unstable();
        keys.dedup();
        let pieces: Vec<_> = keys.iter().flat_map(|key| self.frames[key].reads.pieces()).copied().collect();
        let mut now = Vec::new();
        let is_read = memory.read_pieces(&pieces, &mut now);
        let mut rest = now.as_slice();
        for key in keys {
            let then = self.frames[&key].reads.bytes();
            let is_same = is_read
                && rest.split_at_checked(then.len()).is_some_and(|(own, others)| {
                    rest = others;
                    own == then
                });
            if !is_same {
                self.frames.remove(&key);
            }
        }
    }

    /// The functions that a frame is of, the innermost first; `None` where it is of none.
    fn functions(&mut self, frame: &Candidate, memory: &dyn ProcessMemory) -> Option<Vec<ScriptFrame>> {
        if let Some(known) = frame.keys().iter().find_map(|key| self.frames.get(key)) {
            return Some(known.frames.clone());
        }
        let layout = Arc::clone(&self.layout);
        let heap = Heap::new(&layout, memory);
        let (key, frames) = self.find(frame, &heap)?;
        if self.frames.len() >= MOST_FRAMES {
            self.frames.clear();
        }
        if let Some(key) = key {
            self.frames.insert(key, Remembered { frames: frames.clone(), reads: heap.into_reads() });
        }
        Some(frames)
    }

    /// The functions that a frame is of, and by what they are known again.
    fn find(&mut self, frame: &Candidate, heap: &Heap<'_>) -> Option<(Option<FrameKey>, Vec<ScriptFrame>)> {
        let layout = heap.layout;
        heap.note(frame.function, layout.function_shared + 8)?;
        let [first, last] = layout.functions;
        (first..=last).contains(&heap.type_of(frame.function)?).then_some(())?;
        let shared = heap.typed(frame.function, layout.function_shared, layout.shared_type)?;
        let code = if frame.is_made { self.codes.at(heap, frame.program_counter) } else { None };
        let is_interpreted = code.map_or(!frame.is_made, |code| code.kind == layout.code.interpreted);
        let is_baseline = code.is_some_and(|code| code.kind == layout.code.baseline);
        if is_interpreted || is_baseline {
            heap.note(frame.bytecode, layout.bytecode_positions + 8)?;
            (heap.type_of(frame.bytecode)? == layout.bytecode_array_type).then_some(())?;
        }
        let [of_code, of_baseline, of_interpreter] = frame.keys();
        if is_interpreted {
            let offset = small_integer(frame.offset)?.checked_sub(layout.bytecode_data - 1)?;
            let letter = bytecode_letter(heap, frame.bytecode, offset);
            let found = self.script_frame(heap, shared, letter)?;
            return Some((Some(of_interpreter), vec![found]));
        }
        let Some(code) = code else { return Some((None, vec![self.script_frame(heap, shared, None)?])) };
        let instruction = frame.program_counter.checked_sub(code.start)?;
        if is_baseline {
            let letter = baseline_offset(heap, code, frame.bytecode, instruction)
                .and_then(|offset| bytecode_letter(heap, frame.bytecode, offset));
            let found = self.script_frame(heap, shared, letter)?;
            return Some((Some(of_baseline), vec![found]));
        }
        let places = match code.kind.checked_sub(layout.code.baseline) {
            Some(MAGLEV) => translated(heap, code, shared, instruction),
            Some(TURBOFAN) => inlined(heap, code, shared, instruction),
            _ => None,
        };
        let frames = match places {
            Some(places) => places
                .into_iter()
                .map(|(shared, letter)| self.script_frame(heap, shared, Some(letter)))
                .collect(),
            // Which functions were made part of it is not known either.
            None => self.script_frame(heap, shared, None).map(|found| vec![found]),
        };
        Some((Some(of_code), frames?))
    }

    /// A function, with the line of a letter of its script.
    fn script_frame(&mut self, heap: &Heap<'_>, shared: u64, letter: Option<u64>) -> Option<ScriptFrame> {
        let layout = heap.layout;
        heap.note(shared, layout.shared_script.max(layout.shared_name) + 8)?;
        let script = heap.field(shared, layout.shared_script)?;
        heap.note(script, layout.script_number + 8)?;
        (heap.type_of(script)? == layout.script_type).then_some(())?;
        Some(ScriptFrame {
            file: scripts::name(heap, script).unwrap_or_default(),
            function: scripts::function(heap, shared).unwrap_or_else(|| NAMELESS.to_owned()),
            line: letter.and_then(|letter| self.sources.line(heap, script, letter)),
        })
    }
}

/// The frames of a stack that may be of functions, with their places in it. Their words are read at once.
fn candidates(thread: &ThreadAtCall<'_>, native: &[NativeFrame]) -> Vec<(usize, Candidate)> {
    let mut wanted = Vec::new();
    for (index, frame) in native.iter().enumerate() {
        let caller = native.get(index + 1);
        // Functions of C that keep no frame leave the frame pointer of their caller alone.
        let is_own = caller.is_none_or(|caller| caller.frame_pointer != frame.frame_pointer);
        let size = frame.frame_pointer.checked_sub(frame.stack_pointer);
        let is_made = match thread.mappings.at(frame.code_address()).map(|mapping| &mapping.origin) {
            Some(Origin::Process) => true,
            Some(Origin::File(path)) if is_its(path) => false,
            _ => continue,
        };
        if is_own && size.is_some_and(|size| size < LONGEST_FRAME_BYTES) {
            wanted.push((index, is_made));
        }
    }
    let piece = |index: usize| (native[index].frame_pointer.saturating_sub(FRAME_BELOW), FRAME_BYTES);
    let pieces: Vec<_> = wanted.iter().map(|(index, _)| piece(*index)).collect();
    let mut bytes = Vec::new();
    if !thread.memory.read_pieces(&pieces, &mut bytes) {
        // What C keeps in that register need not be an address.
        bytes.clear();
        wanted.retain(|(index, _)| {
            let mut own = Vec::new();
            let is_read = thread.memory.read_pieces(&[piece(*index)], &mut own);
            bytes.extend_from_slice(if is_read { &own } else { &[] });
            is_read
        });
    }
    let of_frame = |((index, is_made), bytes): ((usize, bool), &[u8])| {
        Some((index, Candidate::of(&native[index], native.get(index + 1), is_made, bytes)?))
    };
    wanted.into_iter().zip(bytes.chunks_exact(FRAME_BYTES)).filter_map(of_frame).collect()
}

impl Candidate {
    /// `None` of a frame that is none of a function: it has a number where they have their context.
    fn of(frame: &NativeFrame, caller: Option<&NativeFrame>, is_made: bool, bytes: &[u8]) -> Option<Self> {
        let word = |offset: u64| word_of(bytes, offset);
        let (offset, bytecode, function, context) = (word(0)?, word(8)?, word(24)?, word(32)?);
        let is_own = caller.is_none_or(|caller| word(48) == Some(caller.program_counter));
        (is_own && is_object(context) && is_object(function)).then_some(Self {
            program_counter: frame.program_counter,
            is_made,
            function,
            bytecode,
            offset,
        })
    }

    /// What a frame is known by: code that stands for itself, baseline code, the interpreter.
    fn keys(&self) -> [FrameKey; 3] {
        [None, Some((self.bytecode, None)), Some((self.bytecode, Some(self.offset)))].map(|bytecode| {
            FrameKey { program_counter: self.program_counter, function: self.function, bytecode }
        })
    }
}

/// True of a file that may hold V8: others have as many symbols to look through.
fn is_its(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.contains("node"))
}

/// The letter at an offset of bytecode.
fn bytecode_letter(heap: &Heap<'_>, bytecode: u64, offset: u64) -> Option<u64> {
    (offset < heap.length(bytecode)?).then_some(())?;
    let table = heap.byte_array(heap.field(bytecode, heap.layout.bytecode_positions)?)?;
    positions::at(&table, offset).map(|position| position.letter)
}

/// The bytecode that an instruction of baseline code was made of.
fn baseline_offset(heap: &Heap<'_>, code: MadeCode, bytecode: u64, instruction: u64) -> Option<u64> {
    let lengths = heap.byte_array(heap.field(code.object, heap.layout.code.positions)?)?;
    let opcodes = heap.bytes(bytecode - 1 + heap.layout.bytecode_data, heap.length(bytecode)?)?;
    positions::bytecode_of(&lengths, &opcodes, &heap.layout.bytecode_sizes, instruction)
}

/// The functions that an instruction of optimized code is of, the innermost first, each with its letter.
fn inlined(heap: &Heap<'_>, code: MadeCode, shared: u64, instruction: u64) -> Option<Vec<(u64, u64)>> {
    let layout = &heap.layout.code;
    let table = heap.byte_array(heap.field(code.object, layout.positions)?)?;
    let data = heap.field(code.object, layout.deoptimization)?;
    let instruction = before_given_up(heap, data, instruction)?;
    // The instruction itself is the one behind the call.
    let mut position = positions::at(&table, instruction.checked_sub(1)?)?;
    let mut places = Vec::new();
    if position.inlined.is_some() {
        let count = small_integer(heap.item(data, layout.inlined_count)?)?;
        let literals = heap.item(data, layout.literals)?;
        (heap.type_of(literals)? == layout.literals_type).then_some(())?;
        let calls = heap.byte_array(heap.item(data, layout.inlined_positions)?)?;
        while let Some(number) = position.inlined {
            (places.len() < DEEPEST_INLINING).then_some(())?;
            let entry = usize::try_from(number).ok()?.checked_mul(INLINED_BYTES)?;
            let (at, of) = calls.get(entry..entry + INLINED_BYTES)?.split_at(8);
            let callee = u64::from(u32::from_ne_bytes(*of.first_chunk()?));
            let callee = heap.item(literals, (callee < count).then_some(callee)?)?;
            (heap.type_of(callee)? == heap.layout.shared_type).then_some(())?;
            places.push((callee, position.letter));
            let outer = Position::unpack(u64::from_ne_bytes(*at.first_chunk()?))?;
            // Those that hold others come before them.
            outer.inlined.is_none_or(|outer| outer < number).then_some(())?;
            position = outer;
        }
    }
    places.push((shared, position.letter));
    Some(places)
}

/// Where `TurboFan`'s code goes on behind a call. Where the call made the code be given up, its frame returns to
/// one of the exits, which stand behind all instructions.
fn before_given_up(heap: &Heap<'_>, data: u64, instruction: u64) -> Option<u64> {
    let behind = heap.layout.code.inlined_positions;
    let number = |index: u64| small_integer(heap.item(data, index)?);
    let Some(exit) = instruction.checked_sub(number(behind + EXITS_BEHIND)?) else {
        return Some(instruction);
    };
    // First come those that the code takes of itself.
    let (first, count) = (number(behind + EXITS_BEHIND + 1)?, number(behind + EXITS_BEHIND + 2)?);
    let index = exit / EXIT_BYTES;
    (exit.is_multiple_of(EXIT_BYTES) && first <= index && index - first < count).then_some(())?;
    number(behind + POINTS_BEHIND + 3 * index + 2)
}

/// The functions that a call of Maglev's code is of, the innermost first, each with its letter.
fn translated(heap: &Heap<'_>, code: MadeCode, shared: u64, instruction: u64) -> Option<Vec<(u64, u64)>> {
    let layout = &heap.layout.code;
    let operations = layout.operations?;
    let index = translations::call_index(heap, code.end, instruction)?;
    let data = heap.field(code.object, layout.deoptimization)?;
    let begin = translations::begin(heap, data, layout.inlined_positions + POINTS_BEHIND, index)?;
    let table = heap.byte_array(heap.item(data, TRANSLATIONS_AT)?)?;
    let frames = translations::frames(&table, begin, operations)?;
    let literals = heap.item(data, layout.literals)?;
    (heap.type_of(literals)? == layout.literals_type).then_some(())?;
    let mut places = Vec::new();
    for frame in frames {
        let function = heap.item(literals, frame.literal)?;
        (heap.type_of(function)? == heap.layout.shared_type).then_some(())?;
        places.push((function, bytecode_letter(heap, bytecode_of(heap, function)?, frame.offset)?));
    }
    (places.first()?.0 == shared).then_some(())?;
    places.reverse();
    Some(places)
}

/// The bytecode of a function.
fn bytecode_of(heap: &Heap<'_>, shared: u64) -> Option<u64> {
    let layout = heap.layout;
    let mut found = heap.field(shared, layout.shared_bytecode)?;
    if heap.type_of(found)? == layout.code.code_type {
        found = heap.field(found, layout.code.deoptimization)?;
    }
    if heap.type_of(found)? == layout.interpreter_data_type {
        found = heap.field(found, BYTECODE_AT)?;
    }
    (heap.type_of(found)? == layout.bytecode_array_type).then_some(found)
}
