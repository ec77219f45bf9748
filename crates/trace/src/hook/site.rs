//! A place in a program where calls are made, and how it is patched.
//!
//! The two bytes of `syscall` and three more become a jump. What those three belong to must be
//! whole instructions of a known kind, one or two, and each byte of the patch where one of them
//! began is an `int3`: whoever lands there all the same (a thread that was inside the call, a
//! jump that nobody knew of) traps, and the tracer sends it to the instruction's copy.

use iced_x86::{Decoder, DecoderOptions, FlowControl, Mnemonic};

/// Bytes of a site that are looked at.
pub(super) const LOOKED_AT: usize = 2 + 15;
const SYSCALL: [u8; 2] = [0x0f, 0x05];
pub(super) const JUMP_BYTES: usize = 5;
pub(super) const BREAKPOINT: u8 = 0xcc;
/// Room for one trampoline.
pub(super) const SLOT: u64 = 64;
/// A region of trampolines; of every 64 KiB of it, 256 bytes suit a site.
pub(super) const REGION_BYTES: u64 = 1 << 20;
const SUITING_EVERY: u64 = 1 << 16;
const SUITING_BYTES: u64 = 256;
/// In a trampoline: its own call, which the filter hands over, and what comes after it.
pub(super) const SLOW: u64 = 14;
pub(super) const DONE: u64 = 16;
/// The copy of the instruction that the patch covers.
pub(super) const MOVED: u64 = 23;

/// Instructions that mean the same wherever they stand, unless they speak of memory by their own place.
const MOVABLE: [Mnemonic; 13] = [
    Mnemonic::Cmp,
    Mnemonic::Mov,
    Mnemonic::Test,
    Mnemonic::Movsxd,
    Mnemonic::Movzx,
    Mnemonic::Lea,
    Mnemonic::Add,
    Mnemonic::Sub,
    Mnemonic::Neg,
    Mnemonic::Xor,
    Mnemonic::And,
    Mnemonic::Or,
    Mnemonic::Not,
];

/// The instructions that a patch covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Covered {
    /// How long they are together.
    pub(super) length: usize,
    /// The second begins with the last byte of the patch.
    pub(super) has_second: bool,
}

/// In the instructions that a patch covers: the second one, where there are two.
pub(super) const SECOND: u64 = 2;

/// What follows a call, when the site may be patched. `before` is the byte before it, which must be
/// no prefix of it.
pub(super) fn covered(before: u8, bytes: &[u8; LOOKED_AT]) -> Option<Covered> {
    let is_prefix =
        matches!(before, 0x26 | 0x2e | 0x36 | 0x3e | 0x40..=0x4f | 0x64..=0x67 | 0xf0 | 0xf2 | 0xf3);
    if bytes[..2] != SYSCALL || is_prefix {
        return None;
    }
    let first = movable_length(&bytes[2..])?;
    if first >= JUMP_BYTES - 2 {
        return Some(Covered { length: first, has_second: false });
    }
    // One of a single byte would have the second begin where the jump has no trap.
    let second = movable_length(&bytes[2 + first..]).filter(|_| first as u64 == SECOND)?;
    Some(Covered { length: first + second, has_second: true })
}

/// The decoder makes its tables when it is first asked.
pub(super) fn warm_up() {
    let _length = movable_length(&[0x89, 0xc2]);
}

fn movable_length(bytes: &[u8]) -> Option<usize> {
    let instruction = Decoder::new(64, bytes, DecoderOptions::NONE).decode();
    let is_known = !instruction.is_invalid()
        && MOVABLE.contains(&instruction.mnemonic())
        && instruction.flow_control() == FlowControl::Next
        && !instruction.is_ip_rel_memory_operand()
        && !instruction.has_lock_prefix();
    is_known.then(|| instruction.len())
}

/// Where in a region a trampoline for a site may stand.
pub(super) fn slots(site: u64, region: u64) -> impl Iterator<Item = u64> {
    let suiting = site.wrapping_add(JUMP_BYTES as u64 + u64::from(BREAKPOINT) * SUITING_BYTES);
    let first = region + suiting.wrapping_sub(region) % SUITING_EVERY;
    let windows = (0..REGION_BYTES / SUITING_EVERY).map(move |turn| first + turn * SUITING_EVERY);
    windows
        .flat_map(|window| {
            let aligned = window.next_multiple_of(SLOT);
            (0..SUITING_BYTES / SLOT).map(move |slot| (aligned + slot * SLOT, window + SUITING_BYTES))
        })
        .filter(move |(slot, end)| slot < end && slot + SLOT <= region + REGION_BYTES)
        .map(|(slot, _)| slot)
}

/// The middle of where trampolines may stand for sites whose jump ends in a trap.
pub(super) fn far_below(site: u64) -> u64 {
    // So far is a jump of which the highest byte is `int3`, give or take 8 MiB.
    site.wrapping_sub(0x3380_0000)
}

/// The jump from a site to a trampoline; `None` where it is too far, or lacks a trap.
pub(super) fn patch(site: u64, trampoline: u64, has_second: bool) -> Option<[u8; JUMP_BYTES]> {
    let far = trampoline.wrapping_sub(site + JUMP_BYTES as u64).cast_signed();
    let [first, second, third, fourth] = i32::try_from(far).ok()?.to_le_bytes();
    let has_traps = second == BREAKPOINT && (!has_second || fourth == BREAKPOINT);
    has_traps.then_some([0xe9, first, second, third, fourth])
}

/// A trampoline at an address: to the hook, or its own call; then the instruction that the patch
/// covers, and back.
pub(super) fn trampoline(at: u64, site: u64, moved: &[u8], entry_pointer: u64) -> Option<Vec<u8>> {
    let near =
        |from: u64, to: u64| i32::try_from(to.wrapping_sub(from).cast_signed()).ok().map(i32::to_le_bytes);
    let mut code = vec![0x4c, 0x8d, 0x1d]; // lea r11, [its own call]
    code.extend(near(at + 7, at + SLOW)?);
    code.extend([0xff, 0x24, 0x25]); // jmp [entry_pointer]
    code.extend(u32::try_from(entry_pointer).ok()?.to_le_bytes());
    code.extend(SYSCALL);
    code.extend([0x48, 0x8d, 0x0d]); // lea rcx, [where the call would have returned to]
    code.extend(near(at + MOVED, site + 2)?);
    code.extend(moved);
    let end = at + code.len() as u64 + 5;
    code.push(0xe9);
    code.extend(near(end, site + 2 + moved.len() as u64)?);
    (code.len() as u64 <= SLOT).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looked_at(after: &[u8]) -> [u8; LOOKED_AT] {
        let mut bytes = [0x90; LOOKED_AT];
        bytes[..2].copy_from_slice(&SYSCALL);
        bytes[2..2 + after.len()].copy_from_slice(after);
        bytes
    }

    #[test]
    fn only_whole_known_instructions_are_moved() {
        let length = |after: &[u8]| covered(0, &looked_at(after)).map(|covered| covered.length);
        assert_eq!(length(&[0x48, 0x3d, 0x00, 0xf0, 0xff, 0xff]), Some(6), "cmp rax, -4096");
        assert_eq!(length(&[0x89, 0x44, 0x24, 0x28]), Some(4), "mov [rsp+40], eax");
        assert_eq!(length(&[0x85, 0xc0]), None, "test eax, eax, and a nop");
        assert_eq!(length(&[0x85, 0xc0, 0x74, 0x05]), None, "test eax, eax, and je");
        assert_eq!(
            length(&[0x89, 0xc2, 0x3d, 0x00, 0xf0, 0xff, 0xff]),
            Some(7),
            "mov edx, eax; cmp eax, -4096"
        );
        assert_eq!(length(&[0x89, 0xc2, 0xf7, 0xda]), Some(4), "mov edx, eax; neg edx");
        assert_eq!(length(&[0x89, 0xc2, 0x8b, 0x05, 1, 0, 0, 0]), None, "mov edx, eax; mov eax, [rip+1]");
        assert_eq!(length(&[0xc3]), None, "ret");
        assert_eq!(length(&[0x48, 0x8b, 0x05, 1, 0, 0, 0]), None, "mov rax, [rip+1]");
        assert_eq!(length(&[0x0f, 0x84, 1, 0, 0, 0]), None, "je");
        assert_eq!(length(&[0xe8, 1, 0, 0, 0]), None, "call");
        assert_eq!(covered(0x66, &looked_at(&[0x48, 0x89, 0xc3])), None, "after a prefix");
        assert_eq!(covered(0, &[0x90; LOOKED_AT]), None, "no call is there");
    }

    #[test]
    fn every_slot_gives_a_patch_with_a_trap_where_the_instruction_began() {
        for site in [0x7fff_f7e9_1234_u64, 0x7fff_f7e9_fffd, 0x40_1000] {
            let region = (site & !0xffff) + 0x4000_0000;
            let all: Vec<_> = slots(site, region).collect();
            assert!(all.len() >= 48, "{}", all.len());
            for slot in all {
                assert_eq!(patch(site, slot, false).unwrap()[2], 0xcc);
                assert_eq!(patch(site, slot, true), None, "its last byte is no trap");
            }
            for slot in slots(site, far_below(site) & !0xffff).filter(|_| site > 0x4000_0000) {
                let patch = patch(site, slot, true).unwrap();
                assert_eq!((patch[2], patch[4]), (0xcc, 0xcc));
            }
        }
        assert_eq!(patch(0x40_1000, 0x7fff_0000_0000, false), None);
    }

    #[test]
    fn trampolines_stand_where_the_tracer_looks_for_their_parts() {
        let code = trampoline(0x1000, 0x5000, &[0x48, 0x89, 0xc3], 0x7000_1ff8).unwrap();
        let decoder = Decoder::with_ip(64, &code, 0x1000, DecoderOptions::NONE);
        let at: Vec<_> =
            decoder.into_iter().map(|instruction| (instruction.ip() - 0x1000, instruction)).collect();
        assert_eq!(at.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [0, 7, SLOW, DONE, MOVED, MOVED + 3]);
        assert_eq!(at[0].1.ip_rel_memory_address(), 0x1000 + SLOW);
        assert_eq!(at[3].1.ip_rel_memory_address(), 0x5002);
        assert_eq!(at[5].1.near_branch_target(), 0x5005);
    }
}
