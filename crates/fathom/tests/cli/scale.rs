//! What each stage costs as files, events and records grow: time, CPU and memory, printed. Nothing is held
//! against a limit; docs/SCALE.md has the figures.
//! `cargo test --release -p fathom-io --test cli -- --ignored --nocapture slowly_scale`

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, program, workspace};
use std::fs;

/// Runs a command and prints how long it took, with what.
const MEASURED: &str = "\
import resource, subprocess, sys, time
began = time.monotonic()
ended = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f'exit {ended.returncode}, {time.monotonic() - began:.1f} s, {used.ru_utime + used.ru_stime:.1f} s of CPU, {used.ru_maxrss / 1024:.0f} MB')
";

/// Makes a file of many events: the steady frames of a smaller one again and again, without an end.
const REPEATED: &str = "\
import struct, sys
source, out, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
data, at, frames = open(source, 'rb').read(), 12, []
while at < len(data):
    size = 13 + struct.unpack('<I', data[at + 1:at + 5])[0]
    frames.append(data[at:at + size]); at += size
events = [frame for frame in frames if frame[:1] == b'E']
with open(out, 'wb') as file:
    file.write(data[:12] + frames[0] + events[0] + events[1])
    for _ in range(times): file.write(b''.join(events[2:-1]))
    file.write(events[-1])
";

/// Makes records of one: another seed each, on one of ten hosts.
const RECORDS: &str = "\
import json, sys
record = json.load(open(sys.argv[1]))
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    record['seed'] = str(number); record['environment']['host'] = {'value': f'node{number % 10}'}
    json.dump(record, open(f'records/{number}.json', 'w'))
";

fn measured(sandbox: &Sandbox, words: &str, last: Option<&str>) -> String {
    let script = sandbox.write("measured.py", MEASURED);
    let mut python = sandbox.command("python3");
    let assert = python.arg(script).arg(program()).args(words.split(' ')).args(last).assert().code(0);
    String::from_utf8(assert.get_output().stdout.clone()).unwrap().trim().to_owned()
}

#[test]
#[ignore = "long"]
fn slowly_scale_of_events() {
    if !has(Capability::C) || !has(Capability::Python) {
        return;
    }
    let sandbox = Sandbox::new();
    let source = "#include <fcntl.h>\n#include <unistd.h>\n\
        int main(void) { for (int n = 0; n < 100000; n++) close(open(\"loop.c\", O_RDONLY)); return 0; }\n";
    sandbox.write("loop.c", source);
    assert!(sandbox.shell("gcc -O1 -o loop loop.c").status.success());
    sandbox.fathom("trace --capture ptrace -o loop.events -- ./loop").assert().code(0);
    sandbox.write("repeated.py", REPEATED);
    for times in [5, 50, 530] {
        let made = sandbox
            .shell(&format!("python3 repeated.py loop.events many.events {times} && wc -c < many.events"));
        eprintln!("{times} times 180,224 events, bytes: {}", String::from_utf8_lossy(&made.stdout).trim());
        for words in ["audit --from many.events", "export many.events --format parquet -o many.parquet"] {
            eprintln!("  {words}: {}", measured(&sandbox, words, None));
        }
    }
}

#[test]
#[ignore = "long"]
fn slowly_scale_of_records() {
    if !has(Capability::Python) {
        return;
    }
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("records")).unwrap();
    sandbox.write("records.py", RECORDS);
    let sample = workspace().join("docs/samples/scale/scale-create-4.json");
    let mut before = 0;
    for count in [100, 1_000, 10_000] {
        sandbox.shell(&format!("python3 records.py {} {before} {count}", sample.display()));
        let begun = std::time::Instant::now();
        for number in before..count {
            sandbox
                .fathom(&format!("export records/{number}.json --format parquet --into all"))
                .assert()
                .code(0);
        }
        let each = begun.elapsed().as_secs_f64() / f64::from(count - before);
        let room = sandbox.shell("du -sk all | cut -f1");
        eprintln!(
            "{count} records: {each:.3} s to add one; {} kB in all",
            String::from_utf8_lossy(&room.stdout).trim()
        );
        for form in ["md", "html"] {
            let words = format!("report --from all/records --format {form} -o page.{form}");
            let made = measured(&sandbox, &words, None);
            let bytes = fs::metadata(sandbox.file(&format!("page.{form}"))).unwrap().len();
            eprintln!("  {words}: {made}, page of {} kB", bytes / 1000);
        }
        before = count;
    }
}

#[test]
#[ignore = "long"]
fn slowly_scale_of_files() {
    if !has(Capability::Mpi) {
        return;
    }
    let sandbox = Sandbox::new();
    for operations in [500, 5_000, 50_000] {
        let words = format!(
            "bench create --ranks 2 --set operations={operations} --time 5 --dir . -o r.json --launcher"
        );
        let made = measured(&sandbox, &words, Some("mpirun --allow-run-as-root --oversubscribe -n {ranks}"));
        eprintln!("2 ranks, {operations} files each in a batch: {made}");
    }
}
