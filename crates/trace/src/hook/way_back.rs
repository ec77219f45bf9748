//! The way back of a thread that is met in code of ours: what it has to look like to its program.

use super::arena::Record;
use super::knowledge::Loss;
use super::page::{Labels, shapes};
use super::patching::{Mapped, mapped_at};
use super::recorded::AtSite;
use super::{Hook, Site, Space, Trampoline, block, locked, site};
use crate::call::{Call, is_restart};
use crate::tracee::StoppedThread;
use crate::witness::{Returned, Witness};
use fathom_sys::ptrace_support as ptrace;
use rustix::process::Pid;

const ARITHMETIC_FLAGS: u64 = 0x8d5;
const OVERFLOW_FLAG: u64 = 0x800;
const LOW_FLAGS: u64 = 0xd5;

/// Where a thread goes on after a call: at its site, which its program may see, or behind the
/// call in the trampoline.
#[derive(Clone, Copy)]
enum Place {
    Site,
    Trampoline,
}

impl Hook {
    /// A signal is about to reach a thread. Where it stands in code of ours it is put where its
    /// program would stand; a signal that is of our own making is none: 0.
    pub(crate) fn signal(&mut self, pid: Pid, signal: i32, witness: &mut dyn Witness) -> i32 {
        let Ok(mut registers) = ptrace::registers(pid) else { return signal };
        let tid = pid.as_raw_nonzero().get();
        self.windows.stopped(tid);
        let labels = self.plan.page.labels;
        let at = registers.rip;
        let is_fault = matches!(signal, libc::SIGSEGV | libc::SIGBUS);
        let copies = |(from, to): (u64, u64)| (from..to).contains(&at);
        if is_fault && (copies((labels.copying, labels.copied)) || labels.stack.is_some_and(copies)) {
            self.finish(pid, witness);
            return 0;
        }
        if is_fault
            && let Some([reading, answered, made]) = labels.eliding
            && (reading..answered).contains(&at)
        {
            // The kernel says of such an address what it says without us.
            registers.rip = made;
            let _ = ptrace::set_registers(pid, &registers);
            return 0;
        }
        let Some(space) = self.space_of(tid) else { return signal };
        if signal == libc::SIGTRAP
            && let Some(Site::Patched { .. }) = space.sites.get(&at.wrapping_sub(1))
        {
            // It came to the call while that was being patched: the jump is there now.
            registers.rip = at - 1;
            let _ = ptrace::set_registers(pid, &registers);
            return 0;
        }
        if signal == libc::SIGTRAP
            && let Some(Site::Patched { trampoline, .. }) = space.sites.get(&at.wrapping_sub(3)).copied()
        {
            // It came back to where the covered instruction began.
            registers.rip = trampoline + site::DONE;
            let _ = ptrace::set_registers(pid, &registers);
            return 0;
        }
        if signal == libc::SIGTRAP
            && let Some(Site::Patched { trampoline, has_second: true }) =
                space.sites.get(&at.wrapping_sub(site::JUMP_BYTES as u64)).copied()
        {
            // Or to where the second one did.
            registers.rip = trampoline + site::MOVED + site::SECOND;
            let _ = ptrace::set_registers(pid, &registers);
            return 0;
        }
        if (labels.entry..labels.end).contains(&at) {
            if signal == libc::SIGSYS && at == labels.after {
                self.undo(pid, registers);
            } else {
                self.leave_page(pid, registers, witness);
            }
        } else if let Some((begin, trampoline)) = trampoline_at(space, at) {
            registers.rip = match at - begin {
                0..=site::SLOW => trampoline.site,
                site::DONE..=site::MOVED => trampoline.site + 2,
                // The place of the second instruction traps, and leads back here.
                at if at < site::MOVED + trampoline.moved => trampoline.site + 2 + (at - site::MOVED),
                _ => trampoline.site + 2 + trampoline.moved,
            };
            let _ = ptrace::set_registers(pid, &registers);
        }
        signal
    }

    /// Puts a thread whose call the kernel gave back to its program (`PR_SET_SYSCALL_USER_DISPATCH`) behind
    /// the call, which was not made.
    fn undo(&mut self, pid: Pid, mut registers: libc::user_regs_struct) {
        let tid = pid.as_raw_nonzero().get();
        let begin = self.block_word(tid, block::SLOW).map(|slow| slow.wrapping_sub(site::SLOW));
        let trampoline = begin.and_then(|begin| self.space_of(tid)?.trampolines.get(&begin).copied());
        if let Some(trampoline) = trampoline {
            registers.rip = trampoline.site + 2;
            self.set_block_word(tid, block::STATE, 0);
            let _ = ptrace::set_registers(pid, &registers);
        }
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
            let [rdi, rsi, rdx, r10, r8, r9] = record.arguments();
            (registers.rdi, registers.rsi, registers.rdx) = (rdi, rsi, rdx);
            (registers.r10, registers.r8, registers.r9) = (r10, r8, r9);
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
    pub(super) fn finish(&mut self, pid: Pid, witness: &mut dyn Witness) -> bool {
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
        self.count_left_open(tid, &registers, &record);
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

    /// A repeated open may stand between its open and its close: the descriptor stays.
    fn count_left_open(&mut self, tid: i32, registers: &libc::user_regs_struct, record: &Record<'_>) {
        let labels = self.plan.page.labels;
        let (Some(again), Some(closed)) = (labels.again, labels.closed) else { return };
        let is_closing = self.block_word(tid, block::CLOSING).is_some_and(|closing| closing != 0);
        let opens = shapes()
            .any(|(number, shape)| shape.opens && u64::from(number) == record.word(block::RECORD_NUMBER));
        let is_opened = (again..closed).contains(&registers.rip) && registers.rax.cast_signed() >= 0 && opens;
        if if is_closing { registers.rip < again } else { is_opened } {
            self.tally.left_open += 1;
        }
        self.set_block_word(tid, block::CLOSING, 0);
    }

    /// Tells of the call that is made, from the program's memory as it is.
    fn tell_now(&mut self, tid: i32, result: i64, witness: &mut dyn Witness) {
        let (Some(record), Some(pid)) = (self.unfinished(tid), Pid::from_raw(tid)) else { return };
        let begin = self.block_word(tid, block::SLOW).map_or(0, |slow| slow.wrapping_sub(site::SLOW));
        let trampoline = self.space_of(tid).and_then(|space| space.trampolines.get(&begin));
        let site = trampoline.map_or(0, |trampoline| trampoline.site + 2);
        let now = self.clock.now();
        let at_site = AtSite::new(StoppedThread(pid), site);
        self.tally.hooked += 1;
        self.count_treated(tid, &record, &now);
        let call = Call { number: record.word(block::RECORD_NUMBER), foreign: false };
        // The code that follows what calls change does not come to it.
        self.lose(pid, Loss::of_call(call, record.arguments()));
        witness.returned(
            tid,
            &Returned {
                call,
                arguments: record.arguments(),
                result,
                at: now.instant(),
                took: now.since(record.word(block::BEGAN)),
                tracee: &at_site,
            },
        );
        self.set_block_word(tid, block::STATE, 0);
        if self.plan.page.stacks {
            self.learn_stack(pid, at_site.read_to());
        }
    }

    /// Where a stopped thread's stack stands now and how far up walks read it, so that its next call from
    /// there need not stop.
    fn learn_stack(&self, pid: Pid, read_to: u64) {
        let Some(thread) = self.threads.get(&pid.as_raw_nonzero().get()) else { return };
        let arena = self.spaces.get(&thread.space).and_then(|space| space.arena.as_ref());
        let (Some((block, _)), Some(arena), Ok(registers)) = (thread.block, arena, ptrace::registers(pid))
        else {
            return;
        };
        let Some(Mapped { range, .. }) = mapped_at(pid, registers.rsp) else { return };
        let arena = locked(arena);
        // The same stack as before ends where its longest walk did.
        let before = Some(arena.load(block, block::STACK_HIGH)).filter(|high| range.contains(high));
        let high = before.unwrap_or(0).max(read_to.saturating_add(8)).min(range.end);
        arena.set_stack(block, range.start, high);
    }

    fn restore_flags(&self, tid: i32, registers: &mut libc::user_regs_struct) {
        let Some(saved) = self.block_word(tid, block::FLAGS) else { return };
        let overflow = if saved & 1 == 0 { 0 } else { OVERFLOW_FLAG };
        let flags = ((saved >> 8) & LOW_FLAGS) | overflow;
        registers.eflags = (registers.eflags & !ARITHMETIC_FLAGS) | flags;
    }
}

fn is_bare_jump(labels: &Labels, at: u64) -> bool {
    at == labels.unarmed
}

fn trampoline_at(space: &Space, at: u64) -> Option<(u64, Trampoline)> {
    let begin = at - at % site::SLOT;
    space.trampolines.get(&begin).map(|trampoline| (begin, *trampoline))
}
