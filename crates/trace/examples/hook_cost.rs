//! What watching costs: `hook_cost none|ptrace|hook COMMAND...` runs a command and prints, in ns, how
//! long it took, how many events there were, and how calls went.
//!
//! Events are counted and thrown away: it is the capture's cost, without judging.

#![expect(clippy::print_stdout, reason = "it prints")]

use fathom_trace::{FileTraceOptions, trace_files};
use std::process::{Command, Stdio};
use std::time::Instant;

fn main() {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let [how, program, rest @ ..] = words.as_slice() else { return };
    let mut command = Command::new(program);
    command.args(rest).stdin(Stdio::null()).stdout(Stdio::null());
    let (begun, mut events) = (Instant::now(), 0_u64);
    if how == "none" {
        let status = command.status().expect("the command starts");
        println!("{} 0 {status:?}", begun.elapsed().as_nanos());
        return;
    }
    let options = FileTraceOptions { hook: how == "hook", ..FileTraceOptions::default() };
    let end = trace_files(&mut command, &options, &mut |_, _| events += 1).expect("it is traced");
    println!("{} {events} {:?} {:?}", begun.elapsed().as_nanos(), end.status, end.hook);
}
