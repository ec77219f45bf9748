//! Walks directories: tries to open the files that name what is ignored, then lists.

use std::fs::{self, File};

fn main() -> std::io::Result<()> {
    let (mut ignoring, mut found) = (0, 0);
    for number in 1..=12 {
        let directory = format!("source/{number:02}");
        for name in [".gitignore", ".ignore"] {
            ignoring += usize::from(File::open(format!("{directory}/{name}")).is_ok());
        }
        found += fs::read_dir(directory)?.count();
    }
    println!("{found} files, {ignoring} ignore others");
    Ok(())
}
