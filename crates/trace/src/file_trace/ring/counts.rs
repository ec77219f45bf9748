//! Calls of running processes, counted in the kernel by process, call and directory, with how long
//! they took and waited. Nothing is written for a call; the table is read when somebody looks.
//!
//! What the table has no room for is counted ([`LiveCounts::uncounted`]).

mod value;

pub use value::{LiveCount, LiveDirectory, LiveFile};

use super::kernel_types::{KernelTypes, description};
use super::plan::{CALLS, ENCODED_BYTES};
use super::probe::{Written, cpus, load_all};
use super::programs::{
    COUNT_KEY_BYTES, COUNT_ROOM_BYTES, Counted, FOREIGN, FileLayout, LOST, Layout, Maps, Role, SLOT_BYTES,
    SLOTS, THREADS, Whom, at_switch, count_at_birth, count_at_end, count_at_entry, count_at_return,
};
use super::refusal::RingRefusal;
use crate::call::Call;
use crate::error::TraceError;
use crate::file_trace::calls::{Calls, Shape};
use fathom_sys::SysError;
use fathom_sys::bpf::{Attachment, Map, MapKind, MappedWords, Program};
use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::io;
use std::sync::atomic::Ordering;

/// Whose calls are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiveSubject {
    /// Those of all processes but this one.
    All,
    /// Those of a process, its descendants, and the children that they make from now on.
    Process(u32),
}

impl LiveSubject {
    /// In words.
    pub fn words(self) -> String {
        match self {
            Self::All => "all processes".to_owned(),
            Self::Process(process) => format!("process {process}"),
        }
    }
}

/// Programs that count.
#[derive(Debug)]
pub struct LiveCounts {
    table: Map,
    followed: MappedWords,
    counters: MappedWords,
    subject: LiveSubject,
    calls: Calls,
    _attachments: Vec<Attachment>,
    _programs: Vec<Program>,
    _maps: (Maps, Map),
}

/// So many processes, calls and directories are told apart at once.
const ENTRIES: u32 = 8192;
const COUNTERS: u32 = 8;
/// Nothing is written to it: programs of the capture would.
const LEAST_RING_BYTES: u32 = 4096;

impl LiveCounts {
    /// Counts from now on.
    pub fn begin(subject: LiveSubject) -> Result<Self, TraceError> {
        let refused = |reason: String| TraceError::Forbidden { program: subject.words(), reason };
        if let LiveSubject::Process(process) = subject {
            check(process)?;
        }
        if let Some(foreseen) = RingRefusal::foreseen() {
            return Err(refused(foreseen.to_string()));
        }
        Self::load(subject).map_err(|refusal| {
            let release = rustix::system::uname();
            refused(refusal.of_kernel(&release.release().to_string_lossy()).to_string())
        })
    }

    fn load(subject: LiveSubject) -> Result<Self, RingRefusal> {
        let description = description().map_err(RingRefusal::Kernel)?;
        let types = KernelTypes::of(&description).map_err(RingRefusal::Kernel)?;
        let layout = Layout::find(&types).map_err(RingRefusal::Kernel)?;
        let files = FileLayout::find(&types).map_err(RingRefusal::Kernel)?;
        Self::load_with(subject, &types, &layout, &files).or_else(|refusal| match files.without_casts() {
            Some(files) => Self::load_with(subject, &types, &layout, &files),
            None => Err(refusal),
        })
    }

    fn load_with(
        subject: LiveSubject,
        types: &KernelTypes<'_>,
        layout: &Layout,
        files: &FileLayout,
    ) -> Result<Self, RingRefusal> {
        let calls = Calls::new();
        let maps = maps(&calls)?;
        let table =
            Map::create(MapKind::Hash, c"fathom_counts", (COUNT_KEY_BYTES, COUNT_ROOM_BYTES), ENTRIES)?;
        let whom = match subject {
            LiveSubject::All => Whom::AllBut(std::process::id()),
            LiveSubject::Process(_) => Whom::Followed,
        };
        let slots = Map::create(MapKind::Array, c"fathom_slots", (4, SLOT_BYTES), SLOTS)?;
        let counted = Counted { maps: &maps, slots: &slots, layout, files, table: &table, whom };
        let mut written = vec![
            (c"fathom_switch", "sched_switch", at_switch(&maps, &slots, layout)),
            (c"fathom_return", "sys_exit", count_at_return(counted)),
            (c"fathom_entry", "sys_enter", count_at_entry(counted)),
        ];
        if let LiveSubject::Process(_) = subject {
            written.push((c"fathom_birth", "task_newtask", count_at_birth(counted)));
            written.push((c"fathom_end", "sched_process_exit", count_at_end(counted)));
        }
        let written: Vec<Written> = written
            .into_iter()
            .map(|(name, tracepoint, code)| {
                let (tracepoint, _) = types.tracepoint(tracepoint).map_err(RingRefusal::Kernel)?;
                Ok(Written { name, tracepoint, code })
            })
            .collect::<Result<_, RingRefusal>>()?;
        let programs = load_all(&written)?;
        let (followed, counters) = (maps.followed.words()?, maps.counters.words()?);
        let attachments = programs.iter().map(Program::attach).collect::<Result<_, _>>()?;
        let live = Self {
            table,
            followed,
            counters,
            subject,
            calls,
            _attachments: attachments,
            _programs: programs,
            _maps: (maps, slots),
        };
        if let LiveSubject::Process(process) = subject {
            live.follow_family(process);
        }
        Ok(live)
    }

    /// What was counted since the beginning, of processes that live, and, once, of those that have ended
    /// since the last look: the table has room again for what was counted of these.
    pub fn read(&mut self) -> Result<(Vec<LiveCount>, Vec<LiveCount>), TraceError> {
        let failed =
            |error: SysError| TraceError::Io { call: "bpf", error: io::Error::other(error.to_string()) };
        let name = |number| self.calls.find(Call { number, foreign: false }).map(|(name, _)| name);
        let mut counts = Vec::new();
        let is_read = self.table.each(&mut |key, bytes| {
            counts.extend(LiveCount::read(key, bytes, name).map(|count| (key.to_vec(), count)));
        });
        is_read.map_err(failed)?;
        let mut over: BTreeSet<u32> = counts.iter().map(|(_, count)| count.process).collect();
        over.retain(|process| fs::exists(format!("/proc/{process}")).is_ok_and(|exists| !exists));
        let (mut living, mut ended) = (Vec::new(), Vec::new());
        let mut last = vec![0; COUNT_ROOM_BYTES as usize];
        for (key, count) in counts {
            if !over.contains(&count.process) {
                living.push(count);
                continue;
            }
            // Read again, since it may have been called after the first time; now it changes no more. A
            // table that is changed meanwhile may give a value twice: then it is gone by the second time.
            if self.table.look_up(&key, &mut last).is_ok() && self.table.remove(&key).is_ok() {
                ended.extend(LiveCount::read(&key, &last, name));
            }
        }
        Ok((living, ended))
    }

    /// How many calls were not counted, since the table was full.
    pub fn uncounted(&self) -> u64 {
        self.counter(LOST)
    }

    /// How many calls of another form were made, by 32-bit programs: they are not told apart.
    pub fn foreign(&self) -> u64 {
        self.counter(FOREIGN)
    }

    /// True when the process that was to be looked at has ended, with all that it made.
    pub fn is_over(&self) -> bool {
        self.subject != LiveSubject::All
            && self.followed.all().iter().all(|word| word.load(Ordering::SeqCst) == 0)
    }

    fn counter(&self, number: i32) -> u64 {
        self.counters.all()[usize::try_from(number).unwrap_or(0)].load(Ordering::SeqCst)
    }

    /// Sets the bits of a process and its descendants. A child that is made meanwhile has its bit by the
    /// program at births, once its maker has one.
    fn follow_family(&self, process: u32) {
        let mut waiting = VecDeque::from([process]);
        while let Some(process) = waiting.pop_front() {
            let Some(word) = self.followed.all().get(process as usize / 64) else { continue };
            word.fetch_or(1 << (process % 64), Ordering::SeqCst);
            if !fs::exists(format!("/proc/{process}")).unwrap_or(false) {
                word.fetch_and(!(1 << (process % 64)), Ordering::SeqCst);
            }
            waiting.extend(children(process));
        }
    }
}

/// The children of all threads of a process.
fn children(process: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|one| one.parse().ok()).collect::<Vec<_>>())
        .collect()
}

fn check(process: u32) -> Result<(), TraceError> {
    let refused = |reason: String| TraceError::Forbidden { program: format!("process {process}"), reason };
    if process == std::process::id() {
        return Err(refused("that is fathom itself".to_owned()));
    }
    let status = fs::read_to_string(format!("/proc/{process}/status"));
    let status = status.map_err(|error| refused(format!("/proc/{process}: {error}")))?;
    let group: Option<u32> = status.lines().find_map(|line| line.strip_prefix("Tgid:")?.trim().parse().ok());
    match group {
        Some(group) if group != process => Err(refused(format!("that is a thread of process {group}"))),
        _ => Ok(()),
    }
}

fn maps(calls: &Calls) -> Result<Maps, SysError> {
    let role_bytes = u32::try_from(ENCODED_BYTES).unwrap_or(16);
    let maps = Maps {
        followed: Map::create(MapKind::MappedArray, c"fathom_procs", (4, 8), THREADS / 64)?,
        counters: Map::create(MapKind::MappedArray, c"fathom_counts", (4, 8), COUNTERS)?,
        plans: Map::create(MapKind::Array, c"fathom_roles", (4, role_bytes), CALLS)?,
        slots: None,
        waits: None,
        rooms: Map::create(MapKind::Array, c"fathom_rooms", (4, COUNT_ROOM_BYTES), cpus())?,
        ring: Map::create(MapKind::Ring, c"fathom_none", (0, 0), LEAST_RING_BYTES)?,
        larger_ring: None,
        stacks: None,
        scripts: None,
        turns: None,
        cgroup: None,
    };
    for (number, shape) in calls.shapes() {
        if let Some(role) = role(shape).filter(|_| number < CALLS) {
            let mut encoded = [0; ENCODED_BYTES];
            encoded[0] = role as u8;
            maps.plans.update(&number.to_ne_bytes(), &encoded)?;
        }
    }
    Ok(maps)
}

/// How a call's file is found when it returns; `None` of what is not counted: calls about memory,
/// processes and numbers of descriptors.
fn role(shape: Shape) -> Option<Role> {
    use fathom_events::At;
    Some(match shape {
        Shape::Open { .. } | Shape::Create | Shape::OpenHow => Role::Result,
        Shape::Transfer { .. }
        | Shape::Seek
        | Shape::List { .. }
        | Shape::Allocate
        | Shape::Control
        | Shape::DeviceControl
        | Shape::Lock
        | Shape::Advise
        | Shape::ReadAhead
        | Shape::Sync { one: true, .. }
        | Shape::CopyFileRange
        | Shape::SendFile
        | Shape::Splice => Role::First,
        Shape::Stat { at, .. }
        | Shape::StatFileSystem(at)
        | Shape::Truncate(at)
        | Shape::ChangeMode { at, .. }
        | Shape::ChangeAttributes { at, .. }
        | Shape::GetAttribute { at, .. }
        | Shape::ChangeDirectory(at) => match at {
            At::Descriptor(0) => Role::First,
            _ => Role::Unknown,
        },
        // A descriptor that was closed may be another file's by now.
        Shape::Close
        | Shape::CloseRange
        | Shape::ExtendedStat
        | Shape::Access { .. }
        | Shape::ReadLink { .. }
        | Shape::MakeDirectory { .. }
        | Shape::Remove { .. }
        | Shape::Rename { .. }
        | Shape::Link { .. }
        | Shape::SymbolicLink { .. }
        | Shape::Sync { one: false, .. } => Role::Unknown,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts of this process's own opens in a directory, by loads or by calls of a helper.
    fn opened(by_casts: bool) -> Option<Vec<(LiveFile, u64)>> {
        if let Some(refusal) = RingRefusal::foreseen() {
            eprintln!("skipped: {refusal}");
            return None;
        }
        let description = description().unwrap();
        let types = KernelTypes::of(&description).unwrap();
        let layout = Layout::find(&types).unwrap();
        let mut files = FileLayout::find(&types).unwrap();
        if !by_casts {
            files = files.without_casts()?;
        }
        let own = LiveSubject::Process(std::process::id());
        let mut counts = LiveCounts::load_with(own, &types, &layout, &files).unwrap();
        let (directory, socket) =
            (tempfile::tempdir().unwrap(), std::os::unix::net::UnixDatagram::unbound().unwrap());
        let below = directory.path().join("a/b");
        fs::create_dir_all(&below).unwrap();
        fs::write(below.join("file"), "x").unwrap();
        for _ in 0..7 {
            fs::File::open(below.join("file")).unwrap();
            fs::File::open(&below).unwrap();
            rustix::io::ioctl_fionread(&socket).unwrap();
        }
        let (living, _) = counts.read().unwrap();
        let here = living.into_iter().filter(|count| match &count.file {
            LiveFile::In(place) => count.call == "openat" && place.way.ends_with("/a/b"),
            LiveFile::Socket => count.call == "ioctl",
            _ => false,
        });
        let here = here.map(|count| match &count.file {
            // Each time another one.
            LiveFile::In(place) => {
                let place = LiveDirectory { inode: 0, way: "a/b".to_owned(), ..place.clone() };
                (LiveFile::In(place), count.calls())
            }
            other => (other.clone(), count.calls()),
        });
        Some(here.collect::<BTreeSet<_>>().into_iter().collect())
    }

    #[test]
    fn files_are_found_by_loads_as_by_the_kernels_helper() {
        let Some(by_casts) = opened(true) else { return };
        let calls: Vec<u64> = by_casts.iter().map(|(_, calls)| *calls).collect();
        // The directory; the file, which is opened once more to be written; the socket.
        assert_eq!(calls, [7, 8, 7], "{by_casts:?}");
        match opened(false) {
            Some(by_helper) => assert_eq!(by_helper, by_casts),
            None => eprintln!("skipped: this kernel has no bpf_rdonly_cast"),
        }
    }
}
