//! The program that collectors are tried on: the native driver, spoken to over
//! its pipes, and the files it opens and reads.

use anyhow::{Context, bail, ensure};
use rustix::fs::{Advice, fadvise};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Of the file that is opened and read.
const FILE_BYTES: usize = 4096;

/// `fathom` and the words that start its native driver.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) fathom: PathBuf,
    driver: Vec<String>,
}

/// What the worker does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// Opens the file and closes it: two calls.
    OpenClose,
    /// Opens it, reads its 4 KiB and closes it: three calls.
    Read,
}

/// A directory with the file, removed when dropped.
#[derive(Debug)]
pub(super) struct Place {
    folder: tempfile::TempDir,
    /// After the folder: what is left of it when we are killed is removed all the same.
    _remover: Remover,
    file: PathBuf,
    device: Option<String>,
    file_system: String,
}

/// A process that removes a folder when we end, however we do: it reads from us until then.
#[derive(Debug)]
struct Remover {
    child: Child,
}

impl Remover {
    fn start(folder: &Path) -> anyhow::Result<Self> {
        let mut command = Command::new("sh");
        command.args(["-c", "read -r _; rm -rf -- \"$1\"", "sh"]).arg(folder);
        // In a group of its own: Ctrl-C and whoever kills our group do not reach it.
        let quiet =
            command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        Ok(Self { child: quiet.spawn().context("failed to start sh")? })
    }
}

impl Drop for Remover {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _reaped = self.child.wait();
    }
}

/// A driver process with one method. Killed when dropped.
#[derive(Debug)]
pub(super) struct Worker {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Program {
    pub(super) fn find(fathom: &Path) -> anyhow::Result<Self> {
        let output = Command::new(fathom)
            .args(["driver", "path", "native"])
            .stdin(Stdio::null())
            .output()
            .context("failed to start fathom")?;
        ensure!(output.status.success(), "no native driver: {}", last_line(&output.stderr));
        let words = String::from_utf8_lossy(&output.stdout);
        Ok(Self { fathom: fathom.to_owned(), driver: words.split_whitespace().map(str::to_owned).collect() })
    }

    /// The words of a driver that does this work on the place's file.
    pub(super) fn words(&self, work: Work, place: &Place) -> Vec<String> {
        let (operation, method) = match work {
            Work::OpenClose => ("open-close", "open"),
            Work::Read => ("open-read-close", "read"),
        };
        let file = place.file.to_string_lossy();
        let size = FILE_BYTES.to_string();
        let arguments = [
            "run",
            "--operation",
            operation,
            "--method",
            method,
            "--path",
            &file,
            "--size",
            &size,
            "--block",
            &size,
        ];
        self.driver.iter().cloned().chain(arguments.map(str::to_owned)).collect()
    }
}

impl Place {
    pub(super) fn make(dir: &Path) -> anyhow::Result<Self> {
        let dir = std::fs::canonicalize(dir).with_context(|| format!("failed to use {}", dir.display()))?;
        let folder = tempfile::Builder::new().prefix(".overhead-").tempdir_in(dir)?;
        let remover = Remover::start(folder.path())?;
        let path = folder.path().join("file");
        let mut file = File::create(&path)?;
        file.write_all(&[7; FILE_BYTES])?;
        file.sync_all()?;
        let place = fathom_model::Place::Directory(folder.path().to_owned());
        let facts = fathom_collect::place_facts(&place, folder.path())?;
        let device = facts.device.value().map(|device| device.number.clone());
        Ok(Self { file: path, folder, _remover: remover, device, file_system: facts.file_system })
    }

    pub(super) fn directory(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn file_system(&self) -> String {
        self.file_system.clone()
    }

    /// Number of the device below it.
    pub(super) fn device(&self) -> Option<&str> {
        self.device.as_deref()
    }

    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// Drops the file's pages; false where they stay, as in memory file systems.
    pub(super) fn evict(&self) -> anyhow::Result<bool> {
        let file = File::open(&self.file)?;
        fadvise(&file, 0, None, Advice::DontNeed)?;
        let residency = fathom_collect::residency(&file);
        Ok(residency.value().is_some_and(|residency| residency.resident_pages == 0))
    }
}

impl Worker {
    /// Starts these words and waits until the driver is ready.
    pub(super) fn start(words: &[String]) -> anyhow::Result<Self> {
        let (program, arguments) = words.split_first().context("no program")?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("failed to start {program}"))?;
        let input = child.stdin.take().context("the driver has no standard input")?;
        let output = BufReader::new(child.stdout.take().context("the driver has no standard output")?);
        let mut worker = Self { child, input, output };
        match worker.line()?.as_str() {
            "ready" => Ok(worker),
            other => bail!("the driver said `{other}` and not that it is ready"),
        }
    }

    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Time of one operation of a batch, in ns, by the driver's clock.
    pub(super) fn batch(&mut self, operations: u32) -> anyhow::Result<f64> {
        writeln!(self.input, "batch {operations}")?;
        let line = self.line()?;
        let ns = line.strip_prefix("done ").and_then(|rest| {
            let figure = rest.split_whitespace().find_map(|word| word.strip_prefix("ns="))?;
            figure.parse::<f64>().ok()
        });
        Ok(ns.with_context(|| format!("the driver answered `{line}`"))? / f64::from(operations.max(1)))
    }

    /// Ends it in order.
    pub(super) fn quit(mut self) -> anyhow::Result<()> {
        writeln!(self.input, "quit")?;
        self.child.wait()?;
        Ok(())
    }

    fn line(&mut self) -> anyhow::Result<String> {
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            let mut said = Vec::new();
            if let Some(mut errors) = self.child.stderr.take() {
                std::io::Read::read_to_end(&mut errors, &mut said)?;
            }
            bail!("it ended: {}", last_line(&said));
        }
        Ok(line.trim_end().to_owned())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// The last line of what a program said.
pub(super) fn last_line(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("it said nothing").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(script: &str) -> Vec<String> {
        ["sh", "-c", script].map(str::to_owned).to_vec()
    }

    #[test]
    fn what_is_left_of_a_folder_is_removed_when_nobody_holds_its_remover() {
        let folder = tempfile::tempdir().unwrap().keep();
        std::fs::write(folder.join("file"), "").unwrap();
        // As when this process is killed: nothing but the pipe's end goes.
        let mut remover = Remover::start(&folder).unwrap();
        assert!(folder.join("file").exists());
        drop(remover.child.stdin.take());
        remover.child.wait().unwrap();
        assert!(!folder.exists());
    }

    #[test]
    fn a_batch_is_a_time_per_operation() {
        let script = "echo ready; read l; echo done ops=4 ns=1000 bytes=0 digest=0; read l";
        let mut worker = Worker::start(&words(script)).unwrap();
        assert!((worker.batch(4).unwrap() - 250.0).abs() < 1e-9);
        worker.quit().unwrap();
    }

    #[test]
    fn a_driver_that_ends_tells_why() {
        let error = Worker::start(&words("echo 'no such command' >&2; exit 2")).unwrap_err().to_string();
        assert_eq!(error, "it ended: no such command");
        let mut worker =
            Worker::start(&words("echo ready; read l; echo error op=open errno=ENOENT path=x")).unwrap();
        assert!(worker.batch(1).unwrap_err().to_string().contains("errno=ENOENT"));
    }
}
