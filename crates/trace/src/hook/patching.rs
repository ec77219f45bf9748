//! Patching of a place: what has to hold before, and the room for the code that it jumps to.

use super::arena::{self, Arena};
use super::injection::Injection;
use super::{Hook, Site, Space, Trampoline, page, site};
use crate::tracee::StoppedThread;
use crate::witness::Memory;
use fathom_sys::mapping_query::mapping_at;
use rustix::process::Pid;
use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::sync::{Arc, Mutex};

const GIB: u64 = 1 << 30;
const REGISTER_PRIVATE_EXPEDITED_SYNC_CORE: u64 = 1 << 6;
const WRITES: &str = "its memory cannot be written";

impl Hook {
    /// Patches a place behind which a thread stands; where that cannot be, the place is left as it is
    /// for ever.
    pub(super) fn patch(&mut self, pid: Pid, site: u64) {
        let tid = pid.as_raw_nonzero().get();
        let Some(id) = self.threads.get(&tid).map(|thread| thread.space) else { return };
        let Some(mut space) = self.spaces.remove(&id) else { return };
        let reason = match look_at(pid, site) {
            Err(reason) => Some(reason),
            Ok(moved) => match Injection::begin(pid) {
                None => Some(WRITES),
                Some(mut injection) => {
                    let patched = self.patch_in(pid, &mut space, &mut injection, (site, &moved.0, moved.1));
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
        (site, moved, has_second): (u64, &[u8], bool),
    ) -> Result<(), &'static str> {
        const NOT_SHARED: &str = "a program that cannot be hooked";
        if space.arena.is_none() {
            if let Some(reason) = forbids(pid, injection.registers.gs_base) {
                space.given_up = true;
                self.refuse(reason.to_owned());
                return Err(NOT_SHARED);
            }
            match Arena::inject(pid, injection, &self.plan.page) {
                Ok(arena) => {
                    space.arena = Some(Arc::new(Mutex::new(arena)));
                    // Later, beside other threads, the kernel lets it wait for milliseconds.
                    injection
                        .call(libc::SYS_membarrier, [REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0, 0, 0, 0]);
                }
                Err(reason) => {
                    space.given_up = true;
                    self.refuse(reason);
                    return Err(NOT_SHARED);
                }
            }
        }
        let trampoline =
            find_slot(space, injection, (site, has_second)).ok_or("too far from room for more code")?;
        let code = site::trampoline(trampoline, site, moved, page::ENTRY_POINTER);
        let patch = site::patch(site, trampoline, has_second);
        let (Some(code), Some(patch)) = (code, patch) else { return Err("too far from room for more code") };
        let written = injection.write(trampoline, &code).map_err(|_| WRITES).and_then(|()| {
            if space.members > 1 {
                // The place itself is about to be none where calls can be made.
                injection.site = trampoline + site::SLOW;
                return write_beside_others(injection, site, patch, has_second);
            }
            // No other thread is there, and this one stands behind the call.
            injection.write(site, &patch).map_err(|_| WRITES)
        });
        written?;
        space.sites.insert(site, Site::Patched { trampoline, has_second });
        space.trampolines.insert(trampoline, Trampoline { site, moved: moved.len() as u64 });
        injection.registers.rip = trampoline + site::DONE;
        Ok(())
    }

    fn refuse(&mut self, reason: String) {
        if !self.tally.refusals.contains(&reason) {
            self.tally.refusals.push(reason);
        }
    }
}

/// Writes a patch while other threads may come to the place. A jump is never there in part: before any of
/// its bytes is written, all places where an instruction began trap, and every CPU has noticed. Who
/// comes meanwhile is sent on by the tracer ([`Hook::signal`]). The traps behind the first byte stay.
fn write_beside_others(
    injection: &mut Injection,
    site: u64,
    patch: [u8; site::JUMP_BYTES],
    has_second: bool,
) -> Result<(), &'static str> {
    const TRAP: [u8; 1] = [site::BREAKPOINT];
    let [first, second, _, fourth, fifth] = patch;
    // Nothing is written where the kernel cannot do this; the trampoline is there for all.
    if !synchronize(injection) {
        return Err("met while the process had several threads, and the kernel does not synchronize them");
    }
    let write = |at: u64, bytes: &[u8]| injection.write(site + at, bytes).map_err(|_| WRITES);
    write(0, &TRAP)?;
    write(2, &TRAP)?;
    if has_second {
        write(4, &TRAP)?;
    }
    // From here on all of it is written: the thread may be killed, and others share its memory.
    synchronize(injection);
    let write = |at: u64, bytes: &[u8]| injection.write(site + at, bytes).map_err(|_| WRITES);
    write(1, &[second])?;
    write(3, &[fourth, fifth])?;
    synchronize(injection);
    injection.write(site, &[first]).map_err(|_| WRITES)?;
    synchronize(injection);
    Ok(())
}

/// Has every CPU that runs a thread of this memory notice what was written to its code.
fn synchronize(injection: &mut Injection) -> bool {
    const PRIVATE_EXPEDITED_SYNC_CORE: u64 = 1 << 5;
    let mut barrier = |command: u64| injection.call(libc::SYS_membarrier, [command, 0, 0, 0, 0, 0]);
    barrier(PRIVATE_EXPEDITED_SYNC_CORE) == Some(0)
        || barrier(REGISTER_PRIVATE_EXPEDITED_SYNC_CORE) == Some(0)
            && barrier(PRIVATE_EXPEDITED_SYNC_CORE) == Some(0)
}

/// The instructions that a patch would cover, and whether there are two; or why there is to be none.
fn look_at(pid: Pid, site: u64) -> Result<(Vec<u8>, bool), &'static str> {
    const UNKNOWN: &str = "what follows the call is not on the list of what may be moved";
    if !is_text_of_a_file(pid, site) {
        return Err("code of no file, or that may be written");
    }
    let mut bytes = [0; 1 + site::LOOKED_AT];
    let read = StoppedThread(pid).copy(site.wrapping_sub(1), &mut bytes);
    let looked_at: &[u8; site::LOOKED_AT] = bytes[1..].try_into().map_err(|_| UNKNOWN)?;
    let covered = site::covered(bytes[0], looked_at).filter(|_| read == bytes.len()).ok_or(UNKNOWN)?;
    Ok((looked_at[2..2 + covered.length].to_vec(), covered.has_second))
}

/// True of an address in a private mapping of a file that may be executed and not written.
fn is_text_of_a_file(pid: Pid, address: u64) -> bool {
    let is_text = |mapping: &Mapped| mapping.is_private_text && mapping.is_of_a_file;
    mapped_at(pid, address).as_ref().is_some_and(is_text)
}

/// The mapping that an address lies in.
pub(super) struct Mapped {
    pub(super) range: Range<u64>,
    is_private_text: bool,
    is_of_a_file: bool,
}

/// Of a stopped process.
pub(super) fn mapped_at(pid: Pid, address: u64) -> Option<Mapped> {
    let mut maps = File::open(format!("/proc/{pid}/maps")).ok()?;
    if let Ok(found) = mapping_at(&maps, address) {
        return Some(Mapped {
            range: found.range,
            is_private_text: found.allows == [true, false, true] && !found.is_shared,
            is_of_a_file: found.inode != 0,
        });
    }
    // Older kernels give the list alone.
    let mut text = String::new();
    maps.read_to_string(&mut text).ok()?;
    text.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let (range, how, inode) = (words.next()?, words.next()?, words.nth(2)?);
        let (low, high) = range.split_once('-')?;
        let range = u64::from_str_radix(low, 16).ok()?..u64::from_str_radix(high, 16).ok()?;
        range.contains(&address).then(|| Mapped {
            range,
            is_private_text: how == "r-xp",
            is_of_a_file: inode != "0",
        })
    })
}

/// Why a program is not to be hooked.
fn forbids(pid: Pid, gs_base: u64) -> Option<&'static str> {
    const SET_ID: u32 = 0o6000;
    if gs_base != 0 {
        return Some("it uses gs itself");
    }
    let program = std::fs::metadata(format!("/proc/{pid}/exe")).ok();
    if program.is_some_and(|program| program.mode() & SET_ID != 0) {
        return Some("it is set-user-ID or set-group-ID");
    }
    let limits = std::fs::read_to_string(format!("/proc/{pid}/limits")).unwrap_or_default();
    limits_addresses(&limits).then_some("its address space is limited, and the hook would take 97 MiB of it")
}

/// By the text of `/proc/PID/limits`.
fn limits_addresses(limits: &str) -> bool {
    let soft =
        limits.lines().find_map(|line| line.strip_prefix("Max address space")?.split_whitespace().next());
    soft.is_some_and(|soft| soft != "unlimited")
}

/// Room for a trampoline near a site, in a region that the program makes where there is none.
fn find_slot(space: &mut Space, injection: &mut Injection, (site, has_second): (u64, bool)) -> Option<u64> {
    let used: HashSet<u64> = space.trampolines.keys().copied().collect();
    let free = |region: u64| {
        site::slots(site, region)
            .find(|slot| !used.contains(slot) && site::patch(site, *slot, has_second).is_some())
    };
    if let Some(slot) = space.regions.iter().find_map(|region| free(*region)) {
        return Some(slot);
    }
    let near = site & !0xffff;
    let regions = if has_second {
        let middle = site::far_below(near);
        [middle.wrapping_sub(4 << 20), middle, middle.wrapping_add(4 << 20)]
    } else {
        [near.wrapping_sub(GIB), arena::END + (16 << 20), near.wrapping_add(GIB)]
    };
    for region in regions {
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

#[cfg(test)]
mod tests {
    use super::limits_addresses;

    #[test]
    fn an_address_space_has_a_limit_or_none() {
        let limits = |soft: &str| {
            format!(
                "Limit                     Soft Limit           Hard Limit           Units     \n\
                 Max cpu time              1                    unlimited            seconds   \n\
                 Max address space         {soft:<20} unlimited            bytes     \n"
            )
        };
        assert!(limits_addresses(&limits("4294967296")));
        assert!(!limits_addresses(&limits("unlimited")));
        assert!(!limits_addresses(""), "where it cannot be read");
    }
}
