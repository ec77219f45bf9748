// Collects the dependency versions of all crates of a workspace.
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

fn dependencies(path: &Path) -> io::Result<Vec<String>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(path)?;
    Ok(text.lines().map(str::to_string).collect())
}

fn main() -> io::Result<()> {
    let mut versions = BTreeSet::new();
    let mut unlocked = 0;
    for number in 0..133 {
        let name = format!("crates/{number}.lock");
        let found = dependencies(Path::new(&name))?;
        if found.is_empty() {
            unlocked += 1;
        }
        versions.extend(found);
    }
    println!("{} versions, {unlocked} crates without a lock", versions.len());
    Ok(())
}
