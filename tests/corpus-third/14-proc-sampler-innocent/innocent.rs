use std::fs;
use std::io;
use std::thread::sleep;
use std::time::Duration;

#[derive(Debug, Clone, Copy)]
struct Sample {
    pages: u64,
    ticks: u64,
}

fn sample() -> io::Result<Sample> {
    let statm = fs::read_to_string("/proc/self/statm")?;
    let pages = statm.split(' ').nth(1).and_then(|v| v.parse().ok()).unwrap_or(0);
    let stat = fs::read_to_string("/proc/self/stat")?;
    let rest = stat.rsplit(") ").next().unwrap_or("");
    let f: Vec<&str> = rest.split(' ').collect();
    let ticks = f.get(11).and_then(|v| v.parse().ok()).unwrap_or(0);
    Ok(Sample { pages, ticks })
}

fn main() -> io::Result<()> {
    let mut all = Vec::new();
    let mut ballast: Vec<Vec<u8>> = Vec::new();
    for i in 0..30u8 {
        ballast.push(vec![i; 200_000]);
        all.push(sample()?);
        sleep(Duration::from_millis(3));
    }
    let grown = all.last().unwrap().pages > all[0].pages;
    let ordered = all.windows(2).all(|w| w[0].ticks <= w[1].ticks);
    println!("{} samples, grown {}, ordered {}, ballast {}", all.len(), grown, ordered, ballast.len());
    Ok(())
}
