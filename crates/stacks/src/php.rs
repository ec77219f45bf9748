//! The frames of PHP 8.0 to 8.4 without its own threads, read from the memory of a thread that stands in a
//! call: function, file and line, as `debug_backtrace` would give them.
//!
//! Nothing is believed: a frame's instruction has to be one of its function's, its texts have to end where
//! they say. Where that does not hold, the frame has no line, or the rest of the frames is not known.

use crate::mappings::Origin;
use crate::process_memory::{ProcessMemory, word, word_of};
use crate::remembered::{Reader, Remembered};
use crate::script_runtime::{
    NotAttached, RuntimeImage, ScriptFrames, ScriptRuntime, ThreadAtCall, exports, text_behind,
};
use crate::walk::NativeFrame;
use std::fs::File;
use std::path::Path;

/// Frames beyond these are not read: each costs a read of the process's memory.
const MOST_FRAMES: usize = 128;
/// So many functions are kept of one process before all are read anew.
const MOST_FUNCTIONS: usize = 1 << 14;
const LONGEST_TEXT_BYTES: u64 = 1 << 14;
/// What every PHP says of itself to the web, before its version.
const VERSION_AFTER: &[u8] = b"X-Powered-By: PHP/";
/// What the file of code that `eval` compiled ends in.
const EVALUATED: &str = " : eval()'d code";

// Bytes from the beginning of what holds them, by `offsetof` with the headers of 8.1.2, 8.2.36, 8.3.6 and
// 8.4.27: `zend_executor_globals`, `zend_execute_data`, `zend_function`, `zend_op`, `zend_class_entry` and
// `zend_string`.
const CURRENT_FRAME: u64 = 488;
const FRAME_BYTES: usize = 56;
const FRAME_INSTRUCTION: u64 = 0;
const FRAME_FUNCTION: u64 = 24;
const FRAME_PREVIOUS: u64 = 48;
const FUNCTION_NAME: u64 = 8;
const FUNCTION_CLASS: u64 = 16;
const INSTRUCTION_BYTES: u64 = 32;
const INSTRUCTION_LINE: u64 = 24;
const CLASS_NAME: u64 = 8;
const TEXT_LENGTH: u64 = 16;
const TEXT_LETTERS: u64 = 24;

/// What a function is, by its first byte: in C, in a script, or what `eval` compiled.
const INTERNAL: u8 = 1;
const OF_SCRIPT: [u8; 2] = [2, 4];

/// What a file of PHP's exports, by its own addresses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PhpImage {
    /// None where each thread has its own.
    globals: Option<u64>,
    /// Where functions of scripts are run.
    execute: u64,
    minor: u8,
}

#[derive(Debug, Clone)]
struct Php {
    globals: u64,
    execute: u64,
    layout: Layout,
    functions: Remembered<Function>,
}

/// What differs between versions: how many instructions a function has, where they begin, its file.
#[derive(Debug, Clone, Copy)]
struct Layout {
    count: u64,
    instructions: u64,
    file: u64,
}

#[derive(Debug, Clone)]
struct Function {
    name: String,
    /// Where its instructions begin and how many there are; none of one in C.
    code: Option<Code>,
}

#[derive(Debug, Clone)]
struct Code {
    file: String,
    start: u64,
    count: u64,
}

/// One frame as its memory has it.
#[derive(Debug, Clone, Copy)]
struct RawFrame {
    function: u64,
    instruction: u64,
}

impl PhpImage {
    /// That of a file which may be PHP or its library; `None` where it is neither.
    pub(crate) fn read(file: &File, path: &Path) -> Option<Self> {
        path.file_name()?.to_str().filter(|name| name.contains("php"))?;
        let [globals, threads_globals, execute] =
            exports(file, ["executor_globals", "executor_globals_offset", "execute_ex"])?;
        globals.or(threads_globals)?;
        let minor = text_behind(file, VERSION_AFTER, |version| {
            let digits = version.strip_prefix(b"8.")?;
            let end = digits.iter().position(|byte| !byte.is_ascii_digit())?;
            std::str::from_utf8(&digits[..end]).ok()?.parse().ok()
        })?;
        Some(Self { globals, execute: execute?, minor })
    }
}

impl RuntimeImage for PhpImage {
    fn attach(
        &self,
        moved_by: u64,
        _memory: &dyn ProcessMemory,
    ) -> Result<Box<dyn ScriptRuntime>, NotAttached> {
        let unknown = |what: &str| NotAttached::Unknown(format!("frames of {what} are not known"));
        let globals = self.globals.ok_or_else(|| unknown("PHP with threads of its own"))?;
        let version = || unknown(&format!("PHP 8.{}", self.minor));
        let layout = Layout::of(self.minor).ok_or_else(version)?;
        let at = |address: u64| address.wrapping_add(moved_by);
        let functions = Remembered::new(MOST_FUNCTIONS);
        Ok(Box::new(Php { globals: at(globals), execute: at(self.execute), layout, functions }))
    }

    fn comes_with(&self, path: &Path) -> bool {
        path.to_str().is_some_and(|path| path.contains("/lib/php/"))
    }
}

impl ScriptRuntime for Php {
    fn fork(&self) -> Box<dyn ScriptRuntime> {
        Box::new(self.clone())
    }

    fn add_frames(&mut self, thread: &ThreadAtCall<'_>, native: &[NativeFrame], frames: &mut ScriptFrames) {
        // There is one script; a thread of some library's has no part in it.
        if !self.runs_in(thread, native) {
            return;
        }
        let memory = thread.memory;
        let Some((raw, is_whole)) = self.chain(memory) else { return };
        let layout = self.layout;
        let wanted = raw.iter().map(|frame| frame.function).collect();
        self.functions.renew(wanted, memory, |address, reader| Function::read(address, layout, reader));
        let mut is_known = is_whole;
        for frame in &raw {
            let Some(function) = self.functions.get(frame.function) else {
                is_known = false;
                break;
            };
            match &function.code {
                // Who called `eval` has the line of the file.
                Some(code) if code.file.ends_with(EVALUATED) => {}
                Some(code) => {
                    let line = code.line(frame.instruction, memory);
                    frames.push(&code.file, &function.name, line);
                }
                // A fiber begins in one without a name.
                None if function.name.is_empty() => {}
                None => frames.push_internal(&function.name),
            }
        }
        if !is_known {
            frames.cut();
        }
    }
}

impl Php {
    /// Whether a thread runs functions of scripts: its stack goes through the file in which that is done.
    fn runs_in(&self, thread: &ThreadAtCall<'_>, native: &[NativeFrame]) -> bool {
        let Some(own) = thread.mappings.at(self.execute) else { return false };
        native.iter().any(|frame| {
            let mapping = thread.mappings.at(frame.code_address());
            mapping
                .is_some_and(|mapping| mapping.origin == own.origin && matches!(own.origin, Origin::File(_)))
        })
    }

    /// The frames, the innermost first, and whether they are all.
    fn chain(&self, memory: &dyn ProcessMemory) -> Option<(Vec<RawFrame>, bool)> {
        let mut next = word(memory, self.globals.wrapping_add(CURRENT_FRAME))?;
        let (mut frames, mut bytes) = (Vec::new(), Vec::new());
        for _ in 0..MOST_FRAMES {
            if next == 0 {
                return Some((frames, true));
            }
            bytes.clear();
            if !memory.read_pieces(&[(next, FRAME_BYTES)], &mut bytes) {
                return Some((frames, false));
            }
            let function = word_of(&bytes, FRAME_FUNCTION)?;
            // One that only links others has none.
            if function != 0 {
                frames.push(RawFrame { function, instruction: word_of(&bytes, FRAME_INSTRUCTION)? });
            }
            next = word_of(&bytes, FRAME_PREVIOUS)?;
        }
        Some((frames, next == 0))
    }
}

impl Layout {
    fn of(minor: u8) -> Option<Self> {
        let (count, instructions, file) = match minor {
            0 | 1 => (68, 72, 144),
            2 => (80, 88, 152),
            3 => (76, 80, 144),
            4 => (96, 104, 168),
            _ => return None,
        };
        Some(Self { count, instructions, file })
    }
}

impl Function {
    fn read(address: u64, layout: Layout, reader: &mut Reader<'_>) -> Option<Self> {
        let at = |offset: u64| address.wrapping_add(offset);
        let kind = *reader.bytes(address, 1)?.first()?;
        if kind != INTERNAL && !OF_SCRIPT.contains(&kind) {
            return None;
        }
        let (name, class) = (reader.word(at(FUNCTION_NAME))?, reader.word(at(FUNCTION_CLASS))?);
        let mut name = match (name, kind) {
            (0, INTERNAL) => String::new(),
            // The code of a file.
            (0, _) => "{main}".to_owned(),
            (name, _) => text(name, reader)?,
        };
        if class != 0 {
            let of_class = reader.word(class.wrapping_add(CLASS_NAME))?;
            name = format!("{}::{name}", text(of_class, reader)?);
        }
        if kind == INTERNAL {
            return Some(Self { name, code: None });
        }
        let count = reader.bytes(at(layout.count), 4)?.first_chunk::<4>().copied()?;
        let code = Code {
            start: reader.word(at(layout.instructions))?,
            count: u64::from(u32::from_ne_bytes(count)),
            file: reader.word(at(layout.file)).and_then(|file| text(file, reader))?,
        };
        Some(Self { name, code: Some(code) })
    }
}

impl Code {
    /// The line of an instruction, where it is one of these.
    fn line(&self, instruction: u64, memory: &dyn ProcessMemory) -> Option<u32> {
        let offset = instruction.checked_sub(self.start)?;
        if !offset.is_multiple_of(INSTRUCTION_BYTES) || offset / INSTRUCTION_BYTES >= self.count {
            return None;
        }
        let line = word(memory, instruction.checked_add(INSTRUCTION_LINE)?)? & u64::from(u32::MAX);
        u32::try_from(line).ok().filter(|line| *line > 0)
    }
}

/// A text, which ends where it says.
fn text(address: u64, reader: &mut Reader<'_>) -> Option<String> {
    let length = reader.word(address.checked_add(TEXT_LENGTH)?)?;
    if length > LONGEST_TEXT_BYTES {
        return None;
    }
    let letters = reader.bytes(address.checked_add(TEXT_LETTERS)?, usize::try_from(length).ok()? + 1)?;
    let (end, letters) = letters.split_last()?;
    (*end == 0).then(|| String::from_utf8_lossy(letters).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process_memory::tests::Bytes;
    use std::cell::RefCell;

    const FUNCTION_AT: u64 = 512;
    const CODE_AT: u64 = 1024;

    fn memory(kind: u8, name: u64, class: u64) -> Bytes {
        let memory = Bytes(RefCell::new(vec![0; 2048]));
        let put = |address: u64, bytes: &[u8]| {
            let start = usize::try_from(address).unwrap();
            memory.0.borrow_mut()[start..start + bytes.len()].copy_from_slice(bytes);
        };
        let put_text = |address: u64, text: &str| {
            put(address + TEXT_LENGTH, &(text.len() as u64).to_ne_bytes());
            put(address + TEXT_LETTERS, text.as_bytes());
        };
        put_text(64, "look");
        put_text(128, "/a.php");
        put_text(192, "Store");
        put(256 + CLASS_NAME, &192_u64.to_ne_bytes());
        put(FUNCTION_AT, &[kind]);
        put(FUNCTION_AT + FUNCTION_NAME, &name.to_ne_bytes());
        put(FUNCTION_AT + FUNCTION_CLASS, &class.to_ne_bytes());
        let layout = Layout::of(2).unwrap();
        put(FUNCTION_AT + layout.count, &3_u32.to_ne_bytes());
        put(FUNCTION_AT + layout.instructions, &CODE_AT.to_ne_bytes());
        put(FUNCTION_AT + layout.file, &128_u64.to_ne_bytes());
        put(CODE_AT + 2 * INSTRUCTION_BYTES + INSTRUCTION_LINE, &[17]);
        memory
    }

    fn function(memory: &Bytes) -> Option<Function> {
        let mut functions = Remembered::new(8);
        let layout = Layout::of(2).unwrap();
        functions.renew(vec![FUNCTION_AT], memory, |address, reader| Function::read(address, layout, reader));
        functions.get(FUNCTION_AT).cloned()
    }

    #[test]
    fn functions_are_named_as_php_names_them() {
        let named = |kind, name, class| function(&memory(kind, name, class)).map(|function| function.name);
        assert_eq!(named(2, 64, 256).as_deref(), Some("Store::look"));
        assert_eq!(named(2, 64, 0).as_deref(), Some("look"));
        assert_eq!(named(2, 0, 0).as_deref(), Some("{main}"));
        assert_eq!(named(1, 0, 0).as_deref(), Some(""));
        assert_eq!(named(3, 64, 0), None, "no function is of that kind");
        assert_eq!(named(2, 5000, 0), None, "its name cannot be read");
    }

    #[test]
    fn an_instruction_of_another_function_has_no_line() {
        let memory = memory(2, 64, 0);
        let code = function(&memory).unwrap().code.unwrap();
        assert_eq!(code.file, "/a.php");
        assert_eq!(code.line(CODE_AT + 2 * INSTRUCTION_BYTES, &memory), Some(17));
        assert_eq!(code.line(CODE_AT + 2 * INSTRUCTION_BYTES + 8, &memory), None);
        assert_eq!(code.line(CODE_AT + 3 * INSTRUCTION_BYTES, &memory), None);
        assert_eq!(code.line(CODE_AT - INSTRUCTION_BYTES, &memory), None);
    }

    #[test]
    fn versions_whose_layout_is_not_known_are_refused() {
        let image = PhpImage { globals: Some(0), execute: 0, minor: 5 };
        let refusal = |image: PhpImage| image.attach(0, &memory(2, 0, 0)).err();
        let unknown = |what: &str| Some(NotAttached::Unknown(format!("frames of {what} are not known")));
        assert_eq!(refusal(image), unknown("PHP 8.5"));
        assert_eq!(refusal(PhpImage { minor: 4, ..image }), None);
        assert_eq!(
            refusal(PhpImage { globals: None, minor: 4, ..image }),
            unknown("PHP with threads of its own")
        );
    }
}
