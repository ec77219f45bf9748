//! Makes a log under a temporary name, gives it its own, and acknowledges three records.

use std::fs::{self, File};
use std::io::{self, Write};

fn main() -> io::Result<()> {
    let mut log = File::create("0.wal.tmp")?;
    log.write_all(&[0; 4096])?;
    log.sync_data()?;
    fs::rename("0.wal.tmp", "0.wal")?;
    for record in 0..3 {
        writeln!(log, "record {record}")?;
        log.sync_data()?;
    }
    println!("3 records are safe");
    Ok(())
}
