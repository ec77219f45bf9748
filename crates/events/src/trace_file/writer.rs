//! Writes events, a frame of them at a time.

use super::block::{Block, FRAME_EVENTS, StoredEvent};
use super::frame::{self, FrameKind};
use super::{KeptFact, MAGIC, TRACE_FILE_VERSION, TraceEnd, TraceFileError, TraceHeader};
use crate::{CallName, FileEvent, PathTable, RunningProcess};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::io::{self, Write};

/// So many bytes of new paths do.
const FRAME_PATH_BYTES: usize = 1 << 20;
/// So long after a frame's first event the frame is written: what a killed trace loses.
const FRAME_TIME_NS: u64 = 1_000_000_000;

/// Writes a file of events.
#[derive(Debug)]
pub struct TraceWriter<W: Write> {
    out: W,
    block: Block,
    path_bytes: usize,
    paths_taken: usize,
    calls: FxHashMap<CallName, u16>,
    first_ns: u64,
    last_ns: u64,
    events: u64,
}

impl<W: Write> TraceWriter<W> {
    /// Begins a file.
    pub fn new(mut out: W, header: &TraceHeader) -> Result<Self, TraceFileError> {
        out.write_all(&MAGIC)?;
        out.write_all(&TRACE_FILE_VERSION.to_le_bytes())?;
        frame::write(&mut out, FrameKind::Header, &json(header)?)?;
        Ok(Self {
            out,
            block: Block::default(),
            path_bytes: 0,
            paths_taken: 0,
            calls: FxHashMap::default(),
            first_ns: 0,
            last_ns: 0,
            events: 0,
        })
    }

    /// Takes the next event. Its paths are of this table, the same one for all events.
    pub fn write(&mut self, event: FileEvent, paths: &PathTable) -> Result<(), TraceFileError> {
        for path in paths.paths_from(self.paths_taken) {
            self.path_bytes += path.len();
            self.block.paths.push(path.as_encoded_bytes().to_vec());
        }
        self.paths_taken = paths.len();
        let call = self.call_number(event.call)?;
        let (at_ns, took_ns, waited_ns) = (event.at_ns, event.took_ns, event.waited_ns);
        let slept_ns = event.slept_ns;
        if self.block.events.is_empty() {
            self.first_ns = at_ns;
        }
        self.block.events.push(StoredEvent::of(event, self.last_ns, call));
        let events = self.block.events.len();
        self.block.durations.push(took_ns, events);
        self.block.waits.push(waited_ns, events);
        self.block.sleeps.push(slept_ns, events);
        self.last_ns = at_ns;
        self.events += 1;
        let is_late = at_ns.saturating_sub(self.first_ns) > FRAME_TIME_NS;
        if is_late || self.block.events.len() >= FRAME_EVENTS || self.path_bytes >= FRAME_PATH_BYTES {
            self.write_block()?;
        }
        Ok(())
    }

    /// Takes a process that ran before, or that came in between two events.
    pub fn meet(&mut self, running: &RunningProcess) -> Result<(), TraceFileError> {
        self.write_block()?;
        frame::write(&mut self.out, FrameKind::Process, &json(running)?)
    }

    /// Events that were taken.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// What was written so far, without an end: where the end cannot be written.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Ends the file. The number of events is put right.
    pub fn finish<F: Serialize>(mut self, mut end: TraceEnd<F>) -> Result<W, TraceFileError> {
        self.write_block()?;
        end.events = self.events;
        if let Err(error) = frame::write(&mut self.out, FrameKind::End, &json(&end)?) {
            if !is_too_large(&error) {
                return Err(error);
            }
            // What can be told without them is more than nothing.
            let text = format!("{} stacks are left out: they take too much room", end.stacks.len());
            end.stacks.clear();
            end.facts.push(KeptFact { label: "stacks".to_owned(), text });
            frame::write(&mut self.out, FrameKind::End, &json(&end)?)?;
        }
        self.out.flush()?;
        Ok(self.out)
    }

    fn call_number(&mut self, name: CallName) -> Result<u16, TraceFileError> {
        if let Some(known) = self.calls.get(name) {
            return Ok(*known);
        }
        let too_many = |_| TraceFileError::Io(io::Error::other("there are too many names of calls"));
        let number = u16::try_from(self.calls.len()).map_err(too_many)?;
        self.calls.insert(name, number);
        self.block.calls.push(name.to_owned());
        Ok(number)
    }

    fn write_block(&mut self) -> Result<(), TraceFileError> {
        if self.block.events.is_empty() {
            return Ok(());
        }
        let content = postcard::to_stdvec(&self.block);
        // Emptied and not made anew: a frame's room is some MB.
        self.block.clear();
        self.path_bytes = 0;
        let content = content.map_err(|error| io::Error::other(error.to_string()))?;
        frame::write(&mut self.out, FrameKind::Events, &content)
    }
}

fn is_too_large(error: &TraceFileError) -> bool {
    matches!(error, TraceFileError::Io(error) if error.kind() == io::ErrorKind::FileTooLarge)
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, TraceFileError> {
    serde_json::to_vec(value).map_err(|error| TraceFileError::Io(error.into()))
}
