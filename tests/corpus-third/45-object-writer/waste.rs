use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

struct Store {
    dir: PathBuf,
}

impl Store {
    fn put(&self, n: u32, data: &[u8]) -> io::Result<PathBuf> {
        let p = self.dir.join(format!("{n:04}.obj"));
        let mut f = OpenOptions::new().write(true).create_new(true).open(&p)?;
        f.write_all(data)?;
        f.sync_all()?;
        Ok(p)
    }

    fn commit(&self) -> io::Result<()> {
        // every object was synced when it was written
        Ok(())
    }
}

fn main() -> io::Result<()> {
    let s = Store { dir: Path::new("store").canonicalize()? };
    let mut n = 0;
    for i in 0..5u32 {
        let p = s.put(i, format!("payload {}\n", i * i).as_bytes())?;
        n += p.metadata()?.len();
    }
    s.commit()?;
    println!("stored 5 objects, {n} bytes");
    Ok(())
}
