//! bpf(2): which programs the kernel holds; programs, maps and rings of our own in the
//! files below. What a program does is decided by who builds it.

mod description;
mod instruction;
mod map;
mod program;
mod ring;

pub use description::KernelDescription;
pub use instruction::Instruction;
pub use map::{Map, MapKind, MappedWords};
pub use program::{Attachment, LoadError, Program};
pub use ring::RingReader;

use crate::SysError;
use map::owned;
use rustix::fd::AsRawFd;
use rustix::io::Errno;
use std::ffi::CStr;

const BPF_PROG_GET_NEXT_ID: libc::c_long = 11;
const BPF_PROG_GET_FD_BY_ID: libc::c_long = 13;
const BPF_OBJ_GET_INFO_BY_FD: libc::c_long = 15;

/// A program that somebody loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BpfProgram {
    /// The kernel's id of it.
    pub id: u32,
    /// Its name, perhaps cut to 15 bytes.
    pub name: String,
    /// `BPF_PROG_TYPE_…`, as a number.
    pub kind: u32,
}

impl BpfProgram {
    /// The kind, when it is one that hooks calls, tracepoints or functions, and
    /// so can tax a process that never asked for it.
    pub fn tracing_kind(&self) -> Option<&'static str> {
        match self.kind {
            2 => Some("kprobe or uprobe"),
            5 => Some("tracepoint"),
            7 => Some("perf_event"),
            17 | 24 => Some("raw tracepoint"),
            26 => Some("tracing (fentry, tp_btf)"),
            29 => Some("lsm"),
            _ => None,
        }
    }
}

/// All loaded programs. `EPERM` without `CAP_SYS_ADMIN`.
pub fn programs() -> Result<Vec<BpfProgram>, SysError> {
    let mut found = Vec::new();
    let mut id = 0;
    while let Some(next) = next_program_id(id)? {
        id = next;
        match program(id) {
            Ok(program) => found.push(program),
            // Unloaded since: it is no longer there to be found.
            Err(error) if error.errno() == Some(Errno::NOENT) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

fn next_program_id(id: u32) -> Result<Option<u32>, SysError> {
    let mut attributes = [id, 0, 0, 0];
    match call(BPF_PROG_GET_NEXT_ID, &mut attributes) {
        Ok(_) => Ok(Some(attributes[1])),
        Err(error) if error.errno() == Some(Errno::NOENT) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The head of `struct bpf_prog_info`; the kernel fills as much as is asked for.
#[repr(C)]
#[derive(Default)]
struct RawInfo {
    kind: u32,
    id: u32,
    tag: [u8; 8],
    jited_length: u32,
    translated_length: u32,
    jited: u64,
    translated: u64,
    load_time_ns: u64,
    uid: u32,
    maps: u32,
    map_ids: u64,
    name: [u8; 16],
}

/// The attributes of `BPF_OBJ_GET_INFO_BY_FD`.
#[repr(C)]
struct InfoRequest {
    fd: u32,
    length: u32,
    info: u64,
}

fn program(id: u32) -> Result<BpfProgram, SysError> {
    let fd = owned(call(BPF_PROG_GET_FD_BY_ID, &mut [id, 0, 0, 0])?)?;
    let mut info = RawInfo::default();
    let mut request = InfoRequest {
        fd: fd.as_raw_fd().unsigned_abs(),
        length: u32::try_from(size_of::<RawInfo>()).expect("a small struct"),
        info: std::ptr::from_mut(&mut info).expose_provenance() as u64,
    };
    call(BPF_OBJ_GET_INFO_BY_FD, &mut request)?;
    let name = info.name.split(|&byte| byte == 0).next().unwrap_or_default();
    Ok(BpfProgram { id, name: String::from_utf8_lossy(name).into_owned(), kind: info.kind })
}

/// A name as the kernel keeps it: 15 bytes of it and a NUL.
fn kernel_name(name: &CStr) -> [u8; 16] {
    let mut kept = [0; 16];
    let bytes = name.to_bytes();
    let length = bytes.len().min(15);
    kept[..length].copy_from_slice(&bytes[..length]);
    kept
}

fn call<T>(command: libc::c_long, attributes: &mut T) -> Result<libc::c_long, SysError> {
    // SAFETY: the kernel reads and writes no more of the attributes than the size it is told,
    // and the pointers inside them are to live memory of the length that stands beside them or
    // that the map's own sizes say.
    let result =
        unsafe { libc::syscall(libc::SYS_bpf, command, std::ptr::from_mut(attributes), size_of::<T>()) };
    if result < 0 { Err(SysError::last("bpf")) } else { Ok(result) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fd::{FromRawFd, OwnedFd};

    #[test]
    fn programs_are_listed_or_refused_with_a_known_errno() {
        match programs() {
            Ok(found) => assert!(found.windows(2).all(|pair| pair[0].id < pair[1].id), "{found:?}"),
            Err(error) => assert!(matches!(error.errno(), Some(Errno::PERM | Errno::NOSYS)), "{error}"),
        }
    }

    #[test]
    fn a_loaded_program_is_found_with_name_and_kind() {
        // r0 = 0; exit: the smallest program the verifier takes.
        let code: [u64; 2] = [0xB7, 0x95];
        let license = c"GPL";
        let mut attributes = [0_u64; 9];
        attributes[0] = 5 | (2 << 32);
        attributes[1] = code.as_ptr().expose_provenance() as u64;
        attributes[2] = license.as_ptr().expose_provenance() as u64;
        attributes[6] = u64::from_le_bytes(*b"fathom_t");
        let Ok(fd) = call(5, &mut attributes) else {
            eprintln!("skipped: a program cannot be loaded here: {}", SysError::last("bpf"));
            return;
        };
        // SAFETY: the call has just returned this descriptor.
        let _fd = unsafe { OwnedFd::from_raw_fd(i32::try_from(fd).unwrap()) };
        let found = programs().unwrap();
        let ours = found.iter().find(|program| program.name == "fathom_t").expect("the program just loaded");
        assert_eq!(ours.tracing_kind(), Some("tracepoint"));
    }
}
