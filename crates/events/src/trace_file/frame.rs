//! Frames: pieces of a file that are whole or not there, each with its kind, sizes and checksum.

use super::TraceFileError;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};

/// What a frame holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum FrameKind {
    Header,
    Events,
    /// A process that was there before, or came in.
    Process,
    End,
}

/// Kind, packed bytes, unpacked bytes, checksum.
const HEAD_BYTES: usize = 13;
/// Where the checksum stands, of what is before it and of the content.
const CHECKSUM_AT: usize = 9;
/// No frame is larger: whoever claims so is damaged, and takes no memory. The writer ends one of
/// events after 1 MiB of paths or some thousand events, of which none has 1 kB …
const MOST_BYTES_OF_EVENTS: u32 = 1 << 25;
/// … and the others are written once.
const MOST_BYTES: u32 = 3 << 24;
/// What an end may hold in values: so many that a stack of 30 frames may stand there 10,000 times.
const MOST_VALUES: usize = 4 << 20;
/// Middle effort: levels above 3 took several times longer for a tenth less.
const LEVEL: i32 = 3;

impl FrameKind {
    fn byte(self) -> u8 {
        match self {
            Self::Header => b'H',
            Self::Events => b'E',
            Self::Process => b'P',
            Self::End => b'Z',
        }
    }

    fn most_bytes(self) -> u32 {
        match self {
            Self::Events => MOST_BYTES_OF_EVENTS,
            Self::Header | Self::Process | Self::End => MOST_BYTES,
        }
    }

    fn of_byte(byte: u8) -> Option<Self> {
        [Self::Header, Self::Events, Self::Process, Self::End].into_iter().find(|kind| kind.byte() == byte)
    }
}

/// What was found where a frame should be.
#[derive(Debug)]
pub(super) enum Found {
    /// With its content, and how many bytes of the file it took.
    Frame(FrameKind, Vec<u8>, u64),
    /// The file ends here, or within the frame.
    Cut,
    /// Something else, in words.
    Damage(String),
}

/// Writes a frame.
pub(super) fn write(out: &mut impl Write, kind: FrameKind, content: &[u8]) -> Result<(), TraceFileError> {
    let too_large = || io::Error::new(io::ErrorKind::FileTooLarge, "a piece of the trace is too large");
    let size = |bytes: &[u8]| {
        u32::try_from(bytes.len()).ok().filter(|size| *size <= kind.most_bytes()).ok_or_else(too_large)
    };
    if kind != FrameKind::Events && !has_few_values(content) {
        return Err(too_large().into());
    }
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
    if packed_bytes.max(bytes) > kind.most_bytes() {
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
    let taken = (HEAD_BYTES + packed.len()) as u64;
    Ok(match zstd::bulk::decompress(&packed, bytes as usize) {
        Ok(content) if content.len() == bytes as usize => {
            if kind != FrameKind::Events && !has_few_values(&content) {
                return Ok(Found::Damage("a frame has more values than Fathom writes".to_owned()));
            }
            Found::Frame(kind, content, taken)
        }
        Ok(_) => Found::Damage("a frame has another size than it says".to_owned()),
        Err(error) => Found::Damage(format!("a frame cannot be unpacked: {error}")),
    })
}

/// Values of a JSON text take memory by their number, not by their length.
fn has_few_values(json: &[u8]) -> bool {
    json.iter().filter(|byte| matches!(byte, b',' | b':' | b'[')).count() <= MOST_VALUES
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
