//! Writes a table through a buffer that is left to its drop.

use std::fs::OpenOptions;
use std::io::{BufWriter, Write};

fn main() -> std::io::Result<()> {
    let mut table = BufWriter::new(OpenOptions::new().write(true).open("table")?);
    for row in 0..20 {
        writeln!(table, "row {row}")?;
    }
    drop(table);
    println!("20 rows");
    Ok(())
}
