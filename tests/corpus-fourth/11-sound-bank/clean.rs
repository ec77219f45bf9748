//! Loads the sound effects of a game; each may be in any of four formats.
use std::collections::HashMap;
use std::fs;
use std::io;

const FORMATS: [&str; 4] = ["ogg", "mp3", "flac", "wav"];

struct Effect {
    format: &'static str,
    data: Vec<u8>,
}

struct Bank {
    formats: HashMap<String, &'static str>,
}

impl Bank {
    fn open() -> io::Result<Bank> {
        let mut formats = HashMap::new();
        for entry in fs::read_dir("sounds")? {
            let file = entry?.file_name().into_string().unwrap_or_default();
            if let Some((stem, ending)) = file.rsplit_once('.') {
                if let Some(f) = FORMATS.iter().find(|f| **f == ending) {
                    formats.insert(stem.to_owned(), *f);
                }
            }
        }
        Ok(Bank { formats })
    }

    fn load(&self, name: &str) -> io::Result<Effect> {
        let format = self.formats[name];
        Ok(Effect { format, data: fs::read(format!("sounds/{name}.{format}"))? })
    }
}

fn main() -> io::Result<()> {
    let bank = Bank::open()?;
    let mut by_format: HashMap<&str, (usize, usize)> = HashMap::new();
    for i in 1..=70 {
        let e = bank.load(&format!("fx_{i}"))?;
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
