//! `fathom driver check`: what conforms passes, and each way of not conforming
//! is found and named. The broken drivers are the documented one, altered.

mod broken;

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says, workspace};
use broken::Broken;
use predicates::prelude::PredicateBooleanExt;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// The documented driver.
fn example() -> PathBuf {
    workspace().join("docs/examples/driver.pl").canonicalize().unwrap()
}

/// The documented driver with one piece replaced, checked.
fn check_altered(sandbox: &Sandbox, from: &str, to: &str) -> (Option<i32>, String) {
    // Without its third method: the list is run often here.
    let text = fs::read_to_string(example()).unwrap().replace("sysread readline null)", "sysread null)");
    assert_eq!(text.matches(from).count(), 1, "`{from}` must stand once in the documented driver");
    let path = sandbox.write("driver", &text.replace(from, to));
    fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    let assert = sandbox.fathom("driver check driver").assert();
    let output = assert.get_output();
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

#[test]
fn the_native_driver_conforms() {
    let sandbox = Sandbox::new();
    let passed = says(" 0 failed").and(says("native driver: Rust and C library"));
    sandbox.fathom("driver check native").assert().code(0).stdout(passed);
    sandbox.assert_nothing_left();
}

/// The whole list on a driver that ships, and one line of its output.
fn conforms(capability: Capability, driver: &str, line: &str) {
    if !has(capability) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox
        .fathom(&format!("driver check {driver}"))
        .assert()
        .code(0)
        .stdout(says(" 0 failed").and(says(line)));
    sandbox.assert_nothing_left();
}

#[test]
#[ignore = "long"]
fn the_cpp_driver_conforms() {
    conforms(Capability::Cpp, "cpp", "read-whole std::ifstream+rdbuf");
}

#[test]
#[ignore = "long"]
fn the_go_driver_conforms() {
    conforms(Capability::Go, "go", "read-whole os.ReadFile");
}

/// The files that find mistakes, on a driver whose whole list takes minutes.
fn reads_what_finds_mistakes(capability: Capability, driver: &str) {
    if !has(capability) {
        return;
    }
    let sandbox = Sandbox::new();
    let words = format!("driver check {driver} --operation lines --operation search --operation reload");
    let passed = says(" 0 failed").and(says("words on every border")).and(says("lines of every shape"));
    sandbox.fathom(&words).assert().code(0).stdout(passed.and(says("read-whole").not()));
    sandbox.assert_nothing_left();
}

#[test]
#[ignore = "long"]
fn the_java_driver_reads_what_finds_mistakes() {
    reads_what_finds_mistakes(Capability::Java, "java");
}

#[test]
#[ignore = "long"]
fn the_node_driver_reads_what_finds_mistakes() {
    reads_what_finds_mistakes(Capability::Node, "node");
}

#[test]
#[ignore = "long"]
fn the_python_driver_reads_what_finds_mistakes() {
    reads_what_finds_mistakes(Capability::Python, "python");
}

#[test]
#[ignore = "long"]
fn slowly_the_java_driver_conforms() {
    conforms(Capability::Java, "java", "lines Files.lines");
}

#[test]
#[ignore = "long"]
fn slowly_the_node_driver_conforms() {
    conforms(Capability::Node, "node", "read-whole fs.promises.readFile");
}

#[test]
#[ignore = "long"]
fn slowly_the_python_driver_conforms() {
    conforms(Capability::Python, "python", "hash mmap+hashlib.md5");
}

#[test]
#[ignore = "long"]
fn the_zig_driver_conforms() {
    conforms(Capability::Zig, "zig", "lines mmap");
}

#[test]
fn the_documented_driver_conforms_and_can_be_measured() {
    if !has(Capability::Perl) {
        return;
    }
    let sandbox = Sandbox::new();
    let example = example();
    let example = example.display();
    sandbox.fathom(&format!("driver check {example}")).assert().code(0).stdout(says(" 0 failed, 0 skipped"));
    let words =
        format!("bench read-whole --driver {example} --methods perl:*,native:pread --time 0.3 -o r.json");
    sandbox.fathom(&words).assert().code(0).stdout(says("perl:sysread"));
    let record = sandbox.record("r.json");
    let comparison = &record.experiments[0].comparisons[0];
    assert_eq!(comparison.variants.len(), 3, "sysread, readline, pread");
    assert!(comparison.summaries.iter().all(|summary| summary.value().is_some()));
    assert!(record.drivers.iter().any(|driver| driver.driver == "perl" && driver.language == "Perl"));
}

#[test]
#[ignore = "long"]
fn each_way_of_not_conforming_is_found_and_named() {
    if !has(Capability::Perl) {
        return;
    }
    let sandbox = Sandbox::new();
    let mut missed = Vec::new();
    for Broken { what, from, to, item, how } in broken::WAYS {
        let (code, text) = check_altered(&sandbox, from, to);
        let named =
            text.lines().any(|line| line.contains("FAILED") && line.contains(item) && line.contains(how));
        if code != Some(1) || !named || text.contains(" 0 failed") {
            missed.push(format!(
                "{what}: exit code {code:?}, no FAILED line with `{item}` and `{how}`:\n{text}"
            ));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    sandbox.assert_nothing_left();
}

/// Mistakes that the documented driver, which knows no such operation, cannot make: the shipped
/// driver for Python, altered.
#[test]
#[ignore = "long"]
fn mistakes_with_lines_words_and_changes_are_found() {
    if !has(Capability::Python) {
        return;
    }
    let ways = [
        ("search.py", "overlap = len(word) - 1", "overlap = 0", "search", "words on every border"),
        ("job.py", "line = line.rstrip(b\"\\n\")", "line = line.strip()", "lines", "lines of every shape"),
        (
            "reload.py",
            "!= held.look",
            "!= held.look and len(held.data) < 4",
            "reload",
            "what changes is held",
        ),
        (
            "read_whole.py",
            "os.read(fd, job.block):",
            "(not os.path.isdir(path) and os.read(fd, job.block)):",
            "read-whole",
            "a directory is an error",
        ),
        (
            "arguments.py",
            "raise ArgumentsError(\"--method is missing\")",
            "return plan",
            "null",
            "missing, too many or unfit",
        ),
    ];
    for (name, from, to, operation, item) in ways {
        let sandbox = Sandbox::new();
        let shipped = workspace().join("drivers/python");
        for file in fs::read_dir(&shipped).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "py") {
                let text = fs::read_to_string(&path).unwrap();
                sandbox.write(path.file_name().unwrap().to_str().unwrap(), &text);
            }
        }
        let text = fs::read_to_string(shipped.join(name)).unwrap();
        assert!(text.contains(from), "`{from}` stands in {name}");
        sandbox.write(name, &text.replace(from, to));
        let driver = sandbox.write("driver", "#!/bin/sh\nexec python3 -I -S \"${0%/*}/driver.py\" \"$@\"\n");
        fs::set_permissions(&driver, PermissionsExt::from_mode(0o755)).unwrap();
        let assert = sandbox.fathom(&format!("driver check ./driver --operation {operation}")).assert();
        let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
        let named = text.lines().any(|line| line.contains("FAILED") && line.contains(item));
        assert!(named && !text.contains(" 0 failed"), "{name}: {item}:\n{text}");
    }
}

#[test]
fn missing_marks_are_found() {
    if !has(Capability::Perl) || !has(Capability::Strace) {
        return;
    }
    let (code, text) = check_altered(&Sandbox::new(), "$given{marks} and sysopen", "0 and sysopen");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.lines().any(|line| line.contains("FAILED   open-close sysopen: marks")), "{text}");
}

#[test]
fn what_is_no_driver_is_an_error_in_words() {
    let sandbox = Sandbox::new();
    for (name, script, words) in [
        ("silent", "exit 0", "silent describe` did not print a description"),
        ("fails", "echo no luck >&2; exit 5", "fails describe` failed (exit status: 5) no luck"),
        (
            "future",
            "echo '{\"protocol\": 9, \"driver\": \"x\", \"language\": \"x\", \"runtime\": \"x\", \"methods\": []}'",
            "speaks protocol 9, this Fathom speaks 1",
        ),
        ("endless", "yes", "says more than 4194304 B"),
    ] {
        let path = sandbox.write(name, &format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        sandbox.fathom(&format!("driver check {name}")).assert().code(2).stderr(says(words));
        sandbox.fathom(&format!("bench open-close --driver ./{name}")).assert().code(2).stderr(says(words));
    }
    sandbox.fathom("driver check nowhere").assert().code(2).stderr(says("failed to start nowhere"));
}

#[test]
fn a_driver_that_delivers_wrong_data_is_not_measured() {
    if !has(Capability::Perl) {
        return;
    }
    let sandbox = Sandbox::new();
    let text =
        fs::read_to_string(example()).unwrap().replace("crc32($_[0], $crc)", "crc32('x' . $_[0], $crc)");
    let path = sandbox.write("driver", &text);
    fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    let words = "bench read-whole --driver driver --methods perl:sysread,native:pread --time 0.1 -o r.json";
    sandbox.fathom(words).assert().code(0).stdout(says("not measured: perl:sysread: delivers "));
    let experiment = &sandbox.record("r.json").experiments[0];
    assert_eq!(experiment.unmeasured.len(), 1);
    assert_eq!(experiment.comparisons[0].variants.len(), 1);
}
