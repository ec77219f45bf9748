//! Reads all of two files as `InputStream.readAllBytes` does: pieces of 8 KiB, gathered.

use std::fs::File;
use std::io::Read;

fn read_all(path: &str) -> std::io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut piece = [0; 8192];
    let mut all = Vec::new();
    loop {
        let came = file.read(&mut piece)?;
        if came == 0 {
            return Ok(all);
        }
        all.extend_from_slice(&piece[..came]);
    }
}

fn main() -> std::io::Result<()> {
    println!("{} bytes", read_all("one")?.len() + read_all("two")?.len());
    Ok(())
}
