// Collects the sewing patterns for an order; the nearest collection wins.
use std::collections::BTreeMap;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::PathBuf;

const COLLECTIONS: [&str; 4] = ["own", "club", "region", "national"];

fn catalogue() -> io::Result<HashMap<String, PathBuf>> {
    let mut found = HashMap::new();
    for c in COLLECTIONS {
        for entry in fs::read_dir(c)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if let Some(stem) = name.strip_suffix(".pat") {
                found.entry(stem.to_string()).or_insert(entry.path());
            }
        }
    }
    Ok(found)
}

fn main() -> io::Result<()> {
    let order = fs::read_to_string("order.txt")?;
    let mut pieces = 0u32;
    let mut per_place: BTreeMap<String, u32> = BTreeMap::new();
    let mut missing = Vec::new();
    let patterns = catalogue()?;
    for name in order.lines() {
        let Some(path) = patterns.get(name) else {
            missing.push(name);
            continue;
        };
        let text = fs::read_to_string(path)?;
        let mut words = text.split_whitespace().skip(1);
        pieces += words.next().and_then(|w| w.parse::<u32>().ok()).unwrap_or(0);
        *per_place.entry(words.last().unwrap_or("?").to_string()).or_default() += 1;
    }
    for (place, n) in &per_place {
        println!("{place}: {n} patterns");
    }
    println!("{pieces} pieces to cut, not found: {}", missing.join(" "));
    Ok(())
}
