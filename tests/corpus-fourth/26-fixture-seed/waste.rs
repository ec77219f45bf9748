//! Lays out a sandbox of fixtures for each of two test suites.
use std::fs;
use std::io;
use std::path::Path;

fn seed(suite: &Path) -> io::Result<u64> {
    fs::create_dir_all(suite)?;
    let mut bytes = 0;
    for entry in fs::read_dir("fixtures")? {
        let entry = entry?;
        let target = suite.join(entry.file_name());
        let content = fs::read(entry.path())?;
        fs::write(&target, &content)?;
        bytes += content.len() as u64;
    }
    Ok(bytes)
}

fn main() -> io::Result<()> {
    let unit = seed(Path::new("sandbox/unit"))?;
    let api = seed(Path::new("sandbox/api"))?;
    println!("{unit} + {api} bytes, {} files", fs::read_dir("sandbox/api")?.count());
    Ok(())
}
