//! Asked once, passed along.
use std::fs::File;
use std::io::{Read, Result};

fn main() -> Result<()> {
    let mut total = 0;
    for number in 1..=20 {
        let mut file = File::open(format!("data/{number}"))?;
        let facts = file.metadata()?;
        if facts.is_file() {
            let mut bytes = vec![0; usize::try_from(facts.len()).unwrap()];
            file.read_exact(&mut bytes)?;
            total += bytes.len();
        }
    }
    println!("bytes {total}");
    Ok(())
}
