//! Enters the notices to mariners on the pages of a sea chart (8 KiB each).
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;

const PAGE: usize = 8192;
const NOTES: usize = 64;

fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf29ce484222325, |h, &b| (h ^ b as u64).wrapping_mul(0x100000001b3))
}

struct Chart {
    pages: File,
    twice: File,
    written: u32,
}

impl Chart {
    fn open() -> io::Result<Chart> {
        let rw = |path| OpenOptions::new().read(true).write(true).open(path);
        let mut chart = Chart { pages: rw("chart.pages")?, twice: rw("chart.twice")?, written: 0 };
        chart.recover()?;
        Ok(chart)
    }

    /// A page left in the second file is whole if its number and its sum stand behind it.
    fn recover(&mut self) -> io::Result<()> {
        let mut copy = vec![0; PAGE + 16];
        if self.twice.read_exact_at(&mut copy, 0).is_err() {
            return Ok(());
        }
        let number = u64::from_le_bytes(copy[PAGE..PAGE + 8].try_into().unwrap());
        if copy[PAGE + 8..] != sum(&copy[..PAGE + 8]).to_le_bytes() {
            return Ok(());
        }
        self.pages.write_all_at(&copy[..PAGE], number * PAGE as u64)?;
        self.pages.sync_data()
    }

    fn read(&self, number: u64) -> io::Result<Vec<u8>> {
        let mut page = vec![0; PAGE];
        self.pages.read_exact_at(&mut page, number * PAGE as u64)?;
        Ok(page)
    }

    fn write(&mut self, number: u64, page: &[u8]) -> io::Result<()> {
        let mut copy = page.to_vec();
        copy.extend_from_slice(&number.to_le_bytes());
        copy.extend_from_slice(&sum(&copy).to_le_bytes());
        self.twice.write_all_at(&copy, 0)?;
        self.twice.sync_all()?;
        self.pages.write_all_at(page, number * PAGE as u64)?;
        self.pages.sync_data()?;
        self.twice.set_len(0)?;
        self.written += 1;
        Ok(())
    }
}

fn main() -> io::Result<()> {
    let mut chart = Chart::open()?;
    for (i, line) in fs::read_to_string("notices.txt")?.lines().enumerate() {
        let (number, text) = line.split_once(' ').unwrap_or(("0", line));
        let number: u64 = number.parse().unwrap_or(0);
        let mut page = chart.read(number)?;
        let at = NOTES * (i + 1);
        page[at..at + text.len()].copy_from_slice(text.as_bytes());
        page[8 + 6..12 + 6].copy_from_slice(b"1995");
        chart.write(number, &page)?;
        println!("page {number}: {text}");
    }
    println!("{} pages written", chart.written);
    Ok(())
}
