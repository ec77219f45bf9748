//! File systems with few inodes or little space, filled: both end in the same error.

use super::{Answer, Met, ROOM};
use crate::errno_name::{errno_name, error_name};
use crate::lines::Failure;
use crate::write_directory::images::{on_fresh, prepare};
use fathom_lab::fresh_file_system::Kind;
use rustix::fs::{Mode, OFlags, StatVfs, open, statvfs};
use std::fs;
use std::path::Path;

/// Never as many as this.
const FILES_MAX: u64 = 100_000;

/// Fills one after the other; nobody else sees them.
pub(super) fn fill_all() -> Result<Vec<Met>, Failure> {
    prepare()?;
    let ext4 = Kind::made("ext4", "ext4", "mkfs.ext4", &["-q", "-F", "-N", "64"], 8);
    Ok(vec![
        Met::new(
            ROOM,
            "tmpfs of 64 inodes",
            on_fresh(Kind::TMPFS, Some("nr_inodes=64,size=8m"), fill_with_empty),
        ),
        Met::new(ROOM, "ext4 of 64 inodes", on_fresh(ext4, None, fill_with_empty)),
        Met::new(
            ROOM,
            "tmpfs of 1 MiB",
            on_fresh(Kind::TMPFS, Some("nr_inodes=4096,size=1m"), fill_with_bytes),
        ),
    ])
}

fn fill_with_empty(directory: &Path) -> Result<Answer, String> {
    let before = left(directory)?;
    let name = |number: u64| directory.join(number.to_string());
    for number in 0..FILES_MAX {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let Err(errno) = open(name(number), flags, Mode::RUSR | Mode::WUSR) else { continue };
        let after = left(directory)?;
        let error = errno_name(errno);
        // Whoever has a file already can write as before.
        let grown = fs::write(name(0), [1; 4096]).is_ok();
        let meaning = format!(
            "File number {} fails with {error} while {} KiB are free; a file that is there {} be written.",
            number + 1,
            free_kib(&after),
            if grown { "can still" } else { "cannot" },
        );
        return Ok(Answer::new(
            meaning,
            [
                ("inodes free before", before.f_ffree),
                ("files made", number),
                (&error, 1),
                ("inodes free", after.f_ffree),
                ("KiB free", free_kib(&after)),
                ("written to a file that is there", u64::from(grown)),
            ],
        ));
    }
    Err(format!("{FILES_MAX} files were made and none was refused"))
}

fn fill_with_bytes(directory: &Path) -> Result<Answer, String> {
    for number in 0..FILES_MAX {
        let Err(error) = fs::write(directory.join(number.to_string()), [1; 4096]) else { continue };
        let (error, after) = (error_name(&error), left(directory)?);
        let meaning =
            format!("File number {} fails with {error} while {} inodes are free.", number + 1, after.f_ffree);
        return Ok(Answer::new(
            meaning,
            [
                ("files made", number),
                (&error, 1),
                ("inodes free", after.f_ffree),
                ("KiB free", free_kib(&after)),
            ],
        ));
    }
    Err(format!("{FILES_MAX} files were written and none was refused"))
}

fn left(directory: &Path) -> Result<StatVfs, String> {
    statvfs(directory).map_err(errno_name)
}

fn free_kib(state: &StatVfs) -> u64 {
    state.f_bavail * state.f_frsize / 1024
}
