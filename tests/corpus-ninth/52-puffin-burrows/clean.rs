use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Default)]
struct Burrow {
    visits: u32,
    chicks: u32,
    fish: u32,
}

struct Island {
    here: PathBuf,
    burrows: BTreeMap<PathBuf, Burrow>,
}

impl Island {
    fn full(&self, path: &Path) -> PathBuf {
        self.here.join(path)
    }

    fn visit(&mut self, path: &str) -> io::Result<()> {
        let card = self.full(Path::new(path));
        let text = fs::read_to_string(&card)?;
        let burrow = self.burrows.entry(card).or_default();
        burrow.visits += 1;
        for line in text.lines() {
            match line.split_once(' ') {
                Some(("chick", _)) => burrow.chicks += 1,
                Some(("fish", n)) => burrow.fish += n.parse().unwrap_or(0),
                _ => (),
            }
        }
        Ok(())
    }

    fn report(&self) -> io::Result<String> {
        let mut text = String::new();
        for (path, b) in &self.burrows {

            let shown = path.strip_prefix(&self.here).unwrap_or(path);
            text += &format!("{} {} {} {}\n", shown.display(), b.visits, b.chicks, b.fish);
        }
        Ok(text)
    }
}

fn main() -> io::Result<()> {
    let mut island = Island { here: env::current_dir()?, burrows: BTreeMap::new() };
    for line in fs::read_to_string("round.txt")?.lines() {
        island.visit(line)?;
    }
    fs::write("round.out", island.report()?)?;
    let chicks: u32 = island.burrows.values().map(|b| b.chicks).sum();
    let fish: u32 = island.burrows.values().map(|b| b.fish).sum();
    println!("{} burrows, {chicks} chicks, {fish} fish", island.burrows.len());
    Ok(())
}
