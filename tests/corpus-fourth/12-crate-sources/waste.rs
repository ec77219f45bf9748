//! Counts the sources of each crate in a workspace.
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

fn count(dir: &Path, depth: usize, found: &mut BTreeMap<usize, usize>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let path = entry.path();
        if fs::metadata(&path)?.is_dir() {
            count(&path, depth + 1, found)?;
        } else if path.extension().is_some_and(|e| e == "rs") {
            *found.entry(depth).or_default() += 1;
        }
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let mut found = BTreeMap::new();
    count(Path::new("project"), 0, &mut found)?;
    for (depth, n) in &found {
        println!("depth {depth}: {n} sources");
    }
    Ok(())
}
