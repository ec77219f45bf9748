//! Adds up the last bytes of eight small files that it reads.

use std::fs::File;
use std::io::Read;

fn main() -> std::io::Result<()> {
    let mut sum = 0;
    for layer in 1..=8 {
        let mut text = [0; 500];
        File::open(format!("layer-{layer}"))?.read_exact(&mut text)?;
        sum += i32::from(text[499] - b'0');
    }
    println!("sum {sum}");
    Ok(())
}
