//! Where one driver process makes its files, batch by batch. Before a batch that is looked
//! at from outside, what earlier batches made is removed where that changes nothing, room
//! is made sure of, what the batch is to find is made, and all of it goes to the device:
//! nothing of that falls into what is counted of the batch.

use crate::files::scratch::tree::{DIRECTORY, list};
use crate::files::scratch::{Patience, remove_tree};
use crate::processes::protocol::RunArguments;
use fathom_model::{PlaceFacts, Setting, WorksOn};
use fathom_sys::file_system::{self, FileSystem};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{Gid, Mode, OFlags, Uid, fchown, mkdirat, open, openat, syncfs};
use rustix::io::{Errno, write};
use std::path::{Path, PathBuf};

/// The directory in which a driver finds the files that its next batch opens again.
const PREPARED: &str = "prepared";
/// What each of them holds where there is data.
const PATTERN: &[u8; 16] = b"fathom pattern.\n";
const EXISTING_BYTES: u64 = 4096;

/// The directory of one driver process that creates files.
#[derive(Debug)]
pub(crate) struct BatchGround {
    path: PathBuf,
    directory: OwnedFd,
    /// What stands where files are created: `fresh`, `empty`, `data`.
    existing: String,
    /// Bytes that each file has where there is data.
    existing_bytes: u64,
    /// Bytes that each file has at most.
    file_bytes: u64,
    user: Option<u32>,
    /// Whether what batches made stays to the end of the run.
    keeps: bool,
    /// How many processes perform each batch.
    ranks: u64,
    /// Directories of the driver's own making when the batch began.
    made: usize,
}

/// True where removals make later creations slow: ext4 without a journal passes over inodes
/// freed in the last minutes, one by one.
pub(crate) fn keeps_freed_inodes(facts: &PlaceFacts) -> bool {
    let journal = facts.journal.value().map_or("", String::as_str);
    facts.file_system == "ext4" && journal == "no journal"
}

impl BatchGround {
    /// The ground of a process with these arguments; `None` where it creates no files.
    pub(crate) fn of(arguments: &RunArguments, keeps: bool) -> Result<Option<Self>, String> {
        let (WorksOn::OwnFiles, Some(path)) = (arguments.operation.facts().works_on, &arguments.directory)
        else {
            return Ok(None);
        };
        let settings = &arguments.parameters.settings;
        let facts = arguments.operation.facts();
        // What does not choose what stands there finds files of the size that was asked for.
        let (existing, existing_bytes) = if Setting::Existing.concerns(arguments.operation) {
            (settings.text(Setting::Existing), EXISTING_BYTES)
        } else {
            ("data".to_owned(), arguments.parameters.data.size_bytes)
        };
        let data = if existing == "data" { existing_bytes } else { 0 };
        Ok(Some(Self {
            directory: open(path, DIRECTORY, Mode::empty()).map_err(failed("open", path))?,
            path: path.clone(),
            file_bytes: facts.leaves.map_or(0, |setting| settings.number(setting)).max(data),
            existing,
            existing_bytes,
            user: arguments.launch.user(),
            keeps,
            ranks: 1,
            made: 0,
        }))
    }

    /// The same for a driver of so many ranks, which make themselves what their batches find: their
    /// samples are taken without what process and device did around them.
    pub(crate) fn of_ranks(self, ranks: u32) -> Self {
        Self { existing: "fresh".to_owned(), ranks: ranks.into(), ..self }
    }

    /// Makes everything ready for a batch of so many operations, and has it on the device.
    pub(crate) fn prepare(&mut self, operations: u32) -> Result<(), String> {
        self.make_room(operations.into())?;
        if self.existing != "fresh" {
            self.make_existing(operations)?;
        }
        syncfs(&self.directory).map_err(failed("syncfs", &self.path))?;
        self.made = self.directories()?.iter().filter(|name| *name != PREPARED).count();
        Ok(())
    }

    /// Removes what earlier batches made, where that is harmless, and makes sure that so many
    /// operations find space and inodes.
    pub(crate) fn make_room(&mut self, operations: u64) -> Result<(), String> {
        let mut patience = Patience::new(&self.path);
        for name in self.directories()? {
            // The one that was used is in the way of the next, also where files stay.
            if !self.keeps {
                remove_tree(self.directory.as_fd(), &name, &mut patience)?;
            }
        }
        check_room(&self.directory, &self.path, operations * self.ranks, self.file_bytes)
    }

    /// Whether the batch found what was made for it. A driver that made files of its own did so
    /// within what was counted.
    pub(crate) fn check(&self) -> Result<(), String> {
        let made = self.directories()?.iter().filter(|name| *name != PREPARED).count();
        if self.existing == "fresh" || made == self.made {
            return Ok(());
        }
        Err("the driver made the files that stand in the way within the batch".to_owned())
    }

    fn make_existing(&self, operations: u32) -> Result<(), String> {
        if self.keeps {
            self.set_aside()?;
        }
        mkdirat(&self.directory, PREPARED, Mode::from_raw_mode(0o755))
            .map_err(failed("mkdir", &self.path))?;
        let prepared = openat(&self.directory, PREPARED, DIRECTORY, Mode::empty())
            .map_err(failed("open", &self.path))?;
        self.give(&prepared)?;
        let data: Vec<u8> = if self.existing == "data" {
            let bytes = usize::try_from(self.existing_bytes).map_err(|error| error.to_string())?;
            PATTERN.iter().copied().cycle().take(bytes).collect()
        } else {
            Vec::new()
        };
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
        for number in 0..operations {
            let name = format!("f{number}");
            let refused = |call| failed(call, &self.path);
            let file =
                openat(&prepared, &name, flags, Mode::from_raw_mode(0o644)).map_err(refused("open"))?;
            let mut left = data.as_slice();
            while !left.is_empty() {
                match write(&file, left).map_err(refused("write"))? {
                    0 => return Err(refused("write")(Errno::NOSPC)),
                    written => left = &left[written..],
                }
            }
            self.give(&file)?;
        }
        Ok(())
    }

    /// Moves the directory that the batch before worked in out of the way.
    fn set_aside(&self) -> Result<(), String> {
        let used = (0_u32..).map(|number| format!("used{number}"));
        let there = self.directories()?;
        if !there.iter().any(|name| name == PREPARED) {
            return Ok(());
        }
        let name = used.into_iter().find(|name| !there.contains(name)).unwrap_or_default();
        rustix::fs::renameat(&self.directory, PREPARED, &self.directory, name)
            .map_err(failed("rename", &self.path))
    }

    /// To the user that the driver runs as.
    fn give(&self, file: impl AsFd) -> Result<(), String> {
        let Some(user) = self.user else { return Ok(()) };
        fchown(file, Some(Uid::from_raw(user)), None::<Gid>).map_err(failed("chown", &self.path))
    }

    fn directories(&self) -> Result<Vec<String>, String> {
        list(&self.directory).map_err(failed("list", &self.path))
    }
}

/// Refuses what will find no space or no inode.
fn check_room(directory: impl AsFd, path: &Path, operations: u64, file_bytes: u64) -> Result<(), String> {
    let found = file_system::of_file(directory).map_err(|error| error.to_string())?;
    if let Some(free) = found.free_files.filter(|&free| free <= operations) {
        let path = path.display();
        return Err(format!(
            "no inodes left in {path}: the next batch makes {operations} files, {free} more can be made"
        ));
    }
    let need = need_bytes(operations, file_bytes, found.block_bytes);
    if found.block_bytes > 0 && need > found.free_bytes {
        let (path, free) = (path.display(), found.free_bytes);
        return Err(format!("no space left in {path}: the next batch writes {need} bytes, {free} are free"));
    }
    Ok(())
}

fn need_bytes(operations: u64, file_bytes: u64, block_bytes: u64) -> u64 {
    let each = file_bytes.div_ceil(block_bytes.max(1)).saturating_mul(block_bytes);
    each.saturating_mul(operations)
}

/// Which of space and inodes ran out where a call failed with `ENOSPC`, for people.
pub(crate) fn which_ran_out(path: &Path) -> Option<String> {
    let above = path.ancestors().find(|above| above.is_dir())?;
    let directory = open(above, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).ok()?;
    file_system::of_file(directory).ok().map(ran_out)
}

fn ran_out(found: FileSystem) -> String {
    let FileSystem { free_bytes, free_files, .. } = found;
    match free_files {
        Some(0) => format!("no inode is left, though {free_bytes} bytes are free"),
        Some(files) => format!("no space is left: {free_bytes} bytes are free, and {files} inodes"),
        None => format!("no space is left: {free_bytes} bytes are free; inodes have no limit here"),
    }
}

fn failed<'a>(call: &'a str, path: &'a Path) -> impl Fn(Errno) -> String + 'a {
    move |errno| {
        let full = if errno == Errno::NOSPC { which_ran_out(path) } else { None };
        let full = full.map_or(String::new(), |which| format!(": {which}"));
        format!("{call} in {}: {errno}{full}", path.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn ground(path: &Path, existing: &str, keeps: bool) -> BatchGround {
        BatchGround {
            path: path.to_owned(),
            directory: open(path, DIRECTORY, Mode::empty()).unwrap(),
            existing: existing.to_owned(),
            existing_bytes: EXISTING_BYTES,
            file_bytes: 10,
            user: None,
            keeps,
            ranks: 1,
            made: 0,
        }
    }

    #[test]
    fn files_to_be_found_are_new_for_each_batch_and_have_what_was_asked() {
        let place = tempfile::tempdir().unwrap();
        for (existing, bytes) in [("empty", 0), ("data", EXISTING_BYTES)] {
            let mut ground = ground(place.path(), existing, false);
            for operations in [3, 2, 0] {
                ground.prepare(operations).unwrap();
                let prepared = place.path().join(PREPARED);
                let sizes: Vec<u64> =
                    fs::read_dir(&prepared).unwrap().map(|e| e.unwrap().metadata().unwrap().len()).collect();
                assert_eq!(sizes, vec![bytes; operations as usize], "{existing} {operations}");
            }
        }
    }

    #[test]
    fn what_batches_made_goes_where_that_is_harmless_and_else_stays() {
        for keeps in [false, true] {
            let place = tempfile::tempdir().unwrap();
            let mut ground = ground(place.path(), "empty", keeps);
            ground.prepare(1).unwrap();
            fs::create_dir(place.path().join("0")).unwrap();
            fs::write(place.path().join("0/f0"), "x").unwrap();
            ground.prepare(1).unwrap();
            assert_eq!(place.path().join("0/f0").exists(), keeps);
            assert_eq!(place.path().join("used0/f0").exists(), keeps);
            assert!(place.path().join("prepared/f0").exists());
        }
    }

    #[test]
    fn a_driver_that_makes_the_files_itself_is_noticed() {
        let place = tempfile::tempdir().unwrap();
        let mut ground = ground(place.path(), "data", true);
        fs::create_dir(place.path().join("0")).unwrap();
        ground.prepare(1).unwrap();
        assert_eq!(ground.check(), Ok(()));
        fs::create_dir(place.path().join("1")).unwrap();
        assert!(ground.check().unwrap_err().contains("within the batch"));
    }

    #[test]
    fn space_and_inodes_are_told_apart() {
        let of = |free_bytes, free_files| {
            ran_out(FileSystem { magic: 1, block_bytes: 4096, free_bytes, free_files })
        };
        assert_eq!(of(8192, Some(0)), "no inode is left, though 8192 bytes are free");
        assert_eq!(of(0, Some(7)), "no space is left: 0 bytes are free, and 7 inodes");
        assert_eq!(need_bytes(3, 10, 4096), 3 * 4096);
        assert_eq!(need_bytes(3, 0, 4096), 0);
        let place = tempfile::tempdir().unwrap();
        let directory = open(place.path(), DIRECTORY, Mode::empty()).unwrap();
        assert_eq!(check_room(&directory, place.path(), 1, 1), Ok(()));
        let refused = check_room(&directory, place.path(), 1 << 40, 1 << 20).unwrap_err();
        assert!(refused.starts_with("no "), "{refused}");
        assert!(which_ran_out(&place.path().join("not/there")).is_some());
    }
}
