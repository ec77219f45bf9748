//! Threads and queues: the answers are those of one thread and one read at a time.

use crate::conversation::{Conversation, Data, crc32, digest, methods_of, splitmix64, takes};
use std::fs;

const SETTINGS: [(usize, usize); 4] = [(1, 7), (3, 1), (4, 5), (9, 64)];

/// Methods that take a setting, and `null`, with what they are given.
fn each(operation: &str, mut check: impl FnMut(&str, String)) {
    for method in methods_of(operation) {
        for (threads, depth) in SETTINGS {
            let with_threads = method == "null" || takes(&method, "threads");
            let with_depth = method == "null" || takes(&method, "queue-depth");
            if with_threads && (with_depth || depth == 1) {
                check(&method, format!("--threads {threads} --queue-depth {depth}"));
            }
        }
    }
}

#[test]
fn read_block_answers_as_one_thread_does() {
    let (size, block) = (50_000_usize, 4096_usize);
    let data = Data::new(3, size);
    let part = |k: u64| {
        let offset = usize::try_from(splitmix64(9 + k) % (size / block) as u64).unwrap() * block;
        &data.contents[usize::try_from(k % 3).unwrap()][offset..offset + block]
    };
    let digest_of = |range: std::ops::Range<u64>| range.map(|k| digest(part(k))).sum::<u64>();
    each("read-block", |method, settings| {
        for buffer in ["reused", "fresh"] {
            let arguments = format!(
                "--operation read-block --method {method} --size {size} --block {block} --seed 9 {settings} --buffer {buffer}"
            );
            let mut driver = Conversation::start(&arguments, &data.paths);
            let verified = format!("verified bytes={block} crc32={:08x}", crc32(part(0)));
            assert_eq!(driver.ask("verify"), verified, "{arguments}");
            let answer = driver.done("batch 50 preroll=3");
            assert_eq!((answer["ops"], answer["bytes"]), (50, 50 * 4096), "{arguments}");
            assert_eq!(answer["digest"], digest_of(3..53), "{arguments}");
            assert_eq!(driver.ask("release"), "released");
            assert_eq!(driver.done("batch 2")["digest"], digest_of(53..55), "{arguments}");
            driver.quit();
        }
    });
}

#[test]
fn read_whole_answers_as_one_thread_does_whatever_the_size() {
    for size in [0, 1, 4096, 70_001] {
        let data = Data::new(2, size);
        let digests: Vec<u64> = data.contents.iter().map(|content| digest(content)).collect();
        each("read-whole", |method, settings| {
            let arguments =
                format!("--operation read-whole --method {method} --size {size} --block 4096 {settings}");
            let mut driver = Conversation::start(&arguments, &data.paths);
            let verified = format!("verified bytes={size} crc32={:08x}", crc32(&data.contents[0]));
            assert_eq!(driver.ask("verify"), verified, "{arguments}");
            let answer = driver.done("batch 5 preroll=1");
            assert_eq!(answer["bytes"], 5 * size as u64, "{arguments}");
            assert_eq!(answer["digest"], 2 * digests[0] + 3 * digests[1], "{arguments}");
            driver.quit();
        });
    }
}

#[test]
fn parts_that_are_no_whole_pages_keep_their_place_in_the_digest() {
    let data = Data::new(1, 12_345);
    for method in ["null", "pread", "mmap", "io_uring"] {
        let arguments = format!(
            "--operation read-whole --method {method} --size 12345 --block 1000 --threads 5 --queue-depth 3"
        );
        let mut driver = Conversation::start(&arguments, &data.paths);
        assert_eq!(driver.done("batch 1")["digest"], digest(&data.contents[0]), "{method}");
        driver.quit();
    }
}

#[test]
fn every_operation_has_its_time_though_reads_overlap() {
    let data = Data::new(1, 1 << 16);
    for method in ["null", "pread", "io_uring"] {
        let file = data.directory().join(method);
        let arguments = format!(
            "--operation read-block --method {method} --size 65536 --block 512 --threads 2 --queue-depth 4 --latencies {}",
            file.display()
        );
        let mut driver = Conversation::start(&arguments, &data.paths);
        driver.done("batch 21 preroll=2");
        driver.quit();
        let times = fs::read(file).unwrap();
        assert_eq!(times.len(), 21 * 8);
        assert!(method == "null" || times.chunks(8).all(|ns| ns != [0; 8]), "{method}");
    }
}

#[test]
fn a_missing_file_is_an_error_of_the_first_batch() {
    let data = Data::new(1, 8192);
    let missing = data.directory().join("comes later");
    for (operation, method) in [
        ("read-block", "pread"),
        ("read-block", "io_uring"),
        ("read-block", "io_uring+registered"),
        ("read-whole", "io_uring"),
        ("read-whole", "preadv2"),
    ] {
        let arguments =
            format!("--operation {operation} --method {method} --size 8192 --block 4096 --threads 2");
        let mut driver = Conversation::start(&arguments, std::slice::from_ref(&missing));
        let error = format!("error op=open errno=ENOENT path={}", missing.display());
        assert_eq!(driver.ask("batch 3"), error, "{method}");
        fs::copy(&data.paths[0], &missing).unwrap();
        assert_eq!(driver.done("batch 3")["ops"], 3, "{method}");
        fs::remove_file(&missing).unwrap();
        driver.quit();
    }
}

#[test]
fn a_file_that_has_shrunk_is_an_error_and_not_a_wrong_answer() {
    let data = Data::new(1, 8192);
    for method in ["io_uring", "io_uring+registered"] {
        let arguments = format!(
            "--operation read-block --method {method} --size 65536 --block 8192 --access sequential --queue-depth 8"
        );
        let mut driver = Conversation::start(&arguments, &data.paths);
        let error = format!("error op=io_uring errno=ENODATA path={}", data.paths[0].display());
        assert_eq!(driver.ask("batch 8"), error, "{method}");
        driver.quit();
    }
}
