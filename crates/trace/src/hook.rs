//! The in-process hook: after a real trap at a place where a program makes calls, the place is
//! patched to jump into a page of our own, which makes the call without a stop and writes what it
//! was to shared memory. What is not hooked traps as before.
//!
//! It owns which place is patched in which address space, and what a thread that is stopped in
//! our code has to look like to its program. How calls become events is the witness's.

mod arena;
mod block;
mod injection;
mod page;
mod site;

use crate::call::{Call, is_restart};
use crate::hooking::{Copied, HookTally};
use crate::tracee::StoppedThread;
use crate::witness::{Memory, Returned, Tracee, Witness};
use arena::{Arena, Copies, Record};
use fathom_model::{ExecutedProgram, FileKind};
use fathom_sys::clock::time_stamp;
use fathom_sys::ptrace_support as ptrace;
use injection::Injection;
use page::{Labels, Page};
use rustix::process::{Pid, WaitStatus};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::ffi::OsString;
use std::os::unix::fs::MetadataExt;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// What the hook is made of, before any program is there.
#[derive(Debug, Clone)]
pub(crate) struct HookPlan {
    page: Page,
    copied: HashMap<u64, Copied>,
}

/// The hook of a traced program and all that it makes.
pub(crate) struct Hook {
    plan: HookPlan,
    spaces: HashMap<u32, Space>,
    next_space: u32,
    threads: BTreeMap<i32, Thread>,
    clock: (Instant, u64),
    tally: HookTally,
    /// Ends that were met while calls were injected.
    ends: VecDeque<(Pid, WaitStatus)>,
}

/// An address space.
#[derive(Clone, Default)]
struct Space {
    members: u32,
    /// Calls that stopped its threads.
    stops: u32,
    arena: Option<Rc<RefCell<Arena>>>,
    /// No more is patched in it.
    given_up: bool,
    /// Its program filters calls itself; what it executes inherits that.
    filters: bool,
    sites: HashMap<u64, Site>,
    regions: Vec<u64>,
    /// By where they begin.
    trampolines: HashMap<u64, Trampoline>,
}

#[derive(Clone, Copy)]
enum Site {
    /// So many calls stopped here.
    Met(u32),
    Patched {
        trampoline: u64,
    },
    /// It is to be patched when no other thread is there.
    Crowded,
    /// For ever.
    Left,
}

#[derive(Clone, Copy)]
struct Trampoline {
    site: u64,
    moved: u64,
}

#[derive(Clone, Copy)]
struct Thread {
    space: u32,
    /// Its block, and how far that was read.
    block: Option<(usize, u64)>,
    /// `gs` was set for where it runs now.
    armed: bool,
    /// Of a call that makes a thread: whether that will share its memory.
    making_shares_memory: bool,
}

/// A place is patched at this call that stops there: programs that make few calls are not worth it.
const PATCHED_AT: u32 = 4;
/// And a program at this one: to make its memory takes a dozen calls of its own.
const HOOKED_AT: u32 = 48;
const CROWDED: &str = "met while the process had several threads";
const GIB: u64 = 1 << 30;
const ARCH_SET_GS: u64 = 0x1001;
const ARITHMETIC_FLAGS: u64 = 0x8d5;
const OVERFLOW_FLAG: u64 = 0x800;
const LOW_FLAGS: u64 = 0xd5;

impl HookPlan {
    /// The plan for calls by number; why there is none here.
    pub(crate) fn new(calls: &[(u32, Copied)]) -> Result<Self, String> {
        const FSGSBASE: usize = 2;
        if rustix::param::linux_hwcap().1 & FSGSBASE == 0 {
            return Err("this kernel or CPU does not let programs read the base of gs (FSGSBASE)".to_owned());
        }
        let page = Page::new(calls).map_err(|error| format!("its code could not be assembled: {error}"))?;
        let copied = calls.iter().map(|(number, copied)| (u64::from(*number), *copied)).collect();
        Ok(Self { page, copied })
    }

    /// After the one instruction whose calls the filter lets pass.
    pub(crate) fn passing_at(&self) -> u64 {
        self.page.labels.after
    }
}

impl Hook {
    pub(crate) fn new(plan: HookPlan) -> Self {
        Self {
            plan,
            spaces: HashMap::new(),
            next_space: 0,
            threads: BTreeMap::new(),
            clock: (Instant::now(), time_stamp()),
            tally: HookTally::default(),
            ends: VecDeque::new(),
        }
    }

    pub(crate) fn tally(self) -> HookTally {
        self.tally
    }

    /// An end that nobody has heard of.
    pub(crate) fn next_end(&mut self) -> Option<(Pid, WaitStatus)> {
        self.ends.pop_front()
    }

    /// Tells of all calls that were made so far, in the order of their returns.
    pub(crate) fn drain(&mut self, witness: &mut dyn Witness) {
        let mut all = Vec::new();
        for (tid, thread) in &mut self.threads {
            let Some((block, read)) = &mut thread.block else { continue };
            let Some(arena) = self.spaces.get(&thread.space).and_then(|space| space.arena.as_ref()) else {
                continue;
            };
            let (records, next) = arena.borrow().records_from(*block, *read);
            *read = next;
            all.extend(records.into_iter().map(|record| (record.word(block::RETURNED), *tid, record)));
        }
        if all.is_empty() {
            return;
        }
        all.sort_by_key(|(returned, tid, _)| (*returned, *tid));
        let now = (Instant::now(), time_stamp());
        for (returned, tid, record) in all {
            self.tally.hooked += 1;
            self.tell(tid, &record, (returned, now), witness);
        }
    }

    fn tell(
        &self,
        tid: i32,
        record: &Record,
        (returned, now): (u64, (Instant, u64)),
        witness: &mut dyn Witness,
    ) {
        let (arguments, number) = (record.arguments(), record.word(block::RECORD_NUMBER));
        let copied = self.plan.copied.get(&number).copied().unwrap_or_default();
        let positions = [copied.paths[0], copied.paths[1], copied.left.map(|(position, _)| position)];
        let addresses = positions.map(|position| position.map_or(0, |position| arguments[position]));
        let pieces = record.pieces();
        let memory = Copies(std::array::from_fn(|which| (addresses[which], pieces[which])));
        let since = |earlier: u64, later: u64| self.span(later.saturating_sub(earlier), now);
        witness.returned(
            tid,
            &Returned {
                call: Call { number, foreign: false },
                arguments,
                result: record.word(block::RECORD_RESULT).cast_signed(),
                at: now.0.checked_sub(since(returned, now.1)).unwrap_or(now.0),
                took: since(record.word(block::BEGAN), returned),
                tracee: &Recorded { memory, pid: Pid::from_raw(tid) },
            },
        );
    }

    /// Time stamps as time, by what passed since the beginning.
    fn span(&self, ticks: u64, now: (Instant, u64)) -> Duration {
        let (begun, stamp) = self.clock;
        let all_ticks = now.1.saturating_sub(stamp).max(1);
        let ns = now.0.duration_since(begun).as_nanos() * u128::from(ticks) / u128::from(all_ticks);
        Duration::from_nanos(u64::try_from(ns).unwrap_or(u64::MAX))
    }

    /// A thread stands at a call, about to make it. True when it is none of its program's: then
    /// it was told, and the thread goes on after the one that it had made.
    pub(crate) fn enters(
        &mut self,
        pid: Pid,
        call: Call,
        arguments: [u64; 6],
        instruction: u64,
        witness: &mut dyn Witness,
    ) -> bool {
        if instruction == self.plan.page.labels.reported {
            return self.finish(pid, witness);
        }
        self.tally.stopped += 1;
        let name = call.name();
        let tid = pid.as_raw_nonzero().get();
        if let Some(thread) = self.threads.get_mut(&tid) {
            const CLONE_VM: u64 = 0x100;
            let flags = match name.as_ref() {
                "clone" => arguments[0],
                "clone3" => StoppedThread(pid).word(arguments[0]).unwrap_or(0),
                "vfork" => CLONE_VM,
                _ => 0,
            };
            thread.making_shares_memory = flags & CLONE_VM != 0;
        }
        let leaves = match name.as_ref() {
            "seccomp" => arguments[0] <= 1,
            // Of prctl, the filter hands over this one request.
            "prctl" => true,
            "arch_prctl" => arguments[0] == ARCH_SET_GS,
            _ => false,
        };
        if leaves && let Some(space) = self.space_of(tid) {
            space.given_up = true;
            space.filters |= name != "arch_prctl";
            if let Some(arena) = &space.arena {
                arena.borrow().switch_off();
            }
        }
        // It stands in no code of ours: what it wrote was read, and there is room again.
        if let Some(Thread { space, block: Some((block, read)), .. }) = self.threads.get_mut(&tid)
            && let Some(arena) = self.spaces.get(space).and_then(|space| space.arena.as_ref())
            && arena.borrow().load(*block, block::HEAD) == *read
        {
            arena.borrow().empty(*block);
            *read = Arena::records(*block);
        }
        false
    }

    /// A thread stands at the return of a call at which it stopped.
    pub(crate) fn left(&mut self, pid: Pid, instruction: u64, result: i64) {
        let tid = pid.as_raw_nonzero().get();
        let site = instruction.wrapping_sub(2);
        let Some(thread) = self.threads.get(&tid) else { return };
        let Some(space) = self.spaces.get_mut(&thread.space) else { return };
        let broken_off = i32::try_from(result.wrapping_neg()).is_ok_and(is_restart);
        if space.given_up
            || broken_off
            || space.trampolines.contains_key(&instruction.wrapping_sub(site::DONE))
        {
            return;
        }
        space.stops += 1;
        if space.arena.is_none() && space.stops < HOOKED_AT {
            return;
        }
        match space.sites.entry(site).or_insert(Site::Met(0)) {
            Site::Left => return,
            Site::Met(calls) if *calls + 1 < PATCHED_AT => {
                *calls += 1;
                return;
            }
            Site::Met(_) | Site::Crowded => {}
            // A call that stops there was made by other code, which has come to the same place.
            patched @ Site::Patched { .. } => {
                *patched = Site::Left;
                return;
            }
        }
        if space.members > 1 {
            // Another thread may be about to execute what would be written.
            if !matches!(space.sites.insert(site, Site::Crowded), Some(Site::Crowded)) {
                *self.tally.left.entry(CROWDED).or_default() += 1;
            }
            return;
        }
        self.patch(pid, site);
    }

    fn patch(&mut self, pid: Pid, site: u64) {
        let tid = pid.as_raw_nonzero().get();
        let Some(id) = self.threads.get(&tid).map(|thread| thread.space) else { return };
        let Some(mut space) = self.spaces.remove(&id) else { return };
        let reason = match look_at(pid, site) {
            Err(reason) => Some(reason),
            Ok(moved) => match Injection::begin(pid) {
                None => Some("its memory cannot be written"),
                Some(mut injection) => {
                    let patched = self.patch_in(pid, &mut space, &mut injection, (site, &moved));
                    match injection.end() {
                        Ok(Some(status)) => self.ends.push_back((pid, status)),
                        // What cannot be restored cannot go on.
                        Err(_) => drop(rustix::process::kill_process(pid, rustix::process::Signal::KILL)),
                        Ok(None) => {}
                    }
                    patched.err()
                }
            },
        };
        match reason {
            None => self.tally.patched += 1,
            Some(reason) => {
                space.sites.insert(site, Site::Left);
                *self.tally.left.entry(reason).or_default() += 1;
            }
        }
        self.spaces.insert(id, space);
    }

    fn patch_in(
        &mut self,
        pid: Pid,
        space: &mut Space,
        injection: &mut Injection,
        (site, moved): (u64, &[u8]),
    ) -> Result<(), &'static str> {
        const NOT_SHARED: &str = "a program that cannot be hooked";
        if space.arena.is_none() {
            if let Some(reason) = forbids(pid, injection.registers.gs_base) {
                space.given_up = true;
                self.refuse(reason.to_owned());
                return Err(NOT_SHARED);
            }
            match Arena::inject(pid, injection, &self.plan.page) {
                Ok(arena) => space.arena = Some(Rc::new(RefCell::new(arena))),
                Err(reason) => {
                    space.given_up = true;
                    self.refuse(reason);
                    return Err(NOT_SHARED);
                }
            }
        }
        let trampoline = find_slot(space, injection, site).ok_or("too far from room for more code")?;
        let code = site::trampoline(trampoline, site, moved, page::ENTRY_POINTER);
        let patch = site::patch(site, trampoline);
        let (Some(code), Some(patch)) = (code, patch) else { return Err("too far from room for more code") };
        // No other thread is there, and this one stands behind the call.
        let written = injection.write(trampoline, &code).and_then(|()| injection.write(site, &patch));
        written.map_err(|_| "its memory cannot be written")?;
        space.sites.insert(site, Site::Patched { trampoline });
        space.trampolines.insert(trampoline, Trampoline { site, moved: moved.len() as u64 });
        injection.registers.rip = trampoline + site::DONE;
        Ok(())
    }

    fn refuse(&mut self, reason: String) {
        if !self.tally.refusals.contains(&reason) {
            self.tally.refusals.push(reason);
        }
    }

    /// Before a thread goes on: one that is new in memory that is hooked gets a block of its own.
    /// It has inherited its maker's.
    pub(crate) fn arm(&mut self, pid: Pid) {
        let tid = pid.as_raw_nonzero().get();
        let Some(thread) = self.threads.get_mut(&tid) else {
            // Nobody has told whose it is.
            set_gs(pid, None);
            return;
        };
        let arena = self.spaces.get(&thread.space).and_then(|space| space.arena.as_ref());
        let Some(arena) = arena.filter(|_| !thread.armed) else { return };
        if thread.block.is_none() {
            thread.block = arena.borrow_mut().take_block().map(|block| (block, Arena::records(block)));
        }
        thread.armed = set_gs(pid, thread.block.map(|(block, _)| Arena::address(block)));
    }

    pub(crate) fn made(&mut self, child: i32, maker: i32) {
        let Some(maker) = self.threads.get(&maker).copied() else { return };
        let space = if maker.making_shares_memory {
            maker.space
        } else {
            let copy = self.spaces.get(&maker.space).cloned().unwrap_or_default();
            self.add_space(Space { members: 0, ..copy })
        };
        if let Some(space) = self.spaces.get_mut(&space) {
            space.members += 1;
        }
        self.threads.insert(child, Thread { space, block: None, armed: false, making_shares_memory: false });
    }

    pub(crate) fn executed(&mut self, pid: Pid, former: i32) {
        let tid = pid.as_raw_nonzero().get();
        let filters = self.space_of(former).is_some_and(|space| space.filters);
        self.gone(former);
        self.gone(tid);
        let space = Space { members: 1, given_up: filters, filters, ..Space::default() };
        let space = self.add_space(space);
        self.threads.insert(tid, Thread { space, block: None, armed: false, making_shares_memory: false });
    }

    /// A thread has ended; what it was making is told by the witness.
    pub(crate) fn ended(&mut self, tid: i32, witness: &mut dyn Witness) {
        if let Some(record) = self.unfinished(tid) {
            let call = Call { number: record.word(block::RECORD_NUMBER), foreign: false };
            witness.broken_off(tid, call, record.arguments());
        }
        self.gone(tid);
    }

    fn gone(&mut self, tid: i32) {
        let Some(thread) = self.threads.remove(&tid) else { return };
        let Some(space) = self.spaces.get_mut(&thread.space) else { return };
        if let (Some(arena), Some((block, _))) = (&space.arena, thread.block) {
            arena.borrow_mut().give_back(block);
        }
        space.members -= 1;
        if space.members == 0 {
            self.spaces.remove(&thread.space);
        }
    }

    fn add_space(&mut self, space: Space) -> u32 {
        self.next_space += 1;
        self.spaces.insert(self.next_space, space);
        self.next_space
    }

    fn space_of(&mut self, tid: i32) -> Option<&mut Space> {
        let thread = self.threads.get(&tid)?;
        self.spaces.get_mut(&thread.space)
    }

    /// The record of a call that a thread is inside of.
    fn unfinished(&self, tid: i32) -> Option<Record> {
        let thread = self.threads.get(&tid)?;
        let (block, _) = thread.block?;
        let arena = self.spaces.get(&thread.space)?.arena.as_ref()?.borrow();
        let state = arena.load(block, block::STATE);
        (state == arena.load(block, block::HEAD)).then(|| arena.header(state)).flatten()
    }

    /// A signal is about to reach a thread. Where it stands in code of ours it is put where its
    /// program would stand; a signal that is of our own making is none: 0.
    pub(crate) fn signal(&mut self, pid: Pid, signal: i32, witness: &mut dyn Witness) -> i32 {
        let Ok(mut registers) = ptrace::registers(pid) else { return signal };
        let tid = pid.as_raw_nonzero().get();
        let labels = self.plan.page.labels;
        let at = registers.rip;
        let is_fault = matches!(signal, libc::SIGSEGV | libc::SIGBUS);
        if is_fault && (labels.copying..labels.copied).contains(&at) {
            self.finish(pid, witness);
            return 0;
        }
        let Some(space) = self.space_of(tid) else { return signal };
        if signal == libc::SIGTRAP
            && let Some(Site::Patched { trampoline }) = space.sites.get(&at.wrapping_sub(3)).copied()
        {
            // It came back to where the covered instruction began.
            registers.rip = trampoline + site::DONE;
            let _ = ptrace::set_registers(pid, &registers);
            return 0;
        }
        if (labels.entry..labels.end).contains(&at) {
            self.leave_page(pid, registers, witness);
        } else if let Some((begin, trampoline)) = trampoline_at(space, at) {
            registers.rip = match at - begin {
                0..=site::SLOW => trampoline.site,
                site::DONE..=site::MOVED => trampoline.site + 2,
                _ => trampoline.site + 2 + trampoline.moved,
            };
            let _ = ptrace::set_registers(pid, &registers);
        }
        signal
    }

    /// Puts a thread that stands in the page back to its site, before or after the call.
    fn leave_page(&mut self, pid: Pid, mut registers: libc::user_regs_struct, witness: &mut dyn Witness) {
        let labels = self.plan.page.labels;
        let tid = pid.as_raw_nonzero().get();
        if registers.rip > labels.fast {
            if registers.rip == labels.after
                && registers.orig_rax.cast_signed() >= 0
                && i32::try_from(registers.rax.cast_signed().wrapping_neg()).is_ok_and(is_restart)
            {
                // The kernel is to decide, as it would at the site, whether the call is made again.
                let Some(begin) = self.block_word(tid, block::SLOW).map(|slow| slow - site::SLOW) else {
                    return;
                };
                let site =
                    self.space_of(tid).and_then(|space| space.trampolines.get(&begin)).map(|it| it.site);
                let Some(site) = site else { return };
                self.tell_now(tid, registers.rax.cast_signed(), witness);
                registers.rip = site + 2;
                let _ = ptrace::set_registers(pid, &registers);
                return;
            }
            self.finish_at(pid, registers, Place::Site, witness);
            return;
        }
        let slow = if registers.rip < labels.flags_saved || is_bare_jump(&labels, registers.rip) {
            Some(registers.r11)
        } else {
            registers.rax = self.block_word(tid, block::NUMBER).unwrap_or(registers.rax);
            self.block_word(tid, block::SLOW)
        };
        if registers.rip >= labels.flags_stored {
            self.restore_flags(tid, &mut registers);
        }
        if registers.rip >= labels.arguments_stored
            && let Some(record) = self.block_word(tid, block::HEAD).and_then(|head| self.header(tid, head))
        {
            registers.rdx = record.arguments()[2];
        }
        let begin = slow.map(|slow| slow.wrapping_sub(site::SLOW));
        let trampoline = begin.and_then(|begin| self.space_of(tid)?.trampolines.get(&begin).copied());
        if let Some(trampoline) = trampoline {
            registers.rip = trampoline.site;
            self.set_block_word(tid, block::STATE, 0);
            let _ = ptrace::set_registers(pid, &registers);
        }
    }

    /// Tells of the call that a thread has made and not told, and has the thread go on after it.
    fn finish(&mut self, pid: Pid, witness: &mut dyn Witness) -> bool {
        let Ok(registers) = ptrace::registers(pid) else { return false };
        self.finish_at(pid, registers, Place::Trampoline, witness)
    }

    fn finish_at(
        &mut self,
        pid: Pid,
        mut registers: libc::user_regs_struct,
        place: Place,
        witness: &mut dyn Witness,
    ) -> bool {
        let labels = self.plan.page.labels;
        let tid = pid.as_raw_nonzero().get();
        let at_the_call = registers.rip == labels.after;
        let saved = registers.rip >= labels.result_saved;
        let Some(slow) = self.block_word(tid, block::SLOW) else { return false };
        let Some(record) = self.block_word(tid, block::STATE).and_then(|state| self.header(tid, state))
        else {
            return false;
        };
        let begin = slow.wrapping_sub(site::SLOW);
        let Some(trampoline) = self.space_of(tid).and_then(|space| space.trampolines.get(&begin)).copied()
        else {
            return false;
        };
        let result =
            if saved { self.block_word(tid, block::RESULT).unwrap_or(registers.rax) } else { registers.rax };
        if self.unfinished(tid).is_some() {
            self.tell_now(tid, result.cast_signed(), witness);
        }
        let [rdi, rsi, rdx, r10, r8, r9] = record.arguments();
        (registers.rdi, registers.rsi, registers.rdx) = (rdi, rsi, rdx);
        (registers.r10, registers.r8, registers.r9) = (r10, r8, r9);
        registers.rax = result;
        registers.rcx = trampoline.site + 2;
        if !at_the_call {
            self.restore_flags(tid, &mut registers);
        }
        registers.r11 = registers.eflags;
        // The call that reported it, or the one that was made, is not to be made again.
        registers.orig_rax = u64::MAX;
        registers.rip = match place {
            Place::Site => trampoline.site + 2,
            Place::Trampoline => begin + site::DONE,
        };
        ptrace::set_registers(pid, &registers).is_ok()
    }

    /// Tells of the call that is made, from the program's memory as it is.
    fn tell_now(&mut self, tid: i32, result: i64, witness: &mut dyn Witness) {
        let (Some(record), Some(pid)) = (self.unfinished(tid), Pid::from_raw(tid)) else { return };
        let now = (Instant::now(), time_stamp());
        self.tally.hooked += 1;
        witness.returned(
            tid,
            &Returned {
                call: Call { number: record.word(block::RECORD_NUMBER), foreign: false },
                arguments: record.arguments(),
                result,
                at: now.0,
                took: self.span(now.1.saturating_sub(record.word(block::BEGAN)), now),
                tracee: &StoppedThread(pid),
            },
        );
        self.set_block_word(tid, block::STATE, 0);
    }

    fn restore_flags(&self, tid: i32, registers: &mut libc::user_regs_struct) {
        let Some(saved) = self.block_word(tid, block::FLAGS) else { return };
        let overflow = if saved & 1 == 0 { 0 } else { OVERFLOW_FLAG };
        let flags = ((saved >> 8) & LOW_FLAGS) | overflow;
        registers.eflags = (registers.eflags & !ARITHMETIC_FLAGS) | flags;
    }

    fn block_word(&self, tid: i32, offset: usize) -> Option<u64> {
        let thread = self.threads.get(&tid)?;
        let arena = self.spaces.get(&thread.space)?.arena.as_ref()?;
        Some(arena.borrow().load(thread.block?.0, offset))
    }

    fn set_block_word(&self, tid: i32, offset: usize, value: u64) {
        if let Some(thread) = self.threads.get(&tid)
            && let Some((block, _)) = thread.block
            && let Some(arena) = self.spaces.get(&thread.space).and_then(|space| space.arena.as_ref())
        {
            arena.borrow().store(block, offset, value);
        }
    }

    fn header(&self, tid: i32, address: u64) -> Option<Record> {
        let thread = self.threads.get(&tid)?;
        self.spaces.get(&thread.space)?.arena.as_ref()?.borrow().header(address)
    }
}

/// Where a thread goes on after a call: at its site, which its program may see, or behind the
/// call in the trampoline.
#[derive(Clone, Copy)]
enum Place {
    Site,
    Trampoline,
}

fn is_bare_jump(labels: &Labels, at: u64) -> bool {
    at == labels.unarmed
}

fn trampoline_at(space: &Space, at: u64) -> Option<(u64, Trampoline)> {
    let begin = at - at % site::SLOT;
    space.trampolines.get(&begin).map(|trampoline| (begin, *trampoline))
}

/// The instruction that a patch would cover, or why there is to be none.
fn look_at(pid: Pid, site: u64) -> Result<Vec<u8>, &'static str> {
    const UNKNOWN: &str = "what follows the call is not on the list of what may be moved";
    if !is_text_of_a_file(pid, site) {
        return Err("code of no file, or that may be written");
    }
    let mut bytes = [0; 1 + site::LOOKED_AT];
    let read = StoppedThread(pid).copy(site.wrapping_sub(1), &mut bytes);
    let looked_at: &[u8; site::LOOKED_AT] = bytes[1..].try_into().map_err(|_| UNKNOWN)?;
    let length = site::moved_length(bytes[0], looked_at).filter(|_| read == bytes.len()).ok_or(UNKNOWN)?;
    Ok(looked_at[2..2 + length].to_vec())
}

/// True of an address in a private mapping of a file that may be executed and not written.
fn is_text_of_a_file(pid: Pid, address: u64) -> bool {
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default();
    maps.lines().any(|line| {
        let mut words = line.split_whitespace();
        let (Some(range), Some(how), inode) = (words.next(), words.next(), words.nth(2)) else {
            return false;
        };
        let ends =
            range.split_once('-').map(|(begin, end)| [begin, end].map(|end| u64::from_str_radix(end, 16)));
        matches!(ends, Some([Ok(begin), Ok(end)]) if begin <= address && address < end)
            && how == "r-xp"
            && inode != Some("0")
    })
}

/// Why a program is not to be hooked.
fn forbids(pid: Pid, gs_base: u64) -> Option<&'static str> {
    const SET_ID: u32 = 0o6000;
    if gs_base != 0 {
        return Some("it uses gs itself");
    }
    let program = std::fs::metadata(format!("/proc/{pid}/exe")).ok()?;
    (program.mode() & SET_ID != 0).then_some("it is set-user-ID or set-group-ID")
}

/// Room for a trampoline near a site, in a region that the program makes where there is none.
fn find_slot(space: &mut Space, injection: &mut Injection, site: u64) -> Option<u64> {
    let used: HashSet<u64> = space.trampolines.keys().copied().collect();
    let free = |region: u64| {
        site::slots(site, region).find(|slot| !used.contains(slot) && site::patch(site, *slot).is_some())
    };
    if let Some(slot) = space.regions.iter().find_map(|region| free(*region)) {
        return Some(slot);
    }
    let near = site & !0xffff;
    for region in [near.wrapping_sub(GIB), arena::END + (16 << 20), near.wrapping_add(GIB)] {
        let Some(slot) = free(region) else { continue };
        let protection = libc::PROT_READ | libc::PROT_EXEC;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
        let flags = u64::from(flags.cast_unsigned());
        let protection = u64::from(protection.cast_unsigned());
        let arguments = [region, site::REGION_BYTES, protection, flags, u64::MAX, 0];
        if injection.call(libc::SYS_mmap, arguments) == Some(region.cast_signed()) {
            space.regions.push(region);
            return Some(slot);
        }
    }
    None
}

/// Gives a stopped thread another block, or none. False when it could not be done.
fn set_gs(pid: Pid, block: Option<u64>) -> bool {
    let Ok(mut registers) = ptrace::registers(pid) else { return false };
    let is_ours = (page::ADDRESS..arena::END).contains(&registers.gs_base);
    if registers.gs_base != 0 && !is_ours {
        return false;
    }
    let base = block.unwrap_or(0);
    if registers.gs_base == base {
        return true;
    }
    registers.gs_base = base;
    ptrace::set_registers(pid, &registers).is_ok()
}

/// A thread that has gone on since its call.
struct Recorded<'a> {
    memory: Copies<'a>,
    pid: Option<Pid>,
}

impl Memory for Recorded<'_> {
    fn copy(&self, address: u64, buffer: &mut [u8]) -> usize {
        self.memory.copy(address, buffer)
    }
}

impl Tracee for Recorded<'_> {
    fn text(&self, address: u64) -> Option<String> {
        crate::tracee::bytes_to_nul(self, address).map(|text| String::from_utf8_lossy(&text).into_owned())
    }
    fn file_kind(&self, _descriptor: i32) -> Option<FileKind> {
        None
    }
    fn process(&self) -> Option<i32> {
        StoppedThread(self.pid?).process()
    }
    fn name(&self) -> Option<String> {
        StoppedThread(self.pid?).name()
    }
    fn executed_path(&self) -> Option<OsString> {
        StoppedThread(self.pid?).executed_path()
    }
    fn program(&self) -> ExecutedProgram {
        match self.pid {
            Some(pid) => StoppedThread(pid).program(),
            None => ExecutedProgram {
                path: fathom_model::Reading::Unavailable("it is not known".to_owned()),
                arguments: Vec::new(),
                privilege_lost: None,
            },
        }
    }
}
