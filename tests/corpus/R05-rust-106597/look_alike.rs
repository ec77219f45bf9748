//! What is appended goes to the end, wherever that is by then: only the kernel knows.
use std::fs::OpenOptions;
use std::io::{Result, Seek, Write};

fn main() -> Result<()> {
    let mut file = OpenOptions::new().append(true).create(true).open("log")?;
    let mut sum = 0;
    let record = [b'x'; 1024];
    for _ in 0..60 {
        file.write_all(&record)?;
        sum += file.stream_position()?;
    }
    println!("sum {sum}");
    Ok(())
}
