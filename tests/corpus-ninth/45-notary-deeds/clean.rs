use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

struct Registry {
    dir: PathBuf,
    recorded: u32,
}

impl Registry {
    fn open(dir: &str) -> io::Result<Registry> {
        Ok(Registry { dir: PathBuf::from(dir), recorded: 0 })
    }

    fn record(&mut self, number: u32, text: &str) -> io::Result<PathBuf> {
        let last = self.dir.join(format!("deed-{number:04}.txt"));
        let draft = last.with_extension("draft");
        let mut out = File::create(&draft)?;
        out.write_all(text.as_bytes())?;
        out.sync_all()?;
        fs::rename(&draft, &last)?;
        self.recorded += 1;
        Ok(last)
    }

    fn close(self) -> io::Result<u32> {
        File::open(&self.dir)?.sync_all()?;
        Ok(self.recorded)
    }
}

fn deed(seller: &str, buyer: &str, acres: u32) -> String {
    format!("On this day {seller} has sold\nto {buyer}\n{acres} acres of meadow.\n")
}

fn main() -> io::Result<()> {
    let mut registry = Registry::open("registry")?;
    let mut acres_of: BTreeMap<String, u32> = BTreeMap::new();
    let requests = BufReader::new(File::open(Path::new("sales.txt"))?);
    for (n, line) in requests.lines().enumerate() {
        let line = line?;
        let words: Vec<&str> = line.split(' ').collect();
        let acres: u32 = words[2].parse().unwrap_or(0);
        if acres == 0 {
            continue;
        }
        registry.record(n as u32 + 1, &deed(words[0], words[1], acres))?;
        *acres_of.entry(words[1].to_string()).or_default() += acres;
    }
    let recorded = registry.close()?;
    println!("{recorded} deeds safely recorded");
    for (buyer, acres) in &acres_of {
        println!("{buyer} now owns {acres} acres");
    }
    Ok(())
}
