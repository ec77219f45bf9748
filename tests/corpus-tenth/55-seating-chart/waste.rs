// Enters the bookings of an evening into the seating chart: 512 records of 32 bytes.
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};

const RECORD: usize = 32;
const SEATS: usize = 32;

struct Booking {
    row: usize,
    seat: usize,
    guest: String,
}

fn parse(line: &str) -> Option<Booking> {
    let mut f = line.split(' ');
    Some(Booking {
        row: f.next()?.parse().ok()?,
        seat: f.next()?.parse().ok()?,
        guest: f.next()?.to_string(),
    })
}

/// Puts the guest into the chart unless the seat is taken.
fn enter(chart: &mut [u8], b: &Booking) -> bool {
    let at = (b.row * SEATS + b.seat) * RECORD;
    let name = &mut chart[at + 15..at + RECORD - 1];
    if !name.starts_with(b"free") {
        return false;
    }
    name.fill(b' ');
    let guest = b.guest.as_bytes();
    let n = guest.len().min(name.len());
    name[..n].copy_from_slice(&guest[..n]);
    true
}

fn main() -> io::Result<()> {
    let text = fs::read_to_string("bookings.txt")?;
    let mut file = OpenOptions::new().read(true).write(true).open("chart.dat")?;
    let mut chart = Vec::new();
    file.read_to_end(&mut chart)?;

    let (mut entered, mut taken) = (0, 0);
    for booking in text.lines().filter_map(parse) {
        if enter(&mut chart, &booking) {
            entered += 1;
        } else {
            taken += 1;
        }
    }

    file.seek(SeekFrom::Start(0))?;
    file.write_all(&chart)?;
    file.sync_all()?;

    let free = chart.chunks(RECORD).filter(|r| r[15..].starts_with(b"free")).count();
    println!("{entered} bookings entered, {taken} seats were taken");
    println!("{free} of {} seats free", chart.len() / RECORD);
    Ok(())
}
