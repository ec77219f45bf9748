//! `fathom export` of events: every form has every event, and readers that are not ours find them.

#![expect(clippy::unwrap_used, reason = "a test")]

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says};
use predicates::str::is_empty;
use serde_json::Value;
use std::collections::BTreeMap;
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

#[test]
fn a_name_that_ends_in_gz_is_packed() {
    let sandbox = Sandbox::new();
    sandbox.fathom("trace --capture ptrace -o app.events -- ls /").assert().code(0);
    for form in ["perfetto", "chrome", "speedscope", "strace"] {
        exported(&sandbox, &format!("app.events --format {form} -o whole"));
        exported(&sandbox, &format!("app.events --format {form} -o packed.gz"));
        let (whole, packed) =
            (fs::read(sandbox.file("whole")).unwrap(), fs::read(sandbox.file("packed.gz")).unwrap());
        assert!(packed.len() < whole.len(), "{form}: {} of {}", packed.len(), whole.len());
        let unpacked = sandbox.command("gzip").args(["-dc", "packed.gz"]).output().unwrap();
        assert!(unpacked.status.success() && unpacked.stdout == whole, "{form}");
    }
    sandbox
        .fathom("export app.events --format parquet -o e.parquet.gz")
        .assert()
        .code(2)
        .stderr(says("Parquet is compressed inside"));
    assert!(!sandbox.file("e.parquet.gz").exists());
}

/// Calls by process, thread and name, with the sum of their durations, as the trace processor has them.
const CALLS_BY_TRACE_PROCESSOR: &str = "\
select process.pid, thread.tid, slice.name, count(*), sum(slice.dur)
from slice join thread_track on slice.track_id = thread_track.id join thread using (utid) join process using (upid)
where slice.category = 'call' group by 1, 2, 3 order by 1, 2, 3;
";

/// The same as `DuckDB` finds them in the table.
const CALLS_BY_DUCKDB: &str = "\
import duckdb
for row in duckdb.sql(\"select process, thread, call, count(*), coalesce(sum(duration_ns), 0) from 'e.parquet' group by all order by all\").fetchall(): print(*row, sep=',')
";

/// Lives of descriptors, findings and processes as the trace processor has them, and what it could not use.
const REST_BY_TRACE_PROCESSOR: &str = "\
select 'descriptors', count(*) from slice where category = 'descriptor'
union all select 'findings', count(*) from slice where category = 'finding'
union all select 'unfinished', count(*) from slice where dur = -1
union all select 'processes', count(*) from process where pid > 0
union all select 'children', count(*) from process join process parent on process.parent_upid = parent.upid where parent.pid > 0
union all select 'errors', coalesce(sum(value), 0) from stats where severity in ('error', 'data_loss');
";

/// The rows of a query, without quotes and the names of columns.
fn by_trace_processor(sandbox: &Sandbox, query: &str, trace: &str) -> Vec<String> {
    sandbox.write("query.sql", query);
    let words = crate::capability::trace_processor();
    let mut program = sandbox.command(&words[0]);
    let assert = program.args(&words[1..]).args(["query.sql", trace]).assert().code(0);
    let text = String::from_utf8_lossy(&assert.get_output().stdout).replace('"', "");
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn perfettos_trace_processor_opens_an_export_without_errors_and_counts_the_same() {
    if !has(Capability::TraceProcessor) || !has(Capability::SystemPython) || !has(Capability::DuckDb) {
        return;
    }
    let sandbox = traced();
    sandbox.fathom("trace -o other.events -- /usr/bin/python3 -S -E program.py").assert().code(0);
    let script = sandbox.write("duck.py", CALLS_BY_DUCKDB);
    for events in ["app.events", "other.events"] {
        exported(&sandbox, &format!("{events} --format parquet -o e.parquet"));
        let table = sandbox.command("python3").arg(&script).assert().code(0);
        let table = String::from_utf8(table.get_output().stdout.clone()).unwrap();
        let calls: Vec<_> = table.lines().collect();
        assert!(calls.len() > 40, "{table}");
        for form in ["perfetto", "chrome"] {
            exported(&sandbox, &format!("{events} --format {form} -o e.trace"));
            exported(&sandbox, &format!("{events} --format {form} -o e.trace.gz"));
            for trace in ["e.trace", "e.trace.gz"] {
                let found = by_trace_processor(&sandbox, CALLS_BY_TRACE_PROCESSOR, trace);
                assert_eq!(found, calls, "{events} as {form}, {trace}");
            }
            let rest = by_trace_processor(&sandbox, REST_BY_TRACE_PROCESSOR, "e.trace");
            let found = |name: &str| -> u64 {
                let row = rest.iter().find_map(|row| row.strip_prefix(name)?.strip_prefix(','));
                row.unwrap_or_else(|| panic!("no {name}: {rest:?}")).parse().unwrap()
            };
            assert_eq!((found("errors"), found("unfinished")), (0, 0), "{events} as {form}: {rest:?}");
            assert_eq!(found("processes"), 2, "{events} as {form}: {rest:?}");
            assert!(found("findings") > 0, "{events} as {form}: {rest:?}");
            assert!(found("descriptors") > 3 * 23, "{events} as {form}: {rest:?}");
            // The trace event JSON has no place for the process that made one.
            assert_eq!(found("children"), u64::from(form == "perfetto"), "{events}: {rest:?}");
        }
    }
    // What it says of a trace that is none of its.
    sandbox.write(
        "e.trace",
        "[{\"ph\":\"X\",\"ts\":\"no time\",\"dur\":1,\"pid\":1,\"tid\":1,\"name\":\"a\",\"cat\":\"call\"}]",
    );
    let rest = by_trace_processor(&sandbox, REST_BY_TRACE_PROCESSOR, "e.trace");
    assert!(!rest.contains(&"errors,0".to_owned()), "{rest:?}");
}

/// How often each function was entered and for how long, of those that took any time; in what the
/// profile's unit is.
fn entered(profiles: &Value) -> BTreeMap<String, (u64, i64)> {
    let frames = profiles["shared"]["frames"].as_array().unwrap();
    let mut entered: BTreeMap<String, (u64, i64)> = BTreeMap::new();
    for profile in profiles["profiles"].as_array().unwrap() {
        let name = |frame: &Value| {
            frames[usize::try_from(frame.as_u64().unwrap()).unwrap()]["name"].as_str().unwrap().to_owned()
        };
        let mut open: Vec<(String, f64)> = Vec::new();
        for event in profile["events"].as_array().into_iter().flatten() {
            let at = event["at"].as_f64().unwrap();
            if event["type"] == "O" {
                open.push((name(&event["frame"]), at));
                continue;
            }
            let (name, since) = open.pop().unwrap();
            if at > since {
                let sum = entered.entry(name).or_default();
                sum.0 += 1;
                #[expect(clippy::cast_possible_truncation, reason = "whole numbers of ns")]
                let took = (at - since).round() as i64;
                sum.1 += took;
            }
        }
        for sample in profile["samples"].as_array().into_iter().flatten() {
            // It has no durations: each call weighs 1, and neighbors of one name become one.
            entered.entry(name(sample.as_array().unwrap().last().unwrap())).or_default().1 += 1;
        }
    }
    entered
}

#[test]
#[ignore = "long"]
fn speedscopes_own_importer_finds_every_call() {
    if !has(Capability::Speedscope) || !has(Capability::SystemPython) {
        return;
    }
    let sandbox = traced();
    let imported = |events: &str| -> [Value; 2] {
        exported(&sandbox, &format!("{events} --format speedscope -o e.speedscope.json"));
        let mut node = sandbox.command("node");
        node.arg(crate::browser::speedscope().unwrap()).args(["e.speedscope.json", "imported.json"]);
        node.assert().code(0);
        ["e.speedscope.json", "imported.json"]
            .map(|name| serde_json::from_str(&fs::read_to_string(sandbox.file(name)).unwrap()).unwrap())
    };
    let [ours, theirs] = imported("app.events").map(|profiles| entered(&profiles));
    assert_eq!(ours, theirs);
    assert!(ours.values().map(|(count, _)| count).sum::<u64>() > 400, "{ours:?}");
    // The same without durations.
    fs::write(sandbox.file("log"), "7 openat(AT_FDCWD, \"a\", O_RDONLY) = 3\n7 read(3, \"\"..., 9) = 0\n7 read(3, \"\"..., 9) = 0\n7 close(3) = 0\n")
        .unwrap();
    sandbox.fathom("trace --strace log -o plain.events").assert().code(0);
    let weights = |profiles: Value| -> BTreeMap<String, i64> {
        entered(&profiles).into_iter().map(|(name, (_, weight))| (name, weight)).collect()
    };
    let [ours, theirs] = imported("plain.events").map(weights);
    assert_eq!(ours, theirs);
    assert_eq!(ours.values().sum::<i64>(), 4, "{ours:?}");
}

/// Prints how long an export took, its CPU time, and the most memory that it had, in bytes.
const MEASURED: &str = "\
import resource, subprocess, sys, time
began = time.monotonic()
subprocess.run(sys.argv[1:], check=True, stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f'{time.monotonic() - began:.1f} s, {used.ru_utime + used.ru_stime:.1f} s of CPU', 1024 * used.ru_maxrss)
";

#[test]
#[ignore = "long"]
fn slowly_a_million_events_are_exported_within_60_megabytes() {
    if !has(Capability::C) || !has(Capability::Python) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write(
        "loop.c",
        "#include <fcntl.h>\n#include <unistd.h>\n\
         int main(void) { for (int n = 0; n < 500000; n++) close(open(\"loop.c\", O_RDONLY)); return 0; }\n",
    );
    assert!(sandbox.shell("gcc -O1 -o loop loop.c").status.success());
    let measure = sandbox.write("measure.py", MEASURED);
    let mut captures = vec!["ptrace"];
    captures.extend(has(Capability::Ring).then_some("ring"));
    for capture in captures {
        sandbox.fathom(&format!("trace --capture {capture} -o loop.events -- ./loop")).assert().code(0);
        for (form, out) in [
            ("perfetto", "out"),
            ("perfetto", "out.gz"),
            ("chrome", "out"),
            ("chrome", "out.gz"),
            ("speedscope", "out"),
            ("speedscope", "out.gz"),
            ("parquet", "out"),
            ("strace", "out"),
            ("strace", "out.gz"),
        ] {
            let mut python = sandbox.command("python3");
            python.arg(&measure).arg(crate::sandbox::program());
            python.args(["export", "loop.events", "--format", form, "-o", out]);
            let said = String::from_utf8(python.assert().code(0).get_output().stdout.clone()).unwrap();
            let (took, bytes) = said.trim().rsplit_once(' ').unwrap();
            let bytes: u64 = bytes.parse().unwrap();
            let written = fs::metadata(sandbox.file(out)).unwrap().len();
            eprintln!(
                "{capture}, {form} as {out}: {took}, {} MB; {} MB written",
                bytes / 1_000_000,
                written / 1_000_000
            );
            assert!(bytes <= 60_000_000, "{capture}, {form}: {bytes} bytes");
            let is_packed = form == "parquet" || out == "out.gz";
            assert!(written <= 60_000_000 || !is_packed, "{capture}, {form}: {written} bytes written");
        }
    }
}
