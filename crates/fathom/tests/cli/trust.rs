//! What somebody else may have put there is neither run nor obeyed, what cannot be is not believed,
//! and what is too large is not read.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says, workspace};
use fathom_events::{CallOutcome, FileAction, FileEvent, PathTable, TraceEnd, TraceHeader, TraceWriter};
use predicates::prelude::PredicateBooleanExt;
use std::fs::{self, File, Permissions};
use std::io::BufWriter;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;
use std::time::Duration;

/// What a hostile file may make Fathom take.
const MEMORY: u64 = 300 << 20;

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_cache_that_others_can_change_is_refused() {
    let sandbox = Sandbox::new();
    let cache = sandbox.file("cache");
    fs::create_dir(&cache).unwrap();
    set_mode(&cache, 0o1777);
    let words = "bench open-close --methods native:open --time 0.05 -o r.json";
    let refused = format!(
        "refusing the driver cache: {} can be changed by other users (mode 1777)",
        cache.canonicalize().unwrap().display()
    );
    sandbox
        .fathom(words)
        .env("FATHOM_CACHE_DIR", &cache)
        .assert()
        .code(4)
        .stdout(says(&refused).and(says("set FATHOM_CACHE_DIR to a directory of your own")));
    set_mode(&cache, 0o755);
    if chown(&cache, Some(65534), None).is_ok() {
        let refused = || says("is owned by user 65534");
        sandbox.fathom(words).env("FATHOM_CACHE_DIR", &cache).assert().code(4).stdout(refused());
        // Below a directory of theirs, which they may rename, unless it was named.
        let below = cache.join("below");
        let mut unnamed = sandbox.fathom(words);
        unnamed.env_remove("FATHOM_CACHE_DIR").env("XDG_CACHE_HOME", &below);
        unnamed.assert().code(4).stdout(refused());
        fs::remove_dir_all(&below).unwrap();
    }
    assert_eq!(fs::read_dir(&cache).unwrap().count(), 0, "nothing was put there");
}

#[test]
fn the_digest_of_what_ran_stands_in_the_record() {
    let sandbox = Sandbox::new();
    sandbox.fathom("bench open-close --methods native:open --time 0.05 -o r.json").assert().code(0);
    let driver = &sandbox.record("r.json").drivers[0];
    let Some(digest) = driver.product_sha256.value() else {
        assert_eq!(driver.toolchain, "built into fathom");
        return;
    };
    let output = sandbox.command("sha256sum").arg(&driver.program).output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().starts_with(digest.as_str()), "{digest}");
}

#[test]
fn a_project_file_of_others_is_neither_obeyed_nor_passed_over() {
    let sandbox = Sandbox::new();
    let file = sandbox.write(".fathom.toml", "[audit]\nassert = [\"openat <= 0\"]\n");
    let audit = |more: &str| {
        let words = format!("audit --capture ptrace {more} -- cat /dev/null");
        sandbox.fathom(&words).assert().get_output().clone()
    };
    let code = |more: &str| audit(more).status.code();
    assert_eq!(code(""), Some(1), "the budget is not met");
    let refused = |reason: &str| {
        let output = audit("");
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("not following .fathom.toml: ") && said.contains(reason), "{said}");
        assert!(said.contains("hint: `--config .fathom.toml` follows it all the same"), "{said}");
        assert_eq!((code("--config .fathom.toml"), code("--no-config")), (Some(1), Some(0)));
    };
    set_mode(&file, 0o666);
    refused(".fathom.toml can be changed by other users (mode 0666)");
    set_mode(&file, 0o644);
    set_mode(sandbox.path(), 0o777);
    refused("can be changed by other users (mode 0777)");
    set_mode(sandbox.path(), 0o755);
    if chown(&file, Some(65534), None).is_ok() {
        refused(".fathom.toml is owned by user 65534");
        // Root by sudo may have been meant to audit the caller's project.
        let by_sudo = "audit --capture ptrace -- cat /dev/null";
        sandbox.fathom(by_sudo).env("SUDO_UID", "65534").assert().code(1);
        sandbox.fathom(by_sudo).env("SUDO_UID", "1000").assert().code(2);
    }
}

#[test]
fn a_link_to_a_project_file_of_others_is_not_followed() {
    let sandbox = Sandbox::new();
    for folder in ["project", "open"] {
        fs::create_dir(sandbox.file(folder)).unwrap();
    }
    sandbox.write("open/theirs.toml", "[audit]\nassert = [\"openat <= 0\"]\n");
    std::os::unix::fs::symlink("../open/theirs.toml", sandbox.file("project/.fathom.toml")).unwrap();
    let audit = || {
        let mut command = sandbox.fathom("audit --capture ptrace -- cat /dev/null");
        command.current_dir(sandbox.file("project")).assert()
    };
    audit().code(1);
    set_mode(&sandbox.file("open"), 0o777);
    audit().code(2).stderr(says("can be changed by other users (mode 0777)"));
}

/// The documented driver, which says other times of all batches but those of one operation.
fn bench_with_times(said: &str) -> (Option<i32>, String) {
    let sandbox = Sandbox::new();
    let text = fs::read_to_string(workspace().join("docs/examples/driver.pl")).unwrap();
    let time = "1e9 * ($end - $begin), $bytes";
    assert_eq!(text.matches(time).count(), 1);
    let altered = format!("($count > 1 ? {said} : 1e9 * ($end - $begin)), $bytes");
    let path = sandbox.write("driver", &text.replace(time, &altered));
    set_mode(&path, 0o755);
    let words = "bench open-close --driver ./driver --methods perl:sysopen --time 0.3 -o r.json";
    let output = sandbox.fathom(words).assert().get_output().clone();
    sandbox.assert_nothing_left();
    let record = sandbox.record("r.json");
    assert!(!record.complete || output.status.code() == Some(0));
    (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

#[test]
fn times_that_cannot_be_end_the_run() {
    if !has(Capability::Perl) || !has(Capability::Strace) {
        return;
    }
    for (said, words) in [
        ("1e12", "between its readings of the clock"),
        ("0", "took 0 ns"),
        ("$count", "no processor enters the kernel and leaves it in less than 5 ns"),
    ] {
        let (code, text) = bench_with_times(said);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(code, Some(2), "{said}: {text}");
        assert!(text.contains("answered what cannot be") && text.contains(words), "{said}: {text}");
    }
    let (code, text) = bench_with_times("1e9 * ($end - $begin)");
    assert_eq!(code, Some(0), "{text}");
}

/// How a run of Fathom ends that reads a hostile file, and the most memory that it took.
fn ended_with(sandbox: &Sandbox, words: &str) -> (Option<i32>, String, u64) {
    // By its own time on CPUs, which other work does not make longer. A program with checks takes many times
    // as long as one that is released.
    let mut command = sandbox.plain_command("prlimit");
    command.arg("--cpu=60").arg(crate::sandbox::program());
    let errors = File::create(sandbox.file("errors")).unwrap();
    let nothing = File::options().write(true).open("/dev/null").unwrap();
    let mut child = command.args(words.split_whitespace()).stdout(nothing).stderr(errors).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    // What wait4 tells begins with the memory of these tests, which an exec does not forget.
    let code = loop {
        let facts = fs::read_to_string(&status).unwrap_or_default();
        let peak = facts.lines().find_map(|line| line.strip_prefix("VmHWM:")?.strip_suffix("kB"));
        most = most.max(peak.and_then(|kib| kib.trim().parse::<u64>().ok()).unwrap_or(0));
        if let Some(ended) = child.try_wait().unwrap() {
            break ended.code();
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    assert!(most > 0, "{words}: nothing was seen of its memory");
    (code, fs::read_to_string(sandbox.file("errors")).unwrap(), most * 1024)
}

fn refused(sandbox: &Sandbox, words: &str, reason: &str) {
    let (code, said, memory) = ended_with(sandbox, words);
    assert_eq!(code, Some(2), "{words}: {said}");
    assert!(said.contains(reason), "{words}: {said}");
    assert!(memory < MEMORY, "{words}: {memory} B");
    assert!(said.len() < 40_000, "{words}: an error of {} B", said.len());
}

#[test]
fn files_that_are_too_large_are_errors_that_take_little_memory() {
    let sandbox = Sandbox::new();
    let raises = "(FATHOM_READ_LIMIT_MIB raises the limit, now 64)";
    for words in [
        "show /dev/zero",
        "report /dev/zero",
        "compare /dev/zero /dev/zero",
        "audit diff /dev/zero /dev/zero",
    ] {
        refused(&sandbox, words, &format!("it is larger than 64 MiB {raises}"));
    }
    refused(&sandbox, "prices --show /dev/zero", "it is larger than 8 MiB");
    std::os::unix::fs::symlink("/dev/zero", sandbox.file("endless.toml")).unwrap();
    for words in [
        "gate endless.toml",
        "bench endless.toml",
        "verify --of endless.toml",
        "audit --config endless.toml -- true",
    ] {
        refused(&sandbox, words, "it is larger than 1 MiB");
    }
    sandbox.write(
        "dense.json",
        &format!("{{\"schema_version\": 1, \"experiments\": [{}0]}}", "0,".repeat(5 << 20)),
    );
    refused(&sandbox, "show dense.json", &format!("it has more than 4194304 values {raises}"));
    // The error has what it met in it, but not all of that.
    for held in ["x".repeat(40 << 20), "\\u0000".repeat(5 << 20)] {
        sandbox.write("value.json", &format!("{{\"schema_version\": 1, \"experiments\": \"{held}\"}}"));
        refused(&sandbox, "show value.json", "invalid type: string");
    }
    sandbox.write("nested.json", &format!("{{\"schema_version\": {}", "[".repeat(3 << 20)));
    refused(&sandbox, "show nested.json", "is not a Fathom record: recursion limit exceeded");
    sandbox.write("nested.toml", &format!("a = {}", "[".repeat(1 << 19)));
    refused(&sandbox, "gate nested.toml", "nested.toml");
}

#[test]
fn budgets_and_words_without_end_are_errors_that_take_little_time_and_memory() {
    let sandbox = Sandbox::new();
    let nested = |depth: usize| format!("{}{}", "{a,".repeat(depth), "}".repeat(depth));
    refused(&sandbox, &format!("audit --assert open(/{})<=1 -- true", nested(1000)), "within each other");
    for (name, budget, reason) in [
        ("word", "x".repeat(900_000), "a budget is at most 4096 B long"),
        ("parentheses", format!("open{}<=1", "(".repeat(900_000)), "a budget is at most 4096 B long"),
        ("braces", format!("open({})<=1", nested(300)), "more than 16 braces within each other"),
        ("number", format!("open <= {}", "9".repeat(4000)), "number"),
    ] {
        sandbox.write(&format!("{name}.toml"), &format!("[audit]\nassert = [\"{budget}\"]\n"));
        refused(&sandbox, &format!("audit --config {name}.toml -- true"), reason);
    }
    sandbox.write(
        "path.toml",
        &format!("[[audit.suppress]]\nrule = \"R13\"\npath = \"{}\"\nreason = \"none\"\n", nested(300)),
    );
    refused(&sandbox, "audit --config path.toml -- true", "more than 16 braces within each other");
    // What is near it is looked for among all methods.
    refused(&sandbox, &format!("bench open-close --methods {}", "y".repeat(120_000)), "unknown method");
}

#[test]
fn what_expands_too_far_is_an_error_that_takes_little_memory() {
    let sandbox = Sandbox::new();
    let made = sandbox.shell(
        "(head -c 100000000 /dev/zero | xz -6 >bomb.xz) && \
         (printf '<!DOCTYPE html><a href=\"data:application/x-xz;base64,'; base64 -w0 bomb.xz; printf '\">') >page.html",
    );
    if !made.status.success() {
        eprintln!("skipped: no xz");
        return;
    }
    for words in ["show bomb.xz", "report page.html"] {
        refused(&sandbox, words, "it expands to more than 64 MiB (FATHOM_READ_LIMIT_MIB raises");
    }
    let page = fs::read_to_string(sandbox.file("page.html")).unwrap();
    sandbox.write("pages.html", &page.repeat(40));
    refused(&sandbox, "show pages.html", "holds 40 records");
}

#[test]
#[ignore = "long"]
fn a_long_trace_is_judged_in_little_memory() {
    let sandbox = Sandbox::new();
    let file = BufWriter::new(File::create(sandbox.file("long.events")).unwrap());
    let header =
        TraceHeader { subject: "a loop".to_owned(), capture: "ptrace".to_owned(), ..TraceHeader::default() };
    let mut writer = TraceWriter::new(file, &header).unwrap();
    let paths = PathTable::new();
    for number in 0..1_200_000 {
        let (call, action) = ("close", FileAction::Close { descriptor: 900 });
        let outcome = CallOutcome::Failed(9);
        let event = FileEvent {
            at_ns: number * 500,
            process: 1,
            thread: 1,
            call,
            action,
            outcome,
            took_ns: None,
            waited_ns: None,
            slept_ns: None,
            stack: None,
        };
        writer.write(event, &paths).unwrap();
    }
    let end = TraceEnd::<String> {
        events: 0,
        exit_code: Some(0),
        signal: None,
        cpu_ns: None,
        facts: Vec::new(),
        stacks: Vec::new(),
    };
    writer.finish(end).unwrap();
    let (code, said, memory) = ended_with(&sandbox, "audit --from long.events");
    assert!(matches!(code, Some(0 | 1)), "{code:?} {said}");
    assert!(memory < MEMORY, "{memory} B");
}

#[test]
fn too_few_processes_are_an_error_in_words() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    // Root has no such limit: a copy that anybody may run, in a folder that anybody may enter.
    let folder = tempfile::tempdir().unwrap();
    set_mode(folder.path(), 0o755);
    let copy = folder.path().join("fathom");
    fs::copy(crate::sandbox::program(), &copy).unwrap();
    fs::create_dir(folder.path().join("data")).unwrap();
    set_mode(&folder.path().join("data"), 0o777);
    let sandbox = Sandbox::new();
    for processes in 1..=2 {
        for words in ["count -- true", "audit -- true", "compare --commands true true"] {
            let mut command = sandbox.command_of_nobody("prlimit");
            command
                .arg(format!("--nproc={processes}"))
                .arg(&copy)
                .args(words.split_whitespace())
                .current_dir("/")
                .env("XDG_DATA_HOME", folder.path().join("data"));
            let refused = says("error: ").and(says("Resource temporarily unavailable"));
            command.assert().code(2).stderr(refused);
        }
    }
}
