//! Every call by its name, and which function reads the arguments of its shape.

use super::Decoding;
use fathom_events::{
    Advice, At, CallName, CloseOnExec, DescriptorKind, FileAction, Follow, LoggedShape, Shape, Target, calls,
};
use std::collections::HashMap;
use syscalls::Sysno;

/// Every call that is known by name: what its arguments are, if it is of the file path.
pub(in crate::strace_log) fn known_calls() -> HashMap<&'static [u8], Option<(CallName, Shape)>> {
    let others = Sysno::iter().map(|sysno| (sysno.name().as_bytes(), None));
    let others = others.chain(OF_32_BITS.map(|name| (name.as_bytes(), None)));
    let decoded = calls().filter(|(_, shape)| !matches!(shape, Shape::FilterCalls | Shape::Affinity));
    others.chain(decoded.map(|(name, shape)| (name.as_bytes(), Some((name, shape))))).collect()
}

/// Calls of 32-bit programs that are no file calls and have no name on 64 bits.
const OF_32_BITS: [&str; 24] = [
    "_newselect",
    "clock_gettime64",
    "clock_nanosleep_time64",
    "futex_time64",
    "getegid32",
    "geteuid32",
    "getgid32",
    "getgroups32",
    "getresgid32",
    "getresuid32",
    "getuid32",
    "ppoll_time64",
    "pselect6_time64",
    "recvmmsg_time64",
    "sched_rr_get_interval_time64",
    "set_thread_area",
    "setgid32",
    "setuid32",
    "sigaction",
    "sigprocmask",
    "sigreturn",
    "socketcall",
    "ugetrlimit",
    "waitpid",
];

/// A position where no call has an argument: none of its flags is set.
const NO_ARGUMENT: usize = 7;

impl Decoding<'_, '_> {
    /// Reads the arguments of a call of this shape; `None` where they are not understood.
    pub(in crate::strace_log) fn action(&mut self, shape: Shape) -> Option<FileAction> {
        use At::{Below, Descriptor, Path};
        match shape {
            Shape::Transfer { write, vector, offset } => self.transfer(write, vector, offset),
            Shape::Seek => self.seek(2),
            Shape::Logged(LoggedShape::LongSeek) => self.long_seek(),
            Shape::Truncate(at) => self.truncate(matches!(at, Descriptor(_))),
            Shape::Allocate => self.allocate(),
            Shape::Sync { one: true, data_only } => self.sync(data_only),
            Shape::Sync { one: false, .. } => Some(Self::sync_all()),
            Shape::CopyFileRange | Shape::Splice => self.copy(0, Some(1), 2, Some(3), 4),
            Shape::SendFile => self.copy(1, Some(2), 0, None, 3),
            Shape::Map => self.map(),
            Shape::Unmap => self.unmap(),
            Shape::Remap => self.remap(),
            Shape::AdviseMemory => self.advise_memory(),
            Shape::Advise => self.advise(),
            Shape::Logged(LoggedShape::AdviseEarly) => self.advise_after(1),
            Shape::ReadAhead => self.advise_as(Advice::WillNeed),
            Shape::List { .. } => self.list(),

            Shape::Close => self.close(),
            Shape::CloseRange => self.close_range(),
            Shape::Duplicate => self.duplicate(),
            Shape::DuplicateTo { flags } => self.duplicate_to(flags.is_some()),
            Shape::Control => self.control(),
            Shape::DeviceControl => self.control_device(),
            Shape::Lock => self.lock(),
            Shape::Watch => self.watch(),
            Shape::Make { kind, pair: Some(pair), close_on_exec } => {
                self.make_pair(kind, pair, flags_of(close_on_exec))
            }
            Shape::Make { kind, pair: None, close_on_exec: CloseOnExec::Always } => {
                self.make_closed_on_exec(kind)
            }
            Shape::Make { kind, pair: None, close_on_exec } => self.make(kind, flags_of(close_on_exec)),
            Shape::MakeSignals(close_on_exec) => self.make_signals(flags_of(close_on_exec)),
            Shape::MakeRing => self.make_closed_on_exec(DescriptorKind::Kernel),

            Shape::Open { at: Below(..), .. } => self.open_at(),
            Shape::Open { .. } => self.open(),
            Shape::OpenHow => self.open_how(),
            Shape::Create => self.create(),
            Shape::Stat { at: Below(..), .. } => self.stat_at(),
            Shape::Stat { at: Descriptor(_), .. } => self.stat_descriptor(),
            Shape::Stat { at: Path(_), follow, .. } => self.stat_path(follow == Follow::Always),
            Shape::ExtendedStat => self.stat_masked(),
            Shape::StatFileSystem(at) => self.stat_file_system(matches!(at, Descriptor(_))),
            Shape::Access { at: Below(..), .. } => self.access_at(),
            Shape::Access { .. } => self.access(),
            Shape::ReadLink { at: Below(..), .. } => self.read_link_at(),
            Shape::ReadLink { .. } => self.read_link(),
            Shape::MakeDirectory { at: Below(..), .. } => self.make_directory_at(),
            Shape::MakeDirectory { .. } => self.make_directory(),
            Shape::Remove { at: Below(..), .. } => self.remove_at(),
            Shape::Remove { directory, .. } => self.remove(directory),
            Shape::Rename { from: Below(..), .. } => self.rename_at(),
            Shape::Rename { .. } => self.rename(),
            Shape::Link { from: Below(..), .. } => self.link_at(),
            Shape::Link { .. } => self.link(),
            Shape::SymbolicLink { at } => self.symbolic_link(matches!(at, Below(..))),
            Shape::ChangeMode { at: Below(..), .. } => self.change_mode_at(),
            Shape::ChangeMode { at: Descriptor(_), .. } => self.change_mode_of_descriptor(),
            Shape::ChangeMode { at: Path(_), .. } => self.change_mode(),
            Shape::ChangeAttributes { at, follow } => {
                Some(FileAction::ChangeAttributes { target: self.target(at, follow)? })
            }
            Shape::GetAttribute { at, follow } => {
                Some(FileAction::GetAttribute { target: self.target(at, follow)? })
            }

            Shape::ChangeDirectory(Descriptor(_)) => self.go_to_descriptor(),
            Shape::ChangeDirectory(_) => self.go_to_path(),
            Shape::ChangeRoot => self.change_root(),
            Shape::CurrentDirectory => self.current_directory(),
            Shape::Mask => self.mask(),
            Shape::Clone | Shape::CloneWithStructure => self.clone_process(),
            Shape::Fork => Some(Self::fork()),
            Shape::Execute(Below(..)) => self.execute_at(),
            Shape::Execute(_) => self.execute(),
            Shape::Unshare => self.unshare(),
            Shape::Logged(LoggedShape::Exit { whole }) => self.exit(whole),
            Shape::Names(_) | Shape::Other | Shape::FilterCalls | Shape::Affinity => Some(FileAction::Other),
        }
    }

    fn transfer(&mut self, write: bool, vector: bool, offset: bool) -> Option<FileAction> {
        match (write, vector, offset) {
            (false, false, false) => self.read(),
            (false, false, true) => self.read_at(),
            (false, true, _) => self.read_pieces(offset.then_some(3)),
            (true, false, false) => self.write(),
            (true, false, true) => self.write_at(),
            (true, true, _) => self.write_pieces(offset.then_some(3)),
        }
    }

    /// The one file that a call is about, by what names it.
    fn target(&mut self, at: At, follow: Follow) -> Option<Target> {
        match at {
            At::Path(position) => self.path_target(position, follow != Follow::Never),
            At::Descriptor(position) => self.descriptor_target(position),
            At::Below(directory, _) => {
                let flags = match follow {
                    Follow::Unless(position) | Follow::If(position) => position,
                    Follow::Always | Follow::Never => NO_ARGUMENT,
                };
                let flags = self.at_flags(flags);
                self.target_with_flags(directory, flags)
            }
        }
    }
}

/// The argument that says whether a new descriptor is closed on exec.
fn flags_of(close_on_exec: CloseOnExec) -> Option<usize> {
    match close_on_exec {
        CloseOnExec::Bit(position, _) => Some(position),
        CloseOnExec::Never | CloseOnExec::Always => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_of_the_file_path_is_known_and_others_are_told_from_no_calls() {
        let known = known_calls();
        let followed = |name: &str| known[name.as_bytes()].map(|(name, _)| name);
        assert_eq!((followed("openat"), followed("stat64")), (Some("openat"), Some("stat64")));
        assert_eq!((followed("futex"), followed("seccomp")), (None, None));
        assert!(!known.contains_key(&b"no_such_call"[..]));
    }
}
