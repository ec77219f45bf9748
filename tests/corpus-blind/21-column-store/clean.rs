// Joins two small tables over a column on disk.
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

struct Column {
    file: File,
}

impl Column {
    fn get(&self, row: u64) -> io::Result<u64> {
        let mut raw = [0u8; 8];
        self.file.read_exact_at(&mut raw, row * 8)?;
        std::str::from_utf8(&raw)
            .ok()
            .and_then(|s| s.parse().ok())
            .ok_or_else(|| io::Error::other("bad value"))
    }
}

fn main() -> io::Result<()> {
    let column = Column { file: File::open("column.bin")? };
    let mut matches = 0;
    let mut sum = 0;
    for i in 0..150u64 {
        let left = column.get(i * 37 % 1000)?;
        let right = column.get(left)?;
        if right % 3 == 0 {
            matches += 1;
        }
        sum += right;
    }
    println!("{matches} matches, sum {sum}");
    Ok(())
}
