//! What process and device did around one sample, as figures of it.

use crate::processes::protocol::Done;
use fathom_collect::{DeviceIo, ProcessIo};
use fathom_model::Reading;

/// Bytes that a process caused to be read from devices between two moments.
pub(super) fn read_between(before: &Reading<ProcessIo>, after: &Reading<ProcessIo>) -> Result<u64, String> {
    match (before, after) {
        (Reading::Value(before), Reading::Value(after)) => Ok(after.since(*before).read_bytes),
        (Reading::Unavailable(reason), _) | (_, Reading::Unavailable(reason)) => Err(reason.clone()),
    }
}

/// What the sample's own process caused, among the driver's figures.
pub(super) fn add_task_figures(done: &mut Done, before: &Reading<ProcessIo>, after: &Reading<ProcessIo>) {
    if let (Reading::Value(before), Reading::Value(after)) = (before, after) {
        let io = after.since(*before);
        done.figures.insert("task_read_bytes".to_owned(), io.read_bytes);
        done.figures.insert("task_write_bytes".to_owned(), io.write_bytes);
        done.figures.insert("task_cancelled_write_bytes".to_owned(), io.cancelled_write_bytes);
    }
}

/// What the device did meanwhile, for whomever.
pub(super) fn add_device_figures(done: &mut Done, before: Option<DeviceIo>, after: Option<DeviceIo>) {
    let (Some(before), Some(after)) = (before, after) else { return };
    let io = after.since(before);
    for (name, value) in [
        ("device_reads", io.reads),
        ("device_read_bytes", io.read_bytes),
        ("device_writes", io.writes),
        ("device_written_bytes", io.written_bytes),
        ("device_merges", io.merges),
        ("device_discards", io.discards),
        ("device_flushes", io.flushes),
    ] {
        done.figures.insert(name.to_owned(), value);
    }
}
