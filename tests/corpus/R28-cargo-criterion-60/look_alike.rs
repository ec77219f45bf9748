//! Follows a log: it asks for much, and gets what the writer has added since.

use std::fs::OpenOptions;
use std::io::{Read, Write};

fn main() -> std::io::Result<()> {
    let mut writer = OpenOptions::new().append(true).create(true).open("log")?;
    let mut reader = OpenOptions::new().read(true).open("log")?;
    assert!(reader.metadata()?.is_file());
    let (mut buffer, mut pieces) = ([0; 8192], 0);
    for line in 0..100 {
        writer.write_all(format!("line {line}\n").as_bytes())?;
        pieces += usize::from(reader.read(&mut buffer)? > 0);
    }
    println!("{pieces} pieces");
    Ok(())
}
