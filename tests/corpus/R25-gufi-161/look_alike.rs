//! A few of the entries.
use std::fs;

fn main() {
    let mut bytes = 0;
    for entry in fs::read_dir("tree/of/files").unwrap() {
        let entry = entry.unwrap();
        if entry.file_name().to_string_lossy().ends_with('7') {
            bytes += fs::symlink_metadata(entry.path()).unwrap().len();
        }
    }
    println!("bytes {bytes}");
}
