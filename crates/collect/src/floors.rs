//! What the cheapest calls cost here: the floors below which nothing that
//! contains such a call can be.

use fathom_model::{Floor, Floors, Reading};
use fathom_sys::memfd::create_inheritable;
use rustix::fs::fstat;
use rustix::io::{Errno, pread, write};
use rustix::process::getppid;
use std::time::Instant;

const BATCHES: u32 = 31;
const CALLS: u32 = 1000;
const PREAD_BYTES: usize = 512;

/// Measures the floors, in about a tenth of a second.
pub fn floors() -> Reading<Floors> {
    measure().into()
}

fn measure() -> Result<Floors, String> {
    let failed = |errno: Errno| format!("a call failed: {errno}");
    let file = create_inheritable("fathom-floors").map_err(|error| error.to_string())?;
    let mut buffer = [7; PREAD_BYTES];
    write(&file, &buffer).map_err(failed)?;
    let null_call = || {
        std::hint::black_box(getppid());
        Ok(())
    };
    Ok(Floors {
        null_call_ns: time(null_call).map_err(failed)?,
        fstat_ns: time(|| fstat(&file).map(drop)).map_err(failed)?,
        pread_ns: time(|| pread(&file, &mut buffer, 0).map(drop)).map_err(failed)?,
    })
}

/// Batches of one call, after one that does not count.
fn time(mut call: impl FnMut() -> Result<(), Errno>) -> Result<Floor, Errno> {
    let mut batches = Vec::new();
    for batch in 0..=BATCHES {
        let begun = Instant::now();
        for _ in 0..CALLS {
            call()?;
        }
        if batch > 0 {
            batches.push(begun.elapsed().as_nanos() as f64 / f64::from(CALLS));
        }
    }
    batches.sort_unstable_by(f64::total_cmp);
    let (least, most) = (batches[0], batches[batches.len() - 1]);
    Ok(Floor { median: batches[batches.len() / 2], least, most, batches: BATCHES })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_floor_is_taken_and_lies_in_its_range() {
        let Reading::Value(found) = floors() else { panic!("no floors here") };
        for floor in [found.null_call_ns, found.fstat_ns, found.pread_ns] {
            assert!(0.0 < floor.least && floor.least <= floor.median && floor.median <= floor.most);
            assert_eq!(floor.batches, BATCHES);
        }
    }
}
