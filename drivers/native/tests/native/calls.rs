//! Flags of the system calls, seen by strace; which calls each method makes is in
//! crates/fathom/tests/cli/counts/tables/native.toml.

use crate::conversation::{Conversation, Data};
use std::fs;
use std::process::{Command, Stdio};

#[test]
fn direct_reads_and_hints_are_what_their_names_say() {
    if !can_trace() {
        eprintln!("skipped: strace is not here or may not trace");
        return;
    }
    let expected = [
        ("open-close", "open+O_DIRECT", "O_DIRECT"),
        ("open-close", "open+O_PATH", "O_PATH"),
        ("open-close", "open+O_NOATIME", "O_NOATIME"),
        ("open-close", "open+O_CLOEXEC", "O_CLOEXEC"),
        ("read-whole", "mmap+MAP_POPULATE", "MAP_POPULATE"),
        ("read-block", "O_DIRECT+pread", "O_DIRECT"),
        ("read-block", "mmap+MADV_RANDOM", "MADV_RANDOM"),
        ("read-block", "mmap+MADV_SEQUENTIAL", "MADV_SEQUENTIAL"),
        ("read-block", "mmap+MADV_WILLNEED", "MADV_WILLNEED"),
        ("read-block", "mmap+MAP_POPULATE", "MAP_POPULATE"),
        ("read-block", "pread+FADV_SEQUENTIAL", "POSIX_FADV_SEQUENTIAL"),
        ("read-block", "io_uring+O_DIRECT", "O_DIRECT"),
        ("read-block", "io_uring+registered", "IORING_REGISTER_FILES"),
        ("write-block", "pwrite+O_DIRECT", "O_DIRECT"),
        ("write-block", "pwrite+O_DSYNC", "O_DSYNC"),
        ("write-block", "mmap+MAP_SHARED", "MAP_SHARED"),
        ("read-block", "pread+FADV_RANDOM", "POSIX_FADV_RANDOM"),
    ];
    for (operation, method, word) in expected {
        if refused(operation, method) {
            continue;
        }
        assert!(trace(operation, method).contains(word), "{method}");
    }
    for method in ["pread", "mmap", "read"] {
        assert!(!trace("read-block", method).contains("_RANDOM"), "{method}");
    }
}

/// True when the file system or the kernel refuses it.
fn refused(operation: &str, method: &str) -> bool {
    let data = Data::new(1, 5000);
    let mut command = Command::new(crate::conversation::DRIVER);
    command.arg("run").args(["--operation", operation, "--method", method, "--size", "5000"]);
    command.args(settings(operation)).arg("--directory").arg(data.directory());
    command.arg("--path").arg(&data.paths[0]).stdin(Stdio::null()).stdout(Stdio::null());
    command.status().unwrap().code() == Some(77)
}

fn settings(operation: &str) -> &'static [&'static str] {
    match operation {
        "write-block" => &["--size", "65536", "--block", "8192", "--access", "sequential"],
        _ => &["--block", "4096"],
    }
}

fn trace(operation: &str, method: &str) -> String {
    let data = Data::new(1, 5000);
    let directory = data.directory().join("made");
    fs::create_dir(&directory).unwrap();
    let output = data.directory().join("trace");
    let mut command = Command::new("strace");
    command.arg("-o").arg(&output).arg(crate::conversation::DRIVER).arg("run");
    command.args(["--operation", operation, "--method", method, "--size", "5000"]);
    command.args(settings(operation)).arg("--directory").arg(directory);
    let mut driver = Conversation::start_command(command, &data.paths);
    driver.done("batch 3 preroll=1");
    driver.quit();
    let trace = fs::read_to_string(output).unwrap();
    // The first line is the command line, which names the method.
    let (command, calls) = trace.split_once('\n').unwrap();
    assert!(command.starts_with("execve("), "{command}");
    calls.to_owned()
}

fn can_trace() -> bool {
    let mut command = Command::new("strace");
    command.args(["-o", "/dev/null", "true"]).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
