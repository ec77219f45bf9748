//! Loads the sound effects of a game; each may be in any of four formats.
use std::collections::HashMap;
use std::fs;
use std::io::{self, ErrorKind};

const FORMATS: [&str; 4] = ["ogg", "mp3", "flac", "wav"];

struct Effect {
    format: &'static str,
    data: Vec<u8>,
}

fn load(name: &str) -> io::Result<Effect> {
    for format in FORMATS {
        match fs::read(format!("sounds/{name}.{format}")) {
            Ok(data) => return Ok(Effect { format, data }),
            Err(e) if e.kind() == ErrorKind::NotFound => continue,
            Err(e) => return Err(e),
        }
    }
    Err(io::Error::new(ErrorKind::NotFound, name.to_owned()))
}

fn main() -> io::Result<()> {
    let mut by_format: HashMap<&str, (usize, usize)> = HashMap::new();
    for i in 1..=70 {
        let e = load(&format!("fx_{i}"))?;
        let s = by_format.entry(e.format).or_default();
        s.0 += 1;
        s.1 += e.data.len();
    }
    for f in FORMATS {
        let (n, bytes) = by_format.get(f).copied().unwrap_or_default();
        println!("{f}: {n} effects, {bytes} bytes");
    }
    Ok(())
}
