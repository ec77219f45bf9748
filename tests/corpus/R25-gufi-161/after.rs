//! Each entry by the directory's descriptor.
use std::fs;

fn main() {
    let mut bytes = 0;
    for entry in fs::read_dir("tree/of/files").unwrap() {
        bytes += entry.unwrap().metadata().unwrap().len();
    }
    println!("bytes {bytes}");
}
