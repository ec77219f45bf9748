//! Events as they lie in a frame: each beside the one before, with the paths and the names of
//! calls that no frame before had.

use crate::{CallName, CallOutcome, FileAction, FileEvent, StackId};
use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

/// One frame's events.
#[derive(Debug, Default, Serialize)]
pub(super) struct Block {
    /// New paths, numbered on from those before.
    pub(super) paths: Vec<Vec<u8>>,
    /// New names of calls, likewise.
    pub(super) calls: Vec<String>,
    pub(super) events: Vec<StoredEvent>,
    /// How long each event took.
    pub(super) durations: Times,
    /// And how long its thread was blocked in it.
    pub(super) waits: Times,
    /// How long its thread slept before it.
    pub(super) sleeps: Times,
}

/// A time of each event, one beside each: 0 of one of which it is not known, else the ns and 1.
/// Empty where it is known of none.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Times {
    #[serde(deserialize_with = "at_most::<_, _, FRAME_EVENTS>")]
    pub(super) all: Vec<u64>,
}

/// What version 1 had of it; version 2 had durations, too, and version 3 waits.
#[derive(Debug, Deserialize)]
struct BlockOf1 {
    #[serde(deserialize_with = "at_most::<_, _, MOST_PATHS>")]
    paths: Vec<Vec<u8>>,
    #[serde(deserialize_with = "at_most::<_, _, MOST_NAMES>")]
    calls: Vec<String>,
    #[serde(deserialize_with = "at_most::<_, _, FRAME_EVENTS>")]
    events: Vec<StoredEvent>,
}

impl Block {
    /// Reads one, of a file of this version.
    pub(super) fn read(content: &[u8], version: u32) -> Result<Self, String> {
        let unreadable = |error| format!("a frame of events cannot be read: {error}");
        let (BlockOf1 { paths, calls, events }, rest) =
            postcard::take_from_bytes(content).map_err(unreadable)?;
        let times = |since: u32, rest| {
            if version < since { Ok((Times::default(), rest)) } else { postcard::take_from_bytes(rest) }
        };
        let (durations, rest) = times(2, rest).map_err(unreadable)?;
        let (waits, rest) = times(3, rest).map_err(unreadable)?;
        let (sleeps, _) = times(4, rest).map_err(unreadable)?;
        for (what, times) in [("durations", &durations), ("waits", &waits), ("sleeps", &sleeps)] {
            if !times.all.is_empty() && times.all.len() != events.len() {
                return Err(format!("a frame of events has more or fewer {what} than events"));
            }
        }
        Ok(Self { paths, calls, events, durations, waits, sleeps })
    }

    /// Empties it, and keeps its room.
    pub(super) fn clear(&mut self) {
        let Self { paths, calls, events, durations, waits, sleeps } = self;
        paths.clear();
        calls.clear();
        events.clear();
        for times in [durations, waits, sleeps] {
            times.all.clear();
        }
    }
}

impl Times {
    /// Adds that of the last of so many events.
    pub(super) fn push(&mut self, ns: Option<u64>, events: usize) {
        match ns {
            None if self.all.is_empty() => {}
            None => self.all.push(0),
            Some(ns) => {
                self.all.resize(events - 1, 0);
                self.all.push(ns.saturating_add(1));
            }
        }
    }
}

/// So many events make a frame, and no frame has more.
pub(super) const FRAME_EVENTS: usize = 8192;
/// No frame has more new paths: a few for each event, and what was open before the first.
const MOST_PATHS: usize = 1 << 20;

/// A list that says, or turns out, to have more items takes no memory for them.
fn at_most<'de, D: Deserializer<'de>, T: Deserialize<'de>, const MOST: usize>(
    from: D,
) -> Result<Vec<T>, D::Error> {
    struct AtMost<T, const MOST: usize>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for AtMost<T, MOST> {
        type Value = Vec<T>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(out, "a list of at most {MOST}")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
            let too_many = |count| A::Error::invalid_length(count, &self);
            let claimed = items.size_hint().unwrap_or(0);
            if claimed > MOST {
                return Err(too_many(claimed));
            }
            let mut all = Vec::new();
            while let Some(item) = items.next_element()? {
                if all.len() == MOST {
                    return Err(too_many(MOST + 1));
                }
                all.push(item);
            }
            Ok(all)
        }
    }

    from.deserialize_seq(AtMost::<T, MOST>(PhantomData))
}

/// An event without what its neighbors tell.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredEvent {
    /// Since the event before.
    since_ns: i64,
    process: u32,
    thread: u32,
    /// The name's number.
    call: u16,
    action: FileAction,
    outcome: CallOutcome,
    stack: Option<StackId>,
}

impl StoredEvent {
    /// An event with the time of the one before and its call's number.
    pub(super) fn of(event: FileEvent, before_ns: u64, call: u16) -> Self {
        Self {
            since_ns: event.at_ns.wrapping_sub(before_ns).cast_signed(),
            process: event.process,
            thread: event.thread,
            call,
            action: event.action,
            outcome: event.outcome,
            stack: event.stack,
        }
    }

    /// The event; `None` where its call's number is of no name.
    pub(super) fn event(self, before_ns: u64, calls: &[CallName]) -> Option<FileEvent> {
        Some(FileEvent {
            at_ns: before_ns.wrapping_add(self.since_ns.cast_unsigned()),
            process: self.process,
            thread: self.thread,
            call: calls.get(usize::from(self.call))?,
            action: self.action,
            outcome: self.outcome,
            took_ns: None,
            waited_ns: None,
            slept_ns: None,
            stack: self.stack,
        })
    }
}

/// The longest name of a call.
const NAME_BYTES: usize = 40;
/// The kernel has some 400 calls; more names than this are no calls'.
const MOST_NAMES: usize = 2000;

/// Names that files had: each is kept until the process ends, so there are no more than calls.
static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// A name for as long as the process lives; `None` of what cannot be a call's.
pub(super) fn intern(name: &str) -> Option<CallName> {
    let is_name =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b':');
    if name.is_empty() || name.len() > NAME_BYTES || !name.bytes().all(is_name) {
        return None;
    }
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return Some(known);
    }
    if names.len() >= MOST_NAMES {
        return None;
    }
    let kept: &'static str = Box::leak(name.to_owned().into_boxed_str());
    names.insert(kept);
    Some(kept)
}
