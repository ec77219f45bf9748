// Collects the sewing patterns for an order; the nearest collection wins.
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const COLLECTIONS: [&str; 4] = ["own", "club", "region", "national"];

fn locate(name: &str) -> Option<PathBuf> {
    let file = format!("{name}.pat");
    COLLECTIONS
        .iter()
        .map(|c| Path::new(c).join(&file))
        .find(|p| p.exists())
}

fn main() -> io::Result<()> {
    let order = fs::read_to_string("order.txt")?;
    let mut pieces = 0u32;
    let mut per_place: BTreeMap<String, u32> = BTreeMap::new();
    let mut missing = Vec::new();
    for name in order.lines() {
        let Some(path) = locate(name) else {
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
