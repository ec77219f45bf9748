//! The position is where the last block ended.
use std::fs::File;
use std::io::{Read, Result};

fn main() -> Result<()> {
    let mut file = File::open("text")?;
    let mut bytes = vec![0; 1024];
    let (mut sum, mut position) = (0, 0);
    for _ in 0..60 {
        sum += position;
        file.read_exact(&mut bytes)?;
        position += bytes.len();
    }
    println!("sum {sum}");
    Ok(())
}
