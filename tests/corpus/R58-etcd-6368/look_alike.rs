//! Makes a log, gives it its name and writes to it; all of it is made to last at the end, at once.

use std::fs::{self, File};
use std::io::{self, Write};

fn main() -> io::Result<()> {
    let mut log = File::create("0.wal.tmp")?;
    log.write_all(&[0; 4096])?;
    log.sync_data()?;
    fs::rename("0.wal.tmp", "0.wal")?;
    for record in 0..3 {
        writeln!(log, "record {record}")?;
    }
    log.sync_data()?;
    File::open(".")?.sync_all()?;
    println!("3 records are safe");
    Ok(())
}
