//! From the innermost frame outwards, by the unwind tables of the files that are
//! mapped: most code is compiled without frame pointers. Where code has no tables (Go,
//! code made at run time) frame pointers serve.

use crate::mappings::{Mapping, Mappings};
use crate::tables::UnwindTables;
use framehop::{
    CacheNative, FrameAddress, MayAllocateDuringUnwind, UnwindRegsNative, Unwinder, UnwinderNative,
};
use std::path::Path;
use std::sync::Arc;

/// Whether a word that a step read is the caller's frame pointer: not its return address, which lies
/// right below where its stack then is.
#[cfg(target_arch = "x86_64")]
fn is_saved_frame_pointer(after: &UnwindRegsNative, address: u64, word: u64) -> bool {
    word == after.bp() && address != after.sp().wrapping_sub(8)
}

/// It is not told apart here: all that is read counts.
#[cfg(not(target_arch = "x86_64"))]
fn is_saved_frame_pointer(_after: &UnwindRegsNative, _address: u64, _word: u64) -> bool {
    false
}

/// No stack of ours is deeper; a walk that does not end is wrong.
const FRAMES_MAX: usize = 512;

/// The user registers that a walk begins with.
#[derive(Debug, Clone, Copy)]
pub struct Registers {
    /// Where the code is.
    pub program_counter: u64,
    /// Where the stack is.
    pub stack_pointer: u64,
    /// The register that may lead to the caller's frame.
    pub frame_pointer: u64,
    /// The register with the return address.
    #[cfg(target_arch = "aarch64")]
    pub link: u64,
}

impl Registers {
    #[cfg(target_arch = "x86_64")]
    fn to_unwind(self) -> UnwindRegsNative {
        UnwindRegsNative::new(self.program_counter, self.stack_pointer, self.frame_pointer)
    }

    #[cfg(target_arch = "aarch64")]
    fn to_unwind(self) -> UnwindRegsNative {
        UnwindRegsNative::new(self.link, self.stack_pointer, self.frame_pointer)
    }
}

/// A frame of native code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NativeFrame {
    /// Where the code is; of a caller where it goes on.
    pub program_counter: u64,
    /// Where its stack is.
    pub stack_pointer: u64,
    /// What the frame pointer's register has in it, which code without frame pointers uses for anything.
    pub frame_pointer: u64,
    /// It called the one before.
    pub is_caller: bool,
}

impl NativeFrame {
    /// An address in its code: a caller goes on behind its call, which may be the next function.
    pub fn code_address(&self) -> u64 {
        self.program_counter.saturating_sub(u64::from(self.is_caller))
    }

    #[cfg(target_arch = "x86_64")]
    fn of(at: FrameAddress, registers: &UnwindRegsNative) -> Self {
        let (stack_pointer, frame_pointer) = (registers.sp(), registers.bp());
        Self {
            program_counter: at.address(),
            stack_pointer,
            frame_pointer,
            is_caller: at.is_return_address(),
        }
    }

    #[cfg(target_arch = "aarch64")]
    fn of(at: FrameAddress, registers: &UnwindRegsNative) -> Self {
        let (stack_pointer, frame_pointer) = (registers.sp(), registers.fp());
        Self {
            program_counter: at.address(),
            stack_pointer,
            frame_pointer,
            is_caller: at.is_return_address(),
        }
    }

    fn to_unwind(self) -> UnwindRegsNative {
        UnwindRegsNative::new(self.program_counter, self.stack_pointer, self.frame_pointer)
    }
}

/// Who called a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// A frame that goes on here.
    Frame {
        /// Where its code goes on.
        program_counter: u64,
        /// Where its stack is then.
        stack_pointer: u64,
        /// What the frame pointer's register has in it then.
        frame_pointer: u64,
    },
    /// Nobody.
    Outermost,
    /// It is not known.
    Unknown,
}

/// The user frames of a stack, from the innermost on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walk {
    /// All that are known.
    pub frames: Vec<NativeFrame>,
    /// The last one is known to be the outermost.
    pub ended: bool,
}

impl Walk {
    /// Up to the first frame that lies in no code: a wrong turn, as where a
    /// function uses the frame pointer for something else.
    #[must_use]
    pub fn in_code(mut self, mappings: &Mappings) -> Self {
        let lost = |frame: &NativeFrame| mappings.at(frame.program_counter).is_none();
        if let Some(first) = self.frames.iter().position(lost) {
            self.frames.truncate(first);
            self.ended = false;
        }
        self
    }
}

/// What a walk depends on besides the registers that it began with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Addresses of words of the stack.
    pub words: Vec<u64>,
    /// The frame pointer that it began with.
    pub frame_pointer: bool,
}

/// How code without tables, which is about to return, gives its frame back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Epilogue {
    /// It drops so many bytes of the stack,
    pub dropped_bytes: u64,
    /// then takes the frame pointer from it, or not, and returns.
    pub takes_frame_pointer: bool,
}

impl Epilogue {
    /// How many bytes of code `decode` looks at.
    pub const CODE_BYTES: usize = 6;

    /// Reads it from the code at a return address: `add $n,%rsp`, `pop %rbp`, `ret`,
    /// either of the first two left out. So end the few instructions by which `CPython`
    /// enters each function that is to be told from others.
    #[cfg(target_arch = "x86_64")]
    pub fn decode(code: &[u8]) -> Option<Self> {
        let (dropped_bytes, code) = match code {
            [0x48, 0x83, 0xc4, bytes @ 0..=0x7f, rest @ ..] => (u64::from(*bytes), rest),
            _ => (0, code),
        };
        match code {
            [0xc3, ..] => Some(Self { dropped_bytes, takes_frame_pointer: false }),
            [0x5d, 0xc3, ..] => Some(Self { dropped_bytes, takes_frame_pointer: true }),
            _ => None,
        }
    }

    /// Nothing is known of it here; frame pointers serve.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn decode(_code: &[u8]) -> Option<Self> {
        None
    }

    /// Who called a frame whose code ends so.
    pub fn caller(self, frame: &NativeFrame, read: &mut dyn FnMut(u64) -> Result<u64, ()>) -> Caller {
        self.find_caller(frame, read).unwrap_or(Caller::Unknown)
    }

    fn find_caller(
        self,
        frame: &NativeFrame,
        read: &mut dyn FnMut(u64) -> Result<u64, ()>,
    ) -> Result<Caller, ()> {
        let mut stack_pointer = frame.stack_pointer.wrapping_add(self.dropped_bytes);
        let mut frame_pointer = frame.frame_pointer;
        if self.takes_frame_pointer {
            frame_pointer = read(stack_pointer)?;
            stack_pointer = stack_pointer.wrapping_add(8);
        }
        let program_counter = read(stack_pointer)?;
        Ok(Caller::Frame { program_counter, stack_pointer: stack_pointer.wrapping_add(8), frame_pointer })
    }
}

/// What a walk learned and the next one need not learn again, of any process.
#[derive(Default)]
pub struct WalkCache(CacheNative<MayAllocateDuringUnwind>);

impl std::fmt::Debug for WalkCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WalkCache").finish_non_exhaustive()
    }
}

/// Walks stacks of one address space.
#[derive(Clone)]
pub struct StackWalker {
    unwinder: UnwinderNative<Arc<[u8]>, MayAllocateDuringUnwind>,
}

impl std::fmt::Debug for StackWalker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StackWalker").finish_non_exhaustive()
    }
}

impl StackWalker {
    /// With the tables of the files that are mapped, as `tables` gives them.
    pub fn new(
        mappings: &Mappings,
        mut tables: impl FnMut(&Mapping, &Path) -> Option<Arc<UnwindTables>>,
    ) -> Self {
        let mut unwinder = UnwinderNative::new();
        for (mapping, path) in mappings.of_files() {
            let name = || path.to_string_lossy().into_owned();
            let tables = tables(mapping, path);
            if let Some(module) = tables.and_then(|tables| tables.module(mapping, name())) {
                unwinder.add_module(module);
            }
        }
        Self { unwinder }
    }

    /// The frames from the registers on. `read` reads a word of the stack; `known_caller` knows who called
    /// code of which the tables do not tell, and leaves the others to them.
    pub fn walk(
        &self,
        registers: Registers,
        cache: &mut WalkCache,
        mut read: impl FnMut(u64) -> Result<u64, ()>,
        mut known_caller: impl FnMut(&NativeFrame, &mut dyn FnMut(u64) -> Result<u64, ()>) -> Option<Caller>,
    ) -> Walk {
        let mut at = FrameAddress::from_instruction_pointer(registers.program_counter);
        let mut registers = registers.to_unwind();
        let mut frames = Vec::new();
        while frames.len() < FRAMES_MAX {
            let frame = NativeFrame::of(at, &registers);
            frames.push(frame);
            let next = match known_caller(&frame, &mut read) {
                None => self.unwind(at, &mut registers, cache, &mut read),
                Some(Caller::Outermost) => Ok(None),
                Some(Caller::Unknown) => Err(()),
                Some(Caller::Frame { program_counter, stack_pointer, frame_pointer }) => {
                    let caller =
                        NativeFrame { program_counter, stack_pointer, frame_pointer, is_caller: true };
                    registers = caller.to_unwind();
                    Ok(Some(program_counter))
                }
            };
            match next.map(|address| address.map(FrameAddress::from_return_address)) {
                Ok(Some(Some(frame))) => at = frame,
                Ok(None) => return Walk { frames, ended: true },
                Ok(Some(None)) | Err(()) => break,
            }
        }
        Walk { frames, ended: false }
    }

    /// The same, with what it depends on, of at most so many words: where all of that is the same
    /// again, so is the walk. Saved frame pointers count where they lead on; many are another
    /// function's numbers.
    pub fn walk_with_needs(
        &self,
        registers: Registers,
        cache: &mut WalkCache,
        mut read: impl FnMut(u64) -> Result<u64, ()>,
        most_words: usize,
    ) -> (Walk, Needs) {
        let mut at = FrameAddress::from_instruction_pointer(registers.program_counter);
        let mut registers = registers.to_unwind();
        let (mut walk, mut needs) = (Walk::default(), Needs::default());
        // Where the frame pointer of now was read, if it was.
        let mut saved_at: Vec<u64> = Vec::new();
        while walk.frames.len() < FRAMES_MAX {
            walk.frames.push(NativeFrame::of(at, &registers));
            let before = registers;
            let mut step = Vec::new();
            let mut noting = |address| {
                let word = read(address)?;
                step.push((address, word));
                Ok(word)
            };
            let Ok(next) = self.unwind(at, &mut registers, cache, &mut noting) else { break };
            let mut needed = Needs::default();
            if self.uses_frame_pointer(at, before, (next, registers), cache, &mut read) {
                needed.frame_pointer = saved_at.is_empty();
                needed.words.clone_from(&saved_at);
            }
            let (saved, others): (Vec<_>, Vec<_>) = step
                .into_iter()
                .partition(|(address, word)| is_saved_frame_pointer(&registers, *address, *word));
            needed.words.extend(others.into_iter().map(|(address, _)| address));
            let saved: Vec<u64> = saved.into_iter().map(|(address, _)| address).collect();
            match saved.len() {
                0 => {}
                1 => saved_at = saved,
                // Which of them it was is not known.
                _ => needed.words.extend(saved),
            }
            let new = needed.words.iter().filter(|address| !needs.words.contains(address)).count();
            if needs.words.len() + new + 1 > most_words {
                break;
            }
            needs.frame_pointer |= needed.frame_pointer;
            for address in needed.words {
                if !needs.words.contains(&address) {
                    needs.words.push(address);
                }
            }
            match next.map(FrameAddress::from_return_address) {
                Some(Some(frame)) => at = frame,
                None => {
                    walk.ended = true;
                    break;
                }
                Some(None) => break,
            }
        }
        (walk, needs)
    }

    fn unwind(
        &self,
        at: FrameAddress,
        registers: &mut UnwindRegsNative,
        cache: &mut WalkCache,
        read: &mut impl FnMut(u64) -> Result<u64, ()>,
    ) -> Result<Option<u64>, ()> {
        self.unwinder.unwind_frame(at, registers, &mut cache.0, read).map_err(|_| ())
    }

    /// Whether a step from these registers to those that it led to depends on the frame pointer: with
    /// another one it leads elsewhere.
    #[cfg(target_arch = "x86_64")]
    fn uses_frame_pointer(
        &self,
        at: FrameAddress,
        before: UnwindRegsNative,
        (next, after): (Option<u64>, UnwindRegsNative),
        cache: &mut WalkCache,
        read: &mut impl FnMut(u64) -> Result<u64, ()>,
    ) -> bool {
        [!before.bp(), before.bp().wrapping_add(16)].into_iter().any(|other| {
            let mut registers = before;
            registers.set_bp(other);
            let led = self.unwind(at, &mut registers, cache, read);
            led != Ok(next) || registers.sp() != after.sp()
        })
    }

    #[cfg(not(target_arch = "x86_64"))]
    #[expect(clippy::unused_self, reason = "as on the architecture where it is looked at")]
    fn uses_frame_pointer(
        &self,
        _at: FrameAddress,
        _before: UnwindRegsNative,
        _led: (Option<u64>, UnwindRegsNative),
        _cache: &mut WalkCache,
        _read: &mut impl FnMut(u64) -> Result<u64, ()>,
    ) -> bool {
        true
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn epilogues_are_read_from_code() {
        let frame =
            |dropped_bytes, takes_frame_pointer| Some(Epilogue { dropped_bytes, takes_frame_pointer });
        assert_eq!(Epilogue::decode(&[0x48, 0x83, 0xc4, 8, 0xc3, 0]), frame(8, false));
        assert_eq!(Epilogue::decode(&[0x5d, 0xc3, 0, 0, 0, 0]), frame(0, true));
        assert_eq!(Epilogue::decode(&[0x48, 0x83, 0xc4, 16, 0x5d, 0xc3]), frame(16, true));
        assert_eq!(Epilogue::decode(&[0x48, 0x83, 0xc4, 0x80, 0xc3, 0]), None, "that is negative");
        assert_eq!(Epilogue::decode(&[0x90, 0xc3]), None);
        assert_eq!(Epilogue::decode(&[]), None);
    }

    #[test]
    fn an_epilogue_leads_to_the_caller() {
        let stack = [0_u64, 0x7000, 0x4242, 9];
        let mut read = |address: u64| stack.get(usize::try_from(address / 8).unwrap()).copied().ok_or(());
        let frame = NativeFrame { program_counter: 1, stack_pointer: 0, frame_pointer: 5, is_caller: true };
        let epilogue = Epilogue { dropped_bytes: 8, takes_frame_pointer: true };
        assert_eq!(
            epilogue.caller(&frame, &mut read),
            Caller::Frame { program_counter: 0x4242, stack_pointer: 24, frame_pointer: 0x7000 }
        );
        assert_eq!(Epilogue { dropped_bytes: 80, ..epilogue }.caller(&frame, &mut read), Caller::Unknown);
    }
}
