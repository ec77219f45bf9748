//! Whose a call is in programs that a runtime runs: what `require` looks for and what a language asks
//! of each file that it opens are the runtime's, the program's own loop is the program's, and the
//! verdict is the same by the ring, by ptrace and with stacks.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says};
use predicates::prelude::{Predicate, PredicateBooleanExt};
use serde_json::Value;
use std::fs;

/// So many files are read, and so often.
const FILES: u64 = 250;
const ROUNDS: u64 = 8;

/// A loop that asks whether a file is there, reads it, and begins again, in each language; the
/// command that runs it, and what it needs.
const LOOPS: [(&str, &str, Option<Capability>, &str); 5] = [
    (
        "loop.rb",
        "ruby loop.rb",
        Some(Capability::Ruby),
        "require 'json'\nrequire 'yaml'\n8.times { 250.times { |i| f = \"data/#{i}\"; File.binread(f) if File.exist?(f) } }\n",
    ),
    (
        "loop.php",
        "php loop.php",
        Some(Capability::Php),
        "<?php\nfor ($r = 0; $r < 8; $r++) for ($i = 0; $i < 250; $i++) { clearstatcache(); $f = \"data/$i\"; \
         if (file_exists($f)) file_get_contents($f); }\ndate_default_timezone_set('Europe/Berlin'); date('c');\n",
    ),
    (
        "loop.pl",
        "perl loop.pl",
        Some(Capability::Perl),
        "use JSON::PP; use File::Temp;\nfor (1..8) { for (0..249) { my $n = \"data/$_\"; if (-e $n) { open(my $f, '<', $n) or die; \
         my @lines = <$f>; close $f } } }\n",
    ),
    (
        "loop.py",
        "/usr/bin/python3 -S -E loop.py",
        Some(Capability::SystemPython),
        "import os\nfor r in range(8):\n    for i in range(250):\n        if os.path.exists(f'data/{i}'):\n\
         \x20           with open(f'data/{i}') as f: f.read()\n",
    ),
    (
        "loop.sh",
        "sh loop.sh",
        None,
        "i=0\nwhile [ $i -lt 400 ]; do echo \"line $i\" >> log; i=$((i + 1)); done\n",
    ),
];

/// Programs that need no mending: what their runtime does at the start is its own.
const CLEAN: [(&str, &str, Option<Capability>, &str); 4] = [
    (
        "clean.rb",
        "ruby clean.rb",
        Some(Capability::Ruby),
        "require 'json'\nrequire 'yaml'\nrequire 'fileutils'\nrequire 'net/http'\nbegin; require 'not_there'; rescue LoadError; end\n",
    ),
    (
        "clean.php",
        "php clean.php",
        Some(Capability::Php),
        "<?php\nrequire 'inc.php';\ndate_default_timezone_set('Europe/Berlin');\n\
         $d = new DateTime('now', new DateTimeZone('Asia/Tokyo'));\n\
         for ($i = 0; $i < 250; $i++) file_get_contents(\"data/$i\");\n",
    ),
    (
        "clean.pl",
        "perl clean.pl",
        Some(Capability::Perl),
        "use JSON::PP; use HTTP::Tiny; use File::Find; use Getopt::Long;\neval { require Not::There };\n\
         for (0..249) { open(my $f, '<', \"data/$_\") or die; my @lines = <$f>; close $f }\n",
    ),
    (
        "clean.sh",
        "bash clean.sh",
        None,
        "while read -r line; do :; done < lines\ncat data/1 data/2 | sort | head -n 1 > out\n",
    ),
];

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("data")).unwrap();
    for number in 0..FILES {
        fs::write(sandbox.file(&format!("data/{number}")), "some words\n").unwrap();
    }
    sandbox.write("inc.php", "<?php function f() { return 1; }\n");
    let lines: String = (0..200).map(|number| format!("line {number}\n")).collect::<Vec<_>>().concat();
    sandbox.write("lines", &lines);
    sandbox
}

fn captures() -> Vec<&'static str> {
    let ring = has(Capability::Ring).then_some("--capture ring");
    ["--capture ptrace", "--stacks"].into_iter().chain(ring).collect()
}

fn audited(sandbox: &Sandbox, options: &str, command: &str, code: i32) -> Value {
    let words = format!("audit {options} --no-config --format json -o a.json -- {command}");
    sandbox.fathom(&words).assert().code(code);
    serde_json::from_slice(&fs::read(sandbox.file("a.json")).unwrap()).unwrap()
}

/// How often rules accuse an owner, by calls.
fn count(audit: &Value, rules: &[&str], owner: &str) -> u64 {
    let findings = audit["findings"].as_array().into_iter().chain(audit["trifles"].as_array()).flatten();
    let is_asked = |finding: &&Value| {
        rules.contains(&finding["rule"].as_str().unwrap()) && finding["owner_by_calls"] == owner
    };
    findings.filter(is_asked).map(|finding| finding["count"].as_u64().unwrap()).sum()
}

#[test]
#[ignore = "long"]
fn a_programs_own_loop_is_its_own_under_every_capture() {
    let sandbox = sandbox();
    let known = LOOPS.iter().filter(|(_, _, needs, _)| needs.is_none_or(has));
    for (name, command, _, text) in known {
        sandbox.write(name, text);
        for options in captures() {
            let audit = audited(&sandbox, options, command, 1);
            if *name == "loop.sh" {
                assert_eq!(count(&audit, &["R68"], "yours"), 399, "{command} {options}");
                continue;
            }
            // On a busy machine some lie too far apart in time to be one habit.
            let most = |counted: u64, all: u64| counted * 20 >= all * 19 && counted <= all + 9;
            let again = count(&audit, &["R23"], "yours");
            assert!(most(again, FILES * (ROUNDS - 1)), "{command} {options}: {again}");
            let asked = count(&audit, &["R13"], "yours");
            assert!(most(asked, FILES * ROUNDS), "{command} {options}: {asked}");
            let own = count(&audit, &["R05", "R27", "R17", "R20", "R71"], "yours");
            assert!(own < 10, "{command} {options}: {own} of the runtime's: {audit:#}");
        }
    }
}

#[test]
#[ignore = "long"]
fn a_runtimes_own_start_and_files_fail_no_program() {
    let sandbox = sandbox();
    let known = CLEAN.iter().filter(|(_, _, needs, _)| needs.is_none_or(has));
    for (name, command, _, text) in known {
        sandbox.write(name, text);
        for options in captures() {
            let audit = audited(&sandbox, options, command, 0);
            let own =
                count(&audit, &["R05", "R13", "R16", "R17", "R18", "R20", "R27", "R31", "R71"], "yours");
            // Where the C library looks in vain for a module of its own is not known to be its.
            assert!(own < 60, "{command} {options}: {own} are the program's own: {audit:#}");
        }
    }
}

/// Makes a call in the form of 32-bit programs.
#[cfg(target_arch = "x86_64")]
const OLD_FORM: &str = r#"
int main(void) { int result; __asm__ volatile("int $0x80" : "=a"(result) : "a"(20)); return result <= 0; }
"#;

#[test]
#[cfg(target_arch = "x86_64")]
fn calls_in_the_form_of_32_bit_programs_leave_budgets_open() {
    if !has(Capability::C) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("old.c", OLD_FORM);
    if !sandbox.shell("gcc -o old old.c && ./old").status.success() {
        eprintln!("skipped: the kernel takes no 32-bit calls");
        return;
    }
    let ring = has(Capability::Ring).then_some("ring");
    for capture in ["ptrace"].into_iter().chain(ring) {
        let mut command = sandbox.fathom(&format!("audit --no-config --capture {capture}"));
        let done = command.args(["--assert", "read < 100", "--", "./old"]).assert().code(3);
        done.stdout(says("NOT KNOWN read < 100").and(says("32-bit programs")));
    }
}

#[test]
fn a_name_is_shown_as_it_is_in_every_form() {
    if !has(Capability::Perl) {
        return;
    }
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("files")).unwrap();
    let look = |name: &str, form: &str| {
        let _gone = fs::remove_dir_all(sandbox.file("files"));
        fs::create_dir(sandbox.file("files")).unwrap();
        fs::write(sandbox.file(&format!("files/{name}")), "").unwrap();
        let words = format!("audit --no-config --format {form} -o shown -- perl -e");
        let script =
            "opendir D, 'files'; my ($n) = grep !/^\\./, readdir D; for (1..3000) { stat \"files/$n\" }";
        sandbox.fathom(&words).arg(script).assert().code(1);
        fs::read_to_string(sandbox.file("shown")).unwrap()
    };
    for form in ["text", "markdown", "html", "short"] {
        let comma = look("a, first b.txt", form);
        // Pages say where a name may be broken, and texts break their lines there.
        let comma = comma.replace("<wbr>", "");
        let is_said = says("a, first b.txt").eval(comma.as_bytes());
        assert!(is_said, "{form}: {comma}");
        let line = look("a\n2. close(3)", form);
        assert!(!line.replace("<wbr>", "").contains("\n2. close(3)"), "{form}: {line}");
    }
    let sarif: Value = serde_json::from_str(&look("a\n2. close(3)", "sarif")).unwrap();
    let said = sarif["runs"][0]["results"][0]["message"]["text"].as_str().unwrap();
    assert!(!said.contains("\n2. close(3)"), "{said}");
    assert!(look("`b`", "markdown").contains("files/`b`"));
}
