//! Starts a program that waits before its exec until its starter is ready for it.

use rustix::process::Pid;
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;

const GO: u8 = b'y';

/// Starts `command`, which waits before its exec until `prepare` has returned; it is told
/// the process. `command` is spent: it may be started again, and then waits for nobody.
pub fn start_held(command: &mut Command, prepare: &mut dyn FnMut(Pid)) -> io::Result<Child> {
    let (mut ours, theirs) = UnixStream::pair()?;
    let channel = Arc::new(AtomicI32::new(theirs.as_raw_fd()));
    wait_before_exec(command, Arc::clone(&channel), ours.as_raw_fd());
    // `spawn` returns only after the exec, and the exec waits for us: hence the thread.
    thread::scope(|scope| {
        let starter = thread::Builder::new().spawn_scoped(scope, move || {
            let started = command.spawn();
            channel.store(-1, Ordering::SeqCst);
            drop(theirs);
            started
        })?;
        let mut announced = [0; 4];
        if ours.read_exact(&mut announced).is_ok()
            && let Some(pid) = Pid::from_raw(i32::from_ne_bytes(announced))
        {
            prepare(pid);
            // One that has gone meanwhile is told by `spawn`'s own error.
            let _ = ours.write_all(&[GO]);
        }
        drop(ours);
        starter.join().map_err(|_| io::Error::other("the thread that starts it panicked"))?
    })
}

fn wait_before_exec(command: &mut Command, channel: Arc<AtomicI32>, parents_end: i32) {
    let announce_and_wait = move || {
        let fd = channel.load(Ordering::SeqCst);
        if fd < 0 {
            return Ok(());
        }
        // SAFETY: in the forked child this descriptor is the inherited copy, used by nobody here.
        unsafe { libc::close(parents_end) };
        let pid = std::process::id().to_ne_bytes();
        // SAFETY: write(2) of a stack buffer of the given length; async-signal-safe.
        let sent = unsafe { libc::write(fd, pid.as_ptr().cast(), pid.len()) };
        let mut answer = 0_u8;
        // SAFETY: read(2) into one byte of the stack; async-signal-safe.
        let received = unsafe { libc::read(fd, (&raw mut answer).cast(), 1) };
        if sent != 4 || received != 1 || answer != GO {
            return Err(io::Error::from_raw_os_error(libc::ECANCELED));
        }
        Ok(())
    };
    // SAFETY: the closure makes only async-signal-safe calls and does not allocate.
    unsafe { command.pre_exec(announce_and_wait) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_it_runs_before_it_is_let_go() {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().join("mark");
        let mut held = None;
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "echo > \"$0\"; exit 9"]).arg(&mark);
        let mut child = start_held(&mut command, &mut |pid| {
            thread::sleep(std::time::Duration::from_millis(50));
            assert!(!mark.exists());
            held = Some(pid);
        })
        .unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(9));
        assert!(mark.exists());
        assert_eq!(held.map(|pid| pid.as_raw_nonzero().get().unsigned_abs()), Some(child.id()));
    }

    #[test]
    fn a_missing_program_is_said() {
        let error = start_held(&mut Command::new("/no/such/program"), &mut |_| ()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
