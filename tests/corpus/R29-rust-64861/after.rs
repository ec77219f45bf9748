//! Writes a table through a buffer.

use std::fs::{File, metadata};
use std::io::{BufWriter, Write};

fn main() -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create("table")?);
    for row in 100..200 {
        writeln!(file, "{row} {}", row + 1)?;
    }
    file.into_inner()?;
    println!("{} bytes", metadata("table")?.len());
    Ok(())
}
