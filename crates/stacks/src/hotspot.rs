//! The frames of Java in `HotSpot`, read from the memory of a thread that stands in a call: class, method,
//! file and line, as the virtual machine itself would write a stack trace.
//!
//! Its code is made at run time, so these frames are met on the way along the stack: one of the interpreter
//! is one method, one of compiled code is as many as were inlined there. Where the fields lie is told by
//! the virtual machine's own tables, by name. Nothing is believed: a method has to be found again in the
//! class that it says it is of, and where one is not, the stack ends there.

mod compiled;
mod compressed;
mod layout;
mod memory;
mod methods;
mod tables;

use crate::mappings::Origin;
use crate::process_memory::ProcessMemory;
use crate::script_runtime::{NotAttached, ReadWord, RuntimeImage, ScriptFrames, ScriptRuntime, ThreadAtCall};
use crate::walk::{Caller, NativeFrame};
use compiled::Compiled;
use layout::Layout;
use memory::Reader;
use methods::Method;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;
use std::sync::Arc;
pub(crate) use tables::HotSpotImage;
use tables::Tables;

/// So much is kept of one process before all is read anew.
const MOST_KEPT: usize = 1 << 15;
/// No frame of the interpreter's is larger.
const LARGEST_FRAME_BYTES: u64 = 1 << 20;
const WORD_BYTES: u64 = 8;
/// In a frame of the interpreter's on x86-64, below its frame pointer: the stack pointer of the caller, the
/// method, the bytecode.
const SENDER_BELOW: u64 = WORD_BYTES;
const METHOD_BELOW: u64 = 3 * WORD_BYTES;
const BYTECODE_BELOW: u64 = 8 * WORD_BYTES;
/// So often the tables are looked at in vain.
const MOST_TRIES: u32 = 64;

/// A virtual machine in a process.
#[derive(Debug, Clone)]
struct HotSpot {
    image: HotSpotImage,
    moved_by: u64,
    /// Known from when the first code that it made is met.
    machine: Option<Machine>,
    tries: u32,
}

/// One that runs.
#[derive(Debug, Clone)]
struct Machine {
    layout: Layout,
    /// All code that it makes, and of that the interpreter.
    code: Range<u64>,
    interpreter: Range<u64>,
    methods: HashMap<u64, Method>,
    compiled: HashMap<u64, Compiled>,
    /// What the native frames of the stack that is walked are.
    met: Vec<(NativeFrame, Met)>,
}

/// What a frame of code that was made is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Met {
    /// The interpreter's, of the method at an address, at a bytecode.
    Interpreted { method: u64, bytecode: u64 },
    /// Compiled code's, which goes on here, in frames of such a size.
    Compiled { address: u64, frame_bytes: u64 },
    /// Where native code called Java.
    CallStub,
}

/// What has to be the same still.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Used {
    Method(u64),
    Compiled(u64),
}

/// One frame of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
struct JavaFrame {
    /// The class and the method.
    function: Arc<str>,
    /// The file of the class, with the package's folders.
    file: Option<Arc<str>>,
    line: Option<u32>,
}

/// Memory that has to be what it was.
#[derive(Debug, Clone)]
struct Check {
    address: u64,
    bytes: Vec<u8>,
}

impl RuntimeImage for HotSpotImage {
    fn attach(
        &self,
        moved_by: u64,
        _memory: &dyn ProcessMemory,
    ) -> Result<Box<dyn ScriptRuntime>, NotAttached> {
        if !cfg!(target_arch = "x86_64") {
            return Err(NotAttached::Unknown("frames of Java are read on x86-64 only".to_owned()));
        }
        Ok(Box::new(HotSpot { image: *self, moved_by, machine: None, tries: 0 }))
    }
}

impl ScriptRuntime for HotSpot {
    fn fork(&self) -> Box<dyn ScriptRuntime> {
        Box::new(self.clone())
    }

    fn caller(
        &mut self,
        thread: &ThreadAtCall<'_>,
        frame: &NativeFrame,
        read: ReadWord<'_>,
    ) -> Option<Caller> {
        if !frame.is_caller {
            return None;
        }
        if self.machine.is_none() {
            let mapping = thread.mappings.at(frame.program_counter)?;
            if mapping.origin != Origin::Process || self.tries == MOST_TRIES {
                return None;
            }
            self.tries += 1;
            self.machine = Machine::of(self.image, self.moved_by, Reader(thread.memory));
        }
        let machine = self.machine.as_mut()?;
        if !machine.code.contains(&frame.program_counter) {
            return None;
        }
        Some(machine.caller(frame, Reader(thread.memory), read).unwrap_or(Caller::Unknown))
    }

    fn add_frames(&mut self, thread: &ThreadAtCall<'_>, native: &[NativeFrame], frames: &mut ScriptFrames) {
        match &mut self.machine {
            Some(machine) => machine.add_frames(Reader(thread.memory), native, frames),
            None if self.tries == MOST_TRIES => {
                frames.unknown(
                    "frames of this Java virtual machine are not known: its tables lack what leads to them",
                );
            }
            None => {}
        }
    }
}

impl Machine {
    /// That of a process whose library was moved by so much; `None` of one whose tables do not tell what is
    /// needed, or which is not running yet.
    fn of(image: HotSpotImage, moved_by: u64, memory: Reader<'_>) -> Option<Self> {
        let layout = Layout::of(&Tables::read(image, moved_by, memory)?, memory)?;
        let queue = memory.word(layout.interpreter)?;
        let buffer = memory.word(queue.checked_add(layout.queue_buffer)?)?;
        let limit = memory.u32(queue.checked_add(layout.queue_limit)?)?;
        let interpreter = buffer..buffer.checked_add(u64::from(limit))?;
        let code = memory.word(layout.code_low)?..memory.word(layout.code_high)?;
        if layout.call_stub_return == 0 || interpreter.is_empty() || !code.contains(&interpreter.start) {
            return None;
        }
        let (methods, compiled, met) = (HashMap::new(), HashMap::new(), Vec::new());
        Some(Self { layout, code, interpreter, methods, compiled, met })
    }

    /// What called a frame of code that was made.
    fn caller(&mut self, frame: &NativeFrame, memory: Reader<'_>, read: ReadWord<'_>) -> Option<Caller> {
        let mut word = |address: u64| read(address).ok();
        if self.interpreter.contains(&frame.program_counter) {
            return self.caller_of_interpreted(frame, memory, &mut word);
        }
        if frame.program_counter == self.layout.call_stub_return {
            self.met.push((*frame, Met::CallStub));
            return by_frame_pointer(frame, &mut word).map(going_on);
        }
        let mut address = frame.program_counter;
        let mut found = self.compiled_at(address, memory)?;
        let frame_bytes = found.frame_bytes;
        if let Some(original) = found.original_return {
            address = word(frame.stack_pointer.checked_add(original)?)?;
            found = self.compiled_at(address, memory)?;
            if found.frame_bytes != frame_bytes || found.original_return.is_some() {
                return None;
            }
        }
        self.met.push((*frame, Met::Compiled { address, frame_bytes }));
        // Compiled code saves the frame pointer right before the return address, whatever it uses it for.
        let stack_pointer = frame.stack_pointer.checked_add(frame_bytes)?;
        Some(Caller::Frame {
            program_counter: word(stack_pointer.checked_sub(WORD_BYTES)?)?,
            stack_pointer,
            frame_pointer: word(stack_pointer.checked_sub(2 * WORD_BYTES)?)?,
        })
    }

    fn caller_of_interpreted(
        &mut self,
        frame: &NativeFrame,
        memory: Reader<'_>,
        word: &mut dyn FnMut(u64) -> Option<u64>,
    ) -> Option<Caller> {
        let below = |bytes: u64| frame.frame_pointer.checked_sub(bytes);
        let method = word(below(METHOD_BELOW)?)?;
        let bytecode = word(below(BYTECODE_BELOW)?)?;
        let sender = word(below(SENDER_BELOW)?)?;
        if let Entry::Vacant(place) = self.methods.entry(method) {
            place.insert(Method::read(method, &self.layout, memory)?);
        }
        let caller = by_frame_pointer(frame, word)?;
        self.met.push((*frame, Met::Interpreted { method, bytecode }));
        // What was compiled goes on from where its stack was, and not from behind the arguments; by a method
        // handle one argument was dropped since.
        let innermost = frame.frame_pointer.checked_add(WORD_BYTES)?;
        let is_further_out = (innermost..innermost.checked_add(LARGEST_FRAME_BYTES)?).contains(&sender);
        is_further_out.then_some(going_on(NativeFrame { stack_pointer: sender, ..caller }))
    }

    fn compiled_at(&mut self, address: u64, memory: Reader<'_>) -> Option<&Compiled> {
        Some(match self.compiled.entry(address) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(Compiled::read(address, &self.layout, memory)?),
        })
    }

    /// Gives what the native frames stand for.
    fn add_frames(&mut self, memory: Reader<'_>, native: &[NativeFrame], frames: &mut ScriptFrames) {
        let met = std::mem::take(&mut self.met);
        self.renew(&met, memory);
        for (place, frame) in native.iter().enumerate() {
            if !frame.is_caller || !self.code.contains(&frame.program_counter) {
                continue;
            }
            let found =
                met.iter().find(|(known, _)| known == frame).and_then(|(_, met)| self.frames_of(*met));
            let Some(found) = found else {
                // What lies further out of one that is none is not believed either.
                frames.cut();
                break;
            };
            frames.leave_out(place);
            for JavaFrame { function, file, line } in found {
                frames.replace(place, file.as_deref().unwrap_or_default(), &function, line);
            }
        }
        if self.methods.len() + self.compiled.len() > MOST_KEPT {
            self.methods.clear();
            self.compiled.clear();
        }
    }

    /// The frames that one of the machine's is, the innermost first; `None` where it is none any more.
    fn frames_of(&self, met: Met) -> Option<Vec<JavaFrame>> {
        match met {
            Met::CallStub => Some(Vec::new()),
            Met::Interpreted { method, bytecode } => {
                let method = self.methods.get(&method)?;
                Some(method.frame(method.index_of(bytecode)).into_iter().collect())
            }
            Met::Compiled { address, frame_bytes } => {
                let found = self.compiled.get(&address).filter(|found| found.frame_bytes == frame_bytes)?;
                Some(found.frames.clone())
            }
        }
    }

    /// Reads again what is another now: its memory may have been given to other methods or code since.
    fn renew(&mut self, met: &[(NativeFrame, Met)], memory: Reader<'_>) {
        let mut used: Vec<Used> = met.iter().filter_map(|(_, met)| met.used()).collect();
        used.sort_unstable();
        used.dedup();
        let pieces: Vec<_> = used
            .iter()
            .flat_map(|used| self.checks(*used))
            .map(|check| (check.address, check.bytes.len()))
            .collect();
        let mut bytes = Vec::with_capacity(pieces.iter().map(|piece| piece.1).sum());
        let is_read = memory.0.read_pieces(&pieces, &mut bytes);
        let mut rest = bytes.as_slice();
        for used in used {
            let mut is_same = is_read;
            for check in self.checks(used) {
                let (now, others) = rest.split_at_checked(check.bytes.len()).unwrap_or_default();
                is_same &= now == check.bytes;
                rest = others;
            }
            if !is_same {
                self.read_again(used, memory);
            }
        }
    }

    fn checks(&self, used: Used) -> &[Check] {
        match used {
            Used::Method(address) => self.methods.get(&address).map_or(&[], Method::checks),
            Used::Compiled(address) => self.compiled.get(&address).map_or(&[], |found| &found.checks),
        }
    }

    fn read_again(&mut self, used: Used, memory: Reader<'_>) {
        match used {
            Used::Method(address) => match Method::read(address, &self.layout, memory) {
                Some(method) => drop(self.methods.insert(address, method)),
                None => drop(self.methods.remove(&address)),
            },
            Used::Compiled(address) => match Compiled::read(address, &self.layout, memory) {
                Some(found) => drop(self.compiled.insert(address, found)),
                None => drop(self.compiled.remove(&address)),
            },
        }
    }
}

impl Met {
    fn used(self) -> Option<Used> {
        match self {
            Self::Interpreted { method, .. } => Some(Used::Method(method)),
            Self::Compiled { address, .. } => Some(Used::Compiled(address)),
            Self::CallStub => None,
        }
    }
}

/// The caller of a frame that keeps its frame pointer.
fn by_frame_pointer(frame: &NativeFrame, word: &mut dyn FnMut(u64) -> Option<u64>) -> Option<NativeFrame> {
    let at = frame.frame_pointer;
    if at < frame.stack_pointer || at - frame.stack_pointer > LARGEST_FRAME_BYTES {
        return None;
    }
    Some(NativeFrame {
        program_counter: word(at.checked_add(WORD_BYTES)?)?,
        stack_pointer: at.checked_add(2 * WORD_BYTES)?,
        frame_pointer: word(at)?,
        is_caller: true,
    })
}

fn going_on(frame: NativeFrame) -> Caller {
    let NativeFrame { program_counter, stack_pointer, frame_pointer, .. } = frame;
    Caller::Frame { program_counter, stack_pointer, frame_pointer }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mappings::Mappings;

    /// Bytes that depend on their address alone, and mean nothing.
    struct Noise(u64);

    impl ProcessMemory for Noise {
        fn read_pieces(&self, pieces: &[(u64, usize)], bytes: &mut Vec<u8>) -> bool {
            for (address, length) in pieces {
                let end = address.saturating_add(*length as u64);
                bytes.extend(
                    (*address..end)
                        .map(|at| (at ^ self.0).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes()[0]),
                );
            }
            pieces.iter().all(|(address, length)| address.checked_add(*length as u64).is_some())
        }
    }

    fn machine() -> Machine {
        Machine {
            layout: Layout::of_17(),
            code: 0x8000..0x20000,
            interpreter: 0xa000..0xb000,
            methods: HashMap::new(),
            compiled: HashMap::new(),
            met: Vec::new(),
        }
    }

    #[test]
    fn memory_that_means_nothing_gives_no_frame() {
        for noise in 0..200 {
            let mut machine = machine();
            let memory = Noise(noise);
            let mut read = |address| Reader(&memory).word(address).ok_or(());
            let mut native = Vec::new();
            for program_counter in [0xa100, 0xc000, 0x9000] {
                let frame = NativeFrame {
                    program_counter,
                    stack_pointer: 0x5000,
                    frame_pointer: 0x5100,
                    is_caller: true,
                };
                machine.caller(&frame, Reader(&memory), &mut read);
                native.push(frame);
            }
            let mut frames = ScriptFrames::default();
            machine.add_frames(Reader(&memory), &native, &mut frames);
            assert!(frames.is_empty() && frames.is_cut(), "{noise}");
        }
    }

    #[test]
    fn tables_that_mean_nothing_are_no_machine() {
        let memory = Noise(7);
        for moved_by in [0, 1 << 40, u64::MAX] {
            assert!(Machine::of(HotSpotImage::at(64), moved_by, Reader(&memory)).is_none());
        }
    }

    #[test]
    fn the_call_stub_keeps_its_frame_pointer() {
        let mut machine = machine();
        let stack = [0x7000_u64, 0x4242];
        let mut read = |address: u64| {
            let index = usize::try_from((address - 0x5100) / 8).map_err(|_| ())?;
            stack.get(index).copied().ok_or(())
        };
        let frame = NativeFrame {
            program_counter: 0x9000,
            stack_pointer: 0x5000,
            frame_pointer: 0x5100,
            is_caller: true,
        };
        let memory = Noise(0);
        assert_eq!(
            machine.caller(&frame, Reader(&memory), &mut read),
            Some(Caller::Frame { program_counter: 0x4242, stack_pointer: 0x5110, frame_pointer: 0x7000 })
        );
        let below = NativeFrame { frame_pointer: 0x4ff0, ..frame };
        assert_eq!(machine.caller(&below, Reader(&memory), &mut read), None);
        let mut frames = ScriptFrames::default();
        machine.add_frames(Reader(&memory), &[frame], &mut frames);
        assert!(!frames.is_cut() && !frames.is_empty(), "it is left out");
        // Not of the innermost frame, and not before its code is met.
        let mut hotspot = HotSpot { image: HotSpotImage::at(64), moved_by: 0, machine: None, tries: 0 };
        let thread = ThreadAtCall { memory: &memory, thread_pointer: 0, mappings: &Mappings::default() };
        assert_eq!(hotspot.caller(&thread, &frame, &mut read), None);
        assert_eq!(hotspot.tries, 0);
    }
}
