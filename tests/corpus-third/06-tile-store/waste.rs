use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

const TILE: usize = 4096;

struct Store {
    file: File,
    tiles: u64,
}

impl Store {
    fn create(path: &str) -> io::Result<Store> {
        Ok(Store { file: File::create(path)?, tiles: 0 })
    }

    fn push(&mut self, tile: &[u8; TILE]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.tiles * TILE as u64))?;
        self.file.write_all(tile)?;
        self.tiles += 1;
        Ok(())
    }
}

fn render(n: u32) -> [u8; TILE] {
    let mut t = [0u8; TILE];
    for (i, b) in t.iter_mut().enumerate() {
        *b = ((i as u32 * 31 + n * 7) % 251) as u8;
    }
    t
}

fn main() -> io::Result<()> {
    let mut store = Store::create("map/z4.tiles")?;
    for n in 0..128 {
        store.push(&render(n))?;
    }
    let end = store.file.metadata()?.len();
    println!("{} tiles, {} bytes", store.tiles, end);
    Ok(())
}
