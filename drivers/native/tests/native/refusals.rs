//! Exit codes 2 and 77, each with its reason on standard error.

use crate::conversation::{DRIVER, Data};
use std::process::{Command, Stdio};

fn refusal(arguments: &str) -> (Option<i32>, String) {
    let output =
        Command::new(DRIVER).args(arguments.split_whitespace()).stdin(Stdio::null()).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn wrong_arguments_exit_with_2_and_name_what_is_wrong() {
    let cases = [
        ("", "usage"),
        ("dance", "usage"),
        ("run --method open --path x", "--operation is missing"),
        ("run --operation open-close --path x", "--method is missing"),
        ("run --operation open-close --method open", "--path is missing"),
        ("run --operation write --method open --path x", "wrong value of --operation: write"),
        ("run --operation open-close --method opan --path x", "unknown method: opan"),
        ("run --operation open-close --method pread --path x", "pread cannot perform open-close"),
        ("run --operation read-whole --method open --path x --size 1", "open cannot perform read-whole"),
        ("run --operation read-whole --method read --path x", "--size is missing"),
        ("run --operation read-whole --method read --path x --size -1", "wrong value of --size"),
        ("run --operation read-whole --method read --path x --size 1 --block 0", "wrong value of --block"),
        ("run --operation read-block --method read --path x --size 4095 --block 4096", "at least 4096"),
        (
            "run --operation read-block --method read --path x --size 4096 --block 4096 --access sequential --alignment unaligned",
            "at least 4097",
        ),
        ("run --operation read-whole --method O_DIRECT+pread --path x --size 1 --block 1000", "O_DIRECT"),
        (
            "run --operation read-block --method O_DIRECT+pread --path x --size 9000 --block 512 --alignment unaligned",
            "O_DIRECT",
        ),
        ("run --operation open-close --method open --path x --speed 3", "unknown argument: --speed"),
        ("run --operation open-close --method open --path", "--path"),
        ("run --operation search --method pread --path x --size 1 --threads 0", "wrong value of --threads"),
        (
            "run --operation hash --method read --path x --size 1 --algorithm md4",
            "wrong value of --algorithm",
        ),
        ("run --operation hash --method pread --path x --size 1", "pread cannot perform hash"),
        ("run --operation lines --method getline --path x", "--size is missing"),
        ("run --operation create --method open+O_CREAT", "--directory is missing"),
        ("run --operation write-block --method pwrite --size 4096 --block 4096", "--directory is missing"),
        ("run --operation copy --method sendfile --size 1 --directory x", "--path is missing"),
        (
            "run --operation create --method open+O_CREAT --directory x --close never",
            "wrong value of --close",
        ),
        ("run --operation create --method open+O_CREAT --directory x --sync no", "wrong value of --sync"),
        (
            "run --operation write-block --method pwrite --size 4000000 --block 1048577 --directory x",
            "a block of at most 1048576",
        ),
        (
            "run --operation write-block --method pwrite+O_DIRECT --size 9000 --block 512 --directory x",
            "a multiple of 4096",
        ),
        ("run --operation read-block --method io_uring --path x --size 1 --queue-depth 0", "--queue-depth"),
        ("run --operation open-close --method openat+dirfd --path /", "without a file name"),
    ];
    for (arguments, reason) in cases {
        let (code, message) = refusal(arguments);
        assert_eq!(code, Some(2), "{arguments}: {message}");
        assert!(message.contains(reason), "{arguments}: {message}");
    }
}

#[test]
fn an_empty_word_is_nothing_to_search() {
    let mut command = Command::new(DRIVER);
    command.args(["run", "--operation", "search", "--method", "pread", "--path", "x", "--size", "1"]);
    let output = command.args(["--word", ""]).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_file_system_without_direct_io_exits_with_77() {
    for (operation, method) in
        [("open-close", "open+O_DIRECT"), ("read-whole", "O_DIRECT+pread"), ("read-block", "O_DIRECT+pread")]
    {
        let arguments = format!("run --operation {operation} --method {method} --size 4096 --block 4096");
        let (code, message) = refusal(&format!("{arguments} --path /proc/version"));
        assert_eq!(code, Some(77), "{message}");
        assert!(
            message.contains("O_DIRECT is refused for /proc/version: open answers Invalid argument"),
            "{message}"
        );
    }
}

#[test]
fn the_end_of_the_input_is_no_error() {
    let data = Data::new(1, 0);
    let path = data.directory().join("none");
    let output = Command::new(DRIVER)
        .args(["run", "--operation", "open-close", "--method", "open", "--path"])
        .arg(path)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"ready\n"[..]));
}

#[test]
fn an_fstat_cannot_be_elided_without_the_library() {
    let (code, message) =
        refusal("run --operation open-write-close --method open+O_WRONLY+fstat-fstat --path x");
    assert_eq!(code, Some(77), "{message}");
    assert!(message.contains("open+O_WRONLY+fstat-fstat needs the library elide-fstat"), "{message}");
}
