//! Asks for the size to show progress, and reads by a buffer of its own until nothing comes.

use std::fs::File;
use std::io::Read;

fn main() -> std::io::Result<()> {
    let (mut bytes, mut all) = (0, 0);
    let mut buffer = [0; 65536];
    for part in 1..=6 {
        let mut file = File::open(format!("part-{part}"))?;
        all += file.metadata()?.len();
        loop {
            match file.read(&mut buffer)? {
                0 => break,
                length => bytes += length,
            }
        }
    }
    println!("{bytes} of {all} bytes");
    Ok(())
}
