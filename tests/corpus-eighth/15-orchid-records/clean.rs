// Files each orchid specimen as a text record below the folder of its genus.
use std::collections::BTreeMap;
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

struct Specimen<'a> {
    genus: &'a str,
    number: u32,
    height: u32,
    year: u32,
}

fn parse(line: &str) -> Option<Specimen<'_>> {
    let mut f = line.split(' ');
    Some(Specimen {
        genus: f.next()?,
        number: f.next()?.parse().ok()?,
        height: f.next()?.parse().ok()?,
        year: f.next()?.parse().ok()?,
    })
}

fn file(root: &Path, s: &Specimen, made: &mut HashSet<PathBuf>) -> io::Result<()> {
    let dir = root.join(s.genus);
    if made.insert(dir.clone()) {
        fs::create_dir_all(&dir)?;
    }
    let text = format!("{} no. {}\nheight {} cm\ncollected {}\n", s.genus, s.number, s.height, s.year);
    fs::write(dir.join(format!("{:03}.txt", s.number)), text)
}

fn main() -> io::Result<()> {
    let list = fs::read_to_string("specimens.txt")?;
    let root = Path::new("herbarium");
    let mut tallest: BTreeMap<&str, u32> = BTreeMap::new();
    let mut count = 0;
    let mut made = HashSet::new();
    for s in list.lines().filter_map(parse) {
        file(root, &s, &mut made)?;
        let t = tallest.entry(s.genus).or_default();
        *t = s.height.max(*t);
        count += 1;
    }
    for (genus, height) in &tallest {
        println!("{genus}: up to {height} cm");
    }
    println!("{count} specimens filed");
    Ok(())
}
