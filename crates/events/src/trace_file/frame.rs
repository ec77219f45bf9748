//! Frames: pieces of a file that are whole or not there, each with its kind, sizes and checksum.

use super::TraceFileError;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};

/// What a frame holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum FrameKind {
    Header,
    Events,
    End,
}

/// Kind, packed bytes, unpacked bytes, checksum.
const HEAD_BYTES: usize = 13;
/// Where the checksum stands, of what is before it and of the content.
const CHECKSUM_AT: usize = 9;
/// No frame is larger: whoever claims so is damaged, and takes no memory.
const MOST_BYTES: u32 = 1 << 28;
/// Middle effort: levels above 3 took several times longer for a tenth less.
const LEVEL: i32 = 3;

impl FrameKind {
    fn byte(self) -> u8 {
        match self {
            Self::Header => b'H',
            Self::Events => b'E',
            Self::End => b'Z',
        }
    }

    fn of_byte(byte: u8) -> Option<Self> {
        [Self::Header, Self::Events, Self::End].into_iter().find(|kind| kind.byte() == byte)
    }
}

/// What was found where a frame should be.
#[derive(Debug)]
pub(super) enum Found {
    Frame(FrameKind, Vec<u8>),
    /// The file ends here, or within the frame.
    Cut,
    /// Something else, in words.
    Damage(String),
}

/// Writes a frame.
pub(super) fn write(out: &mut impl Write, kind: FrameKind, content: &[u8]) -> Result<(), TraceFileError> {
    let too_large = || io::Error::other("a piece of the trace is too large");
    let size = |bytes: &[u8]| {
        u32::try_from(bytes.len()).ok().filter(|size| *size <= MOST_BYTES).ok_or_else(too_large)
    };
    let packed = zstd::bulk::compress(content, LEVEL)?;
    let mut head = [0; HEAD_BYTES];
    head[0] = kind.byte();
    head[1..5].copy_from_slice(&size(&packed)?.to_le_bytes());
    head[5..CHECKSUM_AT].copy_from_slice(&size(content)?.to_le_bytes());
    let checksum = checksum(&head[..CHECKSUM_AT], &packed);
    head[CHECKSUM_AT..].copy_from_slice(&checksum.to_le_bytes());
    out.write_all(&head)?;
    Ok(out.write_all(&packed)?)
}

/// Reads the next frame.
pub(super) fn read(input: &mut impl Read) -> Result<Found, TraceFileError> {
    let mut head = [0; HEAD_BYTES];
    if !fill(input, &mut head)? {
        return Ok(Found::Cut);
    }
    let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let (packed_bytes, bytes) = (number(1), number(5));
    let Some(kind) = FrameKind::of_byte(head[0]) else {
        return Ok(Found::Damage("what follows is no frame".to_owned()));
    };
    if packed_bytes > MOST_BYTES || bytes > MOST_BYTES {
        return Ok(Found::Damage("a frame's size is impossible".to_owned()));
    }
    let mut packed = Vec::new();
    input.by_ref().take(u64::from(packed_bytes)).read_to_end(&mut packed)?;
    if packed.len() < packed_bytes as usize {
        return Ok(Found::Cut);
    }
    if checksum(&head[..CHECKSUM_AT], &packed) != number(CHECKSUM_AT) {
        return Ok(Found::Damage("a frame's checksum is not that of its content".to_owned()));
    }
    Ok(match zstd::bulk::decompress(&packed, bytes as usize) {
        Ok(content) if content.len() == bytes as usize => Found::Frame(kind, content),
        Ok(_) => Found::Damage("a frame has another size than it says".to_owned()),
        Err(error) => Found::Damage(format!("a frame cannot be unpacked: {error}")),
    })
}

fn checksum(head: &[u8], packed: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(head);
    hasher.update(packed);
    hasher.finalize()
}

/// False when the input ended first.
pub(super) fn fill(input: &mut impl Read, into: &mut [u8]) -> io::Result<bool> {
    match input.read_exact(into) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}
