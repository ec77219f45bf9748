//! Sampling a process whose work is known.

use super::*;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A shell that counts for ever, ended when dropped.
struct Busy(Child);

impl Busy {
    fn start() -> Self {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "while :; do :; done"]).stdin(Stdio::null());
        Self(command.spawn().unwrap())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

/// `None` where perf events are refused altogether, which is said in words.
fn attached(pid: u32) -> Option<StackSampler> {
    match StackSampler::attach(pid, 999) {
        Ok(sampler) => Some(sampler),
        Err(error @ ProfileError::Refused { .. }) => {
            let said = error.to_string();
            assert!(said.contains("perf_event_paranoid"), "{said}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn stacks_are_taken_while_asked_and_not_else() {
    let busy = Busy::start();
    let Some(mut sampler) = attached(busy.0.id()) else { return };
    std::thread::sleep(Duration::from_millis(30));
    assert_eq!(sampler.samples(), 0);
    let begun = Instant::now();
    while sampler.samples() < 20 && begun.elapsed() < Duration::from_mins(1) {
        sampler.during(&[], || std::thread::sleep(Duration::from_millis(50))).unwrap();
    }
    let taken = sampler.samples();
    std::thread::sleep(Duration::from_millis(30));
    assert_eq!(sampler.samples(), taken);
    let profile = sampler.finish(None).unwrap();
    assert!(profile.samples >= 20 && profile.samples == taken, "{profile:?}");
    let folded: u64 = profile.stacks.iter().map(|stack| stack.samples).sum();
    assert_eq!(folded, profile.samples);
    assert!(profile.stacks.iter().all(|stack| !stack.frames.is_empty()), "{profile:?}");
}

#[test]
fn work_that_panics_does_not_hang() {
    let busy = Busy::start();
    let Some(mut sampler) = attached(busy.0.id()) else { return };
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        sampler.during(&[], || panic!("expected")).unwrap();
    }));
    assert!(result.is_err());
}

#[test]
fn a_process_that_is_gone_is_said() {
    let pid = Busy::start().0.id();
    let error = StackSampler::attach(pid, 999).unwrap_err().to_string();
    assert!(error.starts_with(&format!("/proc/{pid}/task")), "{error}");
}
