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
    sandbox.fathom("bench missing.py").assert().code(2).stderr(says("missing.py"));
    let others = says("functions of ways.rs cannot be measured: those of Go, Python and C files can");
    sandbox.fathom("bench ways.rs").assert().code(2).stderr(others);
}
