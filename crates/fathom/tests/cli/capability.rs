//! What some tests need of the machine. Where it is missing they say so and
//! pass; where `FATHOM_TEST_REQUIRE` lists it (`strace,go`), they fail instead,
//! so that a capability lost in CI cannot turn green.

use crate::sandbox::{Sandbox, workspace};
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

/// Something that not every machine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Capability {
    /// strace, and the right to use it.
    Strace,
    /// A C compiler, by the name of gcc.
    C,
    /// A C++ compiler.
    Cpp,
    /// rustc.
    Rust,
    /// A Go toolchain.
    Go,
    /// A JDK.
    Java,
    /// JDK 25 where Linux distributions put JDKs, beside the usual one.
    Jdk25,
    /// Node.js.
    Node,
    /// A Python interpreter.
    Python,
    /// The Python interpreter of the distribution.
    SystemPython,
    /// A Zig compiler, also as a Python package.
    Zig,
    /// Perl with the modules of its own distribution.
    Perl,
    /// Ruby with its gems.
    Ruby,
    /// PHP for the command line.
    Php,
    /// Mounts in a namespace of one's own.
    Namespaces,
    /// FUSE mounts in a namespace of one's own.
    Fuse,
    /// Build files on a real disk, whose pages can be evicted.
    Disk,
    /// Perl may install a system-call filter.
    Seccomp,
    /// The kernel's tracepoints: root, and tracefs or the right to mount it.
    Tracepoints,
    /// Programs in the kernel that write into a ring.
    Ring,
    /// perf.
    Perf,
    /// Images of file systems, mounted where nobody sees it.
    LoopMounts,
    /// What makes an XFS.
    MkfsXfs,
    /// The reader of Go's benchmark format.
    Benchstat,
    /// `DuckDB` as a Python package.
    DuckDb,
    /// Polars as a Python package.
    Polars,
    /// Spark as a Python package, with a Java that it runs on.
    Spark,
    /// The Prometheus project's reader of `OpenMetrics`, as a Python package.
    PrometheusClient,
    /// Perfetto's published messages as a Python package.
    Perfetto,
    /// Perfetto's trace processor, a program or WebAssembly (`FATHOM_TRACE_PROCESSOR` names it).
    TraceProcessor,
    /// A browser and speedscope's npm package, in tests/browser.
    Speedscope,
    /// groff with its macros for manual pages.
    Groff,
    /// zsh.
    Zsh,
    /// fish.
    Fish,
    /// Microsoft's validator of SARIF, with the rules of code hosts (`SARIF_MULTITOOL` names it).
    SarifMultitool,
    /// Network namespaces with names, and bridges between them.
    NetworkNamespaces,
    /// A compiler and a launcher of an MPI.
    Mpi,
    /// MPICH beside it, by the names that Debian gives its programs.
    Mpich,
    /// Time namespaces.
    TimeNamespaces,
    /// mdtest, built from its sources (`FATHOM_MDTEST` names it).
    Mdtest,
    /// A browser with what drives it, an accessibility checker and a reader of PDF.
    Browser,
}

impl Capability {
    fn name(self) -> &'static str {
        match self {
            Self::Strace => "strace",
            Self::C => "c",
            Self::Cpp => "cpp",
            Self::Rust => "rust",
            Self::Go => "go",
            Self::Java => "java",
            Self::Jdk25 => "jdk25",
            Self::Node => "node",
            Self::Python => "python",
            Self::SystemPython => "system-python",
            Self::Zig => "zig",
            Self::Perl => "perl",
            Self::Ruby => "ruby",
            Self::Php => "php",
            Self::Namespaces => "namespaces",
            Self::NetworkNamespaces => "network-namespaces",
            Self::Fuse => "fuse",
            Self::Disk => "disk",
            Self::Seccomp => "seccomp",
            Self::Tracepoints => "tracepoints",
            Self::Ring => "ring",
            Self::Perf => "perf",
            Self::LoopMounts => "loop-mounts",
            Self::MkfsXfs => "mkfs.xfs",
            Self::Benchstat => "benchstat",
            Self::DuckDb => "duckdb",
            Self::Polars => "polars",
            Self::Spark => "spark",
            Self::PrometheusClient => "prometheus-client",
            Self::Perfetto => "perfetto",
            Self::TraceProcessor => "trace-processor",
            Self::Speedscope => "speedscope",
            Self::Groff => "groff",
            Self::Zsh => "zsh",
            Self::Fish => "fish",
            Self::SarifMultitool => "sarif-multitool",
            Self::Mpi => "mpi",
            Self::Mpich => "mpich",
            Self::TimeNamespaces => "time-namespaces",
            Self::Mdtest => "mdtest",
            Self::Browser => "browser",
        }
    }

    fn probe(self) -> Result<(), String> {
        match self {
            Self::Strace => run("strace", &["-f", "-o", "/dev/null", "true"]),
            Self::C => run("gcc", &["--version"]),
            Self::Rust => run("rustc", &["--version"]),
            Self::Cpp => run("g++", &["--version"]),
            Self::Go => run("go", &["version"]),
            Self::Java => run("javac", &["-version"]),
            Self::Jdk25 => jdk_25(),
            Self::Node => run("node", &["--version"]),
            Self::Python => run("python3", &["--version"]),
            Self::SystemPython => run("/usr/bin/python3", &["--version"]),
            Self::Zig => run("zig", &["version"]).or_else(|_| run("python3", &["-m", "ziglang", "version"])),
            Self::Perl => run("perl", &["-MJSON::PP", "-MCompress::Raw::Zlib", "-e", "1"]),
            Self::Ruby => run("ruby", &["-rjson", "-e", "1"]),
            Self::Php => run("php", &["-r", "1;"]),
            Self::Namespaces => run("unshare", &["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]),
            Self::NetworkNamespaces => run(
                "sh",
                &[
                    "-c",
                    "ip netns add fathom-probe && ip netns del fathom-probe && mpirun --version | grep -q 'Open MPI'",
                ],
            ),
            Self::Fuse => run("unshare", &["-rm", "sh", "-c", ": <> /dev/fuse"]),
            Self::Disk => on_disk(),
            Self::Seccomp => run("perl", &["-e", crate::missing::DENY_PTRACE, "true"]),
            Self::Tracepoints => {
                let mounted = "test -d /sys/kernel/tracing/events";
                let mount = "mount -t tracefs none /sys/kernel/tracing";
                run("unshare", &["-m", "sh", "-c", &format!("{mounted} || {mount}")])
            }
            Self::Ring => run(
                crate::sandbox::program(),
                &["audit", "--capture", "ring", "-o", "/dev/null", "--", "true"],
            ),
            // It mounts tracefs where nobody has: not for everybody.
            Self::Perf => run("unshare", &["-m", "perf", "stat", "true"]),
            Self::LoopMounts => loop_mount(),
            Self::MkfsXfs => run("mkfs.xfs", &["-V"]),
            Self::Benchstat => run("benchstat", &["-h"]),
            Self::DuckDb => run("python3", &["-c", "import duckdb"]),
            Self::Polars => run("python3", &["-c", "import polars"]),
            Self::Spark => {
                run("python3", &["-c", "import pyspark"])
                    .and_then(|()| run("java", &["-version"]))
                    // Its Snappy takes a machine with this loader for one that has no other C library.
                    .and_then(|()| run("sh", &["-c", "! ls /lib/ld-musl-*"]))
            }
            Self::PrometheusClient => run("python3", &["-c", "import prometheus_client.openmetrics.parser"]),
            Self::Perfetto => {
                run("python3", &["-c", "from perfetto.protos.perfetto.trace import perfetto_trace_pb2"])
            }
            Self::TraceProcessor => trace_is_processed(),
            Self::Speedscope => crate::browser::speedscope().map(drop),
            Self::Groff => run("groff", &["-man", "-z", "/dev/null"]),
            Self::Zsh => run("zsh", &["--version"]),
            Self::Fish => run("fish", &["--version"]),
            Self::SarifMultitool => run("sh", &["-c", "test -x \"$SARIF_MULTITOOL\""]),
            Self::Mpi => run("mpicc", &["--version"]).and_then(|()| run("mpirun", &["--version"])),
            Self::Mpich => run("mpicc.mpich", &["-show"]).and_then(|()| run("mpiexec.mpich", &["--version"])),
            Self::Mdtest => run("sh", &["-c", "test -x \"$FATHOM_MDTEST\""]),
            Self::TimeNamespaces => run("unshare", &["-rT", "--monotonic", "1000", "true"]),
            Self::Browser => crate::browser::probe(),
        }
    }
}

/// Whether the test can run. Says why not, or fails where it must.
pub(crate) fn has(capability: Capability) -> bool {
    let Err(reason) = capability.probe() else { return true };
    let name = capability.name();
    assert!(!is_required(capability), "{name} is required here: {reason}");
    eprintln!("skipped: {name} is missing here: {reason}");
    false
}

/// Whether the machine has to have it.
pub(crate) fn is_required(capability: Capability) -> bool {
    let required = std::env::var("FATHOM_TEST_REQUIRE").unwrap_or_default();
    required.split(',').any(|word| word.trim() == capability.name())
}

fn run(program: &str, words: &[&str]) -> Result<(), String> {
    let output = Command::new(program).args(words).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("`{program}`: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    output.status.success().then_some(()).ok_or_else(|| format!("`{program}`: {}: {said}", output.status))
}

/// The words that have Perfetto's trace processor answer a query: files of SQL and of a trace come after them.
/// `FATHOM_TRACE_PROCESSOR` is its program, or a directory with its WebAssembly, which Node.js runs.
pub(crate) fn trace_processor() -> Vec<OsString> {
    let named = std::env::var_os("FATHOM_TRACE_PROCESSOR").unwrap_or_else(|| "trace_processor_shell".into());
    if !Path::new(&named).is_dir() {
        return vec![named, "-q".into()];
    }
    vec!["node".into(), workspace().join("tests/browser/trace-processor.mjs").into(), named]
}

fn trace_is_processed() -> Result<(), String> {
    let sandbox = Sandbox::new();
    // A trace without events is refused.
    let trace = r#"[{"ph": "X", "ts": 1, "dur": 1, "pid": 1, "tid": 1, "name": "a"}]"#;
    let files = [sandbox.write("query.sql", "select 1;"), sandbox.write("e.json", trace)];
    let mut words = trace_processor();
    words.extend(files.map(OsString::from));
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    run(words[0], &words[1..])
}

fn jdk_25() -> Result<(), String> {
    let sandbox = Sandbox::new();
    let mut bench = sandbox.fathom("bench null --methods java@25:null --counts-only -o record.json");
    let output = bench.output().map_err(|error| error.to_string())?;
    let said = format!("`java@25:null`: {}", String::from_utf8_lossy(&output.stderr).trim());
    output.status.success().then_some(()).ok_or(said)
}

fn loop_mount() -> Result<(), String> {
    let sandbox = Sandbox::new();
    let image = sandbox.file("image");
    let image = image.to_string_lossy();
    let script = format!("truncate -s 4M {image} && mkfs.ext4 -q -F {image} && mount -o loop {image} /mnt");
    run("unshare", &["-m", "sh", "-c", &script])
}

fn on_disk() -> Result<(), String> {
    /// tmpfs, ramfs, overlayfs: memory, or layers that this test knows too little of.
    const NO_DISK: [u64; 3] = [0x0102_1994, 0x8584_58F6, 0x794C_7630];
    let sandbox = Sandbox::new();
    let found = rustix::fs::statfs(sandbox.path()).map_err(|errno| errno.to_string())?;
    let magic = found.f_type.cast_unsigned() & 0xFFFF_FFFF;
    (!NO_DISK.contains(&magic)).then_some(()).ok_or_else(|| format!("file system {magic:#x}"))
}
