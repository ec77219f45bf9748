//! Programs: how they come into the kernel and onto a tracepoint.

use super::{Instruction, call, owned};
use crate::SysError;
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::io::Errno;
use std::ffi::CStr;

const BPF_PROG_LOAD: libc::c_long = 5;
const BPF_OBJ_GET_INFO_BY_FD: libc::c_long = 15;
const BPF_RAW_TRACEPOINT_OPEN: libc::c_long = 17;
/// `BPF_PROG_TYPE_TRACING` with `BPF_TRACE_RAW_TP`: a raw tracepoint whose arguments have types.
const TRACING: u32 = 26;
const TYPED_RAW_TRACEPOINT: u32 = 23;
/// Enough for the end of what the verifier says of a small program.
const LOG_BYTES: usize = 1 << 20;
/// `EMFILE` and the like need no second try with a log.
const SAID_BY_THE_VERIFIER: [Errno; 3] = [Errno::INVAL, Errno::ACCESS, Errno::TOOBIG];

/// Why a program was not loaded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("bpf(BPF_PROG_LOAD) of {program}: {errno}{}", last_line(log))]
pub struct LoadError {
    /// The program's name.
    pub program: String,
    /// The kernel's error.
    pub errno: Errno,
    /// What the verifier said, if it said anything.
    pub log: String,
}

/// A program in the kernel.
#[derive(Debug)]
pub struct Program {
    fd: OwnedFd,
}

/// A program on its tracepoint; dropping it takes it off.
#[derive(Debug)]
pub struct Attachment {
    _fd: OwnedFd,
}

#[repr(C)]
#[derive(Default)]
struct Load {
    kind: u32,
    instructions: u32,
    code: u64,
    license: u64,
    log_level: u32,
    log_bytes: u32,
    log: u64,
    kernel_version: u32,
    flags: u32,
    name: [u8; 16],
    interface: u32,
    attach_kind: u32,
    btf_fd: u32,
    function_record_bytes: u32,
    function_records: u64,
    functions: u32,
    line_record_bytes: u32,
    line_records: u64,
    lines: u32,
    attach_type_id: u32,
    attach_program: u32,
    padding: u32,
}

#[repr(C)]
struct OpenRawTracepoint {
    name: u64,
    fd: u32,
    padding: u32,
}

/// `struct bpf_prog_info` up to the count of what a program missed.
const INFO_WORDS: usize = 28;
const MISSED_WORD: usize = 26;

#[repr(C)]
struct InfoRequest {
    fd: u32,
    length: u32,
    info: u64,
}

impl Program {
    /// Loads a program that is to run at the tracepoint whose arguments are described by a
    /// type of the kernel's (the typedef `btf_trace_NAME`). It is licensed as the kernel's
    /// helpers demand.
    pub fn load(name: &CStr, code: &[Instruction], attach_type_id: u32) -> Result<Self, LoadError> {
        let license = c"Dual MIT/GPL";
        let mut log: Vec<u8> = Vec::new();
        loop {
            let mut attributes = Load {
                kind: TRACING,
                instructions: u32::try_from(code.len()).unwrap_or(u32::MAX),
                code: code.as_ptr().expose_provenance() as u64,
                license: license.as_ptr().expose_provenance() as u64,
                log_level: u32::from(!log.is_empty()),
                log_bytes: u32::try_from(log.len()).unwrap_or(0),
                log: if log.is_empty() { 0 } else { log.as_mut_ptr().expose_provenance() as u64 },
                name: super::kernel_name(name),
                attach_kind: TYPED_RAW_TRACEPOINT,
                attach_type_id,
                ..Load::default()
            };
            match again_while_interrupted(|| call(BPF_PROG_LOAD, &mut attributes)).and_then(owned) {
                Ok(fd) => return Ok(Self { fd }),
                Err(error) => {
                    let errno = error.errno().unwrap_or(Errno::IO);
                    if log.is_empty() && SAID_BY_THE_VERIFIER.contains(&errno) {
                        log = vec![0_u8; LOG_BYTES];
                        continue;
                    }
                    let said = log.split(|byte| *byte == 0).next().unwrap_or_default();
                    let log = String::from_utf8_lossy(said).into_owned();
                    return Err(LoadError { program: name.to_string_lossy().into_owned(), errno, log });
                }
            }
        }
    }

    /// Has it run at its tracepoint from now on.
    pub fn attach(&self) -> Result<Attachment, SysError> {
        let mut attributes =
            OpenRawTracepoint { name: 0, fd: self.fd.as_raw_fd().unsigned_abs(), padding: 0 };
        let fd = owned(call(BPF_RAW_TRACEPOINT_OPEN, &mut attributes)?)?;
        Ok(Attachment { _fd: fd })
    }

    /// How often it was to run while it already ran on that CPU, and did not.
    pub fn missed(&self) -> Result<u64, SysError> {
        let mut info = [0_u64; INFO_WORDS];
        let mut request = InfoRequest {
            fd: self.fd.as_raw_fd().unsigned_abs(),
            length: u32::try_from(size_of_val(&info)).expect("a small array"),
            info: info.as_mut_ptr().expose_provenance() as u64,
        };
        call(BPF_OBJ_GET_INFO_BY_FD, &mut request)?;
        Ok(info[MISSED_WORD])
    }
}

/// A signal that comes while the verifier works ends it with `EAGAIN`: libbpf tries again as often.
fn again_while_interrupted<T>(mut load: impl FnMut() -> Result<T, SysError>) -> Result<T, SysError> {
    const ATTEMPTS: u32 = 5;
    let mut attempt = 1;
    loop {
        match load() {
            Err(error) if error.errno() == Some(Errno::AGAIN) && attempt < ATTEMPTS => attempt += 1,
            other => return other,
        }
    }
}

/// The verifier's verdict stands before the statistics with which its log ends.
fn last_line(log: &str) -> String {
    let verdict = log.lines().rev().find(|line| !line.is_empty() && !line.starts_with("processed "));
    verdict.map_or_else(String::new, |line| format!(": {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verifiers_verdict_is_said() {
        let error = LoadError {
            program: "p".to_owned(),
            errno: Errno::ACCESS,
            log: "0: (bf) r1 = r2\nR2 !read_ok\nprocessed 1 insns (limit 1000000)\n".to_owned(),
        };
        assert!(error.to_string().ends_with(": R2 !read_ok"), "{error}");
    }

    #[test]
    fn an_interrupted_verifier_is_asked_again_and_not_for_ever() {
        let failing = |times: u32, errno: Errno| {
            let mut calls = 0;
            let result = again_while_interrupted(|| {
                calls += 1;
                if calls > times { Ok(()) } else { Err(SysError::of("bpf")(errno)) }
            });
            (result.map_err(|error| error.errno()), calls)
        };
        assert_eq!(failing(4, Errno::AGAIN), (Ok(()), 5));
        assert_eq!(failing(9, Errno::AGAIN), (Err(Some(Errno::AGAIN)), 5));
        assert_eq!(failing(9, Errno::PERM), (Err(Some(Errno::PERM)), 1));
    }

    #[test]
    fn a_type_that_is_no_tracepoint_is_refused() {
        let code = [Instruction::new(0xb7, 0, 0, 0, 0), Instruction::new(0x95, 0, 0, 0, 0)];
        let error = Program::load(c"fathom_t", &code, 1).unwrap_err();
        assert!(matches!(error.errno, Errno::INVAL | Errno::PERM | Errno::NOSYS), "{error}");
    }
}
