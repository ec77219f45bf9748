//! When the memory of a file is taken, and which mappings the kernel grants.

use super::BYTES;
use super::subject::{Subject, cached, held, pages};
use crate::answers::{Answer, Met};
use crate::errno_name::errno_name;
use fathom_sys::faults;
use fathom_sys::region::{Region, Sharing};
use rustix::fd::OwnedFd;
use rustix::fs::{FallocateFlags, fallocate, ftruncate};
use rustix::io::{Errno, pread};

const SIZED: &str = "give a file 16 MiB, then touch each page";
const SYNC: &str = "map with MAP_SYNC";
const STORED: &str = "store by a shared mapping, without msync";

/// How a file is given its size, and how it is mapped then.
const WAYS: [(&str, bool, Sharing); 3] = [
    ("ftruncate", false, Sharing::Plain),
    ("fallocate", true, Sharing::Plain),
    ("fallocate, MAP_POPULATE", true, Sharing::Populated),
];

/// All of one kind of file.
pub(super) fn try_all(subject: &Subject) -> Vec<Met> {
    let sized = WAYS.map(|(way, allocates, sharing)| {
        let setting = format!("{} · {way}", subject.name);
        Met::new(SIZED, setting, touch(subject, allocates, sharing))
    });
    let mut all = Vec::from(sized);
    all.push(Met::new(SYNC, subject.name.clone(), map_sync(subject)));
    all.push(Met::new(STORED, subject.name.clone(), store(subject)));
    all
}

fn touch(subject: &Subject, allocates: bool, sharing: Sharing) -> Result<Answer, String> {
    let file = subject.make().map_err(errno_name)?;
    let sized = if allocates {
        fallocate(&file, FallocateFlags::empty(), 0, BYTES as u64)
    } else {
        ftruncate(&file, BYTES as u64)
    };
    sized.map_err(errno_name)?;
    let (held_before, cached_before) = (held(&file).map_err(errno_name)?, cached(&file)?.cached);
    let mut region = map(&file, sharing)?;
    let before = faults::of_this_thread();
    for page in 0..pages() {
        region.write(page * rustix::param::page_size(), 1);
    }
    let minor = faults::of_this_thread().minor - before.minor;
    let held_after = held(&file).map_err(errno_name)?;
    let meaning = format!(
        "{held_before} bytes are allocated before the first touch, which takes {minor} minor faults for {} pages.",
        pages()
    );
    Ok(Answer::new(
        meaning,
        [
            ("pages", pages() as u64),
            ("bytes allocated before the first touch", held_before),
            ("pages cached before the first touch", cached_before),
            ("minor faults of the first touch", minor),
            ("bytes allocated after it", held_after),
            ("pages cached after it", cached(&file)?.cached),
        ],
    ))
}

fn map(file: &OwnedFd, sharing: Sharing) -> Result<Region, String> {
    Region::shared(file, BYTES, sharing).map_err(|error| error.to_string())
}

fn map_sync(subject: &Subject) -> Result<Answer, String> {
    let file = subject.make().map_err(errno_name)?;
    ftruncate(&file, BYTES as u64).map_err(errno_name)?;
    Ok(match Region::shared(&file, BYTES, Sharing::Sync) {
        Ok(_) => Answer::new("The kernel grants it.", [("mapped", 1)]),
        Err(error) => {
            let name = error.errno().map_or_else(|| error.to_string(), errno_name);
            Answer::new(format!("The kernel refuses it: {name}."), [("mapped", 0), (&name, 1)])
        }
    })
}

fn store(subject: &Subject) -> Result<Answer, String> {
    let file = subject.make().map_err(errno_name)?;
    ftruncate(&file, BYTES as u64).map_err(errno_name)?;
    let mut region = map(&file, Sharing::Plain)?;
    for page in 0..pages() {
        region.write(page * rustix::param::page_size(), 7);
    }
    let seen = (0..pages()).filter(|page| reads(&file, *page) == Ok(7)).count() as u64;
    let waiting = cached(&file)?;
    region.sync().map_err(|error| error.to_string())?;
    let after = cached(&file)?;
    let meaning = format!(
        "pread sees {seen} of {} stores at once; {} pages wait to be written to a device, {} after msync.",
        pages(),
        waiting.dirty + waiting.writeback,
        after.dirty + after.writeback,
    );
    Ok(Answer::new(
        meaning,
        [
            ("stores", pages() as u64),
            ("stores seen by pread", seen),
            ("pages that wait to be written", waiting.dirty + waiting.writeback),
            ("pages that wait after msync", after.dirty + after.writeback),
        ],
    ))
}

fn reads(file: &OwnedFd, page: usize) -> Result<u8, Errno> {
    let mut byte = [0];
    pread(file, &mut byte, (page * rustix::param::page_size()) as u64)?;
    Ok(byte[0])
}
