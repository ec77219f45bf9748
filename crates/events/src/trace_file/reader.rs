//! Reads events again, a frame of them at a time.

use super::block::{Block, StoredEvent, intern};
use super::frame::{self, Found, FrameKind};
use super::{MAGIC, TRACE_FILE_VERSION, TraceEnd, TraceFileError, TraceHeader};
use crate::{CallName, FileEvent, PathTable};
use serde::de::DeserializeOwned;
use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;

/// Reads a file of events.
#[derive(Debug)]
pub struct TraceReader<R> {
    input: R,
    header: TraceHeader,
    paths: PathTable,
    calls: Vec<CallName>,
    block: std::vec::IntoIter<StoredEvent>,
    last_ns: u64,
    events: u64,
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
        if found != TRACE_FILE_VERSION {
            return Err(TraceFileError::Version { found });
        }
        let damaged = |what: &str| TraceFileError::Damaged { events: 0, what: what.to_owned() };
        let header = match frame::read(&mut input)? {
            Found::Frame(FrameKind::Header, content) => content,
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
            block: Vec::new().into_iter(),
            last_ns: 0,
            events: 0,
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
                let event = event.ok_or_else(|| self.damaged("a call has no name"))?;
                self.last_ns = event.at_ns;
                self.events += 1;
                return Ok(Some(event));
            }
            if self.end.is_some() || self.is_cut {
                return Ok(None);
            }
            match frame::read(&mut self.input)? {
                Found::Frame(FrameKind::Events, content) => self.take_block(&content)?,
                Found::Frame(FrameKind::End, content) => self.end = Some(content),
                Found::Frame(FrameKind::Header, _) => return Err(self.damaged("it has two headers")),
                Found::Cut => self.is_cut = true,
                Found::Damage(what) => return Err(self.damaged(&what)),
            }
        }
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
        let block: Block = postcard::from_bytes(content)
            .map_err(|error| self.damaged(&format!("a frame of events cannot be read: {error}")))?;
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
        self.block = block.events.into_iter();
        Ok(())
    }

    fn damaged(&self, what: &str) -> TraceFileError {
        TraceFileError::Damaged { events: self.events, what: what.to_owned() }
    }
}
