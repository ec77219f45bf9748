//! What a driver left behind: files that it holds, and what it wrote, as it lies on disk.

use crate::processes::expected::{Block, Expected};
use crate::processes::protocol::RunArguments;
use fathom_model::{Content, WorksOn};
use std::fs;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Whether a process has this file open or mapped.
pub(super) fn holds(pid: u32, path: &Path) -> bool {
    let maps = fs::read(format!("/proc/{pid}/maps")).unwrap_or_default();
    let is_mapped =
        String::from_utf8_lossy(&maps).lines().any(|line| line.ends_with(&*path.to_string_lossy()));
    let open = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    is_mapped || open.into_iter().any(|fd| fs::read_link(fd.path()).is_ok_and(|target| target == path))
}

/// What lies in the directory after a last batch of so many operations from `first` on: of copies
/// theirs alone, of blocks their bytes, in whole files the text.
pub(super) fn written_data(
    arguments: &RunArguments,
    expected: &Expected,
    first: u64,
    operations: u32,
) -> Result<(), String> {
    let Some(directory) = &arguments.directory else { return Ok(()) };
    if arguments.methods.iter().all(|name| name == "null") {
        return Ok(());
    }
    let files = files_below(directory).map_err(|error| error.to_string())?;
    match arguments.operation.facts().works_on {
        WorksOn::OwnFiles => files.iter().try_for_each(|file| holds_text(file)),
        WorksOn::OwnFile => {
            let [file] = files.as_slice() else {
                return Err(format!("{} files lie where the last batch wrote into one", files.len()));
            };
            blocks_written(file, expected, first, operations)
        }
        _ => copies_made(arguments, &files, first, operations),
    }
}

fn files_below(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for batch in fs::read_dir(directory)? {
        for file in fs::read_dir(batch?.path())? {
            files.push(file?.path());
        }
    }
    Ok(files)
}

fn holds_text(file: &Path) -> Result<(), String> {
    let found = fs::read(file).map_err(|error| error.to_string())?;
    let mut text = vec![0; found.len()];
    Content::Pattern.fill(0, 0, &mut text);
    if found == text { Ok(()) } else { Err(format!("{} holds other data", file.display())) }
}

/// Of blocks that lie on each other the last one is there.
fn blocks_written(path: &Path, expected: &Expected, first: u64, operations: u32) -> Result<(), String> {
    let file = fs::File::open(path).map_err(|error| error.to_string())?;
    let blocks: Vec<_> = expected.blocks(first, operations).collect();
    for (at, (number, block)) in (first..).zip(&blocks).enumerate() {
        let overwritten = |later: &&Block| {
            later.offset < block.offset + block.bytes && block.offset < later.offset + later.bytes
        };
        if blocks[at + 1..].iter().any(|later| overwritten(&later)) {
            continue;
        }
        let right = expected.written_block(number);
        let mut found = vec![0; right.len()];
        file.read_exact_at(&mut found, block.offset).map_err(|error| error.to_string())?;
        if found != right {
            return Err(format!("the block of operation {number} does not lie at {}", block.offset));
        }
    }
    Ok(())
}

fn copies_made(
    arguments: &RunArguments,
    files: &[PathBuf],
    first: u64,
    operations: u32,
) -> Result<(), String> {
    if files.len() != operations as usize {
        return Err(format!("{} files lie where the last batch made {operations}", files.len()));
    }
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let number = name.strip_prefix('c').and_then(|number| number.parse::<u64>().ok());
        let number = number.ok_or_else(|| format!("{name} is no name of a copy"))?;
        let path = (first + number) % arguments.paths.len() as u64;
        let source = &arguments.paths[usize::try_from(path).map_err(|error| error.to_string())?];
        let [copy, source] = [file, source].map(fs::read);
        if copy.map_err(|error| error.to_string())? != source.map_err(|error| error.to_string())? {
            return Err(format!("{name} is not what was copied"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::exercises::plain_arguments;
    use super::*;
    use crate::data::file_bytes::FileBytes;
    use fathom_model::{DataSet, Operation, Parameters};

    #[test]
    fn a_file_that_is_open_is_held_and_one_that_was_is_not() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().canonicalize().unwrap().join("held");
        let file = fs::File::create(&path).unwrap();
        assert!(holds(std::process::id(), &path));
        drop(file);
        assert!(!holds(std::process::id(), &path));
    }

    #[test]
    fn other_text_and_lost_or_altered_copies_are_found() {
        let place = tempfile::tempdir().unwrap();
        let write = |name: &str, data: &str| {
            let path = place.path().join(name);
            fs::write(&path, data).unwrap();
            path
        };
        assert_eq!(holds_text(&write("f0", "fathom pattern.\nfathom")), Ok(()));
        assert!(holds_text(&write("f1", "fathom pattern.\nFathom")).is_err());
        let mut arguments = plain_arguments(Operation::Copy, "copy", write("a", "a"));
        arguments.paths.push(write("b", "b"));
        // The first of the last batch has an odd number: it copies the second path.
        let copies = [write("c0", "b"), write("c1", "a")];
        assert_eq!(copies_made(&arguments, &copies, 3, 2), Ok(()));
        assert!(copies_made(&arguments, &copies, 2, 2).unwrap_err().contains("is not what was copied"));
        assert!(copies_made(&arguments, &copies[..1], 3, 2).unwrap_err().contains("1 files lie"));
    }

    #[test]
    fn blocks_are_looked_for_where_they_belong_unless_another_lies_on_them() {
        let data = DataSet { files: 1, size_bytes: 8192, content: Content::Random };
        let mut parameters = Parameters::new(data, 4096);
        parameters.access = fathom_model::Access::Sequential;
        let files = vec![FileBytes::Made { content: Content::Random, seed: 1, length: 8192 }];
        let expected = Expected::new(Operation::WriteBlock, &parameters, files, 42).unwrap();
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("f");
        // Of three operations on two blocks the first is overwritten by the third.
        fs::write(&path, [expected.written_block(2), expected.written_block(1)].concat()).unwrap();
        assert_eq!(blocks_written(&path, &expected, 0, 3), Ok(()));
        assert!(
            blocks_written(&path, &expected, 0, 2).unwrap_err().contains("operation 0 does not lie at 0")
        );
    }
}
