use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

struct Hedge {
    file: PathBuf,
    metres: u32,
    gaps: u32,
}

fn absolute(name: &str) -> io::Result<PathBuf> {
    Ok(env::current_dir()?.join("hedges").join(name))
}

fn load(file: &Path) -> io::Result<Hedge> {
    let text = fs::read_to_string(file)?;
    let mut numbers = text.split_whitespace().map(|n| n.parse().unwrap_or(0));
    Ok(Hedge {
        file: file.to_path_buf(),
        metres: numbers.next().unwrap_or(0),
        gaps: numbers.next().unwrap_or(0),
    })
}

fn main() -> io::Result<()> {
    let mut hedges = Vec::new();
    for n in 1..=60 {
        let file = absolute(&format!("h{n}"))?;
        hedges.push(load(&file)?);
    }
    let metres: u32 = hedges.iter().map(|h| h.metres).sum();
    let gaps: u32 = hedges.iter().map(|h| h.gaps).sum();
    let longest = hedges.iter().max_by_key(|h| (h.metres, &h.file)).unwrap();
    println!("{} hedges, {metres} metres, {gaps} gaps", hedges.len());
    println!("longest {}", longest.file.file_name().unwrap().to_string_lossy());
    Ok(())
}
