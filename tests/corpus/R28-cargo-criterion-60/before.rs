//! Counts the lists in a file of samples, byte by byte from the file.

use std::fs::File;
use std::io::Read;

fn main() -> std::io::Result<()> {
    let file = File::open("samples.json")?;
    let lists = file.bytes().filter(|byte| matches!(byte, Ok(b'['))).count();
    println!("{lists} lists");
    Ok(())
}
