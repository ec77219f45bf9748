//! A system-call filter that hands chosen calls to a tracer or to a supervisor and lets
//! all others pass: its program, and how a process takes it upon itself.
//!
//! Which calls are chosen is decided by who builds it.

use crate::clock::monotonic_ns;
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::sync::mpsc::channel;

/// What a filter hands over.
#[derive(Debug, Clone, Copy)]
pub struct Chosen<'a> {
    /// The audit architecture whose numbers these are. Calls of any other one are handed over too.
    pub architecture: u32,
    /// Calls, by number.
    pub calls: &'a [u32],
    /// Calls that are chosen only when their first argument is this: number and argument.
    pub by_first_argument: &'a [(u32, u32)],
    /// Chosen calls pass when the instruction after the one that makes them stands at one of these.
    pub passing_at: &'a [u64],
    /// Whether that is looked at before the number: to pass takes less then, and the kernel cannot remember that
    /// calls which are not chosen pass.
    pub place_first: bool,
}

/// What a call does while it is measured what a filter adds to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassingCall {
    /// It opens what is not there.
    Open,
    /// It looks a path up.
    Path,
    /// It asks a descriptor where it stands.
    Descriptor,
}

/// A filter's program. For calls that are not chosen its answer depends on nothing but the
/// number, which lets the kernel remember it and pass them without running the filter.
#[derive(Clone)]
pub struct SeccompFilter {
    program: Vec<libc::sock_filter>,
}

/// How a filter was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterOutcome {
    /// With the process's privileges as they are.
    Installed,
    /// After giving up what set-user-ID programs and file capabilities would give it.
    InstalledWithoutNewPrivileges,
    /// The kernel refused with this error.
    Refused(Errno),
}

const NUMBER_OFFSET: u32 = 0;
const ARCHITECTURE_OFFSET: u32 = 4;
/// Of the lower and the upper half of the address after the instruction.
const INSTRUCTION_OFFSETS: [u32; 2] = if cfg!(target_endian = "little") { [8, 12] } else { [12, 8] };
/// Of the lower half of the first argument.
const FIRST_ARGUMENT_OFFSET: u32 = if cfg!(target_endian = "little") { 16 } else { 20 };

/// Sum of the parts of an instruction's code, as the headers have them.
const LOAD: u16 = 0x20;
const JUMP: u16 = 0x05;
const JUMP_IF_EQUAL: u16 = 0x15;
const JUMP_IF_GREATER: u16 = 0x25;
const JUMP_IF_AT_LEAST: u16 = 0x35;
const RETURN: u16 = 0x06;

const ALLOW: u32 = 0x7fff_0000;
const TRACE: u32 = libc::SECCOMP_RET_TRACE;
const NOTIFY: u32 = libc::SECCOMP_RET_USER_NOTIF;

impl SeccompFilter {
    /// The filter that hands `chosen` to a tracer.
    pub fn handing_over(chosen: Chosen<'_>) -> Self {
        Self::answering(chosen, TRACE)
    }

    /// The filter that hands every call to a tracer, unless it is made at one of `passing_at`.
    pub fn handing_over_all(passing_at: &[u64]) -> Self {
        let mut program = Vec::new();
        pass_at(&mut program, passing_at);
        program.push(answer(TRACE));
        Self { program }
    }

    /// The filter at which `chosen` wait for the word of a supervisor.
    pub fn notifying(chosen: Chosen<'_>) -> Self {
        Self::answering(chosen, NOTIFY)
    }

    /// What a filter adds to a call that it lets pass by its place, which it looks at first, in ns: the median of many
    /// rounds in two threads that take turns, one of which takes such a filter upon itself. Not the fastest: behind
    /// a call's own work the filter's is not in the CPU's caches, and what passes it in a program is no loop of it.
    /// `None` where the kernel refuses the filter.
    pub fn passing_cost_ns(call: PassingCall) -> Option<f64> {
        const ROUNDS: usize = 301;
        // The instructions that such a call comes to; here it passes from wherever it is made.
        let mut filter = Self { program: Vec::new() };
        pass_at(&mut filter.program, &[0]);
        for instruction in &mut filter.program {
            instruction.jf = 0;
        }
        let asked = File::open("/").ok()?;
        std::thread::scope(|scope| {
            let mut sides = Vec::new();
            for filter in [None, Some(filter)] {
                let ((go, begins), (tells, told)) = (channel::<()>(), channel::<f64>());
                let asked = &asked;
                std::thread::Builder::new()
                    .spawn_scoped(scope, move || {
                        let is_refused = filter
                            .is_some_and(|filter| matches!(filter.install(), FilterOutcome::Refused(_)));
                        while !is_refused && begins.recv().is_ok() {
                            if tells.send(round_ns(asked, call)).is_err() {
                                break;
                            }
                        }
                    })
                    .ok()?;
                sides.push((go, told));
            }
            let mut differences = Vec::with_capacity(ROUNDS);
            for _ in 0..ROUNDS {
                let mut times = sides.iter().map(|(go, told)| {
                    go.send(()).ok()?;
                    told.recv().ok()
                });
                let (without, with) = (times.next()??, times.next()??);
                differences.push(with - without);
            }
            differences.sort_by(f64::total_cmp);
            Some(differences[ROUNDS / 2].max(0.0))
        })
    }

    fn answering(chosen: Chosen<'_>, action: u32) -> Self {
        let mut program = Vec::new();
        if chosen.place_first {
            pass_at(&mut program, chosen.passing_at);
        }
        program.push(load(ARCHITECTURE_OFFSET));
        program.push(jump(JUMP_IF_EQUAL, chosen.architecture, 1, 0));
        program.push(answer(action));
        program.push(load(NUMBER_OFFSET));
        for (number, argument) in chosen.by_first_argument {
            program.push(jump(JUMP_IF_EQUAL, *number, 0, 4));
            program.push(load(FIRST_ARGUMENT_OFFSET));
            program.push(jump(JUMP_IF_EQUAL, *argument, 0, 1));
            program.push(answer(action));
            program.push(answer(ALLOW));
        }
        // Numbers of the other form of calls in 64-bit mode (x32) are handed over.
        program.push(jump(JUMP_IF_AT_LEAST, X32_BIT, 0, 1));
        program.push(answer(action));
        let mut to_chosen = Vec::new();
        search(&mut program, &ranges(chosen.calls), 0, (action, &mut to_chosen));
        if chosen.passing_at.is_empty() || chosen.place_first {
            return Self { program };
        }
        for from in to_chosen {
            program[from] = skip(program.len() - from - 1);
        }
        pass_at(&mut program, chosen.passing_at);
        program.push(answer(action));
        Self { program }
    }

    /// Takes the filter upon the calling thread and what it will make or execute.
    ///
    /// It makes nothing but system calls, so that it may be called between fork and exec.
    pub(crate) fn install(&self) -> FilterOutcome {
        self.install_with(MITIGATIONS_AS_BEFORE)
    }

    /// The same for calls that wait for a supervisor: a descriptor at which it hears of them is
    /// opened in the calling process, closed at its exec.
    pub(crate) fn install_with_listener(&self) -> FilterOutcome {
        self.install_with(MITIGATIONS_AS_BEFORE | libc::SECCOMP_FILTER_FLAG_NEW_LISTENER)
    }

    fn install_with(&self, flags: libc::c_ulong) -> FilterOutcome {
        match self.take(flags) {
            Ok(()) => FilterOutcome::Installed,
            // Without CAP_SYS_ADMIN it is allowed only to who can gain nothing by an exec.
            Err(Errno::ACCESS) => match give_up_new_privileges().and_then(|()| self.take(flags)) {
                Ok(()) => FilterOutcome::InstalledWithoutNewPrivileges,
                Err(errno) => FilterOutcome::Refused(errno),
            },
            Err(errno) => FilterOutcome::Refused(errno),
        }
    }

    fn take(&self, flags: libc::c_ulong) -> Result<(), Errno> {
        let length = u16::try_from(self.program.len()).map_err(|_| Errno::INVAL)?;
        let program = libc::sock_fprog { len: length, filter: self.program.as_ptr().cast_mut() };
        // SAFETY: the kernel reads `len` instructions from `filter`, which are there.
        let outcome = unsafe {
            libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program)
        };
        if outcome >= 0 { Ok(()) } else { Err(last_errno()) }
    }
}

impl std::fmt::Debug for SeccompFilter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SeccompFilter").field("instructions", &self.program.len()).finish()
    }
}

/// `SECCOMP_FILTER_FLAG_SPEC_ALLOW`: the filter is no sandbox, and what kernels do
/// against spying out of one makes every switch to the tracer dearer.
const MITIGATIONS_AS_BEFORE: libc::c_ulong = 4;
const X32_BIT: u32 = 0x4000_0000;

/// Looks a number up in ranges that ascend, of which it is known to be `from` or above: each half of them is left
/// aside by one comparison, so that a call of a high number takes as long as one of a low number. What is in one is
/// answered, and where that stands is noted; all others are allowed.
fn search(
    program: &mut Vec<libc::sock_filter>,
    ranges: &[(u32, u32)],
    from: u32,
    (action, to_chosen): (u32, &mut Vec<usize>),
) {
    match ranges {
        [] => program.push(answer(ALLOW)),
        [(first, last)] => {
            if *first > from {
                program.push(jump(JUMP_IF_AT_LEAST, *first, 1, 0));
                program.push(answer(ALLOW));
            }
            program.push(jump(JUMP_IF_GREATER, *last, 0, 1));
            program.push(answer(ALLOW));
            to_chosen.push(program.len());
            program.push(answer(action));
        }
        _ => {
            let (low, high) = ranges.split_at(ranges.len() / 2);
            let middle = high[0].0;
            program.push(jump(JUMP_IF_AT_LEAST, middle, 1, 0));
            let to_low = program.len();
            program.push(answer(ALLOW));
            search(program, high, middle, (action, to_chosen));
            program[to_low] = skip(program.len() - to_low - 1);
            search(program, low, from, (action, to_chosen));
        }
    }
}

/// Allows what is made at these addresses.
fn pass_at(program: &mut Vec<libc::sock_filter>, addresses: &[u64]) {
    for address in addresses {
        let halves = [address & u64::from(u32::MAX), address >> 32];
        let halves = halves.map(|half| u32::try_from(half).unwrap_or(u32::MAX));
        program.push(load(INSTRUCTION_OFFSETS[0]));
        program.push(jump(JUMP_IF_EQUAL, halves[0], 0, 3));
        program.push(load(INSTRUCTION_OFFSETS[1]));
        program.push(jump(JUMP_IF_EQUAL, halves[1], 0, 1));
        program.push(answer(ALLOW));
    }
}

/// What each of many such calls takes.
fn round_ns(asked: &File, call: PassingCall) -> f64 {
    const CALLS: u32 = 100;
    let begun = monotonic_ns();
    for _ in 0..CALLS {
        match call {
            PassingCall::Open => {
                let flags = rustix::fs::OFlags::CLOEXEC;
                let _ = rustix::fs::open("/usr/bin/there-is-no-such-file", flags, rustix::fs::Mode::empty());
            }
            // Whether it is there is the same to the filter.
            PassingCall::Path => drop(rustix::fs::stat("/usr/bin/env")),
            PassingCall::Descriptor => drop(rustix::fs::tell(asked)),
        }
    }
    (monotonic_ns() - begun) as f64 / f64::from(CALLS)
}

fn give_up_new_privileges() -> Result<(), Errno> {
    // SAFETY: this request takes numbers alone.
    let outcome = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1_u64, 0_u64, 0_u64, 0_u64) };
    if outcome == 0 { Ok(()) } else { Err(last_errno()) }
}

/// Numbers as ranges, ascending.
fn ranges(numbers: &[u32]) -> Vec<(u32, u32)> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for number in sorted {
        match ranges.last_mut() {
            Some((_, last)) if number <= last.saturating_add(1) => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    ranges
}

fn load(offset: u32) -> libc::sock_filter {
    libc::sock_filter { code: LOAD, jt: 0, jf: 0, k: offset }
}

fn jump(code: u16, operand: u32, skip_if_true: u8, skip_if_false: u8) -> libc::sock_filter {
    libc::sock_filter { code, jt: skip_if_true, jf: skip_if_false, k: operand }
}

/// Goes on behind so many instructions.
fn skip(instructions: usize) -> libc::sock_filter {
    let skipped = u32::try_from(instructions).unwrap_or(u32::MAX);
    libc::sock_filter { code: JUMP, jt: 0, jf: 0, k: skipped }
}

fn answer(action: u32) -> libc::sock_filter {
    libc::sock_filter { code: RETURN, jt: 0, jf: 0, k: action }
}

fn last_errno() -> Errno {
    Errno::from_io_error(&io::Error::last_os_error()).unwrap_or(Errno::IO)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: u32 = 0xC000_003E;
    const CALLS: [u32; 6] = [0, 1, 2, 3, 257, 437];

    /// Runs a filter as the kernel does.
    fn decide(filter: &SeccompFilter, architecture: u32, number: u32, argument: u32) -> u32 {
        decide_at(filter, architecture, number, argument, 0)
    }

    fn decide_at(filter: &SeccompFilter, architecture: u32, number: u32, argument: u32, at: u64) -> u32 {
        let (mut accumulator, mut next) = (0, 0);
        loop {
            let instruction = filter.program[next];
            next += 1;
            let taken = match instruction.code {
                LOAD => {
                    accumulator = match instruction.k {
                        NUMBER_OFFSET => number,
                        ARCHITECTURE_OFFSET => architecture,
                        FIRST_ARGUMENT_OFFSET => argument,
                        offset if offset == INSTRUCTION_OFFSETS[0] => (at & 0xffff_ffff) as u32,
                        offset if offset == INSTRUCTION_OFFSETS[1] => (at >> 32) as u32,
                        other => panic!("loads from {other}"),
                    };
                    continue;
                }
                JUMP => {
                    next += instruction.k as usize;
                    continue;
                }
                RETURN => return instruction.k,
                JUMP_IF_EQUAL => accumulator == instruction.k,
                JUMP_IF_GREATER => accumulator > instruction.k,
                JUMP_IF_AT_LEAST => accumulator >= instruction.k,
                other => panic!("no such instruction: {other}"),
            };
            next += usize::from(if taken { instruction.jt } else { instruction.jf });
        }
    }

    fn filter() -> SeccompFilter {
        SeccompFilter::handing_over(Chosen {
            architecture: HERE,
            calls: &CALLS,
            by_first_argument: &[(157, 22)],
            passing_at: &[],
            place_first: false,
        })
    }

    #[test]
    fn chosen_calls_of_one_place_pass() {
        let at = 0x7_0000_0123;
        let chosen = Chosen {
            architecture: HERE,
            calls: &CALLS,
            by_first_argument: &[(157, 22)],
            passing_at: &[at],
            place_first: false,
        };
        let filter = SeccompFilter::handing_over(chosen);
        let first = SeccompFilter::handing_over(Chosen { place_first: true, ..chosen });
        for number in 0..1000 {
            for at in [at, 0, 0x123, at + 1] {
                let [by_number, by_place] =
                    [&filter, &first].map(|filter| decide_at(filter, HERE, number, 7, at));
                assert_eq!(by_place, by_number, "{number} at {at:#x}");
            }
            let chosen = if CALLS.contains(&number) { TRACE } else { ALLOW };
            assert_eq!(decide_at(&filter, HERE, number, 7, at), ALLOW, "{number}");
            for elsewhere in [0, 0x123, at + 1, 0x8_0000_0123] {
                assert_eq!(decide_at(&filter, HERE, number, 7, elsewhere), chosen, "{number}");
            }
        }
        assert_eq!(decide_at(&filter, HERE, 157, 22, at), TRACE, "followed wherever it is made");
        assert_eq!(decide_at(&filter, 0x4000_0003, 3, 0, at), TRACE);
    }

    #[test]
    fn to_pass_a_filter_takes_a_time() {
        for call in [PassingCall::Open, PassingCall::Path, PassingCall::Descriptor] {
            // What a busy machine measures is only known to be a time.
            let cost = SeccompFilter::passing_cost_ns(call);
            assert!(cost.is_none_or(|ns| ns.is_finite() && ns >= 0.0), "{cost:?}");
        }
    }

    #[test]
    fn chosen_calls_are_handed_over_and_no_other() {
        let filter = filter();
        for number in 0..1000 {
            let expected = if CALLS.contains(&number) { TRACE } else { ALLOW };
            assert_eq!(decide(&filter, HERE, number, 7), expected, "{number}");
        }
        assert_eq!(decide(&filter, HERE, 157, 22), TRACE);
        assert_eq!(decide(&filter, HERE, 157, 21), ALLOW);
    }

    #[test]
    fn calls_of_other_architectures_are_handed_over() {
        let filter = filter();
        assert_eq!(decide(&filter, 0x4000_0003, 500, 0), TRACE);
        assert_eq!(decide(&filter, HERE, X32_BIT + 500, 0), TRACE);
    }

    #[test]
    fn numbers_that_follow_each_other_are_one_range() {
        assert_eq!(ranges(&[7, 2, 3, 3, 1]), [(1, 3), (7, 7)]);
        assert_eq!(ranges(&[]), []);
    }
}
