// Tells how much hay the barn records really take: files with several names count once.
use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;

#[derive(Default)]
struct Tally {
    names: u64,
    files: u64,
    apparent: u64,
    real: u64,
    outside: u64,
}

fn survey(folder: &str) -> io::Result<Tally> {
    let mut tally = Tally::default();
    let mut shared: HashMap<(u64, u64), u64> = HashMap::new();
    for entry in fs::read_dir(folder)? {
        let meta = entry?.metadata()?;
        if !meta.is_file() {
            continue;
        }
        tally.names += 1;
        tally.apparent += meta.len();
        if meta.nlink() > 1 {
            let left = shared
                .entry((meta.dev(), meta.ino()))
                .or_insert(meta.nlink());
            *left -= 1;
            if *left + 1 < meta.nlink() {
                continue;
            }
        }
        tally.files += 1;
        tally.real += meta.len();
    }
    tally.outside = shared.values().filter(|left| **left > 0).count() as u64;
    Ok(tally)
}

fn main() -> io::Result<()> {
    let t = survey("ricks")?;
    println!("{} names of {} files", t.names, t.files);
    println!("{} bytes by name, {} by file", t.apparent, t.real);
    println!("{} files have names elsewhere", t.outside);
    Ok(())
}
