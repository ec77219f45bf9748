//! `cargo xtask dist` with a small program in Fathom's place: what the forms hold, that a check fails
//! where the program does not do its work, and that nothing is left after Ctrl-C.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const STAND_IN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dist/stand_in.rs");
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Far beyond what any of it takes on a busy machine.
const LIMIT: Duration = Duration::from_mins(5);

/// What every tree has below `share`.
const SHARE: [&str; 8] = [
    "bash-completion/completions/fathom",
    "doc/fathom/CHANGELOG.md",
    "doc/fathom/LICENSE-APACHE",
    "doc/fathom/LICENSE-MIT",
    "doc/fathom/README.md",
    "doc/fathom/THIRD-PARTY.txt",
    "fish/vendor_completions.d/fathom.fish",
    "man/man1/fathom.1",
];

struct Work(TempDir);

impl Work {
    fn new() -> Self {
        let work = Self(tempfile::tempdir().unwrap());
        fs::create_dir(work.path("tmp")).unwrap();
        work
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A static program that behaves so.
    fn stand_in(&self, behavior: &str) -> PathBuf {
        let program = self.path("stand-in");
        let mut rustc = Command::new("rustc");
        rustc.args(["--edition", "2024", "-C", "strip=symbols", "-C", "target-feature=+crt-static", "-o"]);
        rustc.arg(&program).arg(STAND_IN).env("STAND_IN_BEHAVIOR", behavior).env("STAND_IN_VERSION", VERSION);
        assert!(rustc.status().unwrap().success(), "rustc did not build the stand-in");
        program
    }

    /// `cargo xtask dist` of this program; what it makes for itself goes below `tmp`.
    fn dist(&self, program: &Path, words: &[&str]) -> Command {
        let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
        xtask.args(["dist", "--program"]).arg(program).arg("--out").arg(self.path("out")).args(words);
        xtask.env("TMPDIR", self.path("tmp")).env("SOURCE_DATE_EPOCH", "1700000000");
        xtask
    }

    /// The form whose name ends so.
    fn form(&self, end: &str) -> PathBuf {
        let mut files = fs::read_dir(self.path("out")).unwrap().map(|entry| entry.unwrap().path());
        let found = files.find(|path| path.to_string_lossy().ends_with(end));
        found.unwrap_or_else(|| panic!("no {end}"))
    }
}

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

/// What sh prints, one line each.
fn lines(script: &str, file: &Path) -> BTreeSet<String> {
    let output = Command::new("sh").args(["-euc", script, "sh"]).arg(file).output().unwrap();
    assert!(output.status.success(), "{script}: {}", said(&output));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Whether a program is there; one that is required and is not fails the test.
fn has(name: &str) -> bool {
    let is_there = Command::new(name).arg("--version").output().is_ok();
    let required = std::env::var("FATHOM_TEST_REQUIRE").unwrap_or_default();
    assert!(is_there || !required.split(',').any(|word| word == name), "{name} is required and missing");
    is_there
}

#[test]
fn a_tarball_holds_the_program_its_pages_and_the_notices() {
    let work = Work::new();
    let program = work.stand_in("works");
    let output = work.dist(&program, &["--only", "tarball"]).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let file = work.form(".tar.xz");
    let top = format!("fathom-{VERSION}-{}-unknown-linux-musl", std::env::consts::ARCH);
    let found = lines("tar -tf \"$1\" | grep -v '/$'", &file);
    let mut expected: BTreeSet<_> = SHARE.iter().map(|name| format!("{top}/share/{name}")).collect();
    expected.extend([format!("{top}/bin/fathom"), format!("{top}/share/zsh/site-functions/_fathom")]);
    assert_eq!(found, expected);
    let same = lines("tar -xOf \"$1\" --wildcards '*/bin/fathom' | sha256sum", &file);
    assert_eq!(same, lines("sha256sum <\"$1\"", &program), "it is the program that was given");
    let owners = lines("tar --numeric-owner -tvf \"$1\" | cut -d ' ' -f 1,2 | sort -u", &file);
    let modes: BTreeSet<_> = ["-rw-r--r-- 0/0", "-rwxr-xr-x 0/0", "drwxr-xr-x 0/0"].map(str::to_owned).into();
    assert_eq!(owners, modes);
    lines("cd \"$(dirname \"$1\")\" && sha256sum --check --quiet \"$(basename \"$1\").sha256\"", &file);
    let first = fs::read(&file).unwrap();
    assert!(work.dist(&program, &["--only", "tarball"]).output().unwrap().status.success());
    assert!(fs::read(&file).unwrap() == first, "the same content gives the same bytes");
    assert_eq!(fs::read_dir(work.path("tmp")).unwrap().count(), 0, "nothing is left");
}

#[test]
fn a_download_above_the_limit_fails_and_is_kept_to_look_at() {
    let work = Work::new();
    let program = work.stand_in("works");
    // What no packer makes smaller.
    let (mut content, mut state) = (fs::read(&program).unwrap(), 1_u64);
    while content.len() < 11_000_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        content.extend_from_slice(&state.to_le_bytes()[4..]);
    }
    fs::write(&program, content).unwrap();
    let output = work.dist(&program, &["--only", "tarball"]).output().unwrap();
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("FAILED: too large, a download has at most 10 MB"), "{text}");
    assert!(work.form(".tar.xz").metadata().unwrap().len() > 10_000_000, "{text}");
}

#[test]
fn a_package_is_of_its_architecture_and_as_debian_lays_files_out() {
    if !has("dpkg-deb") {
        return;
    }
    let work = Work::new();
    let program = work.stand_in("works");
    let output = work.dist(&program, &["--only", "deb", "--target", "aarch64"]).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let file = work.form("_arm64.deb");
    let fields = lines("dpkg-deb --field \"$1\" Package Version Architecture", &file);
    let expected =
        ["Package: fathom-io".to_owned(), format!("Version: {VERSION}"), "Architecture: arm64".to_owned()];
    assert_eq!(fields, expected.into());
    let files = lines("dpkg-deb --fsys-tarfile \"$1\" | tar -t", &file);
    for name in [
        "bin/fathom",
        "share/man/man1/fathom.1.gz",
        "share/doc/fathom-io/copyright",
        "share/doc/fathom-io/THIRD-PARTY.txt.gz",
        "share/zsh/vendor-completions/_fathom",
    ] {
        assert!(files.contains(&format!("./usr/{name}")), "{name}: {files:?}");
    }
}

#[test]
fn a_wheel_is_for_both_c_libraries_and_its_record_is_right() {
    if !has("maturin") {
        return;
    }
    let work = Work::new();
    let program = work.stand_in("works");
    let output = work.dist(&program, &["--only", "wheel", "--target", "x86_64"]).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let file = work.form(".whl");
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    let tags = "py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64.whl";
    assert_eq!(name, format!("fathom_io-{VERSION}-{tags}"));
    // Every file stands in RECORD with its digest, and every line has its file.
    let check = r#"
import base64, csv, hashlib, io, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
record = next(name for name in wheel.namelist() if name.endswith(".dist-info/RECORD"))
rows = {row[0]: row[1] for row in csv.reader(io.StringIO(wheel.read(record).decode()))}
assert sorted(rows) == sorted(wheel.namelist()), (rows, wheel.namelist())
for name, digest in rows.items():
    sha = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(name)).digest()).decode().rstrip("=")
    assert name == record or digest == "sha256=" + sha, name
    print(name.split(".data/")[-1])
"#;
    let output = Command::new("python3").args(["-c", check]).arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let found = said(&output);
    for name in SHARE.iter().map(|name| format!("data/share/{name}")).chain(["scripts/fathom-io".to_owned()])
    {
        assert!(found.lines().any(|line| line == name), "{name}:\n{found}");
    }
    let digest = "python3 -c 'import sys, zipfile; wheel = zipfile.ZipFile(sys.argv[1]); sys.stdout.buffer.write(wheel.read(next(name for name in wheel.namelist() if name.endswith(\"/scripts/fathom\"))))' \"$1\" | sha256sum";
    assert_eq!(
        lines(digest, &file),
        lines("sha256sum <\"$1\"", &program),
        "it is the program that was given"
    );
}

/// Whether a root of its own can be entered here; why not is printed.
#[expect(clippy::print_stderr, reason = "a skipped test says why")]
fn can_enter(text: &str) -> bool {
    let reason = text.lines().find(|line| line.contains("tarball in a root") && line.contains("not run"));
    if let Some(reason) = reason {
        let required = std::env::var("FATHOM_TEST_REQUIRE").unwrap_or_default();
        assert!(!required.split(',').any(|word| word == "dist-root"), "{reason}");
        eprintln!("skipped: {reason}");
    }
    reason.is_none()
}

#[test]
fn a_check_passes_where_the_program_works_and_fails_where_the_audit_says_nothing() {
    for (behavior, code, expected) in [("works", 0, ": works\n"), ("silent", 1, "FAILED")] {
        let work = Work::new();
        let program = work.stand_in(behavior);
        let output = work.dist(&program, &["--only", "tarball", "--check"]).output().unwrap();
        let text = said(&output);
        if !can_enter(&text) {
            return;
        }
        let line = text.split_once("tarball in a root").unwrap().1;
        assert!(line.contains(expected), "{behavior}: {text}");
        // Beside much other work a time may be beyond its bound: that is not known, and no failure.
        let is_known = !text.contains("not known");
        assert_eq!(output.status.code(), Some(if is_known { code } else { 3 }), "{behavior}: {text}");
    }
}

#[test]
fn ctrl_c_ends_a_check_and_leaves_nothing() {
    let work = Work::new();
    let program = work.stand_in("waits");
    let mut xtask = work.dist(&program, &["--only", "tarball", "--check"]);
    let mut child = xtask.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    // The audit waits in a root that has the program.
    while !has_installation(&work.path("tmp")) {
        if child.try_wait().unwrap().is_some() {
            let output = child.wait_with_output().unwrap();
            assert!(!can_enter(&said(&output)), "{}", said(&output));
            return;
        }
        assert!(start.elapsed() < LIMIT, "nothing was installed");
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    let left: Vec<_> = fs::read_dir(work.path("tmp")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(left.is_empty(), "{left:?}");
    let running = commands_with(&work.path("tmp"));
    assert!(running.is_empty(), "still running: {running:?}");
}

/// Commands of running processes that name this folder.
fn commands_with(folder: &Path) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let commands = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    let commands = commands.map(|words| String::from_utf8_lossy(&words).replace('\0', " "));
    commands.filter(|words| words.contains(&*folder.to_string_lossy())).collect()
}

fn has_installation(folder: &Path) -> bool {
    let roots = fs::read_dir(folder).unwrap().flatten();
    roots.into_iter().any(|root| root.path().join("usr/local/bin/fathom").is_file())
}

fn interrupt(child: &Child) {
    let pid = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
}

#[test]
#[ignore = "slowly: builds the released program, some ten minutes, and installs every form"]
fn every_form_is_installed_and_works_slowly() {
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    let output = xtask.args(["dist", "--check", "--target", std::env::consts::ARCH]).output().unwrap();
    let text = said(&output);
    assert!(!text.contains("FAILED") && text.contains(": works"), "{text}");
    assert!(output.status.success() || text.contains("not run: ") || text.contains("not known"), "{text}");
}
