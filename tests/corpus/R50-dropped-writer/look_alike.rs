//! Goes on without its table, and says so.

use std::fs::OpenOptions;
use std::io::Write;

fn main() -> std::io::Result<()> {
    let mut table = OpenOptions::new().write(true).open("table")?;
    match table.write_all(b"row 0\n") {
        Ok(()) => println!("1 row"),
        Err(error) => {
            eprintln!("no table is kept: {error}");
            println!("no row");
        }
    }
    Ok(())
}
