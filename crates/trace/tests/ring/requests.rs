//! What goes through `io_uring` is seen, with its paths and answers.

use crate::by_ring::trace_by_ring;
use crate::subject::sentence;
use fathom_trace::{RingOptions, Unseen};
use std::process::{Command, Stdio};

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ring/requests.c");

#[test]
fn requests_become_events_when_they_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("requests");
    let compiled = Command::new("cc").args(["-w", "-o"]).arg(&program).arg(SOURCE).status();
    if !compiled.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no C compiler, or one without the headers of io_uring");
        return;
    }
    let mut command = Command::new(program);
    command.arg(folder.path()).arg("50").stdin(Stdio::null());
    let Some(seen) = trace_by_ring(&mut command, &RingOptions::default()) else { return };
    if seen.end.status.code() == Some(77) {
        eprintln!("skipped: io_uring is impossible here");
        return;
    }
    assert_eq!(seen.end.status.code(), Some(0));
    let said: Vec<_> = seen.events.iter().map(|event| sentence(event, &seen.paths)).collect();
    let of = |name: &str| said.iter().filter(|sentence| sentence.starts_with(name)).collect::<Vec<_>>();
    let asked = format!("path: \"{}/asked\"", folder.path().display());
    let opens = of("io_uring:openat ");
    assert_eq!(opens.len(), 51, "{said:#?}");
    assert!(
        opens[..50].iter().all(|open| open.contains(&asked) && open.contains("OpenFlags(0)")),
        "{opens:#?}"
    );
    assert!(opens[50].contains("/no/such/file") && opens[50].ends_with("Failed(2)"), "{}", opens[50]);
    let descriptor = opens[0].rsplit(['(', ')']).nth(1).unwrap();
    let read =
        format!("Read {{ descriptor: {descriptor}, bytes: 100, offset: Some(7), pieces: 1 }} Value(0)");
    assert!(
        of("io_uring:read ").iter().filter(|sentence| sentence.ends_with(&read)).count() == 50,
        "{said:#?}"
    );
    let close = format!("Close {{ descriptor: {descriptor} }} Value(0)");
    assert!(of("io_uring:close ").iter().filter(|sentence| sentence.ends_with(&close)).count() == 50);
    let [Unseen::Requests { requests, .. }] = seen.end.unseen.as_slice() else {
        panic!("{:?}", seen.end.unseen)
    };
    assert_eq!(requests, &[("unlinkat".to_owned(), 1)]);
}
