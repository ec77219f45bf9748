//! A driver with a known, prime number of calls per operation: ground truth for
//! the tracer's tests. `marked_driver MODE FILE`; it speaks the driver protocol.
#![expect(clippy::disallowed_methods, reason = "a test may panic where no thread can be made")]

use std::fs::{self, File};
use std::io::{self, BufRead, Write};
use std::process::Command;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use rustix::process::{Signal, getpid, kill_process};

/// Opens per operation.
const OPENS: u32 = 23;

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mode = arguments.next().unwrap_or_default();
    let path = arguments.next().unwrap_or_default();
    answer("ready")?;
    if mode == "pause" {
        fs::write(&path, getpid().as_raw_nonzero().to_string())?;
        kill_process(getpid(), Signal::STOP)?;
        fs::write(format!("{path}.after"), "went on")?;
    }
    let worker = (mode == "threads").then(|| start_worker(path.clone()));
    for line in io::stdin().lock().lines() {
        let line = line?;
        let Some(count) = line.strip_prefix("batch ").and_then(|rest| rest.parse::<u32>().ok()) else {
            break;
        };
        mark("begin");
        for _ in 0..count {
            match (&worker, mode.as_str()) {
                (Some((work, done)), _) => {
                    work.send(()).map_err(io::Error::other)?;
                    done.recv().map_err(io::Error::other)?;
                }
                (None, "fork") => drop(Command::new("/bin/sh").args(["-c", ": < \"$0\"", &path]).status()?),
                (None, "die") => kill_process(getpid(), Signal::SEGV)?,
                (None, "hang") => thread::park(),
                (None, "error") => return answer(&format!("error op=open errno=EIO path={path}")),
                (None, _) => open_all(&path)?,
            }
        }
        mark("end");
        answer(&format!("done ops={count} ns=1 bytes=0 digest=0"))?;
    }
    Ok(())
}

fn start_worker(path: String) -> (Sender<()>, Receiver<()>) {
    let (work, works) = channel();
    let (done, dones) = channel();
    thread::spawn(move || works.iter().for_each(|()| drop(open_all(&path).map(|()| done.send(())))));
    (work, dones)
}

fn open_all(path: &str) -> io::Result<()> {
    (0..OPENS).try_for_each(|_| File::open(path).map(drop))
}

fn mark(word: &str) {
    drop(File::open(format!("/fathom-mark/{word}")));
}

fn answer(line: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{line}")?;
    stdout.flush()
}
