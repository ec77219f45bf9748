//! What the file system at hand supports, asked once before a run.

use super::arguments::{Alignment, Plan};
use super::failure::{Failure, Refusal};
use super::ffi::{O_DIRECT, O_RDONLY};
use super::ffi_write::{O_CREAT, O_RDWR};
use super::methods::Operation;
use super::{posix, posix_write};
use std::ffi::{CStr, CString, c_int};
use std::os::unix::ffi::OsStrExt;

const EPERM: i32 = 1;
const EINVAL: i32 = 22;
const EOPNOTSUPP: i32 = 95;

const ENOSYS: i32 = 38;
const ENOTTY: i32 = 25;
const EXDEV: i32 = 18;

/// Errors that say that something cannot be had here at all.
const REFUSALS: [i32; 6] = [EPERM, EXDEV, EINVAL, ENOTTY, ENOSYS, EOPNOTSUPP];

/// Direct writes of less would have the file system read what stands there.
const DIRECT_WRITE_BYTES: usize = 4096;

/// The smallest alignment that any file system asks for direct I/O.
const DIRECT_ALIGNMENT_MIN_BYTES: usize = 512;

/// Opens each path once with a flag that a file system may refuse. Other
/// failures are left to the operations, which answer them.
pub(crate) fn check_open(plan: &Plan, flag: c_int, name: &str) -> Result<(), Refusal> {
    for path in &plan.paths {
        if let Err(failure) = posix::open(path, O_RDONLY | flag)
            && [EPERM, EINVAL, EOPNOTSUPP].contains(&failure.errno)
        {
            let path = path.to_string_lossy();
            return Err(Refusal::Unsupported(format!("{name} is refused for {path}: {failure}")));
        }
    }
    Ok(())
}

/// Whether the blocks of this plan can be read with direct I/O: exit code 2
/// where no file system could, 77 where this one cannot.
pub(crate) fn check_direct_reads(plan: &Plan) -> Result<(), Refusal> {
    let unaligned = plan.operation == Operation::ReadBlock && plan.alignment == Alignment::Unaligned;
    if unaligned || !plan.block.is_multiple_of(DIRECT_ALIGNMENT_MIN_BYTES) {
        let what = "O_DIRECT needs aligned blocks of a multiple of 512 bytes";
        return Err(Refusal::Usage(what.to_owned()));
    }
    check_open(plan, O_DIRECT, "O_DIRECT")?;
    for path in &plan.paths {
        let alignment =
            posix::open(path, O_RDONLY | O_DIRECT).ok().and_then(|fd| fd.direct_alignment_bytes());
        let path = path.to_string_lossy();
        match alignment {
            Some(0) => {
                return Err(Refusal::Unsupported(format!("direct I/O is not supported for {path}")));
            }
            Some(bytes) if !plan.block.is_multiple_of(bytes) => {
                let block = plan.block;
                let what = format!("direct I/O on {path} needs a multiple of {bytes} bytes, not {block}");
                return Err(Refusal::Unsupported(what));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether the blocks of this plan can be written with direct I/O in its directory.
pub(crate) fn check_direct_writes(plan: &Plan) -> Result<(), Refusal> {
    if plan.alignment == Alignment::Unaligned || !plan.block.is_multiple_of(DIRECT_WRITE_BYTES) {
        let what = "O_DIRECT needs aligned blocks of a multiple of 4096 bytes to write";
        return Err(Refusal::Usage(what.to_owned()));
    }
    probe(plan, |path| posix_write::create(path, O_RDWR | O_CREAT | O_DIRECT).map(drop), "O_DIRECT")
}

/// Tries something once on a file in the plan's directory that is gone thereafter.
/// Other failures than a refusal are left to the operations, which answer them.
pub(crate) fn probe(
    plan: &Plan,
    attempt: impl Fn(&CStr) -> Result<(), Failure>,
    name: &str,
) -> Result<(), Refusal> {
    let Some(directory) = &plan.writing.directory else { return Ok(()) };
    let path = directory.join("probe");
    let Ok(probe) = CString::new(path.as_os_str().as_bytes()) else { return Ok(()) };
    let attempted = attempt(&probe);
    // Where it could not be made it is not there.
    let _ = std::fs::remove_file(&path);
    match attempted {
        Err(failure) if REFUSALS.contains(&failure.errno) => {
            let directory = directory.display();
            Err(Refusal::Unsupported(format!("{name} is refused in {directory}: {failure}")))
        }
        _ => Ok(()),
    }
}
