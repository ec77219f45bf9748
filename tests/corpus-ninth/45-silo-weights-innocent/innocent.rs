use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};

const SLOT: u64 = 32;

/// The book has been laid out once, with all its slots; a weighing fills the next.
struct Book {
    file: File,
    next: u64,
    slots: u64,
}

impl Book {
    fn open(path: &str) -> io::Result<Book> {
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        let mut all = Vec::new();
        file.read_to_end(&mut all)?;
        let slots = all.len() as u64 / SLOT;
        let next = all.chunks(SLOT as usize).position(|s| s[0] == b'.').map_or(slots, |n| n as u64);
        file.seek(SeekFrom::Start(next * SLOT))?;
        Ok(Book { file, next, slots })
    }

    fn weigh(&mut self, farmer: &str, kilos: u32) -> io::Result<Option<u64>> {
        if self.next == self.slots {
            return Ok(None);
        }
        let slot = format!("{:<20} {:>9} \n", farmer, kilos);
        self.file.write_all(slot.as_bytes())?;
        self.file.sync_data()?;
        self.next += 1;
        Ok(Some(self.next))
    }
}

fn main() -> io::Result<()> {
    let mut book = Book::open("weights.book")?;
    let mut tons = 0.0;
    let mut turned_away = 0;
    for line in BufReader::new(File::open("carts.txt")?).lines() {
        let line = line?;
        let Some((farmer, kilos)) = line.split_once(' ') else { continue };
        let kilos: u32 = kilos.parse().unwrap_or(0);
        match book.weigh(farmer, kilos)? {
            Some(ticket) => {
                println!("ticket {ticket} for {farmer}: {kilos} kg stored");
                tons += kilos as f64 / 1000.0;
            }
            None => turned_away += 1,
        }
    }
    println!("{} of {} slots, {tons:.2} t, {turned_away} turned away", book.next, book.slots);
    Ok(())
}
