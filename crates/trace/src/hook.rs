//! The in-process hook: after a real trap at a place where a program makes calls, the place is
//! patched to jump into a page of our own, which makes the call without a stop and writes what it
//! was to shared memory. What is not hooked traps as before.
//!
//! It owns which place is patched in which address space, and what a thread that is stopped in
//! our code has to look like to its program. How calls become events is the witness's.

mod arena;
mod block;
mod draining;
mod injection;
mod knowledge;
mod page;
mod patching;
mod recorded;
mod site;
mod way_back;
mod windows;

use crate::call::{Call, is_restart};
use crate::hooking::{Copied, HookTally};
use crate::repetition::Repetition;
use crate::tracee::StoppedThread;
use crate::witness::{Memory, Witness};
use arena::{Arena, Record};
use draining::{Clock, Drained};
use fathom_sys::ptrace_support as ptrace;
use knowledge::Loss;
use page::Page;
use recorded::AtSite;
use rustc_hash::{FxHashMap, FxHashSet};
use rustix::process::{Pid, WaitStatus};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use windows::{WindowLog, WindowPlan};

/// What the hook is made of, before any program is there.
#[derive(Debug, Clone)]
pub(crate) struct HookPlan {
    page: Page,
    copied: FxHashMap<u64, Copied>,
    /// Calls that are made again, or delayed: their places are patched at the first call there.
    treated: FxHashSet<u64>,
    windows: Option<WindowPlan>,
}

/// The hook of a traced program and all that it makes.
pub(crate) struct Hook {
    plan: HookPlan,
    spaces: FxHashMap<u32, Space>,
    next_space: u32,
    threads: BTreeMap<i32, Thread>,
    /// Those that have a block.
    with_block: BTreeSet<i32>,
    clock: Clock,
    drained: Drained,
    tally: HookTally,
    /// Ends that were met while calls were injected.
    ends: VecDeque<(Pid, WaitStatus)>,
    windows: WindowLog,
}

/// An address space.
#[derive(Clone, Default)]
struct Space {
    members: u32,
    /// Calls that stopped its threads.
    stops: u32,
    arena: Option<Arc<Mutex<Arena>>>,
    /// No more is patched in it.
    given_up: bool,
    /// Its program filters calls itself; what it executes inherits that.
    filters: bool,
    sites: FxHashMap<u64, Site>,
    regions: Vec<u64>,
    /// By where they begin.
    trampolines: FxHashMap<u64, Trampoline>,
}

#[derive(Clone, Copy)]
enum Site {
    /// So many calls stopped here.
    Met(u32),
    Patched {
        trampoline: u64,
        has_second: bool,
    },
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
    /// Of a call that makes a thread: what that will share (`CLONE_VM`, `CLONE_FILES`).
    making_shares: u64,
    /// It has the descriptors that its program began with.
    elides: bool,
    /// The call that it is stopped at.
    stopped_at: Kind,
    /// What that takes from what is known.
    loss: Loss,
}

/// What the hook does with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It is always made with a stop.
    Stops,
    /// It is made in the hook, and noted.
    Hooked,
    /// It is made again there, or delayed.
    Treated,
}

/// A place is patched at this call that stops there: many are used once.
const PATCHED_AT: u32 = 2;
/// And at this one where there are several threads: then it takes a dozen stops.
const PATCHED_BESIDE_OTHERS_AT: u32 = 4;
/// A program is hooked at this one: to make its memory takes a dozen calls of its own, and many make no more.
/// What runtimes ask at their start comes before: the C library reads `/proc/self/maps` for Rust's, which our
/// lines make longer.
const HOOKED_AT: u32 = 48;
const PR_SET_SECCOMP: u64 = 22;
const ARCH_SET_GS: u64 = 0x1001;
const CLONE_VM: u64 = 0x100;
const CLONE_FILES: u64 = 0x400;

impl Thread {
    fn new(space: u32, elides: bool) -> Self {
        Self {
            space,
            block: None,
            armed: false,
            making_shares: 0,
            elides,
            stopped_at: Kind::Stops,
            loss: Loss::default(),
        }
    }
}

impl HookPlan {
    /// The plan for calls by number, some of which are made again, with their stacks or without; why
    /// there is none here.
    pub(crate) fn new(
        calls: &[(u32, Copied)],
        repetition: Option<&Repetition>,
        stacks: bool,
    ) -> Result<Self, String> {
        const FSGSBASE: usize = 2;
        if rustix::param::linux_hwcap().1 & FSGSBASE == 0 {
            return Err("this kernel or CPU does not let programs read the base of gs (FSGSBASE)".to_owned());
        }
        let page = Page::new(calls, repetition, stacks)
            .map_err(|error| format!("its code could not be assembled: {error}"))?;
        let copied = calls.iter().map(|(number, copied)| (u64::from(*number), *copied)).collect();
        let shapes = repetition.into_iter().flat_map(|_| page::shapes());
        let treated = shapes.map(|(number, _)| u64::from(number)).collect();
        let windows = repetition.and_then(WindowPlan::new);
        Ok(Self { page, copied, treated, windows })
    }

    /// Calls are made again, delayed or left out.
    pub(crate) fn treats(&self) -> bool {
        !self.treated.is_empty()
    }

    /// Has what is slow at its first use behind it.
    pub(crate) fn warm_up() {
        site::warm_up();
    }

    /// After the one instruction whose calls the filter lets pass, and after the one that makes calls again.
    pub(crate) fn passing_at(&self) -> Vec<u64> {
        [Some(self.page.labels.after), self.page.labels.again].into_iter().flatten().collect()
    }
}

impl Hook {
    pub(crate) fn new(plan: HookPlan) -> Self {
        Self {
            plan,
            spaces: FxHashMap::default(),
            next_space: 0,
            threads: BTreeMap::new(),
            with_block: BTreeSet::new(),
            clock: Clock::start(),
            drained: Drained::default(),
            tally: HookTally::default(),
            ends: VecDeque::new(),
            windows: WindowLog::default(),
        }
    }

    pub(crate) fn tally(self) -> HookTally {
        HookTally { windows: self.windows.done, ..self.tally }
    }

    /// An end that nobody has heard of.
    pub(crate) fn next_end(&mut self) -> Option<(Pid, WaitStatus)> {
        self.ends.pop_front()
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
        let loss = Loss::of_call(call, arguments);
        self.lose(pid, loss);
        let tid = pid.as_raw_nonzero().get();
        if instruction == self.plan.page.labels.reported {
            self.windows.stopped(tid);
            return self.finish(pid, witness);
        }
        self.end_window(tid);
        self.tally.stopped += 1;
        let name = call.name();
        let kind = match call {
            Call { foreign: true, .. } => Kind::Stops,
            Call { number, .. } if self.plan.treated.contains(&number) => Kind::Treated,
            Call { number, .. } if self.plan.copied.contains_key(&number) => Kind::Hooked,
            Call { .. } => Kind::Stops,
        };
        if let Some(thread) = self.threads.get_mut(&tid) {
            thread.stopped_at = kind;
            thread.loss = loss;
            let flags = match name.as_ref() {
                "clone" => arguments[0],
                "clone3" => StoppedThread(pid).word(arguments[0]).unwrap_or(0),
                "vfork" => CLONE_VM,
                _ => 0,
            };
            thread.making_shares = flags & (CLONE_VM | CLONE_FILES);
        }
        let leaves = match name.as_ref() {
            "seccomp" => arguments[0] <= 1,
            "prctl" => arguments[0] == PR_SET_SECCOMP,
            "arch_prctl" => arguments[0] == ARCH_SET_GS,
            _ => false,
        };
        if leaves && let Some(space) = self.space_of(tid) {
            space.filters |= name != "arch_prctl";
            self.leave_alone(tid);
        }
        // It stands in no code of ours: what it wrote was read, and there is room again.
        if let Some(Thread { space, block: Some((block, read)), .. }) = self.threads.get_mut(&tid)
            && let Some(arena) = self.spaces.get(space).and_then(|space| space.arena.as_ref())
            && locked(arena).load(*block, block::HEAD) == *read
        {
            locked(arena).empty(*block);
            *read = Arena::records(*block);
        }
        false
    }

    /// Where in its program a thread stands that stopped at this address of a trampoline.
    pub(crate) fn at_site(&self, pid: Pid, instruction: u64) -> Option<AtSite> {
        let thread = self.threads.get(&pid.as_raw_nonzero().get()).filter(|_| self.plan.page.stacks)?;
        let trampolines = &self.spaces.get(&thread.space)?.trampolines;
        let trampoline = trampolines.get(&instruction.wrapping_sub(site::DONE))?;
        Some(AtSite::new(StoppedThread(pid), trampoline.site + 2))
    }

    /// No call of a thread's process is hooked any more.
    fn leave_alone(&mut self, tid: i32) {
        if let Some(space) = self.space_of(tid) {
            space.given_up = true;
            if let Some(arena) = &space.arena {
                locked(arena).switch_off();
            }
        }
    }

    /// A call was, or is about to be, made of which the code of the hook does not know.
    fn lose(&mut self, pid: Pid, loss: Loss) {
        if self.plan.page.labels.eliding.is_some()
            && let Some(space) = self.space_of(pid.as_raw_nonzero().get())
            && let Some(arena) = &space.arena
        {
            locked(arena).lose(loss);
        }
    }

    /// A thread stands at the return of a call at which it stopped.
    pub(crate) fn left(&mut self, pid: Pid, instruction: u64, result: i64, witness: &dyn Witness) {
        let tid = pid.as_raw_nonzero().get();
        if self.plan.page.stacks && witness.needs_stops(tid) {
            self.leave_alone(tid);
        }
        if let Some(loss) = self.threads.get_mut(&tid).map(|thread| std::mem::take(&mut thread.loss)) {
            self.lose(pid, loss);
        }
        self.begin_window(pid);
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
        let place = space.sites.entry(site).or_insert(Site::Met(0));
        if matches!(place, Site::Met(_)) {
            if thread.stopped_at == Kind::Stops {
                return;
            }
            space.stops += 1;
            if space.arena.is_none() && space.stops < HOOKED_AT && thread.stopped_at != Kind::Treated {
                return;
            }
        }
        let patched_at = if space.members > 1 { PATCHED_BESIDE_OTHERS_AT } else { PATCHED_AT };
        match *place {
            Site::Left => {}
            Site::Met(calls) if calls + 1 < patched_at && thread.stopped_at != Kind::Treated => {
                *place = Site::Met(calls + 1);
            }
            Site::Met(_) => self.patch(pid, site),
            Site::Patched { trampoline, has_second } => {
                if site::patch(site, trampoline, has_second).is_none_or(|patch| !has_bytes(pid, site, patch))
                {
                    // Other code has come to the same place, and made the call there.
                    *place = Site::Left;
                } else if let Ok(mut registers) = ptrace::registers(pid) {
                    // It was inside the call when another thread had the place patched.
                    registers.rip = trampoline + site::DONE;
                    let _ = ptrace::set_registers(pid, &registers);
                }
            }
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
            thread.block = locked(arena).take_block().map(|block| (block, Arena::records(block)));
            if let Some((block, _)) = thread.block {
                locked(arena).store(block, block::ELIDES, thread.elides.into());
                self.with_block.insert(tid);
            }
        }
        thread.armed = set_gs(pid, thread.block.map(|(block, _)| Arena::address(block)));
    }

    pub(crate) fn made(&mut self, child: i32, maker: i32) {
        let Some(maker) = self.threads.get(&maker).copied() else { return };
        let space = if maker.making_shares & CLONE_VM != 0 {
            maker.space
        } else {
            let copy = self.spaces.get(&maker.space).cloned().unwrap_or_default();
            self.add_space(Space { members: 0, ..copy })
        };
        if let Some(space) = self.spaces.get_mut(&space) {
            space.members += 1;
        }
        let elides = maker.elides && maker.making_shares == CLONE_VM | CLONE_FILES;
        self.threads.insert(child, Thread::new(space, elides));
    }

    pub(crate) fn executed(&mut self, pid: Pid, former: i32) {
        let tid = pid.as_raw_nonzero().get();
        let filters = self.space_of(former).is_some_and(|space| space.filters);
        self.gone(former);
        self.gone(tid);
        let space = Space { members: 1, given_up: filters, filters, ..Space::default() };
        let space = self.add_space(space);
        self.threads.insert(tid, Thread::new(space, true));
    }

    /// A thread has ended; what it was making is told by the witness.
    pub(crate) fn ended(&mut self, tid: i32, witness: &mut dyn Witness) {
        self.break_off(tid, witness);
        self.gone(tid);
    }

    /// A thread will not return from the call that it is in, if it is in one.
    pub(crate) fn break_off(&mut self, tid: i32, witness: &mut dyn Witness) {
        if let Some(record) = self.unfinished(tid) {
            let call = Call { number: record.word(block::RECORD_NUMBER), foreign: false };
            witness.broken_off(tid, call, record.arguments());
        }
    }

    fn gone(&mut self, tid: i32) {
        let Some(thread) = self.threads.remove(&tid) else { return };
        self.with_block.remove(&tid);
        self.windows.gone(tid);
        let Some(space) = self.spaces.get_mut(&thread.space) else { return };
        if let (Some(arena), Some((block, _))) = (&space.arena, thread.block) {
            locked(arena).give_back(block);
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
    fn unfinished(&self, tid: i32) -> Option<Record<'static>> {
        let thread = self.threads.get(&tid)?;
        let (block, _) = thread.block?;
        let arena = locked(self.spaces.get(&thread.space)?.arena.as_ref()?);
        let state = arena.load(block, block::STATE);
        (state == arena.load(block, block::HEAD)).then(|| arena.header(state)).flatten()
    }

    fn block_word(&self, tid: i32, offset: usize) -> Option<u64> {
        let thread = self.threads.get(&tid)?;
        let arena = self.spaces.get(&thread.space)?.arena.as_ref()?;
        Some(locked(arena).load(thread.block?.0, offset))
    }

    fn set_block_word(&self, tid: i32, offset: usize, value: u64) {
        if let Some(thread) = self.threads.get(&tid)
            && let Some((block, _)) = thread.block
            && let Some(arena) = self.spaces.get(&thread.space).and_then(|space| space.arena.as_ref())
        {
            locked(arena).store(block, offset, value);
        }
    }

    fn header(&self, tid: i32, address: u64) -> Option<Record<'static>> {
        let thread = self.threads.get(&tid)?;
        locked(self.spaces.get(&thread.space)?.arena.as_ref()?).header(address)
    }
}

/// What a panic of another thread left is whole: words are written one by one.
fn locked(arena: &Mutex<Arena>) -> MutexGuard<'_, Arena> {
    arena.lock().unwrap_or_else(PoisonError::into_inner)
}

fn has_bytes<const BYTES: usize>(pid: Pid, address: u64, expected: [u8; BYTES]) -> bool {
    let mut there = [0; BYTES];
    StoppedThread(pid).copy(address, &mut there) == BYTES && there == expected
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
