//! Functions of a user's file as methods: what they call, what they answer, and what is said of
//! files that are no good.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says};
use fathom_model::{Comparison, Record};

const GO: &str = "package main\n\nimport (\n\t\"bytes\"\n\t\"os\"\n)\n\n\
    func Once(path string) ([]byte, error) { return os.ReadFile(path) }\n\
    func Twice(path string) ([]byte, error) {\n\tif f, err := os.Open(path); err == nil {\n\t\tf.Close()\n\t}\n\
    \treturn os.ReadFile(path)\n}\n\
    func Lines(path string) (int, error) {\n\tdata, err := os.ReadFile(path)\n\
    \treturn bytes.Count(data, []byte(\"\\n\")), err\n}\n\
    func Helper(path string, n int) int { return n }\n\nfunc main() {}\n";
const PYTHON: &str = "import os\n\ndef once(path):\n    fd = os.open(path, os.O_RDONLY)\n    data = os.read(fd, 1 << 20)\n    \
    os.close(fd)\n    return data\n\ndef twice(path):\n    os.close(os.open(path, os.O_RDONLY))\n    return once(path)\n\n\
    def cut(path):\n    return once(path)[:-1]\n\ndef fails(path):\n    raise KeyError('no such thing')\n";
const C: &str = "#include <fcntl.h>\n#include <unistd.h>\nstatic int helper(int a) { return a; }\n\
    long newlines(const char *path) {\n  static char data[1 << 20];\n  int fd = open(path, O_RDONLY);\n  \
    long n = read(fd, data, sizeof data), count = 0;\n  close(fd);\n  for (long i = 0; i < n; i++) count += data[i] == 10;\n  \
    return count + helper(0);\n}\nint main(void) { return 0; }\n";

const RUST: &str = "use std::path::Path;\n\npub fn once(path: &Path) -> std::io::Result<Vec<u8>> {\n    std::fs::read(path)\n}\n\
    pub fn twice<P: AsRef<Path>>(path: P) -> Result<String, Box<dyn std::error::Error>> {\n    \
    drop(std::fs::File::open(&path)?);\n    Ok(std::fs::read_to_string(path)?)\n}\n\
    pub fn fails(_: &str) -> Result<usize, String> {\n    Err(\"no such thing\".into())\n}\n\
    pub fn two(a: &str, b: usize) -> usize {\n    a.len() + b\n}\nfn main() {}\n";
const CPP: &str = "#include <fstream>\n#include <iterator>\n#include <string>\n\
    std::string once(const std::string& path) {\n  std::ifstream in(path);\n  return {std::istreambuf_iterator<char>(in), {}};\n}\n\
    std::string read(const std::string& path) { return once(path); }\n\
    std::string cut(const char* path) { return once(path).substr(1); }\nint number(int a) { return a; }\nint main() {}\n";
const JAVA: &str = "package demo;\n\nimport java.io.IOException;\nimport java.nio.file.*;\n\npublic class Ways {\n    \
    public static byte[] once(Path path) throws IOException { return Files.readAllBytes(path); }\n    \
    public static long lines(String path) throws IOException { return Files.readString(Path.of(path)).chars().filter(c -> c == 10).count(); }\n    \
    public static double real(String path) { return 1; }\n}\n";
const NODE: &str = "import { readFileSync } from 'node:fs';\nimport { readFile } from 'node:fs/promises';\n\
    export const once = (path) => readFileSync(path);\nexport async function later(path) { return readFile(path, 'utf8'); }\n\
    export const promised = (path) => readFile(path);\nexport function lines(path) { return readFileSync(path, 'utf8').split('\\n').length - 1; }\n\
    export function two(a, b) { return 1; }\n";
const ZIG: &str = "const std = @import(\"std\");\n\
    pub fn once(io: std.Io, gpa: std.mem.Allocator, path: []const u8) ![]u8 {\n    \
    return std.Io.Dir.cwd().readFileAlloc(io, path, gpa, .unlimited);\n}\n\
    pub fn two(a: []const u8, b: usize) usize {\n    return a.len + b;\n}\n";

fn opens(comparison: &Comparison, method: &str) -> f64 {
    let at =
        comparison.variants.iter().position(|variant| variant.method.to_string() == method).expect(method);
    let pass = comparison.counts[at].value().expect("it was counted");
    pass.inside.iter().filter(|call| call.call == "openat").map(fathom_model::CallCount::per_operation).sum()
}

fn comparison(record: &Record) -> &Comparison {
    &record.experiments[0].comparisons[0]
}

#[test]
#[ignore = "long"]
fn functions_of_three_languages_stand_side_by_side_with_exact_calls() {
    if ![Capability::Go, Capability::Python, Capability::C, Capability::Cpp].into_iter().all(has) {
        return;
    }
    let sandbox = Sandbox::new();
    for (name, text) in [("ways.go", GO), ("ways.py", PYTHON), ("ways.c", C)] {
        sandbox.write(name, text);
    }
    sandbox
        .fathom("bench ways.go ways.py ways.c --counts-only -o r.json --fail-on answers")
        .assert()
        .code(1)
        .stderr(says("skipped in ways.go: Helper takes 2 arguments"))
        .stderr(says("gate FAILED: ways.py:cut returns 65535 bytes where the data has 65536"))
        .stdout(says("answers DIFFER"))
        .stdout(says("ways.py:cut returns 65535 bytes"));
    let record = sandbox.record("r.json");
    let found = comparison(&record);
    for (method, expected) in [
        ("ways.go:Once", 1.0),
        ("ways.go:Twice", 2.0),
        ("ways.py:once", 1.0),
        ("ways.py:twice", 2.0),
        ("ways.c:newlines", 1.0),
    ] {
        assert_eq!(opens(found, method).to_bits(), f64::to_bits(expected), "{method}");
    }
    let differing: Vec<String> = (found.variants.iter().zip(&found.answers))
        .filter(|(_, answer)| answer.disagrees.is_some())
        .map(|(variant, _)| variant.method.to_string())
        .collect();
    assert_eq!(differing, ["ways.py:cut"], "Go and C count the same lines");
    let failed: Vec<_> = record.experiments[0].unmeasured.iter().collect();
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert_eq!(failed[0].method.to_string(), "ways.py:fails");
    assert!(failed[0].reason.contains("KeyError: 'no such thing'"), "{}", failed[0].reason);
    assert_eq!(std::fs::read_to_string(sandbox.file("ways.py")).unwrap(), PYTHON);
    sandbox.assert_nothing_left();
}

#[test]
#[ignore = "long"]
fn functions_of_five_more_languages_stand_side_by_side_in_one_call() {
    let needed = [Capability::Rust, Capability::Cpp, Capability::Java, Capability::Node, Capability::Zig];
    if !needed.into_iter().all(has) {
        return;
    }
    let sandbox = Sandbox::new();
    for (name, text) in
        [("ways.rs", RUST), ("ways.cpp", CPP), ("Ways.java", JAVA), ("ways.mjs", NODE), ("ways.zig", ZIG)]
    {
        sandbox.write(name, text);
    }
    sandbox
        .fathom(
            "bench ways.rs ways.cpp Ways.java ways.mjs ways.zig --counts-only -o r.json --fail-on answers",
        )
        // Without the shipped ways, whose drivers take minutes to build.
        .args(["--methods", "ways.rs:*,ways.cpp:*,Ways.java:*,ways.mjs:*,ways.zig:*"])
        .assert()
        .code(1)
        .stderr(says("skipped in ways.rs: two takes 2 arguments"))
        .stderr(says("skipped in ways.cpp: number takes something else than a path"))
        .stderr(says("skipped in Ways.java: real returns double"))
        .stderr(says("skipped in ways.mjs: two takes 2 arguments"))
        .stderr(says("skipped in ways.zig: two takes usize"))
        .stderr(says("gate FAILED: ways.cpp:cut returns 65535 bytes where the data has 65536"));
    let record = sandbox.record("r.json");
    let found = comparison(&record);
    for (method, expected) in [
        ("ways.rs:once", 1.0),
        ("ways.rs:twice", 2.0),
        ("ways.cpp:once", 1.0),
        ("ways.cpp:read", 1.0),
        ("ways.cpp:cut", 1.0),
        ("Ways.java:once", 1.0),
        ("Ways.java:lines", 1.0),
        ("ways.mjs:once", 1.0),
        ("ways.mjs:later", 1.0),
        ("ways.mjs:promised", 1.0),
        ("ways.mjs:lines", 1.0),
        ("ways.zig:once", 1.0),
    ] {
        assert_eq!(opens(found, method).to_bits(), f64::to_bits(expected), "{method}");
    }
    let differing: Vec<String> = (found.variants.iter().zip(&found.answers))
        .filter(|(_, answer)| answer.disagrees.is_some())
        .map(|(variant, _)| variant.method.to_string())
        .collect();
    assert_eq!(differing, ["ways.cpp:cut"], "Java and JavaScript count the same lines");
    let failed: Vec<_> = record.experiments[0].unmeasured.iter().collect();
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert_eq!(failed[0].method.to_string(), "ways.rs:fails");
    assert!(failed[0].reason.contains("no such thing"), "{}", failed[0].reason);
    sandbox.assert_nothing_left();
}

#[test]
fn a_function_with_a_call_for_every_byte_is_counted_too() {
    if !has(Capability::Python) {
        return;
    }
    let sandbox = Sandbox::new();
    // In the long run of short operations these would be 60 million calls under ptrace.
    sandbox.write(
        "slow.py",
        "import os\n\ndef bytewise(path):\n    file, count = os.open(path, os.O_RDONLY), 0\n    \
         while os.read(file, 1):\n        count += 1\n    os.close(file)\n    return count\n",
    );
    sandbox.fathom("bench slow.py --methods slow.py:* --counts-only -o r.json").assert().code(0);
    let record = sandbox.record("r.json");
    let counts = comparison(&record).counts[0].value().unwrap();
    assert_eq!(counts.calls_per_operation().to_bits(), 65_539_f64.to_bits(), "open, 65,537 reads, close");
}

/// Beside load a runtime starts for seconds, and what it does at first is no part of an operation.
#[test]
fn a_start_that_takes_long_is_no_part_of_an_operation() {
    if !has(Capability::Python) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write(
        "late.py",
        "import os, time\n\nif 'TracerPid:\\t0\\n' not in open('/proc/self/status').read():\n    time.sleep(4)\n\
         is_first = True\n\n\ndef once(path):\n    global is_first\n    if is_first:\n        \
         is_first = os.close(os.open(path, os.O_RDONLY))\n    fd = os.open(path, os.O_RDONLY)\n    \
         data = os.read(fd, 1 << 20)\n    os.close(fd)\n    return data\n",
    );
    sandbox.fathom("bench late.py --methods late.py:once --counts-only -o r.json").assert().code(0);
    assert_eq!(opens(comparison(&sandbox.record("r.json")), "late.py:once").to_bits(), 1_f64.to_bits());
}

#[test]
fn a_missing_toolchain_leaves_the_other_files() {
    if !has(Capability::Python) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("ways.py", PYTHON);
    sandbox.write("ways.zig", ZIG);
    let with = |words: &str| {
        let mut command = sandbox.fathom(words);
        command.env("FATHOM_ZIG", "/no/such/zig");
        command.assert()
    };
    let methods = "--methods ways.py:once,ways.py:twice,ways.zig:once";
    let bench = format!("bench ways.zig ways.py {methods} --counts-only -o r.json");
    with(&bench).code(0).stderr(says("ways.zig is not measured: no `zig` found (set FATHOM_ZIG"));
    let unmeasured = &sandbox.record("r.json").experiments[0].unmeasured;
    assert_eq!(unmeasured.len(), 1, "{unmeasured:?}");
    assert_eq!(unmeasured[0].method.to_string(), "ways.zig:once");
    assert!(unmeasured[0].reason.contains("no `zig` found"), "{}", unmeasured[0].reason);
    with(&format!("{bench} --fail-on answers")).code(3).stderr(says("gate not known: ways.zig:once"));
    with("bench ways.zig --counts-only").code(2).stderr(says("ways.zig: no `zig` found"));
}

#[test]
fn a_gate_on_calls_fails_for_the_one_that_makes_more() {
    if !has(Capability::Python) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("ways.py", PYTHON);
    let words = |gate: &str| {
        let mut command = sandbox.fathom("bench ways.py --methods ways.py:once,ways.py:twice --counts-only");
        command.args(["--fail-on", gate]);
        command
    };
    words("calls ways.py:twice > ways.py:once").assert().code(1).stderr(says("gate FAILED"));
    words("calls ways.py:once > ways.py:twice").assert().code(0).stderr(says("gate held"));
    words("time ways.py:once > ways.py:twice").assert().code(3).stderr(says("gate not known"));
    words("answers").assert().code(0).stderr(says("all answers agree"));
}

#[test]
fn build_errors_show_the_users_own_line() {
    let sandbox = Sandbox::new();
    let cases = [
        (
            Capability::Go,
            "bad.go",
            "package bad\n\nfunc Read(path string) []byte { return nowhere }\n",
            "bad.go:3:",
        ),
        (Capability::Python, "bad.py", "def read(path):\n    return (\n", "bad.py: line "),
        (Capability::C, "bad.c", "long f(const char *p) {\n  return nowhere;\n}\n", "bad.c:2:"),
        (Capability::Cpp, "bad.cpp", "long f(const char *p) {\n  return nowhere;\n}\n", "bad.cpp:2:"),
        (Capability::Rust, "bad.rs", "pub fn f(p: &str) -> usize {\n    nowhere\n}\n", "bad.rs:2:"),
        (Capability::Java, "Bad.java", "public class Bad {\n  nowhere\n}\n", "Bad.java:2:"),
        (Capability::Node, "bad.mjs", "export function f(p) {\n  return (;\n}\n", "bad.mjs:2"),
    ];
    for (_, name, text, line) in cases.into_iter().filter(|(needs, ..)| has(*needs)) {
        sandbox.write(name, text);
        let mut command = sandbox.fathom("bench --counts-only");
        command.arg(name).assert().code(2).stderr(says(line)).stderr(says("does not build"));
    }
}

#[test]
fn files_without_a_function_that_fits_say_what_one_looks_like() {
    let sandbox = Sandbox::new();
    if has(Capability::Go) {
        sandbox.write("ways_test.go", GO);
        sandbox.fathom("bench ways_test.go").assert().code(2).stderr(says("tests only"));
        sandbox.write("other.go", &format!("//go:build plan9\n\n{GO}"));
        sandbox.fathom("bench other.go").assert().code(2).stderr(says("//go:build"));
    }
    if has(Capability::Python) {
        sandbox.write("none.py", "def two(a, b):\n    return a\n");
        let none = sandbox.fathom("bench none.py").assert().code(2);
        none.stderr(says("two takes 2 arguments")).stderr(says("def name(path)"));
    }
    if has(Capability::Java) {
        sandbox.write("my-ways.java", "class Ways {}\n");
        sandbox.fathom("bench my-ways.java").assert().code(2).stderr(says("named as its class"));
    }
    sandbox.fathom("bench missing.py").assert().code(2).stderr(says("missing.py"));
    let others = says("functions of ways.rb cannot be measured: those of C, C++, Go, Java");
    sandbox.fathom("bench ways.rb").assert().code(2).stderr(others);
}
