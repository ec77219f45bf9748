//! One guest: a file system in memory with the static `fathom`, busybox and strace, booted by qemu
//! until it powers itself off or its time is over.

use super::packages::{Archive, KernelFiles};
use crate::static_build::Architecture;
use anyhow::Context;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const INIT: &str = include_str!("init.sh");
const WORK: &str = include_str!("work.sh");
const NFS: &str = include_str!("nfs.sh");
const POLL: Duration = Duration::from_millis(200);

/// What is ready to boot.
pub(super) struct Guest {
    architecture: Architecture,
    kernel: PathBuf,
    folder: TempDir,
}

/// What a guest printed.
pub(super) struct Said {
    /// All of it.
    pub(super) text: String,
    /// What stands between the lines that name a part, and the exit code of its command.
    pub(super) parts: BTreeMap<String, (String, i32)>,
    pub(super) took: Duration,
}

impl Guest {
    /// A guest of this kernel with this `fathom`.
    pub(super) fn new(
        architecture: Architecture,
        files: &KernelFiles,
        archive: &Archive,
        fathom: &Path,
    ) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let root = folder.path().join("root");
        fs::create_dir_all(root.join("bin"))?;
        for tools in archive.tools(architecture)? {
            for part in ["bin", "lib", "lib64", "usr/bin", "usr/lib"] {
                let from = tools.join(part);
                if from.is_dir() {
                    copy_into(&from, &root.join(part))?;
                }
            }
        }
        fs::copy(fathom, root.join("bin/fathom")).with_context(|| format!("no {}", fathom.display()))?;
        fs::write(root.join("work.sh"), WORK)?;
        fs::write(root.join("nfs.sh"), NFS)?;
        fs::create_dir(root.join("modules"))?;
        for module in &files.modules {
            let name = module.file_name().context("a module has a name")?;
            fs::copy(module, root.join("modules").join(name))?;
        }
        fs::write(root.join("init"), INIT)?;
        fs::set_permissions(root.join("init"), PermissionsExt::from_mode(0o755))?;
        let pack = "find . -print0 | cpio --null --create --format=newc --quiet | gzip -1 >../initramfs";
        let status = Command::new("sh").args(["-c", pack]).current_dir(&root).status()?;
        anyhow::ensure!(status.success(), "cpio did not pack the guest's files: it is Debian's package cpio");
        Ok(Self { architecture, kernel: files.image.clone(), folder })
    }

    /// Boots it without KVM, for no longer than this; `quick` leaves out what is not counted.
    pub(super) fn boot(&self, limit: Duration, quick: bool) -> anyhow::Result<Said> {
        // Beside load an emulated timer is late, and a kernel that tries it first gives up in a panic.
        let (program, machine, console): (_, &[&str], _) = match self.architecture {
            Architecture::X86 => ("qemu-system-x86_64", &["-cpu", "max"], "ttyS0 no_timer_check"),
            // It has pages of 16 KiB, which cortex-a72 lacks.
            Architecture::Arm => {
                ("qemu-system-aarch64", &["-machine", "virt", "-cpu", "cortex-a76"], "ttyAMA0")
            }
        };
        let word = if quick { " fathom.quick" } else { "" };
        let printed = self.folder.path().join("printed");
        let mut qemu = Command::new(program);
        qemu.args(machine)
            .args(["-accel", "tcg,thread=multi", "-smp", "2", "-m", "1536", "-display", "none"])
            .args(["-monitor", "none", "-no-reboot", "-net", "none", "-serial"])
            .arg(format!("file:{}", printed.display()))
            .arg("-kernel")
            .arg(&self.kernel)
            .arg("-initrd")
            .arg(self.folder.path().join("initramfs"))
            .args(["-append", &format!("console={console} panic=-1 quiet loglevel=3{word}")])
            .stdin(Stdio::null());
        let begun = Instant::now();
        let mut guest =
            qemu.spawn().with_context(|| format!("failed to start {program}, of Debian's qemu-system"))?;
        while guest.try_wait()?.is_none() {
            if begun.elapsed() > limit {
                guest.kill()?;
                guest.wait()?;
                break;
            }
            sleep(POLL);
        }
        let text = String::from_utf8_lossy(&fs::read(&printed).unwrap_or_default()).replace('\r', "");
        Ok(Said { parts: parts(&text), text, took: begun.elapsed() })
    }
}

fn copy_into(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    let status = Command::new("cp").arg("-a").arg(from.join(".")).arg(to).status()?;
    anyhow::ensure!(status.success(), "failed to copy {}", from.display());
    Ok(())
}

fn parts(text: &str) -> BTreeMap<String, (String, i32)> {
    let mut parts = BTreeMap::new();
    let mut inside: Vec<&str> = Vec::new();
    for line in text.lines() {
        if line.starts_with("@@begin ") {
            inside.clear();
        } else if let Some((name, code)) = line.strip_prefix("@@end ").and_then(|end| end.split_once(' ')) {
            parts.insert(name.to_owned(), (inside.join("\n"), code.trim().parse().unwrap_or(-1)));
        } else {
            inside.push(line);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_between_the_lines_that_name_them() {
        let found = parts("boot\n@@begin one\na\nb\n@@end one 0\nnoise\n@@begin two\n@@end two 3\n");
        assert_eq!(found["one"], ("a\nb".to_owned(), 0));
        assert_eq!(found["two"], (String::new(), 3));
        assert_eq!(found.len(), 2);
    }
}
