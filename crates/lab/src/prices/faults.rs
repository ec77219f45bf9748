//! Prices of page faults that need no device. How many there were is read before
//! and after each batch, so that a price is that of a fault and not of a touch.

use super::ground::{DATA_BYTES, Ground};
use super::memory::pages;
use super::meter::Meter;
use super::refusal::Refusal;
use super::trial::Trial;
use fathom_model::{CallCondition, call_form as what};
use fathom_sys::faults;
use fathom_sys::region::{Advice, Region};
use rustix::fd::OwnedFd;
use rustix::io::Errno;

/// Mappings of one page each.
const ALONE: u32 = 32;
const MEMORY_BYTES: usize = 1 << 20;

/// A fault on a file with its neighbors, on a file's page alone, and on memory.
pub(super) fn trials(ground: &Ground) -> Vec<Trial<'_>> {
    vec![around(&ground.data), around(&ground.written), alone(ground), memory()]
}

/// The same condition for both files where the kernel maps as much of either.
fn around(file: &OwnedFd) -> Trial<'_> {
    let each = around_bytes(file).unwrap_or(rustix::param::page_size());
    let condition = CallCondition::new("minor-fault-file", what::MAPPED_READ).sized(each);
    Trial::new([condition], move |meter, of| {
        let region = Region::of_file(file, DATA_BYTES)?;
        take(meter, &of[0], DATA_BYTES / each, |number| {
            std::hint::black_box(region.read(number * each));
        })
    })
}

/// Bytes that the kernel maps at one fault on a mapped file.
fn around_bytes(file: &OwnedFd) -> Option<usize> {
    let region = Region::of_file(file, DATA_BYTES).ok()?;
    let before = faults::of_this_thread().minor;
    pages(DATA_BYTES).for_each(|at| {
        std::hint::black_box(region.read(at));
    });
    let faults = usize::try_from(faults::of_this_thread().minor - before).ok()?;
    let each = DATA_BYTES.checked_div(faults)?;
    // A stray fault or two must not make another size of it.
    Some(each.checked_next_power_of_two()?.min(DATA_BYTES))
}

fn alone(ground: &Ground) -> Trial<'_> {
    let page = rustix::param::page_size();
    let condition = CallCondition::new("minor-fault-file", what::MAPPED_READ_ALONE).sized(page);
    Trial::new([condition], move |meter, of| {
        let regions: Vec<_> =
            (0..ALONE).map(|_| Region::of_file(&ground.data, page)).collect::<Result<_, _>>()?;
        take(meter, &of[0], regions.len(), |number| {
            std::hint::black_box(regions[number].read(0));
        })
    })
}

fn memory<'a>() -> Trial<'a> {
    let page = rustix::param::page_size();
    let condition = CallCondition::new("minor-fault-anonymous", what::MEMORY_WRITE).sized(page);
    Trial::new([condition], move |meter, of| {
        let mut region = Region::anonymous(MEMORY_BYTES)?;
        // A kernel without huge pages refuses, and then has none to be kept from.
        let _none_here = region.advise(Advice::LinuxNoHugepage);
        take(meter, &of[0], MEMORY_BYTES / page, |number| region.write(number * page, 1))
    })
}

/// A batch of touches as one of as many faults as it led to.
fn take(
    meter: &mut Meter,
    condition: &CallCondition,
    touches: usize,
    mut touch: impl FnMut(usize),
) -> Result<(), Refusal> {
    let touches = u32::try_from(touches).unwrap_or(u32::MAX);
    let before = faults::of_this_thread().minor;
    let batch = meter.time(condition, touches, |number| {
        touch(number as usize);
        Ok::<(), Errno>(())
    })?;
    let faults = u32::try_from(faults::of_this_thread().minor - before).unwrap_or(u32::MAX);
    if faults == 0 {
        return Err(Refusal("touching pages led to no fault".to_owned()));
    }
    meter.keep(condition, batch, faults);
    Ok(())
}
