// lookup answers keys from an on-disk hash table far bigger than what is asked for:
// one bucket of 64 bytes is read per key, each at another place.
use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

const BUCKET: u64 = 64;
const SLOTS: u64 = 1 << 20;

fn mix(mut x: u64) -> u64 {
    x ^= x >> 33;
    x = x.wrapping_mul(0xff51afd7ed558ccd);
    x ^= x >> 33;
    x = x.wrapping_mul(0xc4ceb9fe1a85ec53);
    x ^ (x >> 33)
}

struct Table {
    file: File,
}

impl Table {
    fn open(path: &str) -> io::Result<Table> {
        let file = File::open(path)?;
        if file.metadata()?.len() != SLOTS * BUCKET {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "wrong size"));
        }
        Ok(Table { file })
    }

    fn get(&self, key: u64) -> io::Result<Option<u64>> {
        let slot = mix(key) % SLOTS;
        let mut bucket = [0u8; BUCKET as usize];
        self.file.read_exact_at(&mut bucket, slot * BUCKET)?;
        for pair in bucket.chunks_exact(16) {
            let k = u64::from_le_bytes(pair[..8].try_into().unwrap());
            if k == key {
                return Ok(Some(u64::from_le_bytes(pair[8..].try_into().unwrap())));
            }
        }
        Ok(None)
    }
}

fn main() -> io::Result<()> {
    let table = Table::open("users.tbl")?;
    let (mut hits, mut misses, mut sum) = (0u32, 0u32, 0u64);
    let mut asked = HashSet::new();
    for i in 1..=2500u64 {
        let key = i * 7 + 1;
        if !asked.insert(mix(key) % SLOTS) {
            continue;
        }
        match table.get(key)? {
            Some(v) => {
                hits += 1;
                sum = sum.wrapping_add(v);
            }
            None => misses += 1,
        }
    }
    println!("{} hits, {} misses, sum {}", hits, misses, sum);
    Ok(())
}
