//! Writes a table straight to its file.

use std::fs::{File, metadata};
use std::io::Write;

fn main() -> std::io::Result<()> {
    let mut file = File::create("table")?;
    for row in 100..200 {
        writeln!(file, "{row} {}", row + 1)?;
    }
    drop(file);
    println!("{} bytes", metadata("table")?.len());
    Ok(())
}
