//! Looks up a set of keys in one segment of a store.
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};

struct Segment {
    data: File,
    index: HashMap<String, (u64, usize)>,
}

impl Segment {
    fn open(name: &str) -> io::Result<Self> {
        let mut index = HashMap::new();
        for line in fs::read_to_string(format!("{name}.keys"))?.lines() {
            let mut f = line.split(' ');
            if let (Some(k), Some(o), Some(l)) = (f.next(), f.next(), f.next()) {
                index.insert(k.to_owned(), (o.parse().unwrap_or(0), l.parse().unwrap_or(0)));
            }
        }
        Ok(Segment { data: File::open(format!("{name}.seg"))?, index })
    }

    fn get(&mut self, key: &str) -> io::Result<Option<String>> {
        let Some(&(offset, length)) = self.index.get(key) else { return Ok(None) };
        let mut value = vec![0; length];
        self.data.seek(SeekFrom::Start(offset))?;
        self.data.read_exact(&mut value)?;
        Ok(Some(String::from_utf8_lossy(&value).into_owned()))
    }
}

fn main() -> io::Result<()> {
    let mut segment = Segment::open("data")?;
    let (mut found, mut missing, mut bytes) = (0, 0, 0);
    for i in 0..200 {
        match segment.get(&format!("key{}", i * 37 % 445))? {
            Some(v) => {
                found += 1;
                bytes += v.len();
            }
            None => missing += 1,
        }
    }
    println!("{found} found, {missing} missing, {bytes} bytes");
    Ok(())
}
