use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};

struct Tally {
    hours: BTreeMap<String, u32>,
    carry: Vec<u8>,
}

impl Tally {
    fn line(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let parts: Vec<&str> = text.split_whitespace().collect();
        if parts.len() == 4 {
            let hours: u32 = parts[3].parse().unwrap_or(0);
            *self.hours.entry(parts[1].to_string()).or_insert(0) += hours;
        }
    }

    fn feed(&mut self, block: &[u8]) {
        for &b in block {
            if b == b'\n' {
                let line = std::mem::take(&mut self.carry);
                self.line(&line);
            } else {
                self.carry.push(b);
            }
        }
    }
}

fn main() -> io::Result<()> {
    let mut log = File::open("hire.log")?;
    let mut tally = Tally { hours: BTreeMap::new(), carry: Vec::new() };
    let mut block = [0u8; 4096];
    let mut done: u64 = 0;
    let mut tenths = 0;
    let mut report = String::new();
    loop {
        let size = log.metadata()?.len();
        if done == size {
            break;
        }
        let n = log.read(&mut block)?;
        tally.feed(&block[..n]);
        done += n as u64;
        let now = done * 10 / size;
        if now > tenths {
            tenths = now;
            report += &format!("{}0 % of {} bytes\n", tenths, size);
        }
    }
    for (canoe, hours) in &tally.hours {
        report += &format!("{} {}\n", canoe, hours);
    }
    fs::write("hours.txt", &report)?;
    println!("{} canoes, {} lines of report", tally.hours.len(), report.lines().count());
    Ok(())
}
