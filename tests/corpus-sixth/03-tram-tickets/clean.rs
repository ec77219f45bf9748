// Adds up the fares of a tram's ticket journal, zone by zone.
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};

const BLOCK: u64 = 2048;

struct Journal {
    file: File,
    read: u64,
    len: u64,
}

impl Journal {
    fn open(path: &str) -> io::Result<Journal> {
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        Ok(Journal { file, read: 0, len })
    }

    fn left(&self) -> io::Result<u64> {
        Ok(self.len - self.read)
    }

    fn next_block(&mut self, buf: &mut Vec<u8>) -> io::Result<bool> {
        let want = self.left()?.min(BLOCK);
        if want == 0 {
            return Ok(false);
        }
        buf.resize(want as usize, 0);
        self.file.read_exact(buf)?;
        self.read += want;
        Ok(true)
    }
}

fn main() -> io::Result<()> {
    let mut journal = Journal::open("journal.bin")?;
    let mut zones: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    let mut block = Vec::new();
    while journal.next_block(&mut block)? {
        for ticket in block.chunks_exact(8) {
            let zone = u32::from_le_bytes(ticket[0..4].try_into().unwrap());
            let cents = u32::from_le_bytes(ticket[4..8].try_into().unwrap());
            let entry = zones.entry(zone).or_default();
            entry.0 += 1;
            entry.1 += cents as u64;
        }
    }
    let tickets: u64 = zones.values().map(|z| z.0).sum();
    let cents: u64 = zones.values().map(|z| z.1).sum();
    let best = zones.iter().max_by_key(|(_, z)| z.1).unwrap();
    println!("{} tickets in {} zones, {}.{:02}", tickets, zones.len(), cents / 100, cents % 100);
    println!("best zone {} with {} tickets", best.0, best.1 .0);
    Ok(())
}
