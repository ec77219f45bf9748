//! The stack of a thread that stands at a call: walked from its registers and memory,
//! kept as places in files, which hold when the process is gone.

mod address_space;
mod scripts;
mod stack_memory;

use super::turns::{SUBJECT_BYTES, Turns};
use crate::witness::Tracee;
pub(super) use address_space::AddressSpace;
use fathom_events::StackId;
use fathom_stacks::{Epilogue, NativeFrame, Origin, PerfMap, ReadWord, Site, StackTable, Walk, WalkCache};
use scripts::{Scripts, ScriptsAtCall};
use stack_memory::StackMemory;
use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// A runtime's list of the code it made is not read beyond this.
const LONGEST_MAP_BYTES: u64 = 256 << 20;

/// The stacks of all processes of a trace.
#[derive(Debug)]
pub(super) struct Stacks {
    table: Arc<Mutex<StackTable>>,
    spaces: HashMap<u32, AddressSpace>,
    cache: WalkCache,
    memory: StackMemory,
    scripts: Scripts,
    sites: Vec<Site>,
    /// Where not all calls of a runtime's threads are looked at.
    turns: Option<Turns>,
    began: SystemTime,
    /// Processes whose stacks can be walked only while they are stopped.
    lossy: HashSet<u32>,
    not_had: u64,
}

impl Stacks {
    /// No stack is known yet.
    pub(super) fn new() -> Self {
        Self::in_table(Arc::default())
    }

    /// The same in a table that others put stacks into, too.
    pub(super) fn in_table(table: Arc<Mutex<StackTable>>) -> Self {
        Self {
            table,
            spaces: HashMap::new(),
            cache: WalkCache::default(),
            memory: StackMemory::default(),
            scripts: Scripts::default(),
            sites: Vec::new(),
            turns: None,
            began: SystemTime::now(),
            lossy: HashSet::new(),
            not_had: 0,
        }
    }

    /// The same, which leaves out many calls that the threads of a runtime make by one stack of its own: to
    /// read the frames of their scripts takes ten times as long as to read that.
    pub(super) fn in_turns(self) -> Self {
        Self { turns: Some(Turns::default()), ..self }
    }

    /// The same where not all calls are looked at and it is not this one's turn: then there is none. `path` is the
    /// address of the call's first path.
    pub(super) fn take_in_turn(
        &mut self,
        (thread, process): (u32, u32),
        path: Option<u64>,
        tracee: &dyn Tracee,
    ) -> Option<StackId> {
        if let Some(turns) = self.turns.as_mut().filter(|_| self.scripts.has(process)) {
            let registers = tracee.registers()?;
            let mut room = [0; SUBJECT_BYTES as usize];
            let path = path.map(|address| {
                let copied = tracee.copy(address, &mut room);
                let end = room[..copied].iter().position(|letter| *letter == 0).unwrap_or(copied);
                &room[..end]
            });
            let stack = (process, registers.program_counter, registers.stack_pointer);
            if !turns.is_turn(thread, stack, path) {
                return None;
            }
        }
        self.take(process, tracee)
    }

    /// The stack of a thread of a process; `None` where it cannot be had.
    pub(super) fn take(&mut self, process: u32, tracee: &dyn Tracee) -> Option<StackId> {
        let taken = self.walk(process, tracee);
        self.not_had += u64::from(taken.is_none() && !tracee.is_stopped());
        taken
    }

    /// Frames of scripts, and of code that the process made, are read from memory that goes on changing.
    pub(super) fn needs_stops(&self, process: u32) -> bool {
        self.lossy.contains(&process)
    }

    /// How many calls have none, which were told when their threads had gone on.
    pub(super) fn not_had(&self) -> u64 {
        self.not_had
    }

    fn walk(&mut self, process: u32, tracee: &dyn Tracee) -> Option<StackId> {
        let registers = tracee.registers()?;
        let Self { table, spaces, cache, memory, scripts, sites, lossy, .. } = self;
        let table = &mut *locked(table);
        let mut walk_once = |space: &AddressSpace, scripts: &mut ScriptsAtCall<'_>| {
            memory.begin(registers.stack_pointer);
            let read = |address| memory.word(tracee, address);
            let known_caller = |frame: &NativeFrame, read: ReadWord<'_>| {
                let known = scripts.caller(space, frame, read);
                known.or_else(|| Some(epilogue(tracee, space, frame)?.caller(frame, read)))
            };
            space.walker().walk(registers, cache, read, known_caller)
        };
        let space = match spaces.get_mut(&process) {
            Some(space) if !space.is_stale() => space,
            _ => {
                let former = spaces.remove(&process);
                let space = AddressSpace::read(process, former.as_ref(), table)?;
                spaces.entry(process).or_insert(space)
            }
        };
        let mut at_call = scripts.at_call(process, space, tracee, table);
        let mut walk = walk_once(space, &mut at_call);
        let lost = |space: &AddressSpace, walk: &Walk| {
            let mut addresses = walk.frames.iter().map(|frame| frame.program_counter);
            addresses.find(|address| space.mappings().at(*address).is_none())
        };
        // Objects that were loaded since, and code that was made since.
        if let Some(address) = lost(space, &walk)
            && space.may_be_new(address)
        {
            if let Some(renewed) = AddressSpace::read(process, Some(space), table) {
                *space = renewed;
            }
            at_call = scripts.at_call(process, space, tracee, table);
            walk = walk_once(space, &mut at_call);
            if let Some(address) = lost(space, &walk) {
                space.is_nothing(address);
            }
        }
        tracee.stack_was_read_to(memory.highest());
        let walk = walk.in_code(space.mappings());
        let is_made = |frame: &NativeFrame| {
            let mapping = space.mappings().at(frame.code_address());
            mapping.is_some_and(|mapping| mapping.origin == Origin::Process)
        };
        if !space.runtimes().is_empty() || walk.frames.iter().any(is_made) {
            lossy.insert(process);
            if !tracee.is_stopped() {
                return None;
            }
        }
        sites.clear();
        space.sites(&walk.frames, sites);
        let ended = at_call.add(space, &walk.frames, table, sites) && walk.ended;
        table.number(sites, ended)
    }

    /// A process was made by another.
    pub(super) fn forked(&mut self, maker: u32, child: u32) {
        if let Some(space) = self.spaces.get(&maker) {
            let space = space.clone();
            self.spaces.insert(child, space);
        }
        if self.lossy.contains(&maker) {
            self.lossy.insert(child);
        }
        self.scripts.forked(maker, child);
    }

    /// A process runs another program, or none any more.
    pub(super) fn left(&mut self, process: u32) {
        self.spaces.remove(&process);
        self.lossy.remove(&process);
        if let Some(turns) = self.turns.as_mut().filter(|_| self.scripts.has(process)) {
            turns.left(process);
        }
        self.scripts.left(process);
    }

    /// A process mapped or unmapped something.
    pub(super) fn mapped(&mut self, process: u32, address: u64, bytes: u64) {
        if let Some(space) = self.spaces.get_mut(&process) {
            space.changed(address, bytes);
        }
    }

    /// All of them, with the names that runtimes gave to the code they made.
    pub(super) fn finish(self) -> StackTable {
        let mut table = std::mem::take(&mut *locked(&self.table));
        name_made(&mut table, self.began);
        table
    }
}

/// A table that several threads put stacks into.
pub(super) fn locked(table: &Mutex<StackTable>) -> MutexGuard<'_, StackTable> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How a caller gives its frame back, where it is code that the process made.
fn epilogue(tracee: &dyn Tracee, space: &AddressSpace, frame: &NativeFrame) -> Option<Epilogue> {
    let mapping = space.mappings().at(frame.code_address()).filter(|_| frame.is_caller)?;
    if mapping.origin != Origin::Process {
        return None;
    }
    let mut code = [0; Epilogue::CODE_BYTES];
    let copied = tracee.copy(frame.program_counter, &mut code);
    Epilogue::decode(&code[..copied])
}

/// Gives the code that processes made the names that their runtimes wrote since a trace began.
pub(super) fn name_made(table: &mut StackTable, began: SystemTime) {
    for process in table.makers() {
        if let Some(map) = perf_map(process, began) {
            table.name_made(process, &PerfMap::parse(&map));
        }
    }
}

/// What a runtime wrote of a process, where one did so in the time of this trace. Anybody may write
/// to that directory: the file has to be ours.
fn perf_map(process: u32, began: SystemTime) -> Option<String> {
    let path = PathBuf::from(format!("/tmp/perf-{process}.map"));
    let file =
        OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path).ok()?;
    let metadata = file.metadata().ok()?;
    let is_ours = metadata.uid() == rustix::process::geteuid().as_raw();
    let is_of_now = metadata.modified().is_ok_and(|modified| modified >= began);
    if !metadata.is_file() || !is_ours || !is_of_now {
        return None;
    }
    let mut text = Vec::new();
    file.take(LONGEST_MAP_BYTES).read_to_end(&mut text).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// The file of a mapping, as the process sees it.
fn open_mapped(process: u32, path: &std::path::Path, range: &std::ops::Range<u64>) -> Option<File> {
    let seen = path.strip_prefix("/").unwrap_or(path);
    let open = |path: PathBuf| OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path).ok();
    // A file that has no name any more is still there for whoever may look.
    open(PathBuf::from(format!("/proc/{process}/root")).join(seen))
        .or_else(|| {
            open(PathBuf::from(format!("/proc/{process}/map_files/{:x}-{:x}", range.start, range.end)))
        })
        .filter(|file| file.metadata().is_ok_and(|metadata| metadata.is_file()))
}
