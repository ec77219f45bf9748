// Track length and branch count of each map of a railway atlas.
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

const LIMIT: u64 = 1 << 20;

fn load(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let len = file.metadata()?.len();
    if len > LIMIT {
        return Err(io::Error::other("map too large"));
    }
    let mut raw = vec![0; len as usize];
    file.read_exact(&mut raw)?;
    Ok(raw)
}

fn halt(name: &str) -> u32 {
    name.trim_start_matches("halt").parse().unwrap_or(0)
}

fn measure(text: &str) -> (u32, u32) {
    let mut km = 0;
    let mut branches = 0;
    for line in text.lines() {
        let Some((track, length)) = line.split_once(' ') else { continue };
        let Some((from, to)) = track.split_once('-') else { continue };
        km += length.parse::<u32>().unwrap_or(0);
        if halt(to) != halt(from) + 1 {
            branches += 1;
        }
    }
    (km, branches)
}

fn main() -> io::Result<()> {
    let mut names: Vec<_> = fs::read_dir("maps")?
        .map(|e| e.map(|e| e.path()))
        .collect::<Result<_, _>>()?;
    names.sort();
    let mut all = 0;
    for (i, path) in names.iter().enumerate() {
        let raw = load(path)?;
        let (km, branches) = measure(&String::from_utf8_lossy(&raw));
        all += km;
        if i % 5 == 0 {
            println!("{}: {km} km, {branches} branches", path.display());
        }
    }
    println!("{} maps, {all} km", names.len());
    Ok(())
}
