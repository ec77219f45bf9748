//! `create`, `write-block` and `copy`: their answers and what they leave behind.

use crate::conversation::{Conversation, DRIVER, Data, crc32, digest, methods_of, splitmix64};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// A directory for a driver to write in.
fn directory() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// Every file below a directory, by its path there.
fn files_in(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for batch in fs::read_dir(directory).unwrap().map(Result::unwrap) {
        for file in fs::read_dir(batch.path()).unwrap().map(Result::unwrap) {
            let name = format!("{}/{}", batch.file_name().display(), file.file_name().display());
            files.insert(name, fs::read(file.path()).unwrap());
        }
    }
    files
}

fn pattern(bytes: usize) -> Vec<u8> {
    b"fathom pattern.\n".iter().copied().cycle().take(bytes).collect()
}

/// True when the driver says that it is not supported here.
fn refused(arguments: &str) -> bool {
    let mut command = Command::new(DRIVER);
    command.arg("run").args(arguments.split_whitespace());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().unwrap().code() == Some(77)
}

#[test]
fn create_leaves_each_batch_s_files_in_a_directory_of_their_own() {
    for method in methods_of("create") {
        for close in ["each", "all", "none"] {
            for (existing, write) in [("fresh", 0), ("empty", 100), ("data", 9000)] {
                for sync in ["none", "fsync"] {
                    let directory = directory();
                    let arguments = format!(
                        "--operation create --method {method} --close {close} --existing {existing} --write {write} --sync {sync} --directory {}",
                        directory.path().display()
                    );
                    let mut driver = Conversation::start(&arguments, &[]);
                    let answer = driver.done("batch 3 preroll=2");
                    assert_eq!((answer["bytes"], answer["digest"]), (3 * write, 0), "{arguments}");
                    let data = pattern(usize::try_from(write).unwrap());
                    let verified = format!("verified bytes={write} crc32={:08x}", crc32(&data));
                    assert_eq!(driver.ask("verify"), verified, "{arguments}");
                    driver.quit();
                    let names = ["0/f0", "0/f1", "1/f0", "1/f1", "1/f2", "2/f0"];
                    let expected: BTreeMap<String, Vec<u8>> = match method.as_str() {
                        "null" => BTreeMap::new(),
                        _ => names.map(|name| (name.to_owned(), data.clone())).into(),
                    };
                    assert_eq!(files_in(directory.path()), expected, "{arguments}");
                }
            }
        }
    }
}

#[test]
fn more_files_than_can_be_open_at_once_exit_with_77() {
    let directory = directory();
    let script = format!(
        "ulimit -n 64; echo 'batch 100' | '{DRIVER}' run --operation create --method open+O_CREAT --close all --directory '{}'",
        directory.path().display()
    );
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(77), &b"ready\n"[..]), "{message}");
    assert!(message.contains("100 files cannot be open at once: the limit is 64"), "{message}");
}

#[test]
fn write_block_writes_what_the_protocol_says_where_it_says() {
    let (size, block) = (100_000_usize, 8192_usize);
    let random: Vec<u8> = (0..1 << 17).flat_map(|i| splitmix64(5 + i).to_le_bytes()).collect();
    let block_of = |k: u64| &random[usize::try_from(k % 128).unwrap() * block..][..block];
    for method in methods_of("write-block") {
        for access in ["random", "sequential"] {
            for existing in ["fresh", "data"] {
                let directory = directory();
                let arguments = format!(
                    "--operation write-block --method {method} --size {size} --block {block} --seed 5 --access {access} --existing {existing} --directory {}",
                    directory.path().display()
                );
                if refused(&format!("{arguments} --path x")) {
                    continue;
                }
                let offset = |k: u64| {
                    let drawn = if access == "random" { splitmix64(5 + k) } else { k };
                    usize::try_from(drawn % (size / block) as u64).unwrap() * block
                };
                let mut driver = Conversation::start(&arguments, &[]);
                let verified = format!("verified bytes={block} crc32={:08x}", crc32(block_of(0)));
                assert_eq!(driver.ask("verify"), verified, "{arguments}");
                let digest_of = |range: std::ops::Range<u64>| range.map(|k| digest(block_of(k))).sum::<u64>();
                assert_eq!(driver.done("batch 10 preroll=1")["digest"], digest_of(1..11), "{arguments}");
                let answer = driver.done("batch 4");
                assert_eq!((answer["bytes"], answer["digest"]), (4 * 8192, digest_of(11..15)), "{arguments}");
                driver.quit();
                let files = files_in(directory.path());
                if method == "null" {
                    assert!(files.is_empty(), "{arguments}");
                    continue;
                }
                assert_eq!(files.keys().collect::<Vec<_>>(), ["3/f"], "{arguments}");
                // Of two at the same place the later one stands.
                let written: BTreeMap<usize, &[u8]> = (11..15).map(|k| (offset(k), block_of(k))).collect();
                for (start, data) in written {
                    assert_eq!(&files["3/f"][start..start + block], data, "{arguments}");
                }
                if existing == "data" {
                    assert_eq!(files["3/f"].len(), size, "{arguments}");
                }
            }
        }
    }
}

#[test]
fn blocks_out_of_order_are_refused_by_methods_that_write_where_the_file_stands() {
    let directory = directory();
    let refused = |method: &str| {
        refused(&format!(
            "--operation write-block --method {method} --size 8192 --block 4096 --directory {}",
            directory.path().display()
        ))
    };
    assert!(["write", "fwrite", "File::write_all", "BufWriter"].into_iter().all(refused));
    assert!(!["pwrite", "File+write_all_at", "mmap+MAP_SHARED"].into_iter().any(refused));
}

#[test]
fn copies_equal_their_sources_and_go_before_the_next_batch() {
    for size in [0, 1, 200_001] {
        let data = Data::new(2, size);
        for method in methods_of("copy") {
            for sync in ["none", "fsync"] {
                let directory = directory();
                let arguments = format!(
                    "--operation copy --method {method} --size {size} --sync {sync} --directory {}",
                    directory.path().display()
                );
                if refused(&format!("{arguments} --path {}", data.directory().join("file").display()))
                    || refused_for(&arguments, &data)
                {
                    eprintln!("skipped: {method} is not supported here");
                    continue;
                }
                let mut driver = Conversation::start(&arguments, &data.paths);
                let verified = format!("verified bytes={size} crc32={:08x}", crc32(&data.contents[0]));
                assert_eq!(driver.ask("verify"), verified, "{arguments}");
                let answer = driver.done("batch 3");
                assert_eq!((answer["bytes"], answer["digest"]), (3 * size as u64, 0), "{arguments}");
                driver.quit();
                let expected: BTreeMap<String, Vec<u8>> = match method.as_str() {
                    "null" => BTreeMap::new(),
                    _ => (0..3).map(|i| (format!("1/c{i}"), data.contents[i % 2].clone())).collect(),
                };
                assert_eq!(files_in(directory.path()), expected, "{arguments}");
            }
        }
    }
}

fn refused_for(arguments: &str, data: &Data) -> bool {
    let mut command = Command::new(DRIVER);
    command.arg("run").args(arguments.split_whitespace()).arg("--path").arg(&data.paths[0]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().unwrap().code() == Some(77)
}

#[test]
fn errors_name_the_file_that_could_not_be_had() {
    let directory = directory();
    let missing = directory.path().join("none");
    let ask = |operation: &str, method: &str, data: &Data, line: &str| {
        let arguments = format!(
            "--operation {operation} --method {method} --size 4096 --block 4096 --directory {}",
            missing.display()
        );
        Conversation::start(&arguments, &data.paths).ask(line)
    };
    let data = Data::new(1, 4096);
    let error = format!("error op=mkdir errno=ENOENT path={}", missing.display());
    assert_eq!(ask("create", "open+O_CREAT", &data, "batch 1"), error);
    assert_eq!(ask("copy", "sendfile", &data, "batch 1"), error);
    fs::create_dir(&missing).unwrap();
    fs::remove_file(&data.paths[0]).unwrap();
    let error = format!("error op=open errno=ENOENT path={}", data.paths[0].display());
    assert_eq!(ask("copy", "sendfile", &data, "batch 1"), error);
}
