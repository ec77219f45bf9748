//! What `create`, `write-block` and `copy` refuse, and the paths of their errors.

use crate::conversation::{Conversation, DRIVER, Data};
use std::fs;
use std::process::{Command, Stdio};

/// A directory for a driver to write in.
fn directory() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// True when the driver says that it is not supported here.
fn refused(arguments: &str) -> bool {
    let mut command = Command::new(DRIVER);
    command.arg("run").args(arguments.split_whitespace());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().unwrap().code() == Some(77)
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
    let error = format!("error op=mkdir errno=2 path={}", missing.display());
    assert_eq!(ask("create", "open+O_CREAT", &data, "batch 1"), error);
    assert_eq!(ask("copy", "sendfile", &data, "batch 1"), error);
    fs::create_dir(&missing).unwrap();
    fs::remove_file(&data.paths[0]).unwrap();
    let error = format!("error op=open errno=2 path={}", data.paths[0].display());
    assert_eq!(ask("copy", "sendfile", &data, "batch 1"), error);
}
