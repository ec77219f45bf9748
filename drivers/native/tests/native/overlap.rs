//! Threads and queues: each operation's own time, and files that are missing or have shrunk.

use crate::conversation::{Conversation, Data};
use std::fs;

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
        let error = format!("error op=open errno=2 path={}", missing.display());
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
        let error = format!("error op=io_uring errno=61 path={}", data.paths[0].display());
        assert_eq!(driver.ask("batch 8"), error, "{method}");
        driver.quit();
    }
}
