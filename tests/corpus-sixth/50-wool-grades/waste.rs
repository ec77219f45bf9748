// Grades the wool bales by the samples of the scanner.
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 4] = b"BALE";

struct Bale {
    len: u64,
    sum: u64,
}

fn bad(path: &Path, what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{}: {what}", path.display()))
}

fn read_bale(path: &Path) -> io::Result<Bale> {
    let mut file = File::open(path)?;
    let mut magic = [0u8; 4];
    file.read_exact(&mut magic)?;
    if &magic != MAGIC {
        return Err(bad(path, "not a bale"));
    }
    let len = fs::metadata(path)?.len();
    if len > 1 << 20 {
        return Err(bad(path, "too long"));
    }
    let mut samples = vec![0u8; (len - 4) as usize];
    file.read_exact(&mut samples)?;
    Ok(Bale { len, sum: samples.iter().map(|&b| b as u64).sum() })
}

fn grade(bale: &Bale) -> &'static str {
    match bale.sum / (bale.len - 4) {
        0..=82 => "coarse",
        83..=89 => "medium",
        _ => "fine",
    }
}

fn main() -> io::Result<()> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir("bales")? {
        paths.push(entry?.path());
    }
    let mut grades: BTreeMap<&str, usize> = BTreeMap::new();
    let mut bytes = 0;
    for path in &paths {
        let bale = read_bale(path)?;
        bytes += bale.len;
        *grades.entry(grade(&bale)).or_default() += 1;
    }
    println!("{} bales, {bytes} bytes", paths.len());
    for (name, n) in &grades {
        println!("{name}: {n}");
    }
    Ok(())
}
