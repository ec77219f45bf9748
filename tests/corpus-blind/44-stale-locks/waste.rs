// Clears the locks that dead processes of a cluster have left behind.
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

fn lock_path(node: u32) -> PathBuf {
    Path::new("locks").join(format!("{node}.lock"))
}

fn clear(node: u32) -> io::Result<bool> {
    let path = lock_path(node);
    if path.exists() {
        fs::remove_file(&path)?;
        Ok(true)
    } else {
        Ok(false)
    }
}

fn alive(node: u32) -> bool {
    node % 11 == 3
}

fn main() -> io::Result<()> {
    let (mut cleared, mut free, mut kept) = (0, 0, 0);
    for node in 0..105 {
        if alive(node) {
            kept += 1;
        } else if clear(node)? {
            cleared += 1;
        } else {
            free += 1;
        }
    }
    println!("cleared {cleared}, free {free}, kept {kept}");
    Ok(())
}
