//! What the kernel's table says of one process, call and directory.

use crate::file_trace::ring::programs::{BUCKETS, LEVELS, NAME_BYTES, field};
use fathom_events::CallName;
use fathom_model::LatencyBuckets;

/// Calls of one process on files of one directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveCount {
    /// The process.
    pub process: u32,
    /// Its name when it made the first of them.
    pub program: String,
    /// The kernel's name of the call.
    pub call: CallName,
    /// What the call was on, as far as the kernel knew it when the call returned.
    pub file: LiveFile,
    /// How many failed.
    pub failed: u64,
    /// How many had begun before anybody counted, so that nobody knows how long they took.
    pub untimed: u64,
    /// How long the others took.
    pub latency: LatencyBuckets,
    /// All of them together, in ns.
    pub took_ns: u64,
    /// How much of that their threads were blocked, until they ran again.
    pub waited_ns: u64,
}

/// What a call was on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LiveFile {
    /// A file or directory: the directory that it is in, or that it is.
    In(LiveDirectory),
    /// A socket.
    Socket,
    /// A pipe.
    Pipe,
    /// A device, such as a terminal.
    Device,
    /// What has no file behind it: an eventfd, an epoll.
    Anonymous,
    /// Known by the call's path alone, or closed by then.
    Unknown,
}

/// A directory by its mount and the way from there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LiveDirectory {
    /// The number of the mount, as `/proc/PID/mountinfo` has it.
    pub mount: u32,
    /// The inode's number.
    pub inode: u64,
    /// From the mount's root down, without a slash at the beginning; names that are longer than is kept
    /// end in `…`, and so begins a way that is deeper.
    pub way: String,
}

/// Kinds of files: the upper bits of a mode; 15 is what has none.
const PIPE: u16 = 1;
const DEVICES: [u16; 2] = [2, 6];
const IN_DIRECTORIES: [u16; 2] = [4, 8];
const SOCKET: u16 = 12;
const ANONYMOUS: u16 = 15;

/// Whose calls a key is of.
pub(super) fn process_of(key: &[u8]) -> u32 {
    u32::try_from(number(key, 0, 4)).unwrap_or(0)
}

impl LiveCount {
    /// Reads one; `None` of a call that has no name.
    pub(super) fn read(key: &[u8], value: &[u8], name: impl Fn(u64) -> Option<CallName>) -> Option<Self> {
        let word = |at: usize| number(value, at, 8);
        let kind = u16::try_from(number(key, 6, 2)).ok()?;
        let file = match kind {
            PIPE => LiveFile::Pipe,
            SOCKET => LiveFile::Socket,
            ANONYMOUS => LiveFile::Anonymous,
            kind if DEVICES.contains(&kind) => LiveFile::Device,
            kind if IN_DIRECTORIES.contains(&kind) => LiveFile::In(LiveDirectory {
                mount: u32::try_from(number(key, 8, 4)).ok()?,
                inode: number(key, 16, 8),
                way: way(value),
            }),
            _ => LiveFile::Unknown,
        };
        Some(Self {
            process: process_of(key),
            program: text(value.get(field::PROGRAM..field::PROGRAM + 16)?),
            call: name(number(key, 4, 2))?,
            file,
            failed: word(field::FAILED),
            untimed: word(field::UNTIMED),
            latency: LatencyBuckets::new((0..BUCKETS).map(|bucket| word(field::FIRST_BUCKET + 8 * bucket))),
            took_ns: word(field::TOOK),
            waited_ns: word(field::WAITED),
        })
    }

    /// How many calls.
    pub fn calls(&self) -> u64 {
        self.latency.calls() + self.untimed
    }
}

/// Names stand from below.
fn way(value: &[u8]) -> String {
    let names = value.get(field::NAMES..).unwrap_or_default().chunks_exact(NAME_BYTES).take(LEVELS);
    let mut names: Vec<String> = names.map(name).take_while(|name| !name.is_empty()).collect();
    if number(value, field::IS_DEEPER, 8) != 0 {
        names.push("…".to_owned());
    }
    names.reverse();
    names.join("/")
}

/// One that fills its place may have been longer.
fn name(bytes: &[u8]) -> String {
    let text = text(bytes);
    if text.len() + 1 < NAME_BYTES { text } else { text + "…" }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.split(|byte| *byte == 0).next().unwrap_or_default()).into_owned()
}

fn number(bytes: &[u8], at: usize, size: usize) -> u64 {
    let mut word = [0; 8];
    if let Some(bytes) = bytes.get(at..at + size) {
        word[..size].copy_from_slice(bytes);
    }
    u64::from_le_bytes(word)
}
