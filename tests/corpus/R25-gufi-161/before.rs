//! Each entry by its path.
use std::fs;

fn main() {
    let mut bytes = 0;
    for entry in fs::read_dir("tree/of/files").unwrap() {
        bytes += fs::symlink_metadata(entry.unwrap().path()).unwrap().len();
    }
    println!("bytes {bytes}");
}
