// Counts the lots of a seed vault, species by species.
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

#[derive(Default)]
struct Tally {
    lots: u32,
    other: u32,
    rooms: u32,
}

fn walk(dir: &Path, tally: &mut Tally) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            tally.rooms += 1;
            walk(&entry.path(), tally)?;
        } else if kind.is_file() {
            if entry.file_name().to_string_lossy().starts_with("lot") {
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
        let entry = entry?;
        if !entry.file_type()?.is_dir() {
            continue;
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        walk(&entry.path(), species.entry(name).or_default())?;
    }
    for (name, t) in &species {
        println!("{name:8}{:3} lots in {} rooms, {} other", t.lots, t.rooms, t.other);
    }
    println!("{} species", species.len());
    Ok(())
}
