//! The system calls of each method, seen by strace between the marks. They are
//! the truth of what a method costs, so they are written out here.

use crate::conversation::{Conversation, Data, methods_of, page_template};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::{Command, Stdio};

const OPERATIONS: usize = 3;

/// Calls of one operation on a file of 5000 bytes with blocks of 4096, by the
/// C library's and std's habits; `fstat` stands for either form of it.
#[rustfmt::skip]
const RECIPES: &[(&str, &str, &str)] = &[
    ("null", "null", ""),
    ("open-close", "null", ""),
    ("open-close", "open", "openat close"),
    ("open-close", "openat", "openat close"),
    ("open-close", "openat+dirfd", "openat close"),
    ("open-close", "openat2", "openat2 close"),
    ("open-close", "open+O_PATH", "openat close"),
    ("open-close", "open+O_DIRECT", "openat close"),
    ("open-close", "open+O_CLOEXEC", "openat close"),
    ("open-close", "open+O_NOATIME", "openat close"),
    ("open-close", "fopen", "openat close"),
    ("open-close", "File::open", "openat close"),
    ("open-close", "syscall-open", "open close"),
    ("open-close", "syscall-openat", "openat close"),
    ("open-missing", "null", ""),
    ("open-missing", "open", "openat"),
    ("open-missing", "openat", "openat"),
    ("open-missing", "openat+dirfd", "openat"),
    ("open-missing", "openat2", "openat2"),
    ("open-missing", "open+O_PATH", "openat"),
    ("open-missing", "fopen", "openat"),
    ("open-missing", "File::open", "openat"),
    ("open-missing", "syscall-open", "open"),
    ("open-missing", "syscall-openat", "openat"),
    ("open-write-close", "null", ""),
    ("open-write-close", "open+O_WRONLY", "openat close"),
    ("open-write-close", "open+O_WRONLY+fstat", "openat fstat close"),
    ("open-write-close", "openat+O_WRONLY", "openat close"),
    ("open-write-close", "fopen-r+", "openat close"),
    ("open-write-close", "OpenOptions+write", "openat close"),
    ("open-read-close", "null", ""),
    ("open-read-close", "read", "openat read close"),
    ("open-read-close", "pread", "openat pread64 close"),
    ("open-read-close", "preadv2", "openat preadv2 close"),
    ("open-read-close", "readv", "openat readv close"),
    ("open-read-close", "fread", "openat fstat read close"),
    ("open-read-close", "mmap", "openat mmap munmap close"),
    ("open-read-close", "mmap+MAP_POPULATE", "openat mmap munmap close"),
    ("open-read-close", "O_DIRECT+pread", "openat pread64 close"),
    ("open-read-close", "File+read", "openat read close"),
    ("read-whole", "null", ""),
    ("read-whole", "read", "openat read read read close"),
    ("read-whole", "pread", "openat pread64 pread64 pread64 close"),
    ("read-whole", "preadv2", "openat preadv2 preadv2 preadv2 close"),
    ("read-whole", "readv", "openat readv readv readv close"),
    ("read-whole", "fread", "openat fstat read read read read close"),
    ("read-whole", "mmap", "openat fstat mmap munmap close"),
    ("read-whole", "mmap+copy", "openat fstat mmap munmap close"),
    ("read-whole", "mmap+MAP_POPULATE", "openat fstat mmap munmap close"),
    ("read-whole", "O_DIRECT+pread", "openat pread64 pread64 close"),
    ("read-whole", "std::fs::read", "openat statx read read close"),
    ("read-whole", "File+read_to_end", "openat statx lseek read read close"),
    ("read-whole", "BufReader+read_to_end", "openat statx lseek read read close"),
    ("read-whole", "mmap+MADV_SEQUENTIAL", "openat fstat mmap madvise munmap close"),
    ("read-whole", "read+O_DIRECT", "openat read read close"),
    ("read-whole", "io_uring", "openat fstat io_uring_enter io_uring_enter close"),
    ("read-whole", "io_uring+O_DIRECT", "openat fstat io_uring_enter io_uring_enter close"),
    ("read-block", "null", ""),
    ("read-block", "read", "lseek read"),
    ("read-block", "pread", "pread64"),
    ("read-block", "preadv2", "preadv2"),
    ("read-block", "readv", "lseek readv"),
    ("read-block", "fread", "lseek read"),
    ("read-block", "mmap", ""),
    ("read-block", "mmap+copy", ""),
    ("read-block", "mmap+MADV_RANDOM", ""),
    ("read-block", "pread+FADV_RANDOM", "pread64"),
    ("read-block", "O_DIRECT+pread", "pread64"),
    ("read-block", "File+read_exact_at", "pread64"),
    ("read-block", "mmap+MAP_POPULATE", ""),
    ("read-block", "mmap+MADV_SEQUENTIAL", ""),
    ("read-block", "mmap+MADV_WILLNEED", ""),
    ("read-block", "pread+FADV_SEQUENTIAL", "pread64"),
    ("read-block", "io_uring", "io_uring_enter"),
    ("read-block", "io_uring+O_DIRECT", "io_uring_enter"),
    ("read-block", "io_uring+registered", "io_uring_enter"),
    ("create", "null", ""),
    ("create", "openat+dirfd", "openat write fsync close"),
    ("create", "open+O_CREAT", "openat write fsync close"),
    ("create", "File::create", "openat write fsync close"),
    ("create", "fopen-w", "openat fstat write fsync close"),
    ("write-block", "null", ""),
    ("write-block", "write", "write"),
    ("write-block", "pwrite", "pwrite64"),
    ("write-block", "pwrite+O_DIRECT", "pwrite64"),
    ("write-block", "pwrite+O_DSYNC", "pwrite64"),
    ("write-block", "mmap+MAP_SHARED", ""),
    ("write-block", "File::write_all", "write"),
    ("write-block", "File+write_all_at", "pwrite64"),
    ("write-block", "BufWriter", "write"),
    ("copy", "null", ""),
    ("copy", "read+write", "openat openat read write read close close"),
    ("copy", "sendfile", "openat fstat openat sendfile close close"),
    ("copy", "copy_file_range", "openat fstat openat copy_file_range close close"),
    ("copy", "FICLONE", "openat openat ioctl close close"),
    ("copy", "mmap+write", "openat fstat openat mmap write munmap close close"),
    ("copy", "std::fs::copy", "openat statx openat statx fchmod copy_file_range copy_file_range close close"),
    ("lines", "null", ""),
    ("lines", "BufReader+split", "openat read read read close"),
    ("lines", "BufReader+read_until", "openat read read read close"),
    ("lines", "getline", "openat fstat read read read close"),
    ("lines", "std::fs::read+split", "openat statx read read close"),
    ("lines", "mmap+memchr", "openat fstat mmap munmap close"),
    ("search", "null", ""),
    ("search", "pread", "openat fstat pread64 pread64 close"),
    ("search", "mmap", "openat fstat mmap munmap close"),
    ("search", "std::fs::read", "openat statx read read close"),
    ("hash", "null", ""),
    ("hash", "read", "openat read read read close"),
    ("hash", "mmap", "openat fstat mmap munmap close"),
    ("hash", "std::fs::read", "openat statx read read close"),
    ("template", "null", ""),
    ("template", "include_str", ""),
    ("template", "std::fs::read_to_string", "openat statx read read close"),
    ("reload", "null", ""),
    ("reload", "stat", "fstat"),
    ("reload", "statx", "statx"),
    ("reload", "std::fs::metadata", "statx"),
    ("reload", "inotify", "read"),
    ("reload", "read", "openat read read read close"),
];

#[test]
fn every_method_makes_the_calls_written_here() {
    if !can_trace() {
        eprintln!("skipped: strace is not here or may not trace");
        return;
    }
    let known: BTreeMap<(&str, &str), &str> = RECIPES.iter().map(|&(o, m, calls)| ((o, m), calls)).collect();
    let mut wrong = Vec::new();
    let operations: BTreeSet<&str> = known.keys().map(|&(operation, _)| operation).collect();
    for operation in operations {
        for method in methods_of(operation) {
            if method == "fwrite" {
                // The C library cuts the data where its buffer ends, not where an operation does.
                continue;
            }
            if refused(operation, &method) {
                eprintln!("skipped: {method} is not supported here");
                continue;
            }
            let found = recipe(operation, &method);
            if known.get(&(operation, method.as_str())) != Some(&found.as_str()) {
                wrong.push(format!("(\"{operation}\", \"{method}\", \"{found}\"),"));
            }
        }
    }
    assert!(wrong.is_empty(), "these differ:\n{}", wrong.join("\n"));
}

#[test]
fn without_marks_no_mark_is_named() {
    if !can_trace() {
        eprintln!("skipped: strace is not here or may not trace");
        return;
    }
    let trace = trace("open-close", "open", "");
    assert!(!trace.contains("fathom-mark") && trace.contains("file 0"), "{trace}");
}

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
        assert!(trace(operation, method, "").contains(word), "{method}");
    }
    for method in ["pread", "mmap", "read"] {
        assert!(!trace("read-block", method, "").contains("_RANDOM"), "{method}");
    }
}

/// The calls of one operation, in order; the same for each or the test ends.
fn recipe(operation: &str, method: &str) -> String {
    let trace = trace(operation, method, "--marks");
    let lines: Vec<&str> = trace.lines().collect();
    let place = |mark: &str| {
        let found: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].contains(mark)).collect();
        assert_eq!(found.len(), 1, "{mark} in {trace}");
        found[0]
    };
    let inside = &lines[place("/fathom-mark/begin") + 1..place("/fathom-mark/end")];
    let mut calls: Vec<&str> = inside.iter().map(|line| name_of(line)).collect();
    if cfg!(debug_assertions) {
        // Before it closes a descriptor, std asserts with fcntl that it is open.
        calls.retain(|&call| call != "fcntl");
    }
    assert_eq!(calls.len() % OPERATIONS, 0, "{calls:?}");
    let each: Vec<&[&str]> = calls.chunks((calls.len() / OPERATIONS).max(1)).collect();
    assert!(each.windows(2).all(|pair| pair[0] == pair[1]), "{method}: {calls:?}");
    each.first().map_or(String::new(), |calls| calls.join(" "))
}

fn name_of(line: &str) -> &str {
    let call = line.split_once('(').map_or(line, |(name, _)| name);
    let call = call.rsplit(' ').next().unwrap_or(call);
    if call == "newfstatat" { "fstat" } else { call }
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

/// With which every operation of a kind makes the same calls.
fn settings(operation: &str) -> &'static [&'static str] {
    match operation {
        "create" => &["--write", "100", "--sync", "fsync"],
        "write-block" => &["--size", "65536", "--block", "8192", "--access", "sequential"],
        _ => &["--block", "4096"],
    }
}

fn trace(operation: &str, method: &str, extra: &str) -> String {
    let data = Data::new(1, 5000);
    let directory = data.directory().join("made");
    fs::create_dir(&directory).unwrap();
    let output = data.directory().join("trace");
    let mut command = Command::new("strace");
    command.arg("-o").arg(&output).arg(crate::conversation::DRIVER).arg("run");
    command.args(["--operation", operation, "--method", method, "--size", "5000"]);
    command.args(settings(operation)).arg("--directory").arg(directory);
    command.args(extra.split_whitespace());
    let paths = match operation {
        "open-missing" => vec![data.directory().join("none")],
        "template" => vec![page_template()],
        _ => data.paths,
    };
    let mut driver = Conversation::start_command(command, &paths);
    driver.done(&format!("batch {OPERATIONS} preroll=1"));
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
