//! Which calls of the file path may be made in the hook, and what has to be copied of each there.

use super::calls::{At, Calls, Shape};
use crate::call::Call;
use crate::hooking::{Copied, Length};
use std::mem::size_of;

/// No call has a number beyond this.
const MOST_CALLS: u32 = 512;
/// All of `statx`: what is answered from memory is all that the kernel would write.
const EXTENDED_STAT_BYTES: usize = size_of::<libc::statx>();
/// Of `openat2`: flags and mode.
const HOW_BYTES: usize = 16;

/// Calls by number with what is copied. Those that make threads or processes, execute, filter,
/// speak of CPUs or set up `io_uring` are not among them, nor what has no arguments of its own.
pub(super) fn calls(calls: &Calls) -> Vec<(u32, Copied)> {
    calls.shapes().filter_map(|(number, shape)| Some((number, copied(shape)?))).collect()
}

/// Of the calls that are none of the file path, those that have to be made at their place: they do not
/// return, return elsewhere, or change who is watched and how.
const AT_THEIR_PLACE: [&str; 8] =
    ["exit", "exit_group", "rt_sigreturn", "restart_syscall", "arch_prctl", "modify_ldt", "ptrace", "setns"];

/// All calls that have a name, for who counts every one.
pub(crate) fn every_call() -> Vec<(u32, Copied)> {
    let of_files = Calls::new();
    let may_be_hooked = |number: u32| {
        let call = Call { number: number.into(), foreign: false };
        if let Some((_, shape)) = of_files.find(call) {
            return copied(shape);
        }
        let name = call.name();
        let is_known = Call::named(&name).is_some();
        (is_known && !AT_THEIR_PLACE.contains(&name.as_ref())).then(Copied::default)
    };
    (0..MOST_CALLS).filter_map(|number| Some((number, may_be_hooked(number)?))).collect()
}

fn copied(shape: Shape) -> Option<Copied> {
    let none = Copied::default();
    let path = |at: At| Copied { paths: [position(at), None], ..none };
    let two = |from: At, to: At| {
        let mut positions = [position(from), position(to)];
        // The code copies a second path only after a first.
        if positions[0].is_none() {
            positions.swap(0, 1);
        }
        Copied { paths: positions, ..none }
    };
    Some(match shape {
        Shape::Open { at, .. }
        | Shape::StatFileSystem(at)
        | Shape::Access { at, .. }
        | Shape::MakeDirectory { at, .. }
        | Shape::Remove { at, .. }
        | Shape::Truncate(at)
        | Shape::ChangeMode { at, .. }
        | Shape::ChangeAttributes { at, .. }
        | Shape::GetAttribute { at, .. }
        | Shape::ChangeDirectory(at) => path(at),
        Shape::Create | Shape::ChangeRoot => path(At::Path(0)),
        Shape::OpenHow => Copied { left: Some((2, Length::Read(HOW_BYTES))), ..path(At::Below(0, 1)) },
        Shape::Transfer { vector: true, .. } => Copied { left: Some((1, Length::Pieces)), ..none },
        Shape::Stat { at, buffer, .. } => {
            Copied { left: Some((buffer, Length::Written(size_of::<libc::stat>()))), ..path(at) }
        }
        Shape::ExtendedStat => {
            Copied { left: Some((4, Length::Written(EXTENDED_STAT_BYTES))), ..path(At::Below(0, 1)) }
        }
        Shape::ReadLink { at, buffer } => Copied { left: Some((buffer, Length::Result)), ..path(at) },
        Shape::List { .. } => Copied { left: Some((1, Length::Result)), ..none },
        Shape::CurrentDirectory => Copied { left: Some((0, Length::Result)), ..none },
        Shape::Rename { from, to, .. } | Shape::Link { from, to, .. } => two(from, to),
        Shape::SymbolicLink { at } => two(At::Path(0), at),
        Shape::Make { pair: Some(pair), .. } => Copied { left: Some((pair, Length::Written(8))), ..none },
        // Offsets that a call moves on are read before it, by the tracer.
        Shape::CopyFileRange | Shape::Splice => Copied { zero: [Some(1), Some(3)], ..none },
        Shape::SendFile => Copied { zero: [Some(2), None], ..none },
        Shape::Close
        | Shape::CloseRange
        | Shape::Transfer { .. }
        | Shape::Seek
        | Shape::Allocate
        | Shape::Duplicate
        | Shape::DuplicateTo { .. }
        | Shape::Control
        | Shape::DeviceControl
        | Shape::Lock
        | Shape::Watch
        | Shape::Map
        | Shape::Unmap
        | Shape::Remap
        | Shape::AdviseMemory
        | Shape::Advise
        | Shape::ReadAhead
        | Shape::Sync { .. }
        | Shape::Mask
        | Shape::MakeSignals(_)
        | Shape::Make { pair: None, .. } => none,
        Shape::Clone
        | Shape::CloneWithStructure
        | Shape::Fork
        | Shape::Unshare
        | Shape::Execute(_)
        | Shape::Names(_)
        | Shape::Other
        | Shape::Logged(_)
        | Shape::MakeRing
        | Shape::FilterCalls
        | Shape::Affinity => return None,
    })
}

fn position(at: At) -> Option<usize> {
    match at {
        At::Descriptor(_) => None,
        At::Path(position) | At::Below(_, position) => Some(position),
    }
}
