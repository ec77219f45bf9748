//! The kernel's counters and the breakdown, `fathom bench --why`: held against
//! perf, which counts the same driver at the same time, against the loop
//! device's own statistics, and against what the seed's offsets must cost.

mod perf;

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, program, says};
use fathom_collect::{CounterReading, CounterSet};
use fathom_model::counter_name as name;
use fathom_model::{Comparison, EvidencePass, Explanation, KernelCounter, Reading, Scope};
use perf::Perf;
use predicates::prelude::PredicateBooleanExt;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// Files that one batch makes.
const FILES: u32 = 200;

/// A file system of its own.
#[derive(Debug, Clone, Copy)]
struct FileSystem {
    name: &'static str,
    /// What makes it in an image; nothing for one in memory.
    make: Option<&'static str>,
}

const FILE_SYSTEMS: [FileSystem; 4] = [
    FileSystem { name: "ext4", make: Some("mkfs.ext4 -q -F") },
    FileSystem { name: "ext4 without journal", make: Some("mkfs.ext4 -q -F -O ^has_journal") },
    FileSystem { name: "xfs", make: Some("mkfs.xfs -q -f") },
    FileSystem { name: "tmpfs", make: None },
];

impl FileSystem {
    /// Words of a shell that make it in `image` and mount it at `mnt`.
    fn mount(self) -> String {
        match self.make {
            Some(make) => format!("truncate -s 400M image && {make} image && mount -o loop image mnt"),
            None => "mount -t tmpfs none mnt".to_owned(),
        }
    }

    fn can_be_made(self) -> bool {
        self.make.is_none_or(|make| make.starts_with("mkfs.ext4")) || has(Capability::MkfsXfs)
    }
}

/// Events of interrupts, in which no task does anything.
const COMPLETIONS: [&str; 3] = ["block_bio_complete", "block_io_done", "block_rq_complete"];

#[test]
fn block_events_of_new_files_are_those_of_perf_and_of_the_device() {
    if !has(Capability::Tracepoints) || !has(Capability::Perf) || !has(Capability::LoopMounts) {
        return;
    }
    for file_system in FILE_SYSTEMS.into_iter().filter(|file_system| file_system.can_be_made()) {
        let sandbox = Sandbox::new();
        fs::create_dir(sandbox.file("mnt")).unwrap();
        let mut driver = Creator::start(&sandbox, file_system);
        driver.ask("batch 10");
        driver.sync();
        let device = file_system.make.map(|_| driver.device());
        let mut counters = CounterSet::attach(driver.child.id(), device.as_deref());
        let mut perf = Perf::attach(&sandbox, driver.child.id());
        perf.ask("enable");
        let before = counters.read();
        assert!(driver.ask(&format!("batch {FILES}")).starts_with(&format!("done ops={FILES} ")));
        let mut after = counters.read_task();
        perf.ask("disable");
        driver.sync();
        after.extend(counters.read_device());
        let by_perf = perf.end();
        let what = file_system.name;
        let task = |name: &str| difference(&before, &after, name, Scope::Task);
        for (event, &count) in &by_perf {
            if COMPLETIONS.contains(&event.as_str()) {
                // Ours are read inside perf's time, in whose margins others' requests may complete.
                assert!(task(event) <= count, "{event} on {what}: {} of {count}", task(event));
            } else {
                assert_eq!(task(event), count, "{event} on {what}");
            }
        }
        assert!(by_perf.len() > 10, "{what}: {by_perf:?}");
        if device.is_none() {
            // A completion is counted for whoever its interrupt meets: those may be others' requests.
            let own = by_perf.iter().filter(|(event, _)| !COMPLETIONS.contains(&event.as_str()));
            assert!(own.into_iter().all(|(_, &count)| count == 0), "{what}: {by_perf:?}");
            continue;
        }
        let wide = |name: &str| difference(&before, &after, name, Scope::Device);
        for (tracepoint, statistic) in [
            ("block_rq_issue:read", "device-reads"),
            ("block_rq_issue:discard", "device-discards"),
            ("block_rq_issue:flush", "device-flushes"),
        ] {
            assert_eq!(wide(tracepoint), wide(statistic), "{tracepoint} and {statistic} on {what}");
        }
        // A flush without data is issued as a flush; the device counts it as a write of nothing too.
        let writes = wide("block_rq_issue:write") + wide("block_bio_queue:empty");
        assert_eq!(wide("device-writes"), writes, "{what}");
        // The journal's and the writeback's threads wrote it, after the batch: 10 bytes lie in a
        // page of each file, and ext4 touches buffers for each, xfs has buffers of its own.
        assert!(
            wide("device-writes") > 0 && wide("block_bio_queue") >= wide("block_rq_issue:write"),
            "{what}"
        );
        assert!(task(name::PAGES_DIRTIED) >= u64::from(FILES), "{what}");
        if what != "xfs" {
            assert!(task("block_touch_buffer") > u64::from(FILES), "{what}");
        }
    }
}

#[test]
#[ignore = "long"]
fn slowly_random_blocks_cost_what_their_offsets_say() {
    if !has(Capability::Tracepoints) || !has(Capability::Disk) {
        return;
    }
    for alignment in ["aligned", "unaligned"] {
        let sandbox = Sandbox::new();
        let words = format!(
            "bench read-block --why --size 16MiB --block 16KiB --set operations=150 --cache cold \
             --access random --alignment {alignment} --time 0.2 --dir . -o r.json \
             --methods native:pread+FADV_RANDOM,native:mmap+MADV_RANDOM"
        );
        sandbox
            .fathom(&words)
            .assert()
            .code(0)
            .stdout(says("block_bio_queue predicted").and(says(", exact")));
        let record = sandbox.record("r.json");
        for pass in passes(&record.experiments[0].comparisons[0]) {
            assert_eq!(pass.run_lengths, [0, 150]);
            assert!(pass.predictions.len() >= 3, "{:?}", pass.predictions);
            for prediction in &pass.predictions {
                let outcome = pass.outcome(prediction).unwrap();
                let expected = i64::try_from(prediction.expected).unwrap();
                assert_eq!(outcome.values, vec![expected; 3], "{prediction:?} {alignment}");
            }
            let bytes = values(pass.counter(name::USED_BYTES, Scope::Task).unwrap())[0];
            assert_eq!(bytes, 150 * 16_384);
            // Each request that the process issued in the last run is in the log with its size.
            let read = pass.requests.iter().find(|requests| requests.kind == "read").unwrap();
            let logged: u64 = read.sizes.iter().map(|(_, count)| count).sum();
            let issued = *values(pass.counter("block_rq_issue:read", Scope::Task).unwrap()).last().unwrap();
            assert_eq!((i64::try_from(logged).unwrap(), read.lost), (issued, 0), "{read:?}");
            assert!(read.sizes.iter().all(|(size, _)| size % 4096 == 0), "{read:?}");
        }
        sandbox.assert_nothing_left();
    }
}

/// A read sets the file's time of access, for which the block of its inode has to be in memory.
/// Where the device's own pages are taken out of memory meanwhile, it is read again.
#[test]
#[ignore = "long"]
fn metadata_read_beside_random_blocks_is_told_apart() {
    if !has(Capability::Tracepoints) || !has(Capability::LoopMounts) {
        return;
    }
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("mnt")).unwrap();
    let bench = format!(
        "{} bench read-block --why --size 16MiB --block 16KiB --set operations=150 --cache cold \
         --access random --time 0.2 --dir mnt -o r.json \
         --methods native:pread+FADV_RANDOM,native:mmap+MADV_RANDOM",
        program()
    );
    let script = format!(
        "truncate -s 100M image && mkfs.ext4 -q -F -b 4096 -O ^has_journal image && \
         mount -o loop,strictatime image mnt || exit 9; loop=$(findmnt -no SOURCE mnt); \
         (while blockdev --flushbufs $loop; do sleep 0.02; done) 2>/dev/null & flusher=$!; \
         {bench}; result=$?; kill $flusher; wait $flusher; umount mnt; exit $result"
    );
    sandbox
        .command("unshare")
        .args(["--mount", "sh", "-c", &script])
        .assert()
        .code(0)
        .stdout(says("NOT as predicted").not());
    let mut found_outside = false;
    for pass in passes(&sandbox.record("r.json").experiments[0].comparisons[0]) {
        // Less those of a run without operations, which reads outside the file as well.
        let outside = values(pass.counter(name::OUTSIDE_READS, Scope::Task).unwrap());
        found_outside |= outside.iter().any(|&reads| reads != 0);
        for prediction in &pass.predictions {
            let outcome = pass.outcome(prediction).unwrap();
            let expected = i64::try_from(prediction.expected).unwrap();
            assert!(outcome.values.iter().all(|&value| value == expected), "{prediction:?}: {outcome:?}");
        }
    }
    assert!(found_outside);
}

#[test]
#[ignore = "long"]
fn an_ordinary_user_gets_what_may_be_had_and_the_reason_for_the_rest() {
    let sandbox = Sandbox::new();
    let words = "bench open-close --methods native:open --why --time 0.2 --dir place -o place/r.json";
    let place = sandbox.file("place");
    fs::create_dir(&place).unwrap();
    let assert = if rustix::process::geteuid().is_root() {
        rustix::fs::chown(&place, Some(rustix::fs::Uid::from_raw(65534)), None).unwrap();
        let mut command = sandbox.command_of_nobody(program());
        command.args(words.split_whitespace()).env("FATHOM_CACHE_DIR", sandbox.file("place/cache"));
        command.assert()
    } else {
        sandbox.fathom(words).assert()
    };
    assert.code(0).stdout(says("needs root"));
    let record = sandbox.record("place/r.json");
    let pass = passes(&record.experiments[0].comparisons[0]).remove(0);
    let of = |name: &str| pass.counter(name, Scope::Task).unwrap_or_else(|| panic!("no {name}"));
    for name in [name::RUSAGE_MINOR_FAULTS, name::CPU_TIME, name::VOLUNTARY_SWITCHES, name::READ_BYTES] {
        assert!(of(name).differences.value().is_some(), "{name}: {:?}", of(name));
    }
    let Reading::Unavailable(reason) = &of(name::BIO_QUEUE).differences else { panic!("block events") };
    assert!(reason.contains("needs root"), "{reason}");
    // Either refused or counted in user mode only, where switches would read 0.
    assert!(of(name::CONTEXT_SWITCHES).differences.value().is_none(), "{:?}", of(name::CONTEXT_SWITCHES));
    sandbox.assert_nothing_left();
}

#[test]
fn the_doctor_says_which_counters_there_are() {
    let sandbox = Sandbox::new();
    sandbox
        .fathom("doctor")
        .assert()
        .code(0)
        .stdout(says("faults by perf").and(says("switches by perf")).and(says("block and page cache")));
}

/// A driver that makes files on a file system that nobody else sees.
struct Creator {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Creator {
    fn start(sandbox: &Sandbox, file_system: FileSystem) -> Self {
        let path = sandbox.fathom("driver path native").output().unwrap().stdout;
        let driver = String::from_utf8(path).unwrap();
        let script = format!(
            "{} && mkdir mnt/new && exec {} run --operation create --method open+O_CREAT \
             --directory mnt/new --write 10",
            file_system.mount(),
            driver.trim()
        );
        let mut command = sandbox.plain_command("unshare");
        command.args(["-m", "sh", "-c", &script]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut creator = Self { child, input, output };
        assert_eq!(creator.line(), "ready");
        creator
    }

    fn ask(&mut self, line: &str) -> String {
        writeln!(self.input, "{line}").unwrap();
        self.line()
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim().to_owned()
    }

    /// The file system as the driver sees it.
    fn root(&self) -> PathBuf {
        let directory = fs::read_link(format!("/proc/{}/cwd", self.child.id())).unwrap();
        let root = PathBuf::from(format!("/proc/{}/root", self.child.id()));
        root.join(directory.strip_prefix("/").unwrap()).join("mnt")
    }

    fn sync(&self) {
        rustix::fs::syncfs(File::open(self.root()).unwrap()).unwrap();
    }

    /// Number of the device below it.
    fn device(&self) -> String {
        let device = rustix::fs::stat(self.root()).unwrap().st_dev;
        format!("{}:{}", rustix::fs::major(device), rustix::fs::minor(device))
    }
}

impl Drop for Creator {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _reaped = self.child.wait();
    }
}

fn difference(before: &[CounterReading], after: &[CounterReading], name: &str, scope: Scope) -> u64 {
    let of = |readings: &[CounterReading]| {
        let reading = readings.iter().find(|reading| reading.name == name && reading.scope == scope);
        *reading.unwrap_or_else(|| panic!("no {name}")).value.value().unwrap()
    };
    of(after) - of(before)
}

fn passes(comparison: &Comparison) -> Vec<&EvidencePass> {
    let pass = |explanation: &'_ Explanation| match &explanation.counters {
        Some(Reading::Value(_)) => {}
        other => panic!("{other:?}"),
    };
    comparison.explanations.iter().for_each(pass);
    comparison.explanations.iter().filter_map(|explanation| explanation.counters.as_ref()?.value()).collect()
}

fn values(counter: &KernelCounter) -> &Vec<i64> {
    counter.differences.value().unwrap_or_else(|| panic!("{counter:?}"))
}
