use std::fs;
use std::io;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

struct Sack {
    name: String,
    weight: u64,
    filled: SystemTime,
}

fn days(t: SystemTime) -> u64 {
    t.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs() / 86400
}

fn inventory(dir: &str) -> io::Result<Vec<Sack>> {
    let mut sacks = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let facts = entry.metadata()?;
        sacks.push(Sack {
            name: entry.file_name().to_string_lossy().into_owned(),
            weight: facts.len(),
            filled: facts.modified()?,
        });
    }
    sacks.sort_by(|a, b| b.weight.cmp(&a.weight).then(a.name.cmp(&b.name)));
    Ok(sacks)
}

fn main() -> io::Result<()> {
    let sacks = inventory("store")?;
    let mut page = String::new();
    for sack in &sacks {
        let old = if days(sack.filled) < 20000 { "  old" } else { "" };
        page += &format!("{:>4} {}{}\n", sack.weight, sack.name, old);
    }
    let sum: u64 = sacks.iter().map(|s| s.weight).sum();
    print!("{}{} sacks, {} in all\n", page, sacks.len(), sum);
    Ok(())
}
