//! The count pass against strace: for every method of every operation, the
//! calls per operation that Fathom records are those that strace finds by the
//! same subtraction of two run lengths, on the same driver without marks.

mod expected;
mod strace;

use crate::capability::{Capability, has};
use crate::sandbox::Sandbox;
pub(crate) use expected::calls;
use fathom_model::{CallCount, Comparison, CountPass, DriverFacts, Reading, Record, Variant};
use std::collections::{BTreeMap, BTreeSet};
use strace::{Counts, Key};

/// The lengths of strace's two runs; their difference is prime, so that a rate
/// of less than one per operation cannot look like a whole number.
const RUNS: [i64; 2] = [50, 151];
const BLOCK_BYTES: u64 = 4096;

/// Calls that a Go program makes now and then whatever it does.
const GO_RUNTIME: [&str; 22] = [
    "clone",
    "clone3",
    "epoll_pwait",
    "exit",
    "futex",
    "getpid",
    "gettid",
    "madvise",
    "mmap",
    "mprotect",
    "munmap",
    "nanosleep",
    "prctl",
    "restart_syscall",
    "rseq",
    "rt_sigprocmask",
    "rt_sigreturn",
    "sched_getaffinity",
    "sched_yield",
    "set_robust_list",
    "sigaltstack",
    "tgkill",
];

/// Calls by which an allocator grows and shrinks, which follows the length of a run.
const ALLOCATOR: [&str; 5] = ["brk", "madvise", "mmap", "mremap", "munmap"];

/// Calls that a driver's runtime makes now and then whatever it does.
fn runtime_calls(driver: &str) -> &'static [&'static str] {
    match driver {
        "go" => &GO_RUNTIME,
        "python" | "zig" => &ALLOCATOR,
        _ => &[],
    }
}

#[test]
fn native_calls_of_null_are_those_of_strace() {
    check("native", "null");
}

#[test]
fn native_calls_of_open_close_are_those_of_strace() {
    check("native", "open-close");
}

#[test]
fn native_calls_of_open_read_close_are_those_of_strace() {
    check("native", "open-read-close");
}

#[test]
fn native_calls_of_read_whole_are_those_of_strace() {
    check("native", "read-whole");
}

#[test]
fn native_calls_of_read_block_are_those_of_strace() {
    check("native", "read-block");
}

#[test]
fn go_calls_of_null_are_those_of_strace() {
    check("go", "null");
}

#[test]
fn go_calls_of_open_close_are_those_of_strace() {
    check("go", "open-close");
}

#[test]
fn go_calls_of_open_read_close_are_those_of_strace() {
    check("go", "open-read-close");
}

#[test]
fn go_calls_of_read_whole_are_those_of_strace() {
    check("go", "read-whole");
}

#[test]
fn go_calls_of_read_block_are_those_of_strace() {
    check("go", "read-block");
}

#[test]
fn cpp_calls_are_those_of_strace() {
    check_all("cpp");
}

#[test]
fn python_calls_are_those_of_strace() {
    check_all("python");
}

#[test]
fn zig_calls_are_those_of_strace() {
    check_all("zig");
}

/// Every operation that a driver knows.
fn check_all(driver: &str) {
    let manifests = fathom_lab::shipped_manifests().unwrap();
    let manifest = manifests.iter().find(|manifest| manifest.name == driver).unwrap();
    let operations = manifest.methods.iter().flat_map(|method| &method.operations);
    for operation in operations.map(|operation| operation.word()).collect::<BTreeSet<_>>() {
        // One of its ways reads ahead, so that its calls depend on the offsets drawn.
        if (driver, operation) != ("zig", "read-block") {
            check(driver, operation);
        }
    }
}

/// All methods of a driver that perform an operation, in one run of Fathom.
fn check(driver: &str, operation: &str) {
    let toolchain = match driver {
        "cpp" => Some(Capability::Cpp),
        "go" => Some(Capability::Go),
        "python" => Some(Capability::Python),
        "zig" => Some(Capability::Zig),
        _ => None,
    };
    if toolchain.is_some_and(|toolchain| !has(toolchain)) || !has(Capability::Strace) {
        return;
    }
    let sandbox = Sandbox::new();
    let record = count(&sandbox, driver, operation);
    let comparison = &record.experiments[0].comparisons[0];
    let counted = counted(comparison);
    assert_complete(&sandbox, driver, operation, &counted, &record);
    let mut wrong = match driver {
        "native" | "go" => expected::differences(&record.drivers[0].runtime, operation, &counted),
        _ => Vec::new(),
    };
    let size = comparison.variants[0].parameters.data.size_bytes;
    let data = strace::Data::new(&sandbox, operation, size, BLOCK_BYTES);
    for (variant, pass) in &counted {
        let how = compare(&data, &record.drivers[0], variant, pass);
        wrong.extend(how.into_iter().map(|how| format!("{}: {how}", variant.method)));
    }
    assert!(wrong.is_empty(), "{operation}:\n{}", wrong.join("\n"));
}

fn count(sandbox: &Sandbox, driver: &str, operation: &str) -> Record {
    let size = match operation {
        "read-block" => "--size 100000",
        // Some ways truncate.
        "open-write-close" => "--size 0",
        _ => "--size 10000",
    };
    let dataless = matches!(operation, "null" | "open-close" | "open-write-close");
    let block = if dataless { "" } else { "--block 4096" };
    let methods =
        if operation == "null" { format!("{driver}:null") } else { format!("{driver}:*,{driver}:null") };
    let command = format!("bench {operation} --methods {methods} {size} {block} --time 0.05 -o record.json");
    sandbox.fathom(&command).assert().code(0);
    sandbox.record("record.json")
}

/// The counts of every method; one without is a failure that tells its reason.
fn counted<'a>(comparison: &'a Comparison) -> Vec<(&'a Variant, &'a CountPass)> {
    let pairs = comparison.variants.iter().zip(&comparison.counts);
    let pass = |(variant, reading): (&'a Variant, &'a Reading<CountPass>)| match reading {
        Reading::Value(pass) => (variant, pass),
        Reading::Unavailable(reason) => panic!("no counts of {variant:?}: {reason}"),
    };
    pairs.map(pass).collect()
}

/// Every method that the driver describes was counted, or set aside with a reason.
fn assert_complete(
    sandbox: &Sandbox,
    driver: &str,
    operation: &str,
    counted: &[(&Variant, &CountPass)],
    record: &Record,
) {
    let mut words = record.drivers[0].program.split(' ');
    let output = sandbox.command(words.next().unwrap()).args(words).arg("describe").assert().code(0);
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    let described: fathom_model::Description = serde_json::from_str(&text).unwrap();
    let methods = described.methods.iter().filter(|m| m.operations.iter().any(|o| o.word() == operation));
    let set_aside = &record.experiments[0].unmeasured;
    for item in set_aside {
        eprintln!("skipped: {} cannot run here: {}", item.method, item.reason);
    }
    for method in methods {
        let is_counted = counted.iter().any(|(variant, _)| variant.method.name == method.name);
        let is_set_aside = set_aside.iter().any(|item| item.method.name == method.name);
        assert!(is_counted || is_set_aside, "{driver}:{} was not counted for {operation}", method.name);
    }
    assert!(counted.len() > set_aside.len(), "most methods run everywhere: {set_aside:?}");
}

/// What strace sees otherwise. A stray call of Go's runtime in one of the two
/// runs makes a second try; what is wrong is wrong each time.
fn compare(
    data: &strace::Data<'_>,
    driver: &DriverFacts,
    variant: &Variant,
    pass: &CountPass,
) -> Vec<String> {
    // Wrong is what is wrong in every try: a stray call of a runtime is another each time.
    let mut wrong: Option<BTreeMap<Key, String>> = None;
    for _ in 0..if driver.driver == "go" { 5 } else { 1 } {
        let [shorter, longer] = RUNS.map(|length| data.count(driver, &variant.method.name, length));
        let found = disagreements(pass, &subtract(&longer, &shorter), &driver.driver);
        let still = match wrong {
            Some(before) => found.into_iter().filter(|(key, _)| before.contains_key(key)).collect(),
            None => found,
        };
        let done = still.is_empty();
        wrong = Some(still);
        if done {
            break;
        }
    }
    wrong.into_iter().flat_map(BTreeMap::into_values).collect()
}

fn subtract(longer: &Counts, shorter: &Counts) -> BTreeMap<Key, i64> {
    let keys: BTreeSet<&Key> = longer.keys().chain(shorter.keys()).collect();
    let of = |counts: &Counts, key: &Key| counts.get(key).copied().unwrap_or(0);
    keys.into_iter().map(|key| (key.clone(), of(longer, key) - of(shorter, key))).collect()
}

/// Where strace differs from the count pass. Calls of the Go runtime come and
/// go: those may differ by less than half a call per operation.
fn disagreements(pass: &CountPass, theirs: &BTreeMap<Key, i64>, driver: &str) -> BTreeMap<Key, String> {
    let operations = (RUNS[1] - RUNS[0]) as f64;
    let key_of = |count: &CallCount| (count.call.clone(), count.errno.clone());
    let ours: BTreeMap<Key, f64> =
        pass.inside.iter().map(|count| (key_of(count), count.per_operation() * operations)).collect();
    let mut wrong = BTreeMap::new();
    for key in ours.keys().chain(theirs.keys()).collect::<BTreeSet<_>>() {
        let our = ours.get(key).copied().unwrap_or(0.0);
        let their = theirs.get(key).copied().unwrap_or(0) as f64;
        let is_runtime = runtime_calls(driver).contains(&key.0.as_str());
        // A runtime call that the operation does not make may even outnumber the operations.
        let agree = if is_runtime {
            our == 0.0 || (our - their).abs() < operations / 2.0
        } else {
            (our - their).abs() < 1e-6
        };
        if !agree {
            let how =
                format!("{key:?}: {our} by the count pass, {their} by strace, in {operations} operations");
            wrong.insert(key.clone(), how);
        }
    }
    for count in &pass.background {
        if !runtime_calls(driver).contains(&count.call.as_str()) {
            let how = format!("{} is called background: {:?}", count.call, count.differences);
            wrong.insert(key_of(count), how);
        }
    }
    wrong
}
