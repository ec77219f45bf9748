//! Machines unlike those that Fathom is made on: other names of calls, filters of containers, no
//! compiler, no PATH, no place for records, capabilities of a file, interpreters that are too old.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, program, says, workspace};
use fathom_model::PriceList;
use predicates::prelude::{Predicate, PredicateBooleanExt};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

const BRIEF: &str = "bench open-close --methods native:open,native:openat --time 0.2 -o r.json";

/// A Perl program that runs its further arguments where calls of the numbers in its second fail
/// with the errno that is its first, as filters of containers have it.
const DENY: &str = r"
    my ($errno, $numbers) = splice @ARGV, 0, 2;
    my @calls = split /,/, $numbers;
    use POSIX;
    my ($seccomp, $prctl) = (POSIX::uname())[4] =~ /aarch64/ ? (277, 167) : (317, 157);
    my @program = ([0x20,0,0,0]);
    push @program, [0x15, scalar(@calls) - $_, 0, $calls[$_]] for 0 .. $#calls;
    push @program, [6,0,0,0x7fff0000], [6,0,0,0x50000 | $errno];
    my $code = pack 'SCCL' x @program, map { @$_ } @program;
    my $filter = pack('Sx![P]P', scalar @program, $code);
    syscall($prctl, 38, 1, 0, 0, 0) == 0 or die 'no_new_privs: ', $!;
    syscall($seccomp, 1, 0, $filter) == 0 or die 'seccomp: ', $!;
    exec @ARGV or die $!;
";

const EPERM: i32 = 1;
const ENOSYS: i32 = 38;
const ARM: bool = cfg!(target_arch = "aarch64");

fn denying(sandbox: &Sandbox, errno: i32, calls: &[u32], words: &str) -> assert_cmd::Command {
    let numbers: Vec<_> = calls.iter().map(u32::to_string).collect();
    let mut command = sandbox.command("/usr/bin/perl");
    command.args(["-e", DENY, &errno.to_string(), &numbers.join(","), program()]);
    command.args(words.split_whitespace());
    command
}

fn script(sandbox: &Sandbox, name: &str, text: &str) -> std::path::PathBuf {
    let path = sandbox.write(name, text);
    fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_budget_on_a_call_that_this_machine_lacks_is_refused() {
    let sandbox = Sandbox::new();
    let output = sandbox.shell("fathom audit --assert 'fstatat64 <= 1 per open' -- ls");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let reason = format!("{} has no system call `fstatat64`", std::env::consts::ARCH);
    assert!(says(&reason).eval(&output.stderr), "{}", said(&output));
    assert!(says("hint: name the family of the call").eval(&output.stderr), "{}", said(&output));
    // A log may be of another machine.
    sandbox.write("log", "1 fstatat64(AT_FDCWD, \"/\", {st_mode=S_IFDIR|0755, st_size=4096}, 0) = 0\n");
    let of_log = |limit: u32| {
        let script = format!("fathom audit --assert 'fstatat64 <= {limit}' --strace log");
        sandbox.shell(&script).status.code()
    };
    assert_eq!((of_log(1), of_log(0)), (Some(0), Some(1)));
}

#[test]
fn a_budget_on_a_call_that_a_filter_hides_is_refused() {
    if !has(Capability::Seccomp) {
        return;
    }
    let sandbox = Sandbox::new();
    let mut audit = denying(&sandbox, ENOSYS, &[437], "audit --assert");
    audit.args(["openat2 <= 1", "--", "ls"]).assert().code(2).stderr(says("has no `openat2` (ENOSYS)"));
    sandbox.shell("fathom audit --only R54 --assert 'openat2 <= 1' -- ls").status.code().unwrap();
}

#[test]
fn headers_and_strace_name_one_call() {
    let sandbox = Sandbox::new();
    let limit = |name: &str| {
        let script = format!("fathom audit --only R54 --assert '{name} < 1 including loader' -- ls -l /");
        sandbox.shell(&script).status.code()
    };
    assert_eq!((limit("fstatat"), limit("newfstatat")), (Some(1), Some(1)));
}

#[test]
fn calls_that_a_filter_refuses_are_seen() {
    if !has(Capability::Seccomp) || !has(Capability::SystemPython) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox
        .write("program.py", "import os\nfor n in range(91):\n try: os.mkdir('d')\n except OSError: pass\n");
    let numbers: &[u32] = if ARM { &[34] } else { &[83, 258] };
    let words = "audit --capture ptrace --only R54 --assert";
    denying(&sandbox, EPERM, numbers, words)
        .args(["mkdir EPERM == 91", "--", "/usr/bin/python3", "-S", "-E", "program.py"])
        .assert()
        .code(0)
        .stdout(says("mkdir EPERM == 91"));
}

#[test]
fn pages_are_counted_where_a_filter_refuses_cachestat() {
    if !has(Capability::Seccomp) || !has(Capability::Disk) {
        return;
    }
    let sandbox = Sandbox::new();
    // Without a PATH no driver is built.
    let mut doctor = denying(&sandbox, EPERM, &[451], "doctor --dir .");
    let doctor = doctor.env("PATH", sandbox.path()).assert().code(0);
    let text = String::from_utf8_lossy(&doctor.get_output().stdout).into_owned();
    let place = text.split("Place .").nth(1).unwrap().split("\n\n").next().unwrap();
    for state in ["warm state", "cold state"] {
        let line = place.lines().find(|line| line.contains(state)).unwrap();
        assert!(line.contains("yes, and it can be proven"), "{place}");
    }
}

#[test]
fn a_call_that_is_missing_has_no_price() {
    if !has(Capability::Seccomp) {
        return;
    }
    let sandbox = Sandbox::new();
    let words = "prices --seconds 2 --format json --dir .";
    let run = denying(&sandbox, ENOSYS, &[439], words).assert().code(0);
    let taken: PriceList = serde_json::from_slice(&run.get_output().stdout).unwrap();
    let of = |call: &str| taken.prices.iter().filter(|price| price.condition.call == call).count();
    assert_eq!(of("faccessat2"), 0);
    assert!(of("faccessat") > 0);
    assert!(taken.unpriced.iter().any(|left| left.call.starts_with("faccessat2 ")), "{:?}", taken.unpriced);
}

#[test]
fn the_native_driver_inside_serves_whatever_the_program_is_called() {
    let sandbox = Sandbox::new();
    fs::copy(program(), sandbox.file("renamed")).unwrap();
    let mut bench = sandbox.command(sandbox.file("renamed"));
    bench.args(BRIEF.split_whitespace()).env("RUSTC", "/no/such/rustc").assert().code(0);
    assert_eq!(sandbox.record("r.json").drivers[0].toolchain, "built into fathom");
}

#[test]
fn the_native_driver_inside_serves_where_a_built_one_does_not_start() {
    let sandbox = Sandbox::new();
    let rustc = "#!/bin/sh\ncase $1 in --version) echo rustc 1.0.0;; \
                 *) echo no program > driver; chmod 755 driver;; esac\n";
    let rustc = script(&sandbox, "rustc", rustc);
    let bench = |cache: &str| {
        sandbox
            .fathom(BRIEF)
            .env("RUSTC", &rustc)
            .env("FATHOM_CACHE_DIR", sandbox.file(cache))
            .assert()
            .code(0);
        sandbox.record("r.json").drivers[0].toolchain.clone()
    };
    let toolchain = bench("cache");
    assert!(
        toolchain.starts_with("built into fathom, instead of one by rustc: failed to start"),
        "{toolchain}"
    );
}

#[test]
fn a_cache_that_is_mounted_noexec_is_the_reason_and_the_driver_inside_serves() {
    if !has(Capability::Namespaces) {
        return;
    }
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("cache")).unwrap();
    let rustc = "#!/bin/sh\ncase $1 in --version) echo rustc 1.0.0;; *) cp /bin/true driver;; esac\n";
    script(&sandbox, "rustc", rustc);
    let run = format!(
        "unshare -rm sh -c 'mount -t tmpfs -o noexec,mode=0700 none cache && \
         RUSTC=$PWD/rustc FATHOM_CACHE_DIR=$PWD/cache exec fathom {BRIEF}'"
    );
    let output = sandbox.shell(&run);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let toolchain = &sandbox.record("r.json").drivers[0].toolchain;
    assert!(toolchain.contains("mounted noexec"), "{toolchain}");
}

#[test]
#[ignore = "long"]
fn a_filled_cache_serves_where_nothing_can_be_written_to_it() {
    if !has(Capability::Namespaces) || !has(Capability::Rust) {
        return;
    }
    let sandbox = Sandbox::new();
    let cache = sandbox.file("cache");
    sandbox.fathom(BRIEF).env("FATHOM_CACHE_DIR", &cache).assert().code(0);
    let built = sandbox.record("r.json").drivers[0].program.clone();
    assert!(Path::new(&built).starts_with(&cache), "{built}");
    fs::remove_file(sandbox.file("r.json")).unwrap();
    let run = format!(
        "unshare -rm sh -c 'mount --bind cache cache && mount -o remount,bind,ro cache && ! touch cache/x && \
         FATHOM_CACHE_DIR=$PWD/cache exec fathom {BRIEF}'"
    );
    let output = sandbox.shell(&run);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(sandbox.record("r.json").drivers[0].program, built);
}

#[test]
fn counts_need_no_program_but_fathom() {
    let sandbox = Sandbox::new();
    let doctor = sandbox.fathom("doctor").env("PATH", sandbox.path()).assert().code(0);
    doctor.stdout(says("system-call counts yes, by ptrace"));
}

#[test]
fn a_place_for_the_record_is_found_before_anything_is_measured() {
    let sandbox = Sandbox::new();
    for (name, value) in [("XDG_DATA_HOME", "/proc/nowhere"), ("XDG_DATA_HOME", "")] {
        let mut bench = sandbox.fathom("bench open-close --methods native:open --time 1200");
        bench.env(name, value).env_remove("HOME").timeout(std::time::Duration::from_mins(10));
        bench.assert().code(2).stderr(says("hint: name a file with -o FILE"));
    }
}

#[test]
fn an_interpreter_that_is_too_old_is_refused_in_a_sentence() {
    let sandbox = Sandbox::new();
    let python = script(&sandbox, "python", "#!/bin/sh\necho Python 3.7.17\n");
    sandbox
        .fathom("bench open-close --methods python:open+rb --time 0.2 -o r.json")
        .env("FATHOM_PYTHON", &python)
        .env("FATHOM_CACHE_DIR", sandbox.file("cache"))
        .assert()
        .code(4)
        .stdout(says("Python 3.7.17, and the driver needs 3.8 or later"));
}

#[test]
fn capabilities_of_the_file_are_as_good_as_root() {
    if !rustix::process::geteuid().is_root() || !has(Capability::Ring) {
        return;
    }
    // Where anybody may enter.
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let copy = folder.path().join("fathom");
    fs::copy(program(), &copy).unwrap();
    let sandbox = Sandbox::new();
    let set = Command::new("setcap").arg("cap_bpf,cap_perfmon+ep").arg(&copy).status();
    if !set.is_ok_and(|status| status.success()) {
        eprintln!("skipped: setcap does not work here");
        return;
    }
    for capture in ["ring", "ptrace"] {
        let mut command = sandbox.command_of_nobody(&copy);
        command
            .args(["audit", "--capture", capture, "--only", "R54", "--format", "json"])
            .args(["--", "cat", "/dev/null"])
            .current_dir("/");
        let output = command.assert().code(0).get_output().stdout.clone();
        let audit: serde_json::Value = serde_json::from_slice(&output).unwrap();
        assert!(audit["events"].as_u64().unwrap() > 5, "{capture}");
    }
}

/// As in an image that holds one program and nothing else.
#[test]
fn without_a_directory_for_temporary_files_the_drivers_start() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.fathom("bench open-close --methods native:open --counts-only");
    command.env("TMPDIR", "/no/such/directory").assert().code(0).stdout(says("native:open"));
}

#[test]
fn in_a_user_namespace_the_ring_says_so() {
    if !has(Capability::Namespaces) {
        return;
    }
    let sandbox = Sandbox::new();
    let mut command = sandbox.command("unshare");
    command.args(["-r", program()]).args("audit --capture ring -- ls".split(' '));
    command.assert().code(2).stderr(says("this is a user namespace of its own").and(says("CAP").not()));
}

#[test]
fn the_program_has_each_embedded_source_once() {
    for file in [
        "drivers/python/methods.py",
        "drivers/python/driver.toml",
        "drivers/mpi/operations.c",
        "catalog/random-blocks.toml",
        "catalog/write-ups/open-deep-dive.toml",
    ] {
        let text = fs::read_to_string(workspace().join(file)).unwrap();
        let longest = text.lines().max_by_key(|line| line.len()).unwrap();
        let found = Command::new("grep")
            .args(["--text", "--only-matching", "--fixed-strings", "--", longest, program()])
            .output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&found.stdout).lines().count(), 1, "{file}");
    }
}
