//! A process that runs already is watched, and lives on.

use crate::by_ring::capture;
use crate::subject::Subject;
use fathom_events::{FileAction, FileEvent, PathTable};
use fathom_trace::RingOptions;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A shell that does what it is told and says when it has.
struct Shell(Child);

impl Shell {
    fn start() -> Self {
        let mut command = Command::new("sh");
        Self(command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap())
    }

    fn tell(&mut self, script: &str) {
        writeln!(self.0.stdin.as_mut().unwrap(), "{script}; echo done").unwrap();
        let mut line = String::new();
        BufReader::new(self.0.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "done\n");
    }
}

fn opened(event: &FileEvent, paths: &PathTable) -> Option<String> {
    let FileAction::Open { target: fathom_events::Target::Path { path, .. }, .. } = event.action else {
        return None;
    };
    event.outcome.value().map(|_| paths.path(path).to_string_lossy().into_owned())
}

#[test]
fn a_running_process_is_watched_with_its_new_children_and_lives_on() {
    let Some(capture) = capture(false) else { return };
    let mut shell = Shell::start();
    shell.tell("exec 7< /etc/passwd; cd /usr");
    let attached = capture.attach(shell.0.id()).unwrap();
    let running = attached.running().clone();
    assert_eq!(running.process, shell.0.id());
    assert_eq!(running.directory.as_deref(), Some("/usr"));
    let seventh = running.descriptors.iter().find(|descriptor| descriptor.number == 7).unwrap();
    assert_eq!(seventh.file(), Some("/etc/passwd"));
    let (mut opens, mut events) = (Vec::new(), Vec::new());
    let stop = AtomicUsize::new(0);
    let end = std::thread::scope(|scope| {
        scope.spawn(|| {
            shell.tell("read line < /etc/group; cat /etc/hostname > /dev/null; read line <&7");
            stop.store(usize::try_from(libc::SIGTERM).unwrap(), Ordering::SeqCst);
        });
        attached.follow(
            &RingOptions { signal: Some(&stop), ..RingOptions::default() },
            &mut |event, paths| {
                opens.extend(opened(&event, paths));
                events.push(event);
            },
        )
    });
    let end = end.unwrap();
    assert_eq!((end.status, end.unseen.as_slice(), end.processes), (None, &[][..], 2));
    assert_eq!(end.cut, Some(fathom_model::Cut::Interrupted("SIGTERM".to_owned())));
    let mut rest = opens.iter();
    for expected in ["/etc/group", "/dev/null", "/etc/hostname"] {
        assert!(rest.any(|open| open == expected), "{expected} is not, or not there, in {opens:?}");
    }
    assert!(events.iter().any(|event| matches!(event.action, FileAction::Read { descriptor: 7 | 0, .. })));
    // It goes on as if nothing had been.
    shell.tell("read line < /etc/group");
    drop(shell.0.stdin.take());
    assert_eq!(shell.0.wait().unwrap().code(), Some(0));
}

#[test]
fn the_watch_ends_with_the_process_and_all_its_threads_are_seen() {
    let (Some(capture), Some(subject)) = (capture(false), Subject::compile()) else { return };
    let mut child =
        subject.command("late-threads").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut ready = [0];
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut ready).unwrap();
    let attached = capture.attach(child.id()).unwrap();
    drop(child.stdin.take());
    let mut threads = std::collections::BTreeMap::new();
    let waiting = std::thread::spawn(move || child.wait().unwrap().code());
    let end = attached.follow(&RingOptions::default(), &mut |event, paths| {
        if opened(&event, paths).is_some() {
            *threads.entry(event.thread).or_insert(0) += 1;
        }
    });
    let end = end.unwrap();
    assert_eq!(waiting.join().unwrap(), Some(5));
    assert_eq!(end.status.and_then(|status| status.code()), Some(5));
    assert_eq!(threads.values().copied().collect::<Vec<_>>(), [5; 8], "four before, four after");
}

#[test]
fn who_is_not_there_and_oneself_are_refused() {
    for (process, reason) in [(u32::MAX / 2, "/proc/"), (std::process::id(), "fathom itself")] {
        let Some(capture) = capture(false) else { return };
        let error = capture.attach(process).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}
