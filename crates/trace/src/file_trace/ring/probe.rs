//! The kernel's side of the ring: maps and programs, loaded and put onto their
//! tracepoints, and taken off when this is dropped.

use super::kernel_types::KernelTypes;
use super::plan::{ENCODED_BYTES, plans};
use super::programs::{
    LIVING, LOST, Layout, Maps, RequestFields, THREADS, at_answer, at_birth, at_end, at_exec, at_request,
    at_return, at_signal,
};
use super::record::LONGEST_BYTES;
use super::refusal::RingRefusal;
use crate::file_trace::calls::Calls;
use fathom_sys::bpf::{Attachment, Instruction, Map, MapKind, MappedWords, Program, RingReader};
use std::ffi::CStr;
use std::fs;
use std::sync::atomic::Ordering;

/// Programs that watch.
#[derive(Debug)]
pub(super) struct Probe {
    programs: Vec<Program>,
    attachments: Vec<Attachment>,
    followed: MappedWords,
    counters: MappedWords,
    requests: Option<RequestFields>,
    maps: Maps,
}

/// Room for so many bytes of records.
pub(super) const RING_BYTES: u32 = 16 << 20;
const COUNTERS: u32 = 8;
/// Requests that may be on their way at once; of more the answers are not seen.
const REQUESTS: u32 = 65_536;
const POSSIBLE_CPUS: &str = "/sys/devices/system/cpu/possible";

impl Probe {
    /// Loads everything; nothing is followed and nothing watches yet.
    pub(super) fn load(calls: &Calls, ring_bytes: u32) -> Result<Self, RingRefusal> {
        let types = KernelTypes::read().map_err(RingRefusal::Kernel)?;
        let layout = Layout::find(&types).map_err(RingRefusal::Kernel)?;
        let maps = maps(ring_bytes)?;
        for (number, copies) in plans(calls) {
            maps.plans.update(&number.to_ne_bytes(), &copies.encode())?;
        }
        let mut programs = Vec::new();
        let mut load = |name: &CStr, tracepoint: &str, code: &[Instruction]| {
            let (id, _) = types.tracepoint(tracepoint).map_err(RingRefusal::Kernel)?;
            programs.push(Program::load(name, code, id)?);
            Ok::<(), RingRefusal>(())
        };
        load(c"fathom_end", "sched_process_exit", &at_end(&maps, &layout))?;
        load(c"fathom_exec", "sched_process_exec", &at_exec(&maps, &layout))?;
        load(c"fathom_signal", "signal_deliver", &at_signal(&maps, &layout))?;
        let mut requests = None;
        if let Some(request) = layout.request() {
            load(c"fathom_request", "io_uring_submit_req", &at_request(&maps, &layout, request))?;
            load(c"fathom_answer", "io_uring_complete", &at_answer(&maps, &layout, request))?;
            requests = Some(request.fields);
        }
        load(c"fathom_birth", "task_newtask", &at_birth(&maps, &layout))?;
        load(c"fathom_return", "sys_exit", &at_return(&maps, &layout))?;
        let (followed, counters) = (maps.followed.words()?, maps.counters.words()?);
        Ok(Self { programs, attachments: Vec::new(), followed, counters, requests, maps })
    }

    /// Has the programs watch from now on.
    pub(super) fn attach(&mut self) -> Result<(), RingRefusal> {
        for program in &self.programs {
            self.attachments.push(program.attach()?);
        }
        Ok(())
    }

    /// The reader of the records.
    pub(super) fn reader(&self) -> Result<RingReader, RingRefusal> {
        Ok(RingReader::new(&self.maps.ring)?)
    }

    /// Where requests of `io_uring` have their fields; `None` where they are not seen.
    pub(super) fn requests(&self) -> Option<RequestFields> {
        self.requests
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

    /// How many records were lost: there was no room for them, or their program ran already.
    pub(super) fn lost(&self) -> u64 {
        let missed: u64 = self.programs.iter().filter_map(|program| program.missed().ok()).sum();
        self.count(LOST).load(Ordering::SeqCst) + missed
    }

    fn bit(&self, thread: u32) -> Option<(&std::sync::atomic::AtomicU64, u64)> {
        let word = self.followed.all().get(usize::try_from(thread / 64).ok()?)?;
        Some((word, 1 << (thread % 64)))
    }

    fn count(&self, counter: i32) -> &std::sync::atomic::AtomicU64 {
        &self.counters.all()[usize::try_from(counter).unwrap_or(0)]
    }
}

fn maps(ring_bytes: u32) -> Result<Maps, RingRefusal> {
    let longest = u32::try_from(LONGEST_BYTES.next_multiple_of(8)).unwrap_or(u32::MAX);
    let plan = u32::try_from(ENCODED_BYTES).unwrap_or(16);
    Ok(Maps {
        followed: Map::create(MapKind::MappedArray, c"fathom_threads", (4, 8), THREADS / 64)?,
        counters: Map::create(MapKind::MappedArray, c"fathom_counts", (4, 8), COUNTERS)?,
        plans: Map::create(MapKind::Array, c"fathom_plans", (4, plan), super::plan::CALLS)?,
        rooms: Map::create(MapKind::Array, c"fathom_rooms", (4, longest), cpus())?,
        ring: Map::create(MapKind::Ring, c"fathom_ring", (0, 0), ring_bytes)?,
        requests: Map::create(MapKind::Hash, c"fathom_requests", (8, 8), REQUESTS)?,
    })
}

/// How many CPUs this kernel may ever have: the last of `0-3` or `0,2-7`, and one.
fn cpus() -> u32 {
    let possible = fs::read_to_string(POSSIBLE_CPUS).unwrap_or_default();
    let last = possible.trim().rsplit([',', '-']).next().and_then(|last| last.parse::<u32>().ok());
    last.map_or(4096, |last| last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file_trace::ring::record::{Kind, Record};

    #[test]
    fn what_a_full_ring_has_no_room_for_is_counted_exactly() {
        let mut probe = match Probe::load(&Calls::new(), 4096) {
            Ok(probe) => probe,
            Err(refusal) => {
                eprintln!("skipped: {refusal}");
                return;
            }
        };
        probe.attach().unwrap();
        let me = rustix::thread::gettid().as_raw_nonzero().get().cast_unsigned();
        assert!(probe.follow(me) && !probe.follow(me));
        assert_eq!((probe.threads(), probe.living()), (vec![me], 1));
        for _ in 0..1000 {
            rustix::fs::stat("/").unwrap();
        }
        probe.forget(me);
        rustix::fs::stat("/").unwrap();
        assert_eq!((probe.threads(), probe.living()), (Vec::new(), 0));
        let mut kept = 0;
        probe.reader().unwrap().drain(&mut |record| {
            let record = Record::read(record).unwrap();
            assert_eq!((record.head.kind, record.head.thread), (Kind::Call, me));
            assert_eq!(record.text(), Some(&b"/"[..]));
            kept += 1;
        });
        assert!(kept > 5, "{kept}");
        assert_eq!(kept + probe.lost(), 1000);
    }
}
