//! Walks directories: lists, and opens the files that name what is ignored where they are.

use std::fs::{self, File};

fn main() -> std::io::Result<()> {
    let (mut ignoring, mut found) = (0, 0);
    for number in 1..=12 {
        for entry in fs::read_dir(format!("source/{number:02}"))? {
            let entry = entry?;
            if [".gitignore", ".ignore"].iter().any(|name| *name == entry.file_name()) {
                ignoring += usize::from(File::open(entry.path()).is_ok());
            }
            found += 1;
        }
    }
    println!("{found} files, {ignoring} ignore others");
    Ok(())
}
