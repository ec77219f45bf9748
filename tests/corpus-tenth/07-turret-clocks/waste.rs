// Finds the turret clocks that drift most, from the keepers' logs.
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

const LARGEST: u64 = 64 * 1024;

fn load(path: &str) -> io::Result<String> {
    let mut file = File::open(path)?;
    let size = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(0))?;
    if size > LARGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "log too long"));
    }
    let mut bytes = vec![0u8; size as usize];
    file.read_exact(&mut bytes)?;
    String::from_utf8(bytes).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))
}

fn drift(text: &str) -> (i32, usize) {
    let mut sum = 0;
    let mut days = 0;
    for line in text.lines() {
        if let Some(value) = line.rsplit(' ').next() {
            if let Ok(v) = value.parse::<i32>() {
                sum += v;
                days += 1;
            }
        }
    }
    (sum, days)
}

fn main() -> io::Result<()> {
    let mut worst = (0, String::new());
    let mut all_days = 0;
    for number in 1..=40 {
        let name = format!("t{}", number);
        let (sum, days) = drift(&load(&format!("clocks/{}.log", name))?);
        all_days += days;
        if sum.abs() > worst.0 {
            worst = (sum.abs(), name);
        }
    }
    println!("40 clocks, {} days", all_days);
    println!("worst: {} with {} seconds", worst.1, worst.0);
    Ok(())
}
