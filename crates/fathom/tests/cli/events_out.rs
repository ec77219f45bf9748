//! `fathom export` of events: every form has every event, and readers that are not ours find them.

#![expect(clippy::unwrap_used, reason = "a test")]

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says};
use predicates::str::is_empty;
use serde_json::Value;
use std::fs;

const PROGRAM: &str = "\
import os, threading
names = [os.fsencode(f'data/{n}') for n in range(20)] + [b'data/a\\nb', b'data/\\xff', 'data/\\u202egpj'.encode()]
def work():
    for name in names:
        os.stat(name)
        fd = os.open(name, os.O_RDONLY)
        os.read(fd, 100)
        os.close(fd)
threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()
if os.fork() == 0:
    os.execv('/bin/cat', ['cat', names[-2]])
os.wait()
os.link(names[0], 'data/linked'); os.rename('data/linked', 'data/renamed'); os.unlink('data/renamed')
";

/// Rows, calls, durations, and names by bytes, as `DuckDB` finds them.
const BY_DUCKDB: &str = "\
import duckdb, sys
for row in duckdb.sql(\"select call, outcome, count(*), count(path), count(duration_ns) from 'e.parquet' group by all order by all\").fetchall(): print('call', *row)
print('bytes', duckdb.sql(\"select distinct path_bytes from 'e.parquet' where path_bytes is not null\").fetchall()[0][0].hex())
print('process', *duckdb.sql(\"select count(distinct process), count(distinct thread) from 'e.parquet'\").fetchall()[0])
";

/// The same by the descriptors that Perfetto publishes, ordered as its trace processor orders events.
const BY_PERFETTO: &str = "\
import collections
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as proto
trace = proto.Trace()
trace.ParseFromString(open('e.pftrace', 'rb').read())
names, categories, texts, tracks, events, errors = {}, {}, {}, {}, [], 0
for packet in trace.packet:
    for text in packet.interned_data.event_names: names[text.iid] = text.name
    for text in packet.interned_data.event_categories: categories[text.iid] = text.name
    for text in packet.interned_data.debug_annotation_string_values: texts[text.iid] = text.str.decode('utf-8')
    if packet.HasField('track_descriptor'): tracks[packet.track_descriptor.uuid] = packet.track_descriptor
    if packet.HasField('track_event'):
        event = packet.track_event
        errors += event.track_uuid not in tracks
        errors += any(f.HasField('string_value_iid') and f.string_value_iid not in texts for f in event.debug_annotations)
        events.append((packet.timestamp, len(events), event))
open_slices, calls = collections.defaultdict(list), collections.Counter()
for at, _, event in sorted(events, key=lambda e: e[:2]):
    if event.type == 2:
        errors += not open_slices[event.track_uuid]
        open_slices[event.track_uuid] and open_slices[event.track_uuid].pop()
        continue
    category = categories[event.category_iids[0]]
    errors += category == 'call' and bool(open_slices[event.track_uuid])
    if event.type == 1: open_slices[event.track_uuid].append(event)
    calls[category] += 1
print('errors', errors, 'calls', calls['call'], 'open', sum(map(len, open_slices.values())), 'processes', sum(t.HasField('process') for t in tracks.values()))
";

fn traced() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("data")).unwrap();
    let names = (0..20).map(|n| format!("data/{n}").into_bytes());
    let hostile = [&b"data/a\nb"[..], b"data/\xff", "data/\u{202e}gpj".as_bytes()].map(<[u8]>::to_vec);
    for name in names.chain(hostile) {
        let name: std::ffi::OsString = std::os::unix::ffi::OsStringExt::from_vec(name);
        fs::write(sandbox.file(".").join(name), "some words").unwrap();
    }
    sandbox.write("program.py", PROGRAM);
    sandbox
        .fathom("trace --capture ptrace -o app.events -- /usr/bin/python3 -S -E program.py")
        .assert()
        .code(0);
    sandbox
}

fn exported(sandbox: &Sandbox, words: &str) {
    sandbox.fathom(&format!("export {words}")).assert().code(0).stdout(is_empty());
}

/// Calls of a trace by name, with what came of them.
fn rows(sandbox: &Sandbox, events: &str) -> Vec<String> {
    exported(sandbox, &format!("{events} --format chrome --no-findings -o rows.json"));
    let trace: Value = serde_json::from_str(&fs::read_to_string(sandbox.file("rows.json")).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let calls = events.iter().filter(|event| event["cat"] == "call");
    let row = |event: &Value| {
        let args = &event["args"];
        let result = if event["name"] == "mmap" { &Value::Null } else { &args["result"] };
        let facts = [
            &args["path"],
            &args["second_path"],
            &args["file"],
            &args["bytes"],
            &args["flags"],
            result,
            &args["error"],
        ];
        format!(
            "{} {} {} {:?} {:?}",
            event["pid"],
            event["tid"],
            event["name"],
            event["dur"].is_null(),
            facts
        )
    };
    let mut rows: Vec<_> = calls.map(row).collect();
    rows.sort();
    rows
}

#[test]
fn the_log_of_strace_is_read_back_to_the_same_calls() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = traced();
    exported(&sandbox, "app.events --format strace -o log");
    sandbox.fathom("trace --strace log -o back.events").assert().code(0).stderr(is_empty());
    let (ours, theirs) = (rows(&sandbox, "app.events"), rows(&sandbox, "back.events"));
    assert!(ours.len() > 400, "{}", ours.len());
    assert_eq!(ours, theirs);
    assert!(ours.iter().any(|row| row.contains("data/a\\\\nb")), "a line end in a name is shown");
    // And the audit finds the same in it.
    let findings = |words: &str| {
        let output = sandbox.fathom(&format!("audit --format json {words}")).output().unwrap();
        let audit: Value = serde_json::from_slice(&output.stdout).unwrap();
        let found = audit["findings"].as_array().unwrap().iter();
        found.map(|of| (of["rule"].clone(), of["count"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(findings("--strace log"), findings("--from app.events"));
}

#[test]
fn readers_that_are_not_ours_find_every_call() {
    if !has(Capability::SystemPython) || !has(Capability::DuckDb) {
        return;
    }
    let sandbox = traced();
    let events = rows(&sandbox, "app.events").len();
    exported(&sandbox, "app.events --format parquet -o e.parquet");
    let script = sandbox.write("duck.py", BY_DUCKDB);
    let assert = sandbox.command("python3").arg(script).assert().code(0);
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let count = |line: &str| line.split(' ').nth(3).and_then(|word| word.parse::<usize>().ok()).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("call ")).map(count).sum::<usize>(), events);
    assert!(text.contains("bytes 646174612fff\n"), "{text}");
    assert!(text.contains("process 2 5\n"), "two processes, five threads: {text}");
    exported(&sandbox, "app.events --format speedscope -o e.json");
    let file: Value = serde_json::from_str(&fs::read_to_string(sandbox.file("e.json")).unwrap()).unwrap();
    let opened = |profile: &Value| {
        profile["events"].as_array().unwrap().iter().filter(|event| event["type"] == "O").count()
    };
    assert_eq!(file["profiles"].as_array().unwrap().iter().map(opened).sum::<usize>(), events);
    if has(Capability::Perfetto) {
        exported(&sandbox, "app.events --format perfetto -o e.pftrace");
        let script = sandbox.write("by_perfetto.py", BY_PERFETTO);
        let found = format!("errors 0 calls {events} open 0 processes 2");
        sandbox.command("python3").arg(script).assert().code(0).stdout(says(&found));
    }
}

#[test]
fn what_a_form_is_of_is_said_and_nothing_is_overwritten() {
    let sandbox = Sandbox::new();
    sandbox.fathom("trace --capture ptrace -o app.events -- true").assert().code(0);
    sandbox
        .fathom("export app.events --format benchfmt")
        .assert()
        .code(2)
        .stderr(says("holds events, and this is a form of records"));
    sandbox.write("record.json", "{}");
    sandbox
        .fathom("export record.json --format perfetto -o x")
        .assert()
        .code(2)
        .stderr(says("is no file of events"));
    sandbox
        .fathom("export app.events --format chrome -o app.events")
        .assert()
        .code(2)
        .stderr(says("name another file"));
    assert!(!sandbox.file("x").exists());
    let piped = sandbox.shell("fathom export - --format strace < app.events");
    assert!(String::from_utf8_lossy(&piped.stdout).contains("+++ exited with 0 +++"));
    let whole = fs::read(sandbox.file("app.events")).unwrap();
    fs::write(sandbox.file("cut.events"), &whole[..whole.len() - 9]).unwrap();
    sandbox
        .fathom("export cut.events --format chrome -o c")
        .assert()
        .code(0)
        .stderr(says("the file is cut short"));
    let mut damaged = whole;
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x40;
    fs::write(sandbox.file("damaged.events"), damaged).unwrap();
    sandbox.fathom("export damaged.events --format chrome -o d").assert().code(2);
    assert!(!sandbox.file("d").exists());
}
