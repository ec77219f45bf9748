//! What watching in the kernel costs: `ring_cost none|ring|times|counts COMMAND...` runs a command and prints, in
//! ns, how long it took, how many events there were, how many of them have durations, what was not seen.
//! `times` is the ring with durations.
//! `counts` counts the calls of all processes as `fathom top --all` does, looks each second, and prints the
//! CPU time that this took.

#![expect(clippy::print_stdout, reason = "it prints")]

use fathom_sys::clock::process_cpu_ns;
use fathom_trace::{LiveCounts, LiveSubject, RingCapture, RingOptions, RingWants};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main() {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let [how, program, rest @ ..] = words.as_slice() else { return };
    let mut command = Command::new(program);
    command.args(rest).stdin(Stdio::null());
    if how == "none" {
        let begun = Instant::now();
        let status = command.status().expect("the command starts");
        println!("{} 0 {status:?}", begun.elapsed().as_nanos());
        return;
    }
    if how == "counts" {
        let mut live = LiveCounts::begin(LiveSubject::All).expect("calls can be counted");
        let (begun, before_ns) = (Instant::now(), process_cpu_ns());
        let mut child = command.spawn().expect("the command starts");
        let (mut looked, mut keys) = (Instant::now(), 0);
        while child.try_wait().expect("it is a child").is_none() {
            std::thread::sleep(Duration::from_millis(10));
            if looked.elapsed() > Duration::from_secs(1) {
                let (living, ended) = live.read().expect("the table can be read");
                (looked, keys) = (Instant::now(), living.len() + ended.len());
            }
        }
        let cpu_ns = process_cpu_ns() - before_ns;
        println!("{} {keys} {cpu_ns} {}", begun.elapsed().as_nanos(), live.uncounted());
        return;
    }
    let wants = RingWants { times: how == "times", ..RingWants::default() };
    let capture = RingCapture::prepare(wants).expect("a ring can be had");
    let (begun, mut events, mut timed) = (Instant::now(), 0_u64, 0_u64);
    let end = capture
        .trace_files(&mut command, &RingOptions::default(), &mut |event, _| {
            events += 1;
            timed += u64::from(event.took_ns.is_some());
        })
        .expect("it is traced");
    println!("{} {events} {timed} {:?} {:?}", begun.elapsed().as_nanos(), end.status, end.unseen);
}
