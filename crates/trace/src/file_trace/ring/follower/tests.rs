//! Scripted records: lives and orders that real programs show seldom.

use super::*;
use crate::file_trace::ring::record::Head;
use fathom_events::Target;

const ROOT: u32 = 10;

fn head(kind: Kind, (process, thread): (u32, u32), call: &str, result: i64, arguments: [u64; 6]) -> Head {
    let call = CallNumber::named(call).map_or(0, |call| u16::try_from(call.number).unwrap());
    let began_ns = (kind == Kind::Call).then_some(900);
    Head { time_ns: 1000, thread, process, kind, call, stack: 0, result, arguments, began_ns, waited_ns: 30 }
}

fn exec(who: (u32, u32), former: u32) -> (Head, &'static [u8]) {
    (head(Kind::Exec, who, "execve", 0, [former.into(), 0, 0, 0, 0, 0]), b"/bin/program\0")
}

fn birth(who: (u32, u32), call: &str, child: u32, process: u32, flags: u64) -> (Head, &'static [u8]) {
    (head(Kind::Birth, who, call, 0, [child.into(), process.into(), flags, 0, 0, 0]), b"")
}

fn end(who: (u32, u32), code: u64, group: (u64, u64)) -> (Head, &'static [u8]) {
    (head(Kind::End, who, "", 0, [code, group.0, group.1, 0, 0, 0]), b"")
}

fn close(who: (u32, u32), descriptor: u64, result: i64) -> (Head, &'static [u8]) {
    (head(Kind::Call, who, "close", result, [descriptor, 0, 0, 0, 0, 0]), b"")
}

/// What becomes of records: call, thread, outcome and action, and what was learned.
fn followed(records: &[(Head, &'static [u8])]) -> (Vec<FileEvent>, Followed) {
    let mut follower = Follower::new(Calls::new(), None, Delivered::default());
    let mut events = Vec::new();
    for (head, text) in records {
        let record = Record { head: *head, pieces: [text, &[], &[], &[]] };
        follower.take(&record, &mut |event, _| events.push(event));
    }
    let followed = follower.finish(&mut |event, _| events.push(event));
    assert_eq!(followed.events, events.len() as u64);
    (events, followed)
}

fn exits(events: &[FileEvent]) -> Vec<(u32, Option<i32>, bool)> {
    let exit = |event: &FileEvent| match event.action {
        FileAction::Exit { code, whole } => Some((event.thread, code, whole)),
        _ => None,
    };
    events.iter().filter_map(exit).collect()
}

#[test]
fn what_the_starter_does_before_the_first_exec_is_not_told() {
    let root = (ROOT, ROOT);
    let (events, learned) = followed(&[close(root, 3, 0), exec(root, ROOT), close(root, 4, 0)]);
    let calls: Vec<_> = events.iter().map(|event| event.call).collect();
    assert_eq!(calls, ["execve", "close"]);
    assert!(matches!(events[0].action, FileAction::Execute { target: Target::Path { .. } }));
    assert_eq!((events[0].at_ns, learned.processes), (0, 1));
}

#[test]
fn a_process_ends_with_its_last_thread_and_its_own_code() {
    let root = (ROOT, ROOT);
    let born = birth(root, "clone3", 11, ROOT, 0x1_0f00);
    // The first thread goes by itself, the other ends the process with 5.
    let (events, learned) =
        followed(&[exec(root, ROOT), born, end(root, 0, (0, 0)), end((ROOT, 11), 5 << 8, (5 << 8, 4))]);
    assert_eq!(exits(&events), [(11, Some(5), false), (ROOT, Some(5), true)]);
    assert_eq!(learned.first_code, Some(5 << 8));
    // Without an end of the whole, the code is the first thread's.
    let (events, _) =
        followed(&[exec(root, ROOT), born, end(root, 3 << 8, (0, 0)), end((ROOT, 11), 0, (0, 0))]);
    assert_eq!(exits(&events), [(11, Some(0), false), (ROOT, Some(3), true)]);
}

#[test]
fn an_exec_of_a_thread_takes_the_others_with_it() {
    let root = (ROOT, ROOT);
    let killed = end(root, 9, (9, 0));
    let (events, learned) = followed(&[
        exec(root, ROOT),
        birth(root, "clone3", 11, ROOT, 0x1_0f00),
        killed,
        exec(root, 11),
        end(root, 6 << 8, (6 << 8, 4)),
    ]);
    assert_eq!(exits(&events), [(ROOT, Some(6), true)]);
    assert_eq!(learned.processes, 1);
}

#[test]
fn workers_of_the_kernel_are_no_threads_of_the_program() {
    let root = (ROOT, ROOT);
    let (events, _) = followed(&[
        exec(root, ROOT),
        birth(root, "io_uring_enter", 12, ROOT, 0x1_0f00),
        end((ROOT, 12), 0, (0, 0)),
        end(root, 0, (0, 4)),
    ]);
    assert_eq!(events.len(), 2, "{events:?}");
    assert_eq!(exits(&events), [(ROOT, Some(0), true)]);
}

#[test]
fn a_call_that_a_signal_struck_is_told_when_it_is_known_what_became_of_it() {
    let root = (ROOT, ROOT);
    let struck = close(root, 3, -512);
    let (events, _) = followed(&[exec(root, ROOT), struck, close(root, 4, 0), end(root, 0, (0, 4))]);
    assert_eq!(events[1].outcome, CallOutcome::Failed(512));
    assert_eq!(events[2].outcome, CallOutcome::Value(0));
    let (events, _) = followed(&[exec(root, ROOT), struck, end(root, 9, (9, 4))]);
    assert_eq!(events[1].outcome, CallOutcome::Unfinished);
    // The trace ends with it.
    let (events, _) = followed(&[exec(root, ROOT), struck]);
    assert_eq!(events[1].outcome, CallOutcome::Failed(512));
}

#[test]
fn births_that_were_lost_leave_calls_with_their_process() {
    let root = (ROOT, ROOT);
    let (events, _) = followed(&[exec(root, ROOT), close((20, 21), 3, 0), end((20, 21), 0, (0, 4))]);
    assert_eq!((events[1].process, events[1].thread), (20, 21));
}
