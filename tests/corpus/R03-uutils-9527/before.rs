//! One function wants the kind, another the size; each asks for all there is to know.
use std::fs::File;
use std::io::{Read, Result};

fn is_regular(file: &File) -> Result<bool> {
    Ok(file.metadata()?.is_file())
}

fn size(file: &File) -> Result<usize> {
    Ok(usize::try_from(file.metadata()?.len()).unwrap())
}

fn main() -> Result<()> {
    let mut total = 0;
    for number in 1..=20 {
        let mut file = File::open(format!("data/{number}"))?;
        if is_regular(&file)? {
            let mut bytes = vec![0; size(&file)?];
            file.read_exact(&mut bytes)?;
            total += bytes.len();
        }
    }
    println!("bytes {total}");
    Ok(())
}
