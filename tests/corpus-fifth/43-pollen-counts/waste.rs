// Sums two months of pollen counts.
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

struct Day {
    file: File,
}

impl Day {
    fn open(path: &Path) -> io::Result<Day> {
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        Ok(Day { file })
    }

    fn counts(self) -> io::Result<Vec<(String, u32)>> {
        let mut all = Vec::new();
        for line in BufReader::new(self.file).lines() {
            let line = line?;
            if let Some((plant, n)) = line.split_once(' ') {
                let n = n.parse().map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
                all.push((plant.to_string(), n));
            }
        }
        Ok(all)
    }
}

fn main() -> io::Result<()> {
    let mut sums: BTreeMap<String, u32> = BTreeMap::new();
    let mut worst: (u32, PathBuf) = (0, PathBuf::new());
    for d in 1..=60 {
        let path = PathBuf::from(format!("days/d{d}.txt"));
        let mut day_sum = 0;
        for (plant, n) in Day::open(&path)?.counts()? {
            day_sum += n;
            *sums.entry(plant).or_default() += n;
        }
        if day_sum > worst.0 {
            worst = (day_sum, path);
        }
    }
    for (plant, n) in &sums {
        println!("{plant}: {n}");
    }
    println!("worst: {} with {}", worst.1.display(), worst.0);
    Ok(())
}
