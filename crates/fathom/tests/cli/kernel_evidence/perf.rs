//! perf as a second opinion on the block events of a process.

use crate::sandbox::Sandbox;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

/// `perf stat` on a running process, switched on and off as asked.
pub(super) struct Perf {
    child: Child,
    control: File,
    answers: BufReader<File>,
    written: PathBuf,
}

impl Perf {
    pub(super) fn attach(sandbox: &Sandbox, pid: u32) -> Self {
        let [control, answers, written] = ["control", "answers", "perf"].map(|name| sandbox.file(name));
        for path in [&control, &answers] {
            assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
        }
        let script = format!(
            "mount -t tracefs none /sys/kernel/tracing; exec perf stat -x, -e 'block:*' -D -1 -p {pid} \
             --control fifo:control,answers -o {}",
            written.display()
        );
        let child = sandbox.plain_command("unshare").args(["-m", "sh", "-c", &script]).spawn().unwrap();
        // Both ways, so that opening waits for nobody.
        let open = |path: &Path| File::options().read(true).write(true).open(path).unwrap();
        let (control, answers) = (open(&control), BufReader::new(open(&answers)));
        Self { child, control, answers, written }
    }

    pub(super) fn ask(&mut self, word: &str) {
        writeln!(self.control, "{word}").unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        assert!(answer.contains("ack"), "{answer:?}");
    }

    /// Ends it: each event's count by its name.
    pub(super) fn end(mut self) -> BTreeMap<String, u64> {
        crate::running::send(self.child.id(), rustix::process::Signal::INT);
        self.child.wait().unwrap();
        let text = fs::read_to_string(&self.written).unwrap();
        let counts = text.lines().filter_map(|line| {
            let mut fields = line.split(',');
            let count = fields.next()?.parse().ok()?;
            Some((fields.nth(1)?.strip_prefix("block:")?.to_owned(), count))
        });
        counts.collect()
    }
}
