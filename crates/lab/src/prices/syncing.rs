//! Prices of making a file durable: the call waits for the device.

use super::ground::Ground;
use super::trial::Trial;
use fathom_model::{CallCondition, call_form as what};
use rustix::fd::OwnedFd;
use rustix::fs::{fdatasync, fsync};
use rustix::io::{Errno, pwrite};

/// Calls on a clean file on one clock.
const CALLS: u32 = 2;

type Sync = fn(&OwnedFd) -> Result<(), Errno>;

/// Both calls, with something to write and with nothing.
pub(super) fn trials(ground: &Ground) -> Vec<Trial<'_>> {
    let calls: [(&str, Sync); 2] = [("fsync", |file| fsync(file)), ("fdatasync", |file| fdatasync(file))];
    calls.into_iter().map(|(call, sync)| syncs(ground, call, sync)).collect()
}

fn syncs<'a>(ground: &'a Ground, call: &str, sync: Sync) -> Trial<'a> {
    let conditions =
        [CallCondition::new(call, what::ONE_DIRTY_PAGE).sized(4096), CallCondition::new(call, what::CLEAN)];
    let mut byte = 0_u8;
    Trial::new(conditions, move |meter, of| {
        byte = byte.wrapping_add(1);
        pwrite(&ground.synced, &[byte; 4096], 0)?;
        meter.take(&of[0], 1, |_| sync(&ground.synced))?;
        // `fdatasync` may leave the times of the file unwritten.
        fsync(&ground.synced)?;
        meter.take(&of[1], CALLS, |_| sync(&ground.synced))
    })
}
