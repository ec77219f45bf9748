//! Prices of operations of `io_uring`: many are submitted by one call, so that each pays its share of
//! entering the kernel, as in a program that has a use for a ring. What a worker thread of the kernel does
//! for an operation that may block (`statx`, `fsync`) is in the time that passes, and not in that on the CPU.

use super::ground::{DEPTHS, FILE, Ground, NOTHING};
use super::refusal::Refusal;
use super::trial::Trial;
use fathom_model::CacheState::Warm;
use fathom_model::{CallCondition, CallForm, call_form as what};
use fathom_sys::SysError;
use fathom_sys::io_ring::IoRing;
use rustix::fd::AsFd;
use rustix::fs::{OFlags, fsync};
use rustix::io::{Errno, pwrite};
use std::ffi::CString;

/// Operations that are submitted at once.
const AT_ONCE: u32 = 32;
/// Bytes of a read.
const SIZES: [usize; 3] = [4 << 10, 16 << 10, 64 << 10];
/// Calls that enter the kernel for nothing on one clock.
const ENTRIES: u32 = 64;

/// All of them.
pub(super) fn trials(ground: &Ground) -> Vec<Trial<'_>> {
    let mut trials = vec![entering(), overwriting(ground), syncing(ground)];
    for depth in DEPTHS.into_iter().filter(|depth| [1, 4, 16].contains(depth)) {
        trials.extend([opening(ground, depth), asking(ground, depth)]);
    }
    trials.extend([missing(ground, "openat"), missing(ground, "statx")]);
    trials.extend(SIZES.map(|size| reading(ground, size)));
    trials
}

fn of(operation: &str, form: CallForm) -> CallCondition {
    CallCondition::new(format!("io_uring:{operation}"), form)
}

/// Made at the first batch, so that a kernel without rings refuses the trial and not the process.
fn made(ring: &mut Option<IoRing>, bytes: usize, path: CString) -> Result<&mut IoRing, Refusal> {
    if ring.is_none() {
        *ring = Some(IoRing::new(AT_ONCE, bytes, path)?);
    }
    ring.as_mut().ok_or_else(|| Refusal("no ring".to_owned()))
}

fn entering() -> Trial<'static> {
    let mut ring = None;
    Trial::new([CallCondition::new("io_uring_enter", what::NOTHING_SUBMITTED)], move |meter, of| {
        let ring = made(&mut ring, 1, CString::default())?;
        meter.take(&of[0], ENTRIES, |_| ring.enter())
    })
}

fn opening(ground: &Ground, depth: u32) -> Trial<'_> {
    let opened = of("openat", what::READ_ONLY).deep(depth);
    let conditions = match depth {
        1 => vec![opened, of("close", what::AFTER_READING)],
        _ => vec![opened],
    };
    let mut ring = None;
    Trial::new(conditions, move |meter, of| {
        let ring = made(&mut ring, 1, Ground::path_at(depth, FILE))?;
        let mut files = Vec::new();
        meter.take_at_once(&of[0], AT_ONCE, || {
            files = ring.open(ground.directory.as_fd(), OFlags::RDONLY | OFlags::CLOEXEC, AT_ONCE)?;
            Ok::<(), SysError>(())
        })?;
        match of.get(1) {
            Some(closed) => meter.take_at_once(closed, AT_ONCE, || ring.close(files)),
            None => Ok(()),
        }
    })
}

fn asking(ground: &Ground, depth: u32) -> Trial<'_> {
    let mut ring = None;
    Trial::new([of("statx", what::BY_PATH).deep(depth)], move |meter, of| {
        let ring = made(&mut ring, 1, Ground::path_at(depth, FILE))?;
        meter.take_at_once(&of[0], AT_ONCE, || ring.stat(ground.directory.as_fd(), AT_ONCE))
    })
}

fn missing<'a>(ground: &'a Ground, operation: &'static str) -> Trial<'a> {
    let form = if operation == "openat" { what::READ_ONLY } else { what::BY_PATH };
    let mut ring = None;
    Trial::new([of(operation, form).deep(1).failing("ENOENT")], move |meter, of| {
        let ring = made(&mut ring, 1, Ground::path_at(1, NOTHING))?;
        let directory = ground.directory.as_fd();
        meter.take_at_once(&of[0], AT_ONCE, || {
            let answer = match operation {
                "openat" => ring.open(directory, OFlags::RDONLY | OFlags::CLOEXEC, AT_ONCE).map(drop),
                _ => ring.stat(directory, AT_ONCE),
            };
            match answer {
                Err(error) if error.errno() == Some(Errno::NOENT) => Ok(()),
                Err(error) => Err(Refusal::from(error)),
                Ok(()) => Err(Refusal("a name that is not there was found".to_owned())),
            }
        })
    })
}

fn reading(ground: &Ground, size: usize) -> Trial<'_> {
    let mut ring = None;
    Trial::new([of("read", what::IN_ORDER).sized(size).cached(Warm)], move |meter, of| {
        let ring = made(&mut ring, size, CString::default())?;
        meter.take_at_once(&of[0], AT_ONCE, || ring.read(ground.data.as_fd(), size, AT_ONCE))
    })
}

fn overwriting(ground: &Ground) -> Trial<'_> {
    const SIZE: usize = 4 << 10;
    let mut ring = None;
    Trial::new([of("write", what::OVERWRITING).sized(SIZE).cached(Warm)], move |meter, of| {
        let ring = made(&mut ring, SIZE, CString::default())?;
        meter.take_at_once(&of[0], AT_ONCE, || ring.write(ground.written.as_fd(), SIZE, AT_ONCE))
    })
}

/// One at a time: what waits for the device shares nothing.
fn syncing(ground: &Ground) -> Trial<'_> {
    let conditions = [of("fsync", what::ONE_DIRTY_PAGE).sized(4096), of("fsync", what::CLEAN)];
    let (mut ring, mut byte) = (None, 0_u8);
    Trial::new(conditions, move |meter, of| {
        let ring = made(&mut ring, 1, CString::default())?;
        byte = byte.wrapping_add(1);
        pwrite(&ground.synced, &[byte; 4096], 0)?;
        meter.take_at_once(&of[0], 1, || ring.sync(ground.synced.as_fd(), 1))?;
        fsync(&ground.synced)?;
        meter.take_at_once(&of[1], 1, || ring.sync(ground.synced.as_fd(), 1))
    })
}
