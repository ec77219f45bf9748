use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

const TAGS: usize = 20480;

fn tags(pairs: &[(&str, &str)]) -> Vec<u8> {
    let mut v = Vec::with_capacity(TAGS);
    for (k, val) in pairs {
        v.extend_from_slice(format!("{k}={val}\n").as_bytes());
    }
    v.resize(TAGS, b' ');
    v
}

fn retag(path: &Path, pairs: &[(&str, &str)]) -> io::Result<()> {
    let t = tags(pairs);
    let mut f = OpenOptions::new().write(true).open(path)?;
    f.write_all(&t)?;
    f.sync_all()
}

fn main() -> io::Result<()> {
    let p = Path::new("music/song.ogg");
    retag(p, &[("TITLE", "Blue"), ("ARTIST", "The Testers"), ("YEAR", "1999")])?;
    let back = fs::read(p)?;
    let head = String::from_utf8_lossy(&back[..10]).into_owned();
    println!("{:?} {} {}", head, back.len(), back[TAGS] as char);
    Ok(())
}
