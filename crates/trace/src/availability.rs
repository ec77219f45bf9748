//! Whether this process may trace, found by trying, and in words why not.

use fathom_sys::ptrace_support::{Resume, SpawnTracedError, resume, spawn_traced, syscall_stop, wait_traced};
use rustix::io::Errno;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

/// Traces a program to its end: this one, asked for its version. `Err` says why that is
/// impossible here.
pub fn availability() -> Result<(), String> {
    // A thread of its own, as for a real run: it waits for its tracees alone.
    let tracer = thread::Builder::new().spawn(trace_a_child);
    let tracer = tracer.map_err(|error| format!("no thread for the tracer: {error}"))?;
    tracer.join().map_err(|_| "the tracer panicked".to_owned())?
}

/// Why the kernel refused to let us trace, as far as it can be known.
pub(crate) fn explain_refusal(errno: Errno) -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    explain(errno, &read("/proc/self/status"), read("/proc/sys/kernel/yama/ptrace_scope").trim())
}

fn trace_a_child() -> Result<(), String> {
    // The only program that is there for certain.
    let mut command = Command::new("/proc/self/exe");
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    spawn_traced(&mut command).map_err(|error| match error {
        SpawnTracedError::Start(error) => format!("cannot start a program to try it: {}", why(&error)),
        SpawnTracedError::Seize(errno) => explain_refusal(errno),
    })?;
    let mut refusal = None;
    while let Ok((pid, status)) = wait_traced() {
        if status.stopped() {
            // Asked at every stop, since older kernels and emulators have ptrace without it.
            if let Err(errno) = syscall_stop(pid)
                && errno != Errno::SRCH
            {
                refusal =
                    Some(format!("ptrace(PTRACE_GET_SYSCALL_INFO) fails with {errno}: it needs Linux 5.3"));
            }
            let _ = resume(pid, Resume::Syscall(0));
        }
    }
    refusal.map_or(Ok(()), Err)
}

/// A missing program is what the kernel says of a missing device too.
fn why(error: &std::io::Error) -> String {
    let lacks_null = error.kind() == std::io::ErrorKind::NotFound && !Path::new("/dev/null").exists();
    if lacks_null { "there is no /dev/null".to_owned() } else { error.to_string() }
}

fn explain(errno: Errno, status: &str, yama_scope: &str) -> String {
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.map_or("0", str::trim)
    };
    if errno == Errno::NOSYS {
        return "this kernel or emulator has no ptrace".to_owned();
    }
    if errno != Errno::PERM && errno != Errno::ACCESS {
        return format!("ptrace fails with {errno}");
    }
    if field("TracerPid") != "0" {
        return format!("already traced by pid {}, which traces our children too", field("TracerPid"));
    }
    match (yama_scope, field("Seccomp")) {
        ("3", _) => "kernel.yama.ptrace_scope is 3: nobody may trace until the next boot".to_owned(),
        ("2", _) => "kernel.yama.ptrace_scope is 2: tracing needs CAP_SYS_PTRACE".to_owned(),
        (_, "2") => "ptrace is refused and a seccomp filter is active, which container runtimes install; \
                     allow ptrace (docker: --cap-add SYS_PTRACE)"
            .to_owned(),
        _ => "ptrace is refused by the kernel's security policy".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: &str = "Name:\tx\nTracerPid:\t0\nSeccomp:\t0\nSeccomp_filters:\t0\n";

    #[test]
    fn the_nearest_reason_is_named() {
        let said = |errno, status: &str, scope| explain(errno, status, scope);
        assert!(said(Errno::PERM, FREE, "2").contains("CAP_SYS_PTRACE"));
        assert!(said(Errno::PERM, FREE, "3").contains("next boot"));
        assert!(said(Errno::PERM, "TracerPid:\t77\nSeccomp:\t2\n", "1").contains("pid 77"));
        assert!(said(Errno::PERM, "TracerPid:\t0\nSeccomp:\t2\n", "1").contains("seccomp"));
        assert!(said(Errno::PERM, FREE, "").contains("security policy"));
        assert!(said(Errno::NOSYS, FREE, "").contains("no ptrace"));
        assert!(said(Errno::IO, FREE, "").contains("fails with"));
    }
}
