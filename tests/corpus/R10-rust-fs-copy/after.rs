//! What open gave is what was wanted.
use std::fs::{File, OpenOptions};
use std::io::{Read, Result, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};

fn main() -> Result<()> {
    std::fs::create_dir("copies")?;
    let mut total = 0;
    for number in 1..=20 {
        let mut from = File::open(format!("data/{number}"))?;
        let facts = from.metadata()?;
        let mode = facts.permissions().mode();
        let mut to = OpenOptions::new().write(true).create_new(true).mode(mode).open(format!("copies/{number}"))?;
        let mut bytes = vec![0; usize::try_from(facts.len()).unwrap()];
        from.read_exact(&mut bytes)?;
        to.write_all(&bytes)?;
        total += bytes.len();
    }
    println!("bytes {total}");
    Ok(())
}
