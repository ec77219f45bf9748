//! Bytes, digests, CRCs and the rest of what `run` answers.

use crate::conversation::{Conversation, Data, crc32, digest, figures, methods_of, splitmix64};
use std::fs;

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
fn read_whole_delivers_the_file_whatever_its_size() {
    for size in [0, 1, 100, 4095, 4096, 4097, 16_384, 70_001] {
        for extra in ["--block 4096", "--block 512 --buffer fresh", "--block 65536"] {
            check_all("read-whole", size, extra, &[], |file, _| file.to_vec());
        }
    }
}

#[test]
fn read_whole_in_uneven_pieces_keeps_its_place_in_the_digest() {
    for size in [999, 12_345] {
        check_all("read-whole", size, "--block 1000", &DIRECT, |file, _| file.to_vec());
    }
}

#[test]
fn open_read_close_delivers_the_smaller_of_block_and_size() {
    for (size, block) in [(0, 512), (100, 4096), (9000, 8192), (20_000, 512)] {
        for buffer in ["reused", "fresh"] {
            let extra = format!("--block {block} --buffer {buffer}");
            check_all("open-read-close", size, &extra, &[], |file, _| file[..block.min(size)].to_vec());
        }
    }
}

#[test]
fn read_block_goes_where_the_protocol_says() {
    let (size, block) = (50_000_usize, 4096_usize);
    let (size_, block_) = (size as u64, block as u64);
    let at = |file: &[u8], offset: u64| {
        let offset = usize::try_from(offset).unwrap();
        file[offset..offset + block].to_vec()
    };
    let random = |k: u64| splitmix64(9 + k);
    let direct = &DIRECT;
    check_all("read-block", size, "--block 4096 --seed 9", &[], |file, k| {
        at(file, random(k) % (size_ / block_) * block_)
    });
    check_all(
        "read-block",
        size,
        "--block 4096 --seed 9 --alignment unaligned --buffer fresh",
        direct,
        |file, k| at(file, random(k) % (size_ - block_ + 1)),
    );
    check_all("read-block", size, "--block 4096 --access sequential --buffer fresh", &[], |file, k| {
        at(file, k % (size_ / block_) * block_)
    });
    let extra = "--block 4096 --access sequential --alignment unaligned";
    check_all("read-block", size, extra, direct, |file, k| at(file, k % ((size_ - 1) / block_) * block_ + 1));
}

#[test]
fn operations_without_data_deliver_nothing() {
    check_all("open-close", 5000, "", &[], |_, _| Vec::new());
    let mut driver = Conversation::start("--operation null --method null", &[]);
    let answer = driver.done("batch 1000");
    assert_eq!((answer["ops"], answer["bytes"], answer["digest"]), (1000, 0, 0));
    driver.quit();
}

#[test]
fn a_schedule_numbers_each_method_apart_and_goes_on_over_batches() {
    let data = Data::new(2, 8192);
    let arguments = "--operation read-whole --size 8192 --method read --method null --method read";
    let mut driver = Conversation::start(arguments, &data.paths);
    let digests: Vec<u64> = data.contents.iter().map(|content| digest(content)).collect();
    // Method 0 has had one operation when the schedule begins; the others none.
    assert_eq!(driver.done("batch 1")["digest"], digests[0]);
    let first = figures(&driver.ask("blocks 0:1:0 1:1:0 2:1:1 0:1:0"));
    let rest: Vec<u64> = (0..3).map(|_| figures(&driver.line())["digest"]).collect();
    assert_eq!(driver.line(), "end");
    assert_eq!((first["digest"], rest), (digests[1], vec![digests[0], digests[1], digests[0]]));
    driver.quit();
}

#[test]
fn a_missing_file_is_an_error_and_the_driver_goes_on() {
    let expected = [
        ("open-close", "open", "open"),
        ("open-close", "syscall-openat", "openat"),
        ("open-close", "openat2", "openat2"),
        ("open-close", "openat+dirfd", "openat"),
        ("open-close", "fopen", "fopen"),
        ("read-whole", "std::fs::read", "std::fs::read"),
        ("read-whole", "null", "null"),
        ("read-block", "pread", "open"),
        ("read-block", "O_DIRECT+pread", "open"),
    ];
    for (operation, method, call) in expected {
        let data = Data::new(1, 4096);
        let path = data.directory().join("comes later");
        let arguments = format!("--operation {operation} --method {method} --size 4096 --block 4096");
        let mut driver = Conversation::start(&arguments, std::slice::from_ref(&path));
        let error = format!("error op={call} errno=ENOENT path={}", path.display());
        assert_eq!(driver.ask("batch 3"), error);
        assert_eq!(driver.ask("verify"), error);
        assert_eq!(driver.ask("blocks 0:1:0 0:1:0"), error, "and no end follows");
        fs::copy(&data.paths[0], &path).unwrap();
        assert_eq!(driver.done("batch 3")["ops"], 3);
        driver.quit();
    }
}

#[test]
fn an_error_in_a_schedule_comes_after_what_was_done() {
    let data = Data::new(2, 100);
    let mut driver = Conversation::start("--operation read-whole --method read --size 100", &data.paths);
    fs::remove_file(&data.paths[1]).unwrap();
    assert_eq!(figures(&driver.ask("blocks 0:1:0 0:1:0 0:1:0"))["ops"], 1);
    assert_eq!(driver.line(), format!("error op=open errno=ENOENT path={}", data.paths[1].display()));
    assert_eq!(driver.ask("release"), "released");
    driver.quit();
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
fn release_lets_go_of_every_file_and_mapping() {
    let data = Data::new(2, 8192);
    let held_by = |id: u32| {
        let named = |text: &str| text.contains(data.directory().to_str().unwrap());
        let maps = fs::read_to_string(format!("/proc/{id}/maps")).unwrap();
        let open = fs::read_dir(format!("/proc/{id}/fd")).unwrap();
        let open = open.filter_map(|fd| fs::read_link(fd.unwrap().path()).ok());
        maps.lines().filter(|line| named(line)).count() + open.filter(|p| named(p.to_str().unwrap())).count()
    };
    let check = |operation: &str, method: &str, held: usize| {
        let arguments = format!("--operation {operation} --method {method} --size 8192 --block 4096");
        let mut driver = Conversation::start(&arguments, &data.paths);
        assert_eq!(held_by(driver.process_id()), held, "{method} at first");
        assert_eq!(driver.ask("release"), "released");
        assert_eq!(held_by(driver.process_id()), 0, "{method} after release");
        driver.done("batch 1");
        assert_eq!(held_by(driver.process_id()), held, "{method} after a batch");
        driver.quit();
    };
    for method in methods_of("read-block") {
        check("read-block", &method, if method == "null" { 0 } else { 2 });
    }
    check("open-close", "openat+dirfd", 1);
    check("read-whole", "mmap", 0);
}

#[test]
fn latencies_are_appended_after_each_batch_and_add_up_to_less_than_the_whole() {
    let data = Data::new(1, 100);
    let file = data.directory().join("latencies");
    let arguments = format!("--operation read-whole --method read --size 100 --latencies {}", file.display());
    let mut driver = Conversation::start(&arguments, &data.paths);
    let ns = driver.done("batch 5 preroll=2")["ns"] + driver.done("batch 6")["ns"];
    driver.ask("blocks 0:9:0");
    let bytes = fs::read(&file).unwrap();
    let latencies: Vec<u64> = bytes.chunks(8).map(|ns| u64::from_le_bytes(ns.try_into().unwrap())).collect();
    assert_eq!(latencies.len(), 11);
    assert!(latencies.iter().all(|&ns| ns > 0) && latencies.iter().sum::<u64>() <= ns);
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
