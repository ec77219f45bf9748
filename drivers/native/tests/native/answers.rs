//! Lines without sense, and the figures of a thread.

use crate::conversation::{Conversation, Data, figures};

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
