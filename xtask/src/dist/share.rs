//! What maturin does not do for a wheel: manual pages, completions and notices are made by the program,
//! and zlib packs the program itself 4 % larger than DEFLATE has to.

use anyhow::Context;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// zlib's best.
const LEVEL: i64 = 9;
/// Levels beyond zlib's are iterations of zopfli. More than five take longer and save a thousandth;
/// a program of 23 MB takes a minute or two.
const LEVEL_OF_PROGRAM: i64 = LEVEL + 5;
/// Where a wheel lists its files, each with digest and size.
const RECORD: &str = ".dist-info/RECORD";

/// Writes `wheel` again, with the files below `share` as its data and its program packed smaller.
pub(super) fn add(wheel: &Path, share: &Path, out: &Path) -> anyhow::Result<()> {
    let open = || File::open(wheel).with_context(|| format!("failed to read {}", wheel.display()));
    let mut old = ZipArchive::new(open()?)?;
    let new = File::create_new(out).with_context(|| format!("failed to make {}", out.display()))?;
    let mut new = ZipWriter::new(new);
    let record = old.file_names().flatten().find(|name| name.ends_with(RECORD));
    let record = record.with_context(|| format!("{} has no RECORD", wheel.display()))?.into_owned();
    let distribution = record.trim_end_matches(RECORD);
    let program = format!("{distribution}.data/scripts/fathom");
    let mut lines = String::new();
    for index in 0..old.len() {
        let mut file = old.by_index(index)?;
        let name = file.name()?;
        if name == record {
            file.read_to_string(&mut lines)?;
        } else if name == program {
            let mut content = Vec::new();
            file.read_to_end(&mut content)?;
            write(&mut new, &program, file.options().compression_level(Some(LEVEL_OF_PROGRAM)), &content)?;
        } else {
            new.raw_copy_file(file)?;
        }
    }
    // RECORD's line about itself is the last and has neither digest nor size.
    let own = lines.trim_end().rfind('\n').map_or(0, |end| end + 1);
    let own = lines.split_off(own);
    // The same bytes for the same content: without a time, the format's first.
    let plain = SimpleFileOptions::default().compression_level(Some(LEVEL)).unix_permissions(0o644);
    for path in files_below(share)? {
        let content = std::fs::read(&path).with_context(|| format!("failed to read {}", path.display()))?;
        let below = path.strip_prefix(share)?.to_str().context("names of pages are text")?;
        let name = format!("{distribution}.data/data/share/{below}");
        let digest = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&content));
        writeln!(lines, "{name},sha256={digest},{}", content.len())?;
        write(&mut new, &name, plain, &content)?;
    }
    write(&mut new, &record, plain, (lines + &own).as_bytes())?;
    new.finish()?;
    Ok(())
}

fn write<W: Write + Seek>(
    archive: &mut ZipWriter<W>,
    name: &str,
    options: SimpleFileOptions,
    content: &[u8],
) -> anyhow::Result<()> {
    archive.start_file(name, options)?;
    Ok(archive.write_all(content)?)
}

/// In the order of their names.
fn files_below(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries =
            std::fs::read_dir(&folder).with_context(|| format!("failed to read {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD_BEFORE: &str =
        "fathom_io-1.data/scripts/fathom,sha256=x,9\nfathom_io-1.dist-info/RECORD,,\n";

    /// A wheel with a program and pages added to it.
    fn added(program: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let (wheel, share, out) =
            (folder.path().join("a.whl"), folder.path().join("share"), folder.path().join("b.whl"));
        std::fs::create_dir_all(share.join("man/man1")).unwrap();
        std::fs::write(share.join("man/man1/fathom.1"), "abc").unwrap();
        let mut archive = ZipWriter::new(File::create(&wheel).unwrap());
        let options = SimpleFileOptions::default().unix_permissions(0o755);
        write(&mut archive, "fathom_io-1.data/scripts/fathom", options, program).unwrap();
        write(&mut archive, "fathom_io-1.data/scripts/fathom-io", options, b"#!").unwrap();
        write(&mut archive, "fathom_io-1.dist-info/RECORD", options, RECORD_BEFORE.as_bytes()).unwrap();
        archive.finish().unwrap();
        add(&wheel, &share, &out).unwrap();
        (folder, out)
    }

    #[test]
    fn pages_are_in_the_wheel_and_in_its_record() {
        let (_folder, wheel) = added(b"program");
        let mut archive = ZipArchive::new(File::open(wheel).unwrap()).unwrap();
        let mut text = |name: &str| {
            let mut text = String::new();
            archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
            text
        };
        assert_eq!(text("fathom_io-1.data/data/share/man/man1/fathom.1"), "abc");
        assert_eq!(text("fathom_io-1.data/scripts/fathom"), "program");
        assert_eq!(text("fathom_io-1.data/scripts/fathom-io"), "#!");
        let page = "fathom_io-1.data/data/share/man/man1/fathom.1,\
                    sha256=ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0,3\n";
        let record = RECORD_BEFORE.replace("fathom_io-1.dist-info", &format!("{page}fathom_io-1.dist-info"));
        assert_eq!(text("fathom_io-1.dist-info/RECORD"), record);
    }

    #[test]
    fn a_program_stays_executable_and_is_packed_smaller_than_by_zlib() {
        let program: Vec<u8> =
            (0..200_000_u32).flat_map(|n| n.wrapping_mul(n).to_string().into_bytes()).collect();
        let (_folder, wheel) = added(&program);
        let mut archive = ZipArchive::new(File::open(wheel).unwrap()).unwrap();
        let file = archive.by_name("fathom_io-1.data/scripts/fathom").unwrap();
        assert_eq!(file.unix_mode(), Some(0o100_755));
        let by_zlib = {
            let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
            let options = SimpleFileOptions::default().compression_level(Some(LEVEL));
            write(&mut archive, "fathom", options, &program).unwrap();
            archive.finish().unwrap().into_inner().len() as u64
        };
        assert!(file.compressed_size() < by_zlib * 98 / 100, "{} and {by_zlib}", file.compressed_size());
    }
}
