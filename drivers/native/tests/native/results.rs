//! Files that change, and opens for writing. `fathom driver check` has the answers of every operation.

use crate::conversation::{Conversation, Data, methods_of};
use std::fs;

#[test]
fn opening_for_writing_neither_creates_nor_truncates() {
    for method in methods_of("open-write-close").into_iter().filter(|method| method != "null") {
        let data = Data::new(1, 100);
        let arguments = format!("--operation open-write-close --method {method}");
        let mut driver = Conversation::start(&arguments, &data.paths);
        assert_eq!(driver.done("batch 2")["bytes"], 0, "{method}");
        driver.quit();
        assert_eq!(fs::read(&data.paths[0]).unwrap(), data.contents[0], "{method}");
        let missing = data.directory().join("none");
        let mut driver = Conversation::start(&arguments, std::slice::from_ref(&missing));
        assert!(driver.ask("batch 1").contains(" errno=2 "), "{method}");
        assert!(!missing.exists(), "{method}");
        driver.quit();
    }
}

#[test]
fn a_file_that_changes_is_reloaded() {
    for method in methods_of("reload").into_iter().filter(|method| method != "null") {
        let data = Data::new(1, 10);
        let arguments = format!("--operation reload --method {method} --size 10");
        let mut driver = Conversation::start(&arguments, &data.paths);
        assert_eq!(driver.done("batch 2")["bytes"], 20, "{method}");
        fs::write(&data.paths[0], [7; 33]).unwrap();
        let answer = driver.done("batch 2");
        assert_eq!((answer["bytes"], answer["digest"]), (66, 14), "{method}");
        driver.quit();
    }
}
