//! Bytes, digests, CRCs and the rest of what `run` answers.

use crate::conversation::{Conversation, Data, crc32, digest, figures, methods_of};

/// They read aligned blocks alone.
const DIRECT: [&str; 3] = ["O_DIRECT+pread", "read+O_DIRECT", "io_uring+O_DIRECT"];

/// Every method of an operation on the same data: each operation's part of the
/// file is given by `expect`, from the file's number and the operation's.
fn check_all(
    operation: &str,
    size: usize,
    extra: &str,
    skip: &[&str],
    expect: impl Fn(&[u8], u64) -> Vec<u8>,
) {
    let data = Data::new(3, size);
    for method in methods_of(operation) {
        if skip.contains(&method.as_str()) {
            continue;
        }
        let arguments = format!("--operation {operation} --method {method} --size {size} {extra}");
        let mut driver = Conversation::start(&arguments, &data.paths);
        let part = |k: u64| expect(&data.contents[usize::try_from(k % 3).unwrap()], k);
        let check = |answer: &std::collections::BTreeMap<String, u64>, range: std::ops::Range<u64>| {
            let parts: Vec<Vec<u8>> = range.map(part).collect();
            assert_eq!(answer["ops"], parts.len() as u64, "{arguments}");
            assert_eq!(answer["bytes"], parts.iter().map(|p| p.len() as u64).sum::<u64>(), "{arguments}");
            assert_eq!(answer["digest"], parts.iter().map(|p| digest(p)).sum::<u64>(), "{arguments}");
        };
        let verified = |k| format!("verified bytes={} crc32={:08x}", part(k).len(), crc32(&part(k)));
        assert_eq!(driver.ask("verify"), verified(0), "{arguments}");
        check(&driver.done("batch 7"), 0..7);
        check(&driver.done("batch 2 preroll=3"), 10..12);
        assert_eq!(driver.ask("release"), "released");
        check(&driver.done("blocks 0:4:1"), 13..17);
        assert_eq!(driver.line(), "end");
        assert_eq!(driver.ask("verify method=0"), verified(0), "operation 0 again: {arguments}");
        driver.quit();
    }
}

#[test]
fn read_whole_in_uneven_pieces_keeps_its_place_in_the_digest() {
    for size in [999, 12_345] {
        check_all("read-whole", size, "--block 1000", &DIRECT, |file, _| file.to_vec());
    }
}

#[test]
fn a_line_without_sense_is_answered_with_itself() {
    let data = Data::new(1, 10);
    let mut driver = Conversation::start("--operation open-close --method open", &data.paths);
    for line in ["batch", "batch 1 method=1", "dance now", "blocks 0:1", ""] {
        assert_eq!(driver.ask(line), format!("error op=protocol errno=EINVAL path={line}"));
    }
    let huge = format!("batch {}", u64::MAX);
    assert_eq!(driver.ask(&huge), "error op=batch errno=ENOMEM path=");
    assert_eq!(driver.done("batch 0")["ops"], 0);
    driver.quit();
}

#[test]
fn figures_of_the_thread_come_with_batches_and_faults_are_counted() {
    let size = 64 * 4096;
    let data = Data::new(1, size);
    let arguments = format!("--operation read-whole --method mmap --method read --size {size}");
    let mut driver = Conversation::start(&arguments, &data.paths);
    let mapped = driver.done("batch 4 method=0 preroll=1");
    let copied = driver.done("batch 4 method=1 preroll=1");
    assert!(mapped["minflt"] >= 4 && copied["minflt"] < 4, "{mapped:?} {copied:?}");
    assert!(mapped["cpu_ns"] > 0 && mapped.contains_key("majflt") && mapped.contains_key("nivcsw"));
    let block = figures(&driver.ask("blocks 0:4:1"));
    assert!(block["minflt"] >= 4 && !block.contains_key("cpu_ns"));
}

#[test]
fn a_fresh_buffer_faults_where_a_reused_one_does_not() {
    let size = 1 << 20;
    let data = Data::new(1, size);
    let faults = |method: &str, buffer: &str| {
        let arguments = format!("--operation open-read-close --method {method} --size {size} --block {size}");
        let mut driver = Conversation::start(&format!("{arguments} --buffer {buffer}"), &data.paths);
        driver.done("batch 4 preroll=1")["minflt"]
    };
    for method in ["read", "File+read"] {
        let (fresh, reused) = (faults(method, "fresh"), faults(method, "reused"));
        assert!(reused < 4 && fresh >= 4, "{method}: {fresh} and {reused}");
    }
}
