//! Comparisons that are none, and comparisons that are: small real programs, functions and commands
//! in C, Go, Python and sh. What is wrong is flagged in the answer and in the record; a pair that
//! only differs in how it does the same work is not.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says};
use fathom_model::{CommandComparison, Record, ValidityFlag};
use std::fs;

/// One pair: the old side, the new side, and what is wrong of it; `None` of an honest one.
#[derive(Debug, Clone, Copy)]
struct Pair {
    sides: [&'static str; 2],
    problem: Option<&'static str>,
    by: By,
}

/// How the two sides are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    /// `fathom compare --commands`.
    Words,
    /// The same with `--shell`.
    Shell,
    /// `fathom bench FILE`, functions of one file.
    Functions,
}

const fn words(old: &'static str, new: &'static str, problem: Option<&'static str>) -> Pair {
    Pair { sides: [old, new], problem, by: By::Words }
}

const fn shell(old: &'static str, new: &'static str, problem: Option<&'static str>) -> Pair {
    Pair { sides: [old, new], problem, by: By::Shell }
}

const fn functions(old: &'static str, new: &'static str, problem: Option<&'static str>) -> Pair {
    Pair { sides: [old, new], problem, by: By::Functions }
}

const QUICK: [Pair; 8] = [
    words("./cat data", "./copy-of-cat data", Some("same-program")),
    words("cat data", "python3 -S read_uring.py data", Some("never-happened")),
    words("cat data", "python3 -S direct_refused.py /proc/version", Some("refused")),
    shell("cat data", "cat nothing-there || true", Some("read-nothing")),
    words("dd if=data bs=512 status=none", "dd if=data bs=64k status=none", None),
    words("python3 -S plain.py data", "python3 -S willneed.py data", None),
    shell("for i in 1 2 3; do cat data; done", "cat data data data", None),
    words("ls -l .", "ls .", None),
];

const SLOW: [Pair; 34] = [
    words("cat data", "cat data", Some("same-program")),
    words("python3 -S plain.py data", "python3 -S plain_again.py data", Some("same-program")),
    words("python3 -S plain.py data", "python3 -S read_direct_named.py data", Some("never-happened")),
    words("python3 -S plain.py data", "python3 -S uring_refused.py data", Some("refused")),
    words("python3 -S plain.py data", "python3 -S uring_idle.py data", Some("never-happened")),
    words("python3 -S plain.py data", "python3 -S fadvise_named.py data", Some("never-happened")),
    words("python3 -S plain.py data", "python3 -S advice_to_a_pipe.py data", Some("refused")),
    words("python3 -S plain.py data", "python3 -S advice_normal.py data", Some("without-effect")),
    words("cat data", "head -c 1000 data", Some("other-data")),
    words("cat data", "cat other", Some("other-data")),
    words("python3 -S plain.py data", "python3 -S tidy.py data", Some("other-cache-state")),
    words("python3 -S plain.py data", "python3 -S fast.py data", Some("other-cache-state")),
    words("python3 -S copy.py data", "python3 -S copy_sendfile.py data", Some("never-happened")),
    words("python3 -S save.py", "python3 -S save_fsync_named.py", Some("never-happened")),
    words("python3 -S plain.py data", "python3 -S mmap_named.py data", Some("never-happened")),
    functions("ways.c:whole", "ways.c:by_stat", Some("read-nothing")),
    functions("ways.c:whole", "ways.c:remembered", Some("read-nothing")),
    functions("ways.c:whole", "ways.c:madvise_dontneed", Some("never-happened")),
    functions("ways.py:whole", "ways.py:cut", Some("other-data")),
    functions("ways.py:whole", "ways.py:willneed", Some("without-effect")),
    functions("ways.go:Whole", "ways.go:ReadDirect", Some("never-happened")),
    words("python3 -S plain.py data", "python3 -S pieces.py data", None),
    words("python3 -S plain.py data", "python3 -S direct_io.py data", None),
    words("python3 -S plain.py data", "python3 -S fadvise_dontneed.py data", None),
    words("python3 -S plain.py data", "python3 -S read_mmap.py data", None),
    words("python3 -S copy.py data", "python3 -S sendfile.py data", None),
    words("python3 -S save.py", "python3 -S save_fsync.py", None),
    words("python3 -S save_fdatasync.py", "python3 -S save_fsync.py", None),
    words("wc -l data", "sed -n $= data", None),
    words("md5sum data", "sha256sum data", None),
    functions("ways.c:whole", "ways.c:blocks", None),
    functions("ways.c:blocks", "ways.c:pread_blocks", None),
    functions("ways.py:whole", "ways.py:pieces", None),
    functions("ways.go:Whole", "ways.go:Streamed", None),
];

const MORE: [Pair; 6] = [
    words("cat data", "tail -c +1 data", None),
    words("python3 -S copy.py data", "python3 -S copy_file_range.py data", None),
    words("python3 -S plain.py data", "python3 -S often.py data", None),
    functions("ways.c:whole", "ways.c:by_stdio", None),
    functions("ways.py:whole", "ways.py:buffered", None),
    shell("cat data | cat", "cat data", None),
];

const SCRIPTS: [(&str, &str); 26] = [
    ("plain.py", READ),
    ("plain_again.py", READ),
    ("read_uring.py", READ_LATER),
    ("read_direct_named.py", READ_LATER),
    ("fadvise_named.py", READ_LATER),
    ("mmap_named.py", READ_LATER),
    ("pieces.py", "import os, sys\nf = os.open(sys.argv[1], os.O_RDONLY)\nwhile os.read(f, 4096): pass\n"),
    (
        "often.py",
        "import os, sys\nf = os.open(sys.argv[1], os.O_RDONLY)\nfor i in range(5): os.fstat(f)\nwhile os.read(f, 1 << 20): pass\n",
    ),
    (
        "direct_refused.py",
        "import os, sys\ntry: f = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECT)\nexcept OSError: f = os.open(sys.argv[1], os.O_RDONLY)\nos.read(f, 4096)\n",
    ),
    (
        "direct_io.py",
        "import mmap, os, sys\nf = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECT)\nb = mmap.mmap(-1, 1 << 20)\nwhile os.readv(f, [b]): pass\n",
    ),
    (
        "fast.py",
        "import mmap, os, sys\nf = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECT)\nb = mmap.mmap(-1, 1 << 20)\nwhile os.readv(f, [b]): pass\n",
    ),
    (
        "willneed.py",
        "import os, sys\nf = os.open(sys.argv[1], os.O_RDONLY)\nos.posix_fadvise(f, 0, 0, os.POSIX_FADV_WILLNEED)\nwhile os.read(f, 1 << 20): pass\n",
    ),
    (
        "advice_normal.py",
        "import os, sys\nf = os.open(sys.argv[1], os.O_RDONLY)\nos.posix_fadvise(f, 0, 0, os.POSIX_FADV_NORMAL)\nwhile os.read(f, 1 << 20): pass\n",
    ),
    (
        "advice_to_a_pipe.py",
        "import os, sys\nr, w = os.pipe()\ntry: os.posix_fadvise(r, 0, 0, os.POSIX_FADV_WILLNEED)\nexcept OSError: pass\nf = os.open(sys.argv[1], os.O_RDONLY)\nwhile os.read(f, 1 << 20): pass\n",
    ),
    (
        "tidy.py",
        "import os, sys\nf = os.open(sys.argv[1], os.O_RDONLY)\nwhile os.read(f, 1 << 20): pass\nos.posix_fadvise(f, 0, 0, os.POSIX_FADV_DONTNEED)\n",
    ),
    (
        "fadvise_dontneed.py",
        "import os, sys\nf = os.open(sys.argv[1], os.O_RDONLY)\nwhile os.read(f, 1 << 20): pass\nos.posix_fadvise(f, 0, 0, os.POSIX_FADV_DONTNEED)\n",
    ),
    (
        "read_mmap.py",
        "import mmap, os, sys\nf = os.open(sys.argv[1], os.O_RDONLY)\nlen(mmap.mmap(f, 0, prot=mmap.PROT_READ)[:])\n",
    ),
    // 425 is io_uring_setup on every architecture; too many entries are refused.
    (
        "uring_refused.py",
        "import ctypes, os, sys\nctypes.CDLL(None).syscall(425, 0, ctypes.create_string_buffer(120))\nf = os.open(sys.argv[1], os.O_RDONLY)\nwhile os.read(f, 1 << 20): pass\n",
    ),
    (
        "uring_idle.py",
        "import ctypes, os, sys\nctypes.CDLL(None).syscall(425, 8, ctypes.create_string_buffer(120))\nf = os.open(sys.argv[1], os.O_RDONLY)\nwhile os.read(f, 1 << 20): pass\n",
    ),
    ("copy.py", COPY),
    ("copy_sendfile.py", COPY_LATER),
    (
        "sendfile.py",
        "import os, sys\nf = os.open(sys.argv[1], os.O_RDONLY)\nt = os.open('copied', os.O_WRONLY | os.O_CREAT | os.O_TRUNC)\nwhile os.sendfile(t, f, None, 1 << 20): pass\n",
    ),
    (
        "copy_file_range.py",
        "import os, sys\nf = os.open(sys.argv[1], os.O_RDONLY)\nt = os.open('copied', os.O_WRONLY | os.O_CREAT | os.O_TRUNC)\nwhile os.copy_file_range(f, t, 1 << 20): pass\n",
    ),
    ("save.py", "import os\nt = open('saved', 'wb')\nt.write(b'x' * 5000)\nt.flush()\n"),
    (
        "save_fsync_named.py",
        "import os\nt = open('saved', 'wb', buffering=100)\nt.write(b'x' * 5000)\nt.flush()\nt.close()\n",
    ),
    (
        "save_fsync.py",
        "import os\nt = open('saved', 'wb')\nt.write(b'x' * 5000)\nt.flush()\nos.fsync(t.fileno())\n",
    ),
];
const FDATASYNC: &str =
    "import os\nt = open('saved', 'wb')\nt.write(b'x' * 5000)\nt.flush()\nos.fdatasync(t.fileno())\n";
const READ: &str = "import os, sys\nf = os.open(sys.argv[1], os.O_RDONLY)\nwhile os.read(f, 1 << 20): pass\n";
const READ_LATER: &str = "import os, sys\n# It was to do more.\nf = os.open(sys.argv[1], os.O_RDONLY)\nos.fstat(f)\nwhile os.read(f, 1 << 20): pass\n";
const COPY: &str = "import os, sys\nf = os.open(sys.argv[1], os.O_RDONLY)\nt = os.open('copied', os.O_WRONLY | os.O_CREAT | os.O_TRUNC)\n\
    while data := os.read(f, 1 << 20): os.write(t, data)\n";
const COPY_LATER: &str = "import os, sys\nf = os.open(sys.argv[1], os.O_RDONLY)\nt = os.open('copied', os.O_WRONLY | os.O_CREAT | os.O_TRUNC)\n\
    while data := os.read(f, 1 << 16): os.write(t, data)\n";

const C: &str = r#"
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
static char data[1 << 20];
static long count(const char *path, size_t piece, int advise) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  long all = 0, n;
  if (fd < 0) return -1;
  if (advise) posix_madvise(data, sizeof data, POSIX_MADV_DONTNEED);
  while ((n = read(fd, data, piece)) > 0) all += n;
  close(fd);
  return all;
}
long whole(const char *path) { return count(path, sizeof data, 0); }
long blocks(const char *path) { return count(path, 4096, 0); }
long madvise_dontneed(const char *path) { return count(path, 8192, 1); }
long pread_blocks(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  long all = 0, n;
  while ((n = pread(fd, data, 4096, all)) > 0) all += n;
  close(fd);
  return all;
}
long by_stat(const char *path) { struct stat s; return stat(path, &s) ? -1 : (long)s.st_size; }
long remembered(const char *path) {
  static long known;
  if (!known) known = count(path, sizeof data, 0);
  return known;
}
long by_stdio(const char *path) {
  FILE *f = fopen(path, "re");
  long all = 0, n;
  while ((n = fread(data, 1, 4096, f)) > 0) all += n;
  fclose(f);
  return all;
}
"#;
const PYTHON: &str = "import os\n\ndef whole(path):\n    f = os.open(path, os.O_RDONLY)\n    data = os.read(f, 1 << 20)\n    os.close(f)\n    return data\n\n\
def pieces(path):\n    f = os.open(path, os.O_RDONLY)\n    data = b''\n    while piece := os.read(f, 4096): data += piece\n    os.close(f)\n    return data\n\n\
def cut(path):\n    return whole(path)[:-1]\n\n\
def buffered(path):\n    with open(path, 'rb') as f: return f.read()\n\n\
def willneed(path):\n    f = os.open(path, os.O_RDONLY)\n    os.posix_fadvise(f, 0, 0, os.POSIX_FADV_WILLNEED)\n    data = os.read(f, 1 << 20)\n    os.close(f)\n    return data\n";
const GO: &str = "package main\n\nimport (\n\t\"io\"\n\t\"os\"\n)\n\nfunc Whole(path string) ([]byte, error) { return os.ReadFile(path) }\n\n\
func Streamed(path string) ([]byte, error) {\n\tf, err := os.Open(path)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\tdefer f.Close()\n\treturn io.ReadAll(f)\n}\n\n\
func ReadDirect(path string) ([]byte, error) {\n\tif f, err := os.Open(path); err == nil {\n\t\tf.Close()\n\t}\n\treturn os.ReadFile(path)\n}\n\nfunc main() {}\n";

fn prepared() -> Sandbox {
    let sandbox = Sandbox::new();
    let data: String = (0..16_384).map(|number| format!("{number:07}\n")).collect::<Vec<_>>().concat();
    sandbox.write("data", &data);
    sandbox.write("other", &data);
    for (name, text) in SCRIPTS.iter().chain(&[("save_fdatasync.py", FDATASYNC)]) {
        sandbox.write(name, text);
    }
    for (name, text) in [("ways.c", C), ("ways.py", PYTHON), ("ways.go", GO)] {
        sandbox.write(name, text);
    }
    for name in ["cat", "copy-of-cat"] {
        fs::copy("/bin/cat", sandbox.file(name)).unwrap();
    }
    sandbox
}

/// What a comparison of the pair is flagged for: what voids it.
fn flags(sandbox: &Sandbox, pair: &Pair) -> Vec<ValidityFlag> {
    let [old, new] = pair.sides;
    let found = if pair.by == By::Functions {
        let file = old.split(':').next().unwrap();
        let mut bench = sandbox.fathom("bench");
        bench.args([file, "--methods", &format!("{old},{new}"), "--counts-only", "-o", "r.json"]);
        bench.assert().code(0);
        let record: Record = sandbox.record("r.json");
        record.experiments[0].comparisons[0].validity.clone()
    } else {
        let mut compare = sandbox.fathom("compare --counts-only -o r.json");
        if pair.by == By::Shell {
            compare.arg("--shell");
        }
        compare.args(["--commands", old, new]).assert().code(0);
        let text = fs::read_to_string(sandbox.file("r.json")).unwrap();
        serde_json::from_str::<CommandComparison>(&text).unwrap().validity
    };
    fs::remove_file(sandbox.file("r.json")).unwrap();
    found.into_iter().filter(|flag| flag.problem.voids()).collect()
}

/// Compares every pair; says of how many traps and honest pairs the verdict is wrong.
fn check(pairs: &[Pair]) {
    let sandbox = prepared();
    let (mut wrong, mut traps, mut honest) = (Vec::new(), 0, 0);
    for pair in pairs {
        let missing = match pair.sides[1].split(':').next() {
            Some("ways.c") => !has(Capability::C) || !has(Capability::Cpp),
            Some("ways.go") => !has(Capability::Go),
            _ => !has(Capability::Python),
        };
        if missing {
            continue;
        }
        let found = flags(&sandbox, pair);
        let codes: Vec<_> = found.iter().map(|flag| flag.problem.code()).collect();
        let is_right = match pair.problem {
            Some(problem) => codes.contains(&problem),
            None => codes.is_empty(),
        };
        if pair.problem.is_some() {
            traps += 1;
        } else {
            honest += 1;
        }
        if !is_right {
            wrong.push(format!("{pair:?}: {found:?}"));
        }
    }
    eprintln!("{traps} traps, {honest} honest pairs, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn some_traps_are_flagged_and_some_honest_pairs_are_not() {
    check(&QUICK);
}

#[test]
#[ignore = "minutes: 48 comparisons"]
fn traps_are_flagged_and_honest_pairs_are_not_slowly() {
    check(&[&QUICK[..], &SLOW[..], &MORE[..]].concat());
}

#[test]
fn what_is_wrong_is_said_before_the_time_is_spent_and_in_the_first_block() {
    let sandbox = prepared();
    let assert = sandbox
        .fathom("compare --counts-only -o r.json --commands")
        .args(["./cat data", "./copy-of-cat data"])
        .assert()
        .code(0)
        .stderr(says(
            "warning: not a valid comparison: `./cat data` and `./copy-of-cat data` are the same program",
        ));
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let (warned, calls) = (text.find("NOT a valid comparison"), text.find("Calls per run"));
    assert!(warned.is_some() && warned < calls, "{text}");
    // A record says it again.
    sandbox.fathom("compare r.json").assert().stdout(says("NOT a valid comparison"));
}
