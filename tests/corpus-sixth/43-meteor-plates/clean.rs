// Counts the meteor trails measured on the photographic plates of one night.
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

#[derive(Debug, Default)]
struct Night {
    plates: usize,
    blank: usize,
    trails: usize,
    brightest: Option<(u32, u32)>,
}

fn open_plate(path: &Path) -> io::Result<File> {
    File::open(path)
}

fn measure(path: &Path, night: &mut Night) -> io::Result<()> {
    let mut lines = BufReader::new(open_plate(path)?).lines();
    let head = lines.next().transpose()?.unwrap_or_default();
    let plate: u32 = head
        .strip_prefix("PLATE ")
        .and_then(|n| n.parse().ok())
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, head.clone()))?;
    let mut found = 0;
    for line in lines {
        let line = line?;
        let numbers: Vec<u32> = line.split(' ').skip(1).filter_map(|w| w.parse().ok()).collect();
        if let [_, light, _] = numbers[..] {
            found += 1;
            if night.brightest.map_or(true, |(best, _)| light > best) {
                night.brightest = Some((light, plate));
            }
        }
    }
    night.plates += 1;
    night.trails += found;
    if found == 0 {
        night.blank += 1;
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir("plates")?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<io::Result<_>>()?;
    paths.sort();
    let mut night = Night::default();
    for path in &paths {
        measure(path, &mut night)?;
    }
    println!("{} plates, {} blank, {} trails", night.plates, night.blank, night.trails);
    if let Some((light, plate)) = night.brightest {
        println!("brightest {light} on plate {plate}");
    }
    Ok(())
}
