use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Default)]
struct Shed {
    looms: u32,
    shafts: u32,
    oldest: Option<u32>,
}

// A name looks like 1843-4shaft.wif: year and number of shafts.
fn parse(path: &Path) -> Option<(u32, u32)> {
    let name = path.file_name()?.to_str()?.strip_suffix("shaft.wif")?;
    let (year, shafts) = name.split_once('-')?;
    Some((year.parse().ok()?, shafts.parse().ok()?))
}

fn walk(dir: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, found)?;
        } else if path.is_file() {
            found.push(path);
        }
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let mut found = Vec::new();
    walk(Path::new("looms"), &mut found)?;
    let mut sheds: BTreeMap<String, Shed> = BTreeMap::new();
    let mut odd = 0;
    for path in &found {
        let Some((year, shafts)) = parse(path) else {
            odd += 1;
            continue;
        };
        let name = path.parent().map(|p| p.display().to_string()).unwrap_or_default();
        let shed = sheds.entry(name).or_default();
        shed.looms += 1;
        shed.shafts += shafts;
        shed.oldest = Some(shed.oldest.map_or(year, |y| y.min(year)));
    }
    for (name, shed) in &sheds {
        println!("{name:<12} {:>3} looms {:>3} shafts, oldest {}", shed.looms, shed.shafts, shed.oldest.unwrap_or(0));
    }
    println!("{} looms, {odd} odd files", sheds.values().map(|s| s.looms).sum::<u32>());
    Ok(())
}
