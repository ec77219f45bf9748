//! Where a form is installed: a root of its own below the directory for temporary files, removed
//! afterwards, or a virtual environment. The machine's own files stay as they are.

use crate::calibrate::Interrupted;
use crate::dist::{Form, sh, unpack};
use crate::static_build::find_program;
use crate::step;
use anyhow::{Context, ensure};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Of a command in a place.
const COMMAND_LIMIT: Duration = Duration::from_mins(2);

/// An installation's place.
pub(super) struct Place {
    folder: TempDir,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bare,
    Debian,
    Image,
    VirtualEnvironment,
}

/// How a command ended, and what it printed.
pub(super) struct Ended {
    pub(super) code: Option<i32>,
    pub(super) text: String,
    errors: String,
}

/// A mount namespace, so that what is mounted goes with the command. `$1` the root, `$2` the folder in
/// it to begin in, then the command.
const ENTER: &str = r#"
mount --make-rprivate /
mkdir -p "$1/proc" "$1/dev"
mount -t proc proc "$1/proc"
mount -t tmpfs tmpfs "$1/dev"
for name in null zero urandom; do : >"$1/dev/$name"; mount --bind "/dev/$name" "$1/dev/$name"; done
root=$1 folder=$2
shift 2
exec unshare --root="$root" --wd="$folder" "$@"
"#;

/// Debian's static busybox, where the one that is installed needs the C library: both cannot be.
const FETCH: &str = r#"
cd "$1"
apt-get -qq download busybox-static || { apt-get -qq update; apt-get -qq download busybox-static; }
dpkg-deb -x busybox-static_*.deb .
[ -e bin/busybox ] || ln -s ../usr/bin/busybox bin/busybox
"#;

/// busybox and musl, as Alpine without its packages; musl only where this machine has it.
const BARE: &str = r#"
mkdir -p "$2/bin" "$2/lib" "$2/tmp" "$2/root" "$2/usr/local"
cp "$1" "$2/bin/busybox"
for file in /lib/ld-musl-*.so.1; do [ ! -e "$file" ] || cp -L "$file" "$2/lib"; done
for name in sh ls tar gzip; do ln -s busybox "$2/bin/$name"; done
"#;

/// Debian's essential packages, from where this machine gets its own.
const DEBIAN: &str = r#"
. /etc/os-release
sources=/etc/apt/sources.list.d/debian.sources
[ -f "$sources" ] || sources=/etc/apt/sources.list
mmdebstrap --quiet --variant=essential "$VERSION_CODENAME" "$1" "$sources" >&2
"#;

impl Place {
    /// A root without any library; `Err` is why there can be none.
    pub(super) fn bare() -> anyhow::Result<Result<Self, String>> {
        let fetched = tempfile::tempdir()?;
        let busybox = match find_program("busybox").filter(|file| unpack::is_static(file)) {
            Some(busybox) => busybox,
            None => match sh(FETCH, &[fetched.path()]) {
                Ok(_) => fetched.path().join("bin/busybox"),
                Err(error) if error.is::<Interrupted>() => return Err(error),
                Err(error) => {
                    return Ok(Err(format!("a static busybox is missing (Debian: busybox-static): {error}")));
                }
            },
        };
        let folder = tempfile::tempdir()?;
        sh(BARE, &[&busybox, folder.path()])?;
        let place = Self { folder, kind: Kind::Bare };
        let probe = place.run(&["sh", "-c", "echo in"])?;
        if probe.text.trim() == "in" {
            return Ok(Ok(place));
        }
        Ok(Err(format!("no root of its own can be entered: {probe}")))
    }

    /// A Debian with its essential packages alone; `Err` is why there can be none.
    pub(super) fn debian() -> anyhow::Result<Result<Self, String>> {
        if !rustix::process::geteuid().is_root() {
            return Ok(Err("making a Debian root needs root".to_owned()));
        }
        if find_program("mmdebstrap").is_none() {
            return Ok(Err("mmdebstrap is missing (Debian: mmdebstrap)".to_owned()));
        }
        let folder = tempfile::tempdir()?;
        sh(DEBIAN, &[folder.path()]).context("mmdebstrap made no root")?;
        Ok(Ok(Self { folder, kind: Kind::Debian }))
    }

    /// The image's files alone; `Err` is why there can be none.
    pub(super) fn image() -> anyhow::Result<Result<Self, String>> {
        Ok(Ok(Self { folder: tempfile::tempdir()?, kind: Kind::Image }))
    }

    /// A fresh one of the Python on PATH; `Err` is why there can be none.
    pub(super) fn virtual_environment() -> anyhow::Result<Result<Self, String>> {
        if find_program("python3").is_none() {
            return Ok(Err("python3 is missing".to_owned()));
        }
        let folder = tempfile::tempdir()?;
        sh("python3 -m venv \"$1\"", &[folder.path()])?;
        Ok(Ok(Self { folder, kind: Kind::VirtualEnvironment }))
    }

    /// A command for the audit: a program that the place has.
    pub(super) fn audited(&self) -> [&'static str; 2] {
        match self.kind {
            Kind::Image => ["/usr/bin/fathom", "--version"],
            Kind::Bare | Kind::Debian | Kind::VirtualEnvironment => ["ls", "/"],
        }
    }

    /// Installs as docs/install.md says.
    pub(super) fn install(&self, file: &Path) -> anyhow::Result<()> {
        let command = match self.kind {
            Kind::Bare => "tar -xJf /tmp/fathom-form -C /usr/local --strip-components=1",
            Kind::Debian => "cp /tmp/fathom-form /tmp/fathom.deb && dpkg -i /tmp/fathom.deb",
            Kind::Image => {
                return unpack::unpack(Form::Image, file, self.folder.path()).map(drop);
            }
            Kind::VirtualEnvironment => {
                sh(
                    "\"$1/bin/pip\" install --quiet --no-index --disable-pip-version-check \"$2\"",
                    &[self.folder.path(), file],
                )?;
                return Ok(());
            }
        };
        std::fs::copy(file, self.folder.path().join("tmp/fathom-form"))?;
        let ended = self.run(&["sh", "-c", command])?;
        ensure!(ended.code == Some(0), "{ended}");
        Ok(())
    }

    /// Runs a command there, for a limited time.
    pub(super) fn run(&self, words: &[&str]) -> anyhow::Result<Ended> {
        let mut command = Command::new("unshare");
        if self.kind == Kind::VirtualEnvironment {
            command = Command::new("env");
            command.arg(format!("PATH={}/bin:/usr/bin:/bin", self.folder.path().display())).args(words);
            command.current_dir(self.folder.path());
        } else {
            if !rustix::process::geteuid().is_root() {
                command.arg("--map-root-user");
            }
            command.args(["--mount", "--pid", "--fork", "--kill-child", "sh", "-euc", ENTER, "sh"]);
            command.arg(self.folder.path()).arg(self.start()).args(words);
            command.current_dir("/").env("HOME", "/root").env_remove("TMPDIR");
            command.env("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
            command.env("DEBIAN_FRONTEND", "noninteractive");
        }
        let ended = step::run(&mut command, COMMAND_LIMIT)?;
        Ok(Ended { code: ended.status.code(), text: ended.text, errors: ended.errors })
    }

    /// Where commands begin, in the place.
    fn start(&self) -> &'static str {
        match self.kind {
            Kind::Image => "/work",
            Kind::Bare | Kind::Debian | Kind::VirtualEnvironment => "/tmp",
        }
    }

    /// How long `fathom --version` takes, without what entering the root takes.
    pub(super) fn version_times(&self) -> anyhow::Result<Vec<Duration>> {
        let program = match self.kind {
            Kind::Bare => "usr/local/bin/fathom",
            Kind::Debian | Kind::Image => "usr/bin/fathom",
            Kind::VirtualEnvironment => "bin/fathom",
        };
        let program: PathBuf = self.folder.path().join(program);
        let mut times = Vec::new();
        for _ in 0..21 {
            let start = Instant::now();
            let status = Command::new(&program).arg("--version").stdout(Stdio::null()).status()?;
            times.push(start.elapsed());
            ensure!(status.success(), "{} ended with {status}", program.display());
        }
        Ok(times)
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.code.map_or_else(|| "a signal".to_owned(), |code| format!("exit code {code}"));
        write!(f, "{code}: {} {}", self.text.trim(), self.errors.trim())
    }
}
