//! Where a form is installed: a root of its own below the directory for temporary files, removed
//! afterwards, or a virtual environment. The machine's own files stay as they are.

use crate::dist::sh;
use crate::static_build::find_program;
use anyhow::{Context, ensure};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// An installation's place.
pub(super) struct Place {
    folder: TempDir,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bare,
    Debian,
    VirtualEnvironment,
}

/// How a command ended, and what it printed.
pub(super) struct Ended {
    pub(super) code: Option<i32>,
    pub(super) text: String,
    errors: String,
}

/// A mount namespace, so that what is mounted goes with the command. `$1` the root, then the command.
const ENTER: &str = r#"
mount --make-rprivate /
mount -t proc proc "$1/proc"
mount -t tmpfs tmpfs "$1/dev"
for name in null zero urandom; do : >"$1/dev/$name"; mount --bind "/dev/$name" "$1/dev/$name"; done
root=$1
shift
exec chroot "$root" "$@"
"#;

/// busybox and nothing else, as Alpine without its packages.
const BARE: &str = r#"
mkdir -p "$2/bin" "$2/proc" "$2/dev" "$2/tmp" "$2/root" "$2/usr/local"
cp "$1" "$2/bin/busybox"
for name in sh ls tar gzip; do ln -s busybox "$2/bin/$name"; done
"#;

/// Debian's essential packages, from where this machine gets its own.
const DEBIAN: &str = r#"
. /etc/os-release
sources=/etc/apt/sources.list.d/debian.sources
[ -f "$sources" ] || sources=/etc/apt/sources.list
timeout 300 mmdebstrap --quiet --variant=essential "$VERSION_CODENAME" "$1" "$sources" >&2
"#;

impl Place {
    /// A root without any library; `Err` is why there can be none.
    pub(super) fn bare() -> anyhow::Result<Result<Self, String>> {
        let Some(busybox) = find_program("busybox") else {
            return Ok(Err("busybox is missing (Debian: busybox-static)".to_owned()));
        };
        let folder = tempfile::tempdir()?;
        sh(BARE, &[&busybox, folder.path()])?;
        let place = Self { folder, kind: Kind::Bare };
        let probe = place.run(&["sh", "-c", "echo in"])?;
        if probe.text.trim() == "in" {
            return Ok(Ok(place));
        }
        Ok(Err(format!("no root of its own can be entered, or busybox is not static: {probe}")))
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

    /// A fresh one of the Python on PATH; `Err` is why there can be none.
    pub(super) fn virtual_environment() -> anyhow::Result<Result<Self, String>> {
        if find_program("python3").is_none() {
            return Ok(Err("python3 is missing".to_owned()));
        }
        let folder = tempfile::tempdir()?;
        sh("python3 -m venv \"$1\"", &[folder.path()])?;
        Ok(Ok(Self { folder, kind: Kind::VirtualEnvironment }))
    }

    /// Installs as docs/install.md says.
    pub(super) fn install(&self, file: &Path) -> anyhow::Result<()> {
        let command = match self.kind {
            Kind::Bare => "tar -xJf /tmp/fathom-form -C /usr/local --strip-components=1",
            Kind::Debian => "cp /tmp/fathom-form /tmp/fathom.deb && dpkg -i /tmp/fathom.deb",
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

    /// Runs a command there, for two minutes at most.
    pub(super) fn run(&self, words: &[&str]) -> anyhow::Result<Ended> {
        let mut command = Command::new("timeout");
        command.args(["--kill-after=5", "120"]);
        if self.kind == Kind::VirtualEnvironment {
            let path = format!("{}/bin:/usr/bin:/bin", self.folder.path().display());
            command.arg("env").arg(format!("PATH={path}")).args(words);
        } else {
            command.arg("unshare");
            if !rustix::process::geteuid().is_root() {
                command.arg("--map-root-user");
            }
            command.args(["--mount", "--pid", "--fork", "--kill-child", "sh", "-euc", ENTER, "sh"]);
            command.arg(self.folder.path()).args(words);
            command
                .env("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
                .env("HOME", "/root");
            command.env("DEBIAN_FRONTEND", "noninteractive").env_remove("TMPDIR");
        }
        let output =
            command.current_dir("/").stdin(Stdio::null()).output().context("failed to start timeout")?;
        let [text, errors] =
            [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned());
        Ok(Ended { code: output.status.code(), text, errors })
    }

    /// How long `fathom --version` takes, without what entering the root takes.
    pub(super) fn version_time(&self) -> anyhow::Result<Duration> {
        let program = match self.kind {
            Kind::Bare => "usr/local/bin/fathom",
            Kind::Debian => "usr/bin/fathom",
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
        times.sort();
        Ok(times[times.len() / 2])
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.code.map_or_else(|| "a signal".to_owned(), |code| format!("exit code {code}"));
        write!(f, "{code}: {} {}", self.text.trim(), self.errors.trim())
    }
}
