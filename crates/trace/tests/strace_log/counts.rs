//! Events are as many as strace itself counts.

use crate::read_text;
use std::process::Command;

#[test]
fn counts_are_those_of_strace_itself() {
    let script =
        "for i in 1 2 3; do : < /etc/passwd; done; cat /etc/passwd | wc -l > /dev/null; test -e /no/such";
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut strace = Command::new("strace");
    strace.args(["-f", "-C", "-U", "name,calls,errors", "-o"]).arg(file.path()).args(["sh", "-c", script]);
    // The script's own exit code is 1.
    let ran = strace.output().is_ok_and(|output| output.stderr.is_empty());
    let log = std::fs::read(file.path());
    let (true, Ok(log)) = (ran, log) else {
        eprintln!("skipped: no strace that works");
        return;
    };
    let text = String::from_utf8(log).unwrap();
    let summary = text.split_once("syscall ").expect("strace prints a summary").1;
    let read = read_text(text.as_bytes());
    let mut compared = 0;
    for row in summary.lines().skip(2) {
        let words: Vec<_> = row.split_whitespace().collect();
        let [name, calls, errors @ ..] = &words[..] else { continue };
        let ours: Vec<_> = read.events.iter().filter(|event| event.call == *name).collect();
        if ours.is_empty() || *name == "exit_group" {
            continue;
        }
        let failed = ours.iter().filter(|event| event.outcome.errno().is_some()).count();
        let errors = errors.first().map_or(0, |errors| errors.parse().unwrap());
        assert_eq!((ours.len(), failed), (calls.parse().unwrap(), errors), "{name}");
        compared += 1;
    }
    assert!(compared >= 8, "{compared} calls compared: {summary}");
}
