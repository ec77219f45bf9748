//! What of a call's arguments and result bears on its price: flags, the path's
//! length, the bytes moved. Read at the call's return; put into words at the end.

use crate::call::Call;
use crate::decode::{ACCESS_MODE, price_words};
use crate::witness::Tracee;
use fathom_events::{At, Follow, Shape, is_made_up_path, shape_of};
use fathom_model::FileKind;
use std::collections::BTreeMap;

/// The condition of a call, to count by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Condition {
    /// The argument that decides, with nothing in it that does not.
    pub(crate) word: u64,
    /// Components of the path given.
    pub(crate) path_components: Option<u32>,
    /// The least power of two that is not below the bytes moved.
    pub(crate) size_class_bytes: Option<u64>,
    /// What its descriptor stood for when it was entered.
    pub(crate) on: Option<FileKind>,
}

/// Knows of each call what to look at.
#[derive(Debug, Default)]
pub(crate) struct Conditions(BTreeMap<Call, Kind>);

#[derive(Debug, Clone, Copy)]
struct Kind {
    paths: [Option<usize>; 2],
    word: Word,
    size: Size,
    descriptor: Descriptor,
    is_open: bool,
}

/// Where the argument stands that decides, and which of its bits do.
#[derive(Debug, Clone, Copy)]
enum Word {
    None,
    Constant(u64),
    Argument(usize, u64),
    /// `struct open_how`, whose first member is the flags.
    Pointed(usize, u64),
}

#[derive(Debug, Clone, Copy)]
enum Size {
    None,
    Result,
    Argument(usize),
}

/// Where the descriptor stands that decides, if one does.
#[derive(Debug, Clone, Copy)]
enum Descriptor {
    None,
    Argument(usize),
    /// The first, where the path after it is empty and these flags say so.
    Bare(usize),
}

impl Conditions {
    /// What the descriptor stands for that a call is made on, as it is entered: a `close`
    /// leaves nothing to look at.
    pub(crate) fn on(&mut self, call: Call, arguments: &[u64; 6], tracee: &dyn Tracee) -> Option<FileKind> {
        let position = match self.kind(call).descriptor {
            Descriptor::None => return None,
            Descriptor::Argument(position) => position,
            Descriptor::Bare(flags) if arguments[flags] & bits(libc::AT_EMPTY_PATH) == 0 => return None,
            Descriptor::Bare(_) => 0,
        };
        // The kernel takes the lower half; AT_FDCWD and none at all are below 0.
        let descriptor = u32::try_from(arguments[position] & u64::from(u32::MAX)).ok()?.cast_signed();
        (descriptor >= 0).then(|| tracee.file_kind(descriptor))?
    }

    /// The condition of a call that has returned, and the bytes it moved.
    pub(crate) fn of(
        &mut self,
        call: Call,
        arguments: &[u64; 6],
        result: Option<u64>,
        on: Option<FileKind>,
        tracee: &dyn Tracee,
    ) -> (Condition, u64) {
        let kind = self.kind(call);
        let bytes = match kind.size {
            Size::Result => result,
            Size::Argument(position) => Some(arguments[position]),
            Size::None => None,
        };
        let paths = kind.paths.map(|path| tracee.text(arguments[path?]));
        let word = match kind.word {
            Word::None => 0,
            Word::Constant(word) => word,
            Word::Argument(position, bits) => arguments[position] & bits,
            Word::Pointed(position, bits) => tracee.word(arguments[position]).unwrap_or(0) & bits,
        };
        // Nothing is created or emptied there.
        let is_made_up = kind.is_open && paths[0].as_deref().is_some_and(is_made_up_path);
        let condition = Condition {
            word: if is_made_up { word & !making_bits() } else { word },
            path_components: paths.iter().flatten().map(|path| components_of(path)).max(),
            size_class_bytes: bytes.map(size_class),
            on,
        };
        (condition, bytes.unwrap_or(0))
    }

    fn kind(&mut self, call: Call) -> Kind {
        *self.0.entry(call).or_insert_with(|| Kind::of(call))
    }
}

impl Condition {
    /// Its flags in words.
    pub(crate) fn flags(&self, call: Call) -> String {
        price_words(call, self.word)
    }
}

impl Kind {
    fn of(call: Call) -> Self {
        let name = call.name();
        let Some(shape) = shape_of(&name) else { return Self::of_no_file(&name) };
        let all = u64::from(u32::MAX);
        let may_be_bare = |flags| Word::Argument(flags, bits(libc::AT_EMPTY_PATH));
        let (word, size) = match shape {
            Shape::Open { flags, .. } => (Word::Argument(flags, open_bits()), Size::None),
            Shape::OpenHow => (Word::Pointed(2, open_bits()), Size::None),
            Shape::Create => {
                (Word::Constant(bits(libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC)), Size::None)
            }
            Shape::Stat { at: At::Below(..), follow: Follow::Unless(flags), .. }
            | Shape::Access { at: At::Below(..), follow: Follow::Unless(flags), .. } => {
                (may_be_bare(flags), Size::None)
            }
            Shape::ExtendedStat => (may_be_bare(2), Size::None),
            Shape::Control | Shape::DeviceControl | Shape::Watch => (Word::Argument(1, all), Size::None),
            Shape::Seek => (Word::Argument(2, all), Size::None),
            Shape::Advise => (Word::Argument(3, all), Size::None),
            Shape::AdviseMemory => (Word::Argument(2, all), Size::Argument(1)),
            Shape::Map => {
                (Word::Argument(3, bits(libc::MAP_ANONYMOUS | libc::MAP_POPULATE)), Size::Argument(1))
            }
            Shape::Unmap => (Word::None, Size::Argument(1)),
            Shape::Transfer { .. }
            | Shape::List { .. }
            | Shape::SendFile
            | Shape::CopyFileRange
            | Shape::Splice => (Word::None, Size::Result),
            _ => (Word::None, Size::None),
        };
        let descriptor = match (shape, shape.targets()[0]) {
            (Shape::Stat { at: At::Below(..), follow: Follow::Unless(flags), .. }, _) => {
                Descriptor::Bare(flags)
            }
            (Shape::ExtendedStat, _) => Descriptor::Bare(2),
            (_, Some(At::Descriptor(position))) => Descriptor::Argument(position),
            _ => Descriptor::None,
        };
        // After an exec that succeeded, the memory with its path is gone.
        let has_paths = !matches!(shape, Shape::Execute(_));
        let mut paths = shape.paths().filter(|_| has_paths);
        let is_open = matches!(shape, Shape::Open { .. } | Shape::OpenHow | Shape::Create);
        Self { paths: [paths.next(), paths.next()], word, size, descriptor, is_open }
    }

    /// Of a call that is none of the file path.
    fn of_no_file(call: &str) -> Self {
        let (word, size) = match call {
            "futex" => (Word::Argument(1, u64::from(u32::MAX)), Size::None),
            "mprotect" => (Word::None, Size::Argument(1)),
            "tee" | "vmsplice" | "recvfrom" | "sendto" | "recvmsg" | "sendmsg" | "getrandom" => {
                (Word::None, Size::Result)
            }
            _ => (Word::None, Size::None),
        };
        Self { paths: [None; 2], word, size, descriptor: Descriptor::None, is_open: false }
    }
}

/// Flags of an open that change what it costs.
fn open_bits() -> u64 {
    bits(
        ACCESS_MODE
            | libc::O_CREAT
            | libc::O_EXCL
            | libc::O_TRUNC
            | libc::O_APPEND
            | libc::O_DIRECT
            | libc::O_DIRECTORY
            | libc::O_PATH
            | libc::O_SYNC
            | libc::O_TMPFILE,
    )
}

/// Those that create a file or empty it.
fn making_bits() -> u64 {
    bits(libc::O_CREAT | libc::O_EXCL | libc::O_TRUNC)
}

fn bits(flags: i32) -> u64 {
    u64::from(flags.cast_unsigned())
}

fn components_of(path: &str) -> u32 {
    u32::try_from(path.split('/').filter(|component| !component.is_empty()).count()).unwrap_or(u32::MAX)
}

fn size_class(bytes: u64) -> u64 {
    if bytes == 0 { 0 } else { bytes.checked_next_power_of_two().unwrap_or(1 << 63) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_those_the_kernel_walks() {
        assert_eq!(["", "/", "f", "/a//b/", "../f"].map(components_of), [0, 0, 1, 2, 2]);
    }

    #[test]
    fn sizes_fall_into_powers_of_two() {
        assert_eq!([0, 1, 3, 4096, 4097, u64::MAX].map(size_class), [0, 1, 4, 4096, 8192, 1 << 63]);
    }
}
