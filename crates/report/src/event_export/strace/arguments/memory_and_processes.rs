//! Arguments of calls on memory, of copies between descriptors, and on processes.

use super::super::words;
use super::{List, at_flags, position};
use fathom_events::{Advice, DescriptorKind, FileAction};

pub(super) fn memory_and_processes(list: &mut List<'_>, call: &str, action: &FileAction) {
    match action {
        FileAction::Map { descriptor, offset, bytes, protection, flags } => {
            list.unknown(1);
            list.number(bytes);
            list.word(&words::bits(*protection, &words::PROTECTION, "PROT_NONE"));
            list.word(&words::bits(*flags, &words::MAP, "0"));
            list.number(descriptor.unwrap_or(-1));
            list.hexadecimal(*offset);
        }
        FileAction::Unmap { address, bytes } => {
            list.hexadecimal(*address);
            list.number(bytes);
        }
        FileAction::Remap { bytes } => {
            list.unknown(2);
            list.number(bytes);
            list.unknown(1);
        }
        FileAction::AdviseMemory { address, bytes, advice } => {
            list.hexadecimal(*address);
            list.number(bytes);
            list.word(&words::memory_advice(advice.0));
        }
        FileAction::Advise { descriptor, offset, bytes, advice } => {
            list.number(*descriptor);
            list.number(offset);
            list.number(bytes);
            if call != "readahead" {
                list.word(&advice_word(*advice));
            }
        }
        FileAction::Copy { from, to, bytes, from_offset, to_offset } => {
            let (first, second) = if call.starts_with("sendfile") { (to, from) } else { (from, to) };
            list.number(*first);
            if !call.starts_with("sendfile") {
                position(list, *from_offset);
            }
            list.number(*second);
            position(list, if call.starts_with("sendfile") { *from_offset } else { *to_offset });
            list.number(bytes);
            if !call.starts_with("sendfile") {
                list.word("0");
            }
        }
        FileAction::ChangeDirectory { target } | FileAction::ChangeRoot { target } => list.plain(target),
        FileAction::CurrentDirectory { path } => {
            list.path_or_unknown(*path);
            list.unknown(1);
        }
        FileAction::Mask { mode } => list.octal(*mode),
        FileAction::MakeDescriptors { kind, made, close_on_exec } => {
            made_descriptors(list, call, *kind, *made, *close_on_exec);
        }
        FileAction::Fork { shares_descriptors, shares_directory, is_thread } => {
            if matches!(call, "fork" | "vfork") {
                return;
            }
            let flags = [
                (*shares_descriptors, "CLONE_FILES"),
                (*shares_directory, "CLONE_FS"),
                (*is_thread, "CLONE_THREAD"),
            ];
            let set: Vec<_> = flags.iter().filter(|(is_set, _)| *is_set).map(|(_, word)| *word).collect();
            let set = if set.is_empty() { "0".to_owned() } else { set.join("|") };
            list.word(&if call == "clone3" { format!("{{flags={set}}}") } else { format!("flags={set}") });
        }
        FileAction::Execute { target } => {
            list.target(target, call == "execveat");
            list.unknown(2);
            if call == "execveat" {
                list.word(at_flags(target));
            }
        }
        FileAction::OwnDescriptors => list.word("CLONE_FILES"),
        _ => {}
    }
}

fn made_descriptors(
    list: &mut List<'_>,
    call: &str,
    kind: DescriptorKind,
    made: [Option<i32>; 2],
    close_on_exec: bool,
) {
    let flag = match (kind, close_on_exec) {
        (_, false) => "0",
        (DescriptorKind::Socket, true) => "SOCK_CLOEXEC",
        (DescriptorKind::MemoryFile, true) => "MFD_CLOEXEC",
        (_, true) if call == "fanotify_init" => "FAN_CLOEXEC",
        (_, true) if call == "perf_event_open" => "PERF_FLAG_FD_CLOEXEC",
        (_, true) => "O_CLOEXEC",
    };
    let pair = || match made {
        [Some(one), Some(other)] => format!("[{one}, {other}]"),
        _ => "?".to_owned(),
    };
    match call {
        "pipe" => list.word(&pair()),
        "pipe2" => {
            list.word(&pair());
            list.word(flag);
        }
        "socketpair" => {
            list.unknown(1);
            list.word(flag);
            list.unknown(1);
            list.word(&pair());
        }
        "epoll_create1" | "fanotify_init" | "userfaultfd" | "memfd_secret" => list.word(flag),
        "socket" | "eventfd2" | "timerfd_create" | "memfd_create" => {
            list.unknown(1);
            list.word(flag);
        }
        "accept4" => {
            list.unknown(3);
            list.word(flag);
        }
        "signalfd4" => {
            list.number(-1);
            list.unknown(2);
            list.word(flag);
        }
        "perf_event_open" => {
            list.unknown(4);
            list.word(flag);
        }
        _ => {}
    }
}

fn advice_word(advice: Advice) -> String {
    let word = match advice {
        Advice::Normal => "POSIX_FADV_NORMAL",
        Advice::Random => "POSIX_FADV_RANDOM",
        Advice::Sequential => "POSIX_FADV_SEQUENTIAL",
        Advice::WillNeed => "POSIX_FADV_WILLNEED",
        Advice::DontNeed => "POSIX_FADV_DONTNEED",
        Advice::NoReuse => "POSIX_FADV_NOREUSE",
        Advice::Other(number) => return number.to_string(),
    };
    word.to_owned()
}
