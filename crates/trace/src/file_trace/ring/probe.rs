//! The kernel's side of the ring: maps and programs, loaded and put onto their
//! tracepoints, and taken off when this is dropped.

use super::RingWants;
use super::growth::GrowingRing;
use super::kernel_types::{KernelTypes, description};
use super::known_stack::{KnownStack, MOST_ALIKE, StackKey};
use super::plan::{ENCODED_BYTES, plans};
use super::programs::{
    COPIES_MISSED, ENTERED, FAMILIAR_BITS, HANDLED, LIVING, LOST, Layout, MAPPED, Maps, NO_COPIES,
    RequestFields, SCRIPT_BYTES, SLOT_BYTES, SLOTS, STOP_NUMBERS, STOPPABLE, STOPS, THREADS, TURN_BITS,
    TURN_BYTES, TurnMaps, at_answer, at_birth, at_end, at_entry, at_exec, at_request, at_return, at_signal,
    at_switch, at_switch_of_waits,
};
use super::record::ROOM_BYTES;
use super::refusal::RingRefusal;
use crate::file_trace::calls::Calls;
use fathom_sys::bpf::{Attachment, Instruction, LoadError, Map, MapKind, MappedWords, Program, RingReader};
use std::ffi::CStr;
use std::fs;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;

/// Programs that watch.
#[derive(Debug)]
pub(super) struct Probe {
    programs: Vec<Program>,
    attachments: Vec<Attachment>,
    followed: MappedWords,
    counters: Arc<MappedWords>,
    requests: Option<RequestFields>,
    /// They live as long as the programs that use them.
    maps: Maps,
}

const COUNTERS: u32 = 8;
/// So many stacks are known to the programs in the kernel at once.
const KNOWN_STACKS: u32 = 4096;
/// So many threads are stopped at some of their calls.
const STOPPED_THREADS: u32 = 4096;
/// How much room for records there is: at first, and where a command lives on or makes many calls.
#[derive(Debug, Clone, Copy)]
pub(super) struct RingSize {
    pub(super) first_bytes: u32,
    pub(super) bytes: u32,
}

const POSSIBLE_CPUS: &str = "/sys/devices/system/cpu/possible";

impl Probe {
    /// Loads everything; nothing is followed and nothing watches yet. With it comes the reader
    /// of the records.
    ///
    /// Two threads do it, since the kernel takes long over the memory of the ring, over mapping
    /// it, and over checking the programs.
    pub(super) fn load(
        calls: &Calls,
        size: RingSize,
        wants: RingWants<'_>,
    ) -> Result<(Self, GrowingRing), RingRefusal> {
        let description = description().map_err(RingRefusal::Kernel)?;
        let ring = || Map::create(MapKind::Ring, c"fathom_ring", (0, 0), size.first_bytes);
        let (ring, rest) = beside(ring, || {
            let types = KernelTypes::of(&description).map_err(RingRefusal::Kernel)?;
            Ok::<_, RingRefusal>((types, maps(calls, wants)?))
        });
        let (ring, (types, maps_with)) = (ring?, rest?);
        let larger_ring = if size.bytes > size.first_bytes {
            Some(Arc::new(Map::of_rings(c"fathom_rings", &ring, 1)?))
        } else {
            None
        };
        let maps = maps_with(ring, larger_ring.clone());
        let layout = Layout::find(&types).map_err(RingRefusal::Kernel)?;
        let mut written = Vec::new();
        let mut write = |name: &'static CStr, tracepoint: &str, code: Vec<Instruction>| {
            let (tracepoint, _) = types.tracepoint(tracepoint).map_err(RingRefusal::Kernel)?;
            written.push(Written { name, tracepoint, code });
            Ok::<(), RingRefusal>(())
        };
        write(c"fathom_end", "sched_process_exit", at_end(&maps, &layout))?;
        write(c"fathom_exec", "sched_process_exec", at_exec(&maps, &layout))?;
        write(c"fathom_signal", "signal_deliver", at_signal(&maps, &layout))?;
        let mut requests = None;
        if let Some(request) = layout.request() {
            write(c"fathom_request", "io_uring_submit_req", at_request(&maps, &layout, request))?;
            write(c"fathom_answer", "io_uring_complete", at_answer(&maps, &layout, request))?;
            requests = Some(request.fields);
        }
        if let Some(slots) = &maps.slots {
            write(c"fathom_switch", "sched_switch", at_switch(&maps, slots, &layout))?;
            write(c"fathom_entry", "sys_enter", at_entry(&maps, slots, &layout))?;
        }
        if let Some(slots) = &maps.waits {
            write(c"fathom_switch", "sched_switch", at_switch_of_waits(&maps, slots, &layout))?;
        }
        write(c"fathom_birth", "task_newtask", at_birth(&maps, &layout))?;
        write(c"fathom_return", "sys_exit", at_return(&maps, &layout))?;
        // The last is the longest by far.
        let (short, long) = written.split_at(written.len() - 1);
        let ((long, reader), short) =
            beside(|| (load_all(long), RingReader::new(&maps.ring)), || load_all(short));
        let programs = [short?, long?].into_iter().flatten().collect();
        let (followed, counters) = (maps.followed.words()?, Arc::new(maps.counters.words()?));
        let probe = Self { programs, attachments: Vec::new(), followed, counters, requests, maps };
        let reader = reader?;
        let ring = match larger_ring {
            Some(place) => GrowingRing::growing(reader, size.first_bytes, place, size.bytes),
            None => GrowingRing::fixed(reader),
        };
        Ok((probe, ring))
    }

    /// Has the programs watch from now on.
    pub(super) fn attach(&mut self) -> Result<(), RingRefusal> {
        for program in &self.programs {
            self.attachments.push(program.attach()?);
        }
        Ok(())
    }

    /// Where requests of `io_uring` have their fields; `None` where they are not seen.
    pub(super) fn requests(&self) -> Option<RequestFields> {
        self.requests
    }

    /// Whether records say how long calls waited, also where they do not say how long they took.
    pub(super) fn tells_waits(&self) -> bool {
        self.maps.waits.is_some()
    }

    /// The kernel's side of stacks; `None` where none are taken.
    pub(super) fn stacks(&self) -> Option<KernelStacks> {
        let map = Arc::clone(self.maps.stacks.as_ref()?);
        Some(KernelStacks { map, counters: Arc::clone(&self.counters), kept: 0 })
    }

    /// The kernel's side of stops for scripts; `None` where no stacks are taken.
    pub(super) fn scripts(&self) -> Option<KernelScripts> {
        let map = Arc::clone(self.maps.scripts.as_ref()?);
        Some(KernelScripts { map, counters: Arc::clone(&self.counters) })
    }

    /// Follows a thread from now on, unless it is followed already. True when it is new.
    pub(super) fn follow(&self, thread: u32) -> bool {
        let Some((word, bit)) = self.bit(thread) else { return false };
        let is_new = word.fetch_or(bit, Ordering::SeqCst) & bit == 0;
        if is_new {
            self.count(LIVING).fetch_add(1, Ordering::SeqCst);
        }
        is_new
    }

    /// Takes back that a thread is followed which had ended before it was.
    pub(super) fn forget(&self, thread: u32) {
        if let Some((word, bit)) = self.bit(thread)
            && word.fetch_and(!bit, Ordering::SeqCst) & bit != 0
        {
            self.count(LIVING).fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// The threads that are followed and live.
    pub(super) fn threads(&self) -> Vec<u32> {
        let words = (0_u32..).step_by(64).zip(self.followed.all());
        let set =
            words.map(|(first, word)| (first, word.load(Ordering::SeqCst))).filter(|(_, word)| *word != 0);
        set.flat_map(|(first, word)| {
            (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| first + bit)
        })
        .collect()
    }

    /// How many followed threads live.
    pub(super) fn living(&self) -> u64 {
        self.count(LIVING).load(Ordering::SeqCst)
    }

    /// How many threads were found in the control group that is watched, besides those listed.
    pub(super) fn entered(&self) -> u64 {
        self.count(ENTERED).load(Ordering::SeqCst)
    }

    /// How many records were lost, since there was no room for them.
    pub(super) fn lost(&self) -> u64 {
        self.count(LOST).load(Ordering::SeqCst)
    }

    /// How often the kernel did not run a program of ours, in any process of the machine, because
    /// it already ran on that CPU.
    pub(super) fn skipped(&self) -> u64 {
        self.programs.iter().filter_map(|program| program.missed().ok()).sum()
    }

    fn bit(&self, thread: u32) -> Option<(&std::sync::atomic::AtomicU64, u64)> {
        let word = self.followed.all().get(usize::try_from(thread / 64).ok()?)?;
        Some((word, 1 << (thread % 64)))
    }

    fn count(&self, counter: i32) -> &std::sync::atomic::AtomicU64 {
        &self.counters.all()[usize::try_from(counter).unwrap_or(0)]
    }
}

/// The stacks that the programs in the kernel know.
#[derive(Debug)]
pub(super) struct KernelStacks {
    map: Arc<Map>,
    counters: Arc<MappedWords>,
    kept: u32,
}

impl KernelStacks {
    /// Has a stack be known from now on, of those that have the same registers as this one; false
    /// where there is no more room.
    pub(super) fn add(&mut self, key: &StackKey, alike: u32, known: &KnownStack, number: u32) -> bool {
        let has_room = self.kept < KNOWN_STACKS && alike < MOST_ALIKE.unsigned_abs();
        let is_added = has_room && self.map.update(&key.encode(alike), &known.encode(number)).is_ok();
        self.kept += u32::from(is_added);
        is_added
    }

    /// Forgets one.
    pub(super) fn remove(&mut self, key: &StackKey, alike: u32) {
        if self.map.remove(&key.encode(alike)).is_ok() {
            self.kept = self.kept.saturating_sub(1);
        }
    }

    /// No stack is copied any more.
    pub(super) fn copy_no_more(&self) {
        self.counters.all()[usize::try_from(NO_COPIES).unwrap_or(0)].store(1, Ordering::SeqCst);
    }

    /// Of how many calls the stack was neither known nor copied.
    pub(super) fn missed(&self) -> u64 {
        self.counters.all()[usize::try_from(COPIES_MISSED).unwrap_or(0)].load(Ordering::SeqCst)
    }
}

/// The threads that the programs in the kernel stop at some of their calls.
#[derive(Debug)]
pub(super) struct KernelScripts {
    map: Arc<Map>,
    counters: Arc<MappedWords>,
}

impl KernelScripts {
    /// Has a thread be stopped from now on; none of its stops is counted yet.
    pub(super) fn add(&self, thread: u32) {
        if self.map.update(&thread.to_ne_bytes(), &[0; SCRIPT_BYTES as usize]).is_ok() {
            self.count(STOPPABLE).fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Has it be stopped no more.
    pub(super) fn remove(&self, thread: u32) {
        if self.map.remove(&thread.to_ne_bytes()).is_ok() {
            self.count(STOPPABLE).fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// How often it was stopped.
    pub(super) fn stops(&self, thread: u32) -> u32 {
        let mut value = [0; SCRIPT_BYTES as usize];
        let at = usize::from(STOPS.unsigned_abs());
        let found = self.map.look_up(&thread.to_ne_bytes(), &mut value);
        let stops = found.ok().and_then(|()| value[at..].first_chunk().copied()).map(u32::from_ne_bytes);
        stops.unwrap_or(0) & STOP_NUMBERS.cast_unsigned()
    }

    /// How many calls of such threads have changed what is mapped as code.
    pub(super) fn mapped(&self) -> u64 {
        self.count(MAPPED).load(Ordering::SeqCst)
    }

    /// Whether calls of such threads were not looked at because their process handles the signal.
    pub(super) fn met_handler(&self) -> bool {
        self.count(HANDLED).load(Ordering::SeqCst) > 0
    }

    fn count(&self, counter: i32) -> &std::sync::atomic::AtomicU64 {
        &self.counters.all()[usize::try_from(counter).unwrap_or(0)]
    }
}

/// A program that is written, and not loaded yet.
pub(super) struct Written {
    pub(super) name: &'static CStr,
    /// The number of the tracepoint's type.
    pub(super) tracepoint: u32,
    pub(super) code: Vec<Instruction>,
}

pub(super) fn load_all(written: &[Written]) -> Result<Vec<Program>, LoadError> {
    written.iter().map(|one| Program::load(one.name, &one.code, one.tracepoint)).collect()
}

/// Does the first in a thread of its own while this one does the second; both here where no
/// thread can be had.
fn beside<A: Send, B>(first: impl Fn() -> A + Send + Sync, second: impl FnOnce() -> B) -> (A, B) {
    thread::scope(|scope| {
        let beside = thread::Builder::new().spawn_scoped(scope, &first);
        let second = second();
        let first = match beside {
            Ok(beside) => beside.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => first(),
        };
        (first, second)
    })
}

/// All maps, once there is a ring.
fn maps(
    calls: &Calls,
    wants: RingWants<'_>,
) -> Result<impl FnOnce(Map, Option<Arc<Map>>) -> Maps + use<>, RingRefusal> {
    let plan = u32::try_from(ENCODED_BYTES).unwrap_or(16);
    let followed = Map::create(MapKind::MappedArray, c"fathom_threads", (4, 8), THREADS / 64)?;
    let counters = Map::create(MapKind::MappedArray, c"fathom_counts", (4, 8), COUNTERS)?;
    let plans_of_calls = Map::create(MapKind::Array, c"fathom_plans", (4, plan), super::plan::CALLS)?;
    let slots = || Map::create(MapKind::Array, c"fathom_slots", (4, SLOT_BYTES), SLOTS);
    let waits = (wants.waits && !wants.times).then(slots).transpose()?;
    let slots = wants.times.then(slots).transpose()?;
    let rooms = Map::create(MapKind::Array, c"fathom_rooms", (4, ROOM_BYTES), cpus())?;
    let (key, value) =
        (u32::from(StackKey::BYTES.unsigned_abs()), u32::from(KnownStack::BYTES.unsigned_abs()));
    let stacks = || Map::create(MapKind::Hash, c"fathom_stacks", (key, value), KNOWN_STACKS).map(Arc::new);
    let stacks = wants.stacks.then(stacks).transpose()?;
    let scripts =
        || Map::create(MapKind::Hash, c"fathom_scripts", (4, SCRIPT_BYTES), STOPPED_THREADS).map(Arc::new);
    let scripts = wants.stacks.then(scripts).transpose()?;
    let turns = || {
        let of_stacks = Map::create(MapKind::Array, c"fathom_turns", (4, TURN_BYTES), 1 << TURN_BITS)?;
        let familiar = Map::create(MapKind::Array, c"fathom_familiar", (4, 8), 1 << FAMILIAR_BITS)?;
        Ok::<_, RingRefusal>(TurnMaps { of_stacks, familiar })
    };
    let turns = wants.stacks.then(turns).transpose()?;
    for (number, copies) in plans(calls) {
        plans_of_calls.update(&number.to_ne_bytes(), &copies.encode())?;
    }
    let watched = wants.cgroup.map(|directory| {
        let place = Map::create(MapKind::Cgroups, c"fathom_cgroup", (4, 4), 1)?;
        place.put_cgroup(0, directory).map(|()| place)
    });
    let cgroup = watched.transpose()?;
    Ok(move |ring, larger_ring| Maps {
        followed,
        counters,
        plans: plans_of_calls,
        slots,
        waits,
        rooms,
        ring,
        larger_ring,
        stacks,
        scripts,
        turns,
        cgroup,
    })
}

/// How many CPUs this kernel may ever have: the last of `0-3` or `0,2-7`, and one.
pub(super) fn cpus() -> u32 {
    let possible = fs::read_to_string(POSSIBLE_CPUS).unwrap_or_default();
    let last = possible.trim().rsplit([',', '-']).next().and_then(|last| last.parse::<u32>().ok());
    last.map_or(4096, |last| last + 1)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::file_trace::ring::record::{Kind, Record};

    /// Programs at work, their ring, and this thread; says why there are none.
    pub(in crate::file_trace::ring) fn attached(size: RingSize) -> Option<(Probe, GrowingRing, u32)> {
        let (mut probe, ring) = Probe::load(&Calls::new(), size, RingWants::default())
            .inspect_err(|refusal| eprintln!("skipped: {refusal}"))
            .ok()?;
        probe.attach().unwrap();
        let me = rustix::thread::gettid().as_raw_nonzero().get().cast_unsigned();
        Some((probe, ring, me))
    }

    #[test]
    fn what_a_full_ring_has_no_room_for_is_counted_exactly() {
        let size = RingSize { first_bytes: 4096, bytes: 4096 };
        let Some((probe, mut ring, me)) = attached(size) else { return };
        assert!(probe.follow(me) && !probe.follow(me));
        assert_eq!((probe.threads(), probe.living()), (vec![me], 1));
        for _ in 0..1000 {
            rustix::fs::stat("/").unwrap();
        }
        probe.forget(me);
        rustix::fs::stat("/").unwrap();
        assert_eq!((probe.threads(), probe.living()), (Vec::new(), 0));
        let mut kept = 0;
        ring.drain(true, &mut |record| {
            let record = Record::read(record).unwrap();
            assert_eq!((record.head.kind, record.head.thread), (Kind::Call, me));
            assert_eq!(record.text(), Some(&b"/"[..]));
            kept += 1;
        });
        assert!(kept > 5, "{kept}");
        assert_eq!(kept + probe.lost(), 1000);
    }
}
