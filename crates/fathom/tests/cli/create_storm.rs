//! Creating many files: what Fathom counts against what perf and the device count of a bare
//! C program that makes the same calls; the order of the calls; mounts that come and go.

use crate::capability::{Capability, has};
use crate::running::Running;
use crate::sandbox::{Sandbox, program, says};
use fathom_model::{ArmKind, CommandCount, Record, Scope};
use predicates::prelude::PredicateBooleanExt;
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::fs;

/// Opens files of fixed names one after the other, perhaps (w) writes ten bytes into each, and
/// perhaps (c) closes them all afterwards.
const BARE_PROGRAM: &str = r#"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int count = atoi(argv[1]), fds[1000];
    const char *what = argc > 2 ? argv[2] : "";
    for (int i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "f%d", i);
        fds[i] = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0644);
        if (fds[i] < 0) return 1;
        if (strchr(what, 'w') && write(fds[i], "0123456789", 10) != 10) return 2;
    }
    for (int i = 0; strchr(what, 'c') && i < count; i++) close(fds[i]);
    return 0;
}
"#;

/// Runs it under perf on new, empty and filled files, with the device's statistics around it,
/// and then Fathom in the same file system.
const SCRIPT: &str = r#"
set -e
test -d /sys/kernel/tracing/events || mount -t tracefs none /sys/kernel/tracing
mkdir mnt
if test -z "$MAKE"; then mount -t tmpfs tmpfs mnt; stat=/dev/null
else truncate -s 400M image; $MAKE image >/dev/null; mount -o loop$OPTIONS image mnt
    stat=/sys/class/block/$(basename $(findmnt -n -o SOURCE mnt))/stat
fi
# What is read once in a mount's life is read before, as by the batch in which Fathom settles.
mkdir mnt/before; cd mnt/before; ../../bare 200 wc
mkdir ../c; cd ../c
run() {
    sync -f .; before=$(cat $stat)
    perf stat -x, -e 'block:*' -o ../../perf.$1 ../../bare 200 wc
    sleep 0.5; echo $before $(cat $stat) > ../../device.$1
}
run fresh
for name in f*; do : > $name; done
run empty
run data
cd ../..
fathom bench create --methods cpp:open+O_CREAT --set operations=200 --set write=10B --set close=all \
    --set existing=fresh,empty,data --why --time 0.2 --precision 100 --dir mnt -o r.json
"#;

/// Events of interrupts, which meet whatever process runs.
const BY_INTERRUPTS: [&str; 3] = ["block_bio_complete", "block_io_done", "block_rq_complete"];

#[derive(Clone, Copy)]
struct Case {
    /// Makes the file system; empty for a tmpfs, which has no device.
    make: &'static str,
    options: &'static str,
    /// Requests that replacing 200 files makes, those of the log apart.
    replacing: i64,
    /// Requests more that a log of the file system's own may make when it fills or its time has come.
    of_log: i64,
}

const EXT4: Case = Case {
    make: "mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0",
    options: "",
    replacing: 200,
    // The journal is committed every five seconds, and a busy machine takes that long for a batch.
    of_log: 24,
};

const CASES: [Case; 6] = [
    EXT4,
    Case { make: "mkfs.ext4 -q -F -E lazy_itable_init=0 -O ^has_journal", of_log: 0, ..EXT4 },
    Case { options: ",noauto_da_alloc", replacing: 0, ..EXT4 },
    Case { make: "mkfs.xfs -q", of_log: 6, ..EXT4 },
    // Ten bytes lie in the tree.
    Case { make: "mkfs.btrfs -q", replacing: 0, of_log: 0, ..EXT4 },
    Case { make: "", replacing: 0, of_log: 0, ..EXT4 },
];

fn bare_program(sandbox: &Sandbox) {
    sandbox.write("bare.c", BARE_PROGRAM);
    sandbox.command("gcc").args(["-O1", "-o", "bare", "bare.c"]).assert().code(0);
}

fn perfs(sandbox: &Sandbox, name: &str) -> BTreeMap<String, i64> {
    let text = fs::read_to_string(sandbox.file(name)).unwrap();
    let counts = text.lines().filter_map(|line| {
        let mut fields = line.split(',');
        let count = fields.next()?.parse().ok()?;
        Some((fields.nth(1)?.strip_prefix("block:")?.to_owned(), count))
    });
    counts.collect()
}

/// Writes and merges between the two readings of a device's statistics.
fn devices(sandbox: &Sandbox, name: &str) -> [i64; 2] {
    let text = fs::read_to_string(sandbox.file(name)).unwrap();
    let fields: Vec<i64> = text.split_whitespace().map(|field| field.parse().unwrap()).collect();
    let (before, after) = fields.split_at(fields.len() / 2);
    [4, 5].map(|index| after[index] - before[index])
}

/// Per batch, what the device did in the batches of one comparison.
fn in_batches(record: &Record, comparison: usize, figure: &str) -> Vec<i64> {
    let comparison = &record.experiments[0].comparisons[comparison];
    let arm = comparison.arms.iter().position(|arm| arm.kind == ArmKind::Variant(0)).unwrap();
    let batches = |samples: &fathom_model::ArmSamples| samples.ns.iter().flatten().count();
    let of_fork = |fork: &fathom_model::Fork| {
        let samples = &fork.arms[arm];
        let total = i64::try_from(samples.totals[figure]).unwrap();
        total / i64::try_from(batches(samples)).unwrap()
    };
    comparison.forks.iter().filter(|fork| batches(&fork.arms[arm]) > 0).map(of_fork).collect()
}

#[test]
#[ignore = "long"]
fn slowly_a_batch_is_counted_as_perf_and_the_device_count_a_bare_program() {
    let needed = [Capability::Tracepoints, Capability::Perf, Capability::LoopMounts];
    if !needed.into_iter().all(has) || !has(Capability::C) || !has(Capability::Cpp) {
        return;
    }
    for case in CASES {
        let Case { make, options, .. } = case;
        if !make.is_empty() && !is_installed(make) {
            continue;
        }
        let sandbox = Sandbox::new();
        bare_program(&sandbox);
        let script =
            format!("MAKE='{make}'; OPTIONS='{options}'; PATH=$PATH:{}; {SCRIPT}", folder_of_program());
        sandbox.command("unshare").args(["-m", "sh", "-c", &script]).assert().code(0);
        let record = sandbox.record("r.json");
        for (number, existing) in ["fresh", "empty", "data"].into_iter().enumerate() {
            case.compare(&sandbox, &record, number, existing);
        }
    }
}

/// True of a program that is there; CI has all of them.
fn is_installed(make: &str) -> bool {
    let program = make.split(' ').next().unwrap_or_default();
    let found = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .any(|folder| folder.join(program).exists());
    assert!(found || std::env::var_os("FATHOM_TEST_REQUIRE").is_none(), "{program} is not installed");
    found
}

impl Case {
    fn compare(self, sandbox: &Sandbox, record: &Record, number: usize, existing: &str) {
        let what = format!("{existing} on {}{}", self.make, self.options);
        let expected = if existing == "fresh" { 0 } else { self.replacing };
        // xfs frees the blocks of what is truncated: files without any need none.
        let expected = if existing == "empty" && self.make.contains("xfs") { 0 } else { expected };
        let is_expected = |count: i64| (expected..=expected + self.of_log).contains(&count);
        let perf = perfs(sandbox, &format!("perf.{existing}"));
        assert!(is_expected(perf["block_bio_queue"]), "{what}: {perf:?}");
        let comparison = &record.experiments[0].comparisons[number];
        let pass = comparison.explanations[0].counters.as_ref().unwrap().value().unwrap();
        for (event, &count) in perf.iter().filter(|(event, _)| !BY_INTERRUPTS.contains(&event.as_str())) {
            let counter = pass.counter(event, Scope::Task).unwrap_or_else(|| panic!("no {event}"));
            let found = counter.median().unwrap();
            let apart = (found - count as f64).abs();
            if ["block_touch_buffer", "block_dirty_buffer"].contains(&event.as_str()) {
                // Directories and tables of inodes have blocks of their own.
                assert!(apart <= count as f64 * 0.05 + 20.0, "{event}, {what}: {found} and {count}");
            } else {
                assert!(apart < self.of_log as f64 + 0.5, "{event}, {what}: {found} and {count}");
            }
        }
        if self.make.is_empty() {
            return;
        }
        let [writes, merges] = devices(sandbox, &format!("device.{existing}"));
        assert!(is_expected(writes + merges), "{what}: {writes} and {merges}");
        let mut of_device = in_batches(record, number, "device_writes");
        for (sum, merged) in of_device.iter_mut().zip(in_batches(record, number, "device_merges")) {
            *sum += merged;
        }
        // The kernel's own writer may take neighbors in one request where a batch is slow.
        of_device.sort_unstable();
        let usual = of_device.get(of_device.len() / 2);
        assert!(usual.is_some_and(|&count| is_expected(count)), "{what}: {of_device:?}");
    }
}

fn folder_of_program() -> String {
    std::path::Path::new(program()).parent().unwrap().display().to_string()
}

#[test]
fn counters_of_a_command_are_those_of_perf() {
    let needed = [Capability::Tracepoints, Capability::Perf, Capability::LoopMounts];
    if !needed.into_iter().all(has) || !has(Capability::C) {
        return;
    }
    let sandbox = Sandbox::new();
    bare_program(&sandbox);
    let script = "
        set -e
        test -d /sys/kernel/tracing/events || mount -t tracefs none /sys/kernel/tracing
        truncate -s 400M image; mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 image
        mkdir mnt; mount -o loop image mnt; mkdir mnt/one mnt/two; sync -f mnt
        cd mnt/one; perf stat -x, -e 'block:*' -o ../../perf.one ../../bare 1000 wc
        cd ../two; fathom count --why --format json -o ../../count.json -- ../../bare 1000 wc </dev/null";
    let script = format!("PATH=$PATH:{}; ulimit -n 4096; {script}", folder_of_program());
    sandbox.command("unshare").args(["-m", "sh", "-c", &script]).assert().code(0);
    let count: CommandCount =
        serde_json::from_str(&fs::read_to_string(sandbox.file("count.json")).unwrap()).unwrap();
    let perf = perfs(&sandbox, "perf.one");
    let counter = |event: &str| {
        let found = count.counters.iter().find(|c| c.name == event && c.scope == Scope::Task).unwrap();
        found.differences.value().unwrap()[0]
    };
    for event in ["block_dirty_buffer", "block_bio_queue", "block_rq_issue", "block_bio_backmerge"] {
        assert_eq!(counter(event), perf[event], "{event}");
    }
    // Under the tracer it was one more for each of the thousand files.
    let touched = (counter("block_touch_buffer"), perf["block_touch_buffer"]);
    assert!((touched.0 - touched.1).abs() < 200, "{touched:?}");
}

#[test]
fn what_a_command_reads_from_a_pipe_cannot_be_counted_twice() {
    let sandbox = Sandbox::new();
    let out = sandbox.shell("echo word | fathom count --why -- cat");
    assert_eq!(String::from_utf8_lossy(&out.stdout), "word\n");
    let err = String::from_utf8_lossy(&out.stderr).replace('\n', " ");
    assert!(err.contains("can be read only once"), "{err}");
}

#[test]
fn files_that_stay_open_are_written_one_by_one_and_closed_at_the_end() {
    if !has(Capability::Strace) {
        return;
    }
    for (driver, needs) in [("native", Capability::Strace), ("cpp", Capability::Cpp), ("go", Capability::Go)]
    {
        if !has(needs) {
            continue;
        }
        let sandbox = Sandbox::new();
        let path = sandbox.fathom(&format!("driver path {driver}")).output().unwrap().stdout;
        let path = String::from_utf8(path).unwrap();
        let method = if driver == "go" { "os.Create" } else { "open+O_CREAT" };
        fs::create_dir(sandbox.file("place")).unwrap();
        sandbox
            .command("strace")
            .args(["-f", "-y", "-qq", "-e", "trace=open,openat,write,close", "-o", "log", path.trim(), "run"])
            .args(["--operation", "create", "--method", method, "--directory", "place"])
            .args(["--write", "10", "--close", "all"])
            .write_stdin("batch 3\nquit\n")
            .assert()
            .code(0);
        let log = fs::read_to_string(sandbox.file("log")).unwrap();
        let calls: String = log
            .lines()
            .filter(|line| line.contains("place/0/f"))
            .filter_map(|line| line.split_once(' ')?.1.trim_start().chars().next())
            .collect();
        assert_eq!(calls, "owowowccc", "{driver}: {log}");
    }
}

#[test]
fn file_systems_asked_for_come_and_go() {
    if !has(Capability::LoopMounts) {
        return;
    }
    let mounts = || fs::read_to_string("/proc/self/mountinfo").unwrap();
    let before = mounts();
    let sandbox = Sandbox::new();
    let words = "bench create --methods native:open+O_CREAT --set operations=300 --set existing=data --set write=10B \
                 --mount ext4+noauto_da_alloc,tmpfs+nr_inodes=650 --time 0.3 -o r.json";
    sandbox.fathom(words).assert().code(0).stdout(says("noauto_da_alloc"));
    let record = sandbox.record("r.json");
    let kinds: Vec<&str> = record.places.iter().map(|place| place.file_system.as_str()).collect();
    assert_eq!(kinds, ["ext4", "tmpfs"]);
    assert_eq!(mounts(), before);
    // Of the tmpfs with 650 inodes: what batches of 300 and 100 made is gone before the next.
    let comparison = &record.experiments[0].comparisons[1];
    let batches: usize = comparison.forks.iter().flat_map(|fork| &fork.arms).map(|arm| arm.ns.len()).sum();
    assert!(batches >= 2, "{batches}");
    sandbox.assert_nothing_left();

    let words = "bench create --methods native:open+O_CREAT --mount ext4,tmpfs --time 300 --precision 0.0001 -o r.json";
    let mut running = Running::start(&sandbox, words);
    running.wait_for("a timed driver", Running::timed_driver);
    running.signal(Signal::INT);
    assert_eq!(running.end().code, Some(130));
    assert_eq!(mounts(), before);
    sandbox.assert_nothing_left();
}

#[test]
fn too_few_inodes_are_told_from_too_little_space() {
    if !has(Capability::LoopMounts) {
        return;
    }
    let sandbox = Sandbox::new();
    let bench = |mount: &str, more: &str| {
        let words = format!(
            "bench create --methods native:open+O_CREAT --set operations=500 {more} --time 0.2 --mount {mount} -o r.json"
        );
        let _any_code = sandbox.fathom(&words).output().unwrap();
        let text = fs::read_to_string(sandbox.file("r.json")).unwrap();
        fs::remove_file(sandbox.file("r.json")).unwrap();
        text
    };
    let text = bench("tmpfs+nr_inodes=300", "");
    assert!(text.contains("no inode") && !text.contains("no space"), "{text}");
    let text = bench("tmpfs+size=1m", "--set write=8KiB");
    assert!(text.contains("no space") && !text.contains("no inode"), "{text}");
}

#[test]
fn a_kind_of_file_system_that_nobody_knows_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.fathom("bench create --mount ext9").assert().code(2).stderr(says("known are").and(says("btrfs")));
}
