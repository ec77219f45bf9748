//! Writes a log that others append to as well: each line goes out whole and at once.

use std::fs::{OpenOptions, metadata};
use std::io::Write;

fn main() -> std::io::Result<()> {
    let mut log = OpenOptions::new().append(true).create(true).open("log")?;
    for request in 100..200 {
        log.write_all(format!("request {request} done\n").as_bytes())?;
    }
    drop(log);
    println!("{} bytes", metadata("log")?.len());
    Ok(())
}
