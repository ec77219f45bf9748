//! Writes a table through a buffer that is flushed, and says what that gave.

use std::fs::OpenOptions;
use std::io::{BufWriter, Write};

fn main() -> std::io::Result<()> {
    let mut table = BufWriter::new(OpenOptions::new().write(true).open("table")?);
    for row in 0..20 {
        writeln!(table, "row {row}")?;
    }
    let flushed = table.flush();
    // Its drop tries once more.
    drop(table);
    if let Err(error) = flushed {
        eprintln!("table: {error}");
    }
    println!("20 rows");
    Ok(())
}
