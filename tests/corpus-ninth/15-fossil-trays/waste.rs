use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

struct Find<'a> {
    era: &'a str,
    number: &'a str,
    grams: u32,
    place: &'a str,
}

fn parse(line: &str) -> Option<Find<'_>> {
    let mut parts = line.split(',');
    Some(Find {
        era: parts.next()?,
        number: parts.next()?,
        grams: parts.next()?.parse().ok()?,
        place: parts.next()?,
    })
}

struct Museum {
    root: PathBuf,
}

impl Museum {
    fn new(root: &Path) -> Self {
        Museum { root: root.to_path_buf() }
    }

    fn file_card(&mut self, find: &Find) -> io::Result<()> {
        let drawer = self.root.join(find.era);
        fs::create_dir_all(&drawer)?;
        let card = format!("{}\n{} g\nfound in {}\n", find.number, find.grams, find.place);
        fs::write(drawer.join(find.number), card)
    }
}

fn main() -> io::Result<()> {
    let text = fs::read_to_string("finds.csv")?;
    let mut museum = Museum::new(Path::new("museum"));
    let mut eras: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for find in text.lines().filter_map(parse) {
        museum.file_card(&find)?;
        let sum = eras.entry(find.era).or_default();
        sum.0 += 1;
        sum.1 += find.grams;
    }
    for (era, (count, grams)) in &eras {
        println!("{era:<12} {count:>3} finds {grams:>6} g");
    }
    Ok(())
}
