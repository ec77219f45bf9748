//! What is seen of a file from outside, who else gets it, and what is left when
//! its process is gone.

use super::BYTES;
use super::subject::{NAME, Subject};
use crate::answers::{Answer, Met};
use crate::errno_name::errno_name;
use crate::ground::at;
use crate::lines::{Failure, say, wait_for_word};
use crate::performer::{Performer, Trouble};
use crate::pitfalls::descriptors::count_in_new_program;
use crate::rows::Found;
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::fs::{MemfdFlags, memfd_create, statvfs};
use rustix::io::pwrite;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// The case of what is left.
pub(super) const AFTERWARDS: &str = "kill the process that made it";
const OUTSIDE: &str = "look for it from outside";
const INHERITED: &str = "start a program meanwhile";
/// A mount that files without a name do not lie on.
const SHARED_MEMORY: &str = "/dev/shm";

/// All of one kind of file that its own process can see.
pub(super) fn try_all(subject: &Subject) -> Vec<Met> {
    let mut all = vec![Met::new(OUTSIDE, subject.name.clone(), look(subject))];
    if subject.is_memfd() {
        for (words, flags) in
            [("with MFD_CLOEXEC", MemfdFlags::CLOEXEC), ("without MFD_CLOEXEC", MemfdFlags::empty())]
        {
            all.push(Met::new(INHERITED, format!("{} {words}", subject.name), inherit(flags)));
        }
    }
    all
}

fn look(subject: &Subject) -> Result<Answer, String> {
    let place = if subject.is_memfd() { SHARED_MEMORY } else { "." };
    // Made first: a file of this name that goes would hide what comes.
    let file = subject.make().map_err(errno_name)?;
    let before = (mounts()?, free_bytes(place)?, shared_memory()?);
    fill(&file)?;
    let after = (mounts()?, free_bytes(place)?, shared_memory()?);
    let half = BYTES as u64 / 2;
    let added = after.0.saturating_sub(before.0);
    let seen_by_df = before.1.saturating_sub(after.1) >= half;
    let is_shared_memory = after.2.saturating_sub(before.2) >= half;
    drop(file);
    let meaning = format!(
        "{added} mounts more; the free space of {place} {}; Shmem of /proc/meminfo {}.",
        if seen_by_df { "falls" } else { "stays" },
        if is_shared_memory { "rises" } else { "stays" },
    );
    Ok(Answer::new(
        meaning,
        [
            ("mounts added", added),
            ("df shows it", u64::from(seen_by_df)),
            ("counted as shared memory (Shmem)", u64::from(is_shared_memory)),
        ],
    ))
}

fn fill(file: &OwnedFd) -> Result<(), String> {
    let content = vec![1; BYTES];
    let mut written = 0;
    while written < BYTES {
        written += pwrite(file, &content[written..], written as u64).map_err(errno_name)?;
    }
    Ok(())
}

fn mounts() -> Result<u64, String> {
    let text = fs::read_to_string("/proc/self/mountinfo").map_err(|error| error.to_string())?;
    Ok(text.lines().count() as u64)
}

fn free_bytes(place: &str) -> Result<u64, String> {
    statvfs(place).map(|state| state.f_bfree * state.f_frsize).map_err(errno_name)
}

/// The bytes of all files in memory on this machine.
fn shared_memory() -> Result<u64, String> {
    let text = fs::read_to_string("/proc/meminfo").map_err(|error| error.to_string())?;
    let line = text.lines().find_map(|line| line.strip_prefix("Shmem:"));
    let kib = line.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kib.map(|kib| kib * 1024).ok_or_else(|| "/proc/meminfo has no Shmem".to_owned())
}

fn inherit(flags: MemfdFlags) -> Result<Answer, String> {
    let file = memfd_create(NAME, flags).map_err(errno_name)?;
    let inherited = count_in_new_program(&file).map_err(|error| error.to_string())?;
    let meaning =
        if inherited == 0 { "The new program has none of it." } else { "The new program has it open." };
    Ok(Answer::new(meaning, [("open in the new program", inherited)]))
}

/// Holds a file, and says by which path others get it.
pub(super) fn hold(subject: &Subject) -> Result<(), Failure> {
    let file = subject.make().map_err(errno_name)?;
    fill(&file)?;
    if subject.is_memfd() {
        say(&format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()))?;
    } else {
        say(NAME)?;
    }
    wait_for_word()
}

/// Kills the process that holds a file: what the name leads to then, and what a
/// descriptor of somebody else's still reads.
pub(super) fn after_its_process(mut holder: Performer<'_>, directory: &Path) -> Result<Found, Trouble> {
    let path = directory.join(holder.hear()?);
    let mut other = File::open(&path).map_err(|error| at(&path, &error))?;
    // Killed and waited for.
    drop(holder);
    let is_there = fs::symlink_metadata(&path).is_ok();
    let mut content = Vec::new();
    other.read_to_end(&mut content).map_err(|error| at(&path, &error))?;
    let is_whole = content.len() == BYTES && content.iter().all(|&byte| byte == 1);
    let before = shared_memory().map_err(Trouble::Failed)?;
    drop(other);
    let fell = before.saturating_sub(shared_memory().map_err(Trouble::Failed)?) >= BYTES as u64 / 2;
    let meaning = format!(
        "Its name {}; a descriptor of another process {} its content; with that one closed its memory is {}.",
        if is_there { "is still there" } else { "is gone" },
        if is_whole { "still reads" } else { "has lost" },
        if fell { "given back" } else { "not given back, or was none" },
    );
    Ok(Found::meaning(meaning)
        .count("there by its name", u64::from(is_there))
        .count("read by another descriptor", u64::from(is_whole))
        .count("memory given back with the last descriptor", u64::from(fell)))
}
