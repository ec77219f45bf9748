//! Reads events again, a frame of them at a time.

use super::block::{Block, StoredEvent, intern};
use super::frame::{self, Found, FrameKind};
use super::{MAGIC, OLDEST_VERSION, TRACE_FILE_VERSION, TraceEnd, TraceFileError, TraceHeader};
use crate::{CallName, FileEvent, PathTable, RunningProcess};
use serde::de::DeserializeOwned;
use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;

/// So many events may take as little room as they like: a program that polls makes the same call
/// for hours. …
const FREE_EVENTS: u64 = 20_000_000;
/// … Beyond, so many a byte: those of a loop of `open` and `close`, without durations, took 0.98 bytes each.
const EVENTS_PER_BYTE: u64 = 8;
/// So much memory may the paths of any file take …
const FREE_PATH_BYTES: u64 = 64 << 20;
/// … and of a large one so many times what it takes: paths of programs are packed to a tenth.
const PATH_RATIO: u64 = 16;
/// What a path takes in the table beside its bytes.
const PATH_BYTES: usize = 80;

/// Reads a file of events.
#[derive(Debug)]
pub struct TraceReader<R> {
    input: R,
    header: TraceHeader,
    paths: PathTable,
    calls: Vec<CallName>,
    version: u32,
    block: std::vec::IntoIter<StoredEvent>,
    durations: std::vec::IntoIter<u64>,
    waits: std::vec::IntoIter<u64>,
    sleeps: std::vec::IntoIter<u64>,
    last_ns: u64,
    events: u64,
    /// What the frames of events took in the file.
    packed_bytes: u64,
    /// What the paths take here.
    path_bytes: u64,
    /// Processes that nobody asked for yet.
    met: Vec<RunningProcess>,
    end: Option<Vec<u8>>,
    is_cut: bool,
}

impl<R: Read> TraceReader<R> {
    /// Reads the beginning.
    pub fn new(mut input: R) -> Result<Self, TraceFileError> {
        let (mut magic, mut version) = ([0; MAGIC.len()], [0; 4]);
        if !frame::fill(&mut input, &mut magic)? || magic != MAGIC {
            return Err(TraceFileError::Foreign);
        }
        if !frame::fill(&mut input, &mut version)? {
            return Err(TraceFileError::NoHeader);
        }
        let found = u32::from_le_bytes(version);
        if !(OLDEST_VERSION..=TRACE_FILE_VERSION).contains(&found) {
            return Err(TraceFileError::Version { found });
        }
        let damaged = |what: &str| TraceFileError::Damaged { events: 0, what: what.to_owned() };
        let header = match frame::read(&mut input)? {
            Found::Frame(FrameKind::Header, content, _) => content,
            Found::Frame(..) => return Err(damaged("its header is missing")),
            Found::Cut => return Err(TraceFileError::NoHeader),
            Found::Damage(what) => return Err(damaged(&what)),
        };
        let header = serde_json::from_slice(&header)
            .map_err(|error| damaged(&format!("its header cannot be read: {error}")))?;
        Ok(Self {
            input,
            header,
            paths: PathTable::new(),
            calls: Vec::new(),
            version: found,
            block: Vec::new().into_iter(),
            durations: Vec::new().into_iter(),
            waits: Vec::new().into_iter(),
            sleeps: Vec::new().into_iter(),
            last_ns: 0,
            events: 0,
            packed_bytes: 0,
            met: Vec::new(),
            path_bytes: 0,
            end: None,
            is_cut: false,
        })
    }

    /// What was traced.
    pub fn header(&self) -> &TraceHeader {
        &self.header
    }

    /// The paths of the events that were read.
    pub fn paths(&self) -> &PathTable {
        &self.paths
    }

    /// The next event; `None` after the last one that is whole.
    pub fn next_event(&mut self) -> Result<Option<FileEvent>, TraceFileError> {
        loop {
            if let Some(stored) = self.block.next() {
                let event = stored.event(self.last_ns, &self.calls);
                let mut event = event.ok_or_else(|| self.damaged("a call has no name"))?;
                event.took_ns = self.durations.next().and_then(|duration| duration.checked_sub(1));
                event.waited_ns = self.waits.next().and_then(|wait| wait.checked_sub(1));
                event.slept_ns = self.sleeps.next().and_then(|sleep| sleep.checked_sub(1));
                self.last_ns = event.at_ns;
                self.events += 1;
                return Ok(Some(event));
            }
            if self.end.is_some() || self.is_cut {
                return Ok(None);
            }
            match frame::read(&mut self.input)? {
                Found::Frame(FrameKind::Events, content, taken) => {
                    self.packed_bytes += taken;
                    self.take_block(&content)?;
                }
                Found::Frame(FrameKind::Process, content, taken) => {
                    self.packed_bytes += taken;
                    self.add_path_bytes(content.len() as u64)?;
                    let running = serde_json::from_slice(&content);
                    let damaged = |error| self.damaged(&format!("a process cannot be read: {error}"));
                    self.met.push(running.map_err(damaged)?);
                }
                Found::Frame(FrameKind::End, content, _) => self.end = Some(content),
                Found::Frame(FrameKind::Header, ..) => return Err(self.damaged("it has two headers")),
                Found::Cut => self.is_cut = true,
                Found::Damage(what) => return Err(self.damaged(&what)),
            }
        }
    }

    /// The processes that came in before the event that was read last, and were not asked for yet.
    pub fn take_met(&mut self) -> Vec<RunningProcess> {
        std::mem::take(&mut self.met)
    }

    /// Events that were read.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// What was known at the end, after the last event; `None` where the file was cut short.
    pub fn end<F: DeserializeOwned>(&self) -> Result<Option<TraceEnd<F>>, TraceFileError> {
        let Some(content) = &self.end else { return Ok(None) };
        let end: TraceEnd<F> = serde_json::from_slice(content)
            .map_err(|error| self.damaged(&format!("its end cannot be read: {error}")))?;
        if end.events != self.events {
            return Err(self.damaged(&format!("its end speaks of {} events", end.events)));
        }
        Ok(Some(end))
    }

    fn take_block(&mut self, content: &[u8]) -> Result<(), TraceFileError> {
        let block = Block::read(content, self.version).map_err(|what| self.damaged(&what))?;
        self.check_room(&block)?;
        for path in &block.paths {
            let expected = self.paths.len();
            if self.paths.number(OsStr::from_bytes(path)).number() as usize != expected {
                return Err(self.damaged("a path stands twice"));
            }
        }
        for name in &block.calls {
            let name = intern(name).ok_or_else(|| self.damaged(&format!("`{name}` is no call")))?;
            self.calls.push(name);
        }
        self.durations = block.durations.all.into_iter();
        self.waits = block.waits.all.into_iter();
        self.sleeps = block.sleeps.all.into_iter();
        self.block = block.events.into_iter();
        Ok(())
    }

    /// A small file cannot make much of itself: neither events, which take time, nor paths, which
    /// take memory.
    fn check_room(&mut self, block: &Block) -> Result<(), TraceFileError> {
        let paths: usize = block.paths.iter().map(|path| path.len() + PATH_BYTES).sum();
        let events = self.events + block.events.len() as u64;
        if events > FREE_EVENTS.max(EVENTS_PER_BYTE * self.packed_bytes) {
            let what = format!("more than {FREE_EVENTS} events, and more than {EVENTS_PER_BYTE} a byte");
            return Err(self.damaged(&what));
        }
        self.add_path_bytes(paths as u64)
    }

    fn add_path_bytes(&mut self, bytes: u64) -> Result<(), TraceFileError> {
        self.path_bytes += bytes;
        if self.path_bytes > FREE_PATH_BYTES + PATH_RATIO * self.packed_bytes {
            let ratio = format!("more than {PATH_RATIO} times what the file takes");
            return Err(self.damaged(&format!("paths take {ratio} and {} MiB", FREE_PATH_BYTES >> 20)));
        }
        Ok(())
    }

    fn damaged(&self, what: &str) -> TraceFileError {
        TraceFileError::Damaged { events: self.events, what: what.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TraceWriter;

    #[test]
    fn many_events_may_be_small_and_not_nothing() {
        let empty = TraceWriter::new(Vec::new(), &TraceHeader::default()).unwrap().into_inner();
        let mut reader = TraceReader::new(empty.as_slice()).unwrap();
        // A loop's, whose events took 0.98 bytes each.
        (reader.events, reader.packed_bytes) = (100_000_000, 98_000_000);
        assert!(reader.check_room(&Block::default()).is_ok());
        reader.packed_bytes = 1_000_000;
        let error = reader.check_room(&Block::default()).unwrap_err().to_string();
        assert!(error.contains("more than 8 a byte"), "{error}");
    }
}
