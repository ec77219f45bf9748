//! Reads six files whole, as many bytes as they have.

use std::fs::File;
use std::io::Read;

fn main() -> std::io::Result<()> {
    let mut bytes = 0;
    for part in 1..=6 {
        let mut file = File::open(format!("part-{part}"))?;
        let size = usize::try_from(file.metadata()?.len()).unwrap();
        let mut text = vec![0; size];
        file.read_exact(&mut text)?;
        bytes += text.len();
    }
    println!("{bytes} bytes");
    Ok(())
}
