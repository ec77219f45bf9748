//! What watching by the ring costs: `ring_cost none|ring COMMAND...` runs a command and prints, in
//! ns, how long it took, how many events there were, how many of them have durations, what was not seen.

#![expect(clippy::print_stdout, reason = "it prints")]

use fathom_trace::{RingCapture, RingOptions};
use std::process::{Command, Stdio};
use std::time::Instant;

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
    let capture = RingCapture::prepare(false).expect("a ring can be had");
    let (begun, mut events, mut timed) = (Instant::now(), 0_u64, 0_u64);
    let end = capture
        .trace_files(&mut command, &RingOptions::default(), &mut |event, _| {
            events += 1;
            timed += u64::from(event.took_ns.is_some());
        })
        .expect("it is traced");
    println!("{} {events} {timed} {:?} {:?}", begun.elapsed().as_nanos(), end.status, end.unseen);
}
