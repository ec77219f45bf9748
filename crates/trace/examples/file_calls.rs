//! What a command called: `file_calls ptrace|hook FILE COMMAND...` runs it and writes to the file, for each
//! of its processes, each call with its errno and how often it was made, and how the process ended.
//!
//! Processes are in an order that does not depend on which began first, so that two ways of watching
//! can be compared by their files. Calls that a signal broke off are left out: they are made again.

use fathom_events::FileAction;
use fathom_trace::{FileTraceOptions, trace_files};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

type Calls = BTreeMap<(&'static str, Option<i32>), u64>;

fn main() {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let [how, file, program, rest @ ..] = words.as_slice() else { return };
    let mut command = Command::new(program);
    command.args(rest);
    let mut processes: BTreeMap<u32, (Calls, Option<i32>)> = BTreeMap::new();
    let options = FileTraceOptions { hook: how == "hook", ..FileTraceOptions::default() };
    let end = trace_files(&mut command, &options, &mut |event, _| {
        let (calls, exit) = processes.entry(event.process).or_default();
        if let FileAction::Exit { code, whole: true } = event.action {
            *exit = code;
        }
        let errno = event.outcome.errno();
        if !errno.is_some_and(|errno| (512..=516).contains(&errno)) {
            *calls.entry((event.call, errno)).or_default() += 1;
        }
    });
    let end = end.expect("it is traced");
    let mut tables: Vec<_> = processes.into_values().collect();
    tables.sort();
    let mut text = String::new();
    for (calls, exit) in tables {
        let _infallible = writeln!(text, "process that ended with {exit:?}");
        for ((call, errno), count) in calls {
            let _infallible = writeln!(text, "  {call} {} {count}", errno.unwrap_or(0));
        }
    }
    let tally = end.hook.map(|tally| format!("{} hooked, {} stopped", tally.hooked, tally.stopped));
    let _infallible = writeln!(text, "# {}", tally.unwrap_or_default());
    std::fs::write(file, text).expect("it can be written");
    std::process::exit(end.status.code().or(end.status.signal()).unwrap_or(0));
}
