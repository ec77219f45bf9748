// Adds up all entries of a ledger with records of 17 bytes.
use std::fs::File;
use std::io::{self, Read};

const RECORD: u64 = 17;

struct Ledger {
    file: File,
    records: u64,
}

impl Ledger {
    fn open(path: &str) -> io::Result<Ledger> {
        let file = File::open(path)?;
        let records = file.metadata()?.len() / RECORD;
        Ok(Ledger { file, records })
    }

    fn read_next(&mut self) -> io::Result<(u64, u64)> {
        let mut raw = [0u8; RECORD as usize];
        self.file.read_exact(&mut raw)?;
        let field = |r: std::ops::Range<usize>| -> u64 {
            std::str::from_utf8(&raw[r]).unwrap().parse().unwrap()
        };
        Ok((field(0..8), field(8..16)))
    }
}

fn main() -> io::Result<()> {
    let mut ledger = Ledger::open("ledger.dat")?;
    let mut sum = 0;
    for number in 0..ledger.records {
        let (id, amount) = ledger.read_next()?;
        assert_eq!(id, number);
        sum += amount;
    }
    println!("{} entries, sum {sum}", ledger.records);
    Ok(())
}
