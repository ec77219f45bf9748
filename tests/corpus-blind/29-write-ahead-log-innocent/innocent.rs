// A ticket counter that answers only when the sale is durable.
use std::fs::{File, OpenOptions};
use std::io::{self, Write};

struct Wal {
    file: File,
    next: u32,
}

impl Wal {
    fn open(path: &str) -> io::Result<Wal> {
        let file = OpenOptions::new().append(true).open(path)?;
        Ok(Wal { file, next: 1 })
    }

    fn sell(&mut self, seat: u32) -> io::Result<u32> {
        let number = self.next;
        self.file.write_all(format!("sale {number} seat {seat}\n").as_bytes())?;
        self.file.sync_data()?;
        self.next += 1;
        Ok(number)
    }
}

fn main() -> io::Result<()> {
    let mut wal = Wal::open("wal.log")?;
    let mut out = io::stdout();
    for customer in 0..25 {
        let number = wal.sell(customer * 3 % 40)?;
        writeln!(out, "sold {number}")?;
    }
    writeln!(out, "done")?;
    Ok(())
}
