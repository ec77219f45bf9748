//! A handful of directories is not worth a word.
use std::fs::read_dir;

fn main() {
    let entries: usize = (1..=9).map(|number| read_dir(format!("tree/{number}")).unwrap().count()).sum();
    println!("entries {entries}");
}
