// Best height of each pilot over a season of small flight records.
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

const LIMIT: u64 = 64 * 1024;

fn load(path: &Path) -> io::Result<Option<String>> {
    let mut file = File::open(path)?;
    let len = file.metadata()?.len();
    if len == 0 || len > LIMIT {
        return Ok(None);
    }
    let mut raw = vec![0u8; len as usize];
    file.read_exact(&mut raw)?;
    Ok(Some(String::from_utf8_lossy(&raw).into_owned()))
}

fn best_height(text: &str) -> (String, u32) {
    let mut pilot = String::from("unknown");
    let mut best = 0;
    for line in text.lines() {
        if let Some(p) = line.strip_prefix("HPLTPILOT: ") {
            pilot = p.to_string();
        } else if let Some((_, h)) = line.strip_prefix('B').and_then(|l| l.split_once(':')) {
            best = best.max(h.parse().unwrap_or(0));
        }
    }
    (pilot, best)
}

fn main() -> io::Result<()> {
    let mut names: Vec<_> = fs::read_dir("flights")?
        .map(|e| e.map(|e| e.file_name()))
        .collect::<Result<_, _>>()?;
    names.sort();
    let mut season: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for name in &names {
        let path = Path::new("flights").join(name);
        if let Some(text) = load(&path)? {
            let (pilot, best) = best_height(&text);
            let e = season.entry(pilot).or_insert((0, 0));
            e.0 += 1;
            e.1 = e.1.max(best);
        }
    }
    for (pilot, (flights, best)) in &season {
        println!("{pilot}: {flights} flights, best {best} m");
    }
    Ok(())
}
