use std::fs;
use std::io;
use std::path::PathBuf;
use std::collections::HashSet;

struct Cache {
    root: PathBuf,
    dirs: HashSet<String>,
    stored: usize,
}

fn key(data: &[u8]) -> u64 {
    data.iter().fold(0xcbf29ce484222325, |h, b| (h ^ *b as u64).wrapping_mul(0x100000001b3))
}

impl Cache {
    fn put(&mut self, data: &[u8]) -> io::Result<()> {
        let k = format!("{:016x}", key(data));
        let dir = self.root.join(&k[..1]);
        if self.dirs.insert(k[..1].to_string()) {
            fs::create_dir_all(&dir)?;
        }
        fs::write(dir.join(&k[1..]), data)?;
        self.stored += 1;
        Ok(())
    }
}

fn main() -> io::Result<()> {
    let mut c = Cache {
        root: PathBuf::from("cache/blobs"),
        dirs: HashSet::new(),
        stored: 0,
    };
    for i in 0..200 {
        c.put(format!("object number {}", i * i).as_bytes())?;
    }
    println!("{} blobs in {} directories", c.stored, fs::read_dir("cache/blobs")?.count());
    Ok(())
}
