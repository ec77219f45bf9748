//! The position is asked for before each block.
use std::fs::File;
use std::io::{Read, Result, Seek};

fn main() -> Result<()> {
    let mut file = File::open("text")?;
    let mut bytes = vec![0; 1024];
    let mut sum = 0;
    for _ in 0..60 {
        sum += file.stream_position()?;
        file.read_exact(&mut bytes)?;
    }
    println!("sum {sum}");
    Ok(())
}
