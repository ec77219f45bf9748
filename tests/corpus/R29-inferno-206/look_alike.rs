//! Keeps a journal: each record has to last before the next is begun.

use std::fs::{File, metadata};
use std::io::Write;

fn main() -> std::io::Result<()> {
    let mut journal = File::create("journal")?;
    for record in 100..170 {
        journal.write_all(format!("moved {record}\n").as_bytes())?;
        journal.sync_data()?;
    }
    drop(journal);
    println!("{} bytes", metadata("journal")?.len());
    Ok(())
}
