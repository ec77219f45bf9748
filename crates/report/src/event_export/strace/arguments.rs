//! Arguments of every call in the order of its manual page.

mod memory_and_processes;

use super::quoted::push_quoted;
use super::words;
use fathom_events::{
    ControlCommand, FileAction, FileEvent, FileFacts, FileKind, OpenFlags, PathId, PathTable, Shape, Target,
    Whence, shape_of,
};
use memory_and_processes::memory_and_processes;
use std::io::Write as _;

const CREATES: u32 = 0x40;
const TEMPORARY: u32 = 0x41_0000;
const NO_FOLLOW: &str = "AT_SYMLINK_NOFOLLOW";
const ITSELF: &str = "AT_EMPTY_PATH";

/// A list that is being written.
struct List<'a> {
    line: &'a mut Vec<u8>,
    paths: &'a PathTable,
    is_first: bool,
}

impl List<'_> {
    fn next(&mut self) {
        if !std::mem::take(&mut self.is_first) {
            self.line.extend_from_slice(b", ");
        }
    }

    fn word(&mut self, word: &str) {
        self.next();
        self.line.extend_from_slice(word.as_bytes());
    }

    fn number(&mut self, number: impl std::fmt::Display) {
        self.next();
        let _infallible = write!(self.line, "{number}");
    }

    fn hexadecimal(&mut self, number: u64) {
        self.next();
        let _infallible = write!(self.line, "{number:#x}");
    }

    fn octal(&mut self, number: u32) {
        self.next();
        let _infallible = if number == 0 { write!(self.line, "0") } else { write!(self.line, "0{number:o}") };
    }

    fn unknown(&mut self, count: usize) {
        for _ in 0..count {
            self.word("?");
        }
    }

    fn path(&mut self, path: PathId) {
        self.next();
        push_quoted(self.line, self.paths.path(path));
    }

    fn path_or_unknown(&mut self, path: Option<PathId>) {
        match path {
            Some(path) => self.path(path),
            None => self.unknown(1),
        }
    }

    fn directory(&mut self, directory: i32) {
        if directory == Target::CURRENT_DIRECTORY { self.word("AT_FDCWD") } else { self.number(directory) }
    }

    /// By path alone, or by descriptor alone: `stat`, `fstat`.
    fn plain(&mut self, target: &Target) {
        match target {
            Target::Descriptor(descriptor) => self.number(*descriptor),
            Target::Path { path, .. } => self.path(*path),
        }
    }

    /// By a directory's descriptor and a path below it.
    fn below(&mut self, target: &Target) {
        match target {
            Target::Descriptor(descriptor) => {
                self.number(*descriptor);
                self.word("\"\"");
            }
            Target::Path { directory, path, .. } => {
                self.directory(*directory);
                self.path(*path);
            }
        }
    }

    /// Either, as the call's name says it.
    fn target(&mut self, target: &Target, is_below: bool) {
        if is_below { self.below(target) } else { self.plain(target) }
    }
}

/// Appends what stands between a call's brackets.
pub(super) fn push_arguments(line: &mut Vec<u8>, event: &FileEvent, paths: &PathTable) {
    let mut list = List { line, paths, is_first: true };
    let call = event.call;
    let is_below = shape_of(call).is_some_and(Shape::is_below_directory);
    match &event.action {
        FileAction::Open { target, flags, mode } => open(&mut list, call, target, *flags, *mode),
        FileAction::Close { descriptor } | FileAction::Sync { descriptor: Some(descriptor), .. } => {
            list.number(*descriptor);
        }
        FileAction::Sync { descriptor: None, .. } => {}
        FileAction::CloseRange { first, last, mark_only } => {
            list.number(first);
            list.number(last);
            list.word(if *mark_only { "CLOSE_RANGE_CLOEXEC" } else { "0" });
        }
        FileAction::Read { descriptor, bytes, offset, pieces }
        | FileAction::Write { descriptor, bytes, offset, pieces } => {
            transfer(&mut list, call, *descriptor, *bytes, *offset, *pieces);
        }
        FileAction::Seek { descriptor, offset, whence } => {
            list.number(*descriptor);
            list.number(offset);
            list.word(match whence {
                Whence::Start => "SEEK_SET",
                Whence::Current => "SEEK_CUR",
                Whence::End => "SEEK_END",
                Whence::DataOrHole => "SEEK_DATA",
            });
        }
        FileAction::StatFileSystem { target } | FileAction::GetAttribute { target } => {
            list.plain(target);
            list.unknown(1);
        }
        FileAction::Duplicate { descriptor, to, close_on_exec } => {
            list.number(*descriptor);
            match (call, to) {
                ("fcntl" | "fcntl64", _) => {
                    list.word(if *close_on_exec { "F_DUPFD_CLOEXEC" } else { "F_DUPFD" });
                    list.unknown(1);
                }
                (_, Some(to)) => list.number(*to),
                _ => {}
            }
            if call == "dup3" {
                list.word(if *close_on_exec { "O_CLOEXEC" } else { "0" });
            }
        }
        FileAction::Control { descriptor, command } => control(&mut list, *descriptor, *command),
        FileAction::DeviceControl { descriptor, request } => {
            list.number(*descriptor);
            if *request == 0x5401 {
                list.word("TCGETS");
            } else {
                list.hexadecimal(u64::from(*request));
            }
            list.unknown(1);
        }
        FileAction::Lock { descriptor } => {
            list.number(*descriptor);
            list.unknown(1);
        }
        FileAction::Watch { descriptor, add } => {
            list.unknown(1);
            list.word(if *add { "EPOLL_CTL_ADD" } else { "EPOLL_CTL_DEL" });
            list.number(*descriptor);
            list.unknown(1);
        }
        action => on_names(&mut list, call, is_below, action),
    }
}

/// Calls that name files.
fn on_names(list: &mut List<'_>, call: &str, is_below: bool, action: &FileAction) {
    match action {
        FileAction::Stat { target, facts, mask } => stat(list, call, target, facts.as_deref(), *mask),
        FileAction::Access { target, mode } => {
            list.target(target, is_below);
            list.word(&words::bits(*mode, &words::ACCESS, "F_OK"));
            if call == "faccessat2" {
                list.word(at_flags(target));
            }
        }
        FileAction::ReadLink { target, to } => {
            list.target(target, is_below);
            list.path_or_unknown(*to);
            list.unknown(1);
        }
        FileAction::List { descriptor, entries, .. } => {
            list.number(*descriptor);
            list.next();
            let _infallible = match entries {
                Some(entries) => write!(list.line, "0x0 /* {entries} entries */"),
                None => write!(list.line, "?"),
            };
            list.unknown(1);
        }
        FileAction::MakeDirectory { target, mode } => {
            list.target(target, is_below);
            list.octal(*mode);
        }
        FileAction::Remove { target, directory } => {
            list.target(target, is_below);
            if is_below {
                list.word(if *directory { "AT_REMOVEDIR" } else { "0" });
            }
        }
        FileAction::Rename { from, to, flags } => {
            list.target(from, is_below);
            list.target(to, is_below);
            if call == "renameat2" {
                list.word(&words::bits(*flags, &words::RENAME, "0"));
            }
        }
        FileAction::Link { from, to } => {
            list.target(from, is_below);
            list.target(to, is_below);
            if is_below {
                list.word(match from {
                    Target::Descriptor(_) => ITSELF,
                    Target::Path { follow: true, .. } => "AT_SYMLINK_FOLLOW",
                    Target::Path { .. } => "0",
                });
            }
        }
        FileAction::SymbolicLink { to, target } => {
            list.path(*to);
            list.target(target, is_below);
        }
        FileAction::Truncate { target, bytes } => {
            list.plain(target);
            list.number(bytes);
        }
        FileAction::Allocate { descriptor, mode } => {
            list.number(*descriptor);
            list.hexadecimal(u64::from(*mode));
            list.unknown(2);
        }
        FileAction::ChangeMode { target, mode } => {
            list.target(target, is_below);
            list.octal(*mode);
            if call == "fchmodat2" {
                list.word(at_flags(target));
            }
        }
        FileAction::ChangeAttributes { target } => {
            list.target(target, is_below);
            match call {
                "fchownat" => {
                    list.unknown(2);
                    list.word(at_flags(target));
                }
                "utimensat" => {
                    list.unknown(1);
                    list.word(at_flags(target));
                }
                _ => {}
            }
        }
        action => memory_and_processes(list, call, action),
    }
}

fn open(list: &mut List<'_>, call: &str, target: &Target, flags: OpenFlags, mode: u32) {
    let has_mode = flags.0 & CREATES != 0 || flags.0 & TEMPORARY == TEMPORARY;
    match call {
        "creat" => {
            list.plain(target);
            list.octal(mode);
        }
        "openat2" => {
            list.below(target);
            let mode = if has_mode { format!(", mode=0{mode:o}") } else { String::new() };
            list.word(&format!("{{flags={}{mode}, resolve=0}}", words::open_flags(flags.0)));
            list.unknown(1);
        }
        _ => {
            list.target(target, call != "open");
            list.word(&words::open_flags(flags.0));
            if has_mode {
                list.octal(mode);
            }
        }
    }
}

fn transfer(list: &mut List<'_>, call: &str, descriptor: i32, bytes: u64, offset: Option<u64>, pieces: u32) {
    list.number(descriptor);
    if call.contains('v') {
        list.word(&format!(
            "[{{iov_base=\"\"..., iov_len={bytes}}}{}]",
            if pieces > 1 { ", ..." } else { "" }
        ));
        list.number(pieces);
    } else {
        list.word("\"\"...");
        list.number(bytes);
    }
    if call.starts_with('p') {
        match offset {
            Some(offset) => list.number(offset),
            None => list.word("-1"),
        }
    }
}

fn stat(list: &mut List<'_>, call: &str, target: &Target, facts: Option<&FileFacts>, mask: u32) {
    match call {
        "statx" => {
            list.below(target);
            list.word(at_flags(target));
            list.word(&words::bits(mask, &words::STATX, "0"));
        }
        "newfstatat" | "fstatat64" => list.below(target),
        _ => list.plain(target),
    }
    match facts {
        Some(facts) => list.word(&structure(facts, call == "statx")),
        None => list.unknown(1),
    }
    if matches!(call, "newfstatat" | "fstatat64") {
        list.word(at_flags(target));
    }
}

/// What a file's facts look like: fields of `struct stat`, or those of `struct statx`.
fn structure(facts: &FileFacts, extended: bool) -> String {
    let prefix = if extended { "stx" } else { "st" };
    let mut fields = Vec::new();
    if let Some(identity) = facts.identity {
        let device = identity.device;
        let major = (device >> 8) & 0xfff | (device >> 32) & !0xfff;
        let minor = device & 0xff | (device >> 12) & !0xff;
        if extended {
            fields.push(format!("stx_dev_major={major:#x}, stx_dev_minor={minor:#x}"));
        } else {
            fields.push(format!("st_dev=makedev({major:#x}, {minor:#x})"));
        }
        fields.push(format!("{prefix}_ino={}", identity.inode));
    }
    let kind = facts.kind.map(|kind| match kind {
        FileKind::Regular => "S_IFREG",
        FileKind::Directory => "S_IFDIR",
        FileKind::Link => "S_IFLNK",
        FileKind::Character => "S_IFCHR",
        FileKind::Block => "S_IFBLK",
        FileKind::Pipe => "S_IFIFO",
        FileKind::Socket => "S_IFSOCK",
    });
    if let (Some(kind), Some(permissions)) = (kind, facts.permissions) {
        fields.push(format!("{prefix}_mode={kind}|0{permissions:o}"));
    }
    if let Some(owner) = facts.owner {
        fields.push(format!("{prefix}_uid={owner}"));
    }
    if let Some(size) = facts.size_bytes {
        fields.push(format!("{prefix}_size={size}"));
    }
    for (name, ns) in [("mtime", facts.modified_ns), ("ctime", facts.changed_ns)] {
        let Some(ns) = ns else { continue };
        let (seconds, rest) = (ns.div_euclid(1_000_000_000), ns.rem_euclid(1_000_000_000));
        if extended {
            fields.push(format!("stx_{name}={{tv_sec={seconds}, tv_nsec={rest}}}"));
        } else {
            fields.push(format!("st_{name}={seconds}, st_{name}_nsec={rest}"));
        }
    }
    format!("{{{}}}", if fields.is_empty() { "...".to_owned() } else { fields.join(", ") })
}

fn control(list: &mut List<'_>, descriptor: i32, command: ControlCommand) {
    list.number(descriptor);
    match command {
        ControlCommand::GetDescriptorFlags => list.word("F_GETFD"),
        ControlCommand::SetDescriptorFlags { close_on_exec } => {
            list.word("F_SETFD");
            list.word(if close_on_exec { "FD_CLOEXEC" } else { "0" });
        }
        ControlCommand::GetStatusFlags => list.word("F_GETFL"),
        ControlCommand::SetStatusFlags(flags) => {
            list.word("F_SETFL");
            list.word(&words::open_flags(flags.0));
        }
        // Which of the locks, and of what, events do not tell.
        ControlCommand::Lock => list.word("F_SETLK"),
        ControlCommand::Other(number) => list.number(number),
    }
}

fn position(list: &mut List<'_>, offset: Option<u64>) {
    match offset {
        Some(offset) => list.word(&format!("[{offset}]")),
        None => list.word("NULL"),
    }
}

fn at_flags(target: &Target) -> &'static str {
    match target {
        Target::Descriptor(_) => ITSELF,
        Target::Path { follow: false, .. } => NO_FOLLOW,
        Target::Path { .. } => "0",
    }
}
