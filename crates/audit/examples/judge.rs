//! The CPU time that judging a kept trace takes, without reading it and without printing:
//! `cargo run --release -p fathom-audit --example judge -- FILE [ROUNDS]`. The first round is that of
//! a process which has just begun, as an audit is.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "a program around the pure crate")]

use fathom_audit::Auditor;
use fathom_events::{FileEvent, MountTable, PathTable, TraceReader};
use fathom_sys::clock::thread_cpu_ns;
use std::fs::File;
use std::io::{BufReader, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("name a file that `fathom trace -o FILE` wrote")?;
    let rounds: u32 = words.next().map_or(Ok(20), |word| word.parse())?;
    let mut kept = TraceReader::new(BufReader::new(File::open(path)?))?;
    let header = kept.header().clone();
    let mut events: Vec<FileEvent> = Vec::new();
    while let Some(event) = kept.next_event()? {
        events.push(event);
    }
    let paths: &PathTable = kept.paths();
    let mut times: Vec<[u64; 3]> = Vec::new();
    for _ in 0..rounds.max(1) {
        let copies = events.clone();
        let mut begun = thread_cpu_ns();
        let mut lap = || {
            let now = thread_cpu_ns();
            now - std::mem::replace(&mut begun, now)
        };
        let mut auditor = Auditor::new().started_with(&header.command);
        if let Some(directory) = &header.directory {
            auditor = auditor.starting_in(directory);
        }
        if let Some(mounts) = &header.mounts {
            auditor = auditor.with_mounts(MountTable::parse(mounts));
        }
        let ready = lap();
        for event in copies {
            auditor.take(event, paths);
        }
        let judged = lap();
        let audit = auditor.finish_for_good(&mut |_| Vec::new());
        let finished = lap();
        assert_eq!(audit.events, events.len() as u64);
        times.push([ready, judged, finished]);
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "{} events, {rounds} rounds; ms of CPU: first, least, median", events.len())?;
    for (at, name) in ["begin", "events", "findings"].into_iter().enumerate() {
        let mut ms: Vec<f64> = times.iter().map(|time| time[at] as f64 / 1e6).collect();
        let first = ms[0];
        ms.sort_by(f64::total_cmp);
        writeln!(out, "{name:10} {first:8.3} {:8.3} {:8.3}", ms[0], ms[ms.len() / 2])?;
    }
    Ok(())
}
