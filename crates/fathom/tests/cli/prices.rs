//! `fathom prices`: what it takes is what it says, it is found again, and whatever
//! is wrong has words.

use crate::capability::{Capability, has};
use crate::pages::output_of;
use crate::running::Running;
use crate::sandbox::{Sandbox, program, says, workspace};
use fathom_model::{PriceList, Reading};
use predicates::prelude::PredicateBooleanExt;
use rustix::process::Signal;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// As short as a list can be taken.
const SHORT: &str = "prices --seconds 2 --quick";

fn list(sandbox: &Sandbox, name: &str) -> PriceList {
    serde_json::from_str(&fs::read_to_string(sandbox.file(name)).unwrap()).unwrap()
}

fn kept(sandbox: &Sandbox) -> Vec<PathBuf> {
    let entries = fs::read_dir(sandbox.file("data/fathom/prices")).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// The calls between two readings of the CPU clock, batch after batch.
fn segments(log: &str) -> Vec<Vec<(String, Option<String>)>> {
    let mut segments = Vec::new();
    let mut open: Option<Vec<_>> = None;
    for line in log.lines() {
        let text = line.split_once(' ').map_or("", |(_, text)| text).trim_start();
        let Some((name, rest)) = text.split_once('(') else { continue };
        if name == "clock_gettime" {
            if rest.starts_with("CLOCK_THREAD_CPUTIME_ID") {
                match open.take() {
                    Some(segment) => segments.push(segment),
                    None => open = Some(Vec::new()),
                }
            }
            continue;
        }
        let Some((_, result)) = rest.rsplit_once(" = ") else { continue };
        let errno = result.strip_prefix("-1 ").and_then(|rest| rest.split(' ').next());
        if let Some(segment) = &mut open {
            segment.push((name.to_owned(), errno.map(str::to_owned)));
        }
    }
    segments
}

#[test]
fn a_log_is_cut_at_the_cpu_clock() {
    let log = "\
7 openat(3, \"a\", O_RDONLY) = 4
7 clock_gettime(CLOCK_THREAD_CPUTIME_ID, {tv_sec=0, tv_nsec=1}) = 0
7 openat(3, \"b\", O_RDONLY) = -1 ENOENT (No such file or directory)
7 clock_gettime(CLOCK_THREAD_CPUTIME_ID, {tv_sec=0, tv_nsec=2}) = 0
7 close(4) = 0
7 clock_gettime(CLOCK_THREAD_CPUTIME_ID, {tv_sec=0, tv_nsec=3}) = 0
7 clock_gettime(CLOCK_THREAD_CPUTIME_ID, {tv_sec=0, tv_nsec=4}) = 0
";
    let missing = ("openat".to_owned(), Some("ENOENT".to_owned()));
    assert_eq!(segments(log), [vec![missing], Vec::new()]);
}

#[test]
fn strace_sees_the_priced_calls_and_nothing_else_on_the_clock() {
    if !has(Capability::Strace) {
        return;
    }
    assert!(priced_as_straced(&[]) > 40);
    assert_eq!(priced_as_straced(&["creating"]), 1, "making files alone");
}

/// Takes prices under strace, compares every batch, and says of how many calls and results.
fn priced_as_straced(more: &[&str]) -> usize {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("ground")).unwrap();
    let log = sandbox.file("strace.log");
    let mut command = sandbox.command("strace");
    command.args(["-f", "-qq", "-s", "0", "-e", "signal=none", "-o"]).arg(&log).arg(program());
    command.arg("price-process").arg(sandbox.file("ground")).args(["7", "rounds", "1"]).args(more);
    let run = command.assert().code(0);
    let answer: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    let batches = answer["batches"].as_array().unwrap();
    let segments = segments(&fs::read_to_string(&log).unwrap());
    assert_eq!(segments.len(), batches.len());
    let mut priced = std::collections::BTreeSet::new();
    for (batch, segment) in batches.iter().zip(&segments) {
        let (call, errno) = (batch["call"].as_str().unwrap(), batch["errno"].as_str());
        let calls = usize::try_from(batch["calls"].as_u64().unwrap()).unwrap();
        let refused = calls == 0 && !call.contains('-') && call != "loop";
        if refused {
            continue;
        }
        let expected = vec![(call.to_owned(), errno.map(str::to_owned)); calls];
        assert!(*segment == expected, "{batch}: {segment:?}");
        priced.extend((calls > 0).then(|| (call.to_owned(), errno.map(str::to_owned))));
    }
    // Every price that is no touch of memory was seen so.
    let prices = answer["prices"].as_array().unwrap();
    for price in prices {
        let condition = &price["condition"];
        let key = (
            condition["call"].as_str().unwrap().to_owned(),
            condition["outcome"]["failed"].as_str().map(str::to_owned),
        );
        let is_of_ring = key.0.starts_with("io_uring:");
        assert!(key.0.contains('-') || is_of_ring || priced.contains(&key), "{key:?}");
    }
    if prices.iter().any(|price| price["condition"]["call"] == "io_uring_enter") {
        let rings = prices.iter().filter(|price| {
            price["condition"]["call"].as_str().is_some_and(|call| call.starts_with("io_uring:"))
        });
        assert_eq!(rings.count(), 15, "each operation under each condition");
    }
    priced.len()
}

#[test]
fn a_list_is_taken_kept_and_found_again() {
    let sandbox = Sandbox::new();
    let text = output_of(&sandbox, &format!("{SHORT} -o taken.json"));
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    for words in ["openat\n", "  ENOENT: d 16, O_RDONLY", "  4 KiB, in order, reused buffer", "getppid"] {
        assert!(text.contains(words), "{words}:\n{text}");
    }
    let taken = list(&sandbox, "taken.json");
    assert_eq!((taken.processes, kept(&sandbox).len()), (10, 1));
    for price in &taken.prices {
        assert!(price.wall_ns.value.is_finite() && price.cpu_ns.value.is_finite(), "{price:?}");
        assert!(price.wall_ns.forks <= 10, "{price:?}");
        assert_eq!(price.condition.call, price.condition.call.trim().to_lowercase());
    }
    let conditions: std::collections::BTreeSet<_> =
        taken.prices.iter().map(|price| &price.condition).collect();
    assert_eq!(conditions.len(), taken.prices.len(), "a condition has one price");
    sandbox.assert_nothing_left();
    output_of(&sandbox, "prices --kept --format json -o again.json");
    assert_eq!(list(&sandbox, "again.json"), taken);
    assert_eq!(output_of(&sandbox, "prices --show taken.json"), text);
    let listed = output_of(&sandbox, "prices --list");
    assert!(
        listed.contains(&taken.created) && listed.contains(kept(&sandbox)[0].to_str().unwrap()),
        "{listed}"
    );
    let schema = fs::read_to_string(workspace().join("docs/price-list.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    assert!(validator.is_valid(&serde_json::to_value(&taken).unwrap()));
}

#[test]
fn named_calls_alone_are_priced_and_such_a_list_is_not_kept() {
    let sandbox = Sandbox::new();
    let short = "prices --quick --seconds 0.1";
    output_of(&sandbox, &format!("{short} --only fstat,close -o taken.json"));
    let taken = list(&sandbox, "taken.json");
    let calls: std::collections::BTreeSet<_> =
        taken.prices.iter().map(|price| price.condition.call.as_str()).collect();
    assert_eq!(calls.into_iter().collect::<Vec<_>>(), ["close", "fstat"]);
    assert_eq!(kept(&sandbox), Vec::<PathBuf>::new());
    let unknown = says("no price of `nosuch` is taken");
    sandbox.fathom(&format!("{short} --only fstat,nosuch")).assert().code(2).stderr(unknown);
    sandbox.assert_nothing_left();
}

#[test]
#[ignore = "long"]
fn a_kept_list_of_another_kernel_or_a_damaged_one_is_not_used() {
    let sandbox = Sandbox::new();
    let nothing = says("no kept prices fit").and(says("hint: `fathom prices --dir ."));
    sandbox.fathom("prices --kept").assert().code(2).stderr(nothing);
    output_of(&sandbox, "prices --list");
    output_of(&sandbox, &format!("{SHORT} -o taken.json"));
    let path = kept(&sandbox).remove(0);
    let mut other = list(&sandbox, "taken.json");
    other.environment.kernel = "2.4.0".to_owned();
    fs::write(&path, serde_json::to_string(&other).unwrap()).unwrap();
    sandbox.fathom("prices --kept").assert().code(2).stderr(says("no kept prices fit"));
    let whole = fs::read(sandbox.file("taken.json")).unwrap();
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    sandbox.fathom("prices --kept").assert().code(2).stderr(says("no kept prices fit"));
    sandbox
        .fathom("prices --list")
        .assert()
        .code(0)
        .stdout(says("unreadable:").and(says("is not a price list")));
    let mut show = sandbox.command(program());
    show.args(["prices", "--show"]).arg(&path);
    show.assert().code(2).stderr(says("is not a price list").and(says("hint: price lists are")));
}

#[test]
fn foreign_files_and_bad_words_are_errors_with_a_next_step() {
    let sandbox = Sandbox::new();
    sandbox.write("thesis.txt", "years of work");
    sandbox.write("record.json", "{\"schema_version\": 1, \"experiments\": []}");
    for (words, says_what) in [
        ("prices --show thesis.txt", "thesis.txt is not a price list"),
        ("prices --show record.json", "record.json is not a price list: it has no prices"),
        ("prices --show missing.json", "missing.json: No such file"),
        ("prices --quick --dir missing", "failed to take prices in missing"),
        ("prices --quick --dir . --dir . -o x.json", "-o takes the prices of one directory"),
        ("prices --list --quick", "cannot be used with"),
        ("prices --seconds 0", "a number of seconds above 0 is needed"),
    ] {
        sandbox.fathom(words).assert().code(2).stdout("").stderr(says(says_what));
    }
    assert_eq!(kept(&sandbox), Vec::<PathBuf>::new());
}

#[test]
fn memory_has_prices_and_says_what_it_lacks() {
    if !fs::metadata("/dev/shm").is_ok_and(|found| found.is_dir()) {
        eprintln!("skipped: no /dev/shm here");
        return;
    }
    let sandbox = Sandbox::new();
    let reason = "a file system in memory is never cold";
    let taking = sandbox.fathom(&format!("{SHORT} --dir /dev/shm -o taken.json")).assert().code(0);
    taking.stdout(says(&format!("major-fault one by one, POSIX_FADV_RANDOM: {reason}")));
    let taken = list(&sandbox, "taken.json");
    assert!(taken.place.in_memory && matches!(taken.place.device, Reading::Unavailable(_)));
    assert!(taken.prices.iter().all(|price| price.condition.call != "page-cache-fill"));
    assert!(taken.prices.iter().any(|price| price.condition.call == "openat"));
    sandbox.fathom("prices --kept --dir /dev/shm").assert().code(0);
}

#[test]
fn an_interrupt_leaves_neither_files_nor_processes_nor_a_list() {
    let sandbox = Sandbox::new();
    let mut running = Running::start(&sandbox, "prices --seconds 300");
    running.wait_for("a process that takes prices", |now| now.descendants().first().copied());
    running.signal(Signal::INT);
    let ended = running.end();
    assert_eq!(ended.code, Some(130), "{}{}", ended.out, ended.err);
    assert!(ended.err.contains("interrupted"), "{}", ended.err);
    assert_eq!(kept(&sandbox), Vec::<PathBuf>::new());
    sandbox.assert_nothing_left();
}

#[test]
#[ignore = "long"]
fn an_ordinary_user_takes_prices_too() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("skipped: the other tests are run by an ordinary user already");
        return;
    }
    // A directory that another user may reach and write in.
    let folder = tempfile::Builder::new().prefix("fathom-prices-").tempdir().unwrap();
    std::os::unix::fs::chown(folder.path(), Some(65_534), Some(65_534)).unwrap();
    let copy = folder.path().join("fathom");
    fs::copy(program(), &copy).unwrap();
    let words = [SHORT, "--format json -o taken.json"].join(" ");
    let run = Sandbox::new()
        .command_of_nobody(&copy)
        .args(words.split(' '))
        .current_dir(folder.path())
        .env("XDG_DATA_HOME", folder.path().join("data"))
        .assert()
        .code(0);
    let taken: PriceList = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert_eq!(taken.environment.uid, 65_534);
    assert!(taken.prices.len() > 100, "{:?}", taken.unpriced);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

#[test]
#[ignore = "long"]
fn slowly_the_examples_of_its_help_run() {
    let sandbox = Sandbox::new();
    let help = output_of(&sandbox, "prices --help");
    let examples: Vec<_> = help.lines().filter_map(|line| line.strip_prefix("  fathom ")).collect();
    assert_eq!(examples.len(), 7, "{help}");
    for example in examples {
        let example = example.replace("--seconds 20", "--seconds 2");
        let takes = ["--show", "--kept", "--list"].iter().all(|word| !example.contains(word));
        let short = if takes && !example.contains("--seconds") { " --seconds 2" } else { "" };
        output_of(&sandbox, &format!("{example}{short}"));
    }
}
