// Reads the length-prefixed scans of a parcel sorter and counts them by size class.
use std::fs::File;
use std::io::{self, BufReader, Read};

struct Scanner {
    input: BufReader<File>,
    remaining: u64,
}

impl Scanner {
    fn open(name: &str) -> io::Result<Scanner> {
        let file = File::open(name)?;
        let remaining = file.metadata()?.len();
        Ok(Scanner { input: BufReader::new(file), remaining })
    }

    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        if self.remaining < 4 {
            return Ok(None);
        }
        let mut head = [0u8; 4];
        self.input.read_exact(&mut head)?;
        self.remaining -= 4;
        let len: u64 = std::str::from_utf8(&head)
            .ok()
            .and_then(|s| s.parse().ok())
            .ok_or(io::ErrorKind::InvalidData)?;
        if len > self.remaining {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut body = vec![0u8; len as usize];
        self.input.read_exact(&mut body)?;
        self.remaining -= len;
        Ok(Some(body))
    }
}

fn main() -> io::Result<()> {
    let mut scanner = Scanner::open("parcels.dat")?;
    let mut classes = [0u32; 4];
    let mut sum = 0u64;
    let mut count = 0;
    while let Some(body) = scanner.next()? {
        classes[(body.len() / 50).min(3)] += 1;
        sum += body.iter().map(|&b| b as u64).sum::<u64>();
        count += 1;
    }
    println!("{count} parcels, checksum {sum}");
    for (name, n) in ["letter", "small", "medium", "large"].iter().zip(classes) {
        println!("{name:8}{n:5}");
    }
    Ok(())
}
