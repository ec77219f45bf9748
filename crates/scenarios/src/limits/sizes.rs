//! How large a file may be: sparse, so that nothing but the size is asked for.

use super::{Answer, Met};
use crate::errno_name::errno_name;
use rustix::fd::OwnedFd;
use rustix::fs::{Mode, OFlags, fstat, ftruncate, open};
use rustix::io::{Errno, pwrite};

/// The largest offset that a call can be given.
const OFFSET_MAX: u64 = i64::MAX.cast_unsigned();

/// The largest size, and what a byte beyond it meets.
pub(super) fn of_a_file(file_system: &str) -> Met {
    let tried = || -> Result<Answer, Errno> {
        let file = open("large", OFlags::RDWR | OFlags::CREATE, Mode::RUSR | Mode::WUSR)?;
        let largest = largest(&file)?;
        let last = pwrite(&file, b"x", largest - 1);
        let beyond = pwrite(&file, b"x", largest);
        let held = fstat(&file)?.st_blocks.cast_unsigned() * 512;
        let said = |result: Result<usize, Errno>| result.err().map_or("written".to_owned(), errno_name);
        let (last, beyond) = (said(last), said(beyond));
        let meaning = format!(
            "A sparse file grows to {largest} bytes and no further; its last byte: {last}, a byte beyond: \
             {beyond}; it holds {held} bytes."
        );
        let counts = [
            ("largest size, bytes".to_owned(), largest),
            (format!("{last}: the last byte"), 1),
            (format!("{beyond}: a byte beyond"), 1),
            ("bytes held".to_owned(), held),
        ];
        Ok(Answer { meaning, counts: counts.into() })
    };
    Met::new("make a file as large as can be", file_system, tried().map_err(errno_name))
}

/// The last size that is granted, by halving.
fn largest(file: &OwnedFd) -> Result<u64, Errno> {
    let (mut granted, mut refused) = (0, OFFSET_MAX);
    if ftruncate(file, OFFSET_MAX).is_ok() {
        return Ok(OFFSET_MAX);
    }
    while refused - granted > 1 {
        let middle = granted.midpoint(refused);
        match ftruncate(file, middle) {
            Ok(()) => granted = middle,
            Err(_) => refused = middle,
        }
    }
    ftruncate(file, granted).map(|()| granted)
}
