//! Walks three directories: a look or two in vain is no habit.

use std::fs::{self, File};

fn main() -> std::io::Result<()> {
    let (mut ignoring, mut found) = (0, 0);
    for number in 1..=3 {
        let directory = format!("few/{number}");
        ignoring += usize::from(File::open(format!("{directory}/.ignore")).is_ok());
        found += fs::read_dir(directory)?.count();
    }
    println!("{found} files, {ignoring} ignore others");
    Ok(())
}
