//! Stacks of calls that are made in the hook, beside those that ptrace takes.

use crate::crowd::Crowd;
use crate::subject::{Seen, trace};
use crate::{HOOKED, can_hook};
use fathom_stacks::Names;
use fathom_trace::FileTraceOptions;
use std::collections::BTreeMap;
use std::process::{Command, Stdio};

/// A call with the places that it was made from, outermost last; those that are cut have none.
type Placed = (&'static str, Option<Vec<(Option<String>, Option<u64>)>>);

/// By thread, threads in the order of their first events.
fn placed(seen: &Seen) -> Vec<Vec<Placed>> {
    let (table, mut names) = (seen.end.stacks.clone().unwrap(), Names::new());
    let (mut order, mut threads) = (BTreeMap::new(), Vec::<Vec<Placed>>::new());
    for event in &seen.events {
        let next = threads.len();
        let index = *order.entry(event.thread).or_insert(next);
        if index == next {
            threads.push(Vec::new());
        }
        let whole = event.stack.filter(|stack| !table.is_cut(*stack));
        let frames = whole.map(|stack| table.frames(stack, &mut names));
        let places =
            frames.map(|frames| frames.into_iter().map(|frame| (frame.module, frame.address)).collect());
        threads[index].push((event.call, places));
    }
    threads
}

#[test]
fn calls_of_the_hook_have_the_stacks_that_ptrace_takes() {
    let (Some(deep), true) = (Crowd::compile("cc", &["-O1", "-pthread", "-o"], "deep.c"), can_hook()) else {
        return;
    };
    let stacks = FileTraceOptions { stacks: true, ..FileTraceOptions::default() };
    let stopped = deep.run(&[], &stacks);
    let hooked = deep.run(&[], &FileTraceOptions { stacks: true, ..HOOKED });
    let tally = hooked.end.hook.clone().unwrap();
    assert!(tally.hooked > 4 * tally.stopped, "{tally:?}");
    assert_eq!(hooked.end.without_stack, 0);
    let (ours, theirs) = (placed(&hooked), placed(&stopped));
    assert_eq!(ours.len(), theirs.len());
    let (mut whole, mut cut) = (0, 0);
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours.len(), theirs.len());
        for ((call, ours), (same_call, theirs)) in ours.iter().zip(theirs) {
            assert_eq!(call, same_call);
            match (ours, theirs) {
                (Some(ours), Some(theirs)) => {
                    assert_eq!(ours, theirs, "{call}");
                    whole += 1;
                }
                (None, Some(_)) => cut += 1,
                (Some(_), None) => panic!("{call}: longer than by ptrace"),
                (None, None) => {}
            }
        }
    }
    // Of 40 + 40 + 40 + 20 + 3 * 40 looks of three calls each.
    assert!(whole > 700 && cut == 0, "{whole} whole, {cut} cut: {tally:?}");
}

#[test]
fn what_runs_scripts_is_not_hooked_where_stacks_are_asked_for() {
    let python = "/usr/bin/python3";
    if !std::path::Path::new(python).exists() || !can_hook() {
        eprintln!("skipped: no {python}");
        return;
    }
    let script = "import os\nfor turn in range(400):\n    os.stat('/')\n";
    let run = |options: &FileTraceOptions<'_>| {
        let mut command = Command::new(python);
        command.args(["-S", "-E", "-c", script]).stdin(Stdio::null()).env_remove("LD_LIBRARY_PATH");
        trace(&mut command, options)
    };
    let seen = run(&FileTraceOptions { stacks: true, ..HOOKED });
    let tally = seen.end.hook.clone().unwrap();
    if seen.end.stacks.clone().unwrap().scripts_unknown().next().is_some() {
        eprintln!("skipped: the lines of this Python are not known");
        return;
    }
    // Some calls of the loader, before the interpreter was there.
    assert!(tally.hooked < 60 && tally.stopped > 400, "{tally:?}");
    let unplaced = seen.events.iter().filter(|event| event.call == "newfstatat" && event.stack.is_none());
    assert_eq!(unplaced.count(), 0, "{tally:?}");
    assert!(run(&HOOKED).end.hook.unwrap().hooked > 400);
}
