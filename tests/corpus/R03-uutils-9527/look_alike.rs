//! As `tail -f`: at the end, it asks whether there is more by now.
use std::fs::File;
use std::io::{Read, Result};

fn main() -> Result<()> {
    let mut file = File::open("data/1")?;
    let mut bytes = [0; 4096];
    let mut total = 0;
    while file.read(&mut bytes)? > 0 {}
    for _ in 0..10 {
        let size = file.metadata()?.len();
        total += size;
        while file.read(&mut bytes)? > 0 {}
    }
    println!("bytes {total}");
    Ok(())
}
