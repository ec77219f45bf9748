// Counts the lots of a seed vault, species by species.
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Default)]
struct Tally {
    lots: u32,
    other: u32,
    rooms: u32,
}

fn walk(dir: &Path, tally: &mut Tally) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path: PathBuf = entry?.path();
        if path.is_dir() {
            tally.rooms += 1;
            walk(&path, tally)?;
        } else if path.is_file() {
            let lot = path
                .file_name()
                .and_then(|n| n.to_str())
                .is_some_and(|n| n.starts_with("lot"));
            if lot {
                tally.lots += 1;
            } else {
                tally.other += 1;
            }
        }
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let mut species: BTreeMap<String, Tally> = BTreeMap::new();
    for entry in fs::read_dir("vault")? {
        let path = entry?.path();
        if !path.is_dir() {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        walk(&path, species.entry(name).or_default())?;
    }
    for (name, t) in &species {
        println!("{name:8}{:3} lots in {} rooms, {} other", t.lots, t.rooms, t.other);
    }
    println!("{} species", species.len());
    Ok(())
}
