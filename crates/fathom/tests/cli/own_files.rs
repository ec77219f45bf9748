//! Files of the user's: `--file` and `--tree`. They are read and never changed, and what
//! published programs get wrong on them is predicted.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, program, says};
use fathom_model::{Operation, Record, Setting};
use predicates::prelude::PredicateBooleanExt;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

const READING: [&str; 8] =
    ["open-close", "open-read-close", "read-whole", "read-block", "lines", "search", "hash", "reload"];

/// A log with words across the borders of four parts, few lines of uneven length, empty ones
/// among them, and a last line without a newline.
fn log(length: usize) -> Vec<u8> {
    let mut text = Vec::new();
    let mut state = 5;
    while text.len() < length {
        state = fathom_model::splitmix64(state);
        let padding = usize::try_from(state % 3000).unwrap();
        text.extend_from_slice(if state % 3 == 0 { b"an ERROR " } else { b"no error " });
        text.resize(text.len() + padding, b'.');
        text.extend_from_slice(if state % 7 == 0 { b"ERROR\n\n" } else { b"\n" });
    }
    text.truncate(length);
    for part in 1..4 {
        text[length / 4 * part - 2..][..5].copy_from_slice(b"ERROR");
    }
    text[length - 1] = b'R';
    text
}

/// Mode, inode, time of the last change, links and content.
type State = (u32, u64, i64, i64, u64, Vec<u8>);

/// Everything about what lies below a directory, but for when it was read.
fn state_of(folder: &Path) -> BTreeMap<String, State> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let found = fs::symlink_metadata(&path).unwrap();
        let bytes = if found.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
        let facts = (found.mode(), found.ino(), found.mtime(), found.mtime_nsec(), found.nlink(), bytes);
        all.insert(path.display().to_string(), facts);
    }
    all
}

fn reasons(record: &Record) -> Vec<String> {
    let all = record.experiments.iter().flat_map(|experiment| &experiment.unmeasured);
    all.map(|item| format!("{}: {}", item.method, item.reason)).collect()
}

#[test]
#[ignore = "long"]
fn published_searches_and_readers_are_predicted_for_every_number_of_workers() {
    if !has(Capability::Go) {
        return;
    }
    let sandbox = Sandbox::new();
    let text = log(1_000_003);
    fs::write(sandbox.file("app.log"), &text).unwrap();
    let words = "bench search --file app.log --methods go:pread-quarters,go:open+Seek+Scanner,go:pread+bytes.Count \
                 --threads 1,2,3,4,8,16,64 --counts-only -o r.json";
    sandbox.fathom(words).assert().code(0).stdout(says("exactly as predicted from their bytes"));
    let record = sandbox.record("r.json");
    let truth = text.windows(5).filter(|window| *window == b"ERROR").count() as u64;
    let comparisons = &record.experiments[0].comparisons;
    assert_eq!(comparisons.len(), 7);
    for comparison in comparisons {
        let workers = comparison.variants[0].parameters.settings.number(Setting::Threads);
        let part = text.len() / usize::try_from(workers).unwrap();
        let in_parts = text.chunks_exact(part).take(usize::try_from(workers).unwrap());
        let quarters: usize =
            in_parts.map(|part| part.windows(5).filter(|window| *window == b"ERROR").count()).sum();
        let [first, second, right] = comparison.answers.as_slice() else { panic!("{workers}") };
        assert_eq!((first.found, first.predicted), (quarters as u64, Some(quarters as u64)), "{workers}");
        assert_eq!(Some(second.found), second.predicted, "{workers}");
        assert!(second.found < truth, "{workers}");
        assert_eq!((right.found, right.expected, right.predicted), (truth, truth, None), "{workers}");
    }
    let words = "bench lines --file app.log --methods go:pread-4KiB+Scanner+gather,go:os.OpenFile+Scanner.Text,\
                 native:getline --counts-only -o l.json";
    sandbox.fathom(words).assert().code(0);
    let answers = &sandbox.record("l.json").experiments[0].comparisons[0].answers;
    let lines = text.split(|&byte| byte == b'\n').count() as u64;
    let gathered = &answers[0];
    assert_eq!(gathered.expected, lines);
    assert_eq!(gathered.is_as_predicted(), Some(true), "{gathered:?}");
    assert!(gathered.found > 10 && gathered.found < lines / 2, "{gathered:?}");
    assert_eq!(gathered.further.len(), 3, "bytes, the largest record, and what is never delivered");
    assert_eq!(answers[2].found, lines);
    sandbox.assert_nothing_left();
}

#[test]
#[ignore = "long"]
fn the_files_are_untouched_by_every_reading_operation() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("mine")).unwrap();
    fs::write(sandbox.file("mine/app.log"), log(150_001)).unwrap();
    fs::write(sandbox.file("mine/short"), "three").unwrap();
    std::os::unix::fs::symlink("app.log", sandbox.file("mine/link")).unwrap();
    let before = state_of(&sandbox.file("mine"));
    for operation in READING {
        assert!(operation.parse::<Operation>().unwrap().reads_own_files());
        let words = format!(
            "bench {operation} --file mine/link --methods native:*,python:* --cache warm,cold --time 0.1 -o {operation}.json"
        );
        let assert = sandbox.fathom(&words).assert().code(0);
        assert.stderr(says("your files are evicted from the page cache before each cold sample"));
        let record = sandbox.record(&format!("{operation}.json"));
        assert!(!record.experiments[0].comparisons.is_empty(), "{operation}: {:?}", reasons(&record));
        let own = record.own_files.as_ref().unwrap();
        assert_eq!((own.files[0].size_bytes, own.evicted), (150_001, true));
        assert!(own.files[0].leads_to.as_ref().unwrap().ends_with("mine/app.log"));
        for variants in record.experiments[0].comparisons.iter().map(|comparison| &comparison.variants) {
            assert!(variants.iter().any(|variant| variant.method.driver == "native"), "{operation}");
        }
        assert_eq!(state_of(&sandbox.file("mine")), before, "{operation}");
        sandbox
            .fathom(&format!("show {operation}.json"))
            .assert()
            .code(0)
            .stdout(says("own files read only"));
    }
    sandbox.assert_nothing_left();
}

#[test]
fn files_are_not_evicted_unless_cold_is_asked_for_by_name() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.file("app.log"), log(300_000)).unwrap();
    // The entry is cold by itself.
    let words = "bench random-blocks --quick --file app.log --methods native:pread --counts-only -o r.json";
    sandbox.fathom(words).assert().stderr(says("evicted").not());
    let record = sandbox.record("r.json");
    let reason = "your own files are evicted from the page cache only when --cache cold asks for it";
    assert!(reasons(&record).iter().any(|said| said.contains(reason)), "{:?}", reasons(&record));
    assert!(!record.own_files.unwrap().evicted);
}

#[test]
fn what_writes_and_what_is_no_file_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("file", "text");
    sandbox.write("other", "longer text");
    let fifo = rustix::fs::mkfifoat(rustix::fs::CWD, sandbox.file("fifo"), rustix::fs::Mode::RWXU);
    fifo.unwrap();
    for operation in
        ["create", "write-block", "copy", "open-write-close", "config-load", "template", "open-missing"]
    {
        let assert = sandbox.fathom(&format!("bench {operation} --file file --methods native:*")).assert();
        assert.code(2).stderr(says("files of yours are only read"));
        assert_eq!(fs::read_to_string(sandbox.file("file")).unwrap(), "text", "{operation}");
    }
    sandbox.fathom("bench write-directory --file file").assert().code(2).stderr(says("takes no --file"));
    for (words, said) in [
        ("--file fifo", "fifo is a FIFO: opening it waits for a writer"),
        ("--file .", ". is a directory: --tree draws"),
        ("--file absent", "stat absent: No such file"),
        ("--file file --file file", "is named twice"),
        ("--tree absent", "open absent: No such file"),
        ("--file file --size 4KiB", "cannot be used with"),
        ("--file /dev/tty", "only /dev/null, zero, full, random and urandom are opened"),
    ] {
        let assert = sandbox.fathom(&format!("bench open-close --methods native:open {words}")).assert();
        assert.code(2).stderr(says(said));
    }
    let words = "bench read-block --methods native:pread --counts-only --file file";
    sandbox.fathom(words).assert().code(2).stderr(says("4 B"));
    sandbox.assert_nothing_left();
}

#[test]
#[ignore = "long"]
fn empty_and_short_files_are_read_as_they_are() {
    let sandbox = Sandbox::new();
    sandbox.write("empty", "");
    sandbox.write("short", "a few ERRORs\nin lines");
    for operation in ["open-close", "open-read-close", "read-whole", "lines", "search", "hash"] {
        for file in ["empty", "short"] {
            let words = format!("bench {operation} --file {file} --methods native:* --counts-only -o r.json");
            sandbox.fathom(&words).assert().code(0);
            let record = sandbox.record("r.json");
            assert!(record.experiments[0].comparisons[0].variants.len() > 1, "{operation} {file}");
        }
    }
}

#[test]
#[ignore = "long"]
fn a_tree_of_all_sizes_is_read_by_every_language_that_is_here() {
    let sandbox = Sandbox::new();
    for number in 0..30_usize {
        let folder = sandbox.file(&format!("tree/d{}", number % 3));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(format!("f{number}")), log(20 + number * number * 97)).unwrap();
    }
    // C++ has no hash of its own and follows no file.
    let all = "native:*,go:*,python:*,java:*,node:*,cpp:*";
    for (operation, languages, more) in [
        ("read-whole", all, ""),
        ("lines", all, ""),
        ("search", all, "--threads 2"),
        ("hash", "native:*,go:*,python:*,java:*,node:*", ""),
        ("read-block", all, "--block 4KiB"),
        ("open-read-close", all, "--block 1KiB"),
        ("open-close", all, ""),
        ("reload", "native:*,go:*,python:*,java:*,node:*", ""),
    ] {
        let words = format!(
            "bench {operation} --tree tree --files 20 --seed 3 --methods {languages} {more} \
             --counts-only -o r.json"
        );
        sandbox.fathom(&words).assert().code(0);
        let record = sandbox.record("r.json");
        let own = record.own_files.as_ref().unwrap();
        assert_eq!(own.files.len(), 20, "{operation}");
        assert!(own.drawn.as_ref().unwrap().contains("drawn with seed 3"), "{:?}", own.drawn);
        let wrong: Vec<String> = reasons(&record)
            .into_iter()
            .filter(|said| ["delivers", "wrong answer", "failed with"].iter().any(|word| said.contains(word)))
            // Direct reads end where a file does, unless it ends at a block.
            .filter(|said| !said.contains("DIRECT"))
            .collect();
        assert_eq!(wrong, Vec::<String>::new(), "{operation}");
        assert!(!record.experiments[0].comparisons.is_empty(), "{operation}");
    }
}

#[test]
fn a_read_only_mount_is_measured_and_nothing_is_made_on_it() {
    if !has(Capability::Namespaces) {
        return;
    }
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.file("mine")).unwrap();
    fs::create_dir_all(sandbox.file("mnt")).unwrap();
    fs::write(sandbox.file("mine/app.log"), log(100_000)).unwrap();
    let script = format!(
        "mount --bind mine mnt && mount -o remount,bind,ro mnt && ! touch mnt/new 2>/dev/null && \
         {} bench lines --file mnt/app.log --methods native:getline --time 0.2 --cache warm,cold -o r.json",
        program()
    );
    sandbox.command("unshare").args(["-rm", "sh", "-c", &script]).assert().code(0);
    let record = sandbox.record("r.json");
    assert!(record.experiments[0].comparisons.iter().all(|comparison| !comparison.forks.is_empty()));
    assert_eq!(fs::read_dir(sandbox.file("mine")).unwrap().count(), 1);
    sandbox.assert_nothing_left();
}

#[test]
fn a_file_that_grows_meanwhile_is_told_and_its_samples_are_discarded() {
    let sandbox = Sandbox::new();
    let path = sandbox.file("live.log");
    fs::write(&path, log(100_000)).unwrap();
    let words = "bench read-whole --file live.log --methods native:std::fs::read,native:mmap --time 60 -o r.json \
                 --progress plain";
    let mut child = sandbox
        .plain_command(program())
        .args(words.split_whitespace())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // By its first line the file is known as it was; what follows takes samples of it.
    let errors = std::io::BufReader::new(child.stderr.take().unwrap());
    let mut grown = false;
    for line in std::io::BufRead::lines(errors) {
        line.unwrap();
        if !grown {
            let mut file = fs::File::options().append(true).open(&path).unwrap();
            std::io::Write::write_all(&mut file, b"more\n").unwrap();
            grown = true;
        }
    }
    child.wait().unwrap();
    assert!(grown);
    let record = sandbox.record("r.json");
    let stops = record.experiments[0].comparisons.iter().map(|comparison| format!("{:?}", comparison.stop));
    let said: Vec<String> = stops.chain(reasons(&record)).collect();
    assert!(
        said.iter().any(|said| said.contains("live.log changed during the run: 100000 bytes became 100005")),
        "{said:?}"
    );
    assert!(!record.complete || record.experiments[0].comparisons.is_empty());
}

#[test]
fn the_null_device_is_opened_and_closed_when_it_is_named() {
    let sandbox = Sandbox::new();
    for operation in ["open-close", "open-write-close"] {
        let words = format!("bench {operation} --file /dev/null --methods native:* --counts-only -o r.json");
        sandbox.fathom(&words).assert().code(0).stdout(says("/dev/null"));
        let record = sandbox.record("r.json");
        assert!(record.experiments[0].comparisons[0].variants.len() > 1, "{:?}", reasons(&record));
        assert_eq!(record.places[0].place.to_string(), "/dev/null");
    }
    let words = "bench read-whole --file /dev/null --methods native:mmap --counts-only -o r.json";
    sandbox.fathom(words).assert().code(4);
    assert!(reasons(&sandbox.record("r.json"))[0].contains("a device is opened and closed here"));
    assert!(fs::metadata("/dev/null").unwrap().rdev() > 0, "still a device");
    let entry = "name = \"device\"\ntitle = \"t\"\nquestion = \"q\"\noperation = \"open-close\"\nmethods = [\"native:open\"]\n\
                 places = [\"/dev/null\"]\n[data]\nsize = \"0 B\"\n";
    sandbox.write("device.toml", entry);
    sandbox.fathom("bench device.toml --counts-only -o r.json").assert().code(0);
}

#[test]
fn a_kept_set_is_read_in_its_own_size() {
    let sandbox = Sandbox::new();
    sandbox.fathom("data make --size 300KiB --files 2 --content log-lines --name mine").assert().code(0);
    let words = "bench lines --methods native:getline --data mine --counts-only -o r.json";
    sandbox.fathom(words).assert().code(0);
    let data = &sandbox.record("r.json").experiments[0].comparisons[0].variants[0].parameters.data;
    assert_eq!((data.files, data.size_bytes, data.content.word()), (2, 300 << 10, "log-lines"));
    sandbox.fathom("data remove mine").assert().code(0);
}

#[test]
#[ignore = "long"]
fn another_pattern_is_counted_and_one_that_has_two_counts_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("app.log", "WARN, a\nWARN, b WARN, c\nERROR\n");
    let run = |pattern: &str| {
        let mut command =
            sandbox.fathom("bench search --file app.log --methods native:*,python:* --counts-only -o r.json");
        command.args(["--set", &format!("pattern={pattern}")]);
        command.assert()
    };
    run("WARN, ").code(0).stdout(says("pattern WARN, "));
    assert!(
        sandbox.record("r.json").experiments[0].comparisons[0].answers.iter().all(|answer| answer.found == 3)
    );
    run("W.RN").code(0);
    assert!(
        sandbox.record("r.json").experiments[0].comparisons[0].answers.iter().all(|answer| answer.found == 0)
    );
    run("aba").code(2).stderr(says("a text whose end is its beginning"));
}
