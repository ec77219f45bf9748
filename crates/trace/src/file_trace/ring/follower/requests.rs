//! Requests of `io_uring` become events when they are answered: opens, reads, writes,
//! closes, stats and syncs of descriptors. Others are counted.

use super::{Follower, Sink};
use crate::file_trace::ring::programs::RequestFields;
use crate::file_trace::ring::record::{Head, Record};
use crate::file_trace::unseen::{Reservations, Unseen};
use fathom_events::{CallName, CallOutcome, FileAction, OpenFlags, PathId, Target};
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// What went into rings and is still to be answered.
#[derive(Debug)]
pub(super) struct Requests {
    fields: Option<RequestFields>,
    waiting: HashMap<u64, Waiting>,
    /// Requests that make no event, by program and operation.
    unseen: BTreeMap<(PathBuf, u8), u64>,
}

#[derive(Debug)]
struct Waiting {
    thread: u32,
    process: u32,
    submitted_ns: u64,
    call: CallName,
    action: FileAction,
}

/// Operations by number, as far as they touch files.
const NAMES: [(u8, &str); 22] = [
    (1, "readv"),
    (2, "writev"),
    (3, "fsync"),
    (4, "read_fixed"),
    (5, "write_fixed"),
    (8, "sync_file_range"),
    (17, "fallocate"),
    (18, "openat"),
    (19, "close"),
    (21, "statx"),
    (22, "read"),
    (23, "write"),
    (24, "fadvise"),
    (25, "madvise"),
    (28, "openat2"),
    (30, "splice"),
    (35, "renameat"),
    (36, "unlinkat"),
    (37, "mkdirat"),
    (38, "symlinkat"),
    (39, "linkat"),
    (55, "ftruncate"),
];
/// Of a request: its descriptor is a number in the ring's own table.
const REGISTERED: u64 = 1;
/// The kernel adds it to every open of a ring; of [`OpenFlags`], as the other.
const LARGE_FILE: u32 = 0o100_000;
const NO_FOLLOW: u32 = 0o400_000;
/// `AT_SYMLINK_NOFOLLOW`.
const LINK_ITSELF: u32 = 0x100;

impl Requests {
    /// None yet.
    pub(super) fn new(fields: Option<RequestFields>) -> Self {
        Self { fields, waiting: HashMap::new(), unseen: BTreeMap::new() }
    }

    /// Says what made no event.
    pub(super) fn reserve(&self, reservations: &mut Reservations) {
        let mut by_program: BTreeMap<&PathBuf, Vec<(&str, u64)>> = BTreeMap::new();
        for ((program, operation), count) in &self.unseen {
            let name = NAMES.iter().find(|(number, _)| number == operation).map_or("", |(_, name)| name);
            by_program.entry(program).or_default().push((name, *count));
        }
        for (program, requests) in by_program {
            let requests = requests.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
            reservations.add(Unseen::Requests { program: program.clone(), requests });
        }
    }
}

impl Follower {
    /// A request goes into a ring.
    pub(super) fn submitted(&mut self, record: &Record<'_>) {
        let head = record.head;
        let [address, operation, descriptor, flags, ..] = head.arguments;
        let Ok(operation) = u8::try_from(operation) else { return };
        let descriptor = u32::try_from(descriptor).unwrap_or(0).cast_signed();
        let path = record.text().map(|text| self.paths.number(OsStr::from_bytes(text)));
        let found = self.requests.fields.and_then(|fields| {
            let request = Request { operation, descriptor, path, own: record.pieces[2], fields };
            request.action(flags & REGISTERED != 0)
        });
        match found {
            Some((call, action)) => {
                let (thread, process, submitted_ns) = (head.thread, head.process, head.time_ns);
                let waiting = Waiting { thread, process, submitted_ns, call, action };
                self.requests.waiting.insert(address, waiting);
            }
            None if NAMES.iter().any(|(number, _)| *number == operation) => {
                let program = self.program(head.process);
                *self.requests.unseen.entry((program, operation)).or_default() += 1;
            }
            None => {}
        }
    }

    /// A request was answered.
    pub(super) fn answered(&mut self, head: &Head, sink: &mut Sink<'_>) {
        let Some(Waiting { thread, process, submitted_ns, call, action }) =
            self.requests.waiting.remove(&head.arguments[0])
        else {
            return;
        };
        // The kernel tells 32 bits.
        let result = i64::from(u32::try_from(head.result & 0xffff_ffff).unwrap_or(0).cast_signed());
        let outcome = match i32::try_from(result.wrapping_neg()) {
            Ok(errno) if result < 0 => CallOutcome::Failed(errno),
            _ => CallOutcome::Value(result),
        };
        // From its submission; a thread that does something else meanwhile does not wait.
        let took_ns = Some(head.time_ns.saturating_sub(submitted_ns));
        self.tell_action((process, thread), (head.time_ns, took_ns, call), action, outcome, sink);
    }
}

/// A request with the fields of its own operation.
struct Request<'a> {
    operation: u8,
    descriptor: i32,
    path: Option<PathId>,
    own: &'a [u8],
    fields: RequestFields,
}

impl Request<'_> {
    /// What it is to do; `None` of what is only counted.
    fn action(&self, is_registered: bool) -> Option<(CallName, FileAction)> {
        let RequestFields { directory, slot, flags, mode, closed, closed_slot, bytes, position, .. } =
            self.fields;
        let descriptor = self.descriptor;
        Some(match self.operation {
            18 | 28 if self.half(slot)? == 0 => {
                let flags = OpenFlags::native(self.half(flags)?).0;
                let target = Target::Path {
                    directory: self.half(directory)?.cast_signed(),
                    path: self.path?,
                    follow: flags & NO_FOLLOW == 0,
                };
                let flags = OpenFlags(flags & !LARGE_FILE);
                let name = if self.operation == 18 { "io_uring:openat" } else { "io_uring:openat2" };
                (name, FileAction::Open { target, flags, mode: self.half(mode)? })
            }
            19 if self.half(closed_slot)? == 0 => {
                ("io_uring:close", FileAction::Close { descriptor: self.half(closed)?.cast_signed() })
            }
            21 => {
                let follow = self.half(self.fields.look_flags)? & LINK_ITSELF == 0;
                let directory = self.half(self.fields.looked_from)?.cast_signed();
                let target = Target::Path { directory, path: self.path?, follow };
                ("io_uring:statx", FileAction::Stat { target, facts: None, mask: 0 })
            }
            22 | 23 if !is_registered => {
                // At the position of the file where it is -1.
                let offset = Some(self.word(position)?).filter(|offset| *offset != u64::MAX);
                let bytes = u64::from(self.half(bytes)?);
                if self.operation == 22 {
                    ("io_uring:read", FileAction::Read { descriptor, bytes, offset, pieces: 1 })
                } else {
                    ("io_uring:write", FileAction::Write { descriptor, bytes, offset, pieces: 1 })
                }
            }
            3 if !is_registered => {
                ("io_uring:fsync", FileAction::Sync { descriptor: Some(descriptor), data_only: false })
            }
            _ => return None,
        })
    }

    fn half(&self, at: i16) -> Option<u32> {
        let at = usize::try_from(at).ok()?;
        Some(u32::from_le_bytes(self.own.get(at..at + 4)?.try_into().ok()?))
    }

    fn word(&self, at: i16) -> Option<u64> {
        let at = usize::try_from(at).ok()?;
        Some(u64::from_le_bytes(self.own.get(at..at + 8)?.try_into().ok()?))
    }
}
