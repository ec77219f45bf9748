//! Counts the lists in a file of samples, byte by byte from a buffer.

use std::fs::File;
use std::io::{BufReader, Read};

fn main() -> std::io::Result<()> {
    let file = BufReader::new(File::open("samples.json")?);
    let lists = file.bytes().filter(|byte| matches!(byte, Ok(b'['))).count();
    println!("{lists} lists");
    Ok(())
}
