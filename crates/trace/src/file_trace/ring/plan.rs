//! What a program in the kernel copies of a call: its texts and the memory that it
//! filled. Both sides of the ring go by it.

use crate::file_trace::calls::{Calls, Shape};

/// How much memory is copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    /// Nothing.
    None = 0,
    /// So many bytes, whatever came of the call.
    Always = 1,
    /// So many bytes, if the call succeeded.
    Success = 2,
    /// As many bytes as the call returned, if they are no more than so many.
    Result = 3,
    /// An array of pieces of 16 bytes, whose number stands in the next argument.
    Pieces = 4,
}

/// A stretch of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block {
    /// The argument that points to it.
    pub(super) argument: usize,
    pub(super) size: Size,
    pub(super) bytes: u16,
}

/// What is copied of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Copies {
    /// Arguments that point to texts.
    pub(super) texts: [Option<usize>; 2],
    pub(super) blocks: [Block; 2],
}

const NOTHING: Block = Block { argument: 0, size: Size::None, bytes: 0 };
/// The largest of the first block: a listing as the C library asks for it.
pub(super) const LARGEST_BLOCK_BYTES: u16 = 32_768;
/// The largest of the second.
pub(super) const LARGEST_SECOND_BYTES: u16 = 64;
/// The kernel's longest path and its NUL, and one more to see that it is longer.
pub(super) const LONGEST_TEXT_BYTES: u16 = 4097;
/// A plan in the form of [`Copies::encode`].
pub(super) const ENCODED_BYTES: usize = 16;
/// Calls have numbers below this.
pub(super) const CALLS: u32 = 512;

#[expect(
    clippy::cast_possible_truncation,
    reason = "a small structure, of another size on each architecture"
)]
const STAT_BYTES: u16 = size_of::<libc::stat>() as u16;
const EXTENDED_STAT_BYTES: u16 = 144;
const HOW_BYTES: u16 = 24;
const PAIR_BYTES: u16 = 8;
const WORD_BYTES: u16 = 8;
const LINK_BYTES: u16 = 4096;
/// More pieces are refused by the kernel.
const PIECES_BYTES: u16 = 16 * 1024;

impl Copies {
    /// What is copied of a call of this shape; `None` of one that makes no event.
    pub(super) fn of(shape: Shape) -> Option<Self> {
        let fixed = |argument, size, bytes| [Block { argument, size, bytes }, NOTHING];
        let words = |first, second| {
            [first, second].map(|argument: Option<usize>| {
                let word = |argument| Block { argument, size: Size::Always, bytes: WORD_BYTES };
                argument.map_or(NOTHING, word)
            })
        };
        let blocks = match shape {
            Shape::FilterCalls | Shape::Affinity => return None,
            Shape::Stat { buffer, .. } => fixed(buffer, Size::Success, STAT_BYTES),
            Shape::ExtendedStat => fixed(4, Size::Success, EXTENDED_STAT_BYTES),
            Shape::OpenHow => fixed(2, Size::Always, HOW_BYTES),
            Shape::CloneWithStructure => fixed(0, Size::Always, WORD_BYTES),
            Shape::ReadLink { buffer, .. } => fixed(buffer, Size::Result, LINK_BYTES),
            Shape::CurrentDirectory => fixed(0, Size::Result, LINK_BYTES),
            Shape::List { .. } => fixed(1, Size::Result, LARGEST_BLOCK_BYTES),
            Shape::Transfer { vector: true, .. } => fixed(1, Size::Pieces, PIECES_BYTES),
            Shape::Make { pair: Some(argument), .. } => fixed(argument, Size::Success, PAIR_BYTES),
            Shape::CopyFileRange | Shape::Splice => words(Some(1), Some(3)),
            Shape::SendFile => words(Some(2), None),
            _ => [NOTHING; 2],
        };
        Some(Self { texts: texts(shape), blocks })
    }

    /// The form in which the kernel's side reads it.
    pub(super) fn encode(self) -> [u8; ENCODED_BYTES] {
        let one_more = |argument: Option<usize>| argument.map_or(0, |argument| byte(argument) + 1);
        let [first, second] = self.blocks;
        let has_any = self.texts != [None; 2] || first.size != Size::None || second.size != Size::None;
        let mut encoded = [0; ENCODED_BYTES];
        encoded[0] = if has_any { COPIES } else { PLAIN };
        encoded[1] = one_more(self.texts[0]);
        encoded[2] = one_more(self.texts[1]);
        for (at, block) in self.blocks.into_iter().enumerate() {
            encoded[3 + at] = block.size as u8;
            encoded[5 + at] = byte(block.argument);
            encoded[8 + 2 * at..10 + 2 * at].copy_from_slice(&block.bytes.to_ne_bytes());
        }
        encoded
    }
}

/// Of an encoded plan: the call is none of the file path; nothing is copied; something is.
pub(super) const PLAIN: u8 = 1;
pub(super) const COPIES: u8 = 2;

/// Every call that is followed, with its plan.
pub(super) fn plans(calls: &Calls) -> impl Iterator<Item = (u32, Copies)> {
    calls.shapes().filter_map(|(number, shape)| {
        Copies::of(shape).filter(|_| number < CALLS).map(|copies| (number, copies))
    })
}

fn texts(shape: Shape) -> [Option<usize>; 2] {
    // Nobody reads what these name.
    let mut paths = shape.paths().filter(|_| !matches!(shape, Shape::Names(_)));
    [paths.next(), paths.next()]
}

fn byte(argument: usize) -> u8 {
    u8::try_from(argument).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file_trace::calls::At;

    #[test]
    fn blocks_fit_their_room_and_arguments_are_arguments() {
        let calls = Calls::new();
        let all: Vec<_> = plans(&calls).collect();
        assert!(all.len() > 100, "{}", all.len());
        for (number, copies) in all {
            let [first, second] = copies.blocks;
            assert!(first.bytes <= LARGEST_BLOCK_BYTES && second.bytes <= LARGEST_SECOND_BYTES, "{number}");
            let arguments = copies.texts.into_iter().flatten().chain([first.argument, second.argument]);
            assert!({ arguments }.all(|argument| argument < 6), "{number}");
        }
    }

    #[test]
    fn a_plan_is_encoded_byte_by_byte() {
        let shape =
            Shape::Stat { at: At::Below(0, 1), buffer: 2, follow: crate::file_trace::calls::Follow::Always };
        let encoded = Copies::of(shape).unwrap().encode();
        assert_eq!(encoded[..8], [COPIES, 2, 0, Size::Success as u8, 0, 2, 0, 0]);
        assert_eq!(encoded[8..10], STAT_BYTES.to_ne_bytes());
        assert_eq!(Copies::of(Shape::Close).unwrap().encode()[0], PLAIN);
        assert_eq!(Copies::of(Shape::Affinity), None);
    }
}
